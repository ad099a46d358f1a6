#include "tests/support/random_programs.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace descry::test {

namespace {

std::string listed(const Sizes& v) {
  std::string out;
  for (const int64_t s : v) out += (out.empty() ? "" : ", ") + std::to_string(s);
  return out;
}

std::string filledIn(const std::string& text, const std::vector<size_t>& operands) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    const bool hole = text[i] == '{' && i + 2 < text.size() && text[i + 2] == '}' && text[i + 1] >= '0' &&
                      text[i + 1] <= '9';
    if (!hole) {
      out += text[i];
      continue;
    }
    out += "v" + std::to_string(operands.at(static_cast<size_t>(text[i + 1] - '0')));
    i += 2;
  }
  return out;
}

}  // namespace

std::string Program::text() const {
  std::string out = "class GraphModule(torch.nn.Module):\n    def forward(self";
  for (size_t i = 0; i < inputs.size(); ++i)
    out += ", v" + std::to_string(i) + ": \"f64[" + listed(inputs[i].sizes) + "][" +
           listed(inputs[i].strides) + "]cpu\"";
  out += "):\n";
  for (size_t k = 0; k < statements.size(); ++k) {
    const Statement& s = statements[k];
    const std::string line = filledIn(s.text, s.operands), name = "v" + std::to_string(inputs.size() + k);
    out += "        " +
           (s.assigns ? line + ";  " + name + " = v" + std::to_string(s.operands[0]) : name + " = " + line) +
           "\n";
  }
  out += "        return (";
  for (const size_t o : outputs) out += "v" + std::to_string(o) + ", ";
  out += ")\n";
  return out;
}

std::vector<Item> Program::makeInputs(std::vector<std::shared_ptr<std::vector<double>>>& memory) const {
  memory.clear();
  for (const ProgramStorage& s : storages) memory.push_back(std::make_shared<std::vector<double>>(s.values));
  std::vector<Item> out;
  for (const ProgramInput& i : inputs) {
    if (i.sameAs) {
      out.push_back(out[*i.sameAs]);
      continue;
    }
    auto t = std::make_shared<Tensor>();
    t->storage = memory[i.storage];
    t->sizes = i.sizes;
    t->strides = i.strides;
    t->offset = i.offset;
    out.emplace_back(t);
  }
  return out;
}

std::vector<Item> Program::run(std::vector<Item> values) const {
  for (const Statement& s : statements) {
    std::vector<Item> operands;
    for (const size_t o : s.operands) operands.push_back(values[o]);
    values.push_back(s.run(operands));
  }
  return values;
}

Program Program::without(size_t at) const {
  Program out;
  out.storages = storages;
  out.inputs = inputs;
  std::vector<std::optional<size_t>> now;
  for (size_t i = 0; i < inputs.size(); ++i) now.emplace_back(i);
  for (size_t k = 0; k < statements.size(); ++k) {
    Statement s = statements[k];
    bool gone = k == at;
    for (size_t& o : s.operands) {
      gone = gone || !now[o];
      if (!gone) o = *now[o];
    }
    now.push_back(gone ? std::nullopt : std::optional(inputs.size() + out.statements.size()));
    if (!gone) out.statements.push_back(std::move(s));
  }
  for (const size_t o : outputs)
    if (now[o]) out.outputs.push_back(*now[o]);
  return out;
}

/// What is known of a value beside its tensor.
struct Known {
  bool mask = false;   ///< true or false
  bool list = false;   ///< of views
  bool fixed = false;  ///< may not be written: one of several views, or overlapping itself
};

/// Writes one program: it is run while it is written, so that every statement fits the values that are there.
class ProgramWriter {
 public:
  ProgramWriter(Program& program, std::mt19937_64& random) : p_(program), random_(random) {}
  void write();

 private:
  using Run = std::function<Item(const std::vector<Item>&)>;

