#pragma once

#include "app/panels/panel.h"

namespace orrery::app {

/// Rows of the section Dataset while a series plays: where it is, how fast, and simulating from here.
void playback_rows(PanelContext& context);

/// Rows of the section Dataset: which bodies are taken, and what is thrown at them. What is chosen is loaded
/// in the background when its button is pressed.
void dataset_parts(PanelContext& context);

/// The datasets of `requests` in one scene, all but the first on parabolic orbits; `requests` is not empty.
lab::DatasetRequest thrown_together(const std::vector<lab::DatasetRequest>& requests);

}  // namespace orrery::app
