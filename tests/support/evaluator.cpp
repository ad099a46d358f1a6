#include "tests/support/evaluator.h"

#include <algorithm>

#include "tests/support/evaluator_ops.h"

namespace descry::test {

int64_t Tensor::numel() const {
  int64_t n = 1;
  for (const int64_t s : sizes) n *= s;
  return n;
}

double& Tensor::at(int64_t flat) const {
  int64_t where = offset;
  for (size_t d = sizes.size(); d-- > 0;) {
    where += flat % sizes[d] * strides[d];
    flat /= sizes[d];
  }
  if (where < 0 || static_cast<size_t>(where) >= storage->size())
    throw EvaluationError("a view reaches out of its storage");
  return (*storage)[static_cast<size_t>(where)];
}

std::vector<double> Tensor::values() const {
  std::vector<double> out;
  for (int64_t i = 0, n = numel(); i < n; ++i) out.push_back(at(i));
  return out;
}

Sizes contiguousStrides(const Sizes& sizes) {
  Sizes out(sizes.size());
  int64_t step = 1;
  for (size_t d = sizes.size(); d-- > 0;) {
    out[d] = step;
    step *= std::max<int64_t>(sizes[d], 1);
  }
  return out;
}

TensorPtr newTensor(const Sizes& sizes) {
  return newTensor(sizes, contiguousStrides(sizes));
}

TensorPtr newTensor(const Sizes& sizes, const Sizes& strides) {
  auto out = std::make_shared<Tensor>();
  out->sizes = sizes;
  out->strides = strides;
  int64_t reach = 1;
  for (size_t d = 0; d < sizes.size(); ++d) {
    if (sizes[d] == 0) reach = 0;
    if (reach != 0) reach += (sizes[d] - 1) * strides[d];
  }
  out->storage = std::make_shared<std::vector<double>>(static_cast<size_t>(reach), 0.0);
  return out;
}

TensorPtr viewOf(const TensorPtr& t, Sizes sizes, Sizes strides, int64_t offset) {
  auto out = std::make_shared<Tensor>();
  out->storage = t->storage;
  out->sizes = std::move(sizes);
  out->strides = std::move(strides);
  out->offset = offset;
  return out;
}

Item::Item(const Sizes& ints) : kind(Kind::List) {
  for (const int64_t v : ints) items.emplace_back(v);
}

Item Item::boolean(bool v) {
  Item out(static_cast<int64_t>(v));
  out.kind = Kind::Bool;
  return out;
}

Item Item::string(std::string v) {
  Item out;
  out.kind = Kind::Text;
  out.text = std::move(v);
  return out;
}

namespace {

std::string shown(const Sizes& sizes) {
  std::string out;
  for (const int64_t s : sizes) out += (out.empty() ? "" : ", ") + std::to_string(s);
  return "[" + out + "]";
}

/// Sizes or strides of a type, when all of them are numbers.
bool numbers(const std::vector<ir::Dim>& dims, Sizes& out) {
  for (const ir::Dim& d : dims) {
    if (d.symbolic()) return false;
    out.push_back(d.value);
  }
  return true;
}

bool sharesStorage(const Item& item, const TensorPtr& t) {
  if (item.kind == Item::Kind::Tensor) return item.tensor->storage == t->storage;
  return std::any_of(item.items.begin(), item.items.end(),
                     [&](const Item& i) { return sharesStorage(i, t); });
}

/// Strides of dims of size 1 say nothing.
bool sameStrides(const Sizes& sizes, const Sizes& a, const Sizes& b) {
  for (size_t d = 0; d < sizes.size(); ++d)
    if (sizes[d] > 1 && a[d] != b[d]) return false;
  return true;
}

class Run {
 public:
  Run(const ir::Graph& graph, Evaluation& out) : graph_(graph), out_(out), values_(graph.idBound()) {}

  void all(const std::vector<Item>& inputs) {
    size_t next = 0;
    for (const ir::NodeId id : graph_.nodes()) {
      const ir::Node& n = graph_.node(id);
      if (n.op == ir::OpKind::Output) break;
      if (n.op == ir::OpKind::Placeholder) {
        if (next >= inputs.size()) throw EvaluationError("too few inputs");
        values_[id.index] = inputs[next++];
      } else if (n.op == ir::OpKind::CallFunction) {
        try {
          values_[id.index] = step(id);
        } catch (const EvaluationError& e) {
          throw EvaluationError(std::string(graph_.nodeName(id)) + " = " + std::string(graph_.target(id)) +
                                ": " + e.what());
        }
      } else {
        throw EvaluationError(std::string(graph_.nodeName(id)) + ": nodes of this kind are not run");
      }
      out_.values[std::string(graph_.nodeName(id))] = values_[id.index];
    }
    for (const ir::ArgView a : graph_.outputs()) out_.outputs.push_back(item(a));
  }