  size_t below(size_t n) { return static_cast<size_t>(random_() % n); }
  bool chance(size_t percent) { return below(100) < percent; }
  double real() { return static_cast<double>(static_cast<int64_t>(random_() % 4000) - 2000) / 1000.0; }
  const Tensor& tensor(size_t v) const { return *values_[v].tensor; }
  size_t rank(size_t v) const { return tensor(v).sizes.size(); }
  int64_t dim(size_t v) { return static_cast<int64_t>(below(rank(v))); }
  template <class P>
  std::optional<size_t> pick(P&& fits) {
    std::vector<size_t> good;
    for (size_t v = 0; v < values_.size(); ++v)
      if (!known_[v].list && fits(v)) {
        good.push_back(v);
        // What was made last is read more often.
        if (v + 4 >= values_.size()) good.push_back(v);
      }
    if (good.empty()) return std::nullopt;
    return good[below(good.size())];
  }
  std::optional<size_t> number() {
    return pick([&](size_t v) { return !known_[v].mask; });
  }
  std::optional<size_t> writable() {
    return pick([&](size_t v) { return !known_[v].mask && !known_[v].fixed; });
  }

  void inputs();
  void add(std::string text, std::vector<size_t> operands, Run run, Known known = {}, bool assigns = false);
  /// A result of an op that leaves its operands as they are.
  void pure(const std::string& text, std::vector<size_t> operands, const std::string& op,
            std::function<std::vector<Item>(const std::vector<Item>&)> args, Known known = {});
  /// Keeps to values that differences can be taken of.
  static bool calm(const Item& item);

  void unary();
  void binary();
  void mask();
  void reduction();
  void matmul();
  void view();
  void viewList();
  void join();
  void inPlace();
  void assignment();
  void inPlaceView();
  void outputs();

  Program& p_;
  std::mt19937_64& random_;
  std::vector<Item> values_;
  std::vector<Known> known_;
};

Program ProgramGenerator::next() {
  Program out;
  ProgramWriter(out, random_).write();
  return out;
}

bool ProgramWriter::calm(const Item& item) {
  if (item.kind == Item::Kind::List) return std::all_of(item.items.begin(), item.items.end(), calm);
  if (item.kind != Item::Kind::Tensor || item.tensor->numel() == 0 || item.tensor->numel() > 64) return false;
  const std::vector<double> values = item.tensor->values();
  return std::all_of(values.begin(), values.end(),
                     [](double x) { return std::isfinite(x) && std::abs(x) < 30; });
}

void ProgramWriter::add(std::string text, std::vector<size_t> operands, Run run, Known known, bool assigns) {
  std::vector<Item> given;
  for (const size_t o : operands) given.push_back(values_[o]);
  const Item result = run(given);
  p_.statements.push_back({std::move(text), assigns, std::move(operands), std::move(run)});
  values_.push_back(result);
  known_.push_back(known);
}

void ProgramWriter::pure(const std::string& text, std::vector<size_t> operands, const std::string& op,
                         std::function<std::vector<Item>(const std::vector<Item>&)> args, Known known) {
  Run run = [op, args = std::move(args)](const std::vector<Item>& v) { return call(op, args(v)); };
  std::vector<Item> given;
  for (const size_t o : operands) given.push_back(values_[o]);
  if (calm(run(given))) add(text, std::move(operands), std::move(run), known);
}

