// Values that op rules compute with: numbers (perhaps symbolic), lists, dtypes, tensors without contents.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ir/types/dtype.h"
#include "ir/types/sym_expr.h"

namespace descry::ir::eval {

/// Why a rule gave up: what PyTorch would say (`shape-mismatch`, `type-error`, ...), or a fault of the table
/// itself
/// (`rule-error`). Thrown inside evaluation only; the stages turn it into a Diagnostic.
struct EvalError : std::runtime_error {
  EvalError(std::string code, const std::string& message)
      : std::runtime_error(message), code(std::move(code)) {}
  std::string code;
  /// In a rule that the user declares: 0 elsewhere.
  std::string file;
  uint32_t line = 0, column = 0;
};

struct Counted {
  Counted() = default;
  Counted(const Counted&) : refs(0) {}
  Counted& operator=(const Counted&) { return *this; }
  virtual ~Counted() = default;
  mutable uint32_t refs = 0;  // one thread at a time owns a value
};

template <class T>
class Ref {
 public:
  Ref() = default;
  Ref(T* p) : p_(p) { grab(); }  // NOLINT: implicit on purpose
  Ref(const Ref& o) : p_(o.p_) { grab(); }
  Ref(Ref&& o) noexcept : p_(std::exchange(o.p_, nullptr)) {}
  template <class U>
  Ref(const Ref<U>& o) : p_(o.get()) {  // NOLINT
    grab();
  }
  ~Ref() { drop(); }
  Ref& operator=(Ref o) noexcept {
    std::swap(p_, o.p_);
    return *this;
  }
  T* get() const { return p_; }
  T* operator->() const { return p_; }
  T& operator*() const { return *p_; }
  explicit operator bool() const { return p_ != nullptr; }
  friend bool operator==(const Ref& a, const Ref& b) { return a.p_ == b.p_; }

 private:
  void grab() {
    if (p_) ++p_->refs;
  }
  void drop() {
    if (p_ && --p_->refs == 0) delete p_;
  }
  T* p_ = nullptr;
};

template <class T, class... A>
Ref<T> make(A&&... args) {
  return Ref<T>(new T(std::forward<A>(args)...));
}

/// What is known of numbers that depend on data: the range of each symbol, and relations that the program
/// asserts.
struct NumberFacts : Counted {
  SymExpr::Ranges ranges;
  std::vector<SymExpr> notNegative;  ///< expressions of several symbols that are not negative

  /// Takes a relation, or several joined by `&`, for true.
  void assume(const SymExpr& relation);
  /// Whether `a rel b` follows from what is known; nullopt where it may be either.
  std::optional<bool> decide(SymRel rel, const SymExpr& a, const SymExpr& b) const;
  /// The same where sizes that depend on data are taken to be neither 0 nor 1.
  std::optional<bool> decideForSizes(SymRel rel, const SymExpr& a, const SymExpr& b) const;
};

/// A symbolic number. `hint` is its value in the traced run; without one (unbacked) comparisons that need it
/// fail.
struct Symbolic : Counted {
  SymExpr expr;
  bool hasHint = true;
  bool isFloat = false, isBool = false;
  double floatHint = 0;
  uint32_t node = 0xFFFFFFFF;  ///< graph node that holds it, for the tracer
  Ref<NumberFacts> facts;      ///< of the run, where it depends on data
};

/// An integer, perhaps symbolic: then `value` is its hint.
class Int {
 public:
  Int() = default;
  Int(int64_t v) : value(v) {}  // NOLINT: implicit on purpose
  Int(int64_t hint, Ref<Symbolic> s) : value(hint), sym(std::move(s)) {}
  int64_t value = 0;
  Ref<Symbolic> sym;

