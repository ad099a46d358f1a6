#include "ir/descriptors/descriptor.h"

#include <array>
#include <charconv>
#include <functional>

#include "ir/support/python_text.h"

namespace descry::ir {

namespace {

enum Field : uint8_t { kNoFields = 0, kIdx = 1, kText = 2, kBase = 4 };

using KindSet = uint64_t;
constexpr KindSet bit(DescKind k) {
  return KindSet{1} << static_cast<int>(k);
}
template <class... K>
constexpr KindSet setOf(K... k) {
  return (bit(k) | ...);
}

using enum DescKind;
constexpr KindSet kLevel0In = setOf(PlainInput, ParamInput, BufferInput);
constexpr KindSet kBasesIn = setOf(SyntheticBaseInput, ViewBaseInput);
constexpr KindSet kSubclassIn = kLevel0In | kBasesIn | setOf(TangentInput, SubclassGetAttrInput);
constexpr KindSet kSubclassOut = setOf(PlainOutput, InputMutationOutput, IntermediateBaseOutput,
                                       MetadataMutationOutput, GradOutput, SubclassGetAttrOutput);

struct Row {
  std::string_view name;
  uint8_t fields;
  std::string_view textField;  // printed name of the text field
  std::string_view baseField;  // printed name of the inner descriptor
  bool differentiable;
  KindSet legalBases;
  std::string_view rule;  // why other bases are refused
};

// Classes and legality: PyTorch's torch/_functorch/_aot_autograd/descriptors.py; autograd acts on the
// subclass first, then the subclass is flattened, so no tangent, gradient or base may wrap a subclass piece.
constexpr std::array<Row, static_cast<size_t>(Count)> kRows = {{
    {"PlainAOTInput", kIdx, "", "", true, 0, ""},
    {"ParamAOTInput", kText, "target", "", true, 0, ""},
    {"BufferAOTInput", kText, "target", "", true, 0, ""},
    {"DummyAOTInput", kIdx, "", "", false, 0, ""},
    {"SyntheticBaseAOTInput", kBase, "", "base_of", true, kLevel0In,
     "a synthetic base stands for a plain, parameter or buffer input"},
    {"ViewBaseAOTInput", kBase, "", "base_of", true, kLevel0In,
     "a view base stands for a plain, parameter or buffer input"},
    {"TangentAOTInput", kBase, "", "output", true,
     setOf(PlainOutput, InputMutationOutput, IntermediateBaseOutput),
     "a tangent belongs to a plain output, an input mutation or an intermediate base"},
    {"SubclassGetAttrAOTInput", kBase | kText, "attr", "base", false, kSubclassIn,
     "a subclass piece is taken from an input, a base, a tangent or another piece"},
    {"SubclassSizeAOTInput", kBase | kIdx, "", "base", false, kSubclassIn,
     "a subclass size is taken from an input, a base, a tangent or another piece"},
    {"SubclassStrideAOTInput", kBase | kIdx, "", "base", false, kSubclassIn,
     "a subclass stride is taken from an input, a base, a tangent or another piece"},
    {"PhiloxForwardSeedAOTInput", kNoFields, "", "", false, 0, ""},
    {"PhiloxForwardBaseOffsetAOTInput", kNoFields, "", "", false, 0, ""},
    {"PhiloxBackwardSeedAOTInput", kNoFields, "", "", false, 0, ""},
    {"PhiloxBackwardBaseOffsetAOTInput", kNoFields, "", "", false, 0, ""},
    {"ForwardTokenAOTInput", kIdx, "", "", false, 0, ""},
    {"BackwardTokenAOTInput", kIdx, "", "", false, 0, ""},
    {"OpaqueRefAOTInput", kIdx, "", "", false, 0, ""},
    {"PlainAOTOutput", kIdx, "", "", true, 0, ""},
    {"InputMutationAOTOutput", kBase, "", "mutated_input", true, kLevel0In | kBasesIn,
     "an input mutation writes back to a plain, parameter or buffer input or to a base"},
    {"IntermediateBaseAOTOutput", kBase, "", "base_of", true, setOf(PlainOutput),
     "an intermediate base stands for a plain output"},
    {"MetadataMutationAOTOutput", kIdx, "", "", true, 0, ""},
    {"GradAOTOutput", kBase, "", "grad_of", true, kLevel0In | kBasesIn,
     "a gradient belongs to a plain, parameter or buffer input or to a base"},
    {"SubclassGetAttrAOTOutput", kBase | kText, "attr", "base", false, kSubclassOut,
     "a subclass piece is taken from an output, a gradient or another piece"},
    {"SubclassSizeAOTOutput", kBase | kIdx, "", "base", false, kSubclassOut,
     "a subclass size is taken from an output, a gradient or another piece"},
    {"SubclassStrideAOTOutput", kBase | kIdx, "", "base", false, kSubclassOut,
     "a subclass stride is taken from an output, a gradient or another piece"},
    {"PhiloxUpdatedForwardOffsetAOTOutput", kNoFields, "", "", false, 0, ""},
    {"PhiloxUpdatedBackwardOffsetAOTOutput", kNoFields, "", "", false, 0, ""},
    {"ForwardTokenAOTOutput", kIdx, "", "", false, 0, ""},
    {"BackwardTokenAOTOutput", kIdx, "", "", false, 0, ""},
    {"SavedForBackwardsAOTOutput", kIdx, "", "", false, 0, ""},
    {"SavedForBackwardsNoVcCheckAOTOutput", kIdx, "", "", false, 0, ""},
    {"DummyAOTOutput", kIdx, "", "", false, 0, ""},
}};

const Row& row(DescKind kind) {
  return kRows[static_cast<size_t>(kind)];
}

constexpr int kMaxDepth = 64;  // real descriptors nest four deep; the cap keeps hostile text from the stack

}  // namespace

std::string_view Descriptor::className() const {
  return row(kind_).name;
}
bool Descriptor::isDifferentiable() const {
  return row(kind_).differentiable;
}
bool Descriptor::hasIdx() const {
  return row(kind_).fields & kIdx;
}

static bool isPiece(DescKind k) {
  return k == SubclassGetAttrInput || k == SubclassSizeInput || k == SubclassStrideInput ||
         k == SubclassGetAttrOutput || k == SubclassSizeOutput || k == SubclassStrideOutput;
}

static DescKind withoutPieces(const Descriptor* d) {
  while (isPiece(d->kind()) && d->base()) d = d->base();
  return d->kind();
}

bool Descriptor::isTangent() const {
  return withoutPieces(this) == TangentInput;
}
bool Descriptor::isParam() const {
  return withoutPieces(this) == ParamInput;
}
bool Descriptor::isBuffer() const {
  return withoutPieces(this) == BufferInput;
}
bool Descriptor::isGrad() const {
  return withoutPieces(this) == GradOutput;
}

const Descriptor& Descriptor::root() const {
  const Descriptor* d = this;
  while (d->base()) d = d->base();
  return *d;
}

std::string Descriptor::repr() const {
  const Row& r = row(kind_);
  std::string out(r.name);
  out += '(';
  if (r.fields & kBase) {
    out += r.baseField;
    out += '=';
    out += base_ ? base_->repr() : "None";
  }
  if (r.fields & kText) {
    if (r.fields & kBase) out += ", ";
    out += r.textField;
    out += '=';
    appendPythonString(out, text_);
  }
  if (r.fields & kIdx) {
    if (r.fields & kBase) out += ", ";
    out += "idx=" + std::to_string(idx_);
  }
  return out + ")";
}

std::string Descriptor::expr() const {
  const std::string inner = base_ ? base_->expr() : "";
  const std::string n = std::to_string(idx_);
  switch (kind_) {
    case PlainInput:
      return "args[" + n + "]";
    case ParamInput:
      return "self.get_parameter(" + pythonString(text_) + ")";
    case BufferInput:
      return "self.get_buffer(" + pythonString(text_) + ")";
    case DummyInput:
      return "__dummy" + n;
    case SyntheticBaseInput:
      return "__make_synthetic_base(" + inner + ")";
    case ViewBaseInput:
      return inner + "._base";
    case TangentInput:
      return "__output_tangent(" + inner + ")";
    case SubclassGetAttrInput:
    case SubclassGetAttrOutput:
      return inner + "." + text_;
    case SubclassSizeInput:
    case SubclassSizeOutput:
      return inner + ".size(" + n + ")";
    case SubclassStrideInput:
    case SubclassStrideOutput:
      return inner + ".stride(" + n + ")";
    case PhiloxForwardSeedInput:
      return "__philox_forward_seed";
    case PhiloxForwardBaseOffsetInput:
      return "__philox_forward_base_offset";
    case PhiloxBackwardSeedInput:
      return "__philox_backward_seed";
    case PhiloxBackwardBaseOffsetInput:
      return "__philox_backward_base_offset";
    case ForwardTokenInput:
    case ForwardTokenOutput:
      return "__forward_token" + n;
    case BackwardTokenInput:
    case BackwardTokenOutput:
      return "__backward_token" + n;
    case OpaqueRefInput:
      return "__opaque_ref" + n;
    case PlainOutput:
      return "output[" + n + "]";
    case InputMutationOutput:
      return "__input_mutation(" + inner + ")";
    case IntermediateBaseOutput:
      return "__intermediate_base(" + inner + ")";
    case MetadataMutationOutput:
      return "__aliased_arg_with_metadata_mutation" + n;
    case GradOutput:
      return "__grad(" + inner + ")";
    case PhiloxUpdatedForwardOffsetOutput:
      return "__philox_updated_forward_offset";
    case PhiloxUpdatedBackwardOffsetOutput:
      return "__philox_updated_backward_offset";
    case SavedForBackwardsOutput:
      return "__saved_for_backwards_" + n;
    case SavedForBackwardsNoVcCheckOutput:
      return "__saved_for_backwards_no_vc_check_" + n;
    case DummyOutput:
      return "__dummy" + n;
    case Count:
      break;
  }
  return "?";
}

std::string Descriptor::words() const {
  const std::string inner = base_ ? base_->words() : "";
  const std::string n = std::to_string(idx_);
  switch (kind_) {
    case PlainInput:
      return "argument " + n;
    case ParamInput:
      return "parameter " + text_;
    case BufferInput:
      return "buffer " + text_;
    case DummyInput:
      return "stand-in " + n + " (must not occur in a finished graph)";
    case SyntheticBaseInput:
      return "storage shared by " + inner + " and other arguments";
    case ViewBaseInput:
      return "base tensor of which " + inner + " is a view";
    case TangentInput:
      return "gradient arriving for " + inner;
    case SubclassGetAttrInput:
    case SubclassGetAttrOutput:
      return "inner tensor `" + text_ + "` of " + inner;
    case SubclassSizeInput:
    case SubclassSizeOutput:
      return "size of dimension " + n + " of " + inner;
    case SubclassStrideInput:
    case SubclassStrideOutput:
      return "stride of dimension " + n + " of " + inner;
    case PhiloxForwardSeedInput:
      return "random seed of the forward";
    case PhiloxForwardBaseOffsetInput:
      return "random offset at the start of the forward";
    case PhiloxBackwardSeedInput:
      return "random seed of the backward";
    case PhiloxBackwardBaseOffsetInput:
      return "random offset at the start of the backward";
    case ForwardTokenInput:
      return "token " + n + " that orders side effects of the forward";
    case BackwardTokenInput:
      return "token " + n + " that orders side effects of the backward";
    case OpaqueRefInput:
      return "opaque object " + n;
    case PlainOutput:
      return "output " + n;
    case InputMutationOutput:
      return "new value of " + inner + ", copied back after the call";
    case IntermediateBaseOutput:
      return "base tensor of which " + inner + " is a view";
    case MetadataMutationOutput:
      return "argument with changed sizes or strides (number " + n + " of these)";
    case GradOutput:
      return "gradient of " + inner;
    case PhiloxUpdatedForwardOffsetOutput:
      return "random offset after the forward";
    case PhiloxUpdatedBackwardOffsetOutput:
      return "random offset after the backward";
    case ForwardTokenOutput:
      return "token " + n + " after the side effects of the forward";
    case BackwardTokenOutput:
      return "token " + n + " after the side effects of the backward";
    case SavedForBackwardsOutput:
      return "value " + n + " saved for the backward";
    case SavedForBackwardsNoVcCheckOutput:
      return "value " + n + " saved for the backward, without version check";
    case DummyOutput:
      return "stand-in " + n + " (must not occur in a finished graph)";
    case Count:
      break;
  }
  return "?";
}

bool operator==(const Descriptor& a, const Descriptor& b) {
  const Descriptor* x = &a;
  const Descriptor* y = &b;
  while (true) {
    if (x == y) return true;
    if (x->kind_ != y->kind_ || x->idx_ != y->idx_ || x->text_ != y->text_) return false;
    if (!x->base_ || !y->base_) return x->base_ == y->base_;
    x = x->base_.get();
    y = y->base_.get();
  }
}

size_t hashValue(const Descriptor& d) {
  size_t h = 0;
  for (const Descriptor* p = &d; p; p = p->base()) {
    h = h * 1000003 + static_cast<size_t>(p->kind());
    h = h * 1000003 + std::hash<int64_t>()(p->idx());
    h = h * 1000003 + std::hash<std::string>()(p->text());
  }
  return h;
}

Descriptor Descriptor::make(DescKind kind, int64_t idx, std::string text) {
  Descriptor d;
  d.kind_ = kind;
  d.idx_ = row(kind).fields & kIdx ? idx : 0;
  if (row(kind).fields & kText) d.text_ = std::move(text);
  return d;
}

Result<Descriptor> Descriptor::wrap(DescKind kind, const Descriptor& base, int64_t idx, std::string text) {
  Descriptor d = make(kind, idx, std::move(text));
  d.base_ = std::make_shared<Descriptor>(base);
  if (std::string why = d.legality(); !why.empty())
    return failure("descriptor-illegal", d.repr() + ": " + why);
  return d;
}

std::string Descriptor::legality() const {
  for (const Descriptor* d = this; d; d = d->base()) {
    const Row& r = row(d->kind_);
    if ((r.fields & kBase) && !d->base_) return std::string(r.name) + " needs an inner descriptor";
    if (d->base_ && !(r.legalBases & bit(d->base_->kind_)))
      return std::string(r.name) + " may not wrap " + std::string(d->base_->className()) + ": " +
             std::string(r.rule);
    if (d->idx_ < 0) return std::string(r.name) + " has the negative index " + std::to_string(d->idx_);
  }
  return {};
}

/// Recursive descent over `Name(field=value, ...)`.
class DescriptorParser {
 public:
  explicit DescriptorParser(std::string_view text) : text_(text) {}

