#include "app/window/last_session.h"

#include <fmt/format.h>

#include "app/log.h"
#include "lab/setup/paths.h"

namespace orrery::app {

namespace {

std::size_t size_of(const sim::EngineState& state) {
  std::size_t bytes = (state.position.size() + state.velocity.size()) * sizeof(sim::Vec3);
  for (const auto& array : state.arrays) bytes += array.bytes.size();
  return bytes;
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
  write_checkpoint(file, checkpoint, false);
}

}  // namespace orrery::app
