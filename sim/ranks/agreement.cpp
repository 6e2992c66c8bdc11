#include "sim/ranks/agreement.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <new>

#include "sim/core/message.h"

namespace orrery::sim {

namespace {

constexpr const char* no_memory = "not enough memory; load fewer bodies";

/// A roll call as it travels: one maximum over all.
struct Ballot {
  bool failed = false;
  bool usage = false;
  Answer answer;
};

/// False if the others did not come.
bool exchange(Communicator& ranks, Ballot& ballot, Roll& roll, std::chrono::milliseconds patience) {
  const auto vote = ballot.answer.vote;
  std::array<double, 4> numbers{ballot.failed ? 1.0 : 0.0, ballot.usage ? 1.0 : 0.0,
                                vote && *vote ? 1.0 : 0.0, vote && !*vote ? 1.0 : 0.0};
  if (!ranks.maximum(numbers, patience)) return false;
  ballot.failed = numbers[0] > 0.0;
  ballot.usage = numbers[1] > 0.0;
  roll = {.yes = numbers[2] > 0.0, .no = numbers[3] > 0.0};
  return true;
}

std::vector<std::string> texts(Communicator& ranks, const std::string& mine) {
  const std::vector all(static_cast<std::size_t>(ranks.size()), std::vector<char>(mine.begin(), mine.end()));
  std::vector<std::string> texts;
  for (const auto& text : deliver<char>(ranks, all)) texts.emplace_back(text.begin(), text.end());
  texts[static_cast<std::size_t>(ranks.rank())] = mine;
  return texts;
}

std::string first_of(const Communicator& ranks, const std::vector<std::string>& texts) {
  const auto found = std::ranges::find_if(texts, [](const auto& text) { return !text.empty(); });
  return found == texts.end() ? std::string()
                              : with_rank(ranks, static_cast<int>(found - texts.begin()), *found);
}

/// `mine` is empty for a rank that did not fail.
SharedError agreed(Communicator& ranks, const std::string& mine, bool usage) {
  return {first_of(ranks, texts(ranks, mine)), usage};
}

}  // namespace

std::string with_rank(const Communicator& ranks, int rank, const std::string& message) {
  return rank == 0 ? message : fmt::format("rank {} of {}: {}", rank, ranks.size(), message);
}

Roll call_roll(Communicator& ranks, const Answer& mine) {
  Ballot ballot{.answer = mine};
  Roll roll;
  exchange(ranks, ballot, roll, endless_patience);
  if (ballot.failed) throw agreed(ranks, {}, ballot.usage);
  return roll;
}

std::optional<SharedError> fail(Communicator& ranks, const std::string& message, bool usage,
                                std::chrono::milliseconds patience) {
  Ballot ballot{.failed = true, .usage = usage};
  Roll roll;
  if (!exchange(ranks, ballot, roll, patience)) return std::nullopt;
  return agreed(ranks, message.empty() ? "failed" : message, ballot.usage);
}

Roll together(Communicator& ranks, const std::function<Answer()>& action) {
  if (ranks.size() == 1) return call_roll(ranks, action());
  std::string failure;
  bool usage = false;
  Answer answer;
  try {
    answer = action();
  } catch (const SharedError&) {
    throw;  // the roll was called inside
  } catch (const UsageError& error) {
    failure = error.what();
    usage = true;
  } catch (const std::bad_alloc&) {
    failure = no_memory;
  } catch (const std::exception& error) {
    failure = error.what();
  }
  if (failure.empty()) return call_roll(ranks, answer);
  throw *fail(ranks, failure, usage);
}

std::string first_text(Communicator& ranks, const std::string& mine) {
  if (ranks.size() == 1) return mine;
  call_roll(ranks);
  return first_of(ranks, texts(ranks, mine));
}

void require_same(Communicator& ranks, const std::string& what, const std::string& mine) {
  const auto all = texts(ranks, mine);
  const auto other = std::ranges::find_if(all, [&](const auto& text) { return text != all.front(); });
  if (other == all.end()) return;
  constexpr std::size_t most = 160;
  throw SharedError(
      fmt::format("the processes of mpirun have different {}: `{}` (rank 0) and `{}` (rank {}); start "
                  "all of them alike",
                  what, readable(all.front(), most), readable(*other, most), other - all.begin()),
      true);
}

void share(Communicator& ranks, std::span<Vec3> vectors, std::span<const std::size_t> bounds) {
  call_roll(ranks);
  ranks.all_gather(vectors, bounds);
}

void add_up(Communicator& ranks, std::span<std::uint32_t> numbers) {
  call_roll(ranks);
  ranks.sum(numbers);
}

void find_largest(Communicator& ranks, std::span<double> numbers) {
  call_roll(ranks);
  ranks.maximum(numbers, endless_patience);
}

void trade(Communicator& ranks, std::span<const OutgoingPieces> to, std::span<const IncomingPieces> from) {
  call_roll(ranks);
  ranks.trade(to, from);
}

void collect(Communicator& ranks, std::span<Vec3> vectors, std::span<const std::size_t> bounds) {
  const auto count = static_cast<std::size_t>(ranks.size()), self = static_cast<std::size_t>(ranks.rank());
  const auto of = [&](std::size_t r) { return vectors.subspan(bounds[r], bounds[r + 1] - bounds[r]); };
  std::vector<OutgoingPieces> to(count);
  std::vector<IncomingPieces> from(count);
  if (self > 0) to.front() = {std::as_bytes(of(self))};
  for (std::size_t r = 1; self == 0 && r < count; ++r) from[r] = {std::as_writable_bytes(of(r))};
  trade(ranks, to, from);
}

}  // namespace orrery::sim
