#include "app/window/structure_feed.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "sim/core/random.h"
#include "sim/core/thread_priority.h"
#include "sim/options/physics_options.h"

namespace orrery::app {

namespace {

using namespace std::chrono_literals;

constexpr auto least_pause = 400ms;

sim::GalaxyRange range_of(const Session& session, std::size_t number) {
  const auto& galaxy = session.scene().bodies.galaxy;
  const auto [first, last] = std::ranges::equal_range(galaxy, static_cast<std::uint32_t>(number));
  return {static_cast<std::size_t>(first - galaxy.begin()), static_cast<std::size_t>(last - galaxy.begin())};
}

std::size_t galaxy_shown(const Session& session) {
  const auto number = session.configuration.integer("highlight-galaxy");
  return number < 0 ? 0 : static_cast<std::size_t>(number);
}

/// What is looked at, taken out of arrays of 4 floats a body. Owns its data.
struct Sampled {
  std::vector<sim::Vec3> position, velocity;
  std::vector<float> mass;
};

Sampled sampled(const float* position, const float* velocity, const std::vector<std::size_t>& bodies,
                double each) {
  Sampled result;
  for (const auto i : bodies) {
    const auto *x = position + 4 * i, *v = velocity + 4 * i;
    result.position.push_back({x[0], x[1], x[2]});
    result.velocity.push_back({v[0], v[1], v[2]});
    result.mass.push_back(static_cast<float>(each * double{x[3]}));
  }
  return result;
}

Sampled taken_from(const PictureInput& picture, const std::vector<std::size_t>& bodies, double each) {
  const auto& buffers = picture.buffers;
  const auto *position = buffers.mapped_position(picture.slot),
             *velocity = buffers.mapped_velocity(picture.slot);
  if (position != nullptr && velocity != nullptr) return sampled(position, velocity, bodies, each);
  const auto all_positions = buffers.read_position(picture.slot),
             all_velocities = buffers.read_velocity(picture.slot);
  return sampled(all_positions.data(), all_velocities.data(), bodies, each);
}

}  // namespace

void StructureFeed::begin_anew(const Session& session) {
  log_ = {};
  ++epoch_;
  opening_ = session.openings();
  resets_ = session.frame().resets;
  galaxy_ = galaxy_shown(session);
  asked_once_ = false;
  next_ask_ = {};
  draw_lots(session);
}

/// One of each of as many equal parts of the galaxy: each body is as likely.
void StructureFeed::draw_lots(const Session& session) {
  const auto range = range_of(session, galaxy_);
  of_ = range.size();
  const auto count = std::min(of_, most_bodies);
  sim::Random random(1);
  bodies_.clear();
  component_.clear();
  for (std::size_t k = 0; k < count; ++k) {
    const auto first = of_ * k / count, last = of_ * (k + 1) / count;
    bodies_.push_back(range.first + first + random.below(last - first));
    component_.push_back(session.scene().bodies.component[bodies_.back()]);
  }
}

/// Only what belongs to this run of the dataset: the check of a state before a reset may come late.
void StructureFeed::note_health(const Session& session) {
  const auto& health = session.health();
  if (!health || !health->drift_step || health->baseline != session.frame().baseline) return;
  if (!log_.past.empty() && std::ranges::any_of(log_.past, [&](const lab::Instant& row) {
        return row.time == health->time && std::isfinite(row.energy);
      }))
    return;
  log_.add(health->time, health->diagnostics);
}

void StructureFeed::take_found() {
  if (!asked_.valid() || asked_.wait_for(0s) != std::future_status::ready) return;
  const auto found = asked_.get();
  next_ask_ = Clock::now() + std::max<Clock::duration>(least_pause, 10 * found.spent);
  if (found.epoch == epoch_) log_.add(found.time, found.structure);
}

void StructureFeed::update(const Session& session) {
  if (!session.has_dataset()) return;
  if (session.openings() != opening_ || session.frame().resets != resets_ || galaxy_shown(session) != galaxy_)
    begin_anew(session);
  take_found();
  note_health(session);
  const bool moved = !asked_once_ || session.frame().time != asked_time_;
  if (moved && !asked_.valid() && Clock::now() >= next_ask_ && !bodies_.empty()) ask(session);
}

void StructureFeed::ask(const Session& session) {
  const auto picture = session.picture();
  const bool mapped = picture.buffers.mapped_position(picture.slot) != nullptr;
  if (!mapped && session.summary().bodies > most_read_back) return;
  asked_once_ = true;
  asked_time_ = session.frame().time;
  const double each = static_cast<double>(of_) / static_cast<double>(bodies_.size());
  asked_ = std::async(std::launch::async, [state = taken_from(picture, bodies_, each), component = component_,
                                           physics = sim::physics_of(session.configuration), of = of_,
                                           time = asked_time_, epoch = epoch_] {
    sim::lower_thread_priority(10);
    const auto start = Clock::now();
    const std::vector<sim::GalaxyRange> galaxies{{0, state.mass.size()}};
    Found found{.time = time, .epoch = epoch};
    found.structure = sim::structure_of({state.position, state.velocity, state.mass, galaxies}, component,
                                        physics, {.most = most_bodies});
    found.structure.of = std::max(found.structure.of, of);
    found.spent = Clock::now() - start;
    return found;
  });
}

}  // namespace orrery::app
