// Descriptors: what an input or output of an AOT graph means, as PyTorch names it.
//
// An input descriptor says how to get a graph input from the caller's arguments; an output descriptor says
// how a graph output relates to the caller's result. Text forms are the reprs that PyTorch 2.8+ prints, for
// example `TangentAOTInput(output=PlainAOTOutput(idx=0))`.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "ir/support/result.h"

namespace descry::ir {

enum class DescKind : uint8_t {
  // Inputs.
  PlainInput,
  ParamInput,
  BufferInput,
  DummyInput,
  SyntheticBaseInput,
  ViewBaseInput,
  TangentInput,
  SubclassGetAttrInput,
  SubclassSizeInput,
  SubclassStrideInput,
  PhiloxForwardSeedInput,
  PhiloxForwardBaseOffsetInput,
  PhiloxBackwardSeedInput,
  PhiloxBackwardBaseOffsetInput,
  ForwardTokenInput,
  BackwardTokenInput,
  OpaqueRefInput,
  // Outputs.
  PlainOutput,
  InputMutationOutput,
  IntermediateBaseOutput,
  MetadataMutationOutput,
  GradOutput,
  SubclassGetAttrOutput,
  SubclassSizeOutput,
  SubclassStrideOutput,
  PhiloxUpdatedForwardOffsetOutput,
  PhiloxUpdatedBackwardOffsetOutput,
  ForwardTokenOutput,
  BackwardTokenOutput,
  SavedForBackwardsOutput,
  SavedForBackwardsNoVcCheckOutput,
  DummyOutput,
  Count
};

/// An immutable value: equal when class, fields and inner descriptors are equal. Cheap to copy.
class Descriptor {
 public:
  /// PlainAOTInput(idx=0).
  Descriptor() = default;

  DescKind kind() const { return kind_; }
  /// "PlainAOTInput".
  std::string_view className() const;
  bool isInput() const { return kind_ < DescKind::PlainOutput; }
  bool isOutput() const { return !isInput(); }
  /// May carry a gradient (PyTorch's DifferentiableAOTInput/Output).
  bool isDifferentiable() const;
  bool isTangent() const;  ///< of a subclass piece too
  bool isParam() const;
  bool isBuffer() const;
  bool isGrad() const;

  bool hasIdx() const;
  int64_t idx() const { return idx_; }
  /// `target` of parameters and buffers, `attr` of subclass pieces; else empty.
  const std::string& text() const { return text_; }
  /// base_of, output, mutated_input, grad_of or base; null when the class has none.
  const Descriptor* base() const { return base_.get(); }
  /// The innermost descriptor; *this when there is no base.
  const Descriptor& root() const;

  /// PyTorch's repr. parse(repr()) gives an equal value.
  std::string repr() const;
  /// Pseudo expression in PyTorch's notation: `args[3]`, `__grad(self.get_parameter('w'))`.
  std::string expr() const;
  /// One sentence part for people: "gradient arriving for output 0".
  std::string words() const;

  friend bool operator==(const Descriptor& a, const Descriptor& b);

  // Building. Each returns `descriptor-illegal` when the wrapped descriptor is not allowed there.
  static Descriptor plainInput(int64_t idx) { return make(DescKind::PlainInput, idx); }
  static Descriptor param(std::string target) { return make(DescKind::ParamInput, 0, std::move(target)); }
  static Descriptor buffer(std::string target) { return make(DescKind::BufferInput, 0, std::move(target)); }
  static Descriptor plainOutput(int64_t idx) { return make(DescKind::PlainOutput, idx); }
  static Descriptor savedForBackwards(int64_t idx) { return make(DescKind::SavedForBackwardsOutput, idx); }
  /// A class without an inner descriptor.
  static Descriptor make(DescKind kind, int64_t idx = 0, std::string text = {});
  /// A class around an inner descriptor.
  static Result<Descriptor> wrap(DescKind kind, const Descriptor& base, int64_t idx = 0,
                                 std::string text = {});

  /// Reads PyTorch's repr. Errors: `descriptor-syntax`, `descriptor-unknown` (class not known).
  /// Legality is not checked: see `legality`.
  static Result<Descriptor> parse(std::string_view text);

  /// Empty when legal, else the rule that is broken, in words. Checked at every level.
  std::string legality() const;

 private:
  friend class DescriptorParser;
  DescKind kind_ = DescKind::PlainInput;
  int64_t idx_ = 0;
  std::string text_;
  std::shared_ptr<const Descriptor> base_;
};

size_t hashValue(const Descriptor& d);

}  // namespace descry::ir
