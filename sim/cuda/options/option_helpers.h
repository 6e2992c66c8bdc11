#pragma once

#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

#include "sim/cuda/options/gpu_options.h"
#include "sim/options/engine_option.h"

// Pieces that descriptions of CUDA options are put together from.
namespace orrery::sim {

/// Bytes of a number of the state.
inline double real_bytes(const Configuration& c) { return gpu_options(c).has_double_precision() ? 8.0 : 4.0; }

/// Why CUDA options do nothing; empty if they do.
inline std::string needs_cuda(const Configuration& c) {
  return is_on_gpu(c) ? std::string() : "only the CUDA engine uses it";
}

/// A conflict that is looked at only while the CUDA engine is chosen.
template <typename Reason>
OptionConflict on_cuda(Reason reason) {
  return [reason](const OptionValue& value, const Configuration& rest, const OptionContext& context) {
    return is_on_gpu(rest) ? std::string(reason(value, rest, context)) : std::string();
  };
}

/// An option of the group "cuda", without effect for other engines.
inline Description cuda_option(std::string name, std::string meaning) {
  return described(std::move(name), "cuda", "", std::move(meaning)).unless(needs_cuda);
}

/// One of some names.
inline Description choice(std::string name, std::string meaning, const char* value,
                          std::vector<std::string> choices, std::vector<std::string> meanings) {
  return cuda_option(std::move(name), std::move(meaning))
      .chosen(std::move(choices), std::move(meanings))
      .initially(value);
}

/// A whole number.
inline Description integer(std::string name, std::string meaning, std::int64_t value, double minimum,
                           double maximum) {
  return cuda_option(std::move(name), std::move(meaning)).scaled(minimum, maximum).initially(value);
}

}  // namespace orrery::sim
