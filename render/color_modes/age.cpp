#include <array>
#include <limits>

#include "color_modes.h"

namespace orrery::render {

namespace {

constexpr float unknown = std::numeric_limits<float>::quiet_NaN();
/// Ages of the components in 1e9 years, the same as for the light of populations (docs/rendering.md,
/// "Starlight"): gas, halo, disk, bulge, stars of all ages, other, old stars of a disk.
constexpr std::array ages{0.01F, unknown, 2.0F, 10.0F, unknown, unknown, 2.0F};

}  // namespace

const ColorMode color_mode_age{
    .name = "age",
    .meaning =
        "age of the stars of the body's component: gas (what it forms) 0.01, disk 2, bulge 10; of others "
        "it is not known, and no file tells it of single bodies",
    .quantity = "age of the component (1e9 years)",
    .default_map = "doppler",
    .glsl =
        "float unknown = uintBitsToFloat(0x7fc00000u); "
        "return component == 0u ? 0.01 : component == 2u || component == 6u ? 2.0 : component == 3u ? 10.0 : "
        "unknown;",
    .scalar =
        [](const BodySample& body) {
          return body.component < ages.size() ? ages.at(body.component) : unknown;
        },
};

}  // namespace orrery::render
