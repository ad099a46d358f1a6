#include "gui/app/launch_options.h"

#include <QHash>

#include "gui/app/script_arguments.h"

namespace descry::gui {

namespace {
constexpr int kLargestPictureSide = 16384;
}  // namespace

LaunchOptions parseLaunch(const QStringList& words) {
  LaunchOptions o;
  auto fail = [&o](const QString& text) {
    if (o.error.isEmpty()) o.error = text;
  };
  qsizetype i = 0;
  if (!words.isEmpty() && words.first() == QLatin1String("render")) {
    o.render = true;
    i = 1;
  }
  const QHash<QString, bool*> flags = {{"--offscreen", &o.offscreen},
                                       {"--help", &o.help},
                                       {"-h", &o.help},
                                       {"--version", &o.version},
                                       {"--actions", &o.actions},
                                       {"--left-to-right", &o.leftToRight},
                                       {"--joint-u", &o.jointU},
                                       {"--hide-views", &o.hideViews},
                                       {"--hide-sizes", &o.hideSizes}};
  const QHash<QString, QString*> texts = {{"--script", &o.script}, {"--shot", &o.shot},
                                          {"--theme", &o.theme},   {"--workspace", &o.workspace},
                                          {"-o", &o.output},       {"--output", &o.output},
                                          {"--group", &o.groupBy}, {"--colours", &o.colours},
                                          {"--passes", &o.passes}, {"--state", &o.state}};
  bool onlyFiles = false;
  for (; i < words.size(); ++i) {
    QString word = words[i], value;
    if (onlyFiles || !word.startsWith(QLatin1Char('-')) || word == QLatin1String("-")) {
      o.files.push_back(word);
      continue;
    }
    if (word == QLatin1String("--")) {
      onlyFiles = true;
      continue;
    }
    if (bool* flag = flags.value(word)) {
      *flag = true;
      continue;
    }
    const qsizetype equal = word.indexOf(QLatin1Char('='));
    const bool joined = word.startsWith(QLatin1String("--")) && equal > 0;
    if (joined) {
      value = word.mid(equal + 1);
      word.truncate(equal);
    }
    const bool known = texts.contains(word) || word == QLatin1String("--size") ||
                       word == QLatin1String("--scale") || word == QLatin1String("--fold");
    if (!known) {
      fail(QStringLiteral("unknown option '%1'").arg(word));
      continue;
    }
    if (!joined) {
      if (i + 1 >= words.size()) {
        fail(QStringLiteral("%1 needs a value").arg(word));
        break;
      }
      value = words[++i];
    }
    if (QString* text = texts.value(word)) {
      *text = value;
    } else if (word == QLatin1String("--fold")) {
      o.folded.push_back(value);
    } else if (word == QLatin1String("--scale")) {
      bool ok = false;
      o.scale = value.toDouble(&ok);
      if (!ok || !(o.scale > 0) || o.scale > 64)
        fail(QStringLiteral("--scale needs a number from 0 to 64, not '%1'").arg(value));
    } else {
      const int largest = o.render ? kLargestPictureSide : kLargestSide;
      o.size = sizeFromText(value, largest);
      o.sizeGiven = true;
      if (!o.size.isValid())
        fail(QStringLiteral("--size needs WIDTHxHEIGHT from %1 to %2, not '%3'")
                 .arg(kSmallestSide)
                 .arg(largest)
                 .arg(value));
    }
  }
  if (o.render && !o.help && o.error.isEmpty()) {
    if (o.files.size() != 1)
      fail(QStringLiteral("render needs one FILE::GRAPH"));
    else if (o.output.isEmpty())
      fail(QStringLiteral("render needs -o OUT.png, OUT.pdf or OUT.svg"));
  }
  if (!o.shot.isEmpty() && !o.shot.endsWith(QLatin1String(".png"), Qt::CaseInsensitive))
    fail(QStringLiteral("--shot writes PNG; name it OUT.png, not '%1'").arg(o.shot));
  if (!o.render && o.theme == QLatin1String("print"))
    fail(QStringLiteral("the print theme is for render and export"));
  if (!o.theme.isEmpty() &&
      !QStringList({"system", "light", "dark", "contrast", "high-contrast", "print"}).contains(o.theme))
    fail(QStringLiteral("unknown theme '%1'; expected system, light, dark or contrast").arg(o.theme));
  return o;
}

QString launchHelp() {
  return QStringLiteral(R"(descry-inspector [FILE[::GRAPH[#NODE]]...] [options]
    Opens the inspector window.
  --script FILE     run actions: a JSON list of steps, or one action a line; - reads standard input
  --actions         list the actions, their arguments and keys, then end
  --shot OUT.png    write a picture of the window, then end
  --offscreen       no window: for scripts and pictures
  --size WxH        size of the window
  --theme T         system, light, dark, contrast
  --workspace FILE  open a saved workspace

descry-inspector render FILE[::GRAPH] -o OUT.png|pdf|svg [options]
    Draws one graph.
  --theme T         light, dark, contrast, print
  --scale S         pixels per unit of length
  --size WxH        fit the picture into this many pixels
  --group BY        none, module, phase, source
  --fold PATH       show a group as one card; may be repeated
  --colours BY      phase, cut, role, op, dtype, plain
  --passes LIST     run passes first, as descry opt does
  --state NAME      which graph they left: joint, forward, backward, ...
  --left-to-right  --joint-u  --hide-views  --hide-sizes

Exit codes: 0 fine, 1 a step of the script failed, 2 wrong usage, 3 cannot read, 4 read only in part,
5 cannot write.
)");
}

}  // namespace descry::gui
