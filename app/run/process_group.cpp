#include "app/run/process_group.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <new>
#include <system_error>
#include <thread>

#include "sim/core/error.h"
#include "sim/core/message.h"
#include "sim/core/threads.h"
#include "sim/ranks/agreement.h"
#include "sim/ranks/launch.h"
#include "sim/ranks/world.h"
#include "sim/snapshots/column_question.h"

namespace orrery::app {

namespace {

constexpr int exit_failure = 1;
constexpr int exit_usage = 2;

void say(const std::string& message) {
  fmt::print(stderr, "orrery: {}\n", sim::message_lines(message));
  std::fflush(stderr);
}

std::string message_of(const std::exception& failure) {
  if (dynamic_cast<const std::bad_alloc*>(&failure) != nullptr)
    return "not enough memory; load fewer bodies or a smaller picture";
  const auto* system = dynamic_cast<const std::system_error*>(&failure);
  if (system != nullptr && system->code() == std::errc::resource_unavailable_try_again)
    return "the system gives this program no more threads or memory; " + sim::thread_advice();
  return failure.what();
}

/// Every process comes here with the same failure. mpirun ends all when one ends with a failure, so the
/// first, which speaks, does so when the others are done.
int end_together(const sim::SharedError& failure) {
  auto& ranks = sim::world();
  if (ranks.rank() == 0) say(failure.what());
  ranks.leave();
  if (ranks.rank() != 0) return 0;
  return failure.usage() ? exit_usage : exit_failure;
}

/// This process failed, others perhaps not.
int end_alone(const std::string& message, bool usage, std::chrono::milliseconds patience) {
  auto& ranks = sim::world();
  if (const auto failure = sim::fail(ranks, message, usage, patience)) return end_together(*failure);
  // The others are busy with something else: there is no good order to end in. The
  // stream is quiet, the descriptor is not.
  dprintf(STDERR_FILENO, "orrery: rank %d of %d: %s\n", ranks.rank(), ranks.size(), message.c_str());
  const int status = usage ? exit_usage : exit_failure;
  ranks.abort(status);
  return status;
}

/// This process could not join the others, and perhaps these did. Where all fail alike the first speaks, and
/// mpirun ends this process meanwhile.
int end_outside(const std::string& message, int status) {
  const auto& launch = sim::launch();
  if (launch.rank == 0) {
    say(message);
    return status;
  }
  std::this_thread::sleep_for(std::chrono::seconds(1));
  dprintf(STDERR_FILENO, "orrery: rank %d of %d: %s\n", launch.rank, launch.size, message.c_str());
  return status;
}

/// Why this process could not join the others; empty: it did.
std::string& join_problem() {
  static std::string problem;
  return problem;
}

/// True for an option that may differ, because machines have other GPUs and cores.
bool is_of_machine(std::string_view name) { return name == "devices" || name == "threads"; }

/// The command line without what may differ.
std::string shared_text(const std::vector<std::string>& arguments) {
  std::string text = "orrery";
  bool is_value = false;
  for (const std::string_view word : arguments) {
    const bool is_option = word.starts_with("--");
    const auto equals = word.find('=');
    const auto name =
        word.substr(is_option ? 2 : 0, equals == word.npos ? equals : equals - (is_option ? 2 : 0));
    if (!is_value) text.append(" ").append(is_of_machine(name) ? word.substr(0, equals) : word);
    is_value = is_option && equals == word.npos && is_of_machine(name);
  }
  return text;
}

}  // namespace

void quiet_all_but_first() {
  if (sim::launch().rank == 0) return;
  if (std::freopen("/dev/null", "w", stdout) == nullptr) return;
  // Descriptor 2 stays: what the system or a sanitizer has to say of a crash is not lost. That the stream is
  // a variable is the GNU C library's.
  if (std::FILE* nothing = std::fopen("/dev/null", "w")) stderr = nothing;
}

void refuse_processes(std::string_view command, const std::string& others) {
  if (sim::launch().size == 1) return;
  throw sim::UsageError(
      fmt::format("{} does its work in one process, and mpirun started {}; start it without mpirun ({} share "
                  "their work)",
                  command, sim::launch().size, others));
}

void join_processes(const std::vector<std::string>& arguments) {
  if (sim::launch().size == 1) return;
  try {
    sim::join_world();
  } catch (const sim::Error& failure) {
    join_problem() = failure.what();
    return;
  }
  sim::require_same(sim::world(), "versions of orrery", ORRERY_VERSION);
  sim::require_same(sim::world(), "commands", shared_text(arguments));
}

void require_processes() {
  if (!join_problem().empty()) throw sim::Error(join_problem());
}

bool is_first_process() { return sim::world().rank() == 0; }

void leave_processes() {
  auto& ranks = sim::world();
  if (ranks.size() == 1) return;
  sim::call_roll(ranks);
  ranks.leave();
}

int report_failure(const std::exception& failure, std::chrono::milliseconds patience) {
  auto message = message_of(failure);
  if (const auto* unclear = dynamic_cast<const sim::UnclearColumns*>(&failure))
    message += "\n" + text_of(unclear->question());
  const bool usage = dynamic_cast<const sim::UsageError*>(&failure) != nullptr;
  if (sim::world().size() == 1) return end_outside(message, usage ? exit_usage : exit_failure);
  if (const auto* shared = dynamic_cast<const sim::SharedError*>(&failure)) return end_together(*shared);
  return end_alone(message, usage, patience);
}

}  // namespace orrery::app
