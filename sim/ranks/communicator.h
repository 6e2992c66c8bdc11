#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sim/core/vec3.h"

namespace orrery::sim {

/// Bytes to one rank, or from one: pieces in the memory of the caller.
using OutgoingPieces = std::vector<std::span<const std::byte>>;
using IncomingPieces = std::vector<std::span<std::byte>>;

/// Says if exchanges may be given addresses in the memory of GPUs.
enum class GpuAddresses {
  refused,   ///< nothing says so
  possible,  ///< possible on this machine
  taken,     ///< the library says so
};

/// The processes that work on one dataset, as one of them (a rank) sees them. Every exchange is a call that
/// all ranks make in the same order; each waits for all. What to do when one of them fails is in
/// agreement.h, through which all but that file speak. Used by one thread of each process.
class Communicator {
 public:
  virtual ~Communicator() = default;

  virtual int rank() const = 0;  ///< 0 to size() - 1; rank 0 writes
  virtual int size() const = 0;
  virtual int local_rank() const = 0;  ///< among the ranks of this machine

  /// Replaces each number by the largest that any rank has there. False if the others have not come within
  /// `patience`; then only `abort` is left to do.
  virtual bool maximum(std::span<double> numbers, std::chrono::milliseconds patience) = 0;
  /// Rank r's vectors [bounds[r], bounds[r + 1]) go to all ranks. `vectors` and `bounds` have the same length
  /// on all.
  virtual void all_gather(std::span<Vec3> vectors, std::span<const std::size_t> bounds) = 0;
  /// Adds each number over all ranks, into rank 0; the numbers of other ranks stay. All ranks pass the same
  /// count.
  virtual void sum(std::span<std::uint32_t> numbers) = 0;
  /// Sends to[r] to rank r and fills from[r] with what that sends here, without copies of its own; one entry
  /// for each rank, empty for nothing. Both ranks know the order and the sizes of the pieces. Waits.
  virtual void trade(std::span<const OutgoingPieces> to, std::span<const IncomingPieces> from) = 0;
  /// Says if pieces may be in the memory of GPUs ("CUDA-aware MPI").
  virtual GpuAddresses gpu_addresses() const = 0;

  /// Ends the exchange in good order; all ranks call it, and nothing else afterwards.
  virtual void leave() = 0;
  /// Ends all processes at once, this one too.
  virtual void abort(int status) = 0;
};

/// Waits as long as it takes.
inline constexpr std::chrono::milliseconds endless_patience = std::chrono::milliseconds::max();

}  // namespace orrery::sim
