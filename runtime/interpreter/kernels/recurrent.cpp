// Cells of recurrent networks with their gates in one step, LSTM layers, packed sequences.
#include "runtime/interpreter/kernels/numeric.h"

namespace descry::runtime {

namespace {

template <class T>
T sigmoid(T x) {
  return T(1) / (T(1) + std::exp(-x));
}

/// A gradient or a bias that may be absent; its elements, or null.
template <class T>
const T* optional(Call& c, std::string_view name, DType compute, int64_t count) {
  if (!c.given(name)) return nullptr;
  const View v = c.dense(name, compute);
  if (v.numel() != count)
    throw EvalError("shape-mismatch", "the number of elements of `" + std::string(name) + "` should be " +
                                          std::to_string(count) + ", but is " + std::to_string(v.numel()));
  return v.as<T>();
}

/// Gates of a row are [count, size].
struct Cell {
  int64_t rows, size;
  Cell(const View& state, const View& gates, int64_t count) {
    if (state.dim() != 2 || gates.dim() != 2 || gates.size(0) != state.size(0) ||
        gates.size(1) != count * state.size(1))
      throw EvalError("shape-mismatch", "the gates of a recurrent cell do not fit its state");
    rows = state.size(0);
    size = state.size(1);
  }
  template <class F>
  void forElements(F&& f) const {
    parallelFor(0, rows * size, 1024, [&](int64_t from, int64_t to) {
      for (int64_t i = from; i < to; ++i) f(i, i / size, i % size);
    });
  }
};

template <class T>
void sumRows(const T* x, int64_t rows, int64_t width, T* out) {
  std::fill_n(out, width, T(0));
  for (int64_t r = 0; r < rows; ++r)
    for (int64_t i = 0; i < width; ++i) out[i] += x[r * width + i];
}

// ---- LSTM: input, forget, cell and output gate

/// From the sums of a gate's inputs to its value, and the new states.
template <class T>
void lstmStep(T* gates, int64_t size, int64_t k, T before, T& cell, T& hidden) {
  const T in = sigmoid(gates[k]), forget = sigmoid(gates[size + k]);
  const T change = std::tanh(gates[2 * size + k]), out = sigmoid(gates[3 * size + k]);
  cell = forget * before + in * change;
  hidden = out * std::tanh(cell);
  gates[k] = in;
  gates[size + k] = forget;
  gates[2 * size + k] = change;
  gates[3 * size + k] = out;
}

/// The gradients of a gate's inputs, and of the cell before.
template <class T>
T lstmStepBackward(const T* gates, int64_t size, int64_t k, T before, T cell, T gradHidden, T gradCell,
                   T* grad) {
  const T in = gates[k], forget = gates[size + k], change = gates[2 * size + k], out = gates[3 * size + k];
  const T squashed = std::tanh(cell);
  const T total = gradHidden * out * (T(1) - squashed * squashed) + gradCell;
  grad[k] = total * change * (T(1) - in) * in;
  grad[size + k] = total * before * (T(1) - forget) * forget;
  grad[2 * size + k] = total * in * (T(1) - change * change);
  grad[3 * size + k] = gradHidden * squashed * (T(1) - out) * out;
  return total * forget;
}

void lstmCell(Call& c) {
  const DType compute = computeType(c.out().dtype);
  const View cx = c.dense("cx", compute), a = c.dense("input_gates", compute),
             b = c.dense("hidden_gates", compute);
  const Cell cell(cx, a, 4);
  if (b.numel() != a.numel())
    throw EvalError("shape-mismatch", "the gates of a recurrent cell do not fit its state");
  const View hy = c.denseOut(0, compute), cy = c.denseOut(1, compute), work = c.denseOut(2, compute);
  visitComputed(compute, "recurrent cell", [&]<class T>(TypeTag<T>) {
    const T* one = optional<T>(c, "input_bias", compute, 4 * cell.size);
    const T* two = optional<T>(c, "hidden_bias", compute, 4 * cell.size);
    cell.forElements([&](int64_t i, int64_t row, int64_t k) {
      T* gates = work.as<T>() + row * 4 * cell.size;
      for (int64_t g = 0; g < 4; ++g) {
        const int64_t at = g * cell.size + k, from = row * 4 * cell.size + at;
        gates[at] = a.as<T>()[from] + b.as<T>()[from] + (one ? one[at] : T(0)) + (two ? two[at] : T(0));
      }
      lstmStep(gates, cell.size, k, cx.as<T>()[i], cy.as<T>()[i], hy.as<T>()[i]);
    });
  });
}

void lstmCellBackward(Call& c) {
  const DType compute = computeType(c.tensor("workspace")->meta.dtype);
  const View cx = c.dense("cx", compute), cy = c.dense("cy", compute), work = c.dense("workspace", compute);
  const Cell cell(cx, work, 4);
  if (cy.numel() != cx.numel())
    throw EvalError("shape-mismatch", "the states of a recurrent cell differ in size");
  const View gates = c.denseOut(0, compute), gradCx = c.denseOut(1, compute);
  visitComputed(compute, "recurrent cell", [&]<class T>(TypeTag<T>) {
    const T* gh = optional<T>(c, "grad_hy", compute, cell.rows * cell.size);
    const T* gc = optional<T>(c, "grad_cy", compute, cell.rows * cell.size);
    cell.forElements([&](int64_t i, int64_t row, int64_t k) {
      const int64_t start = row * 4 * cell.size;
      gradCx.as<T>()[i] = lstmStepBackward(work.as<T>() + start, cell.size, k, cx.as<T>()[i], cy.as<T>()[i],
                                           gh ? gh[i] : T(0), gc ? gc[i] : T(0), gates.as<T>() + start);
    });
    if (c.has(2)) sumRows(gates.as<T>(), cell.rows, 4 * cell.size, c.denseOut(2, compute).as<T>());
  });
}

// ---- GRU: reset, input and new gate; the workspace holds them, the state before and the hidden part of the
// new gate

void gruCell(Call& c) {
  const DType compute = computeType(c.out().dtype);
  const View hx = c.dense("hx", compute), a = c.dense("input_gates", compute),
             b = c.dense("hidden_gates", compute);
  const Cell cell(hx, a, 3);
  if (b.numel() != a.numel())
    throw EvalError("shape-mismatch", "the gates of a recurrent cell do not fit its state");
  const View hy = c.denseOut(0, compute), work = c.denseOut(1, compute);
  const int64_t n = cell.size;
  visitComputed(compute, "recurrent cell", [&]<class T>(TypeTag<T>) {
    const T* one = optional<T>(c, "input_bias", compute, 3 * n);
    const T* two = optional<T>(c, "hidden_bias", compute, 3 * n);
    cell.forElements([&](int64_t i, int64_t row, int64_t k) {
      const auto in = [&](int64_t g) {
        return a.as<T>()[row * 3 * n + g * n + k] + (one ? one[g * n + k] : T(0));
      };
      const auto hidden = [&](int64_t g) {
        return b.as<T>()[row * 3 * n + g * n + k] + (two ? two[g * n + k] : T(0));
      };
      const T reset = sigmoid(in(0) + hidden(0)), mix = sigmoid(in(1) + hidden(1));
      const T inner = hidden(2), fresh = std::tanh(in(2) + reset * inner), before = hx.as<T>()[i];
      hy.as<T>()[i] = fresh + mix * (before - fresh);
      T* to = work.as<T>() + row * 5 * n + k;
      to[0] = reset;
      to[n] = mix;
      to[2 * n] = fresh;
      to[3 * n] = before;
      to[4 * n] = inner;
    });
  });
}

void gruCellBackward(Call& c) {
  const DType compute = computeType(c.tensor("workspace")->meta.dtype);
  const View grad = c.dense("grad_hy", compute), work = c.dense("workspace", compute);
  const Cell cell(grad, work, 5);
  const int64_t n = cell.size;
  const View in = c.denseOut(0, compute), hidden = c.denseOut(1, compute), before = c.denseOut(2, compute);
  visitComputed(compute, "recurrent cell", [&]<class T>(TypeTag<T>) {
    cell.forElements([&](int64_t i, int64_t row, int64_t k) {
      const T* from = work.as<T>() + row * 5 * n + k;
      const T reset = from[0], mix = from[n], fresh = from[2 * n], old = from[3 * n], inner = from[4 * n];
      const T g = grad.as<T>()[i];
      const T gradFresh = g * (T(1) - mix) * (T(1) - fresh * fresh);
      T* a = in.as<T>() + row * 3 * n + k;
      T* b = hidden.as<T>() + row * 3 * n + k;
      a[0] = b[0] = gradFresh * inner * (T(1) - reset) * reset;
      a[n] = b[n] = g * (old - fresh) * (T(1) - mix) * mix;
      a[2 * n] = gradFresh;
      b[2 * n] = gradFresh * reset;
      before.as<T>()[i] = g * mix;
    });
    if (c.has(3)) sumRows(in.as<T>(), cell.rows, 3 * n, c.denseOut(3, compute).as<T>());
    if (c.has(4)) sumRows(hidden.as<T>(), cell.rows, 3 * n, c.denseOut(4, compute).as<T>());
  });
}

// ---- a layer of LSTM cells over time

/// [time, batch, ...]; results of each step lie in the order of time, whichever way it runs.
template <class T>
struct LstmLayer {
  int64_t times, batch, inputs, size;
  View input, weightIn, weightHidden;
  const T *hx, *cx;
  bool reverse;
  std::vector<T> gates, cells, hidden;