  Result<Descriptor> run() {
    Descriptor d;
    if (!parse(d, 0)) return failure(code_, message_ + " in " + pythonString(text_.substr(0, 200)));
    skip();
    if (at_ != text_.size()) return failure("descriptor-syntax", "text after the descriptor " + d.repr());
    return d;
  }

 private:
  void skip() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }
  bool fail(std::string message, std::string code = "descriptor-syntax") {
    if (message_.empty()) {
      message_ = std::move(message);
      code_ = std::move(code);
    }
    return false;
  }
  bool take(char c) {
    skip();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  std::string_view word() {
    skip();
    const size_t from = at_;
    const auto letter = [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    };
    while (at_ < text_.size() && letter(text_[at_])) ++at_;
    return text_.substr(from, at_ - from);
  }
  bool string(std::string& out) {
    skip();
    const char quote = at_ < text_.size() ? text_[at_] : '\0';
    if (quote != '\'' && quote != '"') return fail("expected a string");
    size_t end = at_ + 1;
    while (end < text_.size() && text_[end] != quote) end += text_[end] == '\\' ? 2 : 1;
    if (end >= text_.size()) return fail("string without end");
    out = unescapePython(text_.substr(at_ + 1, end - at_ - 1));
    at_ = end + 1;
    return true;
  }
  bool integer(int64_t& out) {
    skip();
    const auto [end, ec] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), out);
    if (ec != std::errc()) return fail("expected an index");
    at_ = static_cast<size_t>(end - text_.data());
    return true;
  }

  bool parse(Descriptor& d, int depth) {
    if (depth > kMaxDepth) return fail("descriptor nested deeper than 64");
    const std::string_view name = word();
    size_t k = 0;
    while (k < kRows.size() && kRows[k].name != name) ++k;
    if (name.empty()) return fail("expected a descriptor class");
    if (k == kRows.size())
      return fail("unknown descriptor class '" + std::string(name) + "'", "descriptor-unknown");
    d.kind_ = static_cast<DescKind>(k);
    const Row& r = kRows[k];
    if (!take('(')) return fail("expected '(' after " + std::string(name));
    uint8_t seen = 0;
    while (!take(')')) {
      if (seen && !take(',')) return fail("expected ',' or ')'");
      const std::string_view field = word();
      if (!take('=')) return fail("expected '=' after a field name");
      if ((r.fields & kBase) && field == r.baseField && !(seen & kBase)) {
        auto inner = std::make_shared<Descriptor>();
        if (!parse(*inner, depth + 1)) return false;
        d.base_ = std::move(inner);
        seen |= kBase;
      } else if ((r.fields & kText) && field == r.textField && !(seen & kText)) {
        if (!string(d.text_)) return false;
        seen |= kText;
      } else if ((r.fields & kIdx) && field == "idx" && !(seen & kIdx)) {
        if (!integer(d.idx_)) return false;
        seen |= kIdx;
      } else {
        return fail(std::string(name) + " has no field '" + std::string(field) + "' here");
      }
    }
    // Tokens and metadata mutations had no index when descriptors were new: those default to 0.
    if ((r.fields & ~seen) & (kBase | kText)) return fail(std::string(name) + " lacks a field");
    const bool olderForm = d.kind_ == ForwardTokenInput || d.kind_ == ForwardTokenOutput ||
                           d.kind_ == BackwardTokenInput || d.kind_ == BackwardTokenOutput ||
                           d.kind_ == MetadataMutationOutput;
    if (((r.fields & ~seen) & kIdx) && !olderForm) return fail(std::string(name) + " lacks idx");
    return true;
  }

  std::string_view text_;
  size_t at_ = 0;
  std::string message_;
  std::string code_ = "descriptor-syntax";
};

Result<Descriptor> Descriptor::parse(std::string_view text) {
  return DescriptorParser(text).run();
}

}  // namespace descry::ir
