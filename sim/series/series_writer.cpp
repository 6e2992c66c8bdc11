#include "sim/series/series_writer.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <new>
#include <nlohmann/json.hpp>
#include <utility>

#include "sim/core/error.h"
#include "sim/core/json_text.h"
#include "sim/core/message.h"
#include "sim/core/threads.h"
#include "sim/physics/diagnostics/reference_forces.h"

namespace orrery::sim {

namespace fs = std::filesystem;

namespace {

/// True if the series has an index file of VTK (`--format vtk`).
bool has_collection(const SnapshotFormat& format) { return series_extension(format) == "vtp"; }

std::string collection(std::span<const SeriesEntry> entries) {
  std::string text =
      "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\" byte_order=\"LittleEndian\">\n"
      "<Collection>\n";
  for (const auto& entry : entries)
    text +=
        fmt::format("<DataSet timestep=\"{}\" group=\"\" part=\"0\" file=\"{}\"/>\n", entry.time, entry.file);
  return text + "</Collection>\n</VTKFile>\n";
}

/// As ParaView has it, with steps besides.
std::string json(std::span<const SeriesEntry> entries) {
  auto files = nlohmann::json::array();
  for (const auto& entry : entries) {
    nlohmann::json file{{"name", entry.file}, {"time", entry.time}, {"step", entry.step}};
    if (!entry.acceleration_source.empty()) file["acceleration_source"] = entry.acceleration_source;
    files.push_back(std::move(file));
  }
  return dump_json(nlohmann::json{{"file-series-version", "1.0"}, {"files", std::move(files)}}, 1) + "\n";
}

/// Some ten seconds of one core; more bodies get no forces but the engine's.
constexpr double most_reference_pairs = 1e10;

/// Up to that many files the index is written after each; then its size would matter.
constexpr std::size_t small_index = 1000;
constexpr std::chrono::seconds index_interval{1};

const SnapshotFormat& format_to_write(const std::string& name) {
  const auto* const format = find_snapshot_format(name);
  if (format != nullptr && format->write != nullptr) return *format;
  throw UsageError(fmt::format("a series cannot be written as '{}' (choose one of {})", printable(name),
                               fmt::join(format_names(true), ", ")));
}

std::string file_name(std::uint64_t step, const SnapshotFormat& format) {
  return fmt::format("step-{:08}.{}", step, series_extension(format));
}

}  // namespace

std::string series_extension(const SnapshotFormat& format) {
  const auto first = format.extensions.substr(0, format.extensions.find(','));
  return first.empty() ? "txt" : std::string(first);
}

std::string series_index_name(const SnapshotFormat& format) {
  if (has_collection(format)) return "series.pvd";
  return fmt::format("series.{}.series", series_extension(format));
}

void check_series(const SeriesRequest& request) {
  format_to_write(request.format);
  if (request.every == 0) throw UsageError("a series takes every step or every few, not every 0 steps");
  std::error_code failure;
  const auto status = fs::status(request.folder, failure);
  if (fs::exists(status) && !fs::is_directory(status))
    throw Error(fmt::format("{} is no folder, which a series needs; name another", quoted(request.folder)));
  if (fs::is_directory(status) && !fs::is_empty(request.folder, failure))
    throw Error(fmt::format("the folder {} is not empty, and a series overwrites nothing; name another",
                            quoted(request.folder)));
}

SeriesWriter::SeriesWriter(SeriesRequest request, std::shared_ptr<const Scene> scene)
    : request_(std::move(request)), scene_(std::move(scene)), format_(format_to_write(request_.format)) {
  check_series(request_);
  make_folder();
  claim_ = claim_output(request_.folder);
  thread_ = start_thread("writing the series", [this] { run(); });
}

SeriesWriter::~SeriesWriter() {
  {
    const std::lock_guard lock(mutex_);
    quit_ = true;
  }
  changed_.notify_all();
  thread_.join();
  std::error_code ignored;
  if (made_folder_ && entries_.empty()) fs::remove(request_.folder, ignored);
}

void SeriesWriter::make_folder() {
  std::error_code failure;
  made_folder_ = fs::create_directories(request_.folder, failure);
  if (failure)
    throw Error(fmt::format("cannot make the folder {} of the series: {}; name another",
                            quoted(request_.folder), failure.message()));
}

void SeriesWriter::try_first_file() const {
  FileWriter out(request_.folder / file_name(0, format_), Existing::keep);
  write_from_zero(format_, *scene_, {}, out);
}

bool SeriesWriter::has_room() {
  const std::lock_guard lock(mutex_);
  const bool room = queue_.size() < most_waiting || !progress_.problem.empty();
  if (!room) progress_.slower = true;
  return room;
}

void SeriesWriter::write(SeriesState state) {
  std::unique_lock lock(mutex_);
  if (queue_.size() >= most_waiting) progress_.slower = true;
  changed_.wait(lock, [this] { return queue_.size() < most_waiting || !progress_.problem.empty(); });
  if (!progress_.problem.empty()) return;
  queue_.push_back(std::move(state));
  changed_.notify_all();
}

void SeriesWriter::flush() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return queue_.empty() || !progress_.problem.empty(); });
}

