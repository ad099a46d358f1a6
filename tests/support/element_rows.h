// Rows of tests/ir/ops/elements.txt: single elements that PyTorch computed (scripts/golden_elements.py).
#pragma once

#include <fstream>
#include <sstream>
#include <string>
#include <string_view>

#include "ir/ops/registry.h"
#include "ir/ops/rules/op_rules.h"

namespace descry::ir {

struct ElementRow {
  const OpDef* op = nullptr;
  std::string line;   ///< as it stands, for messages
  eval::Values args;  ///< those that are written; `-` is the default
  eval::Value want;
};

inline eval::Value elementNumber(const std::string& t) {
  if (t == "none") return {};
  if (t == "true" || t == "false") return eval::Value::boolean(t == "true");
  if (t[0] == '"') return eval::Value::str(t.substr(1, t.size() - 2));
  if (t.find_first_of(".enif") != std::string::npos)
    return eval::Value::real(std::strtod(t.c_str(), nullptr));
  return eval::Value(static_cast<int64_t>(std::strtoll(t.c_str(), nullptr, 10)));
}

/// How exact PyTorch's own approximations of special functions are.
inline double elementTolerance(std::string_view op) {
  if (op == "polygamma") return 1e-8;  // trigamma: three terms of a series
  if (op == "special_airy_ai") return 2e-8;
  if (op.find("igamma") != op.npos || op.find("bessel") != op.npos) return 1e-9;
  return 1e-11;
}

/// Calls f with each row; ops that nobody knows with a row without op. Returns how many there are.
template <class F>
size_t forEachElementRow(const std::string& path, F&& f) {
  std::ifstream file(path);
  const OpDef* op = nullptr;
  size_t rows = 0;
  std::string line, word;
  while (std::getline(file, line)) {
    if (line.empty() || line[0] == '#') continue;
    std::istringstream words(line);
    if (line.starts_with("torch.ops.")) {
      words >> word;
      op = allOps().find(word);
      if (!op) f(ElementRow{nullptr, line, {}, {}});
      continue;
    }
    if (!op) continue;
    ElementRow row{op, line, {}, {}};
    const auto& defaults = op->rules().defaults;
    while (words >> word && word != "=")
      row.args.push_back(word == "-" ? defaults.at(row.args.size()).value_or(eval::Value())
                                     : elementNumber(word));
    words >> word;
    row.want = elementNumber(word);
    ++rows;
    f(row);
  }
  return rows;
}

}  // namespace descry::ir
