// Steps of optimizers over lists of tensors (_fused_adam and others), and the check of scaled gradients.
#include <cmath>

#include "ir/ops/eval/strides.h"
#include "runtime/interpreter/kernels/checks.h"
#include "runtime/interpreter/machine.h"

namespace descry::runtime {

namespace {

/// A copy with the same layout, so that the results are new tensors.
TensorRef copied(const TensorRef& t) {
  Meta m = t->meta;
  m.wrappedNumber = false;
  m.strides = ir::eval::stridesLike(m.sizes, m.strides);
  const TensorRef made = allocate(std::move(m));
  copyElements(viewOf(*made), viewOf(*t));
  return made;
}
std::vector<TensorRef> copiedList(const Call& c, std::string_view name) {
  std::vector<TensorRef> out;
  for (const TensorRef& t : c.tensors(name)) {
    if (!t) throw EvalError("type-error", c.op().target() + " needs tensors in `" + std::string(name) + "`");
    out.push_back(copied(t));
  }
  return out;
}
Value listOf(const std::vector<TensorRef>& tensors) {
  Values items;
  for (const TensorRef& t : tensors) items.emplace_back(t);
  return Value(std::move(items));
}

double numberOf(const Call& c, std::string_view name) {
  const Value& v = c.value(name);
  if (!v.isTensor()) return v.toReal();
  const View t = needNumel(c.view(name), 1, name);
  return numberAt(t.dtype, t.data).toReal();
}
double stepOf(const Call& c, size_t i) {
  const auto steps = c.tensors("state_steps");
  if (i >= steps.size() || !steps[i]) throw EvalError("shape-mismatch", "each tensor needs its step");
  const View s = needNumel(viewOf(*steps[i]), 1, "state_steps");
  return numberAt(s.dtype, s.data).toReal();
}

/// What all optimizers do with a gradient first.
struct Gradient {
  double decay = 0, scale = 1;
  bool maximize = false, scaled = false, skip = false;

