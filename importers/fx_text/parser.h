// The FX text parser's state. Private to importers/fx_text: users call parseFxText.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "importers/fx_text/fx_text.h"
#include "importers/fx_text/recent_texts.h"
#include "ir/core/graph.h"

namespace descry::importers::fx {

constexpr int kMaxExpressionDepth = 200;
constexpr int kMaxClassDepth = 50;
constexpr uint32_t kMaxNodes = 1u << 24;
constexpr uint32_t kMaxStatementLines = 400;  // a statement that runs longer is taken for damage
constexpr uint32_t kMaxRawLines = 4000;       // of a call that is kept as text

/// What an expression came to: a value, or a call that has not become a node yet. The arguments of a pending
/// call lie on the scratch stack from `mark` on, and are the topmost things there.
struct Pending {
  bool isCall = false;
  ir::Cell value;
  ir::OpKind op = ir::OpKind::CallFunction;
  ir::StrId target;
  uint32_t mark = 0;
  uint32_t argCount = 0, kwargCount = 0;
  bool plainName = false;  ///< value is a bare identifier (for `y = x`)
  ir::StrId name;          ///< of that identifier
};

class Parser {
 public:
  Parser(std::string_view text, const LineMap& map, ir::DiagnosticSink& sink, ir::Module& module);
  void run();

 private:
  // ---- text (cursor.cpp)
  bool atEnd() const { return p_ >= end_; }
  char peek() const { return p_ < end_ ? *p_ : '\n'; }
  char peek(int k) const { return p_ + k < end_ ? p_[k] : '\n'; }
  /// Blanks; inside brackets also newlines, comments and joined lines.
  void skip() {
    while (p_ < end_ && *p_ == ' ') ++p_;
    if (p_ < end_ && (*p_ == '\t' || *p_ == '\\' || (depth_ > 0 && (*p_ == '\n' || *p_ == '#')))) skipSlow();
  }
  void skipSlow();
  void newline() {  // p_ stands on '\n'
    ++p_;
    ++line_;
    lineStart_ = p_;
  }
  bool startsWith(std::string_view s) const {
    return static_cast<size_t>(end_ - p_) >= s.size() && std::string_view(p_, s.size()) == s;
  }
  std::string_view identifier();  ///< empty when none stands here
  std::string_view dottedName();  ///< `a.b.c`
  std::string_view restOfLine() const;
  void skipLine();                             ///< to the start of the next line
  bool rawBalanced(std::string_view& inside);  ///< `( ... )` as text; p_ behind it
  bool stringLiteral(std::string& out, bool& raw);
  void skipStringLiteral();
  const char* tripleEnd(const char* quote);
  struct Place {
    const char* p;
    const char* lineStart;
    uint32_t line;
  };
  Place place() const { return {p_, lineStart_, line_}; }
  void restore(const Place& at) {
    p_ = at.p;
    lineStart_ = at.lineStart;
    line_ = at.line;
  }
  ir::SourceLoc loc(const char* at) const;
  ir::SourceLoc here() const { return loc(p_); }
  void fail(std::string message, std::string code = "syntax");
  void moveTo(const char* to);  ///< forwards, counting lines

  // ---- expressions (expression.cpp)
  Pending expression(int minPrecedence = 0);
  Pending unary();
  Pending postfix();
  Pending atom();
  Pending nameAtom();
  Pending number(bool negative);
  Pending container(char close, ir::ValueKind kind);
  Pending parenthesised();
  Pending dict();
  Pending getattrCall();
  void subscript(Pending& base);
  ir::Cell subscriptItem();
  void arguments(Pending& into);
  Pending literalCall(std::string_view head, const char* start, bool& isLiteral);
  Pending opaque(const char* from, const char* to);
  Pending parameterConstant(const char* start);
  std::vector<ir::NodeId> mentionedValues(std::string_view text, size_t atMost = SIZE_MAX);
  bool mentionsValue(std::string_view text);
  ir::StrId intern(std::string_view text) {
    return recentNames_.get(
        text, [this](std::string_view t) { return ctx_.intern(t); },
        [this](ir::StrId id) { return ctx_.str(id); });
  }
  ir::TypeId typeOf(std::string_view text) {
    return recentTypes_.get(
        text, [this](std::string_view t) { return ctx_.type(t); },
        [this](ir::TypeId id) { return std::string_view(ctx_.types.at(id).text); });
  }
  static Pending valueOf(ir::Cell cell) {
    Pending p;
    p.value = cell;
    return p;
  }
  Pending textValue(ir::ValueKind kind, std::string_view text) {
    return valueOf(ir::Cell::text(kind, intern(text)));
  }
  /// A value cell; a pending call becomes a node with a made-up name.
  ir::Cell asCell(Pending& p);
  void push(ir::Cell cell) { scratch_.push_back(cell); }
  ir::Cell reference(std::string_view name, ir::StrId id);
  /// True when `name` alone means a value of this graph; then `id` is its text.
  bool valueNamed(std::string_view name, ir::StrId& id) {
    if (name.empty() || name == "self") return false;
    id = intern(name);
    return bound(id) && slot(id).node != ir::NodeId::kNone;
  }
  Pending callOf(ir::OpKind op, std::string_view target, std::initializer_list<ir::Cell> args);

