#include "sim/simulation/ranked_engine.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <utility>

#include "sim/core/error.h"
#include "sim/core/hash.h"
#include "sim/core/time_account.h"
#include "sim/cuda/driver/device.h"
#include "sim/cuda/options/schedule.h"
#include "sim/engines/packed_bodies.h"
#include "sim/options/engine_option.h"
#include "sim/options/physics_options.h"
#include "sim/ranks/agreement.h"
#include "sim/simulation/approximate_kernels.h"
#include "sim/simulation/engine_registry.h"
#include "sim/simulation/framed_engine.h"

namespace orrery::sim {

namespace {

template <typename T>
std::vector<T> part(const std::vector<T>& all, BodyRange range) {
  const auto first = all.begin() + static_cast<std::ptrdiff_t>(range.first);
  return {first, first + static_cast<std::ptrdiff_t>(range.size())};
}

/// The bodies of a share; galaxies are numbered from 0 again.
Bodies bodies_of(const Bodies& all, BodyRange range) {
  Bodies bodies{.position = part(all.position, range),
                .velocity = part(all.velocity, range),
                .mass = part(all.mass, range),
                .charge = part(all.charge, range),
                .id = part(all.id, range),
                .component = part(all.component, range),
                .galaxy = part(all.galaxy, range)};
  const auto first = bodies.galaxy.empty() ? 0 : bodies.galaxy.front();
  for (auto& galaxy : bodies.galaxy) galaxy -= first;
  return bodies;
}

/// Over the words of the state; 32 bits, which a double holds exactly.
double checksum(const Bodies& bodies) {
  Fnv1a<std::uint32_t> hash;
  const auto add = [&](float value) { hash.add_word(std::bit_cast<std::uint32_t>(value)); };
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const auto& x = bodies.position[i];
    const auto& v = bodies.velocity[i];
    add(x.x), add(x.y), add(x.z), add(bodies.mass[i]);
    add(v.x), add(v.y), add(v.z), add(bodies.charge[i]);
    hash.add_word(bodies.galaxy[i]);
  }
  return hash.value();
}

/// With several GPUs in a machine, each rank takes one, unless they are listed: then each has all of these.
Configuration with_own_device(Configuration configuration, const Communicator& ranks) {
  if (!is_on_real_gpu(configuration)) return configuration;
  const auto count = static_cast<int>(cuda::devices().size());
  return count > 0 ? cuda::with_first_device(configuration, ranks.local_rank() % count) : configuration;
}

/// A rank counts in single precision, in which larger whole numbers are not exact.
constexpr std::size_t most_counted = std::size_t{1} << std::numeric_limits<float>::digits;

/// Whole numbers in the cells of this box, whatever bodies the rank has.
void fix_map(Configuration& configuration, const MapSpec& map) {
  if (map.size == 0) return;
  configuration.set("map-values", std::string("count"));
  configuration.set("map-box", map_box_text(map.box));
}

}  // namespace

void RankedEngine::Exchange::share(std::span<Vec3> vectors, std::span<const std::size_t> bounds) {
  sim::share(ranks_, vectors, bounds);
}

bool RankedEngine::Exchange::all(bool mine) { return !call_roll(ranks_, {.vote = mine}).no; }

RankedEngine::RankedEngine(std::unique_ptr<Engine> inner, const Configuration& configuration,
                           Communicator& ranks)
    : inner_(std::move(inner)), ranks_(ranks), configuration_(configuration), exchange_(ranks, bounds_) {
  map_.configure(configuration, {});
}

/// For the engine of this rank.
Configuration RankedEngine::of_rank(const Configuration& configuration) const {
  auto own = with_own_device(configuration, ranks_);
  fix_map(own, map_.spec());
  return own;
}

/// Every rank reads the dataset itself; files may differ between machines.
void RankedEngine::check_same_everywhere(const Bodies& bodies) {
  const std::array mine{static_cast<double>(bodies.size()), checksum(bodies)};
  auto largest = mine;
  find_largest(ranks_, largest);
  if (call_roll(ranks_, {.vote = mine == largest}).no)
    throw SharedError("the processes have different datasets; give all machines the same file", false);
}

