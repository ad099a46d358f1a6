#!/usr/bin/env python3
"""Writes the op tables of ir/ops from an installed PyTorch. Not needed to build.

Run it to move to a newer PyTorch: `python scripts/gen_ops.py ir/ops`. It needs torch 2.15 or newer.
It rewrites the lines between `// clang-format off` and the end of each family's function; what was added
by hand behind a registration must be carried over by hand, so look at the difference before keeping it.
"""
import importlib
import inspect
import os
import pkgutil
import re
import sys

import torch
import torch._dynamo
import torch._functorch.aot_autograd
import torch._higher_order_ops
import torch._inductor.compile_fx
import torch._inductor.fx_passes.quantization
import torch._inductor.inductor_prims
import torch._prims
import torch._prims.rng_prims
import torch.distributed._functional_collectives
import torch.jit._builtins

NAMESPACES = """aten prims inductor inductor_prims rngprims _c10d_functional _c10d_functional_autograd c10d_functional c10d
quantized_decomposed profiler streams fsdp _dtensor export""".split()
SKIP = re.compile(r"^(aten::_test_|aten::.*(mkldnn|miopen|_mps_|metal|vulkan|xnnpack)|aten::_cslt|aten::_sobol|aten::_foobar$|aten::to_mkldnn)")

OPERATORS = {
    "add": "add", "sub": "sub", "mul": "mul", "truediv": "div", "floordiv": "floor_divide", "mod": "remainder",
    "pow": "pow", "matmul": "matmul", "and_": "__and__", "or_": "__or__", "xor": "__xor__", "lshift": "__lshift__",
    "rshift": "__rshift__", "eq": "eq", "ne": "ne", "lt": "lt", "le": "le", "gt": "gt", "ge": "ge", "neg": "neg",
    "invert": "bitwise_not", "pos": "positive", "abs": "abs", "iadd": "add_", "isub": "sub_", "imul": "mul_",
    "itruediv": "div_", "ifloordiv": "floor_divide_", "imod": "remainder_", "ipow": "pow_", "iand": "__iand__",
    "ior": "__ior__", "ixor": "__ixor__", "ilshift": "__ilshift__", "irshift": "__irshift__",
}

