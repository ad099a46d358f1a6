#include "ir/ops/eval/strides.h"

#include <algorithm>

namespace descry::ir::eval {

namespace {

bool isOne(const Int& i) {
  return !i.sym && i.value == 1;
}
bool isZero(const Int& i) {
  return !i.sym && i.value == 0;
}

/// What a size multiplies the strides of the dimensions before it by.
Int step(const Int& size) {
  if (!size.sym) return isZero(size) ? Int(1) : size;
  if (symPositive(size.sym->expr)) return size;
  return symbolicInt(symMax({SymExpr(1), size.sym->expr}), std::max<int64_t>(size.value, 1),
                     size.sym->hasHint, size.sym->facts);
}

/// Order of dimensions from fastest to slowest that both TensorIterator and empty_like use. `compare(a, b)`:
/// negative when dimension a is faster than b for sure, positive when slower, 0 when it cannot be told.
template <class F>
std::vector<size_t> sortedDims(size_t n, F&& compare) {
  std::vector<size_t> perm(n);
  for (size_t i = 0; i < n; ++i) perm[i] = n - 1 - i;
  for (size_t i = 1; i < n; ++i) {
    size_t at = i;
    for (size_t j = i; j-- > 0;) {
      const int c = compare(perm[j], perm[at]);
      if (c > 0) {
        std::swap(perm[j], perm[at]);
        at = j;
      } else if (c < 0) {
        break;
      }
    }
  }
  return perm;
}

}  // namespace

Ints contiguousStrides(const Ints& sizes) {
  Ints out(sizes.size());
  Int stride = 1;
  for (size_t i = sizes.size(); i-- > 0;) {
    out[i] = stride;
    stride = stride * step(sizes[i]);
  }
  return out;
}

Ints stridesFor(const Ints& sizes, MemoryFormat format) {
  const size_t n = sizes.size();
  if ((format == MemoryFormat::ChannelsLast && n == 4) ||
      (format == MemoryFormat::ChannelsLast3d && n == 5)) {
    Ints out(n);
    Int stride = 1;
    out[1] = stride;
    stride = stride * step(sizes[1]);
    for (size_t i = n; i-- > 2;) {
      out[i] = stride;
      stride = stride * step(sizes[i]);
    }
    out[0] = stride;
    return out;
  }
  return contiguousStrides(sizes);
}

bool isContiguous(const Meta& m, MemoryFormat format) {
  const size_t n = m.sizes.size();
  if (format == MemoryFormat::ChannelsLast || format == MemoryFormat::ChannelsLast3d) {
    if (n != (format == MemoryFormat::ChannelsLast ? 4u : 5u)) return false;
    Int expected = 1;
    const auto check = [&](size_t d) {
      if (isOne(m.sizes[d])) return true;
      if (!(m.strides[d] == expected)) return false;
      expected = expected * m.sizes[d];  // PyTorch makes no exception for 0 here
      return true;
    };
    if (!check(1)) return false;
    for (size_t i = n; i-- > 2;)
      if (!check(i)) return false;
    return check(0);
  }
  for (const Int& s : m.sizes)
    if (isZero(s)) return true;
  Int expected = 1;
  for (size_t i = n; i-- > 0;) {
    if (isOne(m.sizes[i])) continue;
    if (!(m.strides[i] == expected)) return false;
    expected = expected * step(m.sizes[i]);
  }
  return true;
}

bool isNonOverlappingAndDense(const Meta& m) {
  const size_t n = m.sizes.size();
  if (n == 0) return true;
  if (isContiguous(m)) return true;
  if (n == 1) return m.sizes[0] < Int(2) || m.strides[0] == Int(1);
  std::vector<size_t> perm(n);
  for (size_t i = 0; i < n; ++i) perm[i] = i;
  std::stable_sort(perm.begin(), perm.end(), [&](size_t a, size_t b) {
    if (m.sizes[a] < Int(2)) return false;
    if (m.sizes[b] < Int(2)) return true;
    return m.strides[a] < m.strides[b];
  });
  Int expected = 1;
  for (size_t d : perm) {
    if (m.sizes[d] < Int(2)) return true;
    if (!(m.strides[d] == expected)) return false;
    expected = expected * m.sizes[d];
  }
  return true;
}

namespace {
/// Channels-last by strides: the channel is the fastest dimension and no dimension is ambiguous.
bool channelsLastStrides(const Meta& m) {
  const size_t n = m.sizes.size();
  Int least = 0;
  if (m.strides[1] == Int(0)) return false;
  std::vector<size_t> order = {1};
  for (size_t i = n; i-- > 2;) order.push_back(i);
  order.push_back(0);
  for (size_t d : order) {
    if (m.sizes[d] == Int(0)) return false;
    if (m.strides[d] < least) return false;
    // N111 is taken for contiguous.
    if (d == 0 && least == m.strides[1]) return false;
    least = m.strides[d];
    if (Int(1) < m.sizes[d]) least = least * m.sizes[d];
  }
  return true;
}
}  // namespace

MemoryFormat suggestFormat(const Meta& m) {
  if (m.layout != Layout::Strided) return MemoryFormat::Contiguous;
  if (m.sizes.size() == 4 && channelsLastStrides(m)) return MemoryFormat::ChannelsLast;
  if (m.sizes.size() == 5 && channelsLastStrides(m)) return MemoryFormat::ChannelsLast3d;
  return MemoryFormat::Contiguous;
}

Ints stridesLike(const Ints& sizes, const Ints& strides) {
  Meta m;
  m.sizes = sizes;
  m.strides = strides;
  if (isNonOverlappingAndDense(m)) return strides;
  const size_t n = sizes.size();
  if (n == 0) return {};
  if (n == 1) return {Int(1)};
  const std::vector<size_t> perm = sortedDims(n, [&](size_t a, size_t b) {
    if (strides[a] == Int(0) || strides[b] == Int(0)) return 0;
    if (strides[a] < strides[b]) return -1;
    if (strides[b] < strides[a]) return 1;
    return sizes[b] < sizes[a] ? 1 : 0;
  });
  Ints out(n);
  Int stride = 1;
  for (size_t d : perm) {
    out[d] = stride;
    if (Int(1) < sizes[d]) stride = stride * sizes[d];
  }
  return out;
}

Ints broadcastSizes(const Ints& a, const Ints& b) {
  const size_t n = std::max(a.size(), b.size());
  Ints out(n);
  for (size_t i = 0; i < n; ++i) {
    const bool hasA = i + a.size() >= n, hasB = i + b.size() >= n;
    if (!hasA || !hasB) {
      out[i] = hasA ? a[i + a.size() - n] : b[i + b.size() - n];
      continue;
    }
    const Int& x = a[i + a.size() - n];
    const Int& y = b[i + b.size() - n];
    if (isOne(x))
      out[i] = y;
    else if (isOne(y) || x == y)
      out[i] = x;
    else if ((x.sym && !x.sym->hasHint) || (y.sym && !y.sym->hasHint))
      out[i] = y.sym ? x : y;  // taken to be equal
    else if (x.value == 1)
      out[i] = y;
    else if (y.value == 1)
      out[i] = x;
    else
      throw EvalError("shape-mismatch", "The size of tensor a (" + x.str() +
                                            ") must match the size of tensor b (" + y.str() +
                                            ") at non-singleton dimension " + std::to_string(i));
  }
  return out;
}

std::vector<size_t> elementwiseOrder(const Ints& sizes, const std::vector<const Meta*>& operands) {
  const size_t n = sizes.size();
  // The operands spread over the result: stride 0 where they are broadcast.
  std::vector<Meta> spread;
  for (const Meta* m : operands) {
    Meta e;
    e.sizes = sizes;
    e.strides.assign(n, Int(0));
    const size_t shift = n - m->sizes.size();
    for (size_t i = 0; i < m->sizes.size(); ++i)
      if (!(isOne(m->sizes[i]) && !isOne(sizes[i + shift]))) e.strides[i + shift] = m->strides[i];
    spread.push_back(std::move(e));
  }
  const auto spreadAre = [&](MemoryFormat f) {
    return std::all_of(spread.begin(), spread.end(), [&](const Meta& m) { return isContiguous(m, f); });
  };
  const bool plain = spreadAre(MemoryFormat::Contiguous),
             last = n == 4 && spreadAre(MemoryFormat::ChannelsLast);
  if (plain && !last) {
    std::vector<size_t> order(n);
    for (size_t i = 0; i < n; ++i) order[i] = n - 1 - i;
    return order;
  }
  if (last && !plain) return {1, 3, 2, 0};
  const auto atLeast = [](const Int& a, const Int& b) {
    if (isZero(b)) return true;
    if (isZero(a)) return false;
    return b <= a || (!a.sym && !b.sym && a.value % b.value == 0);
  };
  return sortedDims(n, [&](size_t a, size_t b) {
    for (const Meta& m : spread) {
      const Int &x = m.strides[a], &y = m.strides[b];
      if (x == Int(0) || y == Int(0)) continue;
      if (x == y) {
        if (atLeast(sizes[b], sizes[a])) continue;
        return 1;
      }
      if (atLeast(y, x)) return -1;
      if (atLeast(x, y)) return 1;
    }
    return 0;
  });
}

Ints elementwiseStrides(const Ints& sizes, const std::vector<const Meta*>& all, bool basicArithmetic) {
  const size_t n = sizes.size();
  if (n == 0) return {};
  if (n == 1) return {Int(1)};
  // Numbers on the CPU take no part.
  std::vector<const Meta*> operands;
  for (const Meta* m : all)
    if (!(m->sizes.empty() && m->device == 0)) operands.push_back(m);
  if (operands.empty()) return contiguousStrides(sizes);
  const bool symbolic = std::any_of(all.begin(), all.end(), [](const Meta* m) {
    return std::any_of(m->sizes.begin(), m->sizes.end(), [](const Int& i) { return i.symbolic(); });
  });
  if (basicArithmetic && symbolic) {
    const bool someWhole = std::any_of(all.begin(), all.end(), [&](const Meta* m) {
      return m->sizes.size() == n && std::equal(sizes.begin(), sizes.end(), m->sizes.begin());
    });
    const auto allAre = [&](MemoryFormat f) {
      return std::all_of(all.begin(), all.end(), [&](const Meta* m) { return isContiguous(*m, f); });
    };
    if (someWhole) {
      const bool plain = allAre(MemoryFormat::Contiguous),
                 last = n == 4 && allAre(MemoryFormat::ChannelsLast);
      if (plain && !last) return contiguousStrides(sizes);
      if (last && !plain) return stridesFor(sizes, MemoryFormat::ChannelsLast);
    }
  }
  const std::vector<size_t> perm = elementwiseOrder(sizes, operands);
  Ints out(n);
  Int stride = 1;
  for (size_t d : perm) {
    out[d] = stride;
    stride = stride * step(sizes[d]);
  }
  return out;
}

bool viewStrides(const Ints& sizes, const Ints& strides, const Ints& newSizes, Ints& out) {
  if (sizes.empty()) {
    out.assign(newSizes.size(), Int(1));
    return true;
  }
  bool empty = false;
  for (const Int& s : sizes) empty = empty || isZero(s);
  if (empty) {
    if (newSizes.size() == sizes.size() && std::equal(sizes.begin(), sizes.end(), newSizes.begin())) {
      out = strides;
      return true;
    }
    out.assign(newSizes.size(), Int(0));
    for (size_t i = newSizes.size(); i-- > 0;)
      out[i] = i + 1 == newSizes.size() ? Int(1)
                                        : (isZero(newSizes[i + 1]) ? Int(1) : newSizes[i + 1]) * out[i + 1];
    return true;
  }
  out.assign(newSizes.size(), Int(0));
  std::ptrdiff_t viewDim = static_cast<std::ptrdiff_t>(newSizes.size()) - 1;
  Int chunkBase = strides.back(), tensorNumel = 1, viewNumel = 1;
  for (std::ptrdiff_t d = static_cast<std::ptrdiff_t>(sizes.size()) - 1; d >= 0; --d) {
    const size_t u = static_cast<size_t>(d);
    tensorNumel = tensorNumel * sizes[u];
    // The end of a chunk of dimensions that lie in memory as one.
    if (d == 0 || (!(sizes[u - 1] == Int(1)) && !(strides[u - 1] == tensorNumel * chunkBase))) {
      while (viewDim >= 0 && (viewNumel < tensorNumel || newSizes[static_cast<size_t>(viewDim)] == Int(1))) {
        out[static_cast<size_t>(viewDim)] = viewNumel * chunkBase;
        viewNumel = viewNumel * newSizes[static_cast<size_t>(viewDim)];
        --viewDim;
      }
      if (!(viewNumel == tensorNumel)) return false;
      if (d > 0) {
        chunkBase = strides[u - 1];
        tensorNumel = 1;
        viewNumel = 1;
      }
    }
  }
  return viewDim == -1;
}

Ints inferSize(const Ints& sizes, const Int& numel) {
  Ints out = sizes;
  std::ptrdiff_t infer = -1;
  Int known = 1;
  for (size_t i = 0; i < sizes.size(); ++i) {
    if (!sizes[i].sym && sizes[i].value == -1) {
      if (infer >= 0) throw EvalError("shape-error", "only one dimension can be inferred");
      infer = static_cast<std::ptrdiff_t>(i);
    } else {
      if (!sizes[i].sym && sizes[i].value < 0)
        throw EvalError("shape-error", "invalid shape dimension " + sizes[i].str());
      known = known * sizes[i];
    }
  }
  const auto fault = [&] {
    std::string text = "shape '[";
    for (size_t i = 0; i < sizes.size(); ++i) text += (i ? ", " : "") + sizes[i].str();
    throw EvalError("shape-mismatch", text + "]' is invalid for input of size " + numel.str());
  };
  if (infer >= 0) {
    if (isZero(known)) {
      if (numel == Int(0))
        throw EvalError(
            "shape-error",
            "cannot reshape tensor of 0 elements into a shape with an unspecified dimension of any size");
      fault();
    }
    if (!known.sym && !numel.sym && numel.value % known.value) fault();
    out[static_cast<size_t>(infer)] = floorDiv(numel, known);
  } else if (!(known == numel)) {
    fault();
  }
  return out;
}

int64_t wrapDim(const Int& d, int64_t ndim) {
  const int64_t n = std::max<int64_t>(ndim, 1);
  const int64_t v = d.known();
  if (v < -n || v >= n)
    throw EvalError("index-error", "Dimension out of range (expected to be in range of [" +
                                       std::to_string(-n) + ", " + std::to_string(n - 1) + "], but got " +
                                       std::to_string(v) + ")");
  return v < 0 ? v + n : v;
}

std::string faultOf(const Meta& m) {
  if (m.sizes.size() != m.strides.size())
    return "there are " + std::to_string(m.sizes.size()) + " sizes, but " + std::to_string(m.strides.size()) +
           " strides";
  int64_t last = m.offset.sym ? 0 : m.offset.value, elements = 1;
  bool negative = last < 0, empty = false, overflow = false;
  for (size_t i = 0; i < m.sizes.size(); ++i) {
    if (m.sizes[i].sym) continue;
    const int64_t size = m.sizes[i].value;
    negative = negative || size < 0;
    empty = empty || size == 0;
    overflow = __builtin_mul_overflow(elements, size, &elements) || overflow;
    if (m.strides[i].sym) continue;
    const int64_t stride = m.strides[i].value;
    negative = negative || stride < 0;
    int64_t step = 0;
    overflow = __builtin_mul_overflow(size - (size > 0), stride, &step) ||
               __builtin_add_overflow(last, step, &last) || overflow;
  }
  int64_t bytes = 0;
  if (!negative && (empty || (!overflow && !__builtin_mul_overflow(last, int64_t{16}, &bytes)))) return {};
  const auto list = [](const Ints& ints) {
    std::string out = "[";
    for (const Int& i : ints) out += (out.size() > 1 ? ", " : "") + i.str();
    return out + "]";
  };
  const std::string layout = "sizes " + list(m.sizes) + ", strides " + list(m.strides) +
                             (m.offset == Int(0) ? "" : ", storage offset " + m.offset.str());
  return negative ? "no tensor has " + layout + ": there are no negative ones"
                  : "Storage size calculation overflowed with " + layout;
}

}  // namespace descry::ir::eval
