#pragma once

/// The numbers that C++ shares with the shaders: attributes, bindings, sizes.
namespace orrery::render::shared {

using uint = unsigned int;
#include "shaders/shared.h"

}  // namespace orrery::render::shared
