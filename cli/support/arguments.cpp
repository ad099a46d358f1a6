#include <algorithm>
#include <cctype>

#include "cli/support/command.h"

namespace descry::cli {

bool Arguments::has(std::string_view option) const {
  return std::any_of(options_.begin(), options_.end(), [&](const auto& o) { return o.first == option; });
}

std::string Arguments::value(std::string_view option, std::string_view otherwise) const {
  std::string out(otherwise);
  for (const auto& [name, value] : options_)
    if (name == option) out = value;
  return out;
}

std::vector<std::string> Arguments::values(std::string_view option) const {
  std::vector<std::string> out;
  for (const auto& [name, value] : options_)
    if (name == option) out.push_back(value);
  return out;
}

const std::vector<OptionDef>& commonOptions() {
  static const std::vector<OptionDef> kOptions = {
      {"--quiet", 'q', "", "of the messages on standard error, print errors only; results stay"},
      {"--timeout", 0, "SECONDS", "give up after that long (exit code 6)"},
      {"--help", 'h', "", "print this help"},
  };
  return kOptions;
}

namespace {

size_t editDistance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t next = std::min({row[j] + 1, row[j - 1] + 1, diagonal + (a[i - 1] != b[j - 1])});
      diagonal = row[j];
      row[j] = next;
    }
  }
  return row[b.size()];
}

const OptionDef* findOption(const CommandDef& command, std::string_view name, char letter) {
  for (const std::vector<OptionDef>* list : {&command.options, &commonOptions()})
    for (const OptionDef& o : *list)
      if (letter ? o.letter == letter : name == o.name) return &o;
  return nullptr;
}

}  // namespace

std::string didYouMean(std::string_view word, const std::vector<std::string>& candidates) {
  std::string best;
  size_t distance = word.size() > 40 ? 0 : word.size() / 3 + 2;
  for (const std::string& c : candidates) {
    const size_t d = c.compare(0, word.size(), word) == 0 && word.size() > 2 ? 1 : editDistance(word, c);
    if (d < distance) {
      distance = d;
      best = c;
    }
  }
  return best;
}

std::string parseArguments(const CommandDef& command, const std::vector<std::string>& words, Arguments& out) {
  bool onlyWords = false;
  for (size_t i = 0; i < words.size(); ++i) {
    const std::string& w = words[i];
    if (onlyWords || w.size() < 2 || w[0] != '-' || isdigit(static_cast<unsigned char>(w[1]))) {
      out.words_.push_back(w);
      continue;
    }
    if (w == "--") {
      onlyWords = true;
      continue;
    }
    const bool isLong = w[1] == '-';
    const size_t equals = isLong ? w.find('=') : std::string::npos;
    const std::string name = isLong ? w.substr(0, equals) : w.substr(0, 2);
    const OptionDef* o = findOption(command, name, isLong ? 0 : w[1]);
    if (!o && w.compare(0, 3, "-::") == 0) {
      out.words_.push_back(w);  // a graph of standard input
      continue;
    }
    if (!o) {
      std::vector<std::string> names;
      for (const std::vector<OptionDef>* list : {&command.options, &commonOptions()})
        for (const OptionDef& c : *list) names.emplace_back(c.name);
      const std::string near = didYouMean(name, names);
      return "`descry " + std::string(command.name) + "` has no option " + name +
             (near.empty() ? "" : "; did you mean " + near + "?");
    }
    std::string value;
    if (!*o->value) {
      if (equals != std::string::npos) return std::string(o->name) + " takes no value";
      if (!isLong && w.size() > 2) return "options of one letter stand alone: " + w;
    } else if (equals != std::string::npos) {
      value = w.substr(equals + 1);
    } else if (!isLong && w.size() > 2) {
      value = w.substr(2);
    } else if (i + 1 < words.size()) {
      value = words[++i];
    } else {
      return std::string(o->name) + " needs a value: " + o->value;
    }
    if (*o->value && value.empty()) return std::string(o->name) + " needs a value: " + o->value;
    if (!o->choices.empty() && std::find(o->choices.begin(), o->choices.end(), value) == o->choices.end()) {
      if (std::find(o->elsewhere.begin(), o->elsewhere.end(), value) != o->elsewhere.end())
        return std::string(o->name) + " " + value + ": " + o->elsewhereHint;
      std::string known;
      for (const std::string& c : o->choices) known += (known.empty() ? "" : ", ") + c;
      const std::string near = didYouMean(value, o->choices);
      return std::string(o->name) + " knows " + known + ", not '" + value + "'" +
             (near.empty() ? "" : "; did you mean " + near + "?");
    }
    out.options_.emplace_back(o->name, std::move(value));
  }
  if (out.has("--help")) return {};
  if (out.words_.size() < command.minWords)
    return "`descry " + std::string(command.name) + "` needs " + command.synopsis;
  if (out.words_.size() > command.maxWords)
    return "`descry " + std::string(command.name) + "` takes " + command.synopsis + ", and '" +
           out.words_[command.maxWords] + "' is one more" +
           (command.maxWords > 1 ? "; quote what holds blanks" : "");
  return {};
}

}  // namespace descry::cli
