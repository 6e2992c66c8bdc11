#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "sim/cuda/families/tree_domain_shapes.h"
#include "sim/cuda/multi_gpu/galaxy_cut.h"
#include "sim/engines/engine_state.h"

namespace orrery::sim::cuda {

/// Keeps the domains of a galaxy balanced: moves their borders by the costs of the forces, and says when the
/// galaxy should be cut again. Borders change between evaluations only. A step that is given up goes back to
/// the state before its first evaluation, so that repeated forces have the same bits.
class DomainBalance {
 public:
  /// The cut, whose borders are moved here, must outlive this. `weights`: relative speeds of the GPUs of all
  /// domains.
  DomainBalance(GalaxyCut& cut, std::vector<double> weights);

  /// False from the end of an evaluation until its costs are noted.
  bool is_noted() const { return state_.is_noted != 0; }
  /// Takes the costs of each domain's pieces in the last evaluation; none for a domain without bodies.
  void note(std::vector<std::vector<tree::PieceCost>> costs);
  /// The costs along the curve that were noted last, of pieces with bodies.
  std::vector<tree::PieceCost> costs() const;
  /// Cost of the most expensive domain over the mean.
  double largest_share() const;

  /// Begins an evaluation and notes the costs of the one before. Until its imports are counted, an evaluation
  /// may fail without a trace.
  void begin_evaluation();
  /// Ends an evaluation's forces: `imports` of all bodies were computed by a GPU that does not move them.
  void count_imports(std::size_t imports, std::size_t bodies);
  /// Moves the borders, for the next evaluation.
  void end_evaluation();

  /// A step begins, with the forces of the last evaluation or without.
  void begin_step(bool with_forces);
  /// The step under way is given up: the next evaluation is the one whose forces the step began with.
  void give_up_step();

  /// The galaxy is to be cut again.
  bool is_due() const { return state_.is_due != 0; }
  /// Notes that the galaxy was cut by what bodies cost.
  void note_measured_cut() { state_.is_measured = 1; }

  /// Saves the balance, once the costs are noted. `within_step`: as it was when the step under way began.
  void save(EngineState& state, bool within_step) const;
  /// Takes the balance from a state. False, and nothing changes, where the state has none for these domains.
  bool take(const EngineState& state);

 private:
  /// All that the decisions depend on, as checkpoints have it.
  struct State {
    std::uint32_t evaluations = 0;  ///< since the galaxy was cut
    std::uint32_t is_measured = 0, is_due = 0;
    std::uint32_t is_noted = 1;
    double wasted = 0.0;  ///< evaluations that could have been made in the time that imports took
    std::array<std::uint64_t, tree::most_domains> begins{};  ///< GalaxyCut::borders of the next evaluation
    std::array<std::uint64_t, tree::most_domains> later{};   ///< borders of the evaluation after the next
  };
  State present() const;
  void go_on_from(const State& state);
  bool is_valid(const State& state) const;

  GalaxyCut& cut_;
  std::vector<double> weights_;
  State state_;                ///< present state; `begins` is in cut_
  std::optional<State> last_;  ///< at the start of the last evaluation
  std::optional<State> step_;  ///< at the start of the evaluation with which the step began
  std::vector<std::vector<tree::PieceCost>> costs_;
};

}  // namespace orrery::sim::cuda
