#include "ir/ops/eval/interpreter.h"

#include <algorithm>
#include <cmath>

#include "ir/ops/eval/builtins.h"
#include "ir/ops/eval/promotion.h"
#include "ir/ops/eval/strides.h"

namespace descry::ir::eval {

using rules::BinaryOp;
using rules::CompareOp;
using rules::Expr;
using rules::ExprKind;
using rules::Stmt;
using rules::StmtKind;

namespace {

struct LambdaObject : FunctionObject {
  const Expr* expr = nullptr;
  const rules::Function* function = nullptr;
  Values locals;
  ~LambdaObject() override { release(locals); }
};
struct HelperObject : FunctionObject {
  const rules::Function* function = nullptr;
};

/// `aten.add.Tensor` as text when the chain starts with a global name; else empty.
bool dottedPath(const Expr& e, std::string& out) {
  if (e.kind == ExprKind::Global) {
    out = e.text;
    return true;
  }
  if (e.kind != ExprKind::Attribute || !dottedPath(*e.kids[0], out)) return false;
  out += '.';
  out += e.text;
  return true;
}

}  // namespace

const Value* ShapeCall::argument(std::string_view name) const {
  const Schema& schema = op->schema();
  for (size_t i = 0; i < schema.arguments.size(); ++i)
    if (schema.arguments[i].name == name) return &(*args)[i];
  return nullptr;
}

void Interpreter::fail(const Expr& e, const Frame& frame, const std::string& message) const {
  if (frame.function->declared) {
    EvalError error("rule-error", message);
    error.file = frame.function->file;
    error.line = e.line;
    error.column = e.column;
    throw error;
  }
  throw EvalError("rule-error", frame.function->file + ":" + std::to_string(e.line) + ": " + message);
}

Value Interpreter::run(const rules::Function& f, Values args) {
  if (++depth_ > 300) {
    --depth_;
    throw EvalError("rule-limit", "rules call one another without end, in " + f.name);
  }
  struct Leave {
    Interpreter& i;
    bool python;
    ~Leave() {
      --i.depth_;
      i.python_ = python;
    }
  } leave{*this, python_};
  python_ = f.python;
  if (f.declared) return runDeclared(f, std::move(args));
  Frame frame;
  frame.function = &f;
  frame.locals = std::move(args);
  frame.locals.resize(f.locals.size());
  exec(f.body, frame);
  return std::move(frame.result);
}

Value Interpreter::callFunction(const rules::Function& f, Values args, Keywords keywords) {
  Values bound(f.params.size());
  std::vector<bool> given(f.params.size(), false);
  size_t at = 0;
  for (size_t i = 0; i < f.params.size() && at < args.size(); ++i) {
    const rules::Parameter& p = f.params[i];
    if (p.star) {
      bound[i] = Value::tuple(Values(args.begin() + static_cast<std::ptrdiff_t>(at), args.end()));
      given[i] = true;
      at = args.size();
    } else if (!p.keywordOnly && !p.doubleStar) {
      bound[i] = args[at++];
      given[i] = true;
    }
  }
  if (at < args.size())
    throw EvalError("type-error", f.name + "() takes at most " + std::to_string(at) +
                                      " positional arguments, found " + std::to_string(args.size()));
  Values rest;
  size_t restAt = f.params.size();
  for (size_t i = 0; i < f.params.size(); ++i)
    if (f.params[i].doubleStar) restAt = i;
  for (auto& [key, value] : keywords) {
    size_t i = 0;
    while (i < f.params.size() && (f.params[i].name != key || f.params[i].star)) ++i;
    if (i < f.params.size() && i != restAt) {
      if (given[i]) throw EvalError("type-error", f.name + "() got '" + std::string(key) + "' twice");
      bound[i] = value;
      given[i] = true;
    } else if (restAt < f.params.size()) {
      rest.push_back(Value::str(key));
      rest.push_back(value);
    } else {
      throw EvalError("type-error",
                      f.name + "() got an unexpected keyword argument '" + std::string(key) + "'");
    }
  }
  Frame frame;
  frame.function = &f;
  for (size_t i = 0; i < f.params.size(); ++i) {
    if (given[i]) continue;
    const rules::Parameter& p = f.params[i];
    if (p.star)
      bound[i] = Value::tuple({});
    else if (p.doubleStar)
      bound[i] = Value(std::move(rest), VKind::Dict);
    else if (p.defaultValue)
      bound[i] = eval(*p.defaultValue, frame);
    else
      throw EvalError("type-error", f.name + "() misses the argument '" + p.name + "'");
  }
  return run(f, std::move(bound));
}

Value Interpreter::callValue(const Value& function, Values args, Keywords keywords) {
  if (function.kind() != VKind::Function)
    throw EvalError("rule-error", function.describe() + " cannot be called");
  if (!function.object()) return builtinAt(function.raw()).call(*this, args, keywords);
  if (auto* lambda = dynamic_cast<LambdaObject*>(function.object())) {
    Frame frame;
    frame.function = lambda->function;
    frame.locals = lambda->locals;
    for (size_t i = 0; i < lambda->expr->targets.size() && i < args.size(); ++i)
      frame.locals[static_cast<size_t>(lambda->expr->targets[i])] = args[i];
    return eval(*lambda->expr->kids[0], frame);
  }
  return callFunction(*static_cast<HelperObject*>(function.object())->function, std::move(args),
                      std::move(keywords));
}

Interpreter::Flow Interpreter::exec(const std::vector<Stmt>& body, Frame& frame) {
  for (const Stmt& s : body) {
    switch (s.kind) {
      case StmtKind::Expr:
        eval(*s.value, frame);
        break;
      case StmtKind::Assign: {
        const Expr &target = *s.target, &value = *s.value;
        const bool grows = target.kind == ExprKind::Local && value.kind == ExprKind::Binary &&
                           static_cast<BinaryOp>(value.op) == BinaryOp::Add &&
                           value.kids[0]->kind == ExprKind::Local && value.kids[0]->slot == target.slot;
        if (!grows) {
          assign(target, eval(value, frame), frame);
          break;
        }
        // Rules build long lists by `list = list + more`, which would copy them each time: where nobody else
        // holds the list it grows in place.
        const Value more = eval(*value.kids[1], frame);
        Value& now = frame.locals[static_cast<size_t>(target.slot)];
        spendOn(more);
        if (now.isList() && more.isList() && now.object()->refs == 1) {
          now.items().insert(now.items().end(), more.items().begin(), more.items().end());
        } else {
          spendOn(now);
          now = binary(BinaryOp::Add, now, more, python_);
        }
        break;
      }
      case StmtKind::AugAssign: {
        const Value now = eval(*s.target, frame);
        const Value with = eval(*s.value, frame);
        if (now.isTensor()) {
          static constexpr const char* kInPlace[] = {"add_",          "sub_",       "mul_",    "div_",
                                                     "floor_divide_", "remainder_", "pow_",    "matmul_",
                                                     "__iand__",      "__ior__",    "__ixor__"};
          const OpDef* op = ops_.findName("aten", kInPlace[static_cast<size_t>(s.op)]);
          if (!op) fail(*s.value, frame, "no in-place operator");
          assign(*s.target, callOp(op, {now, with}, {}, python_, true), frame);
        } else if (now.kind() == VKind::List && s.op == BinaryOp::Add) {
          spendOn(with);
          for (const Value& v : elementsOf(with)) now.items().push_back(v);
        } else {
          assign(*s.target, binary(s.op, now, with, python_), frame);
        }
        break;
      }
      case StmtKind::If: {
        const Flow f = exec(eval(*s.value, frame).truthy() ? s.body : s.orElse, frame);
        if (f != Flow::Next) return f;
        break;
      }
      case StmtKind::For: {
        const Value through = eval(*s.value, frame);
        spendOn(through);
        for (const Value& v : elementsOf(through)) {
          assign(*s.target, v, frame);
          const Flow f = exec(s.body, frame);
          if (f == Flow::Return) return f;
          if (f == Flow::Break) break;
        }
        break;
      }
      case StmtKind::While: {
        int rounds = 0;
        while (eval(*s.value, frame).truthy()) {
          spend(1);
          if (left_ < 0 && ++rounds > 1000000) fail(*s.value, frame, "a loop without end");
          const Flow f = exec(s.body, frame);
          if (f == Flow::Return) return f;
          if (f == Flow::Break) break;
        }
        break;
      }
      case StmtKind::Return:
        frame.result = s.value ? eval(*s.value, frame) : Value();
        return Flow::Return;
      case StmtKind::Break:
        return Flow::Break;
      case StmtKind::Continue:
        return Flow::Continue;
      case StmtKind::Pass:
        break;
      case StmtKind::Assert:
        if (!eval(*s.value, frame).truthy())
          throw EvalError("shape-error", s.message ? textOf(eval(*s.message, frame))
                                                   : "assertion failed in " + frame.function->name);
        break;
      case StmtKind::Raise:
        throw EvalError("shape-error", textOf(eval(*s.value, frame)));
    }
  }
  return Flow::Next;
}

void Interpreter::assign(const Expr& target, const Value& value, Frame& frame) {
  switch (target.kind) {
    case ExprKind::Local:
      frame.locals[static_cast<size_t>(target.slot)] = value;
      return;
    case ExprKind::Tuple:
    case ExprKind::List: {
      const Values items = elementsOf(value);
      const auto star = std::find_if(target.kids.begin(), target.kids.end(),
                                     [](const auto& k) { return k->kind == ExprKind::Star; });
      if (star == target.kids.end()) {
        if (items.size() != target.kids.size())
          fail(target, frame,
               "expected " + std::to_string(target.kids.size()) + " values to unpack, found " +
                   std::to_string(items.size()));
        for (size_t i = 0; i < items.size(); ++i) assign(*target.kids[i], items[i], frame);
        return;
      }
      const size_t before = static_cast<size_t>(star - target.kids.begin()),
                   after = target.kids.size() - before - 1;
      if (items.size() < before + after) fail(target, frame, "too few values to unpack");
      for (size_t i = 0; i < before; ++i) assign(*target.kids[i], items[i], frame);
      assign(*(*star)->kids[0],
             Value(Values(items.begin() + static_cast<std::ptrdiff_t>(before),
                          items.end() - static_cast<std::ptrdiff_t>(after))),
             frame);
      for (size_t i = 0; i < after; ++i)
        assign(*target.kids[before + 1 + i], items[items.size() - after + i], frame);
      return;
    }
    case ExprKind::Index: {
      const Value object = eval(*target.kids[0], frame);
      const Value at = eval(*target.kids[1], frame);
      if (object.isTensor()) return host_->setIndex(object, at, value);
      if (object.kind() == VKind::Dict) {
        for (size_t i = 0; i < object.items().size(); i += 2)
          if (sameAs(object.items()[i], at)) {
            object.items()[i + 1] = value;
            return;
          }
        object.items().push_back(at);
        object.items().push_back(value);
        return;
      }
      if (!object.isList()) fail(target, frame, "cannot assign into " + object.describe());
      int64_t i = at.toInt().known();
      if (i < 0) i += static_cast<int64_t>(object.items().size());
      if (i < 0 || i >= static_cast<int64_t>(object.items().size()))
        fail(target, frame, "index out of range");
      object.items()[static_cast<size_t>(i)] = value;
      return;
    }
    default:
      fail(target, frame, "cannot assign to this");
  }
}

Value Interpreter::evalGlobal(const Expr& e) {
  const int64_t builtin = findBuiltin(e.text);
  if (builtin >= 0) return Value::builtin(builtin);
  Value constant;
  if (constantNamed(e.text, constant)) return constant;
  Diagnostic problem;
  if (const rules::Function* f = ops_.function(e.text, &problem)) {
    auto o = make<HelperObject>();
    o->function = f;
    return Value::function(o);
  }
  if (!problem.message.empty()) throw EvalError("rule-error", problem.text());
  throw EvalError("rule-error", "unknown name '" + e.text + "'");
}

Value Interpreter::eval(const Expr& e, Frame& frame) {
  if (left_ < 0) return evalHere(e, frame);
  frame.at = &e;
  spend(1);
  Value v = evalHere(e, frame);
  // What makes new lists and texts.
  if (e.kind == ExprKind::Call || e.kind == ExprKind::Binary || e.kind == ExprKind::FString ||
      e.kind == ExprKind::Index || e.kind == ExprKind::List || e.kind == ExprKind::Tuple) {
    frame.at = &e;
    spendOn(v);
  }
  return v;
}

Value Interpreter::evalHere(const Expr& e, Frame& frame) {
  switch (e.kind) {
    case ExprKind::None:
      return {};
    case ExprKind::True:
      return Value::boolean(true);
    case ExprKind::False:
      return Value::boolean(false);
    case ExprKind::Int:
      return e.integer;
    case ExprKind::Float:
      return Value::real(e.real);
    case ExprKind::Imaginary:
      return Value::complex(0, e.real);
    case ExprKind::Str:
      return Value::str(e.text);
    case ExprKind::FString: {
      std::string out;
      for (const auto& k : e.kids) out += textOf(eval(*k, frame));
      return Value::str(out);
    }
    case ExprKind::Ellipsis:
      return Value::ellipsis();
    case ExprKind::Local:
      return frame.locals[static_cast<size_t>(e.slot)];
    case ExprKind::Global:
      return evalGlobal(e);
    case ExprKind::Attribute: {
      std::string path;
      if (dottedPath(e, path)) {
        Value constant;
        if (constantNamed(path, constant)) return constant;
        if (path.starts_with("torch.") || path.starts_with("aten.") || path.starts_with("prims.") ||
            path.starts_with("math.") || path.starts_with("sys."))
          fail(e, frame, "unknown constant '" + path + "'");
      }
      return attributeOf(eval(*e.kids[0], frame), e.text);
    }
    case ExprKind::Call:
      return evalCall(e, frame);
    case ExprKind::Index:
      return subscript(eval(*e.kids[0], frame), eval(*e.kids[1], frame), python_);
    case ExprKind::Slice: {
      Values parts;
      for (const auto& k : e.kids) parts.push_back(eval(*k, frame));
      return Value(std::move(parts), VKind::Slice);
    }
    case ExprKind::Unary: {
      const Value v = eval(*e.kids[0], frame);
      if (e.op == '!') return Value::boolean(!v.truthy());
      return unary(static_cast<char>(e.op), v, python_);
    }
    case ExprKind::Binary: {
      const Value a = eval(*e.kids[0], frame), b = eval(*e.kids[1], frame);
      frame.at = &e;
      return binary(static_cast<BinaryOp>(e.op), a, b, python_);
    }
    case ExprKind::And: {
      Value a = eval(*e.kids[0], frame);
      return a.truthy() ? eval(*e.kids[1], frame) : a;
    }
    case ExprKind::Or: {
      Value a = eval(*e.kids[0], frame);
      return a.truthy() ? a : eval(*e.kids[1], frame);
    }
    case ExprKind::Compare: {
      Value a = eval(*e.kids[0], frame), result;
      for (size_t i = 0; i < e.compares.size(); ++i) {
        Value b = eval(*e.kids[i + 1], frame);
        spendOn(b);
        result = compare(e.compares[i], a, b, python_);
        if (i + 1 < e.compares.size() && !result.truthy()) return result;
        a = std::move(b);
      }
      return result;
    }
    case ExprKind::IfElse:
      return eval(*e.kids[eval(*e.kids[0], frame).truthy() ? 1 : 2], frame);
    case ExprKind::List:
    case ExprKind::Tuple: {
      Values items;
      items.reserve(e.kids.size());
      for (const auto& k : e.kids) {
        if (k->kind == ExprKind::Star) {
          for (const Value& v : elementsOf(eval(*k->kids[0], frame))) items.push_back(v);
        } else {
          items.push_back(eval(*k, frame));
        }
      }
      return Value(std::move(items), e.kind == ExprKind::List ? VKind::List : VKind::Tuple);
    }
    case ExprKind::Dict: {
      Values items;
      for (const auto& k : e.kids) items.push_back(eval(*k, frame));
      return Value(std::move(items), VKind::Dict);
    }
    case ExprKind::Comprehension: {
      Values items;
      const Value through = eval(*e.kids[1], frame);
      spendOn(through);
      for (const Value& v : elementsOf(through)) {
        if (e.targets.size() == 1) {
          frame.locals[static_cast<size_t>(e.targets[0])] = v;
        } else {
          const Values parts = elementsOf(v);
          for (size_t i = 0; i < e.targets.size() && i < parts.size(); ++i)
            frame.locals[static_cast<size_t>(e.targets[i])] = parts[i];
        }
        if (e.kids.size() > 2 && !eval(*e.kids[2], frame).truthy()) continue;
        items.push_back(eval(*e.kids[0], frame));
      }
      return Value(std::move(items));
    }
    case ExprKind::Lambda: {
      auto o = make<LambdaObject>();
      o->expr = &e;
      o->function = frame.function;
      o->locals = frame.locals;
      return Value::function(o);
    }
    case ExprKind::Star:
      break;
  }
  fail(e, frame, "a star has no place here");
}

Value Interpreter::evalCall(const Expr& e, Frame& frame) {
  const Expr& callee = *e.kids[0];
  const size_t positional = e.kids.size() - 1 - e.keys.size();
  Values args;
  args.reserve(positional + 1);
  Value receiver;
  std::string path;
  // 0 unknown, 1 op head, 2 one overload, 3 helper, 4 built-in, 5 torch-level spelling, 6 method, 7 value
  uint8_t known = callee.kind == ExprKind::Attribute || callee.kind == ExprKind::Global ? e.call.known : 7;
  if (!known && dottedPath(callee, path)) {
    const bool torch = path.starts_with("torch.") && !path.starts_with("torch.ops.");
    if (callee.kind == ExprKind::Global) {
      Diagnostic problem;
      if (findBuiltin(path) >= 0) {
        known = 4;
        e.call.function = &builtinAt(findBuiltin(path));
      } else if (const rules::Function* f = ops_.function(path, &problem)) {
        known = 3;
        e.call.function = f;
      } else if (!problem.message.empty()) {
        throw EvalError("rule-error", problem.text());
      } else {
        known = 7;
      }
    } else if (torch) {
      known = 5;
      if (findBuiltin(path) >= 0) {
        known = 4;
        e.call.function = &builtinAt(findBuiltin(path));
      }
    } else {
      std::string_view ns, name, overload;
      splitTarget(path, ns, name, overload);
      const OpDef* head = ops_.findName(ns, name);
      if (head && overload.empty()) {
        known = 1;
        e.call.op = head;
      } else if (head) {
        known = 2;
        e.call.op = ops_.find(path);
        if (!e.call.op) fail(e, frame, "no op '" + path + "'");
      } else if (path.starts_with("aten.") || path.starts_with("prims.")) {
        fail(e, frame, "no op '" + path + "'");
      } else {
        known = 6;
      }
    }
  } else if (!known) {
    known = 6;
  }
  e.call.known = known;
  if (known == 6)
    receiver = eval(*callee.kids[0], frame);
  else if (known == 7)
    receiver = eval(callee, frame);
  for (size_t i = 1; i <= positional; ++i) {
    if (e.kids[i]->kind == ExprKind::Star) {
      for (const Value& v : elementsOf(eval(*e.kids[i]->kids[0], frame))) args.push_back(v);
    } else {
      args.push_back(eval(*e.kids[i], frame));
    }
  }
  Keywords keywords;
  for (size_t k = 0; k < e.keys.size(); ++k)
    keywords.emplace_back(e.keys[k], eval(*e.kids[positional + 1 + k], frame));
  frame.at = &e;
  if (left_ >= 0) {
    takeSteps(kStepsOfCall);
    spendOn(receiver);
    for (const Value& v : args) spendOn(v);
  }
  try {
    switch (known) {
      case 1:
        return callOp(e.call.op, std::move(args), keywords, python_);
      case 2: {
        Values bound;
        std::string why;
        // An overload named in full takes numbers for tensors where PyTorch's binding does.
        if (!bindTo(*e.call.op, args, keywords, true, false, bound, &why, true))
          fail(e, frame, e.call.op->target() + ": " + why);
        return host_->call(*e.call.op, std::move(bound));
      }
      case 3:
        return callFunction(*static_cast<const rules::Function*>(e.call.function), std::move(args),
                            std::move(keywords));
      case 4:
        return static_cast<const Builtin*>(e.call.function)->call(*this, args, keywords);
      case 5:
        dottedPath(callee, path);
        return callSpelling(path, std::move(args), keywords);
      case 6: {
        bool found = false;
        Value v = method(receiver, callee.text, std::move(args), keywords, found);
        if (!found) fail(e, frame, receiver.describe() + " has no method '" + callee.text + "'");
        return v;
      }
      default:
        return callValue(receiver, std::move(args), std::move(keywords));
    }
  } catch (EvalError& error) {
    if (error.code == "type-error") fail(e, frame, error.what());
    throw;
  }
}

}  // namespace descry::ir::eval
