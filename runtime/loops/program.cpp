#include "runtime/loops/program.h"

#include <algorithm>
#include <sstream>

#include "runtime/loops/instructions.h"

namespace descry::runtime {

std::string_view loopOpName(LoopOp op) {
  switch (op) {
#define DESCRY_X(NAME, TEXT) \
  case LoopOp::NAME:         \
    return #TEXT;
    DESCRY_LOOP_VECTOR_MATH(DESCRY_X) DESCRY_LOOP_SPECIAL(DESCRY_X) DESCRY_LOOP_OTHERS(DESCRY_X)
#undef DESCRY_X
  }
  return "?";
}

std::string_view loopTypeName(LoopType type) {
  constexpr std::string_view names[] = {"bool", "int", "float", "double", "complex_float", "complex_double"};
  return names[static_cast<size_t>(type)];
}

size_t loopTypeBytes(LoopType type) {
  return visitLoopType(type, []<class T>(TypeTag<T>) { return sizeof(T); });
}

LoopType loopTypeOf(DType dtype) {
  switch (dtype) {
    case DType::B8:
      return LoopType::Bool;
    case DType::F64:
      return LoopType::Double;
    case DType::C64:
      return LoopType::ComplexFloat;
    case DType::C128:
      return LoopType::ComplexDouble;
    default:
      return ir::dtypeInfo(dtype).floating ? LoopType::Float : LoopType::Int;
  }
}

bool isComplex(LoopType type) {
  return type >= LoopType::ComplexFloat;
}

LoopType realTypeOf(LoopType type) {
  return type == LoopType::ComplexFloat    ? LoopType::Float
         : type == LoopType::ComplexDouble ? LoopType::Double
                                           : type;
}

// ---- text

std::string LoopProgram::text() const {
  std::ostringstream out;
  const auto typed = [&](LoopRegister r) {
    out << "r" << r << ": " << loopTypeName(registers[static_cast<size_t>(r)]);
  };
  for (size_t i = 0; i < inputs.size(); ++i) {
    typed(inputs[i].result);
    out << " = input " << i << " " << ir::dtypeInfo(inputs[i].dtype).torchName << "\n";
  }
  for (size_t i = 0; i < parameters.size(); ++i) {
    typed(parameters[i]);
    out << " = parameter " << i << "\n";
  }
  for (const Constant& c : constants) {
    typed(c.result);
    out << " = constant ";
    if (isComplex(c.value.type)) {
      const auto z = c.value.as<std::complex<double>>();
      out << z.real() << (z.imag() < 0 ? "" : "+") << z.imag() << "j";
    } else if (c.value.type == LoopType::Int || c.value.type == LoopType::Bool) {
      out << c.value.as<int64_t>();
    } else {
      out << c.value.as<double>();
    }
    out << "\n";
  }
  std::vector<int32_t> targets;
  for (const LoopInstruction& i : instructions)
    if (i.op == LoopOp::Leave || i.op == LoopOp::Repeat) targets.push_back(i.target);
  const auto label = [&](size_t at) {
    if (std::find(targets.begin(), targets.end(), static_cast<int32_t>(at)) != targets.end())
      out << "L" << at << ":\n";
  };
  for (size_t k = 0; k < instructions.size(); ++k) {
    label(k);
    const LoopInstruction& i = instructions[k];
    if (i.result != kNoRegister) {
      typed(i.result);
      out << " = ";
    }
    out << loopOpName(i.op);
    const char* between = " ";
    for (const LoopRegister r : i.operands)
      if (r != kNoRegister) {
        out << between << "r" << r;
        between = ", ";
      }
    if (i.op == LoopOp::Leave || i.op == LoopOp::Repeat) out << between << "L" << i.target;
    out << "\n";
  }
  label(instructions.size());
  for (const Output& o : outputs)
    out << "output r" << o.value << " as " << ir::dtypeInfo(o.dtype).torchName << "\n";
  return out.str();
}

void dropUnused(LoopProgram& program, std::vector<size_t>& inputs, std::vector<size_t>& parameters) {
  std::vector<bool> needed(program.registers.size(), false);
  for (const LoopProgram::Output& o : program.outputs) needed[static_cast<size_t>(o.value)] = true;
  // Loops carry values from their end to their beginning, hence more than one turn.
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t k = program.instructions.size(); k-- > 0;) {
      const LoopInstruction& i = program.instructions[k];
      if (i.result != kNoRegister && !needed[static_cast<size_t>(i.result)]) continue;
      for (const LoopRegister r : i.operands)
        if (r != kNoRegister && !needed[static_cast<size_t>(r)])
          changed = needed[static_cast<size_t>(r)] = true;
    }
  }
  std::vector<int32_t> place;
  std::vector<LoopInstruction> kept;
  for (const LoopInstruction& i : program.instructions) {
    place.push_back(static_cast<int32_t>(kept.size()));
    if (i.result == kNoRegister || needed[static_cast<size_t>(i.result)]) kept.push_back(i);
  }
  place.push_back(static_cast<int32_t>(kept.size()));
  for (LoopInstruction& i : kept)
    if (i.result == kNoRegister) i.target = place[static_cast<size_t>(i.target)];
  program.instructions = std::move(kept);
  std::erase_if(program.constants, [&](const auto& c) { return !needed[static_cast<size_t>(c.result)]; });
  inputs.clear();
  parameters.clear();
  std::vector<LoopProgram::Given> givens;
  std::vector<LoopRegister> numbers;
  for (size_t k = 0; k < program.inputs.size(); ++k)
    if (needed[static_cast<size_t>(program.inputs[k].result)]) {
      inputs.push_back(k);
      givens.push_back(program.inputs[k]);
    }
  for (size_t k = 0; k < program.parameters.size(); ++k)
    if (needed[static_cast<size_t>(program.parameters[k])]) {
      parameters.push_back(k);
      numbers.push_back(program.parameters[k]);
    }
  program.inputs = std::move(givens);
  program.parameters = std::move(numbers);
}

