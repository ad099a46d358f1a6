// The arguments of calls that no schema describes.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

#include "passes/autodiff/tensor.h"

namespace descry::passes {

/// The arguments of a call that is carried out here, without an op: each is asked for by its place and its
/// kind. Throws `bad-call` with the name of the call where one is missing, of another kind, or too many.
class CallArguments {
 public:
  CallArguments(std::string_view call, const Values& args, size_t most = SIZE_MAX)
      : call_(call), args_(args) {
    if (args.size() > most)
      refuse("takes at most " + std::to_string(most) + " arguments, found " + std::to_string(args.size()));
  }
  size_t size() const { return args_.size(); }
  const Value& at(size_t i) const {
    if (i >= args_.size())
      refuse("takes more arguments than the " + std::to_string(args_.size()) + " that are given");
    return args_[i];
  }
  Tensor& tensor(size_t i) const {
    Tensor* t = tensorIn(at(i));
    if (!t) refuse(i, "a tensor");
    return *t;
  }
  int64_t integer(size_t i) const {
    if (!at(i).isInt() && at(i).kind() != VKind::Bool) refuse(i, "an integer");
    return at(i).toInt().known();
  }
  const Values& list(size_t i) const {
    if (!at(i).isList()) refuse(i, "a list");
    return at(i).items();
  }
  const std::string& text(size_t i) const {
    if (at(i).kind() != VKind::Str) refuse(i, "a text");
    return at(i).text();
  }
  /// A truth value; of a tensor it is not known.
  bool flag(size_t i) const {
    if (!at(i).isNumber() && !at(i).isNone()) refuse(i, "True or False");
    return at(i).truthy();
  }
  /// A dimension of a tensor with `rank` of them.
  int64_t dimension(size_t i, size_t rank) const {
    const int64_t d = integer(i), n = static_cast<int64_t>(rank);
    if (d < -n || d >= n)
      refuse("dimension out of range (expected to be in range of [" + std::to_string(-n) + ", " +
             std::to_string(n - 1) + "], but got " + std::to_string(d) + ")");
    return d < 0 ? d + n : d;
  }
  [[noreturn]] void refuse(const std::string& why) const {
    throw EvalError("bad-call", std::string(call_) + "(): " + why);
  }
  [[noreturn]] void refuse(size_t i, const std::string& wanted) const {
    refuse("argument " + std::to_string(i + 1) + " must be " + wanted + ", found " + args_[i].describe());
  }

 private:
  std::string_view call_;
  const Values& args_;
};

}  // namespace descry::passes
