// The only file that knows MPI. A module of its own, opened by world.cpp when several processes were started:
// the program needs no MPI to start, and the library is that of the mpirun that started it.
#include <link.h>
#include <mpi.h>
// Open MPI declares MPIX_Query_cuda_support in a header of its own, MPICH in mpi.h.
#if defined(OPEN_MPI) && __has_include(<mpi-ext.h>)
#include <mpi-ext.h>
#endif
#if defined(MPIX_CUDA_AWARE_SUPPORT) || defined(MPIX_GPU_SUPPORT_CUDA)
#define ORRERY_MPI_KNOWS_CUDA
#endif

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <string_view>
#include <thread>

#include "sim/core/error.h"
#include "sim/ranks/communicator.h"

namespace orrery::sim {

namespace {

using Clock = std::chrono::steady_clock;

/// True if a library whose file name begins so is loaded. Plugins that are not used are closed again.
bool has_loaded(std::string_view library) {
  struct Search {
    std::string_view name;
    bool found = false;
  } search{.name = library};
  const auto look = [](dl_phdr_info* loaded, std::size_t, void* into) {
    auto& wanted = *static_cast<Search*>(into);
    const std::string_view path(loaded->dlpi_name != nullptr ? loaded->dlpi_name : "");
    wanted.found |= path.substr(path.rfind('/') + 1).starts_with(wanted.name);
    return 0;
  };
  dl_iterate_phdr(look, &search);
  return search.found;
}

/// True if this MPI was built to take addresses of GPU memory, and that was not switched off.
bool is_built_for_cuda() {
#ifdef ORRERY_MPI_KNOWS_CUDA
  const char* switched = std::getenv("OMPI_MCA_opal_cuda_support");
  const std::string_view choice(switched != nullptr ? switched : "");
  return MPIX_Query_cuda_support() != 0 && choice != "0" && choice != "false";
#else
  return false;
#endif
}

constexpr std::chrono::nanoseconds short_while = std::chrono::microseconds(200);

/// Waits without keeping a core busy for longer than `spinning`: other ranks of this machine may need it.
/// False if it takes longer than `patience`.
template <typename Done>
bool patiently(const Done& done, std::chrono::milliseconds patience = endless_patience,
               std::chrono::nanoseconds spinning = short_while) {
  constexpr auto nap = std::chrono::microseconds(20);
  const auto start = Clock::now();
  while (!done()) {
    const auto waited = Clock::now() - start;
    if (patience != endless_patience && waited > patience) return false;
    if (waited > spinning) std::this_thread::sleep_for(nap);
  }
  return true;
}

/// How long so many bytes may take. They only move while a process looks at MPI, so it looks all that time.
std::chrono::nanoseconds expected_duration(std::size_t bytes) {
  return short_while + std::chrono::nanoseconds(static_cast<std::int64_t>(bytes));
}

bool wait(MPI_Request& request, std::chrono::milliseconds patience = endless_patience) {
  const auto tested = [&] {
    int done = 0;
    MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    return done != 0;
  };
  return patiently(tested, patience);
}

/// Counts and offsets of the ranks' ranges; MPI takes them as int.
struct Ranges {
  std::vector<int> count;
  std::vector<int> offset;

  explicit Ranges(std::span<const std::size_t> bounds) {
    if (bounds.back() > static_cast<std::size_t>(std::numeric_limits<int>::max()))
      throw Error("more than 2147483647 bodies cannot be exchanged between processes; use fewer");
    for (std::size_t r = 0; r + 1 < bounds.size(); ++r) {
      offset.push_back(static_cast<int>(bounds[r]));
      count.push_back(static_cast<int>(bounds[r + 1] - bounds[r]));
    }
  }
};

class MpiCommunicator final : public Communicator {
 public:
  MpiCommunicator() {
    int provided = 0;
    // Errors of MPI itself end all processes with a message: its default.
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &size_);
    MPI_Comm machine = MPI_COMM_NULL;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank_, MPI_INFO_NULL, &machine);
    MPI_Comm_rank(machine, &local_rank_);
    MPI_Comm_free(&machine);
    MPI_Type_contiguous(sizeof(Vec3), MPI_BYTE, &vector_);
    MPI_Type_commit(&vector_);
  }

  int rank() const override { return rank_; }
  int size() const override { return size_; }
  int local_rank() const override { return local_rank_; }

