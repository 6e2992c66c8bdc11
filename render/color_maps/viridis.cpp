#include "color_maps.h"

#include "render/color_maps/fitted.h"

namespace orrery::render {
namespace {

/// Our own fit to the map's 256 display values, which their authors gave to the public domain (CC0); it is
/// within 0.004 of them, of a range of 1.
constexpr ChebyshevColors viridis_series{{
    {0.40876F, 0.51872F, 0.37588F},
    {0.29848F, 0.45467F, -0.14675F},
    {0.25518F, -0.05738F, -0.17068F},
    {0.08048F, -0.00484F, 0.02111F},
    {-0.03284F, -0.00850F, 0.01484F},
    {-0.01925F, 0.00078F, 0.02881F},
    {-0.00112F, 0.00206F, 0.01475F},
    {0.00751F, 0.00089F, 0.00524F},
    {0.00337F, -0.00055F, 0.00506F},
    {-0.00410F, -0.00086F, -0.00114F},
}};

glm::vec3 viridis_at(float t) { return fitted_color(viridis_series, t); }

}  // namespace

const ColorMap color_map_viridis{
    "viridis",
    "van der Walt and Smith 2015: blue over green to yellow, even steps, safe for colour-blind eyes",
    ColorMap::Kind::sequential, viridis_at};

}  // namespace orrery::render
