#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "sim/cpu/kernel.h"
#include "sim/cpu/tree/domain_cut.h"
#include "sim/cpu/tree/essential_tree.h"
#include "sim/cpu/tree/group_task.h"
#include "sim/engines/domain_exchange.h"

namespace orrery::sim {

/// The forces of trees where each of several workers has the bodies of a stretch of Hilbert's curve, its
/// domain.
///
/// Bodies that have left the stretch of the worker that moves them are imports of another one for an
/// evaluation. Each builds the tree of the bodies in its stretch, on the grid around all of a galaxy. It
/// tells the others the top of it, in whose boxes its bodies are and how weakly they are pulled there, and
/// sends each what its boxes need (essential_tree). While that travels its groups walk its own tree; then
/// they walk what has come. The forces have the error of one worker's. Their bits depend on the number of
/// workers, not on that of threads.
class DomainForces {
 public:
  explicit DomainForces(DomainExchange& exchange) : exchange_(exchange) {}

  /// Sets the bodies of the problems. At least one; all workers have different ones.
  void take(DomainBodies bodies) { held_ = std::move(bodies); }
  /// Fills problem.acceleration and problem.interactions, and proposes who should get which bodies. False
  /// on all workers if some worker was interrupted; what is exchanged is exchanged all the same. Throws
  /// std::bad_alloc.
  bool evaluate(const ForceProblem& problem, GroupFunction* sum_group);

  /// Called with what others told and with what goes to them: tests break it.
  std::function<void(std::vector<DomainBox>&)> change_boxes;
  std::function<void(EssentialTree&)> change_essential;

 private:
  /// The part of a galaxy that another worker has announced.
  struct Neighbour {
    std::size_t worker = 0;
    std::vector<TreeNode> top;
    std::vector<DomainBox> boxes;
  };
  struct Galaxy {
    Octree tree;
    Box around;  ///< all of its bodies, of all workers
    TreeTop top;
    std::vector<Neighbour> neighbours;  ///< neighbouring domains, one entry per worker
    std::optional<WalkTable> table, top_table;
    const WalkTable* tables[2] = {};  ///< these two
    std::vector<float> pulls;         ///< coarse ones of the groups
    std::vector<Vec3> acceleration;
    std::vector<double> work;  ///< work of each group
    std::vector<EssentialTree> received;
  };

  /// A body that is in another worker's stretch of the curve, as it goes there for one evaluation.
  struct Guest {
    std::uint32_t galaxy = 0, index = 0;
    Vec3 position;
    float mass = 0.0F;
  };

  void find_surroundings(const ForceProblem& problem);
  void find_keys(const ForceProblem& problem);
  std::size_t worker_of(const CurvePlace& place) const;
  void receive_imports(const ForceProblem& problem);
  void fill_bodies(const ForceProblem& problem, std::span<const Guest> imports);
  void return_imports(const ForceProblem& problem);
  std::uint64_t evaluate_here(const ForceProblem& problem);
  void build(const ForceProblem& problem);
  std::vector<Bytes> to_all(const Bytes& message) const;
  Bytes packed_tops() const;
  void take_tops(std::size_t worker, const Bytes& message);
  void fill_tables(const ForceProblem& problem, Galaxy& galaxy);
  void find_pulls(const ForceProblem& problem, std::size_t k);
  Bytes packed_factors(const ForceProblem& problem) const;
  void take_factors(std::size_t worker, const Bytes& message);
  std::vector<Bytes> packed_essentials();
  void take_essentials(const Bytes& message);
  std::uint64_t walk(const ForceProblem& problem, std::size_t k, const GroupWalk::Trees& trees, bool add,
                     const std::function<void()>& meanwhile);
  std::uint64_t walk_received(const ForceProblem& problem, std::size_t k);
  void scatter(const ForceProblem& problem) const;
  CurvePlace place_of(std::size_t k, std::size_t place) const;
  std::vector<CurvePiece> pieces(const ForceProblem& problem) const;
  void propose(const ForceProblem& problem);
  Galaxy* find(std::uint32_t number);

  DomainExchange& exchange_;
  DomainBodies held_;                  ///< those of the problem
  std::vector<std::uint32_t> number_;  ///< galaxy number of each held body
  std::vector<std::uint64_t> keys_;    ///< curve key of each held body
  std::vector<Box> around_;            ///< each of all galaxies that is held here, or has come here
  std::vector<CurvePlace> begins_;     ///< first curve position of each domain but the first, from the last
                                       ///< evaluation; empty before one
  /// Held bodies that each other worker has as imports, and bodies of the dataset that are its imports here.
  std::vector<std::vector<std::uint32_t>> away_, imports_;
  DomainBodies bodies_;  ///< those of this worker's stretch, imports too
  std::vector<Vec3> position_, acceleration_;
  std::vector<float> mass_;
  std::vector<GalaxyRange> galaxies_here_;
  std::vector<Galaxy> galaxies_;
  GroupFunction* sum_group_ = nullptr;
  std::span<const GalaxyRange> ranges_;
  bool guarded_ = false;
};

}  // namespace orrery::sim
