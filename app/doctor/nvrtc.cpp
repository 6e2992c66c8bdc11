#include <dlfcn.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <thread>
#include <utility>
#include <vector>

#include "app/doctor/findings.h"
#include "app/film/child_process.h"
#include "lab/setup/paths.h"
#include "sim/core/error.h"
#include "sim/core/interrupt.h"
#include "sim/core/private_file.h"
#include "sim/cuda/driver/api.h"
#include "sim/cuda/driver/device.h"
#include "sim/cuda/driver/library_search.h"

namespace orrery::app {

namespace {

namespace fs = std::filesystem;

/// The package is up to 90 MB, and 220 MB when it is unpacked.
constexpr std::uintmax_t needed_bytes = 400'000'000;

/// Debian recommends compilers along with pip, which it does not need here.
std::string pip_hint() {
  return install_hint(is_program("apt-get") ? "--no-install-recommends python3-pip" : "python3-pip",
                      "python3-pip");
}

/// Holds the folder with the user's data of this program for this process, until the lock goes.
sim::Descriptor held(const fs::path& folder) {
  lab::make_folder(folder);
  auto lock = sim::open_lock_file(folder / ".lock");
  if (!lock)
    throw sim::Error(
        fmt::format("'{}' cannot be written; choose another folder with XDG_DATA_HOME", folder.string()));
  if (::flock(lock.number(), LOCK_EX | LOCK_NB) != 0)
    throw sim::Error(fmt::format("another orrery writes to '{}'; wait until it has ended", folder.string()));
  return lock;
}

/// A folder that is removed with all in it.
struct PassingFolder {
  fs::path path;