  bool symbolic() const { return static_cast<bool>(sym); }
  SymExpr expr() const { return sym ? sym->expr : SymExpr(value); }
  std::string str() const { return sym ? sym->expr.text() : std::to_string(value); }
  /// The hint; throws `data-dependent` when there is none.
  int64_t known() const;
  // Python's integers have no bounds; a plain number outside of int64 throws `integer-overflow`. Hints of
  // symbols may wrap: they only stand for some value.
  friend Int operator+(const Int& a, const Int& b);
  friend Int operator-(const Int& a, const Int& b);
  friend Int operator*(const Int& a, const Int& b);
  friend Int operator-(const Int& a) { return Int(0) - a; }
  /// By hint, and equal expressions without looking at hints.
  friend bool operator==(const Int& a, const Int& b);
  friend bool operator<(const Int& a, const Int& b);
  friend bool operator<=(const Int& a, const Int& b) { return !(b < a); }
  friend bool operator>(const Int& a, const Int& b) { return b < a; }
  friend bool operator>=(const Int& a, const Int& b) { return !(a < b); }
};
Int floorDiv(const Int& a, const Int& b);  ///< Throws `zero-division`.
Int floorMod(const Int& a, const Int& b);
Int maxOf(const Int& a, const Int& b);
Int minOf(const Int& a, const Int& b);
/// `x to the power of y` of plain numbers, y not negative. Throws `integer-overflow`.
int64_t integerPower(int64_t x, int64_t y);
/// Of a whole number that a float holds. Throws `integer-overflow` for nan, infinities and what does not fit.
int64_t integerOf(double whole);
[[noreturn]] void integerOverflow(const std::string& what);
Int symbolicInt(SymExpr expr, int64_t hint, bool hasHint = true, Ref<NumberFacts> facts = {});

using Ints = std::vector<Int>;
Int product(const Ints& ints);

enum class MemoryFormat : uint8_t { Contiguous, Preserve, ChannelsLast, ChannelsLast3d };
enum class Layout : uint8_t { Strided, Sparse, Other };

/// What a tensor is, without contents.
struct Meta {
  DType dtype = DType::F32;
  Layout layout = Layout::Strided;
  bool conj = false, neg = false;
  bool wrappedNumber =
      false;            ///< 0-d tensor made of a Python number: does not take part in promotion like a tensor
  uint32_t device = 0;  ///< index into the device table of the evaluation (deviceText)
  Ints sizes, strides;
  Int offset;

  size_t dim() const { return sizes.size(); }
  Int numel() const { return product(sizes); }
};
/// Devices are named by small numbers: 0 is "cpu".
uint32_t deviceId(std::string_view text);
std::string deviceText(uint32_t id);

struct TensorBase : Counted {
  Meta meta;
};

class Value;
using Values = std::vector<Value>;
struct StrObject : Counted {
  std::string text;
};
struct ListObject;
struct FunctionObject : Counted {};
/// Gives values back without recursion, however deep lists and closures hold one another.
void release(Values& values);

enum class VKind : uint8_t {
  None,
  Bool,
  Int,
  Float,
  Complex,
  Str,
  DType,
  Device,
  Layout,
  MemoryFormat,
  Tensor,
  List,
  Tuple,
  Dict,  ///< items: key, value, ...
  Slice,
  Ellipsis,
  Function,  ///< helper, lambda or built-in of the rule language
  Object     ///< anything else, by its source text (`text`): subgraphs, generators
};

class Value {
 public:
  Value() = default;
  Value(const Int& v) : kind_(VKind::Int), i_(v.value), obj_(v.sym) {}  // NOLINT: implicit on purpose
  Value(int64_t v) : kind_(VKind::Int), i_(v) {}                        // NOLINT
  Value(int v) : kind_(VKind::Int), i_(v) {}                            // NOLINT
  Value(const Ints& v);                                                 // NOLINT: a list
  Value(Values items, VKind kind = VKind::List);                        // NOLINT
  template <class T>
  requires std::is_base_of_v<TensorBase, T> Value(Ref<T> t)
      : kind_(t ? VKind::Tensor : VKind::None), obj_(t.get()) {}  // NOLINT
  static Value boolean(bool b) { return scalar(VKind::Bool, b); }
  static Value real(double d) {
    Value v;
    v.kind_ = VKind::Float;
    v.d_ = d;
    return v;
  }
  static Value symBool(Ref<Symbolic> s, bool hint) {
    Value v = boolean(hint);
    v.obj_ = s;
    return v;
  }
  static Value symFloat(Ref<Symbolic> s) {
    Value v = real(s->floatHint);
    v.obj_ = s;
    return v;
  }
  static Value complex(double re, double im);
  static Value str(std::string_view text, VKind kind = VKind::Str);
  static Value dtype(DType t) { return scalar(VKind::DType, static_cast<int64_t>(t)); }
  static Value device(uint32_t id) { return scalar(VKind::Device, id); }
  static Value layout(Layout l) { return scalar(VKind::Layout, static_cast<int64_t>(l)); }
  static Value memoryFormat(MemoryFormat m) { return scalar(VKind::MemoryFormat, static_cast<int64_t>(m)); }
  static Value tuple(Values items) { return Value(std::move(items), VKind::Tuple); }
  static Value ellipsis() { return scalar(VKind::Ellipsis, 0); }
  static Value function(Ref<FunctionObject> f) {
    Value v;
    v.kind_ = VKind::Function;
    v.obj_ = f;
    return v;
  }
  /// A built-in of the interpreter, by number.
  static Value builtin(int64_t id) { return scalar(VKind::Function, id); }

