// Waiting for jobs, files with text in them, and the graph that most tests open.
#pragma once

#include <gtest/gtest.h>

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QFile>
#include <QTemporaryDir>
#include <QThread>

#include <functional>

#include "gui/document/document.h"

namespace descry::gui {

/// Two linear layers without activation, as PyTorch 2.15 prints their joint graph: 7 inputs, 7 outputs.
inline QString samplePath() {
  return QStringLiteral(DESCRY_SOURCE_DIR) + QStringLiteral("/samples/graphs/two_linears_joint.txt");
}

inline bool waitFor(const std::function<bool()>& done, qint64 limitMs = 60000) {
  QElapsedTimer clock;
  clock.start();
  while (!done()) {
    if (clock.elapsed() > limitMs) return false;
    QCoreApplication::processEvents(QEventLoop::AllEvents, 5);
    QThread::msleep(1);
  }
  return true;
}

/// All jobs ended and started none.
inline bool waitIdle(Document& document, qint64 limitMs = 60000) {
  int quiet = 0;
  return waitFor(
      [&] {
        quiet = document.jobs().idle() ? quiet + 1 : 0;
        return quiet > 5;
      },
      limitMs);
}

inline void writeText(const QString& path, const QByteArray& text) {
  QFile file(path);
  ASSERT_TRUE(file.open(QIODevice::WriteOnly)) << qPrintable(path);
  ASSERT_EQ(file.write(text), text.size());
}

inline QByteArray readText(const QString& path) {
  QFile file(path);
  return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

/// A document with the sample open and all jobs done.
struct OpenSample {
  Document document{false};
  OpenSample() {
    document.open(samplePath());
    EXPECT_TRUE(waitIdle(document));
    EXPECT_NE(document.current(), nullptr);
  }
  GraphTab& tab() { return *document.current(); }
  ir::NodeId node(const char* name) { return NameIndex(tab().graph()).find(name); }
};

}  // namespace descry::gui
