#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/snapshots/format.h"
#include "sim/snapshots/named_array.h"

// Arrays with names, one for each quantity of the bodies: NumPy, FITS, VOTable, VTK, and HDF5 without
// groups of types.
namespace orrery::sim {

/// The common name of what `name` means: "position", "velocity", "x", "vx", "mass", ..., after the table of
/// column names and those of vectors. Empty: no quantity of a body.
std::string quantity_named(std::string_view name);

/// True if names of columns give directions on the sky and no Cartesian positions.
bool is_sky_table(std::span<const std::string> names);
/// True if the names give positions: x and y, an array of positions, or directions on the sky.
bool names_places(std::span<const std::string> names);
/// True if an array of that name, among `all`, is needed to make a scene of them.
bool needs_array(std::string_view name, std::span<const std::string> all);

/// Arrays of these names: those that are needed as `read(k)` gives them, and of the others the names.
std::vector<NamedArray> needed_arrays(std::span<const std::string> names, Progress* progress,
                                      const std::function<NamedArray(std::size_t k)>& read);

/// Makes a scene of arrays, one tuple for each body. Names decide as in the header of a text table;
/// directions on the sky are placed (sky_scene()). Of several times, the first is taken. What is no quantity
/// of a body is left out with a note. `states_law`: the file says its force law, so that charges suggest
/// none. Throws Error with one line.
Scene scene_of_arrays(const FileView& file, std::vector<NamedArray> arrays, const ReadOptions& options,
                      const std::string& source, bool states_law = false);

/// Makes a scene of a matrix without names: its rows are bodies. The columns are decided by
/// columns_of_numbers(), and a note says what was assumed. Throws Error for an unknown layout.
Scene scene_of_matrix(const FileView& file, const NamedArray& rows, const ReadOptions& options,
                      const std::string& source);

/// `count` numbers in double precision.
NamedArray array_of_numbers(std::string name, std::size_t count,
                            const std::function<double(std::size_t)>& number);

}  // namespace orrery::sim
