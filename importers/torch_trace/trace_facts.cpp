// Tables of facts that a trace log holds beside its graphs.
#include <algorithm>
#include <map>
#include <unordered_map>

#include "importers/torch_trace/trace_input.h"
#include "importers/torch_trace/trace_json.h"

namespace descry::importers {

std::string tensorTypeText(const nlohmann::json& tensor);  // trace_tensors.cpp

namespace {

using nlohmann::json;

constexpr size_t kMaxRows = 2'000'000;  // per table; only hostile logs have more
constexpr size_t kCellBytes = 16u << 10;

class Tables {
 public:
  FactTable& table(const std::string& name, std::vector<std::string> columns) {
    const auto found = at_.find(name);
    if (found != at_.end()) return out[found->second];
    at_[name] = out.size();
    out.push_back({name, std::move(columns), {}});
    return out.back();
  }
  void row(const std::string& name, std::vector<std::string> columns, std::vector<std::string> cells) {
    FactTable& t = table(name, std::move(columns));
    if (t.rows.size() >= kMaxRows) return;
    for (std::string& cell : cells)
      if (cell.size() > kCellBytes) {
        size_t cut = kCellBytes;
        while (cut > 0 && (static_cast<uint8_t>(cell[cut]) & 0xC0) == 0x80) --cut;
        cell.resize(cut);
        cell += "...";
      }
    t.rows.push_back(std::move(cells));
  }
  std::vector<FactTable> out;

 private:
  std::map<std::string, size_t> at_;
};

struct Compile {
  std::string label, function, place, attempts, failure, restarts, ops;
  int64_t lastAttempt = 0;
};

class FileFacts {
 public:
  FileFacts(const TraceIndex& file, bool ranks, Tables& tables) : file_(file), t_(tables) {
    if (ranks && file.rank) rank_ = "rank" + std::to_string(*file.rank) + ":";
  }

  void run() {
    for (const TraceRecord& r : file_.records)
      if (file_.kind(r) == "str") {
        const json v = parseJson(file_.metadata(r));
        if (v.is_array() && v.size() == 2 && v[0].is_string() && v[1].is_number_integer())
          strings_[v[1].get<int64_t>()] = v[0].get<std::string>();
      }
    for (const TraceRecord& r : file_.records)
      if (!(r.flags & (kRecordBadHeader | kRecordJunk)) && r.headerLength) record(r);
    for (const std::string& label : compileOrder_) {
      const Compile& c = compiles_[label];
      t_.row("compiles", {"compile", "function", "place", "attempts", "failure", "restarts", "graph ops"},
             {label, c.function, c.place, std::to_string(c.lastAttempt + 1), c.failure, c.restarts, c.ops});
    }
    finishTimeline();
  }

 private:
  std::string label(const TraceRecord& r) const {
    const CompileKey& key = file_.key(r);
    std::string out = rank_ + key.shown();
    appendInstance(out, r);
    return out;
  }

  static void appendInstance(std::string& out, const TraceRecord& r) {
    if (!r.instance) return;
    out += '#';
    out += std::to_string(r.instance + 1);
  }

  Compile* compile(const TraceRecord& r) {
    CompileKey key = file_.key(r);
    if (key.frame < 0 && key.compiledAutograd < 0) return nullptr;
    const int64_t attempt = key.attempt;
    key.attempt = -1;
    std::string name = rank_ + key.shown();
    appendInstance(name, r);
    const auto [it, fresh] = compiles_.try_emplace(name);
    if (fresh) compileOrder_.push_back(name);
    it->second.lastAttempt = std::max(it->second.lastAttempt, attempt);
    return &it->second;
  }

  /// `path:line in function`, with the interned file name resolved.
  std::string frameText(const json& frame) const {
    if (!frame.is_object()) return "";
    std::string path = member(frame, "uninterned_filename");
    if (path.empty()) {
      const auto id = frame.find("filename");
      if (id != frame.end() && id->is_number_integer()) {
        const auto found = strings_.find(id->get<int64_t>());
        path = found == strings_.end() ? "(unknown)" : found->second;
      } else if (id != frame.end()) {
        path = cellText(*id);
      }
    }
    if (const size_t link = path.find("#link-tree/"); link != std::string::npos)
      path = path.substr(link + 11);
    const std::string line = member(frame, "line"), name = member(frame, "name");
    return path + (line.empty() ? "" : ":" + line) + (name.empty() ? "" : " in " + name);
  }

