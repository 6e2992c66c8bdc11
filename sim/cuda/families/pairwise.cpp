#include <array>

#include "cuda_families.h"
#include "sim/cuda/families/shared_memory.h"

namespace orrery::sim::cuda {

namespace {
constexpr std::array<std::string_view, 1> pairwise_sources{"pairwise.cu"};
constexpr std::array<std::string_view, 2> pairwise_uses{"block", "unroll"};
}  // namespace

constinit const Family pairwise_family{
    .name = "pairwise",
    .meaning = "one thread per body, sources from global memory (the first GPU rungs)",
    .usual_rate = 250,
    .code = {.files = pairwise_sources},
    .uses = pairwise_uses,
    .constant_ranges = true,
    .half_warps = true,
    .batch = batch_of_threads,
    .targets = Targets::before_tracers,
    .jerks = true,
};

}  // namespace orrery::sim::cuda
