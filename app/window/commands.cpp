#include "app/window/commands.h"

#include <GLFW/glfw3.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "app/live/switching.h"
#include "app/picture/painter.h"
#include "app/picture/picture_style.h"
#include "app/picture/picture_views.h"
#include "app/window/viewer.h"
#include "sim/options/physics_options.h"

namespace orrery::app {

namespace {

using Camera = render::Camera;

/// The rungs and what they brought are on the panel's tab Measure.
void climb(Viewer& viewer, int direction) {
  auto& laboratory = viewer.laboratory();
  laboratory.ladder.climb(viewer.session(), laboratory.experiment, direction);
  viewer.settings().panel.tab = name_of(PanelTab::measure);
}

void change_kernel(Viewer& viewer, int direction) {
  viewer.messages().say(switch_kernel(viewer.session(), direction));
}

void change_amount(Viewer& viewer, int direction) {
  viewer.messages().say(switch_amount(viewer.session(), direction));
}

void next_color_mode(Viewer& viewer) {
  auto& session = viewer.session();
  const auto& option = session.table().at("color-mode");
  const auto& choices = option.choices;
  // "auto" is passed over, so that each press shows something else; and what the dataset does not have.
  const auto shown = color_mode_of(session.look(), session.summary()).name;
  auto next = static_cast<std::size_t>(std::ranges::find(choices, shown) - choices.begin() + 1);
  const auto is_passed_over = [&](const std::string& choice) {
    return choice == "auto" || !session.refusal(option, choice).empty();
  };
  for (std::size_t k = 0; k < choices.size(); ++k, ++next) {
    if (is_passed_over(choices[next % choices.size()])) continue;
    session.set_option(option, choices[next % choices.size()]);
    return;
  }
}

void add_stops(Viewer& viewer, double stops) {
  auto& session = viewer.session();
  const auto& option = session.table().at("exposure");
  auto value = session.look().light.exposure;
  const auto& limits = sim::form_of(option, value)->numbers.front();
  value.numbers = {std::clamp(value.number(0) + stops, limits.minimum, limits.maximum)};
  session.set_option(option, sim::form_text(value));
}

/// From "as fast as it goes" the first press starts at the present pace.
void scale_speed(Viewer& viewer, double factor) {
  auto& session = viewer.session();
  const double dt = std::abs(sim::physics_of(session.configuration).time_step);
  double speed = sim::read_group<PaceOptions>(session.configuration).speed;
  if (speed <= 0.0) speed = session.rates().steps_per_second() * dt;
  const auto& option = session.table().at("speed");
  if (speed > 0.0) session.set_option(option, std::min(speed * factor, option.maximum));
}

void switch_views(Viewer& viewer) {
  auto& session = viewer.session();
  const bool several = session.look().picture.has_several_views();
  session.set_option(session.table().at("views"), std::string(several ? "one" : "four"));
}

void toggle_fly(Viewer& viewer) {
  auto& mode = viewer.session().camera.mode;
  mode = mode == Camera::Mode::fly ? Camera::Mode::orbit : Camera::Mode::fly;
}

constexpr int ctrl = GLFW_MOD_CONTROL;
constexpr int shift = GLFW_MOD_SHIFT;

constexpr auto bindings = std::to_array<KeyBinding>({
    {GLFW_KEY_SPACE, 0, "Space", "pause or run; in a demonstration: go on", [](Viewer& v) { v.go_on(); }},
    {GLFW_KEY_RIGHT, 0, "Right", "one step", [](Viewer& v) { v.session().step_once(); }, true},
    {GLFW_KEY_PAGE_DOWN, 0, "PgDn", "50 steps", [](Viewer& v) { v.session().step_once(50); }},
    {GLFW_KEY_BACKSPACE, 0, "Backspace", "back to the start", [](Viewer& v) { v.session().reset(); }},
    {GLFW_KEY_COMMA, 0, ",", "half the speed", [](Viewer& v) { scale_speed(v, 0.5); }, true},
    {GLFW_KEY_PERIOD, 0, ".", "twice the speed", [](Viewer& v) { scale_speed(v, 2.0); }, true},
    {GLFW_KEY_K, 0, "K", "next kernel; on a GPU the next kernel family",
     [](Viewer& v) { change_kernel(v, 1); }},
    {GLFW_KEY_K, shift, "Shift+K", "previous kernel or family", [](Viewer& v) { change_kernel(v, -1); }},
    {GLFW_KEY_B, 0, "B", "back to the kernel and options before the last switch, and again",
     [](Viewer& v) { v.switch_back(); }},
    {GLFW_KEY_UP, 0, "Up", "one rung up the ladder", [](Viewer& v) { climb(v, 1); }},
    {GLFW_KEY_DOWN, 0, "Down", "one rung down", [](Viewer& v) { climb(v, -1); }},
    {GLFW_KEY_T, 0, "T", "one thread more; on a GPU twice the tile", [](Viewer& v) { change_amount(v, 1); },
     true},
    {GLFW_KEY_T, shift, "Shift+T", "one thread less; on a GPU half the tile",
     [](Viewer& v) { change_amount(v, -1); }, true},
    {GLFW_KEY_C, 0, "C", "colour by the next quantity", next_color_mode},
    {GLFW_KEY_R, 0, "R", "fit the colours to the bodies as they are now",
     [](Viewer& v) { v.session().adapt_color_range(); }},
    {GLFW_KEY_LEFT_BRACKET, 0, "[", "darker", [](Viewer& v) { add_stops(v, -1.0 / 3.0); }, true},
    {GLFW_KEY_RIGHT_BRACKET, 0, "]", "brighter", [](Viewer& v) { add_stops(v, 1.0 / 3.0); }, true},
    {GLFW_KEY_HOME, 0, "Home", "show all bodies", [](Viewer& v) { v.camera().fit(); }},
    {GLFW_KEY_HOME, shift, "Shift+Home", "show the galaxy that is singled out",
     [](Viewer& v) { v.camera().frame_galaxy(); }},
    {GLFW_KEY_G, 0, "G", "single out the next galaxy", [](Viewer& v) { v.session().single_out_next(1); },
     true},
    {GLFW_KEY_G, shift, "Shift+G", "single out the previous galaxy",
     [](Viewer& v) { v.session().single_out_next(-1); }, true},
    {GLFW_KEY_1, ctrl, "Ctrl+1", "look at the disk face-on",
     [](Viewer& v) { v.camera().look_along(View::face_on); }},
    {GLFW_KEY_3, ctrl, "Ctrl+3", "look at the disk edge-on",
     [](Viewer& v) { v.camera().look_along(View::edge_on, 90.0); }},
    {GLFW_KEY_7, ctrl, "Ctrl+7", "look at the disk edge-on, from a quarter further",
     [](Viewer& v) { v.camera().look_along(View::edge_on); }},
    {GLFW_KEY_V, 0, "V", "four views at once, or one", switch_views},
    {GLFW_KEY_F, 0, "F", "fly or orbit; flying: W A S D Q E, drag to look around", toggle_fly},
    {GLFW_KEY_X, 0, "X", "follow the body that was clicked on, or no longer",
     [](Viewer& v) { v.toggle_following(); }},
    {GLFW_KEY_F8, 0, "F8", "play the camera path, or stop it",
     [](Viewer& v) { v.camera().toggle_playing(); }},
    {GLFW_KEY_F9, 0, "F9", "begin or end a film", [](Viewer& v) { v.films().toggle(); }},
    {GLFW_KEY_F12, 0, "F12", "take a picture, without the panel",
     [](Viewer& v) { v.pictures().take(false); }},
    {GLFW_KEY_F12, ctrl, "Ctrl+F12", "take a picture with the panel",
     [](Viewer& v) { v.pictures().take(true); }},
    {GLFW_KEY_C, ctrl, "Ctrl+C", "copy view and options as text", [](Viewer& v) { v.camera().copy_view(); }},
    {GLFW_KEY_V, ctrl, "Ctrl+V", "paste a copied view", [](Viewer& v) { v.camera().paste_view(); }},
    {GLFW_KEY_P, ctrl, "Ctrl+P", "find an option, galaxy, key or command, and set it",
     [](Viewer& v) { v.open_palette(); }},
    {GLFW_KEY_Z, ctrl, "Ctrl+Z", "undo the last change of an option", [](Viewer& v) { v.options().undo(); },
     true},
    {GLFW_KEY_Z, ctrl | shift, "Ctrl+Shift+Z", "redo", [](Viewer& v) { v.options().redo(); }, true},
    {GLFW_KEY_P, 0, "P", "projector: all text larger, for a room; and back",
     [](Viewer& v) { v.toggle_projector(); }},
    {GLFW_KEY_EQUAL, ctrl, "Ctrl+plus", "larger text and widgets", [](Viewer& v) { v.change_ui_scale(1); },
     true},
    {GLFW_KEY_MINUS, ctrl, "Ctrl+minus", "smaller text and widgets", [](Viewer& v) { v.change_ui_scale(-1); },
     true},
    {GLFW_KEY_0, ctrl, "Ctrl+0", "text and widgets as at first", [](Viewer& v) { v.change_ui_scale(0); }},
    {GLFW_KEY_G, ctrl, "Ctrl+G", "show the built-in galaxies as pictures",
     [](Viewer& v) { v.toggle_gallery(); }},
    {GLFW_KEY_D, ctrl, "Ctrl+D", "show the demonstrations, to start one",
     [](Viewer& v) { v.toggle_demos(); }},
    {GLFW_KEY_O, ctrl, "Ctrl+O", "open a file", [](Viewer& v) { v.datasets().browse(); }},
    {GLFW_KEY_N, 0, "N", "next dataset", [](Viewer& v) { v.datasets().open_next(1); }},
    {GLFW_KEY_N, shift, "Shift+N", "previous dataset", [](Viewer& v) { v.datasets().open_next(-1); }},
    {GLFW_KEY_TAB, 0, "Tab", "show or hide the panel", [](Viewer& v) { v.toggle_panel(); }},
    {GLFW_KEY_H, 0, "H", "show or hide this help",
     [](Viewer& v) { v.settings().help_visible = !v.settings().help_visible; }},
    {GLFW_KEY_F1, 0, "F1", "show or hide this help",
     [](Viewer& v) { v.settings().help_visible = !v.settings().help_visible; }},
    {GLFW_KEY_ESCAPE, 0, "Esc",
     "close the message or the galaxies, end the demonstration, close this help, deselect a body, "
     "or show all",
     [](Viewer& v) { v.dismiss(); }},
    {GLFW_KEY_F11, 0, "F11", "full screen", [](Viewer& v) { v.toggle_fullscreen(); }},
    {GLFW_KEY_Q, ctrl, "Ctrl+Q", "quit; in a browser: leave, and the server goes on",
     [](Viewer& v) { v.leave(); }},
});

void switch_theme(Viewer& viewer) {
  auto& theme = viewer.settings().theme;
  theme = theme == Theme::dark ? Theme::light : Theme::dark;
  viewer.messages().say(theme == Theme::light ? "light panel" : "dark panel");
}

using Where = ViewerCommand::Where;

// The last session and the recent files are of the person at the display, and not of who drives a server.
constexpr auto commands = std::to_array<ViewerCommand>({
    {"open-file", "Open a file...", "Shows the files of a folder.", [](Viewer& v) { v.datasets().browse(); }},
    {"last-session", "Continue the last session",
     "Goes on with the bodies, options and view that were there when the window was closed last.",
     [](Viewer& v) { v.datasets().continue_last_session(); }, Where::on_display},
    {"theme", "Switch between the light and the dark theme",
     "The colours of the panel: light for bright rooms, else dark.", switch_theme},
    {"full-screen", "Full screen on or off", "The window fills the screen it is on.",
     [](Viewer& v) { v.toggle_fullscreen(); }},
    {"larger", "Larger text and widgets", "One step larger.", [](Viewer& v) { v.change_ui_scale(1); }},
    {"smaller", "Smaller text and widgets", "One step smaller.", [](Viewer& v) { v.change_ui_scale(-1); }},
    {"usual-size", "Usual size of text and widgets", "As at first.", [](Viewer& v) { v.change_ui_scale(0); }},
    {"projector", "Projector: all text larger, or as before",
     "Panel, messages and the texts of the picture, to be read in a room. Key: P.",
     [](Viewer& v) { v.toggle_projector(); }},
    {"undo", "Undo the last change of an option", "Takes it back.", [](Viewer& v) { v.options().undo(); }},
    {"redo", "Redo what was undone", "Makes it again.", [](Viewer& v) { v.options().redo(); }},
    {"reset-display", "Reset the picture's options",
     "Sets every option of the picture to its default. Undo takes it back.",
     [](Viewer& v) { v.options().reset_display(); }},
    {"reset-panel", "Reset the panel", "Tab, sections and width as at first.",
     [](Viewer& v) { v.settings().panel = {}; }},
    {"forget-recent", "Forget the recent files", "The list of files that were opened becomes empty.",
     [](Viewer& v) { v.settings().recent.clear(); }, Where::on_display},
    {"record", "Record a film, or end it", "In a new file among your pictures. Key: F9.",
     [](Viewer& v) { v.films().toggle(); }},
    {"record-path", "Record the camera path", "A film from the first key frame to the last.",
     [](Viewer& v) { v.films().record_path(); }},
    {"play-path", "Play the camera path, or stop it", "Key: F8.",
     [](Viewer& v) { v.camera().toggle_playing(); }},
    {"plots", "Plots beside the view, or none",
     "Rotation curve, surface density, Lagrange radii. The tab Measure has others.",
     [](Viewer& v) { v.toggle_plots(); }},
    {"galaxies", "Galaxies: pictures to choose from", "All built-in galaxies. Key: Ctrl+G.",
     [](Viewer& v) { v.toggle_gallery(); }},
    {"demos", "Demonstrations...", "Steps with captions, views and rates. Key: Ctrl+D.",
     [](Viewer& v) { v.toggle_demos(); }},
    {"palette", "Find anything...", "This list.", [](Viewer& v) { v.open_palette(); }},
    {"end-server", "End the server...",
     "Ends the simulation and the window of every browser, after a question. Ctrl+Q leaves alone.",
     [](Viewer& v) { v.ask_to_end(); }, Where::on_server},
});

}  // namespace

std::span<const KeyBinding> key_bindings() { return bindings; }

std::span<const ViewerCommand> viewer_commands() { return commands; }

bool is_offered(const ViewerCommand& command, const Viewer& viewer) {
  return command.where == Where::anywhere || (command.where == Where::on_server) == viewer.is_served();
}

const ViewerCommand* find_command(const Viewer& viewer, std::string_view name) {
  const auto at =
      std::ranges::find(commands, name, [](const auto& each) { return std::string_view(each.name); });
  return at != commands.end() && is_offered(*at, viewer) ? &*at : nullptr;
}

void Viewer::command(std::string_view name) {
  if (const auto* found = find_command(*this, name)) found->act(*this);
}

bool Viewer::offers(std::string_view command) const { return find_command(*this, command) != nullptr; }

}  // namespace orrery::app
