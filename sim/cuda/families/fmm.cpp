#include <algorithm>
#include <array>

#include "sim/cuda/families/family.h"
#include "sim/cuda/families/fmm_layout.h"
#include "sim/cuda/families/tree_layout.h"
#include "sim/cuda/options/kernel_configuration.h"
#include "sim/cuda/options/option_helpers.h"
#include "sim/options/tree_options.h"

namespace orrery::sim::cuda {

namespace {

constexpr std::size_t warps = fmm::fmm_threads / 32;

std::vector<const char*> kernels(const KernelConfiguration&) {
  return {"tree_grid",   "tree_keys", "tree_sort",  "tree_sort_wide", "tree_refine",
          "tree_gather", "tree_mark", "tree_count", "tree_cells",     "tree_weigh_leaves",
          "tree_weigh",  "fmm_link",  "fmm_slots",  "fmm_moments"};
}

std::size_t leaf_of(const KernelConfiguration& c) { return static_cast<std::size_t>(c.tree_leaf); }
std::size_t group_of(const KernelConfiguration& c) { return static_cast<std::size_t>(c.tree_group); }
int order_of(const KernelConfiguration& c) { return c.value("expansion"); }

std::size_t scratch_bytes(const KernelConfiguration& c, std::size_t sources, std::size_t) {
  return tree::bytes(sources, tree::shape_of(c)) + fmm::bytes(sources, leaf_of(c), order_of(c), group_of(c));
}

std::string one_after_the_other(const Configuration&) {
  return "each galaxy has a tree of its own, built one after the other; use serial, streams or graph";
}

int walk_block(const KernelConfiguration&) { return fmm::fmm_threads; }

/// Queues the kernels behind those of the tree.
class FmmQueue {
 public:
  FmmQueue(ForceQueue& queue, const GalaxyRange& galaxy)
      : queue_(queue),
        galaxy_(galaxy),
        tree_(tree::memory(queue.scratch(), galaxy.size(), tree::shape_of(queue.kernel()))),
        begin_(queue.scratch() + tree::bytes(galaxy.size(), tree::shape_of(queue.kernel()))),
        memory_(fmm::memory(begin_, galaxy.size(), leaf_of(queue.kernel()), order_of(queue.kernel()),
                            group_of(queue.kernel()))),
        rule_(fmm::rule(queue.tree(), order_of(queue.kernel()))) {}

  void weigh() {
    queue_.clear(begin_, sizeof(fmm::FmmCounters));
    launch("fmm_link", blocks(tree_.capacity, fmm::link_threads, 8), fmm::link_threads, of_tree());
    launch("fmm_slots", 1, fmm::slot_threads, of_tree());
    launch("fmm_moments", blocks(tree_.capacity, warps, 8), fmm::fmm_threads, of_tree());
  }

  void sum() {
    // As many as the GPU holds: they find out how much there is to do.
    const unsigned grid =
        blocks(tree_.capacity, warps, static_cast<std::size_t>(fmm::fmm_blocks(order_of(queue_.kernel()))));
    for (const int which : {0, 1}) launch("forces", grid, fmm::fmm_threads, of_walk().add(which));
  }

 private:
  unsigned blocks(std::size_t items, std::size_t block, std::size_t most) const {
    return static_cast<unsigned>(
        std::min<std::size_t>(blocks_for(items, block), most * queue_.multiprocessors()));
  }
  Arguments of_tree() {
    Arguments arguments;
    arguments.add_struct(&tree_).add_struct(&memory_);
    return arguments;
  }
  Arguments of_walk() {
    Arguments arguments;
    queue_.add_constants(arguments);
    arguments.add_struct(&tree_).add_struct(&memory_).add(rule_).add(tree::passes % 2);
    arguments.add(queue_.accelerations() + 3 * queue_.real_bytes() * galaxy_.first).add(queue_.pulls());
    return arguments;
  }
  void launch(const char* kernel, unsigned grid, std::size_t block, Arguments arguments) {
    queue_.launch(kernel, {.grid_x = grid, .block_x = static_cast<unsigned>(block)}, arguments);
  }

  ForceQueue& queue_;
  GalaxyRange galaxy_;
  tree::TreeMemory tree_;
  DeviceAddress begin_;
  fmm::FmmMemory memory_;
  fmm::FmmRule rule_;
};

void queue_fmm(ForceQueue& queue, const ForceSlice& slice) {
  tree::queue_cells(queue, slice.galaxy);
  FmmQueue fmm(queue, slice.galaxy);
  fmm.weigh();
  fmm.sum();
}

std::vector<Option> options() {
  auto order = integer(
      "expansion", "Order of the series of far cells in family=fmm. A higher one takes cells from nearer.", 5,
      fmm::least_order, fmm::most_order);
  order.macro = "EXPANSION";
  order.label = "Order of the series";
  order.logarithmic = false;
  return {order};
}

constexpr std::array<std::string_view, 9> sources{"tree_shapes.h",  "tree_sort.cu",    "tree_build.cu",
                                                  "tree_refine.cu", "tree_moments.cu", "fmm_shapes.h",
                                                  "fmm_terms.cuh",  "fmm_moments.cu",  "fmm.cu"};
constexpr std::array<std::string_view, 1> uses{"expansion"};

}  // namespace

extern const Family fmm_family;
constinit const Family fmm_family{
    .name = "fmm",
    .meaning =
        "fast multipoles: far cells act on whole cells. Approximate, for errors below 5e-6: expansion, and "
        "alpha or theta as for the tree",
    .usual_rate = 700,
    .sources = sources,
    .kernels = kernels,
    .uses = uses,
    .options = options,
    .gravity_only = "a cell stands for masses only; use tiled",
    .float_only = "its series are summed in single precision; use precision=float, or tiled",
    .no_batch = one_after_the_other,
    .no_sharing = "the tree of a galaxy is on one GPU; use split-by=galaxies, or tiled",
    .forces = queue_fmm,
    .block = walk_block,
    .whole_galaxies = true,
    .scratch_bytes = scratch_bytes,
    .scratch_meaning = "tree",
    .approximate = true,
    .multipoles = true,
    .usual_leaf = 24,
};

}  // namespace orrery::sim::cuda
