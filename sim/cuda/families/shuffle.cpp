#include <array>

#include "cuda_families.h"
#include "sim/cuda/families/shared_memory.h"

namespace orrery::sim::cuda {

namespace {
constexpr std::array<std::string_view, 1> shuffle_sources{"shuffle.cu"};
constexpr std::array<std::string_view, 2> shuffle_uses{"block", "unroll"};
}  // namespace

constinit const Family shuffle_family{
    .name = "shuffle",
    .meaning = "sources passed around the warp by shuffles, no shared memory (future work of COM4521)",
    .usual_rate = 1320,
    .code = {.files = shuffle_sources},
    .uses = shuffle_uses,
    .batch = batch_of_threads,
    .targets = Targets::before_tracers,
};

}  // namespace orrery::sim::cuda
