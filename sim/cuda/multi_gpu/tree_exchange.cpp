#include "sim/cuda/multi_gpu/tree_exchange.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>

#include "sim/core/error.h"
#include "sim/cuda/driver/api.h"
#include "sim/cuda/multi_gpu/body_exchange.h"
#include "sim/cuda/multi_gpu/peer_copy.h"

namespace orrery::sim::cuda {

namespace {

/// So much more than the mean a part may have to do.
constexpr double uneven = 1.1;
/// A new cut takes as long as that many evaluations for each part: it goes through the host.
constexpr double evaluations_of_a_cut = 30.0;
/// Additional cost of a body, in interactions: its position in the tree.
constexpr float work_of_body = 50.0F;

std::size_t with_reserve(std::size_t number) { return number + number / 4 + 1024; }

/// Room for imports or emigrants of a domain of so many bodies. Their number grows from step to step, and
/// memory that is allocated between steps makes all GPUs wait.
std::size_t room_for_travellers(std::size_t number, std::size_t bodies) {
  return std::max(2 * number, bodies / 16) + 1024;
}

}  // namespace

/// The domain of one GPU.
struct TreeExchange::Domain {
  explicit Domain(GpuWorker& its_part) : part(its_part) {}
  GpuWorker& part;
  tree::DomainShape shape;
  DeviceMemory tree, numbers, emigrants;
  DeviceMemory lists;          ///< lists of emigrants, with reserve beyond the present number
  DeviceMemory sent;           ///< parcels to the others, one after the other
  HostMemory totals;           ///< ParcelSize to each domain
  HostMemory emigrant_counts;  ///< numbers to each domain
  std::vector<tree::TreeParcel> parcels;
  bool is_empty = false;  ///< none of its bodies, nor of others, is in it
  /// Where the emigrants to another one begin in the list.
  std::size_t first_emigrant_to(const Domain& other,
                                const std::vector<std::unique_ptr<Domain>>& domains) const {
    std::size_t first = 0;
    for (const auto& each : domains) {
      if (each.get() == &other) break;
      if (each.get() != this) first += emigrants_to(*each);
    }
    return first;
  }
  Event found{Event::Use::order}, listed{Event::Use::order}, built{Event::Use::order},
      counted{Event::Use::order}, packed{Event::Use::order};
  Event walk_begins, walked;