void ProgramWriter::inputs() {
  const auto sizes = [&] {
    Sizes out;
    for (size_t r = 1 + below(3); r > 0; --r) out.push_back(static_cast<int64_t>(1 + below(r == 1 ? 4 : 3)));
    return out;
  };
  const auto storage = [&](const Sizes& s) {
    ProgramStorage out;
    out.sizes = s;
    out.requiresGrad = chance(65);
    int64_t n = 1;
    for (const int64_t d : s) n *= d;
    for (int64_t i = 0; i < n; ++i) out.values.push_back(real());
    p_.storages.push_back(std::move(out));
    return p_.storages.size() - 1;
  };
  const auto whole = [&](size_t at) {
    const Sizes& s = p_.storages[at].sizes;
    p_.inputs.push_back({at, s, contiguousStrides(s), 0, false, std::nullopt});
  };
  for (size_t n = 1 + below(3); n > 0; --n) {
    const size_t at = storage(sizes());
    whole(at);
    ProgramInput& i = p_.inputs.back();
    if (chance(15) && i.sizes.size() > 1) {  // a dense tensor in another order
      std::swap(i.sizes[0], i.sizes[1]);
      std::swap(i.strides[0], i.strides[1]);
      p_.storages[at].sizes = i.sizes;
    }
  }
  if (chance(25)) {  // views of one tensor, and perhaps the tensor itself
    const size_t at = storage({3, 4});
    ProgramStorage& s = p_.storages[at];
    s.tracked = s.requiresGrad || chance(50);
    for (size_t n = 1 + below(2); n > 0; --n) {
      const int64_t row = static_cast<int64_t>(below(3));
      switch (below(5)) {
        case 0:
          whole(at);
          p_.inputs.back().isView =
              std::any_of(p_.inputs.begin(), p_.inputs.end() - 1,
                          [&](const ProgramInput& i) { return i.storage == at && !i.isView; });
          break;
        case 1:
          p_.inputs.push_back({at, {4}, {1}, 4 * row, true, std::nullopt});
          break;
        case 2:
          p_.inputs.push_back({at, {3}, {4}, row, true, std::nullopt});
          break;
        case 3:
          p_.inputs.push_back({at, {2, 4}, {4, 1}, 4, true, std::nullopt});
          break;
        default:
          p_.inputs.push_back({at, {4, 3}, {1, 4}, 0, true, std::nullopt});
      }
    }
  }
  if (chance(5)) {
    ProgramInput again = p_.inputs[0];
    again.sameAs = 0;
    p_.inputs.push_back(again);
  }
}

void ProgramWriter::unary() {
  static const std::vector<std::pair<std::string, std::string>> kOps = {
      {"torch.sin({0})", "sin"},
      {"{0}.cos()", "cos"},
      {"torch.tanh({0})", "tanh"},
      {"{0}.sigmoid()", "sigmoid"},
      {"torch.relu({0})", "relu"},
      {"torch.nn.functional.relu({0})", "relu"},
      {"-{0}", "neg"},
      {"{0}.abs()", "abs"},
      {"torch.exp({0})", "exp"},
      {"torch.log({0})", "log"},
      {"{0}.sqrt()", "sqrt"},
      {"torch.rsqrt({0})", "rsqrt"},
      {"{0}.reciprocal()", "reciprocal"},
      {"torch.nn.functional.silu({0})", "silu"},
      {"torch.nn.functional.softplus({0})", "softplus"},
      {"torch._C._nn.gelu({0})", "gelu"},
      {"torch.erf({0})", "erf"},
      {"torch.expm1({0})", "expm1"},
      {"torch.nn.functional.elu({0})", "elu"},
      {"{0}.clone()", "clone"},
  };
  const std::optional<size_t> x = number();
  if (!x) return;
  const size_t n = below(kOps.size() + 8);
  const auto self = [](const std::vector<Item>& v) { return v; };
  const auto with = [](Item second) {
    return [second](const std::vector<Item>& v) { return std::vector<Item>{v[0], second}; };
  };
  if (n < kOps.size()) return pure(kOps[n].first, {*x}, kOps[n].second + ".default", self);
  switch (n - kOps.size()) {
    case 0:
      return pure("{0} * 1.5", {*x}, "mul.Tensor", with(1.5));
    case 1:
      return pure("{0} + 1", {*x}, "add.Tensor", with(1));
    case 2:
      return pure("2.0 - {0}", {*x}, "rsub.Scalar", with(2.0));
    case 3:
      return pure("{0} ** 2", {*x}, "pow.Tensor_Scalar", with(2));
    case 4:
      return pure("{0} / 2", {*x}, "div.Tensor", with(2));
    case 5:
      return pure("torch.clamp({0}, -0.5, 1.0)", {*x}, "clamp.default", [](const std::vector<Item>& v) {
        return std::vector<Item>{v[0], -0.5, 1.0};
      });
    case 6:
      return pure("torch.nn.functional.leaky_relu({0}, 0.1)", {*x}, "leaky_relu.default", with(0.1));
    case 7:
      return pure("{0}.pow(3)", {*x}, "pow.Tensor_Scalar", with(3));
    default:
      return pure("{0}.square()", {*x}, "square.default", self);
  }
}

