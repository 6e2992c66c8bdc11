#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/scene/scene.h"
#include "sim/snapshots/format.h"

namespace orrery::sim {

/// Checks that every reader's result must pass before the program works with it. Throws Error for no bodies,
/// numbers that are not finite in single precision and negative masses (naming the body, counted from 1 in
/// the file's order); adds notes for massless and for coincident bodies (counted up to 4 million bodies).
/// O(N) and O(N) memory.
void check_bodies(Scene& scene, const std::filesystem::path& path, LoadProgress* progress);

/// The number of bodies that share their place with an earlier body of the same galaxy.
std::size_t count_coincident(const Bodies& bodies);

/// Gives every body the mass 1/N, for files without masses, and says so in the notes.
void assume_equal_masses(Scene& scene);

/// Says in the notes that masses are missing, for files in which they are missing (`stated` is false): where
/// all are, every body gets the mass 1/N.
void settle_masses(Scene& scene, bool stated);

/// If bodies have charges: suggests the electric law with an integrator and says so in the notes. For files
/// that do not state their law.
void suggest_force_law(Scene& scene);

/// Says in the notes how many masses became 0, if some did.
void note_vanished(Scene& scene, const RoundedMasses& masses);

/// Marks the scene as one of positions only and says so in the notes.
void assume_no_velocities(Scene& scene);

/// Puts the bodies in the order of their galaxies, numbers these from 0, and says so in the notes. For files
/// that state galaxies.
void settle_galaxies(Scene& scene);

/// True if no two ids are the same.
bool all_different(std::span<const std::uint64_t> ids);

/// Numbers the bodies from 0 if the file states no ids (`stated`), they make no sense (`usable`) or two have
/// one; says so in the notes if ids were stated.
void settle_ids(Scene& scene, bool stated, bool usable);

/// Takes red, green and blue, whole numbers from 0 to 255 in sRGB, as the colours of the bodies, which are as
/// many. A body with a part that is no number has none. A note says why other numbers are left out. Before
/// bodies are put in another order.
void settle_colors(Scene& scene, std::span<const std::array<double, 3>> colors);

/// For formats of gravity alone: throws Error for a scene of several galaxies, or with charges. `format`
/// begins the message ("Gadget files hold"), `others` end it ("bin or csv").
void require_one_galaxy(const Scene& scene, const FileWriter& out, std::string_view format,
                        std::string_view others);

/// The files of a snapshot that has `count` of them, in their order: `path` is one, and its number stands
/// before its extension or is that ("snap_002.3", "snap_002.3.hdf5"). The path alone, with a note, if there
/// is no such number. Throws Error if one is missing.
std::vector<std::filesystem::path> files_of_snapshot(const std::filesystem::path& path, std::size_t count,
                                                     std::vector<std::string>& notes);

/// Red, green and blue of a colour; white for none.
std::array<std::uint8_t, 3> rgb_of(Color color);

}  // namespace orrery::sim
