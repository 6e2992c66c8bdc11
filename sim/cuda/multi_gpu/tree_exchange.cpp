#include "sim/cuda/multi_gpu/tree_exchange.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <utility>

#include "sim/core/error.h"
#include "sim/cuda/driver/api.h"
#include "sim/cuda/multi_gpu/body_exchange.h"

namespace orrery::sim::cuda {

namespace {

/// Room for imports or emigrants of a domain of so many bodies. Their number grows from step to step, and
/// memory that is allocated between steps makes all GPUs wait.
std::size_t room_for_travellers(std::size_t number, std::size_t bodies) {
  return std::max(2 * number, bodies / 16) + 1024;
}

/// Room for that many and some more: memory that is allocated between steps makes all GPUs wait.
std::size_t with_reserve(std::size_t number) { return number + number / 4 + 1024; }

std::span<std::byte> bytes_of(const HostMemory& memory) {
  return {static_cast<std::byte*>(memory.data()), memory.size()};
}

}  // namespace

/// Events that say how far a GPU is with its domain.
struct TreeExchange::Marks {
  Event found{Event::Use::order}, listed{Event::Use::order}, built{Event::Use::order},
      counted{Event::Use::order}, packed{Event::Use::order};
  Event walk_begins, walked;
};

/// The domain of one GPU. Where that belongs to another process, only the numbers are there, and no memory.
struct TreeExchange::Domain {
  GpuWorker* part = nullptr;
  tree::DomainShape shape;
  DeviceMemory tree, numbers, emigrants;
  DeviceMemory lists;          ///< lists of emigrants, with reserve beyond the present number
  DeviceMemory sent;           ///< parcels to the others, one after the other
  HostMemory totals;           ///< ParcelSize to each domain
  HostMemory emigrant_counts;  ///< numbers to each domain
  HostMemory costs;            ///< PieceCost of each piece
  std::vector<tree::TreeParcel> parcels;
  std::unique_ptr<Marks> marks;
  bool is_empty = false;  ///< none of its bodies, nor of others, is in it
  bool is_here() const { return part != nullptr; }
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

