#include <fmt/format.h>

#include <memory>
#include <string>

#include "app/commands/bash_completion.h"
#include "app/commands/catalogue.h"
#include "sim/core/error.h"

namespace orrery::app {

namespace {

int completion(const std::string& shell) {
  if (shell != "bash")
    throw sim::UsageError("there is no completion for '" + shell + "'; there is one for bash");
  fmt::print("{}", bash_completion());
  return 0;
}

Action declare_completion(Arguments& arguments) {
  const auto shell = std::make_shared<std::string>("bash");
  arguments.positional("SHELL", *shell, "bash, the only one so far");
  arguments.footer("To use it now: source <(orrery completion bash)");
  return [shell] { return completion(*shell); };
}

}  // namespace

extern const Command completion_command{.name = "completion",
                                        .meaning = "Print the completion of the command line, for bash",
                                        .declare = declare_completion};

}  // namespace orrery::app
