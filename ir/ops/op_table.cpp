// Reads the text of the op table: entries of ops, Python functions and helper functions.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "ir/ops/op_table_data.h"
#include "ir/ops/registry.h"

namespace descry::ir {

namespace {

constexpr std::pair<std::string_view, uint32_t> kTraits[] = {{"random", kOpRandom},
                                                             {"pointwise", kOpPointwise},
                                                             {"reduction", kOpReduction},
                                                             {"communicates", kOpCommunicates},
                                                             {"core", kOpCore},
                                                             {"effect", kOpSideEffect},
                                                             {"ordered", kOpOrdered | kOpSideEffect},
                                                             {"matmul", kOpMatmul},
                                                             {"inplace_view", kOpInplaceView},
                                                             {"dynamic_shape", kOpDynamicShape},
                                                             {"data_dependent", kOpDataDependent},
                                                             {"view_copy", kOpViewCopy},
                                                             {"higher_order", kOpComposite}};

struct Line {
  std::string_view text;
  uint32_t number;
  const char* begin;
};

std::string_view trim(std::string_view s) {
  while (!s.empty() && s.front() == ' ') s.remove_prefix(1);
  while (!s.empty() && (s.back() == ' ' || s.back() == '\n' || s.back() == '\r')) s.remove_suffix(1);
  return s;
}

}  // namespace

void OpRegistry::read(std::string_view text, std::string_view file, std::vector<Diagnostic>* problems) {
  const auto report = [&](uint32_t line, std::string message) {
    if (!problems) return;
    Diagnostic d = failure("table-syntax", std::move(message), std::string(file));
    d.loc.line = line;
    problems->push_back(std::move(d));
  };
  size_t at = 0;
  uint32_t number = 0;
  const auto nextLine = [&](Line& line) {
    if (at >= text.size()) return false;
    const size_t end = std::min(text.find('\n', at), text.size());
    line = {text.substr(at, end - at), ++number, text.data() + at};
    at = end + 1;
    return true;
  };
  Line line;
  bool have = nextLine(line);
  while (have) {
    if (line.text.empty() || line.text[0] == '#') {
      have = nextLine(line);
      continue;
    }
    const Line head = line;
    // The lines of the entry: everything indented below it.
    std::vector<Line> body;
    while ((have = nextLine(line)) && (line.text.empty() || line.text[0] == ' ' || line.text[0] == '#'))
      if (line.text.empty() || line.text[0] == ' ') body.push_back(line);
    while (!body.empty() && trim(body.back().text).empty()) body.pop_back();
    const auto span = [&](size_t from, size_t to) {
      return from >= to
                 ? std::string_view()
                 : std::string_view(
                       body[from].begin,
                       static_cast<size_t>(body[to - 1].begin + body[to - 1].text.size() - body[from].begin));
    };
    if (head.text.starts_with("op ")) {
      OpDef& def = op(trim(head.text.substr(3)));
      if (def.file_.data()) {
        report(head.number, "the op stands in the table twice");
        continue;
      }
      def.file_ = file;
      uint32_t traits = 0;
      for (size_t i = 0; i < body.size(); ++i) {
        const std::string_view l = body[i].text;
        if (trim(l).empty() || trim(l)[0] == '#') continue;
        if (trim(l) == "grad none" || trim(l) == "grad undefined") {
          def.properties_.push_back({"grad", trim(l).substr(5), {}, body[i].number, 1});
          continue;
        }
        const size_t colon = l.find(':');
        if (!l.starts_with("  ") || l[2] == ' ' || colon == std::string_view::npos) {
          report(body[i].number, "expected 'property: value'");
          continue;
        }
        const std::string_view keys = trim(l.substr(0, colon));
        const size_t space = std::min(keys.find(' '), keys.size());
        TableProperty p{keys.substr(0, space), trim(keys.substr(space)), trim(l.substr(colon + 1)),
                        body[i].number, 1};
        p.column = p.text.empty() ? 1 : static_cast<uint32_t>(p.text.data() - body[i].begin) + 1;
        size_t end = i + 1;
        while (end < body.size() && (trim(body[end].text).empty() || body[end].text.starts_with("    ") ||
                                     trim(body[end].text)[0] == '#'))
          ++end;
        if (p.text.empty() || p.text[0] == '#') {
          p.text = span(i + 1, end);
          p.line = body[i].number + 1;
          p.column = 1;
        } else if (end > i + 1 && !trim(span(i + 1, end)).empty() && p.key != "spelled" && p.key != "is") {
          // A value that goes on below: `grad self: f(a,` and the rest.
          p.text = std::string_view(
              p.text.data(),
              static_cast<size_t>(body[end - 1].begin + body[end - 1].text.size() - p.text.data()));
        }
        i = end - 1;
        if (p.key == "is") {
          std::string_view words = p.text;
          while (!words.empty()) {
            const size_t stop = std::min(words.find(' '), words.size());
            const std::string_view word = words.substr(0, stop);
            words.remove_prefix(std::min(stop + 1, words.size()));
            if (word.empty()) continue;
            const auto* found = std::find_if(std::begin(kTraits), std::end(kTraits),
                                             [&](const auto& t) { return t.first == word; });
            if (found == std::end(kTraits))
              report(p.line, "unknown trait '" + std::string(word) + "'");
            else
              traits |= found->second | (base_ && word == "effect" ? uint32_t{kOpOrdered} : 0u);
          }
        } else if (p.key == "spelled") {
          def.spelled(p.text);
        } else {
          if (p.key == "grad" && p.name.empty()) p.name = p.text == "none" ? "none" : "";
          def.properties_.push_back(p);
        }
      }
      def.setTraits(traits);
    } else if (head.text.starts_with("def ") || head.text.starts_with("fn ")) {
      const bool helper = head.text[0] == 'd';
      std::string_view rest = trim(head.text.substr(helper ? 4 : 3));
      bool python = !helper;
      if (helper) {
        const size_t space = std::min(rest.find(' '), rest.size());
        python = rest.substr(0, space) == "python";
        if (!python && rest.substr(0, space) != "native")
          report(head.number, "expected 'def native' or 'def python'");
        rest = trim(rest.substr(space));
      }
      const size_t open = std::min(rest.find('('), rest.size());
      PythonFunction f;
      f.spelling = trim(rest.substr(0, open));
      f.signature = rest.substr(open);
      f.file = file;
      f.line = head.number;
      size_t first = 0;
      while (first < body.size() && trim(body[first].text).empty()) ++first;
      if (first < body.size() && body[first].text.starts_with("  is:")) {
        f.sideEffect = body[first].text.find("effect") != std::string_view::npos;
        ++first;
      }
      if (first < body.size()) {
        // The parser counts lines from the head on.
        f.line = body[first].number - 1;
        f.body = span(first, body.size());
      }
      if (helper) {
        if (!helpers_.emplace(f.spelling, Helper{f, python}).second)
          report(head.number, "the function is defined twice");
      } else {
        this->python(f);
      }
    } else {
      report(head.number, "expected 'op', 'def' or 'fn'");
    }
  }
}

const OpRegistry& allOps() {
  // Never destroyed: other static objects may still look ops up while the process ends.
  static const OpRegistry* const kAll = [] {
    auto* ops = new OpRegistry;
    if (const char* folder = std::getenv("DESCRY_OP_TABLE")) {
      std::error_code error;
      std::vector<std::filesystem::path> files;
      for (const auto& entry : std::filesystem::directory_iterator(folder, error))
        if (entry.path().extension() == ".ops") files.push_back(entry.path());
      std::sort(files.begin(), files.end());
      std::vector<Diagnostic> problems;
      for (const auto& path : files) {
        std::ifstream in(path, std::ios::binary);
        std::ostringstream all;
        all << in.rdbuf();
        ops->read(ops->keep(all.str()), ops->keep(path.filename().string()), &problems);
      }
      // Whoever tries an entry out has to hear what is wrong with it.
      for (const Diagnostic& d : problems) fprintf(stderr, "%s\n", d.text().c_str());
      return ops;
    }
    for (const OpTableFile& f : opTableFiles()) ops->read(f.text, f.name);
    return ops;
  }();
  return *kAll;
}

}  // namespace descry::ir
