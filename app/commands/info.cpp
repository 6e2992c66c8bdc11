#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "app/commands/argument_groups.h"
#include "app/commands/catalogue.h"
#include "app/commands/scene_arguments.h"
#include "app/ending/answer_in_time.h"
#include "app/run/interruption.h"
#include "lab/setup/watched.h"
#include "sim/core/counted.h"
#include "sim/core/error.h"
#include "sim/core/interrupt.h"
#include "sim/core/json_text.h"
#include "sim/core/message.h"
#include "sim/cpu/cpu_options.h"
#include "sim/physics/diagnostics/diagnostics.h"
#include "sim/scene/suggest.h"
#include "sim/scene/unit_systems.h"
#include "sim/series/series_reader.h"

namespace orrery::app {

namespace {

struct InfoOptions {
  std::vector<std::string> data;
  lab::DatasetRequest dataset;
  bool json = false;
  std::optional<double> gravitational_constant;
  std::optional<double> softening;
};

nlohmann::json to_json(const sim::DVec3& v) { return {v.x, v.y, v.z}; }

nlohmann::json component_json(const sim::Bodies& bodies) {
  auto json = nlohmann::json::object();
  const auto counts = bodies.component_counts();
  for (std::size_t i = 0; i < sim::component_count; ++i) {
    if (counts.at(i) > 0)
      json[std::string(sim::component_name(static_cast<sim::Component>(i)))] = counts.at(i);
  }
  return json;
}

nlohmann::json units_json(const sim::Scene& scene) {
  const auto known = [](double size) { return size > 0.0 ? nlohmann::json(size) : nlohmann::json(); };
  nlohmann::json json{{"meters", known(scene.units.length)},
                      {"seconds", known(scene.units.time)},
                      {"kilograms", known(scene.units.mass)}};
  if (!scene.proposed_units.empty()) json["proposed"] = std::string(scene.proposed_units);
  return json;
}

nlohmann::json describe(const sim::Scene& scene, const sim::Diagnostics& d) {
  const auto& physics = scene.physics;
  return {{"title", scene.title},
          {"format", scene.source},
          {"bodies", scene.bodies.size()},
          {"components", component_json(scene.bodies)},
          {"galaxies", scene.bodies.galaxies().size()},
          {"time", scene.time},
          {"has_velocities", scene.has_velocities},
          {"mass", d.mass},
          {"G", physics.gravitational_constant},
          {"units", units_json(scene)},
          {"softening", physics.softening},
          {"force_law", std::string(physics.law->name)},
          {"coulomb", physics.coulomb},
          {"magnetic", physics.magnetic},
          {"integrator", std::string(physics.integrator->name)},
          {"dimensions", physics.dimensions},
          {"kinetic", d.kinetic},
          {"potential", d.potential},
          {"potential_uncertainty", d.potential_uncertainty},
          {"potential_method", std::string(sim::name_of(d.potential_method))},
          {"potential_sample", d.potential_sample},
          {"energy", d.energy()},
          {"virial_ratio", d.virial_ratio()},
          {"momentum", to_json(d.momentum)},
          {"angular_momentum", to_json(d.angular_momentum)},
          {"center_of_mass", to_json(d.center_of_mass)},
          {"r10", d.r10},
          {"r50", d.r50},
          {"r90", d.r90},
          {"half_mass_radius", d.half_mass_radius},
          {"suggested_time_step", physics.time_step},
          {"notes", scene.notes}};
}

std::string potential_remark(const sim::Diagnostics& d) {
  if (d.potential_method == sim::PotentialMethod::pairs) return "all pairs";
  if (d.potential_method == sim::PotentialMethod::tree)
    return fmt::format("by a tree, error about {:.2g}", d.potential_uncertainty);
  return fmt::format("estimated from {} bodies, standard error {:.2g}", d.potential_sample,
                     d.potential_uncertainty);
}

std::string text_of(const sim::DVec3& v) { return fmt::format("({:.6g}, {:.6g}, {:.6g})", v.x, v.y, v.z); }

void print_physics(const sim::Physics& physics, const auto& row) {
  row("G, softening", fmt::format("{:.6g}, {:.6g}", physics.gravitational_constant, physics.softening));
  if (physics.law->uses_charges)
    row("force law",
        fmt::format("{}, K_E = {:.6g}, K_M = {:.6g}", physics.law->name, physics.coulomb, physics.magnetic));
  row("integrator", fmt::format("{}, time step {:.6g}{}", physics.integrator->name, physics.time_step,
                                physics.dimensions == 2 ? ", two dimensions" : ""));
}

void print_text(const sim::Scene& scene, const sim::Diagnostics& d) {
  const auto row = [](std::string_view name, const std::string& value) {
    fmt::print("{:<18} {}\n", name, value);
  };
  row("dataset", scene.title);
  row("format", scene.source);
  row("bodies", fmt::format("{} in {}", scene.bodies.size(),
                            sim::counted(scene.bodies.galaxies().size(), "galaxy", "galaxies")));
  const auto components = component_json(scene.bodies);
  for (const auto& [name, count] : components.items()) row("  " + name, count.dump());
  row("time", fmt::format("{:.6g}", scene.time));
  row("mass", fmt::format("{:.9g}", d.mass));
  if (const auto units = sim::units_text(scene.units); !units.empty()) row("units", units);
  print_physics(scene.physics, row);
  row("kinetic", fmt::format("{:.9g}", d.kinetic));
  row("potential", fmt::format("{:.9g}  ({})", d.potential, potential_remark(d)));
  row("energy", fmt::format("{:.9g}", d.energy()));
  row("virial ratio K/|W|", fmt::format("{:.4f}", d.virial_ratio()));
  row("momentum", text_of(d.momentum));
  row("angular momentum", text_of(d.angular_momentum));
  row("centre of mass", text_of(d.center_of_mass));
  row("r10, r50, r90", fmt::format("{:.6g}, {:.6g}, {:.6g}", d.r10, d.r50, d.r90));
  row("half-mass radius", fmt::format("{:.6g}", d.half_mass_radius));
  for (const auto& note : scene.notes) row("note", note);
}

/// Shows a line on the terminal while it sums the potential. A tree over more bodies would take longer than
/// reading the file, and twice its memory.
sim::Diagnostics diagnose(const sim::Scene& scene) {
  constexpr std::size_t most_in_tree = 2'000'000, sample = 128;
  lab::Watch watch("summing the energy");
  const auto galaxies = scene.bodies.galaxies();
  return sim::diagnose(sim::view_of(scene.bodies, galaxies),
                       {.physics = scene.physics,
                        .above_limit = scene.bodies.size() > most_in_tree ? sim::PotentialMethod::sample
                                                                          : sim::PotentialMethod::tree,
                        .sample = sample,
                        .threads = sim::available_processors(),
                        .interrupt = sim::interrupt_flag(),
                        .progress = watch.progress()});
}

/// Statistics of the bodies of `scene` that are missing from the inspected snapshots of a series.
struct MissingBodies {
  std::size_t looked_at = 0, lacking = 0;  ///< snapshots
  std::size_t most = 0, where = 0, in_last = 0;
};
MissingBodies missing_bodies(const std::vector<sim::SnapshotPlace>& places, const sim::Scene& scene,
                             const sim::ReadOptions& options) {
  constexpr std::size_t most_read = 20'000'000;  // bodies of all snapshots
  const auto affordable = std::max<std::size_t>(most_read / std::max<std::size_t>(scene.bodies.size(), 1), 1);
  const auto step = (places.size() - 2) / affordable + 1;
  const auto first = std::make_shared<const sim::Scene>(scene);
  MissingBodies found;
  for (std::size_t n = places.size() - 1; n > 0; n -= std::min(step, n)) {
    sim::SeriesReader reader({places[n]}, first, options);
    const auto missing = reader.wait_for(0)->missing;
    ++found.looked_at;
    if (n + 1 == places.size()) found.in_last = missing;
    if (missing > 0) ++found.lacking;
    if (missing < found.most || missing == 0) continue;
    found.most = missing;
    found.where = n;
  }
  return found;
}

/// Notes bodies of `scene` that snapshots of a series lack.
void note_missing(const lab::DatasetRequest& dataset, sim::Scene& scene) try {
  const auto places = lab::series_of(dataset, scene);
  if (places.size() < 2) return;
  const auto found = missing_bodies(places, scene, lab::read_options(dataset));
  const auto bodies_are = [](std::size_t count) {
    return sim::counted(count, "body is missing", "bodies are missing");
  };
  if (found.in_last > 0)
    scene.notes.push_back(fmt::format("{} from the last snapshot of the series; they are not drawn there",
                                      bodies_are(found.in_last)));
  if (found.most <= found.in_last) return;
  const auto all = found.looked_at + 1 == places.size()
                       ? std::string()
                       : fmt::format(" of the {} that were looked at", found.looked_at);
  scene.notes.push_back(
      fmt::format("{} from snapshot {} of the series, and some from {}{}; they are not "
                  "drawn there",
                  bodies_are(found.most), found.where + 1,
                  sim::counted(found.lacking, "snapshot in all", "snapshots in all"), all));
} catch (const sim::Error& error) {
  scene.notes.push_back(sim::one_line(fmt::format("the series does not play to its end: {}", error.what())));
}

/// Time step and notes follow what was given.
void take_given(sim::Scene& scene, const InfoOptions& options) {
  if (!options.gravitational_constant && !options.softening) return;
  auto physics = scene.physics;
  physics.gravitational_constant = options.gravitational_constant.value_or(physics.gravitational_constant);
  physics.softening = options.softening.value_or(physics.softening);
  sim::take_physics(scene, physics);
}

int info(InfoOptions& options) {
  end_early_on_signals();
  const NothingToKeep nothing;
  options.dataset.source = options.data.front();
  settle_offsets(options.dataset, options.data);
  require_one(options.dataset, options.data);
  auto scene = lab::load_watched(options.dataset);
  note_missing(options.dataset, scene);
  take_given(scene, options);
  auto diagnostics = sim::counted_from_zero(diagnose(scene), scene.bodies.origin);
  diagnostics.potential += 0.0;  // -0 is 0 to people
  if (options.json) {
    fmt::print("{}\n", sim::dump_json(describe(scene, diagnostics), 2));
  } else {
    print_text(scene, diagnostics);
  }
  return 0;
}

Action declare_info(Arguments& arguments) {
  const auto options = std::make_shared<InfoOptions>();
  arguments.positional("DATA", options->data, "File or name of a built-in galaxy; several with --offset")
      .required()
      .not_empty()
      .names_file(FileRole::read);
  add_dataset(arguments, options->dataset);
  add_offsets(arguments, options->dataset);
  add_reading(arguments, options->dataset);
  arguments.group("Output");
  arguments.flag("--json", options->json, "As JSON");
  arguments
      .value("--G", options->gravitational_constant,
             "Gravitational constant (default: the dataset's, else 1)")
      .real_number(0.0);
  arguments
      .value("--softening", options->softening,
             "Softening length of the potential (default: the suggested one)")
      .real_number(0.0);
  return [options] { return info(*options); };
}

}  // namespace

extern const Command info_command{.name = "info",
                                  .meaning = "Say what a dataset holds: bodies, mass, energy, radii",
                                  .declare = declare_info};

}  // namespace orrery::app
