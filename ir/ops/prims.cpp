// The prims dialect: what reference decompositions end in.
#include "ir/ops/tables.h"

namespace descry::ir {

// clang-format off
void registerPrims(OpRegistry& ops) {
  ops.op("prims::_low_memory_max_pool_offsets_to_indices(Tensor self, SymInt[] kernel_size, "
         "SymInt[] input_size, SymInt[] stride, SymInt[] padding, SymInt[] dilation) -> Tensor");
  ops.op("prims::_low_memory_max_pool_with_offsets(Tensor self, SymInt[] kernel_size, SymInt[] stride, "
         "SymInt[] padding, SymInt[] dilation, bool ceil_mode) -> (Tensor, Tensor)");
  ops.op("prims::_make_token() -> Tensor");
  ops.op("prims::_sink_tokens(Tensor[] tokens) -> ()", kOpSideEffect);
  ops.op("prims::_unsafe_index_put_(Tensor(a!) self, Tensor?[] indices, Tensor values, "
         "bool accumulate=False) -> Tensor(a!)");
  ops.op("prims::abs(Tensor self) -> Tensor", kOpPointwise);
  ops.op("prims::acos(Tensor self) -> Tensor");
  ops.op("prims::acosh(Tensor self) -> Tensor");
  ops.op("prims::add(Tensor self, Tensor other) -> Tensor");
  ops.op("prims::amax(Tensor inp, int[]? dims, *, ScalarType? output_dtype=None) -> Tensor", kOpReduction);
  ops.op("prims::amin(Tensor inp, int[]? dims, *, ScalarType? output_dtype=None) -> Tensor", kOpReduction);
  ops.op("prims::as_strided(Tensor(a!) a, SymInt[] size, SymInt[] stride, SymInt storage_offset) -> "
         "Tensor(a!)");
  ops.op("prims::as_strided_scatter(Tensor self, Tensor src, SymInt[] size, SymInt[] stride, "
         "SymInt storage_offset) -> Tensor");
  ops.op("prims::asin(Tensor self) -> Tensor");
  ops.op("prims::asinh(Tensor self) -> Tensor");
  ops.op("prims::atan(Tensor self) -> Tensor");
  ops.op("prims::atan2(Tensor self, Tensor other) -> Tensor");
  ops.op("prims::atanh(Tensor self) -> Tensor");
  ops.op("prims::bessel_i0(Tensor self) -> Tensor");
  ops.op("prims::bessel_i0e(Tensor self) -> Tensor");
  ops.op("prims::bessel_i1(Tensor self) -> Tensor");
  ops.op("prims::bessel_i1e(Tensor self) -> Tensor");
  ops.op("prims::bessel_j0(Tensor self) -> Tensor");
  ops.op("prims::bessel_j1(Tensor self) -> Tensor");
  ops.op("prims::bitwise_and(Tensor self, Tensor other) -> Tensor");
  ops.op("prims::bitwise_not(Tensor self) -> Tensor", kOpPointwise);
  ops.op("prims::bitwise_or(Tensor self, Tensor other) -> Tensor");
  ops.op("prims::bitwise_xor(Tensor self, Tensor other) -> Tensor");
  ops.op("prims::broadcast_in_dim(Tensor(a) a, SymInt[] shape, int[] broadcast_dimensions) -> Tensor(a)");
  ops.op("prims::cat(Tensor[] tensors, int dim) -> Tensor");
  ops.op("prims::cbrt(Tensor self) -> Tensor");
  ops.op("prims::ceil(Tensor self) -> Tensor");
  ops.op("prims::clone(Tensor self, *, MemoryFormat? memory_format=None) -> Tensor");
  ops.op("prims::collapse(Tensor a, int start, int end) -> Tensor");
  ops.op("prims::collapse_view(Tensor(a) a, int start, int end) -> Tensor(a)");
  ops.op("prims::conj(Tensor(a) a) -> Tensor(a)");
  ops.op("prims::conj_physical(Tensor self) -> Tensor", kOpPointwise);
  ops.op("prims::convert_element_type(Tensor a, ScalarType dtype) -> Tensor", kOpPointwise);
  ops.op("prims::copy_strided(Tensor a, SymInt[] stride) -> Tensor");
  ops.op("prims::copy_to(Tensor(a!) a, Tensor b) -> Tensor(a!)");
  ops.op("prims::cos(Tensor self) -> Tensor");
  ops.op("prims::cosh(Tensor self) -> Tensor");
  ops.op("prims::device_put(Tensor a, Device device, bool non_blocking=False) -> Tensor");
  ops.op("prims::digamma(Tensor self) -> Tensor", kOpPointwise);
  ops.op("prims::div(Tensor self, Tensor other) -> Tensor");
  ops.op("prims::empty(SymInt[] shape, *, ScalarType dtype, Device device, bool requires_grad) -> Tensor");
  ops.op("prims::empty_permuted(SymInt[] shape, int[] physical_layout, *, ScalarType dtype, "
         "Device device, bool requires_grad) -> Tensor");
  ops.op("prims::empty_strided(SymInt[] shape, SymInt[] strides, *, ScalarType dtype, Device device, "
         "bool requires_grad) -> Tensor");
  ops.op("prims::eq(Tensor self, Tensor other) -> Tensor");
  ops.op("prims::erf(Tensor self) -> Tensor");
  ops.op("prims::erf_inv(Tensor self) -> Tensor");
  ops.op("prims::erfc(Tensor self) -> Tensor");
  ops.op("prims::erfcx(Tensor self) -> Tensor");
  ops.op("prims::exp(Tensor self) -> Tensor");
  ops.op("prims::exp2(Tensor self) -> Tensor", kOpPointwise);
  ops.op("prims::expm1(Tensor self) -> Tensor");
  ops.op("prims::fft_c2c(Tensor self, *, int[] dim, bool forward) -> Tensor");
  ops.op("prims::fft_c2r(Tensor self, *, int[] dim, SymInt last_dim_size) -> Tensor");
  ops.op("prims::fft_r2c(Tensor self, *, int[] dim, bool onesided) -> Tensor");
  ops.op("prims::fill(Tensor self, Scalar value) -> Tensor");
  ops.op("prims::floor(Tensor self) -> Tensor");
  ops.op("prims::fma(Tensor a, Tensor b, Tensor c) -> Tensor", kOpPointwise);
  ops.op("prims::fmax(Tensor self, Tensor other) -> Tensor", kOpPointwise);
  ops.op("prims::fmin(Tensor self, Tensor other) -> Tensor", kOpPointwise);
  ops.op("prims::fmod(Tensor self, Tensor other) -> Tensor");
  ops.op("prims::frexp(Tensor self) -> (Tensor mantissa, Tensor exponent)");
  ops.op("prims::full(SymInt[] shape, Scalar fill_value, *, ScalarType dtype, Device device, "
         "bool requires_grad) -> Tensor");
  ops.op("prims::full_like(Tensor a, Scalar fill_value, *, ScalarType dtype, Device device, "
         "bool requires_grad) -> Tensor");
  ops.op("prims::gcd(Tensor self, Tensor other) -> Tensor");
  ops.op("prims::ge(Tensor self, Tensor other) -> Tensor");
  ops.op("prims::gt(Tensor self, Tensor other) -> Tensor");
  ops.op("prims::hypot(Tensor self, Tensor other) -> Tensor", kOpPointwise);
  ops.op("prims::igamma(Tensor self, Tensor other) -> Tensor", kOpPointwise);
  ops.op("prims::igammac(Tensor self, Tensor other) -> Tensor", kOpPointwise);
  ops.op("prims::imag(Tensor(a) self) -> Tensor(a)");
  ops.op("prims::inductor_cvt_e8m0_rceil(Tensor input) -> Tensor");
  ops.op("prims::inductor_force_stride_order(Tensor input, SymInt[] stride) -> Tensor");
  ops.op("prims::inductor_lookup_seed(Tensor seeds, int index) -> Tensor");
  ops.op("prims::inductor_rand_eager_offset(SymInt offset, Device device) -> Tensor", kOpRandom);
  ops.op("prims::inductor_rand_eager_offsets(SymInt[] offsets, Device device) -> Tensor", kOpRandom);
  ops.op("prims::inductor_randint(SymInt low, SymInt high, SymInt[] size, Tensor seed) -> Tensor");
  ops.op("prims::inductor_random(SymInt[] size, Tensor seed, str mode, *, "
         "ScalarType? align_dtype=None) -> Tensor");
  ops.op("prims::inductor_seed(Device device) -> Tensor", kOpRandom);
  ops.op("prims::inductor_seeds(int count, Device device) -> Tensor", kOpRandom);
  ops.op("prims::iota(SymInt length, *, SymInt start, SymInt step, ScalarType dtype, Device device, "
         "bool requires_grad) -> Tensor");
  ops.op("prims::isfinite(Tensor self) -> Tensor");
  ops.op("prims::item(Tensor a) -> Scalar");
  ops.op("prims::le(Tensor self, Tensor other) -> Tensor");
  ops.op("prims::lgamma(Tensor self) -> Tensor");
  ops.op("prims::log(Tensor self) -> Tensor");
  ops.op("prims::log10(Tensor self) -> Tensor");
  ops.op("prims::log1p(Tensor self) -> Tensor");
  ops.op("prims::log2(Tensor self) -> Tensor", kOpPointwise);
  ops.op("prims::lt(Tensor self, Tensor other) -> Tensor");
  ops.op("prims::maximum(Tensor self, Tensor other) -> Tensor", kOpPointwise);
  ops.op("prims::maximum_value(ScalarType dtype) -> Scalar");
  ops.op("prims::minimum(Tensor self, Tensor other) -> Tensor", kOpPointwise);
  ops.op("prims::minimum_value(ScalarType dtype) -> Scalar");
  ops.op("prims::mul(Tensor self, Tensor other) -> Tensor");
  ops.op("prims::ndtri(Tensor self) -> Tensor");
  ops.op("prims::ne(Tensor self, Tensor other) -> Tensor");
  ops.op("prims::neg(Tensor self) -> Tensor");
  ops.op("prims::nextafter(Tensor self, Tensor other) -> Tensor", kOpPointwise);
  ops.op("prims::normal(SymInt[] shape, *, Scalar mean, Scalar std, ScalarType dtype, Device device, "
         "bool requires_grad, Generator? generator=None) -> Tensor", kOpRandom);
  ops.op("prims::pow(Tensor self, Tensor other) -> Tensor");
  ops.op("prims::prepare_softmax_online(Tensor a, int dim) -> (Tensor, Tensor)");
  ops.op("prims::prod(Tensor inp, int[]? dims, *, ScalarType? output_dtype=None) -> Tensor");
  ops.op("prims::real(Tensor(a) self) -> Tensor(a)");
  ops.op("prims::reciprocal(Tensor self) -> Tensor", kOpPointwise);
  ops.op("prims::remainder(Tensor self, Tensor other) -> Tensor");
  ops.op("prims::reshape(Tensor a, SymInt[] shape) -> Tensor");
  ops.op("prims::resize(Tensor(a!) a, SymInt[] shape) -> Tensor(a!)");
  ops.op("prims::rev(Tensor a, int[] dims) -> Tensor");
  ops.op("prims::round(Tensor self) -> Tensor");
  ops.op("prims::rsqrt(Tensor self) -> Tensor", kOpPointwise);
  ops.op("prims::scalar_tensor(Scalar s, *, ScalarType? dtype=None, Device? device=None) -> Tensor");
  ops.op("prims::shift_left(Tensor self, Tensor other) -> Tensor");
  ops.op("prims::shift_right_arithmetic(Tensor self, Tensor other) -> Tensor");
  ops.op("prims::sign(Tensor self) -> Tensor", kOpPointwise);
  ops.op("prims::signbit(Tensor self) -> Tensor", kOpPointwise);
  ops.op("prims::sin(Tensor self) -> Tensor");
  ops.op("prims::sinh(Tensor self) -> Tensor");
  ops.op("prims::spherical_bessel_j0(Tensor self) -> Tensor");
  ops.op("prims::split_dim(Tensor(a) a, int dim, SymInt outer_length) -> Tensor(a)");
  ops.op("prims::sqrt(Tensor self) -> Tensor");
  ops.op("prims::squeeze(Tensor(a) a, int[] dimensions) -> Tensor(a)");
  ops.op("prims::sub(Tensor self, Tensor other) -> Tensor");
  ops.op("prims::sum(Tensor inp, int[]? dims, *, ScalarType? output_dtype=None) -> Tensor");
  ops.op("prims::svd(Tensor A, *, bool full_matrices) -> (Tensor U, Tensor S, Tensor Vh)");
  ops.op("prims::tan(Tensor self) -> Tensor");
  ops.op("prims::tanh(Tensor self) -> Tensor");
  ops.op("prims::transpose(Tensor(a) a, int[] permutation) -> Tensor(a)");
  ops.op("prims::trunc(Tensor self) -> Tensor", kOpPointwise);
  ops.op("prims::uniform(SymInt[] shape, *, Scalar low, Scalar high, ScalarType dtype, Device device, "
         "SymInt[] stride, Generator? generator=None) -> Tensor", kOpRandom);
  ops.op("prims::var(Tensor inp, int[]? dims, float? correction=1, *, ScalarType? output_dtype=None) -> "
         "Tensor", kOpReduction);
  ops.op("prims::view_of(Tensor(a) a) -> Tensor(a)");
  ops.op("prims::view_of_dtype(Tensor(a) a, ScalarType dtype) -> Tensor(a)");
  ops.op("prims::where(Tensor pred, Tensor a, Tensor b) -> Tensor");
  ops.op("prims::xor_sum(Tensor inp, int[]? dims, *, ScalarType? output_dtype=None) -> Tensor");
  ops.op("prims::zeta(Tensor self, Tensor other) -> Tensor");
}
// clang-format on

}  // namespace descry::ir
