#include "app/window/picture_scale.h"

#include <array>

namespace orrery::app {

namespace {

struct Part {
  double part;
  const char* text;
};
constexpr std::array parts{Part{1.0, "1"}, Part{1.0, "1"}, Part{2.0 / 3.0, "2/3"}, Part{0.5, "1/2"},
                           Part{1.0 / 3.0, "1/3"}};
/// By how much a picture that is not rough takes longer, at most.
constexpr double growth_without_roughness = 1.6;

/// One slow frame has other reasons: a program is compiled, the machine does something else.
constexpr unsigned slow_enough = 3;
/// So that the size does not go up and down all the time.
constexpr unsigned roomy_enough = 40;
constexpr double room = 0.75;

}  // namespace

double PictureScale::part() const { return parts.at(step_).part; }

const char* PictureScale::text() const { return parts.at(step_).text; }

glm::ivec2 PictureScale::size_of(glm::ivec2 window) const {
  return glm::max(glm::ivec2(glm::round(part() * glm::dvec2(window))), glm::ivec2(1));
}

void PictureScale::took(double milliseconds) {
  slow_ = milliseconds > longest_ms ? slow_ + 1 : 0;
  // At worst all of a frame's time is in proportion to the pixels.
  const double wider = step_ > 0 ? parts.at(step_ - 1).part / part() : 1.0;
  const double growth = step_ == 1 ? growth_without_roughness : wider * wider;
  roomy_ = step_ > 0 && milliseconds * growth < room * longest_ms ? roomy_ + 1 : 0;
  if (slow_ >= slow_enough && step_ + 1 < parts.size()) {
    ++step_;
    slow_ = roomy_ = 0;
  } else if (roomy_ >= roomy_enough) {
    --step_;
    slow_ = roomy_ = 0;
  }
}

}  // namespace orrery::app
