#include "runtime/library/library.h"

#include <atomic>
#include <cstdlib>
#include <mutex>

#include "runtime/library/onednn.h"
#include "runtime/library/openblas.h"

namespace descry::runtime::library {

namespace {

enum class Choice { Auto, None, OneDnn, OpenBlas };

bool choiceOf(std::string_view word, Choice& out) {
  if (word.empty() || word == "auto")
    out = Choice::Auto;
  else if (word == "none")
    out = Choice::None;
  else if (word == "onednn")
    out = Choice::OneDnn;
  else if (word == "openblas")
    out = Choice::OpenBlas;
  else
    return false;
  return true;
}

struct State {
  std::atomic<Choice> choice{Choice::Auto};
  State() {
    Choice asked = Choice::Auto;
    if (const char* word = std::getenv("DESCRY_LIBRARY"); word && choiceOf(word, asked)) choice = asked;
  }
};
State& state() {
  static State s;
  return s;
}

bool wants(Choice library) {
  const Choice c = state().choice.load(std::memory_order_relaxed);
  return c == Choice::Auto || c == library;
}

}  // namespace

bool wantsOneDnn() {
  return wants(Choice::OneDnn);
}

Products products() {
  Products p;
  if (wants(Choice::OneDnn)) p.single = oneDnnMultiply();
  if (!p.single && wants(Choice::OpenBlas)) return openBlasProducts();
  return p;
}

bool choose(std::string_view which) {
  Choice c = Choice::Auto;
  if (!choiceOf(which, c)) return false;
  state().choice = c;
  return true;
}

std::string inUse() {
  if (wants(Choice::OneDnn) && oneDnnMultiply()) return "oneDNN " + oneDnnVersion();
  if (wants(Choice::OpenBlas) && openBlasProducts().single) return "OpenBLAS";
  return {};
}

}  // namespace descry::runtime::library
