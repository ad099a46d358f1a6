// What the Value dock does.
#include "gui/document/document_actions.h"

namespace descry::gui {
namespace {

/// The run that prints what the dock shows of the chosen tensor.
QString line(const Document& d, const QString& option, const QString& slice = {}) {
  if (!d.current()) return QStringLiteral("descry run FILE %1 NODE").arg(option);
  GraphTab& tab = *d.current();
  QString name = tab.nameOf(tab.current());
  if (const ValueChoice* c = tab.value().choice()) name = QString::fromStdString(c->name);
  if (name.isEmpty()) name = QStringLiteral("NODE");
  if (!slice.isEmpty()) name += QLatin1Char('[') + slice + QLatin1Char(']');
  return tab.runs().commandLine().section(QStringLiteral(" --nodes"), 0, 0) + QLatin1Char(' ') + option +
         QLatin1Char(' ') + shellQuote(name);
}

QString formatName(session::NumberFormat format) {
  for (const char* name : {"exact", "fixed", "scientific", "hex"})
    if (session::numberFormat(name) == format) return QString::fromLatin1(name);
  return QStringLiteral("short");
}

/// Why there are no elements to look at.
QString needsValue(const Document& d) {
  if (!d.current()) return needsGraph(d);
  return d.current()->value().absence();
}

}  // namespace

void addValueActions(Actions& actions, Document& doc) {
  Document* d = &doc;
  const auto tr = [](const char* s) { return Document::tr(s); };
  const auto show = [d](const QJsonObject& a) {
    QString slice = a["slice"].toVariant().toString().trimmed(), format = a["name"].toString().trimmed();
    if (slice.isEmpty() && d->current()) slice = d->current()->value().sliceText();
    if (format.isEmpty() && d->current()) format = formatName(d->current()->value().format());
    return line(*d, QStringLiteral("--show-value"), slice) +
           (format.isEmpty() || format == QLatin1String("short")
                ? QString()
                : QStringLiteral(" --number-format ") + format);
  };
  const auto part = [d](const QJsonObject&) { return line(*d, QStringLiteral("--show-value")); };
  const auto histogram = [d](const QJsonObject&) {
    QString text = line(*d, QStringLiteral("--histogram"));
    if (!d->current()) return text;
    const session::HistogramOptions& options = d->current()->value().histogramOptions();
    if (options.logarithmic) text += QStringLiteral(" --bins log");
    if (options.clip > 0) text += QStringLiteral(" --clip %1").arg(options.clip);
    return text;
  };
  const auto why = [d] { return needsValue(*d); };
  actions.add({.id = "value-part",
               .title = tr("Show the value of another step that was run for this node"),
               .group = "Value",
               .args = {"name"},
               .cli = part,
               .run =
                   [d](const QJsonObject& a) {
                     ValueLook& look = d->current()->value();
                     const QString name = a["name"].toString().trimmed();
                     if (look.choose(name)) return ActionOutcome::done();
                     QStringList known;
                     for (const ValueChoice& c : look.choices()) known << QString::fromStdString(c.name);
                     return ActionOutcome::fail(
                         Document::tr("nothing named '%1' was run for this node; there is %2")
                             .arg(name, known.isEmpty() ? Document::tr("nothing")
                                                        : known.join(QStringLiteral(", "))));
                   },
               .unavailable = [d] { return needsGraph(*d); },
               .inPalette = false});
  actions.add({.id = "value-slice",
               .title = tr("Show other elements of the value: 0, :, :"),
               .group = "Value",
               .args = {"slice"},
               .cli = show,
               .run =
                   [d](const QJsonObject& a) {
                     const QString error = d->current()->value().setSlice(a["slice"].toString());
                     return error.isEmpty() ? ActionOutcome::done() : ActionOutcome::fail(error);
                   },
               .unavailable = why,
               .inPalette = false});
  actions.add(
      {.id = "value-format",
       .title = tr("How elements are written: short, exact, fixed, scientific or hex"),
       .group = "Value",
       .args = {"name"},
       .cli = show,
       .run =
           [d](const QJsonObject& a) {
             const QString name = a["name"].toString().trimmed();
             const auto format = session::numberFormat(name.toStdString());
             if (!format)
               return ActionOutcome::fail(
                   Document::tr(
                       "there is no number format '%1'; there are short, exact, fixed, scientific and hex")
                       .arg(name));
             d->current()->value().setFormat(*format);
             return ActionOutcome::done();
           },
       .unavailable = [d] { return needsGraph(*d); },
       .inPalette = false});
  actions.add({.id = "value-first-bad",
               .title = tr("Go to the first NaN or infinity of the value"),
               .group = "Value",
               .cli = show,
               .run =
                   [d](const QJsonObject&) {
                     ValueLook& look = d->current()->value();
                     if (!look.showFirstBad())
                       return ActionOutcome::fail(Document::tr("The value has no NaN and no infinity."));
                     const auto [row, column] = look.cell();
                     return ActionOutcome::done(
                         Document::tr("First NaN or infinity: %1")
                             .arg(QString::fromStdString(session::indexText(look.indexOf(row, column)))));
                   },
               .unavailable = why});
  actions.add(
      {.id = "histogram-log",
       .title = tr("Histogram over powers of ten"),
       .group = "Value",
       .cli = histogram,
       .run =
           [d](const QJsonObject&) {
             session::HistogramOptions options = d->current()->value().histogramOptions();
             options.logarithmic = !options.logarithmic;
             d->current()->value().setHistogramOptions(options);
             return ActionOutcome::done();
           },
       .unavailable = [d] { return needsGraph(*d); },
       .checked = [d] { return d->current() && d->current()->value().histogramOptions().logarithmic; }});
  actions.add({.id = "histogram-clip",
               .title = tr("Histogram without the outermost thousandths"),
               .group = "Value",
               .cli = histogram,
               .run =
                   [d](const QJsonObject&) {
                     session::HistogramOptions options = d->current()->value().histogramOptions();
                     options.clip = options.clip > 0 ? 0 : 0.001;
                     d->current()->value().setHistogramOptions(options);
                     return ActionOutcome::done();
                   },
               .unavailable = [d] { return needsGraph(*d); },
               .checked = [d] { return d->current() && d->current()->value().histogramOptions().clip > 0; }});
}

}  // namespace descry::gui
