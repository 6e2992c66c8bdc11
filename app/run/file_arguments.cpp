#include "app/run/file_arguments.h"

#include <fmt/format.h>
#include <fnmatch.h>

#include <memory>

#include "app/session/openable_files.h"
#include "sim/core/error.h"
#include "sim/core/file_writer.h"
#include "sim/core/message.h"
#include "sim/core/output_claim.h"
#include "sim/engines/checkpoint_file.h"

namespace orrery::app {

namespace {

namespace fs = std::filesystem;

bool is_there(const fs::path& path) {
  std::error_code failure;
  return fs::exists(path, failure);
}

bool is_folder(const fs::path& path) {
  std::error_code failure;
  return fs::is_directory(path, failure);
}

/// Without links, as far as the path exists.
fs::path plain(const fs::path& path) {
  std::error_code failure;
  auto whole = fs::weakly_canonical(fs::absolute(path, failure), failure);
  if (failure) whole = path.lexically_normal();
  return whole.has_filename() ? whole : whole.parent_path();
}

/// Two names of one file (hard links) are one file, too.
bool same(const fs::path& a, const fs::path& b) {
  std::error_code failure;
  return plain(a) == plain(b) || fs::equivalent(a, b, failure);
}

/// True if two files of one folder belong to the same snapshot.
bool same_snapshot(const fs::path& a, const fs::path& b) {
  return has_part_number(a) && has_part_number(b) && without_part_number(a) == without_part_number(b) &&
         plain(a).parent_path() == plain(b).parent_path();
}

/// Only what is there can be read.
bool reads(const fs::path& input, const fs::path& output) {
  if (!is_there(output)) return false;
  if (same(input, output) || same_snapshot(input, output)) return true;
  if (is_folder(input)) return same(input, plain(output).parent_path());
  return !is_there(input) && ::fnmatch(plain(input).c_str(), plain(output).c_str(), FNM_PATHNAME) == 0;
}

/// The names that a folder is filled with.
bool fills(const fs::path& folder, const fs::path& output) {
  const auto name = output.filename().string();
  const bool meant = name.starts_with("step-") || name.starts_with("frame-") || name == "series.pvd";
  return meant && same(folder, plain(output).parent_path());
}

bool writes_same(const FileArgument& a, const FileArgument& b) {
  if (same(a.path, b.path)) return true;
  return (a.role == FileRole::filled && fills(a.path, b.path)) ||
         (b.role == FileRole::filled && fills(b.path, a.path));
}

[[noreturn]] void refuse_both(const FileArgument& a, const FileArgument& b) {
  throw sim::UsageError(fmt::format("{} and {} would both write {}; give each a name of its own", a.name,
                                    b.name, sim::quoted(b.path)));
}

[[noreturn]] void refuse_input(const FileArgument& output, const FileArgument& input) {
  throw sim::UsageError(fmt::format("{} would write over {}, which is read ({}); name another file",
                                    output.name, sim::quoted(output.path), input.name));
}

bool goes_on(const FileArgument& output, const FileArgument& input) {
  return output.role == FileRole::checkpoint && input.name == "--resume";
}

void check_pair(const FileArgument& output, const FileArgument& other) {
  if (other.role != FileRole::read) {
    if (output.name != other.name && writes_same(output, other)) refuse_both(other, output);
  } else if (!goes_on(output, other) && reads(other.path, output.path)) {
    refuse_input(output, other);
  }
}

void check_stream(const FileArgument& file) {
  if (file.path != "-" || file.role == FileRole::read || file.may_be_stream) return;
  throw sim::UsageError(fmt::format(
      "{} is not written to standard output, because a file is whole or absent; name a file (./- is "
      "one of that name)",
      file.name));
}

/// An argument that was not given has an empty path.
bool is_stream(const FileArgument& file) { return file.path.empty() || file.path == "-"; }

/// With the file that a checkpoint leaves beside itself, and without standard streams.
std::vector<FileArgument> all_files(const std::vector<FileArgument>& files) {
  std::vector<FileArgument> all;
  for (const auto& file : files) {
    if (is_stream(file)) continue;
    all.push_back(file);
    if (file.role == FileRole::checkpoint)
      all.push_back({file.name, sim::previous_checkpoint(file.path), FileRole::checkpoint});
  }
  return all;
}

}  // namespace

void check_files(const std::vector<FileArgument>& files) {
  for (const auto& file : files) check_stream(file);
  const auto all = all_files(files);
  for (const auto& output : all) {
    if (output.role == FileRole::read) continue;
    for (const auto& other : all)
      if (&other != &output) check_pair(output, other);
  }
}

void require_new(const fs::path& output) {
  if (sim::for_named_outputs() == sim::Existing::replace || !is_there(output)) return;
  throw sim::Error(
      fmt::format("{} exists: name another file, or replace it with --overwrite", sim::quoted(output)));
}

void check_existing(const std::vector<FileArgument>& files) {
  for (const auto& file : files)
    if (file.role == FileRole::written && !is_stream(file)) require_new(file.path);
}

void claim_outputs(const std::vector<FileArgument>& files) {
  static std::vector<std::shared_ptr<const sim::OutputClaim>> claims;
  for (const auto& file : files)
    if (file.role != FileRole::read && !is_stream(file)) claims.push_back(sim::claim_output(file.path));
}

}  // namespace orrery::app