void ProgramWriter::binary() {
  static const std::vector<std::pair<std::string, std::string>> kOps = {
      {"{0} + {1}", "add.Tensor"},
      {"{0} - {1}", "sub.Tensor"},
      {"{0} * {1}", "mul.Tensor"},
      {"torch.mul({0}, {1})", "mul.Tensor"},
      {"{0} / {1}", "div.Tensor"},
      {"torch.maximum({0}, {1})", "maximum.default"},
      {"torch.minimum({0}, {1})", "minimum.default"},
      {"torch.add({0}, {1})", "add.Tensor"},
      {"torch.atan2({0}, {1})", "atan2.default"},
  };
  const std::optional<size_t> x = number();
  if (!x) return;
  const std::optional<size_t> y = pick([&](size_t v) {
    if (known_[v].mask) return false;
    const Sizes &a = tensor(*x).sizes, &b = tensor(v).sizes;
    for (size_t k = 1; k <= std::min(a.size(), b.size()); ++k)
      if (a[a.size() - k] != b[b.size() - k] && a[a.size() - k] != 1 && b[b.size() - k] != 1) return false;
    return true;
  });
  if (!y) return;
  const auto& [text, op] = kOps[below(kOps.size())];
  const auto small = [&](size_t v) {
    const std::vector<double> values = tensor(v).values();
    return std::any_of(values.begin(), values.end(), [](double d) { return std::abs(d) < 0.1; });
  };
  if ((op == "div.Tensor" || op == "atan2.default") && small(*y)) return;
  pure(text, {*x, *y}, op, [](const std::vector<Item>& v) { return v; });
}

void ProgramWriter::mask() {
  const std::optional<size_t> m = pick([&](size_t v) { return known_[v].mask; });
  const std::optional<size_t> x = number();
  if (!x) return;
  if (!m || chance(40)) {
    Known known;
    known.mask = true;
    return pure(
        "{0} > 0.25", {*x}, "gt.Scalar",
        [](const std::vector<Item>& v) {
          return std::vector<Item>{v[0], 0.25};
        },
        known);
  }
  const auto fits = [&](size_t v) { return !known_[v].mask && tensor(v).sizes == tensor(*m).sizes; };
  const std::optional<size_t> a = pick(fits), b = pick(fits);
  if (!a || !b) return;
  if (chance(50))
    return pure("torch.where({0}, {1}, {2})", {*m, *a, *b}, "where.self",
                [](const std::vector<Item>& v) { return v; });
  pure("{0}.masked_fill({1}, 0.5)", {*a, *m}, "masked_fill.Scalar", [](const std::vector<Item>& v) {
    return std::vector<Item>{v[0], v[1], 0.5};
  });
}

