#include <algorithm>
#include <stdexcept>

#include "cuda_families.h"
#include "sim/cuda/options/gpu_options.h"

namespace orrery::sim::cuda {

bool Family::uses_option(std::string_view option) const {
  return std::ranges::find(uses, option) != uses.end();
}

std::span<const Family* const> families() { return registry::families; }

const Family& family_named(std::string_view name) {
  const auto found = std::ranges::find(registry::families, name, &Family::name);
  if (found == registry::families.end())
    throw std::out_of_range("unknown kernel family: " + std::string(name));
  return **found;
}

const Family& family_of(const Configuration& c) {
  const auto options = gpu_options(c);
  const auto& family = family_named(options.family);
  return options.is_fused() && family.fused != nullptr ? *family.fused : family;
}

}  // namespace orrery::sim::cuda
