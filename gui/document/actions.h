// The registry of everything a person can do: menus, the palette, keys, the key sheet and scripts all read
// it.
#pragma once

#include <QJsonObject>
#include <QObject>
#include <QString>
#include <QStringList>

#include <functional>
#include <map>
#include <memory>
#include <vector>

namespace descry::gui {

struct ActionOutcome {
  bool ok = true;
  QString message;  ///< why not, or what was done; may be empty
  static ActionOutcome done(QString text = {}) { return {true, std::move(text)}; }
  static ActionOutcome fail(QString text) { return {false, std::move(text)}; }
};

enum class KeyScope : uint8_t {
  Window,  ///< works everywhere in the window
  Canvas,  ///< the canvas itself listens, only while it has the focus
};

/// One value of an action that sets something to one of a few.
struct ActionChoice {
  QString name, title;
};

struct Action {
  QString id;  ///< kebab case; the same in the palette and in scripts
  QString title;
  QString group;  ///< section of palette and key sheet: File, Go, Select, View, Window, ...
  QString keys;   ///< portable sequences, separated by "; "
  KeyScope scope = KeyScope::Window;
  QStringList args;  ///< names of script arguments; the first may be given alone: `select mm`
  /// The command line that does the same; `args` are those of the call. Never empty.
  std::function<QString(const QJsonObject& args)> cli;
  std::function<ActionOutcome(const QJsonObject& args)> run;
  /// Why it cannot be done now; empty when it can.
  std::function<QString()> unavailable;
  std::function<bool()> checked;              ///< set for actions that are switches
  bool inPalette = true;                      ///< false: makes sense in scripts only
  std::vector<ActionChoice> choices = {};     ///< values of the argument `name`
  std::function<QString()> chosen = nullptr;  ///< the value in force; asked only while it can be done
};

class Actions : public QObject {
  Q_OBJECT
 public:
  using QObject::QObject;

  /// An id that is there already is a programming error and ignored with a warning.
  void add(Action action);
  const Action* find(const QString& id) const;
  const std::vector<std::unique_ptr<Action>>& all() const { return list_; }
  /// Unknown ids and unavailable actions fail with the reason.
  ActionOutcome run(const QString& id, const QJsonObject& args = {});
  /// Sequences of all keys that stand twice in one scope; for tests.
  QStringList doubledKeys() const;

 signals:
  void ran(const QString& id, const QString& message, bool ok);

 private:
  std::vector<std::unique_ptr<Action>> list_;
  std::map<QString, Action*> byId_;
};

/// Quotes for a POSIX shell when needed.
QString shellQuote(const QString& text);

}  // namespace descry::gui
