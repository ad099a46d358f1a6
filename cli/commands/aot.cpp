#include <filesystem>

#include "cli/commands/commands.h"
#include "cli/support/console.h"
#include "cli/support/loading.h"
#include "ir/text/printer.h"
#include "session/aot_run.h"
#include "session/atomic_file.h"

namespace descry::cli {

namespace {

int run(const Arguments& args, Console& console) {
  const Opened in = openGraph(args.words()[0], console);
  if (!in.ok()) return in.code;
  session::AotRequest request;
  request.minCut = args.value("--partition", "min-cut") == "min-cut";
  const std::string decompositions = args.value("--decompositions", "none");
  request.decompositions = decompositions == "inductor" ? passes::Decompositions::Inductor
                           : decompositions == "core"   ? passes::Decompositions::Core
                                                        : passes::Decompositions::None;
  if (const std::string keep = args.value("--keep-input-mutations", "auto"); keep != "auto")
    request.keepInputMutations = keep == "on";
  const ir::Result<passes::AotResult> result = session::runAot(*in.document, *in.graph, request);
  if (!result) {
    console.report(result.error());
    return kDiffers;
  }
  std::vector<std::pair<std::string, std::string>> files;
  if (result->joint) files.emplace_back("joint", ir::printModule(*result->joint));
  if (result->joint) {
    const ir::Result<passes::Partition> cut =
        session::cutJoint(*result, session::capturedFacts(*in.document, *in.graph), request.minCut);
    if (!cut) {
      console.report(cut.error());
      return kDiffers;
    }
    files.emplace_back("forward", ir::printModule(cut->forward));
    files.emplace_back("backward", ir::printModule(cut->backward));
  }
  if (result->inference) files.emplace_back("inference", ir::printModule(*result->inference));
  files.emplace_back("meta", session::aotMetaJson(*result));
  const std::string emit = args.value("--emit", "all"), folder = args.value("--output");
  if (!folder.empty()) {
    std::error_code error;
    std::filesystem::create_directories(folder, error);
  }
  bool any = false;
  for (const auto& [name, text] : files) {
    if (emit != "all" && emit != name) continue;
    any = true;
    if (folder.empty()) {
      console.printExact(text);
      continue;
    }
    const std::string path = folder + "/" + name + (name == "meta" ? ".json" : ".txt");
    if (const ir::Status s = session::writeFileAtomically(path, text); !s) return console.fail(s.error());
  }
  if (!any)
    return console.usage("this graph has no " + emit + " graph: it is " +
                         (result->joint ? "trained" : "used for inference only"));
  return in.code;
}

}  // namespace

CommandDef aotCommand() {
  return {
      "aot",
      "build joint, forward and backward graphs from a captured graph",
      "FILE[::GRAPH]",
      "Does what PyTorch's AOT autograd does with a captured graph: collects metadata, replaces writes by "
      "new values, traces the "
      "forward and its gradients into a joint graph, and cuts it in two. Which inputs require gradients, "
      "share memory or are views is "
      "taken from the log; what the log does not say is assumed, and said.",
      {{"--partition",
        0,
        "HOW",
        "where to cut: default saves everything, min-cut recomputes what is cheap",
        {"default", "min-cut"}},
       {"--decompositions", 0, "SET", "which ops are taken apart", {"none", "core", "inductor"}},
       {"--keep-input-mutations", 0, "WHEN", "writes to inputs stay in the graph", {"auto", "on", "off"}},
       {"--emit", 0, "WHAT", "which result", {"joint", "forward", "backward", "inference", "meta", "all"}},
       {"--output", 'o', "DIR",
        "write joint.txt, forward.txt, backward.txt or inference.txt and meta.json there"}},
      {{"descry aot trace.log::0/0:dynamo --emit joint", "print the joint graph"}},
      1,
      1,
      run};
}

}  // namespace descry::cli
