#pragma once

#include <string>
#include <vector>

#include "lab/ladders/ladder_benchmark.h"
#include "lab/setup/progress_line.h"

namespace orrery::lab {

/// Says which rung is measured: each is announced on standard error, and a line shows how far all of them
/// are.
class LadderAnnouncer {
 public:
  /// `work`: what stands in front of the line. The problems are those that will be measured.
  LadderAnnouncer(std::string work, const std::vector<LadderProblem>& problems);

  /// A watcher for measure_ladder with that ladder, which must outlive the measurement.
  RungWatch watch(const Ladder& ladder);
  void finished(const Ladder& ladder) { before_ += ladder.rungs.size(); }
  ProgressLine& line() { return line_; }
  /// The rung that was announced last.
  const std::string& where() const { return where_; }

 private:
  void announce(const Ladder& ladder, const Rung& rung, std::size_t index);
  /// That many rungs of the present ladder are done.
  void show(double done);

  std::size_t rungs_ = 0, before_ = 0;  ///< rungs of all ladders, and rungs of the ladders that are complete
  std::string where_ = "the start";
  ProgressLine line_;
};

}  // namespace orrery::lab