 private:
  Item item(ir::ArgView a) const {
    switch (a.kind()) {
      case ir::ValueKind::None:
        return {};
      case ir::ValueKind::NodeRef:
        return values_[a.node().index];
      case ir::ValueKind::Int:
        return a.integer();
      case ir::ValueKind::Bool:
        return Item::boolean(a.boolean());
      case ir::ValueKind::Float:
        return a.real();
      case ir::ValueKind::List:
      case ir::ValueKind::Tuple: {
        std::vector<Item> list;
        for (uint32_t i = 0; i < a.size(); ++i) list.push_back(item(a[i]));
        return list;
      }
      default:
        return Item::string(std::string(a.text()));
    }
  }

  Item step(ir::NodeId id) const {
    std::vector<Item> args;
    Keywords keywords;
    for (uint32_t i = 0; i < graph_.argCount(id); ++i) args.push_back(item(graph_.arg(id, i)));
    for (uint32_t i = 0; i < graph_.kwargCount(id); ++i)
      keywords.emplace(graph_.kwargKey(id, i), item(graph_.kwarg(id, i)));
    const std::string_view target = graph_.target(id);
    constexpr std::string_view kAten = "torch.ops.aten.";
    Item result;
    if (target == "operator.getitem" || target == "_operator.getitem") {
      if (args.size() != 2 || args[0].kind != Item::Kind::List || args[1].i < 0 ||
          static_cast<size_t>(args[1].i) >= args[0].items.size())
        throw EvaluationError("not an item of a list");
      result = args[0].items[static_cast<size_t>(args[1].i)];
      // It shares its storage with the list, of course: the layout of a result that is no view is still free.
      args.clear();
    } else if (target.substr(0, kAten.size()) == kAten) {
      result = call(target.substr(kAten.size()), args, keywords);
    } else {
      throw EvaluationError("not an aten op");
    }
    if (result.kind == Item::Kind::Tensor) fit(*result.tensor, graph_.type(id), args, result.tensor);
    return result;
  }

  static void fit(Tensor& t, const ir::Type& type, const std::vector<Item>& args, const TensorPtr& self) {
    if (type.kind != ir::TypeKind::Tensor) return;
    Sizes sizes, strides;
    if (!numbers(type.tensor.shape, sizes)) return;
    if (sizes != t.sizes)
      throw EvaluationError("has sizes " + shown(t.sizes) + ", its type says " + type.text);
    if (!type.tensor.strides || !numbers(*type.tensor.strides, strides) || t.numel() == 0) return;
    if (sameStrides(sizes, t.strides, strides)) {
      t.strides = strides;
      return;
    }
    const bool view =
        std::any_of(args.begin(), args.end(), [&](const Item& a) { return sharesStorage(a, self); });
    if (view || t.offset != 0 || t.storage->size() != static_cast<size_t>(t.numel()))
      throw EvaluationError("has strides " + shown(t.strides) + ", its type says " + type.text);
    const std::vector<double> values = t.values();
    const TensorPtr laid = newTensor(sizes, strides);
    *t.storage = *laid->storage;
    t.strides = strides;
    for (int64_t i = 0; i < t.numel(); ++i) t.at(i) = values[static_cast<size_t>(i)];
  }

  const ir::Graph& graph_;
  Evaluation& out_;
  std::vector<Item> values_;
};

}  // namespace

Item call(std::string_view op, const std::vector<Item>& args, const Keywords& keywords) {
  const size_t dot = op.find('.');
  const std::string base(op.substr(0, dot));
  const std::string overload(dot == std::string_view::npos ? "default" : op.substr(dot + 1));
  const Call c{base, overload, args, keywords};
  for (const OpGroup group : {&callView, &callPointwise, &callReduction, &callOther})
    if (std::optional<Item> r = group(c)) return *r;
  // An in-place op is the plain one whose result is written into the first argument.
  if (base.size() > 1 && base.back() == '_') {
    const TensorPtr self = c.tensor(0, "self");
    const Item plain = call(base.substr(0, base.size() - 1) + "." + overload, args, keywords);
    if (plain.kind != Item::Kind::Tensor || plain.tensor->sizes != self->sizes)
      throw EvaluationError("an in-place result of other sizes");
    const std::vector<double> values = plain.tensor->values();
    for (size_t i = 0; i < values.size(); ++i) self->at(static_cast<int64_t>(i)) = values[i];
    return self;
  }
  throw EvaluationError("the evaluator does not know `" + std::string(op) + "`");
}

Evaluation evaluate(const ir::Graph& graph, const std::vector<Item>& inputs) {
  Evaluation out;
  Run(graph, out).all(inputs);
  return out;
}

}  // namespace descry::test