# Families in the order they are tried; the first pattern that matches `name` (without namespace) decides.
# A family may continue in a second file (`name_2`) when it grows past the limit below.
FAMILIES = [
    ("pointwise", "Pointwise ops.",
     r"^(maximum|minimum|copysign_?|float_power_?|__(i?and|i?or|i?xor|i?lshift|i?rshift)__|threshold_?)$"),
    ("foreach", "Ops over lists of tensors, as optimizers use them.", r"^_foreach_|^_fused_(adam|adagrad|sgd|ns)|^_amp_"),
    ("fft_linalg", "Fourier transforms and linear algebra.",
     r"^_?fft_|^_?linalg_|^_fft|cholesky|^(_|)(lu|svd|qr|inverse|det|logdet|slogdet|pinverse|matrix_|ormqr|geqrf|orgqr|triangular_solve|lstsq|symeig|eig|istft|stft|trace)|^_(lu|det|spsolve|trilinear)|^(nuclear_norm|householder|hann_window|hamming_window|bartlett_window|blackman_window|kaiser_window|vander|cov|corrcoef|cond|solve|kron|addr|ger|outer|inner|cross)"),
    ("special", "Special functions.", r"^(_|)special_|^(i0|igamma|lgamma|digamma|polygamma|mvlgamma|erf|erfc|erfinv|sinc|hypot|ldexp|frexp|xlogy|logit|bessel)(c_|c|_|$|inv)"),
    ("quantized", "Quantized tensors.", r"quantize|fake_quant|^q_|^(qscheme|_dequant|_make_per|int_repr|_choose_qparams|fbgemm|_weight_int|_saturate|_convert_weight|_dyn_quant|choose_qparams|convert_element_type.no_fuse)"),
    ("nested_sparse", "Nested and sparse tensors.",
     r"nested|sparse|_coo|_csr|_csc|_bsr|_bsc|^(_jagged|_padded|coalesce|_coalesce|is_coalesced|_is_coalesced|_values|values|_indices|indices|_nnz|_dimI|_dimV|crow|col_ind|ccol|row_ind|hspmm|sspaddmm|_to_dense|to_dense|to_padded|_to_sparse|smm|_spmm)"),
    ("random", "Ops that read the random state.",
     r"^(_|native_|feature_|alpha_|fused_)*dropout|^(rand|randn|randint|randperm|normal|bernoulli|multinomial|poisson(?!_nll)|binomial|uniform|exponential|geometric|cauchy|log_normal|random|rrelu|_sample_dirichlet|_standard_gamma|_dirichlet|_philox|philox|inductor_(seed|random|randint|lookup)|_fused_dropout|_masked_scale)"),
    ("backward", "Backward formulas that are ops of their own.", r"backward"),
    ("conv_pool", "Convolutions, pooling, resampling, padding.",
     r"conv|pool|upsample|_pad|^pad|pixel_|channel_shuffle|im2col|col2im|grid_sampler|affine_grid|unfold$|fold$|interpolate|glu_jvp|resize_bilinear|_fill_none"),
    ("norm_loss", "Normalization, attention, recurrent cells, losses, embedding.",
     r"_norm|attention|flash|softmax|_loss|embedding|lstm|gru|rnn|transformer|^(renorm|binary_cross|cross_entropy|kl_div|ctc|_ctc|logsumexp|logcumsumexp|cosine|pairwise|pdist|_pdist|_cdist|cdist|_euclid|_thnn|_cudnn|cudnn|_fw|one_hot|_weight_norm|rms|_fused_rms|_efficient_att|_scaled_dot|_sdp|_fused_sdp|_triton)"),
    ("matmul", "Matrix products.", r"^(_|)(mm|bmm|addmm|addmv|addbmm|baddbmm|matmul|mv|dot|vdot|linear|bilinear|chain_matmul|einsum|tensordot|_addmm|_int_mm|_scaled|_grouped|_mixed_dtypes|_wrapped_linear|_cslt)(_|$)|_mm(_|$)|^_addmm|^_linear|^_wrapped"),
    ("view", "Views and shape changes, their copying twins, joins and splits.",
     r"view|^(_|)(alias|as_strided|expand|permute|reshape|select|slice|split|squeeze|unsqueeze|transpose|swap|t|T|mT|mH|H|adjoint|numpy_T|matrix_H|moveaxis|movedim|narrow|diagonal|detach|unbind|chunk|tensor_split|hsplit|vsplit|dsplit|flatten|unflatten|ravel|real|imag|_conj|conj|resolve|_neg_view|unfold|lift|squeeze|broadcast|cat|concat|concatenate|stack|hstack|vstack|dstack|row_stack|column_stack|atleast|block_diag|meshgrid|repeat|tile|roll|rot90|flip|rev|fliplr|flipud|_stack|_unsafe_view|_reshape|expand_as|diag|diagflat|swapaxes|swapdims|_spdiags|tril|triu|trapz|combinations|cartesian|unsafe_(split|chunk)|_chunk_cat|split_dim|collapse|broadcast_in_dim|resize|set|_resize|_efficientzero|unflatten|pack_padded|pad_sequence|_pack_pad|_pad_pack|align|refine|rename)(_|s|$)"),
    ("indexing", "Gather, scatter, index, sort and search.",
     r"index|gather|scatter|masked|^(_|)(take|put|where|nonzero|argwhere|sort|argsort|msort|topk|kthvalue|searchsorted|bucketize|unique|isin|bincount|histc|histogram|segment|select_scatter|slice_scatter|diagonal_scatter|embedding)(_|$|d|2)|unique|^_histogram"),
    ("reduction", "Reductions and scans.",
     r"^(_|)(sum|mean|prod|amax|amin|aminmax|max|min|argmax|argmin|all|any|std|var|median|nanmedian|mode|nansum|nanmean|quantile|nanquantile|count_nonzero|cum|norm|frobenius|dist|equal|allclose|cummax|cummin|cumsum|cumprod|xor_sum|std_mean|var_mean|is_all_true|is_any_true|diff|gradient|cumulative|trapezoid|native_norm|logaddexp_scan|sym_max|sym_min)"),
    ("creation", "New tensors, copies, conversions.",
     r"^(_|)(empty|zeros|ones|full|arange|linspace|logspace|eye|tril_indices|triu_indices|new_|scalar_tensor|tensor|clone|copy|to|fill|zero|from_file|complex|polar|iota|convert_element_type|contiguous|cpu|type_as|float|double|half|_to_copy|device_put|lift_fresh|range|rand|pin_memory|is_pinned|_local|item|_cast|view_of|empty_strided|_efficientzerotensor|blackman|normal|clone_|_copy|promote|result_type|can_cast|_pin)"),
    ("symbolic", "Sizes, properties, constraints and other effects.",
     r"^(_nnpack_av|_make_dep|_add_batch|_remove_batch|_use_cudnn|shallow_copy_data|_autocast|_fw_primal|sym_|_sym|size|stride|numel|dim|storage_offset|is_|_is_|_assert|_functional_|_print|__is|_has|has_|_version|requires_grad|retain|output_nr|_fw_primal|_make_dual|_unpack_dual|_backward|data|set_data|leaf|result|get_|_nested|q_|qs|_make_token|_sink|accumulate_grad|resize_storage|record_|_record|name|promote|_debug|_cufft|_use|_lazy|_propagate|_dim_arange|_reshape_from|_shape|_validate|_unsafe_set|_foobar|device|dense_dim|sparse_dim|__)"),
    ("pointwise", "Pointwise ops.", r"^[a-z0-9_]+$"),
]
BY_NAMESPACE = {
    "prims": ("prims", "The prims dialect: what reference decompositions end in."),
    "inductor": ("inductor", "Ops that Inductor and the functional random state add."),
    "inductor_prims": ("inductor", ""), "rngprims": ("inductor", ""),
    "_c10d_functional": ("collectives", "Collectives."), "_c10d_functional_autograd": ("collectives", ""),
    "c10d_functional": ("collectives", ""), "c10d": ("collectives", ""), "fsdp": ("collectives", ""), "_dtensor": ("collectives", ""),
    "quantized_decomposed": ("quantized", ""),
    "profiler": ("effects", "Effects outside of tensors: profiler ranges, streams."), "streams": ("effects", ""), "export": ("effects", ""),
}
COMMUNICATES = re.compile(r"^(_c10d_functional|_c10d_functional_autograd|c10d_functional|c10d)::")
MAX_LINES = 560  # of one file; longer families go on in a second one
MATMUL = re.compile(r"^aten::(mm|bmm|addmm|addmv|addbmm|baddbmm|matmul|mv|dot|vdot|linear|_int_mm|_scaled_mm|_grouped_mm|_scaled_grouped_mm|_addmm_activation)$")


