#include "app/window/last_session.h"

#include <fmt/format.h>

#include <system_error>

#include "app/log.h"
#include "lab/setup/paths.h"
#include "sim/engines/checkpoint_file.h"

namespace orrery::app {

namespace {

std::size_t size_of(const sim::EngineState& state) {
  std::size_t bytes = (state.position.size() + state.velocity.size()) * sizeof(sim::Vec3);
  for (const auto& array : state.arrays) bytes += array.bytes.size();
  return bytes;
}

const auto program_start = std::filesystem::file_time_type::clock::now();

/// True for the session of another window, which was closed while this one was open.
bool is_of_another_window(const std::filesystem::path& file) {
  std::error_code failure;
  const auto written = std::filesystem::last_write_time(file, failure);
  return !failure && written > program_start;
}

}  // namespace

std::filesystem::path last_session_file() {
  const auto folder = lab::settings_folder();
  return folder.empty() ? folder : folder / "last-session.checkpoint";
}

void write_last_session(const Checkpoint& checkpoint) {
  const auto file = last_session_file();
  if (file.empty()) return;
  if (size_of(checkpoint.engine) > largest_last_session)
    return log_info(fmt::format("the session is not kept: it has {} MB, and --checkpoint FILE is for those",
                                size_of(checkpoint.engine) >> 20U));
  lab::make_folder(file.parent_path());
  const bool other = is_of_another_window(file);
  write_checkpoint(file, checkpoint, other);
  if (other)
    log_info(fmt::format("the session of another window, which was closed before this one, is kept as {}",
                         sim::previous_checkpoint(file).string()));
}

}  // namespace orrery::app
