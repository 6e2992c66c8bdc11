#include "app/window/question.h"

#include <fmt/format.h>

#include <string>

#include "sim/core/plain_text.h"

namespace orrery::app {

namespace {

/// The end of a path says most.
std::string names_of(const std::vector<std::filesystem::path>& files) {
  constexpr std::size_t longest = 400;
  std::string names;
  for (const auto& file : files) names += (names.empty() ? "" : ", ") + file.string();
  if (names.size() > longest) names = "..." + names.substr(names.size() - longest);
  return sim::one_line(names);
}

}  // namespace

ChoiceList question_list(const std::filesystem::path& path, const std::vector<std::filesystem::path>& files,
                         const std::function<void()>& open) {
  ChoiceList list{.name = std::string(question_name),
                  .title = fmt::format("{} asks for {}. It does not lie with the picture, nor in the current "
                                       "folder: open it only if you know it.",
                                       sim::one_line(path.filename().string()), names_of(files)),
                  .prompt = "Enter chooses; Esc does not open it",
                  .choices = {}};
  list.choices.push_back({.name = "refuse",
                          .title = "Do not open it",
                          .help = "The picture's look is taken for the bodies that are shown.",
                          .act = [](Chooser& chooser) { chooser.close(); }});
  list.choices.push_back(
      {.name = "open", .title = "Open it", .help = names_of(files), .act = [open](Chooser& chooser) {
         chooser.close();
         open();
       }});
  return list;
}

}  // namespace orrery::app
