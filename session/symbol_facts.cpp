#include "session/symbol_facts.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <optional>

#include "passes/aot/program.h"

namespace descry::session {

namespace {

using passes::Int;
using passes::Ints;
using passes::Meta;
using passes::SubclassLayout;
using Row = std::vector<std::string>;

/// Symbols that are equal. Each is called by the name that comes first in the order of texts, as PyTorch's
/// shape environment does it.
class EqualSymbols {
 public:
  void join(const std::string& a, const std::string& b) {
    const std::string x = find(a), y = find(b);
    if (x != y) parent_[std::max(x, y)] = std::min(x, y);
  }
  std::unordered_map<std::string, std::string> renames() const {
    std::unordered_map<std::string, std::string> out;
    for (const auto& [symbol, parent] : parent_) out[symbol] = find(symbol);
    return out;
  }

  std::string find(std::string s) const {
    for (auto it = parent_.find(s); it != parent_.end(); it = parent_.find(s)) s = it->second;
    return s;
  }

 private:
  std::map<std::string, std::string> parent_;
};

bool isSymbol(std::string_view text) {
  return text.size() > 1 && text[0] == 's' &&
         text.find_first_not_of("0123456789", 1) == std::string_view::npos;
}

class SubclassReader {
 public:
  SubclassReader(const Document& document, const LoadedGraph& graph, passes::CapturedFacts& facts)
      : facts_(facts) {
    const std::string compile = graph.entry.compileId;
    for (const importers::FactTable& t : document.input().tables()) {
      if (t.name != "tensors" && t.name != "symbols" && t.name != "guards") continue;
      for (const Row& row : t.rows) {
        if (row.empty() || (!compile.empty() && row[0].find(compile) == std::string::npos)) continue;
        if (t.name == "tensors" && row.size() > 13) {
          byId_[row[0] + "\n" + row[1] + "\n" + row[2]] = &row;
          if (!row[3].empty()) bySource_[row[3]] = &row;
        } else if (t.name == "symbols" && row.size() > 5 && row[2] == "backed") {
          symbols_[row[5]] = row[1];
        } else if (t.name == "guards" && row.size() > 5 && row[2] == "SYMBOLIC") {
          guard(row[4], row[5]);
        }
      }
    }
  }

  void run(const LoadedGraph& graph) {
    const std::vector<ir::NodeId> placeholders = graph.graph->placeholders();
    bool any = false;
    for (size_t i = 0; i < facts_.inputs.size() && i < placeholders.size(); ++i) {
      passes::CapturedInput& in = facts_.inputs[i];
      const ir::Type& type = graph.graph->type(placeholders[i]);
      const auto row = bySource_.find(in.source);
      if (row == bySource_.end() || (*row->second)[13].empty()) {
        if (type.kind == ir::TypeKind::Wrapped) {
          any = true;
          facts_.assumed.push_back("the file does not say what " + in.name + " holds: a " + type.wrapper +
                                   " is taken to hold plain tensors of its own sizes");
        }
        continue;
      }
      any = true;
      ir::Type printed = type;
      printed.kind = ir::TypeKind::Tensor;
      std::optional<Meta> outer = metaOf(*row->second, in.source);
      const std::optional<Meta> shown = passes::metaOfType(printed, facts_.hints);
      if (!outer) continue;
      if (shown && shown->sizes.size() == outer->sizes.size()) {
        asShown(outer->sizes, shown->sizes);
        asShown(outer->strides, shown->strides);
      }
      std::optional<SubclassLayout> layout = layoutOf(*row->second, in.source, *outer);
      if (!layout) continue;
      takeOver(outer->sizes, layout->inner.front().meta.sizes);
      takeOver(outer->strides, layout->inner.front().meta.strides);
      in.meta = std::move(outer);
      in.layout = std::move(*layout);
      size_t at = 0;
      namePieces(*row->second, in.source, i, at);
    }
    if (!any) return;
    for (size_t i = 0; i < facts_.inputs.size() && i < placeholders.size(); ++i) {
      passes::CapturedInput& in = facts_.inputs[i];
      if (const auto piece = pieces_.find(std::string(graph.graph->target(placeholders[i])));
          piece != pieces_.end() && in.source.empty()) {
        in.source = piece->second.source;
        in.sameAsPiece = std::pair(piece->second.input, piece->second.at);
        in.requiresGrad = (*piece->second.row)[5] == "true";
        in.isLeaf = (*piece->second.row)[6] == "true";
        nameSizes(in, *piece->second.row, graph.graph->type(placeholders[i]));
      } else if (const auto row = bySource_.find(in.source); row != bySource_.end() && in.layout.plain()) {
        nameSizes(in, *row->second, graph.graph->type(placeholders[i]));
      }
      if (const auto first = firstOf_.find(in.name); first != firstOf_.end())
        in.originalSymbol = first->second;
    }
    facts_.equalAtCapture = atCapture_.renames();
    for (const auto& [a, b] : facts_.equalAtCapture) afterwards_.join(a, b);
    facts_.equal = afterwards_.renames();
  }

