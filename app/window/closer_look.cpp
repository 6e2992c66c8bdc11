#include "app/window/closer_look.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/gui/gui.h"
#include "app/gui/named_widgets.h"
#include "app/gui/theme.h"
#include "app/picture/arrow_overlay.h"
#include "app/picture/overlay_projection.h"
#include "app/picture/picking.h"
#include "app/picture/picture_style.h"
#include "app/picture/picture_views.h"
#include "app/picture/star_style.h"
#include "app/picture/trail_style.h"
#include "app/session/session.h"
#include "sim/bodies/bodies.h"
#include "sim/core/threads.h"
#include "sim/options/physics_options.h"

namespace orrery::app {

namespace {

using namespace std::chrono_literals;

/// Above that sums over all bodies, and the copies that they need, would be felt.
constexpr std::size_t most_summed = 1'000'000;
constexpr std::size_t quickly_summed = 100'000;

constexpr ImU32 ring_color = IM_COL32(255, 214, 120, 235);

std::vector<float> light_of_components(const Session& session) {
  auto style = body_style(session.look());
  set_star_style(style, session.look().stars, session.summary());
  return {style.component_weight.begin(), style.component_weight.end()};
}

sim::GalaxyRange galaxy_of(const Session& session, std::size_t body) {
  const auto& galaxy = session.scene().bodies.galaxy;
  return sim::bodies_of_galaxy(galaxy, galaxy[body]);
}

std::string number(double value) { return fmt::format("{:.4g}", value); }

/// Counted from 0; of a body that is far from there with more digits.
std::string position_text(const glm::vec4& x, const glm::dvec3& origin) {
  const auto place = glm::dvec3(x) + origin;
  const int digits = origin == glm::dvec3(0.0) ? 4 : 9;
  return fmt::format("{:.{}g}, {:.{}g}, {:.{}g}", place.x, digits, place.y, digits, place.z, digits);
}

std::string three(const glm::vec4& v) { return fmt::format("{:.4g}, {:.4g}, {:.4g}", v.x, v.y, v.z); }

void row(const char* name, const std::string& value) {
  ImGui::TableNextColumn();
  ImGui::TextColored(card_colors::label, "%s", name);
  ImGui::TableNextColumn();
  ImGui::TextUnformatted(value.c_str());
}

}  // namespace

void CloserLook::forget() {
  body_.reset();
  before_.reset();
  known_.reset();
  way_.clear();
  following_ = false;
}

void CloserLook::pick(Session& session, glm::dvec2 cursor, double aspect, double height) {
  if (!session.has_dataset()) return;
  const auto picture = session.picture();
  const auto position = picture.buffers.read_position(picture.slot);
  const auto& bodies = session.scene().bodies;
  const auto found = body_under({position, bodies.galaxy, session.summary(), session.camera, aspect}, cursor,
                                height, bodies.component, light_of_components(session));
  if (!found) {
    release(session);
    return;
  }
  if (found == body_) return;
  const bool followed = std::exchange(following_, false);
  body_ = found;
  opening_ = session.openings();
  known_.reset();
  way_.clear();
  next_ask_ = {};
  show_trail(session);
  look(session);
  if (followed) toggle_following(session);
}

/// Scenes of few bodies show all trails anyway.
void CloserLook::show_trail(Session& session) {
  if (session.summary().bodies < few_enough_for_trails) return;
  if (!before_) before_ = session.configuration;
  const sim::FormValue only_this{.word = "range", .numbers = {static_cast<double>(*body_), 1.0}};
  session.set_option(session.table().at("trails"), sim::form_text(only_this));
}

bool CloserLook::release(Session& session) {
  if (!body_) return false;
  if (before_ && session.openings() == opening_)
    session.set_option(session.table().at("trails"), before_->value("trails"));
  forget();
  return true;
}

bool CloserLook::toggle_following(Session& session) {
  if (!body_) return false;
  following_ = !following_;
  if (following_) session.camera.target = glm::dvec3(now_.position);
  return true;
}

void CloserLook::look(const Session& session) {
  const auto picture = session.picture();
  now_ = render::read_body(picture.buffers, picture.slot, *body_);
}

void CloserLook::update(Session& session) {
  if (!body_) return;
  if (session.openings() != opening_) {
    release(session);
    return;
  }
  const glm::dvec3 before(now_.position);
  look(session);
  note_way();
  if (following_) session.camera.target += glm::dvec3(now_.position) - before;
  if (asked_.valid() && asked_.wait_for(0s) == std::future_status::ready) {
    const auto found = asked_.get();
    if (asked_of_ == *body_) known_ = found;
  }
  if (!asked_.valid() && Clock::now() >= next_ask_) ask(session);
}

/// One place a step, up to some thousands; then every second one goes, so that the whole way stays.
void CloserLook::note_way() {
  constexpr std::size_t most_places = 4096;
  const glm::vec3 place(now_.position);
  if (!way_.empty() && way_.back() == place) return;
  way_.push_back(place);
  if (way_.size() < most_places) return;
  for (std::size_t k = 0; 2 * k < way_.size(); ++k) way_[k] = way_[2 * k];
  way_.resize(way_.size() / 2);
}

/// A line of the ring's colour: trails of the picture itself are as faint as the body.
void CloserLook::draw_way(const PictureView& view, float scale, WidgetMap& widgets) const {
  std::vector<ImVec2> line;
  auto& list = *ImGui::GetBackgroundDrawList();
  const auto draw = [&] {
    if (line.size() > 1)
      list.AddPolyline(line.data(), static_cast<int>(line.size()), IM_COL32(255, 214, 120, 170), 0,
                       1.6F * scale);
    line.clear();
  };
  for (const auto& place : way_) {
    const auto seen = place_in_picture(view.camera, view.aspect(), glm::dvec3(place));
    if (!seen) {
      draw();
      continue;
    }
    const glm::vec2 at(view.place_of(*seen));
    line.push_back({at.x, at.y});
  }
  draw();
  if (way_.size() > 1 && !view.from_a_side)
    widgets.note_box("picked-trail", glm::vec2(0.0F), glm::vec2(1.0F));
}

/// Requests a look at the whole galaxy: copied here, summed on another thread. Rare if a copy takes
/// milliseconds.
void CloserLook::ask(const Session& session) {
  const auto bodies = session.summary().bodies;
  if (bodies > most_summed) return;
  next_ask_ = Clock::now() + (bodies > quickly_summed ? 5000ms : 300ms);
  const auto picture = session.picture();
  asked_of_ = *body_;
  asked_ =
      sim::try_async([position = picture.buffers.read_position(picture.slot), body = *body_,
                      galaxy = galaxy_of(session, *body_), physics = sim::physics_of(session.configuration)] {
        return sim::surroundings_of(body, galaxy, position, physics);
      });
}

void CloserLook::draw(const Session& session, float left, double shift, float scale,
                      WidgetMap& widgets) const {
  if (!body_ || !session.has_dataset() || session.openings() != opening_) return;
  draw_ring(session, shift, scale, widgets);
  draw_card(session, left, scale, widgets);
}

void CloserLook::draw_ring(const Session& session, double shift, float scale, WidgetMap& widgets) const {
  const auto size = ImGui::GetIO().DisplaySize;
  // Below panels and cards.
  auto& list = *ImGui::GetBackgroundDrawList();
  for (const auto& view :
       views_of(session.look().picture, session.camera, {size.x, std::max(size.y, 1.0F)}, shift)) {
    const glm::vec2 low(view.corner), high(view.corner + view.size);
    list.PushClipRect({low.x, low.y}, {high.x, high.y});
    draw_ring_in(session, view, scale, widgets);
    list.PopClipRect();
  }
}

void CloserLook::draw_ring_in(const Session& session, const PictureView& view, float scale,
                              WidgetMap& widgets) const {
  const auto place = place_in_picture(view.camera, view.aspect(), glm::dvec3(now_.position));
  if (!place) return;
  const glm::vec2 at(view.place_of(*place));
  draw_way(view, scale, widgets);
  const float radius = 11.0F * scale;
  auto& list = *ImGui::GetBackgroundDrawList();
  // On a dark rim that keeps it visible on bright ground.
  list.AddCircle({at.x, at.y}, radius, IM_COL32(0, 0, 0, 140), 48, 3.5F * scale);
  list.AddCircle({at.x, at.y}, radius, ring_color, 48, 1.6F * scale);
  widgets.note_box(view.from_a_side ? fmt::format("picked-ring:{}", view.name) : "picked-ring", at - radius,
                   at + radius);
  draw_velocity(session, view, scale, widgets);
}

/// From the ring on, as the arrows of other bodies.
void CloserLook::draw_velocity(const Session& session, const PictureView& view, float scale,
                               WidgetMap& widgets) const {
  const auto all = session.picture();
  const auto picture = input_of(all, view);
  const double usual = picture.orbits->arrows().usual_speed();
  const glm::dvec3 from(now_.position);
  const auto to =
      from + arrow_time(session.camera, session.look().overlay, usual) * glm::dvec3(now_.velocity);
  const ImVec2 size{static_cast<float>(view.size.x), static_cast<float>(view.size.y)};
  auto seen = OverlayProjection(picture, size).see(from, to);
  if (!seen) return;
  for (auto* end : {&seen->first, &seen->second})
    *end = {end->x + static_cast<float>(view.corner.x), end->y + static_cast<float>(view.corner.y)};
  const ArrowLook look{ring_color, IM_COL32(0, 0, 0, 140), 1.8F * scale, 8.0F * scale};
  draw_arrow_between(*ImGui::GetBackgroundDrawList(), seen->first, seen->second, look);
  if (view.from_a_side) return;
  widgets.note_box("picked-velocity", {seen->second.x, seen->second.y}, {seen->second.x, seen->second.y});
}

void CloserLook::rows(const Session& session, WidgetMap& widgets) const {
  const auto speed = static_cast<double>(glm::length(glm::vec3(now_.velocity)));
  row("position", position_text(now_.position, session.summary().origin));
  row("velocity", three(now_.velocity));
  row("speed", number(speed));
  row("acceleration", number(std::sqrt(std::max(double{now_.velocity.w}, 0.0))));
  row("mass", number(double{now_.position.w}));
  if (!known_) return;
  const glm::dvec3 center{known_->center.x, known_->center.y, known_->center.z};
  row("from the centre", number(glm::length(glm::dvec3(now_.position) - center)));
  // Charges have another potential.
  if (sim::physics_of(session.configuration).law != &sim::gravity_law) return;
  const double energy = 0.5 * speed * speed + known_->potential;
  row("energy per mass", number(energy) + (energy < 0.0 ? ", bound" : ", not bound"));
  widgets.note("picked-energy");
}

void CloserLook::draw_card(const Session& session, float left, float scale, WidgetMap& widgets) const {
  const auto size = ImGui::GetIO().DisplaySize;
  if (size.x - left < 320.0F * scale) return;
  begin_card("##picked", {size.x - 16.0F * scale, 0.5F * size.y}, {1.0F, 0.5F}, {16.0F, 12.0F}, scale);
  const auto& bodies = session.scene().bodies;
  const auto& names = session.scene().names;
  text_in(Gui::large_font(), text_color(),
          names.empty() ? fmt::format("body {}", bodies.id[*body_]) : names[*body_]);
  widgets.note(fmt::format("picked:{}", *body_));
  ImGui::SameLine();
  ImGui::TextColored(card_colors::label, "%s",
                     std::string(sim::component_name(bodies.component[*body_])).c_str());
  if (ImGui::BeginTable("##of-body", 2, ImGuiTableFlags_SizingFixedFit)) {
    rows(session, widgets);
    ImGui::EndTable();
  }
  ImGui::TextColored(card_colors::label, "%s",
                     following_ ? "X stops following, Esc lets go" : "X follows it, Esc lets go");
  if (following_) widgets.note("picked-followed");
  end_card();
}

}  // namespace orrery::app
