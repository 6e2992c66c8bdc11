#include "render/bodies/draw_chooser.h"

#include <algorithm>

namespace orrery::render {
namespace {

constexpr std::size_t warm_up = 2;  // frames: shaders are compiled, memory is had
constexpr std::size_t enough = warm_up + 5;
// A method that is slower than this many times the other needs no more frames.
constexpr double hopeless = 3.0;

bool differs(double a, double b) { return a > 1.5 * b || b > 1.5 * a; }

bool differs(const DrawLoad& a, const DrawLoad& b) {
  return differs(static_cast<double>(a.bodies), static_cast<double>(b.bodies)) ||
         differs(static_cast<double>(a.sprite_px), static_cast<double>(b.sprite_px)) ||
         differs(static_cast<double>(a.pixels), static_cast<double>(b.pixels));
}

DrawMethod other(DrawMethod method) {
  return method == DrawMethod::sprites ? DrawMethod::compute : DrawMethod::sprites;
}

}  // namespace

DrawMethod DrawChooser::next(const DrawLoad& load) {
  measuring_ = false;
  if (load.sprite_px > largest_splat_px) return method_ = DrawMethod::sprites;
  if (trial_ == 0 || differs(load, load_)) restart(load);
  if (winner_) return method_ = *winner_;
  measuring_ = true;
  return method_ = times(first_).size() < enough ? first_ : other(first_);
}

void DrawChooser::restart(const DrawLoad& load) {
  first_ = winner_.value_or(first_);
  winner_.reset();
  load_ = load;
  ++trial_;
  for (Times& list : times_) list.clear();
}

void DrawChooser::add(std::uint64_t label, double milliseconds) {
  if (label / 2 != trial_ || winner_) return;
  Times& list = times_[label % 2];
  if (list.size() < enough) list.push_back(milliseconds);
  decide();
}

std::optional<double> DrawChooser::time(DrawMethod method) const {
  const Times& all = times(method);
  if (all.size() <= warm_up) return std::nullopt;
  Times list(all.begin() + warm_up, all.end());
  const auto middle = list.begin() + static_cast<std::ptrdiff_t>(list.size() / 2);
  std::nth_element(list.begin(), middle, list.end());
  return *middle;
}

void DrawChooser::decide() {
  const DrawMethod second = other(first_);
  const auto one = time(first_);
  const auto two = time(second);
  if (times(first_).size() < enough || !two) return;
  if (times(second).size() < enough && *two < hopeless * *one) return;
  winner_ = *two < *one ? second : first_;
}

}  // namespace orrery::render
