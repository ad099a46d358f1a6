#include "runtime/library/onednn.h"

#ifdef DESCRY_ONEDNN

#include <dlfcn.h>
#include <oneapi/dnnl/dnnl.h>

#include <algorithm>
#include <atomic>
#include <optional>

#include "runtime/core/memory.h"
#include "runtime/core/threads.h"

namespace descry::runtime::library {

namespace {

// What is called, by the declarations of the header.
#define DESCRY_CALLS(X)                                  \
  X(dnnl_version)                                        \
  X(dnnl_sgemm)                                          \
  X(dnnl_engine_create)                                  \
  X(dnnl_stream_create)                                  \
  X(dnnl_stream_destroy)                                 \
  X(dnnl_stream_wait)                                    \
  X(dnnl_memory_create)                                  \
  X(dnnl_memory_destroy)                                 \
  X(dnnl_memory_desc_init_by_tag)                        \
  X(dnnl_memory_desc_init_by_strides)                    \
  X(dnnl_memory_desc_equal)                              \
  X(dnnl_memory_desc_get_size)                           \
  X(dnnl_dilated_convolution_forward_desc_init)          \
  X(dnnl_dilated_convolution_backward_data_desc_init)    \
  X(dnnl_dilated_convolution_backward_weights_desc_init) \
  X(dnnl_primitive_desc_create)                          \
  X(dnnl_primitive_desc_destroy)                         \
  X(dnnl_primitive_desc_query_md)                        \
  X(dnnl_reorder_primitive_desc_create)                  \
  X(dnnl_primitive_create)                               \
  X(dnnl_primitive_destroy)                              \
  X(dnnl_primitive_execute)

struct Calls {
#define DESCRY_FIELD(NAME) decltype(&::NAME) NAME = nullptr;
  DESCRY_CALLS(DESCRY_FIELD)
#undef DESCRY_FIELD
  void (*omp_set_num_threads)(int) = nullptr;
  int (*omp_get_max_threads)() = nullptr;
  dnnl_engine_t engine = nullptr;
  bool ready = false;

