#include "color_maps.h"

#include "render/color_maps/fitted.h"

namespace orrery::render {
namespace {

/// Our own fit to the map's 256 display values, which their authors gave to the public domain (CC0), with a
/// low end that rises; it is within 0.009 of them, of a range of 1.
constexpr ChebyshevColors magma_series{{
    {0.59088F, 0.36985F, 0.41416F},
    {0.55126F, 0.48035F, 0.24537F},
    {-0.11830F, 0.14403F, -0.04288F},
    {-0.06232F, 0.02053F, 0.15299F},
    {0.01665F, -0.01990F, 0.00651F},
    {0.00805F, -0.00731F, -0.02837F},
    {0.00684F, -0.00322F, 0.00243F},
    {-0.00572F, 0.00873F, -0.00830F},
    {-0.00403F, 0.00417F, 0.00828F},
    {0.00153F, -0.00754F, 0.00813F},
}};

glm::vec3 magma_at(float t) { return fitted_color(magma_series, t); }

}  // namespace

const ColorMap color_map_magma{"magma",
                               "van der Walt and Smith 2015: black over purple to pale pink, even steps",
                               ColorMap::Kind::sequential, magma_at};

}  // namespace orrery::render
