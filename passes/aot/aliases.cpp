// Inputs that are one tensor, or that overlap and are written: they become one input.
#include <algorithm>
#include <map>
#include <set>

#include "passes/aot/stages.h"

namespace descry::passes {

namespace {

/// Whether two strided windows of one storage address a common element. Exact when all numbers are known and
/// the windows are small; otherwise a window is taken to fill its whole extent.
bool overlap(const Meta& a, const Meta& b) {
  const auto known = [](const Meta& m) {
    return std::none_of(m.sizes.begin(), m.sizes.end(), [](const Int& i) { return i.symbolic(); }) &&
           std::none_of(m.strides.begin(), m.strides.end(), [](const Int& i) { return i.symbolic(); });
  };
  const auto last = [](const Meta& m) {
    int64_t end = m.offset.value;
    for (size_t i = 0; i < m.sizes.size(); ++i) end += (m.sizes[i].value - 1) * m.strides[i].value;
    return end;
  };
  for (const Meta* m : {&a, &b})
    for (const Int& s : m->sizes)
      if (!s.sym && s.value == 0) return false;
  if (last(a) < b.offset.value || last(b) < a.offset.value) return false;
  if (!known(a) || !known(b)) return true;
  const int64_t cap = 1 << 16;
  if (a.numel().value > cap || b.numel().value > cap) return true;
  const auto elements = [](const Meta& m) {
    std::vector<int64_t> at = {m.offset.value};
    for (size_t d = 0; d < m.sizes.size(); ++d) {
      std::vector<int64_t> next;
      next.reserve(at.size() * static_cast<size_t>(m.sizes[d].value));
      for (int64_t base : at)
        for (int64_t i = 0; i < m.sizes[d].value; ++i) next.push_back(base + i * m.strides[d].value);
      at = std::move(next);
    }
    return at;
  };
  std::vector<int64_t> x = elements(a), y = elements(b);
  std::sort(x.begin(), x.end());
  return std::any_of(y.begin(), y.end(),
                     [&](int64_t e) { return std::binary_search(x.begin(), x.end(), e); });
}

}  // namespace

bool mergeDuplicates(FlatFunction& f, std::vector<AotInput>& inputs, const ViewAndMutationMeta& meta,
                     std::vector<CapturedInput>& aliases) {
  bool any = false, written = false;
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (!inputs[i].sameAs) continue;
    any = true;
    const InputAliasInfo& info = meta.inputInfo[i];
    written = written || info.mutatesData || info.mutatesMetadata;
  }
  if (!any) return false;
  if (!written) {
    // Nothing is written: each occurrence is an input of its own, and the caller's autograd adds their
    // gradients.
    for (AotInput& i : inputs) i.sameAs.reset();
    return false;
  }
  std::vector<size_t> position(inputs.size());
  std::vector<AotInput> kept;
  std::vector<CapturedInput> keptAliases;
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (inputs[i].sameAs) {
      position[i] = position[*inputs[i].sameAs];
      continue;
    }
    position[i] = kept.size();
    kept.push_back(inputs[i]);
    keptAliases.push_back(aliases[i]);
  }
  f = [inner = std::move(f), position](Tracer& t, const Values& args) {
    Values all;
    for (size_t p : position) all.push_back(args[p]);
    return inner(t, all);
  };
  inputs = std::move(kept);
  aliases = std::move(keptAliases);
  return true;
}

