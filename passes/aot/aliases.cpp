// Inputs that are one tensor, or that overlap and are written: they become one input.
#include <algorithm>
#include <map>
#include <set>

#include "ir/ops/eval/strides.h"
#include "passes/aot/stages.h"

namespace descry::passes {

/// PyTorch's answer to whether two tensors of one storage may share an element. It is exact for some layouts
/// only: windows that interleave count as overlapping unless both are rows of one matrix.
bool mayOverlap(const Meta& a, const Meta& b) {
  if (a.numel() == Int(0) || b.numel() == Int(0)) return false;
  const bool swap = b.offset < a.offset;
  const Meta &x = swap ? b : a, &y = swap ? a : b;
  if (ir::eval::isContiguous(x) && ir::eval::isContiguous(y)) return y.offset < x.offset + x.numel();
  Int last = x.offset;
  for (size_t i = 0; i < x.sizes.size(); ++i) last = last + (x.sizes[i] - Int(1)) * x.strides[i];
  if (last < y.offset) return false;
  const bool rows = x.sizes.size() == 2 && y.sizes.size() == 2 && x.strides[1] == Int(1) &&
                    y.strides[1] == Int(1) && x.strides[0] == y.strides[0];
  if (!rows) return true;
  const Int &row = x.strides[0], apart = y.offset - x.offset;
  if (apart < x.sizes[1]) return true;
  if (!(apart < row * (x.sizes[0] - Int(1)) + x.sizes[1])) return false;
  return row < ir::eval::floorMod(apart, row) + y.sizes[1];
}

namespace {

std::string inputName(const std::vector<CapturedInput>& aliases, size_t i) {
  return "input " + std::to_string(i) + " (" + aliases[i].name + ")";
}

[[noreturn]] void refuse(const AotInput& at, std::string_view code, const std::string& why) {
  throw NodeError(EvalError(std::string(code), why), at.programNode);
}

/// PyTorch makes the metadata anew when inputs were merged, and drops these.
void forgetAfterMerge(ViewAndMutationMeta& meta, const AotInput& at) {
  if (!meta.tokens.empty())
    refuse(at, "merged-with-effects",
           "inputs that are one tensor or share memory are written in a function with ordered effects: "
           "PyTorch loses "
           "the tokens of the effects then");
  meta.gradEnabledMutation.reset();
  meta.subclassInpMeta.clear();
  meta.subclassFwGraphOutMeta.clear();
  // Nothing is merged beside subclasses.
  meta.tangentLayouts.assign(meta.tracedTangents.size(), {});
}

/// The metadata without the inputs that are not kept. `position` gives the new place of each.
void keepOnly(ViewAndMutationMeta& meta, const std::vector<bool>& keep, const std::vector<size_t>& position,
              const AotInput& duplicate) {
  // PyTorch takes the first tangents for those of the written inputs, one by one, although inputs whose
  // writes stay in the graph and those that ask for no gradient have none.
  const std::vector<size_t> runtime = meta.mutatedRuntimeIndices();
  const size_t written = static_cast<size_t>(std::count_if(
      meta.inputInfo.begin(), meta.inputInfo.end(), [](const InputAliasInfo& i) { return i.mutatesData; }));
  std::vector<Meta> tangents;
  std::vector<ir::Descriptor> descs;
  for (size_t i = 0; i < meta.tracedTangents.size(); ++i) {
    if (i < written) {
      if (i >= runtime.size())
        refuse(duplicate, "duplicate-tangents",
               "list index out of range: a tensor is passed twice and written, and PyTorch's AOT autograd "
               "cannot tell "
               "the tangents of the inputs from those of the outputs");
      if (!keep[runtime[i]]) continue;
    }
    tangents.push_back(meta.tracedTangents[i]);
    descs.push_back(meta.tracedTangentsDescs[i]);
  }
  meta.tracedTangents = std::move(tangents);
  meta.tracedTangentsDescs = std::move(descs);
  std::vector<InputAliasInfo> kept;
  for (size_t i = 0; i < keep.size(); ++i)
    if (keep[i]) kept.push_back(meta.inputInfo[i]);
  meta.inputInfo = std::move(kept);
  for (OutputAliasInfo& o : meta.outputInfo)
    if (o.baseIdx && isViewOfInput(o.type))
      o.baseIdx = static_cast<int64_t>(position[static_cast<size_t>(*o.baseIdx)]);
  forgetAfterMerge(meta, duplicate);
}

/// Where an input of the program comes from after merging.
struct Place {
  bool view = false;  ///< of a base
  size_t at = 0;
  Meta meta;
  bool requiresGrad = false;
};

/// The metadata for the inputs that `places` describes. PyTorch works it out from what it knows of the inputs
/// before, and does not look at the function again.
void regroup(ViewAndMutationMeta& meta, const std::vector<Place>& places, const std::vector<AotInput>& before,
             const std::vector<AotInput>& inputs, const std::vector<size_t>& reshaped) {
  std::vector<std::vector<size_t>> members(inputs.size());
  for (size_t i = 0; i < places.size(); ++i) members[places[i].at].push_back(i);
  std::vector<InputAliasInfo> infos;
  for (const std::vector<size_t>& group : members) {
    const auto all = [&](bool InputAliasInfo::*flag) {
      return std::all_of(group.begin(), group.end(), [&](size_t i) { return meta.inputInfo[i].*flag; });
    };
    const auto any = [&](bool InputAliasInfo::*flag) {
      return std::any_of(group.begin(), group.end(), [&](size_t i) { return meta.inputInfo[i].*flag; });
    };
    InputAliasInfo info = meta.inputInfo[group[0]];
    if (any(&InputAliasInfo::isLeaf) != all(&InputAliasInfo::isLeaf)) {
      std::string which;
      for (size_t i : group) which += (which.empty() ? "" : ", ") + std::to_string(i);
      refuse(before[group[0]], "alias-leaf",
             "any_leaf=True != all_leaf=False for outer_indices=[" + which +
                 "]: inputs that share memory and are written have to be all leaves or none");
    }
    if (group.size() > 1) {
      info.mutatesData = true;
      info.mutatesMetadata = info.mutatesStorageMetadata = info.mutationIsShallowCopyData = false;
    }
    info.requiresGrad = any(&InputAliasInfo::requiresGrad);
    info.mutationsHiddenFromAutograd = all(&InputAliasInfo::mutationsHiddenFromAutograd);
    info.mutationsUnderNoGradOrInferenceMode = all(&InputAliasInfo::mutationsUnderNoGradOrInferenceMode);
    info.mutationInductorStorageResize = all(&InputAliasInfo::mutationInductorStorageResize);
    infos.push_back(info);
  }
  for (OutputAliasInfo& o : meta.outputInfo) {
    if (!o.baseIdx || !isViewOfInput(o.type)) continue;
    const Place& p = places[static_cast<size_t>(*o.baseIdx)];
    o.baseIdx = static_cast<int64_t>(p.at);
    if (p.view) o.type = OutputType::AliasOfInput;
  }
  for (size_t i : reshaped) {
    OutputAliasInfo o;
    o.type = OutputType::AliasOfInput;
    o.rawType = "torch._subclasses.functional_tensor.FunctionalTensor";
    o.baseIdx = static_cast<int64_t>(places[i].at);
    for (size_t d = 0; d < before[i].meta->sizes.size(); ++d)
      if (before[i].meta->sizes[d].symbolic()) o.dynamicDims.push_back(static_cast<int64_t>(d));
    o.requiresGrad = o.requiresGradForBackward = before[i].requiresGrad;
    meta.outputInfo.push_back(std::move(o));
  }
  std::vector<Meta> tangents;
  std::vector<ir::Descriptor> descs;
  for (size_t i = 0; i < infos.size(); ++i) {
    if (!infos[i].mutatesData || !infos[i].requiresGrad) continue;
    tangents.push_back(tangentMeta(*inputs[i].meta));
    descs.push_back(*ir::Descriptor::wrap(
        ir::DescKind::TangentInput,
        *ir::Descriptor::wrap(ir::DescKind::InputMutationOutput, inputs[i].descriptor)));
  }
  // The tangents of written inputs are replaced by count.
  for (size_t i = tangents.size(); i < meta.tracedTangents.size(); ++i) {
    tangents.push_back(meta.tracedTangents[i]);
    descs.push_back(meta.tracedTangentsDescs[i]);
  }
  meta.tracedTangents = std::move(tangents);
  meta.tracedTangentsDescs = std::move(descs);
  meta.inputInfo = std::move(infos);
  meta.numMetadataMutationOutputs = reshaped.size();
  forgetAfterMerge(meta, before[members[0].empty() ? 0 : members[0][0]]);
}

}  // namespace

std::vector<InputMerge::Place> mergeDuplicates(FlatFunction& f, std::vector<AotInput>& inputs,
                                               ViewAndMutationMeta& meta,
                                               std::vector<CapturedInput>& aliases) {
  bool any = false, written = false;
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (!inputs[i].sameAs) continue;
    any = true;
    const InputAliasInfo& info = meta.inputInfo[i];
    written = written || info.mutatesData || info.mutatesMetadata;
  }
  if (!any) return {};
  if (!written) {
    // Nothing is written: each occurrence is an input of its own, detached from the first, and the caller's
    // autograd adds their gradients.
    for (size_t i = 0; i < inputs.size(); ++i) {
      if (!inputs[i].sameAs) continue;
      inputs[i].sameAs.reset();
      aliases[i].base.clear();
      aliases[i].source.clear();
    }
    return {};
  }
  std::vector<size_t> position(inputs.size());
  std::vector<bool> keep(inputs.size());
  std::vector<AotInput> kept;
  std::vector<CapturedInput> keptAliases;
  const AotInput* duplicate = nullptr;
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (inputs[i].sameAs) {
      if (!duplicate) duplicate = &inputs[i];
      position[i] = position[*inputs[i].sameAs];
      continue;
    }
    keep[i] = true;
    position[i] = kept.size();
    kept.push_back(inputs[i]);
    keptAliases.push_back(aliases[i]);
  }
  keepOnly(meta, keep, position, *duplicate);
  std::vector<InputMerge::Place> places;
  for (const size_t p : position) places.push_back({p, false});
  f = [inner = std::move(f), position](Tracer& t, const Values& args) {
    Values all;
    for (size_t p : position) all.push_back(args[p]);
    return inner(t, all);
  };
  inputs = std::move(kept);
  aliases = std::move(keptAliases);
  return places;
}

