#include <fmt/format.h>
#include <imgui.h>

#include "app/gui/theme.h"
#include "app/panels/option_widgets.h"
#include "app/panels/panel.h"
#include "sim/core/counted.h"

namespace orrery::app {

namespace {

void choose_format(PanelContext& context) {
  auto& chosen = context.series.format;
  row_label("Format");
  if (!begin_named_list(context.widgets, "series-format", chosen)) return;
  for (const auto* format : sim::snapshot_formats()) {
    if (format->write == nullptr) continue;
    const std::string name(format->name);
    if (named_entry(context.widgets, "series-format=" + name, name, name == chosen,
                    std::string(format->meaning)))
      chosen = name;
  }
  ImGui::EndCombo();
}

void choose_series(PanelContext& context) {
  auto& choice = context.series;
  const std::uint64_t least = 1, most = 1'000'000;
  row_label("Steps apart");
  ImGui::DragScalar("##every", ImGuiDataType_U64, &choice.every, 0.2F, &least, &most, "%llu",
                    ImGuiSliderFlags_AlwaysClamp);
  context.widgets.note("series-every");
  tooltip("Steps between two files.");
  choose_format(context);
}

void start_or_stop(PanelContext& context) {
  auto& session = context.session;
  if (session.records()) {
    if (named_button(context.widgets, "series-stop", "Stop",
                     "Ends the series. States that wait are still written."))
      session.stop_series();
    return;
  }
  if (named_button(
          context.widgets, "series-start", "Write a series",
          "Writes the bodies every few steps into a new folder among the pictures, one file each time. "
          "ParaView opens the index of VTK files (series.pvd). A reset or another dataset ends the series."))
    context.actions.start_series();
}

std::string files_line(const sim::SeriesProgress& progress, std::uint64_t every) {
  const auto waiting = progress.waiting > 0 ? fmt::format(", {} waiting", progress.waiting) : std::string();
  return fmt::format("{}, {} apart{}", sim::counted(progress.files, "file", "files"),
                     sim::counted(every, "step", "steps"), waiting);
}

std::string forces_line(const sim::SeriesProgress& progress) {
  if (progress.by_engine == 0 && progress.by_processor == 0) return "without forces";
  if (progress.by_processor == 0) return "forces by the engine";
  return fmt::format("forces: {} by the engine, {} by the CPU", progress.by_engine, progress.by_processor);
}

void show_progress(PanelContext& context) {
  const auto* series = context.session.series();
  if (series == nullptr) return;
  const auto progress = series->progress();
  wrapped_text(files_line(progress, series->request().every));
  context.widgets.note(fmt::format("series-files:{}", progress.files));
  if (progress.files > 0) wrapped_text(dim_color(), forces_line(progress));
  if (progress.slower) wrapped_text(dim_color(), "Writing is slower than stepping: steps wait for it.");
  wrapped_text(dim_color(), series->request().folder.string());
  if (!progress.problem.empty()) wrapped_text(progress.problem);
}

void draw_series(PanelContext& context) {
  if (!context.session.has_dataset()) return;
  if (!context.session.records()) choose_series(context);
  start_or_stop(context);
  show_progress(context);
}

}  // namespace

extern const Panel series_panel{"Series", true, draw_series, PanelTab::more};

}  // namespace orrery::app
