// What an empty window shows: a drop zone, recent files, samples, and how to capture a trace.
#pragma once

#include <QWidget>

#include "gui/document/preferences.h"
#include "gui/theme/theme.h"

class QGridLayout;
class QLabel;
class QVBoxLayout;

namespace descry::gui {

struct Sample {
  QString path, title, detail;
};
/// Bundled samples that are on this machine, at most three.
QVector<Sample> bundledSamples();

class StartPage final : public QWidget {
  Q_OBJECT
 public:
  StartPage(Preferences& preferences, QWidget* parent);
  void applyTheme(const Theme& theme);

 signals:
  void openRequested(const QString& path);
  void browseRequested();

 private:
  void rebuildRecent();
  Preferences& preferences_;
  QLabel* icon_;
  QLabel* recentTitle_;
  QVBoxLayout* recent_;
};

}  // namespace descry::gui
