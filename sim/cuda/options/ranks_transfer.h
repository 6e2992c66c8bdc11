#pragma once

#include <string_view>

namespace orrery::sim {

/// The way between GPUs of several processes: through memory of the host, or MPI gets addresses of GPU
/// memory. Automatic: the latter where MPI says that it takes them.
enum class RanksTransfer { automatic, host, direct };

/// The value of the option ranks-transfer.
inline RanksTransfer ranks_transfer_named(std::string_view name) {
  if (name == "direct") return RanksTransfer::direct;
  return name == "host" ? RanksTransfer::host : RanksTransfer::automatic;
}

}  // namespace orrery::sim
