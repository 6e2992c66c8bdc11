#include "sim/core/spawn_settings.h"

#include <unistd.h>

#include <csignal>

namespace orrery::sim {

SpawnSettings::SpawnSettings() {
  posix_spawn_file_actions_init(&actions_);
  posix_spawnattr_init(&attributes_);
  posix_spawnattr_setflags(&attributes_,
                           POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  sigset_t signals;
  sigemptyset(&signals);
  posix_spawnattr_setsigmask(&attributes_, &signals);
  sigfillset(&signals);
  posix_spawnattr_setsigdefault(&attributes_, &signals);
}

SpawnSettings::~SpawnSettings() {
  posix_spawn_file_actions_destroy(&actions_);
  posix_spawnattr_destroy(&attributes_);
}

void SpawnSettings::pass(int descriptor, int number) {
  posix_spawn_file_actions_adddup2(&actions_, descriptor, number);
}

void SpawnSettings::open(int number, const char* file, int flags) {
  posix_spawn_file_actions_addopen(&actions_, number, file, flags, 0);
}

int SpawnSettings::start(const std::vector<std::string>& command, pid_t& process) const {
  std::vector<char*> words;
  for (const auto& word : command) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  return ::posix_spawnp(&process, words.front(), &actions_, &attributes_, words.data(), environ);
}

}  // namespace orrery::sim
