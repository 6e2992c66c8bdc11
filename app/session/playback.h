#pragma once

#include <memory>
#include <string>
#include <vector>

#include "render/bodies/body_buffers.h"
#include "sim/series/series_reader.h"

namespace orrery::app {

struct LoadedDataset;

/// A series of snapshots that plays as a film, without simulating. Places are numbers of snapshots from 0;
/// between two whole ones bodies are interpolated by their ids. Needs a current OpenGL context.
class Playback {
 public:
  /// The first snapshot of `dataset` is shown by its scene; the others are read.
  explicit Playback(const LoadedDataset& dataset);

  bool playing = true;
  bool loop = true;
  double speed = 10.0;  ///< snapshots per second; negative: backwards

  std::size_t size() const { return reader_.size(); }
  /// The position of the displayed state in the series: 0 to size() - 1.
  double place() const { return shown_place_; }
  /// Shows the state at `place` as soon as it is read.
  void go_to(double place);
  /// Simulated time of what is shown.
  double time() const { return time_; }
  /// The snapshot that is nearest to what is shown.
  std::size_t nearest() const;
  const std::vector<sim::SnapshotPlace>& places() const { return reader_.places(); }
  /// True while the playback waits for a file.
  bool waits() const { return waits_; }
  /// Bodies that what is shown lacks: they are not drawn.
  std::size_t missing() const { return missing_; }
  /// Numbers that are left out between the snapshots, for people; empty: none.
  const std::string& gaps() const { return gaps_; }
  /// Why a snapshot could not be read; empty: all could.
  std::string problem() const { return reader_.problem(); }

  /// Advances by `seconds` of the clock, and shows what is read. Never waits for a file. True if the bodies
  /// moved.
  bool update(double seconds);
  const render::BodyBuffers& buffers() const { return buffers_; }
  render::BodyBuffers& buffers() { return buffers_; }
  int slot() const { return slot_; }

 private:
  bool show(double place);
  void advance(double seconds);

  std::shared_ptr<const sim::Scene> first_;
  sim::SeriesReader reader_;
  render::BodyBuffers buffers_;
  std::vector<sim::Vec3> position_, velocity_;
  int slot_ = 0;
  double place_ = 0.0;         ///< wanted
  double shown_place_ = -1.0;  ///< below 0: nothing yet
  double time_ = 0.0;
  std::size_t missing_ = 0;
  std::string gaps_;
  bool waits_ = false;
};

}  // namespace orrery::app