void RankedEngine::load_share(const Bodies& bodies, double time) {
  galaxies_ = bodies.galaxies();
  mass_ = bodies.mass;
  charge_ = bodies.charge;
  split_ =
      cuda::split_of_processes(configuration_, galaxies_.size(), static_cast<std::size_t>(ranks_.size()));
  team_ = split_ == Split::galaxies ? nullptr : inner_->team_engine();
  if (split_ == Split::domains && team_ == nullptr) throw UsageError(std::string(domains_are_for_gpus));
  if (team_ != nullptr) {
    held_ = bodies;
    share_ = {{0, held_.size()}, {0, held_.size()}};
  } else {
    const auto shares = cut(galaxies_, split_, static_cast<std::size_t>(ranks_.size()));
    share_ = shares[static_cast<std::size_t>(ranks_.rank())];
    bounds_ = target_bounds(shares);
    held_ = bodies_of(bodies, share_.held);
  }
  if (!idle()) inner_->load(held_, time);
  if (team_ != nullptr)
    team_->join(ranks_, split_ == Split::domains);
  else if (!idle() && split_ == Split::bodies)
    inner_->set_partition(share_.targets, exchange_);
  map_.load(bodies.position);
  if (map_.spec().size > 0) inner_->configure(of_rank(configuration_));
}

void RankedEngine::load(const Bodies& bodies, double time) {
  // Engines of a team meet while they load.
  check_same_everywhere(bodies);
  together(ranks_, [&] { return load_share(bodies, time), Answer{}; });
  time_ = time;
  steps_ = 0;
  timings_ = {.interactions = interactions_per_evaluation(galaxies_)};
  sample_.reset();
  collected_.reset();
  sample_wanted_ = {};
}

/// A map that was not there, or looks elsewhere, is fitted to where all bodies are now.
void RankedEngine::choose_map(const Configuration& configuration) {
  Bodies all;
  if (wants_map(configuration) && !mass_.empty()) {
    all.position.resize(mass_.size());
    all.velocity.resize(mass_.size());
    read_back(all);
    if (team_ != nullptr)
      bring(held_.position, all.position, true);
    else
      sim::share(ranks_, all.position, bounds_);
  }
  map_.configure(configuration, all.position);
}

void RankedEngine::configure(const Configuration& configuration) {
  const auto before = map_;
  choose_map(configuration);
  try {
    together(ranks_, [&] { return inner_->configure(of_rank(configuration)), Answer{}; });
  } catch (const SharedError&) {
    map_ = before;
    // Some of a team may have taken it already.
    if (team_ != nullptr)
      together(ranks_, [&] { return inner_->configure(of_rank(configuration_)), Answer{}; });
    throw;
  }
  configuration_ = configuration;
}

bool RankedEngine::advance(const WorkBudget& budget) {
  std::optional<bool> complete;
  const auto work = [&](const WorkBudget& allowed) {
    if (!idle() && !complete.value_or(false)) complete = inner_->advance(allowed);
    return Answer{complete};
  };
  auto roll = together(ranks_, [&] { return work(budget); });
  // Some were interrupted and some were not: the step is made.
  while (roll.yes && roll.no) roll = together(ranks_, [&] { return work({}); });
  if (!roll.yes) return false;
  time_ = idle() ? time_ + physics_of(configuration_).time_step : inner_->status().time;
  ++steps_;
  if (team_ != nullptr) cut_again();
  return true;
}

/// Domains follow their bodies. A sample is of the bodies that the rank had.
void RankedEngine::cut_again() {
  if (!team_->should_cut()) return;
  if (sample_wanted_.forces != 0) {
    together(ranks_, [&] { return inner_->finish(), Answer{}; });
    Samples samples{.forces = collect_forces()};
    if (sample_wanted_.forces != 0) return;
    collected_ = std::move(samples);
  }
  together(ranks_, [&] { return team_->cut_again(), Answer{}; });
}

EngineReport RankedEngine::report() const {
  auto report = inner_->report();
  if (team_ != nullptr)
    report.facts.push_back(
        {.key = "domain_bodies", .value = static_cast<std::int64_t>(team_->moved_bodies().size())});
  return report;
}

