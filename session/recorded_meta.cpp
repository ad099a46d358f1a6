#include "session/recorded_meta.h"

#include <charconv>
#include <vector>

namespace descry::session {

namespace {

struct Member;

/// A Python repr. `name` is a class, a constant, or what stands between angle brackets.
struct Repr {
  enum class Kind : uint8_t { Name, Text, Call, List };
  Kind kind = Kind::Name;
  std::string_view name;        ///< of Name and Call
  std::string_view source;      ///< the whole text
  std::vector<Member> members;  ///< of Call and List

  const Repr* find(std::string_view field) const;
  bool isTrue() const { return name == "True"; }
  std::optional<int64_t> number() const {
    int64_t v = 0;
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), v);
    if (kind != Kind::Name || error != std::errc() || end != name.data() + name.size()) return std::nullopt;
    return v;
  }
};

struct Member {
  std::string_view key;  ///< empty without one
  Repr value;
};

const Repr* Repr::find(std::string_view field) const {
  for (const Member& m : members)
    if (m.key == field) return &m.value;
  return nullptr;
}

class ReprReader {
 public:
  explicit ReprReader(std::string_view text) : text_(text) {}

  bool read(Repr& out) { return value(out, 0); }

 private:
  static constexpr int kDeepest = 200;

  void skipSpace() {
    while (at_ < text_.size() &&
           (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\t' || text_[at_] == '\r'))
      ++at_;
  }
  bool sees(char c) {
    skipSpace();
    return at_ < text_.size() && text_[at_] == c;
  }

  bool value(Repr& out, int depth) {
    skipSpace();
    if (depth > kDeepest || at_ >= text_.size()) return false;
    const size_t begin = at_;
    const char c = text_[at_];
    bool ok = true;
    if (c == '[' || c == '(' || c == '{') {
      out.kind = Repr::Kind::List;
      ok = members(out, depth);
    } else if (c == '\'' || c == '"') {
      out.kind = Repr::Kind::Text;
      while (sees('\'') || sees('"')) ok = ok && quoted();  // pieces stand behind one another
    } else if (c == '<') {
      ok = angles();
      out.name = text_.substr(begin, at_ - begin);
    } else {
      while (at_ < text_.size() &&
             std::string_view(",=:()[]{}<>'\" \n\t\r").find(text_[at_]) == std::string_view::npos)
        ++at_;
      out.name = text_.substr(begin, at_ - begin);
      ok = !out.name.empty();
      // A string may have letters in front: `b'...'`.
      if (ok && at_ < text_.size() && (text_[at_] == '\'' || text_[at_] == '"')) ok = quoted();
      if (ok && at_ < text_.size() && text_[at_] == '(') {
        out.kind = Repr::Kind::Call;
        ok = members(out, depth);
      }
    }
    out.source = text_.substr(begin, at_ - begin);
    return ok;
  }

  /// From the opening bracket to the closing one.
  bool members(Repr& out, int depth) {
    const char close = text_[at_] == '[' ? ']' : text_[at_] == '(' ? ')' : '}';
    ++at_;
    while (!sees(close)) {
      Member m;
      if (!value(m.value, depth + 1)) return false;
      if (sees('=') || sees(':')) {
        ++at_;
        m.key = m.value.source;
        m.value = {};
        if (!value(m.value, depth + 1)) return false;
      }
      // Expressions such as `2*s0 + 1` and objects that print words: what follows belongs to the value.
      while (!sees(',') && !sees(close)) {
        Repr more;
        if (!value(more, depth + 1)) return false;
      }
      out.members.push_back(std::move(m));
      if (sees(',')) ++at_;
    }
    ++at_;
    return true;
  }

  bool quoted() {
    const char quote = text_[at_++];
    while (at_ < text_.size() && text_[at_] != quote) at_ += text_[at_] == '\\' ? 2 : 1;
    if (at_ >= text_.size()) return false;
    ++at_;
    return true;
  }

  bool angles() {
    int open = 0;
    for (; at_ < text_.size(); ++at_) {
      open += text_[at_] == '<';
      open -= text_[at_] == '>';
      if (open == 0) return ++at_, true;
    }
    return false;
  }

  std::string_view text_;
  size_t at_ = 0;
};

bool flag(const Repr& r, std::string_view field) {
  const Repr* f = r.find(field);
  return f && f->isTrue();
}
/// A count or an index: nothing where the field is absent or None. What else is there is `unread`.
std::optional<int64_t> number(const Repr& r, std::string_view field, std::vector<std::string>& unread) {
  const Repr* f = r.find(field);
  if (!f || f->source == "None") return std::nullopt;
  const std::optional<int64_t> n = f->number();
  if (n && *n >= 0) return n;
  unread.push_back(std::string(field) + "=" + std::string(f->source.substr(0, 40)));
  return std::nullopt;
}

passes::InputAliasInfo inputInfo(const Repr& r) {
  passes::InputAliasInfo i;
  i.isLeaf = flag(r, "is_leaf");
  i.mutatesData = flag(r, "mutates_data");
  i.mutatesMetadata = flag(r, "mutates_metadata");
  i.mutationsHiddenFromAutograd = flag(r, "mutations_hidden_from_autograd");
  i.mutationsUnderNoGradOrInferenceMode = flag(r, "mutations_under_no_grad_or_inference_mode");
  i.mutationInductorStorageResize = flag(r, "mutation_inductor_storage_resize");
  i.mutatesStorageMetadata = flag(r, "mutates_storage_metadata");
  i.mutationIsShallowCopyData = flag(r, "mutation_is_shallow_copy_data");
  i.requiresGrad = flag(r, "requires_grad");
  i.keepInputMutations = flag(r, "keep_input_mutations");
  return i;
}

passes::OutputAliasInfo outputInfo(const Repr& r, std::vector<std::string>& unread) {
  using passes::OutputType;
  passes::OutputAliasInfo o;
  // `<OutputType.alias_of_input: 2>`
  bool known = false;
  const Repr* type = r.find("output_type");
  if (type)
    for (const OutputType t : {OutputType::NonAlias, OutputType::AliasOfInput, OutputType::IsInput,
                               OutputType::AliasOfIntermediateSaveAsOutput, OutputType::AliasOfIntermediate,
                               OutputType::AliasOfIntermediateBaseIsUserOutput, OutputType::UnsafeViewAlias,
                               OutputType::CustomFunctionView})
      if (type->name.find("." + std::string(passes::outputTypeName(t)) + ":") != std::string_view::npos) {
        o.type = t;
        known = true;
      }
  if (type && !known) unread.push_back("output_type=" + std::string(type->source.substr(0, 40)));
  if (const Repr* raw = r.find("raw_type")) o.rawType = std::string(raw->source);
  o.baseIdx = number(r, "base_idx", unread);
  o.requiresGrad = flag(r, "requires_grad");
  // Older versions know one flag only.
  o.requiresGradForBackward =
      r.find("requires_grad_for_backward") ? flag(r, "requires_grad_for_backward") : o.requiresGrad;
  return o;
}

passes::SubclassMeta subclassMeta(const Repr& r, std::vector<std::string>& unread) {
  passes::SubclassMeta m;
  if (r.name != "SubclassCreationMeta") {
    m.index = number(r, "unwrapped_idx", unread).value_or(0);
    return m;
  }
  m.name = "SubclassCreationMeta";
  m.index = number(r, "flat_tensor_start_idx", unread).value_or(0);
  m.argCount = number(r, "arg_count", unread).value_or(1);
  if (const Repr* attrs = r.find("attrs"))
    for (const auto& [attr, value] : attrs->members) m.inner.push_back(subclassMeta(value, unread));
  return m;
}

}  // namespace

std::optional<RecordedMeta> readRecordedMeta(std::string_view text) {
  Repr r;
  if (!ReprReader(text).read(r) || r.kind != Repr::Kind::Call || r.name != "ViewAndMutationMeta")
    return std::nullopt;
  RecordedMeta out;
  passes::ViewAndMutationMeta& m = out.meta;
  const auto each = [&](std::string_view field, auto&& take) {
    if (const Repr* list = r.find(field))
      for (const auto& [key, value] : list->members) take(value);
  };
  each("input_info", [&](const Repr& v) { m.inputInfo.push_back(inputInfo(v)); });
  each("output_info", [&](const Repr& v) { m.outputInfo.push_back(outputInfo(v, out.unread)); });
  m.numIntermediateBases = number(r, "num_intermediate_bases", out.unread).value_or(0);
  m.keepInputMutations = flag(r, "keep_input_mutations");
  each("traced_tangents", [&](const Repr&) { m.tracedTangents.emplace_back(); });
  m.tangentLayouts.resize(m.tracedTangents.size());
  each("traced_tangents_descs", [&](const Repr& v) {
    const ir::Result<ir::Descriptor> d = ir::Descriptor::parse(v.source);
    m.tracedTangentsDescs.push_back(d ? *d : ir::Descriptor());
  });
  each("subclass_inp_meta", [&](const Repr& v) { m.subclassInpMeta.push_back(subclassMeta(v, out.unread)); });
  each("subclass_fw_graph_out_meta",
       [&](const Repr& v) { m.subclassFwGraphOutMeta.push_back(subclassMeta(v, out.unread)); });
  if (const Repr* tokens = r.find("tokens"))
    for (const auto& [key, value] : tokens->members) m.tokens.emplace_back(key);
  // Where the record knows nothing of descriptors the tangents are counted all the same.
  if (!r.find("traced_tangents_descs")) m.tracedTangentsDescs.resize(m.tracedTangents.size());
  out.cut.symints = number(r, "num_symints_saved_for_bw", out.unread);
  out.cut.uncheckedTensors = number(r, "num_tensors_saved_with_no_vc_check", out.unread);
  out.cut.backwardTokens = number(r, "num_backward_tokens", out.unread);
  if (const Repr* saved = r.find("saved_tensor_is_graph_input"); saved && saved->kind == Repr::Kind::List) {
    out.cut.savedIsInput.emplace();
    for (const auto& [key, value] : saved->members) out.cut.savedIsInput->push_back(value.isTrue());
  }
  if (const Repr* donated = r.find("bw_donated_idxs"); donated && donated->kind == Repr::Kind::List) {
    out.cut.donated.emplace();
    for (const auto& [key, value] : donated->members) out.cut.donated->push_back(value.number().value_or(-1));
  }
  return out;
}

}  // namespace descry::session
