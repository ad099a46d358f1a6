// Statements: assignments in all their forms, in-place operators, deletions.
#include <algorithm>
#include <cstring>

#include "importers/fx_text/parser.h"
#include "ir/core/operators.h"

namespace descry::importers::fx {

using ir::Cell;
using ir::NodeId;
using ir::OpKind;
using ir::StrId;
using ir::ValueKind;

void Parser::deleteName(std::string_view name) {
  const StrId id = intern(name);
  sawDeletion_ = true;
  if (bound(id)) slot(id).deletedLine = loc(p_).line;
}

/// A name, also in parentheses: `x`, `(x)`, and over several lines as code formatters write it. Empty, and
/// nothing read, when it is something else.
std::string_view Parser::parenthesisedName() {
  const Place before = place();
  const int depth = depth_;
  skip();
  while (peek() == '(') {
    ++p_;
    ++depth_;
    skip();
  }
  std::string_view name = identifier();
  while (!name.empty() && depth_ > depth) {
    skip();
    if (peek() == ')') {
      ++p_;
      --depth_;
    } else {
      name = {};
    }
  }
  depth_ = depth;
  if (name.empty()) restore(before);
  return name;
}

/// Behind a whole statement. Anything else that stands there means that the statement was misread, and fails.
bool Parser::statementEnds() {
  if (failed_) return false;
  skip();
  if (atEnd() || *p_ == '\n' || *p_ == ';' || *p_ == '#') return true;
  failAt_ = p_;
  fail(std::string("unexpected '") + *p_ + "' behind the statement");
  return false;
}

/// Behind `first =`: collects `b =`, `c =` into targets_. True when all of it was a deletion, `= None`.
bool Parser::chainedTargets(std::string_view first) {
  targets_.assign(1, first);
  while (true) {
    const Place before = place();
    const std::string_view name = parenthesisedName();
    if (!name.empty()) {
      skip();
      if (peek() == '=' && peek(1) != '=') {
        ++p_;
        targets_.push_back(name);
        continue;
      }
      // `y = None` for a name that does not exist yet is a value.
      if (name == "None" && (peek() == ';' || peek() == '\n' || peek() == '#') &&
          std::any_of(targets_.begin(), targets_.end(),
                      [&](std::string_view n) { return bound(intern(n)); })) {
        for (std::string_view n : targets_) deleteName(n);
        return true;
      }
    }
    restore(before);
    return false;
  }
}

void Parser::unfinishedAug() {
  if (!aug_.valid()) return;
  ir::Node& n = g_->edit(aug_);
  const std::string_view target = g_->str(n.target);
  n.name = madeUpName(target);
  n.flags |= ir::kNodeNameMadeUp;
  bind(n.name, aug_);
  aug_ = {};
}

/// `name = value` where the value is a name itself. No node, apart from what names a parameter.
void Parser::alias(std::string_view name, StrId valueName, ir::TypeId type, const char* start) {
  const Slot s = slot(valueName);                 // a copy: later look-ups may move the table
  if (aug_.valid() && valueName == augTarget_) {  // x += y;  x_1 = x
    const StrId id = define(name, start);
    ir::Node& n = g_->edit(aug_);
    n.name = id;
    if (type) n.type = type;
    bind(id, aug_);
    bind(intern(name), aug_);
    aug_ = {};
    return;
  }
  unfinishedAug();
  const StrId own = intern(name);
  if (s.parameterOnly && !bound(own) && !g_->hasUsers({s.node})) {  // l_x_ = L_x_
    const NodeId node{s.node};
    g_->edit(node).name = own;
    if (type) g_->edit(node).type = type;
    slot(valueName).parameterOnly = false;
    bind(own, node);
    if (sawStatement_) g_->moveBefore(node, {});
    return;
  }
  if (own == valueName) return;
  if (bound(own) && slot(own).node != NodeId::kNone)
    sink_.noteOnce("alias", name, loc(start),
                   "'" + std::string(name) + "' is bound again, to an existing value");
  else
    sink_.noteOnce(
        "alias", name, loc(start),
        "'" + std::string(name) + "' is another name of '" + std::string(ctx_.str(valueName)) + "'");
  bind(own, {s.node});
}

void Parser::assignment(std::string_view name, ir::TypeId type, const char* start) {
  if (type)
    targets_.assign(1, name);
  else if (chainedTargets(name))
    return;
  while (peek() == ' ') ++p_;

  // The ways a signature unpacks its arguments.
  if (startsWith("iter(")) {
    std::string_view inside;
    p_ += 4;
    if (!rawBalanced(inside) || parameters_.size() != 1 || parameters_[0].name != inside) {
      fail("iter() of something that is not the argument list");
      return;
    }
    if (!statementEnds()) return;
    boxedList_ = std::string(inside);
    boxedIter_ = std::string(name);
    parameters_.clear();
    parametersPending_ = false;
    g_->style.signature = ir::SignatureForm::Boxed;
    return;
  }
  if (!boxedIter_.empty() && startsWith("next(")) {
    const Place before = place();
    std::string_view inside;
    p_ += 4;
    if (rawBalanced(inside) && inside == boxedIter_) {
      if (!statementEnds()) return;
      const StrId id = intern(name);
      bind(id, addPlaceholder(name, name, type, {}, 0, start));
      return;
    }
    restore(before);
  }
  if (startsWith("fx_pytree.tree_flatten_spec(")) {  // one placeholder: `primals_1, = ` reaches tupleTarget
    fail("tree_flatten_spec needs a list of names");
    return;
  }

  Pending value = expression();
  if (!statementEnds()) return;
  flushParameters();
  if (!value.isCall && value.value.kind == ValueKind::NodeRef && value.plainName) {
    for (std::string_view target : targets_) alias(target, value.name, type, start);
    return;
  }
  unfinishedAug();
  // A call is a node; so is any other value, to keep its name.
  const NodeId node =
      value.isCall ? emitAs(value, name, type, 0, start) : emitValue(value.value, name, type, start);
  for (size_t i = 1; i < targets_.size(); ++i) bind(intern(targets_[i]), node);
  sawStatement_ = true;
}

void Parser::tupleTarget(std::string_view first, const char* start) {
  std::vector<std::string_view> names{first};
  std::vector<const char*> places{start};
  while (peek() == ',') {
    ++p_;
    while (peek() == ' ') ++p_;
    if (peek() == '=') break;
    places.push_back(p_);
    const std::string_view name = identifier();
    if (name.empty()) {
      fail("expected a name");
      return;
    }
    names.push_back(name);
    while (peek() == ' ') ++p_;
  }
  if (peek() != '=' || peek(1) == '=') {
    fail("expected '=' behind the names");
    return;
  }
  ++p_;
  while (peek() == ' ') ++p_;
  const auto placeholders = [&] {
    for (size_t i = 0; i < names.size(); ++i) {
      Annotated a;
      const StrId id = intern(names[i]);
      if (const auto it = annotated_.find(id.index); it != annotated_.end()) a = it->second;
      if (bound(id)) {
        sink_.warning("duplicate-name", loc(places[i]), "input '" + std::string(names[i]) + "' stands twice");
        continue;
      }
      bind(id, addPlaceholder(names[i], names[i], a.type, a.desc, 0, places[i]));
      slot(id).parameterOnly = true;  // `input_1 = input` may follow
    }
  };
  if (startsWith("fx_pytree.tree_flatten_spec(")) {
    p_ += 27;
    std::string_view inside;
    if (!rawBalanced(inside)) {
      fail("'(' without ')'", "unclosed-bracket");
      return;
    }
    if (!statementEnds()) return;
    g_->style.flattenSource = std::string(inside);
    const bool expanded = g_->style.signature == ir::SignatureForm::Expanded ||
                          (annotationCount_ > 1 && annotationLines_ == annotationCount_);
    g_->style.signature = expanded ? ir::SignatureForm::PytreeExpanded : ir::SignatureForm::PytreeCompact;
    for (const Parameter& p : parameters_) g_->style.signatureNames.emplace_back(p.name);
    parameters_.clear();
    parametersPending_ = false;
    placeholders();
    return;
  }
  if (startsWith("pytree.tree_leaves(")) {
    const char* from = start;
    p_ += 18;
    std::string_view inside;
    if (!rawBalanced(inside)) {
      fail("'(' without ')'", "unclosed-bracket");
      return;
    }
    const char* to = p_;
    if (!statementEnds()) return;
    g_->style.signatureTail = std::string(from, to);
    for (size_t i = 0; i < names.size(); ++i)
      g_->style.shuffleLeaves += (i ? ", " : "") + std::string(names[i]);
    g_->style.signature = ir::SignatureForm::Shuffle;
    for (const Parameter& p : parameters_) g_->style.signatureNames.emplace_back(p.name);
    parameters_.clear();
    parametersPending_ = false;
    return;
  }
  if (g_->style.signature == ir::SignatureForm::Shuffle && startsWith("self._in_shuffle_graph(")) {
    const char* from = p_;
    p_ += 22;
    std::string_view inside;
    if (!rawBalanced(inside)) {
      fail("'(' without ')'", "unclosed-bracket");
      return;
    }
    const char* to = p_;
    if (!statementEnds()) return;
    g_->style.flattenSource = std::string(from, to);
    placeholders();
    return;
  }
  // a, b = f(x): the call and one getitem per name.
  Pending value = expression();
  if (!statementEnds()) return;
  flushParameters();
  unfinishedAug();
  const Cell whole = asCell(value);
  for (size_t i = 0; i < names.size(); ++i) {
    Pending item =
        callOf(OpKind::CallFunction, "operator.getitem", {whole, Cell::integer(static_cast<int64_t>(i))});
    emitAs(item, names[i], {}, 0, places[i]);
  }
  sawStatement_ = true;
}

void Parser::augmented(std::string_view name) {
  static constexpr std::pair<std::string_view, std::string_view> kOps[] = {
      {"+=", "iadd"}, {"-=", "isub"},     {"*=", "imul"},    {"/=", "itruediv"}, {"//=", "ifloordiv"},
      {"%=", "imod"}, {"**=", "ipow"},    {"@=", "imatmul"}, {"&=", "iand"},     {"|=", "ior"},
      {"^=", "ixor"}, {"<<=", "ilshift"}, {">>=", "irshift"}};
  for (const auto& [symbol, target] : kOps) {
    if (!startsWith(symbol)) continue;
    p_ += symbol.size();
    flushParameters();
    unfinishedAug();
    const StrId id = intern(name);
    const Cell left = reference(name, id);
    const uint32_t mark = static_cast<uint32_t>(scratch_.size());
    Pending right = expression();
    if (!statementEnds()) return;
    const Cell b = asCell(right);
    scratch_.resize(mark);
    Pending p = callOf(OpKind::CallFunction, "operator." + std::string(target), {left, b});
    aug_ = emit(p, {}, {}, 0, statementStart_);
    augTarget_ = id;
    sawStatement_ = true;
    return;
  }
  fail("unknown operator in an in-place statement");
}

/// A call without a name, or `x[i] = v`.
void Parser::expressionStatement(const char* start) {
  const std::string_view rest = restOfLine();
  if (!boxedList_.empty() && rest.starts_with(boxedList_ + ".clear()")) {
    p_ += boxedList_.size() + 8;
    statementEnds();
    return;
  }
  Pending value = expression();
  if (failed_) return;
  skip();
  if (peek() == '=' && peek(1) != '=') {
    if (value.isCall && ctx_.str(value.target) == "operator.getitem" && value.argCount == 2) {
      ++p_;
      flushParameters();
      unfinishedAug();
      const Cell base = scratch_[value.mark];
      const Cell index = scratch_[value.mark + 1];
      scratch_.resize(value.mark);
      Pending right = expression();
      if (!statementEnds()) return;
      const Cell v = asCell(right);
      Pending p = callOf(OpKind::CallFunction, "operator.setitem", {base, index, v});
      aug_ = emit(p, {}, {}, 0, start);
      augTarget_ = {};
      if (base.kind == ValueKind::NodeRef) augTarget_ = g_->node({base.a}).name;
      sawStatement_ = true;
      return;
    }
    fail("cannot assign to this");
    return;
  }
  if (!statementEnds()) return;
  flushParameters();
  unfinishedAug();
  if (!value.isCall) {
    if (value.value.kind == ValueKind::Str) return;  // a docstring
    fail("a value alone is no statement");
    return;
  }
  // Profiler scopes (`_rf_mul.__enter__()`) are written without a result.
  if (!rest.starts_with("_rf"))
    sink_.noteOnce("unnamed-result", ctx_.str(value.target), loc(start),
                   "a call of " + std::string(ctx_.str(value.target)) + " without a result name");
  emit(value, madeUpName(ctx_.str(value.target)), {}, ir::kNodeNameMadeUp | ir::kNodeBareCall, start);
  sawStatement_ = true;
}

void Parser::annotationOnly(std::string_view name, ir::TypeId type) {
  if (!statementEnds()) return;
  ++annotationCount_;
  Annotated a;
  a.type = type;
  if (peek() == '\n' || peek() == '#') ++annotationLines_;
  if (const std::string_view desc = trailingComment(); !desc.empty()) a.desc = ctx_.descriptor(desc);
  annotated_[intern(name).index] = a;
}

}  // namespace descry::importers::fx
