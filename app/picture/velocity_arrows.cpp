#include "app/picture/velocity_arrows.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include "app/picture/picture_style.h"
#include "app/picture/star_style.h"
#include "sim/core/random.h"

namespace orrery::app {

namespace {

constexpr std::uint64_t lot_of_arrows = 1;

/// In their order.
std::vector<std::uint32_t> drawn_bodies(const Look& look, const sim::Scene& scene,
                                        const SceneSummary& summary) {
  const auto weight = arrow_choice(look, summary).component_weight;
  const auto& component = scene.bodies.component;
  std::vector<std::uint32_t> bodies;
  for (std::size_t i = 0; i < component.size(); ++i)
    if (weight.at(static_cast<std::size_t>(component[i])) > 0.0F)
      bodies.push_back(static_cast<std::uint32_t>(i));
  return bodies;
}

/// Fisher & Yates. Where more are asked for, these are the same ones and others.
void put_some_first(std::vector<std::uint32_t>& bodies, std::size_t count) {
  sim::Random random(lot_of_arrows);
  for (std::size_t i = 0; i < count; ++i)
    std::swap(bodies[i], bodies[i + static_cast<std::size_t>(random.below(bodies.size() - i))]);
}

/// Orders the bodies by mass, heaviest first; random order breaks ties.
void put_heaviest_first(std::vector<std::uint32_t>& bodies, const std::vector<float>& mass) {
  put_some_first(bodies, bodies.size());
  std::ranges::stable_sort(bodies, std::greater<>(), [&](std::uint32_t body) { return mass[body]; });
}

/// Arrows get this much longer than usual before all of them shrink.
constexpr double most_above_usual = 2.5;

/// The speed that nine of ten are slower than.
double fast_one(const std::vector<MovingBody>& bodies) {
  std::vector<double> speeds;
  for (const auto& body : bodies)
    if (const double speed = glm::length(body.velocity); std::isfinite(speed)) speeds.push_back(speed);
  if (speeds.empty()) return 0.0;
  const auto at = speeds.begin() + static_cast<std::ptrdiff_t>(speeds.size() * 9 / 10);
  std::ranges::nth_element(speeds, at);
  return *at;
}

/// 1, 2 or 5 times a power of ten.
double round_below(double largest) {
  const double power = std::pow(10.0, std::floor(std::log10(largest)));
  const double digits = largest / power;
  return power * (digits >= 5.0 ? 5.0 : digits >= 2.0 ? 2.0 : 1.0);
}

}  // namespace

ArrowChoice arrow_choice(const Look& look, const SceneSummary& summary) {
  auto style = body_style(look);
  set_star_style(style, look.stars, summary);
  auto which = look.overlay.arrows;
  which.numbers.resize(1);  // their length does not choose them
  return {.which = sim::form_text(which), .component_weight = style.component_weight};
}

std::vector<std::uint32_t> bodies_with_arrows(const Look& look, const sim::Scene& scene,
                                              const SceneSummary& summary) {
  const auto& option = look.overlay.arrows;
  if (option.word == "off") return {};
  auto bodies = drawn_bodies(look, scene, summary);
  const auto wanted = static_cast<std::size_t>(option.number(0));
  const auto count = std::min(bodies.size(), wanted);
  if (option.word == "heaviest")
    put_heaviest_first(bodies, scene.bodies.mass);
  else
    put_some_first(bodies, count);
  bodies.resize(count);
  std::ranges::sort(bodies);
  return bodies;
}

void VelocityArrows::open(const sim::Scene& scene, const SceneSummary& summary) {
  scene_ = &scene;
  summary_ = &summary;
  choice_.reset();
  numbers_.clear();
  bodies_.clear();
  sample_.reset();
  wanted_ = false;
  const auto found = summary.ranges.find("speed");
  usual_speed_ = found != summary.ranges.end() ? std::max(double{found->second.second}, 0.0) : 0.0;
}

/// True if other bodies have arrows now.
bool VelocityArrows::choose(const Look& look) {
  auto wanted = arrow_choice(look, *summary_);
  if (choice_ && wanted == *choice_) return false;
  choice_ = std::move(wanted);
  auto numbers = bodies_with_arrows(look, *scene_, *summary_);
  if (numbers == numbers_) return false;
  numbers_ = std::move(numbers);
  if (!sample_) sample_.emplace();
  sample_->choose(numbers_);
  return true;
}

void VelocityArrows::take(const Look& look, const render::BodyBuffers& buffers, int slot, bool is_new) {
  if (scene_ == nullptr) return;
  const bool others = choose(look);
  if (others) bodies_.clear();
  wanted_ = (wanted_ || others || is_new) && !numbers_.empty();
  if (numbers_.empty()) return;
  collect();
  if (!wanted_ || sample_->busy()) return;
  sample_->begin(buffers, slot);
  wanted_ = false;
  collect();
}

/// Takes the samples that have arrived.
void VelocityArrows::collect() {
  const auto found = sample_->take();
  if (!found) return;
  bodies_.clear();
  for (std::size_t i = 0; i < found->size(); ++i) {
    const auto& body = (*found)[i];
    const auto galaxy = scene_->bodies.galaxy[numbers_[i]];
    bodies_.push_back({glm::dvec3(body.position) + summary_->grid_offset(galaxy), glm::dvec3(body.velocity)});
  }
  usual_speed_ = std::max(usual_speed_, fast_one(bodies_) / most_above_usual);
}

double arrow_time(const render::Camera& camera, const OverlayOptions& options, double usual_speed) {
  const double length = 0.01 * options.arrow_length() * camera.picture_height();
  const double time = length / usual_speed;
  return std::isfinite(time) ? time : 0.0;
}

ArrowKey arrow_key(const render::Camera& camera, const OverlayOptions& options, double usual_speed,
                   double height, double most_pixels, const sim::PhysicalUnits& units) {
  const double pixels_of_speed = arrow_time(camera, options, usual_speed) * height / camera.picture_height();
  if (!(pixels_of_speed > 0.0)) return {};
  const auto unit = sim::velocity_measure(units);
  const double number = round_below(most_pixels / pixels_of_speed * unit.factor);
  const auto text = unit.name.empty() ? fmt::format("speed {:g}", number)
                                      : fmt::format("{:g} {}", number, std::string(unit.name));
  return {number / unit.factor * pixels_of_speed, text};
}

}  // namespace orrery::app
