#include "render/light/light_pyramid.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>

#include "render/context/shader_constants.h"
#include "render/light/light_levels.h"

namespace orrery::render {
namespace {

/// Texels around a level: of the finer one two are filled from them.
constexpr int level_texels_around = 4;
/// Half widths from which an image is round; narrower ones are a product of two kernels.
constexpr float image_round_from = 2.0F;
/// The factor by which the way back to the picture widens an image (move_to_level of shaders/body.glsl).
constexpr float widening = 2.2F;

/// As in shaders/body_kernel.glsl: the integral of the triweight kernel.
float cumulative(float x) {
  x = std::clamp(x, -1.0F, 1.0F);
  const float y = x * x;
  return x * (1.09375F + y * (-1.09375F + y * (0.65625F + y * -0.15625F)));
}

float round_share(float x, float y, float scale) {
  const auto square = [&](float offset) { return offset * offset * scale * scale; };
  const std::array across{square(x - 0.25F), square(x + 0.25F)};
  const std::array up{square(y - 0.25F), square(y + 0.25F)};
  float sum = 0.0F;
  for (const float a : across)
    for (const float b : up) {
      const float left = std::max(1.0F - a - b, 0.0F);
      sum += left * left * left;
    }
  return sum * scale * scale * std::numbers::inv_pi_v<float>;
}

/// Pixels that an image reaches in one direction: from `first` on, `count` of them.
struct Reach {
  int first;
  int count;
};

Reach reach_of(float center, float half_width, int size) {
  const int first = std::max(static_cast<int>(std::floor(center - half_width)), 0);
  const int last = std::min(static_cast<int>(std::floor(center + half_width)), size - 1);
  return {first, last - first + 1};
}

constexpr int widest_product = 2 * static_cast<int>(image_round_from) + 2;
using Shares = std::array<float, widest_product>;

Shares shares_of(const Reach& reach, float center, float half_width) {
  Shares shares{};
  const float scale = 1.0F / half_width;
  float before = cumulative((static_cast<float>(reach.first) - center) * scale);
  for (int i = 0; i < std::min(reach.count, widest_product); ++i) {
    const float after = cumulative((static_cast<float>(reach.first + i + 1) - center) * scale);
    shares[static_cast<std::size_t>(i)] = after - before;
    before = after;
  }
  return shares;
}

}  // namespace

void LightPyramid::resize(Level& level, glm::ivec2 size, int border) {
  level.size = size;
  level.border = border;
  level.texels.resize(static_cast<std::size_t>(level.width()) * static_cast<std::size_t>(level.height()));
}

void LightPyramid::make_dark(Level& level, glm::ivec2 size, int border) {
  resize(level, size, border);
  std::ranges::fill(level.texels, glm::vec4(0.0F));
}

void LightPyramid::begin(glm::ivec2 picture, float widest) {
  const auto count = static_cast<std::size_t>(levels_for(picture, widest));
  levels_.resize(count + 1);
  resize(levels_.front(), picture, 0);
  for (std::size_t i = 1; i <= count; ++i)
    make_dark(levels_[i], (picture + (1 << i) - 1) >> static_cast<int>(i), level_texels_around);
}

float LightPyramid::widest() const {
  return shared::widest_in_level * static_cast<float>(1U << (levels_.size() - 1));
}

void LightPyramid::add_star(glm::vec2 center, float half_width, const glm::vec4& light) {
  add_image(levels_.front(), center, half_width, light);
}

void LightPyramid::add_wide(glm::vec2 center, float half_width, const glm::vec4& light, int coarser) {
  const int suitable = static_cast<int>(std::ceil(std::log2(half_width / shared::widest_in_level))) + coarser;
  const int number = std::clamp(suitable, 1, static_cast<int>(levels_.size()) - 1);
  const float scale = 1.0F / static_cast<float>(1 << number);
  const float width = half_width * scale;
  const float narrower = std::sqrt(std::max(width * width - widening * (1.0F - scale * scale), 1.0F));
  Level& level = levels_[static_cast<std::size_t>(number)];
  add_image(level, center * scale + static_cast<float>(level.border),
            std::min(narrower, shared::widest_in_level), light);
}

void LightPyramid::add_image(Level& level, glm::vec2 center, float half_width, const glm::vec4& light) {
  const Reach across = reach_of(center.x, half_width, level.width());
  const Reach up = reach_of(center.y, half_width, level.height());
  if (across.count <= 0 || up.count <= 0) return;
  if (half_width < image_round_from) {
    const Shares columns = shares_of(across, center.x, half_width);
    const Shares rows = shares_of(up, center.y, half_width);
    for (int y = 0; y < up.count; ++y) {
      const glm::vec4 of_row = light * rows[static_cast<std::size_t>(y)];
      glm::vec4* const texels = level.row(up.first + y) + across.first;
      for (int x = 0; x < across.count; ++x) texels[x] += of_row * columns[static_cast<std::size_t>(x)];
    }
    return;
  }
  const float scale = 1.0F / half_width;
  for (int y = 0; y < up.count; ++y) {
    glm::vec4* const texels = level.row(up.first + y) + across.first;
    const float from_middle = static_cast<float>(up.first + y) + 0.5F - center.y;
    for (int x = 0; x < across.count; ++x)
      texels[x] +=
          light * round_share(static_cast<float>(across.first + x) + 0.5F - center.x, from_middle, scale);
  }
}

/// Between the middles of texels, a quarter each, as shaders/level.glsl. `dark`: the finer level has no light
/// yet, whatever its texels are.
void LightPyramid::add_level(Level& coarse, Level& fine, bool dark) {
  constexpr float near_share = 0.75F * 0.5F;
  constexpr float far_share = 0.25F * 0.5F;
  row_.resize(static_cast<std::size_t>(coarse.width()));
  const int around = std::min(fine.border, 2);
  const auto neighbour = [](int at) { return at % 2 != 0 ? 1 : -1; };
  for (int y = -around; y < fine.size.y + around; ++y) {
    const int near = (y >> 1) + coarse.border;
    const glm::vec4* const one = coarse.row(near);
    const glm::vec4* const other = coarse.row(near + neighbour(y));
    for (std::size_t x = 0; x < row_.size(); ++x) row_[x] = near_share * one[x] + far_share * other[x];
    glm::vec4* const texels = fine.row(y + fine.border) + fine.border;
    for (int x = -around; x < fine.size.x + around; ++x) {
      const int at = (x >> 1) + coarse.border, other_at = at + neighbour(x);
      const glm::vec4 light = near_share * row_[static_cast<std::size_t>(at)] +
                              far_share * row_[static_cast<std::size_t>(other_at)];
      texels[x] = dark ? light : texels[x] + light;
    }
  }
}

void LightPyramid::add_levels() {
  for (std::size_t i = levels_.size() - 1; i > 0; --i) add_level(levels_[i], levels_[i - 1], i == 1);
}

}  // namespace orrery::render
