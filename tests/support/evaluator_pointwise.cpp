// Ops that go element by element.
#include <cmath>
#include <map>

#include "tests/support/evaluator_ops.h"

namespace descry::test {

namespace {

using Operands = const std::vector<double>&;
using Function = double (*)(Operands);

double logistic(double x) {
  return 1 / (1 + std::exp(-x));
}

/// Tensor and number arguments in the order of the schema.
const std::map<std::string, Function, std::less<>>& functions() {
  static const std::map<std::string, Function, std::less<>> kAll = {
      {"sin", [](Operands v) { return std::sin(v[0]); }},
      {"cos", [](Operands v) { return std::cos(v[0]); }},
      {"tan", [](Operands v) { return std::tan(v[0]); }},
      {"sinh", [](Operands v) { return std::sinh(v[0]); }},
      {"cosh", [](Operands v) { return std::cosh(v[0]); }},
      {"tanh", [](Operands v) { return std::tanh(v[0]); }},
      {"atan", [](Operands v) { return std::atan(v[0]); }},
      {"asinh", [](Operands v) { return std::asinh(v[0]); }},
      {"exp", [](Operands v) { return std::exp(v[0]); }},
      {"expm1", [](Operands v) { return std::expm1(v[0]); }},
      {"log", [](Operands v) { return std::log(v[0]); }},
      {"log1p", [](Operands v) { return std::log1p(v[0]); }},
      {"sqrt", [](Operands v) { return std::sqrt(v[0]); }},
      {"rsqrt", [](Operands v) { return 1 / std::sqrt(v[0]); }},
      {"reciprocal", [](Operands v) { return 1 / v[0]; }},
      {"square", [](Operands v) { return v[0] * v[0]; }},
      {"neg", [](Operands v) { return -v[0]; }},
      {"abs", [](Operands v) { return std::abs(v[0]); }},
      {"sgn", [](Operands v) { return static_cast<double>((v[0] > 0) - (v[0] < 0)); }},
      {"sign", [](Operands v) { return static_cast<double>((v[0] > 0) - (v[0] < 0)); }},
      {"relu", [](Operands v) { return std::fmax(v[0], 0); }},
      {"sigmoid", [](Operands v) { return logistic(v[0]); }},
      {"silu", [](Operands v) { return v[0] * logistic(v[0]); }},
      {"erf", [](Operands v) { return std::erf(v[0]); }},
      {"mul", [](Operands v) { return v[0] * v[1]; }},
      {"div", [](Operands v) { return v[0] / v[1]; }},
      {"pow", [](Operands v) { return std::pow(v[0], v[1]); }},
      {"atan2", [](Operands v) { return std::atan2(v[0], v[1]); }},
      {"maximum", [](Operands v) { return std::fmax(v[0], v[1]); }},
      {"minimum", [](Operands v) { return std::fmin(v[0], v[1]); }},
      {"gt", [](Operands v) { return v[0] > v[1] ? 1.0 : 0.0; }},
      {"ge", [](Operands v) { return v[0] >= v[1] ? 1.0 : 0.0; }},
      {"lt", [](Operands v) { return v[0] < v[1] ? 1.0 : 0.0; }},
      {"le", [](Operands v) { return v[0] <= v[1] ? 1.0 : 0.0; }},
      {"eq", [](Operands v) { return v[0] == v[1] ? 1.0 : 0.0; }},
      {"ne", [](Operands v) { return v[0] != v[1] ? 1.0 : 0.0; }},
      {"isnan", [](Operands v) { return std::isnan(v[0]) ? 1.0 : 0.0; }},
      {"isinf", [](Operands v) { return std::isinf(v[0]) ? 1.0 : 0.0; }},
      {"logical_not", [](Operands v) { return v[0] == 0 ? 1.0 : 0.0; }},
      {"bitwise_not", [](Operands v) { return v[0] == 0 ? 1.0 : 0.0; }},
      {"logical_and", [](Operands v) { return v[0] != 0 && v[1] != 0 ? 1.0 : 0.0; }},
      {"bitwise_and", [](Operands v) { return v[0] != 0 && v[1] != 0 ? 1.0 : 0.0; }},
      {"logical_or", [](Operands v) { return v[0] != 0 || v[1] != 0 ? 1.0 : 0.0; }},
      {"bitwise_or", [](Operands v) { return v[0] != 0 || v[1] != 0 ? 1.0 : 0.0; }},
      {"where", [](Operands v) { return v[0] != 0 ? v[1] : v[2]; }},
      {"masked_fill", [](Operands v) { return v[1] != 0 ? v[2] : v[0]; }},
      {"lerp", [](Operands v) { return v[0] + v[2] * (v[1] - v[0]); }},
      {"sigmoid_backward", [](Operands v) { return v[0] * v[1] * (1 - v[1]); }},
      {"tanh_backward", [](Operands v) { return v[0] * (1 - v[1] * v[1]); }},
      {"threshold_backward", [](Operands v) { return v[1] > v[2] ? v[0] : 0; }},
      {"silu_backward",
       [](Operands v) {
         const double s = logistic(v[1]);
         return v[0] * s * (1 + v[1] * (1 - s));
       }},
      {"leaky_relu_backward", [](Operands v) { return v[1] > 0 ? v[0] : v[0] * v[2]; }},
      {"hardtanh_backward", [](Operands v) { return v[1] > v[2] && v[1] < v[3] ? v[0] : 0; }},
      {"copy", [](Operands v) { return v[1]; }},
  };
  return kAll;
}

double gelu(double x, bool tanh) {
  if (!tanh) return 0.5 * x * (1 + std::erf(x / std::sqrt(2.0)));
  return 0.5 * x * (1 + std::tanh(std::sqrt(2 / M_PI) * (x + 0.044715 * x * x * x)));
}

/// The derivative, by the formulas of the two forms.
double geluSlope(double x, bool tanh) {
  if (!tanh)
    return 0.5 * (1 + std::erf(x / std::sqrt(2.0))) + x * std::exp(-0.5 * x * x) / std::sqrt(2 * M_PI);
  const double k = std::sqrt(2 / M_PI), t = std::tanh(k * (x + 0.044715 * x * x * x));
  return 0.5 * (1 + t) + 0.5 * x * (1 - t * t) * k * (1 + 3 * 0.044715 * x * x);
}

/// Ops whose arguments need a second look; `numbers` holds what is not a tensor.
std::function<double(Operands)> special(const Call& c, std::vector<Item>& operands) {
  const auto keep = [&](size_t n) {
    operands.assign(c.args.begin(), c.args.begin() + static_cast<int64_t>(std::min(n, c.args.size())));
  };
  if (c.op == "add" || c.op == "sub" || c.op == "rsub") {
    double k = c.number(2, "alpha", 1);
    if (c.op != "add") k = -k;
    keep(2);
    if (c.op == "rsub") return [k](Operands v) { return v[1] + k * v[0]; };
    return [k](Operands v) { return v[0] + k * v[1]; };
  }
  if (c.op == "addcmul" || c.op == "addcdiv") {
    const double k = c.number(3, "value", 1);
    keep(3);
    if (c.op == "addcmul") return [k](Operands v) { return v[0] + k * v[1] * v[2]; };
    return [k](Operands v) { return v[0] + k * v[1] / v[2]; };
  }
  if (c.op == "clamp" || c.op == "clamp_min" || c.op == "clamp_max" || c.op == "hardtanh") {
    const bool both = c.op == "clamp" || c.op == "hardtanh";
    const Item low = c.op == "clamp_max"                       ? Item()
                     : c.op == "hardtanh" && c.args.size() < 2 ? Item(-1.0)
                                                               : c.arg(1, "min");
    const Item high = c.op == "clamp_min"                       ? Item()
                      : c.op == "hardtanh" && c.args.size() < 3 ? Item(1.0)
                                                                : c.arg(both ? 2 : 1, "max");
    if (low.kind == Item::Kind::Tensor || high.kind == Item::Kind::Tensor)
      throw EvaluationError("bounds that are tensors are not run");
    keep(1);
    return [low, high](Operands v) {
      double x = v[0];
      if (low.isNumber()) x = std::fmax(x, low.d);
      if (high.isNumber()) x = std::fmin(x, high.d);
      return x;
    };
  }
  if (c.op == "leaky_relu") {
    const double slope = c.number(1, "negative_slope", 0.01);
    keep(1);
    return [slope](Operands v) { return v[0] > 0 ? v[0] : slope * v[0]; };
  }
  if (c.op == "elu") {
    const double alpha = c.number(1, "alpha", 1), scale = c.number(2, "scale", 1),
                 inner = c.number(3, "input_scale", 1);
    keep(1);
    return [=](Operands v) { return v[0] > 0 ? scale * v[0] : scale * alpha * std::expm1(inner * v[0]); };
  }
  if (c.op == "elu_backward") {
    const double alpha = c.number(1, "alpha", 1), scale = c.number(2, "scale", 1),
                 inner = c.number(3, "input_scale", 1);
    const bool result = c.boolean(4, "is_result", false);
    operands = {c.arg(0, "grad_output"), c.arg(5, "self_or_result")};
    return [=](Operands v) {
      if (v[1] > 0) return v[0] * scale;
      return result ? v[0] * inner * (v[1] + scale * alpha)
                    : v[0] * inner * scale * alpha * std::exp(inner * v[1]);
    };
  }
  if (c.op == "softplus") {
    const double beta = c.number(1, "beta", 1), top = c.number(2, "threshold", 20);
    keep(1);
    return [=](Operands v) { return v[0] * beta > top ? v[0] : std::log1p(std::exp(v[0] * beta)) / beta; };
  }
  if (c.op == "softplus_backward") {
    const double beta = c.number(2, "beta", 1), top = c.number(3, "threshold", 20);
    keep(2);
    return [=](Operands v) { return v[1] * beta > top ? v[0] : v[0] * logistic(v[1] * beta); };
  }
  if (c.op == "gelu" || c.op == "gelu_backward") {
    const bool slope = c.op == "gelu_backward", tanh = c.arg(slope ? 2 : 1, "approximate").text == "tanh";
    keep(slope ? 2 : 1);
    if (slope) return [tanh](Operands v) { return v[0] * geluSlope(v[1], tanh); };
    return [tanh](Operands v) { return gelu(v[0], tanh); };
  }
  return nullptr;
}

}  // namespace

std::optional<Item> callPointwise(const Call& c) {
  std::vector<Item> operands = c.args;
  std::function<double(Operands)> f = special(c, operands);
  if (!f) {
    const auto found = functions().find(c.op);
    if (found == functions().end()) return std::nullopt;
    f = found->second;
  }
  if (c.op == "copy" && operands.size() > 2) operands.resize(2);
  Sizes sizes;
  for (const Item& o : operands) {
    if (o.kind == Item::Kind::Tensor)
      sizes = broadcast(sizes, o.tensor->sizes);
    else if (!o.isNumber())
      throw EvaluationError("an operand is neither tensor nor number");
  }
  std::vector<TensorPtr> tensors;
  std::vector<double> v;
  for (const Item& o : operands) {
    tensors.push_back(o.kind == Item::Kind::Tensor ? expanded(o.tensor, sizes) : nullptr);
    v.push_back(o.d);
  }
  const TensorPtr out = newTensor(sizes);
  forEachIndex(sizes, [&](const Sizes& index) {
    for (size_t k = 0; k < tensors.size(); ++k)
      if (tensors[k]) v[k] = at(*tensors[k], index);
    at(*out, index) = f(v);
  });
  return out;
}

}  // namespace descry::test