void ProgramWriter::reduction() {
  const std::optional<size_t> x = pick([&](size_t v) { return !known_[v].mask && rank(v) > 0; });
  if (!x) return;
  const int64_t d = dim(*x);
  const std::string D = std::to_string(d);
  const auto keep = [d](const std::vector<Item>& v) {
    return std::vector<Item>{v[0], Sizes{d}, Item::boolean(true)};
  };
  const auto drop = [d](const std::vector<Item>& v) { return std::vector<Item>{v[0], Sizes{d}}; };
  const auto along = [d](const std::vector<Item>& v) {
    return std::vector<Item>{v[0], d, Item::boolean(false)};
  };
  const auto self = [](const std::vector<Item>& v) { return v; };
  switch (below(11)) {
    case 0:
      return pure("{0}.sum()", {*x}, "sum.default", self);
    case 1:
      return pure("{0}.sum(" + D + ")", {*x}, "sum.dim_IntList", drop);
    case 2:
      return pure("torch.sum({0}, dim = " + D + ", keepdim = True)", {*x}, "sum.dim_IntList", keep);
    case 3:
      return pure("{0}.mean()", {*x}, "mean.default", self);
    case 4:
      return pure("{0}.mean(" + D + ", keepdim = True)", {*x}, "mean.dim", keep);
    case 5:
      return pure("{0}.amax(" + D + ")", {*x}, "amax.default", drop);
    case 6:
      return pure("torch.amin({0}, dim = " + D + ", keepdim = True)", {*x}, "amin.default", keep);
    case 7:
      return pure("torch.logsumexp({0}, " + D + ")", {*x}, "logsumexp.default", drop);
    case 8:
      return pure("torch.softmax({0}, dim = " + D + ")", {*x}, "_softmax.default", along);
    case 9:
      return pure("torch.nn.functional.log_softmax({0}, dim = " + D + ")", {*x}, "_log_softmax.default",
                  along);
    default:
      return pure("{0}.cumsum(" + D + ")", {*x}, "cumsum.default", [d](const std::vector<Item>& v) {
        return std::vector<Item>{v[0], d};
      });
  }
}

void ProgramWriter::matmul() {
  const std::optional<size_t> x = pick([&](size_t v) { return !known_[v].mask && rank(v) > 0; });
  if (!x) return;
  const Sizes a = tensor(*x).sizes;
  const std::optional<size_t> y = pick([&](size_t v) {
    if (known_[v].mask || rank(v) == 0 || rank(v) > 3 || a.size() > 3) return false;
    const Sizes& b = tensor(v).sizes;
    if (b.size() == 3) return a.size() == 3 && a[0] == b[0] && a[2] == b[1];
    return a.back() == b[0];
  });
  if (!y) return;
  Run run = [](const std::vector<Item>& v) -> Item {
    // As matrices, batched; then the dims that were added go.
    TensorPtr l = v[0].tensor, r = v[1].tensor;
    const bool row = l->sizes.size() == 1, column = r->sizes.size() == 1;
    if (row) l = call("unsqueeze.default", {l, 0}).tensor;
    if (column) r = call("unsqueeze.default", {r, 1}).tensor;
    const bool flat = l->sizes.size() == 2 && r->sizes.size() == 2;
    const int64_t batch = l->sizes.size() == 3 ? l->sizes[0] : r->sizes.size() == 3 ? r->sizes[0] : 1;
    const auto batched = [&](const TensorPtr& t) {
      if (t->sizes.size() == 3) return t;
      return call("expand.default", {t, Sizes{batch, t->sizes[0], t->sizes[1]}}).tensor;
    };
    TensorPtr out = call("bmm.default", {batched(l), batched(r)}).tensor;
    if (column) out = call("squeeze.dim", {out, 2}).tensor;
    if (row) out = call("squeeze.dim", {out, 1}).tensor;
    if (flat) out = call("squeeze.dim", {out, 0}).tensor;
    return out;
  };
  if (!calm(run({values_[*x], values_[*y]}))) return;
  add(chance(50) ? "{0} @ {1}" : "torch.matmul({0}, {1})", {*x, *y}, std::move(run));
}

