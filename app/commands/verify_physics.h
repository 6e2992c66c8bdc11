#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace orrery::app {

/// One of several equal parts of a list of checks, so that several processes can share the list.
struct Part {
  std::size_t number = 1;  ///< from 1 to `count`
  std::size_t count = 1;

  /// True if check k, counted from 0, is in this part.
  bool has(std::size_t k) const { return k % count == number - 1; }
  /// The number of checks in this part if there are `all`.
  std::size_t size_of(std::size_t all) const { return (all + count - number) / count; }
};

/// Leaves out what is not in the part.
template <typename Check>
void keep_part(std::vector<Check>& checks, const Part& part) {
  std::size_t k = 0;
  std::erase_if(checks, [&](const Check&) { return !part.has(k++); });
}

/// Reads "2/4". Throws UsageError unless the text is such a pair with a number from 1 to the count.
Part parse_part(const std::string& text);

/// Options of `verify --physics`.
struct PhysicsVerification {
  std::vector<std::string> assignments;  ///< NAME=VALUE
  bool quick = false;                    ///< leaves out what takes seconds
  Part part;                             ///< the checks to run
  std::string json;                      ///< a file, "-" for standard output, empty: none
};

/// Prints a table of checks with known answers; returns the exit status: 1 if one failed.
int verify_physics(const PhysicsVerification& wanted);

}  // namespace orrery::app
