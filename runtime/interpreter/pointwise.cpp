// Pointwise ops by the scalar expressions of the op table: each is made a loop program for the dtypes and
// kinds of its arguments once, and kept.
#include <algorithm>
#include <mutex>
#include <shared_mutex>
#include <unordered_map>

#include "ir/ops/eval/promotion.h"
#include "ir/ops/rules/op_rules.h"
#include "runtime/interpreter/machine.h"
#include "runtime/interpreter/pointwise.h"
#include "runtime/loops/executor.h"
#include "runtime/loops/expression.h"

namespace descry::runtime {

namespace {

using ir::eval::ResultType;

/// A program and where its operands come from: positions of arguments.
struct Compiled {
  std::unique_ptr<LoopCode> code;
  std::vector<size_t> inputs, parameters;
  std::vector<DType> parameterDTypes;  ///< a number is converted to this first
  std::optional<size_t> same;          ///< the result is this argument
};

/// Numbers that are written into programs: those that change what is computed (x * 1, pow(x, 2)), and so few
/// that programs do not become many.
bool isBaked(const Value& v) {
  if (v.kind() == VKind::Bool) return true;
  if (v.kind() == VKind::Int) return v.raw() >= -3 && v.raw() <= 4;
  if (v.kind() != VKind::Float) return false;
  const double d = v.toReal();
  return d == 0.5 || d == -0.5 || (d >= -3 && d <= 4 && d == std::floor(d) && !(d == 0 && std::signbit(d)));
}

/// An argument that is a truth value whatever dtype the op computes in.
bool isCondition(const ir::SchemaArgument& a) {
  return a.name == "condition" || a.name == "mask" || a.name == "pred";
}

bool isScalar(const ir::SchemaArgument& a) {
  return a.type.base == "Scalar" || a.type.base == "number";
}

const Value* numberIn(const Value& v) {
  if (v.isNumber()) return &v;
  if (!v.isTensor()) return nullptr;
  const auto* w = dynamic_cast<const ir::eval::WrappedNumber*>(v.tensor());
  return w ? &w->number : nullptr;
}

LoopNumber numberOf(LoopType type, DType through, const Value& v) {
  // Whole numbers wrap as those of the tensors do.
  std::byte one[16];
  if (ir::eval::isIntegral(through) && type == LoopType::Int) {
    storeNumber(through, one, v);
    return LoopNumber::of(type, numberAt(through, one).raw());
  }
  switch (v.kind()) {
    case VKind::Bool:
      return LoopNumber::of(type, v.asBool());
    case VKind::Int:
      return LoopNumber::of(type, v.raw());
    case VKind::Complex:
      return LoopNumber::of(type, std::complex<double>(v.toReal(), v.imag()));
    default:
      return LoopNumber::of(type, v.toReal());
  }
}

/// What the op computes in: the promoted dtype of its tensors and of its result; comparisons compute in that
/// of all they compare.
DType computedIn(const OpDef& op, const Values& args, DType out) {
  ResultType all, tensors;
  bool any = false;
  const auto& arguments = op.schema().arguments;
  for (size_t i = 0; i < args.size(); ++i) {
    if (isCondition(arguments[i])) continue;
    if (arguments[i].type.base == "Tensor" && (args[i].isTensor() || args[i].isNumber())) {
      all.add(args[i]);
      tensors.add(args[i]);
      any = true;
    } else if (isScalar(arguments[i]) && args[i].isNumber()) {
      all.add(args[i]);
    }
  }
  if (!any) return out;
  if (out == DType::B8) return all.get();
  const DType t = tensors.get();
  return t == out || (ir::eval::isComplex(t) && !ir::eval::isComplex(out)) ? t : ir::eval::promote(t, out);
}

/// A whole number in as many bits as one of this dtype has.
LoopRegister wrapped(LoopBuilder& b, LoopRegister r, DType dtype) {
  const LoopRegister bits = b.constant(64 - 8 * ir::eval::itemSize(dtype));
  r = b.emit(LoopOp::Shr, b.emit(LoopOp::Shl, r, bits), bits);
  return dtype == DType::U8 ? b.emit(LoopOp::And, r, b.constant(int64_t{255})) : r;
}

/// Ops whose expression is that of real numbers.
std::optional<LoopOp> complexForm(std::string_view name) {
  if (name == "angle") return LoopOp::Angle;
  if (name == "sgn") return LoopOp::Sgn;
  if (name == "conj_physical" || name == "_conj_physical") return LoopOp::Conj;
  if (name == "isinf") return LoopOp::IsInf;
  return std::nullopt;
}

/// Writes the value of one op into a program.
class Writer {
 public:
  Writer(LoopBuilder& b, const OpDef& op, const Values& args, DType out, const PointwiseOperands& from)
      : b_(b), op_(op), args_(args), out_(out), from_(from), computed_(computedIn(op, args, out)) {}

