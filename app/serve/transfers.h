#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/serve/response.h"

namespace orrery::app::serve {

/// The limits of what browsers may keep on the server.
struct UploadLimits {
  std::uint64_t largest = 0;  ///< bytes of one file
  std::uint64_t total = 0;    ///< bytes of all files
  std::size_t files = 1000;
  std::uint64_t left_free = std::uint64_t{64} << 20U;  ///< bytes of the disk that no file takes
  /// A file that is not in use for this time is removed if another one needs its room.
  std::chrono::seconds spare_after{60};
  /// A file that is not in use for this time is removed.
  std::chrono::seconds removed_after{3600};
};

/// The files that browsers have sent, each in a folder of its own: one of the same name may be open. For any
/// thread.
class Uploads {
 public:
  using Clock = std::chrono::steady_clock;
  /// `folder` must outlive the object, which removes single files only.
  Uploads(std::filesystem::path folder, UploadLimits limits) : folder_(std::move(folder)), limits_(limits) {}

  std::uint64_t largest() const { return limits_.largest; }

  /// Room for a file that arrives. Unless it is kept, its folder goes with the object.
  class Arrival {
   public:
    Arrival(Uploads& uploads, std::filesystem::path folder, std::uint64_t room)
        : uploads_(uploads), folder_(std::move(folder)), room_(room) {}
    Arrival(const Arrival&) = delete;
    Arrival& operator=(const Arrival&) = delete;
    ~Arrival();

    const std::filesystem::path& folder() const { return folder_; }
    /// The most bytes that the file may have.
    std::uint64_t room() const { return room_; }
    /// Notes that the file is complete with this many bytes, and keeps it.
    void keep(std::uint64_t bytes);

   private:
    Uploads& uploads_;
    std::filesystem::path folder_;
    std::uint64_t room_;
    bool kept_ = false;
  };
  /// Makes room for a file of `bytes`, or of a size that is not known yet, and a folder. Null if there is no
  /// room: `why` says the reason in one line.
  std::unique_ptr<Arrival> begin(std::optional<std::uint64_t> bytes, std::string& why);

  /// Notes that these files are in use now, or all of them (`loading`), and removes files that were not for
  /// long. Returns the folders that are gone since the last call. Call it often.
  std::vector<std::filesystem::path> note_used(const std::vector<std::filesystem::path>& files, bool loading,
                                               Clock::time_point now = Clock::now());

 private:
  struct Entry {
    std::filesystem::path folder;
    std::uint64_t bytes = 0;  ///< reserved while it arrives
    Clock::time_point used{};
    bool arriving = true;
  };
  std::uint64_t room() const;
  std::uint64_t free_on_disk() const;
  bool drop_oldest(Clock::time_point now);
  void remove(const Entry& entry);
  void drop(const std::filesystem::path& folder);
  void settle(const std::filesystem::path& folder, std::uint64_t bytes);

  std::filesystem::path folder_;
  UploadLimits limits_;
  std::mutex mutex_;
  std::list<Entry> entries_;
  std::vector<std::filesystem::path> gone_;  ///< folders of files that were removed
};

/// The files that this run has written for its user, which browsers may fetch by name. For any thread.
class Downloads {
 public:
  /// Offers a file under its own name. Returns the name; a later file of the same name takes its place.
  std::string offer(const std::filesystem::path& file);
  /// A GET of the file of that name, as an attachment: the part that the Range field asks for, unless
  /// If-Range names another state of the file (empty: no such field). Status 404 if none was offered, 410 if
  /// it is gone.
  Response get(const std::string& name, std::string_view range, std::string_view if_range) const;
  /// The names, as a JSON list.
  std::string list() const;

 private:
  std::optional<std::filesystem::path> find(const std::string& name) const;

  mutable std::mutex mutex_;
  std::map<std::string, std::filesystem::path> files_;
};

/// The name under which an upload is kept: the last part of the path, without anything that a file name
/// should not have. Empty if nothing is left.
std::string safe_file_name(std::string_view name);

}  // namespace orrery::app::serve