  LstmLayer(Call& c, DType compute, const char* weightA, const char* weightB, const char* biasA,
            const char* biasB, const char* cellName)
      : input(c.dense("input", compute)),
        weightIn(c.dense(weightA, compute)),
        weightHidden(c.dense(weightB, compute)) {
    if (c.integer("mode") != 2)
      throw EvalError("unsupported-op", "mkldnn_rnn_layer: only LSTM layers are supported");
    if (!c.integers("batch_sizes").empty())
      throw EvalError("unsupported-op", "mkldnn_rnn_layer doesn't support packed sequences");
    if (input.dim() != 3 || weightIn.dim() != 2 || weightHidden.dim() != 2)
      throw EvalError("shape-mismatch",
                      "mkldnn_rnn_layer: expected an input of 3 dimensions and matrices of weights");
    times = input.size(0);
    batch = input.size(1);
    inputs = input.size(2);
    size = c.integer("hidden_size");
    reverse = c.flag("reverse");
    if (weightIn.size(0) != 4 * size || weightIn.size(1) != inputs || weightHidden.size(0) != 4 * size ||
        weightHidden.size(1) != size)
      throw EvalError("shape-mismatch", "mkldnn_rnn_layer: the sizes of the weights do not fit");
    hx = optional<T>(c, "hx_", compute, batch * size);
    cx = optional<T>(c, cellName, compute, batch * size);
    const bool biased = c.flag("has_biases");
    const T* one = biased ? optional<T>(c, biasA, compute, 4 * size) : nullptr;
    const T* two = biased ? optional<T>(c, biasB, compute, 4 * size) : nullptr;
    const int64_t rows = times * batch, width = 4 * size;
    gates.resize(static_cast<size_t>(rows * width));
    cells.resize(static_cast<size_t>(rows * size));
    hidden.resize(cells.size());
    for (int64_t r = 0; r < rows; ++r)
      for (int64_t k = 0; k < width; ++k)
        gates[static_cast<size_t>(r * width + k)] = (one ? one[k] : T(0)) + (two ? two[k] : T(0));
    multiply(rows, width, inputs, MatrixOf<const T>{input.as<T>(), inputs, 1},
             MatrixOf<const T>{weightIn.as<T>(), 1, inputs}, MatrixOf<T>{gates.data(), width, 1}, 1.0, 1.0);
    for (int64_t i = 0; i < times; ++i) {
      const int64_t t = at(i);
      const T *before = i ? hiddenAt(at(i - 1)) : hx, *cellBefore = i ? cellsAt(at(i - 1)) : cx;
      T* now = gatesAt(t);
      multiply(batch, width, size, MatrixOf<const T>{before, size, 1},
               MatrixOf<const T>{weightHidden.as<T>(), 1, size}, MatrixOf<T>{now, width, 1}, 1.0, 1.0);
      for (int64_t b = 0; b < batch; ++b)
        for (int64_t k = 0; k < size; ++k)
          lstmStep(now + b * width, size, k, cellBefore[b * size + k], cellsAt(t)[b * size + k],
                   hiddenAt(t)[b * size + k]);
    }
  }
  /// The time of the i-th step.
  int64_t at(int64_t i) const { return reverse ? times - 1 - i : i; }
  T* gatesAt(int64_t t) { return gates.data() + t * batch * 4 * size; }
  T* cellsAt(int64_t t) { return cells.data() + t * batch * size; }
  T* hiddenAt(int64_t t) { return hidden.data() + t * batch * size; }
  int64_t stateSize() const { return batch * size; }
};

void lstmLayer(Call& c) {
  const DType compute = computeType(c.out().dtype);
  visitComputed(compute, "recurrent cell", [&]<class T>(TypeTag<T>) {
    LstmLayer<T> layer(c, compute, "weight0", "weight1", "weight2", "weight3", "cx_");
    std::copy(layer.hidden.begin(), layer.hidden.end(), c.denseOut(0, compute).as<T>());
    const bool any = layer.times > 0;
    const int64_t last = layer.at(layer.times - 1);
    std::copy_n(any ? layer.hiddenAt(last) : layer.hx, layer.stateSize(), c.denseOut(1, compute).as<T>());
    std::copy_n(any ? layer.cellsAt(last) : layer.cx, layer.stateSize(), c.denseOut(2, compute).as<T>());
  });
  if (c.has(3)) zeroElements(c.out(3));
}

void lstmLayerBackward(Call& c) {
  const DType compute = computeType(c.tensor("input")->meta.dtype);
  visitComputed(compute, "recurrent cell", [&]<class T>(TypeTag<T>) {
    LstmLayer<T> layer(c, compute, "weight1", "weight2", "weight3", "weight4", "cx_tmp");
    const int64_t size = layer.size, width = 4 * size, state = layer.stateSize(),
                  rows = layer.times * layer.batch;
    const T* gradOut = optional<T>(c, "grad_output", compute, rows * size);
    const T* gradHy = optional<T>(c, "grad_hy", compute, state);
    const T* gradCy = optional<T>(c, "grad_cy", compute, state);
    std::vector<T> grads(static_cast<size_t>(rows * width));
    T* dh = c.denseOut(5, compute).as<T>();
    T* dc = c.denseOut(6, compute).as<T>();
    for (int64_t i = 0; i < state; ++i) {
      dh[i] = gradHy ? gradHy[i] : T(0);
      dc[i] = gradCy ? gradCy[i] : T(0);
    }
    T* weightGrad = c.denseOut(2, compute).as<T>();
    std::fill_n(weightGrad, width * size, T(0));
    for (int64_t i = layer.times - 1; i >= 0; --i) {
      const int64_t t = layer.at(i);
      const T *before = i ? layer.hiddenAt(layer.at(i - 1)) : layer.hx,
              *cellBefore = i ? layer.cellsAt(layer.at(i - 1)) : layer.cx;
      T* d = grads.data() + t * layer.batch * width;
      for (int64_t b = 0; b < layer.batch; ++b)
        for (int64_t k = 0; k < size; ++k) {
          const int64_t at = b * size + k;
          const T g = dh[at] + (gradOut ? gradOut[t * state + at] : T(0));
          dc[at] = lstmStepBackward(layer.gatesAt(t) + b * width, size, k, cellBefore[at],
                                    layer.cellsAt(t)[at], g, dc[at], d + b * width);
        }
      multiply(layer.batch, size, width, MatrixOf<const T>{d, width, 1},
               MatrixOf<const T>{layer.weightHidden.template as<T>(), size, 1}, MatrixOf<T>{dh, size, 1});
      multiply(width, size, layer.batch, MatrixOf<const T>{d, 1, width}, MatrixOf<const T>{before, size, 1},
               MatrixOf<T>{weightGrad, size, 1}, 1.0, 1.0);
    }
    multiply(rows, layer.inputs, width, MatrixOf<const T>{grads.data(), width, 1},
             MatrixOf<const T>{layer.weightIn.template as<T>(), layer.inputs, 1},
             MatrixOf<T>{c.denseOut(0, compute).as<T>(), layer.inputs, 1});
    multiply(width, layer.inputs, rows, MatrixOf<const T>{grads.data(), 1, width},
             MatrixOf<const T>{layer.input.template as<T>(), layer.inputs, 1},
             MatrixOf<T>{c.denseOut(1, compute).as<T>(), layer.inputs, 1});
    const std::array<View, 2> bias = {c.denseOut(3, compute), c.denseOut(4, compute)};
    for (const View& b : bias) {
      if (b.numel() == width)
        sumRows(grads.data(), rows, width, b.as<T>());
      else
        zeroElements(b);
    }
  });
}

/// What cuDNN computes, by the layers of the op table.
void cudnnLayers(Call& c) {
  if (!c.integers("batch_sizes").empty())
    throw EvalError("unsupported-op", "_cudnn_rnn: packed sequences need a GPU");
  if (c.real("dropout") > 0 && c.flag("train"))
    throw EvalError("unsupported-op", "_cudnn_rnn: dropout needs a GPU");
  const int64_t mode = c.integer("mode");
  const char* const names[] = {"aten.rnn_relu.input", "aten.rnn_tanh.input", "aten.lstm.input",
                               "aten.gru.input"};
  if (mode < 0 || mode > 3)
    throw EvalError("value-error", "_cudnn_rnn: unknown mode " + std::to_string(mode));
  const int64_t stride = c.integer("weight_stride0");
  const Value hidden = mode == 2 ? Value(Values{c.value("hx"), c.value("cx")}) : c.value("hx");
  const Value made =
      c.call(names[mode],
             {c.value("input"), hidden, c.value("weight"), Value::boolean(stride > 3), c.value("num_layers"),
              Value::real(0), Value::boolean(false), c.value("bidirectional"), c.value("batch_first")});
  for (size_t i = 0; i < c.results(); ++i) {
    if (!c.has(i)) continue;
    if (i < made.items().size() && i < 3)
      copyElements(c.out(i), viewOf(*resolved(tensorOf(made.items()[i]))));
    else
      zeroElements(c.out(i));
  }
}

// ---- packed sequences

/// [time, batch, ...] with lengths in decreasing order: the rows that are there, time by time, and how many
/// each has.
Value packSequence(Call& c) {
  View input = c.view("input");
  const View lengths = c.dense("lengths", DType::I64);
  if (input.dim() < 2) throw EvalError("shape-mismatch", "pack_padded_sequence needs a batch of sequences");
  if (c.flag("batch_first")) input = input.transposed(0, 1);
  const int64_t batch = input.size(1), *length = lengths.as<int64_t>();
  if (lengths.numel() != batch)
    throw EvalError("shape-mismatch", "Expected `len(lengths)` to be equal to batch_size, but got " +
                                          std::to_string(lengths.numel()) +
                                          " (batch_size=" + std::to_string(batch) + ")");
  if (batch == 0) throw EvalError("value-error", "Cannot pack empty tensors.");
  int64_t total = 0;
  for (int64_t b = 0; b < batch; ++b) {
    if (length[b] <= 0)
      throw EvalError(
          "value-error",
          "Length of all samples has to be greater than 0, but found an element in 'lengths' that is <= 0");
    if (b && length[b] > length[b - 1])
      throw EvalError(
          "value-error",
          "`lengths` array must be sorted in decreasing order when `enforce_sorted` is True. You can pass "
          "`enforce_sorted=False` to pack_padded_sequence and/or pack_sequence to sidestep this requirement "
          "if you do not need ONNX exportability.");
    if (length[b] > input.size(0))
      throw EvalError("value-error", "Expected lengths of at most " + std::to_string(input.size(0)) +
                                         ", but got " + std::to_string(length[b]));
    total += length[b];
  }
  Dims sizes{total};
  for (size_t d = 2; d < input.dim(); ++d) sizes.push_back(input.sizes[d]);
  const TensorRef data = allocate(sizes, input.dtype), counts = allocate(Dims{length[0]}, DType::I64);
  int64_t row = 0, present = batch;
  for (int64_t t = 0; t < length[0]; ++t) {
    while (present > 0 && length[present - 1] <= t) --present;
    copyElements(viewOf(*data).narrow(0, row, present), input.select(0, t).narrow(0, 0, present));
    viewOf(*counts).as<int64_t>()[t] = present;
    row += present;
  }
  return Value::tuple({Value(data), Value(counts)});
}

Value packSequenceBackward(Call& c) {
  std::vector<int64_t> sizes = c.integers("input_size");
  const View grad = c.view("grad"), counts = c.dense("batch_sizes", DType::I64);
  if (sizes.size() < 2) throw EvalError("shape-mismatch", "pack_padded_sequence needs a batch of sequences");
  const bool batchFirst = c.flag("batch_first");
  if (batchFirst) std::swap(sizes[0], sizes[1]);
  const TensorRef made = allocateZeros(Dims(sizes), grad.dtype);
  const View out = viewOf(*made);
  int64_t row = 0;
  for (int64_t t = 0; t < counts.numel(); ++t) {
    const int64_t n = counts.as<int64_t>()[t];
    if (n < 0 || t >= out.size(0) || n > out.size(1) || row + n > grad.size(0))
      throw EvalError("shape-mismatch", "_pack_padded_sequence_backward: batch_sizes do not fit");
    copyElements(out.select(0, t).narrow(0, 0, n), grad.narrow(0, row, n));
    row += n;
  }
  return batchFirst ? c.call("aten.transpose.int", {Value(made), Value(0), Value(1)}) : Value(made);
}

}  // namespace

void addRecurrentKernels(KernelTable& table) {
  table.fill("aten._thnn_fused_lstm_cell.default", lstmCell);
  table.fill("aten._thnn_fused_lstm_cell_backward_impl.default", lstmCellBackward);
  table.fill("aten._thnn_fused_gru_cell.default", gruCell);
  table.fill("aten._thnn_fused_gru_cell_backward.default", gruCellBackward);
  table.fill("aten.mkldnn_rnn_layer.default", lstmLayer);
  table.fill("aten.mkldnn_rnn_layer_backward.default", lstmLayerBackward);
  table.fill("aten._cudnn_rnn.default", cudnnLayers);
  table.make("aten._pack_padded_sequence.default", packSequence);
  table.make("aten._pack_padded_sequence_backward.default", packSequenceBackward);
}

}  // namespace descry::runtime
