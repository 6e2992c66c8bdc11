#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
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

/// Communicator::all_gather and sum, after a roll call.
void share(Communicator& ranks, std::span<Vec3> vectors, std::span<const std::size_t> bounds);
void add_up(Communicator& ranks, std::span<std::uint32_t> numbers);
/// Communicator::maximum and trade, after a roll call.
void find_largest(Communicator& ranks, std::span<double> numbers);
void trade(Communicator& ranks, std::span<const OutgoingPieces> to, std::span<const IncomingPieces> from);
/// Rank r's vectors [bounds[r], bounds[r + 1]) go to rank 0. `vectors` and `bounds` have the same length on
/// all.
void collect(Communicator& ranks, std::span<Vec3> vectors, std::span<const std::size_t> bounds);

/// Sends message r to rank r, for each of the others, and returns what these send here; only the sender knows
/// how many items there are. Waits.
template <typename T>
std::vector<std::vector<T>> deliver(Communicator& ranks, std::span<const std::vector<T>> messages) {
  static_assert(std::is_trivially_copyable_v<T>);
  const auto trade_each = [&](const auto& leaving, const auto& coming) {
    std::vector<OutgoingPieces> to(messages.size());
    std::vector<IncomingPieces> from(messages.size());
    for (std::size_t r = 0; r < messages.size(); ++r) {
      if (static_cast<int>(r) == ranks.rank()) continue;
      to[r] = {std::as_bytes(leaving(r))};
      from[r] = {std::as_writable_bytes(coming(r))};
    }
    trade(ranks, to, from);
  };
  std::vector<std::uint64_t> sizes, coming(messages.size());
  for (const auto& message : messages) sizes.push_back(message.size());
  trade_each([&](std::size_t r) { return std::span(sizes).subspan(r, 1); },
             [&](std::size_t r) { return std::span(coming).subspan(r, 1); });
  std::vector<std::vector<T>> received;
  for (const auto size : coming) received.emplace_back(size);
  trade_each([&](std::size_t r) { return std::span(messages[r]); },
             [&](std::size_t r) { return std::span(received[r]); });
  return received;
}

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
