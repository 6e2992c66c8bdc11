#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "sim/core/vec3.h"

namespace orrery::sim {

/// A message between ranks, of any content.
using Bytes = std::vector<std::byte>;

/// Bytes to one rank, or from one: pieces in the memory of the caller.
using OutgoingPieces = std::vector<std::span<const std::byte>>;
using IncomingPieces = std::vector<std::span<std::byte>>;

/// Says if exchanges may be given addresses in the memory of GPUs.
enum class GpuAddresses {
  refused,   ///< nothing says so
  possible,  ///< possible on this machine
  taken,     ///< the library says so
};

/// Messages under way between all ranks. They travel while the rank does something else, if it looks at them
/// now and then. Destroying it waits for them.
class Delivery {
 public:
  virtual ~Delivery() = default;
  /// Lets messages go on, without waiting. True when all have come and all of this rank's have left.
  virtual bool progress() = 0;
  /// Waits for the messages sent here: one of each rank; its own is empty. Called once.
  virtual std::vector<Bytes> wait() = 0;
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
  /// Rank r's vectors [bounds[r], bounds[r + 1]) go to rank 0. `vectors` and `bounds` have the same length on
  /// all.
  virtual void gather(std::span<Vec3> vectors, std::span<const std::size_t> bounds) = 0;
  /// Adds each number over all ranks, into rank 0; the numbers of other ranks stay. All ranks pass the same
  /// count.
  virtual void sum(std::span<std::uint32_t> numbers) = 0;
  /// The texts of all ranks.
  virtual std::vector<std::string> texts(const std::string& mine) = 0;

  /// Sends message r to rank r, for each of the others; an empty one for nothing. Only this call is one that
  /// all make together: what happens to the messages meanwhile is told by what it returns.
  virtual std::unique_ptr<Delivery> deliver(std::vector<Bytes> messages) = 0;

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
