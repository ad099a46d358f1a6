#include "gui/app/style_sheet.h"

#include <QApplication>
#include <QPainter>
#include <QProxyStyle>
#include <QStyleFactory>
#include <QStyleOption>

namespace descry::gui {
namespace {

/// Fusion derives the frames of choices and check boxes from the window's colour, which leaves none on dark
/// windows.
class FramedStyle final : public QProxyStyle {
 public:
  FramedStyle() : QProxyStyle(QStyleFactory::create(QStringLiteral("Fusion"))) {}
  void setFrame(const QColor& colour) { frame_ = colour; }
  void drawComplexControl(ComplexControl control, const QStyleOptionComplex* option, QPainter* painter,
                          const QWidget* widget) const override {
    QProxyStyle::drawComplexControl(control, option, painter, widget);
    if (control == CC_ComboBox) frame(painter, option->rect);
  }
  void drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                     const QWidget* widget) const override {
    QProxyStyle::drawPrimitive(element, option, painter, widget);
    if (element == PE_IndicatorCheckBox) frame(painter, option->rect);
  }

 private:
  void frame(QPainter* painter, const QRect& rect) const {
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(frame_);
    painter->setBrush(Qt::NoBrush);
    painter->drawRoundedRect(QRectF(rect).adjusted(0.5, 0.5, -0.5, -0.5), 3, 3);
    painter->restore();
  }
  QColor frame_;
};

}  // namespace

Theme themeFromPreference(const QString& name) {
  if (const auto kind =
          themeKindFromName(name == QLatin1String("contrast") ? QStringLiteral("high-contrast") : name))
    return Theme::of(*kind);
  return Theme::of(systemThemeKind());
}

