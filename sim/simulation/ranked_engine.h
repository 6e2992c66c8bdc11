#pragma once

#include <memory>

#include "sim/activity/map_options.h"
#include "sim/engines/engine.h"
#include "sim/ranks/communicator.h"
#include "sim/ranks/split.h"

namespace orrery::sim {

/// One engine out of those of all ranks: each computes a share of the dataset with the engine that it wraps.
/// Engines that share galaxies themselves (TeamEngine) have all bodies, of which each moves its own.
///
/// Every rank calls every function except the const ones, in the same order with the same arguments. What one
/// rank throws, all throw (SharedError). The whole state goes to rank 0: elsewhere
/// write_vertices() writes nothing, read_back() gives this rank's share only and poll() no forces. Force and
/// update times are those of the slowest rank, as of the last finish(). Each rank counts the bodies that it
/// moves in the activity map, and write_vertices() adds the counts on rank 0. Load again after a failure.
class RankedEngine final : public Engine {
 public:
  /// `inner`: an engine of this rank's configuration. `ranks` must outlive this engine.
  RankedEngine(std::unique_ptr<Engine> inner, const Configuration& configuration, Communicator& ranks);

  const EngineKind& kind() const override { return inner_->kind(); }
  void load(const Bodies& bodies, double time) override;
  void configure(const Configuration& configuration) override;
  bool advance(const WorkBudget& budget) override;
  /// Writes into host memory only, whatever the engine's kind prefers.
  void write_vertices(const VertexTarget& target) override;
  MapSpec map() const override { return map_.spec(); }
  void read_back(Bodies& bodies) override;
  void finish() override;
  EngineStatus status() const override { return {.time = time_, .steps = steps_, .timings = timings_}; }
  /// The report of this rank.
  EngineReport report() const override;
  /// Requests force samples only: timelines belong to one process.
  void observe(const SampleRequest& wanted) override;
  Samples poll() override;

 private:
  /// The two ends of an exchange: this rank's bodies of all bodies.
  class Exchange final : public StateExchange {
   public:
    Exchange(Communicator& ranks, const std::vector<std::size_t>& bounds) : ranks_(ranks), bounds_(bounds) {}
    std::size_t worker() const override { return static_cast<std::size_t>(ranks_.rank()); }
    std::size_t workers() const override { return static_cast<std::size_t>(ranks_.size()); }
    void share(std::span<Vec3> vectors) override { share(vectors, bounds_); }
    void share(std::span<Vec3> vectors, std::span<const std::size_t> bounds) override;
    bool all(bool mine) override;

   private:
    Communicator& ranks_;
    const std::vector<std::size_t>& bounds_;
  };

  std::optional<ForceSample> collect_forces();
  void add_up_interactions(double mine);
  void cut_again();
  Configuration of_rank(const Configuration& configuration) const;
  void choose_map(const Configuration& configuration);
  std::vector<std::uint32_t> read_share(bool with_map);
  void collect_share(Bodies& bodies);
  void publish_map(std::vector<std::uint32_t> counts, float* to);
  bool idle() const { return share_.held.empty(); }
  void check_same_everywhere(const Bodies& bodies);
  void load_share(const Bodies& bodies, double time);
  void place_share(std::span<const Vec3> held, std::span<Vec3> all) const;
  void bring_together(std::span<const Vec3> held, std::span<Vec3> all);
  void bring(std::span<const Vec3> own, std::span<Vec3> all, bool to_every_rank);

  std::unique_ptr<Engine> inner_;
  Communicator& ranks_;
  Configuration configuration_;
  Split split_ = Split::galaxies;
  Partition share_;                  ///< this rank's
  std::vector<std::size_t> bounds_;  ///< target ranges of all ranks
  Exchange exchange_;
  TeamEngine* team_ = nullptr;  ///< the inner engine, where it shares galaxies itself
  ChosenMap map_;               ///< map of all bodies; the inner engine counts in the same cells
  std::vector<GalaxyRange> galaxies_;
  std::vector<float> mass_;  ///< masses of all bodies
  std::vector<float> charge_;
  Bodies held_;  ///< as large as the share; positions and velocities are read into it
  double time_ = 0.0;
  std::uint64_t steps_ = 0;
  StepTimings timings_;
  SampleRequest sample_wanted_;        ///< forces: 0 if none are
  std::optional<ForceSample> sample_;  ///< the inner engine's sample, until all ranks have theirs
  std::optional<Samples> collected_;   ///< samples of all ranks, taken before the domains were cut
};

/// An engine as make_engine makes it; with several ranks, one out of those of all. Every rank calls it. Where
/// no GPUs are listed, each rank takes the one of its number on its machine, modulo their number. Throws
/// UsageError, or SharedError with several ranks.
std::unique_ptr<Engine> make_ranked_engine(const OptionTable& options, const Configuration& configuration,
                                           Communicator& ranks);

}  // namespace orrery::sim
