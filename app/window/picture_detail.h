#pragma once

namespace orrery::app {

/// Chooses whether the picture is drawn roughly while it moves, so that frames stay fast: the light that is
/// spread, never the stars. Rough after some slow frames, exact when there is time again.
class PictureDetail {
 public:
  /// The longest time of a frame: 25 frames per second.
  static constexpr double longest_ms = 40.0;

  /// Reports the duration of a frame whose picture was drawn as `rough` says.
  void took(double milliseconds);
  /// True if the picture is to be drawn roughly (PictureInput::rough).
  bool rough() const { return rough_; }
  void reset() { *this = {}; }

 private:
  bool rough_ = false;
  unsigned slow_ = 0;   ///< frames in a row that took too long
  unsigned roomy_ = 0;  ///< frames in a row after which an exact picture would not take too long either
};

}  // namespace orrery::app