void RankedEngine::finish() {
  together(ranks_, [&] { return inner_->finish(), Answer{}; });
  const auto mine = idle() ? StepTimings{} : inner_->status().timings;
  std::array largest{mine.force_ms, mine.update_ms, mine.map_ms, static_cast<double>(mine.evaluations)};
  find_largest(ranks_, largest);
  timings_.force_ms = largest[0];
  ++timings_.measured;
  timings_.measured_ms += timings_.force_ms;
  timings_.update_ms = largest[1];
  timings_.map_ms = largest[2];
  timings_.evaluations = static_cast<std::uint64_t>(largest[3]);
  // Ranks compute all bodies in each.
  timings_.sums = static_cast<double>(timings_.evaluations);
  timings_.measured_sums = static_cast<double>(timings_.measured);
  if (uses_tree(configuration_)) add_up_interactions(idle() ? 0.0 : mine.interactions);
}

/// Adds up the interactions of all ranks, for kernels that do not sum every pair. The sum reaches rank 0,
/// which shows it.
void RankedEngine::add_up_interactions(double mine) {
  constexpr unsigned bits = 24;
  constexpr std::uint64_t mask = (std::uint64_t{1} << bits) - 1;
  const auto number = static_cast<std::uint64_t>(mine);
  // In parts, whose sums fit into 32 bits.
  std::array<std::uint32_t, 3> parts{};
  for (unsigned k = 0; k < parts.size(); ++k)
    parts.at(k) = static_cast<std::uint32_t>((number >> (k * bits)) & mask);
  add_up(ranks_, parts);
  timings_.interactions = 0.0;
  for (unsigned k = 0; k < parts.size(); ++k)
    timings_.interactions += std::ldexp(parts.at(k), static_cast<int>(k * bits));
}

/// Copies the inner engine's bodies to their indices among all bodies: this rank's targets only.
void RankedEngine::place_share(std::span<const Vec3> held, std::span<Vec3> all) const {
  if (held.empty()) return;
  const auto& targets = share_.targets;
  std::ranges::copy(held.subspan(targets.first - share_.held.first, targets.size()),
                    all.begin() + static_cast<std::ptrdiff_t>(targets.first));
}

void RankedEngine::read_back(Bodies& bodies) {
  together(ranks_, [&] {
    if (bodies.size() != mass_.size()) throw Error("read_back needs as many bodies as were loaded");
    return read_share(false), Answer{};
  });
  collect_share(bodies);
}

/// Vectors of the bodies that each engine of a team moves, from those of all bodies that it has: rank 0, or
/// every rank, gets all. Each rank has its own in `all`.
void RankedEngine::bring(std::span<const Vec3> own, std::span<Vec3> all, bool to_every_rank) {
  struct MovedVector {
    std::uint32_t body;
    Vec3 vector;
  };
  std::vector<MovedVector> mine;
  for (const auto k : team_->moved_bodies()) mine.push_back({k, all[k] = own[k]});
  std::vector<std::vector<MovedVector>> messages(static_cast<std::size_t>(ranks_.size()));
  std::fill_n(messages.begin(), to_every_rank ? messages.size() : 1, mine);
  for (const auto& message : deliver<MovedVector>(ranks_, messages))
    for (const auto& [body, vector] : message) all[body] = vector;
}

void RankedEngine::bring_together(std::span<const Vec3> held, std::span<Vec3> all) {
  if (team_ != nullptr) return bring(held, all, false);
  place_share(held, all);
  sim::collect(ranks_, all, bounds_);
}

void RankedEngine::collect_share(Bodies& bodies) {
  bring_together(held_.position, bodies.position);
  bring_together(held_.velocity, bodies.velocity);
}

/// The state of this rank's bodies, and how many of those that it moves are in each cell.
std::vector<std::uint32_t> RankedEngine::read_share(bool with_map) {
  if (!with_map) {
    if (!idle()) inner_->read_back(held_);
    return {};
  }
  const std::size_t size = map_.spec().size;
  std::vector<std::uint32_t> counts(size * size);
  if (idle()) return counts;
  const std::size_t count = held_.size(), moved = team_ != nullptr ? team_->moved_bodies().size() : count;
  if (moved > most_counted)
    throw Error(
        fmt::format("a process counts at most {} bodies in an activity map and this one has {}; "
                    "start more, or use map-size=0",
                    most_counted, moved));
  std::vector<float> packed(8 * count);
  std::vector<float> cells(map_header + counts.size());
  inner_->write_vertices({.position = packed.data(),
                          .velocity = packed.data() + 4 * count,
                          .bodies = count,
                          .map = cells.data(),
                          .map_size = size});
  unpack_bodies(packed.data(), packed.data() + 4 * count, held_);
  std::transform(cells.begin() + map_header, cells.end(), counts.begin(),
                 [](float value) { return static_cast<std::uint32_t>(value); });
  return counts;
}

