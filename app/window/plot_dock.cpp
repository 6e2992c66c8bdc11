#include "app/window/plot_dock.h"

#include <imgui.h>

#include <algorithm>
#include <ctime>
#include <utility>

#include "app/gui/drawn_plot.h"
#include "app/gui/imgui_compat.h"
#include "app/gui/named_widgets.h"
#include "app/picture/picture_style.h"
#include "app/session/session.h"
#include "sim/bodies/bodies.h"
#include "sim/core/random.h"
#include "sim/core/threads.h"
#include "sim/options/physics_options.h"

namespace orrery::app {

namespace {

using namespace std::chrono_literals;

constexpr auto least_pause = 400ms;

sim::GalaxyRange range_of(const Session& session, std::size_t number) {
  return sim::bodies_of_galaxy(session.scene().bodies.galaxy, static_cast<std::uint32_t>(number));
}

std::size_t galaxy_shown(const Session& session) {
  const auto number = session.look().picture.singled_out_galaxy();
  return number < 0 ? 0 : static_cast<std::size_t>(number);
}

/// A sample of the bodies, taken out of arrays of 4 floats per body. Owns its data.
struct Sampled {
  std::vector<sim::Vec3> position, velocity;
  std::vector<float> mass;
  sim::DVec3 origin = {};  ///< from which positions count
};

Sampled sampled(const float* position, const float* velocity, const std::vector<std::size_t>& bodies,
                double each) {
  Sampled result;
  for (const auto i : bodies) {
    const auto *x = position + 4 * i, *v = velocity + 4 * i;
    result.position.push_back({x[0], x[1], x[2]});
    result.velocity.push_back({v[0], v[1], v[2]});
    result.mass.push_back(static_cast<float>(each * double{x[3]}));
  }
  return result;
}

Sampled taken_from(const PictureInput& picture, const std::vector<std::size_t>& bodies, double each) {
  const auto& buffers = picture.buffers;
  const auto *position = buffers.mapped_position(picture.slot),
             *velocity = buffers.mapped_velocity(picture.slot);
  if (position != nullptr && velocity != nullptr) return sampled(position, velocity, bodies, each);
  const auto all_positions = buffers.read_position(picture.slot),
             all_velocities = buffers.read_velocity(picture.slot);
  return sampled(all_positions.data(), all_velocities.data(), bodies, each);
}

/// CPU time of the calling thread alone.
std::chrono::nanoseconds processor_time() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return std::chrono::seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec);
}

MeasuredStructure measured(const Sampled& state, const std::vector<sim::Component>& component,
                           const sim::Physics& physics) {
  const auto start = processor_time();
  const std::vector<sim::GalaxyRange> galaxies{{0, state.mass.size()}};
  const sim::StateView view{state.position, state.velocity, state.mass, galaxies, {}, state.origin};
  MeasuredStructure found{
      .structure = sim::structure_of(view, component, physics, {.most = DiagnosticsWorker::most_bodies})};
  // Charges are not in the buffers.
  if (physics.law == &sim::gravity_law)
    found.sums = sim::counted_from_zero(
        sim::diagnose(view, {.physics = physics, .exact_limit = 4'000, .sample = 1'000}), state.origin);
  found.structure.center += state.origin;
  found.spent = processor_time() - start;
  return found;
}

/// Small words at the right end of the line.
bool word(const char* text, const std::string& id, WidgetMap& widgets) {
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {0.3F * ImGui::GetFontSize(), 0.0F});
  const bool pressed = ImGui::SmallButton((std::string(text) + "##" + id).c_str());
  ImGui::PopStyleVar();
  widgets.note(id);
  return pressed;
}

/// So many words with their frames and the gaps between them.
float width_of_words(const char* letters, int count) {
  const auto words = static_cast<float>(count);
  return ImGui::CalcTextSize(letters).x + (words * 0.6F + (words - 1.0F) * 0.25F) * ImGui::GetFontSize();
}

/// Heights, in window units.
struct Rows {
  float plot, gap, window;
};

/// All plots of one height. The column ends below the last one, or is scrolled.
Rows rows_for(std::size_t plots, float most, const std::string& note) {
  const auto& style = ImGui::GetStyle();
  const float unit = ImGui::GetFontSize(), gap = 0.3F * unit, count = static_cast<float>(plots);
  const float line = note.empty() ? 0.0F : ImGui::GetTextLineHeightWithSpacing();
  const float around = 2.0F * style.WindowPadding.y + line;
  const float between = gap + 2.0F * style.ItemSpacing.y;
  const float height = std::clamp((most - around) / count - between, 11.0F * unit, 19.0F * unit);
  return {height, gap, std::min(most, around + count * (height + between))};
}

}  // namespace

void DiagnosticsWorker::begin_anew(const Session& session) {
  log_ = {};
  ++epoch_;
  opening_ = session.openings();
  resets_ = session.frame().resets;
  galaxy_ = galaxy_shown(session);
  asked_once_ = false;
  next_ask_ = {};
  draw_lots(session);
}

/// One of each of as many equal parts of the galaxy: each body is as likely.
void DiagnosticsWorker::draw_lots(const Session& session) {
  const auto range = range_of(session, galaxy_);
  of_ = range.size();
  const auto count = std::min(of_, most_bodies);
  sim::Random random(1);
  bodies_.clear();
  component_.clear();
  for (std::size_t k = 0; k < count; ++k) {
    const auto first = of_ * k / count, last = of_ * (k + 1) / count;
    bodies_.push_back(range.first + first + random.below(last - first));
    component_.push_back(session.scene().bodies.component[bodies_.back()]);
  }
}

