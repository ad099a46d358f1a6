// Assertions, constraints on numbers, prints, and effects that have no meaning on one thread of a CPU.
#include "runtime/interpreter/kernels/element_support.h"

namespace descry::runtime {
namespace {

Value nothing(Call&) {
  return {};
}
Value itself(Call& c) {
  return c.value(0);
}

// ---- assertions

void check(Call& c, const std::string& message) {
  const TensorRef t = c.tensor(0);
  const View v = viewOf(*t);
  if (v.numel() != 1)
    throw EvalError("value-error", v.numel() ? "Boolean value of Tensor with more than one value is ambiguous"
                                             : "Boolean value of Tensor with no values is ambiguous");
  if (!numberAt(v.dtype, v.data).truthy()) throw EvalError("assertion-failed", message);
}
Value assertAsync(Call& c) {
  check(c, "Expected Tensor with single nonzero value, but got zero");
  return {};
}
Value assertWithMessage(Call& c) {
  check(c, c.text("assert_msg"));
  return {};
}
/// What hangs on an assertion in a functional graph: a copy of the token.
Value token(Call& c) {
  return Value(cloneOf(c.tensor("dep_token")));
}
Value functionalAssert(Call& c) {
  check(c, c.text("assert_msg"));
  return token(c);
}
void checkScalar(Call& c) {
  if (!c.value(0).truthy()) throw EvalError("assertion-failed", c.text("assert_msg"));
}
Value assertScalar(Call& c) {
  checkScalar(c);
  return {};
}
Value functionalAssertScalar(Call& c) {
  checkScalar(c);
  return token(c);
}

/// The device is left out: graphs of other devices run here too.
Value assertMetadata(Call& c) {
  const TensorRef t = tensorOf(c.value(0));
  if (!t) throw EvalError("type-error", c.op().target() + " needs a tensor");
  const auto compare = [&](std::string_view name, const Ints& has) {
    if (!c.given(name)) return;
    const Dims expected(c.integers(name)), got(has);
    if (expected == got) return;
    throw EvalError("assertion-failed", "Tensor " + std::string(name) + "s mismatch! Expected: " +
                                            sizesText(expected) + ", Got: " + sizesText(got));
  };
  compare("size", t->meta.sizes);
  compare("stride", t->meta.strides);
  if (c.given("dtype") && c.value("dtype").asDType() != t->meta.dtype)
    throw EvalError("assertion-failed", "Tensor dtype mismatch! Expected: " +
                                            std::string(scalarTypeName(c.value("dtype").asDType())) +
                                            ", Got: " + std::string(scalarTypeName(t->meta.dtype)));
  return {};
}

// ---- ranges of numbers

void checkRange(Call& c, bool ofSize) {
  const int64_t size = elementOf<int64_t>(c.value(0));
  const int64_t least = c.integer("min", ofSize ? 0 : std::numeric_limits<int64_t>::min());
  const int64_t most = c.integer("max", std::numeric_limits<int64_t>::max());
  const auto interval = [&] { return "[" + std::to_string(least) + ", " + std::to_string(most) + "]"; };
  if (ofSize && c.given("max") && most <= 2)
    throw EvalError("value-error", "Max value to constrain_range_for_size must be greater than 2. got: " +
                                       std::to_string(most));
  if (most < least)
    throw EvalError("value-error", "Max must be greater than or equal to min. Got min=" +
                                       std::to_string(least) + " max=" + std::to_string(most));
  if (size < least || size > most)
    throw EvalError("value-error",
                    "Invalid value range for " + std::to_string(size) + " between " + interval() + ".");
}
Value constrainRange(Call& c) {
  checkRange(c, false);
  return {};
}
Value constrainSize(Call& c) {
  checkRange(c, true);
  return {};
}
Value functionalConstrainRange(Call& c) {
  checkRange(c, false);
  return token(c);
}
Value functionalConstrainSize(Call& c) {
  checkRange(c, true);
  return token(c);
}

// ---- others

Value makeToken(Call&) {
  return Value(allocate(Dims{0}, DType::F32));
}
Value recordEnter(Call&) {
  return Value(allocateZeros(Dims{}, DType::F32));
}

Value print(Call& c) {
  if (c.machine().print) c.machine().print(c.text(0));
  return {};
}

template <bool all>
void truth(Call& c) {
  const View v = c.view(0);
  if (v.dtype != DType::B8) unsupportedDType(v.dtype, all ? "_is_all_true" : "_is_any_true");
  bool result = all;
  forEach<bool>([&](const bool& x) { result = all ? result && x : result || x; }, v);
  fillElements(c.out(), Value::boolean(result));
}

/// What the gradient of a parameter becomes.
Value accumulateGradient(Call& c) {
  if (!c.given("new_grad")) return c.value("variable_grad");
  if (!c.given("variable_grad")) return c.value("new_grad");
  return c.call("aten.add.Tensor", {c.value("variable_grad"), c.value("new_grad")});
}

Value version(Call& c) {
  const TensorRef t = tensorOf(c.value(0));
  return Value(static_cast<int64_t>(t ? t->version : 0));
}
Value yes(Call&) {
  return Value::boolean(true);
}

}  // namespace

void addEffectKernels(KernelTable& table) {
  table.make("aten._assert_async.default", assertAsync);
  table.make("aten._assert_async.msg", assertWithMessage);
  table.make("aten._functional_assert_async.msg", functionalAssert);
  table.make("aten._assert_scalar.default", assertScalar);
  table.make("aten._functional_assert_scalar.default", functionalAssertScalar);
  table.make("aten._assert_tensor_metadata.default", assertMetadata);
  table.make("aten.sym_constrain_range.default", constrainRange);
  table.make("aten.sym_constrain_range_for_size.default", constrainSize);
  table.make("aten._functional_sym_constrain_range.default", functionalConstrainRange);
  table.make("aten._functional_sym_constrain_range_for_size.default", functionalConstrainSize);
  table.make("prims._make_token.default", makeToken);
  table.make("aten._print.default", print);
  table.fill("aten._is_all_true.default", truth<true>);
  table.fill("aten._is_any_true.default", truth<false>);
  table.make("inductor.accumulate_grad_.default", accumulateGradient);
  table.make("aten._version.default", version);
  table.make("aten.is_leaf.default", yes);
  table.make("profiler._record_function_enter.default", recordEnter);
  table.make("aten.requires_grad_.default", itself);
  table.make(
      "prims._sink_tokens.default aten.retain_grad.default aten.record_stream.default "
      "aten._propagate_xla_data.default "
      ""
      "profiler._record_function_enter_new.default profiler._record_function_exit.default "
      "profiler._record_function_exit._RecordFunction streams.fork.default streams.join.default "
      "streams.record_event.default streams.record_stream.default streams.sync_dealloc.default "
      "streams.synchronize_device.default streams.synchronize_event.default "
      "streams.synchronize_stream.default "
      "streams.wait_event.default streams.wait_stream.default",
      nothing);
}

}  // namespace descry::runtime
