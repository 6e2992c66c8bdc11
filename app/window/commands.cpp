#include "app/window/commands.h"

#include <algorithm>
#include <array>

#include "app/window/viewer.h"

namespace orrery::app {

namespace {

void switch_theme(Viewer& viewer) {
  auto& theme = viewer.settings().theme;
  theme = theme == Theme::dark ? Theme::light : Theme::dark;
  viewer.messages().say(theme == Theme::light ? "light panel" : "dark panel");
}

using Where = ViewerCommand::Where;

// The last session and the recent files are of the person at the display, and not of who drives a server.
constexpr std::array commands{
    ViewerCommand{"open-file", "Open a file...", "Shows the files of a folder.",
                  [](Viewer& v) { v.datasets().browse(); }},
    ViewerCommand{
        "last-session", "Continue the last session",
        "Goes on with the bodies, options and view that were there when the window was closed last.",
        [](Viewer& v) { v.datasets().continue_last_session(); }, Where::on_display},
    ViewerCommand{"theme", "Switch between the light and the dark theme",
                  "The colours of the panel: light for bright rooms, else dark.", switch_theme},
    ViewerCommand{"full-screen", "Full screen on or off", "The window fills the screen it is on.",
                  [](Viewer& v) { v.toggle_fullscreen(); }},
    ViewerCommand{"larger", "Larger text and widgets", "One step larger.",
                  [](Viewer& v) { v.change_ui_scale(1); }},
    ViewerCommand{"smaller", "Smaller text and widgets", "One step smaller.",
                  [](Viewer& v) { v.change_ui_scale(-1); }},
    ViewerCommand{"usual-size", "Usual size of text and widgets", "As at first.",
                  [](Viewer& v) { v.change_ui_scale(0); }},
    ViewerCommand{"projector", "Projector: all text larger, or as before",
                  "Panel, messages and the texts of the picture, to be read in a room. Key: P.",
                  [](Viewer& v) { v.toggle_projector(); }},
    ViewerCommand{"undo", "Undo the last change of an option", "Takes it back.",
                  [](Viewer& v) { v.options().undo(); }},
    ViewerCommand{"redo", "Redo what was undone", "Makes it again.", [](Viewer& v) { v.options().redo(); }},
    ViewerCommand{"reset-display", "Reset the picture's options",
                  "Sets every option of the picture to its default. Undo takes it back.",
                  [](Viewer& v) { v.options().reset_display(); }},
    ViewerCommand{"reset-panel", "Reset the panel", "Tab, sections and width as at first.",
                  [](Viewer& v) { v.settings().panel = {}; }},
    ViewerCommand{"forget-recent", "Forget the recent files",
                  "The list of files that were opened becomes empty.",
                  [](Viewer& v) { v.settings().recent.clear(); }, Where::on_display},
    ViewerCommand{"record", "Record a film, or end it", "In a new file among your pictures. Key: F9.",
                  [](Viewer& v) { v.films().toggle(); }},
    ViewerCommand{"record-path", "Record the camera path", "A film from the first key frame to the last.",
                  [](Viewer& v) { v.films().record_path(); }},
    ViewerCommand{"play-path", "Play the camera path, or stop it", "Key: F8.",
                  [](Viewer& v) { v.camera().toggle_playing(); }},
    ViewerCommand{"plots", "Plots beside the view, or none",
                  "Rotation curve, surface density, Lagrange radii. The tab Measure has others.",
                  [](Viewer& v) { v.toggle_plots(); }},
    ViewerCommand{"galaxies", "Galaxies: pictures to choose from", "All built-in galaxies. Key: Ctrl+G.",
                  [](Viewer& v) { v.toggle_gallery(); }},
    ViewerCommand{"demos", "Demonstrations...", "Steps with captions, views and rates. Key: Ctrl+D.",
                  [](Viewer& v) { v.toggle_demos(); }},
    ViewerCommand{"palette", "Find anything...", "This list.", [](Viewer& v) { v.open_palette(); }},
    ViewerCommand{
        "end-server", "End the server...",
        "Ends the simulation and the window of every browser, after a question. Ctrl+Q leaves alone.",
        [](Viewer& v) { v.ask_to_end(); }, Where::on_server},
};

}  // namespace

std::span<const ViewerCommand> viewer_commands() { return commands; }

bool is_offered(const ViewerCommand& command, const Viewer& viewer) {
  return command.where == Where::anywhere || (command.where == Where::on_server) == viewer.is_served();
}

const ViewerCommand* find_command(const Viewer& viewer, std::string_view name) {
  const auto at =
      std::ranges::find(commands, name, [](const auto& each) { return std::string_view(each.name); });
  return at != commands.end() && is_offered(*at, viewer) ? &*at : nullptr;
}

void run_command(Viewer& viewer, std::string_view name) {
  if (const auto* command = find_command(viewer, name)) command->act(viewer);
}

void Viewer::command(std::string_view name) { run_command(*this, name); }

bool Viewer::offers(std::string_view command) const { return find_command(*this, command) != nullptr; }

}  // namespace orrery::app
