#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "app/gui/named_widgets.h"
#include "app/session/loader.h"
#include "sim/snapshots/csv_names.h"

namespace orrery::app {

/// The sheet that asks for the columns of a table: its first rows under a choice for each column, the units
/// of its numbers, and a picture of the positions. An answer is proposed again for tables of the same kind.
class ColumnSheet {
 public:
  void ask(UnclearTable table);
  bool is_open() const { return table_.has_value(); }
  /// Sets the meaning of a column. The column that had this meaning before is left out.
  void choose(std::size_t column, sim::Column meaning);
  /// The choices as ReadOptions::columns has them.
  std::string columns() const { return text_of(columns_); }
  /// Why the table cannot be opened so; empty: it can.
  std::string lacking() const;

  /// Call once a frame. Returns the request with columns and units once the person has accepted them.
  std::optional<lab::DatasetRequest> draw(float left, float scale, WidgetMap& widgets);
  /// Equivalents of its buttons.
  void accept() { accepted_ = is_open() && lacking().empty(); }
  void dismiss();
  /// Another dataset is opened instead.
  void close() { table_.reset(); }
  /// The problem of a table whose sheet was dismissed, once; else empty.
  std::string take_problem() { return std::exchange(problem_, {}); }

 private:
  void draw_table(float scale, WidgetMap& widgets);
  void draw_choice(std::size_t column, WidgetMap& widgets);
  void draw_units(float scale, WidgetMap& widgets);
  void draw_picture(float scale) const;
  std::string kind() const;
  lab::DatasetRequest take_answer();

  std::optional<UnclearTable> table_;
  std::vector<sim::Column> columns_;
  std::string units_;  ///< as --units; empty: as the file says
  bool accepted_ = false;
  std::string problem_;
  std::map<std::string, std::string> answers_;  ///< columns that were chosen, by kind of table
};

}  // namespace orrery::app
