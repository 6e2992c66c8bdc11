#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/ladder_problem.h"
#include "app/run_options.h"

// The subcommands, one file each. Each returns the exit status; failures are thrown as sim::Error,
// sim::UsageError or render::Error.
namespace orrery::app {

/// What `orrery view` was asked for.
struct ViewOptions {
  RunOptions run;
  std::optional<PictureSize> window_size;  ///< empty: as it was last time; the picture's without a display
  std::optional<std::uint64_t> steps;      ///< before the picture, without a display only
  bool fullscreen = false;
};
/// Opens the window; without a display renders a picture of the first dataset.
int view_command(const ViewOptions& options);

/// What `orrery render` was asked for.
struct RenderOptions {
  RunOptions run;
  std::optional<std::uint64_t> steps;  ///< default: those of the state file, else 200
  PictureSize size;
  std::filesystem::path output;       ///< empty: a free name in the pictures folder
  std::filesystem::path write_state;  ///< snapshot of the last step; empty: none
};
/// Steps without a window and writes a picture; several processes share the steps.
int render_command(const RenderOptions& options);

/// What `orrery bench` was asked for.
struct BenchOptions {
  RunOptions run;
  /// Names, comma separated, or "all"; default: that of --kernel, else all.
  std::optional<std::string> kernels;
  int steps = 5;
  std::string json;  ///< a file, "-" for standard output, empty: none
  std::string csv;
  std::filesystem::path figure;  ///< PNG of rates beneath the device's limits; empty: none
  std::string sweep;             ///< "tile,unroll" or "tile=64:128,unroll=1:8"; empty: no sweep
  bool tuned = false;            ///< start from what `orrery tune` remembered
  LadderRequest ladder;          ///< name empty: no ladder
  /// Schedules of the offline job, comma separated, or "all"; empty: no pipeline.
  std::string pipeline;
  std::vector<std::size_t> sizes;  ///< --bodies, one or several; run.dataset.bodies is the first
  bool own_steps = false;          ///< --steps was given
  std::filesystem::path timeline;  ///< trace of the last schedule; empty: none
};
/// Times the offline job, host -> device -> steps -> host, with one or more schedules.
int bench_pipeline_command(const BenchOptions& options);
/// Times kernels and prints a table.
int bench_command(BenchOptions options);
/// What --bodies asks for, one after the other; one entry, maybe empty, where it is no list.
std::vector<std::optional<std::size_t>> sizes_of(const BenchOptions& options);
/// Times the rungs of ladders and prints a table for each.
int bench_ladder_command(const BenchOptions& options);
/// Times every combination of one or two options and prints a heat map.
int sweep_command(const BenchOptions& options);

/// What `orrery tune` was asked for.
struct TuneOptions {
  RunOptions run;
  double seconds = 60.0;
  std::optional<double> tolerance;  ///< median force error; default: what the badge calls right
  std::string json;                 ///< a file, "-" for standard output, empty: none
};
/// Looks for the fastest configuration and remembers it.
int tune_command(const TuneOptions& options);

/// What `orrery verify` was asked for.
struct VerifyOptions {
  /// Seed 2 has no encounter in the steps of the ladders that is so close that it amplifies rounding errors.
  RunOptions run{.dataset = {.seed = 2}};
  LadderRequest ladder;  ///< name empty: all kernels and switches
  std::string json;      ///< a file, "-" for standard output, empty: none
};
/// Compares every configuration with double precision and with the CPU; 1 if one is wrong.
int verify_command(const VerifyOptions& options);

/// What `orrery make` was asked for.
struct MakeOptions {
  DatasetRequest dataset;
  std::filesystem::path output;
  std::string format;
  bool big_endian = false;
};
/// Writes a built-in galaxy to a file.
int make_command(const MakeOptions& options);

/// What `orrery convert` was asked for.
struct ConvertOptions {
  DatasetRequest input;
  std::filesystem::path output;
  std::string format;
  bool big_endian = false;
};
/// Reads a file and writes it in another format.
int convert_command(const ConvertOptions& options);

/// What `orrery info` was asked for.
struct InfoOptions {
  DatasetRequest dataset;
  bool json = false;
  std::optional<double> gravitational_constant;
  std::optional<double> softening;
};
/// Says what a dataset holds.
int info_command(const InfoOptions& options);

/// What `orrery kernels` was asked for.
struct KernelsOptions {
  bool compile_all = false;
  std::vector<std::string> architectures;  ///< "sm_90", ...; empty: all that must compile
  std::filesystem::path kernel_folder;     ///< sources to compile; empty: the embedded ones
  std::filesystem::path write_sources;     ///< folder to write the embedded sources to; empty: none
};
/// Lists the CUDA kernels that cover the device code, compiles them, or writes their sources; needs no GPU.
int kernels_command(const KernelsOptions& options);

/// Lists what can compute and draw on this machine.
int devices_command(bool json);

}  // namespace orrery::app
