#include "sim/ranks/world.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <unistd.h>

#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <thread>

#include "sim/core/error.h"
#include "sim/core/own_module.h"
#include "sim/core/threads.h"
#include "sim/ranks/launch.h"

namespace orrery::sim {

namespace {

/// One process: nobody to exchange anything with.
class SerialCommunicator final : public Communicator {
 public:
  int rank() const override { return 0; }
  int size() const override { return 1; }
  int local_rank() const override { return 0; }
  bool maximum(std::span<double>, std::chrono::milliseconds) override { return true; }
  void all_gather(std::span<Vec3>, std::span<const std::size_t>) override {}
  void sum(std::span<std::uint32_t>) override {}
  void trade(std::span<const OutgoingPieces>, std::span<const IncomingPieces>) override {}
  GpuAddresses gpu_addresses() const override { return GpuAddresses::refused; }
  void leave() override {}
  void abort(int status) override { std::_Exit(status); }
};

Communicator*& joined() {
  static SerialCommunicator alone;
  static Communicator* ranks = &alone;
  return ranks;
}

#ifdef ORRERY_MPI_MODULE
using Open = Communicator* (*)();

/// Global: Open MPI opens its own parts, and these look for its symbols.
OwnModule own_module() {
  return open_own_module(ORRERY_MPI_MODULE, "orrery_open_mpi", RTLD_NOW | RTLD_GLOBAL);
}

/// Ends the program if it lives longer than `patience`.
class JoinWatch {
 public:
  explicit JoinWatch(std::chrono::seconds patience)
      : thread_(
            start_thread<std::jthread>("joining other processes", [patience](const std::stop_token& stop) {
              std::mutex mutex;
              std::unique_lock lock(mutex);
              if (!std::condition_variable_any().wait_for(lock, stop, patience,
                                                          [&] { return stop.stop_requested(); }))
                end(patience);
            })) {}

 private:
  static void end(std::chrono::seconds patience) {
    ::dprintf(
        STDERR_FILENO,
        "orrery: rank %d of %d: the other processes of mpirun have not joined within %lld s; start the same "
        "orrery in all of them\n",
        launch().rank, launch().size, static_cast<long long>(patience.count()));
    ::_exit(1);
  }
  std::jthread thread_;
};

void join(std::chrono::seconds patience) {
  const JoinWatch watch(patience);
  const auto module = own_module();
  if (module.function == nullptr)
    throw Error(fmt::format(
        "cannot work as {} processes: MPI does not open ({}); install {}, or start orrery without "
        "mpirun",
        launch().size, module.problem,
        std::filesystem::exists(mpi_module()) ? "Open MPI's run time" : "the package orrery-mpi"));
  auto* ranks = reinterpret_cast<Open>(module.function)();
  if (ranks->size() != launch().size)
    throw Error(
        fmt::format("mpirun started {} processes, but the MPI that orrery was built with sees {}; use "
                    "the mpirun of that MPI",
                    launch().size, ranks->size()));
  joined() = ranks;
}
#endif

}  // namespace

Communicator& world() { return *joined(); }

std::string world_unavailable() {
#ifdef ORRERY_MPI_MODULE
  return {};
#else
  return "this orrery was built without MPI; install Open MPI and build again, or start orrery without "
         "mpirun";
#endif
}

std::filesystem::path mpi_module() {
#ifdef ORRERY_MPI_MODULE
  return own_file(ORRERY_MPI_MODULE);
#else
  return {};
#endif
}

std::string mpi_problem() {
#ifdef ORRERY_MPI_MODULE
  const auto module = own_module();
  if (module.function == nullptr) return fmt::format("MPI does not open ({})", module.problem);
#endif
  return world_unavailable();
}

void join_world([[maybe_unused]] std::chrono::seconds patience) {
  if (launch().size == 1) return;
  if (const auto reason = world_unavailable(); !reason.empty())
    throw Error(fmt::format("cannot work as {} processes: {}", launch().size, reason));
#ifdef ORRERY_MPI_MODULE
  join(patience);
#endif
}

}  // namespace orrery::sim