def builtin_spellings():
    """Spelling -> op name, for functions that are bindings of ops."""
    table = torch.jit._builtins._get_builtin_table()
    modules = [torch, torch._C._nn, torch._C._fft, torch._C._linalg, torch._C._special, torch._C._sparse,
               torch._C._nested, torch.nn.functional, torch.special, torch.fft, torch.linalg, torch.sparse]
    found = {}
    for module in modules:
        for name in dir(module):
            f = getattr(module, name)
            if inspect.isclass(f) or inspect.isfunction(f) or not callable(f):
                continue
            op = table.get(id(f))
            if op:
                found[module.__name__ + "." + name] = op
    return found


def is_effect(overload):
    """What torch.fx keeps although nobody reads it, other than writes and random ops, which have their own traits."""
    from torch._library.utils import is_impure
    return is_impure(overload, impure_random=False) and not overload._schema.is_mutable


def quote(text):
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def pieces(text, first, width, indent):
    """Splits `text` at ', ' into adjacent literals; the first may use `first` columns."""
    out, room = [], first
    while len(quote(text)) > room:
        cut = max(text.rfind(", ", 0, room - 4), text.rfind("-> ", 0, room - 4) + 1)
        if cut <= 0:
            cut = text.find("(") - 1
        out.append(quote(text[:cut + 2]))
        text, room = text[cut + 2:], width - indent
    out.append(quote(text))
    return ("\n" + " " * indent).join(out)


def call_text(schema, traits, spellings):
    tail = (", " + " | ".join(traits) if traits else "") + ")"
    indent = 9
    lines = "  ops.op(" + pieces(schema, 110 - indent - 3, 106, indent)
    last = len(lines.rsplit("\n", 1)[-1])
    if traits and last + len(tail) + 1 > 110:
        tail = ",\n" + " " * indent + " | ".join(traits) + ")"
    lines += tail
    if spellings:
        text = ".spelled(" + pieces_spaces(" ".join(spellings)) + ")"
        last = len(lines.rsplit("\n", 1)[-1])
        if "\n" not in text and last + len(text) + 1 <= 110:
            lines += text
        else:
            lines += "\n      " + text
    return lines + ";"


