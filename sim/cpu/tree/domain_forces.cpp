#include "sim/cpu/tree/domain_forces.h"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "sim/cpu/simd/row_tasks.h"
#include "sim/cpu/tree/galaxy_groups.h"
#include "sim/ranks/packing.h"

namespace orrery::sim {

namespace {

/// Into that many parts a worker's top is divided, about. More boxes need less of a tree, and cost more.
constexpr std::size_t parts_of_top = 64;
/// The most pieces of a worker's curve that others are told.
constexpr std::size_t most_pieces = 1024;

double longest_side(const Box& box) {
  const DVec3 sides = static_cast<DVec3>(box.most) - static_cast<DVec3>(box.least);
  return std::max({sides.x, sides.y, sides.z});
}

/// Bounds as numbers of which the largest counts.
std::array<double, 6> numbers_of(const Box& box) {
  return {-double{box.least.x}, -double{box.least.y}, -double{box.least.z},
          double{box.most.x},   double{box.most.y},   double{box.most.z}};
}

Box box_of(std::span<const double> numbers) {
  const auto at = [&](std::size_t k) { return static_cast<float>(numbers[k]); };
  return {{-at(0), -at(1), -at(2)}, {at(3), at(4), at(5)}};
}

}  // namespace

DomainForces::Galaxy* DomainForces::find(std::uint32_t number) {
  const auto found = std::ranges::lower_bound(bodies_.galaxies, number);
  if (found == bodies_.galaxies.end() || *found != number) return nullptr;
  return &galaxies_[static_cast<std::size_t>(found - bodies_.galaxies.begin())];
}

std::vector<Bytes> DomainForces::to_all(const Bytes& message) const {
  std::vector<Bytes> messages(exchange_.workers(), message);
  messages[exchange_.worker()].clear();
  return messages;
}

/// The boxes around all bodies of each galaxy, and whether somebody must look at each distance.
void DomainForces::find_surroundings(const ForceProblem& problem) {
  std::vector<double> numbers(6 * held_.all_galaxies + 1, -std::numeric_limits<double>::infinity());
  numbers.back() = needs_guard(problem) ? 1.0 : 0.0;
  const auto of = [&](std::size_t number) { return std::span(numbers).subspan(6 * number, 6); };
  for (std::size_t k = 0; k < problem.galaxies.size(); ++k) {
    const auto& range = problem.galaxies[k];
    const auto box = box_around(problem.position.subspan(range.first, range.size()), problem.threads);
    std::ranges::copy(numbers_of(box), of(held_.galaxies[k]).begin());
  }
  exchange_.find_largest(numbers);
  guarded_ = numbers.back() > 0.0;
  around_.clear();
  for (std::size_t number = 0; number < held_.all_galaxies; ++number) around_.push_back(box_of(of(number)));
}

void DomainForces::find_keys(const ForceProblem& problem) {
  keys_.resize(problem.position.size());
  number_.resize(problem.position.size());
  for (std::size_t k = 0; k < problem.galaxies.size(); ++k) {
    const CurveGrid grid(around_[held_.galaxies[k]]);
    const auto& range = problem.galaxies[k];
#pragma omp parallel for schedule(static) num_threads(range.size() > 4096 ? problem.threads : 1)
    for (std::size_t i = range.first; i < range.last; ++i) {
      keys_[i] = grid.key(problem.position[i]);
      number_[i] = held_.galaxies[k];
    }
  }
}

/// By the domains of the evaluation before; at first everybody keeps what it has.
std::size_t DomainForces::worker_of(const CurvePlace& place) const {
  if (begins_.empty()) return exchange_.worker();
  return static_cast<std::size_t>(std::ranges::upper_bound(begins_, place) - begins_.begin());
}

/// Exchanges imports, and puts the bodies of this stretch together.
void DomainForces::receive_imports(const ForceProblem& problem) {
  away_.assign(exchange_.workers(), {});
  std::vector<std::vector<Guest>> leaving(exchange_.workers());
  for (std::uint32_t i = 0; i < keys_.size(); ++i) {
    const auto w = worker_of({number_[i], held_.index[i], keys_[i]});
    if (w == exchange_.worker()) continue;
    away_[w].push_back(i);
    leaving[w].push_back({number_[i], held_.index[i], problem.position[i], problem.mass[i]});
  }
  std::vector<Bytes> messages(exchange_.workers());
  for (std::size_t w = 0; w < messages.size(); ++w)
    if (!leaving[w].empty()) pack(leaving[w], messages[w]);
  imports_.assign(exchange_.workers(), {});
  std::vector<Guest> all;
  const auto received = exchange_.send(std::move(messages))->wait();
  for (std::size_t w = 0; w < received.size(); ++w) {
    if (received[w].empty()) continue;
    const auto imports = Unpacking(received[w]).take<Guest>();
    for (const auto& guest : imports) imports_[w].push_back(guest.index);
    all.insert(all.end(), imports.begin(), imports.end());
  }
  std::ranges::sort(all, {}, &Guest::index);
  fill_bodies(problem, all);
}

/// In the dataset's order.
void DomainForces::fill_bodies(const ForceProblem& problem, std::span<const Guest> imports) {
  std::vector<bool> is_away(keys_.size());
  for (const auto& list : away_)
    for (const auto i : list) is_away[i] = true;
  position_.clear(), mass_.clear(), galaxies_here_.clear();
  bodies_ = {.all_galaxies = held_.all_galaxies};
  const auto add = [&](const Guest& body) {
    if (bodies_.galaxies.empty() || bodies_.galaxies.back() != body.galaxy) {
      bodies_.galaxies.push_back(body.galaxy);
      galaxies_here_.push_back({position_.size(), position_.size()});
    }
    bodies_.index.push_back(body.index);
    position_.push_back(body.position);
    mass_.push_back(body.mass);
    galaxies_here_.back().last = position_.size();
  };
  std::size_t next = 0;
  for (std::size_t i = 0; i < keys_.size(); ++i) {
    while (next < imports.size() && imports[next].index < held_.index[i]) add(imports[next++]);
    if (!is_away[i]) add({number_[i], held_.index[i], problem.position[i], problem.mass[i]});
  }
  while (next < imports.size()) add(imports[next++]);
  acceleration_.resize(position_.size());
}

/// Accelerations go where the bodies are moved.
void DomainForces::return_imports(const ForceProblem& problem) {
  std::vector<Bytes> messages(exchange_.workers());
  const auto place = [&](std::uint32_t index) {
    return static_cast<std::size_t>(std::ranges::lower_bound(bodies_.index, index) - bodies_.index.begin());
  };
  for (std::size_t w = 0; w < messages.size(); ++w) {
    std::vector<Vec3> accelerations;
    for (const auto index : imports_[w]) accelerations.push_back(acceleration_[place(index)]);
    if (!accelerations.empty()) pack(accelerations, messages[w]);
  }
  const auto received = exchange_.send(std::move(messages))->wait();
  for (std::size_t i = 0, here = 0; i < held_.index.size(); ++i) {
    while (here < bodies_.index.size() && bodies_.index[here] < held_.index[i]) ++here;
    if (here < bodies_.index.size() && bodies_.index[here] == held_.index[i])
      problem.acceleration[i] = acceleration_[here];
  }
  for (std::size_t w = 0; w < received.size(); ++w) {
    if (received[w].empty()) continue;
    const auto accelerations = Unpacking(received[w]).take<Vec3>();
    for (std::size_t k = 0; k < away_[w].size(); ++k) problem.acceleration[away_[w][k]] = accelerations.at(k);
  }
}

void DomainForces::build(const ForceProblem& problem) {
  ranges_ = problem.galaxies;
  galaxies_.resize(ranges_.size());
  for (std::size_t k = 0; k < galaxies_.size(); ++k) {
    auto& galaxy = galaxies_[k];
    const auto& range = ranges_[k];
    galaxy.around = around_[bodies_.galaxies[k]];
    galaxy.tree.build(problem.position.subspan(range.first, range.size()),
                      problem.mass.subspan(range.first, range.size()), shape_of(problem.tree),
                      problem.threads, galaxy.around);
    if (problem.change_tree != nullptr) problem.change_tree(galaxy.tree);
    const std::size_t most = std::max<std::size_t>(range.size() / parts_of_top, 1);
    galaxy.top = top_of(galaxy.tree.view(), galaxy.tree.boxes(), most);
    galaxy.neighbours.clear();
    galaxy.received.clear();
  }
}

Bytes DomainForces::packed_tops() const {
  Bytes message;
  pack(bodies_.galaxies, message);
  for (const auto& galaxy : galaxies_) {
    pack(galaxy.top.nodes, message);
    pack(galaxy.top.leaf_boxes, message);
  }
  return message;
}

void DomainForces::take_tops(std::size_t worker, const Bytes& message) {
  Unpacking from(message);
  for (const auto number : from.take<std::uint32_t>()) {
    auto nodes = from.take<TreeNode>();
    const auto boxes = from.take<Box>();
    auto* galaxy = find(number);
    if (galaxy == nullptr) continue;
    Neighbour neighbour{.worker = worker, .top = std::move(nodes), .boxes = {}};
    for (const auto& box : boxes) neighbour.boxes.push_back({.box = box});
    galaxy->neighbours.push_back(std::move(neighbour));
  }
}

/// In units that are the same for all workers.
void DomainForces::fill_tables(const ForceProblem& problem, Galaxy& galaxy) {
  double mass = 0.0;
  bool added = false;
  const auto add_own = [&] {
    mass += std::exchange(added, true) ? 0.0 : double{galaxy.tree.nodes()[0].mass};
  };
  std::vector<EssentialTree> tops;
  for (auto& neighbour : galaxy.neighbours) {
    if (neighbour.worker > exchange_.worker()) add_own();
    mass += double{neighbour.top[0].mass};
    tops.push_back({.nodes = neighbour.top,
                    .moments = std::vector<SecondMoments>(neighbour.top.size()),
                    .third = {},
                    .position = {},
                    .mass = {}});
  }
  add_own();
  const WalkUnits units(longest_side(galaxy.around), norm(middle_of(galaxy.around)), mass,
                        problem.softening_squared);
  const auto table_of = [&](const TreeView& tree) {
    return WalkTable(tree, problem.tree, units, problem.softening_squared, problem.threads);
  };
  galaxy.table.emplace(table_of(galaxy.tree.view()));
  const auto others = joined(tops, static_cast<float>(longest_side(galaxy.around)));
  galaxy.top_table.emplace(table_of(others.view()));
  galaxy.top_table->spread = true;
  galaxy.tables[0] = &*galaxy.table;
  galaxy.tables[1] = &*galaxy.top_table;
}

void DomainForces::find_pulls(const ForceProblem& problem, std::size_t k) {
  auto& galaxy = galaxies_[k];
  galaxy.pulls.assign(problem.tree.relative ? all_groups(problem, ranges_[k].size()).size() : 0, 0.0F);
  const GalaxyGroups groups{
      .problem = problem,
      .galaxy = ranges_[k],
      .trees = {galaxy.tree.position(), galaxy.tree.view(), *galaxy.table, galaxy.tables},
      .order = galaxy.tree.order()};
  find_coarse_pulls(groups, galaxy.pulls);
}

/// The opening factor of each leaf of the tops, for the weakest pull in it.
Bytes DomainForces::packed_factors(const ForceProblem& problem) const {
  Bytes message;
  pack(bodies_.galaxies, message);
  const std::size_t size = size_of_groups(problem);
  for (const auto& galaxy : galaxies_) {
    std::vector<float> factors;
    for (const auto& node : galaxy.top.nodes) {
      if (!node.is_leaf()) continue;
      float pull = 0.0F;
      if (!galaxy.pulls.empty()) {
        const auto first = galaxy.pulls.begin() + static_cast<std::ptrdiff_t>(node.first / size);
        const auto last =
            galaxy.pulls.begin() + static_cast<std::ptrdiff_t>((node.first + node.count - 1) / size);
        pull = *std::min_element(first, last + 1);
      }
      factors.push_back(opening_factor(problem.tree, pull));
    }
    pack(factors, message);
  }
  return message;
}

void DomainForces::take_factors(std::size_t worker, const Bytes& message) {
  Unpacking from(message);
  for (const auto number : from.take<std::uint32_t>()) {
    const auto factors = from.take<float>();
    auto* galaxy = find(number);
    if (galaxy == nullptr) continue;
    auto& neighbour = *std::ranges::find(galaxy->neighbours, worker, &Neighbour::worker);
    for (std::size_t k = 0; k < neighbour.boxes.size(); ++k) neighbour.boxes[k].factor = factors.at(k);
    if (change_boxes) change_boxes(neighbour.boxes);
  }
}

/// To each worker what it needs of the galaxies that both have.
std::vector<Bytes> DomainForces::packed_essentials() {
  std::vector<Bytes> messages(exchange_.workers());
  for (std::size_t k = 0; k < galaxies_.size(); ++k) {
    const auto& galaxy = galaxies_[k];
    for (const auto& neighbour : galaxy.neighbours) {
      auto essential = essential_tree(galaxy.tree.view(), *galaxy.table, neighbour.boxes);
      if (change_essential) change_essential(essential);
      auto& message = messages[neighbour.worker];
      pack(std::span<const std::uint32_t>(&bodies_.galaxies[k], 1), message);
      pack(essential.nodes, message);
      pack(essential.moments, message);
      pack(essential.third, message);
      pack(essential.position, message);
      pack(essential.mass, message);
    }
  }
  return messages;
}

void DomainForces::take_essentials(const Bytes& message) {
  Unpacking from(message);
  while (!from.done()) {
    auto* galaxy = find(from.take<std::uint32_t>().at(0));
    EssentialTree essential;
    from.take(essential.nodes);
    from.take(essential.moments);
    from.take(essential.third);
    from.take(essential.position);
    from.take(essential.mass);
    if (galaxy != nullptr) galaxy->received.push_back(std::move(essential));
  }
}

std::uint64_t DomainForces::walk(const ForceProblem& problem, std::size_t k, const GroupWalk::Trees& trees,
                                 bool add, const std::function<void()>& meanwhile) {
  auto& galaxy = galaxies_[k];
  const auto groups = all_groups(problem, ranges_[k].size());
  galaxy.acceleration.resize(ranges_[k].size());
  if (!add) galaxy.work.assign(groups.size(), 0.0);
  const GalaxyGroups all{.problem = problem,
                         .galaxy = ranges_[k],
                         .trees = trees,
                         .order = galaxy.tree.order(),
                         .sum_group = sum_group_,
                         .guarded = guarded_,
                         .targets = {ranges_[k].first, ranges_[k].last},
                         .places = galaxy.acceleration,
                         .add = add,
                         .pulls = galaxy.pulls,
                         .note_work = [&](std::size_t group, double work) { galaxy.work[group] += work; },
                         .meanwhile = meanwhile};
  return sum_groups(all, groups);
}

std::uint64_t DomainForces::walk_received(const ForceProblem& problem, std::size_t k) {
  auto& galaxy = galaxies_[k];
  if (galaxy.received.empty()) return 0;
  const auto side = static_cast<float>(longest_side(galaxy.around));
  const auto others = joined(galaxy.received, side);
  galaxy.received.clear();
  const WalkTable table(others.view(), problem.tree, galaxy.table->units, problem.softening_squared,
                        problem.threads);
  return walk(problem, k, {galaxy.tree.position(), others.view(), table, galaxy.tables}, true, {});
}

void DomainForces::scatter(const ForceProblem& problem) const {
  for (std::size_t k = 0; k < galaxies_.size(); ++k) {
    const auto& galaxy = galaxies_[k];
    const auto order = galaxy.tree.order();
    for (std::size_t place = 0; place < order.size(); ++place)
      problem.acceleration[ranges_[k].first + order[place]] = galaxy.acceleration[place];
  }
}

CurvePlace DomainForces::place_of(std::size_t k, std::size_t place) const {
  const auto& item = galaxies_[k].tree.keys()[place];
  return {
      .galaxy = bodies_.galaxies[k], .index = bodies_.index[ranges_[k].first + item.index], .key = item.key};
}

/// This worker's curve in pieces of whole groups.
std::vector<CurvePiece> DomainForces::pieces(const ForceProblem& problem) const {
  std::size_t groups = 0;
  for (const auto& galaxy : galaxies_) groups += galaxy.work.size();
  const std::size_t stride = std::max<std::size_t>((groups + most_pieces - 1) / most_pieces, 1),
                    size = size_of_groups(problem);
  std::vector<CurvePiece> pieces;
  for (std::size_t k = 0; k < galaxies_.size(); ++k) {
    const auto& work = galaxies_[k].work;
    for (std::size_t group = 0; group < work.size(); ++group) {
      if (group % stride == 0) pieces.push_back({.begin = place_of(k, group * size)});
      pieces.back().work += work[group];
    }
  }
  return pieces;
}

void DomainForces::propose(const ForceProblem& problem) {
  Bytes message;
  auto all = pieces(problem);
  pack(all, message);
  for (const auto& other : exchange_.send(to_all(message))->wait()) {
    if (other.empty()) continue;
    const auto more = Unpacking(other).take<CurvePiece>();
    all.insert(all.end(), more.begin(), more.end());
  }
  std::vector<std::vector<std::uint32_t>> leaving(exchange_.workers());
  // With fewer pieces some stretch is empty: its worker would be left without bodies. Imported bodies stay
  // imported.
  const bool enough = all.size() >= exchange_.workers();
  if (enough) begins_ = cut_curve(std::move(all), exchange_.workers());
  for (std::uint32_t i = 0; enough && i < keys_.size(); ++i) {
    const auto w = worker_of({number_[i], held_.index[i], keys_[i]});
    if (w != exchange_.worker()) leaving[w].push_back(i);
  }
  exchange_.propose(std::move(leaving));
}

/// The forces on the bodies in this worker's stretch. How many pairs were summed.
std::uint64_t DomainForces::evaluate_here(const ForceProblem& problem) {
  build(problem);
  const auto tops = exchange_.send(to_all(packed_tops()))->wait();
  for (std::size_t w = 0; w < tops.size(); ++w)
    if (!tops[w].empty()) take_tops(w, tops[w]);
  for (std::size_t k = 0; k < galaxies_.size(); ++k) {
    fill_tables(problem, galaxies_[k]);
    find_pulls(problem, k);
  }
  const auto factors = exchange_.send(to_all(packed_factors(problem)))->wait();
  for (std::size_t w = 0; w < factors.size(); ++w)
    if (!factors[w].empty()) take_factors(w, factors[w]);
  const auto delivery = exchange_.send(packed_essentials());
  std::uint64_t interactions = 0;
  for (std::size_t k = 0; k < galaxies_.size(); ++k) {
    const auto& galaxy = galaxies_[k];
    interactions +=
        walk(problem, k, {galaxy.tree.position(), galaxy.tree.view(), *galaxy.table, galaxy.tables}, false,
             [&] { delivery->progress(); });
  }
  for (const auto& message : delivery->wait()) take_essentials(message);
  for (std::size_t k = 0; k < galaxies_.size(); ++k) interactions += walk_received(problem, k);
  scatter(problem);
  return interactions;
}

bool DomainForces::evaluate(const ForceProblem& problem, GroupFunction* sum_group) {
  sum_group_ = sum_group;
  find_surroundings(problem);
  find_keys(problem);
  receive_imports(problem);
  ForceProblem here = problem;
  here.position = position_;
  here.mass = mass_;
  here.galaxies = galaxies_here_;
  here.acceleration = acceleration_;
  const auto interactions = evaluate_here(here);
  // What was interrupted for one teaches nobody.
  if (!exchange_.all(!problem.interrupted())) return false;
  propose(problem);
  return_imports(problem);
  if (problem.interactions != nullptr) *problem.interactions = static_cast<double>(interactions);
  return true;
}

}  // namespace orrery::sim
