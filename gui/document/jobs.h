// Jobs: work off the GUI thread, with progress and cancel; results come back on the GUI thread.
#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QString>
#include <QThreadPool>

#include <atomic>
#include <functional>
#include <memory>
#include <vector>

namespace descry::gui {

/// What the worker sees of its job. Shared by worker and GUI thread.
struct JobControl {
  std::atomic<bool> cancelled{false};
  std::atomic<int> permille{-1};  ///< -1: no fraction is known
};
using JobControlPtr = std::shared_ptr<JobControl>;

/// A running job, for the status bar.
struct JobInfo {
  int id = 0;
  QString title;
  bool quiet = false;  ///< too short or too frequent to be worth a line in the status bar
  JobControlPtr control;
  QElapsedTimer elapsed;
};

/// Runs closures on a thread pool of its own. GUI thread only, except where said.
class Jobs : public QObject {
  Q_OBJECT
 public:
  explicit Jobs(QObject* parent = nullptr);
  /// Cancels what runs and waits for it; results that did not arrive are dropped.
  ~Jobs() override;

  /// `work` runs in a worker and returns the result; `done` gets it on the GUI thread, unless the job was
  /// cancelled or `receiver` is gone. Returns the control, to cancel with.
  template <class Work, class Done>
  JobControlPtr start(const QString& title, QObject* receiver, Work work, Done done, bool quiet = false) {
    using Value = decltype(work(std::declval<JobControl&>()));
    auto box = std::make_shared<std::unique_ptr<Value>>();
    return startErased(
        title, receiver,
        [work = std::move(work), box](JobControl& c) { *box = std::make_unique<Value>(work(c)); },
        [done = std::move(done), box] { done(std::move(**box)); }, quiet);
  }

  /// Drops a value in a worker: freeing a million strings would stop the window for a while. Any thread.
  void dispose(std::shared_ptr<const void> value);

  void cancelAll();
  bool idle() const { return running_.empty(); }
  const std::vector<JobInfo>& running() const { return running_; }
  /// The job to show: the oldest that is not quiet. Null when there is none.
  const JobInfo* shown() const;
  int finishedCount() const { return finished_; }

 signals:
  void changed();
  void becameIdle();

 private:
  JobControlPtr startErased(const QString& title, QObject* receiver, std::function<void(JobControl&)> work,
                            std::function<void()> done, bool quiet);
  void finish(int id);

  QThreadPool pool_;
  std::vector<JobInfo> running_;
  int nextId_ = 1;
  int finished_ = 0;
};

}  // namespace descry::gui