 private:
  /// `Eq(s70, s15)`. Guards that no line of the program asks for come from AOT autograd, and hold from then
  /// on only.
  void guard(const std::string& text, const std::string& place) {
    if (!text.starts_with("Eq(") || !text.ends_with(")")) return;
    const size_t comma = text.find(", ");
    if (comma == std::string::npos) return;
    const std::string a = text.substr(3, comma - 3), b = text.substr(comma + 2, text.size() - comma - 3);
    const bool later = place.empty() || place.ends_with(" in trace_structured");
    if (isSymbol(a) && isSymbol(b)) (later ? afterwards_ : atCapture_).join(a, b);
  }

  /// What became a number while the program was captured is one in the graph; and a tensor that is written is
  /// described in the graph by the sizes of what it holds.
  void asShown(Ints& ours, const Ints& shown) const {
    for (size_t i = 0; i < ours.size(); ++i) {
      const bool known = ours[i].symbolic() && shown[i].symbolic() && isSymbol(ours[i].str()) &&
                         atCapture_.find(ours[i].str()) == shown[i].str();
      if (!known) ours[i] = shown[i];
    }
  }

  /// Sizes of the wrapper that are the first inner tensor's by name are that tensor's own.
  void takeOver(Ints& outer, const Ints& inner) const {
    for (size_t i = 0; i < outer.size() && i < inner.size(); ++i)
      if (outer[i].symbolic() && inner[i].symbolic() && isSymbol(inner[i].str()) &&
          outer[i].str() != inner[i].str() && atCapture_.find(inner[i].str()) == outer[i].str())
        outer[i] = inner[i];
  }

  Int symbolAt(const std::string& source, const char* what, size_t dim, const Int& value) const {
    const auto found = symbols_.find(source + "." + what + "()[" + std::to_string(dim) + "]");
    if (found == symbols_.end() || !isSymbol(found->second)) return value;
    return ir::eval::symbolicInt(ir::SymExpr::symbol(found->second), value.value);
  }

  /// Sizes and strides as PyTorch names them when it makes a fake tensor: strides are products of sizes where
  /// they can be.
  std::optional<Meta> metaOf(const Row& row, const std::string& source) const {
    std::optional<Meta> m = passes::metaOfType(ir::parseType(row[4]), {});
    if (!m) return std::nullopt;
    const Meta known = *m;
    for (size_t i = 0; i < m->sizes.size(); ++i) m->sizes[i] = symbolAt(source, "size", i, known.sizes[i]);
    std::vector<size_t> order;
    for (size_t i = known.strides.size(); i-- > 0;) order.push_back(i);
    std::stable_sort(order.begin(), order.end(),
                     [&](size_t a, size_t b) { return known.strides[a].value < known.strides[b].value; });
    std::map<int64_t, Int> candidates;
    for (const size_t i : order) {
      const int64_t value = known.strides[i].value;
      const bool contiguous =
          i + 1 < known.strides.size() && value == known.sizes[i + 1].value * known.strides[i + 1].value;
      if ((value != 0 && value != 1) || contiguous) {
        const auto found = candidates.find(value);
        m->strides[i] =
            found != candidates.end() ? found->second : symbolAt(source, "stride", i, known.strides[i]);
      }
      candidates[known.sizes[i].value * value] = m->sizes[i] * m->strides[i];
    }
    return m;
  }

  /// Gives the sizes of a plain tensor the names that they had at first.
  void nameSizes(passes::CapturedInput& in, const Row& row, const ir::Type& type) const {
    const std::optional<Meta> shown = passes::metaOfType(type, facts_.hints);
    std::optional<Meta> own = metaOf(row, in.source);
    if (!shown || !own || shown->sizes.size() != own->sizes.size()) return;
    asShown(own->sizes, shown->sizes);
    asShown(own->strides, shown->strides);
    in.meta = std::move(own);
  }

