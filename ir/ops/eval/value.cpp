#include "ir/ops/eval/value.h"

#include <cmath>
#include <mutex>

namespace descry::ir::eval {

namespace {

struct ComplexObject : Counted {
  double im = 0;
};

/// The result of `op` on plain numbers, which must fit.
int64_t fitting(bool overflow, int64_t value, const Int& a, const char* op, const Int& b) {
  if (overflow && !a.sym && !b.sym) integerOverflow(std::to_string(a.value) + op + std::to_string(b.value));
  return value;
}

template <class F>
Int combine(const Int& a, const Int& b, int64_t value, F&& f) {
  if (!a.sym && !b.sym) return value;
  SymExpr e = f(a.expr(), b.expr());
  if (e.isInteger()) return e.integer();
  return symbolicInt(std::move(e), value, (!a.sym || a.sym->hasHint) && (!b.sym || b.sym->hasHint),
                     a.sym && a.sym->facts ? a.sym->facts
                     : b.sym               ? b.sym->facts
                                           : Ref<NumberFacts>());
}

bool dependsOnData(const Int& i) {
  return i.sym && !i.sym->hasHint;
}

std::optional<bool> decided(SymRel rel, const Int& a, const Int& b) {
  const Ref<NumberFacts>& facts = a.sym && a.sym->facts ? a.sym->facts : b.sym ? b.sym->facts : a.sym->facts;
  return facts ? facts->decide(rel, a.expr(), b.expr()) : std::nullopt;
}

}  // namespace

int64_t Int::known() const {
  if (sym && !sym->hasHint)
    throw EvalError("data-dependent",
                    "could not decide on the value of " + sym->expr.text() + ", which depends on data");
  return value;
}

Int symbolicInt(SymExpr expr, int64_t hint, bool hasHint, Ref<NumberFacts> facts) {
  auto s = make<Symbolic>();
  s->expr = std::move(expr);
  s->hasHint = hasHint;
  s->facts = std::move(facts);
  return {hint, s};
}

Int operator+(const Int& a, const Int& b) {
  int64_t r = 0;
  const bool overflow = __builtin_add_overflow(a.value, b.value, &r);
  return combine(a, b, fitting(overflow, r, a, " + ", b),
                 [](const SymExpr& x, const SymExpr& y) { return x + y; });
}
Int operator-(const Int& a, const Int& b) {
  int64_t r = 0;
  const bool overflow = __builtin_sub_overflow(a.value, b.value, &r);
  return combine(a, b, fitting(overflow, r, a, " - ", b),
                 [](const SymExpr& x, const SymExpr& y) { return x - y; });
}
Int operator*(const Int& a, const Int& b) {
  if (!a.sym && a.value == 1) return b;
  if (!b.sym && b.value == 1) return a;
  int64_t r = 0;
  const bool overflow = __builtin_mul_overflow(a.value, b.value, &r);
  return combine(a, b, fitting(overflow, r, a, " * ", b),
                 [](const SymExpr& x, const SymExpr& y) { return x * y; });
}
bool operator==(const Int& a, const Int& b) {
  if (!a.sym && !b.sym) return a.value == b.value;
  if (a.sym && b.sym && a.sym->expr == b.sym->expr) return true;
  // An unbacked size is taken to be neither 0 nor 1 nor equal to anything else, unless it is known to be.
  if (dependsOnData(a) || dependsOnData(b)) return decided(SymRel::Eq, a, b).value_or(false);
  return a.value == b.value;
}
bool operator<(const Int& a, const Int& b) {
  if (a.sym && b.sym && a.sym->expr == b.sym->expr) return false;
  if (dependsOnData(a) || dependsOnData(b))
    if (const std::optional<bool> known = decided(SymRel::Lt, a, b)) return *known;
  if (a.sym && !a.sym->hasHint && !b.sym) return b.value > 2 ? (a.known(), false) : false;
  if (b.sym && !b.sym->hasHint && !a.sym) {
    // An expression such as -u0 is no size.
    if (b.sym->facts && b.sym->expr.kind() != SymKind::Symbol)
      if (const std::optional<bool> known = b.sym->facts->decideForSizes(SymRel::Lt, a.expr(), b.sym->expr))
        return *known;
    return a.value < 2 ? true : (b.known(), false);
  }
  return a.known() < b.known();
}

Int floorDiv(const Int& a, const Int& b) {
  if (!b.sym && b.value == 1) return a;
  if (b.value == 0) throw EvalError("zero-division", "integer division or modulo by zero");
  const bool overflow = a.value == INT64_MIN && b.value == -1;
  int64_t q = fitting(overflow, overflow ? a.value : a.value / b.value, a, " // ", b);
  if ((a.value % (b.value == -1 ? 1 : b.value)) && ((a.value < 0) != (b.value < 0))) --q;
  return combine(a, b, q, [](const SymExpr& x, const SymExpr& y) { return symFloorDiv(x, y); });
}
Int floorMod(const Int& a, const Int& b) {
  if (b.value == 0) throw EvalError("zero-division", "integer division or modulo by zero");
  int64_t r = b.value == -1 ? 0 : a.value % b.value;
  if (r && ((r < 0) != (b.value < 0))) r += b.value;
  return combine(a, b, r, [](const SymExpr& x, const SymExpr& y) {
    return symNotNegative(x) && symNotNegative(y) ? symMod(x, y) : symPythonMod(x, y);
  });
}
Int maxOf(const Int& a, const Int& b) {
  return combine(a, b, std::max(a.value, b.value), [](const SymExpr& x, const SymExpr& y) {
    return symMax({x, y});
  });
}
Int minOf(const Int& a, const Int& b) {
  return combine(a, b, std::min(a.value, b.value), [](const SymExpr& x, const SymExpr& y) {
    return symMin({x, y});
  });
}
int64_t integerPower(int64_t x, int64_t y) {
  if (x == 0 || x == 1) return y == 0 ? 1 : x;
  if (x == -1) return y % 2 ? -1 : 1;
  int64_t r = 1;
  for (int64_t i = 0; i < y; ++i)
    if (__builtin_mul_overflow(r, x, &r)) integerOverflow(std::to_string(x) + " ** " + std::to_string(y));
  return r;
}
int64_t integerOf(double whole) {
  if (std::isnan(whole)) integerOverflow("nan");
  // -2^63 is the least one, and 2^63 the first that is too much.
  if (!(whole >= -0x1p63 && whole < 0x1p63)) {
    char text[32];
    snprintf(text, sizeof text, "%g", whole);
    integerOverflow(text);
  }
  return static_cast<int64_t>(whole);
}
void integerOverflow(const std::string& what) {
  throw EvalError("integer-overflow", what + " is no integer of 64 bits");
}

Int product(const Ints& ints) {
  Int n = 1;
  for (const Int& i : ints) n = n * i;
  return n;
}

namespace {
std::mutex& deviceMutex() {
  static std::mutex m;
  return m;
}
std::vector<std::string>& devices() {
  static std::vector<std::string> d = {"cpu"};
  return d;
}
}  // namespace

uint32_t deviceId(std::string_view text) {
  const std::lock_guard lock(deviceMutex());
  std::vector<std::string>& all = devices();
  for (size_t i = 0; i < all.size(); ++i)
    if (all[i] == text) return static_cast<uint32_t>(i);
  all.emplace_back(text);
  return static_cast<uint32_t>(all.size() - 1);
}
std::string deviceText(uint32_t id) {
  const std::lock_guard lock(deviceMutex());
  return devices()[id];
}

Value::Value(const Ints& v) : kind_(VKind::List) {
  auto list = make<ListObject>();
  list->items.reserve(v.size());
  for (const Int& i : v) list->items.emplace_back(i);
  obj_ = list;
}
void release(Values& values) {
  if (values.empty()) return;
  thread_local std::vector<Values>* waiting = nullptr;
  if (waiting) {
    waiting->push_back(std::move(values));
    return;
  }
  std::vector<Values> queue;
  waiting = &queue;
  values.clear();
  while (!queue.empty()) {
    Values next = std::move(queue.back());
    queue.pop_back();
    next.clear();
  }
  waiting = nullptr;
}

Value::Value(Values items, VKind kind) : kind_(kind) {
  auto list = make<ListObject>();
  list->items = std::move(items);
  obj_ = list;
}
Value Value::complex(double re, double im) {
  Value v;
  v.kind_ = VKind::Complex;
  v.d_ = re;
  auto o = make<ComplexObject>();
  o->im = im;
  v.obj_ = o;
  return v;
}
Value Value::str(std::string_view text, VKind kind) {
  Value v;
  v.kind_ = kind;
  auto o = make<StrObject>();
  o->text = text;
  v.obj_ = o;
  return v;
}
void Value::wrongKind(const char* wanted) const {
  throw EvalError("type-error", "expected " + std::string(wanted) + ", found " + describe());
}

double Value::imag() const {
  return kind_ == VKind::Complex ? static_cast<ComplexObject*>(obj_.get())->im : 0;
}

Int Value::toInt() const {
  if (kind_ == VKind::Int) return {i_, Ref<Symbolic>(sym())};
  if (kind_ == VKind::Bool) return i_;
  throw EvalError("type-error", "expected an int, found " + describe());
}
double Value::toReal() const {
  switch (kind_) {
    case VKind::Int:
    case VKind::Bool:
      return static_cast<double>(i_);
    case VKind::Float:
    case VKind::Complex:
      return d_;
    default:
      throw EvalError("type-error", "expected a number, found " + describe());
  }
}
Ints Value::toInts() const {
  if (!isList()) return {toInt()};
  Ints out;
  out.reserve(items().size());
  for (const Value& v : items()) out.push_back(v.toInt());
  return out;
}

bool Value::truthy() const {
  switch (kind_) {
    case VKind::None:
      return false;
    case VKind::Bool:
    case VKind::Int:
      if (symbolic() && !sym()->hasHint) {
        const SymExpr& e = sym()->expr;
        if (sym()->facts && e.kind() == SymKind::Relation)
          if (const std::optional<bool> known = sym()->facts->decide(e.relation(), e.args()[0], e.args()[1]))
            return *known;
        throw EvalError("data-dependent", "could not guard on the data-dependent expression " + e.text());
      }
      return i_ != 0;
    case VKind::Float:
      return d_ != 0;
    case VKind::Complex:
      return d_ != 0 || imag() != 0;
    case VKind::Str:
      return !text().empty();
    case VKind::List:
    case VKind::Tuple:
    case VKind::Dict:
      return !items().empty();
    case VKind::Tensor:
      throw EvalError("data-dependent", "a rule asks for the truth of a tensor, whose values are not known");
    default:
      return true;
  }
}

namespace {
/// Lists hold one another as deeply, and are as long, as a rule makes them.
constexpr size_t kLongest = 1u << 20;
constexpr int kDeepest = 100;

void describeInto(std::string& out, const Value& v, int depth) {
  if (!v.isList()) {
    out += v.describe();
    return;
  }
  const bool list = v.kind() == VKind::List;
  out += list ? '[' : '(';
  for (size_t i = 0; i < v.items().size(); ++i) {
    out += i ? ", " : "";
    if (depth >= kDeepest || out.size() > kLongest) {
      out += "...";
      break;
    }
    describeInto(out, v.items()[i], depth + 1);
  }
  out += list ? ']' : ')';
}
}  // namespace

std::string Value::describe() const {
  switch (kind_) {
    case VKind::None:
      return "None";
    case VKind::Bool:
      return i_ ? "True" : "False";
    case VKind::Int:
      return symbolic() ? sym()->expr.text() : std::to_string(i_);
    case VKind::Float: {
      char buffer[32];
      snprintf(buffer, sizeof buffer, "%g", d_);
      return buffer;
    }
    case VKind::Complex:
      return "a complex number";
    case VKind::Str:
      return "'" + text() + "'";
    case VKind::Object:
      return text();
    case VKind::DType:
      return "torch." + std::string(dtypeInfo(asDType()).torchName);
    case VKind::Device:
      return "device " + deviceText(asDevice());
    case VKind::Layout:
      return "a layout";
    case VKind::MemoryFormat:
      return "a memory format";
    case VKind::Tensor: {
      std::string out = "Tensor " + std::string(dtypeInfo(meta().dtype).shortName) + "[";
      for (size_t i = 0; i < meta().sizes.size(); ++i) out += (i ? ", " : "") + meta().sizes[i].str();
      return out + "]";
    }
    case VKind::List:
    case VKind::Tuple: {
      std::string out;
      describeInto(out, *this, 0);
      return out;
    }
    case VKind::Dict:
      return "a dict";
    case VKind::Slice:
      return "a slice";
    case VKind::Ellipsis:
      return "...";
    case VKind::Function:
      return "a function";
  }
  return "?";
}

Value wrapNumber(const Value& number) {
  auto t = make<WrappedNumber>();
  t->number = number;
  t->meta.wrappedNumber = true;
  t->meta.dtype = number.kind() == VKind::Bool    ? DType::B8
                  : number.kind() == VKind::Int   ? DType::I64
                  : number.kind() == VKind::Float ? DType::F64
                                                  : DType::C128;
  return Value(t);
}

namespace {
bool sameItems(const Value& a, const Value& b, int depth, int64_t& left);

bool sameAs(const Value& a, const Value& b, int depth, int64_t& left) {
  if (a.isNumber() && b.isNumber()) {
    if (a.kind() == VKind::Complex || b.kind() == VKind::Complex)
      return a.toReal() == b.toReal() && a.imag() == b.imag();
    const bool ints = a.kind() != VKind::Float && b.kind() != VKind::Float;
    if (ints) return a.toInt() == b.toInt();
    return a.toReal() == b.toReal();
  }
  if (a.kind() != b.kind()) return a.isList() && b.isList() && a.items().empty() && b.items().empty();
  switch (a.kind()) {
    case VKind::None:
    case VKind::Ellipsis:
      return true;
    case VKind::Str:
    case VKind::Object:
      return a.text() == b.text();
    case VKind::DType:
    case VKind::Device:
    case VKind::Layout:
    case VKind::MemoryFormat:
      return a.raw() == b.raw();
    case VKind::Tensor:
      return a.object() == b.object();
    case VKind::Function:
      return a.object() == b.object() && a.raw() == b.raw();
    default:
      return sameItems(a, b, depth, left);
  }
}

bool sameItems(const Value& a, const Value& b, int depth, int64_t& left) {
  if (a.object() == b.object()) return true;
  if (a.items().size() != b.items().size()) return false;
  left -= static_cast<int64_t>(a.items().size());
  if (depth >= kDeepest || left < 0)
    throw EvalError("rule-limit", "lists that nest too deeply, or are too long, are compared");
  for (size_t i = 0; i < a.items().size(); ++i)
    if (!sameAs(a.items()[i], b.items()[i], depth + 1, left)) return false;
  return true;
}
}  // namespace

bool sameAs(const Value& a, const Value& b) {
  int64_t left = 10'000'000;
  return sameAs(a, b, 0, left);
}

}  // namespace descry::ir::eval
