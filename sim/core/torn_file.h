#pragma once

#include <cstddef>
#include <span>

namespace orrery::sim {

/// Handles SIGBUS from now on for TornFileGuard. Called once, by main(): without it a guard does nothing.
void survive_torn_files();

/// While it lives, a file that is mapped there and is shortened by another program does not end this one with
/// SIGBUS: zeros are read in place of what is gone. At most 16 at a time; more are not guarded.
class TornFileGuard {
 public:
  /// `mapped` must be mapped at least as long as the guard lives.
  explicit TornFileGuard(std::span<const std::byte> mapped);
  TornFileGuard(const TornFileGuard&) = delete;
  TornFileGuard& operator=(const TornFileGuard&) = delete;
  ~TornFileGuard();

  /// True if something was gone: what was read is not what the file held.
  bool torn() const;

 private:
  int slot_ = -1;
};

}  // namespace orrery::sim
