// What kernels ask of their arguments before they walk raw memory.
#pragma once

#include <string>
#include <string_view>

#include "runtime/core/tensor.h"

namespace descry::runtime {

/// Kernels walk by the sizes of one argument: the others are held against them first.
inline const View& needSizes(const View& v, const Dims& sizes, std::string_view name) {
  const auto text = [](const Dims& d) {
    std::string s = "[";
    for (const int64_t n : d) s += (s.size() > 1 ? ", " : "") + std::to_string(n);
    return s + "]";
  };
  if (!(v.sizes == sizes))
    throw EvalError("shape-mismatch", "Expected `" + std::string(name) + "` to have the sizes " +
                                          text(sizes) + ", but got " + text(v.sizes));
  return v;
}
/// The same of a number of elements, for vectors that are given in any shape.
inline const View& needNumel(const View& v, int64_t numel, std::string_view name) {
  if (v.numel() != numel)
    throw EvalError("shape-mismatch", "Expected `" + std::string(name) + "` to have " +
                                          std::to_string(numel) + " elements, but got " +
                                          std::to_string(v.numel()));
  return v;
}

}  // namespace descry::runtime
