// Wrapper tensor subclasses: tensors that hold other tensors by attribute, and say by their
// __torch_dispatch__ what an op on them does.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "passes/autodiff/tensor.h"

namespace descry::passes {

/// A class whose dispatch is known: each op is carried out on every inner tensor in turn, and the results are
/// wrapped again.
struct SubclassClass {
  std::string_view name;
  std::vector<std::string_view> attrs;  ///< as __tensor_flatten__ names them
};
/// By name, with or without its module. Null when nothing is known of the class.
const SubclassClass* findSubclass(std::string_view className);

/// Whether some known class has an attribute of this name.
bool isSubclassAttribute(std::string_view name);

/// What a tensor of a wrapper subclass holds. Plain tensors have no name and nothing inside.
struct SubclassLayout {
  struct Inner;
  std::string name;  ///< of the class
  std::vector<Inner> inner;

  bool plain() const { return name.empty(); }
};
struct SubclassLayout::Inner {
  std::string attr;
  Meta meta;
  SubclassLayout layout;
};

/// The layout of a tensor as it is now.
SubclassLayout layoutOf(const Tensor& t);

/// Calls f for the plain tensors inside, depth first; for the tensor itself when it is plain.
template <class F>
void forEachPlain(Tensor& t, F&& f) {
  if (!t.isWrapper()) return f(t);
  for (const auto& [attr, piece] : t.extras->pieces) forEachPlain(*piece, f);
}

/// A tensor of a wrapper subclass among the arguments, lists opened; null when there is none.
Tensor* wrapperAmong(const Values& args);

}  // namespace descry::passes
