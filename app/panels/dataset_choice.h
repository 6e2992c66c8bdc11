#pragma once

#include "lab/setup/dataset.h"

namespace orrery::app {

/// State of the panel between frames: the built-in galaxy that is being chosen, and the part of a dataset.
struct DatasetChoice {
  lab::DatasetRequest of;  ///< the request that shows; another one begins the choice anew
  std::uint64_t bodies = 0;
  std::uint64_t seed = 1;
  std::uint32_t galaxies = 1;
  lab::DatasetRequest shown;   ///< another one begins `wanted` anew
  lab::DatasetRequest wanted;  ///< part and offsets as they are being edited
};

}  // namespace orrery::app
