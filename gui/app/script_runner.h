// Runs scripts: the steps are actions of the registry and a few checks. Each step waits until the window is
// settled.
#pragma once

#include <QElapsedTimer>
#include <QJsonObject>
#include <QObject>
#include <QTimer>

#include <optional>
#include <vector>

namespace descry::gui {

class MainWindow;

struct Script {
  std::vector<QJsonObject> steps;
  QString error;  ///< what is wrong with the text; empty when it can be run
};
/// A JSON list of objects with "action", one such object a line, or one action a line: `select mm`, where the
/// rest of the line is the action's first argument. Empty lines and lines that begin with # are skipped.
Script parseScript(const QByteArray& text);

class ScriptRunner final : public QObject {
  Q_OBJECT
 public:
  /// The first `opening` steps come from the command line and are not counted in messages.
  ScriptRunner(MainWindow& window, std::vector<QJsonObject> steps, size_t opening = 0,
               QObject* parent = nullptr);
  void start();
  /// Why the script stopped early; empty when all steps passed.
  const QString& failure() const { return failure_; }
  /// The step that failed, from 0.
  size_t failedStep() const { return next_ ? next_ - 1 : 0; }

 signals:
  void finished(bool ok);

 private:
  void poll();
  void step();
  void finish(const QString& failure);
  /// Nothing for a step that is no check.
  std::optional<QString> check(const QString& id, const QJsonObject& step) const;
  QString name(size_t index) const;

  MainWindow& window_;
  std::vector<QJsonObject> steps_;
  size_t next_ = 0;
  QTimer poll_;
  QElapsedTimer waiting_;
  int quiet_ = 0;
  qint64 pauseMs_ = 0;
  QString failed_;  ///< reported by a job since the last step
  size_t opening_ = 0;
  QString failure_;
};

}  // namespace descry::gui
