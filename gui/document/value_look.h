// The value that the Value dock shows: of the selected node, in the shown run. Histograms are made in a
// worker.
#pragma once

#include <QObject>
#include <QString>

#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "gui/document/jobs.h"
#include "gui/document/run_engine.h"

namespace descry::gui {

class GraphTab;

/// A tensor that was made for the node: its own value, a step on the way, or one of a gradient.
struct ValueChoice {
  std::string name;  ///< of the node that ran, with its piece: `split.1`
  QString title;     ///< `addmm, f32[4, 8]`, with what part it is
  bool own = false;
  const session::NodeTensor* tensor = nullptr;  ///< of the shown run
  ir::NodeId ran;                               ///< of Run::module
};

/// Which elements the grid shows.
struct ValueSlice {
  int rows = -1, columns = -1;  ///< dimensions along both sides; -1: none
  std::vector<int64_t> index;   ///< of the other dimensions
  friend bool operator==(const ValueSlice&, const ValueSlice&) = default;
};

class ValueLook final : public QObject {
  Q_OBJECT
 public:
  explicit ValueLook(GraphTab& tab);
  ~ValueLook() override;

  ir::NodeId node() const { return node_; }
  /// Pointers into the shown run: valid until changed().
  const std::vector<ValueChoice>& choices() const { return choices_; }
  int chosen() const { return chosen_; }
  /// By number, or by name; false when there is none.
  bool choose(int index);
  bool choose(const QString& name);
  /// Null where nothing is chosen.
  const ValueChoice* choice() const;
  /// The contents; null when they are not kept.
  runtime::TensorRef tensor() const;
  const std::optional<runtime::ValueStatistics>& statistics() const;
  /// Why there is nothing, or less than all; empty when all is there.
  QString absence() const;

  // ---- histogram
  const session::HistogramOptions& histogramOptions() const { return histogramOptions_; }
  void setHistogramOptions(const session::HistogramOptions& options);
  /// Null until it is made. The second one is that of the run that the shown one is held against.
  const session::ValueHistogram* histogram() const { return histograms_ ? &histograms_->first : nullptr; }
  const session::ValueHistogram* otherHistogram() const {
    return histograms_ && histograms_->second ? &*histograms_->second : nullptr;
  }

  // ---- elements
  const ValueSlice& slice() const { return slice_; }
  void setSlice(const ValueSlice& slice);
  /// `0, :, :, 3`, with a colon for at most two dimensions. Returns why not.
  QString setSlice(const QString& text);
  QString sliceText() const;
  session::NumberFormat format() const { return format_; }
  void setFormat(session::NumberFormat format);
  /// Index of a cell of the grid.
  std::vector<int64_t> indexOf(int64_t row, int64_t column) const;
  int64_t rows() const;
  int64_t columns() const;
  /// Puts the first NaN or infinity into view; false when there is none, or the value is not kept.
  bool showFirstBad();
  /// The cell that was asked for last.
  std::pair<int64_t, int64_t> cell() const { return cell_; }
  /// The grid as text, as much of it as anybody reads.
  QString gridText() const;
  /// Strides in elements: of the layout that the graph gives it, else of contiguous memory.
  std::vector<int64_t> strides(bool* known = nullptr) const;

 signals:
  void changed();  ///< another value
  void histogramChanged();
  void sliceChanged();  ///< slice, format or the cell

 private:
  void follow();
  void makeHistogram();
  void resetSlice();

  GraphTab& tab_;
  std::shared_ptr<const session::RunView> view_;  ///< keeps what choices_ point to
  ir::NodeId node_;
  std::vector<ValueChoice> choices_;
  int chosen_ = -1;
  QString wanted_;  ///< name of what was chosen, for the next run
  session::HistogramOptions histogramOptions_;
  struct Histograms {
    session::ValueHistogram first;
    std::optional<session::ValueHistogram> second;
  };
  std::shared_ptr<const Histograms> histograms_;
  JobControlPtr job_;
  ValueSlice slice_;
  session::NumberFormat format_ = session::NumberFormat::Short;
  std::pair<int64_t, int64_t> cell_ = {-1, -1};
};

}  // namespace descry::gui
