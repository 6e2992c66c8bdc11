#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "lab/setup/dataset.h"

namespace orrery::app {

/// The datasets of the command line and those dropped, one of which plays.
class Playlist {
 public:
  /// The datasets `sources` with the other wishes of `wanted`; that alone where there are none.
  Playlist(const std::vector<std::string>& sources, const lab::DatasetRequest& wanted) {
    for (const auto& source : sources) {
      requests_.push_back(wanted);
      requests_.back().source = source;
    }
    if (requests_.empty()) requests_.push_back(wanted);
  }
  /// Appends a dataset; the present one keeps playing.
  void add(lab::DatasetRequest request) { requests_.push_back(std::move(request)); }
  /// The files of a folder are gone. The last dataset stays, whatever it is.
  void forget(const std::filesystem::path& folder) {
    for (std::size_t n = requests_.size(); n-- > 0 && requests_.size() > 1;) {
      if (std::filesystem::path(requests_[n].source).parent_path() != folder) continue;
      requests_.erase(requests_.begin() + static_cast<std::ptrdiff_t>(n));
      if (playing_ > 0 && playing_ >= n) --playing_;
    }
  }
  /// Goes on to the n-th and returns it; n below all().size().
  const lab::DatasetRequest& play(std::size_t n) { return requests_[playing_ = n]; }
  /// Goes to the next (1) or previous (-1) one, around the ends, and returns it.
  const lab::DatasetRequest& step(int direction) {
    const auto count = static_cast<std::ptrdiff_t>(requests_.size());
    return play(
        static_cast<std::size_t>((static_cast<std::ptrdiff_t>(playing_) + direction + count) % count));
  }
  /// Never empty.
  const std::vector<lab::DatasetRequest>& all() const { return requests_; }

 private:
  std::vector<lab::DatasetRequest> requests_;
  std::size_t playing_ = 0;
};

}  // namespace orrery::app
