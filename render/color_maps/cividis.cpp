#include "color_maps.h"

#include "render/color_maps/fitted.h"

namespace orrery::render {
namespace {

/// Our own fit to the map's 256 display values, which their authors gave to the public domain (CC0); it is
/// within 0.019 of them, of a range of 1.
constexpr ChebyshevColors cividis_series{{
    {0.48866F, 0.50187F, 0.37651F},
    {0.50991F, 0.38044F, -0.05368F},
    {-0.00366F, 0.01845F, -0.09734F},
    {0.00900F, 0.00464F, -0.01712F},
    {0.00655F, 0.00067F, -0.02288F},
    {-0.01833F, 0.00014F, 0.01988F},
    {0.01529F, 0.00029F, -0.01297F},
    {-0.01486F, 0.00052F, 0.00851F},
    {0.00935F, -0.00006F, 0.00788F},
    {0.01213F, 0.00138F, -0.00108F},
}};

glm::vec3 cividis_at(float t) { return fitted_color(cividis_series, t); }

}  // namespace

const ColorMap color_map_cividis{
    "cividis", "Nunez, Anderton and Renslow 2018: blue to yellow, nearly the same for colour-blind eyes",
    ColorMap::Kind::sequential, cividis_at};

}  // namespace orrery::render
