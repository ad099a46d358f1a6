#include "passes/partition/flops.h"

#include <string_view>

namespace descry::passes::partition {

namespace {

using Shape = std::vector<double>;

/// Reads the shapes of a call's arguments.
class Shapes {
 public:
  Shapes(const Joint& joint, uint32_t item) : joint_(joint), item_(item) {}
  Shape argument(uint32_t index) const { return of(joint_.argumentItem(item_, index)); }
  Shape result() const { return of(item_); }
  bool flag(uint32_t index) const {
    const ir::NodeId id = joint_.ids[item_];
    return index < joint_.graph.argCount(id) && joint_.graph.arg(id, index).kind() == ir::ValueKind::Bool &&
           joint_.graph.arg(id, index).boolean();
  }

 private:
  Shape of(uint32_t item) const {
    Shape out;
    if (item == kNoItem) return out;
    for (const ir::Dim& d : joint_.graph.type(joint_.ids[item]).tensor.shape)
      out.push_back(static_cast<double>(joint_.sizeHint(d)));
    return out;
  }
  const Joint& joint_;
  uint32_t item_;
};

double product(const Shape& s, size_t from = 0) {
  double p = 1;
  for (size_t i = from; i < s.size(); ++i) p *= s[i];
  return p;
}

double matrixProduct(const Shape& a, const Shape& b) {
  return a.size() == 2 && b.size() == 2 ? 2 * a[0] * b[1] * a[1] : 0;
}

double batchedProduct(const Shape& a, const Shape& b) {
  return a.size() == 3 && b.size() == 3 ? 2 * a[0] * a[1] * b[2] * a[2] : 0;
}

double convolution(const Shape& x, const Shape& weight, const Shape& result, bool transposed) {
  if (x.empty() || weight.size() < 2) return 0;
  return product(transposed ? x : result, 2) * product(weight) * x[0] * 2;
}

/// Two products: of queries with keys, and of scores with values.
double attention(const Shape& q, const Shape& k, const Shape& v) {
  if (q.size() != 4 || k.size() != 4 || v.size() != 4) return 0;
  const double batch = q[0] * q[1];
  return 2 * batch * q[2] * k[2] * q[3] + 2 * batch * q[2] * k[2] * v[3];
}

Shape swapped(Shape s, size_t a, size_t b) {
  if (s.size() > std::max(a, b)) std::swap(s[a], s[b]);
  return s;
}

}  // namespace

double flopsOf(const Joint& joint, uint32_t item) {
  if (!joint.isCall(item)) return 0;
  std::string_view ns, name, overload;
  if (!ir::splitTarget(joint.graph.target(joint.ids[item]), ns, name, overload) || ns != "aten") return 0;
  const Shapes s(joint, item);
  if (name == "mm" || name == "_scaled_mm") return matrixProduct(s.argument(0), s.argument(1));
  if (name == "addmm") return matrixProduct(s.argument(1), s.argument(2));
  if (name == "bmm") return batchedProduct(s.argument(0), s.argument(1));
  if (name == "baddbmm") return batchedProduct(s.argument(1), s.argument(2));
  if (name == "convolution" || name == "_convolution" || name == "cudnn_convolution" ||
      name == "_slow_conv2d_forward" || name == "convolution_overrideable")
    return convolution(s.argument(0), s.argument(1), s.result(), s.flag(6));
  if (name == "_scaled_dot_product_efficient_attention" || name == "_scaled_dot_product_flash_attention" ||
      name == "_scaled_dot_product_flash_attention_for_cpu" || name == "_scaled_dot_product_cudnn_attention")
    return attention(s.argument(0), s.argument(1), s.argument(2));
  if (name == "_flash_attention_forward" || name == "_efficient_attention_forward") {
    // Heads stand behind the sequence; the efficient one is counted as it stands.
    const size_t a = name == "_flash_attention_forward" ? 1 : 0, b = a ? 2 : 0;
    return attention(swapped(s.argument(0), a, b), swapped(s.argument(1), a, b),
                     swapped(s.argument(2), a, b));
  }
  return 0;
}

}  // namespace descry::passes::partition
