#include "gui/models/table_model.h"

namespace descry::gui {

QString bytesText(qint64 bytes) {
  if (bytes < 1024) return QStringLiteral("%1 B").arg(bytes);
  static const char* const kUnits[] = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  double value = static_cast<double>(bytes) / 1024;
  int unit = 0;
  while (value >= 1024 && unit < 5) {
    value /= 1024;
    ++unit;
  }
  return QString::number(value, 'f',
                         value < 10    ? 2
                         : value < 100 ? 1
                                       : 0) +
         QLatin1Char(' ') + QLatin1String(kUnits[unit]);
}

}  // namespace descry::gui
