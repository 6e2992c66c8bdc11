#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "sim/options/configuration.h"

namespace orrery::lab {

/// The problem for which a remembered configuration is the best.
struct TunedKey {
  std::string device;  ///< the GPU, or the CPU for the CPU engine
  std::string engine;
  std::uint64_t bodies = 0;  ///< bodies per galaxy, rounded to the nearest power of two
  std::uint64_t galaxies = 0;
  std::string precision;
  std::string force_law;
  friend bool operator==(const TunedKey&, const TunedKey&) = default;
};

/// The key of a configuration on this machine, for a dataset of that many bodies and galaxies.
TunedKey tuned_key(const sim::Configuration& configuration, const sim::OptionContext& context);
/// "cpu on Intel ..., 1 x 16384 bodies, float, gravity".
std::string describe(const TunedKey& key);

/// The result of `orrery tune`.
struct TunedResult {
  TunedKey key;
  std::vector<std::pair<std::string, std::string>> settings;  ///< options and values, as --set takes them
  double gips = 0.0;          ///< kernel rate, measured alternating with the default's
  double default_gips = 0.0;  ///< kernel rate with the defaults
};

/// The remembered results: tuned.json in the user's configuration folder. What is damaged in it is left out,
/// and `problem` says so; it is then empty or holds the rest.
std::vector<TunedResult> read_tuned(std::string& problem);
/// Throws sim::Error, with what to do, if no result could be remembered. For before the search.
void require_place_for_tuned();
/// Adds a result, in place of an older one of its key; the file is replaced at once or not at all. What other
/// programs remember at the same time stays. Throws sim::Error.
void remember_tuned(const TunedResult& result);

/// Sets what is remembered for the engine of `configuration` and a dataset of that context. Names in
/// `assignments` (name=value) win; if they ask for another kernel or family than the remembered one, or the
/// result is refused today, nothing is set. Returns one line that says what was done; empty: nothing is
/// remembered.
std::string apply_tuned(const sim::OptionTable& table, sim::Configuration& configuration,
                        const std::vector<TunedResult>& results, const sim::OptionContext& context,
                        const std::vector<std::string>& assignments);

}  // namespace orrery::lab
