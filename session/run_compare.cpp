// Results of a run beside those of a file.
#include <algorithm>

#include "session/graph_run.h"
#include "session/value_text.h"

namespace descry::session {

namespace {

bool isResultName(std::string_view name) {
  for (const std::string_view prefix : {"out.", "grad.", "grad_storage.", "after."})
    if (name.starts_with(prefix)) return true;
  return false;
}

}  // namespace

std::vector<ComparedResult> compareResults(const Run& run, const runtime::TensorFile& reference,
                                           std::optional<double> relative, std::optional<double> absolute) {
  std::vector<ComparedResult> out;
  for (const RunValue& v : run.results) {
    if (!v.tensor) continue;
    ComparedResult row{v.name, valueType(*v.tensor), {}};
    row.comparison.count = v.tensor->meta.numel().value;
    if (const runtime::TensorRef other = reference.find(v.name)) {
      runtime::Tolerance t = runtime::toleranceFor(other->meta.dtype);
      t.relative = relative.value_or(t.relative);
      t.absolute = absolute.value_or(t.absolute);
      row.comparison = runtime::compareTensors(*v.tensor, *other, t);
    }
    out.push_back(std::move(row));
  }
  // What the file has and the run does not give. Gradients are asked for only with --backward.
  const bool gradients = !run.backward.empty() &&
                         std::find(run.backward.begin(), run.backward.end(), true) != run.backward.end();
  for (const auto& [name, tensor] : reference.tensors) {
    if (!isResultName(name) || (name.starts_with("grad") && !gradients)) continue;
    if (std::none_of(out.begin(), out.end(),
                     [&, n = std::string_view(name)](const ComparedResult& r) { return r.name == n; }))
      out.push_back({name, valueType(*tensor), {}});
  }
  return out;
}

}  // namespace descry::session
