// Tensors and numbers in words, as command line and panels show them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "runtime/compare/statistics.h"
#include "runtime/core/tensor.h"

namespace descry::session {

/// `f32[2, 3]`.
std::string valueType(const runtime::Tensor& t);
/// Six digits at most: `0.0123`, `1.5e-07`.
std::string shortNumber(double x);
/// `1500`, and with `bytes` also `500M`, `2G`, `64KiB`. Nothing for anything else.
std::optional<uint64_t> readCount(std::string_view text, bool bytes);

/// Calls field(key, value) for each figure: count, min, max, mean, std, absmax, zeros, denormals, nan,
/// plus_inf, minus_inf. Figures of no element are left out.
template <class F>
void statisticsJson(const runtime::ValueStatistics& s, F&& field) {
  field("count", s.count);
  if (s.finite) {
    field("min", s.min);
    field("max", s.max);
    field("mean", s.mean);
    field("std", s.std);
    field("absmax", s.absMax);
  }
  field("zeros", s.zeros);
  field("denormals", s.denormals);
  field("nan", s.nan);
  field("plus_inf", s.plusInf);
  field("minus_inf", s.minusInf);
}

}  // namespace descry::session
