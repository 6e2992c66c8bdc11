#include "sim/cpu/tree/domain_cut.h"

#include <algorithm>

namespace orrery::sim {

std::vector<CurvePlace> cut_curve(std::vector<CurvePiece> pieces, std::size_t workers) {
  std::ranges::sort(pieces, {}, &CurvePiece::begin);
  double all = 0.0;
  for (const auto& piece : pieces) all += piece.work;
  std::vector<CurvePlace> begins;
  std::size_t next = 0;
  double sum = 0.0;
  for (std::size_t w = 1; w < workers; ++w) {
    const double wanted = all * static_cast<double>(w) / static_cast<double>(workers);
    // One piece at least to the worker before, and to each of those to come.
    const std::size_t least = next + 1, most = pieces.size() - (workers - w);
    while (next < least || (next < most && sum + 0.5 * pieces[next].work < wanted))
      sum += pieces[next++].work;
    begins.push_back(pieces[next].begin);
  }
  return begins;
}

}  // namespace orrery::sim
