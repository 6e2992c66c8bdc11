#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "sim/scene/scene.h"

namespace orrery::sim {

/// Takes red, green and blue, whole numbers from 0 to 255 in sRGB, as the colours of the bodies, which are as
/// many. A body with a part that is no number has none. A note says why other numbers are left out. Before
/// bodies are put in another order.
void settle_colors(Scene& scene, std::span<const std::array<double, 3>> colors);

/// Red, green and blue of a colour; white for none.
std::array<std::uint8_t, 3> rgb_of(Color color);

}  // namespace orrery::sim