def pieces_spaces(text):
    out = []
    while len(text) > 85:
        cut = text.rfind(" ", 0, 85)
        out.append(quote(text[:cut + 1]))
        text = text[cut + 1:]
    out.append(quote(text))
    return ("\n" + " " * 15).join(out)


def family_of(ns, name):
    if ns in BY_NAMESPACE:
        return BY_NAMESPACE[ns][0]
    for family, _, pattern in FAMILIES:
        if re.search(pattern, name):
            return family
    raise AssertionError(name)


def collect():
    dispatcher = set(torch._C._dispatch_get_all_op_names())
    ops = {}
    for s in torch._C._jit_get_all_schemas():
        ns, name = s.name.split("::")
        key = s.name + ("." + s.overload_name if s.overload_name else "")
        if ns not in NAMESPACES or (key not in dispatcher and ns != "profiler") or SKIP.match(s.name):
            continue
        overload = getattr(getattr(getattr(torch.ops, ns), name), s.overload_name or "default")
        tags = {str(t).split(".")[-1] for t in overload.tags}
        traits = []
        for tag, trait in (("core", "kOpCore"), ("pointwise", "kOpPointwise"), ("reduction", "kOpReduction"),
                           ("nondeterministic_seeded", "kOpRandom"), ("inplace_view", "kOpInplaceView"),
                           ("dynamic_output_shape", "kOpDynamicShape"), ("data_dependent_output", "kOpDataDependent"),
                           ("view_copy", "kOpViewCopy")):
            if tag in tags:
                traits.append(trait)
        if MATMUL.match(s.name):
            traits.append("kOpMatmul")
        if COMMUNICATES.match(s.name):
            traits.append("kOpCommunicates")
        if is_effect(overload):
            traits.append("kOpSideEffect")
        ops.setdefault(s.name, []).append((s.overload_name, str(s), traits))
    return ops


def signature_text(f):
    """Parameters without annotations; None when Python cannot tell."""
    try:
        s = inspect.signature(f)
    except (TypeError, ValueError):
        return None
    parameters = []
    for p in s.parameters.values():
        default = p.default
        if default is not p.empty and not isinstance(default, (int, float, str, bool, tuple, list, type(None))):
            text = str(default)
            if not re.fullmatch(r"[\w.]+", text):
                return None
            class Shown:
                def __init__(self, t):
                    self.t = t

                def __repr__(self):
                    return self.t
            default = Shown(text)
        parameters.append(p.replace(annotation=p.empty, default=default))
    return str(s.replace(parameters=parameters, return_annotation=inspect.Signature.empty))


def python_functions(spelled):
    """Functions written in Python that captured graphs call by name."""
    out = {}
    functional = torch.nn.functional
    modules = [functional, torch.functional, torch, torch.special, torch.fft, torch.linalg]
    for module in modules:
        for name in dir(module):
            f = getattr(module, name)
            spelling = module.__name__ + "." + name
            if name.startswith("_") or not inspect.isfunction(f) or spelling in spelled:
                continue
            home = f.__module__ or ""
            if module is torch and not (home in ("torch", "torch.functional") and name.split("_")[0] in (
                    "sym", "einsum", "split", "norm", "meshgrid", "cdist", "tensordot", "unique", "stft", "lu", "atleast",
                    "broadcast", "block", "cartesian", "unravel", "chain")):
                continue
            if module is functional and home not in ("torch.nn.functional", "torch._jit_internal"):
                continue
            if module is torch.functional and home != "torch.functional":
                continue
            target = getattr(functional, name + "_with_indices", f) if home == "torch._jit_internal" else f
            text = signature_text(target)
            if text:
                out[spelling] = text
    for name in dir(torch.Tensor):
        f = getattr(torch.Tensor, name)
        if inspect.isfunction(f) and "." + name not in spelled and f.__module__ == "torch._tensor":
            text = signature_text(f)
            if text and not name.startswith("_") and "*args" not in text:
                out["." + name] = text
    return out