  // ---- functions (function.cpp, statement.cpp)
  void function(uint32_t graph, int indent);
  void signature();
  void parameter(bool expandedForm);
  void body(int defIndent);
  void line(int indent);
  void statement(int indent);
  void assignment(std::string_view name, ir::TypeId type, const char* start);
  void alias(std::string_view name, ir::StrId valueName, ir::TypeId type, const char* start);
  std::string_view parenthesisedName();
  bool chainedTargets(std::string_view first);
  bool statementEnds();
  bool startsStatement() const;
  void tupleTarget(std::string_view first, const char* start);
  void augmented(std::string_view name);
  void expressionStatement(const char* start);
  void returnStatement();
  void annotationOnly(std::string_view name, ir::TypeId type);
  ir::TypeId annotation();
  std::string_view trailingComment();
  bool metaBlock();
  void flushParameters();
  void finishFunction();
  void recover(const Place& begin, int indent, std::string_view name);
  const char* logicalEnd(int indent);
  void takeBack();
  void unfinishedAug();
  void assignMeta();
  void deleteName(std::string_view name);

  ir::NodeId emit(Pending& p, ir::StrId name, ir::TypeId type, uint16_t flags, const char* at);
  ir::NodeId emitAs(Pending& p, std::string_view name, ir::TypeId type, uint16_t flags, const char* at);
  ir::NodeId emitValue(ir::Cell cell, std::string_view name, ir::TypeId type, const char* at);
  ir::StrId define(std::string_view name, const char* at);
  void bind(ir::StrId name, ir::NodeId node);
  ir::StrId madeUpName(std::string_view target);
  ir::NodeId addPlaceholder(std::string_view name, std::string_view target, ir::TypeId type, ir::DescId desc,
                            uint16_t flags, const char* at);
  void addComment(const char* from, const char* to);

  // ---- modules (module.cpp)
  struct OpenClass {
    uint32_t graph;
    int indent;
  };
  bool classLine(int indent);
  bool unindentedChild(std::string_view name, int indent);
  /// Where the comments begin that end the text, right below its last line of code; the end when there are
  /// none.
  const char* commentTail();
  void linkChildren();
  void linkChildrenOf(ir::Graph& g);

  struct Slot {
    uint32_t epoch = 0;
    uint32_t node = ir::NodeId::kNone;
    uint32_t deletedLine = 0;
    bool external = false;
    bool parameterOnly = false;  ///< bound by the signature, not yet by `l_x_ = L_x_`
    bool hasCell = false;        ///< bound to a value that is no node (`x = None`)
  };
  Slot& slot(ir::StrId id) {
    if (id.index >= slots_.size()) slots_.resize(id.index + id.index / 2 + 64);
    return slots_[id.index];
  }
  bool bound(ir::StrId id) { return slot(id).epoch == epoch_; }

  struct Parameter {
    std::string_view name;
    ir::TypeId type;
    ir::DescId desc;
    bool hasDefault = false;
    ir::Cell defaultValue;
    const char* at;
  };
  struct Annotated {
    ir::TypeId type;
    ir::DescId desc;
  };

  std::string_view text_;
  const LineMap& map_;
  ir::DiagnosticSink& sink_;
  ir::Module& module_;
  ir::Context& ctx_;
  RecentTexts<ir::StrId> recentNames_;
  RecentTexts<ir::TypeId> recentTypes_;
  const char* p_;
  const char* end_;
  const char* lineStart_;
  uint32_t line_ = 0;
  mutable std::vector<const char*> lineStarts_;   // of the whole text; made when an earlier line is asked for
  const char* noTriple_[2] = {nullptr, nullptr};  // from here on no ''' or """ closes
  int depth_ = 0;                                 // open brackets
  int nesting_ = 0;                               // expression recursion

  bool failed_ = false;
  std::string failMessage_, failCode_;
  const char* failAt_ = nullptr;

  ir::Graph* g_ = nullptr;
  std::vector<ir::Cell> scratch_;
  std::vector<Slot> slots_;
  uint32_t epoch_ = 0;
  const char* statementStart_ = nullptr;
  int statementIndent_ = 0;
  uint32_t statementFirst_ = 0;            // nodes of this statement have ids from here on
  size_t statementExternals_ = 0;          // externals_ had this size before it
  std::vector<std::string_view> targets_;  // of an assignment: `a = b = f(x)`
  struct NameAt {
    std::string_view name;
    ir::SourceLoc loc;
  };
  // Of this statement, reported when all of it could be read: names that nothing defines, or that were
  // deleted.
  std::vector<NameAt> undefined_, misused_;
  void reportNames();
  std::unordered_map<std::string, uint32_t> counters_;  // made-up names

  std::vector<Parameter> parameters_;
  bool parametersPending_ = false;
  std::unordered_map<uint32_t, Annotated> annotated_;  // by StrId
  uint32_t annotationLines_ = 0;                       // to tell the compact from the expanded pytree form
  uint32_t annotationCount_ = 0;
  bool sawReturn_ = false, sawDeletion_ = false, sawStatement_ = false;
  bool cut_ = false;  // a mark says that lines of this function were left out
  bool metaUnclosed_ = false;
  std::string boxedList_, boxedIter_;
  std::vector<uint32_t> externals_;

  std::vector<std::string_view> comment_;  // lines of the block that is being read
  ir::SourceId source_;
  bool sourceStarts_ = false;
  std::vector<std::string_view> trailing_;

  ir::NodeId aug_;  // an in-place statement that waits for its name
  ir::StrId augTarget_;

  std::vector<std::vector<ir::NodeMetaEntry>> metaBlocks_;

  std::vector<OpenClass> classes_;
  const char* commentTail_ = nullptr;
  std::string pendingOrigin_;
};

}  // namespace descry::importers::fx
