#include "session/pass_list.h"

#include <algorithm>

#include "passes/cleanup/cleanup.h"

namespace descry::session {

std::vector<PassInfo> passList() {
  std::vector<PassInfo> out;
  for (const passes::PassDef* p : {&passes::kCse, &passes::kDce}) out.push_back({p->name, p->summary});
  std::sort(out.begin(), out.end(), [](const PassInfo& a, const PassInfo& b) { return a.name < b.name; });
  return out;
}

}  // namespace descry::session
