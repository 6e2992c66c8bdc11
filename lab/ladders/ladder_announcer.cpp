#include "lab/ladders/ladder_announcer.h"

#include <fmt/format.h>

#include <cstdio>
#include <utility>

namespace orrery::lab {

LadderAnnouncer::LadderAnnouncer(std::string work, const std::vector<LadderProblem>& problems)
    : line_(std::move(work)) {
  for (const auto& problem : problems) rungs_ += problem.ladder().rungs.size();
}

RungWatch LadderAnnouncer::watch(const Ladder& ladder) {
  return {.begins = [this, &ladder](const Rung& rung, std::size_t index) { announce(ladder, rung, index); },
          .stepped =
              [this](const Rung&, std::size_t index, int done, int steps) {
                if (line_.due()) show(static_cast<double>(index) + static_cast<double>(done) / steps);
              }};
}

void LadderAnnouncer::announce(const Ladder& ladder, const Rung& rung, std::size_t index) {
  {
    const auto quiet = line_.pause();
    fmt::print(stderr, "{}: {}\n", ladder.name, rung.name);
  }
  where_ = fmt::format("{}, rung {} of {} ({})", ladder.name, index + 1, ladder.rungs.size(), rung.name);
  show(static_cast<double>(index));
}

void LadderAnnouncer::show(double done) {
  line_.show(where_, (static_cast<double>(before_) + done) / static_cast<double>(rungs_));
}

}  // namespace orrery::lab
