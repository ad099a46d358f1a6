// Views: new geometry on the same storage.
#include <algorithm>

#include "tests/support/evaluator_ops.h"

namespace descry::test {

Item Call::arg(size_t position, std::string_view name) const {
  if (const auto found = keywords.find(name); found != keywords.end()) return found->second;
  return position < args.size() ? args[position] : Item();
}

TensorPtr Call::tensor(size_t position, std::string_view name) const {
  const Item i = arg(position, name);
  if (i.kind != Item::Kind::Tensor) throw EvaluationError(std::string(name) + " is not a tensor");
  return i.tensor;
}

int64_t Call::integer(size_t position, std::string_view name, int64_t byDefault) const {
  const Item i = arg(position, name);
  return i.isNumber() ? i.i : byDefault;
}

double Call::number(size_t position, std::string_view name, double byDefault) const {
  const Item i = arg(position, name);
  return i.isNumber() ? i.d : byDefault;
}

bool Call::boolean(size_t position, std::string_view name, bool byDefault) const {
  return integer(position, name, byDefault) != 0;
}

Sizes Call::ints(size_t position, std::string_view name) const {
  const Item i = arg(position, name);
  if (i.isNumber()) return {i.i};
  Sizes out;
  for (const Item& k : i.items) out.push_back(k.i);
  return out;
}

int64_t wrapDim(int64_t dim, size_t rank) {
  const int64_t n = std::max<int64_t>(static_cast<int64_t>(rank), 1);
  if (dim < -n || dim >= n) throw EvaluationError("no such dim");
  return dim < 0 ? dim + n : dim;
}

double& at(const Tensor& t, const Sizes& index) {
  int64_t where = t.offset;
  for (size_t d = 0; d < index.size(); ++d) where += index[d] * t.strides[d];
  return (*t.storage).at(static_cast<size_t>(where));
}

Sizes broadcast(const Sizes& a, const Sizes& b) {
  Sizes out(std::max(a.size(), b.size()), 1);
  for (size_t k = 0; k < out.size(); ++k) {
    const int64_t x = k < a.size() ? a[a.size() - 1 - k] : 1, y = k < b.size() ? b[b.size() - 1 - k] : 1;
    if (x != y && x != 1 && y != 1) throw EvaluationError("sizes do not fit together");
    out[out.size() - 1 - k] = x == 1 ? y : x;
  }
  return out;
}

TensorPtr expanded(const TensorPtr& t, const Sizes& wanted) {
  Sizes sizes = wanted, strides(wanted.size(), 0);
  if (wanted.size() < t->sizes.size()) throw EvaluationError("expand to fewer dims");
  const size_t front = wanted.size() - t->sizes.size();
  for (size_t d = sizes.size(); d-- > 0;) {
    if (d < front) {
      strides[d] = sizes[d] != 1 || d + 1 == sizes.size() ? 0 : sizes[d + 1] * strides[d + 1];
      continue;
    }
    const int64_t have = t->sizes[d - front];
    if (sizes[d] == -1) sizes[d] = have;
    if (sizes[d] == have)
      strides[d] = t->strides[d - front];
    else if (have != 1)
      throw EvaluationError("expand of a size that is not 1");
  }
  return viewOf(t, sizes, strides, t->offset);
}

namespace {

void erase(Sizes& v, int64_t at) {
  v.erase(v.begin() + at);
}

/// at::detail::computeStride: strides with which the same elements have other sizes, if there are such.
std::optional<Sizes> viewStrides(const Tensor& t, const Sizes& sizes) {
  if (t.numel() == 0) return contiguousStrides(sizes);
  Sizes out(sizes.size());
  int64_t view = static_cast<int64_t>(sizes.size()) - 1;
  if (t.sizes.empty()) return Sizes(sizes.size(), 1);
  int64_t chunkStride = t.strides.back(), elements = 1, taken = 1;
  for (int64_t d = static_cast<int64_t>(t.sizes.size()) - 1; d >= 0; --d) {
    elements *= t.sizes[static_cast<size_t>(d)];
    const bool ends = d == 0 || (t.sizes[static_cast<size_t>(d - 1)] != 1 &&
                                 t.strides[static_cast<size_t>(d - 1)] != elements * chunkStride);
    if (!ends) continue;
    while (view >= 0 && (taken < elements || sizes[static_cast<size_t>(view)] == 1)) {
      out[static_cast<size_t>(view)] = taken * chunkStride;
      taken *= sizes[static_cast<size_t>(view)];
      --view;
    }
    if (taken != elements) return std::nullopt;
    if (d > 0) {
      chunkStride = t.strides[static_cast<size_t>(d - 1)];
      elements = taken = 1;
    }
  }
  if (view != -1) return std::nullopt;
  return out;
}

Sizes inferred(Sizes sizes, int64_t numel) {
  int64_t known = 1;
  for (const int64_t s : sizes) known *= s == -1 ? 1 : s;
  for (int64_t& s : sizes)
    if (s == -1) s = known == 0 ? 0 : numel / known;
  return sizes;
}

TensorPtr slice(const TensorPtr& t, int64_t dim, const Item& from, const Item& to, int64_t step) {
  const size_t d = static_cast<size_t>(wrapDim(dim, t->sizes.size()));
  const int64_t n = t->sizes.at(d);
  const auto bound = [&](const Item& i, int64_t byDefault) {
    const int64_t v = i.isNumber() ? i.i : byDefault;
    return std::clamp<int64_t>(v < 0 ? v + n : v, 0, n);
  };
  const int64_t begin = bound(from, 0), end = std::max(bound(to, n), begin);
  Sizes sizes = t->sizes, strides = t->strides;
  sizes[d] = (end - begin + step - 1) / step;
  strides[d] *= step;
  return viewOf(t, sizes, strides, t->offset + begin * t->strides[d]);
}

TensorPtr permuted(const TensorPtr& t, const Sizes& dims) {
  Sizes sizes, strides;
  for (const int64_t d : dims) {
    const size_t k = static_cast<size_t>(wrapDim(d, t->sizes.size()));
    sizes.push_back(t->sizes[k]);
    strides.push_back(t->strides[k]);
  }
  return viewOf(t, sizes, strides, t->offset);
}

TensorPtr transposed(const TensorPtr& t, int64_t a, int64_t b) {
  Sizes sizes = t->sizes, strides = t->strides;
  if (!sizes.empty()) {
    const size_t x = static_cast<size_t>(wrapDim(a, sizes.size())),
                 y = static_cast<size_t>(wrapDim(b, sizes.size()));
    std::swap(sizes[x], sizes[y]);
    std::swap(strides[x], strides[y]);
  }
  return viewOf(t, sizes, strides, t->offset);
}

TensorPtr squeezed(const Call& c, const TensorPtr& t) {
  Sizes sizes = t->sizes, strides = t->strides, dims;
  for (const int64_t d : c.overload == "default" ? Sizes() : c.ints(1, "dim"))
    dims.push_back(wrapDim(d, sizes.size()));
  for (int64_t d = static_cast<int64_t>(sizes.size()) - 1; d >= 0; --d) {
    const bool asked = c.overload == "default" || std::find(dims.begin(), dims.end(), d) != dims.end();
    if (!asked || sizes[static_cast<size_t>(d)] != 1) continue;
    erase(sizes, d);
    erase(strides, d);
  }
  return viewOf(t, sizes, strides, t->offset);
}

TensorPtr diagonal(const Call& c, const TensorPtr& t) {
  const int64_t shift = c.integer(1, "offset", 0);
  const int64_t a = wrapDim(c.integer(2, "dim1", 0), t->sizes.size()),
                b = wrapDim(c.integer(3, "dim2", 1), t->sizes.size());
  const int64_t rows = t->sizes[static_cast<size_t>(a)], columns = t->sizes[static_cast<size_t>(b)];
  const int64_t sa = t->strides[static_cast<size_t>(a)], sb = t->strides[static_cast<size_t>(b)];
  const int64_t n =
      std::max<int64_t>(shift >= 0 ? std::min(rows, columns - shift) : std::min(rows + shift, columns), 0);
  Sizes sizes = t->sizes, strides = t->strides;
  for (const int64_t d : {std::max(a, b), std::min(a, b)}) {
    erase(sizes, d);
    erase(strides, d);
  }
  sizes.push_back(n);
  strides.push_back(sa + sb);
  const int64_t move = n == 0 ? 0 : shift >= 0 ? shift * sb : -shift * sa;
  return viewOf(t, sizes, strides, t->offset + move);
}

std::vector<Item> pieces(const TensorPtr& t, int64_t dim, const Sizes& lengths) {
  std::vector<Item> out;
  int64_t from = 0;
  for (const int64_t n : lengths) {
    out.emplace_back(slice(t, dim, from, from + n, 1));
    from += n;
  }
  return out;
}

}  // namespace

std::optional<Item> callView(const Call& c) {
  const std::string op = c.op.size() > 1 && c.op.back() == '_' ? c.op.substr(0, c.op.size() - 1) : c.op;
  static constexpr std::string_view kInPlace[] = {"t",         "transpose",  "squeeze",
                                                  "unsqueeze", "as_strided", "detach"};
  const bool inPlace = op != c.op;
  if (inPlace && std::find(std::begin(kInPlace), std::end(kInPlace), op) == std::end(kInPlace))
    return std::nullopt;
  TensorPtr out;
  const auto self = [&] { return c.tensor(0, "self"); };
  if (op == "alias" || op == "detach" || op == "lift_fresh") {
    const TensorPtr t = self();
    out = viewOf(t, t->sizes, t->strides, t->offset);
  } else if (op == "view" || op == "_unsafe_view" || op == "reshape") {
    if (c.overload == "dtype") return std::nullopt;
    TensorPtr t = self();
    const Sizes sizes = inferred(c.ints(1, "size"), t->numel());
    std::optional<Sizes> strides = viewStrides(*t, sizes);
    if (!strides && op == "reshape") {
      t = copyOf(*t);
      strides = contiguousStrides(sizes);
    }
    if (!strides) throw EvaluationError("these sizes are no view of the strides");
    out = viewOf(t, sizes, *strides, t->offset);
  } else if (op == "t") {
    const TensorPtr t = self();
    out = t->sizes.size() < 2 ? viewOf(t, t->sizes, t->strides, t->offset) : transposed(t, 0, 1);
  } else if (op == "transpose") {
    out = transposed(self(), c.integer(1, "dim0", 0), c.integer(2, "dim1", 1));
  } else if (op == "permute") {
    out = permuted(self(), c.ints(1, "dims"));
  } else if (op == "expand") {
    out = expanded(self(), c.ints(1, "size"));
  } else if (op == "squeeze") {
    out = squeezed(c, self());
  } else if (op == "unsqueeze") {
    const TensorPtr t = self();
    const int64_t d = wrapDim(c.integer(1, "dim", 0), t->sizes.size() + 1);
    const size_t k = static_cast<size_t>(d);
    Sizes sizes = t->sizes, strides = t->strides;
    strides.insert(strides.begin() + d, k < sizes.size() ? sizes[k] * strides[k] : 1);
    sizes.insert(sizes.begin() + d, 1);
    out = viewOf(t, sizes, strides, t->offset);
  } else if (op == "select") {
    const TensorPtr t = self();
    const int64_t d = wrapDim(c.integer(1, "dim", 0), t->sizes.size());
    int64_t i = c.integer(2, "index", 0);
    if (i < 0) i += t->sizes.at(static_cast<size_t>(d));
    Sizes sizes = t->sizes, strides = t->strides;
    const int64_t move = i * strides[static_cast<size_t>(d)];
    erase(sizes, d);
    erase(strides, d);
    out = viewOf(t, sizes, strides, t->offset + move);
  } else if (op == "slice") {
    out = slice(self(), c.integer(1, "dim", 0), c.arg(2, "start"), c.arg(3, "end"), c.integer(4, "step", 1));
  } else if (op == "diagonal") {
    out = diagonal(c, self());
  } else if (op == "as_strided") {
    const TensorPtr t = self();
    out = viewOf(t, c.ints(1, "size"), c.ints(2, "stride"), c.integer(3, "storage_offset", t->offset));
  } else if (op == "unfold") {
    const TensorPtr t = self();
    const size_t d = static_cast<size_t>(wrapDim(c.integer(1, "dimension", 0), t->sizes.size()));
    const int64_t size = c.integer(2, "size", 1), step = c.integer(3, "step", 1);
    Sizes sizes = t->sizes, strides = t->strides;
    sizes.push_back(size);
    strides.push_back(strides[d]);
    sizes[d] = (sizes[d] - size) / step + 1;
    strides[d] *= step;
    out = viewOf(t, sizes, strides, t->offset);
  } else if (op == "unbind") {
    const TensorPtr t = self();
    const int64_t d = wrapDim(c.integer(1, "dim", 0), t->sizes.size());
    std::vector<Item> list;
    for (int64_t i = 0; i < t->sizes[static_cast<size_t>(d)]; ++i)
      list.push_back(call("select.int", {t, d, i}));
    return list;
  } else if (op == "split") {
    const TensorPtr t = self();
    const int64_t d = wrapDim(c.integer(2, "dim", 0), t->sizes.size()), n = t->sizes[static_cast<size_t>(d)];
    const int64_t size = c.integer(1, "split_size", 1);
    Sizes lengths;
    for (int64_t from = 0; from < n; from += size) lengths.push_back(std::min(size, n - from));
    return pieces(t, d, lengths);
  } else if (op == "split_with_sizes") {
    return pieces(self(), c.integer(2, "dim", 0), c.ints(1, "split_sizes"));
  } else {
    return std::nullopt;
  }
  if (!inPlace) return out;
  const TensorPtr t = self();
  *t = *out;
  return t;
}

}  // namespace descry::test
