// Pointwise ops of several results or of whole tensors, that scalar expressions do not cover.
#include <cmath>

#include "ir/ops/eval/strides.h"
#include "runtime/interpreter/machine.h"

namespace descry::runtime {

namespace {

void frexp(Call& c) {
  visitFloating(c.out(0).dtype, [&]<class T>(TypeTag<T>) {
    forEachParallel<T, int32_t, T>(
        [](T& mantissa, int32_t& exponent, const T& x) {
          int e = 0;
          mantissa = T(std::frexp(static_cast<Compute<T>>(x), &e));
          exponent = std::isfinite(static_cast<Compute<T>>(x)) ? e : 0;
        },
        c.out(0), c.out(1), c.view(0));
  });
}

/// relu(self + alpha * other)
void addRelu(Call& c) {
  const Value alpha = c.value("alpha");
  const TensorRef sum = tensorOf(c.call(c.value("other").isTensor() ? "aten.add.Tensor" : "aten.add.Scalar",
                                        {c.value(0), c.value("other"), alpha}));
  copyElements(c.out(), viewOf(*tensorOf(c.call("aten.relu.default", {Value(sum)}))));
}

/// Tangent of glu, whose halves are a and b: glu is a * sigmoid(b).
void gluTangent(Call& c) {
  const View glu = c.view("glu"), x = c.view("x"), dx = c.view("dx");
  const int64_t dim = ir::eval::wrapDim(c.integer("dim"), static_cast<int64_t>(x.dim())),
                half = x.size(dim) / 2;
  visitFloating(glu.dtype, [&]<class T>(TypeTag<T>) {
    forEachParallel<T, T, T, T, T>(
        [](T& y, const T& g, const T& b, const T& da, const T& db) {
          using A = Compute<T>;
          const A s = A(1) / (A(1) + std::exp(-static_cast<A>(b)));
          y = T(static_cast<A>(da) * s + static_cast<A>(db) * (static_cast<A>(g) - s * static_cast<A>(g)));
        },
        c.out(), glu, x.narrow(dim, half, half), dx.narrow(dim, 0, half), dx.narrow(dim, half, half));
  });
}

}  // namespace

void addPointwiseKernels(KernelTable& table) {
  table.fill("aten.frexp.Tensor prims.frexp.default", frexp);
  table.fill("aten._add_relu.Tensor aten._add_relu.Scalar", addRelu);
  table.fill("aten.glu_jvp.default", gluTangent);
}

}  // namespace descry::runtime
