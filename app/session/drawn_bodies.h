#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "app/session/interop.h"

namespace orrery::app {

/// The vertex buffers that a simulation writes and the picture is drawn from: a ring in host memory, and one
/// on the GPU that computes where that is possible. Holds the slot that is shown, with its activity map.
/// Must outlive the simulation. Needs a current OpenGL context.
class DrawnBodies {
 public:
  /// Makes the buffers of these bodies, which must outlive this. `settings` have the device resolved and are
  /// those of `revision`. `frames`: how many frames were taken of the dataset before.
  DrawnBodies(const sim::Bodies& bodies, const SceneSummary& summary, const sim::Configuration& settings,
              std::uint64_t revision, std::uint64_t frames);

  /// The ring in host memory.
  sim::TargetRing host_targets() const;
  /// The ring on the GPU; null: bodies are copied.
  const sim::TargetRing* device_targets() const { return interop_ ? &interop_->targets() : nullptr; }
  /// Makes another ring, for the engine or GPU that the controls of `revision` ask for. The old ring remains
  /// until the simulation has left it.
  void change_ring(const sim::Configuration& settings, std::uint64_t revision);
  /// True if a and b ask for different rings.
  static bool need_other_ring(const sim::OptionTable& table, const sim::Configuration& a,
                              const sim::Configuration& b);

  /// Shows the newest step. Gives the slot in hand back: nothing may draw from it any more. What fails is
  /// logged, and switched off in `configuration`. True unless the step cannot be shown.
  bool take_frame(sim::Simulation& simulation, sim::FrameInfo& frame, sim::Configuration& configuration);

  render::BodyBuffers& buffers() { return shown_ != nullptr ? shown_->buffers() : host_; }
  const render::BodyBuffers& buffers() const { return shown_ != nullptr ? shown_->buffers() : host_; }
  int slot() const { return slot_; }
  /// True while the bodies shown are drawn where the GPU that computes wrote them.
  bool in_place() const { return shown_ != nullptr; }
  /// The activity map of the bodies shown; null: none.
  render::MapBuffers* map() const { return map_; }
  /// The number of frames taken so far, by which a drawer knows which map it has drawn.
  std::uint64_t frames() const { return frames_; }
  /// The way from the engine's device to the picture, in one line; empty for engines without a device.
  const std::string& how() const { return how_; }

 private:
  using Interop = std::unique_ptr<InteropBuffers>;
  Interop make_ring(const sim::Configuration& settings);
  void show(const sim::FrameInfo& frame);
  void find_map(const sim::FrameInfo& frame, sim::Configuration& configuration);

  const sim::Bodies& bodies_;
  const SceneSummary& summary_;
  render::BodyBuffers host_;
  Interop interop_;                               ///< on the GPU that computes; null: bodies are copied
  std::vector<Interop> retired_;                  ///< until the simulation has left them
  std::unique_ptr<render::MapBuffers> host_map_;  ///< the activity map that came through main memory
  render::MapBuffers* map_ = nullptr;
  InteropBuffers* shown_ = nullptr;  ///< null: the bodies shown are in host_
  std::string how_;
  int slot_ = 0;
  std::uint64_t ring_revision_;  ///< since which interop_ is what it is
  std::uint64_t frames_;
};

}  // namespace orrery::app
