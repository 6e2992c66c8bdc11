#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <thread>

#include "app/dataset.h"
#include "app/scene_summary.h"
#include "app/state.h"

namespace orrery::app {

/// A dataset that is ready to be shown.
struct LoadedDataset {
  DatasetRequest request;
  std::shared_ptr<const sim::Scene> scene;
  SceneSummary summary;
  std::string hash;
  std::optional<ViewState> state;  ///< to come back to, if a picture or state file was opened
};

/// Loads datasets on a thread of its own, so that no frame waits for a file.
class Loader {
 public:
  Loader() = default;
  Loader(const Loader&) = delete;
  Loader& operator=(const Loader&) = delete;
  ~Loader();

  /// Starts loading; a load under way is cancelled.
  void open(DatasetRequest request);
  /// The same for the dataset of a state, which comes back with the result.
  void open(ViewState state);
  void cancel();

  bool busy() const { return thread_.joinable(); }
  float fraction() const { return progress_.fraction; }
  const std::string& what() const { return what_; }
  /// Once per load: the dataset, or nothing with `problem` set if it failed (empty if cancelled). Call every
  /// frame.
  std::optional<LoadedDataset> take(std::string& problem);

 private:
  void start(DatasetRequest request, std::optional<ViewState> state);
  void load(const DatasetRequest& request, std::optional<ViewState> state);

  std::thread thread_;
  sim::LoadProgress progress_;
  std::atomic<bool> done_{false};
  std::optional<LoadedDataset> result_;
  std::string problem_;
  std::string what_;
};

}  // namespace orrery::app
