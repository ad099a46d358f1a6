#include "ir/text/printer.h"

#include <charconv>
#include <unordered_map>

#include "ir/core/operators.h"
#include "ir/support/python_text.h"

namespace descry::ir {

namespace {

void appendInt(std::string& out, int64_t value) {
  char buffer[24];
  const auto r = std::to_chars(buffer, buffer + sizeof buffer, value);
  out.append(buffer, static_cast<size_t>(r.ptr - buffer));
}

/// device(type='cuda', index=0) from "cuda:0".
void appendDevice(std::string& out, std::string_view text) {
  const size_t colon = text.find(':');
  out += "device(type=";
  appendPythonString(out, text.substr(0, colon));
  if (colon != std::string_view::npos) {
    out += ", index=";
    out += text.substr(colon + 1);
  }
  out += ')';
}

/// `base.a.b`, with getattr(base, "0") for parts that are no identifiers.
void appendPath(std::string& out, std::string_view base, std::string_view path) {
  std::string text(base);
  for (size_t from = 0; from <= path.size();) {
    const size_t dot = std::min(path.find('.', from), path.size());
    const std::string_view part = path.substr(from, dot - from);
    from = dot + 1;
    if (isIdentifier(part)) {
      text += '.';
      text += part;
    } else {
      // FX writes the part bare between double quotes; a hostile one must not end the string.
      text.insert(0, "getattr(");
      text += ", ";
      if (part.find_first_of("\"\\\n\r\t") == std::string_view::npos) {
        text += '"';
        text += part;
        text += '"';
      } else {
        appendPythonString(text, part);
      }
      text += ')';
    }
  }
  out += text;
}

}  // namespace

void appendValue(std::string& out, ArgView v) {
  const Graph& g = *v.graph();
  switch (v.kind()) {
    case ValueKind::None:
      out += "None";
      return;
    case ValueKind::NodeRef:
      out += g.nodeName(v.node());
      return;
    case ValueKind::Int:
      appendInt(out, v.integer());
      return;
    case ValueKind::Float:
      appendPythonFloat(out, v.real());
      return;
    case ValueKind::Bool:
      out += v.boolean() ? "True" : "False";
      return;
    case ValueKind::Str:
      appendPythonString(out, v.text());
      return;
    case ValueKind::Ellipsis:
      out += "Ellipsis";
      return;
    case ValueKind::Device:
      appendDevice(out, v.text());
      return;
    case ValueKind::GraphRef:
      out += "self.";
      out += v.text();
      return;
    case ValueKind::Tuple:
    case ValueKind::List: {
      const bool tuple = v.kind() == ValueKind::Tuple;
      out += tuple ? '(' : '[';
      for (uint32_t i = 0; i < v.size(); ++i) {
        if (i) out += ", ";
        appendValue(out, v[i]);
      }
      if (tuple && v.size() == 1) out += ',';
      out += tuple ? ')' : ']';
      return;
    }
    case ValueKind::Dict:
      out += '{';
      for (uint32_t i = 0; i + 1 < v.size(); i += 2) {
        if (i) out += ", ";
        appendValue(out, v[i]);
        out += ": ";
        appendValue(out, v[i + 1]);
      }
      out += '}';
      return;
    case ValueKind::Slice:
      out += "slice(";
      for (uint32_t i = 0; i < v.size(); ++i) {
        if (i) out += ", ";
        appendValue(out, v[i]);
      }
      out += ')';
      return;
    case ValueKind::BigInt:
    case ValueKind::Complex:
    case ValueKind::Dtype:
    case ValueKind::Layout:
    case ValueKind::MemoryFormat:
    case ValueKind::OpRef:
    case ValueKind::Opaque:
      out += v.text();
      return;
  }
}

std::string printValue(ArgView value) {
  std::string out;
  appendValue(out, value);
  return out;
}

namespace {

class Printer {
 public:
  Printer(const Module& module, const PrintOptions& options, std::vector<PrintedLine>* lines)
      : module_(module), options_(options), lines_(lines) {}