  std::string innermost(const json& object) const {
    for (const char* key : {"user_stack", "stack"}) {
      const auto stack = object.find(key);
      if (stack != object.end() && stack->is_array() && !stack->empty()) return frameText(stack->back());
    }
    return "";
  }

  void record(const TraceRecord& r) {
    const std::string_view kind = file_.kind(r);
    if (kind == "str") return;
    Compile* c = compile(r);
    if (kind == "chromium_event") return timelineEvent(r);
    if (kind == "exported_program") {
      if (const auto signature = findExportSignature(file_.payloadText(r, false)))
        for (const auto& [symbol, range] : signature->ranges)
          t_.row("range-constraints", {"compile", "symbol", "range"}, {label(r), symbol, range});
      return;
    }
    if (kind == "artifact") return artifact(r);
    if (kind == "dynamo_cpp_guards_str") return guardTree(r);
    if (kind == "dynamo_guards") {
      const json list = parseJson(file_.payloadText(r, false));
      if (list.is_array())
        for (const json& g : list)
          guard(r, 0, "guard", "", member(g, "code"), g.is_object() ? innermost(g) : "");
      return;
    }
    static constexpr std::string_view kUseful[] = {"dynamo_start",
                                                   "describe_tensor",
                                                   "describe_source",
                                                   "describe_storage",
                                                   "create_symbol",
                                                   "create_unbacked_symbol",
                                                   "symbolic_shape_specialization",
                                                   "guard_added",
                                                   "guard_added_fast",
                                                   "compilation_metrics",
                                                   "compilation_metrics_runtime",
                                                   "bwd_compilation_metrics",
                                                   "aot_autograd_backward_compilation_metrics",
                                                   "propagate_real_tensors_provenance",
                                                   "expression_created",
                                                   "missing_fake_kernel",
                                                   "mismatched_fake_kernel",
                                                   "link"};
    if (std::find(std::begin(kUseful), std::end(kUseful), kind) == std::end(kUseful)) return;
    const json o = parseJson(file_.metadata(r));
    if (!o.is_object()) return;
    if (kind == "dynamo_start") {
      const auto stack = o.find("stack");
      if (stack == o.end() || !stack->is_array()) return;
      int depth = 0;
      for (const json& frame : *stack)
        t_.row("frames", {"compile", "depth", "place", "code"},
               {label(r), std::to_string(depth++), frameText(frame), member(frame, "loc")});
      if (c && !stack->empty() && c->place.empty()) c->place = frameText(stack->back());
    } else if (kind.starts_with("describe_")) {
      describe(r, kind, o);
    } else if (kind == "create_symbol" || kind == "create_unbacked_symbol") {
      t_.row("symbols", {"compile", "symbol", "kind", "value", "range", "source", "place"},
             {label(r), member(o, "symbol"), kind == "create_symbol" ? "backed" : "unbacked",
              member(o, "val"), member(o, "vr"), member(o, "source"), innermost(o)});
    } else if (kind == "symbolic_shape_specialization") {
      t_.row("specializations", {"compile", "symbol", "sources", "value", "reason", "place"},
             {label(r), member(o, "symbol"), member(o, "sources"), member(o, "value"), member(o, "reason"),
              innermost(o)});
    } else if (kind == "guard_added" || kind == "guard_added_fast") {
      guard(r, 0, "SYMBOLIC", "", member(o, "expr"), innermost(o));
    } else if (kind == "propagate_real_tensors_provenance") {
      t_.row("data-dependent", {"compile", "expression", "result", "place"},
             {label(r), member(o, "expr"), member(o, "result"), innermost(o)});
    } else if (kind == "expression_created") {
      t_.row("expressions", {"compile", "id", "method", "arguments", "argument ids", "result", "place"},
             {label(r), member(o, "result_id"), member(o, "method"), member(o, "arguments"),
              member(o, "argument_ids"), member(o, "result"), innermost(o)});
    } else if (kind.ends_with("_fake_kernel")) {
      t_.row("export-problems", {"compile", "kind", "op", "reason"},
             {label(r), std::string(kind), member(o, "op"), member(o, "reason")});
    } else if (kind == "link") {
      t_.row("links", {"name", "url"}, {member(o, "name"), member(o, "url")});
    } else {
      metrics(r, kind, o, c);
    }
  }