// ---- builder

LoopRegister LoopBuilder::add(LoopType type) {
  program_.registers.push_back(type);
  constantOf_.push_back(-1);
  return static_cast<LoopRegister>(program_.registers.size() - 1);
}

LoopRegister LoopBuilder::input(DType dtype) {
  const LoopRegister r = add(loopTypeOf(dtype));
  program_.inputs.push_back({r, dtype});
  return r;
}

LoopRegister LoopBuilder::parameter(LoopType type) {
  const LoopRegister r = add(type);
  program_.parameters.push_back(r);
  return r;
}

LoopRegister LoopBuilder::constant(const LoopNumber& value) {
  for (const LoopProgram::Constant& c : program_.constants)
    if (c.value.type == value.type &&
        std::memcmp(c.value.bytes.data(), value.bytes.data(), loopTypeBytes(value.type)) == 0)
      return c.result;
  const LoopRegister r = add(value.type);
  constantOf_.back() = static_cast<int32_t>(program_.constants.size());
  program_.constants.push_back({r, value});
  return r;
}

const LoopNumber* LoopBuilder::known(LoopRegister r) const {
  if (r == kNoRegister) return nullptr;
  const int32_t at = constantOf_[static_cast<size_t>(r)];
  return at < 0 ? nullptr : &program_.constants[static_cast<size_t>(at)].value;
}

