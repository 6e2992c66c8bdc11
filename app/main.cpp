#include <sys/auxv.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <thread>

#include "app/commands/command_line.h"
#include "sim/core/mapped_file.h"
#include "sim/core/removed_at_exit.h"

namespace {

/// Rounds that a thread looks for the others before it sleeps: some 30 microseconds, longer than the gaps of
/// a step. The 300 000 that are usual take several milliseconds: whenever the system runs something else on
/// one core, the thread on the other one keeps it from those that it waits for.
constexpr const char* rounds = "1000";
/// More cores are seldom all taken, and waking many threads takes longer than this waiting.
constexpr unsigned most_processors = 8;

bool environment_decides() {
  return std::getenv("OMP_WAIT_POLICY") != nullptr || std::getenv("GOMP_SPINCOUNT") != nullptr;
}

/// The system started the program itself, not the dynamic linker with the program as its argument.
bool starts_alone() { return getauxval(AT_BASE) != 0; }

/// Call before anything else. Makes the OpenMP threads of this program give up their cores soon while
/// they wait for each other, on machines of few cores, unless the environment says how they wait
/// (OMP_WAIT_POLICY, GOMP_SPINCOUNT). GCC's OpenMP reads that before main, so the program starts itself
/// again: same process, same arguments. Returns where this was not needed or not possible.
void shorten_waits(char** arguments) {
  if (environment_decides() || !starts_alone()) return;
  if (std::thread::hardware_concurrency() > most_processors) return;
  std::error_code failure;
  const auto program = std::filesystem::read_symlink("/proc/self/exe", failure);
  if (failure || setenv("GOMP_SPINCOUNT", rounds, 1) != 0) return;
  execv(program.c_str(), arguments);
}

}  // namespace

int main(int argc, char** argv) {
  shorten_waits(argv);
  orrery::sim::remove_files_when_ended();
  orrery::sim::survive_torn_files();
  return orrery::app::run_command_line(argc, argv);
}
