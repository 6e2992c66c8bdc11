#include "app/session/checkpoint.h"

#include <fmt/format.h>

#include <charconv>
#include <exception>
#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>

#include "app/log.h"
#include "app/session/shared_names.h"
#include "lab/setup/paths.h"
#include "sim/core/error.h"
#include "sim/core/file_writer.h"
#include "sim/core/json_text.h"
#include "sim/core/message.h"
#include "sim/engines/checkpoint_file.h"

namespace orrery::app {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

[[noreturn]] void refuse_pace(const std::string& text) {
  throw sim::UsageError(fmt::format(
      "--every takes a number of steps from 1 up, or for checkpoints a time like 30s, 10min or 2h, "
      "not {}",
      sim::quoted(text)));
}

/// True for the checkpoint that was gone on from, and the other one of its pair.
bool is_of_pair(const fs::path& file, const fs::path& resumed) {
  if (resumed.empty()) return false;
  std::error_code failure;
  const auto same = [&](const fs::path& other) { return fs::weakly_canonical(other, failure); };
  return same(resumed) == same(file) || same(resumed) == same(sim::previous_checkpoint(file));
}

/// Before anything is computed: a long run must not end with a refusal, nor replace what it did not write.
void require_own_file(const fs::path& file, const fs::path& resumed) {
  std::error_code failure;
  if (fs::exists(file, failure) && !is_of_pair(file, resumed)) {
    const bool other = sim::looks_like_checkpoint(file);
    throw sim::Error(fmt::format("{} exists{}", sim::quoted(file),
                                 other
                                     ? " and is a checkpoint: go on with --resume FILE, or name another file"
                                     : " and is no checkpoint; name another file"));
  }
  const sim::FileWriter trial(file);
}

/// Only then may it name any dataset (dataset_search.h).
void keep_from_others(const fs::path& file) {
  std::error_code failure;
  fs::permissions(file, fs::perms::group_write | fs::perms::others_write, fs::perm_options::remove, failure);
}

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

CheckpointPace parse_pace(const std::string& text) {
  std::uint64_t number = 0;
  const char* end = text.data() + text.size();
  const auto [unit_at, failure] = std::from_chars(text.data(), end, number);
  constexpr std::uint64_t most = 1'000'000'000;
  const std::string unit(unit_at, end);
  if (failure != std::errc() || number == 0) refuse_pace(text);
  if (unit.empty()) return {.steps = number};
  if (number > most) refuse_pace(text);
  const std::chrono::seconds count(number);
  if (unit == "s") return {.steps = 0, .time = count};
  if (unit == "min") return {.steps = 0, .time = 60 * count};
  if (unit == "h") return {.steps = 0, .time = 3600 * count};
  refuse_pace(text);
}

void write_checkpoint(const fs::path& file, const Checkpoint& checkpoint, bool keep_previous) {
  auto view = checkpoint.view;
  remember_files(view);
  view.step = checkpoint.engine.steps;
  view.time = checkpoint.engine.time;
  const json about{
      {"state", to_json(view)}, {"last_step", checkpoint.last_step}, {"paused", checkpoint.paused}};
  sim::write_checkpoint(file, sim::dump_json(about), checkpoint.engine, keep_previous);
  if (!can_remember_datasets()) keep_from_others(file);
}

Checkpoint read_checkpoint(const sim::OptionTable& table, const fs::path& file) {
  auto content = sim::read_checkpoint(file);
  try {
    const auto about = sim::json_in(content.about);
    Checkpoint checkpoint{.view = view_state_from_json(table, about.at("state")),
                          .last_step = about.value("last_step", std::uint64_t{0}),
                          .paused = about.value("paused", false),
                          .engine = std::move(content.engine)};
    checkpoint.view.step = checkpoint.engine.steps;
    checkpoint.view.time = checkpoint.engine.time;
    return checkpoint;
  } catch (const json::exception&) {
    throw sim::Error(
        fmt::format("cannot go on from {}: what it says of its run cannot be read; use another checkpoint",
                    sim::quoted(file)));
  } catch (const sim::Error& error) {
    throw sim::Error(fmt::format("cannot go on from {}: {}", sim::quoted(file), error.what()));
  }
}

void require_same_dataset(const Checkpoint& checkpoint, const std::string& hash) {
  if (checkpoint.view.dataset_hash == hash) return;
  throw sim::Error(
      fmt::format("the dataset '{}' is not the one of the checkpoint: it has changed; give the old "
                  "one back to go on",
                  checkpoint.view.dataset.source));
}

std::string adapt_checkpoint(Checkpoint& checkpoint, const sim::OptionTable& table,
                             const sim::Configuration& configuration) {
  if (sim::same_effect(table, checkpoint.view.configuration, configuration, sim::decides_bits)) return {};
  checkpoint.engine.forget_forces();
  return "options have changed since the checkpoint: the bits are not those of an uninterrupted run";
}

CheckpointSchedule::CheckpointSchedule(const CheckpointRequest& request, const fs::path& resumed,
                                       std::uint64_t step)
    : file_(request.file), pace_(request.pace), step_(step) {
  require_own_file(file_, resumed);
  std::error_code failure;
  keeps_previous_ =
      !resumed.empty() && fs::weakly_canonical(resumed, failure) == fs::weakly_canonical(file_, failure);
}

bool CheckpointSchedule::is_due(std::uint64_t step) const {
  if (pace_.steps > 0) return step / pace_.steps != step_ / pace_.steps;
  return step != step_ && Clock::now() - time_ >= pace_.time;
}

bool CheckpointSchedule::begin(std::uint64_t step) {
  written_ = true;
  step_ = step;
  time_ = Clock::now();
  return std::exchange(keeps_previous_, true);
}

bool CheckpointKeeper::wants(std::uint64_t step) {
  if (asked_ || writing_.valid() || !schedule_.is_due(step)) return false;
  return asked_ = true;
}

void CheckpointKeeper::write(Checkpoint checkpoint) {
  asked_ = false;
  if (writing_.valid()) writing_.get();
  const bool keeps_previous = schedule_.begin(checkpoint.engine.steps);
  writing_ = std::async([file = file(), checkpoint = std::move(checkpoint), keeps_previous] {
    write_checkpoint(file, checkpoint, keeps_previous);
  });
  // Where the system gives no thread, the window waits for the disk.
  if (writing_.wait_for(std::chrono::seconds(0)) == std::future_status::deferred) writing_.wait();
}

std::string CheckpointKeeper::take_problem() {
  if (!writing_.valid() || writing_.wait_for(std::chrono::seconds(0)) != std::future_status::ready) return {};
  try {
    writing_.get();
    return {};
  } catch (const std::exception& error) {
    return error.what();
  }
}

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
