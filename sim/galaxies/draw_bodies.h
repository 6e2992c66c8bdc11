#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <vector>

#include "sim/bodies/bodies.h"
#include "sim/core/large_array.h"
#include "sim/core/progress.h"
#include "sim/core/random.h"
#include "sim/core/vec3.h"
#include "sim/galaxies/model.h"

namespace orrery::sim {

/// The number of bodies that draw from one sequence of random numbers.
inline constexpr std::size_t stream_block = 16'384;

/// Tells a watcher of work on several cores how much of it is done.
class SharedTicker {
 public:
  /// `before`: what was done earlier, of the total that the ticker knows.
  explicit SharedTicker(const Ticker& ticker, std::size_t before = 0) : ticker_(ticker), done_(before) {}
  /// `more` bodies are done. Throws Cancelled if the watcher asked for it.
  void add(std::size_t more) { ticker_.at(done_ += more); }

 private:
  const Ticker& ticker_;
  std::atomic<std::size_t> done_;
};

/// Draws the `k`-th of a list. Is called from several threads at once, with the random numbers of its block.
using DrawOne = std::function<void(std::size_t k, Random& random)>;

/// Draws all of 0 .. count - 1, by all cores. The first block goes on with `random`, so that short lists
/// have the bits of a plain loop; the others have seeds drawn from it, so that no bit depends on the number
/// of threads. What `draw` throws is passed on.
void draw_in_blocks(std::size_t count, Random& random, SharedTicker& ticker, const DrawOne& draw);

/// Sorts on all cores.
void sort_in_blocks(LargeArray<double>& values);

/// The sum of `part(first, last)` over fixed blocks of 0 .. count - 1, made by all cores: its bits do
/// not depend on how many there are.
template <typename Sum, typename Part>
Sum sum_in_blocks(std::size_t count, const Part& part) {
  constexpr std::size_t size = 65'536;
  std::vector<Sum> sums((count + size - 1) / size);
#pragma omp parallel for schedule(static)
  for (std::size_t block = 0; block < sums.size(); ++block)
    sums[block] = part(block * size, std::min(count, (block + 1) * size));
  Sum total{};
  for (const Sum& each : sums) total += each;
  return total;
}

/// Calls work(k) for 0 .. count - 1, by all cores. What it throws is passed on.
template <typename Work>
void on_all_cores(std::size_t count, const Work& work) {
  std::exception_ptr failure;
#pragma omp parallel for schedule(dynamic)
  for (std::size_t k = 0; k < count; ++k) {
    try {
      work(k);
    } catch (...) {
#pragma omp critical
      failure = std::current_exception();
    }
  }
  if (failure) std::rethrow_exception(failure);
}

/// The initial position and velocity of a body.
struct DrawnBody {
  DVec3 position;
  DVec3 velocity;
};

/// Draws body `k` with the random numbers of its block. Is called from several threads at once.
using DrawBody = std::function<DrawnBody(std::size_t k, Random& random)>;

/// The k-th of a sequence in (0, 1) whose parts are all spread evenly (multiples of the golden ratio, Weyl
/// 1916): radii drawn with it follow their profile more closely than random ones, in any part of the list.
double even_fraction(std::size_t k, std::uint64_t seed);

/// `count` stars of equal mass, 1 in all, drawn by all cores, in single precision and not centred.
/// Blocks of bodies have seeds of their own, so the bits do not depend on the number of threads. Throws
/// Cancelled if the ticker's watcher asked for it; what `draw` throws is passed on.
Bodies draw_bodies(std::size_t count, std::uint64_t seed, const Ticker& ticker, const DrawBody& draw);

/// Moves the centre of mass to the origin and the total momentum to 0, summed in double precision.
void center(Bodies& bodies);

/// The scene of bodies that are drawn so, centred; its physics is to be set.
Scene drawn_scene(const ModelRequest& request, const DrawBody& draw);

}  // namespace orrery::sim