def main():
    where = sys.argv[1]
    for module in pkgutil.iter_modules(torch._higher_order_ops.__path__):
        try:
            importlib.import_module("torch._higher_order_ops." + module.name)
        except Exception:
            pass
    ops = collect()
    spellings = {}
    for spelling, op in sorted(builtin_spellings().items()):
        if op in ops:
            spellings.setdefault(op, []).append(spelling)
    method_type = type(torch.Tensor.abs)
    base = torch._C.TensorBase
    for name in dir(torch.Tensor):
        op = "aten::" + name
        special = {"__eq__": "eq", "__ne__": "ne", "__lt__": "lt", "__le__": "le", "__gt__": "gt", "__ge__": "ge"}
        if name in special:
            op = "aten::" + special[name]
        if op in ops and (isinstance(getattr(torch.Tensor, name), method_type) or hasattr(base, name)
                          or name in ("split", "norm", "unflatten", "stft", "istft", "lu", "unique",
                                      "unique_consecutive", "detach", "detach_") or name in special):
            spellings.setdefault(op, []).append("." + name)
    for f in ("__add__", "__mul__", "__sub__", "__matmul__"):
        spellings["aten::" + f.strip("_")].append("." + f)
    for python, op in OPERATORS.items():
        spellings.setdefault("aten::" + op, []).append("operator." + python)

    titles = {f: t for f, t, _ in FAMILIES}
    for f, t in BY_NAMESPACE.values():
        if t:
            titles[f] = t
    groups = {}
    for name in sorted(ops):
        ns, short = name.split("::")
        rows = []
        for i, (_, schema, traits) in enumerate(sorted(ops[name], key=lambda r: (r[0] != "", r[0]))):
            rows.append(call_text(schema, traits, spellings.get(name, []) if i == 0 else []))
        groups.setdefault(family_of(ns, short), []).append((name, rows))

    spelled = {s for group in spellings.values() for s in group}
    lines = ["// Functions written in Python that captured graphs call by name and that no single op stands for.",
             '#include "ir/ops/tables.h"', "", "namespace descry::ir {", "", "// clang-format off",
             "void registerPythonFunctions(OpRegistry& ops) {"]
    for spelling, text in sorted(python_functions(spelled).items()):
        line = f"  ops.python({quote(spelling)}, {quote(text)});"
        if len(line) > 110:
            line = f"  ops.python({quote(spelling)},\n             " + pieces(text, 94, 108, 13) + ");"
        lines.append(line)
    lines += ["}", "// clang-format on", "", "}  // namespace descry::ir", ""]
    with open(os.path.join(where, "python_functions.cpp"), "w") as out:
        out.write("\n".join(lines))

    files = []
    for family, entries in groups.items():
        total = sum(r.count("\n") + 1 for _, rows in entries for r in rows)
        parts = max(1, -(-total // MAX_LINES))
        share = total / parts
        chunks, current, used = [], [], 0
        for name, rows in entries:
            n = sum(r.count("\n") + 1 for r in rows)
            if current and used + n / 2 > share and len(chunks) + 1 < parts:
                chunks.append(current)
                current, used = [], 0
            current.append((name, rows))
            used += n
        chunks.append(current)
        for i, chunk in enumerate(chunks):
            stem = family if i == 0 else f"{family}_{i + 1}"
            files.append((family, stem, chunk, len(chunks), i))
    for family, stem, chunk, parts, index in files:
        function = "register" + "".join(p.capitalize() for p in stem.split("_"))
        title = titles[family]
        if parts > 1:
            title += f" Part {index + 1} of {parts}, by name."
        lines = [f"// {title}", '#include "ir/ops/tables.h"', "", "namespace descry::ir {", "",
                 "// clang-format off", f"void {function}(OpRegistry& ops) {{"]
        for _, rows in chunk:
            lines += rows
        lines += ["}", "// clang-format on", "", "}  // namespace descry::ir", ""]
        with open(os.path.join(where, stem + ".cpp"), "w") as out:
            out.write("\n".join(lines))
        print(stem, sum(len(r) for _, r in chunk), sum(l.count("\n") + 1 for l in lines))
    print(sum(len(r) for g in groups.values() for _, r in g), "overloads of", len(ops), "ops")


if __name__ == "__main__":
    main()
