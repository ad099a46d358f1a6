// Ops that Inductor and the functional random state add.
#include "ir/ops/tables.h"

namespace descry::ir {

// clang-format off
void registerInductor(OpRegistry& ops) {
  ops.op("inductor::_alloc_from_pool(Tensor self, int offset_bytes, ScalarType dtype, int[] size, "
         "int[] stride) -> Tensor");
  ops.op("inductor::_mm_plus_mm(Tensor a, Tensor b, Tensor c, Tensor d, Tensor(t!) out) -> Tensor(t!)");
  ops.op("inductor::_reinterpret_tensor(Tensor self, int[] size, int[] stride, "
         "int offset_increment=0) -> Tensor");
  ops.op("inductor::accumulate_grad_(Tensor variable, Tensor? variable_grad, Tensor? new_grad) -> Tensor?",
         kOpSideEffect);
  ops.op("inductor::quack_symmetric_mm(Tensor x) -> Tensor");
  ops.op("inductor::resize_storage_bytes_(Tensor variable, SymInt new_size) -> ()", kOpSideEffect);
  ops.op("inductor_prims::inductor_reserve_rng_state(Generator? generator, SymInt increment) -> "
         "(Tensor, Tensor, Tensor)");
  ops.op("rngprims::philox_rand(SymInt[] size, Tensor seed, Tensor offset, int[]? stride, "
         "Device? device=None, ScalarType? dtype=None) -> (Tensor, Tensor)", kOpRandom);
}
// clang-format on

}  // namespace descry::ir
