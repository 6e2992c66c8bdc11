#pragma once

#include "app/panels/timeline_view.h"

namespace orrery::app {

/// Draws a timeline that has spans, over the width that is left in the present window: a row for each stream,
/// a coloured bar for each span, which explains itself under the cursor, and the time below. The wheel zooms,
/// dragging moves, a double click shows all again: `window` is what is shown. Rows and times are one item.
/// True while the cursor rests on it.
bool timeline_plot(const sim::Timeline& timeline, TimeWindow& window, float scale);

/// A line for each activity that occurs: its colour and the sum of its times.
void timeline_legend(const sim::Timeline& timeline, float scale);

}  // namespace orrery::app
