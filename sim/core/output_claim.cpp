#include "sim/core/output_claim.h"

#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>

#include "sim/core/error.h"
#include "sim/core/message.h"
#include "sim/core/private_file.h"
#include "sim/core/removed_at_exit.h"

namespace orrery::sim {

namespace fs = std::filesystem;

namespace {

/// Without links, as far as the path exists, and without a slash at its end.
fs::path plain(const fs::path& path) {
  std::error_code failure;
  auto whole = fs::weakly_canonical(fs::absolute(path, failure), failure);
  if (failure) whole = path.lexically_normal();
  return whole.has_filename() ? whole : whole.parent_path();
}

fs::path lock_file_of(const fs::path& output) {
  return output.parent_path() / ("." + output.filename().string() + ".lock");
}

/// False if the owner removed the file between our opening and locking it: another process may have a new
/// one.
bool has_name(int lock, const fs::path& file) {
  struct stat opened {};
  struct stat named {};
  return ::fstat(lock, &opened) == 0 && ::lstat(file.c_str(), &named) == 0 && S_ISREG(opened.st_mode) &&
         opened.st_ino == named.st_ino && opened.st_dev == named.st_dev;
}

constexpr std::string_view owner_start = "process ";

/// False for a file of somebody else that has the name of a lock by chance: it stays as it is.
bool is_a_lock(int file) {
  std::array<char, owner_start.size()> text{};
  const auto size = ::pread(file, text.data(), text.size(), 0);
  return size == 0 ||
         (size > 0 && std::string_view(text.data(), static_cast<std::size_t>(size)) == owner_start);
}

void write_owner(int lock) {
  std::array<char, 256> host{};
  ::gethostname(host.data(), host.size() - 1);
  const auto text = fmt::format("{}{} on {}", owner_start, ::getpid(), host.data());
  // A file that was left behind may have other rights.
  ::fchmod(lock, S_IRUSR | S_IWUSR);
  // Without this text the lock holds, and a refusal names no process.
  if (::ftruncate(lock, 0) == 0 && ::pwrite(lock, text.data(), text.size(), 0) < 0) return;
}

/// The owner writes its text right after it has the lock.
std::string owner_of(int lock) {
  constexpr int looks = 50;
  for (int k = 0; k < looks; ++k) {
    std::array<char, 200> text{};
    const auto size = ::pread(lock, text.data(), text.size(), 0);
    if (size > 0) return readable({text.data(), static_cast<std::size_t>(size)}, text.size());
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return "another process";
}

[[noreturn]] void refuse(const fs::path& output, const std::string& owner) {
  throw Error(fmt::format("{} is being written by another run of orrery ({}); name another, or end that run",
                          quoted(output), owner));
}

/// Refuses a name whose lock file belongs to another user: whether a run holds the lock cannot be seen.
void refuse_foreign_lock(const fs::path& output, const fs::path& file) {
  struct stat status {};
  if (errno != EACCES || ::lstat(file.c_str(), &status) != 0 || status.st_uid == ::geteuid()) return;
  throw Error(
      fmt::format("{} may be being written by another user's run, whose lock file {} cannot be opened; "
                  "name another, or have them end that run or remove that file",
                  quoted(output), quoted(file)));
}

}  // namespace

class OutputClaim {
 public:
  OutputClaim(Descriptor lock, fs::path file)
      : lock_(std::move(lock)), file_(std::move(file)), removal_(file_) {
    write_owner(lock_.number());
  }
  OutputClaim(const OutputClaim&) = delete;
  OutputClaim& operator=(const OutputClaim&) = delete;
  ~OutputClaim() {
    if (has_name(lock_.number(), file_)) ::unlink(file_.c_str());
  }

 private:
  Descriptor lock_;
  fs::path file_;
  RemovedAtExit removal_;
};

namespace {

/// Null if there can be no lock.
std::shared_ptr<const OutputClaim> lock_name(const fs::path& output, const fs::path& file) {
  constexpr int attempts = 100;
  for (int k = 0; k < attempts; ++k) {
    auto lock = open_lock_file(file);
    if (!lock) {
      refuse_foreign_lock(output, file);
      return nullptr;
    }
    if (::flock(lock.number(), LOCK_EX | LOCK_NB) == 0) {
      if (!is_a_lock(lock.number())) return nullptr;
      if (has_name(lock.number(), file)) return std::make_shared<OutputClaim>(std::move(lock), file);
    } else if (errno == EWOULDBLOCK) {
      refuse(output, owner_of(lock.number()));
    } else if (errno != EINTR) {
      return nullptr;
    }
  }
  return nullptr;
}

}  // namespace

std::shared_ptr<const OutputClaim> claim_output(const fs::path& output) {
  static std::mutex mutex;
  static std::map<fs::path, std::weak_ptr<const OutputClaim>> claims;
  const auto file = lock_file_of(plain(output));
  const std::lock_guard guard(mutex);
  auto& known = claims[file];
  auto claim = known.lock();
  if (!claim) known = claim = lock_name(output, file);
  return claim;
}

}  // namespace orrery::sim