  void metrics(const TraceRecord& r, std::string_view kind, const json& o, Compile* c) {
    for (const auto& [key, value] : o.items())
      if (!value.is_null())
        t_.row("metrics", {"compile", "record", "metric", "value"},
               {label(r), std::string(kind), key, cellText(value)});
    if (!c || kind != "compilation_metrics") return;
    c->function = member(o, "co_name");
    const std::string path = member(o, "co_filename");
    if (!path.empty()) c->place = path + ":" + member(o, "co_firstlineno");
    c->failure = member(o, "fail_type");
    if (const std::string reason = member(o, "fail_reason"); !reason.empty()) c->failure += ": " + reason;
    c->restarts = member(o, "restart_reasons");
    if (c->restarts == "[]") c->restarts.clear();
    c->ops = member(o, "graph_op_count");
  }

  void describe(const TraceRecord& r, std::string_view kind, const json& o) {
    const std::string id = label(r) + "\n" + member(o, "describer_id") + "\n";
    if (kind == "describe_storage") {
      storages_[id + member(o, "id")] = member(o, "size");
      return;
    }
    const std::string mine = id + member(o, "id");
    FactTable& table = t_.table(
        "tensors", {"compile", "describer", "id", "source", "type", "requires_grad", "is_leaf",
                    "is_parameter", "is_view", "base", "storage", "storage bytes", "subclass", "attrs"});
    if (kind == "describe_source") {
      if (const auto row = tensorRows_.find(mine); row != tensorRows_.end())
        table.rows[row->second][3] = member(o, "source");
      return;
    }
    if (table.rows.size() >= kMaxRows) return;
    const std::string storage = member(o, "storage");
    const auto yes = [&](const char* key) {
      const std::string value = member(o, key);
      return value.empty() ? std::string("false") : value;
    };
    tensorRows_[mine] = table.rows.size();
    table.rows.push_back({label(r), member(o, "describer_id"), member(o, "id"), "", tensorTypeText(o),
                          yes("requires_grad"), yes("is_leaf"), yes("is_parameter"), yes("is_view"),
                          member(o, "base"), storage, storages_[id + storage], className(member(o, "type")),
                          attributes(o)});
  }

  /// `<class 'torch.testing._internal.two_tensor.TwoTensor'>` without the wrapping.
  static std::string className(const std::string& repr) {
    const size_t from = repr.find('\''), to = repr.rfind('\'');
    return to == from ? repr : repr.substr(from + 1, to - from - 1);
  }

  /// Of a wrapper subclass: its attributes and the ids of the tensors in them, `a=0 b=1`.
  static std::string attributes(const json& tensor) {
    std::string out;
    const auto attrs = tensor.find("attrs");
    if (attrs != tensor.end() && attrs->is_object())
      for (const auto& [name, id] : attrs->items())
        out += (out.empty() ? "" : " ") + name + "=" + cellText(id);
    return out;
  }

  void guard(const TraceRecord& r, int depth, std::string kind, std::string source, std::string text,
             std::string place) {
    t_.row("guards", {"compile", "depth", "kind", "source", "text", "place"},
           {label(r), std::to_string(depth), std::move(kind), std::move(source), std::move(text),
            std::move(place)});
  }

  /// `| | +- KIND: text   # source line  # file:line in func`.
  void guardTree(const TraceRecord& r) {
    const std::string payload = file_.payloadText(r, false);
    for (size_t at = 0; at < payload.size();) {
      size_t end = payload.find('\n', at);
      if (end == std::string::npos) end = payload.size();
      std::string_view line = std::string_view(payload).substr(at, end - at);
      at = end + 1;
      int depth = 0;
      while (line.starts_with("| ")) {
        line.remove_prefix(2);
        ++depth;
      }
      if (!line.starts_with("+- ")) continue;
      line.remove_prefix(3);
      std::string place;
      if (const size_t hash = line.rfind("  # "); hash != std::string_view::npos) {
        place = std::string(line.substr(hash + 4));
        line = line.substr(0, hash);
        const size_t last = line.find_last_not_of(' ');
        line = line.substr(0, last == std::string_view::npos ? 0 : last + 1);
      }
      const size_t colon = line.find(": ");
      std::string kind(line.substr(0, colon)), text, source;
      if (colon != std::string_view::npos) text = std::string(line.substr(colon + 2));
      if (text.starts_with("source=")) {
        const size_t comma = text.find(", accessed_by=");
        source = text.substr(7, comma == std::string::npos ? comma : comma - 7);
      }
      guard(r, depth, std::move(kind), std::move(source), std::move(text), std::move(place));
    }
  }

