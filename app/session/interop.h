#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "render/bodies/body_buffers.h"
#include "render/map/map_buffers.h"
#include "sim/simulation/simulation.h"

// The bridge between CUDA and OpenGL: the one place that knows both.
namespace orrery::app {

struct SceneSummary;

/// Says if CUDA can write the vertex buffers of an OpenGL context, and if not, why.
struct InteropStatus {
  bool possible = false;
  int device = -1;      ///< CUDA ordinal of the GPU that draws; -1: none that CUDA knows
  std::string why_not;  ///< the cause, if it is not possible
  std::string remedy;   ///< advice to the user
  /// "<cause>; <remedy>", for logs and the panel.
  std::string reason() const { return remedy.empty() ? why_not : why_not + "; " + remedy; }
};

/// Asks the OpenGL context that is current on this thread, by registering, mapping and unmapping a small
/// buffer. `device`: the CUDA ordinal that computes; -1: any. Never throws for a missing driver or GPU.
InteropStatus probe_interop(int device);

/// The CUDA ordinal of the GPU that draws in the current context, or 0: what "devices=auto" means.
int drawing_device();

/// Vertex buffers in the memory of the GPU that computes, registered once. A slot is CUDA's (mapped) while
/// the simulation may write it, and OpenGL's while it is drawn. All functions are for the thread of the
/// context.
class InteropBuffers {
 public:
  /// Makes the slots of `storage` for `bodies` bodies each; all belong to CUDA at first. `device`: the CUDA
  /// ordinal that computes. Throws sim::Error or render::Error if the memory cannot be had or registered.
  /// `map_size`: an activity map of so many cells per side in each slot too; 0: none.
  InteropBuffers(std::size_t bodies, render::BodyBuffers::Storage storage, int device,
                 std::size_t map_size = 0);
  ~InteropBuffers();
  InteropBuffers(const InteropBuffers&) = delete;
  InteropBuffers& operator=(const InteropBuffers&) = delete;

  render::BodyBuffers& buffers() { return buffers_; }
  const render::BodyBuffers& buffers() const { return buffers_; }
  /// The activity maps; nullptr: none.
  render::MapBuffers* maps() { return maps_.get(); }
  /// Device targets, valid for the slots that are CUDA's.
  const sim::TargetRing& targets() const { return targets_; }
  /// Makes a slot OpenGL's: call when the simulation has offered it, before drawing.
  void to_opengl(int slot);
  /// Makes a slot CUDA's: call before it goes back to the simulation; waits for nothing if it is idle. After
  /// a failure, which both of these throw once, they do nothing.
  void to_cuda(int slot);
  /// True after such a failure: the content must not be drawn.
  bool lost() const { return lost_; }

 private:
  void map(int slot);
  void unmap(int slot);
  bool lost_ = false;  ///< the GPU failed: slots stay as they are
  struct Registration;
  render::BodyBuffers buffers_;
  std::unique_ptr<render::MapBuffers> maps_;
  std::unique_ptr<Registration> registration_;  // after the buffers: unregistered before they go
  sim::TargetRing targets_{};
};

/// Sets the components and galaxies of the bodies. They must be as many as the buffers hold, and those that
/// the summary is of.
void set_static(render::BodyBuffers& buffers, const sim::Bodies& bodies, const SceneSummary& summary);

/// The bodies `like`, at the positions and with the velocities that a slot has. Waits for the GPU.
sim::Bodies bodies_in(const render::BodyBuffers& buffers, int slot, const sim::Bodies& like);

/// Vertex buffers for the engine that `settings` ask for (with the device resolved), all slots CUDA's. Null
/// where bodies have to be copied; `why_copied` then says why and what would help, or is empty if the engine
/// is none of a GPU. Never throws for a lack of anything.
std::unique_ptr<InteropBuffers> make_interop(const sim::Configuration& settings, const sim::Bodies& bodies,
                                             const SceneSummary& summary,
                                             render::BodyBuffers::Storage storage, std::string& why_copied);

}  // namespace orrery::app
