// The program's command line, read before Qt starts.
#pragma once

#include <QSize>
#include <QString>
#include <QStringList>

namespace descry::gui {

struct LaunchOptions {
  bool help = false, version = false, actions = false;
  bool render = false;  ///< `render FILE::GRAPH -o OUT`: no window
  bool offscreen = false;
  QStringList files;
  QString script, shot, workspace, theme;
  QSize size{1600, 1000};

  // render
  QString output, groupBy, colours, passes, state;
  double scale = 1;
  bool leftToRight = false, jointU = false, hideViews = false, hideSizes = false, sizeGiven = false;
  QStringList folded;

  QString error;  ///< what is wrong with the command line
};

LaunchOptions parseLaunch(const QStringList& words);
QString launchHelp();

}  // namespace descry::gui
