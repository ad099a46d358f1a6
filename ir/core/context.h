// Context: the tables that all graphs of one module share (texts, types, descriptors, sources).
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ir/descriptors/descriptor.h"
#include "ir/support/string_table.h"
#include "ir/types/type_table.h"

namespace descry::ir {

/// Id of a descriptor as written behind an input or output. Id 0: nothing was written.
struct DescId {
  uint32_t index = 0;
  friend bool operator==(DescId, DescId) = default;
  explicit operator bool() const { return index != 0; }
};

/// Id of a source: the comment block that stands above a run of nodes. Id 0: none was seen.
struct SourceId {
  uint32_t index = 0;
  friend bool operator==(SourceId, SourceId) = default;
  explicit operator bool() const { return index != 0; }
};

struct DescEntry {
  StrId text;                            ///< as written, `None` included
  std::optional<Descriptor> descriptor;  ///< absent for `None` and for classes that are not known
};

/// What a provenance comment says. Texts are as written.
struct Source {
  StrId comment;  ///< all lines, without indentation, joined by \n; each starts with '#'
  StrId file;     ///< empty when there is no stack trace
  uint32_t line = 0;
  StrId function;
  StrId code;                 ///< one physical source line, often an unfinished expression
  bool backward = false;      ///< "Backward of forward node": the place belongs to the forward twin
  bool noStackTrace = false;  ///< "No stacktrace found for following nodes"
  StrId tags;  ///< what stood before: `recompute: MUST_SAVE`, `ac_graph_id: 4 - ...`, annotations
};

/// Reads a comment block (lines joined by \n, indentation removed).
Source parseSource(StringTable& strings, std::string_view comment);

/// Append-only; ids stay valid, so snapshots of a graph may be read in other threads while one thread adds.
class Context {
 public:
  StringTable strings;
  TypeTable types;

  std::string_view str(StrId id) const { return strings.view(id); }
  StrId intern(std::string_view text) { return strings.intern(text); }
  TypeId type(std::string_view text) { return types.intern(text); }

  DescId descriptor(std::string_view text);
  DescId descriptor(const Descriptor& d) { return descriptor(d.repr()); }
  const DescEntry& descriptor(DescId id) const { return descs_[id.index]; }

  SourceId source(std::string_view comment);
  const Source& source(SourceId id) const { return sources_[id.index]; }
  uint32_t sourceCount() const { return sources_.size(); }

  Context();

 private:
  AppendStore<DescEntry> descs_;
  AppendStore<Source> sources_;
  std::vector<uint32_t> descByText_;    // by StrId; 0 for none
  std::vector<uint32_t> sourceByText_;  // by StrId; 0 for none
  std::mutex mutex_;
};

using ContextPtr = std::shared_ptr<Context>;

}  // namespace descry::ir
