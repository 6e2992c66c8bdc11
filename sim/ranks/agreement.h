#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "sim/core/error.h"
#include "sim/ranks/communicator.h"

// What ranks do together. Every exchange begins with a roll call, in which a rank can say that it failed
// instead: then all ranks throw the same SharedError, and none waits for one that does not come.
namespace orrery::sim {

/// One rank failed, or all did; every rank throws it with the same message.
class SharedError : public Error {
 public:
  SharedError(const std::string& message, bool usage) : Error(message), usage_(usage) {}
  /// True if the rank that failed threw a UsageError.
  bool usage() const { return usage_; }

 private:
  bool usage_;
};

/// The answers of all ranks.
struct Roll {
  bool yes = false;  ///< at least one
  bool no = false;   ///< at least one
};

/// The answer of one rank: nothing, yes or no.
struct Answer {
  std::optional<bool> vote = std::nullopt;
};

/// Everyone's answers. Throws SharedError.
Roll call_roll(Communicator& ranks, const Answer& mine = {});
/// Does `action` on every rank, then calls the roll with what it says. If it throws on any rank, all throw
/// SharedError with the message of the first that failed, which is named unless it is rank 0.
/// With a single rank it throws what `action` throws.
Roll together(Communicator& ranks, const std::function<Answer()>& action);

/// Communicator::all_gather, gather and sum, after a roll call.
void share(Communicator& ranks, std::span<Vec3> vectors, std::span<const std::size_t> bounds);
void collect(Communicator& ranks, std::span<Vec3> vectors, std::span<const std::size_t> bounds);
void add_up(Communicator& ranks, std::span<std::uint32_t> numbers);
/// Communicator::maximum, deliver and trade, after a roll call.
void find_largest(Communicator& ranks, std::span<double> numbers);
void trade(Communicator& ranks, std::span<const OutgoingPieces> to, std::span<const IncomingPieces> from);
std::unique_ptr<Delivery> deliver(Communicator& ranks, std::vector<Bytes> messages);

/// Throws SharedError, a usage error, unless `mine` is equal on all ranks. `what` says what the texts are:
/// "commands".
void require_same(Communicator& ranks, const std::string& what, const std::string& mine);

/// The first of the ranks' texts that is not empty, named unless it is rank 0's: for reasons that machines
/// may not share, where all must decide alike.
std::string first_text(Communicator& ranks, const std::string& mine);

/// For a rank that cannot continue: takes part in the others' next roll call and reports it. Returns the
/// message that all ranks then have; nothing if the others do not come within `patience`.
std::optional<SharedError> fail(Communicator& ranks, const std::string& message, bool usage,
                                std::chrono::milliseconds patience = endless_patience);

/// "rank 2 of 3: message".
std::string with_rank(const Communicator& ranks, int rank, const std::string& message);

}  // namespace orrery::sim
