#pragma once

#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

#include "sim/cuda/options/gpu_options.h"
#include "sim/options/configuration.h"
#include "sim/options/engine_option.h"

// Pieces that descriptions of CUDA options are put together from.
namespace orrery::sim {

/// The choices of a configuration, and the sizes of its numbers.
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

/// Options of the group "cuda", inactive for other engines: one of some names, a whole number, on or off.
inline Option choice(std::string name, std::string meaning, std::string value,
                     std::vector<std::string> choices, std::vector<std::string> meanings) {
  return {.name = std::move(name),
          .group = "cuda",
          .meaning = std::move(meaning),
          .kind = OptionKind::choice,
          .default_value = std::move(value),
          .choices = std::move(choices),
          .choice_meanings = std::move(meanings),
          .inactive = needs_cuda};
}

/// A whole number.
inline Option integer(std::string name, std::string meaning, std::int64_t value, double minimum,
                      double maximum) {
  return {.name = std::move(name),
          .group = "cuda",
          .meaning = std::move(meaning),
          .kind = OptionKind::integer,
          .default_value = value,
          .minimum = minimum,
          .maximum = maximum,
          .logarithmic = true,
          .inactive = needs_cuda};
}

/// An option that is on or off.
inline Option flag(std::string name, std::string meaning, bool value) {
  return {.name = std::move(name),
          .group = "cuda",
          .meaning = std::move(meaning),
          .default_value = value,
          .inactive = needs_cuda};
}

/// An option that changes nothing but the time.
inline Option only_speed(Option option) {
  option.scope = OptionScope::speed;
  return option;
}

/// The macro of an option in device code, and its rank for tuning.
inline Option with_macro(Option option, std::string macro, int tuning_rank = 0) {
  option.macro = std::move(macro);
  option.tuning_rank = tuning_rank;
  return option;
}

}  // namespace orrery::sim
