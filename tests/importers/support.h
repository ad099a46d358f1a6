// Files in a folder that goes away with the test, and trace records as PyTorch writes them.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "importers/common/importer.h"
#include "importers/common/md5.h"

namespace descry::importers::test {

class Folder {
 public:
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "descry_XXXXXX").string();
    path_ = mkdtemp(name.data());
  }
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  std::string write(const std::string& name, const std::string& content) const {
    const std::filesystem::path file = std::filesystem::path(path_) / name;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary) << content;
    return file.string();
  }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

inline const std::string kHeader = "V0822 14:00:48.902000 2354971 torch/_dynamo/convert_frame.py:247] ";
inline const std::string kId = R"("frame_id": 0, "frame_compile_id": 0, "attempt": 0)";

/// A record; `fields` is the JSON without braces. An empty payload means none.
inline std::string record(const std::string& fields, const std::string& payload = "",
                          const std::string& lineEnd = "\n") {
  std::string out = kHeader + "{" + fields;
  if (payload.empty()) return out + "}" + lineEnd;
  out += ", \"has_payload\": \"" + md5Hex(payload) + "\"}" + lineEnd + "\t";
  for (const char c : payload) {
    if (c == '\n')
      out += lineEnd + "\t";
    else
      out += c;
  }
  return out + lineEnd;
}

inline const std::string kGraph =
    "class GraphModule(torch.nn.Module):\n"
    "    def forward(self, primals_1: \"f32[2][1]cpu\"):\n"
    "        # File: m.py:3 in f, code: return x.sin()\n"
    "        sin: \"f32[2][1]cpu\" = torch.ops.aten.sin.default(primals_1);  primals_1 = None\n"
    "        return (sin,)\n"
    "        ";

inline std::unique_ptr<Input> openText(const Folder& folder, const std::string& content,
                                       const std::string& name = "x.log") {
  auto input = openInput(folder.write(name, content));
  EXPECT_TRUE(input.ok()) << (input.ok() ? "" : input.error().text());
  return input.ok() ? std::move(*input) : nullptr;
}

inline std::shared_ptr<ir::Module> loadClean(const Input& input, size_t graph) {
  ir::DiagnosticSink sink;
  auto module = input.load(graph, sink);
  EXPECT_TRUE(module.ok());
  for (const ir::Diagnostic& d : sink.all()) EXPECT_EQ(d.severity, ir::Severity::Note) << d.text();
  return module.ok() ? *module : nullptr;
}

inline std::vector<std::string> graphIds(const Input& input) {
  std::vector<std::string> out;
  for (const GraphEntry& g : input.graphs()) out.push_back(g.id);
  return out;
}

inline bool hasCode(const ir::DiagnosticSink& sink, const std::string& code) {
  for (const ir::Diagnostic& d : sink.all())
    if (d.code == code) return true;
  return false;
}

inline const FactTable* tableOf(const Input& input, const std::string& name) {
  for (const FactTable& t : input.tables())
    if (t.name == name) return &t;
  return nullptr;
}

}  // namespace descry::importers::test
