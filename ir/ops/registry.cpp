#include "ir/ops/registry.h"

#include "ir/core/operators.h"
#include "ir/ops/rules/op_rules.h"
#include "ir/support/string_table.h"

namespace descry::ir {

namespace {

uint64_t hashOp(std::string_view ns, std::string_view name) {
  return hashText(name) ^ (hashText(ns) * 0x9E3779B97F4A7C15ull);
}

bool endsWith(std::string_view text, std::string_view end) {
  return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

/// Traits that the schema text itself tells, without parsing it.
uint32_t traitsOfText(std::string_view schema) {
  uint32_t traits = 0;
  const size_t arrow = schema.rfind(") -> ");
  for (size_t at = schema.find('!'); at < schema.size(); at = schema.find('!', at + 1)) {
    // `(a!)` or `(a! -> b)`; a '!' in a string default is neither.
    const char next = at + 1 < schema.size() ? schema[at + 1] : '\0';
    if (next == ')' || next == ' ') {
      traits |= kOpMutates;
      break;
    }
  }
  if (arrow != std::string_view::npos) {
    // An alias annotation among the returns follows a type name or a list bracket directly.
    for (size_t at = schema.find('(', arrow + 5); at < schema.size(); at = schema.find('(', at + 1)) {
      const char before = schema[at - 1];
      if (before == ' ' || before == '(') continue;
      const std::string_view head = schema.substr(0, at);
      if (endsWith(head, "Future") || endsWith(head, "Await") || endsWith(head, "RRef")) continue;
      const size_t close = schema.find(')', at);
      const std::string_view inside = schema.substr(at + 1, close - at - 1);
      const bool sets = !inside.empty() && inside.find(',') == std::string_view::npos &&
                        (inside.size() == 1 || inside[1] == '|' || inside[1] == ' ');
      if (sets && inside.find('!') == std::string_view::npos) traits |= kOpView;
    }
  }
  return traits;
}

/// `operator.and_`, `or_`, `not_`, `is_` end in an underscore and write nothing, so the in-place ones are
/// listed.
bool isInplaceOperator(std::string_view name) {
  for (const char* known : {"iadd", "isub", "imul", "itruediv", "ifloordiv", "imod", "ipow", "imatmul",
                            "iand", "ior", "ixor", "ilshift", "irshift", "iconcat", "setitem", "delitem"})
    if (name == known) return true;
  return false;
}

constexpr uint32_t kNotPure = kOpMutates | kOpRandom | kOpSideEffect | kOpCommunicates | kOpInplaceView;

}  // namespace

const Schema& OpDef::schema() const {
  const Schema* known = schema_.load(std::memory_order_acquire);
  if (known) return *known;
  Result<Schema> parsed = parseSchema(text_);
  // A registered text that does not parse is a fault of the table, which the tests catch; callers get no
  // arguments.
  Schema* made = new Schema(parsed ? std::move(*parsed) : Schema{});
  if (!parsed) {
    made->ns = ns_;
    made->name = name_;
    made->overload = overload_;
    made->varargs = made->varReturns = true;
  }
  if (schema_.compare_exchange_strong(known, made, std::memory_order_acq_rel)) return *made;
  delete made;
  return *known;
}

OpDef::~OpDef() {
  delete schema_.load(std::memory_order_relaxed);
  delete rules_.load(std::memory_order_relaxed);
}

bool OpDef::hasProperty(std::string_view key) const {
  for (const TableProperty& p : properties_)
    if (p.key == key) return true;
  return false;
}

const rules::OpRules& OpDef::rules() const {
  const rules::OpRules* known = rules_.load(std::memory_order_acquire);
  if (known) return *known;
  const rules::OpRules* made = new rules::OpRules(rules::parseRules(*this));
  if (rules_.compare_exchange_strong(known, made, std::memory_order_acq_rel)) return *made;
  delete made;
  return *known;
}

std::string OpDef::target() const {
  std::string out = "torch.ops.";
  out.append(ns_).append(".").append(name_).append(".").append(overload_);
  return out;
}

void OpDef::setTraits(uint32_t given) {
  traits = given | traitsOfText(text_);
  if (!(traits & kNotPure)) traits |= kOpPure;
}

OpDef& OpDef::spelled(std::string_view spellings) {
  while (!spellings.empty()) {
    const size_t space = std::min(spellings.find(' '), spellings.size());
    const std::string_view one = spellings.substr(0, space);
    spellings.remove_prefix(std::min(space + 1, spellings.size()));
    if (one.empty()) continue;
    head_->spellings_.push_back(one);
    OpRegistry::SpellingEntry& entry = registry_->bySpelling_[one];
    if (!entry.first)
      entry.first = head_;
    else if (entry.first != head_)
      entry.more.push_back(head_);
  }
  return *this;
}

bool OpDef::declared() const {
  return registry_ && registry_->base();
}

OpRegistry::OpRegistry(const OpRegistry* base) : base_(base), slots_(base ? 64 : 8192) {
  if (!base) bySpelling_.reserve(4096);
}

OpDef*& OpRegistry::slot(std::string_view ns, std::string_view name) {
  size_t at = hashOp(ns, name) & (slots_.size() - 1);
  while (slots_[at] && (slots_[at]->name_ != name || slots_[at]->ns_ != ns))
    at = (at + 1) & (slots_.size() - 1);
  return slots_[at];
}

void OpRegistry::growSlots() {
  std::vector<OpDef*> old(slots_.size() * 2);
  old.swap(slots_);
  for (OpDef* head : old)
    if (head) slot(head->ns_, head->name_) = head;
}

OpDef& OpRegistry::op(std::string_view schema, uint32_t traits) {
  const size_t open = std::min(schema.find('('), schema.size());
  std::string_view ns, name, overload;
  splitTarget(schema.substr(0, open), ns, name, overload);
  if (overload.empty()) overload = "default";
  if (heads_ * 2 > slots_.size()) growSlots();
  OpDef*& head = slot(ns, name);
  for (OpDef* o = head; o; o = o->nextOverload_)
    if (o->overload_ == overload) return *o;

  OpDef& def = ops_.emplace_back();
  def.registry_ = this;
  def.text_ = schema;
  def.ns_ = ns;
  def.name_ = name;
  def.overload_ = overload;
  def.setTraits(traits);
  if (head) {
    head->lastOverload_->nextOverload_ = &def;
    head->lastOverload_ = &def;
    def.head_ = head;
  } else {
    head = &def;
    ++heads_;
  }
  return def;
}

Status OpRegistry::add(std::string_view schema, uint32_t traits, std::vector<std::string> spellings) {
  Result<Schema> parsed = parseSchema(schema);
  if (!parsed) return parsed.error();
  for (const OpDef* o = findName(parsed->ns, parsed->name); o; o = o->nextOverload())
    if (o->overload() == parsed->overload)
      return failure("op-duplicate", "the op " + parsed->target() + " is registered already");
  const std::string& own = ownTexts_.emplace_back(parsed->str());
  OpDef& def = op(own, traits);
  for (std::string& s : spellings) def.spelled(ownTexts_.emplace_back(std::move(s)));
  return {};
}

void OpRegistry::python(const PythonFunction& function) {
  if (!pythonBySpelling_.emplace(function.spelling, static_cast<uint32_t>(python_.size())).second) return;
  python_.push_back(function);
}

const rules::Function* OpRegistry::parsed(const PythonFunction& source, bool python,
                                          Diagnostic* problem) const {
  const std::lock_guard lock(parseMutex_);
  const auto found = parsed_.find(source.spelling.data());
  if (found != parsed_.end() && (found->second || !problem)) return found->second.get();
  Result<std::shared_ptr<rules::Function>> f =
      rules::parseFunction(source.signature, source.body, source.line, source.spelling, source.file, python);
  if (!f && problem) *problem = f.error();
  return parsed_.emplace(source.spelling.data(), f ? *f : nullptr).first->second.get();
}

const rules::Function* OpRegistry::function(std::string_view name, Diagnostic* problem) const {
  const auto found = helpers_.find(name);
  if (found == helpers_.end()) return base_ ? base_->function(name, problem) : nullptr;
  return parsed(found->second.source, found->second.python, problem);
}

const rules::Function* OpRegistry::pythonBody(std::string_view spelling, Diagnostic* problem) const {
  if (base_ && !pythonBySpelling_.count(spelling)) return base_->pythonBody(spelling, problem);
  const PythonFunction* f = findPython(spelling);
  return f && !f->body.empty() ? parsed(*f, true, problem) : nullptr;
}

bool splitTarget(std::string_view target, std::string_view& ns, std::string_view& name,
                 std::string_view& overload) {
  if (target.substr(0, 10) == "torch.ops.") target.remove_prefix(10);
  const size_t colons = target.find("::");
  const size_t end = colons != std::string_view::npos ? colons : target.find('.');
  if (end == std::string_view::npos) {
    ns = "aten";
    name = target;
    overload = {};
    return false;
  }
  ns = target.substr(0, end);
  target.remove_prefix(end + (colons != std::string_view::npos ? 2 : 1));
  const size_t dot = target.find('.');
  name = target.substr(0, dot);
  overload = dot == std::string_view::npos ? std::string_view() : target.substr(dot + 1);
  return !ns.empty() && !name.empty();
}

const OpDef* OpRegistry::findName(std::string_view ns, std::string_view name) const {
  const OpDef* own = const_cast<OpRegistry*>(this)->slot(ns, name);
  return own || !base_ ? own : base_->findName(ns, name);
}

const OpDef* OpRegistry::find(std::string_view target) const {
  std::string_view ns, name, overload;
  if (!splitTarget(target, ns, name, overload)) return nullptr;
  const OpDef* head = findName(ns, name);
  const std::string_view wanted = overload.empty() ? "default" : overload;
  for (const OpDef* o = head; o; o = o->nextOverload())
    if (o->overload() == wanted) return o;
  return overload.empty() ? head : nullptr;
}

std::vector<const OpDef*> OpRegistry::findSpelling(std::string_view spelling) const {
  std::vector<const OpDef*> out;
  const auto found = bySpelling_.find(spelling);
  if (found == bySpelling_.end()) return base_ ? base_->findSpelling(spelling) : out;
  for (const OpDef* o = found->second.first; o; o = o->nextOverload()) out.push_back(o);
  for (const OpDef* head : found->second.more)
    for (const OpDef* o = head; o; o = o->nextOverload()) out.push_back(o);
  return out;
}

const PythonFunction* OpRegistry::findPython(std::string_view spelling) const {
  const auto found = pythonBySpelling_.find(spelling);
  if (found == pythonBySpelling_.end()) return base_ ? base_->findPython(spelling) : nullptr;
  return &python_[found->second];
}

bool OpRegistry::knows(std::string_view target) const {
  return (target.substr(0, 10) == "torch.ops." && find(target)) || bySpelling_.count(target) ||
         findPython(target) || (base_ && base_->knows(target));
}

bool hasEffect(const OpRegistry& ops, std::string_view target, bool randomIsEffect) {
  const uint32_t effects =
      kOpMutates | kOpSideEffect | kOpInplaceView | (randomIsEffect ? uint32_t{kOpRandom} : 0u);
  auto nameSaysSo = [](std::string_view name) {
    return name.size() > 1 && name.back() == '_' && name[name.size() - 2] != '_';
  };
  if (target.substr(0, 10) == "torch.ops.") {
    if (const OpDef* op = ops.find(target)) {
      // torch.fx drops unused random prims, and higher order ops even when what they call is random.
      const bool keptWhenRandom = op->ns() == "aten";
      return op->has(keptWhenRandom ? effects : effects & ~uint32_t{kOpRandom});
    }
    std::string_view ns, name, overload;
    splitTarget(target, ns, name, overload);
    return nameSaysSo(name);
  }
  if (target == kUnparsedTarget) return true;  // nobody knows what it does
  if (const PythonFunction* f = ops.findPython(target)) return f->sideEffect || nameSaysSo(target);
  // A spelling covers overloads that write `out=` and others that do not: the name decides about writing.
  uint32_t seen = 0;
  for (const OpDef* o : ops.findSpelling(target)) seen |= o->traits;
  if (target.substr(0, 9) == "operator.") return isInplaceOperator(target.substr(9));
  return nameSaysSo(target) || (seen & (effects & ~uint32_t{kOpMutates | kOpInplaceView}));
}

}  // namespace descry::ir