void ProgramWriter::view() {
  const std::optional<size_t> x = pick([&](size_t v) { return !known_[v].mask; });
  if (!x) return;
  const Tensor& t = tensor(*x);
  Known known = known_[*x];
  const auto given = [&](const std::string& text, const std::string& op, std::vector<Item> rest) {
    pure(
        text, {*x}, op,
        [rest = std::move(rest)](const std::vector<Item>& v) {
          std::vector<Item> args{v[0]};
          args.insert(args.end(), rest.begin(), rest.end());
          return args;
        },
        known);
  };
  if (t.sizes.empty()) return given("{0}.unsqueeze(0)", "unsqueeze.default", {0});
  const int64_t d = dim(*x), e = dim(*x), n = t.sizes[static_cast<size_t>(d)];
  const std::string D = std::to_string(d), E = std::to_string(e);
  const bool contiguous = t.strides == contiguousStrides(t.sizes);
  switch (below(15)) {
    case 0:
      if (contiguous) given("{0}.view(-1)", "view.default", {Sizes{-1}});
      return;
    case 1: {
      const Sizes sizes = t.sizes.size() > 1 ? Sizes{t.sizes[0], -1} : Sizes{-1, 1};
      if (contiguous) given("{0}.reshape(" + listed(sizes) + ")", "reshape.default", {sizes});
      return;
    }
    case 2:
      if (t.sizes.size() == 2) given("{0}.t()", "t.default", {});
      return;
    case 3:
      return given("{0}.transpose(" + D + ", " + E + ")", "transpose.int", {d, e});
    case 4: {
      Sizes order;
      for (size_t k = 0; k < t.sizes.size(); ++k) order.push_back(static_cast<int64_t>(k));
      std::rotate(order.begin(), order.begin() + 1, order.end());
      return given("{0}.permute(" + listed(order) + ")", "permute.default", {order});
    }
    case 5:
      return given("{0}.unsqueeze(" + D + ")", "unsqueeze.default", {d});
    case 6:
      if (t.sizes.size() > 1 && n == 1) given("{0}.squeeze(" + D + ")", "squeeze.dim", {d});
      return;
    case 7:
      return given("{0}[" + std::to_string(t.sizes[0] - 1) + "]", "select.int", {0, t.sizes[0] - 1});
    case 8:
      return given("{0}.select(" + D + ", -1)", "select.int", {d, -1});
    case 9:
      if (t.sizes[0] > 1) given("{0}[slice(1, None, None)]", "slice.Tensor", {0, 1});
      return;
    case 10:
      if (t.sizes[0] > 2) given("{0}[slice(None, None, 2)]", "slice.Tensor", {0, Item(), Item(), 2});
      return;
    case 11:
      if (t.sizes.size() == 2) given("{0}.diagonal()", "diagonal.default", {});
      return;
    case 12:
      if (n > 1)
        given("{0}.narrow(" + D + ", 0, " + std::to_string(n - 1) + ")", "slice.Tensor", {d, 0, n - 1});
      return;
    case 13: {
      known.fixed = true;
      Sizes sizes = t.sizes;
      sizes.insert(sizes.begin(), 2);
      return given("{0}.expand(" + listed(sizes) + ")", "expand.default", {sizes});
    }
    default:
      known.fixed = true;
      if (n > 2) given("{0}.unfold(" + D + ", 2, 1)", "unfold.default", {d, 2, 1});
  }
}

void ProgramWriter::viewList() {
  const std::optional<size_t> x = pick([&](size_t v) { return !known_[v].mask && rank(v) > 0; });
  if (!x) return;
  const int64_t d = dim(*x), n = tensor(*x).sizes[static_cast<size_t>(d)];
  const std::string D = std::to_string(d);
  Known list;
  list.list = list.fixed = true;
  const bool split = n > 2 && chance(50);
  const auto args = [=](const std::vector<Item>& v) {
    return split ? std::vector<Item>{v[0], 2, d} : std::vector<Item>{v[0], d};
  };
  const size_t before = values_.size();
  if (split)
    pure("{0}.split(2, " + D + ")", {*x}, "split.Tensor", args, list);
  else
    pure("{0}.unbind(" + D + ")", {*x}, "unbind.int", args, list);
  if (values_.size() == before) return;
  const size_t count = values_.back().items.size();
  Known one;
  one.fixed = true;
  for (size_t k = 0; k < count && k < 2; ++k) {
    const size_t at = count - 1 - k;
    add(
        "{0}[" + std::to_string(at) + "]", {before},
        [at](const std::vector<Item>& v) { return v[0].items[at]; }, one);
  }
}

