#include "ir/annotations/colours.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <unordered_map>

#include "ir/annotations/palette.h"

namespace descry::ir {

namespace {

constexpr std::array<std::string_view, kColourModeCount> kModeNames = {
    "phase", "cut", "role", "op", "dtype", "plain", "time", "numeric", "error"};

/// Classes by name, the most frequent first: they get the first, most distinct colours.
ColourClasses byName(const Scene& scene, size_t most, std::string (*nameOf)(const SceneNode&)) {
  std::unordered_map<std::string, uint32_t> counts;
  for (const SceneNode& n : scene.nodes) ++counts[nameOf(n)];
  std::vector<std::pair<std::string, uint32_t>> order(counts.begin(), counts.end());
  std::sort(order.begin(), order.end(), [](const auto& a, const auto& b) {
    return a.second != b.second ? a.second > b.second : a.first < b.first;
  });
  ColourClasses out;
  std::unordered_map<std::string, uint8_t> classOf;
  for (const auto& [name, count] : order) {
    if (name.empty()) continue;
    if (out.classes.size() == most) break;
    const auto at = static_cast<uint8_t>(out.classes.size());
    classOf[name] = at;
    out.classes.push_back({ColourKind::Category, at, name, count});
  }
  const auto other = static_cast<uint8_t>(out.classes.size());
  out.classes.push_back({ColourKind::Plain, 0, "other", 0});
  for (const SceneNode& n : scene.nodes) {
    const auto it = classOf.find(nameOf(n));
    out.of.push_back(it == classOf.end() ? other : it->second);
    if (it == classOf.end()) ++out.classes[other].count;
  }
  return out;
}

/// The head of an op name: `convolution_backward` and `convolution` are one family; so are in-place and
/// out-of-place forms.
std::string opFamily(const SceneNode& n) {
  if (n.role != NodeRole::Compute && n.role != NodeRole::View && n.role != NodeRole::Mutation &&
      n.role != NodeRole::Random && n.role != NodeRole::Control)
    return {};
  std::string op = n.op.substr(0, n.op.find('.'));
  if (op.size() > 1 && op.front() == '_') op.erase(0, op.find_first_not_of('_') == std::string::npos ? 0 : 1);
  for (const std::string_view s : {"_backward_data", "_backward", "_"})
    if (op.size() > s.size() && op.compare(op.size() - s.size(), s.size(), s) == 0)
      op.resize(op.size() - s.size());
  return op;
}

std::string dtypeName(const SceneNode& n) {
  const size_t bracket = n.type.find('[');
  return bracket == std::string::npos ? std::string() : n.type.substr(0, bracket);
}

ColourClass byPhase(const SceneNode& n) {
  if (isInputRole(n.role)) return {ColourKind::Input, 0, "input"};
  if (isOutputRole(n.role)) return {ColourKind::Output, 0, "output"};
  if (n.role == NodeRole::Constant) return {ColourKind::Constant, 0, "constant"};
  switch (n.phase) {
    case Phase::Forward:
      return {ColourKind::Forward, 0, std::string(phaseText(n.phase))};
    case Phase::Backward:
      return {ColourKind::Backward, 0, std::string(phaseText(n.phase))};
    case Phase::Either:
      return {ColourKind::Either, 0, std::string(phaseText(n.phase))};
    case Phase::None:
      break;
  }
  return {ColourKind::Plain, 0, "operation"};
}

ColourClass byFate(const SceneNode& n, const NodeCut& cut) {
  if (cut.fate == CutFate::Saved)
    return isInputRole(n.role) ? ColourClass{ColourKind::SavedInput, 0, "saved input"}
                               : ColourClass{ColourKind::Saved, 0, "saved"};
  if (cut.fate == CutFate::Recomputed) return {ColourKind::Recomputed, 0, "recomputed"};
  ColourClass out = byPhase(n);
  if ((out.kind == ColourKind::Plain || out.kind == ColourKind::Either) && cut.fate == CutFate::ForwardOnly)
    return {ColourKind::Forward, 0, "forward"};
  return out;
}

/// Boxes that nothing is known of are the first class.
ColourClasses byHeat(const Scene& scene, const Heat& heat) {
  ColourClasses out;
  out.classes.push_back({ColourKind::Plain, 0, "no value"});
  std::array<uint8_t, kHeatSteps> classOf{};
  for (const SceneNode& n : scene.nodes) {
    const float at = n.outputSlot < 0 ? heat.placeOf(n.node) : -1;
    uint8_t which = 0;
    if (at >= 0) {
      const int step = heatStep(at);
      uint8_t& known = classOf[static_cast<size_t>(step)];
      if (!known) {
        known = static_cast<uint8_t>(out.classes.size());
        ColourClass c{ColourKind::Heat, static_cast<uint8_t>(step), "step " + std::to_string(step)};
        c.scale = heat.scale;
        out.classes.push_back(std::move(c));
      }
      which = known;
    }
    ++out.classes[which].count;
    out.of.push_back(which);
  }
  out.note = heat.note;
  return out;
}

ColourClass byRole(const SceneNode& n, size_t categories) {
  const auto name = std::string(roleText(n.role));
  if (n.role == NodeRole::Compute) return {ColourKind::Plain, 0, name};
  return {ColourKind::Category, static_cast<uint8_t>(static_cast<size_t>(n.role) % categories), name};
}

/// What the cut is about comes first in the legend.
void sortByKind(ColourClasses& c) {
  constexpr std::array<int, 12> kRank = {9, 3, 4, 5, 6, 7, 8, 0, 1, 2, 10, 11};  // by ColourKind
  std::vector<uint8_t> order(c.classes.size()), to(c.classes.size());
  for (size_t i = 0; i < order.size(); ++i) order[i] = static_cast<uint8_t>(i);
  std::stable_sort(order.begin(), order.end(), [&](uint8_t a, uint8_t b) {
    return kRank[static_cast<size_t>(c.classes[a].kind)] < kRank[static_cast<size_t>(c.classes[b].kind)];
  });
  std::vector<ColourClass> sorted;
  for (size_t i = 0; i < order.size(); ++i) {
    to[order[i]] = static_cast<uint8_t>(i);
    sorted.push_back(std::move(c.classes[order[i]]));
  }
  c.classes = std::move(sorted);
  for (uint8_t& of : c.of) of = to[of];
}

}  // namespace

std::string_view colourModeName(ColourMode mode) {
  return kModeNames[static_cast<size_t>(mode)];
}

std::optional<ColourMode> colourModeFromName(std::string_view name) {
  for (size_t i = 0; i < kModeNames.size(); ++i)
    if (kModeNames[i] == name) return static_cast<ColourMode>(i);
  return std::nullopt;
}

ColourClasses classifyBoxes(const Scene& scene, ColourMode mode, size_t categories, const Heat* heat) {
  if (isHeatMode(mode) && heat) return byHeat(scene, *heat);
  if (mode == ColourMode::OpFamily) return byName(scene, categories, opFamily);
  if (mode == ColourMode::Dtype) return byName(scene, categories, dtypeName);
  ColourClasses out;
  const bool cut = mode == ColourMode::Cut && scene.cuts.size() == scene.nodes.size();
  if (mode == ColourMode::Cut && !cut) out.note = "no partition of this graph is known";
  if (mode == ColourMode::Error) out.note = "two runs of this graph are needed";
  if (mode == ColourMode::Time || mode == ColourMode::Numeric) out.note = "this graph was not run";
  const bool plain = mode == ColourMode::Plain || isHeatMode(mode);
  // By kind and category or name: few enough for a search.
  const auto take = [&](ColourClass made) {
    size_t at = 0;
    while (at < out.classes.size() &&
           (out.classes[at].kind != made.kind || out.classes[at].name != made.name))
      ++at;
    if (at == out.classes.size()) out.classes.push_back(std::move(made));
    out.of.push_back(static_cast<uint8_t>(at));
    return at;
  };
  for (size_t i = 0; i < scene.nodes.size(); ++i) {
    const SceneNode& n = scene.nodes[i];
    const size_t at = take(plain                      ? ColourClass{ColourKind::Plain, 0, "box"}
                           : mode == ColourMode::Role ? byRole(n, categories)
                           : cut                      ? byFate(n, scene.cuts[i])
                                                      : byPhase(n));
    // The box of an output shows a value whose own box was counted.
    ColourClass& c = out.classes[at];
    const bool fate =
        c.kind == ColourKind::Saved || c.kind == ColourKind::SavedInput || c.kind == ColourKind::Recomputed;
    if (fate && n.outputSlot >= 0) continue;
    ++c.count;
    if (fate) c.bytes = std::max<int64_t>(c.bytes, 0) + scene.cuts[i].bytes;
  }
  if (cut) sortByKind(out);
  return out;
}

std::string bytesWords(int64_t bytes) {
  constexpr const char* kUnits[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
  auto v = static_cast<double>(bytes);
  int unit = 0;
  while (v >= 1024 && unit < 5) {
    v /= 1024;
    ++unit;
  }
  char buffer[48];
  std::snprintf(buffer, sizeof buffer, unit == 0 || v >= 100 ? "%.0f %s" : "%.1f %s", v, kUnits[unit]);
  return buffer;
}

Rgb classFill(const Palette& p, const ColourClass& c) {
  switch (c.kind) {
    case ColourKind::Plain:
    case ColourKind::Constant:
      return p.plain;
    case ColourKind::Forward:
      return p.forward;
    case ColourKind::Backward:
      return p.backward;
    case ColourKind::Either:
      return p.either;
    case ColourKind::Input:
      return p.input;
    case ColourKind::Output:
      return p.output;
    case ColourKind::Saved:
      return p.savedFill;
    case ColourKind::SavedInput:
      return p.savedInputFill;
    case ColourKind::Recomputed:
      return p.recomputedFill;
    case ColourKind::Heat:
      return heatColour(c.scale, c.category);
    case ColourKind::Category:
      break;
  }
  return p.categories[c.category % p.categories.size()];
}

Rgb classLine(const Palette& p, const ColourClass& c) {
  switch (c.kind) {
    case ColourKind::Plain:
    case ColourKind::Constant:
      return p.plainLine;
    case ColourKind::Forward:
      return p.forwardLine;
    case ColourKind::Backward:
      return p.backwardLine;
    case ColourKind::Either:
      return p.eitherLine;
    case ColourKind::Input:
      return p.inputLine;
    case ColourKind::Output:
      return p.outputLine;
    case ColourKind::Saved:
    case ColourKind::SavedInput:
      return p.savedLine;
    case ColourKind::Recomputed:
      return p.recomputedLine;
    case ColourKind::Category:
    case ColourKind::Heat:
      break;
  }
  return p.ink;
}

std::string classText(const ColourClass& c) {
  if (c.bytes < 0) return c.name;
  return c.name + ": " + std::to_string(c.count) + (c.count == 1 ? " value, " : " values, ") +
         bytesWords(c.bytes);
}

std::string_view roleText(NodeRole role) {
  constexpr std::array<std::string_view, 12> kNames = {
      "input",     "parameter", "buffer",   "tangent",  "output",       "gradient output",
      "operation", "view",      "mutation", "constant", "control flow", "random"};
  return kNames[static_cast<size_t>(role)];
}

std::string_view cutFateText(CutFate fate) {
  constexpr std::array<std::string_view, 4> kNames = {"", "not saved", "saved", "recomputed"};
  return kNames[static_cast<size_t>(fate)];
}

std::string_view phaseText(Phase phase) {
  constexpr std::array<std::string_view, 4> kNames = {"", "forward", "backward", "either side"};
  return kNames[static_cast<size_t>(phase)];
}

}  // namespace descry::ir
