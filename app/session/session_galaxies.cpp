#include "app/session/session.h"

#include <fmt/format.h>

#include "app/log.h"
#include "app/picture/display_options.h"
#include "app/picture/picture_options.h"
#include "sim/options/configuration.h"

// Bodies and galaxies that a person points at.
namespace orrery::app {

std::optional<glm::dvec3> Session::pick(glm::dvec2 cursor, double aspect) const {
  if (!has_dataset()) return std::nullopt;
  const auto position = shown().read_position(shown_slot());
  return middle_under({position, scene().bodies.galaxy, summary(), camera, aspect}, cursor);
}

const GalaxyFacts* Session::singled_out() const {
  if (!has_dataset() || summary().galaxies < 2) return nullptr;
  return summary().find_galaxy(singled_out_galaxy(configuration));
}

void Session::single_out(std::int64_t number) {
  const auto& option = table_.at("highlight");
  auto value = picture_options(configuration).highlight;
  const double most = sim::form_of(option, value)->numbers.front().maximum;
  value.numbers = {static_cast<double>(number)};
  if (value.number(0) <= most)
    set_option(option, sim::form_text(value));
  else
    log_warning(fmt::format("galaxies above number {:.0f} cannot be singled out", most));
}

void Session::single_out_under(glm::dvec2 cursor, double aspect) {
  if (!has_dataset() || summary().galaxies < 2) return;
  const auto position = shown().read_position(shown_slot());
  const auto galaxy = galaxy_under({position, scene().bodies.galaxy, summary(), camera, aspect}, cursor);
  single_out(galaxy ? std::int64_t{*galaxy} : -1);
}

void Session::single_out_next(int direction) {
  if (!has_dataset() || summary().galaxies < 2) return;
  const auto& all = summary().each_galaxy;
  const auto count = static_cast<std::ptrdiff_t>(all.size());
  const auto* now = singled_out();
  const auto start = now != nullptr ? now - all.data() : std::ptrdiff_t{direction > 0 ? -1 : 0};
  const auto next = ((start + direction) % count + count) % count;
  single_out(all[static_cast<std::size_t>(next)].number);
}

bool Session::show_all_galaxies() {
  if (singled_out() == nullptr) return false;
  single_out(-1);
  return true;
}

std::optional<GalaxyExtent> Session::singled_out_extent() const {
  const auto* galaxy = singled_out();
  if (galaxy == nullptr) return std::nullopt;
  const auto position = shown().read_position(shown_slot());
  return extent_of({position, scene().bodies.galaxy, summary(), camera}, galaxy->number);
}

}  // namespace orrery::app
