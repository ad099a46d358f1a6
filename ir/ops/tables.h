// The op tables: one function per family, each in the file of its name. Private to ir/ops.
#pragma once

#include "ir/ops/registry.h"

namespace descry::ir {

void registerBackward(OpRegistry& ops);
void registerCollectives(OpRegistry& ops);
void registerConvPool(OpRegistry& ops);
void registerCreation(OpRegistry& ops);
void registerEffects(OpRegistry& ops);
void registerFftLinalg(OpRegistry& ops);
void registerForeach(OpRegistry& ops);
void registerHigherOrder(OpRegistry& ops);
void registerIndexing(OpRegistry& ops);
void registerInductor(OpRegistry& ops);
void registerMatmul(OpRegistry& ops);
void registerNestedSparse(OpRegistry& ops);
void registerNormLoss(OpRegistry& ops);
void registerPointwise(OpRegistry& ops);
void registerPointwise2(OpRegistry& ops);
void registerPrims(OpRegistry& ops);
void registerPythonFunctions(OpRegistry& ops);
void registerQuantized(OpRegistry& ops);
void registerRandom(OpRegistry& ops);
void registerReduction(OpRegistry& ops);
void registerSpecial(OpRegistry& ops);
void registerSymbolic(OpRegistry& ops);
void registerTorchLevel(OpRegistry& ops);
void registerView(OpRegistry& ops);

}  // namespace descry::ir
