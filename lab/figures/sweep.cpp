#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

#include "lab/figures/figure_kind.h"
#include "lab/figures/saved.h"
#include "sim/core/error.h"
#include "sim/core/json_text.h"
#include "sim/options/engine_option.h"

namespace orrery::lab {

namespace {

using nlohmann::json;

std::string value_text(const json& value) {
  return value.is_string() ? value.get<std::string>() : sim::json_text(value);
}

double quantity_of(const json& cell, const std::string& quantity) {
  if (quantity == "time") return positive_in(cell, "kernel_ms");
  if (quantity == "error") return positive_in(cell, "force_error_median");
  return positive_in(cell, "gips_kernel");
}

std::string label_of(const std::string& quantity) {
  if (quantity == "time") return "ms per force evaluation";
  return quantity == "error" ? "relative force error, median" : "GInteractions/s of the kernel";
}

/// The values of an option in the order in which the cells have them.
std::vector<std::string> values_of(const Documents& documents, const std::string& option) {
  std::vector<std::string> values;
  for (const auto& document : documents) {
    for (const auto& cell : document.at("cells")) {
      auto text = value_text(cell.at(option));
      if (std::ranges::find(values, text) == values.end()) values.push_back(std::move(text));
    }
  }
  return values;
}

std::size_t place_of(const std::vector<std::string>& values, const json& cell, const std::string& option) {
  return static_cast<std::size_t>(std::ranges::find(values, value_text(cell.at(option))) - values.begin());
}

std::string dataset_of(const json& document) {
  return bodies_text(bodies_of_galaxy(document), number_in(document, "galaxies"));
}

/// One group of bars for each document.
plots::Panel bars_panel(const Documents& documents, const FigureRequest& request, const std::string& option) {
  const auto values = values_of(documents, option);
  std::vector<double> all;
  plots::Panel panel{.x = plots::of_categories(option, values)};
  for (std::size_t k = 0; k < documents.size(); ++k) {
    plots::Bars bars{.name = documents.size() > 1 ? dataset_of(documents[k]) : std::string(),
                     .color = plots::distinct(k),
                     .values = std::vector<double>(values.size(), nothing),
                     .texts = std::vector<std::string>(values.size(), "refused")};
    for (const auto& cell : documents[k].at("cells")) {
      const double value = quantity_of(cell, request.quantity);
      const auto at = place_of(values, cell, option);
      bars.values[at] = value;
      if (std::isfinite(value)) bars.texts[at] = plots::short_number(value);
      all.push_back(value);
    }
    panel.bars.push_back(std::move(bars));
  }
  panel.y = plots::from_zero(label_of(request.quantity), scale_for(request, all), all, 0.08);
  return panel;
}

/// Where the best is: the largest rate, the smallest of the others.
std::optional<std::size_t> best_of(const std::vector<double>& values, bool largest) {
  std::optional<std::size_t> best;
  for (std::size_t k = 0; k < values.size(); ++k) {
    if (!std::isfinite(values[k])) continue;
    if (!best || (largest ? values[k] > values[*best] : values[k] < values[*best])) best = k;
  }
  return best;
}

plots::Panel map_panel(const json& document, const FigureRequest& request) {
  const auto row_option = text_in(document, "rows_option"),
             column_option = text_in(document, "columns_option");
  const auto rows = values_of({document}, row_option), columns = values_of({document}, column_option);
  plots::HeatMap map{.columns = columns.size(),
                     .rows = rows.size(),
                     .values = std::vector<double>(rows.size() * columns.size(), nothing),
                     .texts = std::vector<std::string>(rows.size() * columns.size())};
  for (const auto& cell : document.at("cells")) {
    const auto at =
        place_of(rows, cell, row_option) * columns.size() + place_of(columns, cell, column_option);
    map.values[at] = quantity_of(cell, request.quantity);
    if (std::isfinite(map.values[at])) map.texts[at] = plots::short_number(map.values[at]);
  }
  map.ramp = plots::fitted(label_of(request.quantity), scale_for(request, map.values), map.values, 0.0);
  map.marked = best_of(map.values, request.quantity == "rate");
  return {.x = plots::of_categories(column_option, columns),
          .y = plots::of_categories(row_option, rows),
          .heat = std::move(map)};
}

std::string title_of(const json& document) {
  const auto rows = text_in(document, "rows_option"), columns = text_in(document, "columns_option");
  return columns.empty() ? "Sweep of " + rows : fmt::format("Sweep of {} and {}", rows, columns);
}

bool anything_measured(const Documents& documents) {
  return std::ranges::any_of(documents, [](const json& document) {
    return std::ranges::any_of(document.at("cells"),
                               [](const json& cell) { return cell.contains("kernel_ms"); });
  });
}

/// The kernel, unless the sweep varies it.
std::string what_computed(const json& document) {
  const auto base = document.find("base");
  if (base == document.end() || !base->is_object()) return {};
  const std::string option(sim::engine_traits(text_in(*base, "engine")).kernel_option);
  const bool varied =
      text_in(document, "rows_option") == option || text_in(document, "columns_option") == option;
  return varied ? std::string() : text_in(*base, option);
}

plots::Figure draw_sweep(const Documents& documents, const FigureRequest& request) {
  const auto& first = documents.front();
  if (!anything_measured(documents))
    throw sim::Error("there is nothing to draw: every combination of the sweep was refused");
  const bool map = !text_in(first, "columns_option").empty();
  if (map && documents.size() > 1)
    throw sim::UsageError("a sweep of two options is drawn alone; give one file");
  for (const auto& document : documents)
    if (text_in(document, "rows_option") != text_in(first, "rows_option"))
      throw sim::UsageError("the files are sweeps of different options; give those of one");
  return {.title = title_of(first),
          .subtitle =
              joined({device_in(first), documents.size() > 1 ? "" : dataset_of(first), what_computed(first)}),
          .note = map ? "framed: the best; hatched: refused" : "",
          .panels = {map ? map_panel(first, request)
                         : bars_panel(documents, request, text_in(first, "rows_option"))},
          .width = 720.0,
          .height = 440.0};
}

constexpr std::array<std::string_view, 3> sweep_quantities{"rate", "time", "error"};

}  // namespace

extern constinit const FigureKind sweep_figure{
    .name = "sweep",
    .meaning = "every value of one option as bars, of two as a heat map",
    .reads = "orrery sweep",
    .quantities = sweep_quantities,
    .reads_document =
        [](const json& document) { return document.contains("cells") && document.contains("rows_option"); },
    .draw = draw_sweep,
    .several = true,
};

}  // namespace orrery::lab