  CUstream stream() const { return part.streams().main(); }
  tree::DomainMemory memory() const { return tree::domain_memory(numbers.pointer(), shape); }
  tree::TreeLeavers leaving() const {
    return tree::emigrant_memory(emigrants.pointer(), lists.pointer(), shape);
  }
  tree::TreeMemory cells() const { return tree::domain_tree(tree.pointer(), shape); }
  tree::ParcelSize size_to(const Domain& other) const {
    return static_cast<const tree::ParcelSize*>(totals.data())[other.shape.own()];
  }
  std::size_t emigrants_to(const Domain& other) const {
    return static_cast<const std::uint32_t*>(emigrant_counts.data())[other.shape.own()];
  }
};

TreeExchange::TreeExchange(std::span<GpuWorker* const> parts, std::span<const tree::TreeCurve> curves)
    : curves_(curves.begin(), curves.end()) {
  if (parts.size() > tree::most_domains)
    throw Error(fmt::format("a galaxy has at most {} domains, and {} GPUs are asked for",
                            tree::most_domains + 0, parts.size()));
  how_ = enable_peer_access(parts) ? "essential trees by peer copies" : "essential trees through the host";
  for (auto* part : parts) {
    part->make_current();
    domains_.push_back(std::make_unique<Domain>(*part));
    domains_.back()->emigrant_counts.resize(parts.size() * sizeof(std::uint32_t), true);
    domains_.back()->totals.resize(parts.size() * sizeof(tree::ParcelSize), true);
  }
  parts.front()->make_current();
  for (auto& each : stamps_) each = std::make_unique<Event>();
}

TreeExchange::~TreeExchange() {
  if (!domains_.empty()) driver()->cuCtxSetCurrent(domains_.front()->part.context());
  for (auto& each : stamps_) each.reset();
  // Streams read each other's memory.
  for (auto& domain : domains_) {
    driver()->cuCtxSetCurrent(domain->part.context());
    driver()->cuStreamSynchronize(domain->stream());
  }
  for (auto& domain : domains_) {
    driver()->cuCtxSetCurrent(domain->part.context());
    domain.reset();
  }
}

/// With the room and the imports that it had.
tree::DomainShape TreeExchange::shape_of(std::size_t k) const {
  const auto& part = domains_[k]->part;
  const auto& kernel = part.module()->configuration();
  auto shape = domains_[k]->shape;
  shape.bodies = part.bodies();
  shape.tree = tree::shape_of(kernel);
  shape.group = static_cast<std::size_t>(kernel.tree_group);
  shape.curve = curves_[k];
  return shape;
}

void TreeExchange::queue(Domain& domain, const std::function<void(tree::DomainQueue&)>& kernels) {
  domain.part.queue_domain(domain.tree.pointer(), [&](ForceQueue& forces) {
    tree::DomainQueue queue(forces, domain.shape, domain.numbers.pointer(), domain.leaving());
    kernels(queue);
  });
}

void TreeExchange::stamp(std::size_t phase) {
  auto& first = domains_.front()->part;
  first.make_current();
  stamps_.at(phase)->record(first.streams().main());
}

void TreeExchange::find_emigrants() {
  stamp(0);
  for (std::size_t k = 0; k < domains_.size(); ++k) {
    auto& domain = *domains_[k];
    domain.part.make_current();
    domain.shape = shape_of(k);
    domain.emigrants.resize(tree::emigrant_bytes(domain.shape));
    queue(domain, [](tree::DomainQueue& queue) { queue.find_emigrants(); });
    check(driver()->cuMemcpyDtoHAsync(domain.emigrant_counts.data(), domain.leaving().total,
                                      domain.emigrant_counts.size(), domain.stream()),
          "reading how many bodies have left a domain");
    domain.found.record(domain.stream());
  }
  for (auto& domain : domains_) {
    domain->part.make_current();
    domain->found.wait();
  }
  for (auto& domain : domains_) {
    auto& imports = domain->shape.imports;
    imports.now = imports.left = imports.all = 0;
    for (auto& other : domains_) {
      imports.all += other->shape.bodies;
      if (other == domain) continue;
      imports.left += domain->emigrants_to(*other);
      imports.now += other->emigrants_to(*domain);
    }
    // A tree has a body at least: one without mass, where all have left.
    domain->is_empty = domain->shape.in_tree() == 0;
    if (domain->is_empty) imports.now = 1;
    auto& room = domain->shape.room.imports;
    if (room < imports.now) room = room_for_travellers(imports.now, domain->shape.bodies);
    list_emigrants(*domain);
  }
}

void TreeExchange::list_emigrants(Domain& domain) {
  const std::size_t emigrants = domain.shape.imports.left;
  if (emigrants == 0) return;
  domain.part.make_current();
  // Nothing reads the lists of the evaluation before: every stream has come further than that.
  if (domain.lists.size() < tree::emigrant_list_bytes(emigrants))
    domain.lists.resize(tree::emigrant_list_bytes(
        std::min(room_for_travellers(emigrants, domain.shape.bodies), domain.shape.bodies)));
  queue(domain, [](tree::DomainQueue& queue) { queue.list_emigrants(); });
  domain.listed.record(domain.stream());
}

/// Places and masses of bodies that others hold, in the order of these.
void TreeExchange::take_guests() {
  for (auto& to : domains_) {
    to->part.make_current();
    auto place = to->memory().imports;
    if (to->is_empty)
      check(driver()->cuMemsetD8Async(place, 0, tree::import_bytes, to->stream()), "clearing a guest");
    for (auto& from : domains_) {
      if (from == to) continue;
      const std::size_t bytes = from->emigrants_to(*to) * tree::import_bytes;
      if (bytes == 0) continue;
      from->listed.hold(to->stream());
      copy_between(to->part, place, from->part,
                   from->leaving().leaving + from->first_emigrant_to(*to, domains_) * tree::import_bytes,
                   bytes, to->stream(), "copying imports between GPUs");
      place += bytes;
    }
  }
}

void TreeExchange::build() {
  for (auto& domain : domains_) {
    domain->part.make_current();
    domain->numbers.resize(tree::domain_bytes(domain->shape));
    domain->tree.resize(tree::domain_tree_bytes(domain->shape));
  }
  take_guests();
  for (auto& domain : domains_) {
    domain->part.make_current();
    queue(*domain, [](tree::DomainQueue& queue) { queue.build(); });
    domain->built.record(domain->stream());
  }
  stamp(1);
}

/// Everybody gets the boxes of all, and finds out what these need.
void TreeExchange::select() {
  for (auto& to : domains_) {
    to->part.make_current();
    for (auto& from : domains_) {
      if (from == to) continue;
      const std::size_t offset = from->shape.own() * tree::piece_bytes;
      from->built.hold(to->stream());
      copy_between(to->part, to->memory().shared.piece + offset, from->part,
                   from->memory().shared.piece + offset, tree::piece_bytes, to->stream(),
                   "copying boxes between GPUs");
    }
    queue(*to, [](tree::DomainQueue& queue) { queue.select(); });
    check(driver()->cuMemcpyDtoHAsync(to->totals.data(), to->memory().shared.total, to->totals.size(),
                                      to->stream()),
          "reading the sizes of essential trees");
    to->counted.record(to->stream());
  }
  stamp(2);
  for (auto& domain : domains_) {
    domain->part.make_current();
    domain->counted.wait();
  }
}

/// False where what comes does not fit; then there is room, and the trees are to be built again.
bool TreeExchange::make_room() {
  bool fits = true;
  for (auto& to : domains_) {
    // And a node without mass.
    tree::Capacity needed{.nodes = 1, .bodies = 0};
    for (auto& from : domains_) {
      if (from == to) continue;
      needed.nodes += from->size_to(*to).nodes;
      needed.bodies += from->size_to(*to).bodies;
    }
    auto& room = to->shape.room;
    if (needed.nodes <= room.nodes && needed.bodies <= room.bodies) continue;
    if (to->cells().capacity + needed.nodes > tree::most_nodes)
      throw Error("what a domain gets of the others has more cells than 27 bits count; use more GPUs");
    room.nodes = with_reserve(needed.nodes);
    room.bodies = with_reserve(needed.bodies);
    fits = false;
  }
  return fits;
}

/// The parcels of a part to all others. Their numbers are those of the receivers' memory.
void TreeExchange::pack(Domain& from) {
  from.part.make_current();
  std::size_t bytes = 0;
  for (auto& to : domains_)
    if (&from != to.get()) bytes += tree::parcel_bytes(from.size_to(*to), from.shape.tree);
  if (from.sent.size() < bytes) from.sent.resize(with_reserve(bytes));
  from.parcels.assign(domains_.size(), {});
  bytes = 0;
  for (auto& to : domains_) {
    if (&from == to.get()) continue;
    const auto size = from.size_to(*to);
    auto parcel = tree::parcel_at(from.sent.at(bytes), size, from.shape.tree);
    bytes += tree::parcel_bytes(size, from.shape.tree);
    const auto cells = to->cells();
    parcel.to = to->shape.own();
    parcel.nothing = cells.capacity;
    parcel.first_node = cells.capacity + 1;
    parcel.first_body = cells.bodies;  // for as many as there is room
    for (auto& other : domains_) {
      if (other.get() == &from) break;
      if (other == to) continue;
      parcel.first_node += other->size_to(*to).nodes;
      parcel.first_body += other->size_to(*to).bodies;
    }
    from.parcels[to->shape.own()] = parcel;
    queue(from, [&](tree::DomainQueue& queue) { queue.pack(parcel); });
  }
  from.packed.record(from.stream());
  balance_.sent += static_cast<double>(bytes);
}

void TreeExchange::send() {
  balance_.sent = 0.0;
  for (auto& from : domains_) {
    constexpr std::size_t each = tree::import_bytes + tree::acceleration_bytes;
    balance_.sent += static_cast<double>(from->shape.imports.left * each);
    pack(*from);
  }
  for (auto& to : domains_) {
    to->part.make_current();
    const auto cells = to->cells();
    for (auto& from : domains_) {
      if (from == to) continue;
      from->packed.hold(to->stream());
      for (const auto& part : tree::parts_of(from->parcels[to->shape.own()], from->size_to(*to), cells))
        copy_between(to->part, part.to, from->part, part.from, part.bytes, to->stream(),
                     "copying essential trees between GPUs");
    }
  }
  stamp(3);
}

void TreeExchange::walk() {
  for (auto& domain : domains_) {
    tree::TreeRoots roots{};
    for (auto& from : domains_) {
      if (from != domain) roots.root[roots.count++] = from->parcels[domain->shape.own()].first_node;
    }
    domain->part.make_current();
    domain->walk_begins.record(domain->stream());
    queue(*domain, [&](tree::DomainQueue& queue) { queue.walk(roots); });
    domain->walked.record(domain->stream());
  }
  stamp(4);
}

/// Accelerations of imports go back to the parts that move them.
void TreeExchange::return_guests() {
  for (auto& to : domains_) {
    to->part.make_current();
    check(driver()->cuMemcpyDtoDAsync(to->part.accelerations(), to->memory().accelerations,
                                      to->shape.bodies * tree::acceleration_bytes, to->stream()),
          "copying accelerations");
    for (auto& from : domains_) {
      const std::size_t count = from == to ? 0 : to->emigrants_to(*from);
      if (count == 0) continue;
      std::size_t place = from->shape.bodies;
      for (auto& other : domains_) {
        if (other == to) break;
        if (other != from) place += other->emigrants_to(*from);
      }
      from->walked.hold(to->stream());
      copy_between(to->part,
                   to->leaving().returned + to->first_emigrant_to(*from, domains_) * tree::acceleration_bytes,
                   from->part, from->memory().accelerations + place * tree::acceleration_bytes,
                   count * tree::acceleration_bytes, to->stream(), "copying accelerations between GPUs");
    }
    queue(*to, [](tree::DomainQueue& queue) { queue.finish(); });
    to->part.end_domain();
  }
  stamp(5);
}

void TreeExchange::evaluate(std::span<const double> weights) {
  find_emigrants();
  build();
  select();
  while (!make_room()) {
    build();
    select();
  }
  // Before the stamps are used again, they have passed: the host has waited for what came after them.
  judge(weights);
  send();
  walk();
  return_guests();
  stamped_ = true;
}

/// By the evaluation before, which is done now.
void TreeExchange::judge(std::span<const double> weights) {
  auto& b = balance_;
  if (b.evaluations > 0 && b.counted == 0) note_interactions();
  if (b.counted == domains_.size() && domains_.size() > 1) {
    double all = 0.0, most = 0.0, weight = 0.0;
    for (std::size_t k = 0; k < domains_.size(); ++k) {
      all += b.interactions.at(k);
      weight += weights[k];
      most = std::max(most, b.interactions.at(k) / weights[k]);
    }
    if (b.evaluations == 1) b.most_at_first = most;
    // The first cut knew nothing of what bodies cost.
    if (b.is_measured == 0 && most * weight > uneven * all) b.is_due = 1;
    if (b.most_at_first > 0.0) b.wasted += std::max(most / b.most_at_first - 1.0, 0.0);
    if (b.wasted > evaluations_of_a_cut * static_cast<double>(domains_.size())) b.is_due = 1;
  }
  ++b.evaluations;
  b.counted = 0;
}

void TreeExchange::note_interactions() {
  for (std::size_t k = 0; k < domains_.size(); ++k) {
    auto& part = domains_[k]->part;
    part.make_current();
    part.read_counts();
    balance_.interactions.at(k) = part.interactions();
  }
  balance_.counted = static_cast<std::uint32_t>(domains_.size());
}

/// Adds the measured work of one domain; imported bodies count for the domain where they were computed.
void TreeExchange::add_work(Domain& domain, std::span<float> bodies) const {
  domain.part.make_current();
  const std::size_t in_tree = domain.shape.in_tree(), group = domain.shape.group;
  std::vector<std::uint32_t> order(in_tree), work(tree::work_numbers(in_tree));
  const auto copy = [&](std::vector<std::uint32_t>& to, CUdeviceptr from) {
    check(driver()->cuMemcpyDtoHAsync(to.data(), from, to.size() * sizeof to[0], domain.stream()),
          "reading what groups cost");
  };
  copy(order, domain.cells().order[tree::passes % 2]);
  copy(work, domain.memory().work);
  check(driver()->cuStreamSynchronize(domain.stream()), "reading what groups cost");
  const double mean = 32.0 * std::accumulate(work.begin(), work.end(), 0.0) / static_cast<double>(in_tree);
  std::ranges::fill(bodies, static_cast<float>(mean) + work_of_body);
#pragma omp parallel for schedule(static)
  for (std::size_t begin = 0; begin < in_tree; begin += group) {
    const std::size_t end = std::min(begin + group, in_tree);
    double sum = 0.0;
    for (std::size_t k = begin / 32; k < (end + 31) / 32; ++k) sum += work[k];
    const auto each = static_cast<float>(32.0 * sum / static_cast<double>(end - begin)) + work_of_body;
    for (std::size_t k = begin; k < end; ++k)
      if (order[k] < bodies.size()) bodies[order[k]] = each;
  }
}

std::vector<float> TreeExchange::work() {
  std::vector<float> all;
  for (auto& domain : domains_) {
    const std::size_t first = all.size();
    all.resize(first + domain->shape.bodies);
    add_work(*domain, std::span(all).subspan(first));
  }
  return all;
}

std::size_t TreeExchange::device_bytes() const {
  std::size_t bytes = 0;
  for (const auto& domain : domains_)
    bytes += domain->tree.size() + domain->numbers.size() + domain->emigrants.size() + domain->lists.size() +
             domain->sent.size();
  return bytes;
}

/// "7.7, 8.1": the times of the last walks that are done, without waiting.
std::string TreeExchange::walk_times() const {
  std::vector<std::string> times;
  for (const auto& domain : domains_) {
    domain->part.make_current();
    if (domain->walked.passed())
      times.push_back(fmt::format("{:.2f}", domain->walked.milliseconds_since(domain->walk_begins)));
  }
  return fmt::format("{}", fmt::join(times, ", "));
}

void TreeExchange::add_facts(EngineReport& report) {
  if (stamped_)
    report.facts.push_back({.key = "domain_walks",
                            .value = walk_times(),
                            .label = "walks of all",
                            .unit = "ms",
                            .hint = "How long each GPU's walk took. All wait for the slowest."});
  domains_.front()->part.make_current();
  if (stamped_ && stamps_.back()->passed()) {
    for (std::size_t k = 0; k < phase_ms_.size(); ++k)
      phase_ms_.at(k) = stamps_.at(k + 1)->milliseconds_since(*stamps_.at(k));
  }
  report.facts.push_back({.key = "sent_bytes_per_evaluation",
                          .value = balance_.sent,
                          .label = "essential trees",
                          .unit = "B",
                          .hint = "What all GPUs together have sent to each other for the last forces."});
  std::size_t left = 0;
  for (const auto& domain : domains_) left += domain->shape.imports.left;
  report.facts.push_back({.key = "domain_guests",
                          .value = static_cast<std::int64_t>(left),
                          .label = "imports",
                          .hint = "Bodies that have left their domain since it was cut, and are computed by "
                                  "another GPU than the one that moves them."});
  constexpr std::array<const char*, 5> keys{"domain_tree_ms", "domain_select_ms", "domain_send_ms",
                                            "domain_walk_ms", "domain_return_ms"};
  constexpr std::array<const char*, 5> labels{"trees took", "choosing cells", "sending them", "walks",
                                              "imports' accelerations"};
  for (std::size_t k = 0; k < keys.size(); ++k)
    report.facts.push_back({.key = keys.at(k),
                            .value = phase_ms_.at(k),
                            .label = labels.at(k),
                            .unit = "ms",
                            .hint = "On the first GPU, in the last forces, waiting included."});
}

}  // namespace orrery::sim::cuda