  CUstream stream() const { return part->streams().main(); }
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

/// Bytes on their way from one GPU to another. An address means nothing in another process.
struct TreeExchange::Move {
  const Domain& from;
  CUdeviceptr here;
  const Domain& to;
  CUdeviceptr there;
  std::size_t bytes;
};

/// Moves to other processes, or from them: those of each process in the order that both ends know.
struct TreeExchange::Freight {
  /// `process`: that of the other end of a move; none for a move that is not of this freight.
  Freight(std::span<const Move> all, std::size_t processes,
          const std::function<std::optional<std::size_t>(const Move&)>& process)
      : moves(processes) {
    for (const auto& move : all) {
      const auto w = process(move);
      if (move.bytes == 0 || !w) continue;
      moves[*w].push_back(&move);
      bytes += move.bytes;
    }
  }
  /// A piece for each move, in the memory of GPUs: at its one end or the other.
  template <typename Byte>
  std::vector<std::vector<std::span<Byte>>> on_gpus(CUdeviceptr Move::*end) const {
    std::vector<std::vector<std::span<Byte>>> pieces(moves.size());
    for (std::size_t w = 0; w < moves.size(); ++w)
      for (const auto* move : moves[w]) pieces[w].push_back(bytes_on_gpu<Byte>(move->*end, move->bytes));
    return pieces;
  }
  /// One piece for each process, in host memory: those of one process after those of another.
  template <typename Byte>
  std::vector<std::vector<std::span<Byte>>> on_host(std::byte* begin) const {
    std::vector<std::vector<std::span<Byte>>> pieces(moves.size());
    for (std::size_t w = 0; w < moves.size(); ++w) {
      std::size_t size = 0;
      for (const auto* move : moves[w]) size += move->bytes;
      pieces[w].emplace_back(begin, size);
      begin += size;
    }
    return pieces;
  }
  /// Calls copy(move, its place in host memory) for each.
  template <typename Copy>
  void for_each(std::byte* place, const Copy& copy) const {
    for (const auto& of_process : moves) {
      for (const auto* move : of_process) {
        copy(*move, place);
        place += move->bytes;
      }
    }
  }
  std::vector<std::vector<const Move*>> moves;
  std::size_t bytes = 0;
};

TreeExchange::TreeExchange(std::span<GpuWorker* const> parts, std::vector<double> weights, GalaxyCut& cut,
                           DomainTeam& team, RanksTransfer transfer)
    : team_(team), balance_(cut, std::move(weights)), cut_(cut) {
  if (parts.size() > tree::most_domains)
    throw Error(fmt::format("a galaxy has at most {} domains, and {} GPUs are asked for",
                            tree::most_domains + 0, parts.size()));
  std::vector<GpuWorker*> mine;
  for (std::size_t k = 0; k < parts.size(); ++k) {
    auto& domain = *domains_.emplace_back(std::make_unique<Domain>());
    domain.part = parts[k];
    domain.shape.bodies = cut.stretches()[k].size();
    if (domain.is_here()) {
      domain.part->make_current();
      domain.marks = std::make_unique<Marks>();
      here_.push_back(&domain);
      mine.push_back(domain.part);
    }
    domain.emigrant_counts.resize(parts.size() * sizeof(std::uint32_t), domain.is_here());
    domain.totals.resize(parts.size() * sizeof(tree::ParcelSize), domain.is_here());
    domain.costs.resize(tree::cost_bytes, domain.is_here());
  }
  has_peers_ = enable_peer_access(mine);
  is_direct_ = team_.agree_on_gpu_addresses(transfer);
  how_ = is_direct_           ? "essential trees from GPU memory by MPI"
         : team_.has_others() ? "essential trees through the host and MPI"
         : has_peers_         ? "essential trees written by peers"
                              : "essential trees through the host";
  mine.front()->make_current();
  for (auto& each : stamps_) each = std::make_unique<Event>();
}

TreeExchange::~TreeExchange() {
  if (!here_.empty()) driver()->cuCtxSetCurrent(here_.front()->part->context());
  for (auto& each : stamps_) each.reset();
  // Streams read each other's memory.
  for (auto* domain : here_) {
    driver()->cuCtxSetCurrent(domain->part->context());
    driver()->cuStreamSynchronize(domain->stream());
  }
  for (auto& domain : domains_) {
    if (domain->is_here()) driver()->cuCtxSetCurrent(domain->part->context());
    domain.reset();
  }
}

/// Keeps the previous capacity and imported bodies.
tree::DomainShape TreeExchange::shape_of(std::size_t k) const {
  const auto& kernel = here_.front()->part->module()->configuration();
  auto shape = domains_[k]->shape;
  shape.tree = tree::shape_of(kernel);
  shape.group = static_cast<std::size_t>(kernel.tree_group);
  shape.curve = cut_.curve(k);
  return shape;
}

void TreeExchange::queue(Domain& domain, const std::function<void(tree::DomainQueue&)>& kernels) {
  domain.part->queue_domain(domain.tree.pointer(), [&](ForceQueue& forces) {
    tree::DomainQueue queue(forces, domain.shape, domain.numbers.pointer(), domain.leaving());
    kernels(queue);
  });
}

void TreeExchange::stamp(std::size_t phase) {
  auto& first = *here_.front()->part;
  first.make_current();
  stamps_.at(phase)->record(first.streams().main());
}

/// Queues the moves between GPUs of this process, each after the sender's mark, and makes those between
/// processes. All processes pass the same moves in the same order.
void TreeExchange::carry(std::span<const Move> moves, Event Marks::*ready, const char* what) {
  std::pair<const Domain*, const Domain*> waited{};
  for (const auto& [from, here, to, there, bytes] : moves) {
    if (bytes == 0 || !from.is_here() || !to.is_here()) continue;
    if (std::exchange(waited, {&from, &to}) != std::pair(&from, &to)) {
      to.part->make_current();
      (from.marks.get()->*ready).hold(to.stream());
    }
    copy_between(*to.part, there, *from.part, here, bytes, to.stream(), what);
  }
  if (team_.has_others()) carry_between_processes(moves, what);
}

/// MPI reads and writes the memory of the GPUs, or the host stages it. What the streams have queued so far is
/// done before.
void TreeExchange::carry_between_processes(std::span<const Move> moves, const char* what) {
  const auto process_of = [&](const Domain& domain) { return team_.process_of(domain.shape.own()); };
  using Process = std::optional<std::size_t>;
  const Freight leaving(moves, team_.processes(), [&](const Move& move) {
    return move.from.is_here() && !move.to.is_here() ? Process(process_of(move.to)) : Process();
  });
  const Freight arriving(moves, team_.processes(), [&](const Move& move) {
    return move.to.is_here() && !move.from.is_here() ? Process(process_of(move.from)) : Process();
  });
  auto* const out = is_direct_ ? nullptr : host_room(outgoing_, leaving.bytes);
  if (!is_direct_) {
    leaving.for_each(out, [&](const Move& move, std::byte* host) {
      move.from.part->make_current();
      check(driver()->cuMemcpyDtoHAsync(host, move.here, move.bytes, move.from.stream()), what);
    });
  }
  for (const auto* domain : here_) domain->part->wait(what);
  // A CUDA-aware MPI needs a current context, of any GPU.
  here_.front()->part->make_current();
  if (is_direct_) {
    team_.trade(leaving.on_gpus<const std::byte>(&Move::here), arriving.on_gpus<std::byte>(&Move::there));
    return;
  }
  auto* const in = host_room(incoming_, arriving.bytes);
  team_.trade(leaving.on_host<const std::byte>(out), arriving.on_host<std::byte>(in));
  arriving.for_each(in, [&](const Move& move, const std::byte* host) {
    move.to.part->make_current();
    check(driver()->cuMemcpyHtoDAsync(move.there, host, move.bytes, move.to.stream()), what);
  });
}

std::byte* TreeExchange::host_room(HostMemory& memory, std::size_t bytes) const {
  here_.front()->part->make_current();
  if (memory.size() < bytes) memory.resize(with_reserve(bytes), true);
  return static_cast<std::byte*>(memory.data());
}

void TreeExchange::find_emigrants() {
  stamp(0);
  for (std::size_t k = 0; k < domains_.size(); ++k) domains_[k]->shape = shape_of(k);
  for (auto* domain : here_) {
    domain->part->make_current();
    domain->emigrants.resize(tree::emigrant_bytes(domain->shape));
    queue(*domain, [](tree::DomainQueue& queue) { queue.find_emigrants(); });
    check(driver()->cuMemcpyDtoHAsync(domain->emigrant_counts.data(), domain->leaving().total,
                                      domain->emigrant_counts.size(), domain->stream()),
          "reading how many bodies have left a domain");
    domain->marks->found.record(domain->stream());
  }
  for (auto* domain : here_) {
    domain->part->make_current();
    domain->marks->found.wait();
  }
  note_costs();
  balance_.begin_evaluation();
  team_.tell(domains_.size(), [&](std::size_t k) { return bytes_of(domains_[k]->emigrant_counts); });
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
    if (domain->is_here()) list_emigrants(*domain);
  }
}

void TreeExchange::list_emigrants(Domain& domain) {
  const std::size_t emigrants = domain.shape.imports.left;
  if (emigrants == 0) return;
  domain.part->make_current();
  // Nothing reads the lists of the evaluation before: every stream has come further than that.
  if (domain.lists.size() < tree::emigrant_list_bytes(emigrants))
    domain.lists.resize(tree::emigrant_list_bytes(
        std::min(room_for_travellers(emigrants, domain.shape.bodies), domain.shape.bodies)));
  queue(domain, [](tree::DomainQueue& queue) { queue.list_emigrants(); });
  domain.marks->listed.record(domain.stream());
}

/// Places and masses of bodies that others hold, in the order of these.
void TreeExchange::take_imports() {
  std::vector<Move> moves;
  for (auto& to : domains_) {
    auto place = to->memory().imports;
    if (to->is_here() && to->is_empty) {
      to->part->make_current();
      check(driver()->cuMemsetD8Async(place, 0, tree::import_bytes, to->stream()), "clearing an import");
    }
    for (auto& from : domains_) {
      if (from == to) continue;
      const std::size_t bytes = from->emigrants_to(*to) * tree::import_bytes;
      const auto here = from->leaving().leaving + from->first_emigrant_to(*to, domains_) * tree::import_bytes;
      moves.push_back({*from, here, *to, place, bytes});
      place += bytes;
    }
  }
  carry(moves, &Marks::listed, "copying imports between GPUs");
}

void TreeExchange::build() {
  for (auto* domain : here_) {
    domain->part->make_current();
    domain->numbers.resize(tree::domain_memory(0, domain->shape).bytes);
    domain->tree.resize(tree::domain_tree_bytes(domain->shape));
  }
  take_imports();
  for (auto* domain : here_) {
    domain->part->make_current();
    queue(*domain, [](tree::DomainQueue& queue) { queue.build(); });
    domain->marks->built.record(domain->stream());
  }
  stamp(1);
}

/// Every domain gets the boxes of all others, and finds out what these need.
void TreeExchange::select() {
  std::vector<Move> moves;
  for (auto& to : domains_) {
    for (auto& from : domains_) {
      if (from == to) continue;
      const std::size_t offset = from->shape.own() * tree::piece_bytes;
      moves.push_back({*from, from->memory().shared.piece + offset, *to, to->memory().shared.piece + offset,
                       tree::piece_bytes});
    }
  }
  carry(moves, &Marks::built, "copying boxes between GPUs");
  for (auto* to : here_) {
    to->part->make_current();
    queue(*to, [](tree::DomainQueue& queue) { queue.select(); });
    check(driver()->cuMemcpyDtoHAsync(to->totals.data(), to->memory().shared.total, to->totals.size(),
                                      to->stream()),
          "reading the sizes of essential trees");
    to->marks->counted.record(to->stream());
  }
  stamp(2);
  for (auto* domain : here_) {
    domain->part->make_current();
    domain->marks->counted.wait();
  }
  team_.tell(domains_.size(), [&](std::size_t k) { return bytes_of(domains_[k]->totals); });
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

/// True if one GPU puts what another needs right into that one's tree.
bool TreeExchange::writes_into(const Domain& from, const Domain& to) const {
  return has_peers_ && from.is_here() && to.is_here();
}

/// The parcels of a part to all others. Their numbers are those of the receivers' memory.
void TreeExchange::pack(Domain& from) {
  std::size_t bytes = 0, staged = 0;
  for (auto& to : domains_) {
    if (&from == to.get()) continue;
    const auto parcel = tree::parcel_bytes(from.size_to(*to), from.shape.tree);
    bytes += parcel;
    staged += writes_into(from, *to) ? 0 : parcel;
  }
  if (from.is_here()) {
    from.part->make_current();
    if (from.sent.size() < staged) from.sent.resize(with_reserve(staged));
  }
  from.parcels.assign(domains_.size(), {});
  // An address of 0 would say that there are no such arrays.
  constexpr CUdeviceptr elsewhere = 256;
  auto begin = from.is_here() ? from.sent.pointer() : elsewhere;
  for (auto& to : domains_) {
    if (&from == to.get()) continue;
    const auto size = from.size_to(*to);
    const auto cells = to->cells();
    unsigned first_node = cells.capacity + 1;
    unsigned first_body = cells.bodies;  // for as many as there is room
    for (auto& other : domains_) {
      if (other.get() == &from) break;
      if (other == to) continue;
      first_node += other->size_to(*to).nodes;
      first_body += other->size_to(*to).bodies;
    }
    auto parcel = tree::parcel_in(cells, to->shape.own(), first_node, first_body);
    if (!writes_into(from, *to)) {
      parcel = tree::parcel_at(begin, size, from.shape.tree, parcel);
      begin += tree::parcel_bytes(size, from.shape.tree);
    }
    from.parcels[to->shape.own()] = parcel;
    if (from.is_here()) queue(from, [&](tree::DomainQueue& queue) { queue.pack(parcel); });
  }
  if (from.is_here()) from.marks->packed.record(from.stream());
  sent_ += static_cast<double>(bytes);
}

/// All GPUs here have finished what they did before: their trees can be written into.
void TreeExchange::send() {
  sent_ = 0.0;
  for (auto& from : domains_) {
    constexpr std::size_t each = tree::import_bytes + tree::acceleration_bytes;
    sent_ += static_cast<double>(from->shape.imports.left * each);
    pack(*from);
  }
  std::vector<Move> moves;
  for (auto& to : domains_) {
    const auto cells = to->cells();
    for (auto& from : domains_) {
      if (from == to) continue;
      if (writes_into(*from, *to)) {
        to->part->make_current();
        from->marks->packed.hold(to->stream());
        continue;
      }
      for (const auto& part : tree::parts_of(from->parcels[to->shape.own()], from->size_to(*to), cells))
        moves.push_back({*from, part.from, *to, part.to, part.bytes});
    }
  }
  carry(moves, &Marks::packed, "copying essential trees between GPUs");
  stamp(3);
}

void TreeExchange::walk() {
  for (auto* domain : here_) {
    tree::TreeRoots roots{};
    for (auto& from : domains_) {
      if (from.get() != domain) roots.root[roots.count++] = from->parcels[domain->shape.own()].first_node;
    }
    domain->part->make_current();
    domain->marks->walk_begins.record(domain->stream());
    queue(*domain, [&](tree::DomainQueue& queue) { queue.walk(roots); });
    domain->marks->walked.record(domain->stream());
    check(driver()->cuMemcpyDtoHAsync(domain->costs.data(), domain->memory().shared.cost,
                                      domain->costs.size(), domain->stream()),
          "reading what a walk has cost");
  }
  stamp(4);
}

/// Accelerations of imports go back to the parts that move them.
void TreeExchange::return_accelerations() {
  std::vector<Move> moves;
  for (auto& to : domains_) {
    for (auto& from : domains_) {
      if (from == to) continue;
      std::size_t place = from->shape.bodies;
      for (auto& other : domains_) {
        if (other == to) break;
        if (other != from) place += other->emigrants_to(*from);
      }
      moves.push_back(
          {*from, from->memory().accelerations + place * tree::acceleration_bytes, *to,
           to->leaving().returned + to->first_emigrant_to(*from, domains_) * tree::acceleration_bytes,
           to->emigrants_to(*from) * tree::acceleration_bytes});
    }
  }
  for (auto* to : here_) {
    to->part->make_current();
    check(driver()->cuMemcpyDtoDAsync(to->part->accelerations(), to->memory().accelerations,
                                      to->shape.bodies * tree::acceleration_bytes, to->stream()),
          "copying accelerations");
  }
  carry(moves, &Marks::walked, "copying accelerations between GPUs");
  for (auto* to : here_) {
    queue(*to, [](tree::DomainQueue& queue) { queue.finish(); });
    to->part->end_domain();
  }
  stamp(5);
}

void TreeExchange::evaluate() {
  find_emigrants();
  build();
  select();
  while (!make_room()) {
    build();
    select();
  }
  balance_.count_imports(imports(), here_.front()->shape.imports.all);
  // Before the stamps are used again, they have passed: the host has waited for what came after them.
  send();
  walk();
  return_accelerations();
  stamped_ = true;
  balance_.end_evaluation();
}

/// Bodies that others than their own GPUs compute.
std::size_t TreeExchange::imports() const {
  std::size_t all = 0;
  for (const auto& domain : domains_) all += domain->shape.imports.left;
  return all;
}

void TreeExchange::note_costs() {
  if (balance_.is_noted()) return;
  team_.tell(domains_.size(), [&](std::size_t k) { return bytes_of(domains_[k]->costs); });
  std::vector<std::vector<tree::PieceCost>> costs(domains_.size());
  for (std::size_t k = 0; k < domains_.size(); ++k) {
    const auto* begin = static_cast<const tree::PieceCost*>(domains_[k]->costs.data());
    // The body without mass in an empty one lies anywhere.
    if (!domains_[k]->is_empty) costs[k].assign(begin, begin + tree::domain_pieces);
  }
  balance_.note(std::move(costs));
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
  for (const auto* domain : here_) {
    domain->part->make_current();
    const auto& marks = *domain->marks;
    if (marks.walked.passed())
      times.push_back(fmt::format("{:.2f}", marks.walked.milliseconds_since(marks.walk_begins)));
  }
  return fmt::format("{}", fmt::join(times, ", "));
}

void TreeExchange::add_facts(EngineReport& report) {
  if (stamped_)
    report.facts.push_back({"domain_walks", walk_times(), "walks of all", "ms",
                            "How long each GPU's walk took. All wait for the slowest."});
  here_.front()->part->make_current();
  if (stamped_ && stamps_.back()->passed()) {
    for (std::size_t k = 0; k < phase_ms_.size(); ++k)
      phase_ms_.at(k) = stamps_.at(k + 1)->milliseconds_since(*stamps_.at(k));
  }
  report.facts.push_back({"sent_bytes_per_evaluation", sent_, "essential trees", "B",
                          "What all GPUs together have sent to each other for the last forces."});
  report.facts.push_back({"domain_guests", static_cast<std::int64_t>(imports()), "imports", "",
                          "Bodies beyond the border of the GPU that moves them: another one computes "
                          "the forces on them."});
  report.facts.push_back({"domain_largest_share", balance_.largest_share(), "most work", "",
                          "Work of the domain with most of it, over the mean, in the forces before the "
                          "last ones. Borders move until it is below 1.01."});
  constexpr std::array<const char*, 5> keys{"domain_tree_ms", "domain_select_ms", "domain_send_ms",
                                            "domain_walk_ms", "domain_return_ms"};
  constexpr std::array<const char*, 5> labels{"trees took", "choosing cells", "sending them", "walks",
                                              "imports' accelerations"};
  for (std::size_t k = 0; k < keys.size(); ++k)
    report.facts.push_back({keys.at(k), phase_ms_.at(k), labels.at(k), "ms",
                            "On the first GPU, in the last forces, waiting included."});
}

}  // namespace orrery::sim::cuda
