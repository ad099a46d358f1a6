// The query language of search, filters and the command line (docs/query.md).
//
//   relu                     plain words search names and ops          "exact"        /regex/
//   op~mm dtype=f32          field, operator, value; next to each other means and
//   bytes>=4KiB and not phase=backward    ( ) and or not
//   transpose -> mm          a direct edge      a ->> b  any distance    a ->{1,3} b  bounded distance
//   sort:bytes- limit:20     in:selection
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "session/session.h"

namespace descry::session {

struct QueryError {
  uint32_t column = 0, length = 0;  ///< from 0, in characters of the query
  std::string message;
};
struct QueryResult {
  std::vector<ir::NodeId> nodes;  ///< program order, unless sort: says otherwise
  std::optional<QueryError> error;
  /// When nothing matches: which clause removed the last hits ("dtype=f64 leaves 0 of 214").
  std::string why;
};
/// What a run of the graph found, by node id; NaN where nothing is known.
struct QueryRunFacts {
  std::vector<double> seconds;  ///< for time>1ms
  std::vector<double> bad;      ///< NaN and infinities, for nan
  std::vector<double> error;    ///< largest difference from another run, for err>1e-3; empty without one
};
/// What the caller knows and a graph does not.
struct QueryScope {
  const std::vector<ir::NodeId>* selection = nullptr;                             ///< for in:selection
  const std::vector<ir::NodeId>* visible = nullptr;                               ///< for in:visible
  const std::map<std::string, std::string, std::less<>>* savedQueries = nullptr;  ///< for @name
  const std::vector<std::string>* states = nullptr;  ///< by node id: state in a diff, for state=added
  const QueryRunFacts* run = nullptr;
};
/// Cost: terms times (nodes + edges). Never fails on hostile text: see `error`.
QueryResult runQuery(const LoadedGraph& graph, std::string_view query, const QueryScope& scope = {});

struct QueryField {
  const char* name;
  const char* meaning;
};
const std::vector<QueryField>& queryFields();
/// Completions for the word that ends at `column`, best first.
std::vector<std::string> completeQuery(const LoadedGraph& graph, std::string_view query, size_t column);

}  // namespace descry::session
