#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/session/loader.h"
#include "app/session/run_options.h"
#include "lab/setup/dataset.h"

namespace orrery::app {

class CameraOperator;
class Chooser;
class ColumnSheet;
class Messages;
class OptionKeeper;
class SavedFiles;
class Session;
class Window;
class WindowPictures;
struct Laboratory;
struct Settings;

/// The datasets of the command line and those dropped, one of which plays.
class Playlist {
 public:
  /// The datasets `sources` with the other wishes of `wanted`; that alone where there are none.
  Playlist(const std::vector<std::string>& sources, const lab::DatasetRequest& wanted) {
    for (const auto& source : sources) {
      requests_.push_back(wanted);
      requests_.back().source = source;
    }
    if (requests_.empty()) requests_.push_back(wanted);
  }
  /// Appends a dataset; the present one keeps playing.
  void add(lab::DatasetRequest request) { requests_.push_back(std::move(request)); }
  /// The files of a folder are gone. The last dataset stays, whatever it is.
  void forget(const std::filesystem::path& folder) {
    for (std::size_t n = requests_.size(); n-- > 0 && requests_.size() > 1;) {
      if (std::filesystem::path(requests_[n].source).parent_path() != folder) continue;
      requests_.erase(requests_.begin() + static_cast<std::ptrdiff_t>(n));
      if (playing_ > 0 && playing_ >= n) --playing_;
    }
  }
  /// Goes on to the n-th and returns it; n below all().size().
  const lab::DatasetRequest& play(std::size_t n) { return requests_[playing_ = n]; }
  /// Goes to the next (1) or previous (-1) one, around the ends, and returns it.
  const lab::DatasetRequest& step(int direction) {
    const auto count = static_cast<std::ptrdiff_t>(requests_.size());
    return play(
        static_cast<std::size_t>((static_cast<std::ptrdiff_t>(playing_) + direction + count) % count));
  }
  /// Never empty.
  const std::vector<lab::DatasetRequest>& all() const { return requests_; }

 private:
  std::vector<lab::DatasetRequest> requests_;
  std::size_t playing_ = 0;
};

/// Opens what a person names, drops or chooses: datasets, states, checkpoints and the last session. They are
/// loaded in the background and then shown. Problems are shown, and what is open goes on.
class DatasetOpener {
 public:
  /// The objects that are told when another dataset opens.
  struct Place {
    Session& session;
    Window& window;
    Settings& settings;
    Messages& messages;
    Chooser& chooser;
    ColumnSheet& sheet;
    Laboratory& laboratory;
    OptionKeeper& options;
    CameraOperator& camera;
    WindowPictures& pictures;
    SavedFiles& files;
  };
  /// `paused`: as in ViewOptions. `complete`: as Loader::complete_with.
  DatasetOpener(Place place, const RunOptions& run, std::optional<bool> paused, Loader::Complete complete);

  /// The dataset of the command line; `of_demo`: the dataset of a demonstration. Throws sim::Error.
  void open_first(const RunOptions& run, bool of_demo);
  void open(const lab::DatasetRequest& request);
  /// Files that were opened before and may be opened here, the newest first.
  std::vector<std::string> recent_files() const;
  void open_next(int direction);  ///< the next or previous dataset of the playlist
  /// Several files join the playlist, or meet in one scene with Shift held.
  void drop(const std::vector<std::filesystem::path>& files);
  /// The files of a folder, which are not shown, are gone.
  void forget(const std::filesystem::path& folder) { playlist_.forget(folder); }
  /// Shows the files of the folder that was last opened from.
  void browse();
  /// Goes on with what was shown when the window was closed last.
  void continue_last_session();
  /// At the end: writes the last checkpoint, and with `keeps` the session for the next run.
  void finish(bool keeps);

  /// Call once per frame: shows what was loaded. Throws what ends the program: the dataset that it was
  /// started for cannot be shown, and nobody has opened another since.
  void update();

  Loader& loader() { return loader_; }
  const Playlist& playlist() const { return playlist_; }
  /// True while no dataset is shown and none is being loaded.
  bool is_idle() const;

 private:
  void attempt(const std::function<void()>& act);
  Loader& next_load();
  void take_loaded();
  void fail(const std::string& problem);
  void return_to_first();
  void show(LoadedDataset loaded);
  void show_or_throw(LoadedDataset loaded);
  void open_any(const lab::DatasetRequest& request, const OpenableFiles& openable);
  void open_state(const std::filesystem::path& path, const lab::DatasetRequest& given,
                  const OpenableFiles& openable);
  void load_state(const std::filesystem::path& path, ViewState state, const OpenableFiles& openable);
  void open_checkpoint(const std::filesystem::path& path, const lab::DatasetRequest& given,
                       const OpenableFiles& openable);
  void ask_for_files(const std::filesystem::path& path, const ViewState& state,
                     const std::vector<std::filesystem::path>& files);
  void answer_question();
  void take_look(const sim::Configuration& configuration);
  void start_asked_checkpoints();
  bool shift_is_down() const;
  void open_together(const std::vector<std::filesystem::path>& files);

  /// The dataset of the command line: it is being loaded, nobody has opened another one since; another one
  /// was opened before it was there; it was shown, or could not be.
  enum class First { loading, interrupted, over };

  Place place_;
  Loader loader_;
  Playlist playlist_;
  First first_ = First::over;
  std::function<void()> open_first_;     ///< opens the dataset of the command line
  bool keeps_problem_ = false;           ///< the next dataset that shows does not close the message
  CheckpointRequest asked_checkpoints_;  ///< checkpoints requested on the command line, for the first dataset
  std::optional<bool> asked_paused_;     ///< --paused or --play; empty: files open paused
  OpenableFiles openable_;               ///< the rule for all that is opened after the first
  std::filesystem::path opening_state_;  ///< the file of the state that is being loaded; empty: none
  std::filesystem::path resumed_;        ///< the checkpoint that was opened last; empty: none
  /// The look of a picture, while the list asks whether its dataset is opened.
  std::optional<sim::Configuration> asked_look_;
};

}  // namespace orrery::app