LoopRegister LoopBuilder::fold(LoopOp op, LoopType type, LoopType result,
                               const std::array<LoopRegister, 3>& operands) {
  // These have vector forms that may round otherwise than a single number: a loop computes them once for all
  // its elements, as it would had they come from a tensor.
  switch (op) {
#define DESCRY_X(NAME, TEXT) case LoopOp::NAME:
    DESCRY_LOOP_VECTOR_MATH(DESCRY_X)
#undef DESCRY_X
    case LoopOp::Pow:
    case LoopOp::Atan2:
    case LoopOp::Hypot:
      if (type != LoopType::Int) return kNoRegister;
      break;
    default:
      break;
  }
  const LoopNumber* numbers[3] = {};
  for (size_t k = 0; k < 3; ++k) {
    if (operands[k] == kNoRegister) continue;
    numbers[k] = known(operands[k]);
    if (!numbers[k]) return kNoRegister;
  }
  LoopNumber out;
  out.type = result;
  const auto bytes = [](const LoopNumber* n) -> const void* { return n ? n->bytes.data() : nullptr; };
  loopKernelsBase().instruction(op, type, result)(out.bytes.data(), bytes(numbers[0]), bytes(numbers[1]),
                                                  bytes(numbers[2]), 1);
  return constant(out);
}

namespace {
bool divides(LoopOp op, LoopType type) {
  return type == LoopType::Int &&
         (op == LoopOp::FloorDiv || op == LoopOp::Mod || op == LoopOp::TruncDiv || op == LoopOp::Fmod);
}
}  // namespace

LoopRegister LoopBuilder::write(LoopOp op, LoopType type, LoopType result,
                                std::array<LoopRegister, 3> operands) {
  if (!loopKernelsBase().instruction(op, type, result)) {
    constexpr DType kinds[] = {DType::B8, DType::I64, DType::F32, DType::F64, DType::C64, DType::C128};
    unsupportedDType(kinds[static_cast<size_t>(type)], "\"" + std::string(loopOpName(op)) + "\"");
  }
  // Division by a constant zero is left for the run.
  if (!divides(op, type) || (known(operands[1]) && known(operands[1])->as<int64_t>() != 0))
    if (const LoopRegister r = fold(op, type, result, operands); r != kNoRegister) return r;
  const Key key{op, type, result, operands};
  if (const auto at = written_.find(key); at != written_.end()) return at->second;
  const LoopRegister r = add(result);
  program_.instructions.push_back({op, type, r, operands, 0});
  written_.emplace(key, r);
  return r;
}

LoopRegister LoopBuilder::convert(LoopRegister r, LoopType to) {
  const LoopType from = type(r);
  return from == to ? r : write(LoopOp::Convert, from, to, {r, kNoRegister, kNoRegister});
}

LoopRegister LoopBuilder::truth(LoopRegister r) {
  return convert(r, LoopType::Bool);
}

namespace {

enum class Operands { Any, Numbers, Reals, Ints, Logical };

/// What an op takes, whatever its operands are.
Operands operandsOf(LoopOp op) {
  switch (op) {
    case LoopOp::Eq:
    case LoopOp::Ne:
    case LoopOp::Lt:
    case LoopOp::Le:
    case LoopOp::Gt:
    case LoopOp::Ge:
      return Operands::Any;
    case LoopOp::Add:
    case LoopOp::Sub:
    case LoopOp::Mul:
    case LoopOp::FloorDiv:
    case LoopOp::Mod:
    case LoopOp::TruncDiv:
    case LoopOp::Fmod:
    case LoopOp::Pow:
    case LoopOp::Min:
    case LoopOp::Max:
    case LoopOp::Neg:
    case LoopOp::Abs:
    case LoopOp::Signbit:
      return Operands::Numbers;
    case LoopOp::And:
    case LoopOp::Or:
    case LoopOp::Xor:
    case LoopOp::Not:
      return Operands::Logical;
    case LoopOp::Shl:
    case LoopOp::Shr:
    case LoopOp::Gcd:
      return Operands::Ints;
    default:
      return Operands::Reals;
  }
}

LoopType resultOf(LoopOp op, LoopType type) {
  switch (op) {
    case LoopOp::Eq:
    case LoopOp::Ne:
    case LoopOp::Lt:
    case LoopOp::Le:
    case LoopOp::Gt:
    case LoopOp::Ge:
    case LoopOp::Signbit:
    case LoopOp::IsNan:
    case LoopOp::IsInf:
      return LoopType::Bool;
    case LoopOp::FrexpExponent:
      return LoopType::Int;
    case LoopOp::Abs:
    case LoopOp::Real:
    case LoopOp::Imag:
    case LoopOp::Angle:
      return realTypeOf(type);
    case LoopOp::MakeComplex:
      return type == LoopType::Double ? LoopType::ComplexDouble : LoopType::ComplexFloat;
    default:
      return type;
  }
}

/// The widest; a complex number and a double are a complex double.
LoopType join(LoopType a, LoopType b) {
  const LoopType wide = std::max(a, b), other = std::min(a, b);
  return wide == LoopType::ComplexFloat && other == LoopType::Double ? LoopType::ComplexDouble : wide;
}

bool isNumber(const LoopNumber* n, double v) {
  return n && n->as<std::complex<double>>() == std::complex<double>(v);
}

}  // namespace

