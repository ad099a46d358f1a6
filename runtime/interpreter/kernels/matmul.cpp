// Products of matrices and vectors.
#include "runtime/interpreter/kernels/numeric.h"

namespace descry::runtime {

namespace {

void refuseBool(const View& a, std::string_view what) {
  if (a.dtype == DType::B8)
    throw EvalError("unsupported-dtype", "\"" + std::string(what) + "\" not implemented for 'Bool'");
}

using Epilogue = std::function<void(const GemmBlock&)>;

/// out = alpha a b + beta out, of matrices or batches of them.
void product(const View& a, const View& b, const View& out, const Factor& alpha = 1.0,
             const Factor& beta = 0.0, Epilogue epilogue = {}) {
  refuseBool(a, out.dim() == 3 ? "bmm" : "addmm_impl_cpu_");
  if (b.dtype != a.dtype)
    throw EvalError("type-error", "expected m1 and m2 to have the same dtype, but got: " +
                                      std::string(scalarTypeName(a.dtype)) +
                                      " != " + std::string(scalarTypeName(b.dtype)));
  if (a.size(-1) != b.size(-2))
    throw EvalError("shape-mismatch", "mat1 and mat2 shapes cannot be multiplied (" +
                                          std::to_string(a.size(-2)) + "x" + std::to_string(a.size(-1)) +
                                          " and " + std::to_string(b.size(-2)) + "x" +
                                          std::to_string(b.size(-1)) + ")");
  Gemm g;
  g.dtype = a.dtype;
  g.out = out.dtype;
  g.batch = out.dim() == 3 ? out.size(0) : 1;
  g.m = out.size(-2);
  g.n = out.size(-1);
  g.k = a.size(-1);
  g.alpha = alpha;
  g.beta = beta;
  g.a = matricesOf(a);
  g.b = matricesOf(b);
  g.c = matricesOf(out);
  g.epilogue = std::move(epilogue);
  gemm(g);
}

/// Adds a row to each row of a block that a product just made, where float or double lie in rows.
template <class T>
Epilogue rowAdder(const View& row, const View& out, T factor) {
  return [=](const GemmBlock& block) {
    const T* from = row.as<T>();
    for (int64_t i = block.rowBegin; i < block.rowEnd; ++i) {
      T* to = out.as<T>() + i * out.stride(0);
      for (int64_t j = block.columnBegin; j < block.columnEnd; ++j) to[j] += factor * from[j];
    }
  };
}

Factor factorOf(const Call& c, std::string_view name, DType dtype) {
  const Value& v = c.value(name);
  if (isIntegralType(dtype) && v.kind() != VKind::Int && v.kind() != VKind::Bool)
    throw EvalError("type-error", "For integral input tensors, argument " + std::string(name) +
                                      " must not be a floating point number.");
  return Factor(v);
}

/// out = alpha a b + beta self.
void addProduct(Call& c, const View& a, const View& b, const View& out) {
  const Factor alpha = factorOf(c, "alpha", a.dtype), beta = factorOf(c, "beta", a.dtype);
  // A bias is added to what stands in the cache.
  if (!beta.zero() && out.dim() == 2 && out.stride(1) == 1 && out.dtype == a.dtype && out.size(1) > 1 &&
      (out.dtype == DType::F32 || out.dtype == DType::F64) && c.op().name() == "addmm") {
    const View self = c.view("self");
    if (self.dim() > 0 && self.size(-1) == out.size(1) && self.stride(-1) == 1 &&
        self.numel() == out.size(1)) {
      const View row = self.reshaped({out.size(1)});
      return product(a, b, out, alpha, 0.0,
                     out.dtype == DType::F32 ? rowAdder<float>(row, out, beta.as<float>())
                                             : rowAdder<double>(row, out, beta.as<double>()));
    }
  }
  // Where beta is zero NaN in self does not count.
  if (!beta.zero()) {
    View self = c.view("self");
    if (out.dim() == 2 && self.dim() == 1 && c.op().name() == "addmv") self = self.unsqueezed(1);
    copyElements(out, self.expanded(out.sizes));
  }
  product(a, b, out, alpha, beta);
}

void multiplyMatrices(Call& c) {
  product(c.view(0), c.view(1), c.out());
}

void multiplyMatrixVector(Call& c) {
  product(c.view(0), c.view(1).unsqueezed(1), c.out().unsqueezed(1));
}

void dotProduct(Call& c) {
  View a = c.view(0);
  const View b = c.view(1);
  if (a.size(0) != b.size(0))
    throw EvalError("shape-mismatch",
                    "inconsistent tensor size, expected tensor [" + std::to_string(a.size(0)) +
                        "] and src [" + std::to_string(b.size(0)) +
                        "] to have the same number of elements, but got " + std::to_string(a.size(0)) +
                        " and " + std::to_string(b.size(0)) + " elements respectively");
  refuseBool(a, "dot");
  if (c.op().name() == "vdot" && isComplexType(a.dtype)) {
    TensorRef conjugate = copyOf(a, a.dtype);
    conjugate->meta.conj = true;
    a = c.hold(tensorOf(c.call("aten.resolve_conj.default", {Value(conjugate)})));
  }
  product(a.unsqueezed(0), b.unsqueezed(1), c.out().unsqueezed(0).unsqueezed(0));
}

void addMatrices(Call& c) {
  addProduct(c, c.view(1), c.view(2), c.out());
}

void addMatrixVector(Call& c) {
  addProduct(c, c.view("mat"), c.view("vec").unsqueezed(1), c.out().unsqueezed(1));
}

/// The sum of the products of a batch is one product: batches lie along the columns of A and the rows of B.
void addBatchSum(Call& c) {
  const View a = c.view("batch1"), b = c.view("batch2"), out = c.out();
  const int64_t batch = a.size(0), m = a.size(1), k = a.size(2), n = b.size(2);
  refuseBool(a, "addbmm");
  const View left = c.scratch({m, batch, k}, a.dtype);
  copyElements(left, a.transposed(0, 1));
  const View right = c.hold(contiguousOf(c.tensor("batch2")));
  addProduct(c, left.reshaped({m, batch * k}), right.reshaped({batch * k, n}), out);
}

void addMatricesActivated(Call& c) {
  const View out = c.out();
  addProduct(c, c.view("mat1"), c.view("mat2"), out);
  const TensorRef result = c.result();
  const Value activated = c.flag("use_gelu") ? c.call("aten.gelu.default", {Value(result)})
                                             : c.call("aten.relu.default", {Value(result)});
  copyElements(out, viewOf(*tensorOf(activated)));
}

void multiplyLists(Call& c) {
  const std::vector<TensorRef> a = c.tensors(0), b = c.tensors(1);
  if (a.size() != b.size())
    throw EvalError("shape-mismatch", "Tensor lists must have the same number of tensors, got " +
                                          std::to_string(a.size()) + " and " + std::to_string(b.size()));
  for (size_t i = 0; i < a.size(); ++i) product(viewOf(*a[i]), viewOf(*b[i]), c.out(i));
}

/// a b + c d into `out`.
Value addTwoProducts(Call& c) {
  const View a = c.view("a"), b = c.view("b");
  const TensorRef out = tensorOf(c.value("out"));
  if (!out) throw EvalError("type-error", "_mm_plus_mm needs a tensor for `out`");
  const View to = viewOf(*out);
  const View made = c.scratch(to.sizes, to.dtype);
  product(a, b, made);
  product(c.view("c"), c.view("d"), made, 1.0, 1.0);
  copyElements(to, made);
  ++out->version;
  return c.value("out");
}

/// The ends of groups of rows or columns.
std::vector<int64_t> groupEnds(Call& c, int64_t extent) {
  const View offsets = c.dense("offs", DType::I64);
  std::vector<int64_t> ends(offsets.as<int64_t>(), offsets.as<int64_t>() + offsets.numel());
  int64_t last = 0;
  for (const int64_t end : ends) {
    if (end < last || end > extent)
      throw EvalError("index-error", "the offset " + std::to_string(end) + " of a group is not between " +
                                         std::to_string(last) + " and " + std::to_string(extent));
    last = end;
  }
  return ends;
}

void multiplyGroups(const View& a, const View& b, const std::vector<int64_t>& ends, const View& out) {
  if (a.dim() == 3 && b.dim() == 3) return product(a, b, out);
  zeroElements(out);
  int64_t start = 0;
  for (size_t g = 0; g < ends.size(); ++g) {
    const int64_t index = static_cast<int64_t>(g), length = ends[g] - start;
    if (a.dim() == 2 && b.dim() == 2)  // groups lie along the shared dimension
      product(a.narrow(1, start, length), b.narrow(0, start, length), out.select(0, index));
    else if (a.dim() == 2)
      product(a.narrow(0, start, length), b.select(0, index), out.narrow(0, start, length));
    else
      product(a.select(0, index), b.narrow(1, start, length), out.narrow(1, start, length));
    start = ends[g];
  }
}

int64_t groupedExtent(const View& a, const View& b) {
  return a.dim() == 2 ? (b.dim() == 2 ? a.size(1) : a.size(0)) : b.size(-1);
}

void multiplyGrouped(Call& c) {
  const View a = c.view("self"), b = c.view("mat2");
  std::vector<int64_t> ends;
  if (c.given("offs")) ends = groupEnds(c, groupedExtent(a, b));
  multiplyGroups(a, b, ends, c.out());
}

/// A number for all of a matrix or for each row or column of it, times the matrix in float.
View scaledFloat(Call& c, const TensorRef& t, const TensorRef& scale) {
  const Value matrix(contiguousOf(t, DType::F32));
  return c.hold(tensorOf(c.call("aten.mul.Tensor", {matrix, Value(contiguousOf(scale, DType::F32))})));
}

void finishScaled(Call& c, const View& sums, std::string_view bias) {
  View result = sums;
  if (c.given(bias)) {
    const Value biased = c.call("aten.add.Tensor", {Value(copyOf(sums, DType::F32)), Value(c.tensor(bias))});
    result = c.hold(tensorOf(biased));
  }
  copyElements(c.out(), result);
}

void multiplyScaled(Call& c) {
  const View a = scaledFloat(c, c.tensor("self"), c.tensor("scale_a"));
  const View b = scaledFloat(c, c.tensor("mat2"), c.tensor("scale_b"));
  const View sums = c.scratch(c.out().sizes, DType::F32);
  product(a, b, sums);
  const DType out = c.out().dtype;
  if (c.given("scale_result") && itemBytes(out) == 1) {
    const Value scaled =
        c.call("aten.mul.Tensor", {Value(copyOf(sums, DType::F32)), Value(c.tensor("scale_result"))});
    copyElements(sums, viewOf(*tensorOf(scaled)));
  }
  finishScaled(c, sums, "bias");
}

/// Recipes: 0 one number for a matrix, 1 one for each row of A and column of B.
void multiplyScaledByRecipe(Call& c) {
  const std::vector<TensorRef> scaleA = c.tensors("scale_a"), scaleB = c.tensors("scale_b");
  for (const char* recipe : {"recipe_a", "recipe_b"})
    for (const int64_t r : c.integers(recipe))
      if (r != 0 && r != 1)
        throw EvalError("unsupported-op", "Invalid scaling configuration: blockwise scales need a GPU");
  if (scaleA.size() != 1 || scaleB.size() != 1 || !scaleA[0] || !scaleB[0])
    throw EvalError("value-error", "Invalid scaling configuration: one scale for each matrix is needed");
  const View a = scaledFloat(c, c.tensor("self"), scaleA[0]);
  const View b = scaledFloat(c, c.tensor("mat2"), scaleB[0]);
  const View sums = c.scratch(c.out().sizes, DType::F32);
  product(a, b, sums);
  finishScaled(c, sums, "bias");
}

/// Scales: of the rows of A and of the columns of B, for each group where groups have rows or columns of
/// their own.
void multiplyScaledGrouped(Call& c) {
  const View a = c.hold(copyOf(c.view("self"), DType::F32)), b = c.hold(copyOf(c.view("mat2"), DType::F32));
  const View scaleA = c.dense("scale_a", DType::F32), scaleB = c.dense("scale_b", DType::F32);
  std::vector<int64_t> ends;
  if (c.given("offs")) ends = groupEnds(c, groupedExtent(a, b));
  const View sums = c.scratch(c.out().sizes, DType::F32);
  multiplyGroups(a, b, ends, sums);
  const int64_t groups = a.dim() == 2 && b.dim() == 2 ? static_cast<int64_t>(ends.size()) : 1;
  const int64_t batch = sums.dim() == 3 ? sums.size(0) : 1, m = sums.size(-2), n = sums.size(-1);
  const int64_t rowScales = a.dim() == 2 ? m * groups : a.size(0) * a.size(1);
  const int64_t columnScales = b.dim() == 2 ? n * groups : b.size(0) * b.size(2);
  if (scaleA.numel() != rowScales || scaleB.numel() != columnScales)
    throw EvalError("shape-mismatch",
                    "scale must have a number for each row of mat_a and each column of mat_b");
  float* at = sums.as<float>();
  for (int64_t i = 0; i < batch; ++i) {
    for (int64_t y = 0; y < m; ++y)
      for (int64_t x = 0; x < n; ++x, ++at) {
        int64_t group = i;
        if (sums.dim() == 2) {
          const int64_t along = a.dim() == 2 ? y : x;
          group = std::upper_bound(ends.begin(), ends.end(), along) - ends.begin();
          if (group == static_cast<int64_t>(ends.size())) continue;  // of no group: zero
        }
        const bool ownRows = a.dim() == 3 || sums.dim() == 3, ownColumns = b.dim() == 3 || sums.dim() == 3;
        *at *= scaleA.as<float>()[ownRows ? group * m + y : y] *
               scaleB.as<float>()[ownColumns ? group * n + x : x];
      }
  }
  finishScaled(c, sums, "bias");
}

void backwardOfLinear(Call& c) {
  const View grad = c.dense("grad_output"), self = c.dense("self"), weight = c.view("weight");
  const int64_t out = grad.size(-1), in = self.size(-1);
  const int64_t rows = out ? grad.numel() / out : in ? self.numel() / in : 0;
  const View flat = grad.reshaped({rows, out});
  if (c.has(0)) {
    const View to = c.denseOut(0);
    product(flat, weight, to.reshaped({rows, in}));
  }
  if (c.has(1)) product(flat.transposed(0, 1), self.reshaped({rows, in}), c.out(1));
  if (c.has(2)) {
    const Value sum =
        c.call("aten.sum.dim_IntList", {Value(copyOf(flat, grad.dtype)), Value(Values{Value(0)})});
    copyElements(c.out(2), viewOf(*tensorOf(sum)));
  }
}

/// The gradient of matmul for operands of any number of dimensions.
void backwardOfMatmul(Call& c) {
  Value grad(c.tensor("grad")), self(c.tensor("self")), other(c.tensor("other"));
  const auto dims = [](const Value& v) { return v.meta().sizes.size(); };
  const bool row = dims(self) == 1, column = dims(other) == 1;
  if (row) {
    self = c.call("aten.unsqueeze.default", {self, Value(0)});
    grad = c.call("aten.unsqueeze.default", {grad, Value(column ? -1 : -2)});
  }
  if (column) {
    other = c.call("aten.unsqueeze.default", {other, Value(-1)});
    grad = c.call("aten.unsqueeze.default", {grad, Value(-1)});
  }
  const auto adjoint = [&](const Value& v) {
    return c.call("aten.transpose.int", {c.call("aten.conj.default", {v}), Value(-2), Value(-1)});
  };
  const auto store = [&](size_t i, const Value& product) {
    // Dimensions that were broadcast are summed.
    const View to = c.out(i);
    const View full = viewOf(*resolved(tensorOf(product)));
    Values sums;
    const Dims own = i == 0 && row ? Dims{1, to.size(0)} : i == 1 && column ? Dims{to.size(0), 1} : to.sizes;
    const size_t extra = full.dim() - own.size();
    for (size_t d = 0; d < full.dim(); ++d)
      if (d < extra || (own[d - extra] == 1 && full.sizes[d] != 1))
        sums.push_back(Value(static_cast<int64_t>(d)));
    Value summed = product;
    if (!sums.empty())
      summed = c.call("aten.sum.dim_IntList", {product, Value(std::move(sums)), Value::boolean(true)});
    const View v = c.hold(contiguousOf(resolved(tensorOf(summed))));
    copyElements(to, v.reshaped(to.sizes));
  };
  if (c.has(0)) store(0, c.call("aten.matmul.default", {grad, adjoint(other)}));
  if (c.has(1)) store(1, c.call("aten.matmul.default", {adjoint(self), grad}));
}

/// The sum over `sumdim` of the product of three tensors that are broadcast along `expand1` ...
void trilinear(Call& c) {
  std::array<View, 3> in = {c.view("i1"), c.view("i2"), c.view("i3")};
  const char* names[] = {"expand1", "expand2", "expand3"};
  const size_t dims = in[0].dim() + c.integers("expand1").size();
  std::vector<bool> summed(dims, false);
  for (const int64_t d : c.integers("sumdim")) {
    if (d < 0 || static_cast<size_t>(d) >= dims)
      throw EvalError("index-error", "_trilinear: a dimension is out of range");
    summed[static_cast<size_t>(d)] = true;
  }
  for (size_t k = 0; k < 3; ++k) {
    std::vector<int64_t> expand = c.integers(names[k]);
    std::sort(expand.begin(), expand.end());
    for (const int64_t d : expand) {
      if (d < 0 || static_cast<size_t>(d) > in[k].dim())
        throw EvalError("index-error", "_trilinear: a dimension is out of range");
      in[k] = in[k].unsqueezed(d);
    }
    if (in[k].dim() != dims) throw EvalError("shape-mismatch", "_trilinear: numbers of dimensions differ");
  }
  Dims sizes(dims, 1);
  for (size_t d = 0; d < dims; ++d)
    for (const View& v : in)
      if (v.sizes[d] != 1) sizes[d] = v.sizes[d];
  for (View& v : in) v = v.expanded(sizes);
  std::vector<size_t> kept, along;
  for (size_t d = 0; d < dims; ++d) (summed[d] ? along : kept).push_back(d);
  int64_t terms = 1;
  for (const size_t d : along) terms *= sizes[d];
  const View out = c.denseOut();
  visitCommon(out.dtype, [&]<class T>(TypeTag<T>) {
    using S = std::conditional_t<std::is_integral_v<T>, uint64_t, Sum<T>>;  // integers wrap
    parallelFor(0, out.numel(), std::max<int64_t>(1, 32768 / std::max<int64_t>(terms, 1)),
                [&](int64_t from, int64_t to) {
                  Dims index(dims, 0);
                  for (int64_t i = from; i < to; ++i) {
                    std::array<int64_t, 3> base{};
                    int64_t rest = i;
                    for (size_t q = kept.size(); q-- > 0;) {
                      const int64_t at = rest % sizes[kept[q]];
                      rest /= sizes[kept[q]];
                      for (size_t k = 0; k < 3; ++k) base[k] += at * in[k].strides[kept[q]];
                    }
                    for (const size_t d : along) index[d] = 0;
                    S sum{};
                    for (int64_t t = 0; t < terms; ++t) {
                      sum += static_cast<S>(in[0].as<T>()[base[0]]) * static_cast<S>(in[1].as<T>()[base[1]]) *
                             static_cast<S>(in[2].as<T>()[base[2]]);
                      for (size_t q = along.size(); q-- > 0;) {
                        const size_t d = along[q];
                        for (size_t k = 0; k < 3; ++k) base[k] += in[k].strides[d];
                        if (++index[d] < sizes[d]) break;
                        for (size_t k = 0; k < 3; ++k) base[k] -= sizes[d] * in[k].strides[d];
                        index[d] = 0;
                      }
                    }
                    out.as<T>()[i] = convertTo<T>(sum);
                  }
                });
  });
}

}  // namespace

void addMatmulKernels(KernelTable& table) {
  table.fill("aten.mm.default aten.bmm.default", multiplyMatrices, kProduct);
  table.fill("aten.mm.dtype aten.bmm.dtype aten._int_mm.default", multiplyMatrices);
  table.fill("aten.mv.default", multiplyMatrixVector);
  table.fill("aten.dot.default aten.vdot.default", dotProduct);
  table.fill("aten.addmm.default aten.baddbmm.default", addMatrices, kProduct);
  table.fill("aten.addmm.dtype aten.baddbmm.dtype", addMatrices);
  table.fill("aten.addmv.default", addMatrixVector);
  table.fill("aten.addbmm.default", addBatchSum);
  table.fill("aten._addmm_activation.default", addMatricesActivated);
  table.fill("aten._foreach_mm.default", multiplyLists);
  table.make("inductor._mm_plus_mm.default", addTwoProducts);
  table.fill("aten._grouped_mm.default", multiplyGrouped);
  table.fill("aten._scaled_mm.default", multiplyScaled);
  table.fill("aten._scaled_mm_v2.default", multiplyScaledByRecipe);
  table.fill("aten._scaled_grouped_mm.default", multiplyScaledGrouped);
  table.fill("aten.linear_backward.default", backwardOfLinear);
  table.fill("aten.matmul_backward.default", backwardOfMatmul);
  table.fill("aten._trilinear.default", trilinear);
}

}  // namespace descry::runtime
