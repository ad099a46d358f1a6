#include "runtime/core/threads.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstdlib>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include "runtime/core/inside.h"

namespace descry::runtime {

namespace {

/// What the threads work on: parts are taken one after the other.
struct Job {
  const std::function<void(int64_t, int64_t)>* body = nullptr;
  int64_t begin = 0, end = 0, step = 0;
  std::atomic<int64_t> next{0};
  std::atomic<int64_t> pending{0};
  std::mutex mutex;
  std::exception_ptr failure;

  void work() {
    while (true) {
      const int64_t from = next.fetch_add(step);
      if (from >= end) return;
      const int64_t to = std::min(end, from + step);
      try {
        (*body)(from, to);
      } catch (...) {
        const std::lock_guard lock(mutex);
        if (!failure) failure = std::current_exception();
      }
      pending.fetch_sub(1, std::memory_order_acq_rel);
    }
  }
};

int coresOrAsked() {
  if (const char* asked = std::getenv("DESCRY_THREADS"))
    if (const int n = std::atoi(asked); n > 0) return std::min(n, 256);
  return static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
}

thread_local bool insideBody = false;

class Pool {
 public:
  ~Pool() { stop(); }

  void resize(int count) {
    stop();
    stopping_ = false;
    for (int i = 1; i < count; ++i) threads_.emplace_back([this] { loop(); });
  }

  /// False when another thread uses the pool: the caller works alone then.
  bool run(Job& job) {
    const std::unique_lock use(useMutex_, std::try_to_lock);
    if (!use.owns_lock()) return false;
    {
      const std::lock_guard lock(mutex_);
      job_ = &job;
      ++generation_;
    }
    wake_.notify_all();
    insideBody = true;
    job.work();
    insideBody = false;
    // Parts that other threads have taken end soon: waiting for them asleep costs more than they do.
    for (int spins = 0; job.pending.load(std::memory_order_acquire) > 0; ++spins)
      if (spins > 2000) std::this_thread::yield();
    std::unique_lock lock(mutex_);
    job_ = nullptr;
    done_.wait(lock, [&] { return active_ == 0; });
    return true;
  }

 private:
  void loop() {
    insideBody = true;
    uint64_t seen = 0;
    std::unique_lock lock(mutex_);
    while (true) {
      wake_.wait(lock, [&] { return stopping_ || (job_ && generation_ != seen); });
      if (stopping_) return;
      seen = generation_;
      Job* job = job_;
      ++active_;
      lock.unlock();
      job->work();
      lock.lock();
      --active_;
      if (active_ == 0) done_.notify_all();
    }
  }
  void stop() {
    {
      const std::lock_guard lock(mutex_);
      stopping_ = true;
    }
    wake_.notify_all();
    for (std::thread& t : threads_) t.join();
    threads_.clear();
  }

  std::mutex useMutex_, mutex_;
  std::condition_variable wake_, done_;
  std::vector<std::thread> threads_;
  Job* job_ = nullptr;
  uint64_t generation_ = 0;
  int active_ = 0;
  bool stopping_ = false;
};

struct Shared {
  std::mutex mutex;
  std::atomic<int> count{0};
  Pool pool;
};
Shared& shared() {
  static Shared s;
  return s;
}

int readyCount() {
  Shared& s = shared();
  if (const int n = s.count.load(std::memory_order_acquire)) return n;
  setThreadCount(coresOrAsked());
  return s.count.load();
}

}  // namespace

bool insideParallel() {
  return insideBody;
}

int threadCount() {
  return readyCount();
}

void setThreadCount(int count) {
  Shared& s = shared();
  const std::lock_guard lock(s.mutex);
  if (s.count.load() == count) return;
  s.pool.resize(std::max(1, count));
  s.count.store(std::max(1, count), std::memory_order_release);
}

void parallelFor(int64_t begin, int64_t end, int64_t grain,
                 const std::function<void(int64_t, int64_t)>& body) {
  if (begin >= end) return;
  const int64_t count = end - begin;
  const int threads = insideBody || count <= grain ? 1 : readyCount();
  if (threads == 1) {
    body(begin, end);
    return;
  }
  Job job;
  job.body = &body;
  job.end = end;
  // A few parts a thread, so that one that is held up does not hold up all.
  const int64_t parts = std::min<int64_t>((count + grain - 1) / grain, int64_t{4} * threads);
  job.step = (count + parts - 1) / parts;
  job.next = begin;
  job.pending = (count + job.step - 1) / job.step;
  if (!shared().pool.run(job)) {
    body(begin, end);
    return;
  }
  if (job.failure) std::rethrow_exception(job.failure);
}

}  // namespace descry::runtime
