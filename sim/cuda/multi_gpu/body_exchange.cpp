#include "sim/cuda/multi_gpu/body_exchange.h"

#include <mutex>
#include <set>
#include <utility>

#include "sim/cuda/driver/api.h"

namespace orrery::sim::cuda {

namespace {

/// Access stays open until the program ends: contexts do.
bool enable_one(GpuWorker& from, GpuWorker& to) {
  // Two parts on one GPU, as in tests.
  if (from.context() == to.context()) return true;
  static std::set<std::pair<int, int>> enabled;
  static std::mutex mutex;
  const std::lock_guard lock(mutex);
  const std::pair way(from.info().ordinal, to.info().ordinal);
  if (enabled.contains(way)) return true;
  CUdevice here = 0;
  CUdevice there = 0;
  int can = 0;
  driver()->cuDeviceGet(&here, from.info().ordinal);
  driver()->cuDeviceGet(&there, to.info().ordinal);
  if (driver()->cuDeviceCanAccessPeer(&can, here, there) != CUDA_SUCCESS || can == 0) return false;
  from.make_current();
  const CUresult result = driver()->cuCtxEnablePeerAccess(to.context(), 0);
  const bool open = result == CUDA_SUCCESS || result == CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED;
  if (open) enabled.insert(way);
  return open;
}

}  // namespace

bool enable_peer_access(std::span<GpuWorker* const> parts) {
  bool all = true;
  for (auto* from : parts) {
    for (auto* to : parts) {
      if (from != to) all = enable_one(*from, *to) && all;
    }
  }
  return all;
}

BodyExchange::BodyExchange(std::span<GpuWorker* const> parts, DomainTeam& team, RanksTransfer transfer)
    : team_(team), parts_(parts.begin(), parts.end()) {
  is_direct_ = team_.agree_on_gpu_addresses(transfer);
  const bool peers = enable_peer_access(parts);
  how_ = is_direct_           ? "positions from GPU memory by MPI"
         : team_.has_others() ? "positions through the host and MPI"
         : peers              ? "peer copies"
                              : "copies through the host";
  for (auto* part : parts_) {
    part->make_current();
    signals_.push_back(std::make_unique<Signals>());
  }
  parts_.front()->make_current();
  timer_.make();
}

BodyExchange::~BodyExchange() {
  for (std::size_t k = 0; k < signals_.size(); ++k) {
    driver()->cuCtxSetCurrent(parts_[k]->context());
    signals_[k].reset();
  }
}

void BodyExchange::run_if_due(bool velocities, int step) {
  if (!is_due_) return;
  auto& first = *parts_.front();
  first.make_current();
  const auto mark = first.timeline().begin(TimelineKind::exchange, 0, -1, step, first.streams().main());
  timer_.begin(first.streams().main());
  copy_from_peers(velocities);
  if (team_.has_others()) copy_from_processes(velocities);
  first.make_current();
  timer_.end(first.streams().main());
  first.timeline().end(mark, first.streams().main());
  is_due_ = false;
}

/// Each device fetches what the others moved, when they have; nobody moves bodies again before all have it.
void BodyExchange::copy_from_peers(bool velocities) {
  for (std::size_t k = 0; k < parts_.size(); ++k) {
    parts_[k]->make_current();
    signals_[k]->moved.record(parts_[k]->streams().main());
  }
  for (std::size_t to = 0; to < parts_.size(); ++to) {
    auto& part = *parts_[to];
    part.make_current();
    const auto own = part.state().moving_arrays(velocities);
    for (std::size_t from = 0; from < parts_.size(); ++from) {
      if (from == to) continue;
      signals_[from]->moved.hold(part.streams().main());
      const auto theirs = parts_[from]->state().moving_arrays(velocities);
      const auto range = parts_[from]->targets();
      for (std::size_t a = 0; a < own.size(); ++a) {
        const std::size_t offset = range.first * own[a].body_bytes;
        copy_between(part, own[a].address + offset, *parts_[from], theirs[a].address + offset,
                     range.size() * own[a].body_bytes, part.streams().main(),
                     "copying positions between GPUs");
      }
    }
    signals_[to]->received.record(part.streams().main());
  }
  for (std::size_t k = 0; k < parts_.size(); ++k) {
    parts_[k]->make_current();
    for (std::size_t other = 0; other < parts_.size(); ++other) {
      if (other != k) signals_[other]->received.hold(parts_[k]->streams().main());
    }
  }
}

/// The first part here gets the bodies of other processes, and the others copy them.
void BodyExchange::copy_from_processes(bool velocities) {
  if (!is_direct_) return copy_through_host(velocities);
  std::vector<OutgoingPieces> to(team_.processes());
  std::vector<IncomingPieces> from(team_.processes());
  OutgoingPieces own;
  auto& first = *parts_.front();
  const auto arrays = first.state().moving_arrays(velocities);
  for (std::size_t k = 0; k < team_.domains(); ++k) {
    const auto range = team_.stretch(k);
    if (team_.is_here(k)) {
      for (const auto& array : parts_[k - team_.first()]->state().moving_arrays(velocities))
        own.push_back(bytes_on_gpu<const std::byte>(array.address + range.first * array.body_bytes,
                                                    range.size() * array.body_bytes));
      continue;
    }
    for (const auto& array : arrays)
      from[team_.process_of(k)].push_back(bytes_on_gpu<std::byte>(
          array.address + range.first * array.body_bytes, range.size() * array.body_bytes));
  }
  for (std::size_t w = 0; w < to.size(); ++w)
    if (w != team_.process_of(team_.first())) to[w] = own;
  for (const auto* part : parts_) part->wait("copying positions to other processes");
  // A CUDA-aware MPI needs a current context, of any GPU.
  first.make_current();
  team_.trade(to, from);
  for (auto* part : std::span(parts_).subspan(1)) {
    part->make_current();
    const auto theirs = part->state().moving_arrays(velocities);
    for (std::size_t k = 0; k < team_.domains(); ++k) {
      if (team_.is_here(k)) continue;
      const auto range = team_.stretch(k);
      for (std::size_t a = 0; a < arrays.size(); ++a) {
        const std::size_t offset = range.first * arrays[a].body_bytes;
        copy_between(*part, theirs[a].address + offset, first, arrays[a].address + offset,
                     range.size() * arrays[a].body_bytes, part->streams().main(),
                     "copying positions between GPUs");
      }
    }
  }
}

/// In host memory the bodies of a process lie together, those of each of its parts array by array.
void BodyExchange::copy_through_host(bool velocities) {
  std::size_t bytes = 0;
  for (const auto& array : parts_.front()->state().moving_arrays(velocities)) bytes += array.body_bytes;
  parts_.front()->make_current();
  bodies_.resize(bytes * parts_.front()->bodies(), true);
  auto* const begin = static_cast<std::byte*>(bodies_.data());
  // Calls copy(array in device memory, in host memory, bytes) for the bodies of one part.
  const auto for_arrays = [&](const GpuWorker& part, BodyRange range, const auto& copy) {
    part.make_current();
    auto* host = begin + bytes * range.first;
    for (const auto& array : part.state().moving_arrays(velocities)) {
      copy(array.address + range.first * array.body_bytes, host, range.size() * array.body_bytes);
      host += range.size() * array.body_bytes;
    }
  };
  for (auto* part : parts_) {
    for_arrays(*part, part->share().targets, [&](CUdeviceptr device, void* host, std::size_t size) {
      check(driver()->cuMemcpyDtoHAsync(host, device, size, part->streams().main()),
            "copying positions to other processes");
    });
  }
  for (const auto* part : parts_) part->wait("copying positions to other processes");
  team_.share_bytes({begin, bodies_.size()}, bytes);
  for (auto* part : parts_) {
    for (std::size_t k = 0; k < team_.domains(); ++k) {
      if (team_.is_here(k)) continue;
      for_arrays(*part, team_.stretch(k), [&](CUdeviceptr device, const void* host, std::size_t size) {
        check(driver()->cuMemcpyHtoDAsync(device, host, size, part->streams().main()),
              "copying positions of other processes");
      });
    }
  }
}

}  // namespace orrery::sim::cuda
