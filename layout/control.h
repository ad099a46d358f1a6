// Lets every phase stop promptly, without each phase having to hand a flag back up.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>

namespace descry::layout {

// Thrown and caught inside layoutGraph(); never leaves the library.
struct Cancelled {};

// Cancellation, time budget and progress of one layoutGraph() call.
class Control {
 public:
  using Clock = std::chrono::steady_clock;

  Control(const std::atomic<bool>* cancel, double budgetSeconds, const std::function<void(float)>& progress)
      : cancel_(cancel), budgetSeconds_(budgetSeconds), progress_(progress), start_(Clock::now()) {}

  // One relaxed load: call it once per layer or few hundred items.
  void poll() const {
    if (cancel_ && cancel_->load(std::memory_order_relaxed)) throw Cancelled{};
  }
  double elapsedMs() const {
    return std::chrono::duration<double, std::milli>(Clock::now() - start_).count();
  }
  bool overBudget() const { return budgetSeconds_ > 0 && elapsedMs() > budgetSeconds_ * 1e3; }
  // Reports at steps of one percent only.
  void progress(double fraction) {
    if (!progress_ || fraction < reported_ + 0.01) return;
    reported_ = fraction < 1 ? fraction : 1;
    progress_(static_cast<float>(reported_));
  }

 private:
  const std::atomic<bool>* cancel_;
  double budgetSeconds_;
  const std::function<void(float)>& progress_;
  double reported_ = 0;
  Clock::time_point start_;
};

// Adds the time since the last lap to one of several counters, in milliseconds.
class LapTimer {
 public:
  void lap(double& totalMs) {
    auto now = Control::Clock::now();
    totalMs += std::chrono::duration<double, std::milli>(now - last_).count();
    last_ = now;
  }

 private:
  Control::Clock::time_point last_ = Control::Clock::now();
};

}  // namespace descry::layout
