#include "app/window/question.h"

#include <fmt/format.h>

#include <set>
#include <string>

#include "sim/core/error.h"
#include "sim/core/letters.h"
#include "sim/core/message.h"
#include "sim/scene/unit_systems.h"

namespace orrery::app {

namespace {

/// Where a path begins and where it ends says most.
std::string short_name(const std::filesystem::path& file) {
  constexpr std::size_t longest = 120, first = 50, last = 60;
  const auto name = file.string();
  if (name.size() <= longest) return sim::one_line(name);
  return sim::one_line(name.substr(0, sim::character_begin(name, first))) + " ... " +
         sim::one_line(name.substr(sim::character_begin(name, name.size() - last)));
}

/// Each by itself on a line of its own: a long one hides no other.
std::string lines_of(const std::set<std::filesystem::path>& files) {
  std::string lines;
  for (const auto& file : files) lines += fmt::format("\n'{}'", short_name(file));
  return lines;
}

void require_few(const std::filesystem::path& path, std::size_t files) {
  if (files <= most_asked_files) return;
  throw sim::Error(
      fmt::format("{} asks for {} files that are not in its folder or the current one; more than {} are "
                  "not asked about: put them beside it",
                  sim::quoted(path), files, most_asked_files));
}

}  // namespace

ChoiceList question_list(const std::filesystem::path& path, const std::vector<std::filesystem::path>& files,
                         const std::function<void()>& open) {
  const std::set<std::filesystem::path> asked(files.begin(), files.end());
  require_few(path, asked.size());
  const bool one = asked.size() == 1;
  const auto* const them = one ? "it" : "them";
  ChoiceList list{.name = std::string(question_name),
                  .title = fmt::format(
                      "{} asks for {}, not beside the picture nor in the current folder. Open {} only if "
                      "you know {}.{}",
                      short_name(path.filename()), one ? "this file" : "these files", them,
                      one ? "it" : "all of them", lines_of(asked)),
                  .prompt = fmt::format("Enter chooses; Esc does not open {}", them)};
  list.choices.push_back({.name = "refuse",
                          .title = fmt::format("Do not open {}", them),
                          .help = "The picture's look is taken for the bodies that are shown.",
                          .act = closing([] {})});
  list.choices.push_back({.name = "open",
                          .title = fmt::format("Open {}", them),
                          .help = fmt::format("The bodies of {} are shown as in the picture.",
                                              one ? "this file" : "these files"),
                          .act = closing(open)});
  return list;
}

ChoiceList end_question(const std::function<void()>& end) {
  ChoiceList list{.name = "end-question",
                  .title =
                      "End the server? The simulation ends, and the window of every browser. To leave and "
                      "come back later press Ctrl+Q instead.",
                  .prompt = "Enter chooses; Esc goes on"};
  list.choices.push_back({.name = "go-on", .title = "Go on", .act = closing([] {})});
  list.choices.push_back({.name = "end",
                          .title = "End the server",
                          .help = "The session is kept: `orrery serve --resume` goes on with it.",
                          .act = closing(end)});
  return list;
}

ChoiceList units_list(const Session& session, const std::function<void(const lab::DatasetRequest&)>& open) {
  ChoiceList list{.name = "units-of-file",
                  .title = "What are the numbers of this file in?",
                  .prompt = "Enter chooses; Esc leaves them as they are"};
  const auto& scene = session.scene();
  for (const auto& system : sim::unit_systems()) {
    const bool proposed = scene.proposed_units == system.name;
    auto request = session.dataset().request;
    request.units = system.name;
    list.choices.push_back(
        {.name = std::string(system.name),
         .title = std::string(system.meaning),
         .detail = proposed ? "proposed" : "",
         .help = proposed ? "In these units the bodies are nearest to equilibrium."
                          : "Loads the file again: G, softening and time step follow.",
         .current = proposed || (scene.proposed_units.empty() && sim::unit_system_of(scene) == &system),
         .act = closing([request, open] { open(request); })});
  }
  return list;
}

}  // namespace orrery::app
