#include "sim/cuda/families/tree_domains.h"

#include <algorithm>

namespace orrery::sim::cuda::tree {

namespace {

constexpr std::size_t four_bytes = 16, two_bytes = 8, word_bytes = 4;  ///< of float4, float2, unsigned
/// Levels of the tree that one block marks, which has few nodes there.
constexpr int top_levels = 3;

std::size_t tiles_of(const DomainShape& s) {
  return (node_capacity(s.bodies, s.leaf) + domain_tile - 1) / domain_tile;
}

/// Whole groups, so many that pieces are enough.
std::size_t bodies_of_piece(const DomainShape& s) {
  const std::size_t each = (s.bodies + inner_pieces - 1) / inner_pieces;
  return (each + s.group - 1) / s.group * s.group;
}

DomainMemory laid_out(DeviceAddress begin, const DomainShape& s, std::size_t& used) {
  const auto take = [&](std::size_t bytes) {
    const auto place = begin + used;
    used += (bytes + 255) / 256 * 256;
    return place;
  };
  const std::size_t nodes = node_capacity(s.bodies, s.leaf), tiles = tiles_of(s);
  DomainMemory m{};
  m.shared.needs = take(nodes * word_bytes);
  m.shared.opens = take(nodes * word_bytes);
  m.work = take(work_numbers(s.bodies) * word_bytes);
  m.zeros = used;
  m.shared.piece = take(s.domains * piece_bytes);
  m.shared.rank = take(s.domains * nodes * two_bytes);
  m.shared.before = take(s.domains * 2 * tiles * word_bytes);
  m.shared.total = take(s.domains * 2 * word_bytes);
  m.shared.domains = s.domains;
  m.shared.own = s.own;
  m.shared.tiles = static_cast<unsigned>(tiles);
  m.shared.piece_bodies = static_cast<unsigned>(bodies_of_piece(s));
  m.shared.group = static_cast<unsigned>(s.group);
  return m;
}

}  // namespace

std::size_t work_numbers(std::size_t bodies) { return bodies / 32 + 1; }

DomainMemory domain_memory(DeviceAddress begin, const DomainShape& shape) {
  std::size_t used = 0;
  return laid_out(begin, shape, used);
}

std::size_t domain_bytes(const DomainShape& shape) {
  std::size_t used = 0;
  laid_out(0, shape, used);
  return used;
}

std::size_t parcel_bytes(const ParcelSize& size) {
  const std::size_t bytes = size.nodes * (4 * four_bytes + two_bytes) + size.bodies * four_bytes;
  return (bytes + 255) / 256 * 256;
}

TreeParcel parcel_at(DeviceAddress begin, const ParcelSize& size) {
  TreeParcel p{};
  for (auto* array : {&p.center, &p.opening, &p.moment, &p.range}) {
    *array = begin;
    begin += size.nodes * four_bytes;
  }
  p.body = begin;
  p.more_moment = begin + size.bodies * four_bytes;
  return p;
}

std::array<ParcelPart, 6> parts_of(const TreeParcel& p, const ParcelSize& size, const TreeMemory& t) {
  const auto nodes = [&](DeviceAddress from, DeviceAddress to, std::size_t each) {
    return ParcelPart{from, to + p.first_node * each, size.nodes * each};
  };
  return {nodes(p.center, t.center, four_bytes),
          nodes(p.opening, t.opening, four_bytes),
          nodes(p.moment, t.moment, four_bytes),
          nodes(p.range, t.range, four_bytes),
          nodes(p.more_moment, t.more_moment, two_bytes),
          ParcelPart{p.body, t.body + p.first_body * four_bytes, size.bodies * four_bytes}};
}

DomainQueue::DomainQueue(ForceQueue& queue, const DomainShape& shape, DeviceAddress memory, const Room& room)
    : queue_(queue),
      shape_(shape),
      room_(room),
      memory_(domain_memory(memory, shape)),
      tree_(tree::memory(queue.scratch(), shape.bodies, shape.leaf, room)),
      how_(walk_of(queue, shape.bodies)) {}

void DomainQueue::launch(const char* kernel, unsigned grid, unsigned block, Arguments arguments) {
  queue_.launch(kernel, {.grid_x = grid, .block_x = block}, arguments);
}

Arguments DomainQueue::of_domain() const {
  Arguments arguments;
  arguments.add_struct(&tree_).add_struct(&memory_.shared);
  return arguments;
}

void DomainQueue::build() {
  queue_cells(queue_, galaxy(), room_, &shape_.curve);
  launch("domain_boxes", domain_pieces, domain_threads, of_domain().add(passes % 2).add(key_bits));
}

void DomainQueue::mark(int level, int end) {
  // A level has no more nodes than that.
  const std::size_t inner = 8 * (shape_.bodies / std::max<std::size_t>(shape_.leaf, 1) + 1);
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
  launch("domain_pulls", shape_.domains * domain_pieces / (mark_threads / 32), mark_threads, pulls);
  mark(0, top_levels);
  for (int level = top_levels; level <= key_bits; ++level) mark(level, level + 1);
  // Deeper than the keys are only cells of bodies in one cell of the grid.
  mark(key_bits + 1, most_levels);
  const auto tiles = memory_.shared.tiles;
  launch("domain_count", tiles, domain_threads, of_domain());
  Arguments sums;
  launch("domain_sums", 2 * shape_.domains, domain_threads, sums.add_struct(&memory_.shared));
  launch("domain_rank", tiles, domain_threads, of_domain());
}

void DomainQueue::pack(const TreeParcel& parcel) {
  launch("domain_pack", memory_.shared.tiles, domain_threads, of_domain().add_struct(&parcel));
}

void DomainQueue::walk(const TreeRoots& roots) {
  Arguments begin;
  launch("domain_roots", 1, 32, begin.add_struct(&tree_).add_struct(&roots));
  queue_walk(queue_, galaxy(), room_, memory_.work);
}

}  // namespace orrery::sim::cuda::tree
