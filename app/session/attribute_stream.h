#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "render/bodies/body_buffers.h"
#include "render/bodies/body_reader.h"
#include "render/color_modes/color_mode.h"
#include "sim/scene/scene.h"

namespace orrery::app {

/// log10 of the local mass density of the bodies of `scene` where `position` says that they are (4 floats a
/// body). Returns nothing once `stop` is set; may be null.
std::vector<float> log_density(const sim::Scene& scene, std::span<const float> position,
                               const std::atomic<bool>* stop = nullptr);
/// The colours of bodies as ColorMode::is_color has them; -1 for none.
std::vector<float> packed_colors(const sim::Bodies& bodies);
/// The accelerations in velocities of vertex buffers (4 floats per body): of up to 100 000 bodies.
std::vector<float> accelerations_in(std::span<const float> velocity);

/// Keeps the numbers that some colour modes show beside the bodies (BodyBuffers::set_quantity). The density
/// is found on a thread of its own, of a state of some moments ago; no frame waits for it. Needs a current
/// context.
class AttributeStream {
 public:
  AttributeStream() = default;
  ~AttributeStream() { cancel(); }
  AttributeStream(const AttributeStream&) = delete;
  AttributeStream& operator=(const AttributeStream&) = delete;

  /// Starts with another dataset and forgets all that is known of the last one.
  void open(std::shared_ptr<const sim::Scene> scene);
  /// Call once per frame, with the buffers and the slot that are drawn and the step that they show. True if
  /// the numbers of the buffers changed. Throws render::Error.
  bool update(render::ColorMode::Source wanted, render::BodyBuffers& buffers, int slot, std::uint64_t step);
  /// The colour range of what was wanted last, if the dataset cannot tell it: that of the density as found
  /// last, that of the acceleration since adapt(). Empty before it is known, and for other sources.
  std::optional<std::pair<float, float>> range() const;
  /// Looks at the accelerations anew.
  void adapt() { acceleration_range_.reset(); }

 private:
  using Clock = std::chrono::steady_clock;
  /// Shared with the thread that works on it, which may outlive the feed.
  struct Job {
    std::shared_ptr<const sim::Scene> scene;
    std::vector<float> position;
    std::atomic<bool> stop{false};
    std::atomic<bool> done{false};
    std::vector<float> result;
  };
  void cancel();
  void look_after_density(render::BodyBuffers& buffers, int slot, std::uint64_t step);
  bool look_after_acceleration(render::BodyBuffers& buffers, int slot, std::uint64_t step);
  void read(render::BodyBuffers& buffers, int slot, int place);
  void start_job(std::span<const float> position);
  void take_result();
  bool fill(render::ColorMode::Source wanted, render::BodyBuffers& buffers);

  std::shared_ptr<const sim::Scene> scene_;
  render::BodyReader reader_;
  std::shared_ptr<Job> job_;
  Clock::time_point started_, next_;
  std::vector<float> density_;
  std::uint64_t density_revision_ = 0;
  std::optional<std::uint64_t> asked_step_;  ///< whose density was asked for last
  std::optional<std::pair<float, float>> density_range_, acceleration_range_;
  render::ColorMode::Source wanted_ = render::ColorMode::Source::state;
  // What the buffers hold.
  const render::BodyBuffers* filled_ = nullptr;
  render::ColorMode::Source filled_with_ = render::ColorMode::Source::state;
  std::uint64_t filled_revision_ = 0;
};

}  // namespace orrery::app