  VKind kind() const { return kind_; }
  bool isNone() const { return kind_ == VKind::None; }
  bool isTensor() const { return kind_ == VKind::Tensor; }
  bool isNumber() const { return kind_ >= VKind::Bool && kind_ <= VKind::Complex; }
  bool isInt() const { return kind_ == VKind::Int; }
  bool isList() const { return kind_ == VKind::List || kind_ == VKind::Tuple; }
  bool symbolic() const {
    return (kind_ == VKind::Int || kind_ == VKind::Float || kind_ == VKind::Bool) && obj_;
  }

  Int toInt() const;      ///< of Int and Bool; throws else
  double toReal() const;  ///< of any real number
  bool asBool() const { return i_ != 0; }
  int64_t raw() const { return i_; }
  double rawReal() const { return d_; }
  Symbolic* sym() const { return static_cast<Symbolic*>(obj_.get()); }
  // What a value holds, by its kind; of any other kind they throw `type-error`.
  const std::string& text() const {
    if (kind_ != VKind::Str && kind_ != VKind::Object) wrongKind("a text");
    return static_cast<StrObject*>(obj_.get())->text;
  }
  DType asDType() const {
    if (kind_ != VKind::DType) wrongKind("a dtype");
    return static_cast<DType>(i_);
  }
  uint32_t asDevice() const { return static_cast<uint32_t>(i_); }
  Layout asLayout() const { return static_cast<Layout>(i_); }
  MemoryFormat asMemoryFormat() const { return static_cast<MemoryFormat>(i_); }
  TensorBase* tensor() const {
    if (kind_ != VKind::Tensor) wrongKind("a tensor");
    return static_cast<TensorBase*>(obj_.get());
  }
  const Meta& meta() const { return tensor()->meta; }
  Values& items() const;
  Counted* object() const { return obj_.get(); }
  Ints toInts() const;  ///< of a list of ints, or of one int
  double imag() const;

  bool truthy() const;
  /// For messages.
  std::string describe() const;

 private:
  static Value scalar(VKind kind, int64_t i) {
    Value v;
    v.kind_ = kind;
    v.i_ = i;
    return v;
  }
  [[noreturn]] void wrongKind(const char* wanted) const;
  VKind kind_ = VKind::None;
  union {
    int64_t i_ = 0;
    double d_;
  };
  Ref<Counted> obj_;
};

struct ListObject : Counted {
  Values items;
  ~ListObject() override { release(items); }
};
inline Values& Value::items() const {
  if (kind_ < VKind::List || kind_ > VKind::Slice) wrongKind("a list");
  return static_cast<ListObject*>(obj_.get())->items;
}

/// A Python number that stands where a tensor is expected; meta.wrappedNumber is set.
struct WrappedNumber : TensorBase {
  Value number;
};
Value wrapNumber(const Value& number);

/// Python's `==` of numbers, texts, dtypes and lists; tensors by identity.
bool sameAs(const Value& a, const Value& b);

}  // namespace descry::ir::eval
