#pragma once

#include <cstdint>
#include <string>

namespace orrery::app {

/// State of the panel between frames: the series to start next.
struct SeriesChoice {
  std::uint64_t every = 10;  ///< steps
  std::string format = "vtk";
};

}  // namespace orrery::app
