#include "ir/ops/tables.h"

namespace descry::ir {

const OpRegistry& allOps() {
  // Never destroyed: other static objects may still look ops up while the process ends.
  static const OpRegistry* const kAll = [] {
    auto* ops = new OpRegistry;
    registerPointwise(*ops);
    registerPointwise2(*ops);
    registerSpecial(*ops);
    registerReduction(*ops);
    registerView(*ops);
    registerIndexing(*ops);
    registerCreation(*ops);
    registerRandom(*ops);
    registerMatmul(*ops);
    registerConvPool(*ops);
    registerNormLoss(*ops);
    registerBackward(*ops);
    registerFftLinalg(*ops);
    registerForeach(*ops);
    registerNestedSparse(*ops);
    registerQuantized(*ops);
    registerSymbolic(*ops);
    registerPrims(*ops);
    registerInductor(*ops);
    registerCollectives(*ops);
    registerHigherOrder(*ops);
    registerEffects(*ops);
    registerTorchLevel(*ops);
    registerPythonFunctions(*ops);
    return ops;
  }();
  return *kAll;
}

}  // namespace descry::ir
