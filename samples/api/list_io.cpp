// Opens any file that Descry reads and lists what each input and output is, with its gradient or tangent.
//
//   list_io FILE [GRAPH]
#include <cstdio>

#include "session/session.h"
#include "session/views.h"

int main(int argc, char** argv) {
  using namespace descry;
  if (argc < 2) return 2;
  const auto document = session::Document::open(argv[1]);
  if (!document) {
    std::fprintf(stderr, "%s\n", document.error().text().c_str());
    return 3;
  }
  const auto graph = (*document)->graph(argc > 2 ? argv[2] : "");
  if (!graph) {
    std::fprintf(stderr, "%s\n", graph.error().text().c_str());
    return 3;
  }
  for (const session::IoRow& row : session::ioRows(**graph)) {
    const char* partner = row.gradOrTangent.empty() ? "None" : row.gradOrTangent.c_str();
    std::printf("%s %s -> (%s, %s)\n", row.input ? "in " : "out", row.descriptor.c_str(), row.name.c_str(),
                partner);
  }
  return 0;
}