  void artifact(const TraceRecord& r) {
    const std::string_view name = file_.name(r);
    if (name.find("_cache_") != std::string_view::npos &&
        (name.starts_with("fx_graph") || name.starts_with("aotautograd"))) {
      const json o = parseJson(file_.payloadText(r, false));
      const size_t at = name.find("_cache_");
      t_.row("cache", {"compile", "cache", "event", "key", "detail"},
             {label(r), std::string(name.substr(0, at)), std::string(name.substr(at + 7)), member(o, "key"),
              member(o, "cache_bypass_reason") + member(o, "cache_status_detailed")});
      return;
    }
    if (name == "recompile_reasons" || name == "compiled_autograd_compile_reasons") {
      const json o = parseJson(file_.payloadText(r, false));
      if (o.is_array())
        for (const json& reason : o)
          t_.row("recompiles", {"compile", "reason"}, {label(r), cellText(reason)});
      else if (!o.is_discarded())
        t_.row("recompiles", {"compile", "reason"}, {label(r), cellText(o)});
      return;
    }
    if (name == "dynamo_graph_break_reason" || name == "dynamo_error") {
      t_.row("graph-breaks", {"compile", "kind", "text"},
             {label(r), std::string(name), file_.payloadText(r, false)});
      return;
    }
    if (name == "inductor_collective_schedule") {
      const json o = parseJson(file_.payloadText(r, false));
      int position = 0;
      if (o.is_array())
        for (const json& op : o)
          t_.row("collectives", {"compile", "position", "op"},
                 {label(r), std::to_string(position++), cellText(op)});
      return;
    }
    if (name == "inductor_runtime_and_tensor_meta") {
      const json o = parseJson(file_.payloadText(r, false));
      const auto ops = o.is_object() ? o.find("ops") : o.end();
      if (o.is_object() && ops != o.end() && ops->is_array())
        for (const json& op : *ops)
          t_.row("runtime-estimates", {"compile", "op", "type", "ns", "outputs"},
                 {label(r), member(op, "name"), member(op, "type"), member(op, "estimated_runtime_ns"),
                  member(op, "outputs")});
      return;
    }
    if (name == "inductor_provenance_tracking_node_mappings" ||
        name == "inductor_triton_kernel_to_post_grad_nodes" || name == "inductor_post_to_pre_grad_nodes")
      provenance(r, name);
  }

  void provenance(const TraceRecord& r, std::string_view name) {
    const json o = parseJson(file_.payloadText(r, false));
    if (!o.is_object()) return;
    const std::vector<std::string> columns{"compile", "mapping", "from", "to"};
    const auto add = [&](const std::string& mapping, const json& table) {
      if (!table.is_object()) return;
      for (const auto& [from, to] : table.items()) {
        std::string list;
        if (to.is_array())
          for (const json& item : to) {
            if (!list.empty()) list += ' ';
            list += item.is_object() ? member(item, "name") : cellText(item);
          }
        else
          list = cellText(to);
        t_.row("provenance", columns, {label(r), mapping, from, list});
      }
    };
    if (name == "inductor_provenance_tracking_node_mappings") {
      for (const auto& [mapping, table] : o.items()) add(mapping, table);
    } else {
      add(name == "inductor_post_to_pre_grad_nodes" ? "postToPre" : "kernelToPost", o);
    }
  }

  void timelineEvent(const TraceRecord& r) {
    const json payload = parseJson(file_.payloadText(r, false));
    if (payload.is_array()) {
      for (const json& event : payload) oneEvent(r, event);
    } else {
      oneEvent(r, payload);
    }
  }

