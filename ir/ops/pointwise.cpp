// Pointwise ops. Part 1 of 2, by name.
#include "ir/ops/tables.h"

namespace descry::ir {

// clang-format off
void registerPointwise(OpRegistry& ops) {
  ops.op("aten::__and__.Scalar(Tensor self, Scalar other) -> Tensor").spelled(".__and__ operator.and_");
  ops.op("aten::__and__.Tensor(Tensor self, Tensor other) -> Tensor");
  ops.op("aten::__iand__.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!)")
      .spelled(".__iand__ operator.iand");
  ops.op("aten::__iand__.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)");
  ops.op("aten::__ilshift__.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!)", kOpPointwise)
      .spelled(".__ilshift__ operator.ilshift");
  ops.op("aten::__ilshift__.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)", kOpPointwise);
  ops.op("aten::__ior__.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!)")
      .spelled(".__ior__ operator.ior");
  ops.op("aten::__ior__.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)");
  ops.op("aten::__irshift__.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!)")
      .spelled(".__irshift__ operator.irshift");
  ops.op("aten::__irshift__.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)");
  ops.op("aten::__ixor__.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!)", kOpPointwise)
      .spelled(".__ixor__ operator.ixor");
  ops.op("aten::__ixor__.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)", kOpPointwise);
  ops.op("aten::__lshift__.Scalar(Tensor self, Scalar other) -> Tensor", kOpPointwise)
      .spelled(".__lshift__ operator.lshift");
  ops.op("aten::__lshift__.Scalar_out(Tensor self, Scalar other, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::__lshift__.Tensor(Tensor self, Tensor other) -> Tensor", kOpPointwise);
  ops.op("aten::__lshift__.Tensor_out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::__or__.Scalar(Tensor self, Scalar other) -> Tensor").spelled(".__or__ operator.or_");
  ops.op("aten::__or__.Tensor(Tensor self, Tensor other) -> Tensor");
  ops.op("aten::__rshift__.Scalar(Tensor self, Scalar other) -> Tensor", kOpPointwise)
      .spelled(".__rshift__ operator.rshift");
  ops.op("aten::__rshift__.Scalar_out(Tensor self, Scalar other, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::__rshift__.Tensor(Tensor self, Tensor other) -> Tensor", kOpPointwise);
  ops.op("aten::__rshift__.Tensor_out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::__xor__.Scalar(Tensor self, Scalar other) -> Tensor", kOpPointwise)
      .spelled(".__xor__ operator.xor");
  ops.op("aten::__xor__.Tensor(Tensor self, Tensor other) -> Tensor", kOpPointwise);
  ops.op("aten::_add_relu.Scalar(Tensor self, Scalar other, Scalar alpha=1) -> Tensor")
      .spelled("torch._add_relu");
  ops.op("aten::_add_relu.Scalar_out(Tensor self, Scalar other, Scalar alpha=1, *, Tensor(a!) out) -> "
         "Tensor(a!)");
  ops.op("aten::_add_relu.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor");
  ops.op("aten::_add_relu.out(Tensor self, Tensor other, *, Scalar alpha=1, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::_add_relu_.Scalar(Tensor(a!) self, Scalar other, Scalar alpha=1) -> Tensor(a!)")
      .spelled("torch._add_relu_");
  ops.op("aten::_add_relu_.Tensor(Tensor(a!) self, Tensor other, *, Scalar alpha=1) -> Tensor(a!)");
  ops.op("aten::_compute_linear_combination(Tensor input, Tensor coefficients) -> Tensor")
      .spelled("torch._compute_linear_combination");
  ops.op("aten::_compute_linear_combination.out(Tensor input, Tensor coefficients, *, "
         "Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::_fused_moving_avg_obs_fq_helper(Tensor self, Tensor observer_on, Tensor fake_quant_on, "
         "Tensor(a!) running_min, Tensor(b!) running_max, Tensor(c!) scale, Tensor(d!) zero_point, "
         "float averaging_const, int quant_min, int quant_max, int ch_axis, "
         "bool per_row_fake_quant=False, bool symmetric_quant=False) -> (Tensor output, Tensor mask)")
      .spelled("torch._fused_moving_avg_obs_fq_helper");
  ops.op("aten::_fused_moving_avg_obs_fq_helper.out(Tensor self, Tensor observer_on, "
         "Tensor fake_quant_on, Tensor(a!) running_min, Tensor(b!) running_max, Tensor(c!) scale, "
         "Tensor(d!) zero_point, float averaging_const, int quant_min, int quant_max, int ch_axis, "
         "bool per_row_fake_quant=False, bool symmetric_quant=False, *, Tensor(e!) out0, "
         "Tensor(f!) out1) -> (Tensor(e!), Tensor(f!))");
  ops.op("aten::_fused_moving_avg_obs_fq_helper_functional(Tensor self, Tensor observer_on, "
         "Tensor fake_quant_on, Tensor running_min, Tensor running_max, Tensor scale, "
         "Tensor zero_point, float averaging_const, int quant_min, int quant_max, int ch_axis, "
         "bool per_row_fake_quant=False, bool symmetric_quant=False) -> (Tensor output, Tensor mask, "
         "Tensor running_min_out, Tensor running_max_out, Tensor scale_out, Tensor zero_point_out)");
  ops.op("aten::_logcumsumexp(Tensor self, int dim) -> Tensor").spelled("torch._logcumsumexp");
  ops.op("aten::_logcumsumexp.out(Tensor self, int dim, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::_prelu_kernel(Tensor self, Tensor weight) -> Tensor").spelled("torch._prelu_kernel");
  ops.op("aten::_rowwise_prune(Tensor weight, Tensor mask, ScalarType compressed_indices_dtype) -> "
         "(Tensor, Tensor)").spelled("torch._rowwise_prune");
  ops.op("aten::_transform_bias_rescale_qkv(Tensor qkv, Tensor qkv_bias, int num_heads) -> (Tensor, "
         "Tensor, Tensor)").spelled("torch._transform_bias_rescale_qkv");
  ops.op("aten::_transform_bias_rescale_qkv.out(Tensor qkv, Tensor qkv_bias, int num_heads, *, "
         "Tensor(a!) out0, Tensor(b!) out1, Tensor(c!) out2) -> (Tensor(a!), Tensor(b!), Tensor(c!))");
  ops.op("aten::abs(Tensor self) -> Tensor", kOpCore | kOpPointwise).spelled("torch.abs .abs operator.abs");
  ops.op("aten::abs.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", kOpPointwise);
  ops.op("aten::abs_(Tensor(a!) self) -> Tensor(a!)").spelled("torch.abs_ .abs_");
  ops.op("aten::absolute(Tensor self) -> Tensor").spelled("torch.absolute .absolute");
  ops.op("aten::absolute.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::absolute_(Tensor(a!) self) -> Tensor(a!)").spelled(".absolute_");
  ops.op("aten::acos(Tensor self) -> Tensor", kOpCore | kOpPointwise).spelled("torch.acos .acos");
  ops.op("aten::acos.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", kOpPointwise);
  ops.op("aten::acos_(Tensor(a!) self) -> Tensor(a!)", kOpPointwise).spelled("torch.acos_ .acos_");
  ops.op("aten::acosh(Tensor self) -> Tensor", kOpCore | kOpPointwise).spelled("torch.acosh .acosh");
  ops.op("aten::acosh.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", kOpPointwise);
  ops.op("aten::acosh_(Tensor(a!) self) -> Tensor(a!)", kOpPointwise).spelled("torch.acosh_ .acosh_");
  ops.op("aten::add.Scalar(Tensor self, Scalar other, Scalar alpha=1) -> Tensor", kOpCore | kOpPointwise)
      .spelled("torch.add .add .__add__ operator.add");
  ops.op("aten::add.Scalar_out(Tensor self, Scalar other, Scalar alpha=1, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor", kOpCore | kOpPointwise);
  ops.op("aten::add.out(Tensor self, Tensor other, *, Scalar alpha=1, Tensor(a!) out) -> Tensor(a!)",
         kOpPointwise);
  ops.op("aten::add_.Scalar(Tensor(a!) self, Scalar other, Scalar alpha=1) -> Tensor(a!)", kOpPointwise)
      .spelled(".add_ operator.iadd");
  ops.op("aten::add_.Tensor(Tensor(a!) self, Tensor other, *, Scalar alpha=1) -> Tensor(a!)", kOpPointwise);
  ops.op("aten::addcdiv(Tensor self, Tensor tensor1, Tensor tensor2, *, Scalar value=1) -> Tensor",
         kOpPointwise).spelled("torch.addcdiv .addcdiv");
  ops.op("aten::addcdiv.out(Tensor self, Tensor tensor1, Tensor tensor2, *, Scalar value=1, "
         "Tensor(a!) out) -> Tensor(a!)", kOpPointwise);
  ops.op("aten::addcdiv_(Tensor(a!) self, Tensor tensor1, Tensor tensor2, *, Scalar value=1) -> Tensor(a!)",
         kOpPointwise).spelled(".addcdiv_");
  ops.op("aten::addcmul(Tensor self, Tensor tensor1, Tensor tensor2, *, Scalar value=1) -> Tensor",
         kOpPointwise).spelled("torch.addcmul .addcmul");
  ops.op("aten::addcmul.out(Tensor self, Tensor tensor1, Tensor tensor2, *, Scalar value=1, "
         "Tensor(a!) out) -> Tensor(a!)", kOpPointwise);
  ops.op("aten::addcmul_(Tensor(a!) self, Tensor tensor1, Tensor tensor2, *, Scalar value=1) -> Tensor(a!)",
         kOpPointwise).spelled(".addcmul_");
  ops.op("aten::angle(Tensor self) -> Tensor", kOpPointwise).spelled("torch.angle .angle");
  ops.op("aten::angle.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", kOpPointwise);
  ops.op("aten::arccos(Tensor self) -> Tensor").spelled("torch.arccos .arccos");
  ops.op("aten::arccos.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::arccos_(Tensor(a!) self) -> Tensor(a!)").spelled("torch.arccos_ .arccos_");
  ops.op("aten::arccosh(Tensor self) -> Tensor").spelled("torch.arccosh .arccosh");
  ops.op("aten::arccosh.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::arccosh_(Tensor(a!) self) -> Tensor(a!)").spelled("torch.arccosh_ .arccosh_");
  ops.op("aten::arcsin(Tensor self) -> Tensor").spelled("torch.arcsin .arcsin");
  ops.op("aten::arcsin.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::arcsin_(Tensor(a!) self) -> Tensor(a!)").spelled("torch.arcsin_ .arcsin_");
  ops.op("aten::arcsinh(Tensor self) -> Tensor").spelled("torch.arcsinh .arcsinh");
  ops.op("aten::arcsinh.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::arcsinh_(Tensor(a!) self) -> Tensor(a!)").spelled("torch.arcsinh_ .arcsinh_");
  ops.op("aten::arctan(Tensor self) -> Tensor").spelled("torch.arctan .arctan");
  ops.op("aten::arctan.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::arctan2(Tensor self, Tensor other) -> Tensor").spelled("torch.arctan2 .arctan2");
  ops.op("aten::arctan2.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::arctan2_(Tensor(a!) self, Tensor other) -> Tensor(a!)").spelled(".arctan2_");
  ops.op("aten::arctan_(Tensor(a!) self) -> Tensor(a!)").spelled("torch.arctan_ .arctan_");
  ops.op("aten::arctanh(Tensor self) -> Tensor").spelled("torch.arctanh .arctanh");
  ops.op("aten::arctanh.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::arctanh_(Tensor(a!) self) -> Tensor(a!)").spelled("torch.arctanh_ .arctanh_");
  ops.op("aten::asin(Tensor self) -> Tensor", kOpCore | kOpPointwise).spelled("torch.asin .asin");
  ops.op("aten::asin.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", kOpPointwise);
  ops.op("aten::asin_(Tensor(a!) self) -> Tensor(a!)", kOpPointwise).spelled("torch.asin_ .asin_");
  ops.op("aten::asinh(Tensor self) -> Tensor", kOpCore | kOpPointwise).spelled("torch.asinh .asinh");
  ops.op("aten::asinh.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", kOpPointwise);
  ops.op("aten::asinh_(Tensor(a!) self) -> Tensor(a!)", kOpPointwise).spelled("torch.asinh_ .asinh_");
  ops.op("aten::atan(Tensor self) -> Tensor", kOpCore | kOpPointwise).spelled("torch.atan .atan");
  ops.op("aten::atan.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", kOpPointwise);
  ops.op("aten::atan2(Tensor self, Tensor other) -> Tensor", kOpCore | kOpPointwise)
      .spelled("torch.atan2 .atan2");
  ops.op("aten::atan2.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)",
         kOpCore | kOpPointwise);
  ops.op("aten::atan2_(Tensor(a!) self, Tensor other) -> Tensor(a!)", kOpPointwise).spelled(".atan2_");
  ops.op("aten::atan_(Tensor(a!) self) -> Tensor(a!)", kOpPointwise).spelled("torch.atan_ .atan_");
  ops.op("aten::atanh(Tensor self) -> Tensor", kOpCore | kOpPointwise).spelled("torch.atanh .atanh");
  ops.op("aten::atanh.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", kOpPointwise);
  ops.op("aten::atanh_(Tensor(a!) self) -> Tensor(a!)", kOpPointwise).spelled("torch.atanh_ .atanh_");
  ops.op("aten::bitwise_and.Scalar(Tensor self, Scalar other) -> Tensor", kOpCore | kOpPointwise)
      .spelled("torch.bitwise_and .bitwise_and");
  ops.op("aten::bitwise_and.Scalar_Tensor(Scalar self, Tensor other) -> Tensor", kOpPointwise);
  ops.op("aten::bitwise_and.Scalar_Tensor_out(Scalar self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::bitwise_and.Scalar_out(Tensor self, Scalar other, *, Tensor(a!) out) -> Tensor(a!)",
         kOpPointwise);
  ops.op("aten::bitwise_and.Tensor(Tensor self, Tensor other) -> Tensor", kOpCore | kOpPointwise);
  ops.op("aten::bitwise_and.Tensor_out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)",
         kOpPointwise);
  ops.op("aten::bitwise_and_.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!)", kOpPointwise)
      .spelled(".bitwise_and_");
  ops.op("aten::bitwise_and_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)", kOpPointwise);
  ops.op("aten::bitwise_left_shift.Scalar_Tensor(Scalar self, Tensor other) -> Tensor", kOpPointwise)
      .spelled("torch.bitwise_left_shift .bitwise_left_shift");
  ops.op("aten::bitwise_left_shift.Scalar_Tensor_out(Scalar self, Tensor other, *, Tensor(a!) out) -> "
         "Tensor(a!)");
  ops.op("aten::bitwise_left_shift.Tensor(Tensor self, Tensor other) -> Tensor", kOpPointwise);
  ops.op("aten::bitwise_left_shift.Tensor_Scalar(Tensor self, Scalar other) -> Tensor", kOpPointwise);
  ops.op("aten::bitwise_left_shift.Tensor_Scalar_out(Tensor self, Scalar other, *, Tensor(a!) out) -> "
         "Tensor(a!)", kOpPointwise);
  ops.op("aten::bitwise_left_shift.Tensor_out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)",
         kOpPointwise);
  ops.op("aten::bitwise_left_shift_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)", kOpPointwise)
      .spelled(".bitwise_left_shift_");
  ops.op("aten::bitwise_left_shift_.Tensor_Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!)",
         kOpPointwise);
  ops.op("aten::bitwise_not(Tensor self) -> Tensor", kOpCore | kOpPointwise)
      .spelled("torch.bitwise_not .bitwise_not operator.invert");
  ops.op("aten::bitwise_not.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", kOpPointwise);
  ops.op("aten::bitwise_not_(Tensor(a!) self) -> Tensor(a!)", kOpPointwise).spelled(".bitwise_not_");
  ops.op("aten::bitwise_or.Scalar(Tensor self, Scalar other) -> Tensor", kOpCore | kOpPointwise)
      .spelled("torch.bitwise_or .bitwise_or");
  ops.op("aten::bitwise_or.Scalar_Tensor(Scalar self, Tensor other) -> Tensor", kOpPointwise);
  ops.op("aten::bitwise_or.Scalar_Tensor_out(Scalar self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::bitwise_or.Scalar_out(Tensor self, Scalar other, *, Tensor(a!) out) -> Tensor(a!)",
         kOpPointwise);
  ops.op("aten::bitwise_or.Tensor(Tensor self, Tensor other) -> Tensor", kOpCore | kOpPointwise);
  ops.op("aten::bitwise_or.Tensor_out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)",
         kOpPointwise);
  ops.op("aten::bitwise_or_.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!)", kOpPointwise)
      .spelled(".bitwise_or_");
  ops.op("aten::bitwise_or_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)", kOpPointwise);
  ops.op("aten::bitwise_right_shift.Scalar_Tensor(Scalar self, Tensor other) -> Tensor", kOpPointwise)
      .spelled("torch.bitwise_right_shift .bitwise_right_shift");
  ops.op("aten::bitwise_right_shift.Scalar_Tensor_out(Scalar self, Tensor other, *, Tensor(a!) out) -> "
         "Tensor(a!)");
  ops.op("aten::bitwise_right_shift.Tensor(Tensor self, Tensor other) -> Tensor", kOpPointwise);
  ops.op("aten::bitwise_right_shift.Tensor_Scalar(Tensor self, Scalar other) -> Tensor", kOpPointwise);
  ops.op("aten::bitwise_right_shift.Tensor_Scalar_out(Tensor self, Scalar other, *, Tensor(a!) out) -> "
         "Tensor(a!)", kOpPointwise);
  ops.op("aten::bitwise_right_shift.Tensor_out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)",
         kOpPointwise);
  ops.op("aten::bitwise_right_shift_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)", kOpPointwise)
      .spelled(".bitwise_right_shift_");
  ops.op("aten::bitwise_right_shift_.Tensor_Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!)",
         kOpPointwise);
  ops.op("aten::bitwise_xor.Scalar(Tensor self, Scalar other) -> Tensor", kOpCore | kOpPointwise)
      .spelled("torch.bitwise_xor .bitwise_xor");
  ops.op("aten::bitwise_xor.Scalar_Tensor(Scalar self, Tensor other) -> Tensor", kOpPointwise);
  ops.op("aten::bitwise_xor.Scalar_Tensor_out(Scalar self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::bitwise_xor.Scalar_out(Tensor self, Scalar other, *, Tensor(a!) out) -> Tensor(a!)",
         kOpPointwise);
  ops.op("aten::bitwise_xor.Tensor(Tensor self, Tensor other) -> Tensor", kOpCore | kOpPointwise);
  ops.op("aten::bitwise_xor.Tensor_out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)",
         kOpPointwise);
  ops.op("aten::bitwise_xor_.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!)", kOpPointwise)
      .spelled(".bitwise_xor_");
  ops.op("aten::bitwise_xor_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)", kOpPointwise);
  ops.op("aten::ceil(Tensor self) -> Tensor", kOpCore | kOpPointwise).spelled("torch.ceil .ceil");
  ops.op("aten::ceil.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", kOpPointwise);
  ops.op("aten::ceil_(Tensor(a!) self) -> Tensor(a!)", kOpPointwise).spelled("torch.ceil_ .ceil_");
  ops.op("aten::celu(Tensor self, Scalar alpha=1.) -> Tensor", kOpPointwise).spelled("torch.celu");
  ops.op("aten::celu.out(Tensor self, Scalar alpha=1., *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::celu_(Tensor(a!) self, Scalar alpha=1.) -> Tensor(a!)", kOpPointwise)
      .spelled("torch.celu_ torch.nn.functional.celu_");
  ops.op("aten::chalf(Tensor self, *, MemoryFormat? memory_format=None) -> Tensor").spelled(".chalf");
  ops.op("aten::clamp(Tensor self, Scalar? min=None, Scalar? max=None) -> Tensor", kOpCore | kOpPointwise)
      .spelled("torch.clamp .clamp");
  ops.op("aten::clamp.Tensor(Tensor self, Tensor? min=None, Tensor? max=None) -> Tensor",
         kOpCore | kOpPointwise);
  ops.op("aten::clamp.Tensor_out(Tensor self, Tensor? min=None, Tensor? max=None, *, Tensor(a!) out) -> "
         "Tensor(a!)", kOpPointwise);
  ops.op("aten::clamp.out(Tensor self, Scalar? min=None, Scalar? max=None, *, Tensor(a!) out) -> "
         "Tensor(a!)", kOpPointwise);
  ops.op("aten::clamp_(Tensor(a!) self, Scalar? min=None, Scalar? max=None) -> Tensor(a!)", kOpPointwise)
      .spelled("torch.clamp_ .clamp_");
  ops.op("aten::clamp_.Tensor(Tensor(a!) self, Tensor? min=None, Tensor? max=None) -> Tensor(a!)",
         kOpPointwise);
  ops.op("aten::clamp_max(Tensor self, Scalar max) -> Tensor", kOpPointwise)
      .spelled("torch.clamp_max .clamp_max");
  ops.op("aten::clamp_max.Tensor(Tensor self, Tensor max) -> Tensor", kOpPointwise);
  ops.op("aten::clamp_max.Tensor_out(Tensor self, Tensor max, *, Tensor(a!) out) -> Tensor(a!)",
         kOpPointwise);
  ops.op("aten::clamp_max.out(Tensor self, Scalar max, *, Tensor(a!) out) -> Tensor(a!)", kOpPointwise);
  ops.op("aten::clamp_max_(Tensor(a!) self, Scalar max) -> Tensor(a!)", kOpPointwise)
      .spelled("torch.clamp_max_ .clamp_max_");
  ops.op("aten::clamp_max_.Tensor(Tensor(a!) self, Tensor max) -> Tensor(a!)", kOpPointwise);
  ops.op("aten::clamp_min(Tensor self, Scalar min) -> Tensor", kOpPointwise)
      .spelled("torch.clamp_min .clamp_min");
  ops.op("aten::clamp_min.Tensor(Tensor self, Tensor min) -> Tensor", kOpPointwise);
  ops.op("aten::clamp_min.Tensor_out(Tensor self, Tensor min, *, Tensor(a!) out) -> Tensor(a!)",
         kOpPointwise);
  ops.op("aten::clamp_min.out(Tensor self, Scalar min, *, Tensor(a!) out) -> Tensor(a!)", kOpPointwise);
  ops.op("aten::clamp_min_(Tensor(a!) self, Scalar min) -> Tensor(a!)", kOpPointwise)
      .spelled("torch.clamp_min_ .clamp_min_");
  ops.op("aten::clamp_min_.Tensor(Tensor(a!) self, Tensor min) -> Tensor(a!)", kOpPointwise);
  ops.op("aten::clip(Tensor self, Scalar? min=None, Scalar? max=None) -> Tensor", kOpPointwise)
      .spelled("torch.clip .clip");
  ops.op("aten::clip.Tensor(Tensor self, Tensor? min=None, Tensor? max=None) -> Tensor", kOpPointwise);
  ops.op("aten::clip.Tensor_out(Tensor self, Tensor? min=None, Tensor? max=None, *, Tensor(a!) out) -> "
         "Tensor(a!)");
  ops.op("aten::clip.out(Tensor self, Scalar? min=None, Scalar? max=None, *, Tensor(a!) out) -> Tensor(a!)",
         kOpPointwise);
  ops.op("aten::clip_(Tensor(a!) self, Scalar? min=None, Scalar? max=None) -> Tensor(a!)", kOpPointwise)
      .spelled("torch.clip_ .clip_");
  ops.op("aten::clip_.Tensor(Tensor(a!) self, Tensor? min=None, Tensor? max=None) -> Tensor(a!)",
         kOpPointwise);
  ops.op("aten::copysign.Scalar(Tensor self, Scalar other) -> Tensor", kOpPointwise)
      .spelled("torch.copysign .copysign");
  ops.op("aten::copysign.Scalar_out(Tensor self, Scalar other, *, Tensor(a!) out) -> Tensor(a!)",
         kOpPointwise);
  ops.op("aten::copysign.Tensor(Tensor self, Tensor other) -> Tensor", kOpPointwise);
  ops.op("aten::copysign.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)", kOpPointwise);
  ops.op("aten::copysign_.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!)").spelled(".copysign_");
  ops.op("aten::copysign_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)");
  ops.op("aten::cos(Tensor self) -> Tensor", kOpCore | kOpPointwise).spelled("torch.cos .cos");
  ops.op("aten::cos.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", kOpPointwise);
  ops.op("aten::cos_(Tensor(a!) self) -> Tensor(a!)", kOpPointwise).spelled("torch.cos_ .cos_");
  ops.op("aten::cosh(Tensor self) -> Tensor", kOpCore | kOpPointwise).spelled("torch.cosh .cosh");
  ops.op("aten::cosh.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", kOpPointwise);
  ops.op("aten::cosh_(Tensor(a!) self) -> Tensor(a!)", kOpPointwise).spelled("torch.cosh_ .cosh_");
  ops.op("aten::deg2rad(Tensor self) -> Tensor", kOpPointwise).spelled("torch.deg2rad .deg2rad");
  ops.op("aten::deg2rad.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", kOpPointwise);
  ops.op("aten::deg2rad_(Tensor(a!) self) -> Tensor(a!)", kOpPointwise).spelled("torch.deg2rad_ .deg2rad_");
  ops.op("aten::div.Scalar(Tensor self, Scalar other) -> Tensor", kOpCore | kOpPointwise)
      .spelled("torch.div .div operator.truediv");
  ops.op("aten::div.Scalar_mode(Tensor self, Scalar other, *, str? rounding_mode) -> Tensor",
         kOpCore | kOpPointwise);
  ops.op("aten::div.Scalar_mode_out(Tensor self, Scalar other, *, str? rounding_mode, "
         "Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::div.Scalar_out(Tensor self, Scalar other, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::div.Tensor(Tensor self, Tensor other) -> Tensor", kOpCore | kOpPointwise);
  ops.op("aten::div.Tensor_mode(Tensor self, Tensor other, *, str? rounding_mode) -> Tensor",
         kOpCore | kOpPointwise);
  ops.op("aten::div.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)", kOpPointwise);
  ops.op("aten::div.out_mode(Tensor self, Tensor other, *, str? rounding_mode, Tensor(a!) out) -> "
         "Tensor(a!)", kOpPointwise);
  ops.op("aten::div_.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!)", kOpPointwise)
      .spelled(".div_ operator.itruediv");
  ops.op("aten::div_.Scalar_mode(Tensor(a!) self, Scalar other, *, str? rounding_mode) -> Tensor(a!)",
         kOpPointwise);
  ops.op("aten::div_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)", kOpPointwise);
  ops.op("aten::div_.Tensor_mode(Tensor(a!) self, Tensor other, *, str? rounding_mode) -> Tensor(a!)",
         kOpPointwise);
  ops.op("aten::divide.Scalar(Tensor self, Scalar other) -> Tensor").spelled("torch.divide .divide");
  ops.op("aten::divide.Scalar_mode(Tensor self, Scalar other, *, str? rounding_mode) -> Tensor");
  ops.op("aten::divide.Tensor(Tensor self, Tensor other) -> Tensor");
  ops.op("aten::divide.Tensor_mode(Tensor self, Tensor other, *, str? rounding_mode) -> Tensor");
  ops.op("aten::divide.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::divide.out_mode(Tensor self, Tensor other, *, str? rounding_mode, Tensor(a!) out) -> "
         "Tensor(a!)");
  ops.op("aten::divide_.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!)").spelled(".divide_");
  ops.op("aten::divide_.Scalar_mode(Tensor(a!) self, Scalar other, *, str? rounding_mode) -> Tensor(a!)");
  ops.op("aten::divide_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)");
  ops.op("aten::divide_.Tensor_mode(Tensor(a!) self, Tensor other, *, str? rounding_mode) -> Tensor(a!)");
  ops.op("aten::elu(Tensor self, Scalar alpha=1, Scalar scale=1, Scalar input_scale=1) -> Tensor",
         kOpCore | kOpPointwise).spelled("torch._C._nn.elu");
  ops.op("aten::elu.out(Tensor self, Scalar alpha=1, Scalar scale=1, Scalar input_scale=1, *, "
         "Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::elu_(Tensor(a!) self, Scalar alpha=1, Scalar scale=1, Scalar input_scale=1) -> Tensor(a!)",
         kOpPointwise).spelled("torch._C._nn.elu_ torch.nn.functional.elu_");
  ops.op("aten::eq.Scalar(Tensor self, Scalar other) -> Tensor", kOpCore | kOpPointwise)
      .spelled("torch.eq .__eq__ .eq operator.eq");
  ops.op("aten::eq.Scalar_out(Tensor self, Scalar other, *, Tensor(a!) out) -> Tensor(a!)", kOpPointwise);
  ops.op("aten::eq.Tensor(Tensor self, Tensor other) -> Tensor", kOpCore | kOpPointwise);
  ops.op("aten::eq.Tensor_out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)", kOpPointwise);
  ops.op("aten::eq_.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!)").spelled(".eq_");
  ops.op("aten::eq_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)");
  ops.op("aten::exp(Tensor self) -> Tensor", kOpCore | kOpPointwise).spelled("torch.exp .exp");
  ops.op("aten::exp.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", kOpPointwise);
  ops.op("aten::exp2(Tensor self) -> Tensor", kOpPointwise).spelled("torch.exp2 .exp2");
  ops.op("aten::exp2.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", kOpPointwise);
  ops.op("aten::exp2_(Tensor(a!) self) -> Tensor(a!)", kOpPointwise).spelled("torch.exp2_ .exp2_");
  ops.op("aten::exp_(Tensor(a!) self) -> Tensor(a!)", kOpPointwise).spelled("torch.exp_ .exp_");
  ops.op("aten::expm1(Tensor self) -> Tensor", kOpCore | kOpPointwise).spelled("torch.expm1 .expm1");
  ops.op("aten::expm1.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", kOpPointwise);
  ops.op("aten::expm1_(Tensor(a!) self) -> Tensor(a!)", kOpPointwise).spelled("torch.expm1_ .expm1_");
  ops.op("aten::fix(Tensor self) -> Tensor").spelled("torch.fix .fix");
  ops.op("aten::fix.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::fix_(Tensor(a!) self) -> Tensor(a!)").spelled("torch.fix_ .fix_");
  ops.op("aten::float_power.Scalar(Scalar self, Tensor exponent) -> Tensor", kOpPointwise)
      .spelled("torch.float_power .float_power");
  ops.op("aten::float_power.Scalar_out(Scalar self, Tensor exponent, *, Tensor(a!) out) -> Tensor(a!)",
         kOpPointwise);
  ops.op("aten::float_power.Tensor_Scalar(Tensor self, Scalar exponent) -> Tensor", kOpPointwise);
  ops.op("aten::float_power.Tensor_Scalar_out(Tensor self, Scalar exponent, *, Tensor(a!) out) -> "
         "Tensor(a!)", kOpPointwise);
  ops.op("aten::float_power.Tensor_Tensor(Tensor self, Tensor exponent) -> Tensor", kOpPointwise);
  ops.op("aten::float_power.Tensor_Tensor_out(Tensor self, Tensor exponent, *, Tensor(a!) out) -> "
         "Tensor(a!)", kOpPointwise);
  ops.op("aten::float_power_.Scalar(Tensor(a!) self, Scalar exponent) -> Tensor(a!)", kOpPointwise)
      .spelled(".float_power_");
  ops.op("aten::float_power_.Tensor(Tensor(a!) self, Tensor exponent) -> Tensor(a!)", kOpPointwise);
  ops.op("aten::floor(Tensor self) -> Tensor", kOpCore | kOpPointwise).spelled("torch.floor .floor");
  ops.op("aten::floor.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", kOpPointwise);
  ops.op("aten::floor_(Tensor(a!) self) -> Tensor(a!)", kOpPointwise).spelled("torch.floor_ .floor_");
  ops.op("aten::floor_divide(Tensor self, Tensor other) -> Tensor")
      .spelled("torch.floor_divide .floor_divide operator.floordiv");
  ops.op("aten::floor_divide.Scalar(Tensor self, Scalar other) -> Tensor");
  ops.op("aten::floor_divide.Scalar_out(Tensor self, Scalar other, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::floor_divide.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::floor_divide_.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!)")
      .spelled(".floor_divide_ operator.ifloordiv");
  ops.op("aten::floor_divide_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)");
  ops.op("aten::fmax(Tensor self, Tensor other) -> Tensor", kOpPointwise).spelled("torch.fmax .fmax");
  ops.op("aten::fmax.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)", kOpPointwise);
}
// clang-format on

}  // namespace descry::ir
