#include "sim/series/series_reader.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "sim/bodies/origin.h"
#include "sim/core/error.h"
#include "sim/core/threads.h"
#include "sim/snapshots/reader_process.h"

namespace orrery::sim {

namespace {

using Ids = std::vector<std::pair<std::uint64_t, std::size_t>>;

Ids sorted_ids(const std::vector<std::uint64_t>& ids) {
  Ids pairs;
  pairs.reserve(ids.size());
  for (std::size_t i = 0; i < ids.size(); ++i) pairs.emplace_back(ids[i], i);
  std::ranges::sort(pairs);
  return pairs;
}

/// The cubic through both places with both velocities, at `s` of the interval `dt` (Hermite).
DVec3 cubic_between(const DVec3& x0, const DVec3& v0, const DVec3& x1, const DVec3& v1, double dt, double s) {
  const double s2 = s * s, s3 = s2 * s;
  return x0 * (2 * s3 - 3 * s2 + 1) + v0 * (dt * (s3 - 2 * s2 + s)) + x1 * (3 * s2 - 2 * s3) +
         v1 * (dt * (s3 - s2));
}

/// A body that went round several times between two snapshots has velocities that lead elsewhere.
bool agrees(const DVec3& way, const DVec3& v0, const DVec3& v1, double dt) {
  const auto expected = (v0 + v1) * (0.5 * dt);
  const double length = 0.5 * dt * (norm(v0) + norm(v1));
  return norm(expected - way) <= 0.5 * length;
}

/// Bodies may have left a box, and another snapshot of the same file is read.
ReadOptions options_for_all(ReadOptions options) {
  options.components = {};
  options.filter = {};
  options.progress = nullptr;
  options.suggest = false;
  return options;
}

class PlaybackEngine : public Engine {
 public:
  PlaybackEngine(std::vector<SnapshotPlace> places, std::shared_ptr<const Scene> first,
                 const ReadOptions& options, double snapshots_a_step)
      : first_(first), reader_(std::move(places), std::move(first), options), stride_(snapshots_a_step) {}

  const EngineKind& kind() const override;

  void load(const Bodies& /*bodies*/, double time) override {
    status_ = {.time = time};
    position_ = first_->bodies.position;
    velocity_ = first_->bodies.velocity;
  }
  void configure(const Configuration& /*configuration*/) override {}

  bool advance(const WorkBudget& /*budget*/) override {
    const double last = static_cast<double>(reader_.size() - 1);
    const double place = std::min(stride_ * static_cast<double>(status_.steps + 1), last);
    const auto low = static_cast<std::size_t>(place);
    const double share = place - static_cast<double>(low);
    reader_.want(low);
    const auto a = reader_.wait_for(low);
    const auto b = share > 0.0 ? reader_.wait_for(low + 1) : a;
    interpolate(*a, *b, share, position_, velocity_);
    status_.time = time_between(*a, *b, share);
    ++status_.steps;
    return true;
  }
  void write_vertices(const VertexTarget& target) override {
    pack_bodies(position_, velocity_, first_->bodies.mass, target.position, target.velocity);
  }
  void read_back(Bodies& bodies) override {
    bodies.position = position_;
    bodies.velocity = velocity_;
  }
  EngineStatus status() const override { return status_; }
  EngineReport report() const override { return {}; }
  void observe(const SampleRequest& /*wanted*/) override {}
  Samples poll() override { return {}; }

