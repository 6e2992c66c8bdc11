#include "sim/cuda/driver/nccl.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include "sim/core/error.h"
#include "sim/cuda/driver/api.h"
#include "sim/cuda/driver/library_search.h"

namespace orrery::sim::cuda {

Nccl Nccl::open(const std::vector<std::string>& names) {
  Nccl api;
  void* library = open_first(names);
  if (library == nullptr) {
    api.problem = "no NCCL library (libnccl.so.2); install it, or use exchange=peer";
    return api;
  }
  bool complete = true;
  const auto load = [&](auto& function, const char* name) {
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(library, name));
    complete = complete && function != nullptr;
  };
  load(api.get_version, "ncclGetVersion");
  load(api.comm_init_all, "ncclCommInitAll");
  load(api.comm_abort, "ncclCommAbort");
  load(api.group_start, "ncclGroupStart");
  load(api.group_end, "ncclGroupEnd");
  load(api.all_gather, "ncclAllGather");
  load(api.broadcast, "ncclBroadcast");
  load(api.error_string, "ncclGetErrorString");
  if (!complete) api.problem = "the NCCL library lacks functions of version 2; use exchange=peer";
  return api;
}

const Nccl& nccl() {
  static const Nccl api = Nccl::open(toolkit_library_names("libnccl", {"2"}));
  return api;
}

void check_nccl(Nccl::Result result, const char* what) {
  if (result != 0) throw Error(fmt::format("{} failed: {}", what, nccl().error_string(result)));
}

}  // namespace orrery::sim::cuda
