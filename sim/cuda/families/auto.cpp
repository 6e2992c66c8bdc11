#include "cuda_families.h"

namespace orrery::sim::cuda {

namespace {

/// Engines take the tree or the first family by the number of bodies (sim/simulation/accurate_engine.h).
/// Code that asks families directly gets the tree, which is right for any number.
Family tree_by_choice() {
  Family family = tree_family;
  family.name = "auto";
  family.meaning = "tiled for few bodies, tree for many: whichever is faster at the requested accuracy";
  return family;
}

}  // namespace

/// tree_family is a constant: it is there before this is made.
const Family auto_family = tree_by_choice();

}  // namespace orrery::sim::cuda