 private:
  std::shared_ptr<const Scene> first_;
  SeriesReader reader_;
  double stride_;
  EngineStatus status_;
  std::vector<Vec3> position_, velocity_;
};

std::string no_reason() { return {}; }
std::unique_ptr<Engine> make_none(const OptionTable& /*options*/) { return nullptr; }

constexpr EngineKind playback_kind{"playback", "plays the snapshots of a series", VertexTarget::Space::host,
                                   &no_reason, &make_none};

const EngineKind& PlaybackEngine::kind() const { return playback_kind; }

}  // namespace

SeriesReader::SeriesReader(std::vector<SnapshotPlace> places, std::shared_ptr<const Scene> first,
                           ReadOptions options, std::function<void(const std::filesystem::path& file)> check)
    : places_(std::move(places)),
      first_(std::move(first)),
      options_(options_for_all(std::move(options))),
      check_(std::move(check)),
      by_id_(sorted_ids(first_->bodies.id)),
      thread_(start_thread("reading the series ahead", [this] { run(); })) {}

SeriesReader::~SeriesReader() {
  {
    const std::lock_guard lock(mutex_);
    quit_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void SeriesReader::want(std::size_t n, int direction) {
  {
    const std::lock_guard lock(mutex_);
    if (wanted_ == n && direction_ == direction) return;
    wanted_ = n;
    direction_ = direction;
  }
  changed_.notify_all();
}

std::shared_ptr<const PlayedState> SeriesReader::state(std::size_t n) const {
  const std::lock_guard lock(mutex_);
  const auto found = states_.find(n);
  return found == states_.end() ? nullptr : found->second;
}

std::shared_ptr<const PlayedState> SeriesReader::wait_for(std::size_t n) {
  std::unique_lock lock(mutex_);
  const auto wanted = wishes();
  if (std::ranges::find(wanted, n) == wanted.end()) {
    wanted_ = n;
    changed_.notify_all();
  }
  changed_.wait(lock, [&] { return states_.contains(n) || problems_.contains(n); });
  if (const auto failed = problems_.find(n); failed != problems_.end()) throw Error(failed->second);
  return states_.at(n);
}

std::string SeriesReader::problem() const {
  const std::lock_guard lock(mutex_);
  return problem_;
}

std::size_t SeriesReader::held() const {
  const std::lock_guard lock(mutex_);
  return states_.size();
}

/// The one that is wanted, then those ahead. The lock is held.
std::vector<std::size_t> SeriesReader::wishes() const {
  std::vector<std::size_t> wanted;
  const auto count = static_cast<std::ptrdiff_t>(places_.size());
  for (std::ptrdiff_t k = 0; k < std::min<std::ptrdiff_t>(kept, count); ++k)
    wanted.push_back(static_cast<std::size_t>(
        ((static_cast<std::ptrdiff_t>(wanted_) + k * direction_) % count + count) % count));
  return wanted;
}

/// The lock is held.
void SeriesReader::drop_others(const std::vector<std::size_t>& wanted) {
  std::erase_if(states_,
                [&](const auto& entry) { return std::ranges::find(wanted, entry.first) == wanted.end(); });
}

void SeriesReader::run() {
  std::unique_lock lock(mutex_);
  while (!quit_) {
    const auto wanted = wishes();
    drop_others(wanted);
    const auto next = std::ranges::find_if(
        wanted, [&](std::size_t n) { return !states_.contains(n) && !problems_.contains(n); });
    if (next == wanted.end()) {
      changed_.wait(lock);
      continue;
    }
    const auto n = *next;
    lock.unlock();
    std::shared_ptr<const PlayedState> state;
    std::string problem;
    try {
      state = std::make_shared<const PlayedState>(read(n));
    } catch (const std::exception& error) {
      problem = error.what();
    }
    lock.lock();
    if (state != nullptr)
      states_[n] = std::move(state);
    else
      problems_[n] = problem_ = problem;
    changed_.notify_all();
  }
}

PlayedState SeriesReader::read(std::size_t n) const {
  auto options = options_;
  options.snapshot = places_[n].number;
  options.scale = first_->scale;
  options.box_middle = first_->box_middle;
  if (check_) check_(places_[n].file);
  auto scene = read_snapshot_apart(places_[n].file, options);
  if (check_) check_(places_[n].file);
  set_origin(scene.bodies, first_->bodies.origin);
  const auto& bodies = scene.bodies;
  PlayedState state{.time = scene.time, .has_velocities = scene.has_velocities};
  if (bodies.id == first_->bodies.id) {
    state.position = bodies.position;
    state.velocity = bodies.velocity;
    return state;
  }
  constexpr float nowhere = std::numeric_limits<float>::quiet_NaN();
  state.position.assign(first_->bodies.size(), {nowhere, nowhere, nowhere});
  state.velocity.resize(state.position.size());
  std::size_t found = 0;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const auto at = std::ranges::lower_bound(by_id_, bodies.id[i], {}, &Ids::value_type::first);
    if (at == by_id_.end() || at->first != bodies.id[i]) continue;
    state.position[at->second] = bodies.position[i];
    state.velocity[at->second] = bodies.velocity[i];
    ++found;
  }
  if (found == 0) throw Error(places_[n].file.string() + " holds none of the first snapshot's bodies");
  state.missing = state.position.size() - std::min(found, state.position.size());
  return state;
}

void interpolate(const PlayedState& a, const PlayedState& b, double share, std::span<Vec3> position,
                 std::span<Vec3> velocity) {
  const double dt = b.time - a.time;
  const bool cubic = a.has_velocities && b.has_velocities && dt > 0.0;
  for (std::size_t i = 0; i < position.size(); ++i) {
    const auto x0 = static_cast<DVec3>(a.position[i]), x1 = static_cast<DVec3>(b.position[i]);
    const auto v0 = static_cast<DVec3>(a.velocity[i]), v1 = static_cast<DVec3>(b.velocity[i]);
    const bool smooth = cubic && agrees(x1 - x0, v0, v1, dt);
    position[i] =
        static_cast<Vec3>(smooth ? cubic_between(x0, v0, x1, v1, dt, share) : x0 + (x1 - x0) * share);
    velocity[i] = static_cast<Vec3>(v0 + (v1 - v0) * share);
  }
}

double time_between(const PlayedState& a, const PlayedState& b, double share) {
  return a.time + (b.time - a.time) * share;
}

std::unique_ptr<Engine> make_playback_engine(std::vector<SnapshotPlace> places,
                                             std::shared_ptr<const Scene> first, const ReadOptions& options,
                                             double snapshots_a_step) {
  return std::make_unique<PlaybackEngine>(std::move(places), std::move(first), options, snapshots_a_step);
}

}  // namespace orrery::sim
