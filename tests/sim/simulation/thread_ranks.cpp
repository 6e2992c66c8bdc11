#include "thread_ranks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <barrier>
#include <cstdlib>
#include <thread>
#include <utility>

#include "tests/sim/engines/engine_cases.h"

namespace orrery::sim::checks {

namespace {

/// The state that all ranks share.
struct Hall {
  explicit Hall(int count)
      : barrier(count),
        numbers(static_cast<std::size_t>(count)),
        vectors(numbers.size()),
        counts(numbers.size()),
        messages(numbers.size()) {
    doing.fill(std::vector<std::string>(numbers.size()));
  }

  /// Waits for all ranks. Ends the program if another one is at something else.
  void meet(std::size_t rank, unsigned& meetings, const char* what) {
    // In turn: some leave, and come again, while others still compare.
    auto& mine = doing[meetings++ % doing.size()];
    mine[rank] = what;
    barrier.arrive_and_wait();
    for (const auto& other : mine)
      if (other != what) std::abort();
  }

  std::barrier<> barrier;
  std::array<std::vector<std::string>, 2> doing;
  std::vector<std::vector<double>> numbers;
  std::vector<std::span<Vec3>> vectors;
  std::vector<std::span<std::uint32_t>> counts;
  std::vector<std::vector<std::vector<std::byte>>> messages;
};

class ThreadRank final : public Communicator {
 public:
  ThreadRank(Hall& hall, int rank) : hall_(hall), rank_(rank) {}
  int rank() const override { return rank_; }
  int size() const override { return static_cast<int>(hall_.numbers.size()); }
  int local_rank() const override { return rank_; }

  bool maximum(std::span<double> numbers, std::chrono::milliseconds) override {
    hall_.numbers[index()].assign(numbers.begin(), numbers.end());
    meet("maximum");
    for (const auto& others : hall_.numbers) {
      // A roll call that meets another exchange.
      if (others.size() != numbers.size()) std::abort();
      for (std::size_t k = 0; k < others.size(); ++k) numbers[k] = std::max(numbers[k], others[k]);
    }
    meet("maximum");
    return true;
  }
  void all_gather(std::span<Vec3> vectors, std::span<const std::size_t> bounds) override {
    hall_.vectors[index()] = vectors;
    meet("gather");
    for (std::size_t r = 0; r < hall_.vectors.size(); ++r) {
      if (r == index()) continue;
      for (std::size_t i = bounds[r]; i < bounds[r + 1]; ++i) vectors[i] = hall_.vectors[r][i];
    }
    meet("gather");
  }
  void sum(std::span<std::uint32_t> numbers) override {
    hall_.counts[index()] = numbers;
    meet("sum");
    for (std::size_t r = 1; rank_ == 0 && r < hall_.counts.size(); ++r) {
      if (hall_.counts[r].size() != numbers.size()) std::abort();
      for (std::size_t k = 0; k < numbers.size(); ++k) numbers[k] += hall_.counts[r][k];
    }
    meet("sum");
  }
  /// One message to each rank, in which the pieces follow each other.
  void trade(std::span<const OutgoingPieces> to, std::span<const IncomingPieces> from) override {
    std::vector<std::vector<std::byte>> messages(to.size());
    for (std::size_t r = 0; r < to.size(); ++r)
      for (const auto& piece : to[r]) messages[r].insert(messages[r].end(), piece.begin(), piece.end());
    if (messages.size() != hall_.messages.size()) std::abort();
    hall_.messages[index()] = std::move(messages);
    meet("trade");
    for (std::size_t r = 0; r < from.size(); ++r) {
      if (r == index()) continue;
      std::span<const std::byte> left = hall_.messages[r][index()];
      for (const auto& piece : from[r]) {
        if (left.size() < piece.size()) std::abort();
        std::ranges::copy(left.first(piece.size()), piece.begin());
        left = left.subspan(piece.size());
      }
      if (!left.empty()) std::abort();
    }
    meet("trade");
  }
  GpuAddresses gpu_addresses() const override {
    return gpu_addresses_of ? gpu_addresses_of(rank_) : GpuAddresses::refused;
  }
  void leave() override {}
  void abort(int) override { std::abort(); }

 private:
  std::size_t index() const { return static_cast<std::size_t>(rank_); }
  void meet(const char* what) { hall_.meet(index(), meetings_, what); }

  Hall& hall_;
  int rank_;
  unsigned meetings_ = 0;
};

}  // namespace

std::vector<std::string> on_ranks(int count, const std::function<void(Communicator&)>& work) {
  Hall hall(count);
  std::vector<std::string> messages(static_cast<std::size_t>(count));
  std::vector<std::thread> threads;
  threads.reserve(messages.size());
  for (int r = 0; r < count; ++r) {
    threads.emplace_back([&, r] {
      ThreadRank rank(hall, r);
      try {
        work(rank);
      } catch (const std::exception& failure) {
        messages[static_cast<std::size_t>(r)] = failure.what();
      }
    });
  }
  for (auto& thread : threads) thread.join();
  return messages;
}

Bodies moved_by_ranks(int count, const std::function<std::unique_ptr<Engine>(Communicator&)>& make,
                      const Bodies& bodies, int steps) {
  Bodies result;
  const auto failures = on_ranks(count, [&](Communicator& ranks) {
    const auto engine = make(ranks);
    engine->load(bodies, 0.0);
    auto mine = after(*engine, bodies, steps);
    if (ranks.rank() == 0) result = std::move(mine);
  });
  for (const auto& failure : failures) EXPECT_EQ(failure, "");
  return result;
}

}  // namespace orrery::sim::checks
