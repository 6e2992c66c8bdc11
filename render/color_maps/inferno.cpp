#include "color_maps.h"

#include "render/color_maps/fitted.h"

namespace orrery::render {
namespace {

/// Our own fit to the map's 256 display values, which their authors gave to the public domain (CC0); it is
/// within 0.013 of them, of a range of 1.
constexpr ChebyshevColors inferno_series{{
    {0.59070F, 0.37691F, 0.28078F},
    {0.53209F, 0.49979F, 0.10540F},
    {-0.13250F, 0.14571F, 0.00599F},
    {-0.05015F, 0.00651F, 0.22892F},
    {0.02033F, -0.01935F, 0.04870F},
    {0.00812F, -0.00611F, -0.00338F},
    {0.01427F, -0.00669F, -0.01427F},
    {0.00154F, 0.00538F, -0.02474F},
    {0.00365F, -0.00265F, -0.00387F},
    {0.00186F, -0.00662F, 0.00930F},
}};

glm::vec3 inferno_at(float t) { return fitted_color(inferno_series, t); }

}  // namespace

const ColorMap color_map_inferno{"inferno",
                                 "van der Walt and Smith 2015: black over red to pale yellow, even steps",
                                 ColorMap::Kind::sequential, inferno_at};

}  // namespace orrery::render
