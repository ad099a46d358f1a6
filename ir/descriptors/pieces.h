// What the pieces of a wrapper subclass were cut from.
#pragma once

#include "ir/descriptors/descriptor.h"

namespace descry::ir {

/// A tensor that a wrapper holds, or one of the wrapper's sizes or strides.
inline bool isPieceKind(DescKind k) {
  return k == DescKind::SubclassGetAttrInput || k == DescKind::SubclassSizeInput ||
         k == DescKind::SubclassStrideInput || k == DescKind::SubclassGetAttrOutput ||
         k == DescKind::SubclassSizeOutput || k == DescKind::SubclassStrideOutput;
}

/// The descriptor that autograd saw: the whole of a piece; `d` itself when it is none.
inline const Descriptor& withoutPieces(const Descriptor& d) {
  const Descriptor* at = &d;
  while (isPieceKind(at->kind()) && at->base()) at = at->base();
  return *at;
}

}  // namespace descry::ir