void RankedEngine::publish_map(std::vector<std::uint32_t> counts, float* to) {
  add_up(ranks_, counts);
  if (ranks_.rank() != 0) return;
  const auto& map = map_.spec();
  to[0] = map_values(counts, map.values, map.size, mass_.size(), 1, {to + map_header, counts.size()});
}

void RankedEngine::write_vertices(const VertexTarget& target) {
  const auto start = std::chrono::steady_clock::now();
  Bodies all;
  // The other ranks may have no target for the map.
  const auto roll = together(ranks_, [&] {
    if (target.space != VertexTarget::Space::host || target.bodies < mass_.size())
      throw Error("several processes publish into host memory that holds all bodies");
    all.position.resize(mass_.size());
    all.velocity.resize(mass_.size());
    return Answer{ranks_.rank() == 0 && target.takes(map())};
  });
  const bool with_map = roll.yes;
  std::vector<std::uint32_t> counts;
  together(ranks_, [&] { return counts = read_share(with_map), Answer{}; });
  collect_share(all);
  if (with_map) publish_map(std::move(counts), target.map);
  if (ranks_.rank() == 0) pack_bodies(all.position, all.velocity, mass_, target.position, target.velocity);
  timings_.publish_ms = milliseconds_since(start);
}

/// The sample is drawn among all bodies, as one process draws it; so each rank takes all of its own.
void RankedEngine::observe(const SampleRequest& wanted) {
  if (wanted.forces == 0) return;
  sample_wanted_ = wanted;
  if (!idle()) inner_->observe({.forces = held_.size(), .seed = wanted.seed});
}

Samples RankedEngine::poll() {
  if (auto samples = std::exchange(collected_, std::nullopt)) return *std::move(samples);
  return {.forces = collect_forces()};
}

std::optional<ForceSample> RankedEngine::collect_forces() {
  const auto roll = together(ranks_, [&] {
    if (!idle() && !sample_) sample_ = inner_->poll().forces;
    return idle() ? Answer{} : Answer{sample_.has_value()};
  });
  if (roll.no || !roll.yes) return std::nullopt;
  const auto mine = std::exchange(sample_, std::nullopt).value_or(ForceSample{});
  const auto wanted = std::exchange(sample_wanted_, {});
  const auto count = mass_.size();
  ForceSample all{.position = std::vector<Vec3>(count),
                  .mass = mass_,
                  .galaxies = galaxies_,
                  .physics = physics_of(configuration_),
                  .time = time_,
                  .stated_error = stated_error(configuration_)};
  const bool charges = all.physics.law->uses_charges;
  std::vector<Vec3> acceleration(count);
  bring_together(mine.position, all.position);
  bring_together(mine.acceleration, acceleration);
  if (charges) {
    all.velocity.resize(count);
    all.charge = charge_;
    bring_together(mine.velocity, all.velocity);
  }
  if (ranks_.rank() != 0) return std::nullopt;
  all.plan = wanted.plan;
  all.index = sampled_bodies(all, count, wanted.forces, wanted.seed);
  for (const auto i : all.index) all.acceleration.push_back(acceleration[i]);
  return all;
}

std::unique_ptr<Engine> make_ranked_engine(const OptionTable& options, const Configuration& configuration,
                                           Communicator& ranks) {
  if (ranks.size() == 1) return make_engine(options, configuration);
  std::unique_ptr<Engine> inner;
  together(ranks, [&] {
    auto own = with_own_device(configuration, ranks);
    fix_map(own, map_spec(configuration, {}));
    return inner = make_bare_engine(options, own), Answer{};
  });
  auto ranked = std::make_unique<RankedEngine>(std::move(inner), configuration, ranks);
  return std::make_unique<FramedEngine>(std::move(ranked), options, configuration);
}

}  // namespace orrery::sim
