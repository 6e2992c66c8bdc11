#pragma once

#include <spawn.h>
#include <sys/types.h>

#include <string>
#include <vector>

namespace orrery::sim {

/// The settings of a new process: it has a process group of its own, as the terminal's signals are for this
/// program, and blocks and ignores no signal.
class SpawnSettings {
 public:
  SpawnSettings();
  SpawnSettings(const SpawnSettings&) = delete;
  SpawnSettings& operator=(const SpawnSettings&) = delete;
  ~SpawnSettings();

  /// A descriptor stays open, as that number. Of several settings the first ones are done first.
  void pass(int descriptor, int number);
  void open(int number, const char* file, int flags);
  /// Starts a program, whose name is looked for in PATH. 0, or why not (errno).
  int start(const std::vector<std::string>& command, pid_t& process) const;

 private:
  posix_spawn_file_actions_t actions_{};
  posix_spawnattr_t attributes_{};
};

}  // namespace orrery::sim