  bool maximum(std::span<double> numbers, std::chrono::milliseconds patience) override {
    // Where it is given up, MPI still writes here: the object outlives it. Only `abort` follows then, which
    // is what the checker's complaint is about. NOLINTBEGIN(clang-analyzer-optin.mpi.MPI-Checker)
    numbers_.assign(numbers.begin(), numbers.end());
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Iallreduce(MPI_IN_PLACE, numbers_.data(), static_cast<int>(numbers_.size()), MPI_DOUBLE, MPI_MAX,
                   MPI_COMM_WORLD, &request);
    if (!wait(request, patience)) return false;
    std::ranges::copy(numbers_, numbers.begin());
    return true;
    // NOLINTEND(clang-analyzer-optin.mpi.MPI-Checker)
  }

  void all_gather(std::span<Vec3> vectors, std::span<const std::size_t> bounds) override {
    const Ranges ranges(bounds);
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Iallgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, vectors.data(), ranges.count.data(),
                    ranges.offset.data(), vector_, MPI_COMM_WORLD, &request);
    wait(request);
  }

  void sum(std::span<std::uint32_t> numbers) override {
    const auto count = static_cast<int>(numbers.size());
    MPI_Request request = MPI_REQUEST_NULL;
    if (rank_ == 0)
      MPI_Ireduce(MPI_IN_PLACE, numbers.data(), count, MPI_UINT32_T, MPI_SUM, 0, MPI_COMM_WORLD, &request);
    else
      MPI_Ireduce(numbers.data(), nullptr, count, MPI_UINT32_T, MPI_SUM, 0, MPI_COMM_WORLD, &request);
    wait(request);
  }

  /// Messages from one rank arrive in the order in which it sends them.
  void trade(std::span<const OutgoingPieces> to, std::span<const IncomingPieces> from) override {
    constexpr std::size_t most = std::size_t{1} << 30U;  // MPI counts in int
    constexpr int tag = 18;
    std::vector<MPI_Request> requests;
    std::size_t all = 0;
    const auto messages = [&](const auto& pieces, const auto& start) {
      for (const auto& bytes : pieces) {
        all += bytes.size();
        for (std::size_t at = 0; at < bytes.size(); at += most) {
          auto& request = requests.emplace_back(MPI_REQUEST_NULL);
          start(bytes.data() + at, static_cast<int>(std::min(most, bytes.size() - at)), &request);
        }
      }
    };
    for (int r = 0; r < size_; ++r) {
      const auto k = static_cast<std::size_t>(r);
      messages(from[k], [&](std::byte* data, int bytes, MPI_Request* request) {
        MPI_Irecv(data, bytes, MPI_BYTE, r, tag, MPI_COMM_WORLD, request);
      });
      messages(to[k], [&](const std::byte* data, int bytes, MPI_Request* request) {
        MPI_Isend(data, bytes, MPI_BYTE, r, tag, MPI_COMM_WORLD, request);
      });
    }
    const auto done = [&] {
      int all_done = 0;
      MPI_Testall(static_cast<int>(requests.size()), requests.data(), &all_done, MPI_STATUSES_IGNORE);
      return all_done != 0;
    };
    patiently(done, endless_patience, expected_duration(all));
  }

  /// Open MPI's plugin for UCX hands every address on, whatever Open MPI was built for: there UCX decides.
  /// Its module for CUDA can be loaded and yet be out of use (UCX_TLS), so it is not proof. Without the
  /// second one, which sees allocations, UCX takes GPU addresses for memory of the host and crashes.
  GpuAddresses gpu_addresses() const override {
    if (is_built_for_cuda() && !has_loaded("mca_pml_ucx")) return GpuAddresses::taken;
    const bool knows_cuda = has_loaded("libuct_cuda.") && has_loaded("libucm_cuda.");
    return knows_cuda ? GpuAddresses::possible : GpuAddresses::refused;
  }

  void leave() override {
    MPI_Type_free(&vector_);
    MPI_Finalize();
  }

  void abort(int status) override {
    MPI_Abort(MPI_COMM_WORLD, status);
    std::_Exit(status);
  }

 private:
  int rank_ = 0;
  int size_ = 1;
  int local_rank_ = 0;
  MPI_Datatype vector_ = MPI_DATATYPE_NULL;
  std::vector<double> numbers_;
};

}  // namespace

/// The entry point that world.cpp looks for. The object lives as long as the process.
extern "C" Communicator* orrery_open_mpi() {
  static MpiCommunicator ranks;
  return &ranks;
}

}  // namespace orrery::sim
