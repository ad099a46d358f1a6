// Python-level calls of captured graphs that are neither ops nor functions of torch.nn.functional: operators,
// methods that convert, context switches, and what vmap leaves behind.
#include "ir/ops/tables.h"

namespace descry::ir {

// clang-format off
void registerTorchLevel(OpRegistry& ops) {
  constexpr bool kEffect = true;

  ops.python("builtins.abs", "(x)");
  ops.python("builtins.bool", "(x)");
  ops.python("builtins.dict", "(*args, **kwargs)");
  ops.python("builtins.float", "(x)");
  ops.python("builtins.getattr", "(object, name, default=None)");
  ops.python("builtins.int", "(x)");
  ops.python("builtins.len", "(x)");
  ops.python("builtins.list", "(iterable)");
  ops.python("builtins.max", "(*args)");
  ops.python("builtins.min", "(*args)");
  ops.python("builtins.range", "(*args)");
  ops.python("builtins.round", "(x, ndigits=None)");
  ops.python("builtins.slice", "(*args)");
  ops.python("builtins.sum", "(iterable, start=0)");
  ops.python("builtins.tuple", "(iterable)");
  ops.python("getattr", "(object, name, default=None)");
  ops.python("slice", "(*args)");

  ops.python("math.ceil", "(x)");
  ops.python("math.floor", "(x)");
  ops.python("math.sqrt", "(x)");
  ops.python("math.trunc", "(x)");

  ops.python("operator.concat", "(a, b)");
  ops.python("operator.contains", "(a, b)");
  ops.python("operator.delitem", "(a, b)", kEffect);
  ops.python("operator.getitem", "(a, b)");
  ops.python("operator.iconcat", "(a, b)", kEffect);
  ops.python("operator.imatmul", "(a, b)", kEffect);
  ops.python("operator.index", "(a)");
  ops.python("operator.is_", "(a, b)");
  ops.python("operator.is_not", "(a, b)");
  ops.python("operator.not_", "(a)");
  ops.python("operator.setitem", "(a, b, c)", kEffect);
  ops.python("operator.truth", "(a)");

  ops.python(".bfloat16", "(self, memory_format=torch.preserve_format)");
  ops.python(".bool", "(self, memory_format=torch.preserve_format)");
  ops.python(".byte", "(self, memory_format=torch.preserve_format)");
  ops.python(".cdouble", "(self, memory_format=torch.preserve_format)");
  ops.python(".cfloat", "(self, memory_format=torch.preserve_format)");
  ops.python(".char", "(self, memory_format=torch.preserve_format)");
  ops.python(".cpu", "(self, memory_format=torch.preserve_format)");
  ops.python(".cuda", "(self, device=None, non_blocking=False, memory_format=torch.preserve_format)");
  ops.python(".double", "(self, memory_format=torch.preserve_format)");
  ops.python(".float", "(self, memory_format=torch.preserve_format)");
  ops.python(".half", "(self, memory_format=torch.preserve_format)");
  ops.python(".int", "(self, memory_format=torch.preserve_format)");
  ops.python(".long", "(self, memory_format=torch.preserve_format)");
  ops.python(".ndimension", "(self)");
  ops.python(".nelement", "(self)");
  ops.python(".new", "(self, *args)");
  ops.python(".new_tensor", "(self, data, *, dtype=None, device=None, requires_grad=False)");
  ops.python(".norm", "(self, p='fro', dim=None, keepdim=False, dtype=None)");
  ops.python(".numpy", "(self, *, force=False)");
  ops.python(".short", "(self, memory_format=torch.preserve_format)");
  ops.python(".size", "(self, dim=None)");
  ops.python(".stride", "(self, dim=None)");
  ops.python(".tolist", "(self)");
  ops.python(".type", "(self, dtype=None, non_blocking=False, **kwargs)");

  ops.python("torch.Size", "(iterable=())");
  ops.python("torch.as_tensor", "(data, dtype=None, device=None)");
  ops.python("torch.device", "(type, index=None)");
  ops.python("torch.dtype", "()");
  ops.python("torch.finfo", "(dtype=None)");
  ops.python("torch.iinfo", "(dtype)");
  ops.python("torch.tensor", "(data, *, dtype=None, device=None, requires_grad=False, pin_memory=False)");

  ops.python("torch._assert", "(condition, message)", kEffect);
  ops.python("torch._check", "(cond, message=None)", kEffect);
  ops.python("torch._check_is_size", "(i, message=None, *, max=None)", kEffect);
  ops.python("torch._C._autograd._push_saved_tensors_default_hooks", "(pack, unpack)", kEffect);
  ops.python("torch._C._autograd._pop_saved_tensors_default_hooks", "()", kEffect);
  ops.python("torch._C._log_api_usage_once", "(event)", kEffect);
  ops.python("torch._C._set_grad_enabled", "(enabled)", kEffect);
  ops.python("torch.amp._enter_autocast", "(*vals)", kEffect);
  ops.python("torch.amp._exit_autocast", "(mode)", kEffect);
  ops.python("torch.amp.autocast_mode._enter_autocast", "(*vals)", kEffect);
  ops.python("torch.amp.autocast_mode._exit_autocast", "(mode)", kEffect);
  ops.python("torch.autograd.grad_mode._enter_inference_mode", "(mode)", kEffect);
  ops.python("torch.autograd.grad_mode._exit_inference_mode", "(mode)", kEffect);
  ops.python("torch.autograd.function.FunctionCtx", "(*args, **kwargs)");

  ops.python("torch._C._functorch._add_batch_dim", "(tensor, in_dim, level)");
  ops.python("torch._C._functorch._grad_decrement_nesting", "()", kEffect);
  ops.python("torch._C._functorch._grad_increment_nesting", "()", kEffect);
  ops.python("torch._C._functorch._remove_batch_dim", "(tensor, level, batch_size, out_dim)");
  ops.python("torch._C._functorch._unwrap_for_grad", "(tensor, level)");
  ops.python("torch._C._functorch._vmap_decrement_nesting", "()", kEffect);
  ops.python("torch._C._functorch._vmap_increment_nesting", "(batch_size, randomness)", kEffect);
  ops.python("torch._C._functorch._wrap_for_grad", "(tensor, level)");
  ops.python("torch._functorch.predispatch._add_batch_dim", "(self, batch_dim, level)");
  ops.python("torch._functorch.predispatch._remove_batch_dim", "(self, level, batch_size, out_dim)");
  ops.python("torch._functorch.predispatch._vmap_decrement_nesting", "()", kEffect);
  ops.python("torch._functorch.predispatch._vmap_increment_nesting", "(batch_size, randomness)", kEffect);
  ops.python("torch._functorch.predispatch.lazy_load_decompositions", "()", kEffect);
  ops.python("torch._functorch.vmap.lazy_load_decompositions", "()", kEffect);
}
// clang-format on

}  // namespace descry::ir