/// Comparisons of whole numbers with themselves and with infinity, and whether they are NaN.
std::optional<bool> LoopBuilder::certain(LoopOp op, LoopRegister a, LoopRegister b) const {
  if (type(a) > LoopType::Int) return std::nullopt;
  if (op == LoopOp::IsNan || op == LoopOp::IsInf) return false;
  if (b == kNoRegister) return std::nullopt;
  if (a == b) {
    if (op == LoopOp::Eq || op == LoopOp::Le || op == LoopOp::Ge) return true;
    if (op == LoopOp::Ne || op == LoopOp::Lt || op == LoopOp::Gt) return false;
    return std::nullopt;
  }
  const LoopNumber* n = known(b);
  if (!n || isComplex(n->type) || std::isfinite(n->as<double>())) return std::nullopt;
  const double v = n->as<double>();
  switch (op) {
    case LoopOp::Eq:
      return false;
    case LoopOp::Ne:
      return true;
    case LoopOp::Lt:
    case LoopOp::Le:
      return v > 0;
    case LoopOp::Gt:
    case LoopOp::Ge:
      return v < 0;
    default:
      return std::nullopt;
  }
}

LoopRegister LoopBuilder::emit(LoopOp op, LoopRegister a, LoopRegister b, LoopRegister c) {
  const Operands wanted = operandsOf(op);
  if (const std::optional<bool> told = certain(op, a, b)) return constant(*told);
  LoopType type = this->type(a);
  for (const LoopRegister r : {b, c})
    if (r != kNoRegister) type = join(type, this->type(r));
  if (wanted == Operands::Numbers || wanted == Operands::Ints) type = std::max(type, LoopType::Int);
  // A truth value has no sign.
  if (op == LoopOp::Abs && this->type(a) == LoopType::Bool) return a;
  if (wanted == Operands::Reals) type = join(type, real_);
  a = convert(a, type);
  if (b != kNoRegister) b = convert(b, type);
  if (c != kNoRegister) c = convert(c, type);
  // What changes nothing, also not zeros and NaN.
  if ((op == LoopOp::Mul || op == LoopOp::Div || op == LoopOp::Pow) && isNumber(known(b), 1)) return a;
  if (op == LoopOp::Mul && isNumber(known(a), 1)) return b;
  if (op == LoopOp::Sub && isNumber(known(b), 0) && !std::signbit(known(b)->as<double>())) return a;
  if (op == LoopOp::Pow && known(b) && !isComplex(this->type(b)))
    if (const LoopRegister r = power(a, known(b)->as<double>()); r != kNoRegister) return r;
  // Where the divisor is known there is nothing to check.
  if (divides(op, type) && !(known(b) && !isNumber(known(b), 0))) c = mask();
  return write(op, type, resultOf(op, type), {a, b, c});
}