  void graph(const Graph& g, std::string_view className, int indent, int depth);
  void expression(const Graph& g, NodeId id);
  std::string out;

 private:
  void newline() {
    out += '\n';
    ++line_;
  }
  void pad(int n) { out.append(static_cast<size_t>(n), ' '); }
  void typed(const Graph& g, const Node& n);
  void parameter(const Graph& g, NodeId id, bool withDesc, std::string_view separator);
  void signature(const Graph& g, int indent);
  void args(const Graph& g, const Node& n, uint32_t from);
  void statement(const Graph& g, NodeId id);
  void deletions(const Graph& g, NodeId id);
  void output(const Graph& g, NodeId id, int indent);
  void comment(const Graph& g, const Node& n, int indent, bool first);
  void mark(NodeId id) {
    if (lines_) lines_->push_back({id, line_});
  }

  const Module& module_;
  const PrintOptions& options_;
  std::vector<PrintedLine>* lines_;
  uint32_t line_ = 0;
  std::vector<uint32_t> lastUser_;  // by node id
};

void Printer::typed(const Graph& g, const Node& n) {
  if (!options_.types || !n.type) return;
  const Type& t = g.context().types.at(n.type);
  if (t.kind == TypeKind::Python) {
    out += " : ";
    out += t.text;
  } else if (g.style.quotedTypes || t.kind == TypeKind::Unknown) {
    out += ": \"";
    for (char c : t.text)
      out += c == '"' ? '\'' : c == '\n' || c == '\r' ? ' ' : c;  // none of PyTorch's types holds these
    out += '"';
  } else {
    out += ": ";
    out += t.text;
  }
}

void Printer::parameter(const Graph& g, NodeId id, bool withDesc, std::string_view separator) {
  const Node& n = g.node(id);
  mark(id);
  out += g.str(n.target);
  typed(g, n);
  if (n.argCount) {
    out += " = ";
    appendValue(out, g.arg(id, 0));
  }
  out += separator;
  if (withDesc && options_.descriptors && n.desc) {
    out += "  # ";
    out += g.str(g.context().descriptor(n.desc).text);
  }
}

void Printer::signature(const Graph& g, int indent) {
  const PrintStyle& s = g.style;
  const auto inputs = g.placeholders();
  const std::string arrow = s.returnAnnotation.empty() ? "" : " -> " + s.returnAnnotation;
  bool anyDesc = false;
  for (NodeId id : inputs) anyDesc |= static_cast<bool>(g.node(id).desc);
  const auto names = [&] {  // placeholder parameter names, "a, b,"
    std::string text;
    for (NodeId id : inputs) {
      if (!text.empty()) text += ", ";
      text += g.target(id);
      // PyTorch cuts the name out of `name  # descriptor` and leaves the two blanks when there is no type.
      if (s.signature == SignatureForm::PytreeExpanded && anyDesc && !g.node(id).type) text += "  ";
    }
    return text;
  };
  pad(indent);
  out += "def " + s.functionName + "(";
  switch (s.signature) {
    case SignatureForm::OneLine:
      out += "self";
      for (NodeId id : inputs) {
        out += ", ";
        parameter(g, id, false, "");
      }
      out += ')' + arrow + ':';
      newline();
      return;
    case SignatureForm::Expanded:
      newline();
      pad(indent + 4);
      out += "self,";
      newline();
      for (NodeId id : inputs) {
        pad(indent + 4);
        parameter(g, id, true, ",");
        newline();
      }
      pad(indent);
      out += ')' + arrow + ':';
      newline();
      return;
    case SignatureForm::PytreeCompact:
      out += "self";
      for (const std::string& name : s.signatureNames) out += ", " + name;
      out += ')' + arrow + ':';
      newline();
      if (!inputs.empty()) {
        bool any = false;
        for (NodeId id : inputs) {
          if (!options_.types || !g.node(id).type) continue;
          if (any)
            out += ' ';
          else
            pad(indent + 4);
          any = true;
          parameter(g, id, false, ";");
        }
        if (any) newline();
        newline();
        pad(indent + 4);
        out += names() + ", = fx_pytree.tree_flatten_spec(" + s.flattenSource + ")";
        newline();
      }
      return;
    case SignatureForm::PytreeExpanded:
      newline();
      pad(indent + 4);
      out += "self,";
      newline();
      for (const std::string& name : s.signatureNames) {
        pad(indent + 4);
        out += name + ",";
        newline();
      }
      pad(indent);
      out += ')' + arrow + ':';
      newline();
      if (!inputs.empty()) {
        for (NodeId id : inputs) {
          if (!g.node(id).type) continue;  // PyTorch prints only those with an annotation
          pad(indent + 4);
          parameter(g, id, true, "");
          newline();
        }
        pad(indent + 4);
        out += names() + ", = fx_pytree.tree_flatten_spec(" + s.flattenSource + ")";
        newline();
      }
      return;
    case SignatureForm::Boxed:
      out += "self, args_list)" + arrow + ':';
      newline();
      if (inputs.empty()) return;
      pad(indent + 4);
      out += "args_iter = iter(args_list)";
      newline();
      for (NodeId id : inputs) {
        mark(id);
        pad(indent + 4);
        out += g.target(id);
        out += " = next(args_iter)";
        newline();
      }
      pad(indent + 4);
      out += "args_list.clear()";
      newline();
      return;
    case SignatureForm::Shuffle:
      out += "self";
      for (const std::string& name : s.signatureNames) out += ", " + name;
      out += ')' + arrow + ':';
      newline();
      pad(indent + 4);
      out += s.signatureTail;
      newline();
      pad(indent + 4);
      out += names() + ", = " + s.flattenSource;
      newline();
      return;
  }
}

void Printer::args(const Graph& g, const Node& n, uint32_t from) {
  bool any = false;
  for (uint32_t i = from; i < n.argCount; ++i) {
    if (any) out += ", ";
    any = true;
    appendValue(out, ArgView(&g, n.args + i));
  }
  for (uint32_t i = 0; i < n.kwargCount; ++i) {
    if (any) out += ", ";
    any = true;
    const uint32_t at = n.args + n.argCount + 2 * i;
    out += g.str({g.cell(at).a});
    out += " = ";
    appendValue(out, ArgView(&g, at + 1));
  }
}

void Printer::expression(const Graph& g, NodeId id) {
  const Node& n = g.node(id);
  const std::string_view target = g.str(n.target);
  switch (n.op) {
    case OpKind::GetAttr:
      appendPath(out, "self", target);
      return;
    case OpKind::CallModule:
      appendPath(out, "self", target);
      out += '(';
      args(g, n, 0);
      out += ')';
      return;
    case OpKind::CallMethod: {
      std::string base;
      if (n.argCount) appendValue(base, g.arg(id, 0));
      appendPath(out, base, target);
      out += '(';
      args(g, n, 1);
      out += ')';
      return;
    }
    case OpKind::Placeholder:
      out += target;
      return;
    case OpKind::Output:
      if (n.argCount) appendValue(out, g.arg(id, 0));
      return;
    case OpKind::CallFunction:
      break;
  }
  if (target.starts_with("operator.")) {
    const std::string_view name = target.substr(9);
    if (const OperatorForm* form = findOperator(name);
        form && !form->inPlace && n.kwargCount == 0 && n.argCount == form->arity) {
      if (form->arity == 1) {
        out += form->symbol;
        appendValue(out, g.arg(id, 0));
      } else if (name == "getitem") {
        appendValue(out, g.arg(id, 0));
        out += '[';
        appendValue(out, g.arg(id, 1));
        out += ']';
      } else {
        appendValue(out, g.arg(id, 0));
        out += ' ';
        out += form->symbol;
        out += ' ';
        appendValue(out, g.arg(id, 1));
      }
      return;
    }
    out += "_operator_";
    out += name;
  } else if (target == "builtins.getattr" && n.argCount == 2 && n.kwargCount == 0 &&
             g.arg(id, 1).kind() == ValueKind::Str && isIdentifier(g.arg(id, 1).text())) {
    appendValue(out, g.arg(id, 0));
    out += '.';
    out += g.arg(id, 1).text();
    return;
  } else if (target == kLiteralTarget && n.argCount == 1) {
    appendValue(out, g.arg(id, 0));
    return;
  } else if (target == kUnparsedTarget && n.argCount >= 1) {
    // One line, so that the rest of the text stays readable.
    for (char c : g.arg(id, 0).text()) out += c == '\n' || c == '\r' ? ' ' : c;
    return;
  } else if (target.starts_with("builtins.")) {
    out += target.substr(9);
  } else if (target.starts_with("math.")) {
    out += "math_";
    out += target.substr(5);
  } else {
    out += target;
  }
  out += '(';
  args(g, n, 0);
  out += ')';
}

void Printer::statement(const Graph& g, NodeId id) {
  const Node& n = g.node(id);
  const std::string_view target = g.str(n.target);
  if (n.op == OpKind::CallFunction && target.starts_with("operator.")) {
    const OperatorForm* form = findOperator(target.substr(9));
    if (form && form->inPlace && n.kwargCount == 0 && n.argCount == form->arity) {
      appendValue(out, g.arg(id, 0));
      if (form->arity == 3) {
        out += '[';
        appendValue(out, g.arg(id, 1));
        out += ']';
      }
      out += ' ';
      out += form->symbol;
      out += ' ';
      appendValue(out, g.arg(id, form->arity - 1));
      out += ";  ";
      out += g.str(n.name);
      typed(g, n);
      out += " = ";
      appendValue(out, g.arg(id, 0));
      return;
    }
  }
  // A statement that could not be read holds its own left side.
  if (!(n.flags & (kNodeBareCall | kNodeUnparsed))) {
    out += g.str(n.name);
    typed(g, n);
    out += " = ";
  }
  expression(g, id);
}

void Printer::deletions(const Graph& g, NodeId id) {
  if (!options_.deletions || !g.style.deletions) return;
  bool any = false;
  g.forEachInput(id, [&](NodeId in) {
    if (lastUser_[in.index] != id.index) return;
    lastUser_[in.index] = NodeId::kNone;
    out += any ? " = " : ";  ";
    any = true;
    out += g.nodeName(in);
  });
  // A statement that could not be read may not make the name at all.
  if (!g.hasUsers(id) && !(g.node(id).flags & (kNodeBareCall | kNodeKeepsResult | kNodeUnparsed))) {
    out += any ? " = " : ";  ";
    any = true;
    out += g.nodeName(id);
  }
  if (any) out += " = None";
}

void Printer::output(const Graph& g, NodeId id, int indent) {
  const PrintStyle& s = g.style;
  mark(id);
  pad(indent);
  out += "return ";
  const bool tree = !s.outSpec.empty();
  if (tree) out += "pytree.tree_unflatten(";
  if (g.node(id).argCount == 0) {
    out += "None";
  } else {
    const ArgView value = g.arg(id, 0);
    const bool list = value.kind() == ValueKind::List;
    if (s.returnForm == ReturnForm::OnePerLine && (list || value.kind() == ValueKind::Tuple)) {
      out += list ? '[' : '(';
      newline();
      for (uint32_t i = 0; i < value.size(); ++i) {
        pad(indent + 4);
        appendValue(out, value[i]);
        out += ',';
        if (options_.descriptors && i < g.outputDescs.size() && g.outputDescs[i]) {
          out += "  # ";
          out += g.str(g.context().descriptor(g.outputDescs[i]).text);
        }
        newline();
      }
      pad(indent);
      out += list ? ']' : ')';
    } else if (s.signature == SignatureForm::Shuffle && tree) {
      // return pytree.tree_unflatten(self._out_shuffle_graph(<leaves>, <outputs>), self._out_spec)
      out += "self._out_shuffle_graph(";
      out += s.shuffleLeaves;
      for (uint32_t i = 0; i < value.size(); ++i) {
        out += ", ";
        appendValue(out, value[i]);
      }
      out += ')';
    } else {
      appendValue(out, value);
    }
  }
  if (tree) out += ", " + s.outSpec + ")";
  newline();
}

void Printer::comment(const Graph& g, const Node& n, int indent, bool first) {
  if (!first) newline();
  const std::string_view text = g.str(g.context().source(n.source).comment);
  for (size_t from = 0; from <= text.size();) {
    const size_t end = std::min(text.find('\n', from), text.size());
    pad(indent);
    out += text.substr(from, end - from);
    newline();
    from = end + 1;
  }
}

void Printer::graph(const Graph& g, std::string_view className, int indent, int depth) {
  const PrintStyle& s = g.style;
  int defIndent = indent;
  if (s.hasClass || depth > 0) {
    pad(indent);
    if (!s.origin.empty() && depth == 0) out += s.origin + " ";
    out += "class ";
    out += className;
    out += "(" + s.classBase + "):";
    newline();
    defIndent = indent + 4;
  }
  signature(g, defIndent);
  const int body = defIndent + 4;

  lastUser_.assign(g.idBound(), NodeId::kNone);
  if (options_.deletions && s.deletions)
    for (NodeId id : g.nodes()) g.forEachInput(id, [&](NodeId in) { lastUser_[in.index] = id.index; });

  const auto lines = [&](const std::vector<std::string>& comments, int at) {
    if (!options_.comments) return;
    for (const std::string& line : comments) {
      pad(at);
      out += line;
      newline();
    }
  };
  SourceId shown;
  bool first = true;
  bool anyStatement = false, returned = false;
  for (NodeId id : g.nodes()) {
    const Node& n = g.node(id);
    if (n.op == OpKind::Placeholder) {
      if (n.name == n.target || s.signature == SignatureForm::Boxed) continue;
      std::string_view parameterName = g.str(n.target);
      while (parameterName.starts_with('*')) parameterName.remove_prefix(1);
      if (parameterName == g.str(n.name)) continue;
      pad(body);
      out += g.str(n.name);
      out += " = ";
      out += parameterName;
      newline();
      anyStatement = true;
      first = false;
      continue;
    }
    anyStatement = true;
    if (n.op == OpKind::Output) {
      if (!s.hasReturn) continue;
      lines(s.beforeReturn, body);
      output(g, id, body);
      returned = true;
      continue;
    }
    if (options_.comments && n.source && ((n.flags & kNodeStartsSource) || n.source != shown)) {
      comment(g, n, body, first);
      shown = n.source;
    }
    first = false;
    mark(id);
    pad(body);
    statement(g, id);
    deletions(g, id);
    newline();
  }
  if (!anyStatement || s.pass) {
    pad(body);
    out += "pass";
    newline();
  }
  if (!returned) lines(s.beforeReturn, body);
  if (depth > 0) lines(s.trailing, body);

  if (depth < 60) {  // importers cap nesting at 50; a module made by hand could name itself
    for (const Graph::Child& c : g.children) {
      newline();
      graph(module_.graphs[c.graph], g.str(c.attribute), defIndent, depth + 1);
    }
  }
  if (depth == 0) lines(s.trailing, indent);
}

}  // namespace

std::string printGraph(const Module& module, const Graph& graph, const PrintOptions& options,
                       std::vector<PrintedLine>* lines) {
  Printer p(module, options, lines);
  p.out.reserve(graph.size() * 96);
  p.graph(graph, graph.style.className, 0, 0);
  return std::move(p.out);
}

std::string printModule(const Module& module, const PrintOptions& options, std::vector<PrintedLine>* lines) {
  return module.graphs.empty() ? std::string() : printGraph(module, module.root(), options, lines);
}

std::string printExpression(const Graph& graph, NodeId id) {
  const Module none(graph.contextPtr());
  Printer p(none, PrintOptions{}, nullptr);
  p.expression(graph, id);
  return std::move(p.out);
}

}  // namespace descry::ir