void DiagnosticsWorker::take_found() {
  if (!asked_.valid() || asked_.wait_for(0s) != std::future_status::ready) return;
  const MeasuredStructure found = asked_.get();
  next_ask_ = Clock::now() + std::max<Clock::duration>(least_pause, 9 * found.spent);
  if (found.epoch != epoch_) return;
  if (found.sums) log_.add(found.time, *found.sums);
  log_.add(found.time, found.structure);
}

void DiagnosticsWorker::update(const Session& session) {
  if (!session.has_dataset()) return;
  log_.units = session.look().overlay.units(session.scene().units);
  if (session.openings() != opening_ || session.frame().resets != resets_ || galaxy_shown(session) != galaxy_)
    begin_anew(session);
  take_found();
  const bool moved = !asked_once_ || session.frame().time != asked_time_;
  if (moved && !asked_.valid() && Clock::now() >= next_ask_ && !bodies_.empty()) ask(session);
}

void DiagnosticsWorker::ask(const Session& session) {
  const auto picture = session.picture();
  const bool mapped = picture.buffers.mapped_position(picture.slot) != nullptr;
  if (!mapped && session.summary().bodies > most_read_back) return;
  asked_once_ = true;
  asked_time_ = session.frame().time;
  const double each = static_cast<double>(of_) / static_cast<double>(bodies_.size());
  auto state = taken_from(picture, bodies_, each);
  state.origin = session.scene().bodies.origin;
  asked_ =
      sim::try_async([state = std::move(state), component = component_, of = of_,
                      physics = sim::physics_of(session.configuration), time = asked_time_, epoch = epoch_] {
        sim::lower_thread_priority(10);
        auto found = measured(state, component, physics);
        found.time = time;
        found.epoch = epoch;
        found.structure.of = of;
        return found;
      });
}

void PlotDock::update(const Session& session, const std::vector<std::string>& names) {
  if (!names.empty()) feed_.update(session);
}

std::string PlotDock::note() const { return lab::sample_text(feed_.log()); }

void PlotDock::save_words(const lab::DiagnosticPlot& plot, float at, bool known, WidgetMap& widgets) {
  const std::string name(plot.name);
  ImGui::SameLine(at);
  ImGui::BeginDisabled(!known);
  if (word("SVG", "plot-svg:" + name, widgets)) saving_ = {.plot = &plot, .as_csv = false};
  ImGui::SameLine(0.0F, 0.25F * ImGui::GetFontSize());
  if (word("CSV", "plot-csv:" + name, widgets)) saving_ = {.plot = &plot, .as_csv = true};
  ImGui::EndDisabled();
}

/// False: it is to be closed.
bool PlotDock::plot(const lab::DiagnosticPlot& plot, float height, WidgetMap& widgets) {
  const std::string name(plot.name);
  const float top = ImGui::GetCursorPosY();
  ImGui::TextUnformatted(std::string(plot.title).c_str());
  widgets.note("plot:" + name);
  const float title = ImGui::GetItemRectSize().x;
  tooltip(std::string(plot.meaning));
  const auto panel = plot.draw(feed_.log());
  const bool known = lab::has_points(panel);
  if (known) widgets.note("plot-known:" + name);
  // Where the title takes their place only the last word is there.
  const float end = line_end();
  if (title + width_of_words("SVGCSVx", 3) < line_width())
    save_words(plot, end - width_of_words("SVGCSVx", 3), known, widgets);
  ImGui::SameLine(end - width_of_words("x", 1));
  const bool closed = word("x", "plot-close:" + name, widgets);
  const float room = height - (ImGui::GetCursorPosY() - top);
  draw_curves(panel, {ImGui::GetContentRegionAvail().x, room});
  ImGui::SetCursorPosY(top + height);
  return !closed;
}

float PlotDock::draw(std::vector<std::string>& names, float left, float top, float scale,
                     WidgetMap& widgets) {
  std::erase_if(names, [](const auto& name) { return lab::find_diagnostic_plot(name) == nullptr; });
  const auto size = ImGui::GetIO().DisplaySize;
  const float margin = 10.0F * scale;
  const float width = std::min(330.0F * scale, 0.45F * (size.x - left));
  if (names.empty() || width < 150.0F * scale) return left;
  const float corner = left > 0.0F ? left + 0.6F * margin : margin;
  const auto rows = rows_for(names.size(), std::max(size.y - top - margin, 32.0F), note());
  ImGui::SetNextWindowPos({corner, top});
  ImGui::SetNextWindowSize({width, rows.window});
  constexpr auto flags = ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoTitleBar |
                         ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoSavedSettings |
                         ImGuiWindowFlags_NoFocusOnAppearing;
  if (ImGui::Begin("Plots##dock", nullptr, flags)) {
    std::string closed;
    for (const auto& name : names) {
      ImGui::PushID(name.c_str());
      if (!plot(*lab::find_diagnostic_plot(name), rows.plot, widgets)) closed = name;
      ImGui::Dummy({1.0F, rows.gap});
      ImGui::PopID();
    }
    if (const auto text = note(); !text.empty()) ImGui::TextDisabled("%s", text.c_str());
    std::erase(names, closed);
  }
  ImGui::End();
  return corner + width;
}

}  // namespace orrery::app
