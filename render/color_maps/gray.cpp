#include "color_maps.h"

namespace orrery::render {
namespace {

/// Even steps of OKLab lightness from black to white.
glm::vec3 gray_at(float t) { return glm::vec3(t * t * t); }

}  // namespace

const ColorMap color_map_gray{"gray", "black to white, even steps of OKLab lightness",
                              ColorMap::Kind::sequential, gray_at};

}  // namespace orrery::render