QString styleSheet(const Theme& t) {
  const QString hover =
      t.isDark() ? QStringLiteral("rgba(255,255,255,0.08)") : QStringLiteral("rgba(0,0,0,0.06)");
  QString sheet = QStringLiteral(R"(
    QMainWindow, QDialog { background: @window; }
    QMainWindow::separator { background: @border; width: 1px; height: 1px; }
    QToolTip { background: @panel; color: @text; border: 1px solid @border; padding: 4px 6px; }
    QDialogButtonBox, QMessageBox { dialogbuttonbox-buttons-have-icons: 0; }
    QMenuBar { background: @window; color: @text; padding: 2px 4px; }
    QMenuBar::item { padding: 4px 9px; border-radius: 4px; background: transparent; }
    QMenuBar::item:selected { background: @hover; }
    QMenu { background: @panel; color: @text; border: 1px solid @border; padding: 4px; }
    QMenu::item { padding: 5px 28px 5px 24px; border-radius: 4px; }
    QMenu::item:selected { background: @accent; color: @accentText; }
    QMenu::item:disabled { color: @disabled; }
    QMenu::separator { height: 1px; background: @border; margin: 4px 8px; }
    QToolBar { background: @window; border: 0; border-bottom: 1px solid @border; padding: 4px 8px;
      spacing: 2px; }
    QToolBar::separator { width: 1px; background: @border; margin: 4px 6px; }
    QToolButton { color: @text; border: 0; border-radius: 5px; padding: 5px 7px; background: transparent; }
    QToolButton:hover { background: @hover; }
    QToolButton:pressed, QToolButton:checked { background: @border; }
    QToolButton:disabled { color: @disabled; }
    QToolButton::menu-indicator { image: none; width: 0; }
    QToolButton#crumb { padding: 3px 5px; color: @muted; }
    QToolButton#crumb:hover { color: @text; }
    QToolButton#lastCrumb { padding: 3px 5px; color: @text; font-weight: 600; }
    QToolButton#closeTab { padding: 2px; border-radius: 4px; }
    QLabel#crumbSeparator { color: @disabled; padding: 0; }
    QDockWidget { color: @text; font-weight: 600; titlebar-close-icon: none; }
    QDockWidget::title { background: @window; padding: 6px 10px; border-bottom: 1px solid @border; }
    QDockWidget > QWidget { background: @base; }
    QTabBar { background: transparent; qproperty-drawBase: 0; }
    QTabBar::tab { background: transparent; color: @muted; padding: 6px 13px; border: 0;
                   border-bottom: 2px solid transparent; }
    QTabBar::tab:selected { color: @text; border-bottom: 2px solid @accent; }
    QTabBar::tab:hover { color: @text; background: @hover; }
    QTabWidget::pane { border: 0; border-top: 1px solid @border; }
    QTabWidget::tab-bar { left: 4px; }
    QHeaderView { background: @base; border: 0; }
    QHeaderView::section { background: @base; color: @muted; border: 0; border-bottom: 1px solid @border;
                           padding: 5px 8px; font-weight: 600; }
    QTableView, QTreeView, QListView, QTextBrowser, QPlainTextEdit {
      background: @base; color: @text; border: 0; selection-background-color: @select; selection-color: @text;
      outline: 0; }
    QTableView::item { padding: 0 8px; border: 0; }
    QTableView::item:selected, QTreeView::item:selected, QListView::item:selected { background: @select;
      color: @text; }
    QTreeView::item { padding: 3px 2px; }
    QListView#boxed { border: 1px solid @border; border-radius: 8px; padding: 4px; }
    QListView#boxed::item { padding: 5px 8px; border-radius: 4px; }
    QTreeView::item:hover, QListView::item:hover { background: @hover; }
    QLineEdit { background: @base; color: @text; border: 1px solid @border; border-radius: 5px;
      padding: 4px 8px; selection-background-color: @accent; selection-color: @accentText; }
    QLineEdit:focus { border: 1px solid @accent; }
    QLineEdit#queryEdit { padding: 5px 8px; }
    QAbstractSpinBox QLineEdit, QComboBox QLineEdit { border: 0; padding: 0; }
    QComboBox QAbstractItemView { background: @panel; border: 1px solid @border;
      selection-background-color: @accent;
      selection-color: @accentText; }
    QPushButton { background: @panel; color: @text; border: 1px solid @border; border-radius: 5px;
      padding: 5px 14px; }
    QPushButton:hover { background: @hover; }
    QPushButton:disabled { color: @disabled; }
    QPushButton#primary { background: @accent; color: @accentText; border: 1px solid @accent;
      font-weight: 600; }
    QPushButton#link { border: 0; background: transparent; color: @link; padding: 2px 4px; text-align: left; }
    QPushButton#link:hover { text-decoration: underline; }
    QPushButton#card { text-align: left; padding: 9px 12px; background: @base; }
    QPushButton#card:hover { border: 1px solid @accent; }
    QPushButton:focus { border: 1px solid @accent; }
    QLabel#caption { color: @muted; }
    QLabel#title { font-size: 21px; font-weight: 600; }
    QLabel#heading { font-weight: 600; color: @muted; }
    QLabel#error { color: @error; }
    QLabel#code, QLineEdit#code { font-family: '@codeFont'; }
    QFrame#drop { border: 2px dashed @border; border-radius: 12px; background: @base; }
    QFrame#cardBox { border: 1px solid @border; border-radius: 8px; background: @base; }
    QFrame#notice { border: 0; border-bottom: 1px solid @border; background: @notice; }
    QFrame#notice QLabel { color: @text; }
    QFrame#notice QPushButton { padding: 2px 10px; }
    QFrame#hintStrip { background: @panel; border: 0; border-bottom: 1px solid @border; }
    QFrame#paletteFrame { background: @panel; border: 1px solid @border; border-radius: 10px; }
    QFrame#paletteFrame QLineEdit { border: 0; border-bottom: 1px solid @border; border-radius: 0;
      padding: 10px 14px;
      background: transparent; font-size: 15px; }
    QFrame#paletteFrame QListView { background: transparent; }
    QStatusBar { background: @window; color: @muted; border-top: 1px solid @border; }
    QStatusBar::item { border: 0; }
    QStatusBar QLabel { color: @muted; padding: 0 6px; }
    QStatusBar QPushButton { padding: 1px 8px; }
    QProgressBar { background: @border; border: 0; border-radius: 3px; max-height: 6px; min-height: 6px; }
    QProgressBar::chunk { background: @accent; border-radius: 3px; }
    QScrollBar:vertical { background: transparent; width: 11px; margin: 0; }
    QScrollBar:horizontal { background: transparent; height: 11px; margin: 0; }
    QScrollBar::handle { background: @scroll; border-radius: 4px; margin: 2px; }
    QScrollBar::handle:vertical { min-height: 28px; }
    QScrollBar::handle:horizontal { min-width: 28px; }
    QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }
    QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }
    QScrollArea { border: 0; background: transparent; }
  )");
  auto mix = [](const QColor& a, const QColor& b, double share) {
    return QColor::fromRgbF(static_cast<float>(a.redF() * share + b.redF() * (1 - share)),
                            static_cast<float>(a.greenF() * share + b.greenF() * (1 - share)),
                            static_cast<float>(a.blueF() * share + b.blueF() * (1 - share)));
  };
  const std::pair<const char*, QString> names[] = {
      {"@window", t.window.name()},
      {"@panel", t.panel.name()},
      {"@base", t.base.name()},
      {"@border", t.border.name()},
      {"@text", t.text.name()},
      {"@muted", t.mutedText.name()},
      {"@disabled", t.disabledText.name()},
      {"@accentText", t.accentText.name()},
      {"@accent", t.accent.name()},
      {"@hover", hover},
      {"@error", t.error.name()},
      {"@link", t.link.name()},
      {"@select", mix(t.accent, t.base, t.kind == ThemeKind::HighContrast ? 0.45 : 0.22).name()},
      {"@notice", mix(QColor(0xE6, 0x9F, 0x00), t.base, t.isDark() ? 0.22 : 0.26).name()},
      {"@scroll", mix(t.mutedText, t.base, 0.45).name()},
      {"@codeFont", codeFont().family()},
  };
  for (const auto& [key, value] : names) sheet.replace(QLatin1String(key), value);
  return sheet;
}

void applyTheme(QApplication& app, const Theme& theme) {
  // The application owns it.
  static FramedStyle* const style = [&app] {
    auto* made = new FramedStyle;
    app.setStyle(made);
    app.setFont(interfaceFont());
    return made;
  }();
  style->setFrame(theme.mutedText);
  app.setPalette(theme.palette());
  app.setStyleSheet(styleSheet(theme));
}

}  // namespace descry::gui
