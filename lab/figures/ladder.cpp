#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

#include "lab/figures/figure_kind.h"
#include "lab/figures/saved.h"
#include "sim/core/error.h"

namespace orrery::lab {

namespace {

using nlohmann::json;

constexpr plots::Color published_color = plots::gray(0.68);

/// The quantity of a rung that is shown, measured here and in the report.
struct RungValue {
  std::string name;
  double here = nothing, published = nothing;
  double deviation = nothing;  ///< standard deviation of the times
  std::string mark;            ///< mark of a published figure with another number of bodies: " @8192"
  bool measured = false;
};

/// A speed-up that the report states, if it is over the rung of that name: the remark says over which.
double stated_over(const json& published, const std::string& name) {
  const auto remark = text_in(published, "remark");
  const auto before = "over " + name;
  const bool is = remark.starts_with(before) && (remark.size() == before.size() ||
                                                 remark.find_first_of(",;:", before.size()) == before.size());
  return is && !name.empty() ? positive_in(published, "speedup_stated") : nothing;
}

/// Where the report had another number of bodies than was measured.
std::string mark_of(const json& published, const json& rung) {
  const double there = number_in(published, "bodies"), here = bodies_of_galaxy(rung);
  return there > 0.0 && here > 0.0 && there != here ? fmt::format(" @{:.0f}", there) : std::string();
}

RungValue value_of(const json& rung, const std::string& quantity, const std::string& first) {
  RungValue value{.name = text_in(rung, "name"), .measured = rung.at("measured").get<bool>()};
  const json none = json::object();
  const auto found = rung.find("published");
  const auto& published = found == rung.end() || found->is_null() ? none : *found;
  value.mark = mark_of(published, rung);
  if (quantity == "rate") {
    value.here = positive_in(rung, "gips_frame");
    value.published = positive_in(published, "gips");
  } else if (quantity == "time") {
    value.here = positive_in(rung, "step_ms");
    value.deviation = positive_in(rung, "kernel_deviation_ms");
    value.published = positive_in(published, "seconds");
  } else if (quantity == "memory") {
    const auto memory = rung.find("published_memory");
    const auto& said = memory == rung.end() || memory->is_null() ? none : *memory;
    value.mark = said.value("other_bodies", false) ? fmt::format(" @{:.0f}", number_in(said, "bodies")) : "";
    value.here = 1e-6 * positive_in(rung, "device_bytes");
    value.published = positive_in(said, "memory_mb");
  } else {
    value.here = positive_in(rung, quantity == "previous" ? "speedup_previous" : "speedup_first");
    value.published = positive_in(published, "speedup_first");
    if (!std::isfinite(value.published)) value.published = stated_over(published, first);
    if (value.name == first && !published.empty()) value.published = 1.0;
  }
  return value;
}

/// Speed-ups over the rung that stands before in the figure: stated, or the ratio of those over the first.
void over_previous(std::vector<RungValue>& values, const std::vector<const json*>& rungs) {
  double before = nothing;
  for (std::size_t k = 0; k < values.size(); ++k) {
    const double own = values[k].published;
    const auto published = rungs[k]->find("published");
    const bool says = k > 0 && published != rungs[k]->end() && published->is_object();
    const double stated = says ? stated_over(*published, values[k - 1].name) : nothing;
    values[k].published = std::isfinite(stated) ? stated : own / before;
    before = own;
  }
}

/// The rungs that have something to show.
std::vector<RungValue> values_of(const json& ladder, const FigureRequest& request) {
  std::vector<RungValue> values;
  const auto rungs = chosen_rungs(ladder, request.rungs);
  const auto first = text_in(ladder.at("rungs").front(), "name");
  for (const auto* rung : rungs) values.push_back(value_of(*rung, request.quantity, first));
  if (request.quantity == "previous") over_previous(values, rungs);
  std::erase_if(values, [](const RungValue& value) {
    return !std::isfinite(value.here) && !std::isfinite(value.published);
  });
  if (values.empty())
    throw sim::Error("no rung has that quantity, measured or published; choose another with --quantity");
  return values;
}

std::string value_text(double value, const std::string& quantity) {
  if (!std::isfinite(value)) return {};
  const bool factor = quantity == "speedup" || quantity == "previous";
  return plots::short_number(value) + (factor ? "×" : "");
}

plots::Bars bars_of(const std::vector<RungValue>& values, const std::string& quantity,
                    double RungValue::*value, std::string name, plots::Color color) {
  plots::Bars bars{.name = std::move(name), .color = color};
  for (const auto& each : values) {
    bars.values.push_back(each.*value);
    if (value == &RungValue::here) bars.errors.push_back(each.deviation);
    const bool missing = value == &RungValue::here && !each.measured;
    const auto text = missing ? "not run here" : value_text(each.*value, quantity);
    bars.texts.push_back(value == &RungValue::published && !text.empty() ? text + each.mark : text);
  }
  return bars;
}

std::string axis_label(const std::string& quantity) {
  if (quantity == "rate") return "GInteractions/s of whole steps";
  if (quantity == "time") return "ms per step, measured here";
  if (quantity == "memory") return "MB of device memory";
  return quantity == "previous" ? "speed-up over the rung before" : "speed-up over the first rung";
}

plots::Panel ladder_panel(const std::vector<RungValue>& values, std::vector<plots::Bars> bars,
                          std::string label, const FigureRequest& request) {
  std::vector<std::string> names;
  for (const auto& value : values) names.push_back(value.name);
  std::vector<double> all;
  for (const auto& each : bars) all.insert(all.end(), each.values.begin(), each.values.end());
  // Room for the text behind the longest bar.
  constexpr double room = 0.17;
  return {.x = plots::from_zero(std::move(label), scale_for(request, all), all, room),
          .y = plots::of_categories("", std::move(names)),
          .bars = std::move(bars),
          .horizontal = true};
}

bool any(const std::vector<RungValue>& values, double RungValue::*value) {
  return std::ranges::any_of(values, [&](const RungValue& each) { return std::isfinite(each.*value); });
}

/// Times of a report are of as many steps as it made: they get axes of their own.
std::vector<plots::Panel> panels_of(const std::vector<RungValue>& values, const FigureRequest& request,
                                    const std::string& here, const std::string& published) {
  const auto& quantity = request.quantity;
  auto measured = bars_of(values, quantity, &RungValue::here, here, plots::distinct(0));
  auto report = bars_of(values, quantity, &RungValue::published, published, published_color);
  if (!any(values, &RungValue::published))
    return {ladder_panel(values, {measured}, axis_label(quantity), request)};
  if (quantity != "time") return {ladder_panel(values, {measured, report}, axis_label(quantity), request)};
  std::vector<plots::Panel> panels{ladder_panel(values, {measured}, axis_label(quantity), request),
                                   ladder_panel(values, {report}, "s, as the report counts them", request)};
  for (auto& name : panels.back().y.categories) name.clear();
  return panels;
}

std::string hardware_of(const json& ladder) {
  for (const auto& rung : ladder.at("rungs")) {
    const auto published = rung.find("published");
    if (published != rung.end() && published->is_object()) return text_in(*published, "hardware");
  }
  return {};
}

std::string title_of(const json& ladder, const std::string& quantity) {
  const auto name = text_in(ladder, "title");
  if (quantity == "rate") return name + ": rates";
  if (quantity == "time") return name + ": times";
  if (quantity == "memory") return name + ": device memory";
  return name + (quantity == "previous" ? ": speed-up of each rung" : ": speed-up");
}

plots::Figure draw_ladder(const Documents& documents, const FigureRequest& request) {
  const auto& document = documents.front();
  const auto& ladder = one_ladder(document, request);
  const auto values = values_of(ladder, request);
  const auto hardware = hardware_of(ladder);
  const auto here = "here: " + device_in(document);
  const auto published = hardware.empty() ? std::string("published") : "published: " + hardware;
  constexpr double row = 26.0, beside = 150.0;
  return {.title = title_of(ladder, request.quantity),
          .subtitle = joined({"ladder " + text_in(ladder, "name"),
                              bodies_text(number_in(ladder, "bodies"), number_in(ladder, "galaxies"))}),
          .note = request.quantity == "time" ? "whiskers: standard deviation of the kernel's time" : "",
          .panels = panels_of(values, request, here, published),
          .height = beside + row * static_cast<double>(std::max<std::size_t>(values.size(), 4))};
}

constexpr std::array<std::string_view, 5> ladder_quantities{"speedup", "previous", "rate", "time", "memory"};

}  // namespace

extern constinit const FigureKind ladder_figure{
    .name = "ladder",
    .meaning = "rungs of a report measured here, beside the published figures",
    .reads = "orrery ladder",
    .quantities = ladder_quantities,
    .reads_document = [](const json& document) { return document.contains("ladders"); },
    .draw = draw_ladder,
};

}  // namespace orrery::lab
