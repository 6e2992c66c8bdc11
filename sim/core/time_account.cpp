#include "sim/core/time_account.h"

#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <utility>

namespace orrery::sim {

namespace {

thread_local TimeAccount* account_of_thread = nullptr;

double seconds_of(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

std::string line_of(double seconds, double processor_seconds, std::string_view phase) {
  return fmt::format("{:>9.3f} {:>6.1f}  {}\n", seconds, seconds > 0.0 ? processor_seconds / seconds : 0.0,
                     phase);
}

}  // namespace

TimeAccount::TimeAccount()
    : entries_{{.phase = "other"}},
      since_(seconds_of(CLOCK_MONOTONIC)),
      processor_since_(seconds_of(CLOCK_PROCESS_CPUTIME_ID)) {
  account_of_thread = this;
}

TimeAccount::~TimeAccount() { account_of_thread = nullptr; }

void TimeAccount::switch_to(std::size_t entry) {
  const double now = seconds_of(CLOCK_MONOTONIC), processor_now = seconds_of(CLOCK_PROCESS_CPUTIME_ID);
  auto& current = entries_[current_];
  current.seconds += now - std::exchange(since_, now);
  current.processor_seconds += processor_now - std::exchange(processor_since_, processor_now);
  current_ = entry;
}

/// Returns the entry of the phase that goes on afterwards.
std::size_t TimeAccount::enter(std::string_view phase) {
  const auto found = std::ranges::find(entries_, phase, &Entry::phase);
  const auto entry = static_cast<std::size_t>(found - entries_.begin());
  if (found == entries_.end()) entries_.push_back({.phase = std::string(phase)});
  const auto outer = current_;
  switch_to(entry);
  return outer;
}

std::vector<TimeAccount::Entry> TimeAccount::entries() {
  switch_to(current_);
  auto entries = entries_;
  std::rotate(entries.begin(), entries.begin() + 1, entries.end());
  return entries;
}

TimedPhase::TimedPhase(std::string_view phase) : account_(account_of_thread) {
  if (account_ != nullptr) outer_ = account_->enter(phase);
}

TimedPhase::~TimedPhase() {
  if (account_ != nullptr) account_->switch_to(outer_);
}

std::string times_table(const std::vector<TimeAccount::Entry>& entries) {
  std::string text = fmt::format("{:>9} {:>6}  {}\n", "seconds", "cores", "phase");
  double seconds = 0.0, processor_seconds = 0.0;
  for (const auto& entry : entries) {
    text += line_of(entry.seconds, entry.processor_seconds, entry.phase);
    seconds += entry.seconds;
    processor_seconds += entry.processor_seconds;
  }
  return text + line_of(seconds, processor_seconds, "in all");
}

}  // namespace orrery::sim
