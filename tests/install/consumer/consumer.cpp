// A stranger's program: reads a graph text with the installed libraries and prints the descriptors of its
// inputs.
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>

#include <descry/importers/fx_text/fx_text.h>
#include <ir/core/graph.h>

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  std::ifstream file(argv[1], std::ios::binary);
  const std::string text((std::istreambuf_iterator<char>(file)), {});
  descry::ir::DiagnosticSink sink;
  const auto module = descry::importers::parseFxText(text, {}, sink);
  const descry::ir::Graph& graph = module->root();
  for (const descry::ir::NodeId id : graph.placeholders()) {
    const descry::ir::Descriptor* descriptor = graph.descriptor(id);
    std::printf("%s -> %s %s\n", std::string(graph.nodeName(id)).c_str(),
                descriptor ? descriptor->repr().c_str() : "(none)", graph.type(id).text.c_str());
  }
  std::printf("%u nodes\n", graph.size());
  return 0;
}
