#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <vector>

#include "app/gui/chooser.h"
#include "app/live/laboratory.h"
#include "app/session/loader.h"
#include "app/session/playlist.h"
#include "app/session/run_options.h"
#include "app/session/session.h"
#include "app/window/camera_operator.h"
#include "app/window/column_sheet.h"
#include "app/window/messages.h"
#include "app/window/option_keeper.h"
#include "app/window/saved_files.h"
#include "app/window/settings.h"
#include "app/window/window.h"
#include "app/window/window_pictures.h"

namespace orrery::app {

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
  void drop_or_throw(const std::vector<std::filesystem::path>& files);
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