void ProgramWriter::join() {
  const std::optional<size_t> x = pick([&](size_t v) { return !known_[v].mask && rank(v) > 0; });
  if (!x) return;
  const std::optional<size_t> y =
      pick([&](size_t v) { return !known_[v].mask && tensor(v).sizes == tensor(*x).sizes; });
  const int64_t d = dim(*x);
  const std::string D = std::to_string(d);
  const auto both = [d](const std::vector<Item>& v) {
    return std::vector<Item>{std::vector<Item>{v[0], v[1]}, d};
  };
  switch (below(5)) {
    case 0:
      return pure("torch.cat([{0}, {1}], dim = " + D + ")", {*x, *y}, "cat.default", both);
    case 1:
      return pure("torch.stack([{0}, {1}], " + D + ")", {*x, *y}, "stack.default", both);
    case 2:
      return pure("torch.flip({0}, [" + D + "])", {*x}, "flip.default", [d](const std::vector<Item>& v) {
        return std::vector<Item>{v[0], Sizes{d}};
      });
    case 3:
      if (rank(*x) == 2)
        pure("{0}.tril()", {*x}, "tril.default", [](const std::vector<Item>& v) { return v; });
      return;
    default:
      return pure("torch._C._nn.pad({0}, (1, 0))", {*x}, "constant_pad_nd.default",
                  [](const std::vector<Item>& v) {
                    return std::vector<Item>{v[0], Sizes{1, 0}};
                  });
  }
}

void ProgramWriter::inPlace() {
  static const std::vector<std::pair<std::string, std::string>> kUnary = {
      {"{0}.sin_()", "sin.default"},         {"{0}.tanh_()", "tanh.default"},
      {"{0}.relu_()", "relu.default"},       {"{0}.neg_()", "neg.default"},
      {"{0}.sigmoid_()", "sigmoid.default"}, {"{0}.exp_()", "exp.default"},
      {"{0}.zero_()", "zero.default"},       {"torch.sigmoid_({0})", "sigmoid.default"},
  };
  static const std::vector<std::pair<std::string, std::string>> kBinary = {
      {"{0}.add_({1})", "add.Tensor"},
      {"{0}.mul_({1})", "mul.Tensor"},
      {"{0}.sub_({1})", "sub.Tensor"},
      {"{0}.copy_({1})", "copy.default"}};
  const std::optional<size_t> x = writable();
  if (!x) return;
  const auto writes = [](const std::string& op, std::vector<Item> rest) -> Run {
    return [op, rest = std::move(rest)](const std::vector<Item>& v) -> Item {
      std::vector<Item> args(v);
      args.insert(args.end(), rest.begin(), rest.end());
      return call("copy_.default", {v[0], call(op, args)});
    };
  };
  const auto stays = [&](const std::string& op, std::vector<Item> args) { return calm(call(op, args)); };
  const Item self = values_[*x];
  const std::optional<size_t> y = pick([&](size_t v) {
    const Sizes &a = tensor(*x).sizes, &b = tensor(v).sizes;
    return !known_[v].mask && (a == b || b.empty() || (b.size() == 1 && !a.empty() && b[0] == a.back()));
  });
  switch (below(4)) {
    case 0: {
      const auto& [text, op] = kUnary[below(kUnary.size())];
      if (stays(op, {self})) add(text, {*x}, writes(op, {}), known_[*x]);
      return;
    }
    case 1:
      return add("{0}.mul_(0.5)", {*x}, writes("mul.Tensor", {0.5}), known_[*x]);
    case 2:
      if (stays("add.Tensor", {self, 1})) add("{0}.add_(1)", {*x}, writes("add.Tensor", {1}), known_[*x]);
      return;
    default: {
      if (!y) return;
      const auto& [text, op] = kBinary[below(kBinary.size())];
      // Operands that share memory with what is written are PyTorch's own business.
      if (*y != *x && tensor(*x).storage == tensor(*y).storage) return;
      if (stays(op, {self, values_[*y]})) add(text, {*x, *y}, writes(op, {}), known_[*x]);
    }
  }
}

