#pragma once

#include <cstddef>
#include <glm/glm.hpp>

namespace orrery::app {

/// Chooses the resolution of the picture while it moves, so that frames stay fast: coarse drawing first, then
/// also a fraction of the window's width and height. It falls after some slow frames and rises when there is
/// time again.
class PictureScale {
 public:
  /// The longest time of a frame: 25 frames per second.
  static constexpr double longest_ms = 40.0;

  /// Reports the duration of a frame whose picture was drawn at the present size.
  void took(double milliseconds);
  /// The fraction of width and height; 1 is full size.
  double part() const;
  /// True if it is to be drawn roughly (PictureInput::rough): the first step down, and all below.
  bool rough() const { return step_ > 0; }
  /// The same for people: "2/3".
  const char* text() const;
  glm::ivec2 size_of(glm::ivec2 window) const;
  /// To the full size.
  void reset() { *this = {}; }

 private:
  std::size_t step_ = 0;  ///< 0: all
  unsigned slow_ = 0;     ///< frames in a row that took too long
  unsigned roomy_ = 0;    ///< frames in a row after which a larger picture would not take too long either
};

}  // namespace orrery::app
