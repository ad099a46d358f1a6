// Tensors in files: safetensors and NumPy's .npy.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "ir/support/result.h"
#include "runtime/core/tensor.h"

namespace descry::runtime {

struct TensorFile {
  std::vector<std::pair<std::string, TensorRef>> tensors;  ///< by name, sorted
  std::map<std::string, std::string> metadata;
  /// Null when there is none.
  TensorRef find(std::string_view name) const;
};

/// Safetensors as https://huggingface.co/docs/safetensors describes it. Errors: `bad-safetensors`, with the
/// byte at which the file is wrong; `unsupported-dtype`.
ir::Result<TensorFile> readSafetensors(std::string_view bytes);
std::string safetensorsBytes(const TensorFile& file);

/// Format versions 1 to 3 of .npy, C and Fortran order, little and big endian. Errors: `bad-npy`,
/// `unsupported-dtype`. Pickled objects are refused.
ir::Result<TensorRef> readNpy(std::string_view bytes);
std::string npyBytes(const Tensor& tensor);

}  // namespace descry::runtime