SeriesProgress SeriesWriter::progress() const {
  const std::lock_guard lock(mutex_);
  auto progress = progress_;
  progress.waiting = queue_.size();
  return progress;
}

void SeriesWriter::run() {
  lower_thread_priority(10);
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return quit_ || !queue_.empty(); });
    if (queue_.empty()) return;
    auto& state = queue_.front();  // a deque keeps it in place
    lock.unlock();
    std::string problem;
    try {
      work(state);
    } catch (const std::bad_alloc&) {
      problem = "there is not enough memory to write the series";
    } catch (const std::exception& error) {
      problem = error.what();
    }
    lock.lock();
    if (problem.empty()) {
      queue_.pop_front();
    } else {
      progress_.problem = std::move(problem);
      queue_.clear();
    }
    changed_.notify_all();
    if (!progress_.problem.empty()) return;
  }
}

/// Without the lock.
void SeriesWriter::work(SeriesState& state) {
  const bool by_engine = !state.acceleration.empty();
  if (format_.keeps.acceleration && !by_engine) add_reference(state);
  add_external_field(state);
  write_state(state);
  bool is_last = false;
  {
    const std::lock_guard lock(mutex_);
    is_last = queue_.size() == 1;
  }
  write_index(is_last);
  const std::lock_guard lock(mutex_);
  progress_.files = entries_.size();
  if (by_engine) ++progress_.by_engine;
  if (!by_engine && !state.acceleration.empty()) ++progress_.by_processor;
}

/// The plain sum in double precision, where it takes no minutes.
void SeriesWriter::add_reference(SeriesState& state) const {
  const auto galaxies = scene_->bodies.galaxies();
  if (interactions_per_evaluation(galaxies) > most_reference_pairs) return;
  const ForceState forces{state.position, state.velocity, scene_->bodies.mass, scene_->bodies.charge};
  for (const auto& a : reference_accelerations(forces, galaxies, state.physics))
    state.acceleration.push_back({static_cast<float>(a.x), static_cast<float>(a.y), static_cast<float>(a.z)});
  state.acceleration_source = "CPU, double precision";
}

/// Both sums are of the bodies' pulls on each other.
void SeriesWriter::add_external_field(SeriesState& state) const {
  const auto field = state.physics.field_at();
  if (!field.field->acts()) return;
  for (std::size_t i = 0; i < state.acceleration.size(); ++i) {
    auto pull = field.acceleration(DVec3(state.position[i]) + scene_->bodies.origin);
    if (state.physics.dimensions == 2) pull.z = 0.0;
    state.acceleration[i] = Vec3(DVec3(state.acceleration[i]) + pull);
  }
}

void SeriesWriter::write_state(const SeriesState& state) {
  Scene scene = *scene_;
  scene.bodies.position = state.position;
  scene.bodies.velocity = state.velocity;
  scene.time = state.time;
  scene.physics = state.physics;
  scene.has_velocities = scene.has_velocities || state.step > 0;
  const auto name = file_name(state.step, format_);
  FileWriter out(request_.folder / name, Existing::keep);
  const std::span<const Vec3> acceleration =
      format_.keeps.acceleration ? std::span<const Vec3>(state.acceleration) : std::span<const Vec3>();
  write_from_zero(format_, scene,
                  {.acceleration = acceleration, .acceleration_source = state.acceleration_source}, out);
  out.finish();
  entries_.push_back({name, state.step, state.time, acceleration.empty() ? "" : state.acceleration_source});
}

void SeriesWriter::write_index(bool is_last) {
  const auto now = Clock::now();
  if (entries_.size() > small_index && !is_last && now < index_time_ + index_interval) return;
  const auto existing = indexed_ == 0 ? Existing::keep : Existing::replace;
  FileWriter out(request_.folder / series_index_name(format_), existing);
  out.write(has_collection(format_) ? collection(entries_) : json(entries_));
  out.finish();
  indexed_ = entries_.size();
  index_time_ = now;
}

}  // namespace orrery::sim
