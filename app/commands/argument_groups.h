#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "app/commands/arguments.h"
#include "app/commands/settings.h"
#include "app/session/run_options.h"

// Arguments that several subcommands take.
namespace orrery::app {

struct ViewOptions;

/// DATA, a file or built-in galaxy, or several: into `data`, and the first into the dataset's source.
enum class DataCount { one, several };
void add_data(Arguments& arguments, RunOptions& run, const std::string& meaning,
              DataCount count = DataCount::one);

/// The input: --bodies, --galaxies, --seed, --columns, --units. The other settings of files are --set's.
void add_dataset(Arguments& arguments, lab::DatasetRequest& dataset);
/// As add_dataset(arguments, dataset), but --bodies takes several numbers, comma separated, into `sizes`.
void add_dataset(Arguments& arguments, lab::DatasetRequest& dataset, std::vector<std::size_t>& sizes);
/// --columns and --units.
void add_file_shortcuts(Arguments& arguments, lab::DatasetRequest& dataset);
/// --set of commands that read a dataset and compute nothing: the settings of files only.
void add_reading(Arguments& arguments, lab::DatasetRequest& dataset);

/// --series, --every and --format: the states to keep.
void add_series(Arguments& arguments, RunOptions& run);

/// --checkpoint and --resume; --every belongs to add_series. `last_session`: --resume without a file is the
/// last session of the window (an empty path).
void add_checkpoints(Arguments& arguments, CheckpointRequest& checkpoint, const std::string& resume_meaning,
                     bool last_session = false);

/// The engine and the options: --engine, --kernel, --devices, and --set with `more` settings.
void add_computing(Arguments& arguments, RunOptions& run, const SettingList& more = {});
/// --set alone.
void add_options(Arguments& arguments, RunOptions& run, const SettingList& more = {});

/// --state, from which a picture begins.
void add_state(Arguments& arguments, RunOptions& run);
/// --untuned.
void add_untuned(Arguments& arguments, RunOptions& run);
/// A size such as "1920x1080" into `size`, which may be optional.
template <typename Size>
void add_size(Arguments& arguments, const std::string& name, Size& size, const std::string& meaning) {
  const auto take = [&size](const std::string& text) { size = parse_picture_size(text); };
  arguments.text(name, take, meaning).shown_as("WxH");
}
/// The camera: --view and --zoom.
void add_camera(Arguments& arguments, CameraChoice& camera);

/// --watch-kernels.
void add_kernel_folder(Arguments& arguments, std::filesystem::path& folder,
                       const std::string& meaning = "CUDA sources from this folder");

/// --ladders, a folder of them.
void add_ladder_folder(Arguments& arguments, std::filesystem::path& folder);

/// Adds --json and --csv: files for the results besides the table. "-" is standard output.
void add_json(Arguments& arguments, std::string& json);
void add_csv(Arguments& arguments, std::string& csv);
/// Throws sim::UsageError if both want standard output.
void check_one_output(const std::string& json, const std::string& csv);

/// --times.
void add_times(Arguments& arguments, bool& times);

/// --map: sizes of an activity map that is counted too, one or several; 0 is none.
void add_maps(Arguments& arguments, std::vector<std::size_t>& maps);

/// --steps, timed ones.
void add_timed_steps(Arguments& arguments, int& steps);
inline constexpr std::uint64_t most_timed_steps = 1'000'000'000;

/// The arguments of commands that show the window: datasets, engine, options, run, camera and size.
void add_viewing(Arguments& arguments, const std::shared_ptr<ViewOptions>& options);

/// Settles what these arguments leave open between each other. Throws sim::UsageError.
void settle_viewing(ViewOptions& options);

/// Throws sim::UsageError for a name that is nowhere, be it the first or one that comes later.
void require_datasets(const RunOptions& run);

/// Text for the footer of the help: the names of the built-in galaxies.
std::string galaxies_help();
/// Text for the footer of commands that can run as several processes.
extern const char* const processes_help;

}  // namespace orrery::app
