// Parses a graph text without a session, walks its nodes in program order, and counts ops and readers.
//
//   walk_nodes FILE
#include <cstdio>
#include <fstream>
#include <iterator>
#include <map>
#include <string>

#include "importers/fx_text/fx_text.h"
#include "ir/core/graph.h"

int main(int argc, char** argv) {
  using namespace descry;
  if (argc != 2) return 2;
  std::ifstream file(argv[1], std::ios::binary);
  const std::string text((std::istreambuf_iterator<char>(file)), {});
  ir::DiagnosticSink sink;
  const auto module = importers::parseFxText(text, {}, sink);
  for (const ir::Diagnostic& d : sink.all()) std::fprintf(stderr, "%s\n", d.text().c_str());

  const ir::Graph& graph = module->root();
  std::map<std::string, int> calls;
  for (const ir::NodeId id : graph.nodes()) {
    if (graph.node(id).op != ir::OpKind::CallFunction) continue;
    ++calls[std::string(graph.target(id))];
    std::printf("%-8s", std::string(graph.nodeName(id)).c_str());
    for (const ir::NodeId user : graph.users(id))
      std::printf(" %s", std::string(graph.nodeName(user)).c_str());
    std::printf("\n");
  }
  for (const auto& [target, count] : calls) std::printf("%d %s\n", count, target.c_str());
  return sink.errors() ? 4 : 0;
}
