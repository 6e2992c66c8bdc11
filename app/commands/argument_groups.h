#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "app/commands/arguments.h"
#include "app/session/run_options.h"

// Arguments that several subcommands take.
namespace orrery::app {

/// DATA, one file or built-in galaxy: into `data` and the dataset's source.
void add_data(Arguments& arguments, RunOptions& run, const std::string& meaning);

/// --bodies, --galaxies, --seed, --columns, --skip, --group, --recentre, --units, --format.
void add_dataset(Arguments& arguments, lab::DatasetRequest& dataset);
/// The same with several numbers of bodies, comma separated.
void add_dataset(Arguments& arguments, lab::DatasetRequest& dataset, std::vector<std::size_t>& sizes);

/// --only, --without.
void add_components(Arguments& arguments, lab::DatasetRequest& dataset);
/// --recentre.
void add_recentre(Arguments& arguments, lab::DatasetRequest& dataset);
/// --skip N and --group NAME.
void add_skip(Arguments& arguments, lab::DatasetRequest& dataset);
/// --units NAME.
void add_units_name(Arguments& arguments, lab::DatasetRequest& dataset);

/// The same with --input-format, and --series, --every and --format for the states to keep:
/// RunOptions::format is settled by settle_format.
void add_dataset_and_series(Arguments& arguments, RunOptions& run);

/// --checkpoint and --resume; --every belongs to add_dataset_and_series. `last_session`: --resume without a
/// file is the last session of the window (an empty path).
void add_checkpoints(Arguments& arguments, CheckpointRequest& checkpoint, const std::string& resume_meaning,
                     bool last_session = false);

/// Adds the options of the engine and the physics: --engine, --kernel, --devices and those of add_physics.
void add_computing(Arguments& arguments, RunOptions& run);
/// --threads, --integrator, --dt, --softening, --G and --set.
void add_physics(Arguments& arguments, RunOptions& run);

/// Adds the options of drawing: --untuned, --no-interop, --state, --pictures, --screenshot-size, --view,
/// --zoom,
/// --camera.
void add_picture(Arguments& arguments, RunOptions& run);

/// --watch-kernels.
void add_kernel_folder(Arguments& arguments, std::filesystem::path& folder,
                       const std::string& meaning = "CUDA sources from this folder");

/// --ladders, a folder of them.
void add_ladder_folder(Arguments& arguments, std::filesystem::path& folder);

/// Where results are written besides the table: --json and --csv. "-" is standard output.
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
/// Throws sim::UsageError for less than one.
void check_timed_steps(int steps);

/// For the footer: the built-in galaxies with their meanings.
std::string galaxies_help();
/// For the footer of commands that share their work.
extern const char* const processes_help;

}  // namespace orrery::app