  Calls() {
    void* const handle = dlopen(DESCRY_ONEDNN, RTLD_NOW | RTLD_LOCAL);
    if (!handle) return;
    bool all = true;
    const auto find = [&](auto& to, const char* name) {
      to = reinterpret_cast<std::decay_t<decltype(to)>>(dlsym(handle, name));
      all = all && to;
    };
#define DESCRY_FIND(NAME) find(this->NAME, #NAME);
    DESCRY_CALLS(DESCRY_FIND)
#undef DESCRY_FIND
    if (!all || dnnl_version()->major != DNNL_VERSION_MAJOR) return;
    // Built with OpenMP it would start threads of its own; other builds have no such functions.
    omp_set_num_threads = reinterpret_cast<void (*)(int)>(dlsym(handle, "omp_set_num_threads"));
    omp_get_max_threads = reinterpret_cast<int (*)()>(dlsym(handle, "omp_get_max_threads"));
    ready = dnnl_engine_create(&engine, dnnl_cpu, 0) == dnnl_success;
  }
};
/// Never unloaded.
const Calls& calls() {
  static const Calls& c = *new Calls;
  return c;
}

/// What this thread calls runs on this thread.
struct OneThread {
  int before = 0;
  OneThread() {
    const Calls& c = calls();
    if (!c.omp_get_max_threads || !c.omp_set_num_threads) return;
    before = c.omp_get_max_threads();
    if (before != 1) c.omp_set_num_threads(1);
  }
  ~OneThread() {
    if (before > 1) calls().omp_set_num_threads(before);
  }
};

void single(bool ta, bool tb, int64_t m, int64_t n, int64_t k, float alpha, const float* a, int64_t lda,
            const float* b, int64_t ldb, float beta, float* c, int64_t ldc) {
  const OneThread alone;
  calls().dnnl_sgemm(ta ? 'T' : 'N', tb ? 'T' : 'N', m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
}

// ---- objects of the library

/// A call of the library that did not succeed: the work is left to others.
struct Refused {};
void check(dnnl_status_t status) {
  if (status != dnnl_success) throw Refused{};
}

using Layout = dnnl_memory_desc_t;
bool same(const Layout& a, const Layout& b) {
  return calls().dnnl_memory_desc_equal(&a, &b);
}
size_t bytesOf(const Layout& l) {
  return calls().dnnl_memory_desc_get_size(&l);
}

/// `sizes` one after the other, but for the strides of the first two.
Layout plainLayout(const std::vector<int64_t>& sizes, int64_t first, int64_t second) {
  std::vector<int64_t> strides(sizes.size(), 1);
  for (size_t d = sizes.size(); d-- > 1;) strides[d - 1] = strides[d] * sizes[d];
  const size_t leading = sizes.size() >= 2 ? 2 : 1;
  strides[0] = first;
  if (leading > 1) strides[1] = second;
  Layout l;
  check(calls().dnnl_memory_desc_init_by_strides(&l, static_cast<int>(sizes.size()), sizes.data(), dnnl_f32,
                                                 strides.data()));
  return l;
}
Layout anyLayout(const std::vector<int64_t>& sizes) {
  Layout l;
  check(calls().dnnl_memory_desc_init_by_tag(&l, static_cast<int>(sizes.size()), sizes.data(), dnnl_f32,
                                             dnnl_format_tag_any));
  return l;
}

class Block {
 public:
  explicit Block(size_t bytes) : data_(allocateBytes(std::max<size_t>(bytes, 1), capacity_)) {}
  ~Block() { releaseBytes(data_, capacity_); }
  Block(const Block&) = delete;
  Block& operator=(const Block&) = delete;
  float* get() const { return reinterpret_cast<float*>(data_); }

 private:
  size_t capacity_ = 0;
  std::byte* data_;
};

struct Memory {
  dnnl_memory_t handle = nullptr;
  Memory(const Layout& l, const float* data) {
    check(calls().dnnl_memory_create(&handle, &l, calls().engine, const_cast<float*>(data)));
  }
  ~Memory() { calls().dnnl_memory_destroy(handle); }
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;
};

struct Stream {
  dnnl_stream_t handle = nullptr;
  Stream() { check(calls().dnnl_stream_create(&handle, calls().engine, dnnl_stream_default_flags)); }
  ~Stream() { calls().dnnl_stream_destroy(handle); }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
};

/// The library keeps what it made for the last shapes, so nothing is kept here.
struct Primitive {
  dnnl_primitive_desc_t description = nullptr;
  dnnl_primitive_t handle = nullptr;

  Primitive() = default;
  ~Primitive() {
    if (handle) calls().dnnl_primitive_destroy(handle);
    if (description) calls().dnnl_primitive_desc_destroy(description);
  }
  Primitive(const Primitive&) = delete;
  Primitive& operator=(const Primitive&) = delete;
  Layout layout(dnnl_query_t what) const {
    const Layout* const l = calls().dnnl_primitive_desc_query_md(description, what, 0);
    if (!l) throw Refused{};
    return *l;
  }
  void run(const Stream& stream, const std::vector<dnnl_exec_arg_t>& args) {
    if (!handle) check(calls().dnnl_primitive_create(&handle, description));
    check(calls().dnnl_primitive_execute(handle, stream.handle, static_cast<int>(args.size()), args.data()));
    check(calls().dnnl_stream_wait(stream.handle));
  }
};

void reorder(const Stream& stream, const Layout& from, const float* source, const Layout& to, float* target) {
  Primitive p;
  check(calls().dnnl_reorder_primitive_desc_create(&p.description, &from, calls().engine, &to, calls().engine,
                                                   nullptr));
  const Memory in(from, source), out(to, target);
  p.run(stream, {{DNNL_ARG_FROM, in.handle}, {DNNL_ARG_TO, out.handle}});
}

/// Numbers in the layout that a primitive wants.
struct Arranged {
  std::optional<Block> own;
  const float* data = nullptr;

  Arranged(const Stream& stream, const Layout& given, const float* from, const Layout& wanted) : data(from) {
    if (same(given, wanted)) return;
    own.emplace(bytesOf(wanted));
    data = own->get();
    reorder(stream, given, from, wanted, own->get());
  }
};

// ---- convolutions

/// Part of a convolution: some images, and some channels (of whole groups where there are several).
struct Slice {
  int64_t image = 0, images = 0;
  int64_t in = 0, inCount = 0, out = 0, outCount = 0, groups = 1;
};

struct Shape {
  const Convolution& c;
  int64_t inArea = 1, outArea = 1, kernelArea = 1;
  std::vector<int64_t> stride, dilation, before, after;

  explicit Shape(const Convolution& given) : c(given) {
    for (size_t d = 0; d < static_cast<size_t>(c.dims); ++d) {
      inArea *= c.inSize[d];
      outArea *= c.outSize[d];
      kernelArea *= c.kernel[d];
      stride.push_back(c.stride[d]);
      dilation.push_back(c.dilation[d] - 1);
      before.push_back(c.padding[d]);
      after.push_back((c.outSize[d] - 1) * c.stride[d] + (c.kernel[d] - 1) * c.dilation[d] + 1 - c.inSize[d] -
                      c.padding[d]);
    }
  }
  std::vector<int64_t> image(int64_t count, int64_t channels, const std::array<int64_t, 3>& size) const {
    std::vector<int64_t> v{count, channels};
    v.insert(v.end(), size.begin(), size.begin() + c.dims);
    return v;
  }
  std::vector<int64_t> inSizes(const Slice& s) const { return image(s.images, s.inCount, c.inSize); }
  std::vector<int64_t> outSizes(const Slice& s) const { return image(s.images, s.outCount, c.outSize); }
  std::vector<int64_t> weightSizes(const Slice& s) const {
    std::vector<int64_t> v;
    if (c.groups > 1) v.push_back(s.groups);
    v.push_back(s.outCount / s.groups);
    v.push_back(s.inCount / s.groups);
    v.insert(v.end(), c.kernel.begin(), c.kernel.begin() + c.dims);
    return v;
  }
  Layout inLayout(const Slice& s) const { return plainLayout(inSizes(s), c.in * inArea, inArea); }
  Layout outLayout(const Slice& s) const { return plainLayout(outSizes(s), c.out * outArea, outArea); }
  Layout weightLayout(const Slice& s) const {
    const int64_t inputs = c.in / c.groups;
    if (c.groups > 1)
      return plainLayout(weightSizes(s), s.outCount / s.groups * inputs * kernelArea, inputs * kernelArea);
    return plainLayout(weightSizes(s), inputs * kernelArea, kernelArea);
  }
  const float* inOf(const Slice& s, const float* p) const { return p + (s.image * c.in + s.in) * inArea; }
  const float* outOf(const Slice& s, const float* p) const { return p + (s.image * c.out + s.out) * outArea; }
  /// Slices of input channels are of one group.
  const float* weightOf(const Slice& s, const float* p) const {
    return p + (s.out * (c.in / c.groups) + (c.groups > 1 ? 0 : s.in)) * kernelArea;
  }
  int64_t work(const Slice& s) const {
    return s.images * outArea * s.outCount * (s.inCount / s.groups) * kernelArea;
  }
  Slice all() const { return {0, c.batch, 0, c.in, 0, c.out, c.groups}; }

  bool fits() const {
    for (size_t d = 0; d < static_cast<size_t>(c.dims); ++d)
      if (c.padding[d] < 0 || c.stride[d] > 64 || c.dilation[d] > 1024 || c.padding[d] >= 1024) return false;
    return c.batch > 0 && c.in > 0 && c.out > 0 && inArea > 0 && outArea > 0 && kernelArea > 0;
  }
};

/// Multiplications that make a slice worth its start.
constexpr int64_t kSlice = 1 << 23;
constexpr int64_t kChannelBlock = 16;

enum class Split { Images, In, Out };

/// Images of a batch, else channels: whole groups, or blocks of channels of one.
std::vector<Slice> slicesOf(const Shape& s, Split how, bool images) {
  const Convolution& c = s.c;
  const int64_t threads = threadCount();
  std::vector<Slice> out;
  const Slice whole = s.all();
  if (images && (c.batch >= threads || threads == 1)) {
    const int64_t one = std::max<int64_t>(1, s.work(whole) / c.batch);
    const int64_t least = std::max<int64_t>(1, kSlice / one);
    const int64_t parts =
        std::max<int64_t>(1, std::min(c.batch, std::max(c.batch / least, std::min(threads, c.batch))));
    for (int64_t k = 0; k < parts; ++k) {
      Slice slice = whole;
      slice.image = c.batch * k / parts;
      slice.images = c.batch * (k + 1) / parts - slice.image;
      out.push_back(slice);
    }
    return out;
  }
  const int64_t channels = c.groups > 1 ? c.groups : how == Split::In ? c.in : c.out;
  const int64_t unit = c.groups > 1 ? 1 : kChannelBlock;
  const int64_t blocks = (channels + unit - 1) / unit;
  const int64_t parts = std::clamp<int64_t>(std::min(threads, s.work(whole) / kSlice), 1, blocks);
  for (int64_t k = 0; k < parts; ++k) {
    Slice slice = whole;
    const int64_t from = blocks * k / parts * unit, to = std::min(channels, blocks * (k + 1) / parts * unit);
    if (c.groups > 1) {
      slice.groups = to - from;
      slice.in = from * (c.in / c.groups);
      slice.inCount = slice.groups * (c.in / c.groups);
      slice.out = from * (c.out / c.groups);
      slice.outCount = slice.groups * (c.out / c.groups);
    } else if (how == Split::In) {
      slice.in = from;
      slice.inCount = to - from;
    } else {
      slice.out = from;
      slice.outCount = to - from;
    }
    out.push_back(slice);
  }
  return out;
}

bool worth(const Shape& s) {
  return wantsOneDnn() && calls().ready && s.fits() && s.work(s.all()) >= (1 << 17);
}

template <class F>
bool forSlices(const std::vector<Slice>& slices, F&& f) {
  std::atomic<bool> refused{false};
  parallelFor(0, std::ssize(slices), 1, [&](int64_t from, int64_t to) {
    const OneThread alone;
    try {
      const Stream stream;
      for (int64_t i = from; i < to && !refused; ++i) f(stream, slices[static_cast<size_t>(i)]);
    } catch (const Refused&) {
      refused = true;
    }
  });
  return !refused;
}

void describeForward(const Shape& s, const Slice& slice, bool biased, Primitive& p) {
  const Layout in = anyLayout(s.inSizes(slice)), weight = anyLayout(s.weightSizes(slice)),
               out = anyLayout(s.outSizes(slice));
  Layout bias;
  if (biased) bias = anyLayout({slice.outCount});
  dnnl_convolution_desc_t d;
  check(calls().dnnl_dilated_convolution_forward_desc_init(
      &d, dnnl_forward_training, dnnl_convolution_direct, &in, &weight, biased ? &bias : nullptr, &out,
      s.stride.data(), s.dilation.data(), s.before.data(), s.after.data()));
  check(calls().dnnl_primitive_desc_create(&p.description, &d, nullptr, calls().engine, nullptr));
}

void describeInput(const Shape& s, const Slice& slice, Primitive& p) {
  Primitive forward;
  describeForward(s, slice, false, forward);
  const Layout in = anyLayout(s.inSizes(slice)), weight = anyLayout(s.weightSizes(slice)),
               out = anyLayout(s.outSizes(slice));
  dnnl_convolution_desc_t d;
  check(calls().dnnl_dilated_convolution_backward_data_desc_init(&d, dnnl_convolution_direct, &in, &weight,
                                                                 &out, s.stride.data(), s.dilation.data(),
                                                                 s.before.data(), s.after.data()));
  check(calls().dnnl_primitive_desc_create(&p.description, &d, nullptr, calls().engine, forward.description));
}

/// Weights in the layout of most slices, made once.
struct SharedWeight {
  Layout layout{};
  std::optional<Arranged> numbers;

  /// Where several slices read all of them. False when the library refuses.
  template <class Describe>
  bool make(const Shape& s, const std::vector<Slice>& slices, int64_t batch, const float* weight,
            const Describe& describe) {
    if (slices.size() < 2 || slices[0].images >= batch) return true;
    const OneThread alone;
    try {
      Primitive p;
      describe(p);
      layout = p.layout(dnnl_query_weights_md);
      numbers.emplace(Stream(), s.weightLayout(s.all()), weight, layout);
    } catch (const Refused&) {
      return false;
    }
    return true;
  }
  const float* of(const Layout& wanted) const {
    return numbers && same(layout, wanted) ? numbers->data : nullptr;
  }
};

}  // namespace

Multiply<float> oneDnnMultiply() {
  return calls().ready ? single : nullptr;
}

std::string oneDnnVersion() {
  if (!calls().ready) return {};
  const dnnl_version_t* const v = calls().dnnl_version();
  return std::to_string(v->major) + "." + std::to_string(v->minor) + "." + std::to_string(v->patch);
}

bool convolveForward(const Convolution& c, const float* input, const float* weight, const float* bias,
                     float* output) {
  const Shape s(c);
  if (!worth(s)) return false;
  const std::vector<Slice> slices = slicesOf(s, Split::Out, true);
  SharedWeight shared;
  if (!shared.make(s, slices, c.batch, weight, [&](Primitive& p) { describeForward(s, slices[0], bias, p); }))
    return false;
  return forSlices(slices, [&](const Stream& stream, const Slice& slice) {
    Primitive p;
    describeForward(s, slice, bias, p);
    const Layout inWanted = p.layout(dnnl_query_src_md), weightWanted = p.layout(dnnl_query_weights_md),
                 outWanted = p.layout(dnnl_query_dst_md), outGiven = s.outLayout(slice);
    const Arranged in(stream, s.inLayout(slice), s.inOf(slice, input), inWanted);
    std::optional<Arranged> ownWeight;
    const float* w = shared.of(weightWanted);
    if (!w)
      w = ownWeight.emplace(stream, s.weightLayout(slice), s.weightOf(slice, weight), weightWanted).data;
    float* const target = const_cast<float*>(s.outOf(slice, output));
    std::optional<Block> made;
    if (!same(outWanted, outGiven)) made.emplace(bytesOf(outWanted));
    const Memory source(inWanted, in.data), weights(weightWanted, w),
        result(outWanted, made ? made->get() : target);
    std::vector<dnnl_exec_arg_t> args = {
        {DNNL_ARG_SRC, source.handle}, {DNNL_ARG_WEIGHTS, weights.handle}, {DNNL_ARG_DST, result.handle}};
    std::optional<Memory> biases;
    if (bias) {
      biases.emplace(plainLayout({slice.outCount}, 1, 1), bias + slice.out);
      args.push_back({DNNL_ARG_BIAS, biases->handle});
    }
    p.run(stream, args);
    if (made) reorder(stream, outWanted, made->get(), outGiven, target);
  });
}

bool convolveInput(const Convolution& c, const float* output, const float* weight, float* input) {
  const Shape s(c);
  if (!worth(s)) return false;
  const std::vector<Slice> slices = slicesOf(s, Split::In, true);
  SharedWeight shared;
  if (!shared.make(s, slices, c.batch, weight, [&](Primitive& p) { describeInput(s, slices[0], p); }))
    return false;
  return forSlices(slices, [&](const Stream& stream, const Slice& slice) {
    Primitive p;
    describeInput(s, slice, p);
    const Layout outWanted = p.layout(dnnl_query_diff_dst_md), weightWanted = p.layout(dnnl_query_weights_md),
                 inWanted = p.layout(dnnl_query_diff_src_md), inGiven = s.inLayout(slice);
    const Arranged out(stream, s.outLayout(slice), s.outOf(slice, output), outWanted);
    std::optional<Arranged> ownWeight;
    const float* w = shared.of(weightWanted);
    if (!w)
      w = ownWeight.emplace(stream, s.weightLayout(slice), s.weightOf(slice, weight), weightWanted).data;
    float* const target = const_cast<float*>(s.inOf(slice, input));
    std::optional<Block> made;
    if (!same(inWanted, inGiven)) made.emplace(bytesOf(inWanted));
    const Memory source(outWanted, out.data), weights(weightWanted, w),
        result(inWanted, made ? made->get() : target);
    p.run(stream, {{DNNL_ARG_DIFF_DST, source.handle},
                   {DNNL_ARG_WEIGHTS, weights.handle},
                   {DNNL_ARG_DIFF_SRC, result.handle}});
    if (made) reorder(stream, inWanted, made->get(), inGiven, target);
  });
}

bool convolveWeight(const Convolution& c, const float* input, const float* output, float* weight) {
  const Shape s(c);
  if (!worth(s)) return false;
  const std::vector<Slice> slices = slicesOf(s, Split::Out, false);
  const auto describe = [&](const Slice& slice, Primitive& p) {
    Primitive forward;
    describeForward(s, slice, false, forward);
    const Layout in = anyLayout(s.inSizes(slice)), weights = anyLayout(s.weightSizes(slice)),
                 out = anyLayout(s.outSizes(slice));
    dnnl_convolution_desc_t d;
    check(calls().dnnl_dilated_convolution_backward_weights_desc_init(
        &d, dnnl_convolution_direct, &in, &weights, nullptr, &out, s.stride.data(), s.dilation.data(),
        s.before.data(), s.after.data()));
    check(
        calls().dnnl_primitive_desc_create(&p.description, &d, nullptr, calls().engine, forward.description));
  };
  // All slices of one group read the whole input: it is arranged once, image by image.
  Layout sharedLayout{};
  std::optional<Block> shared;
  if (slices.size() > 1 && c.groups == 1) {
    std::vector<Slice> images;
    {
      const OneThread alone;
      try {
        Primitive p;
        describe(slices[0], p);
        sharedLayout = p.layout(dnnl_query_src_md);
      } catch (const Refused&) {
        return false;
      }
    }
    const Slice whole = s.all();
    if (!same(sharedLayout, s.inLayout(whole)) && sharedLayout.format_kind == dnnl_blocked) {
      shared.emplace(bytesOf(sharedLayout));
      for (int64_t k = 0; k < c.batch; ++k) images.push_back({k, 1, 0, c.in, 0, c.out, 1});
      Layout one = sharedLayout;
      one.dims[0] = one.padded_dims[0] = 1;
      const int64_t step = sharedLayout.format_desc.blocking.strides[0];
      const bool done = forSlices(images, [&](const Stream& stream, const Slice& image) {
        reorder(stream, s.inLayout(image), s.inOf(image, input), one, shared->get() + image.image * step);
      });
      if (!done) return false;
    }
  }
  return forSlices(slices, [&](const Stream& stream, const Slice& slice) {
    Primitive p;
    describe(slice, p);
    const Layout inWanted = p.layout(dnnl_query_src_md), outWanted = p.layout(dnnl_query_diff_dst_md),
                 weightWanted = p.layout(dnnl_query_diff_weights_md), weightGiven = s.weightLayout(slice);
    std::optional<Arranged> ownIn;
    const float* in = shared && same(sharedLayout, inWanted) ? shared->get() : nullptr;
    if (!in) in = ownIn.emplace(stream, s.inLayout(slice), s.inOf(slice, input), inWanted).data;
    const Arranged out(stream, s.outLayout(slice), s.outOf(slice, output), outWanted);
    float* const target = const_cast<float*>(s.weightOf(slice, weight));
    std::optional<Block> made;
    if (!same(weightWanted, weightGiven)) made.emplace(bytesOf(weightWanted));
    const Memory source(inWanted, in), gradient(outWanted, out.data),
        result(weightWanted, made ? made->get() : target);
    p.run(stream, {{DNNL_ARG_SRC, source.handle},
                   {DNNL_ARG_DIFF_DST, gradient.handle},
                   {DNNL_ARG_DIFF_WEIGHTS, result.handle}});
    if (made) reorder(stream, weightWanted, made->get(), weightGiven, target);
  });
}

}  // namespace descry::runtime::library

#else

namespace descry::runtime::library {

Multiply<float> oneDnnMultiply() {
  return nullptr;
}
std::string oneDnnVersion() {
  return {};
}
bool convolveForward(const Convolution&, const float*, const float*, const float*, float*) {
  return false;
}
bool convolveInput(const Convolution&, const float*, const float*, float*) {
  return false;
}
bool convolveWeight(const Convolution&, const float*, const float*, float*) {
  return false;
}

}  // namespace descry::runtime::library

#endif