std::optional<Merged> mergeOverlapping(FlatFunction& f, std::vector<AotInput>& inputs,
                                       const ViewAndMutationMeta& meta, std::vector<CapturedInput>& aliases,
                                       bool training) {
  if (std::none_of(meta.inputInfo.begin(), meta.inputInfo.end(),
                   [](const InputAliasInfo& i) { return i.mutatesData; }))
    return std::nullopt;
  // Groups of tensors by storage, in order of first appearance.
  std::vector<std::vector<size_t>> groups;
  std::map<std::string, size_t> byStorage;
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (!inputs[i].meta) continue;
    const std::string& s = aliases[i].storage;
    if (s.empty()) {
      groups.push_back({i});
      continue;
    }
    const auto [it, fresh] = byStorage.emplace(s, groups.size());
    if (fresh) groups.emplace_back();
    groups[it->second].push_back(i);
  }
  std::vector<std::vector<size_t>> merged;
  std::set<size_t> gone;
  for (const std::vector<size_t>& g : groups) {
    if (g.size() < 2 ||
        std::none_of(g.begin(), g.end(), [&](size_t i) { return meta.inputInfo[i].mutatesData; }))
      continue;
    size_t touching = 0;
    for (size_t i : g)
      for (size_t k : g)
        if (i != k && overlap(*inputs[i].meta, *inputs[k].meta)) {
          ++touching;
          break;
        }
    if (touching < 2) continue;
    merged.push_back(g);
    gone.insert(g.begin(), g.end());
  }
  if (merged.empty()) return std::nullopt;
  std::sort(merged.begin(), merged.end(), [](const auto& a, const auto& b) { return a[0] < b[0]; });

  struct Place {
    bool view = false;
    size_t at = 0;
    Meta meta;
    bool requiresGrad = false;
  };
  std::vector<Place> places(inputs.size());
  std::vector<AotInput> out;
  std::vector<CapturedInput> outAliases;
  for (const std::vector<size_t>& g : merged) {
    const auto baseOf = [&](size_t i) -> const std::string& { return aliases[i].base; };
    for (size_t k = 0; k + 1 < g.size(); ++k) {
      const size_t a = g[k], b = g[k + 1];
      const bool related = (!baseOf(a).empty() && baseOf(a) == baseOf(b)) ||
                           (!baseOf(a).empty() && baseOf(a) == aliases[b].source) ||
                           (!baseOf(b).empty() && baseOf(b) == aliases[a].source);
      if (training && !related)
        throw EvalError(
            "alias-not-differentiable",
            "aot_autograd() does not yet handle non-differentiable view input mutations: inputs " +
                aliases[a].name + " and " + aliases[b].name +
                " share memory, but autograd does not know them as views of one another");
      if (inputs[a].meta->dtype != inputs[b].meta->dtype)
        throw EvalError(
            "alias-dtype",
            "aot_autograd() does not yet handle input mutations on views with different dtypes: " +
                aliases[a].name + " and " + aliases[b].name);
    }
    AotInput base;
    CapturedInput alias;
    const auto withBase = std::find_if(g.begin(), g.end(), [&](size_t i) { return !baseOf(i).empty(); });
    base.isLeaf = inputs[g[0]].isLeaf;
    for (size_t i : g) base.requiresGrad = base.requiresGrad || inputs[i].requiresGrad;
    if (withBase == g.end()) {
      base.descriptor = *ir::Descriptor::wrap(ir::DescKind::SyntheticBaseInput, inputs[g[0]].descriptor);
      base.requiresGrad = false;
      Meta m;
      m.dtype = inputs[g[0]].meta->dtype;
      m.device = inputs[g[0]].meta->device;
      int64_t elements = aliases[g[0]].storageBytes / std::max<int64_t>(ir::dtypeInfo(m.dtype).bits / 8, 1);
      if (aliases[g[0]].storageBytes < 0) {
        elements = 0;
        for (size_t i : g) {
          int64_t end = inputs[i].meta->offset.value + 1;
          for (size_t d = 0; d < inputs[i].meta->sizes.size(); ++d)
            end += (inputs[i].meta->sizes[d].value - 1) * inputs[i].meta->strides[d].value;
          elements = std::max(elements, end);
        }
      }
      m.sizes = {Int(elements)};
      m.strides = {Int(1)};
      base.meta = m;
    } else {
      base.descriptor = *ir::Descriptor::wrap(ir::DescKind::ViewBaseInput, inputs[*withBase].descriptor);
      const std::string& key = baseOf(*withBase);
      const auto itself =
          std::find_if(g.begin(), g.end(), [&](size_t i) { return aliases[i].source == key; });
      for (size_t i : g)
        if (!baseOf(i).empty() ? baseOf(i) != key : aliases[i].source != key)
          throw EvalError("alias-not-differentiable",
                          "aot_autograd() does not yet handle non-differentiable view input mutations: " +
                              aliases[i].name + " is no view of the others' base");
      base.meta = itself != g.end() ? inputs[*itself].meta : aliases[*withBase].baseMeta;
      if (itself != g.end())
        base.isLeaf = inputs[*itself].isLeaf;
      else if (aliases[*withBase].baseMeta)
        base.isLeaf = aliases[*withBase].baseIsLeaf;
      if (itself == g.end() && aliases[*withBase].baseRequiresGrad) base.requiresGrad = true;
      if (!base.meta)
        throw EvalError("missing-type", "the log does not describe the base of " + aliases[*withBase].name +
                                            ", which is needed since views of it are written");
    }
    alias.name = aliases[g[0]].name;
    for (size_t i : g) places[i] = {true, out.size(), *inputs[i].meta, inputs[i].requiresGrad};
    out.push_back(std::move(base));
    outAliases.push_back(std::move(alias));
  }
  const auto keep = [&](size_t i) {
    places[i].at = out.size();
    out.push_back(inputs[i]);
    outAliases.push_back(aliases[i]);
  };
  for (size_t i = 0; i < inputs.size(); ++i)
    if (!inputs[i].meta) keep(i);
  for (const std::vector<size_t>& g : groups)
    for (size_t i : g)
      if (!gone.count(i)) keep(i);
  std::vector<size_t> reshaped;
  for (size_t i : gone)
    if (meta.inputInfo[i].mutatesMetadata) reshaped.push_back(i);
  f = [inner = std::move(f), places, reshaped](Tracer& t, const Values& args) {
    Values all;
    for (const Place& p : places) {
      Value v = args[p.at];
      if (p.view) {
        v = t.op("as_strided", {v, Value(p.meta.sizes), Value(p.meta.strides), Value(p.meta.offset)});
        Tensor* view = tensorIn(v);
        if (t.requiresGrad(*view) && !p.requiresGrad)
          v = t.op("detach", {v});
        else if (!t.requiresGrad(*view) && p.requiresGrad)
          view->requiresGrad = true;
      }
      all.push_back(v);
    }
    Values out = inner(t, all);
    for (size_t i : reshaped) out.push_back(all[i]);
    return out;
  };
  inputs = std::move(out);
  aliases = std::move(outAliases);
  return Merged{reshaped.size(), std::move(merged)};
}

}  // namespace descry::passes
