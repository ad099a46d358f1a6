// Syntax tree of a query, and its parser.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "session/pattern.h"
#include "session/query.h"

namespace descry::session {

enum class QueryOp : uint8_t {
  Equal,
  NotEqual,
  Like,
  NotLike,
  Less,
  LessEqual,
  Greater,
  GreaterEqual,
  In,
  Has
};
enum class FieldType : uint8_t { Text, Number, Shape, Flag };
enum class FieldId : uint8_t {
  Name,
  Op,
  Target,
  Module,
  File,
  Line,
  Dtype,
  Shape,
  Rank,
  Bytes,
  Phase,
  Kind,
  Desc,
  Saved,
  Recomputed,
  Users,
  Inputs,
  Order,
  State,
  Time,
  Nan,
  Err
};

struct FieldInfo {
  FieldId id;
  FieldType type;
  const char* name;
  const char* meaning;
};
const std::vector<FieldInfo>& fieldTable();
const FieldInfo* findField(std::string_view name);

struct QueryValue {
  enum class Kind : uint8_t { Word, Exact, Regex, Shape };
  Kind kind = Kind::Word;
  std::string text;
  std::vector<std::string> dims;   ///< Shape: integers, symbols, `*`, `?`, `..`
  std::optional<double> number;    ///< words that read as a number with unit
  std::optional<Pattern> pattern;  ///< what Like or Equal compare with
};

struct QueryNode {
  enum class Kind : uint8_t { And, Or, Not, Path, Field, Word, Saved, All };
  Kind kind = Kind::All;
  uint32_t column = 0, length = 0;  ///< bytes of the query
  std::vector<QueryNode> children;
  FieldId field = FieldId::Name;
  QueryOp op = QueryOp::Equal;
  std::vector<QueryValue> values;  ///< more than one: a set
  std::string savedName;
  struct Step {
    uint32_t min = 1, max = 1;  ///< edges; max 0: no limit
  };
  std::vector<Step> steps;  ///< Path: between the children
};

struct ParsedQuery {
  QueryNode root;
  bool empty = true;  ///< no condition
  std::optional<FieldId> sort;
  bool descending = false;
  std::optional<uint64_t> limit;
  enum class Scope : uint8_t { All, Selection, Visible } scope = Scope::All;
  std::optional<QueryError> error;  ///< column in bytes here
};

ParsedQuery parseQuery(std::string_view text);
/// `4KiB`, `1e-3`, `64M`: bytes units are powers of 1024 with or without `i`; nothing when it is no number.
std::optional<double> parseQuantity(std::string_view text);

}  // namespace descry::session
