// Ops that make tensors: fresh ones, copies, joins, and copies of a base with a view of it replaced.
#include <algorithm>
#include <limits>

#include "tests/support/evaluator_ops.h"

namespace descry::test {

TensorPtr copyOf(const Tensor& t) {
  const TensorPtr out = newTensor(t.sizes);
  forEachIndex(t.sizes, [&](const Sizes& i) { at(*out, i) = at(t, i); });
  return out;
}

TensorPtr cloneOf(const Tensor& t) {
  auto out = std::make_shared<Tensor>(t);
  out->storage = std::make_shared<std::vector<double>>(*t.storage);
  return out;
}

namespace {

/// What an uninitialised tensor holds: whoever reads it is found out.
constexpr double kGarbage = std::numeric_limits<double>::quiet_NaN();

TensorPtr filled(const Sizes& sizes, double value) {
  const TensorPtr out = newTensor(sizes);
  std::fill(out->storage->begin(), out->storage->end(), value);
  return out;
}

void write(const TensorPtr& to, const TensorPtr& from) {
  const TensorPtr spread = expanded(from, to->sizes);
  const TensorPtr values = copyOf(*spread);  // both may lie in one storage
  forEachIndex(to->sizes, [&](const Sizes& i) { at(*to, i) = at(*values, i); });
}

std::optional<Item> fresh(const Call& c) {
  const std::string& op = c.op;
  const auto like = [&] { return c.tensor(0, "self")->sizes; };
  if (op == "zeros" || op == "ones") return filled(c.ints(0, "size"), op == "ones");
  if (op == "zeros_like" || op == "ones_like") return filled(like(), op == "ones_like");
  if (op == "new_zeros" || op == "new_ones") return filled(c.ints(1, "size"), op == "new_ones");
  if (op == "full") return filled(c.ints(0, "size"), c.number(1, "fill_value", 0));
  if (op == "new_full") return filled(c.ints(1, "size"), c.number(2, "fill_value", 0));
  if (op == "full_like") return filled(like(), c.number(1, "fill_value", 0));
  if (op == "scalar_tensor") return filled({}, c.number(0, "s", 0));
  if (op == "empty") return filled(c.ints(0, "size"), kGarbage);
  if (op == "empty_like") return filled(like(), kGarbage);
  if (op == "new_empty") return filled(c.ints(1, "size"), kGarbage);
  if (op == "new_empty_strided" || op == "empty_strided") {
    const size_t from = op == "new_empty_strided";
    const TensorPtr out = newTensor(c.ints(from, "size"), c.ints(from + 1, "stride"));
    std::fill(out->storage->begin(), out->storage->end(), kGarbage);
    return out;
  }
  if (op == "arange" && c.overload == "default") {
    const TensorPtr out = newTensor({c.integer(0, "end", 0)});
    for (int64_t i = 0; i < out->numel(); ++i) out->at(i) = static_cast<double>(i);
    return out;
  }
  return std::nullopt;
}

/// `x_scatter(base, update, ...)`: a copy of base whose view `x(...)` is update.
std::optional<Item> scatter(const Call& c) {
  constexpr std::string_view kScatter = "_scatter";
  if (c.op.size() <= kScatter.size() || c.op.substr(c.op.size() - kScatter.size()) != kScatter)
    return std::nullopt;
  const std::string view = c.op.substr(0, c.op.size() - kScatter.size());
  if (view != "select" && view != "slice" && view != "diagonal" && view != "as_strided") return std::nullopt;
  const TensorPtr out = cloneOf(*c.tensor(0, "self"));
  std::vector<Item> args = c.args;
  if (args.size() > 1) args.erase(args.begin() + 1);
  args[0] = out;
  const std::string overload = view == "select" ? "int" : view == "slice" ? "Tensor" : "default";
  write(call(view + "." + overload, args, c.keywords).tensor, c.tensor(1, "src"));
  return out;
}

/// `x_backward(grad, sizes, ...)`: zeros whose view `x(...)` is grad.
std::optional<Item> viewBackward(const Call& c) {
  static const std::map<std::string, std::string, std::less<>> kViews = {
      {"select_backward", "select.int"},
      {"slice_backward", "slice.Tensor"},
      {"diagonal_backward", "diagonal.default"}};
  if (const auto found = kViews.find(c.op); found != kViews.end()) {
    const TensorPtr out = newTensor(c.ints(1, "input_sizes"));
    std::vector<Item> args(c.args.begin() + 1, c.args.end());
    args[0] = out;
    write(call(found->second, args).tensor, c.tensor(0, "grad_output"));
    return out;
  }
  if (c.op == "unfold_backward") {  // windows may overlap: they add up
    const TensorPtr out = newTensor(c.ints(1, "input_sizes")), grad = c.tensor(0, "grad_in");
    const TensorPtr windows = call("unfold.default", {out, c.integer(2, "dim", 0), c.integer(3, "size", 1),
                                                      c.integer(4, "step", 1)})
                                  .tensor;
    forEachIndex(windows->sizes, [&](const Sizes& i) { at(*windows, i) += at(*grad, i); });
    return out;
  }
  return std::nullopt;
}

TensorPtr cat(const std::vector<Item>& parts, int64_t dim) {
  Sizes sizes = parts.at(0).tensor->sizes;
  const size_t d = static_cast<size_t>(wrapDim(dim, sizes.size()));
  sizes.at(d) = 0;
  for (const Item& p : parts) sizes[d] += p.tensor->sizes.at(d);
  const TensorPtr out = newTensor(sizes);
  int64_t from = 0;
  for (const Item& p : parts) {
    const int64_t n = p.tensor->sizes[d];
    write(call("slice.Tensor", {out, static_cast<int64_t>(d), from, from + n}).tensor, p.tensor);
    from += n;
  }
  return out;
}

TensorPtr flip(const TensorPtr& t, const Sizes& dims) {
  const TensorPtr out = newTensor(t->sizes);
  forEachIndex(t->sizes, [&](const Sizes& i) {
    Sizes j = i;
    for (const int64_t d : dims) {
      const size_t k = static_cast<size_t>(wrapDim(d, j.size()));
      j[k] = t->sizes[k] - 1 - i[k];
    }
    at(*out, i) = at(*t, j);
  });
  return out;
}

TensorPtr triangle(const Call& c) {
  const TensorPtr out = copyOf(*c.tensor(0, "self"));
  const int64_t k = c.integer(1, "diagonal", 0);
  const size_t rank = out->sizes.size();
  forEachIndex(out->sizes, [&](const Sizes& i) {
    const bool upper = i[rank - 1] - i[rank - 2] >= k, lower = i[rank - 1] - i[rank - 2] <= k;
    if (c.op == "tril" ? !lower : !upper) at(*out, i) = 0;
  });
  return out;
}

TensorPtr padded(const Call& c) {
  const TensorPtr t = c.tensor(0, "self");
  const Sizes pad = c.ints(1, "pad");
  Sizes sizes = t->sizes, from(sizes.size(), 0);
  for (size_t k = 0; 2 * k + 1 < pad.size(); ++k) {
    const size_t d = sizes.size() - 1 - k;
    from[d] = pad[2 * k];
    sizes[d] += pad[2 * k] + pad[2 * k + 1];
  }
  const TensorPtr out = filled(sizes, c.number(2, "value", 0));
  forEachIndex(sizes, [&](const Sizes& i) {
    Sizes j = i;
    for (size_t d = 0; d < j.size(); ++d) {
      j[d] -= from[d];
      if (j[d] < 0 || j[d] >= t->sizes[d]) return;
    }
    at(*out, i) = at(*t, j);
  });
  return out;
}

TensorPtr repeated(const TensorPtr& t, const Sizes& times) {
  Sizes sizes = times;
  const size_t front = times.size() - t->sizes.size();
  for (size_t d = front; d < sizes.size(); ++d) sizes[d] *= t->sizes[d - front];
  const TensorPtr out = newTensor(sizes);
  forEachIndex(sizes, [&](const Sizes& i) {
    Sizes j(i.begin() + static_cast<int64_t>(front), i.end());
    for (size_t d = 0; d < j.size(); ++d) j[d] %= t->sizes[d];
    at(*out, i) = at(*t, j);
  });
  return out;
}

}  // namespace

std::optional<Item> callOther(const Call& c) {
  for (const OpGroup group : {&fresh, &scatter, &viewBackward})
    if (std::optional<Item> r = group(c)) return r;
  const std::string& op = c.op;
  if (op == "clone" || op == "_to_copy" || op == "contiguous") return copyOf(*c.tensor(0, "self"));
  if (op == "copy_") {
    const TensorPtr to = c.tensor(0, "self");
    write(to, c.tensor(1, "src"));
    return to;
  }
  if (op == "fill_" || op == "zero_") {
    const TensorPtr t = c.tensor(0, "self");
    const Item value = c.arg(1, "value");
    write(t, value.kind == Item::Kind::Tensor ? value.tensor : filled({}, op == "zero_" ? 0 : value.d));
    return t;
  }
  if (op == "fill") {
    const Item value = c.arg(1, "value");
    return filled(c.tensor(0, "self")->sizes,
                  value.kind == Item::Kind::Tensor ? value.tensor->at(0) : value.d);
  }
  if (op == "zero") return filled(c.tensor(0, "self")->sizes, 0);
  if (op == "cat") return cat(c.arg(0, "tensors").items, c.integer(1, "dim", 0));
  if (op == "stack") {
    std::vector<Item> parts;
    for (const Item& p : c.arg(0, "tensors").items)
      parts.push_back(call("unsqueeze.default", {p, c.integer(1, "dim", 0)}));
    return cat(parts, c.integer(1, "dim", 0));
  }
  if (op == "flip") return flip(c.tensor(0, "self"), c.ints(1, "dims"));
  if (op == "tril" || op == "triu") return triangle(c);
  if (op == "constant_pad_nd") return padded(c);
  if (op == "repeat") return repeated(c.tensor(0, "self"), c.ints(1, "repeats"));
  return std::nullopt;
}

}  // namespace descry::test
