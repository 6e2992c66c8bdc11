#include "app/picture/labels.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "app/gui/dot_names.h"
#include "sim/core/counted.h"

namespace orrery::app {

namespace {

/// Where galaxies are drawn, in the draw list's units.
struct Places {
  const SceneSummary& summary;
  glm::dmat4 to_clip;
  glm::dvec2 size;
  double shift;
  double scale_y;  ///< half heights of the picture for a length of 1 at distance 1

  struct Place {
    glm::dvec2 center;
    double radius;
  };
  /// Empty behind the camera or far beside the picture.
  std::optional<Place> of(std::uint32_t galaxy) const {
    const glm::dvec4 clip = to_clip * glm::dvec4(summary.center + summary.grid_offset(galaxy), 1.0);
    if (!(clip.w > 0.0)) return std::nullopt;
    const glm::dvec2 at = glm::dvec2(clip.x / clip.w + shift, -clip.y / clip.w) * 0.5 + 0.5;
    if (!(at.x > -0.2 && at.x < 1.2 && at.y > -1.0 && at.y < 1.2)) return std::nullopt;
    return Place{at * size, 0.5 * size.y * scale_y * summary.radius / clip.w};
  }
};

Places places_of(const PictureInput& picture, glm::dvec2 size) {
  const glm::mat4 projection = picture.camera.projection(static_cast<float>(size.x / size.y));
  return {picture.summary, glm::dmat4(projection * picture.camera.view()), size, picture.shift,
          double{projection[1][1]}};
}

std::string full_text(const GalaxyFacts& galaxy) {
  return fmt::format("{}: {}", galaxy.number, sim::counted(galaxy.bodies, "body", "bodies"));
}

/// The label content that fits every cell of a size, so that all labels of one distance are of one kind.
struct Room {
  double height, number_width, full_width;

  Room(const OverlayPen& pen, const SceneSummary& summary)
      : height(double{pen.size()}),
        number_width(pen.width(std::to_string(summary.each_galaxy.back().number))),
        full_width(pen.width(full_text({summary.each_galaxy.back().number, largest(summary)}))) {}

  static std::size_t largest(const SceneSummary& summary) {
    return std::ranges::max(summary.each_galaxy, {}, &GalaxyFacts::bodies).bodies;
  }
  /// The longest text that fits into the cell; empty if none does.
  std::string text(const GalaxyFacts& galaxy, bool with_bodies, double cell) const {
    if (height > 0.4 * cell || number_width > 0.9 * cell) return {};
    return with_bodies && full_width < 0.95 * cell ? full_text(galaxy) : std::to_string(galaxy.number);
  }
};

/// Writes a label below a galaxy, but never below the picture if the galaxy's centre is inside.
void write_below(const OverlayPen& pen, const Places::Place& place, const std::string& text) {
  const double lowest = double{pen.sheet.size.y} - 1.4 * double{pen.size()};
  double y = place.center.y + place.radius;
  if (place.center.y < lowest) y = std::min(y, lowest);
  const float width = pen.width(text);
  const ImVec2 at{static_cast<float>(place.center.x) - 0.5F * width, static_cast<float>(y)};
  if (pen.sheet.is_free({at, {at.x + width, at.y + pen.size()}})) pen.write(at, text);
}

/// Where a body is drawn, in the draw list's units; empty behind the camera.
std::optional<ImVec2> place_of(const glm::dmat4& to_clip, glm::dvec3 body, ImVec2 size, double shift) {
  const glm::dvec4 clip = to_clip * glm::dvec4(body, 1.0);
  if (!(clip.w > 0.0)) return std::nullopt;
  const glm::dvec2 at = glm::dvec2(clip.x / clip.w + shift, -clip.y / clip.w) * 0.5 + 0.5;
  if (!(at.x > 0.0 && at.x < 1.0 && at.y > 0.0 && at.y < 1.0)) return std::nullopt;
  return ImVec2{static_cast<float>(at.x) * size.x, static_cast<float>(at.y) * size.y};
}

}  // namespace

void draw_names(const OverlaySheet& sheet, const PictureInput& picture) {
  if (picture.orbits == nullptr) return;
  const auto& names = picture.orbits->names();
  const auto& positions = picture.orbits->positions();
  if (names.empty() || positions.size() != 4 * names.size()) return;
  const glm::mat4 projection = picture.camera.projection(sheet.size.x / sheet.size.y);
  const auto to_clip = glm::dmat4(projection * picture.camera.view());
  const auto pen = small_pen(sheet);
  std::vector<NamedDot> dots;
  std::vector<const std::string*> texts;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const float* x = &positions[4 * i];
    const auto& galaxy = picture.summary.grid_offset(picture.orbits->galaxy_of(i));
    const auto at = place_of(to_clip, glm::dvec3(x[0], x[1], x[2]) + galaxy, sheet.size, picture.shift);
    if (!at) continue;
    dots.push_back({*at, 0.5F * pen.size(), {pen.width(names[i]), pen.size()}});
    texts.push_back(&names[i]);
  }
  const auto places = place_names(dots, {0.0F, 0.0F}, sheet.size, DotNames::off_lines);
  for (std::size_t k = 0; k < dots.size(); ++k) {
    if (!places[k]) continue;
    const auto corner = places[k]->corner;
    const OverlayBox box{corner, {corner.x + dots[k].name.x, corner.y + dots[k].name.y}};
    if (!sheet.is_free(box)) continue;
    pen.write(corner, *texts[k]);
    sheet.taken.push_back(box);
  }
}

void draw_labels(const OverlaySheet& sheet, const PictureInput& picture) {
  const auto& options = picture.look.picture;
  const auto& summary = picture.summary;
  if (options.labels == "off" || summary.galaxies < 2) return;
  const auto places = places_of(picture, {sheet.size.x, sheet.size.y});
  const double spacing = double{summary.grid_spacing} / summary.radius;
  const bool shows = options.highlight.word != "off";
  const auto chosen = shows ? options.singled_out_galaxy() : -1;
  const auto plain = small_pen(sheet);
  const OverlayPen marked{sheet, sheet.small, sheet.style.accent};
  const Room room(plain, summary);
  const bool bodies = options.labels == "bodies";
  for (const auto& galaxy : summary.each_galaxy) {
    const auto place = places.of(galaxy.number);
    if (!place) continue;
    auto text = room.text(galaxy, bodies, spacing * place->radius);
    const bool is_chosen = galaxy.number == chosen;
    // Where no other label has room, there is room for one.
    if (is_chosen && text.empty()) text = bodies ? full_text(galaxy) : std::to_string(galaxy.number);
    if (!text.empty()) write_below(is_chosen ? marked : plain, *place, text);
  }
}

}  // namespace orrery::app
