// Says which events of a trace log's timeline have no partner.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "ir/support/diagnostic.h"

namespace descry::importers {

/// Events come in file order. A begin (`ph` B) pairs with the next end (E) of the same name in the same lane
/// (process and thread); the other phases stand for themselves.
class TimelineCheck {
 public:
  /// One payload: an event, or a list of them. Text that is no JSON is passed over.
  void add(std::string_view payload, ir::SourceLoc loc);
  /// One warning for all events of the file that have no partner.
  void finish(ir::DiagnosticSink& sink) const;

 private:
  void event(std::string lane, const std::string& name, std::string_view phase, ir::SourceLoc loc);

  /// Lane and name -> where the begins stand that are still open.
  std::unordered_map<std::string, std::vector<ir::SourceLoc>> open_;
  size_t ends_ = 0;  ///< without a begin
  ir::SourceLoc firstEnd_;
  std::string firstEndName_;
};

}  // namespace descry::importers
