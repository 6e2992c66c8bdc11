#include <algorithm>
#include <array>
#include <cstddef>

#include "cuda_families.h"
#include "sim/cuda/families/tree_layout.h"
#include "sim/cuda/options/kernel_configuration.h"
#include "sim/cuda/options/option_helpers.h"
#include "sim/options/tree_options.h"

namespace orrery::sim::cuda {

namespace {

static_assert(sizeof(ForceCounts) == tree::walk_counts * sizeof(std::uint64_t));

std::vector<const char*> kernels(const KernelConfiguration&) {
  return {"tree_grid",    "tree_keys",     "tree_sort",        "tree_sort_wide", "tree_refine",
          "tree_gather",  "tree_mark",     "tree_count",       "tree_cells",     "tree_weigh_leaves",
          "tree_weigh",   "domain_owners", "domain_emigrants", "domain_return",  "domain_grid",
          "domain_boxes", "domain_pulls",  "domain_mark",      "domain_count",   "domain_sums",
          "domain_rank",  "domain_pack",   "domain_roots",     "domain_costs",   "domain_vertices"};
}

void macros(const KernelConfiguration& c, Macros& macros) {
  macros.emplace_back("GROUP", c.tree_group);
  macros.emplace_back("THIRD_MOMENTS", c.tree_third ? 1 : 0);
}

std::size_t scratch_bytes(const KernelConfiguration& c, std::size_t sources, std::size_t) {
  return tree::bytes(sources, tree::shape_of(c));
}

std::string one_after_the_other(const Configuration&) {
  return "each galaxy has a tree of its own, built one after the other; use serial, streams or graph";
}

int walk_block(const KernelConfiguration&) { return tree::walk_threads; }

/// Queues the kernels of one tree.
class TreeQueue {
 public:
  TreeQueue(ForceQueue& queue, const GalaxyRange& galaxy, const tree::Capacity& more = {},
            const tree::Imports* imports = nullptr)
      : queue_(queue),
        galaxy_(galaxy),
        imports_(imports),
        room_(galaxy.size() + more.imports),
        bodies_(galaxy.size() + (imports == nullptr ? 0 : imports->now - imports->left)),
        shape_(tree::shape_of(queue.kernel())),
        memory_(tree::memory(queue.scratch(), galaxy.size(), shape_, more)),
        walk_(tree::walk_of(queue, bodies_, imports)) {
    const auto active = queue.active();
    memory_.level = active.levels == 0 ? 0 : active.levels + galaxy.first;
    memory_.least_level = active.least;
    memory_.bodies = static_cast<unsigned>(bodies_);
    if (imports == nullptr) return;
    memory_.work = imports->work;
    memory_.guest = imports->bodies;
    memory_.owner = imports->owner;
    memory_.own = static_cast<unsigned>(galaxy.size());
    memory_.domain = imports->curve->own;
  }

  void sort() {
    queue_.clear(queue_.scratch(), tree::zero_bytes(room_));
    if (imports_ == nullptr)
      launch("tree_grid", 1, tree::sampled_bodies, of_bodies());
    else
      launch("domain_grid", 1, 32, of_tree().add_struct(imports_->curve));
    // Own bodies that are elsewhere are sorted too: to the end.
    const std::size_t all = bodies_ + (imports_ == nullptr ? 0 : imports_->left);
    memory_.bodies = static_cast<unsigned>(all);
    // Several keys a thread: each block makes the tables of the curve.
    launch("tree_keys", blocks(all, 8 * tree::key_threads, 8), tree::key_threads,
           of_bodies().add(tree::key_bits).add(tree::passes));
    const unsigned tiles = blocks_for(all, tree::sort_tile);
    const bool wide = tiles <= 4 * queue_.multiprocessors();
    for (int pass = 0; pass < tree::passes; ++pass)
      launch(wide ? "tree_sort_wide" : "tree_sort", tiles,
             wide ? tree::wide_sort_threads : tree::sort_threads, of_tree().add(pass));
    memory_.bodies = static_cast<unsigned>(bodies_);
    auto arguments = of_bodies().add(sorted());
    add_index(arguments, shape_.leaf_size);
    launch("tree_refine", static_cast<unsigned>(tree::build_tiles(bodies_)), tree::refine_threads,
           arguments.add(tree::key_bits));
    gather();
  }

  /// The bodies of an earlier tree in its order, where they are now.
  void gather_again() {
    const auto counters = memory_.counters, straggler = memory_.straggler[0];
    queue_.clear(counters, offsetof(tree::TreeCounters, center));
    queue_.clear(straggler, memory_.status - straggler);
    gather();
  }

  void build() {
    const auto tiles = static_cast<unsigned>(tree::build_tiles(bodies()));
    launch("tree_mark", tiles, tree::build_threads, of_keys());
    launch("tree_count", tree::most_levels, tree::digits, of_tree().add(static_cast<int>(tiles)));
    launch("tree_cells", tiles, tree::build_threads, of_keys());
  }

  void weigh() {
    constexpr std::size_t cells_of_block = tree::weigh_threads / tree::lanes_of_node;
    const unsigned grid = blocks(memory_.capacity, cells_of_block, 16);
    launch("tree_weigh_leaves", grid, tree::weigh_threads, of_tree().add(walk_));
    launch("tree_weigh", grid, tree::weigh_threads, of_tree().add(walk_));
  }

