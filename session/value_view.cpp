#include "session/value_view.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>

#include "runtime/core/iterate.h"
#include "session/value_text.h"

namespace descry::session {

using runtime::Tensor;
using runtime::TensorRef;

namespace {

constexpr size_t kBins = ValueHistogram::kBins;

/// The finite elements as doubles, of complex ones the absolute values.
std::vector<double> finiteOf(const Tensor& t, int64_t& others) {
  const TensorRef dense = runtime::contiguousOf(TensorRef(const_cast<Tensor*>(&t)));
  const runtime::View v = runtime::viewOf(*dense);
  std::vector<double> out;
  out.reserve(static_cast<size_t>(v.numel()));
  runtime::visitAny(v.dtype, [&]<class T>(runtime::TypeTag<T>) {
    const T* at = v.as<T>();
    for (int64_t i = 0; i < v.numel(); ++i) {
      double x = 0;
      if constexpr (runtime::kIsComplex<T>)
        x = static_cast<double>(std::abs(at[i]));
      else
        x = static_cast<double>(static_cast<runtime::Compute<T>>(at[i]));
      if (std::isfinite(x))
        out.push_back(x);
      else
        ++others;
    }
  });
  return out;
}

struct Range {
  double low = 0, high = 0;
};

/// From the smallest to the largest of what is counted, as far as the options leave it open.
Range rangeOf(std::vector<double> x, const HistogramOptions& o) {
  if (o.logarithmic) {
    for (double& v : x) v = std::fabs(v);
    x.erase(std::remove(x.begin(), x.end(), 0.0), x.end());
  }
  Range r;
  if (!x.empty()) {
    const double share = std::clamp(o.clip, 0.0, 0.49);
    const auto skip = static_cast<std::ptrdiff_t>(share * static_cast<double>(x.size()));
    const auto first = x.begin() + skip, last = x.end() - 1 - skip;
    std::nth_element(x.begin(), first, x.end());
    r.low = *first;
    std::nth_element(first, last, x.end());
    r.high = *last;
  }
  if (o.low) r.low = *o.low;
  if (o.high) r.high = *o.high;
  if (o.logarithmic) {
    const double least = std::numeric_limits<double>::denorm_min();
    r.low = std::max(r.low, least);
    r.high = std::max(r.high, r.low);
  }
  if (r.high < r.low) std::swap(r.low, r.high);
  return r;
}

ValueHistogram counted(const std::vector<double>& x, Range r, bool logarithmic, int64_t notFinite) {
  ValueHistogram h;
  h.logarithmic = logarithmic;
  h.notFinite = notFinite;
  // Halves: the difference of the extremes may be more than a double holds.
  const double low = logarithmic ? std::log2(r.low) : r.low, high = logarithmic ? std::log2(r.high) : r.high;
  const double half = high / 2 - low / 2;
  for (size_t i = 0; i <= kBins; ++i) {
    const double share = static_cast<double>(i) / static_cast<double>(kBins);
    const double at = low + share * half + share * half;
    h.edges[i] = i == 0 ? r.low : i == kBins ? r.high : logarithmic ? std::exp2(at) : at;
  }
  for (double v : x) {
    if (logarithmic) {
      if (v == 0) {
        ++h.zeros;
        continue;
      }
      if (v < 0) ++h.negative;
      v = std::fabs(v);
    }
    if (v < r.low) {
      ++h.below;
      continue;
    }
    if (v > r.high) {
      ++h.above;
      continue;
    }
    const double at = logarithmic ? std::log2(v) : v;
    const double share = half > 0 ? (at / 2 - low / 2) / half : 0;
    const auto bin = static_cast<size_t>(std::max(0.0, share) * static_cast<double>(kBins));
    ++h.counts[std::min(bin, kBins - 1)];
  }
  return h;
}

}  // namespace

int64_t ValueHistogram::largest() const {
  return *std::max_element(counts.begin(), counts.end());
}

ValueHistogram valueHistogram(const Tensor& t, const HistogramOptions& options) {
  int64_t others = 0;
  const std::vector<double> x = finiteOf(t, others);
  return counted(x, rangeOf(x, options), options.logarithmic, others);
}

std::array<ValueHistogram, 2> valueHistograms(const Tensor& a, const Tensor& b,
                                              const HistogramOptions& options) {
  int64_t othersA = 0, othersB = 0;
  const std::vector<double> x = finiteOf(a, othersA), y = finiteOf(b, othersB);
  const bool emptyA = x.empty();
  Range r = rangeOf(emptyA ? y : x, options);
  if (!emptyA && !y.empty()) {
    const Range other = rangeOf(y, options);
    r = {std::min(r.low, other.low), std::max(r.high, other.high)};
  }
  return {counted(x, r, options.logarithmic, othersA), counted(y, r, options.logarithmic, othersB)};
}

std::string histogramText(const ValueHistogram& h, size_t width) {
  std::string out;
  const int64_t largest = std::max<int64_t>(1, h.largest());
  for (size_t i = 0; i < kBins; ++i) {
    if (!h.counts[i]) continue;
    char line[96];
    std::snprintf(line, sizeof line, "%12s .. %-12s %10lld  ", shortNumber(h.edges[i]).c_str(),
                  shortNumber(h.edges[i + 1]).c_str(), static_cast<long long>(h.counts[i]));
    const double share = static_cast<double>(h.counts[i]) / static_cast<double>(largest);
    out += line +
           std::string(std::max<size_t>(1, static_cast<size_t>(share * static_cast<double>(width))), '#') +
           "\n";
  }
  const auto rest = [&](int64_t n, const char* what) {
    if (n) out += std::to_string(n) + " " + what + "\n";
  };
  rest(h.below, "below");
  rest(h.above, "above");
  rest(h.zeros, "zeros");
  rest(h.negative, "of the counted are negative");
  rest(h.notFinite, "NaN or infinite");
  return out;
}

std::optional<NumberFormat> numberFormat(std::string_view name) {
  constexpr std::string_view kNames[] = {"short", "exact", "fixed", "scientific", "hex"};
  for (size_t i = 0; i < std::size(kNames); ++i)
    if (name == kNames[i]) return static_cast<NumberFormat>(i);
  return std::nullopt;
}

namespace {

std::string realText(double x, runtime::DType dtype, NumberFormat format) {
  if (!std::isfinite(x) || format == NumberFormat::Short) return shortNumber(x);
  char text[400];
  if (format == NumberFormat::Exact) {
    // Digits that give the number back in its own dtype: a float needs fewer than the double that holds it.
    const bool narrow = runtime::elementBytes(dtype) <= 4 || dtype == runtime::DType::C64;
    const auto r = narrow ? std::to_chars(text, text + sizeof text, static_cast<float>(x))
                          : std::to_chars(text, text + sizeof text, x);
    return std::string(text, r.ptr);
  }
  std::snprintf(text, sizeof text, format == NumberFormat::Fixed ? "%.4f" : "%.6e", x);
  return text;
}

std::string elementAt(const runtime::View& v, const std::byte* at, NumberFormat format) {
  if (format == NumberFormat::Hex) {
    std::string out = "0x";
    for (auto n = static_cast<size_t>(runtime::itemBytes(v.dtype)); n-- > 0;) {
      char digits[4];
      std::snprintf(digits, sizeof digits, "%02x", std::to_integer<unsigned>(at[n]));
      out += digits;
    }
    return out;
  }
  const runtime::Value x = runtime::numberAt(v.dtype, at);
  const ir::DTypeInfo& info = ir::dtypeInfo(v.dtype);
  if (info.complex) {
    const std::string imaginary = realText(x.imag(), v.dtype, format);
    return realText(x.rawReal(), v.dtype, format) + (imaginary.starts_with('-') ? "" : "+") + imaginary + "j";
  }
  if (info.floating) return realText(x.toReal(), v.dtype, format);
  if (v.dtype == runtime::DType::B8) return x.truthy() ? "True" : "False";
  if (v.dtype == runtime::DType::U64) {
    uint64_t bits = 0;
    std::memcpy(&bits, at, sizeof bits);
    return std::to_string(bits);
  }
  return std::to_string(x.toInt().value);
}

const std::byte* addressOf(const runtime::View& v, const std::vector<int64_t>& index) {
  int64_t offset = 0;
  for (size_t d = 0; d < index.size(); ++d) offset += index[d] * v.strides[d];
  return v.data + offset * runtime::itemBytes(v.dtype);
}

}  // namespace

std::string elementText(const Tensor& t, const std::vector<int64_t>& index, NumberFormat format) {
  const runtime::View v = runtime::viewOf(t);
  if (index.size() != v.dim()) return {};
  for (size_t d = 0; d < index.size(); ++d)
    if (index[d] < 0 || index[d] >= v.sizes[d]) return {};
  return elementAt(v, addressOf(v, index), format);
}

ir::Result<std::vector<SliceRange>> readSlice(std::string_view text, const Tensor& t) {
  const size_t dims = t.meta.sizes.size();
  const auto wrong = [&](const std::string& why) {
    return ir::failure("bad-slice", "`" + std::string(text) + "` does not fit " + valueType(t) + ": " + why);
  };
  std::string plain;
  for (const char c : text)
    if (c != ' ') plain += c;
  if (plain.starts_with('[') && plain.ends_with(']')) plain = plain.substr(1, plain.size() - 2);
  std::vector<SliceRange> front, back;
  bool dots = false;
  const auto number = [](std::string_view s, int64_t& n) {
    const auto [end, error] = std::from_chars(s.data(), s.data() + s.size(), n);
    return error == std::errc() && end == s.data() + s.size();
  };
  for (size_t at = 0; at < plain.size();) {
    const size_t end = std::min(plain.find(',', at), plain.size());
    const std::string part = plain.substr(at, end - at);
    at = end + 1;
    if (part == "...") {
      if (dots) return wrong("`...` stands twice");
      dots = true;
      continue;
    }
    SliceRange r;
    const size_t colon = part.find(':');
    if (colon == std::string::npos) {
      r.single = true;
      if (!number(part, r.begin)) return wrong("`" + part + "` is no index");
    } else {
      const std::string from = part.substr(0, colon), to = part.substr(colon + 1);
      if ((!from.empty() && !number(from, r.begin)) || (!to.empty() && !number(to, r.end)))
        return wrong("`" + part + "` is no range (steps are not taken)");
    }
    (dots ? back : front).push_back(r);
  }
  if (front.size() + back.size() > dims) return wrong("it has more dimensions");
  std::vector<SliceRange> out = front;
  out.resize(dims - back.size());
  out.insert(out.end(), back.begin(), back.end());
  return out;
}

ir::Result<TensorRef> sliceOf(const TensorRef& t, const std::vector<SliceRange>& slice) {
  runtime::Meta m = t->meta;
  runtime::Ints sizes, strides;
  int64_t offset = m.offset.value;
  for (size_t d = 0; d < m.sizes.size(); ++d) {
    const int64_t size = m.sizes[d].value, stride = m.strides[d].value;
    SliceRange r = d < slice.size() ? slice[d] : SliceRange{};
    const auto fromFront = [size](int64_t i) { return i < 0 ? i + size : i; };
    if (r.single) {
      const int64_t at = fromFront(r.begin);
      if (at < 0 || at >= size)
        return ir::failure("index-out-of-range", "index " + std::to_string(r.begin) + " of dimension " +
                                                     std::to_string(d) + " of " + valueType(*t));
      offset += at * stride;
      continue;
    }
    const int64_t begin = std::clamp<int64_t>(fromFront(r.begin), 0, size);
    const int64_t end = std::clamp<int64_t>(fromFront(r.end), begin, size);
    if (end > begin) offset += begin * stride;
    sizes.emplace_back(end - begin);
    strides.emplace_back(stride);
  }
  m.sizes = std::move(sizes);
  m.strides = std::move(strides);
  m.offset = offset;
  return runtime::viewInto(*t, m);
}

std::string sliceText(const Tensor& t, const SliceTextOptions& options) {
  const runtime::View v = runtime::viewOf(t);
  if (v.dim() == 0) return elementAt(v, v.data, options.format) + "\n";
  const size_t grids = v.dim() > 2 ? v.dim() - 2 : 0;
  const bool hasRows = v.dim() > 1;
  const int64_t rows = hasRows ? v.sizes[grids] : 1, columns = v.sizes[v.dim() - 1];
  if (v.numel() == 0) return "no elements\n";
  std::string out;
  std::vector<int64_t> index(v.dim(), 0);
  size_t printed = 0;
  const size_t most = std::max<size_t>(1, options.rows);
  for (bool more = true; more;) {
    if (grids) {
      std::string head = "[";
      for (size_t d = 0; d < grids; ++d) head += std::to_string(index[d]) + ", ";
      out += head + ":, :]\n";
    }
    const int64_t shownRows =
        std::min<int64_t>(rows, static_cast<int64_t>(most - std::min(printed, most - 1)));
    const int64_t shown = std::min<int64_t>(columns, static_cast<int64_t>(options.columns));
    std::vector<std::vector<std::string>> cells;
    size_t width = 0;
    for (int64_t r = 0; r < shownRows; ++r) {
      auto& line = cells.emplace_back();
      for (int64_t c = 0; c < shown; ++c) {
        if (hasRows) index[grids] = r;
        index[v.dim() - 1] = c;
        line.push_back(elementAt(v, addressOf(v, index), options.format));
        width = std::max(width, line.back().size());
      }
    }
    for (const auto& line : cells) {
      std::string text;
      for (const std::string& cell : line)
        text += (text.empty() ? "" : "  ") + std::string(width - cell.size(), ' ') + cell;
      out += text + (shown < columns ? "  ...\n" : "\n");
    }
    if (shownRows < rows) out += "...\n";
    printed += static_cast<size_t>(shownRows);
    more = false;
    for (size_t d = grids; d-- > 0 && !more;) {
      if (++index[d] < v.sizes[d])
        more = true;
      else
        index[d] = 0;
    }
    if (more && printed >= most) {
      out += "...\n";
      break;
    }
  }
  return out;
}

std::vector<int64_t> indexOfPlace(const Tensor& t, int64_t place) {
  std::vector<int64_t> out(t.meta.sizes.size(), 0);
  for (size_t d = out.size(); d-- > 0;) {
    const int64_t size = std::max<int64_t>(1, t.meta.sizes[d].value);
    out[d] = place % size;
    place /= size;
  }
  return out;
}

std::optional<std::vector<int64_t>> firstBadIndex(const Tensor& t) {
  const runtime::ValueStatistics s = runtime::statisticsOf(t);
  if (s.firstBad < 0) return std::nullopt;
  return indexOfPlace(t, s.firstBad);
}

std::string indexText(const std::vector<int64_t>& index) {
  std::string out = "[";
  for (const int64_t i : index) out += (out.size() > 1 ? ", " : "") + std::to_string(i);
  return out + "]";
}

}  // namespace descry::session
