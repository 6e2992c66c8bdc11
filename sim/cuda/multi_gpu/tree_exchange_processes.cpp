#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "sim/cuda/driver/api.h"
#include "sim/cuda/multi_gpu/tree_exchange.h"

// Moves between domains of different processes.
namespace orrery::sim::cuda {

/// Moves to other processes, or from them: those of each process in the order that both ends know.
struct TreeExchange::Freight {
  /// `process`: that of the other end of a move; none for a move that is not of this freight.
  Freight(std::span<const Move> all, std::size_t processes,
          const std::function<std::optional<std::size_t>(const Move&)>& process)
      : moves(processes) {
    for (const auto& move : all) {
      const auto w = process(move);
      if (move.bytes == 0 || !w) continue;
      moves[*w].push_back(&move);
      bytes += move.bytes;
    }
  }
  /// A piece for each move, in the memory of GPUs: at its one end or the other.
  template <typename Byte>
  std::vector<std::vector<std::span<Byte>>> on_gpus(CUdeviceptr Move::*end) const {
    std::vector<std::vector<std::span<Byte>>> pieces(moves.size());
    for (std::size_t w = 0; w < moves.size(); ++w)
      for (const auto* move : moves[w]) pieces[w].push_back(bytes_on_gpu<Byte>(move->*end, move->bytes));
    return pieces;
  }
  /// One piece for each process, in host memory: those of one process after those of another.
  template <typename Byte>
  std::vector<std::vector<std::span<Byte>>> on_host(std::byte* begin) const {
    std::vector<std::vector<std::span<Byte>>> pieces(moves.size());
    for (std::size_t w = 0; w < moves.size(); ++w) {
      std::size_t size = 0;
      for (const auto* move : moves[w]) size += move->bytes;
      pieces[w].emplace_back(begin, size);
      begin += size;
    }
    return pieces;
  }
  /// Calls copy(move, its place in host memory) for each.
  template <typename Copy>
  void for_each(std::byte* place, const Copy& copy) const {
    for (const auto& of_process : moves) {
      for (const auto* move : of_process) {
        copy(*move, place);
        place += move->bytes;
      }
    }
  }
  std::vector<std::vector<const Move*>> moves;
  std::size_t bytes = 0;
};

/// MPI reads and writes the memory of the GPUs, or the host stages it. What the streams have queued so far is
/// done before.
void TreeExchange::carry_between_processes(std::span<const Move> moves, const char* what) {
  const auto process_of = [&](const Domain& domain) { return team_.process_of(domain.shape.own()); };
  using Process = std::optional<std::size_t>;
  const Freight leaving(moves, team_.processes(), [&](const Move& move) {
    return move.from.is_here() && !move.to.is_here() ? Process(process_of(move.to)) : Process();
  });
  const Freight arriving(moves, team_.processes(), [&](const Move& move) {
    return move.to.is_here() && !move.from.is_here() ? Process(process_of(move.from)) : Process();
  });
  auto* const out = is_direct_ ? nullptr : host_room(outgoing_, leaving.bytes);
  if (!is_direct_) {
    leaving.for_each(out, [&](const Move& move, std::byte* host) {
      move.from.part->make_current();
      check(driver()->cuMemcpyDtoHAsync(host, move.here, move.bytes, move.from.stream()), what);
    });
  }
  for (const auto* domain : here_) domain->part->wait(what);
  // A CUDA-aware MPI needs a current context, of any GPU.
  here_.front()->part->make_current();
  if (is_direct_) {
    team_.trade(leaving.on_gpus<const std::byte>(&Move::here), arriving.on_gpus<std::byte>(&Move::there));
    return;
  }
  auto* const in = host_room(incoming_, arriving.bytes);
  team_.trade(leaving.on_host<const std::byte>(out), arriving.on_host<std::byte>(in));
  arriving.for_each(in, [&](const Move& move, const std::byte* host) {
    move.to.part->make_current();
    check(driver()->cuMemcpyHtoDAsync(move.there, host, move.bytes, move.to.stream()), what);
  });
}

std::byte* TreeExchange::host_room(HostMemory& memory, std::size_t bytes) const {
  here_.front()->part->make_current();
  if (memory.size() < bytes) memory.resize(with_reserve(bytes), true);
  return static_cast<std::byte*>(memory.data());
}

}  // namespace orrery::sim::cuda
