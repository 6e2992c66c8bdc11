#include "sim/cuda/families/tree_domains.h"

#include <algorithm>

namespace orrery::sim::cuda::tree {

namespace {

constexpr std::size_t four_bytes = 16, two_bytes = 8,
                      word_bytes = 4;  ///< sizes of float4, float2 and unsigned
/// Levels of the tree that one block marks, which has few nodes there.
constexpr int top_levels = 3;

std::size_t tiles(std::size_t items) { return (items + domain_tile - 1) / domain_tile; }

std::size_t nodes_of(const DomainShape& s) {
  return node_capacity(s.bodies + s.room.imports, s.tree.leaf_size);
}

/// Whole groups, that many that pieces are enough.
std::size_t bodies_of_piece(const DomainShape& s) {
  const std::size_t each = (s.in_tree() + domain_pieces - 1) / domain_pieces;
  return (each + s.group - 1) / s.group * s.group;
}

TreeLeavers laid_out_emigrants(const DomainShape& s, ScratchArena& arena) {
  TreeLeavers l{};
  l.bodies = static_cast<unsigned>(s.bodies);
  l.tiles = static_cast<unsigned>(tiles(s.bodies));
  l.owner = arena.take(s.bodies);
  l.before = arena.take(s.domains() * l.tiles * word_bytes);
  l.total = arena.take(s.domains() * word_bytes);
  return l;
}

void lay_out_lists(std::size_t emigrants, ScratchArena& arena, TreeLeavers& l) {
  l.body = arena.take(emigrants * word_bytes);
  l.leaving = arena.take(emigrants * import_bytes);
  l.returned = arena.take(emigrants * acceleration_bytes);
}

}  // namespace

DomainMemory domain_memory(DeviceAddress begin, const DomainShape& s) {
  ScratchArena arena(begin);
  const std::size_t nodes = nodes_of(s), all = s.bodies + s.room.imports;
  DomainMemory m{};
  m.shared.needs = arena.take(nodes * word_bytes);
  m.shared.opens = arena.take(nodes * word_bytes);
  m.work = arena.take((all / 32 + 1) * word_bytes);
  m.zeros = arena.used();
  m.shared.piece = arena.take(s.domains() * piece_bytes);
  m.shared.rank = arena.take(s.domains() * nodes * two_bytes);
  m.shared.before = arena.take(s.domains() * 2 * tiles(nodes) * word_bytes);
  m.shared.total = arena.take(s.domains() * 2 * word_bytes);
  m.shared.cost = arena.take(cost_bytes);
  m.imports = arena.take(s.room.imports * import_bytes);
  m.accelerations = arena.take(all * acceleration_bytes);
  m.shared.domains = s.domains();
  m.shared.own = s.own();
  m.shared.tiles = static_cast<unsigned>(tiles(nodes));
  m.shared.piece_bodies = static_cast<unsigned>(bodies_of_piece(s));
  m.bytes = arena.used();
  return m;
}

TreeLeavers emigrant_memory(DeviceAddress begin, DeviceAddress lists, const DomainShape& shape) {
  ScratchArena arena(begin), of_lists(lists);
  auto emigrants = laid_out_emigrants(shape, arena);
  if (lists != 0) lay_out_lists(shape.imports.left, of_lists, emigrants);
  return emigrants;
}

std::size_t emigrant_list_bytes(std::size_t emigrants) {
  ScratchArena arena(0);
  TreeLeavers lists{};
  lay_out_lists(emigrants, arena, lists);
  return arena.used();
}

std::size_t emigrant_bytes(const DomainShape& shape) {
  ScratchArena arena(0);
  laid_out_emigrants(shape, arena);
  return arena.used();
}

TreeMemory domain_tree(DeviceAddress begin, const DomainShape& shape) {
  return memory(begin, shape.bodies, shape.tree, shape.room);
}

std::size_t domain_tree_bytes(const DomainShape& shape) {
  return bytes(shape.bodies, shape.tree, shape.room);
}

std::size_t parcel_bytes(const ParcelSize& size, const OctreeShape& tree) {
  const std::size_t third = tree.third_moments ? 2 * four_bytes : 0;
  const std::size_t bytes = size.nodes * (4 * four_bytes + two_bytes + third) + size.bodies * four_bytes;
  return (bytes + 255) / 256 * 256;
}

TreeParcel parcel_in(const TreeMemory& t, unsigned to, unsigned first_node, unsigned first_body) {
  const auto nodes = [&](DeviceAddress array, std::size_t each) {
    return array == 0 ? 0 : array + first_node * each;
  };
  return {.center = nodes(t.center, four_bytes),
          .opening = nodes(t.opening, four_bytes),
          .moment = nodes(t.moment, four_bytes),
          .range = nodes(t.range, four_bytes),
          .body = t.body + first_body * four_bytes,
          .more_moment = nodes(t.more_moment, two_bytes),
          .third = {nodes(t.third[0], four_bytes), nodes(t.third[1], four_bytes)},
          .to = to,
          .first_node = first_node,
          .first_body = first_body,
          .nothing = t.capacity};
}

TreeParcel parcel_at(DeviceAddress begin, const ParcelSize& size, const OctreeShape& tree,
                     const TreeParcel& there) {
  TreeParcel p{.to = there.to,
               .first_node = there.first_node,
               .first_body = there.first_body,
               .nothing = there.nothing};
  const auto take = [&](std::uint64_t& array) {
    array = begin;
    begin += size.nodes * four_bytes;
  };
  for (auto* array : {&p.center, &p.opening, &p.moment, &p.range}) take(*array);
  if (tree.third_moments)
    for (auto& array : p.third) take(array);
  p.body = begin;
  p.more_moment = begin + size.bodies * four_bytes;
  return p;
}

std::array<ParcelPart, 8> parts_of(const TreeParcel& p, const ParcelSize& size, const TreeMemory& receiver) {
  const auto there = parcel_in(receiver, p.to, p.first_node, p.first_body);
  const auto nodes = [&](DeviceAddress from, DeviceAddress to, std::size_t each) {
    return ParcelPart{from, to, from == 0 ? 0 : size.nodes * each};
  };
  return {nodes(p.center, there.center, four_bytes),
          nodes(p.opening, there.opening, four_bytes),
          nodes(p.moment, there.moment, four_bytes),
          nodes(p.range, there.range, four_bytes),
          nodes(p.more_moment, there.more_moment, two_bytes),
          nodes(p.third[0], there.third[0], four_bytes),
          nodes(p.third[1], there.third[1], four_bytes),
          ParcelPart{p.body, there.body, size.bodies * four_bytes}};
}

DomainQueue::DomainQueue(ForceQueue& queue, const DomainShape& shape, DeviceAddress numbers,
                         const TreeLeavers& emigrants)
    : queue_(queue),
      shape_(shape),
      memory_(domain_memory(numbers, shape)),
      emigrants_(emigrants),
      tree_(domain_tree(queue.scratch(), shape)),
      how_(walk_of(queue, shape.in_tree(), &shape.imports)) {
  tree_.bodies = static_cast<unsigned>(shape.in_tree());
  tree_.work = memory_.work;
  auto& imports = shape_.imports;
  imports.curve = &shape_.curve;
  imports.bodies = memory_.imports;
  imports.owner = emigrants_.owner;
  imports.accelerations = memory_.accelerations;
  imports.work = memory_.work;
}

void DomainQueue::launch(const char* kernel, unsigned grid, unsigned block, Arguments arguments) {
  queue_.launch(kernel, {.grid_x = grid, .block_x = block}, arguments);
}

Arguments DomainQueue::of_domain() const {
  Arguments arguments;
  arguments.add_struct(&tree_).add_struct(&memory_.shared);
  return arguments;
}

Arguments DomainQueue::of_emigrants() const {
  Arguments arguments;
  queue_.add_bodies(arguments);
  arguments.add_struct(&emigrants_).add_struct(&shape_.curve);
  return arguments;
}

void DomainQueue::sum_tiles(std::size_t rows, DeviceAddress before, DeviceAddress total, unsigned tiles) {
  Arguments arguments;
  launch("domain_sums", static_cast<unsigned>(rows), domain_threads,
         arguments.add(before).add(total).add(tiles));
}

void DomainQueue::find_emigrants() {
  launch("domain_owners", emigrants_.tiles, domain_threads, of_emigrants().add(key_bits));
  sum_tiles(shape_.domains(), emigrants_.before, emigrants_.total, emigrants_.tiles);
}

void DomainQueue::list_emigrants() {
  launch("domain_emigrants", emigrants_.tiles, domain_threads, of_emigrants());
}

void DomainQueue::build() {
  queue_cells(queue_, galaxy(), shape_.room, &shape_.imports);
  launch("domain_boxes", domain_pieces, domain_threads, of_domain());
}

void DomainQueue::mark(int level, int end) {
  // A level has no more nodes than that.
  const std::size_t inner = 8 * (shape_.in_tree() / std::max<std::size_t>(shape_.tree.leaf_size, 1) + 1);
  const std::size_t cells =
      level > 8 ? inner : std::min(inner, std::size_t{1} << (3U * static_cast<unsigned>(level)));
  const std::size_t most = 16 * queue_.multiprocessors();
  const auto blocks = std::min<std::size_t>(blocks_for(cells, mark_threads / 32), most);
  launch("domain_mark", end == level + 1 ? static_cast<unsigned>(blocks) : 1U, mark_threads,
         of_domain().add(how_).add(level).add(end));
}

void DomainQueue::select() {
  queue_.clear(memory_.shared.needs, memory_.zeros);
  Arguments pulls;
  queue_.add_constants(pulls);
  pulls.add_struct(&memory_.shared).add(how_);
  launch("domain_pulls", shape_.domains() * domain_pieces / (mark_threads / 32), mark_threads, pulls);
  mark(0, top_levels);
  constexpr int last = key_bits + local_bits;
  for (int level = top_levels; level <= last; ++level) mark(level, level + 1);
  // Deeper than the keys are only cells of bodies in one cell of the grid.
  mark(last + 1, most_levels);
  const auto tiles = memory_.shared.tiles;
  launch("domain_count", tiles, domain_threads, of_domain());
  sum_tiles(std::size_t{2} * shape_.domains(), memory_.shared.before, memory_.shared.total, tiles);
  launch("domain_rank", tiles, domain_threads, of_domain());
}

void DomainQueue::pack(const TreeParcel& parcel) {
  launch("domain_pack", memory_.shared.tiles, domain_threads, of_domain().add_struct(&parcel));
}

void DomainQueue::walk(const TreeRoots& roots) {
  Arguments begin;
  launch("domain_roots", 1, 32, begin.add_struct(&tree_).add_struct(&roots));
  queue_walk(queue_, galaxy(), shape_.room, shape_.imports);
  launch("domain_costs", domain_pieces, domain_threads, of_domain().add(passes % 2));
}

void DomainQueue::finish() {
  const std::size_t count = shape_.imports.left;
  if (count == 0) return;
  Arguments arguments;
  arguments.add_struct(&emigrants_).add(queue_.accelerations());
  add_index(arguments, count);
  launch("domain_return", blocks_for(count, domain_threads), domain_threads, arguments);
}

}  // namespace orrery::sim::cuda::tree
