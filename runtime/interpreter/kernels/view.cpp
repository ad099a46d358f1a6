// Copies of parts and arrangements of tensors, and ops that give a tensor another layout or memory.
#include <cstdlib>

#include "runtime/interpreter/kernels/element_support.h"

namespace descry::runtime {
namespace {

using ir::eval::contiguousStrides;

// ---- arrangements

void cat(Call& c) {
  const std::vector<TensorRef> parts = c.tensors(0);
  const View out = c.out();
  const int64_t dim = wrappedDim(c.integer("dim"), out.dim());
  int64_t at = 0;
  for (const TensorRef& part : parts) {
    const View v = viewOf(*part);
    // An empty list of numbers stands for nothing, whatever the sizes of the others.
    if (v.dim() == 1 && v.sizes[0] == 0) continue;
    const int64_t length = v.size(dim);
    copyElements(out.narrow(dim, at, length), v);
    at += length;
  }
}

void stack(Call& c) {
  const std::vector<TensorRef> parts = c.tensors(0);
  const View out = c.out();
  const int64_t dim = wrappedDim(c.integer("dim"), out.dim());
  for (size_t i = 0; i < parts.size(); ++i)
    copyElements(out.select(dim, static_cast<int64_t>(i)), viewOf(*parts[i]));
}

void repeat(Call& c) {
  const std::vector<int64_t> times = c.integers("repeats");
  View self = c.view(0), out = c.denseOut();
  // Each dimension of the result is two: how often, and the dimension of the tensor itself.
  View pairs = out, source = self;
  pairs.sizes = pairs.strides = source.sizes = source.strides = Dims();
  const size_t ahead = times.size() - self.dim();
  for (size_t d = 0; d < times.size(); ++d) {
    const int64_t own = d < ahead ? 1 : self.sizes[d - ahead];
    for (View* v : {&pairs, &source}) {
      v->sizes.push_back(times[d]);
      v->sizes.push_back(own);
    }
    pairs.strides.push_back(out.strides[d] * own);
    pairs.strides.push_back(out.strides[d]);
    source.strides.push_back(0);
    source.strides.push_back(d < ahead ? 0 : self.strides[d - ahead]);
  }
  copyElements(pairs, source);
}

void flip(Call& c) {
  View v = c.view(0);
  if (v.numel() == 0) return;
  std::vector<bool> turned(std::max<size_t>(v.dim(), 1));
  for (const int64_t d : c.integers("dims")) {
    const size_t at = static_cast<size_t>(wrappedDim(d, v.dim()));
    if (turned[at])
      throw EvalError("value-error",
                      "dim " + std::to_string(at) + " appears multiple times in the list of dims");
    turned[at] = true;
    if (v.dim() == 0) continue;
    v.data += (v.sizes[at] - 1) * v.strides[at] * itemBytes(v.dtype);
    v.strides[at] = -v.strides[at];
  }
  copyElements(c.out(), v);
}

void rollFrom(const View& out, const View& self, const std::vector<int64_t>& shifts,
              const std::vector<int64_t>& dims, size_t k) {
  if (k == dims.size()) {
    copyElements(out, self);
    return;
  }
  const int64_t dim = wrappedDim(dims[k], out.dim()), n = out.size(dim);
  const int64_t shift = n ? ((shifts[k] % n) + n) % n : 0;
  if (shift) rollFrom(out.narrow(dim, 0, shift), self.narrow(dim, n - shift, shift), shifts, dims, k + 1);
  rollFrom(out.narrow(dim, shift, n - shift), self.narrow(dim, 0, n - shift), shifts, dims, k + 1);
}

void roll(Call& c) {
  std::vector<int64_t> shifts = c.integers("shifts"), dims = c.integers("dims");
  View out = c.denseOut(), self = c.view(0);
  if (shifts.empty()) throw EvalError("value-error", "`shifts` required");
  if (out.numel() == 0) return;
  if (dims.empty() && shifts.size() == 1) {
    self = c.dense(0).reshaped({out.numel()});
    out = out.reshaped({out.numel()});
    dims = {0};
  }
  if (shifts.size() != dims.size())
    throw EvalError("value-error",
                    "shifts and dimensions must align. shifts: " + std::to_string(shifts.size()) +
                        ", dims:" + std::to_string(dims.size()));
  // A dimension that is rolled twice would be cut again at its old places.
  for (size_t i = 0; i < dims.size(); ++i)
    for (size_t j = i + 1; j < dims.size(); ++j)
      if (wrappedDim(dims[i], out.dim()) == wrappedDim(dims[j], out.dim())) {
        shifts[i] += shifts[j];
        shifts.erase(shifts.begin() + static_cast<std::ptrdiff_t>(j));
        dims.erase(dims.begin() + static_cast<std::ptrdiff_t>(j--));
      }
  rollFrom(out, atLeastOneDim(self), shifts, dims, 0);
}

void channelShuffle(Call& c) {
  const View self = c.dense(0), out = c.denseOut();
  const int64_t groups = c.integer("groups");
  if (self.dim() < 3) throw EvalError("shape-mismatch", "channel_shuffle expects input with > 2 dims");
  const int64_t channels = self.sizes[1];
  if (groups <= 0) throw EvalError("value-error", "Number of groups to divide channels in must be positive.");
  if (channels % groups)
    throw EvalError("value-error", "Number of channels must be divisible by groups. Got " +
                                       std::to_string(channels) + " channels and " + std::to_string(groups) +
                                       " groups.");
  if (self.numel() == 0) return;
  const int64_t rest = self.numel() / (self.sizes[0] * channels);
  copyElements(out.reshaped({self.sizes[0], channels / groups, groups, rest}),
               self.reshaped({self.sizes[0], groups, channels / groups, rest}).transposed(1, 2));
}

/// The elements in order; sizes of the result are those of the same number of elements.
void inOrder(Call& c) {
  const View self = c.dense(0), out = c.out();
  copyElements(out, self.reshaped(out.sizes));
}

void plainCopy(Call& c) {
  copyElements(c.out(), c.view(0));
}

// ---- scatters into views

/// A copy of argument 0 whose memory can be looked at through other layouts: what lies between its elements
/// is copied too.
TensorRef copyForViews(Call& c) {
  const TensorRef self = c.tensor(0);
  const View v = viewOf(*self);
  bool overlaps = false;
  for (size_t d = 0; d < v.dim(); ++d) overlaps = overlaps || (v.sizes[d] > 1 && v.strides[d] == 0);
  if (overlaps || ir::eval::isNonOverlappingAndDense(self->meta)) return cloneOf(self);
  const TensorRef made = ir::eval::make<Tensor>();
  made->storage = std::make_shared<Storage>(self->storage->bytes());
  if (self->storage->bytes())
    std::memcpy(made->storage->data(), self->storage->data(), self->storage->bytes());
  made->meta = self->meta;
  made->meta.wrappedNumber = false;
  return made;
}

/// A copy of the first argument with `src` in place of what `view` gives of it with the arguments behind.
Value scatterInto(Call& c, std::string_view view) {
  const TensorRef made = copyForViews(c);
  Values args{Value(made)};
  for (size_t i = 2; i < c.count(); ++i) args.push_back(c.value(i));
  const TensorRef part = tensorOf(c.call(view, std::move(args)));
  const View into = viewOf(*part), src = c.view("src");
  if (!(into.sizes == src.sizes))
    throw EvalError("shape-mismatch", "expected src to have a size equal to the slice of self. src size = " +
                                          sizesText(src.sizes) + ", slice size = " + sizesText(into.sizes));
  copyElements(into, src);
  return Value(made);
}
Value sliceScatter(Call& c) {
  return scatterInto(c, "aten.slice.Tensor");
}
Value selectScatter(Call& c) {
  return scatterInto(c, "aten.select.int");
}
Value diagonalScatter(Call& c) {
  return scatterInto(c, "aten.diagonal.default");
}
Value asStridedScatter(Call& c) {
  return scatterInto(c, "aten.as_strided.default");
}

/// The gradient of a view: zeros but where the view was.
Value viewBackward(Call& c, std::string_view view) {
  const View grad = c.view(0);
  const TensorRef made = allocateZeros(Dims(c.integers("input_sizes")), grad.dtype);
  Values args{Value(made)};
  for (size_t i = 2; i < c.count(); ++i) args.push_back(c.value(i));
  copyElements(viewOf(*tensorOf(c.call(view, std::move(args)))), grad);
  return Value(made);
}
Value sliceBackward(Call& c) {
  return viewBackward(c, "aten.slice.Tensor");
}
Value selectBackward(Call& c) {
  return viewBackward(c, "aten.select.int");
}
Value diagonalBackward(Call& c) {
  return viewBackward(c, "aten.diagonal.default");
}

/// Windows of `size` elements every `step` along `dim` go back to where they were taken, and are added up.
void unfoldBackward(Call& c) {
  const View grad = c.view(0), out = c.out();
  const int64_t dim = wrappedDim(c.integer("dim"), out.dim()), size = c.integer("size"),
                step = c.integer("step");
  zeroElements(out);
  if (grad.numel() == 0) return;
  const View target = atLeastOneDim(out);
  const int64_t count = out.dim() ? grad.size(dim) : 1;
  if ((count - 1) * step + size > target.size(dim) || step <= 0)
    throw EvalError("shape-mismatch", "the gradient of unfold does not fit its input");
  visitCommon(out.dtype, [&]<class T>(TypeTag<T>) {
    for (int64_t i = 0; i < count; ++i) {
      const View from = out.dim() ? grad.select(dim, i) : grad;  // the window is the last dimension
      forEachParallel<T, T>([](T& a, const T& b) { a = plus(a, b); },
                            target.narrow(dim, i * step, size).movedToEnd(dim), from);
    }
  });
}

// ---- other memory, other layout

TensorRef written(Call& c, size_t i = 0) {
  TensorRef t = tensorOf(c.value(i));
  if (!t) throw EvalError("type-error", c.op().target() + " needs a tensor");
  return t;
}

/// Gives a tensor other sizes and makes its memory large enough; what was there stays.
void relayOut(const TensorRef& t, const Dims& sizes, ir::eval::MemoryFormat format) {
  for (const int64_t s : sizes)
    if (s < 0)
      throw EvalError("value-error", "Trying to create tensor with negative dimension " + std::to_string(s) +
                                         ": " + sizesText(sizes));
  if (Dims(t->meta.sizes) == sizes &&
      (format == ir::eval::MemoryFormat::Contiguous || format == ir::eval::MemoryFormat::Preserve))
    return;
  Meta m = t->meta;
  m.sizes = sizes.ints();
  m.strides = ir::eval::stridesFor(m.sizes, format);
  if (const size_t needed = endBytes(m); t->storage->bytes() < needed) t->storage->resize(needed);
  t->meta = std::move(m);
  ++t->version;
}

ir::eval::MemoryFormat formatOf(const Call& c) {
  if (!c.knows("memory_format") || !c.given("memory_format")) return ir::eval::MemoryFormat::Contiguous;
  return c.value("memory_format").asMemoryFormat();
}

Value resize(Call& c) {
  const TensorRef t = written(c);
  relayOut(t, Dims(c.integers(1)), formatOf(c));
  return c.value(0);
}
Value resizeAs(Call& c) {
  const TensorRef t = written(c), like = c.tensor("the_template");
  ir::eval::MemoryFormat format = formatOf(c);
  if (format == ir::eval::MemoryFormat::Preserve) format = ir::eval::suggestFormat(like->meta);
  relayOut(t, Dims(like->meta.sizes), format);
  return c.value(0);
}
/// The same of a copy.
Value resizedCopy(Call& c) {
  const TensorRef t = copyForViews(c);
  relayOut(t, Dims(c.integers(1)), formatOf(c));
  return Value(t);
}

/// `self` becomes another look at the memory of `source`.
void take(const TensorRef& self, const TensorRef& source, Meta meta) {
  if (const std::string fault = ir::eval::faultOf(meta); !fault.empty())
    throw EvalError("value-error", fault);
  if (self->meta.dtype != meta.dtype)
    throw EvalError("type-error", "Could not set tensor of type " + std::string(scalarTypeName(meta.dtype)) +
                                      " to a tensor of type " +
                                      std::string(scalarTypeName(self->meta.dtype)));
  meta.wrappedNumber = false;
  const StorageRef storage = source->storage;
  if (const size_t needed = endBytes(meta); storage->bytes() < needed) storage->resize(needed);
  self->storage = storage;
  self->meta = std::move(meta);
  ++self->version;
}

Value setToNothing(Call& c) {
  const TensorRef self = written(c);
  Meta m = self->meta;
  m.sizes = {0};
  m.strides = {1};
  m.offset = 0;
  take(self, allocate(m), m);
  return c.value(0);
}
Value setToTensor(Call& c) {
  const TensorRef self = written(c), source = tensorOf(c.value("source"));
  if (!source) throw EvalError("type-error", c.op().target() + " needs a source");
  take(self, source, source->meta);
  return c.value(0);
}
/// With a layout of its own; a storage is given as any tensor in it.
Value setToLayout(Call& c) {
  const TensorRef self = written(c), source = tensorOf(c.value("source"));
  if (!source) throw EvalError("type-error", c.op().target() + " needs a source");
  Meta m = self->meta;
  if (c.knows("size")) {
    m.sizes = Dims(c.integers("size")).ints();
    const std::vector<int64_t> strides = c.integers("stride");
    if (!strides.empty() && strides.size() != m.sizes.size())
      throw EvalError("value-error", "mismatch in length of strides and shape");
    m.strides = strides.empty() ? contiguousStrides(m.sizes) : Dims(strides).ints();
    m.offset = c.integer("storage_offset");
  } else {
    m.sizes = {static_cast<int64_t>(source->storage->bytes()) / itemBytes(m.dtype)};
    m.strides = {1};
    m.offset = 0;
  }
  take(self, source, std::move(m));
  return c.value(0);
}
/// The op without writes gives the source itself.
Value sourceItself(Call& c) {
  const TensorRef source = tensorOf(c.value("source"));
  if (!source) throw EvalError("type-error", c.op().target() + " needs a source");
  return Value(viewInto(*source, source->meta));
}
Value setData(Call& c) {
  const TensorRef self = written(c), source = written(c, 1);
  self->storage = source->storage;
  self->meta = source->meta;
  ++self->version;
  return c.op().schema().returns.empty() ? Value() : c.value(0);
}

Value resizeStorage(Call& c) {
  const TensorRef t = written(c);
  const int64_t bytes = c.integer("new_size");
  if (bytes < 0) throw EvalError("value-error", "a storage of " + std::to_string(bytes) + " bytes");
  t->storage->resize(static_cast<size_t>(bytes));
  ++t->version;
  return {};
}

/// A view that the schema does not call one; laid out by the shape rule.
Value looked(Call& c) {
  const TensorRef t = written(c);
  const Value shape = c.machine().rules().shape(c.op(), argumentsOf(c));
  Meta m = shape.meta();
  m.wrappedNumber = false;
  if (const std::string fault = ir::eval::faultOf(m); !fault.empty()) throw EvalError("value-error", fault);
  checkInside(m, t->storage->bytes());
  return Value(viewInto(*t, std::move(m)));
}

// ---- numbers

Value ruleNumber(Call& c) {
  return c.machine().rules().shape(c.op(), argumentsOf(c));
}

Value localScalar(Call& c) {
  const TensorRef t = c.tensor(0);
  const View v = viewOf(*t);
  if (v.numel() != 1)
    throw EvalError("value-error",
                    "a Tensor with " + std::to_string(v.numel()) + " elements cannot be converted to Scalar");
  return numberAt(v.dtype, v.data);
}

Value sameStorageNumel(Call& c) {
  const TensorRef a = written(c, 0), b = written(c, 1);
  return Value::boolean(a->storage->bytes() / static_cast<size_t>(itemBytes(a->meta.dtype)) ==
                        b->storage->bytes() / static_cast<size_t>(itemBytes(b->meta.dtype)));
}

Value isSetTo(Call& c) {
  const TensorRef a = written(c, 0), b = written(c, 1);
  return Value::boolean(a->storage == b->storage && a->meta.offset == b->meta.offset &&
                        Dims(a->meta.sizes) == Dims(b->meta.sizes) &&
                        Dims(a->meta.strides) == Dims(b->meta.strides));
}

Value reshapeCopy(Call& c) {
  const TensorRef self = c.tensor(0);
  const Ints wanted = c.value("size").toInts();
  const Dims sizes(ir::eval::inferSize(wanted, self->meta.numel()));
  const TensorRef made = copyOf(viewOf(*self), self->meta.dtype);
  made->meta.sizes = sizes.ints();
  made->meta.strides = contiguousStrides(made->meta.sizes);
  return Value(made);
}

Value contiguousCopy(Call& c) {
  const TensorRef self = c.tensor(0);
  return Value(copyOf(viewOf(*self), self->meta.dtype));
}

}  // namespace

void addViewKernels(KernelTable& table) {
  table.fill("aten.cat.default prims.cat.default", cat);
  table.fill("aten.stack.default aten._stack.default", stack);
  table.fill("aten.repeat.default", repeat);
  table.fill("aten.flip.default prims.rev.default", flip);
  table.fill("aten.roll.default", roll);
  table.fill("aten.native_channel_shuffle.default aten.channel_shuffle.default", channelShuffle);
  table.fill("prims.reshape.default prims.collapse.default", inOrder);
  table.fill("prims.copy_strided.default prims.device_put.default prims.inductor_force_stride_order.default",
             plainCopy);
  table.make("aten.slice_scatter.default", sliceScatter);
  table.make("aten.select_scatter.default", selectScatter);
  table.make("aten.diagonal_scatter.default", diagonalScatter);
  table.make("aten.as_strided_scatter.default prims.as_strided_scatter.default", asStridedScatter);
  table.make("aten.slice_backward.default", sliceBackward);
  table.make("aten.select_backward.default", selectBackward);
  table.make("aten.diagonal_backward.default", diagonalBackward);
  table.fill("aten.unfold_backward.default", unfoldBackward);
  table.make("aten.resize_.default aten._resize_output_.default prims.resize.default", resize);
  table.make("aten.resize_as_.default", resizeAs);
  table.make("aten.resize.default aten._resize_output.default", resizedCopy);
  table.make("aten.set_.default", setToNothing);
  table.make("aten.set_.source_Tensor", setToTensor);
  table.make(
      "aten.set_.source_Tensor_storage_offset aten.set_.source_Storage "
      "aten.set_.source_Storage_storage_offset",
      setToLayout);
  table.make("aten.set.source_Tensor", sourceItself);
  table.make("aten.set_data.default aten.shallow_copy_data_.default", setData);
  table.make("inductor.resize_storage_bytes_.default", resizeStorage);
  table.make(
      "inductor._reinterpret_tensor.default inductor._alloc_from_pool.default prims.as_strided.default",
      looked);
  table.make(
      "aten.sym_size.int aten.sym_stride.int aten.sym_numel.default aten.sym_storage_offset.default "
      "aten.sym_is_contiguous.default aten.is_same_size.default aten.dense_dim.default "
      "aten.is_pinned.default",
      ruleNumber);
  table.make("aten._local_scalar_dense.default aten.item.default prims.item.default", localScalar);
  table.make("aten._has_same_storage_numel.default", sameStorageNumel);
  table.make("aten.is_set_to.default", isSetTo);
  table.make("aten._reshape_copy.default", reshapeCopy);
  table.make("aten.detach_copy.default", contiguousCopy);
}

}  // namespace descry::runtime
