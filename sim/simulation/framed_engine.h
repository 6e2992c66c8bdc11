#pragma once

#include <memory>
#include <string>
#include <vector>

#include "sim/bodies/bodies.h"
#include "sim/engines/engine_decorator.h"
#include "sim/physics/physics.h"

// The units in which engines compute. Datasets come in any: in SI units a body has 2e30 kg and stands 1e17 m
// away, and the cube of a distance, or a mass over it, leaves single precision.
namespace orrery::sim {

/// Factors for the numbers of a dataset inside an engine: powers of two, so that nothing is rounded
/// on the way there and back. Times are multiplied by length / velocity.
struct Frame {
  double mass = 1.0;
  double length = 1.0;
  double velocity = 1.0;
  double charge = 1.0;

  double time() const { return length / velocity; }
  double acceleration() const { return velocity * velocity / length; }
  Frame inverse() const { return {1.0 / mass, 1.0 / length, 1.0 / velocity, 1.0 / charge}; }
  /// True if nothing is multiplied.
  bool plain() const { return *this == Frame{}; }
  friend bool operator==(const Frame&, const Frame&) = default;
};

/// The frame in which the size of these bodies (the radius about their median place that holds half of them),
/// their mass and their speed are near 1. Of bodies whose numbers leave single precision room on all sides
/// the plain one: they keep their bits, and are drawn in place. `gravitational_constant` counts where nothing
/// moves. Looks at some thousand bodies at most.
Frame frame_of(const Bodies& bodies, double gravitational_constant);

/// The velocity that bodies have in common, along each axis on which it is 256 or more times what they differ
/// by (the radius of half of them in the space of velocities), else 0. Single precision then has no digits
/// left for what goes on within, and none for a kick. A round number: taken off and put back, every velocity
/// has its bits again; where one has not, 0.
DVec3 common_velocity(const Bodies& bodies);
/// Places and velocities as seen from a place that moves: counted from `place`, which has the
/// velocity `of_place`. Rounded to single precision.
void see_from(std::vector<Vec3>& position, std::vector<Vec3>& velocity, const DVec3& place,
              const DVec3& of_place);

/// Every component times `factor`.
Vec3 rescaled(const Vec3& v, double factor);
/// Positions, velocities, masses and charges.
void scale_state(Bodies& bodies, const Frame& frame);
/// The physics with everything that has a unit converted, so that the bodies move as before.
Physics in_frame(Physics physics, const Frame& frame);

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
  /// The view that the inner engine has of the loaded bodies.
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
