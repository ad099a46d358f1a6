// Places visited, for Back and Forward across graphs.
#pragma once

#include <QString>

#include <vector>

#include "gui/document/pass_stepper.h"
#include "ir/core/value.h"

namespace descry::gui {

struct Place {
  QString path, graphId;
  ir::NodeId node;
  PassStepper::State state = {};
  friend bool operator==(const Place&, const Place&) = default;
};

class Places {
 public:
  /// A new place behind the current one; what was ahead is dropped.
  void visit(const Place& place) {
    if (at_ >= 0 && list_[at_] == place) return;
    list_.resize(at_ + 1);
    list_.push_back(place);
    if (list_.size() > kMost) list_.erase(list_.begin());
    at_ = static_cast<int>(list_.size()) - 1;
  }
  bool canGoBack() const { return at_ > 0; }
  bool canGoForward() const { return at_ + 1 < static_cast<int>(list_.size()); }
  /// Null when there is nowhere to go.
  const Place* back() { return canGoBack() ? &list_[--at_] : nullptr; }
  const Place* forward() { return canGoForward() ? &list_[++at_] : nullptr; }
  const std::vector<Place>& all() const { return list_; }
  int at() const { return at_; }

 private:
  static constexpr size_t kMost = 1000;
  std::vector<Place> list_;
  int at_ = -1;
};

}  // namespace descry::gui
