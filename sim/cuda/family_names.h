#pragma once

#include <array>
#include <string_view>

namespace orrery::sim::cuda {

/// A kernel family as the options describe it. Known also where the engine is absent.
struct FamilyName {
  std::string_view name;
  std::string_view meaning;
};

/// All families, the default first. kernel_source.cpp has the device code of each.
inline constexpr std::array<FamilyName, 11> family_names{{
    {"tiled", "sources staged through shared memory, a tile at a time (NVIDIA; the tiled rungs)"},
    {"pairwise", "one thread a body, sources from global memory (the first GPU rungs)"},
    {"galaxy-block", "one block a galaxy, bodies strided over its threads, staged or not (ECE415 2025)"},
    {"tiled-2d", "sources split among threads too, partial sums added by a second kernel (ECE1782)"},
    {"pairs-atomic", "N x N threads, one pair each, added atomically (COM4521)"},
    {"pairs-matrix", "N x N threads write a force matrix, one thread a row adds it (COM4521)"},
    {"force-matrix", "the same in blocks of 16 x 16, one block a row adds it (the electric report)"},
    {"register-split",
     "several bodies a thread, sources split over rows of blocks, equal masses out of the loop"},
    {"tensor-sum", "distances in FP32, the sum of forces as a product on tensor cores"},
    {"tensor", "distances and sum as products on tensor cores, close pairs in FP32"},
    {"tensor-pairs", "the same, every pair of bodies once for the sums of both"},
}};

}  // namespace orrery::sim::cuda
