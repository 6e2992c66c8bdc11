#pragma once

#include <functional>
#include <initializer_list>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lab/bench/bench_setup.h"
#include "sim/engines/engine.h"

// What is measured during a run, and runs that are sampled while they step.
namespace orrery::lab {

/// The run that is measured; its dataset and options are in the setup.
struct RunRequest {
  std::optional<int> steps;              ///< none: as many as the measurement usually takes
  std::optional<int> every;              ///< steps between two samples; none: as the measurement chooses
  std::string vary;                      ///< axes of options, one run for each combination; empty: one run
  std::vector<std::string> assignments;  ///< option assignments from the command line
};

/// Something that `orrery diagnose --measure NAME` measures during a run and writes as JSON. Each lives in
/// its own file; adding one takes that file and one line in CMakeLists.txt.
struct RunMeasurement {
  std::string_view name;
  std::string_view meaning;       ///< a line of the help
  std::string_view drawn_by;      ///< the kind of `orrery plot` that draws its JSON
  bool varies = false;            ///< takes RunRequest::vary
  bool double_precision = false;  ///< small scenes are computed in double precision (choose_double_precision)
  /// Throws sim::UsageError, sim::Error, and sim::Cancelled when a person interrupts.
  nlohmann::json (*measure)(BenchSetup& setup, const RunRequest& request);
};

/// All measurements in the order of the help; the first one is the default.
std::span<const RunMeasurement* const> run_measurements();
/// Throws sim::UsageError with the names, and the one that was probably meant.
const RunMeasurement& find_run_measurement(const std::string& name);

/// A configuration with what is particular about it: "integrator=leapfrog"; empty if there is only one.
struct Variant {
  std::string name;
  sim::Configuration configuration;
};
/// The combinations of `vary` ("integrator=leapfrog:forest-ruth"), or the setup's configuration. Throws
/// sim::UsageError for what cannot run.
std::vector<Variant> variants_of(const BenchSetup& setup, const std::string& vary);

/// An object for each variant: its name, and these lists, which are empty.
nlohmann::json empty_series(const std::vector<Variant>& variants, std::initializer_list<const char*> lists);

/// One complete step. Throws sim::Cancelled when a person interrupts.
void advance_one(sim::Engine& engine);

/// The steps of a run, and the steps between two samples.
struct RunLength {
  int steps = 0;
  int stride = 1;
};
/// The requested length, or `usual_steps` with `samples` samples.
RunLength length_of(const RunRequest& request, int usual_steps, int samples);

/// Runs one variant after the other; `look` sees the state before the first step of each, after every
/// `length.stride` steps, and after the last one. A line on the terminal says how far all are. Throws
/// sim::Cancelled.
using Look = std::function<void(std::size_t variant, sim::Engine& engine)>;
void run_variants(const BenchSetup& setup, const std::vector<Variant>& variants, const RunLength& length,
                  const Look& look);

/// The device that computes the setup's configuration: the GPU or the CPU.
std::string computing_device(const BenchSetup& setup);
/// The head of a document for a kind of figure: version, figure, title of the dataset, bodies, galaxies,
/// device.
nlohmann::json document_head(const BenchSetup& setup, std::string_view figure);

}  // namespace orrery::lab