  void walk() {
    const auto half = static_cast<std::size_t>(std::max(queue_.kernel().tree_group / 2, 32));
    constexpr std::size_t warps = tree::walk_threads / 32;
    // As many as the GPU holds: they find out how much there is to do.
    launch("forces", blocks(blocks_for(bodies(), half), warps, tree::walk_blocks), tree::walk_threads,
           of_walk());
  }

 private:
  std::size_t bodies() const { return bodies_; }
  int sorted() const { return tree::passes % 2; }
  /// Blocks for the items, at most that many a multiprocessor.
  unsigned blocks(std::size_t items, std::size_t block, std::size_t most) const {
    return static_cast<unsigned>(
        std::min<std::size_t>(blocks_for(items, block), most * queue_.multiprocessors()));
  }
  Arguments of_tree() {
    Arguments arguments;
    arguments.add_struct(&memory_);
    return arguments;
  }
  Arguments of_keys() {
    auto arguments = of_tree().add(sorted());
    add_index(arguments, shape_.leaf_size);
    return arguments.add(tree::key_bits + tree::local_bits);
  }
  Arguments of_bodies() {
    Arguments arguments;
    queue_.add_bodies(arguments);
    arguments.add_struct(&memory_);
    add_index(arguments, galaxy_.first);
    return arguments;
  }
  Arguments of_walk() {
    Arguments arguments;
    queue_.add_constants(arguments);
    arguments.add_struct(&memory_).add(walk_).add(sorted());
    const auto here = queue_.accelerations() + 3 * queue_.real_bytes() * galaxy_.first;
    arguments.add(imports_ == nullptr ? here : imports_->accelerations).add(queue_.force_counts());
    return arguments;
  }

  void gather() {
    launch("tree_gather", blocks_for(bodies(), tree::key_threads), tree::key_threads,
           of_bodies().add(sorted()));
  }

  void launch(const char* kernel, unsigned grid, std::size_t block, Arguments arguments) {
    queue_.launch(kernel, {.grid_x = grid, .block_x = static_cast<unsigned>(block)}, arguments);
  }

  ForceQueue& queue_;
  GalaxyRange galaxy_;
  const tree::Imports* imports_;  ///< bodies imported from other domains; null without domains
  std::size_t room_, bodies_;     ///< capacity and present number of bodies in the tree
  OctreeShape shape_;
  tree::TreeMemory memory_;
  tree::TreeWalk walk_;
};

void queue_tree(ForceQueue& queue, const ForceSlice& slice) {
  TreeQueue tree(queue, slice.galaxy);
  if (queue.keeps_cells()) {
    tree.gather_again();
  } else {
    tree.sort();
    tree.build();
  }
  tree.weigh();
  tree.walk();
}

constexpr std::array<std::string_view, 13> tree_sources{
    "tree_numbers.h", "tree_rule.cuh",        "tree_shapes.h",   "tree_sort.cu",   "tree_build.cu",
    "tree_refine.cu", "tree_moments.cu",      "tree_series.cuh", "tree_lists.cuh", "tree_sums.cuh",
    "tree.cu",        "tree_domain_shapes.h", "tree_domains.cu"};

}  // namespace

OctreeShape tree::shape_of(const KernelConfiguration& kernel) {
  return {.leaf_size = static_cast<std::size_t>(kernel.tree_leaf), .third_moments = kernel.tree_third};
}

tree::TreeWalk tree::walk_of(const ForceQueue& queue, std::size_t bodies, const Imports* imports) {
  return walk(queue.tree(), bodies, imports == nullptr ? bodies : imports->all,
              queue.multiprocessors() * walk_blocks * walk_threads / 32);
}

void tree::queue_cells(ForceQueue& queue, const GalaxyRange& galaxy, const Capacity& more,
                       const Imports* imports) {
  TreeQueue tree(queue, galaxy, more, imports);
  tree.sort();
  tree.build();
  tree.weigh();
}

void tree::queue_walk(ForceQueue& queue, const GalaxyRange& galaxy, const Capacity& more,
                      const Imports& imports) {
  TreeQueue(queue, galaxy, more, &imports).walk();
}

constinit const Family tree_family{
    .name = "tree",
    .meaning = "an octree: distant cells act as one body. N log N, approximate: opening sets the accuracy",
    .usual_rate = 800,
    .code = {.files = tree_sources, .kernels = kernels, .macros = macros},
    .limits =
        {.gravity_only = "a cell stands for masses only; use tiled",
         .float_only = "the tree sums in single precision; use precision=float, or tiled",
         .no_batch = one_after_the_other,
         .no_sharing =
             "the tree of a galaxy is on one GPU, or cut into domains; use split-by=domains or galaxies"},
    .domains = true,
    .forces = queue_tree,
    .block = walk_block,
    .whole_galaxies = true,
    .targets = Targets::active,
    .scratch = {.bytes = scratch_bytes, .meaning = "tree"},
    .approximate = true,
    .keeps_cells = true,
};

/// Engines take the tree or the first family by the number of bodies (sim/simulation/accurate_engine.h).
/// Code that asks families directly gets the tree, which is right for any number.
const Family auto_family = [] {
  Family family = tree_family;
  family.name = "auto";
  family.meaning = "tiled for few bodies, tree for many: whichever is faster at the requested accuracy";
  return family;
}();

}  // namespace orrery::sim::cuda
