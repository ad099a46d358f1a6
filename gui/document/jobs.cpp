#include "gui/document/jobs.h"

#include <QPointer>
#include <QThread>

#include <algorithm>

namespace descry::gui {

Jobs::Jobs(QObject* parent) : QObject(parent) {
  // One long layout must not hold up a short query, even on a machine with one core.
  pool_.setMaxThreadCount(std::max(4, QThread::idealThreadCount()));
}

Jobs::~Jobs() {
  cancelAll();
  pool_.waitForDone();
}

JobControlPtr Jobs::startErased(const QString& title, QObject* receiver,
                                std::function<void(JobControl&)> work, std::function<void()> done,
                                bool quiet) {
  JobInfo info;
  info.id = nextId_++;
  info.title = title;
  info.quiet = quiet;
  info.control = std::make_shared<JobControl>();
  info.elapsed.start();
  running_.push_back(info);
  emit changed();
  QPointer<QObject> target(receiver);
  auto control = info.control;
  pool_.start([this, id = info.id, control, target, work = std::move(work), done = std::move(done)] {
    if (!control->cancelled) work(*control);
    QMetaObject::invokeMethod(
        this,
        [this, id, control, target, done] {
          if (target && !control->cancelled) done();
          finish(id);
        },
        Qt::QueuedConnection);
  });
  return control;
}

void Jobs::finish(int id) {
  running_.erase(
      std::remove_if(running_.begin(), running_.end(), [id](const JobInfo& j) { return j.id == id; }),
      running_.end());
  ++finished_;
  emit changed();
  if (running_.empty()) emit becameIdle();
}

void Jobs::dispose(std::shared_ptr<const void> value) {
  if (!value) return;
  pool_.start([value = std::move(value)]() mutable { value.reset(); });
}

void Jobs::cancelAll() {
  for (JobInfo& job : running_) job.control->cancelled = true;
}

const JobInfo* Jobs::shown() const {
  for (const JobInfo& job : running_)
    if (!job.quiet) return &job;
  return nullptr;
}

}  // namespace descry::gui