  std::optional<LoopOp> form() const {
    return ir::eval::isComplex(computed_) ? complexForm(op_.name()) : std::nullopt;
  }
  /// The argument that is the value.
  std::optional<size_t> same() const {
    const ir::rules::Function& f = *op_.rules().scalar;
    if (form() || f.body.size() != 1 || f.body[0].kind != ir::rules::StmtKind::Return ||
        f.body[0].value->kind != ir::rules::ExprKind::Local)
      return std::nullopt;
    return static_cast<size_t>(f.body[0].value->slot);
  }

  LoopRegister write() {
    const ir::rules::Function& f = *op_.rules().scalar;
    type_ = loopTypeOf(computed_);
    const bool isDouble = type_ == LoopType::Double || type_ == LoopType::ComplexDouble || out_ == DType::F64;
    b_.setReal(isDouble ? LoopType::Double : LoopType::Float);
    std::vector<LoopOperand> operands;
    for (size_t i = 0; i < args_.size(); ++i) operands.push_back(operand(i));
    if (ir::eval::isComplex(computed_) && (op_.name() == "sigmoid_backward" || op_.name() == "tanh_backward"))
      operands.at(1).value = b_.emit(LoopOp::Conj, operands.at(1).value);
    if (const auto own = form()) return b_.emit(*own, operands.at(0).value);
    return writeExpression(b_, f, std::move(operands), op_.registry(), computed_);
  }

 private:
  LoopOperand operand(size_t i) {
    const ir::SchemaArgument& a = op_.schema().arguments[i];
    const Value& v = args_[i];
    if (v.kind() == VKind::Str) return {kNoRegister, v.text()};
    if (const Value* n = numberIn(v)) return {number(i, a, *n), {}};
    if (v.isTensor()) return {tensor(i, a, v.meta()), {}};
    return {};
  }

  LoopRegister number(size_t i, const ir::SchemaArgument& a, const Value& n) {
    LoopType type = type_;
    DType through = computed_;
    if (a.type.base == "int" || a.type.base == "SymInt") {
      type = LoopType::Int;
      through = DType::I64;
    } else if (a.type.base == "bool" || n.kind() == VKind::Bool) {
      type = LoopType::Bool;
    } else if (a.type.base == "float" || a.type.base == "SymFloat") {
      type = b_.real();
    } else if (type_ == LoopType::Bool ||
               (type_ == LoopType::Int && n.kind() == VKind::Float && out_ != computed_)) {
      type = n.kind() == VKind::Float ? b_.real() : LoopType::Int;
      through = DType::I64;
    }
    if (isBaked(n)) return b_.constant(numberOf(type, through, n));
    const LoopRegister r = from_.number(i, type, through);
    // What is compared is rounded before.
    return out_ == DType::B8 ? b_.rounded(r, computed_) : r;
  }

  LoopRegister tensor(size_t i, const ir::SchemaArgument& a, const Meta& m) {
    LoopRegister r = from_.tensor(i);
    if (isCondition(a)) return b_.truth(r);
    if (m.dtype == computed_) return r;
    r = b_.convert(r, type_);
    if (out_ == DType::B8 || !m.sizes.empty()) r = b_.rounded(r, computed_);
    if (type_ == LoopType::Int && ir::eval::itemSize(computed_) < ir::eval::itemSize(m.dtype))
      r = wrapped(b_, r, computed_);
    return r;
  }

