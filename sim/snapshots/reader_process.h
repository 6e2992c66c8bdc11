#pragma once

#include <cstddef>
#include <filesystem>

#include "sim/snapshots/format.h"

// Files come from strangers, and a reader, or a library that it uses, may have a fault: these functions read
// in a process of their own (libexec/orrery/orrery_reader), so that neither a crash nor an endless loop nor a
// lack of memory ends the program. That process has limits, which grow with the files that it reads. What it
// answers is checked.
namespace orrery::sim {

/// libexec/orrery/orrery_reader of this installation or build.
std::filesystem::path reader_program();
/// read_snapshot() in a process of its own, with the bits that it has in this one. Throws Error also where
/// that process ends without an answer, and says how.
Scene read_snapshot_apart(const std::filesystem::path& path, const ReadOptions& options = {},
                          const std::filesystem::path& reader = reader_program());
/// count_snapshots() likewise: 1 also where that process ends without an answer.
std::size_t count_snapshots_apart(const std::filesystem::path& path, const ReadOptions& options = {},
                                  const std::filesystem::path& reader = reader_program());

/// The first value of an answer.
enum class ReaderAnswer : unsigned char { scene, count, refusal, usage_refusal, question };
/// The reader's task, after the progress in the first page of its file.
struct ReaderTask {
  std::string version =
      ORRERY_VERSION;  ///< of the program that asks; an upgrade may have replaced the reader's
  std::string path = {};
  bool counts = false;  ///< count_snapshots(), not read_snapshot()
  ReadOptions options = {};
};
inline constexpr std::size_t reader_page = 4096;

/// All of a task, in either direction (scene_wire.h).
template <typename Wire>
void pass_task(Wire& wire, ReaderTask& task) {
  wire(task.version, task.path, task.counts);
  pass(wire, task.options);
}

}  // namespace orrery::sim
