// How fast a trace log is indexed. Prints MB/s, the ratio to counting lines with memchr, and memory; exit 1
// if a goal is missed.
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>

#include "importers/common/byte_source.h"
#include "importers/common/importer.h"
#include "importers/common/md5.h"

namespace {

using namespace descry::importers;
using Clock = std::chrono::steady_clock;

constexpr double kLeastMbPerSecond = 200;

double seconds(Clock::time_point from) {
  return std::chrono::duration<double>(Clock::now() - from).count();
}

/// Memory of the process itself, the mapped file left out; 0 where the system does not tell.
double ownMiB() {
  std::ifstream in("/proc/self/status");
  for (std::string word; in >> word;)
    if (double kib = 0; word == "RssAnon:" && in >> kib) return kib / 1024;
  return 0;
}

void record(std::string& out, const std::string& json, const std::string& payload) {
  out += "V0822 14:00:48.902000 2354971 torch/_dynamo/convert_frame.py:247] {" + json;
  if (payload.empty()) {
    out += "}\n";
    return;
  }
  out += ", \"has_payload\": \"" + md5Hex(payload) + "\"}\n\t";
  for (const char c : payload) {
    out += c;
    if (c == '\n') out += '\t';
  }
  out += '\n';
}

/// One compile with the records that real logs hold most of.
std::string compile(int frame) {
  std::string out;
  const std::string id =
      ", \"rank\": 0, \"frame_id\": " + std::to_string(frame) + ", \"frame_compile_id\": 0, \"attempt\": 0";
  const std::string stack =
      "{\"stack\": [{\"line\": 177, \"name\": \"<module>\", \"filename\": 1, \"loc\": \"main()\"}, "
      "{\"line\": 66, "
      "\"name\": \"inner\", \"filename\": 2, \"loc\": \"return fn(*args, **kwargs)\"}]}";
  record(out, "\"dynamo_start\": " + stack + id, "");
  for (int i = 0; i < 20; ++i)
    record(out, "\"chromium_event\": {}" + id,
           "{\n\"name\": \"entire_frame_compile\",\n\"ts\": 1755896448900581.0,\n\"args\": {\n\"fn_name\": "
           "\"_compile.compile_inner\",\n\"compile_id\": \"0/0\"\n},\n\"ph\": \"B\",\n\"cat\": "
           "\"dynamo_timed\",\n\"tid\": "
           "0,\n\"pid\": 0\n}");
  for (int i = 0; i < 8; ++i) {
    const std::string n = std::to_string(i);
    record(out, "\"describe_storage\": {\"id\": " + n + ", \"describer_id\": 0, \"size\": 2097152}" + id, "");
    record(out,
           "\"describe_tensor\": {\"id\": " + n +
               ", \"ndim\": 2, \"dtype\": \"torch.float16\", \"device\": \"device(type='cuda', index=0)\", "
               "\"size\": "
               "[1024, 1024], \"is_leaf\": true, \"stride\": [1024, 1], \"storage\": " +
               n + ", \"describer_id\": 0}" + id,
           "");
    record(
        out,
        "\"describe_source\": {\"describer_id\": 0, \"id\": " + n + ", \"source\": \"L['x" + n + "']\"}" + id,
        "");
  }
  std::string graph =
      "class GraphModule(torch.nn.Module):\n    def forward(self, primals_1: \"f16[1024, 1024][1024, "
      "1]cuda:0\"):\n";
  std::string last = "primals_1";
  for (int i = 0; i < 60; ++i) {
    const std::string name = "mul_" + std::to_string(i);
    graph += "        # File: /home/user/model.py:12 in forward, code: x = x * 2\n        " + name +
             ": \"f16[1024, 1024][1024, 1]cuda:0\" = torch.ops.aten.mul.Tensor(" + last + ", 2);  " + last +
             " = None\n";
    last = name;
  }
  graph += "        return (" + last + ",)\n";
  for (const char* kind :
       {"dynamo_output_graph", "aot_joint_graph", "aot_forward_graph", "aot_backward_graph"})
    record(out, "\"" + std::string(kind) + "\": {}" + id, graph);
  record(out, "\"artifact\": {\"name\": \"fx_graph_cache_miss\", \"encoding\": \"json\"}" + id,
         "{\n\"key\": \"fabc\",\n\"components\": [\n\"" + std::string(12000, 'x') + "\"\n]\n}");
  record(out,
         "\"compilation_metrics\": {\"compile_id\": \"0/0\", \"co_name\": \"f\", \"co_firstlineno\": 1}" + id,
         "");
  return out;
}

size_t countLines(std::string_view text) {
  size_t lines = 0;
  for (size_t at = 0; at < text.size(); ++lines) {
    const void* hit = std::memchr(text.data() + at, '\n', text.size() - at);
    if (!hit) break;
    at = static_cast<size_t>(static_cast<const char*>(hit) - text.data()) + 1;
  }
  return lines;
}

}  // namespace

int main(int argc, char** argv) {
  const size_t wanted = (argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 100) << 20;
  const char* dir = std::getenv("TMPDIR");
  const std::string path =
      std::string(dir ? dir : "/tmp") + "/descry_trace_bench_" + std::to_string(getpid()) + ".log";
  {
    std::ofstream file(path, std::ios::binary);
    size_t size = 0;
    for (int frame = 0; size < wanted; ++frame) {
      const std::string part = compile(frame);
      file << part;
      size += part.size();
    }
  }
  int rc = 1;
  if (const auto source = ByteSource::open(path)) {
    const double mb = double((*source)->bytes().size()) / 1e6;
    countLines((*source)->bytes());  // warms the page cache for both
    Clock::time_point from = Clock::now();
    const size_t lines = countLines((*source)->bytes());
    const double plain = seconds(from);
    const double before = ownMiB();
    from = Clock::now();
    const auto input = openInput(path);
    const double index = seconds(from);
    if (input) {
      const bool fast = mb / index >= kLeastMbPerSecond;
      std::printf("trace_index: %.0f MB, %zu lines, %zu graphs: %.3f s, %.0f MB/s; goal: at least %.0f  %s\n",
                  mb, lines, (*input)->graphs().size(), index, mb / index, kLeastMbPerSecond,
                  fast ? "ok" : "MISSED");
      std::printf("trace_index: ratio to a memchr line count in the same run: %.2f (%.0f MB/s)\n",
                  index / plain, mb / plain);
      const double held = ownMiB() - before;
      from = Clock::now();
      const auto& records = (*input)->records();
      const double listed = seconds(from);
      double payloads = 0;
      for (const RecordEntry& r : records) payloads += double(r.payloadBytes) / 1048576;
      std::printf("trace_index: list of %zu records: %.3f s\n", records.size(), listed);
      // An index that held the payloads would be as large as they are.
      std::printf(
          "trace_index: the index holds %.1f MiB, with the list %.1f MiB; payloads are %.1f MiB; goal: at "
          "most half of them  %s\n",
          held, ownMiB() - before, payloads, held <= payloads / 2 ? "ok" : "MISSED");
      rc = fast && held <= payloads / 2 ? 0 : 1;
    }
  }
  std::remove(path.c_str());
  return rc;
}
