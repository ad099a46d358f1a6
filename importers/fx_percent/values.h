// Values as str() prints them: the arguments of percent and tabular graphs. Private to importers/fx_percent.
#pragma once

#include <functional>
#include <string_view>

#include "ir/core/graph.h"

namespace descry::importers::percent {

/// How identifiers without `%` are read.
enum class Bare : uint8_t {
  Text,   ///< a string, or a word with a meaning (`cuda:0`, `torch.float32`, `None`)
  Node,   ///< a node when one has this name (tabular arguments, slices)
  Force,  ///< a node always (return lines)
};

class ValueReader {
 public:
  /// `find` gives the newest node of a name or an invalid id; `make` gives it even when it must be made up.
  using Find = std::function<ir::NodeId(std::string_view)>;
  ValueReader(std::string_view text, Find find, Find make)
      : text_(text), find_(std::move(find)), make_(std::move(make)) {}

  /// One value. What is not understood becomes Opaque. Nesting is followed 200 deep.
  ir::Argument value(Bare bare);
  /// `{key: value, ...}`, keys bare or quoted. False when none stands here.
  bool keywords(Bare bare, std::vector<std::pair<std::string, ir::Argument>>& out);
  /// Values up to the end of the text, separated by commas.
  std::vector<ir::Argument> list(Bare bare);

  bool literal(std::string_view word);  ///< skips `word` when it stands here
  void blanks();
  bool atEnd() const { return at_ >= text_.size(); }
  size_t at() const { return at_; }

 private:
  ir::Argument container(char close, ir::ValueKind kind, Bare bare);
  ir::Argument dict(Bare bare);
  ir::Argument word(Bare bare);
  ir::Argument balanced();
  ir::Argument bareValue();
  std::string_view rawToken();

  std::string_view text_;
  size_t at_ = 0;
  int depth_ = 0;
  Find find_, make_;
};

/// Reads a word that no quotes surround.
ir::Argument bareWord(std::string_view word);

}  // namespace descry::importers::percent
