// torch.autocast: regions in which ops get their arguments in other dtypes.
#pragma once

#include <array>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "ir/ops/rules/op_rules.h"
#include "ir/types/dtype.h"

namespace descry::passes {

/// The regions that are open, by kind of device. A value: a trace that starts inside a region copies it.
class Autocast {
 public:
  struct Region {
    bool enabled = false;
    ir::DType dtype = ir::DType::BF16;
    bool operator==(const Region&) const = default;
  };

  Autocast() { of("cuda")->dtype = ir::DType::F16; }

  /// Of `cpu` or `cuda`; null for other kinds of devices.
  Region* of(std::string_view device);
  bool any() const { return regions_[0].enabled || regions_[1].enabled; }

  /// Opens a region as torch.autocast(device, dtype, enabled) does; a number to leave it by. Throws
  /// `unsupported-call` for devices whose policies are not known.
  size_t enter(std::string_view device, std::optional<ir::DType> dtype, bool enabled);
  void exit(size_t number);

  /// Numbers in rules::kCastDevices.
  const Region& region(size_t device) const { return regions_[device]; }
  bool acts(size_t device) const { return regions_[device].enabled && !inside_[device]; }
  /// While an op with a policy runs, what it calls is left alone.
  bool setInside(size_t device, bool inside) { return std::exchange(inside_[device], inside); }

  bool operator==(const Autocast& o) const { return regions_ == o.regions_; }

 private:
  struct Left {
    size_t device;
    Region before;
  };
  std::array<Region, 2> regions_;
  std::array<bool, 2> inside_{};
  std::vector<Left> left_;  ///< what each region that was entered replaced
};

}  // namespace descry::passes
