#pragma once

#include <string>
#include <vector>

#include "lab/bench/rivals.h"
#include "lab/bench/switch_watch.h"
#include "lab/plots/figure.h"

namespace orrery::lab {

/// The data of the plot of accuracy over speed.
struct Board {
  std::string subtitle;                ///< dataset and machine
  ProblemSize size;                    ///< of this dataset
  std::vector<MeasuredVariant> tried;  ///< those without time or error are left out
  std::size_t present = 0;             ///< in `tried`
  std::vector<Rival> rivals;  ///< at the time that they would take for it; without a stated error at the top
};

/// True if there is a dot to draw.
bool has_dots(const Board& board);

/// The places of the lines in the panel of `board_panel`.
enum class BoardLine : std::size_t { tried, present, rivals, measured_rivals };

/// Median force error over the time of a force evaluation, both logarithmic: a dot with its name for each
/// configuration, the present one marked. The same panel is drawn on paper and in the window. Needs a dot.
plots::Panel board_panel(const Board& board);
/// The board on paper, with the sources of the rivals in its note.
plots::Figure board_figure(const Board& board);

}  // namespace orrery::lab
