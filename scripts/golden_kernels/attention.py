import torch
from golden import T, case

f32, f64, f16, bf16 = torch.float32, torch.float64, torch.float16, torch.bfloat16
inf = float("inf")
aten = torch.ops.aten
flash = aten._scaled_dot_product_flash_attention_for_cpu


def both(q, k, v, causal=False, mask=None, scale=None):
    case("aten._scaled_dot_product_flash_attention_for_cpu.default", q, k, v, 0.0, causal, attn_mask=mask, scale=scale)
    out, lse = flash(q, k, v, 0.0, causal, attn_mask=mask, scale=scale)
    case("aten._scaled_dot_product_flash_attention_for_cpu_backward.default", T(*out.shape, dtype=q.dtype), q, k, v, out, lse, 0.0, causal,
         attn_mask=mask, scale=scale)


for dtype in [f32, f64, f16, bf16]:
    both(T(1, 2, 3, 4, dtype=dtype), T(1, 2, 5, 4, dtype=dtype), T(1, 2, 5, 4, dtype=dtype))
    both(T(1, 2, 3, 4, dtype=dtype), T(1, 2, 3, 4, dtype=dtype), T(1, 2, 3, 4, dtype=dtype), True, None, 0.7)
    both(T(1, 2, 3, 4, dtype=dtype), T(1, 2, 3, 4, dtype=dtype), T(1, 2, 3, 4, dtype=dtype), False, T(1, 1, 3, 3, dtype=dtype))
both(T(2, 3, 2, 4).transpose(1, 2), T(2, 4, 2, 4).transpose(1, 2), T(2, 4, 2, 4).transpose(1, 2))
both(T(1, 1, 3, 4), T(1, 1, 2, 4), T(1, 1, 2, 4), True)
both(T(1, 1, 2, 4), T(1, 1, 3, 4), T(1, 1, 3, 4), True)
both(T(1, 1, 2, 4), T(1, 1, 2, 4), T(1, 1, 2, 4), False, torch.tensor([[[[-inf, -inf], [0.0, -inf]]]]))
both(T(2, 2, 2, 4), T(2, 2, 2, 4), T(2, 2, 2, 4), False, T(2, 1, 1, 2))
both(T(2, 2, 2, 4), T(2, 2, 2, 4), T(2, 2, 2, 4), False, T(2, 2))
case("aten._scaled_dot_product_flash_attention_for_cpu.default", T(1, 4, 2, 4), T(1, 2, 3, 4), T(1, 2, 3, 4))
case("aten.scaled_dot_product_attention.default", T(1, 2, 3, 4), T(1, 2, 3, 4), T(1, 2, 3, 4), T(3, 3, dtype=torch.bool))
case("aten.scaled_dot_product_attention.default", T(1, 2, 3, 4), T(1, 2, 3, 4), T(1, 2, 3, 2), None, 0.0, True)
case("aten.scaled_dot_product_attention.default", T(2, 3, 4), T(2, 5, 4), T(2, 5, 4))
case("aten._scaled_dot_product_attention_math.default", T(1, 2, 3, 4), T(1, 2, 3, 4), T(1, 2, 3, 4), T(3, 3))
for dtype in [f32, f64]:
    case("aten._transform_bias_rescale_qkv.default", T(1, 3, 12, dtype=dtype), T(12, dtype=dtype), 2)
x = T(2, 3, 4)
mask = torch.tensor([[False, False, True], [False, True, False]])
weights = (T(12, 4), T(12), T(4, 4), T(4))
case("aten._native_multi_head_attention.default", x, x, x, 4, 2, *weights)
case("aten._native_multi_head_attention.default", x, x, x, 4, 2, *weights, mask, True, False, 1)
case("aten._native_multi_head_attention.default", x, x, x, 4, 2, *weights, T(3, 3, dtype=torch.bool) & False, True, False, 0)
norms = (T(4), T(4), T(4), T(4), T(5, 4), T(5), T(4, 5), T(4))
for gelu, first in [(True, True), (False, False)]:
    case("aten._transformer_encoder_layer_fwd.default", x, 4, 2, *weights, gelu, first, 1e-5, *norms)
case("aten._transformer_encoder_layer_fwd.default", x, 4, 2, *weights, False, True, 1e-5, *norms, mask, 1)
