#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "lab/ladders/ladder.h"
#include "lab/setup/dataset.h"
#include "sim/scene/scene.h"

namespace orrery::lab {

/// The ladders that a command was asked for, and replacements for parts of their problem.
struct LadderRequest {
  std::string name;              ///< name of a ladder, or "all"; empty: no ladder
  std::filesystem::path folder;  ///< --ladders; empty: none
  DatasetRequest dataset;        ///< source empty: the ladder's galaxy; bodies empty: as many as there
  bool own_galaxies = false;     ///< dataset.galaxies was given
  std::optional<int> own_steps;  ///< --steps
  std::vector<std::string> assignments;  ///< assignments of physics, threads and device
};

/// Throws sim::UsageError if an assignment is for the rungs to make: a rung is a whole configuration.
void check_ladder_assignments(const sim::OptionTable& table, const std::vector<std::string>& assignments);

/// A ladder with the scene that its rungs are run on. Scenes are made when they are asked for; the last one
/// is kept.
class LadderProblem {
 public:
  /// `bodies` of each galaxy are used where neither the request nor a file says how many. Throws
  /// sim::UsageError if the galaxy cannot have that many, and what load_dataset throws for files.
  LadderProblem(const sim::OptionTable& table, Ladder ladder, const LadderRequest& request,
                std::size_t bodies);

  const Ladder& ladder() const { return ladder_; }
  std::size_t bodies() const { return bodies_; }  ///< bodies per galaxy; for a file all bodies
  std::size_t galaxies() const { return galaxies_; }
  /// False for files: they have as many bodies as they have.
  bool resizable() const { return !is_file(dataset_); }
  /// The scene with that many bodies in each galaxy. Valid until the next call.
  const sim::Scene& scene(std::size_t bodies);
  /// The rung's options with what suits the scene and what the command line says.
  sim::Configuration configuration(const Rung& rung, const sim::Scene& scene) const;
  /// Why the rung cannot run here; empty if it can. Makes no scene.
  std::string refusal(const Rung& rung) const;

 private:
  const sim::OptionTable& table_;
  Ladder ladder_;
  DatasetRequest dataset_;
  std::vector<std::string> assignments_;
  std::size_t bodies_ = 0;
  std::size_t galaxies_ = 1;
  sim::Scene scene_;
  std::size_t scene_bodies_ = 0;  ///< number of bodies that scene_ was made with; 0: not made yet
};

}  // namespace orrery::lab
