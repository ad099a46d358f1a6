#include "passes/partition/fx_names.h"

#include <algorithm>

namespace descry::passes::partition {

namespace {

/// `add_12` -> `add` and 12; false when no number stands behind.
bool splitNumber(std::string_view name, std::string_view& base, uint64_t& number) {
  const size_t underscore = name.rfind('_');
  base = name;
  if (underscore == std::string_view::npos || underscore == 0) return false;
  const std::string_view digits = name.substr(underscore + 1);
  if (digits.empty() || digits.size() > 18 ||
      !std::all_of(digits.begin(), digits.end(), [](char c) { return c >= '0' && c <= '9'; }))
    return false;
  base = name.substr(0, underscore);
  number = 0;
  for (char c : digits) number = number * 10 + static_cast<uint64_t>(c - '0');
  return true;
}

}  // namespace

std::string FxNames::create(std::string_view wanted) {
  std::string_view base;
  uint64_t number = 0;
  std::string candidate(wanted);
  const bool numbered = splitNumber(wanted, base, number);
  const std::string stem(base);
  if (!numbered || used_.contains(candidate)) {
    const auto it = lastNumber_.find(stem);
    number = it == lastNumber_.end() ? 0 : it->second;
  }
  while (used_.contains(candidate)) candidate = stem + "_" + std::to_string(++number);
  used_.insert(candidate);
  lastNumber_[stem] = number;
  return candidate;
}

}  // namespace descry::passes::partition
