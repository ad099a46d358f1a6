// Common part of the flat models: a snapshot of rows, behind a shared pointer so that a worker can free it.
#pragma once

#include <QAbstractTableModel>
#include <QString>

#include <string_view>

#include "ir/core/value.h"

namespace descry::gui {

/// Roles that all row models offer besides the standard ones.
enum RowRole {
  kNodeRole = Qt::UserRole + 1,  ///< node id as uint, kNone for none
  kSortRole,                     ///< raw value: a number or a text
  kOriginRole,                   ///< session::Origin as int: 0 recorded, 1 inferred, 2 absent
  kHintRole,                     ///< why a fact is inferred or how to get it
  kSectionRole,
  kHitRole,  ///< the row's node is a hit of the query
  kSeverityRole,
};

inline QString toQString(std::string_view text) {
  return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

/// 1536 -> "1.50 KiB"; exact below 1024.
QString bytesText(qint64 bytes);

}  // namespace descry::gui
