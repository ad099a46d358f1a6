// Writes exports for check_exports.py to read back: the fixtures, and the FX texts named as further
// arguments.
#include <cstdio>
#include <fstream>
#include <sstream>

#include "exporters/common/escape.h"
#include "exporters/html/html.h"
#include "importers/fx_text/fx_text.h"
#include "tests/exporters/fixtures.h"

using namespace descry;

static void write(const std::string& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

static void exportAll(const std::string& stem, const ir::Module& module, const std::string& title) {
  const ir::Scene scene = tests::gridScene(module.root());
  for (const exporters::ExporterDef& def : exporters::allExporters())
    if (def.available)
      write(stem + "." + def.name, tests::exported(def.name, module, &scene, ir::Theme::Light, title));
}

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: export_samples FOLDER [FX-TEXT...]\n");
    return 2;
  }
  const std::string folder = argv[1];
  exportAll(folder + "/small", *tests::smallJoint(), "small");
  exportAll(folder + "/kinds", *tests::everyValueKind(), "kinds");
  exportAll(folder + "/hostile", *tests::hostileNames(), tests::hostileTexts()[0]);
  for (int i = 2; i < argc; ++i) {
    std::ifstream file(argv[i], std::ios::binary);
    std::stringstream text;
    text << file.rdbuf();
    ir::DiagnosticSink sink;
    exportAll(folder + "/file" + std::to_string(i - 1), *importers::parseFxText(text.str(), {}, sink),
              argv[i]);
  }
  const ir::Scene shapes = tests::everyShape();
  write(folder + "/shapes.picture.svg", tests::exported("svg", *tests::smallJoint(), &shapes));
  // The hostile texts as bytes, in hexadecimal, one a line.
  std::string hex;
  for (const std::string& text : tests::hostileTexts()) {
    for (unsigned char c : text) {
      hex += "0123456789abcdef"[c >> 4];
      hex += "0123456789abcdef"[c & 15];
    }
    hex += '\n';
  }
  write(folder + "/hostile.hex", hex);
  write(folder + "/script.js", std::string(exporters::htmlScript()));
  write(folder + "/script.hash", std::string(exporters::htmlScriptHash()));
  return 0;
}