  /// Inner tensors may be inputs of their own, named by how the program gets at them.
  void namePieces(const Row& row, const std::string& source, size_t input, size_t& at, size_t depth = 0) {
    forEachAttr(row, [&](const std::string& attr, const Row& inner) {
      const std::string path = source + "." + attr;
      if (depth > kDeepest || ++pieceCount_ > kMostPieces) return;  // layoutOf says so
      if (!inner[13].empty()) return namePieces(inner, path, input, at, depth + 1);
      std::string name;
      for (const char c : path)
        if (std::isalnum(static_cast<unsigned char>(c)) || c == '_')
          name += c;
        else if (name.empty() || name.back() != '_')
          name += '_';
      pieces_[name] = {path, input, at++, &inner};
    });
  }

  template <class F>
  bool forEachAttr(const Row& row, F&& f) const {
    std::string_view rest = row[13];
    while (!rest.empty()) {
      const std::string_view item = rest.substr(0, rest.find(' '));
      rest.remove_prefix(std::min(rest.size(), item.size() + 1));
      const size_t equals = item.find('=');
      if (equals == std::string_view::npos) return false;
      const auto inner = byId_.find(row[0] + "\n" + row[1] + "\n" + std::string(item.substr(equals + 1)));
      if (inner == byId_.end()) return false;
      f(std::string(item.substr(0, equals)), *inner->second);
    }
    return true;
  }

  /// Nothing when the log does not describe all that the tensor holds.
  std::optional<SubclassLayout> layoutOf(const Row& row, const std::string& source, const Meta& outer,
                                         size_t depth = 0) {
    if (depth > kDeepest || layoutCount_ > kMostPieces) {
      if (!tooDeep_)
        facts_.assumed.push_back("the tensors that " + source.substr(0, 60) +
                                 " holds are not read: it holds itself, or too many");
      tooDeep_ = true;
      return std::nullopt;
    }
    SubclassLayout out;
    out.name = row[12].substr(row[12].rfind('.') + 1);
    bool whole = true;
    const bool told = forEachAttr(row, [&](const std::string& attr, const Row& inner) {
      std::optional<Meta> m = metaOf(inner, source + "." + attr);
      std::optional<SubclassLayout> nested;
      ++layoutCount_;
      if (!m || !whole) {
        whole = false;
        return;
      }
      if (!out.inner.empty()) {
        const Ints& first = out.inner.front().meta.sizes;
        for (size_t d = 0; d < first.size() && d < m->sizes.size(); ++d)
          if (first[d].symbolic() && m->sizes[d].symbolic()) firstOf_[m->sizes[d].str()] = first[d].str();
      }
      sameSizes(outer.sizes, m->sizes, afterwards_);
      sameSizes(outer.strides, m->strides, afterwards_);
      if (!out.inner.empty()) sameSizes(out.inner.front().meta.sizes, m->sizes, atCapture_);
      if (!inner[13].empty()) {
        nested = layoutOf(inner, source + "." + attr, *m, depth + 1);
        whole = whole && nested;
      }
      out.inner.push_back({attr, std::move(*m), nested ? std::move(*nested) : SubclassLayout()});
    });
    if (!told || !whole) return std::nullopt;
    return out.inner.empty() ? std::nullopt : std::optional(std::move(out));
  }

  /// Sizes with equal values turn out equal; those that have no symbol of their own take over the other's.
  static void sameSizes(const Ints& outer, Ints& inner, EqualSymbols& equal) {
    if (outer.size() != inner.size()) return;
    for (size_t i = 0; i < outer.size(); ++i) {
      if (outer[i].value != inner[i].value) continue;
      if (!outer[i].symbolic() || !inner[i].symbolic()) {
        inner[i] = outer[i];
      } else if (isSymbol(outer[i].str()) && isSymbol(inner[i].str())) {
        equal.join(outer[i].str(), inner[i].str());
      }
    }
  }

  /// A log may say that a tensor holds itself, or the same one over and over.
  static constexpr size_t kDeepest = 32, kMostPieces = 20'000;
  size_t pieceCount_ = 0, layoutCount_ = 0;
  bool tooDeep_ = false;

  passes::CapturedFacts& facts_;
  std::unordered_map<std::string, const Row*> byId_, bySource_;
  std::unordered_map<std::string, std::string> symbols_;  ///< by source
  struct Piece {
    std::string source;
    size_t input = 0, at = 0;
    const Row* row = nullptr;
  };
  std::map<std::string, Piece> pieces_;  ///< by the placeholder that it would be
  /// Sizes of inner tensors, and those of the first tensor beside them, which is where results get their
  /// sizes from.
  std::unordered_map<std::string, std::string> firstOf_;
  EqualSymbols atCapture_, afterwards_;
};

}  // namespace

void addSubclassFacts(const Document& document, const LoadedGraph& graph, passes::CapturedFacts& facts) {
  SubclassReader(document, graph, facts).run(graph);
}

}  // namespace descry::session
