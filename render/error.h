#pragma once

#include <stdexcept>

namespace orrery::render {

/// A failure of the graphics system or of picture output, with a one-line message that says what failed, why,
/// and what to do.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace orrery::render
