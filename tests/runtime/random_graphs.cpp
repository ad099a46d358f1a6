#include "tests/runtime/random_graphs.h"

#include "ir/ops/eval/promotion.h"

namespace descry::test {

using namespace runtime;
using ir::DType;

namespace {

std::string typeText(const Meta& m) {
  std::string s = "\"" + std::string(ir::dtypeInfo(m.dtype).shortName) + "[";
  for (size_t d = 0; d < m.sizes.size(); ++d) s += (d ? ", " : "") + m.sizes[d].str();
  s += "][";
  for (size_t d = 0; d < m.strides.size(); ++d) s += (d ? ", " : "") + m.strides[d].str();
  return s + "]cpu\"";
}

std::pair<std::string, Value> integer(int64_t n) {
  return {std::to_string(n), Value(n)};
}
std::pair<std::string, Value> real(double x) {
  char text[40];
  std::snprintf(text, sizeof text, "%.17g", x);
  std::string s = text;
  if (s.find_first_of(".e") == std::string::npos) s += ".0";
  return {s, Value::real(x)};
}
std::pair<std::string, Value> integers(const std::vector<int64_t>& list) {
  std::string s = "[";
  Values items;
  for (const int64_t n : list) {
    s += (items.empty() ? "" : ", ") + std::to_string(n);
    items.emplace_back(n);
  }
  return {s + "]", Value(std::move(items))};
}
std::pair<std::string, Value> truth(bool b) {
  return {b ? "True" : "False", Value::boolean(b)};
}

}  // namespace

TensorRef GraphGenerator::contents(const Dims& sizes, DType dtype) {
  const TensorRef t = allocate(sizes, dtype);
  for (int64_t i = 0; i < productOf(sizes); ++i) {
    const double x = std::uniform_real_distribution<double>(-3, 3)(random_);
    const Value v = dtype == DType::B8            ? Value::boolean(x > 0)
                    : ir::eval::isIntegral(dtype) ? Value(static_cast<int64_t>(x * 20))
                                                  : Value::real(x);
    storeNumber(dtype, t->storage->data() + i * itemBytes(dtype), v);
  }
  return t;
}

Values GraphGenerator::otherInputs(const Values& inputs) {
  Values out;
  for (const Value& v : inputs) {
    const TensorRef from = tensorOf(v);
    const auto elements = static_cast<int64_t>(from->storage->bytes()) / itemBytes(v.meta().dtype);
    out.emplace_back(viewInto(*contents({elements}, v.meta().dtype), v.meta()));
  }
  return out;
}

bool GraphGenerator::add(const std::string& target, std::vector<std::pair<std::string, Value>> args,
                         std::vector<std::pair<std::string, std::pair<std::string, Value>>> keywords) {
  const OpDef* op = machine_.ops().find("torch.ops." + target);
  if (!op) throw std::runtime_error("no op " + target);
  Values positional, bound;
  ir::eval::Keywords named;
  std::string call = "torch.ops." + target + "(";
  for (const auto& [text, value] : args) {
    call += (positional.empty() ? "" : ", ") + text;
    positional.push_back(value);
  }
  for (const auto& [key, a] : keywords) {
    call += ", " + key + " = " + a.first;
    named.emplace_back(key, a.second);
  }
  call += ")";
  Value made;
  try {
    if (!ir::eval::bindTo(*op, positional, named, true, false, bound, nullptr, true) &&
        !ir::eval::bindTo(*op, positional, named, false, false, bound, nullptr, true))
      return false;
    made = machine_.call(*op, std::move(bound));
  } catch (const EvalError&) {
    return false;
  }
  const std::string name = "v" + std::to_string(count_++);
  if (made.isTensor()) {
    const TensorRef t = tensorOf(made);
    if (productOf(Dims(t->meta.sizes)) > 4000) return false;
    body_ += "        " + name + ": " + typeText(t->meta) + " = " + call + "\n";
    values_.push_back({name, t});
    return true;
  }
  if (!made.isList()) return false;
  body_ += "        " + name + " = " + call + "\n";
  for (size_t i = 0; i < made.items().size(); ++i) {
    if (!made.items()[i].isTensor()) continue;
    const TensorRef t = tensorOf(made.items()[i]);
    const std::string part = "v" + std::to_string(count_++);
    body_ += "        " + part + ": " + typeText(t->meta) + " = " + name + "[" + std::to_string(i) + "]\n";
    values_.push_back({part, t});
  }
  return true;
}

bool GraphGenerator::pointwise() {
  static const std::vector<std::string> unary = {
      "relu",  "sigmoid", "tanh",   "exp",         "neg",       "abs",  "sin",        "cos",
      "silu",  "sqrt",    "rsqrt",  "floor",       "round",     "sign", "reciprocal", "log1p",
      "isnan", "erf",     "square", "logical_not", "hardswish", "gelu", "trunc",      "expm1"};
  static const std::vector<std::string> binary = {
      "add.Tensor",         "sub.Tensor",           "mul.Tensor",       "div.Tensor",
      "maximum.default",    "minimum.default",      "lt.Tensor",        "eq.Tensor",
      "ge.Tensor",          "floor_divide.default", "remainder.Tensor", "atan2.default",
      "bitwise_and.Tensor", "logical_or.default",   "fmod.Tensor",      "bitwise_xor.Tensor",
      "pow.Tensor_Tensor"};
  static const std::vector<std::string> scalar = {
      "add.Tensor",        "mul.Tensor",  "sub.Tensor", "div.Tensor",       "pow.Tensor_Scalar", "gt.Scalar",
      "clamp_min.default", "fmod.Scalar", "ne.Scalar",  "remainder.Scalar", "leaky_relu.default"};
  const Named &a = any(), &b = any(), &c = any();
  switch (below(8)) {
    case 0:
    case 1:
      return add("aten." + oneOf(unary) + ".default", {{a.name, Value(a.tensor)}});
    case 2:
    case 3:
      return add("aten." + oneOf(binary), {{a.name, Value(a.tensor)}, {b.name, Value(b.tensor)}});
    case 4: {
      static const std::vector<double> numbers = {0.5, 2.5, -1.25, 3, 7.125, 1};
      const auto n = chance(40) ? integer(static_cast<int64_t>(below(9)) - 2) : real(oneOf(numbers));
      return add("aten." + oneOf(scalar), {{a.name, Value(a.tensor)}, n});
    }
    case 5:
      if (c.tensor->meta.dtype == DType::B8)
        return add("aten.where.self",
                   {{c.name, Value(c.tensor)}, {a.name, Value(a.tensor)}, {b.name, Value(b.tensor)}});
      return add("aten.addcmul.default",
                 {{a.name, Value(a.tensor)}, {b.name, Value(b.tensor)}, {c.name, Value(c.tensor)}},
                 {{"value", real(0.75)}});
    case 6: {
      static const std::vector<DType> dtypes = {DType::F32, DType::F64, DType::F16, DType::BF16, DType::I64,
                                                DType::I32, DType::U8,  DType::B8,  DType::I16};
      const DType d = oneOf(dtypes);
      // What a float outside of an integer's range becomes differs between machines.
      if (ir::eval::isIntegral(d) && ir::dtypeInfo(a.tensor->meta.dtype).floating) return false;
      return add("aten._to_copy.default", {{a.name, Value(a.tensor)}},
                 {{"dtype", {"torch." + std::string(ir::dtypeInfo(d).torchName), Value::dtype(d)}}});
    }
    default:
      return add("aten.clone.default", {{a.name, Value(a.tensor)}});
  }
}

bool GraphGenerator::view() {
  const Named& a = any();
  const Meta& m = a.tensor->meta;
  const auto rank = static_cast<int64_t>(m.sizes.size());
  const std::pair<std::string, Value> self = {a.name, Value(a.tensor)};
  const auto dim = [&] {
    return integer(static_cast<int64_t>(below(static_cast<size_t>(std::max<int64_t>(rank, 1)))));
  };
  switch (below(9)) {
    case 0:
      return rank > 1 && add("aten.transpose.int", {self, dim(), dim()});
    case 1:
      return rank < 4 && add("aten.unsqueeze.default",
                             {self, integer(static_cast<int64_t>(below(static_cast<size_t>(rank + 1))))});
    case 2: {
      std::vector<int64_t> sizes;
      for (const Int& n : m.sizes) sizes.push_back(n.value == 1 ? 3 : n.value);
      return add("aten.expand.default", {self, integers(sizes)});
    }
    case 3:
      return rank > 0 &&
             add("aten.slice.Tensor", {self, dim(), integer(static_cast<int64_t>(below(2))), integer(100),
                                       integer(1 + static_cast<int64_t>(below(2)))});
    case 4:
      return rank > 1 && add("aten.select.int", {self, dim(), integer(0)});
    case 5:
      return add("aten.view.default", {self, integers({productOf(Dims(m.sizes))})});
    case 6: {
      std::vector<int64_t> order;
      for (int64_t d = 0; d < rank; ++d) order.push_back(d);
      std::shuffle(order.begin(), order.end(), random_);
      return rank > 1 && add("aten.permute.default", {self, integers(order)});
    }
    case 7:
      return add("aten.reshape.default", {self, integers({-1})});
    default:
      return rank > 1 && add("aten.diagonal.default", {self});
  }
}

bool GraphGenerator::reduction() {
  const Named& a = any();
  const auto rank = static_cast<int64_t>(a.tensor->meta.sizes.size());
  if (rank == 0) return false;
  const std::pair<std::string, Value> self = {a.name, Value(a.tensor)};
  const int64_t d = static_cast<int64_t>(below(static_cast<size_t>(rank)));
  switch (below(8)) {
    case 0:
      return add("aten.sum.dim_IntList", {self, integers({d}), truth(chance(50))});
    case 1:
      return add("aten.mean.dim", {self, integers({d}), truth(chance(70))});
    case 2:
      return add("aten.amax.default", {self, integers({d}), truth(true)});
    case 3:
      return add("aten.cumsum.default", {self, integer(d)});
    case 4:
      return add("aten._softmax.default", {self, integer(d), truth(false)});
    case 5:
      return add("aten.argmax.default", {self, integer(d)});
    case 6:
      return add("aten.var_mean.correction", {self, integers({d})},
                 {{"correction", integer(1)}, {"keepdim", truth(true)}});
    default:
      return add("aten.native_layer_norm.default", {self,
                                                    integers({a.tensor->meta.sizes.back().value}),
                                                    {"None", Value()},
                                                    {"None", Value()},
                                                    real(1e-5)});
  }
}

bool GraphGenerator::product() {
  const Named &a = any(), &b = any(), &c = any();
  const std::pair<std::string, Value> x = {a.name, Value(a.tensor)}, y = {b.name, Value(b.tensor)},
                                      z = {c.name, Value(c.tensor)};
  switch (below(4)) {
    case 0:
      return add("aten.mm.default", {x, y});
    case 1:
      return add("aten.addmm.default", {z, x, y});
    case 2:
      return add("aten.matmul.default", {x, y});
    default:
      return add("aten.bmm.default", {x, y});
  }
}

bool GraphGenerator::other() {
  const Named &a = any(), &b = any();
  const std::pair<std::string, Value> x = {a.name, Value(a.tensor)}, y = {b.name, Value(b.tensor)};
  switch (below(7)) {
    case 0:
      return add("aten.cat.default",
                 {{"[" + a.name + ", " + b.name + "]", Value(Values{Value(a.tensor), Value(b.tensor)})},
                  integer(0)});
    case 1:
      return add("aten.constant_pad_nd.default", {x, integers({1, 0}), real(0.5)});
    case 2:
      return add("aten.full_like.default", {x, integer(2)});
    case 3:
      return add("aten.tril.default", {x});
    case 4:
      return add("aten.select_scatter.default", {x, y, integer(0), integer(0)});
    case 5:
      return add("aten.rand_like.default", {x});
    default:
      return add("aten.flip.default", {x, integers({0})});
  }
}

RandomGraph GraphGenerator::next() {
  values_.clear();
  body_.clear();
  count_ = 0;
  RandomGraph out;
  std::string parameters;
  static const std::vector<Dims> shapes = {{4, 6},    {6, 4}, {6},    {1, 6},  {4, 1},
                                           {2, 4, 6}, {},     {4, 4}, {40, 33}};
  static const std::vector<DType> dtypes = {DType::F32, DType::F32, DType::F32, DType::F64, DType::BF16,
                                            DType::F16, DType::I64, DType::I32, DType::B8};
  const size_t inputs = 2 + below(4);
  const DType common = chance(70) ? DType::F32 : oneOf(dtypes);
  for (size_t i = 0; i < inputs; ++i) {
    TensorRef t = contents(oneOf(shapes), chance(75) ? common : oneOf(dtypes));
    if (t->meta.sizes.size() == 2 && chance(25)) {
      // Laid out by columns.
      Meta m = t->meta;
      m.strides = {1, m.sizes[0]};
      t = viewInto(*t, m);
    }
    const std::string name = "arg" + std::to_string(i) + "_1";
    parameters += ", " + name + ": " + typeText(t->meta);
    values_.push_back({name, t});
    out.inputs.emplace_back(t);
  }
  const size_t wanted = 6 + below(20);
  size_t made = 0;
  for (int tries = 0; made < wanted && tries < 300; ++tries) {
    const size_t kind = below(20);
    made += kind < 11   ? pointwise()
            : kind < 15 ? view()
            : kind < 17 ? reduction()
            : kind < 18 ? product()
                        : other();
  }
  std::string returned = values_.back().name;
  for (size_t k = below(3); k > 0; --k) returned += ", " + values_[below(values_.size())].name;
  out.text = "class GraphModule(torch.nn.Module):\n    def forward(self" + parameters + "):\n" + body_ +
             "        return (" + returned + ",)\n";
  return out;
}

}  // namespace descry::test