  void oneEvent(const TraceRecord& r, const json& e) {
    if (!e.is_object()) return;
    const auto ts = e.find("ts");
    if (ts == e.end() || !ts->is_number()) return;
    const double time = ts->get<double>();
    lastTime_ = std::max(lastTime_, time);
    const std::string name = member(e, "name"), phase = member(e, "ph");
    const std::string lane = member(e, "pid") + "/" + member(e, "tid");
    std::vector<Open>& stack = open_[lane];
    if (phase == "B") {
      if (stack.size() < 10000) stack.push_back({name, label(r), time});
    } else if (phase == "E") {
      const auto begin =
          std::find_if(stack.rbegin(), stack.rend(), [&](const Open& o) { return o.name == name; });
      if (begin == stack.rend()) {
        span(name, label(r), time, 0, stack.size(), "end without begin");
        return;
      }
      const size_t depth = static_cast<size_t>(stack.rend() - begin) - 1;
      span(name, begin->label, begin->time, time - begin->time, depth, "");
      stack.erase(std::next(begin).base());
    } else if (phase == "X") {
      const auto dur = e.find("dur");
      span(name, label(r), time, dur != e.end() && dur->is_number() ? dur->get<double>() : 0, stack.size(),
           "");
    } else {
      span(name, label(r), time, 0, stack.size(), "instant");
    }
  }

  void span(const std::string& name, const std::string& where, double begin, double length, size_t depth,
            std::string note) {
    char b[32], d[32];
    std::snprintf(b, sizeof b, "%.1f", begin);
    std::snprintf(d, sizeof d, "%.1f", length);
    t_.row("timeline", {"name", "compile", "begin us", "length us", "depth", "note"},
           {name, where, b, d, std::to_string(depth), std::move(note)});
  }

  void finishTimeline() {
    for (const auto& [lane, stack] : open_)
      for (size_t i = 0; i < stack.size(); ++i)
        span(stack[i].name, stack[i].label, stack[i].time, lastTime_ - stack[i].time, i, "not closed");
  }

  struct Open {
    std::string name, label;
    double time;
  };
  const TraceIndex& file_;
  Tables& t_;
  std::string rank_;
  std::unordered_map<int64_t, std::string> strings_;
  std::unordered_map<std::string, Compile> compiles_;
  std::vector<std::string> compileOrder_;
  std::unordered_map<std::string, std::string> storages_;
  std::unordered_map<std::string, size_t> tensorRows_;
  std::map<std::string, std::vector<Open>> open_;
  double lastTime_ = 0;
};

/// For each comparable value, which ranks agree. A value that a rank lacks is unknown, not a difference.
void compareRanks(const std::vector<TraceIndex>& files, Tables& t) {
  std::map<std::string, std::map<std::string, std::vector<std::string>>> groups;
  for (const TraceIndex& file : files) {
    const std::string rank = file.rank ? std::to_string(*file.rank) : file.file;
    std::string ids, cache, order;
    std::map<std::string, std::string> perCompile;
    std::vector<std::string> seen;
    for (const TraceRecord& r : file.records) {
      const std::string_view kind = file.kind(r), name = file.name(r);
      if (kind == "dynamo_start") ids += file.key(r).shown() + " ";
      if (kind != "artifact") continue;
      if (name.ends_with("_cache_hit") || name.ends_with("_cache_miss") || name.ends_with("_cache_bypass"))
        cache += std::string(name) + " ";
      if (name == "graph_execution") order += file.payloadText(r, false);
      if (name == "inductor_collective_schedule")
        perCompile["collectives of " + file.key(r).shown()] += file.payloadText(r, false);
      if (name == "inductor_runtime_and_tensor_meta")
        perCompile["tensor metadata of " + file.key(r).shown()] += file.payloadText(r, false);
    }
    groups["compile ids"][ids].push_back(rank);
    groups["cache events"][cache].push_back(rank);
    if (!order.empty()) groups["execution order"][order].push_back(rank);
    for (auto& [what, value] : perCompile) groups[what][value].push_back(rank);
  }
  for (const auto& [what, values] : groups) {
    int group = 0;
    for (const auto& [value, ranks] : values) {
      std::string list;
      for (const std::string& rank : ranks) list += (list.empty() ? "" : " ") + rank;
      t.row("ranks", {"what", "group", "ranks", "agree"},
            {what, std::to_string(++group), list, values.size() == 1 ? "yes" : "no"});
    }
  }
}

}  // namespace

std::vector<FactTable> traceTables(const std::vector<TraceIndex>& files) {
  Tables tables;
  for (const TraceIndex& file : files) {
    if (!file.source->unchanged()) continue;
    FileFacts(file, files.size() > 1, tables).run();
  }
  if (files.size() > 1) compareRanks(files, tables);
  return std::move(tables.out);
}

}  // namespace descry::importers
