// Pointwise ops. Part 2 of 2, by name.
#include "ir/ops/tables.h"

namespace descry::ir {

// clang-format off
void registerPointwise2(OpRegistry& ops) {
  ops.op("aten::fmin(Tensor self, Tensor other) -> Tensor", kOpPointwise).spelled("torch.fmin .fmin");
  ops.op("aten::fmin.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)", kOpPointwise);
  ops.op("aten::fmod.Scalar(Tensor self, Scalar other) -> Tensor", kOpCore | kOpPointwise)
      .spelled("torch.fmod .fmod");
  ops.op("aten::fmod.Scalar_out(Tensor self, Scalar other, *, Tensor(a!) out) -> Tensor(a!)", kOpPointwise);
  ops.op("aten::fmod.Tensor(Tensor self, Tensor other) -> Tensor", kOpCore | kOpPointwise);
  ops.op("aten::fmod.Tensor_out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)", kOpPointwise);
  ops.op("aten::fmod_.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!)", kOpPointwise).spelled(".fmod_");
  ops.op("aten::fmod_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)", kOpPointwise);
  ops.op("aten::frac(Tensor self) -> Tensor", kOpPointwise).spelled("torch.frac .frac");
  ops.op("aten::frac.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", kOpPointwise);
  ops.op("aten::frac_(Tensor(a!) self) -> Tensor(a!)", kOpPointwise).spelled("torch.frac_ .frac_");
  ops.op("aten::gcd(Tensor self, Tensor other) -> Tensor", kOpPointwise).spelled("torch.gcd .gcd");
  ops.op("aten::gcd.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)", kOpPointwise);
  ops.op("aten::gcd_(Tensor(a!) self, Tensor other) -> Tensor(a!)").spelled("torch.gcd_ .gcd_");
  ops.op("aten::ge.Scalar(Tensor self, Scalar other) -> Tensor", kOpCore | kOpPointwise)
      .spelled("torch.ge .__ge__ .ge operator.ge");
  ops.op("aten::ge.Scalar_out(Tensor self, Scalar other, *, Tensor(a!) out) -> Tensor(a!)", kOpPointwise);
  ops.op("aten::ge.Tensor(Tensor self, Tensor other) -> Tensor", kOpCore | kOpPointwise);
  ops.op("aten::ge.Tensor_out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)", kOpPointwise);
  ops.op("aten::ge_.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!)").spelled(".ge_");
  ops.op("aten::ge_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)");
  ops.op("aten::gelu(Tensor self, *, str approximate=\"none\") -> Tensor", kOpCore | kOpPointwise)
      .spelled("torch._C._nn.gelu torch.nn.functional.gelu");
  ops.op("aten::gelu.out(Tensor self, *, str approximate=\"none\", Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::gelu_(Tensor(a!) self, *, str approximate=\"none\") -> Tensor(a!)")
      .spelled("torch._C._nn.gelu_");
  ops.op("aten::glu(Tensor self, int dim=-1) -> Tensor").spelled("torch._C._nn.glu");
  ops.op("aten::glu.out(Tensor self, int dim=-1, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::greater.Scalar(Tensor self, Scalar other) -> Tensor").spelled("torch.greater .greater");
  ops.op("aten::greater.Scalar_out(Tensor self, Scalar other, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::greater.Tensor(Tensor self, Tensor other) -> Tensor");
  ops.op("aten::greater.Tensor_out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::greater_.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!)").spelled(".greater_");
  ops.op("aten::greater_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)");
  ops.op("aten::greater_equal.Scalar(Tensor self, Scalar other) -> Tensor")
      .spelled("torch.greater_equal .greater_equal");
  ops.op("aten::greater_equal.Scalar_out(Tensor self, Scalar other, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::greater_equal.Tensor(Tensor self, Tensor other) -> Tensor");
  ops.op("aten::greater_equal.Tensor_out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::greater_equal_.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!)")
      .spelled(".greater_equal_");
  ops.op("aten::greater_equal_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)");
  ops.op("aten::gt.Scalar(Tensor self, Scalar other) -> Tensor", kOpCore | kOpPointwise)
      .spelled("torch.gt .__gt__ .gt operator.gt");
  ops.op("aten::gt.Scalar_out(Tensor self, Scalar other, *, Tensor(a!) out) -> Tensor(a!)", kOpPointwise);
  ops.op("aten::gt.Tensor(Tensor self, Tensor other) -> Tensor", kOpCore | kOpPointwise);
  ops.op("aten::gt.Tensor_out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)", kOpPointwise);
  ops.op("aten::gt_.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!)").spelled(".gt_");
  ops.op("aten::gt_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)");
  ops.op("aten::hardshrink(Tensor self, Scalar lambd=0.5) -> Tensor", kOpPointwise)
      .spelled("torch.hardshrink torch.nn.functional.hardshrink .hardshrink");
  ops.op("aten::hardshrink.out(Tensor self, Scalar lambd=0.5, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::hardsigmoid(Tensor self) -> Tensor", kOpPointwise).spelled("torch._C._nn.hardsigmoid");
  ops.op("aten::hardsigmoid.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::hardsigmoid_(Tensor(a!) self) -> Tensor(a!)", kOpPointwise)
      .spelled("torch._C._nn.hardsigmoid_");
  ops.op("aten::hardswish(Tensor self) -> Tensor").spelled("torch._C._nn.hardswish");
  ops.op("aten::hardswish.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::hardswish_(Tensor(a!) self) -> Tensor(a!)").spelled("torch._C._nn.hardswish_");
  ops.op("aten::hardtanh(Tensor self, Scalar min_val=-1, Scalar max_val=1) -> Tensor",
         kOpCore | kOpPointwise).spelled("torch._C._nn.hardtanh");
  ops.op("aten::hardtanh.out(Tensor self, Scalar min_val=-1, Scalar max_val=1, *, Tensor(a!) out) -> "
         "Tensor(a!)");
  ops.op("aten::hardtanh_(Tensor(a!) self, Scalar min_val=-1, Scalar max_val=1) -> Tensor(a!)", kOpPointwise)
      .spelled("torch._C._nn.hardtanh_ torch.nn.functional.hardtanh_");
  ops.op("aten::hash_tensor(Tensor self, int[1] dim=[], *, bool keepdim=False, int mode=0) -> Tensor")
      .spelled("torch.hash_tensor .hash_tensor");
  ops.op("aten::hash_tensor.out(Tensor self, int[1] dim=[], *, bool keepdim=False, int mode=0, "
         "Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::heaviside(Tensor self, Tensor values) -> Tensor", kOpPointwise)
      .spelled("torch.heaviside .heaviside");
  ops.op("aten::heaviside.out(Tensor self, Tensor values, *, Tensor(a!) out) -> Tensor(a!)", kOpPointwise);
  ops.op("aten::heaviside_(Tensor(a!) self, Tensor values) -> Tensor(a!)").spelled(".heaviside_");
  ops.op("aten::isclose(Tensor self, Tensor other, float rtol=1.0000000000000001e-05, float atol=1e-08, "
         "bool equal_nan=False) -> Tensor").spelled("torch.isclose .isclose");
  ops.op("aten::isfinite(Tensor self) -> Tensor", kOpPointwise).spelled("torch.isfinite .isfinite");
  ops.op("aten::isinf(Tensor self) -> Tensor", kOpCore | kOpPointwise).spelled("torch.isinf .isinf");
  ops.op("aten::isinf.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::isnan(Tensor self) -> Tensor", kOpCore | kOpPointwise).spelled("torch.isnan .isnan");
  ops.op("aten::isnan.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::isneginf(Tensor self) -> Tensor", kOpPointwise).spelled("torch.isneginf .isneginf");
  ops.op("aten::isneginf.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", kOpPointwise);
  ops.op("aten::isposinf(Tensor self) -> Tensor", kOpPointwise).spelled("torch.isposinf .isposinf");
  ops.op("aten::isposinf.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", kOpPointwise);
  ops.op("aten::isreal(Tensor self) -> Tensor").spelled("torch.isreal .isreal");
  ops.op("aten::lcm(Tensor self, Tensor other) -> Tensor", kOpPointwise).spelled("torch.lcm .lcm");
  ops.op("aten::lcm.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)", kOpPointwise);
  ops.op("aten::lcm_(Tensor(a!) self, Tensor other) -> Tensor(a!)").spelled("torch.lcm_ .lcm_");
  ops.op("aten::le.Scalar(Tensor self, Scalar other) -> Tensor", kOpCore | kOpPointwise)
      .spelled("torch.le .__le__ .le operator.le");
  ops.op("aten::le.Scalar_out(Tensor self, Scalar other, *, Tensor(a!) out) -> Tensor(a!)", kOpPointwise);
  ops.op("aten::le.Tensor(Tensor self, Tensor other) -> Tensor", kOpCore | kOpPointwise);
  ops.op("aten::le.Tensor_out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)", kOpPointwise);
  ops.op("aten::le_.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!)").spelled(".le_");
  ops.op("aten::le_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)");
  ops.op("aten::leaky_relu(Tensor self, Scalar negative_slope=0.01) -> Tensor", kOpCore | kOpPointwise)
      .spelled("torch._C._nn.leaky_relu");
  ops.op("aten::leaky_relu.out(Tensor self, Scalar negative_slope=0.01, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::leaky_relu_(Tensor(a!) self, Scalar negative_slope=0.01) -> Tensor(a!)", kOpPointwise)
      .spelled("torch._C._nn.leaky_relu_ torch.nn.functional.leaky_relu_");
  ops.op("aten::lerp.Scalar(Tensor self, Tensor end, Scalar weight) -> Tensor", kOpPointwise)
      .spelled("torch.lerp .lerp");
  ops.op("aten::lerp.Scalar_out(Tensor self, Tensor end, Scalar weight, *, Tensor(a!) out) -> Tensor(a!)",
         kOpPointwise);
  ops.op("aten::lerp.Tensor(Tensor self, Tensor end, Tensor weight) -> Tensor", kOpPointwise);
  ops.op("aten::lerp.Tensor_out(Tensor self, Tensor end, Tensor weight, *, Tensor(a!) out) -> Tensor(a!)",
         kOpPointwise);
  ops.op("aten::lerp_.Scalar(Tensor(a!) self, Tensor end, Scalar weight) -> Tensor(a!)", kOpPointwise)
      .spelled(".lerp_");
  ops.op("aten::lerp_.Tensor(Tensor(a!) self, Tensor end, Tensor weight) -> Tensor(a!)", kOpPointwise);
  ops.op("aten::less.Scalar(Tensor self, Scalar other) -> Tensor").spelled("torch.less .less");
  ops.op("aten::less.Scalar_out(Tensor self, Scalar other, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::less.Tensor(Tensor self, Tensor other) -> Tensor");
  ops.op("aten::less.Tensor_out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::less_.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!)").spelled(".less_");
  ops.op("aten::less_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)");
  ops.op("aten::less_equal.Scalar(Tensor self, Scalar other) -> Tensor")
      .spelled("torch.less_equal .less_equal");
  ops.op("aten::less_equal.Scalar_out(Tensor self, Scalar other, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::less_equal.Tensor(Tensor self, Tensor other) -> Tensor");
  ops.op("aten::less_equal.Tensor_out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::less_equal_.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!)").spelled(".less_equal_");
  ops.op("aten::less_equal_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)");
  ops.op("aten::log(Tensor self) -> Tensor", kOpCore | kOpPointwise).spelled("torch.log .log");
  ops.op("aten::log.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", kOpPointwise);
  ops.op("aten::log10(Tensor self) -> Tensor", kOpCore | kOpPointwise).spelled("torch.log10 .log10");
  ops.op("aten::log10.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", kOpPointwise);
  ops.op("aten::log10_(Tensor(a!) self) -> Tensor(a!)", kOpPointwise).spelled("torch.log10_ .log10_");
  ops.op("aten::log1p(Tensor self) -> Tensor", kOpCore | kOpPointwise).spelled("torch.log1p .log1p");
  ops.op("aten::log1p.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", kOpPointwise);
  ops.op("aten::log1p_(Tensor(a!) self) -> Tensor(a!)", kOpPointwise).spelled("torch.log1p_ .log1p_");
  ops.op("aten::log2(Tensor self) -> Tensor", kOpCore | kOpPointwise).spelled("torch.log2 .log2");
  ops.op("aten::log2.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", kOpPointwise);
  ops.op("aten::log2_(Tensor(a!) self) -> Tensor(a!)", kOpPointwise).spelled("torch.log2_ .log2_");
  ops.op("aten::log_(Tensor(a!) self) -> Tensor(a!)", kOpPointwise).spelled("torch.log_ .log_");
  ops.op("aten::log_sigmoid(Tensor self) -> Tensor")
      .spelled("torch._C._nn.log_sigmoid torch.nn.functional.logsigmoid");
  ops.op("aten::log_sigmoid.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::log_sigmoid_forward(Tensor self) -> (Tensor output, Tensor buffer)");
  ops.op("aten::log_sigmoid_forward.output(Tensor self, *, Tensor(a!) output, Tensor(b!) buffer) -> "
         "(Tensor(a!), Tensor(b!))");
  ops.op("aten::logaddexp(Tensor self, Tensor other) -> Tensor", kOpPointwise)
      .spelled("torch.logaddexp .logaddexp");
  ops.op("aten::logaddexp.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)", kOpPointwise);
  ops.op("aten::logaddexp2(Tensor self, Tensor other) -> Tensor", kOpPointwise)
      .spelled("torch.logaddexp2 .logaddexp2");
  ops.op("aten::logaddexp2.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)", kOpPointwise);
  ops.op("aten::logical_and(Tensor self, Tensor other) -> Tensor", kOpCore | kOpPointwise)
      .spelled("torch.logical_and .logical_and");
  ops.op("aten::logical_and.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)", kOpPointwise);
  ops.op("aten::logical_and_(Tensor(a!) self, Tensor other) -> Tensor(a!)", kOpPointwise)
      .spelled(".logical_and_");
  ops.op("aten::logical_not(Tensor self) -> Tensor", kOpCore | kOpPointwise)
      .spelled("torch.logical_not .logical_not");
  ops.op("aten::logical_not.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", kOpPointwise);
  ops.op("aten::logical_not_(Tensor(a!) self) -> Tensor(a!)", kOpPointwise).spelled(".logical_not_");
  ops.op("aten::logical_or(Tensor self, Tensor other) -> Tensor", kOpCore | kOpPointwise)
      .spelled("torch.logical_or .logical_or");
  ops.op("aten::logical_or.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)", kOpPointwise);
  ops.op("aten::logical_or_(Tensor(a!) self, Tensor other) -> Tensor(a!)", kOpPointwise)
      .spelled(".logical_or_");
  ops.op("aten::logical_xor(Tensor self, Tensor other) -> Tensor", kOpCore | kOpPointwise)
      .spelled("torch.logical_xor .logical_xor");
  ops.op("aten::logical_xor.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)", kOpPointwise);
  ops.op("aten::logical_xor_(Tensor(a!) self, Tensor other) -> Tensor(a!)", kOpPointwise)
      .spelled(".logical_xor_");
  ops.op("aten::lt.Scalar(Tensor self, Scalar other) -> Tensor", kOpCore | kOpPointwise)
      .spelled("torch.lt .__lt__ .lt operator.lt");
  ops.op("aten::lt.Scalar_out(Tensor self, Scalar other, *, Tensor(a!) out) -> Tensor(a!)", kOpPointwise);
  ops.op("aten::lt.Tensor(Tensor self, Tensor other) -> Tensor", kOpCore | kOpPointwise);
  ops.op("aten::lt.Tensor_out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)", kOpPointwise);
  ops.op("aten::lt_.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!)").spelled(".lt_");
  ops.op("aten::lt_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)");
  ops.op("aten::maximum(Tensor self, Tensor other) -> Tensor", kOpCore | kOpPointwise)
      .spelled("torch.maximum .maximum");
  ops.op("aten::maximum.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)", kOpPointwise);
  ops.op("aten::minimum(Tensor self, Tensor other) -> Tensor", kOpCore | kOpPointwise)
      .spelled("torch.minimum .minimum");
  ops.op("aten::minimum.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)", kOpPointwise);
  ops.op("aten::mish(Tensor self) -> Tensor", kOpPointwise).spelled("torch._C._nn.mish");
  ops.op("aten::mish.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::mish_(Tensor(a!) self) -> Tensor(a!)").spelled("torch._C._nn.mish_");
  ops.op("aten::mul.Scalar(Tensor self, Scalar other) -> Tensor", kOpCore | kOpPointwise)
      .spelled("torch.mul .mul .__mul__ operator.mul");
  ops.op("aten::mul.Scalar_out(Tensor self, Scalar other, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::mul.Tensor(Tensor self, Tensor other) -> Tensor", kOpCore | kOpPointwise);
  ops.op("aten::mul.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)", kOpPointwise);
  ops.op("aten::mul_.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!)", kOpPointwise)
      .spelled(".mul_ operator.imul");
  ops.op("aten::mul_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)", kOpPointwise);
  ops.op("aten::multiply.Scalar(Tensor self, Scalar other) -> Tensor").spelled("torch.multiply .multiply");
  ops.op("aten::multiply.Tensor(Tensor self, Tensor other) -> Tensor");
  ops.op("aten::multiply.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::multiply_.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!)").spelled(".multiply_");
  ops.op("aten::multiply_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)");
  ops.op("aten::nan_to_num(Tensor self, float? nan=None, float? posinf=None, float? neginf=None) -> Tensor",
         kOpPointwise).spelled("torch.nan_to_num .nan_to_num");
  ops.op("aten::nan_to_num.out(Tensor self, float? nan=None, float? posinf=None, float? neginf=None, *, "
         "Tensor(a!) out) -> Tensor(a!)", kOpPointwise);
  ops.op("aten::nan_to_num_(Tensor(a!) self, float? nan=None, float? posinf=None, "
         "float? neginf=None) -> Tensor(a!)", kOpPointwise).spelled("torch.nan_to_num_ .nan_to_num_");
  ops.op("aten::ne.Scalar(Tensor self, Scalar other) -> Tensor", kOpCore | kOpPointwise)
      .spelled("torch.ne .__ne__ .ne operator.ne");
  ops.op("aten::ne.Scalar_out(Tensor self, Scalar other, *, Tensor(a!) out) -> Tensor(a!)", kOpPointwise);
  ops.op("aten::ne.Tensor(Tensor self, Tensor other) -> Tensor", kOpCore | kOpPointwise);
  ops.op("aten::ne.Tensor_out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)", kOpPointwise);
  ops.op("aten::ne_.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!)").spelled(".ne_");
  ops.op("aten::ne_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)");
  ops.op("aten::neg(Tensor self) -> Tensor", kOpCore | kOpPointwise).spelled("torch.neg .neg operator.neg");
  ops.op("aten::neg.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", kOpPointwise);
  ops.op("aten::neg_(Tensor(a!) self) -> Tensor(a!)", kOpPointwise).spelled("torch.neg_ .neg_");
  ops.op("aten::negative(Tensor self) -> Tensor").spelled("torch.negative .negative");
  ops.op("aten::negative.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::negative_(Tensor(a!) self) -> Tensor(a!)").spelled("torch.negative_ .negative_");
  ops.op("aten::nextafter(Tensor self, Tensor other) -> Tensor", kOpPointwise)
      .spelled("torch.nextafter .nextafter");
  ops.op("aten::nextafter.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)", kOpPointwise);
  ops.op("aten::nextafter_(Tensor(a!) self, Tensor other) -> Tensor(a!)", kOpPointwise)
      .spelled(".nextafter_");
  ops.op("aten::not_equal.Scalar(Tensor self, Scalar other) -> Tensor").spelled("torch.not_equal .not_equal");
  ops.op("aten::not_equal.Scalar_out(Tensor self, Scalar other, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::not_equal.Tensor(Tensor self, Tensor other) -> Tensor");
  ops.op("aten::not_equal.Tensor_out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::not_equal_.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!)").spelled(".not_equal_");
  ops.op("aten::not_equal_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)");
  ops.op("aten::positive(Tensor(a) self) -> Tensor(a)", kOpPointwise)
      .spelled("torch.positive .positive operator.pos");
  ops.op("aten::pow.Scalar(Scalar self, Tensor exponent) -> Tensor", kOpCore | kOpPointwise)
      .spelled("torch.pow .pow operator.pow");
  ops.op("aten::pow.Scalar_out(Scalar self, Tensor exponent, *, Tensor(a!) out) -> Tensor(a!)", kOpPointwise);
  ops.op("aten::pow.Tensor_Scalar(Tensor self, Scalar exponent) -> Tensor", kOpCore | kOpPointwise);
  ops.op("aten::pow.Tensor_Scalar_out(Tensor self, Scalar exponent, *, Tensor(a!) out) -> Tensor(a!)",
         kOpPointwise);
  ops.op("aten::pow.Tensor_Tensor(Tensor self, Tensor exponent) -> Tensor", kOpCore | kOpPointwise);
  ops.op("aten::pow.Tensor_Tensor_out(Tensor self, Tensor exponent, *, Tensor(a!) out) -> Tensor(a!)",
         kOpPointwise);
  ops.op("aten::pow_.Scalar(Tensor(a!) self, Scalar exponent) -> Tensor(a!)", kOpPointwise)
      .spelled(".pow_ operator.ipow");
  ops.op("aten::pow_.Tensor(Tensor(a!) self, Tensor exponent) -> Tensor(a!)", kOpPointwise);
  ops.op("aten::prelu(Tensor self, Tensor weight) -> Tensor")
      .spelled("torch.nn.functional.prelu torch.prelu .prelu");
  ops.op("aten::rad2deg(Tensor self) -> Tensor", kOpPointwise).spelled("torch.rad2deg .rad2deg");
  ops.op("aten::rad2deg.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", kOpPointwise);
  ops.op("aten::rad2deg_(Tensor(a!) self) -> Tensor(a!)", kOpPointwise).spelled("torch.rad2deg_ .rad2deg_");
  ops.op("aten::reciprocal(Tensor self) -> Tensor", kOpCore | kOpPointwise)
      .spelled("torch.reciprocal .reciprocal");
  ops.op("aten::reciprocal.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", kOpPointwise);
  ops.op("aten::reciprocal_(Tensor(a!) self) -> Tensor(a!)", kOpPointwise)
      .spelled("torch.reciprocal_ .reciprocal_");
  ops.op("aten::relu(Tensor self) -> Tensor", kOpCore | kOpPointwise).spelled("torch.relu .relu");
  ops.op("aten::relu.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::relu6(Tensor self) -> Tensor", kOpPointwise).spelled("torch._C._nn.relu6");
  ops.op("aten::relu6_(Tensor(a!) self) -> Tensor(a!)").spelled("torch._C._nn.relu6_");
  ops.op("aten::relu_(Tensor(a!) self) -> Tensor(a!)", kOpPointwise)
      .spelled("torch.nn.functional.relu_ torch.relu_ .relu_");
  ops.op("aten::remainder.Scalar(Tensor self, Scalar other) -> Tensor", kOpCore | kOpPointwise)
      .spelled("torch.remainder .remainder operator.mod");
  ops.op("aten::remainder.Scalar_Tensor(Scalar self, Tensor other) -> Tensor", kOpPointwise);
  ops.op("aten::remainder.Scalar_Tensor_out(Scalar self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::remainder.Scalar_out(Tensor self, Scalar other, *, Tensor(a!) out) -> Tensor(a!)",
         kOpPointwise);
  ops.op("aten::remainder.Tensor(Tensor self, Tensor other) -> Tensor", kOpCore | kOpPointwise);
  ops.op("aten::remainder.Tensor_out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)",
         kOpPointwise);
  ops.op("aten::remainder_.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!)", kOpPointwise)
      .spelled(".remainder_ operator.imod");
  ops.op("aten::remainder_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)", kOpPointwise);
  ops.op("aten::round(Tensor self) -> Tensor", kOpCore | kOpPointwise).spelled("torch.round .round");
  ops.op("aten::round.decimals(Tensor self, *, int decimals) -> Tensor", kOpPointwise);
  ops.op("aten::round.decimals_out(Tensor self, *, int decimals, Tensor(a!) out) -> Tensor(a!)",
         kOpPointwise);
  ops.op("aten::round.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", kOpPointwise);
  ops.op("aten::round_(Tensor(a!) self) -> Tensor(a!)", kOpPointwise).spelled("torch.round_ .round_");
  ops.op("aten::round_.decimals(Tensor(a!) self, *, int decimals) -> Tensor(a!)", kOpPointwise);
  ops.op("aten::rsqrt(Tensor self) -> Tensor", kOpCore | kOpPointwise).spelled("torch.rsqrt .rsqrt");
  ops.op("aten::rsqrt.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", kOpPointwise);
  ops.op("aten::rsqrt_(Tensor(a!) self) -> Tensor(a!)", kOpPointwise).spelled("torch.rsqrt_ .rsqrt_");
  ops.op("aten::rsub.Scalar(Tensor self, Scalar other, Scalar alpha=1) -> Tensor", kOpPointwise)
      .spelled("torch.rsub");
  ops.op("aten::rsub.Scalar_out(Tensor self, Scalar other, Scalar alpha=1, *, Tensor(a!) out) -> "
         "Tensor(a!)");
  ops.op("aten::rsub.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor");
  ops.op("aten::rsub.Tensor_out(Tensor self, Tensor other, *, Scalar alpha=1, Tensor(a!) out) -> "
         "Tensor(a!)");
  ops.op("aten::selu(Tensor self) -> Tensor", kOpPointwise).spelled("torch.selu");
  ops.op("aten::selu_(Tensor(a!) self) -> Tensor(a!)", kOpPointwise)
      .spelled("torch.nn.functional.selu_ torch.selu_");
  ops.op("aten::sgn(Tensor self) -> Tensor", kOpPointwise).spelled("torch.sgn .sgn");
  ops.op("aten::sgn.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", kOpPointwise);
  ops.op("aten::sgn_(Tensor(a!) self) -> Tensor(a!)", kOpPointwise).spelled(".sgn_");
  ops.op("aten::sigmoid(Tensor self) -> Tensor", kOpCore | kOpPointwise).spelled("torch.sigmoid .sigmoid");
  ops.op("aten::sigmoid.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", kOpPointwise);
  ops.op("aten::sigmoid_(Tensor(a!) self) -> Tensor(a!)", kOpPointwise).spelled("torch.sigmoid_ .sigmoid_");
  ops.op("aten::sign(Tensor self) -> Tensor", kOpCore | kOpPointwise).spelled("torch.sign .sign");
  ops.op("aten::sign.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", kOpPointwise);
  ops.op("aten::sign_(Tensor(a!) self) -> Tensor(a!)", kOpPointwise).spelled(".sign_");
  ops.op("aten::signbit(Tensor self) -> Tensor", kOpPointwise).spelled("torch.signbit .signbit");
  ops.op("aten::signbit.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", kOpPointwise);
  ops.op("aten::silu(Tensor self) -> Tensor", kOpPointwise).spelled("torch._C._nn.silu");
  ops.op("aten::silu.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", kOpPointwise);
  ops.op("aten::silu_(Tensor(a!) self) -> Tensor(a!)", kOpPointwise).spelled("torch._C._nn.silu_");
  ops.op("aten::sin(Tensor self) -> Tensor", kOpCore | kOpPointwise).spelled("torch.sin .sin");
  ops.op("aten::sin.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", kOpPointwise);
  ops.op("aten::sin_(Tensor(a!) self) -> Tensor(a!)", kOpPointwise).spelled("torch.sin_ .sin_");
  ops.op("aten::sinh(Tensor self) -> Tensor", kOpCore | kOpPointwise).spelled("torch.sinh .sinh");
  ops.op("aten::sinh.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", kOpPointwise);
  ops.op("aten::sinh_(Tensor(a!) self) -> Tensor(a!)", kOpPointwise).spelled("torch.sinh_ .sinh_");
  ops.op("aten::softplus(Tensor self, Scalar beta=1, Scalar threshold=20) -> Tensor", kOpPointwise)
      .spelled("torch._C._nn.softplus torch.nn.functional.softplus");
  ops.op("aten::softplus.out(Tensor self, Scalar beta=1, Scalar threshold=20, *, Tensor(a!) out) -> "
         "Tensor(a!)");
  ops.op("aten::softshrink(Tensor self, Scalar lambd=0.5) -> Tensor", kOpPointwise)
      .spelled("torch._C._nn.softshrink torch.nn.functional.softshrink");
  ops.op("aten::softshrink.out(Tensor self, Scalar lambd=0.5, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::sqrt(Tensor self) -> Tensor", kOpCore | kOpPointwise).spelled("torch.sqrt .sqrt");
  ops.op("aten::sqrt.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", kOpPointwise);
  ops.op("aten::sqrt_(Tensor(a!) self) -> Tensor(a!)", kOpPointwise).spelled("torch.sqrt_ .sqrt_");
  ops.op("aten::square(Tensor self) -> Tensor", kOpPointwise).spelled("torch.square .square");
  ops.op("aten::square.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", kOpPointwise);
  ops.op("aten::square_(Tensor(a!) self) -> Tensor(a!)", kOpPointwise).spelled("torch.square_ .square_");
  ops.op("aten::sub.Scalar(Tensor self, Scalar other, Scalar alpha=1) -> Tensor", kOpCore | kOpPointwise)
      .spelled("torch.sub .sub .__sub__ operator.sub");
  ops.op("aten::sub.Scalar_out(Tensor self, Scalar other, Scalar alpha=1, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::sub.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor", kOpCore | kOpPointwise);
  ops.op("aten::sub.out(Tensor self, Tensor other, *, Scalar alpha=1, Tensor(a!) out) -> Tensor(a!)",
         kOpPointwise);
  ops.op("aten::sub_.Scalar(Tensor(a!) self, Scalar other, Scalar alpha=1) -> Tensor(a!)", kOpPointwise)
      .spelled(".sub_ operator.isub");
  ops.op("aten::sub_.Tensor(Tensor(a!) self, Tensor other, *, Scalar alpha=1) -> Tensor(a!)", kOpPointwise);
  ops.op("aten::subtract.Scalar(Tensor self, Scalar other, Scalar alpha=1) -> Tensor")
      .spelled("torch.subtract .subtract");
  ops.op("aten::subtract.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor");
  ops.op("aten::subtract.out(Tensor self, Tensor other, *, Scalar alpha=1, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::subtract_.Scalar(Tensor(a!) self, Scalar other, Scalar alpha=1) -> Tensor(a!)")
      .spelled(".subtract_");
  ops.op("aten::subtract_.Tensor(Tensor(a!) self, Tensor other, *, Scalar alpha=1) -> Tensor(a!)");
  ops.op("aten::tan(Tensor self) -> Tensor", kOpCore | kOpPointwise).spelled("torch.tan .tan");
  ops.op("aten::tan.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", kOpPointwise);
  ops.op("aten::tan_(Tensor(a!) self) -> Tensor(a!)", kOpPointwise).spelled("torch.tan_ .tan_");
  ops.op("aten::tanh(Tensor self) -> Tensor", kOpCore | kOpPointwise).spelled("torch.tanh .tanh");
  ops.op("aten::tanh.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", kOpPointwise);
  ops.op("aten::tanh_(Tensor(a!) self) -> Tensor(a!)", kOpPointwise).spelled("torch.tanh_ .tanh_");
  ops.op("aten::threshold(Tensor self, Scalar threshold, Scalar value) -> Tensor", kOpPointwise)
      .spelled("torch.threshold");
  ops.op("aten::threshold.out(Tensor self, Scalar threshold, Scalar value, *, Tensor(a!) out) -> "
         "Tensor(a!)");
  ops.op("aten::threshold_(Tensor(a!) self, Scalar threshold, Scalar value) -> Tensor(a!)")
      .spelled("torch.nn.functional.threshold_ torch.threshold_");
  ops.op("aten::true_divide.Scalar(Tensor self, Scalar other) -> Tensor")
      .spelled("torch.true_divide .true_divide");
  ops.op("aten::true_divide.Tensor(Tensor self, Tensor other) -> Tensor", kOpPointwise);
  ops.op("aten::true_divide.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::true_divide_.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!)").spelled(".true_divide_");
  ops.op("aten::true_divide_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)");
  ops.op("aten::trunc(Tensor self) -> Tensor", kOpCore | kOpPointwise).spelled("torch.trunc .trunc");
  ops.op("aten::trunc.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", kOpPointwise);
  ops.op("aten::trunc_(Tensor(a!) self) -> Tensor(a!)", kOpPointwise).spelled("torch.trunc_ .trunc_");
}
// clang-format on

}  // namespace descry::ir
