#include "gui/canvas/box_colours.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <unordered_map>

namespace descry::gui {

namespace {

// Classes by name, the most frequent first: they get the first, most distinct colours; what exceeds the
// palette is "other".
BoxColourTable byName(const ir::Scene& scene, const Theme& theme,
                      std::string (*nameOf)(const ir::SceneNode&)) {
  std::unordered_map<std::string, uint32_t> counts;
  for (const ir::SceneNode& n : scene.nodes) ++counts[nameOf(n)];
  std::vector<std::pair<std::string, uint32_t>> order(counts.begin(), counts.end());
  std::sort(order.begin(), order.end(), [](const auto& a, const auto& b) {
    return a.second != b.second ? a.second > b.second : a.first < b.first;
  });
  BoxColourTable table;
  std::unordered_map<std::string, uint8_t> entryOf;
  const size_t most = theme.categories.size();
  for (const auto& [name, count] : order) {
    if (name.empty()) continue;
    if (table.entries.size() == most) break;
    entryOf[name] = uint8_t(table.entries.size());
    table.entries.push_back(
        {theme.categories[table.entries.size()], {}, QString::fromStdString(name), count});
  }
  const uint8_t other = uint8_t(table.entries.size());
  table.entries.push_back({theme.plain, {}, QStringLiteral("other"), 0});
  for (const ir::SceneNode& n : scene.nodes) {
    const auto it = entryOf.find(nameOf(n));
    table.of.push_back(it == entryOf.end() ? other : it->second);
    if (it == entryOf.end()) ++table.entries[other].count;
  }
  return table;
}

// The head of an op name: `convolution_backward` and `convolution` are one family; so are in-place and
// out-of-place forms.
std::string opFamily(const ir::SceneNode& n) {
  if (n.role != ir::NodeRole::Compute && n.role != ir::NodeRole::View && n.role != ir::NodeRole::Mutation &&
      n.role != ir::NodeRole::Random && n.role != ir::NodeRole::Control) {
    return {};
  }
  std::string op = n.op.substr(0, n.op.find('.'));
  if (op.size() > 1 && op.front() == '_') op.erase(0, op.find_first_not_of('_') == std::string::npos ? 0 : 1);
  for (const char* suffix : {"_backward_data", "_backward", "_"}) {
    const std::string_view s(suffix);
    if (op.size() > s.size() && op.compare(op.size() - s.size(), s.size(), s) == 0)
      op.resize(op.size() - s.size());
  }
  return op;
}

std::string dtypeOf(const ir::SceneNode& n) {
  const size_t bracket = n.type.find('[');
  return bracket == std::string::npos ? std::string() : n.type.substr(0, bracket);
}

}  // namespace

QColor mixed(const QColor& a, const QColor& b, double shareOfB) {
  const double s = shareOfB;
  return QColor::fromRgbF(float(a.redF() * (1 - s) + b.redF() * s),
                          float(a.greenF() * (1 - s) + b.greenF() * s),
                          float(a.blueF() * (1 - s) + b.blueF() * s));
}

BoxColours faded(const BoxColours& c, const QColor& canvas, double opacity) {
  const double s = 1 - opacity;
  return {mixed(c.fill, canvas, s), mixed(c.outline, canvas, s), mixed(c.ink, canvas, s),
          mixed(c.mutedInk, canvas, s), mixed(c.solid, canvas, s)};
}

BoxColourTable makeBoxColours(const ir::Scene& scene, const Theme& theme, ColourMode mode) {
  BoxColourTable table;
  if (mode == ColourMode::OpFamily) {
    table = byName(scene, theme, opFamily);
  } else if (mode == ColourMode::Dtype) {
    table = byName(scene, theme, dtypeOf);
  } else {
    const bool phases = mode == ColourMode::Phase;
    std::vector<int> entryOf(64, -1);
    for (const ir::SceneNode& n : scene.nodes) {
      const bool boundary = n.role <= ir::NodeRole::GradOutput || n.role == ir::NodeRole::Constant;
      int key = 0;
      QString name = QStringLiteral("box");
      const BoxColours* colours = &theme.plain;
      if (phases) {
        colours = &theme.box(n.role, n.phase);
        const bool input = colours == &theme.input, output = colours == &theme.output;
        key = input ? 1 : output ? 2 : boundary ? 3 : 4 + int(n.phase);
        name = input                        ? QStringLiteral("input")
               : output                     ? QStringLiteral("output")
               : boundary                   ? QStringLiteral("constant")
               : n.phase == ir::Phase::None ? QStringLiteral("operation")
                                            : phaseName(n.phase);
      } else if (mode == ColourMode::Role) {
        key = 1 + int(n.role);
        name = roleName(n.role);
        colours = &theme.categories[size_t(n.role) % theme.categories.size()];
        if (n.role == ir::NodeRole::Compute) colours = &theme.plain;
      }
      int& entry = entryOf[size_t(key) & 63];
      if (entry < 0) {
        entry = int(table.entries.size());
        table.entries.push_back({*colours, {}, name, 0});
      }
      ++table.entries[size_t(entry)].count;
      table.of.push_back(uint8_t(entry));
    }
  }
  for (auto& e : table.entries) e.dimmed = faded(e.normal, theme.canvas, theme.dimmed);
  return table;
}

QString roleName(ir::NodeRole role) {
  switch (role) {
    case ir::NodeRole::Input:
      return QStringLiteral("input");
    case ir::NodeRole::Parameter:
      return QStringLiteral("parameter");
    case ir::NodeRole::Buffer:
      return QStringLiteral("buffer");
    case ir::NodeRole::Tangent:
      return QStringLiteral("tangent");
    case ir::NodeRole::Output:
      return QStringLiteral("output");
    case ir::NodeRole::GradOutput:
      return QStringLiteral("gradient output");
    case ir::NodeRole::Compute:
      return QStringLiteral("operation");
    case ir::NodeRole::View:
      return QStringLiteral("view");
    case ir::NodeRole::Mutation:
      return QStringLiteral("mutation");
    case ir::NodeRole::Constant:
      return QStringLiteral("constant");
    case ir::NodeRole::Control:
      return QStringLiteral("control flow");
    case ir::NodeRole::Random:
      return QStringLiteral("random");
  }
  return {};
}

QString phaseName(ir::Phase phase) {
  switch (phase) {
    case ir::Phase::None:
      return {};
    case ir::Phase::Forward:
      return QStringLiteral("forward");
    case ir::Phase::Backward:
      return QStringLiteral("backward");
    case ir::Phase::Either:
      return QStringLiteral("either side");
  }
  return {};
}

QString edgeKindName(ir::EdgeKind kind) {
  switch (kind) {
    case ir::EdgeKind::Data:
      return QStringLiteral("data");
    case ir::EdgeKind::Saved:
      return QStringLiteral("saved for backward");
    case ir::EdgeKind::Alias:
      return QStringLiteral("alias");
    case ir::EdgeKind::Mutation:
      return QStringLiteral("mutation order");
    case ir::EdgeKind::Control:
      return QStringLiteral("control");
    case ir::EdgeKind::SymbolicSize:
      return QStringLiteral("symbolic size");
  }
  return {};
}

}  // namespace descry::gui
