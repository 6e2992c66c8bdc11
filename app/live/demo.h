#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lab/ladders/ladder.h"
#include "lab/setup/dataset.h"
#include "render/picture/camera.h"

namespace orrery::app {

/// The camera of a demonstration's step.
struct DemoCamera {
  std::optional<render::Camera::Preset> view;  ///< empty: the present direction
  double zoom = 1.0;                           ///< times larger than what fits the free part of the picture
  double turn = 0.0;                           ///< degrees per second about the galaxy's axis
  double holds = 0.0;  ///< fraction of the luminous bodies that stays in view, 0 to 1; 0: the usual one
};

/// The plot beside the view.
enum class DemoPlot {
  automatic,  ///< rates where the demonstration measures several steps
  none,
  rates,   ///< a bar for each step that was measured
  board,   ///< accuracy over speed: a dot for each measured step
  energy,  ///< the energy's error over time, a curve for each step that shows it
};

/// The hardware that a step needs.
enum class DemoNeeds { nothing, gpu, no_gpu };

/// One step of a demonstration: what is set, what is seen, what is said, and how long.
struct DemoStep {
  std::string name;     ///< name in the table and in file names of pictures: letters, digits, hyphens
  std::string label;    ///< name for the audience, in charts and tables
  std::string caption;  ///< text for the audience; its first line is large
  /// Options, of the display too, on top of those of the step before.
  std::vector<std::pair<std::string, std::string>> settings;
  std::string ladder;              ///< ladder of `rung`, whose whole configuration is set first; empty: none
  std::string rung;                ///< empty: a step for each rung of the ladder that runs here,
  std::vector<std::string> rungs;  ///< or for each of these; empty: all
  std::optional<DemoCamera> camera;
  double seconds = 4.0;   ///< at least
  bool measured = false;  ///< until a median of the rate and the error of the forces are known
  double until = 0.0;     ///< simulated time at which it may end, if that is later; 0: none
  bool reset = false;     ///< begins with the initial state again
  DemoPlot plot = DemoPlot::automatic;
  DemoNeeds needs = DemoNeeds::nothing;
  bool closing = false;  ///< the last slide, which the program adds: what was measured, and the factor
  std::string where;     ///< name of the file, for messages
};

/// A scripted demonstration.
struct Demo {
  std::string name;  ///< name of the file without extension
  std::string title;
  std::string meaning;  ///< one line of the list
  lab::DatasetRequest dataset;
  std::optional<std::size_t> bodies_without_gpu;  ///< replaces dataset.bodies on machines without a GPU
  std::vector<DemoStep> steps;

  /// The dataset for a machine with or without a GPU that computes.
  lab::DatasetRequest dataset_for(bool gpu) const;
};

/// True if the engine cuda runs on this machine.
bool gpu_computes(const sim::OptionTable& table);

/// Reads a file: JSON with "title", "meaning", "dataset" {"source", "bodies", "bodies-without-gpu",
/// "galaxies", "seed"} and "steps". A step has "name", "caption", and may have "label", "set" {option: value;
/// null: its default}, "rung" ("LADDER/RUNG") or "ladder" with "rungs", "camera" {"view":
/// face-on|edge-on|oblique, "zoom", "turn", "holds"}, "seconds", "until", "reset" (true), "measure" (true),
/// "plot" (rates|accuracy-speed|energy|none), "needs" (gpu|no-gpu). Throws sim::Error with the file, the step
/// and the key: what does not belong there, values that no option takes. Rungs are looked up later
/// (complete_steps).
Demo read_demo(const sim::OptionTable& table, const std::filesystem::path& file);

/// The demonstrations of the user's folder (demos/ beside the settings) and of the program, by name; of one
/// name the user's. A damaged file is reported in `problems` and left out.
std::vector<Demo> all_demos(const sim::OptionTable& table, std::vector<std::string>& problems);

/// Finds a demonstration by name, or by the path of a file. Throws sim::UsageError with the names and the one
/// that was probably meant, or what read_demo throws.
Demo find_demo(const sim::OptionTable& table, const std::string& name);

/// A step that can be set, with the configuration of its rung if it has one.
struct ReadyStep {
  DemoStep step;
  std::optional<lab::Rung> rung;
  std::optional<lab::Ladder> ladder;
};

/// True if the rates of several of these steps are measured.
bool compares(const std::vector<ReadyStep>& steps);

/// The steps that run here, ladders written out, and where `compares` a closing slide. `gpu`: the engine cuda
/// can run here. `start`, `context`: of the dataset, to leave out rungs that it refuses. Throws sim::Error
/// for a ladder or rung that does not exist.
std::vector<ReadyStep> complete_steps(const sim::OptionTable& table, const Demo& demo,
                                      const std::vector<lab::Ladder>& ladders, bool gpu,
                                      const sim::Configuration& start, const sim::OptionContext& context);

}  // namespace orrery::app
