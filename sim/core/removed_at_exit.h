#pragma once

#include <cstddef>
#include <filesystem>

namespace orrery::sim {

/// Ending signals and exit() remove the files of RemovedAtExit from now on. Called once, by main(): without
/// it only remove_files_in_the_making() does.
void remove_files_when_ended();

/// While it lives, ending signals and exit() remove the file `path` before the program ends. Signals that the
/// program handles itself or ignores are left alone: such a handler that ends the program calls
/// remove_files_in_the_making(). Of more than 64 files at a time the rest stay, as do paths too long for the
/// system.
class RemovedAtExit {
 public:
  explicit RemovedAtExit(const std::filesystem::path& path);
  RemovedAtExit(const RemovedAtExit&) = delete;
  RemovedAtExit& operator=(const RemovedAtExit&) = delete;
  ~RemovedAtExit();  ///< the file stays where it is

 private:
  std::size_t slot_;
};

/// Removes the files of all living RemovedAtExit. May be called from a signal handler.
void remove_files_in_the_making() noexcept;

}  // namespace orrery::sim
