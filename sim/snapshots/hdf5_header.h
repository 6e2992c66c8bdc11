#pragma once

#include <array>
#include <string>
#include <string_view>

#include "sim/core/vec3.h"
#include "sim/snapshots/hdf5_library.h"
#include "sim/snapshots/unit_names.h"

namespace orrery::sim {

/// The header of a file of Gadget's relatives.
struct Hdf5Header {
  std::string_view code;            ///< program that wrote the file, for people
  bool is_swift = false;            ///< velocities are peculiar, nothing is divided by h
  std::size_t files = 1;            ///< number of files of the snapshot
  double time = 0.0;                ///< time, if the simulation does not expand
  bool expands = false;             ///< lengths are comoving
  double scale = 1.0;               ///< scale factor a
  double hubble = 1.0;              ///< H0 / (100 km/s/Mpc) where units are divided by it
  DVec3 box{};                      ///< size of the periodic box in the file's lengths; 0: none
  std::array<double, 10> masses{};  ///< mass of every body of a type; 0: each body has its own
};

/// Reads the attributes of the groups Header, Cosmology and Parameters, of any width and number.
Hdf5Header header_of(const Hdf5File& file);

/// The first number of an attribute; `otherwise` if there is none or it is not finite.
double hdf5_number(const Hdf5File& file, const std::string& path, const std::string& name, double otherwise);

/// The exponent of the scale factor with which a dataset becomes physical, if it is stated.
double scale_exponent(const Hdf5File& file, const std::string& path, double otherwise);

/// The units stated by Header, Units (SWIFT, EAGLE), Parameters (GADGET-4, AREPO), or the datasets of
/// `group`.
FileUnits units_of(const Hdf5File& file, const std::string& group);

/// G in these units: as stated, else from the units with Gadget's own constant. 0 if neither is there.
double gravity_of(const Hdf5File& file, const FileUnits& units);

}  // namespace orrery::sim
