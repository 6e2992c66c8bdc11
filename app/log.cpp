#include "app/log.h"

#include <spdlog/sinks/ringbuffer_sink.h>
#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

#include <array>
#include <memory>
#include <mutex>
#include <utility>

#include "app/shown_text.h"
#include "sim/core/message.h"

namespace orrery::app {

namespace {

using Ring = spdlog::sinks::ringbuffer_sink_mt;

std::shared_ptr<Ring>& ring() {
  static auto sink = std::make_shared<Ring>(200);
  return sink;
}

/// For the caller shows them; any thread may add one.
struct Problems {
  std::mutex mutex;
  std::vector<std::string> texts;

  void add(const std::string& text) {
    constexpr std::size_t most = 16;
    const std::lock_guard lock(mutex);
    if (texts.size() == most) texts.erase(texts.begin());
    texts.push_back(shown_text(text));
  }
};

Problems& problems() {
  static Problems all;
  return all;
}

/// Without a format, whose templates take a second to compile.
void write(spdlog::level::level_enum level, const std::string& lines) {
  spdlog::default_logger_raw()->log(level, spdlog::string_view_t(lines));
}

void write_problem(spdlog::level::level_enum level, const std::string& message) {
  const auto lines = sim::message_lines(message);
  write(level, lines);
  problems().add(lines);
}

}  // namespace

void start_log() {
  const std::array<spdlog::sink_ptr, 2> sinks{std::make_shared<spdlog::sinks::stderr_sink_mt>(), ring()};
  auto logger = std::make_shared<spdlog::logger>("orrery", sinks.begin(), sinks.end());
  logger->set_pattern("%H:%M:%S %L %v");
  spdlog::set_default_logger(std::move(logger));
}

void log_info(const std::string& message) { write(spdlog::level::info, sim::message_lines(message)); }
void log_warning(const std::string& message) { write_problem(spdlog::level::warn, message); }
void log_error(const std::string& message) { write_problem(spdlog::level::err, message); }

std::vector<std::string> take_problems() {
  const std::lock_guard lock(problems().mutex);
  return std::exchange(problems().texts, {});
}

std::vector<std::string> recent_messages(std::size_t count) {
  auto lines = ring()->last_formatted(count);
  for (auto& line : lines) line = shown_text(std::move(line));
  return lines;
}

}  // namespace orrery::app
