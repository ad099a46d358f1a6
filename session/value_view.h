// A value as people look at it: a histogram, a slice of its elements, the place of an element.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ir/support/result.h"
#include "runtime/compare/statistics.h"
#include "runtime/core/tensor.h"

namespace descry::session {

struct HistogramOptions {
  bool logarithmic = false;  ///< bins of equal ratio over |x|; zeros and signs are counted apart
  /// What lies outside is counted in `below` and `above`. With `logarithmic`: of |x|, above 0.
  std::optional<double> low, high;
  /// Share of elements to leave out at each end (0.001 of a million: a thousand), instead of low and high.
  double clip = 0;
};

/// Counts of the finite elements; of complex ones, of their absolute values.
struct ValueHistogram {
  static constexpr size_t kBins = runtime::Histogram::kBins;
  bool logarithmic = false;
  std::array<double, kBins + 1> edges{};
  std::array<int64_t, kBins> counts{};
  int64_t below = 0, above = 0;
  int64_t zeros = 0, negative = 0;  ///< with `logarithmic`: zeros are in no bin
  int64_t notFinite = 0;
  int64_t largest() const;  ///< count of the fullest bin
};
ValueHistogram valueHistogram(const runtime::Tensor& t, const HistogramOptions& options = {});
/// Two values over the same bins, to draw one over the other.
std::array<ValueHistogram, 2> valueHistograms(const runtime::Tensor& a, const runtime::Tensor& b,
                                              const HistogramOptions& options = {});
/// A line for each bin that is not empty, with a bar of at most `width` characters.
std::string histogramText(const ValueHistogram& h, size_t width = 40);

enum class NumberFormat : uint8_t {
  Short,       ///< six digits
  Exact,       ///< as few digits as give the same number back
  Fixed,       ///< four digits behind the point
  Scientific,  ///< 1.234560e-05
  Hex          ///< the bits of the element
};
/// "short", "exact", "fixed", "scientific", "hex"; nothing for others.
std::optional<NumberFormat> numberFormat(std::string_view name);
std::string elementText(const runtime::Tensor& t, const std::vector<int64_t>& index,
                        NumberFormat format = NumberFormat::Short);

/// One dimension of a slice.
struct SliceRange {
  int64_t begin = 0, end = INT64_MAX;  ///< as Python's: negative ones count from the end
  bool single = false;                 ///< `begin` alone: the dimension goes
};
/// `[0, :, 2:5, -1]`, with or without brackets, and `...`. Missing dimensions are whole. Errors: `bad-slice`,
/// which names the sizes.
ir::Result<std::vector<SliceRange>> readSlice(std::string_view text, const runtime::Tensor& t);
/// The view that a slice means. Throws nothing; ranges are cut at the sizes. Error: `index-out-of-range` of
/// single ones.
ir::Result<runtime::TensorRef> sliceOf(const runtime::TensorRef& t, const std::vector<SliceRange>& slice);

struct SliceTextOptions {
  NumberFormat format = NumberFormat::Short;
  size_t rows = 32, columns = 16;  ///< at most; `...` stands for the rest
};
/// A grid: the last two dimensions as rows and columns, one grid below the other for the rest, each with its
/// index in front. What is put on the clipboard.
std::string sliceText(const runtime::Tensor& t, const SliceTextOptions& options = {});

/// Index of an element by its place in row-major order.
std::vector<int64_t> indexOfPlace(const runtime::Tensor& t, int64_t place);
/// Index of the first NaN or infinity; nothing when there is none.
std::optional<std::vector<int64_t>> firstBadIndex(const runtime::Tensor& t);
/// `[1, 0, 7]`.
std::string indexText(const std::vector<int64_t>& index);

}  // namespace descry::session
