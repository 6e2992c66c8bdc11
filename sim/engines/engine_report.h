#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace orrery::sim {

/// Something that an engine tells of itself, for people and for JSON, which print facts in their order
/// without knowing them. Nothing is decided by a fact. The views are of string literals.
struct Fact {
  /// Empty: not known.
  using Value = std::variant<std::monostate, std::int64_t, double, std::string>;
  std::string_view key;  ///< key in JSON; never changes
  Value value;
  std::string_view label;  ///< label shown before the value; empty: JSON only
  std::string_view unit;   ///< after the value; "B" is shown with a prefix, "%" means that 1 is the whole
  std::string_view hint;   ///< explanation in one sentence, shown to people; may be empty
};

/// The key of a fact that is there while a long force evaluation is under way: the part of it that is done, 0
/// to 1. Not shown to people as it is.
inline constexpr std::string_view part_done_fact = "part_done";

/// For kernels that do not sum every pair: the mean number of interactions per body, from their total number.
Fact summed_for_each_body(double interactions, std::size_t bodies);

/// For block time steps: the number of block times in the last step, and how often the force on a body was
/// computed on average.
std::vector<Fact> block_step_facts(std::uint32_t block_times, double forces_of_body);

/// The highest rate that one unit of the hardware allows a kernel.
struct RateLimit {
  std::string_view key;    ///< "issue_limit": JSON adds "_gips", and "percent_of_" before it
  std::string_view label;  ///< label shown to people: "issue limit"
  double gips = 0.0;       ///< 1e9 interactions per second, of all devices; 0: not known, or not used
  /// Operations of that unit per interaction; 0: none, or not counted.
  double operations = 0.0;
  std::string_view hint;  ///< as of a Fact
};

/// The limits that some code looks for.
namespace limit_keys {
/// Limit of single-precision arithmetic, with the operations of a plain kernel.
inline constexpr std::string_view fp32 = "limit";
/// Limit of the instructions that the kernel issues ("slots"), counted in its machine code.
inline constexpr std::string_view issue = "issue_limit";
/// Limit of its special functions, such as reciprocal square roots.
inline constexpr std::string_view special = "special_limit";
/// Limit of its double-precision arithmetic.
inline constexpr std::string_view fp64 = "fp64_limit";
}  // namespace limit_keys

/// An engine's report about the kernel and device that compute.
struct EngineReport {
  std::string device;       ///< device that computes; empty: the CPU of this machine
  std::size_t devices = 1;  ///< number of devices that share the work
  bool compiling = false;   ///< another kernel is being compiled; the present one runs on meanwhile
  /// Why the kernel's edited sources do not compile, as the compiler says; the last good kernel runs on.
  /// Empty: they do.
  std::string problem;
  /// How accurate the forces are and what to do, if they are less accurate than was asked for (`accuracy`);
  /// else empty.
  std::string shortfall;
  std::vector<RateLimit> limits;  ///< empty until a kernel runs, and where none are known
  std::vector<Fact> facts;        ///< empty until a kernel runs

  /// The limit with this key; one without numbers if the engine has none.
  RateLimit limit(std::string_view key) const;
  /// Adds the rate of one more device to the limit with that key, which is `limit` itself if there is none.
  void add(const RateLimit& limit);
  /// The number of the fact with this key; 0 if there is none. For tables with columns of their own.
  double number(std::string_view key) const;
  /// The text of the fact with this key; empty if there is none.
  std::string text(std::string_view key) const;
};

}  // namespace orrery::sim
