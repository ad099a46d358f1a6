#include "importers/torch_trace/timeline_check.h"

#include "importers/torch_trace/header_scan.h"
#include "importers/torch_trace/trace_json.h"

namespace descry::importers {

void TimelineCheck::add(std::string_view payload, ir::SourceLoc loc) {
  const size_t first = payload.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return;
  if (payload[first] == '[') {
    const nlohmann::json list = parseJson(payload);
    if (!list.is_array()) return;
    for (const nlohmann::json& e : list)
      event(member(e, "pid") + "/" + member(e, "tid"), member(e, "name"), member(e, "ph"), loc);
    return;
  }
  // Nearly every record of a long log is one event: its fields are read without building a tree.
  const std::string phase = jsonStringField(payload, "ph").value_or("");
  if (phase != "B" && phase != "E") return;
  const auto number = [&](const char* key) {
    const auto value = jsonIntField(payload, key);
    return value ? std::to_string(*value) : jsonStringField(payload, key).value_or("");
  };
  event(number("pid") + "/" + number("tid"), jsonStringField(payload, "name").value_or(""), phase, loc);
}

void TimelineCheck::event(std::string lane, const std::string& name, std::string_view phase,
                          ir::SourceLoc loc) {
  if (phase != "B" && phase != "E") return;
  std::vector<ir::SourceLoc>& open = open_[std::move(lane) + "/" + name];
  if (phase == "B") {
    open.push_back(loc);
  } else if (!open.empty()) {
    open.pop_back();
  } else if (ends_++ == 0) {
    firstEnd_ = loc;
    firstEndName_ = name;
  }
}

void TimelineCheck::finish(ir::DiagnosticSink& sink) const {
  size_t begins = 0;
  ir::SourceLoc first;
  std::string firstKey;
  for (const auto& [key, open] : open_) {
    if (open.empty()) continue;
    begins += open.size();
    if (!firstKey.empty() && first.byte <= open.front().byte) continue;
    first = open.front();
    firstKey = key;
  }
  if (begins + ends_ == 0) return;
  const bool end = ends_ && (!begins || firstEnd_.byte < first.byte);
  // The key is `pid/tid/name`.
  const std::string name =
      end ? firstEndName_ : firstKey.substr(firstKey.find('/', firstKey.find('/') + 1) + 1);
  const std::string what = "'" + name + (end ? "' ends without a begin" : "' begins and never ends");
  sink.warning("unpaired-event", end ? firstEnd_ : first,
               begins + ends_ == 1 ? "the timeline event " + what
                                   : std::to_string(begins + ends_) +
                                         " timeline events have no partner, first this one: " + what);
}

}  // namespace descry::importers