  LoopBuilder& b_;
  const OpDef& op_;
  const Values& args_;
  const DType out_;
  const PointwiseOperands& from_;
  DType computed_ = DType::F32;
  LoopType type_ = LoopType::Float;
};

std::unique_ptr<Compiled> compile(const OpDef& op, const Values& args, DType out) {
  auto made = std::make_unique<Compiled>();
  LoopBuilder b;
  std::vector<size_t> inputs, parameters;  // positions of arguments
  std::vector<DType> parameterDTypes;
  const PointwiseOperands from = {[&](size_t i) {
                                    inputs.push_back(i);
                                    return b.input(args[i].meta().dtype);
                                  },
                                  [&](size_t i, LoopType type, DType through) {
                                    parameters.push_back(i);
                                    parameterDTypes.push_back(through);
                                    return b.parameter(type);
                                  }};
  Writer writer(b, op, args, out, from);
  made->same = writer.same();
  if (made->same) return made;
  b.output(writer.write(), out);
  LoopProgram program = b.take();
  std::vector<size_t> usedInputs, usedParameters;
  dropUnused(program, usedInputs, usedParameters);
  for (const size_t i : usedInputs) made->inputs.push_back(inputs[i]);
  for (const size_t i : usedParameters) {
    made->parameters.push_back(parameters[i]);
    made->parameterDTypes.push_back(parameterDTypes[i]);
  }
  made->code = std::make_unique<LoopCode>(std::move(program));
  return made;
}

/// What a program depends on: the op, and of each argument its kind and dtype, or the number that is written
/// in.
void writeKey(std::string& key, const OpDef& op, const Values& args, DType out) {
  key.clear();
  const auto put = [&key](const auto& v) { key.append(reinterpret_cast<const char*>(&v), sizeof v); };
  const OpDef* at = &op;
  put(at);
  put(out);
  for (const Value& v : args) {
    if (v.kind() == VKind::Tensor && !v.meta().wrappedNumber) {
      key.push_back(v.meta().sizes.empty() ? 't' : 'T');
      put(v.meta().dtype);
      continue;
    }
    if (v.kind() == VKind::Str) {
      key.push_back('s');
      key.append(v.text());
      key.push_back('\0');
      continue;
    }
    const Value* n = numberIn(v);
    if (!n) {
      key.push_back(v.isTensor() ? 'w' : '-');
      if (v.isTensor()) put(v.meta().dtype);
      continue;
    }
    key.push_back(v.isTensor() ? 'W' : 'n');
    put(n->kind());
    if (isBaked(*n))
      put(n->kind() == VKind::Float ? n->toReal() : static_cast<double>(n->raw()));
    else
      key.push_back('*');
  }
}

struct Cache {
  std::shared_mutex mutex;
  std::unordered_map<std::string, std::unique_ptr<Compiled>> programs;
};

const Compiled& compiledFor(const OpDef& op, const Values& args, DType out) {
  static Cache cache;
  thread_local std::string key;
  writeKey(key, op, args, out);
  {
    const std::shared_lock lock(cache.mutex);
    const auto at = cache.programs.find(key);
    if (at != cache.programs.end()) return *at->second;
  }
  std::unique_ptr<Compiled> made = compile(op, args, out);
  const std::unique_lock lock(cache.mutex);
  return *cache.programs.try_emplace(key, std::move(made)).first->second;
}

}  // namespace

const LoopProgram* pointwiseProgram(const OpDef& op, const Values& args, DType out) {
  if (!op.rules().scalar) throw EvalError("unsupported-op", op.target() + " has no scalar expression");
  const Compiled& c = compiledFor(op, args, out);
  return c.code ? &c.code->program() : nullptr;
}

LoopRegister writePointwise(LoopBuilder& builder, const OpDef& op, const Values& args, DType out,
                            const PointwiseOperands& from) {
  Writer writer(builder, op, args, out, from);
  const std::optional<size_t> same = writer.same();
  if (!same) return writer.write();
  const Value& v = args.at(*same);
  if (const Value* n = numberIn(v)) return builder.constant(numberOf(loopTypeOf(out), out, *n));
  return from.tensor(*same);
}

LoopNumber pointwiseNumber(LoopType type, DType through, const Value& v) {
  return numberOf(type, through, *numberIn(v));
}

LoopRegister asStored(LoopBuilder& builder, LoopRegister r, DType dtype) {
  builder.setReal(dtype == DType::F64 || dtype == DType::C128 ? LoopType::Double : LoopType::Float);
  r = builder.rounded(builder.convert(r, loopTypeOf(dtype)), dtype);
  return loopTypeOf(dtype) == LoopType::Int && ir::eval::itemSize(dtype) < 8 ? wrapped(builder, r, dtype) : r;
}

void runPointwise(const OpDef& op, const Values& args, const View& out) {
  if (!op.rules().scalar) throw EvalError("unsupported-op", op.target() + " has no scalar expression");
  const Compiled& c = compiledFor(op, args, out.dtype);
  if (c.same) {
    const Value& v = args.at(*c.same);
    if (const Value* n = numberIn(v))
      fillElements(out, *n);
    else
      copyElements(out, viewOf(*resolved(tensorOf(v))));
    return;
  }
  std::array<View, 6> inputs;
  std::array<TensorRef, 6> kept;
  std::array<LoopNumber, 6> numbers;
  if (c.inputs.size() > inputs.size() || c.parameters.size() > numbers.size())
    throw EvalError("internal", "too many operands of " + op.target());
  for (size_t k = 0; k < c.inputs.size(); ++k) {
    kept[k] = tensorOf(args[c.inputs[k]]);
    if (kept[k]->meta.conj || kept[k]->meta.neg) kept[k] = resolved(kept[k]);
    inputs[k] = viewOf(*kept[k]);
  }
  const LoopProgram& program = c.code->program();
  for (size_t k = 0; k < c.parameters.size(); ++k)
    numbers[k] = numberOf(program.registers[static_cast<size_t>(program.parameters[k])], c.parameterDTypes[k],
                          *numberIn(args[c.parameters[k]]));
  c.code->run({inputs.data(), c.inputs.size()}, {numbers.data(), c.parameters.size()}, {&out, 1});
}

}  // namespace descry::runtime
