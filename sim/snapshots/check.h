#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <span>

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

/// Numbers the bodies from 0 if the file states no ids (`stated`), they make no sense (`usable`) or two have
/// one; says so in the notes if ids were stated.
void settle_ids(Scene& scene, bool stated, bool usable);

/// Takes red, green and blue, whole numbers from 0 to 255 in sRGB, as the colours of the bodies, which are as
/// many. A body with a part that is no number has none. A note says why other numbers are left out. Before
/// bodies are put in another order.
void settle_colors(Scene& scene, std::span<const std::array<double, 3>> colors);

/// Red, green and blue of a colour; white for none.
std::array<std::uint8_t, 3> rgb_of(Color color);

}  // namespace orrery::sim