std::vector<InputMerge::Place> mergeOverlapping(FlatFunction& f, std::vector<AotInput>& inputs,
                                                ViewAndMutationMeta& meta,
                                                std::vector<CapturedInput>& aliases, bool training) {
  if (std::none_of(meta.inputInfo.begin(), meta.inputInfo.end(),
                   [](const InputAliasInfo& i) { return i.mutatesData; }))
    return {};
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
        if (i != k && mayOverlap(*inputs[i].meta, *inputs[k].meta)) {
          ++touching;
          break;
        }
    if (touching < 2) continue;
    merged.push_back(g);
    gone.insert(g.begin(), g.end());
  }
  if (merged.empty()) return {};
  std::sort(merged.begin(), merged.end(), [](const auto& a, const auto& b) { return a[0] < b[0]; });

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
        refuse(inputs[a], "alias-not-differentiable",
               "aot_autograd() does not yet handle non-differentiable view input mutations. " +
                   inputName(aliases, a) + " and " + inputName(aliases, b) +
                   " share storage but are not differentiable views of each other.");
      const auto otherType = [&](size_t i) {
        return aliases[i].baseMeta && !baseOf(i).empty() &&
               aliases[i].baseMeta->dtype != inputs[i].meta->dtype;
      };
      if (inputs[a].meta->dtype != inputs[b].meta->dtype || otherType(a) || otherType(b))
        refuse(inputs[a], "alias-dtype",
               "aot_autograd() does not yet handle input mutations on views with different dtypes: " +
                   inputName(aliases, a) + " and " + inputName(aliases, b));
    }
    AotInput base;
    base.storage = inputs[g[0]].storage;
    CapturedInput alias;
    const auto withBase = std::find_if(g.begin(), g.end(), [&](size_t i) { return !baseOf(i).empty(); });
    base.isLeaf = inputs[g[0]].isLeaf;
    base.programNode = inputs[g[0]].programNode;
    if (withBase == g.end()) {
      base.descriptor = *ir::Descriptor::wrap(ir::DescKind::SyntheticBaseInput, inputs[g[0]].descriptor);
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
      for (size_t i : g) {
        if (!baseOf(i).empty() && baseOf(i) != key)
          refuse(inputs[i], "alias-not-differentiable",
                 "aot_autograd() does not yet handle non-differentiable view input mutations. Aliased inputs "
                 "share "
                 "storage but have different autograd ._base tensors: " +
                     inputName(aliases, *withBase) + " and " + inputName(aliases, i));
        if (baseOf(i).empty() && aliases[i].source != key)
          refuse(inputs[i], "alias-not-differentiable",
                 "aot_autograd() does not yet handle non-differentiable view input mutations. Aliased inputs "
                 "share "
                 "storage but have mixed autograd ._base states: " +
                     inputName(aliases, i) + " has none and is not that of " + inputName(aliases, *withBase));
      }
      base.meta = itself != g.end() ? inputs[*itself].meta : aliases[*withBase].baseMeta;
      base.isLeaf = itself != g.end() ? inputs[*itself].isLeaf : aliases[*withBase].baseIsLeaf;
      base.requiresGrad =
          itself != g.end() ? inputs[*itself].requiresGrad : aliases[*withBase].baseRequiresGrad;
      if (!base.meta)
        refuse(inputs[*withBase], "missing-type",
               "the log does not describe the base of " + aliases[*withBase].name +
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
  regroup(meta, places, inputs, out, reshaped);
  std::vector<InputMerge::Place> moved;
  for (const Place& p : places) moved.push_back({p.at, p.view});
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
  return moved;
}

}  // namespace descry::passes
