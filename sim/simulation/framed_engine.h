#pragma once

#include <memory>
#include <string>

#include "sim/engines/engine_decorator.h"
#include "sim/simulation/frame.h"

namespace orrery::sim {

/// An engine that computes in a frame of its own (Frame): the border between the numbers of the dataset,
/// which everybody else sees, and those of the engine within. Positions count from the origin of the bodies
/// on both sides; the positions of the configuration count from 0, and are moved here. The frame is chosen
/// when bodies are loaded and stays. In the plain frame everything goes through untouched. Bodies that fly
/// together much faster than they move among themselves are seen from a place that flies along, unless
/// something looks at absolute places or velocities: external fields, charges, activity maps, the plane.
/// It is also where a configuration is checked, once for all engines within.
class FramedEngine final : public EngineDecorator {
 public:
  /// `options` must outlive this engine.
  FramedEngine(std::unique_ptr<Engine> engine, const OptionTable& options,
               const Configuration& configuration);

  void load(const Bodies& bodies, double time) override;
  /// Throws UsageError if the options refuse the configuration for these bodies.
  void configure(const Configuration& configuration) override;
  /// Vertices that a device writes during a step are in its frame.
  void set_next_target(const VertexTarget& target) override;
  bool writes_in_passing() const override { return plain() && inner().writes_in_passing(); }
  /// Writes in the dataset's numbers: a device gets the frame along with the target.
  void write_vertices(const VertexTarget& target) override;
  MapSpec map() const override;
  void read_back(Bodies& bodies) override;
  EngineState save_state() override;
  bool restore_state(const EngineState& state) override;
  EngineStatus status() const override;
  Samples poll() override;

  /// The one in force.
  const Frame& frame() const { return seen_.frame; }
  /// The velocity of the place from which the engine within sees the bodies.
  const DVec3& motion() const { return seen_.motion; }

 private:
  Configuration within(const Configuration& configuration) const;
  bool is_still() const { return seen_.motion == DVec3{}; }
  bool plain() const { return seen_.frame.plain() && is_still(); }
  /// The position of the moving origin at a time of the dataset.
  DVec3 place_at(double time) const { return (time - seen_.start) * seen_.motion; }
  void load_in_frame(const Bodies& bodies, double time);
  void stand_still(const Configuration& configuration);
  std::string form() const;
  void check(const Configuration& configuration) const;
  bool changes_nothing() const { return seen_.frame.plain() && seen_.origin == DVec3{}; }

  const OptionTable& options_;
  Configuration configuration_;  ///< configuration in the dataset's units
  /// How the engine within sees the bodies that are loaded.
  struct View {
    Frame frame;
    DVec3 origin;        ///< origin of the bodies
    DVec3 motion;        ///< velocity of the frame, in the dataset's units
    double start = 0.0;  ///< when the moving place was at the origin
  };
  View seen_;
  Bodies loaded_;          ///< loaded bodies of a moving frame, in case it has to stop moving
  OptionContext context_;  ///< context of the loaded bodies
};

}  // namespace orrery::sim
