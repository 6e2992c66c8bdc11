#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "sim/cuda/driver/api.h"
#include "sim/cuda/multi_gpu/tree_exchange_domain.h"

// Moves between domains of different processes.
namespace orrery::sim::cuda {

/// Moves to other processes, or from them, with their places in host memory, which has the bytes of one
/// process after those of another.
struct TreeExchange::Freight {
  /// `process`: that of the other end of a move; none for a move that is not of this freight.
  Freight(std::span<const Move> all, std::size_t processes,
          const std::function<std::optional<std::size_t>(const Move&)>& process)
      : sizes(processes) {
    for (std::size_t w = 0; w < processes; ++w) {
      for (const auto& move : all) {
        if (move.bytes == 0 || process(move) != w) continue;
        moves.push_back(&move);
        places.push_back(bytes);
        bytes += move.bytes;
        sizes[w] += move.bytes;
      }
    }
  }
  /// The bytes of each process.
  template <typename Byte>
  std::vector<std::span<Byte>> of_processes(const HostMemory& memory) const {
    std::vector<std::span<Byte>> parts;
    auto* begin = static_cast<std::byte*>(memory.data());
    for (const auto size : sizes) {
      parts.emplace_back(begin, size);
      begin += size;
    }
    return parts;
  }
  std::vector<const Move*> moves;
  std::vector<std::size_t> places, sizes;
  std::size_t bytes = 0;
};

/// Through the host: what the streams have queued so far is done before.
void TreeExchange::carry_between_processes(std::span<const Move> moves, const char* what) {
  const auto process_of = [&](const Domain& domain) { return team_.process_of(domain.shape.own()); };
  using Process = std::optional<std::size_t>;
  const Freight leaving(moves, team_.processes(), [&](const Move& move) {
    return move.from.is_here() && !move.to.is_here() ? Process(process_of(move.to)) : Process();
  });
  const Freight arriving(moves, team_.processes(), [&](const Move& move) {
    return move.to.is_here() && !move.from.is_here() ? Process(process_of(move.from)) : Process();
  });
  const auto make_room = [&](HostMemory& memory, const Freight& freight) {
    here_.front()->part->make_current();
    if (memory.size() < freight.bytes) memory.resize(with_reserve(freight.bytes), true);
    return static_cast<std::byte*>(memory.data());
  };
  auto* const out = make_room(outgoing_, leaving);
  for (std::size_t k = 0; k < leaving.moves.size(); ++k) {
    const auto& [from, here, to, there, bytes] = *leaving.moves[k];
    from.part->make_current();
    check(driver()->cuMemcpyDtoHAsync(out + leaving.places[k], here, bytes, from.stream()), what);
  }
  for (const auto* domain : here_) {
    domain->part->make_current();
    check(driver()->cuStreamSynchronize(domain->stream()), what);
  }
  auto* const in = make_room(incoming_, arriving);
  team_.trade(leaving.of_processes<const std::byte>(outgoing_), arriving.of_processes<std::byte>(incoming_));
  for (std::size_t k = 0; k < arriving.moves.size(); ++k) {
    const auto& [from, here, to, there, bytes] = *arriving.moves[k];
    to.part->make_current();
    check(driver()->cuMemcpyHtoDAsync(there, in + arriving.places[k], bytes, to.stream()), what);
  }
}

}  // namespace orrery::sim::cuda
