#include "sim/simulation/domain_ranks.h"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <utility>

#include "sim/core/error.h"
#include "sim/ranks/agreement.h"
#include "sim/ranks/packing.h"
#include "sim/tree/curve_grid.h"
#include "sim/tree/curve_sort.h"

namespace orrery::sim {

namespace {

/// The data of a body that never change.
struct Constants {
  std::uint32_t index = 0, galaxy = 0;
  float mass = 0.0F, charge = 0.0F;
};

/// Bodies on their way: of each what does not change, and the vectors of a state, array by array.
struct Moving {
  std::vector<Constants> constants;
  std::vector<std::vector<Vec3>> vectors;

  void add(const Moving& from, std::span<const std::uint32_t> chosen) {
    vectors.resize(from.vectors.size());
    for (const auto k : chosen) constants.push_back(from.constants[k]);
    for (std::size_t v = 0; v < vectors.size(); ++v) {
      vectors[v].reserve(vectors[v].size() + chosen.size());
      for (const auto k : chosen) vectors[v].push_back(from.vectors[v][k]);
    }
  }
  Moving of(std::span<const std::uint32_t> chosen) const {
    Moving some;
    some.add(*this, chosen);
    return some;
  }
  Bytes packed() const {
    Bytes message;
    pack(constants, message);
    for (const auto& of_all : vectors) pack(of_all, message);
    return message;
  }
  void append(const Bytes& message) {
    Unpacking from(message);
    const auto more = from.take<Constants>();
    constants.insert(constants.end(), more.begin(), more.end());
    for (auto& of_all : vectors) {
      const auto here = from.take<Vec3>();
      of_all.insert(of_all.end(), here.begin(), here.end());
    }
  }
};

bool has_vectors(const EngineState::Array& array, std::size_t bodies) {
  return array.bytes.size() == bodies * sizeof(Vec3);
}

/// The vectors of a state are taken out of it.
Moving taken(EngineState& state, const Bodies& held, std::span<const std::uint32_t> index) {
  Moving all;
  for (std::size_t k = 0; k < held.size(); ++k)
    all.constants.push_back({index[k], held.galaxy[k], held.mass[k], held.charge[k]});
  all.vectors = {std::move(state.position), std::move(state.velocity)};
  for (auto& array : state.arrays) {
    if (!has_vectors(array, held.size())) continue;
    auto& vectors = all.vectors.emplace_back(held.size());
    std::memcpy(vectors.data(), array.bytes.data(), array.bytes.size());
  }
  return all;
}

/// And put back, for other bodies.
void put(Moving all, std::size_t bodies_before, EngineState& state) {
  state.position = std::move(all.vectors[0]);
  state.velocity = std::move(all.vectors[1]);
  std::size_t next = 2;
  for (auto& array : state.arrays) {
    if (!has_vectors(array, bodies_before)) continue;
    const auto bytes = std::as_bytes(std::span(all.vectors[next++]));
    array.bytes.assign(bytes.begin(), bytes.end());
  }
}

/// Bodies as engines read them; ids and components are left out.
Bodies bodies_of(const Moving& all) {
  Bodies bodies;
  bodies.position = all.vectors[0];
  bodies.velocity = all.vectors[1];
  for (const auto& body : all.constants) {
    bodies.mass.push_back(body.mass);
    bodies.charge.push_back(body.charge);
    bodies.galaxy.push_back(body.galaxy);
  }
  bodies.id.resize(bodies.size());
  bodies.component.resize(bodies.size(), Component::other);
  return bodies;
}

/// All places below `count` that are in none of the lists.
std::vector<std::uint32_t> others(std::size_t count, std::span<const std::vector<std::uint32_t>> lists) {
  std::vector<bool> listed(count);
  for (const auto& list : lists)
    for (const auto k : list) listed[k] = true;
  std::vector<std::uint32_t> rest;
  rest.reserve(count);
  for (std::uint32_t k = 0; k < count; ++k)
    if (!listed[k]) rest.push_back(k);
  return rest;
}

/// In the dataset's order, in which the first ones are already.
Moving sorted(const Moving& all, std::size_t those_in_order) {
  std::vector<std::uint32_t> order(all.constants.size());
  std::iota(order.begin(), order.end(), 0U);
  const auto index = [&](std::uint32_t k) { return all.constants[k].index; };
  const auto middle = order.begin() + static_cast<std::ptrdiff_t>(those_in_order);
  std::ranges::sort(middle, order.end(), {}, index);
  std::ranges::inplace_merge(order, middle, {}, index);
  return all.of(order);
}

}  // namespace

Bodies DomainRanks::begin(const Bodies& all) {
  if (all.size() < least_bodies * workers())
    throw Error("ranks-split=domains needs 64 bodies or more for each process; use ranks-split=bodies");
  std::vector<std::uint32_t> curve;
  const auto ranges = all.galaxies();
  for (const auto& range : ranges) {
    const auto position = std::span(all.position).subspan(range.first, range.size());
    for (const auto k : curve_order(position, CurveGrid(box_around(position)), 1))
      curve.push_back(static_cast<std::uint32_t>(range.first) + k);
  }
  const auto bound = [&](std::size_t w) { return static_cast<std::ptrdiff_t>(all.size() * w / workers()); };
  index_.assign(curve.begin() + bound(worker()), curve.begin() + bound(worker() + 1));
  std::ranges::sort(index_);
  all_galaxies_ = ranges.size();
  has_all_ = false;
  leaving_.assign(workers(), {});
  sent_ = evaluations_ = 0;
  Moving mine;
  mine.vectors.resize(2);
  std::size_t galaxy = 0;
  for (const auto k : index_) {
    while (k >= ranges[galaxy].last) ++galaxy;
    mine.constants.push_back({k, static_cast<std::uint32_t>(galaxy), all.mass[k], all.charge[k]});
    mine.vectors[0].push_back(all.position[k]);
    mine.vectors[1].push_back(all.velocity[k]);
  }
  auto held = bodies_of(mine);
  know(held);
  return held;
}

void DomainRanks::begin_with_all() {
  index_.clear();
  has_all_ = true;
  sent_ = evaluations_ = 0;
}

void DomainRanks::know(const Bodies& held) {
  galaxies_ = held.galaxy;
  galaxies_.erase(std::unique(galaxies_.begin(), galaxies_.end()), galaxies_.end());
}

void DomainRanks::place(std::span<const Vec3> held, std::span<Vec3> all) const {
  for (std::size_t k = 0; k < index_.size(); ++k) all[index_[k]] = held[place_of(k)];
}

void DomainRanks::bring(std::span<const Vec3> held, std::span<Vec3> all, bool to_every_rank) {
  place(held, all);
  std::vector<Vec3> own;
  if (has_all_) {
    own.reserve(index_.size());
    for (const auto k : index_) own.push_back(held[k]);
    held = own;
  }
  std::vector<Bytes> messages(workers());
  for (std::size_t w = 0; w < workers(); ++w) {
    if (w == worker() || (w > 0 && !to_every_rank)) continue;
    pack(index_, messages[w]);
    pack(held, messages[w]);
  }
  for (const auto& message : deliver(ranks_, std::move(messages))->wait()) {
    if (message.empty()) continue;
    Unpacking from(message);
    const auto index = from.take<std::uint32_t>();
    const auto vectors = from.take<Vec3>();
    for (std::size_t k = 0; k < index.size(); ++k) all[index[k]] = vectors[k];
  }
}

void DomainRanks::collect(std::span<const Vec3> held, std::span<Vec3> all) { bring(held, all, false); }

void DomainRanks::share(std::span<const Vec3> held, std::span<Vec3> all) { bring(held, all, true); }

/// Domains may overlap a little, and their work may differ a little.
bool DomainRanks::is_worth_it() const {
  constexpr double worth_it = 0.05;
  std::size_t count = 0;
  for (const auto& list : leaving_) count += list.size();
  return static_cast<double>(count) > worth_it * static_cast<double>(index_.size());
}

void DomainRanks::move_bodies(Engine& engine, Bodies& held) {
  if (!call_roll(ranks_, {.vote = is_worth_it()}).yes) return;
  EngineState state;
  Moving mine;
  std::vector<Bytes> messages(workers());
  together(ranks_, [&] {
    state = engine.save_state();
    mine = taken(state, held, index_);
    for (std::size_t w = 0; w < workers(); ++w)
      if (!leaving_[w].empty()) messages[w] = mine.of(leaving_[w]).packed();
    return Answer{};
  });
  auto delivery = send(std::move(messages));
  const auto before = held.size();
  Moving now;
  const auto roll = together(ranks_, [&] {
    // the caller fails in here has received when it goes to the roll: the others wait for that before it.
    const auto arriving = std::move(delivery);
    const auto received = arriving->wait();
    now = mine.of(others(before, leaving_));
    const std::size_t stay = now.constants.size();
    for (const auto& message : received)
      if (!message.empty()) now.append(message);
    now = sorted(now, stay);
    return Answer{now.constants.empty()};
  });
  for (auto& list : leaving_) list.clear();
  // An engine without bodies takes part in nothing.
  if (roll.yes) return;
  together(ranks_, [&] {
    index_.clear();
    for (const auto& body : now.constants) index_.push_back(body.index);
    held = bodies_of(now);
    know(held);
    put(std::move(now), before, state);
    engine.change_domain(held, state, domain());
    return Answer{};
  });
}

}  // namespace orrery::sim
