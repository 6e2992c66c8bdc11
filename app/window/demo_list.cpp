#include "app/window/demo_list.h"

#include <utility>

#include "app/live/demo.h"
#include "app/window/viewer.h"

namespace orrery::app {

std::vector<Choice> demo_choices(Viewer& viewer) {
  std::vector<std::string> problems;
  std::vector<Choice> choices;
  for (auto& demo : all_demos(viewer.session().table(), problems)) {
    choices.push_back({.name = "demo:" + demo.name,
                       .title = demo.title,
                       .detail = demo.name,
                       .words = "demonstration " + demo.meaning,
                       .help = demo.meaning,
                       .act = [&viewer, demo](Chooser& chooser) {
                         chooser.close();
                         viewer.start_demo(demo);
                       }});
  }
  for (std::size_t k = 0; k < problems.size(); ++k)
    choices.push_back({.name = "demo-problem:" + std::to_string(k),
                       .title = "a demonstration that cannot be read",
                       .refusal = problems[k]});
  return choices;
}

ChoiceList demo_list(Viewer& viewer) {
  return {.name = demo_list_name,
          .title = "Demonstrations",
          .prompt = "choose one; Space goes on from step to step, Esc takes over",
          .choices = demo_choices(viewer)};
}

}  // namespace orrery::app