  explicit PassingFolder(fs::path folder) : path(std::move(folder)) {
    remove();
    lab::make_folder(path);
  }
  PassingFolder(const PassingFolder&) = delete;
  PassingFolder& operator=(const PassingFolder&) = delete;
  ~PassingFolder() { remove(); }
  void remove() const {
    std::error_code ignored;
    fs::remove_all(path, ignored);
  }
};

void check_space(const fs::path& folder) {
  std::error_code failure;
  const auto space = fs::space(folder, failure);
  if (!failure && space.available < needed_bytes)
    throw sim::Error(
        fmt::format("'{}' has room for {} MB; fetching NVRTC needs {} MB. Choose another folder with "
                    "XDG_DATA_HOME",
                    folder.string(), space.available / 1'000'000, needed_bytes / 1'000'000));
}

/// The text that pip wrote to its standard error, and how pip ended.
struct PipEnding {
  bool succeeded;
  std::string said;
};

// Errors are read; progress goes to the terminal, if there is one. A person's settings of pip that forbid a
// folder as the target are overruled. Python would take a file pip.py of the present folder for pip.
constexpr const char* pip_script = R"(
command exec 3>"$4" || exec 3>/dev/null
export TMPDIR="$1" PIP_USER=0 PIP_REQUIRE_VIRTUALENV=0 PIP_ROOT_USER_ACTION=ignore PIP_DISABLE_PIP_VERSION_CHECK=1
cd "$1" || exit 1
exec python3 -m pip install --no-cache-dir --no-deps --only-binary :all: --timeout 30 --retries 1 --target "$2" \
  --require-hashes -r "$3" 2>&1 >&3
)";

PipEnding run_pip(const fs::path& temporary, const fs::path& requirement, const fs::path& target) {
  const char* progress = ::isatty(STDERR_FILENO) != 0 ? "/dev/tty" : "/dev/null";
  ChildProcess pip(
      {"sh", "-c", pip_script, "sh", temporary.string(), target.string(), requirement.string(), progress});
  while (!pip.ended()) {
    if (sim::interrupted()) pip.interrupt();
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  const auto& ending = pip.finish();
  sim::stop_if_interrupted();
  return {ending.succeeded, ending.output};
}

/// Every wheel has each library twice; the program opens none of the second ones.
void remove_alternatives(const fs::path& packages) {
  std::vector<fs::path> unused;
  for (const auto& entry : fs::recursive_directory_iterator(packages))
    if (entry.path().filename().string().find(".alt.so") != std::string::npos) unused.push_back(entry.path());
  for (const auto& file : unused) fs::remove(file);
}

/// The version of the compiler in a folder of packages, "13.0"; empty if there is none that can be opened.
std::string version_in(const fs::path& packages) {
  if (!fs::is_directory(packages)) return {};
  for (const auto& entry : fs::recursive_directory_iterator(packages)) {
    if (!entry.path().filename().string().starts_with("libnvrtc.so")) continue;
    void* library = sim::cuda::open_first({entry.path().string()});
    if (library == nullptr) continue;
    const auto version =
        reinterpret_cast<decltype(sim::cuda::Nvrtc::nvrtcVersion)>(::dlsym(library, "nvrtcVersion"));
    int major = 0, minor = 0;
    if (version != nullptr && version(&major, &minor) == sim::cuda::NVRTC_SUCCESS)
      return fmt::format("{}.{}", major, minor);
  }
  return {};
}

/// The file of the compiler that the program uses now; empty if there is none.
std::string present_compiler() {
  const auto* nvrtc = sim::cuda::nvrtc();
  return nvrtc != nullptr ? sim::cuda::file_of(reinterpret_cast<void*>(nvrtc->nvrtcVersion)) : "";
}

/// Writes the package's line of the program's list, which names its version and the checksums of its files,
/// to a file for pip. Whichever index or folder a file comes from, pip takes no other.
fs::path write_requirement(const std::string& package, const fs::path& temporary) {
  const auto list = lab::data_folder() / "nvrtc.list";
  std::ifstream lines(list);
  std::string line;
  while (std::getline(lines, line) && !line.starts_with(package + "==")) {
  }
  if (!lines)
    throw sim::Error(
        fmt::format("'{}' does not name {}; install orrery again with its data", list.string(), package));
  auto requirement = temporary / "requirement.txt";
  if (!(std::ofstream(requirement) << line << '\n').flush())
    throw sim::Error(fmt::format("'{}' cannot be written", requirement.string()));
  return requirement;
}

/// Fetches into `packages` and returns the version.
std::string fetch(const std::string& package, const fs::path& temporary, const fs::path& packages) {
  const auto pip = run_pip(temporary, write_requirement(package, temporary), packages);
  if (!pip.succeeded) throw sim::Error(pip_problem(pip.said, package));
  auto version = version_in(packages);
  if (version.empty())
    throw sim::Error(
        fmt::format("PyPI's {} has no run-time compiler that this system can open; install the CUDA "
                    "toolkit",
                    package));
  remove_alternatives(packages);
  return version;
}

}  // namespace

std::string nvrtc_package(int driver_version, int oldest_capability) {
  constexpr int turing = 75;  // CUDA 13 has no older GPUs
  if (driver_version > 0 && driver_version < 12000) return "nvidia-cuda-nvrtc-cu11";
  const bool is_old = oldest_capability > 0 && oldest_capability < turing;
  if (driver_version < 13000 || is_old) return "nvidia-cuda-nvrtc-cu12";
  return "nvidia-cuda-nvrtc";
}

std::string nvrtc_package() {
  int oldest = 0;
  for (const auto& device : sim::cuda::devices()) {
    const int capability = device.capability_major * 10 + device.capability_minor;
    oldest = oldest == 0 ? capability : std::min(oldest, capability);
  }
  return nvrtc_package(sim::cuda::driver_cuda_version(), oldest);
}

std::string nvrtc_command() {
  std::error_code failure;
  const auto program = is_program("orrery") ? "orrery" : fs::read_symlink("/proc/self/exe", failure).string();
  const bool is_plain = program.find_first_of(" '\"\\$`()&;<>|*?~#") == std::string::npos;
  return fmt::format("{0}{1}{0} doctor --fix nvrtc", is_plain ? "" : "'", program);
}

std::string pip_problem(const std::string& said, const std::string& package) {
  const auto says = [&](std::initializer_list<const char*> words) {
    return std::ranges::any_of(words, [&](const char* each) { return said.find(each) != std::string::npos; });
  };
  if (says({"No module named pip", "No module named 'pip"})) return "fetching NVRTC needs pip: " + pip_hint();
  if (says({"No space left", "Disk quota exceeded"}))
    return "no room is left for NVRTC; choose another folder with XDG_DATA_HOME";
  if (says({"DO NOT MATCH THE HASHES"}))
    return fmt::format(
        "the {} that came has not the checksum that orrery knows, so it was thrown away; try again, with "
        "PyPI itself "
        "as the index",
        package);
  if (says({"CERTIFICATE_VERIFY_FAILED"}))
    return "PyPI's certificate is not trusted here; name the file of your authorities in PIP_CERT";
  if (says({"connection broken by", "Connection broken", "Max retries", "timed out", "ProxyError",
            "IncompleteRead"}))
    return "PyPI cannot be reached; connect to the network, or set https_proxy, and try again";
  // pip says so of an index that answers with an error, too.
  if (says({"No matching distribution"}))
    return fmt::format("PyPI offers no {} for this system now; try again later, or install the CUDA toolkit",
                       package);
  const auto error = said.rfind("ERROR: ");
  if (error == std::string::npos) return fmt::format("pip could not fetch {}", package);
  return fmt::format("pip could not fetch {}: {}", package,
                     said.substr(error + 7, said.find('\n', error) - error - 7));
}

void fix_nvrtc() {
  const auto target = sim::cuda::fetched_packages();
  if (const auto file = present_compiler(); !file.empty() && !file.starts_with(target.string())) {
    fmt::print("NVRTC is there: {}\n", file);
    return;
  }
  if (target.empty()) throw sim::Error("there is no home folder (HOME); name a folder with XDG_DATA_HOME");
  if (!is_program("python3")) throw sim::Error("fetching NVRTC needs pip: " + pip_hint());
  const auto lock = held(target.parent_path());
  const PassingFolder temporary(target.string() + ".part");
  check_space(temporary.path);
  const auto package = nvrtc_package();
  fmt::print(stderr, "fetching {} from PyPI (up to 90 MB)\n", package);
  const auto version = fetch(package, temporary.path, temporary.path / "packages");
  if (fs::exists(target)) fs::rename(target, temporary.path / "before");
  fs::rename(temporary.path / "packages", target);
  fmt::print("NVRTC {} is in {}\n", version, target.string());
}

}  // namespace orrery::app