  explicit Gradient(const Call& c)
      : decay(c.real(c.at("weight_decay"))),
        maximize(c.flag(c.at("maximize"))),
        scaled(c.given("grad_scale")) {
    if (scaled) scale = numberOf(c, "grad_scale");
    // A step that is not finite is left out.
    skip = c.given("found_inf") && numberOf(c, "found_inf") == 1;
  }
  /// Brought back from its scale, which is stored.
  template <class T, class A>
  A of(T& g) const {
    A a = static_cast<A>(g);
    if (scaled) {
      a = a / static_cast<A>(scale);
      g = T(a);
    }
    return maximize ? -a : a;
  }
};

void sameCount(const std::vector<TensorRef>& a, const std::vector<TensorRef>& b, const Call& c) {
  if (a.size() != b.size())
    throw EvalError("shape-mismatch", c.op().target() + ": lists of " + std::to_string(a.size()) + " and " +
                                          std::to_string(b.size()) + " tensors");
}

template <bool decoupled>
Value adam(Call& c) {
  const auto params = copiedList(c, "self"), grads = copiedList(c, "grads"),
             means = copiedList(c, "exp_avgs"), squares = copiedList(c, "exp_avg_sqs"),
             most = copiedList(c, "max_exp_avg_sqs");
  for (const auto* list : {&grads, &means, &squares}) sameCount(params, *list, c);
  const bool amsgrad = c.flag("amsgrad");
  if (amsgrad) sameCount(params, most, c);
  const Gradient gradient(c);
  const double lr = numberOf(c, "lr"), beta1 = c.real("beta1"), beta2 = c.real("beta2"), eps = c.real("eps");
  for (size_t i = 0; i < params.size() && !gradient.skip; ++i) {
    const double step = stepOf(c, i);
    const double correction1 = 1 - std::pow(beta1, step), correction2 = std::sqrt(1 - std::pow(beta2, step));
    visitFloating(params[i]->meta.dtype, [&]<class T>(TypeTag<T>) {
      using A = Compute<T>;
      const A stepSize = static_cast<A>(lr / correction1), root = static_cast<A>(correction2);
      const auto update = [&](T& param, T& grad, T& mean, T& square, T* greatest) {
        A p = static_cast<A>(param), g = gradient.of<T, A>(grad);
        if (gradient.decay != 0) {
          if (decoupled)
            p -= static_cast<A>(lr * gradient.decay) * p;
          else
            g += p * static_cast<A>(gradient.decay);
        }
        const A weight = static_cast<A>(1 - beta1), before = static_cast<A>(mean);
        const A m =
            std::abs(weight) < A(0.5) ? before + weight * (g - before) : g - (g - before) * (A(1) - weight);
        const A s = static_cast<A>(square) * static_cast<A>(beta2) + static_cast<A>(1 - beta2) * g * g;
        A size = s;
        if (greatest) {
          size = std::max(static_cast<A>(*greatest), s);
          *greatest = T(size);
        }
        mean = T(m);
        square = T(s);
        param = T(p - stepSize * m / (std::sqrt(size) / root + static_cast<A>(eps)));
      };
      if (amsgrad)
        forEachParallel<T, T, T, T, T>([&](T& p, T& g, T& m, T& s, T& k) { update(p, g, m, s, &k); },
                                       viewOf(*params[i]), viewOf(*grads[i]), viewOf(*means[i]),
                                       viewOf(*squares[i]), viewOf(*most[i]));
      else
        forEachParallel<T, T, T, T>([&](T& p, T& g, T& m, T& s) { update(p, g, m, s, nullptr); },
                                    viewOf(*params[i]), viewOf(*grads[i]), viewOf(*means[i]),
                                    viewOf(*squares[i]));
    });
  }
  return Value::tuple({listOf(params), listOf(grads), listOf(means), listOf(squares), listOf(most)});
}

Value sgd(Call& c) {
  const auto params = copiedList(c, "self"), grads = copiedList(c, "grads"),
             buffers = copiedList(c, "momentum_buffer_list");
  sameCount(params, grads, c);
  const Gradient gradient(c);
  const double lr = numberOf(c, "lr"), momentum = c.real("momentum"), dampening = c.real("dampening");
  const bool nesterov = c.flag("nesterov"), first = c.flag("is_first_step");
  if (momentum != 0) sameCount(params, buffers, c);
  for (size_t i = 0; i < params.size() && !gradient.skip; ++i)
    visitFloating(params[i]->meta.dtype, [&]<class T>(TypeTag<T>) {
      using A = Compute<T>;
      const auto update = [&](T& param, T& grad, T* buffer) {
        const A p = static_cast<A>(param);
        A g = gradient.of<T, A>(grad);
        if (gradient.decay != 0) g += p * static_cast<A>(gradient.decay);
        if (buffer) {
          const A b =
              first ? g
                    : static_cast<A>(*buffer) * static_cast<A>(momentum) + g * static_cast<A>(1 - dampening);
          *buffer = T(b);
          g = nesterov ? g + b * static_cast<A>(momentum) : b;
        }
        param = T(p - g * static_cast<A>(lr));
      };
      if (momentum != 0)
        forEachParallel<T, T, T>([&](T& p, T& g, T& b) { update(p, g, &b); }, viewOf(*params[i]),
                                 viewOf(*grads[i]), viewOf(*buffers[i]));
      else
        forEachParallel<T, T>([&](T& p, T& g) { update(p, g, nullptr); }, viewOf(*params[i]),
                              viewOf(*grads[i]));
    });
  return Value::tuple({listOf(params), listOf(grads), listOf(buffers)});
}

Value adagrad(Call& c) {
  const auto params = copiedList(c, "self"), grads = copiedList(c, "grads"),
             sums = copiedList(c, "state_sums");
  sameCount(params, grads, c);
  sameCount(params, sums, c);
  const Gradient gradient(c);
  const double lr = numberOf(c, "lr"), lrDecay = c.real("lr_decay"), eps = c.real("eps");
  for (size_t i = 0; i < params.size() && !gradient.skip; ++i) {
    const double rate = lr / (1 + (stepOf(c, i) - 1) * lrDecay);
    visitFloating(params[i]->meta.dtype, [&]<class T>(TypeTag<T>) {
      using A = Compute<T>;
      forEachParallel<T, T, T>(
          [&](T& param, T& grad, T& sum) {
            const A p = static_cast<A>(param);
            A g = gradient.of<T, A>(grad);
            if (gradient.decay != 0) g += p * static_cast<A>(gradient.decay);
            const A s = static_cast<A>(sum) + g * g;
            sum = T(s);
            param = T(p - static_cast<A>(rate) * g / (std::sqrt(s) + static_cast<A>(eps)));
          },
          viewOf(*params[i]), viewOf(*grads[i]), viewOf(*sums[i]));
    });
  }
  Values lists = {listOf(params), listOf(grads), listOf(sums)};
  if (c.op().schema().returns.size() > 3) lists.push_back(listOf(copiedList(c, "state_steps")));
  return Value::tuple(std::move(lists));
}

/// Multiplies by the inverse of the scale; `found_inf` becomes 1 where an element is not finite.
Value unscale(Call& c) {
  const auto tensors = copiedList(c, "self");
  const TensorRef found = copied(c.tensor("found_inf"));
  const double inverse = numberOf(c, "inv_scale");
  bool bad = false;
  for (const TensorRef& t : tensors)
    visitFloating(t->meta.dtype, [&]<class T>(TypeTag<T>) {
      forEach<T>(
          [&](T& x) {
            using A = Compute<T>;
            const A a = static_cast<A>(x);
            bad = bad || !std::isfinite(a);
            if (inverse != 1) x = T(a * static_cast<A>(inverse));
          },
          viewOf(*t));
    });
  if (bad) fillElements(viewOf(*found), Value::real(1));
  return Value::tuple({listOf(tensors), Value(found)});
}

}  // namespace

void addOptimizerKernels(KernelTable& table) {
  table.make("aten._fused_adam.default aten._fused_adam.tensor_lr", adam<false>);
  table.make("aten._fused_adamw.default aten._fused_adamw.tensor_lr", adam<true>);
  table.make("aten._fused_sgd.default aten._fused_sgd.tensor_lr", sgd);
  table.make("aten._fused_adagrad.default aten._fused_adagrad.tensor_lr", adagrad);
  table.make("aten._amp_foreach_non_finite_check_and_unscale.default", unscale);
}

}  // namespace descry::runtime
