#include "app/window/picture_detail.h"

namespace orrery::app {

namespace {

/// By how much an exact picture takes longer, at most.
constexpr double growth_when_exact = 1.6;
/// One slow frame has other reasons: a program is compiled, the machine does something else.
constexpr unsigned slow_enough = 3;
/// So that it does not change all the time.
constexpr unsigned roomy_enough = 40;
constexpr double room = 0.75;

}  // namespace

void PictureDetail::took(double milliseconds) {
  slow_ = milliseconds > longest_ms ? slow_ + 1 : 0;
  roomy_ = milliseconds * growth_when_exact < room * longest_ms ? roomy_ + 1 : 0;
  const bool turns = rough_ ? roomy_ >= roomy_enough : slow_ >= slow_enough;
  if (!turns) return;
  rough_ = !rough_;
  slow_ = roomy_ = 0;
}

}  // namespace orrery::app
