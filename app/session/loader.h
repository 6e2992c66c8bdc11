#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "app/picture/scene_summary.h"
#include "app/session/checkpoint.h"
#include "app/session/openable_files.h"
#include "app/session/state.h"
#include "lab/setup/dataset.h"
#include "sim/snapshots/column_question.h"

namespace orrery::app {

/// A dataset that is ready to be shown.
struct LoadedDataset {
  lab::DatasetRequest request;
  std::shared_ptr<const sim::Scene> scene;
  SceneSummary summary;
  std::string hash;
  std::optional<ViewState> state;               ///< to come back to, if a picture or state file was opened
  std::vector<sim::SnapshotPlace> series = {};  ///< to play; empty: the scene is simulated
  std::shared_ptr<Checkpoint> resumed = {};     ///< to go on from, with `state`; null: from the start
  OpenableFiles openable = {};                  ///< the rule for files of the series that are read later
};

/// A table that could not be read since its columns are not clear.
struct UnclearTable {
  lab::DatasetRequest request;
  std::string problem;  ///< in one line
  sim::ColumnQuestion question;
};

/// Loads datasets on threads of their own, so that no frame waits for a file. Nothing here ever waits: a load
/// that was cancelled ends by itself, and its result is thrown away.
class Loader {
 public:
  Loader() = default;
  Loader(const Loader&) = delete;
  Loader& operator=(const Loader&) = delete;
  ~Loader() { cancel(); }

  /// Fills in what a request leaves open, on the thread that loads it. States are loaded as they were.
  using Complete = std::function<void(lab::DatasetRequest&)>;
  void complete_with(Complete complete) { complete_ = std::move(complete); }

  /// Starts loading; a load under way is cancelled. What `openable` refuses is not read, and what was read
  /// from a file that it refuses afterwards, since a link was put in its place, is not shown.
  void open(lab::DatasetRequest request, const OpenableFiles& openable);
  /// Starts loading the dataset of a state; the state comes back with the result.
  void open(ViewState state, const OpenableFiles& openable);
  /// Starts loading a checkpoint and its dataset. `given`: the dataset's file, where a person named it; an
  /// empty source: the one that the checkpoint names.
  void open_checkpoint(const std::filesystem::path& file, lab::DatasetRequest given,
                       const OpenableFiles& openable);
  /// Loads a state, or a picture that holds one, which is read on the loading thread and names the dataset.
  /// The dataset's files must be where `openable` or the state's place lets them be: nobody is asked.
  void open_state(const std::filesystem::path& file, const OpenableFiles& openable);
  void cancel();

  bool busy() const { return job_ != nullptr; }
  float fraction() const { return job_ != nullptr ? job_->progress.fraction.load() : 0.0F; }
  const std::string& what() const { return what_; }
  /// Once per load: the dataset, or nothing with `problem` set if it failed. Call every frame.
  std::optional<LoadedDataset> take(std::string& problem);
  /// The question behind the problem of the last take(), once; nothing if no answer helps.
  std::optional<UnclearTable> take_unclear() { return std::exchange(unclear_, std::nullopt); }

 private:
  /// Shared with the thread that works on it, which may outlive the loader's interest.
  struct Job {
    sim::LoadProgress progress;
    std::atomic<bool> done{false};
    std::optional<LoadedDataset> result;
    std::optional<UnclearTable> unclear;
    std::string problem;
  };
  /// The input of a load.
  struct Order {
    lab::DatasetRequest request;
    std::optional<ViewState> state = {};
    std::filesystem::path checkpoint = {};  ///< says the state, and the request without a source; empty: none
    std::filesystem::path state_file = {};  ///< says the state and the request; empty: none
    OpenableFiles openable = {};
  };
  static void read_state(Order& order);
  static void work(Job& job, Order& order, const Complete& complete);
  static std::shared_ptr<Checkpoint> read(Order& order);
  void start(Order order, std::string what);

  std::shared_ptr<Job> job_;
  std::optional<UnclearTable> unclear_;
  std::string what_;
  Complete complete_;
};

}  // namespace orrery::app
