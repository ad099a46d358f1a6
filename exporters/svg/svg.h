// Draws a scene as SVG: text stays text, nodes and groups are `g` elements with ids and tooltips.
#pragma once

#include "exporters/common/exporter.h"
#include "exporters/common/facts.h"

namespace descry::exporters {

/// A document of its own. Byte for byte the same for equal input. Cost: linear. Error: `scene-missing`.
ir::Result<std::string> exportSvg(const ExportInput& input, const ExportOptions& options);

struct SvgParts {
  bool document = true;  ///< XML header, size, title line; false: only the <svg> element, for HTML
  bool tooltips = true;  ///< <title> in each node
  bool legend = true;
  bool shortLabels = false;
  ir::Theme theme = ir::Theme::Light;
  ir::ColourMode colours = ir::ColourMode::Phase;
};
/// Node groups get the ids `n<k>` for scene node k when `document` is false, else `node-<id>`,
/// `output-<slot>`. Returns the scene edge of each path in `.edges`, in document order.
std::vector<uint32_t> appendSvg(std::string& out, const Subject& subject, const ir::Scene& scene,
                                const SvgParts& parts);

}  // namespace descry::exporters
