#pragma once

#include <functional>
#include <string>

#include "app/gui/chooser.h"
#include "app/window/window.h"

namespace orrery::app {

/// Passes a key or a letter of the window on; Ctrl+V types what `clipboard` holds, up to the end of its line.
void drive(Chooser& chooser, const InputEvent& event, const std::function<std::string()>& clipboard);

/// Ctrl+Q pressed.
bool is_quit_key(const InputEvent& event);
/// Ctrl+P pressed: the key that opened the list closes it.
bool closes_palette(const InputEvent& event);

}  // namespace orrery::app
