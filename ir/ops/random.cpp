// Ops that read the random state.
#include "ir/ops/tables.h"

namespace descry::ir {

// clang-format off
void registerRandom(OpRegistry& ops) {
  ops.op("aten::_dirichlet_grad(Tensor x, Tensor alpha, Tensor total) -> Tensor")
      .spelled("torch._dirichlet_grad");
  ops.op("aten::_dirichlet_grad.out(Tensor x, Tensor alpha, Tensor total, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::_fused_dropout(Tensor self, float p, Generator? generator=None) -> (Tensor, Tensor)",
         kOpRandom).spelled("torch._fused_dropout");
  ops.op("aten::_fused_dropout.out(Tensor self, float p, Generator? generator=None, *, Tensor(a!) out0, "
         "Tensor(b!) out1) -> (Tensor(a!), Tensor(b!))", kOpRandom);
  ops.op("aten::_masked_scale(Tensor self, Tensor mask, float scale) -> Tensor")
      .spelled("torch._masked_scale");
  ops.op("aten::_masked_scale.out(Tensor self, Tensor mask, float scale, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::_philox_key_fold_in(Tensor key, int data) -> Tensor").spelled("torch._philox_key_fold_in");
  ops.op("aten::_philox_key_fold_in.Tensor(Tensor key, Tensor data) -> Tensor");
  ops.op("aten::_philox_key_split(Tensor key, int num_splits) -> Tensor").spelled("torch._philox_key_split");
  ops.op("aten::_philox_normal(Tensor self, Tensor key, float mean=0., float std=1.) -> Tensor");
  ops.op("aten::_philox_normal.out(Tensor self, Tensor key, float mean=0., float std=1., *, "
         "Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::_philox_normal_(Tensor(a!) self, Tensor key, float mean=0., float std=1.) -> Tensor(a!)")
      .spelled("torch._philox_normal_ ._philox_normal_");
  ops.op("aten::_philox_randint(Tensor self, Tensor key, int? low=None, int? high=None) -> Tensor");
  ops.op("aten::_philox_randint.out(Tensor self, Tensor key, int? low=None, int? high=None, *, "
         "Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::_philox_randint_(Tensor(a!) self, Tensor key, int? low=None, int? high=None) -> Tensor(a!)")
      .spelled("torch._philox_randint_ ._philox_randint_");
  ops.op("aten::_philox_uniform(Tensor self, Tensor key, float low=0., float high=1.) -> Tensor");
  ops.op("aten::_philox_uniform.out(Tensor self, Tensor key, float low=0., float high=1., *, "
         "Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::_philox_uniform_(Tensor(a!) self, Tensor key, float low=0., float high=1.) -> Tensor(a!)")
      .spelled("torch._philox_uniform_ ._philox_uniform_");
  ops.op("aten::_sample_dirichlet(Tensor self, Generator? generator=None) -> Tensor", kOpRandom)
      .spelled("torch._sample_dirichlet");
  ops.op("aten::_sample_dirichlet.out(Tensor self, Generator? generator=None, *, Tensor(a!) out) -> "
         "Tensor(a!)", kOpRandom);
  ops.op("aten::_standard_gamma(Tensor self, Generator? generator=None) -> Tensor", kOpRandom)
      .spelled("torch._standard_gamma");
  ops.op("aten::_standard_gamma.out(Tensor self, Generator? generator=None, *, Tensor(a!) out) -> "
         "Tensor(a!)", kOpRandom);
  ops.op("aten::_standard_gamma_grad(Tensor self, Tensor output) -> Tensor")
      .spelled("torch._standard_gamma_grad");
  ops.op("aten::_standard_gamma_grad.out(Tensor self, Tensor output, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::alpha_dropout(Tensor input, float p, bool train) -> Tensor", kOpRandom)
      .spelled("torch.alpha_dropout");
  ops.op("aten::alpha_dropout_(Tensor(a!) self, float p, bool train) -> Tensor(a!)", kOpRandom)
      .spelled("torch.alpha_dropout_");
  ops.op("aten::bernoulli(Tensor self, *, Generator? generator=None) -> Tensor", kOpRandom)
      .spelled("torch.bernoulli .bernoulli");
  ops.op("aten::bernoulli.Tensor(Tensor self, Tensor p, *, Generator? generator=None) -> Tensor", kOpRandom);
  ops.op("aten::bernoulli.Tensor_out(Tensor self, Tensor p, *, Generator? generator=None, "
         "Tensor(a!) out) -> Tensor(a!)", kOpRandom);
  ops.op("aten::bernoulli.float_out(Tensor self, float p=0.5, *, Generator? generator=None, "
         "Tensor(a!) out) -> Tensor(a!)", kOpRandom);
  ops.op("aten::bernoulli.out(Tensor self, *, Generator? generator=None, Tensor(a!) out) -> Tensor(a!)",
         kOpRandom);
  ops.op("aten::bernoulli.p(Tensor self, float p, *, Generator? generator=None) -> Tensor", kOpRandom);
  ops.op("aten::bernoulli_.Tensor(Tensor(a!) self, Tensor p, *, Generator? generator=None) -> Tensor(a!)",
         kOpRandom).spelled(".bernoulli_");
  ops.op("aten::bernoulli_.float(Tensor(a!) self, float p=0.5, *, Generator? generator=None) -> Tensor(a!)",
         kOpRandom);
  ops.op("aten::binomial(Tensor count, Tensor prob, Generator? generator=None) -> Tensor", kOpRandom)
      .spelled("torch.binomial");
  ops.op("aten::binomial.out(Tensor count, Tensor prob, Generator? generator=None, *, "
         "Tensor(a!) out) -> Tensor(a!)", kOpRandom);
  ops.op("aten::cauchy(Tensor self, float median=0., float sigma=1., *, Generator? generator=None) -> "
         "Tensor", kOpRandom);
  ops.op("aten::cauchy.out(Tensor self, float median=0., float sigma=1., *, Generator? generator=None, "
         "Tensor(a!) out) -> Tensor(a!)", kOpRandom);
  ops.op("aten::cauchy_(Tensor(a!) self, float median=0., float sigma=1., *, "
         "Generator? generator=None) -> Tensor(a!)", kOpRandom).spelled(".cauchy_");
  ops.op("aten::dropout(Tensor input, float p, bool train) -> Tensor", kOpRandom).spelled("torch.dropout");
  ops.op("aten::dropout_(Tensor(a!) self, float p, bool train) -> Tensor(a!)", kOpRandom)
      .spelled("torch.dropout_");
  ops.op("aten::exponential(Tensor self, float lambd=1., *, Generator? generator=None) -> Tensor", kOpRandom);
  ops.op("aten::exponential.out(Tensor self, float lambd=1., *, Generator? generator=None, "
         "Tensor(a!) out) -> Tensor(a!)", kOpRandom);
  ops.op("aten::exponential_(Tensor(a!) self, float lambd=1., *, Generator? generator=None) -> Tensor(a!)",
         kOpRandom).spelled(".exponential_");
  ops.op("aten::feature_alpha_dropout(Tensor input, float p, bool train) -> Tensor", kOpRandom)
      .spelled("torch.feature_alpha_dropout");
  ops.op("aten::feature_alpha_dropout_(Tensor(a!) self, float p, bool train) -> Tensor(a!)", kOpRandom)
      .spelled("torch.feature_alpha_dropout_");
  ops.op("aten::feature_dropout(Tensor input, float p, bool train) -> Tensor", kOpRandom)
      .spelled("torch.feature_dropout");
  ops.op("aten::feature_dropout_(Tensor(a!) self, float p, bool train) -> Tensor(a!)", kOpRandom)
      .spelled("torch.feature_dropout_");
  ops.op("aten::geometric(Tensor self, float p, *, Generator? generator=None) -> Tensor", kOpRandom);
  ops.op("aten::geometric.out(Tensor self, float p, *, Generator? generator=None, Tensor(a!) out) -> "
         "Tensor(a!)", kOpRandom);
  ops.op("aten::geometric_(Tensor(a!) self, float p, *, Generator? generator=None) -> Tensor(a!)", kOpRandom)
      .spelled(".geometric_");
  ops.op("aten::log_normal(Tensor self, float mean=1., float std=2., *, Generator? generator=None) -> "
         "Tensor", kOpRandom);
  ops.op("aten::log_normal.out(Tensor self, float mean=1., float std=2., *, Generator? generator=None, "
         "Tensor(a!) out) -> Tensor(a!)", kOpRandom);
  ops.op("aten::log_normal_(Tensor(a!) self, float mean=1., float std=2., *, "
         "Generator? generator=None) -> Tensor(a!)", kOpRandom).spelled(".log_normal_");
  ops.op("aten::multinomial(Tensor self, SymInt num_samples, bool replacement=False, *, "
         "Generator? generator=None) -> Tensor", kOpRandom).spelled("torch.multinomial .multinomial");
  ops.op("aten::multinomial.out(Tensor self, SymInt num_samples, bool replacement=False, *, "
         "Generator? generator=None, Tensor(a!) out) -> Tensor(a!)", kOpRandom);
  ops.op("aten::native_dropout(Tensor input, float p, bool? train) -> (Tensor, Tensor)", kOpCore | kOpRandom)
      .spelled("torch.native_dropout");
  ops.op("aten::native_dropout.out(Tensor input, float p, bool? train, *, Tensor(a!) out0, "
         "Tensor(b!) out1) -> (Tensor(a!), Tensor(b!))", kOpRandom);
  ops.op("aten::native_dropout_backward(Tensor grad_output, Tensor mask, float scale) -> Tensor",
         kOpPointwise);
  ops.op("aten::native_dropout_backward.out(Tensor grad_output, Tensor mask, float scale, *, "
         "Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::normal.Tensor_Tensor(Tensor mean, Tensor std, *, Generator? generator=None) -> Tensor",
         kOpRandom).spelled("torch.normal");
  ops.op("aten::normal.Tensor_Tensor_out(Tensor mean, Tensor std, *, Generator? generator=None, "
         "Tensor(a!) out) -> Tensor(a!)", kOpRandom);
  ops.op("aten::normal.Tensor_float(Tensor mean, float std=1., *, Generator? generator=None) -> Tensor",
         kOpRandom);
  ops.op("aten::normal.Tensor_float_out(Tensor mean, float std=1., *, Generator? generator=None, "
         "Tensor(a!) out) -> Tensor(a!)", kOpRandom);
  ops.op("aten::normal.float_Tensor(float mean, Tensor std, *, Generator? generator=None) -> Tensor",
         kOpRandom);
  ops.op("aten::normal.float_Tensor_out(float mean, Tensor std, *, Generator? generator=None, "
         "Tensor(a!) out) -> Tensor(a!)", kOpRandom);
  ops.op("aten::normal.float_float(float mean, float std, SymInt[] size, *, Generator? generator=None, "
         "ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> "
         "Tensor", kOpRandom);
  ops.op("aten::normal.float_float_out(float mean, float std, SymInt[] size, *, "
         "Generator? generator=None, Tensor(a!) out) -> Tensor(a!)", kOpRandom);
  ops.op("aten::normal.out(Tensor self, float mean=0., float std=1., *, Generator? generator=None, "
         "Tensor(a!) out) -> Tensor(a!)", kOpRandom);
  ops.op("aten::normal_(Tensor(a!) self, float mean=0., float std=1., *, Generator? generator=None) -> "
         "Tensor(a!)", kOpRandom).spelled(".normal_");
  ops.op("aten::normal_functional(Tensor self, float mean=0., float std=1., *, "
         "Generator? generator=None) -> Tensor", kOpRandom);
  ops.op("aten::poisson(Tensor self, Generator? generator=None) -> Tensor", kOpRandom)
      .spelled("torch.poisson");
  ops.op("aten::poisson.out(Tensor self, Generator? generator=None, *, Tensor(a!) out) -> Tensor(a!)",
         kOpRandom);
  ops.op("aten::rand(SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, "
         "Device? device=None, bool? pin_memory=None) -> Tensor", kOpCore | kOpRandom).spelled("torch.rand");
  ops.op("aten::rand.generator(SymInt[] size, *, Generator? generator, ScalarType? dtype=None, "
         "Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor", kOpRandom);
  ops.op("aten::rand.generator_out(SymInt[] size, *, Generator? generator, Tensor(a!) out) -> Tensor(a!)",
         kOpRandom);
  ops.op("aten::rand.out(SymInt[] size, *, Tensor(a!) out) -> Tensor(a!)", kOpRandom);
  ops.op("aten::rand_like(Tensor self, *, ScalarType? dtype=None, Layout? layout=None, "
         "Device? device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor",
         kOpRandom).spelled("torch.rand_like");
  ops.op("aten::rand_like.generator(Tensor self, *, Generator? generator, ScalarType? dtype=None, "
         "Layout? layout=None, Device? device=None, bool? pin_memory=None, "
         "MemoryFormat? memory_format=None) -> Tensor", kOpRandom);
  ops.op("aten::rand_like.generator_out(Tensor self, *, Generator? generator, "
         "MemoryFormat? memory_format=None, Tensor(a!) out) -> Tensor(a!)", kOpRandom);
  ops.op("aten::rand_like.out(Tensor self, *, MemoryFormat? memory_format=None, Tensor(a!) out) -> "
         "Tensor(a!)", kOpRandom);
  ops.op("aten::randint(SymInt high, SymInt[] size, *, ScalarType? dtype=4, Layout? layout=None, "
         "Device? device=None, bool? pin_memory=None) -> Tensor", kOpRandom).spelled("torch.randint");
  ops.op("aten::randint.generator(SymInt high, SymInt[] size, *, Generator? generator, "
         "ScalarType? dtype=4, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor",
         kOpRandom);
  ops.op("aten::randint.generator_out(SymInt high, SymInt[] size, *, Generator? generator, "
         "Tensor(a!) out) -> Tensor(a!)", kOpRandom);
  ops.op("aten::randint.low(SymInt low, SymInt high, SymInt[] size, *, ScalarType? dtype=4, "
         "Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor", kOpRandom);
  ops.op("aten::randint.low_generator(SymInt low, SymInt high, SymInt[] size, *, Generator? generator, "
         "ScalarType? dtype=4, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor",
         kOpRandom);
  ops.op("aten::randint.low_generator_out(SymInt low, SymInt high, SymInt[] size, *, "
         "Generator? generator, Tensor(a!) out) -> Tensor(a!)", kOpRandom);
  ops.op("aten::randint.low_out(SymInt low, SymInt high, SymInt[] size, *, Tensor(a!) out) -> Tensor(a!)",
         kOpRandom);
  ops.op("aten::randint.out(SymInt high, SymInt[] size, *, Tensor(a!) out) -> Tensor(a!)", kOpRandom);
  ops.op("aten::randint_like(Tensor self, SymInt high, *, ScalarType? dtype=None, Layout? layout=None, "
         "Device? device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor",
         kOpRandom).spelled("torch.randint_like");
  ops.op("aten::randint_like.Tensor(Tensor self, Tensor high, *, ScalarType? dtype=None, "
         "Layout? layout=None, Device? device=None, bool? pin_memory=None, "
         "MemoryFormat? memory_format=None) -> Tensor", kOpRandom);
  ops.op("aten::randint_like.Tensor_generator(Tensor self, Tensor high, *, Generator? generator, "
         "ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, "
         "MemoryFormat? memory_format=None) -> Tensor", kOpRandom);
  ops.op("aten::randint_like.Tensor_generator_out(Tensor self, Tensor high, *, Generator? generator, "
         "MemoryFormat? memory_format=None, Tensor(a!) out) -> Tensor(a!)", kOpRandom);
  ops.op("aten::randint_like.Tensor_out(Tensor self, Tensor high, *, MemoryFormat? memory_format=None, "
         "Tensor(a!) out) -> Tensor(a!)", kOpRandom);
  ops.op("aten::randint_like.generator(Tensor self, SymInt high, *, Generator? generator, "
         "ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, "
         "MemoryFormat? memory_format=None) -> Tensor", kOpRandom);
  ops.op("aten::randint_like.generator_out(Tensor self, SymInt high, *, Generator? generator, "
         "MemoryFormat? memory_format=None, Tensor(a!) out) -> Tensor(a!)", kOpRandom);
  ops.op("aten::randint_like.low_dtype(Tensor self, SymInt low, SymInt high, *, ScalarType? dtype=None, "
         "Layout? layout=None, Device? device=None, bool? pin_memory=None, "
         "MemoryFormat? memory_format=None) -> Tensor", kOpRandom);
  ops.op("aten::randint_like.low_dtype_out(Tensor self, SymInt low, SymInt high, *, "
         "MemoryFormat? memory_format=None, Tensor(a!) out) -> Tensor(a!)", kOpRandom);
  ops.op("aten::randint_like.low_generator_dtype(Tensor self, SymInt low, SymInt high, *, "
         "Generator? generator, ScalarType? dtype=None, Layout? layout=None, Device? device=None, "
         "bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor", kOpRandom);
  ops.op("aten::randint_like.low_generator_dtype_out(Tensor self, SymInt low, SymInt high, *, "
         "Generator? generator, MemoryFormat? memory_format=None, Tensor(a!) out) -> Tensor(a!)", kOpRandom);
  ops.op("aten::randint_like.out(Tensor self, SymInt high, *, MemoryFormat? memory_format=None, "
         "Tensor(a!) out) -> Tensor(a!)", kOpRandom);
  ops.op("aten::randn(SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, "
         "Device? device=None, bool? pin_memory=None) -> Tensor", kOpCore | kOpRandom).spelled("torch.randn");
  ops.op("aten::randn.generator(SymInt[] size, *, Generator? generator, ScalarType? dtype=None, "
         "Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor", kOpRandom);
  ops.op("aten::randn.generator_out(SymInt[] size, *, Generator? generator, Tensor(a!) out) -> Tensor(a!)",
         kOpRandom);
  ops.op("aten::randn.out(SymInt[] size, *, Tensor(a!) out) -> Tensor(a!)", kOpRandom);
  ops.op("aten::randn_like(Tensor self, *, ScalarType? dtype=None, Layout? layout=None, "
         "Device? device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor",
         kOpRandom).spelled("torch.randn_like");
  ops.op("aten::randn_like.generator(Tensor self, *, Generator? generator, ScalarType? dtype=None, "
         "Layout? layout=None, Device? device=None, bool? pin_memory=None, "
         "MemoryFormat? memory_format=None) -> Tensor", kOpRandom);
  ops.op("aten::randn_like.generator_out(Tensor self, *, Generator? generator, "
         "MemoryFormat? memory_format=None, Tensor(a!) out) -> Tensor(a!)", kOpRandom);
  ops.op("aten::randn_like.out(Tensor self, *, MemoryFormat? memory_format=None, Tensor(a!) out) -> "
         "Tensor(a!)", kOpRandom);
  ops.op("aten::random(Tensor self, *, Generator? generator=None) -> Tensor", kOpRandom);
  ops.op("aten::random.from(Tensor self, int from, int? to, *, Generator? generator=None) -> Tensor",
         kOpRandom);
  ops.op("aten::random.from_out(Tensor self, int from, int? to, *, Generator? generator=None, "
         "Tensor(a!) out) -> Tensor(a!)", kOpRandom);
  ops.op("aten::random.out(Tensor self, *, Generator? generator=None, Tensor(a!) out) -> Tensor(a!)",
         kOpRandom);
  ops.op("aten::random.to(Tensor self, int to, *, Generator? generator=None) -> Tensor", kOpRandom);
  ops.op("aten::random.to_out(Tensor self, int to, *, Generator? generator=None, Tensor(a!) out) -> "
         "Tensor(a!)", kOpRandom);
  ops.op("aten::random_(Tensor(a!) self, *, Generator? generator=None) -> Tensor(a!)", kOpRandom)
      .spelled(".random_");
  ops.op("aten::random_.from(Tensor(a!) self, int from, int? to, *, Generator? generator=None) -> "
         "Tensor(a!)", kOpRandom);
  ops.op("aten::random_.to(Tensor(a!) self, int to, *, Generator? generator=None) -> Tensor(a!)", kOpRandom);
  ops.op("aten::randperm(SymInt n, *, ScalarType? dtype=4, Layout? layout=None, Device? device=None, "
         "bool? pin_memory=None) -> Tensor", kOpCore | kOpRandom).spelled("torch.randperm");
  ops.op("aten::randperm.generator(SymInt n, *, Generator? generator, ScalarType? dtype=4, "
         "Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor", kOpRandom);
  ops.op("aten::randperm.generator_out(SymInt n, *, Generator? generator, Tensor(a!) out) -> Tensor(a!)",
         kOpRandom);
  ops.op("aten::randperm.out(SymInt n, *, Tensor(a!) out) -> Tensor(a!)", kOpRandom);
  ops.op("aten::rrelu(Tensor self, Scalar lower=0.125, Scalar upper=0.33333333333333331, "
         "bool training=False, Generator? generator=None) -> Tensor", kOpPointwise | kOpRandom)
      .spelled("torch.rrelu");
  ops.op("aten::rrelu_(Tensor(a!) self, Scalar lower=0.125, Scalar upper=0.33333333333333331, "
         "bool training=False, Generator? generator=None) -> Tensor(a!)", kOpRandom)
      .spelled("torch.nn.functional.rrelu_ torch.rrelu_");
  ops.op("aten::rrelu_with_noise(Tensor self, Tensor(b!) noise, Scalar lower=0.125, "
         "Scalar upper=0.33333333333333331, bool training=False, Generator? generator=None) -> Tensor",
         kOpRandom).spelled("torch._C._nn.rrelu_with_noise");
  ops.op("aten::rrelu_with_noise.out(Tensor self, Tensor(b!) noise, Scalar lower=0.125, "
         "Scalar upper=0.33333333333333331, bool training=False, Generator? generator=None, *, "
         "Tensor(a!) out) -> Tensor(a!)", kOpRandom);
  ops.op("aten::rrelu_with_noise_(Tensor(a!) self, Tensor(b!) noise, Scalar lower=0.125, "
         "Scalar upper=0.33333333333333331, bool training=False, Generator? generator=None) -> Tensor(a!)",
         kOpRandom).spelled("torch._C._nn.rrelu_with_noise_");
  ops.op("aten::rrelu_with_noise_backward(Tensor grad_output, Tensor self, Tensor noise, Scalar lower, "
         "Scalar upper, bool training, bool self_is_result) -> Tensor");
  ops.op("aten::rrelu_with_noise_backward.out(Tensor grad_output, Tensor self, Tensor noise, "
         "Scalar lower, Scalar upper, bool training, bool self_is_result, *, Tensor(a!) out) -> "
         "Tensor(a!)");
  ops.op("aten::rrelu_with_noise_functional(Tensor self, Tensor noise, Scalar lower=0.125, "
         "Scalar upper=0.33333333333333331, bool training=False, Generator? generator=None) -> "
         "(Tensor, Tensor noise_out)", kOpRandom);
  ops.op("aten::uniform(Tensor self, float from=0., float to=1., *, Generator? generator=None) -> Tensor",
         kOpRandom);
  ops.op("aten::uniform.out(Tensor self, float from=0., float to=1., *, Generator? generator=None, "
         "Tensor(a!) out) -> Tensor(a!)", kOpRandom);
  ops.op("aten::uniform_(Tensor(a!) self, float from=0., float to=1., *, Generator? generator=None) -> "
         "Tensor(a!)", kOpRandom).spelled(".uniform_");
}
// clang-format on

}  // namespace descry::ir
