#include "app/session/dataset_options.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "app/log.h"
#include "app/picture/look.h"
#include "app/session/idle_assignments.h"
#include "app/session/loader.h"
#include "lab/setup/free_option.h"
#include "lab/setup/starting_options.h"
#include "sim/options/engine_option.h"

namespace orrery::app {

namespace {

/// Drops choices that do not fit the new dataset: the galaxy that was singled out, and the colours of the
/// file.
void forget_missing(sim::Configuration& settings, const sim::OptionContext& context) {
  auto highlight = sim::read_group<PictureOptions>(settings).highlight;
  if (highlight.number(0) >= static_cast<double>(context.galaxies)) {
    highlight.numbers = {-1.0};
    settings.set("highlight", sim::form_text(highlight));
  }
  if (sim::read_group<ColorOptions>(settings).mode == "file" && context.lacks_colors)
    settings.set("color-mode", std::string("auto"));
}

}  // namespace

DatasetOptions::DatasetOptions(const sim::OptionTable& table, std::vector<std::string> assignments)
    : table_(table), assignments_(std::move(assignments)) {}

void DatasetOptions::note_choice(const sim::Option& option) {
  constexpr std::array<std::string_view, 5> computing{"kernel", "family", "precision", "state-precision",
                                                      "threads"};
  kernel_by_hand_ = kernel_by_hand_ || std::ranges::find(computing, option.name) != computing.end();
}

sim::Configuration DatasetOptions::options_for(const LoadedDataset& dataset,
                                               const sim::Configuration& present, bool first) {
  auto settings = present;
  if (dataset.state) {
    settings = dataset.state->configuration;
  } else {
    lab::apply_scene(settings, *dataset.scene, assignments_);
  }
  const auto context = lab::option_context(*dataset.scene);
  // At the start only: later the person may have switched options.
  const bool tuned = !dataset.state && first && start_tuned(settings, context);
  forget_missing(settings, context);
  assign(settings);
  if (!tuned) {
    suit_number_of_bodies(settings, dataset);
    suit_precision(settings, dataset);
  }
  // What the command line says of the first dataset need not fit the next one.
  if (!first) forget_missing(settings, context);
  table_.check(settings, context);
  if (first) {
    for (const auto& line : idle_assignments(table_, assignments_, {&settings, 1}, Draws::yes))
      log_info(line);
  }
  return settings;
}

std::vector<std::string> DatasetOptions::notes_on(const LoadedDataset& dataset,
                                                  const sim::Configuration& settings) const {
  auto notes = lab::notes_of(*dataset.scene, dataset.state ? std::vector<std::string>() : assignments_);
  auto doubt = lab::time_step_note(settings, *dataset.scene, assignments_);
  if (doubt.empty()) return notes;
  log_warning(doubt);
  notes.push_back(std::move(doubt));
  return notes;
}

/// Assigns the options of the command line. Where the GPU does not start, the CPU computes.
void DatasetOptions::assign(sim::Configuration& settings) const {
  const bool on_gpu = sim::is_on_gpu(settings);
  lab::apply_assignments(table_, settings, assignments_);
  if (!on_gpu) return;
  if (const auto note = lab::idle_gpu_note(settings, assignments_); !note.empty()) log_info(note);
}

/// True if something that `orrery tune` remembered was set.
bool DatasetOptions::start_tuned(sim::Configuration& settings, const sim::OptionContext& context) const {
  const auto before = settings;
  const auto line = lab::apply_tuned(table_, settings, tuned_, context, assignments_);
  if (!line.empty()) log_info(line);
  return settings != before;
}

/// Many bodies start with a tree. Few ones after them go back to direct sums.
void DatasetOptions::suit_number_of_bodies(sim::Configuration& settings, const LoadedDataset& dataset) {
  if (dataset.state) chose_kernel_ = false;
  if (dataset.state || kernel_by_hand_) return;
  if (chose_kernel_ && !lab::tree_is_faster(settings, *dataset.scene)) {
    for (const char* option : {"kernel", "family"}) settings.set(option, table_.defaults().choice(option));
  }
  chose_kernel_ = false;
  const auto line = lab::choose_kernel_for_many(table_, settings, *dataset.scene, assignments_);
  if (line.empty()) return;
  chose_kernel_ = true;
  log_info(line);
}

/// Few bodies that are followed for long start with double precision. Others after them go back to the usual.
void DatasetOptions::suit_precision(sim::Configuration& settings, const LoadedDataset& dataset) {
  if (dataset.state) chose_precision_ = false;
  if (dataset.state || kernel_by_hand_) return;
  if (chose_precision_ && !dataset.scene->wants_double) {
    for (const char* option : lab::precision_options) settings.set(option, table_.defaults().value(option));
  }
  chose_precision_ = dataset.scene->wants_double;
  const auto line = lab::choose_double_precision(table_, settings, *dataset.scene, assignments_);
  if (!line.empty()) log_info(line);
}

std::string set_computing(const sim::OptionTable& table, const sim::OptionContext& context,
                          sim::Configuration& settings, const sim::Configuration& wanted) {
  auto changed = settings;
  for (const auto& option : table.options()) {
    if (sim::decides_result(option)) changed.set(option.name, wanted.value(option.name));
  }
  changed.set("speed", wanted.value("speed"));
  auto reason = sim::refusal_of(table, changed, context);
  if (reason.empty()) settings = std::move(changed);
  return reason;
}

}  // namespace orrery::app
