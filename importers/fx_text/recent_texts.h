// RecentTexts: ids of texts that were looked up a moment ago. Private to importers/fx_text.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "ir/support/string_table.h"

namespace descry::importers::fx {

/// A name stands in a graph's text where it is defined, where it is read and where it is deleted, mostly a
/// few lines apart. The shared tables lock and reach far into memory for each of these; this one does
/// neither.
template <class Id>
class RecentTexts {
 public:
  /// The id of `text`. `lookUp(text)` gives it when it is not among the recent ones, `kept(id)` the text as
  /// the table holds it.
  template <class LookUp, class Kept>
  Id get(std::string_view text, LookUp&& lookUp, Kept&& kept) {
    Entry& e = entries_[ir::hashText(text) % kEntries];
    if (e.text == text) return e.id;
    const Id id = lookUp(text);
    e = {kept(id), id};
    return id;
  }

 private:
  static constexpr size_t kEntries = 1024;
  struct Entry {
    std::string_view text;
    Id id;
  };
  std::vector<Entry> entries_ = std::vector<Entry>(kEntries);
};

}  // namespace descry::importers::fx
