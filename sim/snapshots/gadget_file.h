#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/core/mapped_file.h"

namespace orrery::sim {

/// Gas, halo, disk, bulge, stars, boundary (or black holes).
inline constexpr std::size_t gadget_types = 6;

/// The header of Gadget-1 and -2 (allvars.h of Gadget-2): 256 bytes, of which these are used.
struct GadgetHeader {
  std::array<std::uint32_t, gadget_types> counts{};  ///< bodies of each type in this file
  std::array<double, gadget_types> masses{};  ///< mass of every body of the type; 0: each body has its own
  double time = 0.0;                          ///< or the scale factor
  double redshift = 0.0;
  double box = 0.0;             ///< side of the periodic box; 0: none
  double matter_density = 0.0;  ///< Omega0; 0: not cosmological
  double hubble = 0.0;          ///< H0 / (100 km/s/Mpc)
  std::uint32_t files = 1;      ///< number of files of the snapshot

  /// Bodies of all types in this file.
  std::uint64_t total() const;
  /// Bodies whose masses are in the block MASS.
  std::uint64_t with_own_mass() const;
  /// True if lengths and velocities are comoving: `time` is the scale factor that belongs to the redshift.
  bool is_cosmological() const;
};

/// One record of the file: POS, VEL, ID, MASS, or the label of another one; "?" where format 1 names none.
struct GadgetBlock {
  std::string label;
  std::span<const std::byte> bytes;  ///< bytes of the record in the file
};

/// One file, divided into its blocks.
struct GadgetFile {
  GadgetHeader header;
  int format = 1;  ///< 2: blocks have labels
  bool big_endian = false;
  std::vector<GadgetBlock> blocks;  ///< after the header

  /// The block of that label; empty if there is none.
  std::span<const std::byte> block(std::string_view label) const;
};

/// True if the first record has the size of a header, or is a label, and ends as it should.
bool looks_like_gadget(std::span<const std::byte> bytes);

/// Checks that records follow each other without a gap, each between two equal lengths, and names them. In
/// format 1 the order and the sizes say which is which. Throws Error with one line.
GadgetFile parse_gadget(const FileView& file);

}  // namespace orrery::sim