void ProgramWriter::assignment() {
  const std::optional<size_t> x =
      pick([&](size_t v) { return !known_[v].mask && !known_[v].fixed && rank(v) > 0; });
  if (!x) return;
  if (chance(40)) {
    return add(
        "{0}[0] = 0.5", {*x},
        [](const std::vector<Item>& v) -> Item {
          call("fill_.Scalar", {call("select.int", {v[0], 0, 0}), 0.5});
          return v[0];
        },
        known_[*x], true);
  }
  const Sizes row(tensor(*x).sizes.begin() + 1, tensor(*x).sizes.end());
  const std::optional<size_t> y = pick([&](size_t v) {
    return !known_[v].mask && tensor(v).sizes == row && tensor(v).storage != tensor(*x).storage;
  });
  if (!y) return;
  add(
      "{0}[0] = {1}", {*x, *y},
      [](const std::vector<Item>& v) -> Item {
        call("copy_.default", {call("select.int", {v[0], 0, 0}), v[1]});
        return v[0];
      },
      known_[*x], true);
}

void ProgramWriter::inPlaceView() {
  const std::optional<size_t> x =
      pick([&](size_t v) { return !known_[v].mask && !known_[v].fixed && rank(v) == 2; });
  if (!x) return;
  const auto run = [](const std::string& op, std::vector<Item> rest) -> Run {
    return [op, rest = std::move(rest)](const std::vector<Item>& v) {
      std::vector<Item> args{v[0]};
      args.insert(args.end(), rest.begin(), rest.end());
      return call(op, args);
    };
  };
  switch (below(3)) {
    case 0:
      return add("{0}.t_()", {*x}, run("t_.default", {}), known_[*x]);
    case 1:
      return add("{0}.transpose_(0, 1)", {*x}, run("transpose_.default", {0, 1}), known_[*x]);
    default:
      return add("{0}.unsqueeze_(0)", {*x}, run("unsqueeze_.default", {0}), known_[*x]);
  }
}

void ProgramWriter::outputs() {
  for (size_t n = 1 + below(3); n > 0; --n)
    if (const std::optional<size_t> v = number()) p_.outputs.push_back(*v);
  for (size_t v = values_.size(); v-- > p_.inputs.size();)
    if (!known_[v].mask && !known_[v].list) {
      p_.outputs.push_back(v);
      break;
    }
}

void ProgramWriter::write() {
  inputs();
  std::vector<std::shared_ptr<std::vector<double>>> memory;
  values_ = p_.makeInputs(memory);
  known_.resize(values_.size());
  const size_t wanted = 3 + below(10);
  for (size_t tries = 0; p_.statements.size() < wanted && tries < 60; ++tries) {
    const size_t kind = below(100);
    if (kind < 18)
      unary();
    else if (kind < 36)
      binary();
    else if (kind < 41)
      mask();
    else if (kind < 49)
      reduction();
    else if (kind < 57)
      matmul();
    else if (kind < 75)
      view();
    else if (kind < 79)
      viewList();
    else if (kind < 83)
      join();
    else if (kind < 94)
      inPlace();
    else if (kind < 98)
      assignment();
    else
      inPlaceView();
  }
  outputs();
}

}  // namespace descry::test