LoopRegister LoopBuilder::power(LoopRegister a, double exponent) {
  if (exponent == 2) return emit(LoopOp::Mul, a, a);
  if (exponent == 3) return emit(LoopOp::Mul, emit(LoopOp::Mul, a, a), a);
  if (type(a) == LoopType::Int) return kNoRegister;
  if (exponent == 0.5) return emit(LoopOp::Sqrt, a);
  const auto inverse = [&](LoopRegister r) {
    return emit(LoopOp::Div, constant(LoopNumber::of(type(a), 1)), r);
  };
  if (exponent == -1) return inverse(a);
  if (exponent == -2) return inverse(emit(LoopOp::Mul, a, a));
  if (exponent == -0.5) return inverse(emit(LoopOp::Sqrt, a));
  return kNoRegister;
}

LoopRegister LoopBuilder::select(LoopRegister condition, LoopRegister yes, LoopRegister no) {
  if (const LoopNumber* n = known(condition)) return n->as<bool>() ? yes : no;
  const LoopType type = join(this->type(yes), this->type(no));
  yes = convert(yes, type);
  no = convert(no, type);
  if (yes == no) return yes;
  return write(LoopOp::Select, type, type, {truth(condition), yes, no});
}

LoopRegister LoopBuilder::rounded(LoopRegister r, DType dtype) {
  if (type(r) != LoopType::Float) return r;
  if (dtype == DType::F16) return write(LoopOp::RoundToHalf, LoopType::Float, LoopType::Float, {r, -1, -1});
  if (dtype == DType::BF16)
    return write(LoopOp::RoundToBFloat16, LoopType::Float, LoopType::Float, {r, -1, -1});
  return r;
}

LoopRegister LoopBuilder::mask() {
  LoopRegister all = kNoRegister;
  for (const auto& [condition, holds] : conditions_) {
    const LoopRegister c =
        holds ? condition : write(LoopOp::Not, LoopType::Bool, LoopType::Bool, {condition, -1, -1});
    all = all == kNoRegister ? c : write(LoopOp::And, LoopType::Bool, LoopType::Bool, {all, c, -1});
  }
  return all;
}

LoopRegister LoopBuilder::variable(LoopRegister initial, LoopType type) {
  const LoopRegister r = add(type);
  program_.instructions.push_back(
      {LoopOp::Copy, type, r, {convert(initial, type), kNoRegister, kNoRegister}, 0});
  return r;
}

void LoopBuilder::assign(LoopRegister variable, LoopRegister mask, LoopRegister value) {
  const LoopType type = this->type(variable);
  program_.instructions.push_back(
      {LoopOp::Select, type, variable, {mask, convert(value, type), variable}, 0});
}

size_t LoopBuilder::skipUnless(LoopRegister mask) {
  const size_t at = program_.instructions.size();
  program_.instructions.push_back(
      {LoopOp::Leave, LoopType::Bool, kNoRegister, {mask, kNoRegister, kNoRegister}, 0});
  outer_.push_back(written_);
  return at;
}

void LoopBuilder::endSkip(size_t at) {
  program_.instructions[at].target = here();
  written_ = std::move(outer_.back());
  outer_.pop_back();
}

size_t LoopBuilder::beginLoop() {
  outer_.push_back(written_);
  return program_.instructions.size();
}

size_t LoopBuilder::leaveUnless(LoopRegister mask) {
  const size_t at = program_.instructions.size();
  program_.instructions.push_back(
      {LoopOp::Leave, LoopType::Bool, kNoRegister, {mask, kNoRegister, kNoRegister}, 0});
  return at;
}

void LoopBuilder::endLoop(size_t begin, size_t leave) {
  program_.instructions.push_back({LoopOp::Repeat,
                                   LoopType::Bool,
                                   kNoRegister,
                                   {kNoRegister, kNoRegister, kNoRegister},
                                   static_cast<int32_t>(begin)});
  program_.instructions[leave].target = here();
  written_ = std::move(outer_.back());
  outer_.pop_back();
}

}  // namespace descry::runtime
