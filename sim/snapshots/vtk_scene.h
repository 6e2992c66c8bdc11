#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/snapshots/format.h"
#include "sim/snapshots/named_triple.h"
#include "sim/snapshots/rounding.h"
#include "sim/snapshots/vtk_values.h"

// Between named arrays of a file and a scene.
namespace orrery::sim {

/// The name that VTK gives to the time of a file.
inline constexpr std::string_view vtk_time_name = "TimeValue";

/// Puts a scene together from the arrays of a file, in the order in which they stand. Data that is no
/// quantity of a body is left out with a note.
class VtkSceneMaker {
 public:
  /// Places in double precision count from the rounding's origin, if all are.
  VtkSceneMaker(const FileView& file, const Rounding& rounding) : file_(file), rounding_(rounding) {}

  /// True if data() makes use of an array of that name; asked before it is decoded.
  bool wants(std::string_view name);
  /// The bodies, at these positions (three components); called once, first.
  void add_points(const VtkArray& points);
  /// A quantity of the bodies.
  void add_data(const VtkArray& data);
  /// Data of the whole file: time, physics, title.
  void add_field(const VtkArray& field);

  /// `source` for Scene::source. Throws Error for what makes no sense.
  Scene take(std::string source);

 private:
  enum class Quantity { none, velocity, vx, vy, vz, mass, charge, id, component, galaxy, color };
  static Quantity quantity_of(std::string_view name);

  bool take_part(const VtkArray& data);
  void take_colors(const VtkArray& data);
  void take_vector(const VtkArray& data);
  void take_scalar(const VtkArray& data, Quantity quantity, std::size_t i);
  void take_physics_field(const VtkArray& field);
  void settle_physics();
  void settle_velocities();
  void leave_out(const NamedTriple& parts);
  void note_left_out();

  const FileView& file_;
  Rounding rounding_;
  Scene scene_;
  bool has_velocities_ = false, has_masses_ = false, has_ids_ = false, has_galaxies_ = false;
  /// Triples of arrays: vx, vy, vz; the letters u, v, w.
  NamedTriple velocity_parts_, velocity_letters_;
  bool bad_ids_ = false;
  std::size_t unknown_components_ = 0;
  std::vector<std::string> stated_;    ///< names of physics
  std::vector<std::string> left_out_;  ///< names of arrays
};

}  // namespace orrery::sim
