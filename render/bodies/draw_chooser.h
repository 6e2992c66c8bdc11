#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace orrery::render {

/// The two ways in which bodies become light: BodyRenderer and BodySplatter.
enum class DrawMethod { sprites, compute };

/// The parameters on which the time of a draw depends most.
struct DrawLoad {
  std::size_t bodies = 0;
  float sprite_px = 1.0F;  ///< width at half maximum
  std::size_t pixels = 1;  ///< pixels of the picture
};

/// Finds the faster way to draw by trying both on the frames that are drawn anyway. Fed with times; knows no
/// clock and no OpenGL. The trial starts anew when bodies, sprites or picture have grown or shrunk by half;
/// sprites wider than 64 pixels always go to the rasterizer, which was made for such areas.
class DrawChooser {
 public:
  /// The method for the next frame.
  DrawMethod next(const DrawLoad& load);
  /// True if the frame that next() was asked for last should be timed and reported with add().
  bool is_measuring() const { return measuring_; }
  /// Says which frame a time belongs to: times may come any number of frames later, or never.
  std::uint64_t label() const { return 2 * trial_ + static_cast<std::uint64_t>(method_); }
  /// Milliseconds of the frame with this label. Those of earlier trials are forgotten.
  void add(std::uint64_t label, double milliseconds);

  /// The result of the trial, once there is one.
  std::optional<DrawMethod> winner() const { return winner_; }
  /// The middle of the times of this trial without the first, slow ones; empty before there are any.
  std::optional<double> time(DrawMethod method) const;

  static constexpr float largest_splat_px = 64.0F;

 private:
  using Times = std::vector<double>;
  const Times& times(DrawMethod method) const { return times_[static_cast<std::size_t>(method)]; }
  void restart(const DrawLoad& load);
  void decide();

  DrawLoad load_{};
  std::uint64_t trial_ = 0;
  DrawMethod first_ = DrawMethod::sprites;  ///< tried first: the last winner
  DrawMethod method_ = DrawMethod::sprites;
  bool measuring_ = false;
  std::optional<DrawMethod> winner_;
  std::array<Times, 2> times_;
};

}  // namespace orrery::render
