// Colour maps that others made, as fits to their values.
#include <array>
#include <cstddef>
#include <glm/glm.hpp>

#include "color_maps.h"
#include "render/color_maps/color_space.h"

namespace orrery::render {
namespace {

/// A colour map as sums of Chebyshev polynomials: coefficients of T_0, T_1, ... for the display values of
/// red, green and blue.
using ChebyshevColors = std::array<glm::vec3, 10>;

/// The linear-light colour at t in 0..1: sum_k c_k T_k(2t - 1), clamped to the display's range. By Clenshaw's
/// recurrence.
glm::vec3 fitted_color(const ChebyshevColors& series, float t) {
  const float x = 2.0F * t - 1.0F;
  glm::vec3 next{0.0F}, after{0.0F};
  for (std::size_t k = series.size(); k-- > 1;) {
    const glm::vec3 here = series.at(k) + 2.0F * x * next - after;
    after = next;
    next = here;
  }
  return srgb_decode(glm::clamp(series.front() + x * next - after, 0.0F, 1.0F));
}

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

const ColorMap color_map_viridis{
    "viridis",
    "van der Walt and Smith 2015: blue over green to yellow, even steps, safe for colour-blind eyes",
    ColorMap::Kind::sequential, viridis_at};

const ColorMap color_map_inferno{"inferno",
                                 "van der Walt and Smith 2015: black over red to pale yellow, even steps",
                                 ColorMap::Kind::sequential, inferno_at};

const ColorMap color_map_magma{"magma",
                               "van der Walt and Smith 2015: black over purple to pale pink, even steps",
                               ColorMap::Kind::sequential, magma_at};

const ColorMap color_map_cividis{
    "cividis", "Nunez, Anderton and Renslow 2018: blue to yellow, nearly the same for colour-blind eyes",
    ColorMap::Kind::sequential, cividis_at};

}  // namespace orrery::render
