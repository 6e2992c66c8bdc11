#include "sim/engines/pipeline.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "sim/activity/map_options.h"
#include "sim/core/error.h"
#include "sim/core/percentile.h"
#include "sim/core/time_account.h"
#include "sim/cuda/driver/api.h"
#include "sim/cuda/launch/kernel_limits.h"
#include "sim/cuda/multi_gpu/body_transfer.h"
#include "sim/cuda/multi_gpu/team_map.h"
#include "sim/cuda/worker/engine_settings.h"
#include "sim/cuda/worker/gpu_worker.h"
#include "sim/engines/packed_bodies.h"
#include "sim/options/engine_option.h"
#include "sim/step/stepper.h"

namespace orrery::sim {

namespace cuda {

namespace {

/// What the bodies of one device have in common.
struct DeviceJob {
  GpuWorker part;
  const EngineSettings& settings;
  const Progress* progress;
  std::uint64_t steps = 0;
  std::uint64_t steps_of_launch = 1;  ///< all of them, where one launch makes them
  bool counts_steps = false;          ///< every step has a map of its own
  CUdeviceptr position = 0, velocity = 0;
  const float* in = nullptr;
  float* out = nullptr;
  std::size_t velocities = 0;  ///< floats from a position to its velocity
};

/// Bodies that are queued together: a galaxy, or all of a device. Queues their copies, and the passes of
/// their steps, in one stream. To the Stepper a launch that makes all steps is one step.
class QueuedBodies final : private StepDevice {
 public:
  /// `galaxy`: its index on the device, or GpuWorker::all_galaxies.
  QueuedBodies(DeviceJob& job, std::size_t galaxy)
      : job_(job),
        part_(job.part),
        galaxy_(galaxy),
        bodies_(part_.bodies_of(galaxy)),
        stream_(part_.stream_of(galaxy)) {
    stepper_.configure(*this, job.settings.physics, job.settings.physics.time_step);
  }

  void copy_in() {
    const auto copy = [this](CUdeviceptr to, const float* from) {
      check(driver()->cuMemcpyHtoDAsync(to + offset(), from + 4 * bodies_.first, bytes(), stream_),
            "copying bodies to the GPU");
    };
    const auto mark = begin_copy(TimelineKind::copy_in, 0);
    copy(job_.position, job_.in);
    copy(job_.velocity, job_.in + job_.velocities);
    part_.timeline().end(mark, stream_);
    part_.unpack(job_.position, job_.velocity, stream_, bodies_);
  }

  void queue_steps() {
    stepper_.start(0.0, 0, false);
    evaluations_ = 0;
    while (steps() < job_.steps) stepper_.advance({});
  }

  void copy_out() {
    const auto copy = [this](float* to, CUdeviceptr from) {
      check(driver()->cuMemcpyDtoHAsync(to + 4 * bodies_.first, from + offset(), bytes(), stream_),
            "copying bodies from the GPU");
    };
    part_.publish_range(job_.position, job_.velocity, stream_, bodies_, in_other_buffer());
    const auto mark = begin_copy(TimelineKind::copy_out, job_.steps - 1);
    copy(job_.out, job_.position);
    copy(job_.out + job_.velocities, job_.velocity);
    part_.timeline().end(mark, stream_);
  }

  /// Force evaluations of all steps.
  std::uint64_t evaluations() const { return evaluations_ * job_.steps_of_launch; }

 private:
  void prepare_step(bool /*wait*/) override {
    // A graph is queued at once, in no time.
    if (job_.progress != nullptr && job_.progress->cancel && job_.settings.schedule != Schedule::graph)
      throw Cancelled();
  }
  void begin_pass(const Pass& pass) override {
    if (!pass.before.empty()) move(pass.before, false);
  }
  Outcome compute_forces(const WorkBudget& /*budget*/) override {
    ++evaluations_;
    part_.galaxy_forces(galaxy_, step(), in_other_buffer());
    return Outcome::done;
  }
  void end_part(const MotionUpdate& last, const Pass& /*pass*/) override {
    const bool counts = counts_after(steps() + job_.steps_of_launch);
    if (counts && job_.counts_steps) part_.map().clear(stream_);
    if (!job_.settings.kernel.updates()) move(last, counts);
  }
  void after_step() override {
    if (!counts_after(steps())) return;
    if (!part_.map().in_update()) part_.add_to_map(bodies_, stream_, in_other_buffer());
    if (job_.counts_steps) part_.map().normalise(stream_);
  }

  void move(const MotionUpdate& update, bool counts) { part_.galaxy_update(galaxy_, step(), update, counts); }
  std::uint64_t steps() const { return stepper_.steps() * job_.steps_of_launch; }
  int step() const { return static_cast<int>(steps()); }
  /// Fused kernels write from one buffer to the other.
  bool in_other_buffer() const { return job_.settings.kernel.updates() && steps() % 2 == 1; }
  bool counts_after(std::uint64_t steps) {
    return part_.map().wanted() && (job_.counts_steps || steps == job_.steps);
  }

  std::size_t bytes() const { return body_bytes * bodies_.size(); }
  std::size_t offset() const { return body_bytes * bodies_.first; }
  TimelineRecorder::Mark begin_copy(TimelineKind kind, std::uint64_t step) {
    return part_.timeline().begin(kind, part_.stream_number(galaxy_), part_.global_galaxy(galaxy_),
                                  static_cast<int>(step), stream_);
  }

  DeviceJob& job_;
  GpuWorker& part_;
  std::size_t galaxy_;
  BodyRange bodies_;
  CUstream stream_;
  Stepper stepper_;
  std::uint64_t evaluations_ = 0;  ///< those of a launch once
};

/// One device's share of the job, queued in the order that the schedule asks for.
class DevicePipeline {
 public:
  DevicePipeline(int device, const EngineSettings& settings, const Progress* progress)
      : job_{.part = GpuWorker(device), .settings = settings, .progress = progress} {}

  GpuWorker& part() { return job_.part; }

  void prepare(const Partition& share, std::span<const GalaxyRange> galaxies, int steps) {
    auto& part = job_.part;
    const auto& kernel = job_.settings.kernel;
    part.make_current();
    auto module = part.modules().get(kernel);
    part.set_partition(share, galaxies, galaxies);
    part.use(job_.settings, std::move(module));
    part.allocate();
    part.allocate_scratch();
    job_.position = part.packed_position();
    job_.velocity = part.packed_velocity();
    job_.steps = static_cast<std::uint64_t>(steps);
    if (kernel.family->many_steps) {
      job_.steps_of_launch = job_.steps;
      part.fused().set_steps(static_cast<unsigned>(steps));
    }
    const auto add = [this](std::size_t k) { bodies_.push_back(std::make_unique<QueuedBodies>(job_, k)); };
    if (is_batched()) return add(GpuWorker::all_galaxies);
    for (std::size_t k = 0; k < part.galaxies(); ++k) add(k);
  }

  /// Host arrays of all bodies, 4 floats each.
  void use_memory(const float* in, float* out, std::size_t bodies) {
    const std::size_t first = 4 * job_.part.share().held.first;
    job_.in = in + first;
    job_.out = out + first;
    job_.velocities = 4 * bodies;
  }

  /// From now on this map of that many bodies.
  void use_map(const MapSpec& spec, std::size_t bodies) {
    job_.part.make_current();
    job_.part.use_map(spec, bodies);
    job_.counts_steps =
        (job_.part.galaxies() == 1 || is_batched()) && !job_.settings.kernel.family->many_steps;
  }
  bool counts_every_step() const { return job_.counts_steps; }
  /// Force evaluations of a body in the job that was queued last.
  std::uint64_t evaluations() const { return bodies_.front()->evaluations(); }

  void queue() {
    auto& part = job_.part;
    part.make_current();
    part.set_constants();
    if (part.map().wanted()) part.map().prepare(main());
    if (job_.settings.schedule != Schedule::graph) return queue_bodies();
    // Events belong to the graph in which they were captured.
    part.timeline().set_capturing(true);
    graph_.run({part.timeline().on() ? 1U : 0U}, main(), [this] { queue_bodies(); });
    part.timeline().set_capturing(false);
  }

  /// Waits for all streams, whatever became of their work.
  void drain() {
    job_.part.make_current();
    driver()->cuCtxSynchronize();
  }

  void wait() const { job_.part.wait("the GPU's work"); }

 private:
  CUstream main() { return job_.part.streams().main(); }
  bool is_batched() const { return job_.settings.schedule == Schedule::batched; }

  /// A map of all galaxies together, where each goes its own way: cleared before, completed after them all.
  void queue_bodies() {
    auto& map = job_.part.map();
    if (map.wanted()) map.clear(main());
    job_.part.streams().fork();
    queue_in_order();
    job_.part.streams().join();
    if (map.wanted() && !job_.counts_steps) map.normalise(main());
  }

  /// Depth first, all of a galaxy and then the next one (with one stream that is serial); or phase by phase.
  void queue_in_order() {
    if (job_.settings.schedule == Schedule::phased) {
      for (auto& each : bodies_) each->copy_in();
      for (auto& each : bodies_) each->queue_steps();
      for (auto& each : bodies_) each->copy_out();
    } else {
      for (auto& each : bodies_) each->copy_in(), each->queue_steps(), each->copy_out();
    }
  }

  DeviceJob job_;
  StepGraph graph_;
  std::vector<std::unique_ptr<QueuedBodies>> bodies_;
};

/// The whole job: memory of the host and a line a device.
class OfflineJob {
 public:
  OfflineJob(const Configuration& configuration, const Scene& scene, int steps, const Progress* progress)
      : scene_(scene),
        galaxies_(scene.bodies.galaxies()),
        settings_(configuration, galaxies_.size()),
        steps_(steps),
        map_(map_spec(configuration, scene.bodies.position)),
        progress_(progress) {
    check_settings();
    check_devices(settings_.devices);
    share_out();
    fill_memory();
    use_map();
  }

  /// Once; returns the host's time in milliseconds. With `spans` the devices' events become those.
  double run(std::vector<TimelineSpan>* spans = nullptr) {
    const auto start = std::chrono::steady_clock::now();
    for (auto& line : lines_) {
      line->part().make_current();
      auto& part = line->part();
      if (spans != nullptr) part.timeline().start(part.info().ordinal, part.streams().main());
    }
    queue();
    for (auto& line : lines_) {
      line->part().make_current();
      line->part().timeline().stop(line->part().streams().main());
      line->wait();
      if (spans == nullptr) continue;
      const auto taken = line->part().timeline().take().value();
      spans->insert(spans->end(), taken.begin(), taken.end());
    }
    return milliseconds_since(start);
  }

  PipelineResult result() {
    const auto& part = lines_.front()->part();
    PipelineResult result{.schedule = std::string(schedule_name(settings_.schedule)),
                          .streams = static_cast<int>(std::max<std::size_t>(part_streams(), 1)),
                          .pinned = settings_.pinned,
                          .steps = steps_,
                          .interactions = interactions_per_evaluation(galaxies_) *
                                          static_cast<double>(lines_.front()->evaluations()),
                          .report = report_of(part.module()->facts(), part.info().name),
                          .result = scene_.bodies};
    result.report.devices = lines_.size();
    for (const auto& line : lines_) {
      const auto& info = line->part().info();
      result.devices.resize(std::max(result.devices.size(), static_cast<std::size_t>(info.ordinal) + 1));
      result.devices[static_cast<std::size_t>(info.ordinal)] = info.name;
      add_limits(result.report, line->part().module()->facts().instructions, info);
    }
    const auto* x = static_cast<const float*>(out_.data());
    unpack_bodies(x, x + 4 * scene_.bodies.size(), result.result);
    take_map(result);
    return result;
  }

 private:
  /// The host's memory must outlive what is queued, also when the job is given up.
  void queue() try {
    for (auto& line : lines_) line->queue();
  } catch (const Cancelled&) {
    for (auto& line : lines_) line->drain();
    throw;
  }

  std::size_t part_streams() const { return lines_.front()->part().streams().workers(); }
  void check_settings() const {
    if (scene_.bodies.empty()) throw UsageError("the pipeline needs bodies");
    if (settings_.round_trip)
      throw UsageError("the pipeline copies once in and once out; use transfers=resident");
    if (settings_.kernel.adaptive || settings_.kernel.block_steps)
      throw UsageError("the pipeline queues all steps at once, in one part each; use step=fixed");
    if (settings_.split != Split::galaxies)
      throw UsageError("the pipeline gives whole galaxies to GPUs; use split-by=galaxies");
    if (settings_.kernel.updates() && settings_.integrator().fuses_ahead())
      throw UsageError(
          "the pipeline ends with a whole step, and update=fused begins the next one with leapfrog; use "
          "integrator=symplectic-euler, or update=separate");
    if (settings_.schedule == Schedule::graph && !settings_.pinned)
      throw UsageError("a graph copies from page-locked memory; use host-memory=pinned");
  }

  void use_map() {
    if (map_.size == 0) return;
    for (auto& line : lines_) line->use_map(map_, scene_.bodies.size());
    if (lines_.size() > 1) map_sum_.use(lines_.front()->part(), map_.size * map_.size);
  }

  /// After the job, which is over: the copy is none of its time.
  void take_map(PipelineResult& result) {
    if (map_.size == 0) return;
    auto& home = lines_.front()->part();
    home.make_current();
    if (lines_.size() > 1) {
      std::vector<GpuWorker*> parts;
      for (auto& line : lines_) parts.push_back(&line->part());
      map_sum_.write(parts, home, home.map().values());
    }
    result.map = map_;
    result.map_every_step =
        std::ranges::all_of(lines_, [](const auto& line) { return line->counts_every_step(); });
    result.map_values.resize(sim::map_header + map_.size * map_.size);
    BodyTransfer().copy_map(home, result.map_values.data());
  }

  void share_out() {
    for (const int device : settings_.devices)
      lines_.push_back(std::make_unique<DevicePipeline>(device, settings_, progress_));
    std::vector<double> weights;
    for (const auto& line : lines_)
      weights.push_back(settings_.weighted ? line->part().info().relative_speed() : 1.0);
    const auto shares = split_galaxies(galaxies_, weights);
    for (std::size_t k = 0; k < lines_.size(); ++k) {
      if (!shares[k].targets.empty()) lines_[k]->prepare(shares[k], galaxies_, steps_);
    }
    std::size_t k = 0;
    std::erase_if(lines_, [&](const auto&) { return shares[k++].targets.empty(); });
  }

  void fill_memory() {
    const std::size_t count = scene_.bodies.size();
    lines_.front()->part().make_current();
    in_.resize(2 * body_bytes * count, settings_.pinned);
    out_.resize(2 * body_bytes * count, settings_.pinned);
    auto* x = static_cast<float*>(in_.data());
    auto* v = x + 4 * count;
    pack_bodies(scene_.bodies, settings_.physics.law->uses_charges, x, v);
    for (auto& line : lines_) line->use_memory(x, static_cast<float*>(out_.data()), count);
  }

  const Scene& scene_;
  std::vector<GalaxyRange> galaxies_;
  EngineSettings settings_;
  int steps_;
  MapSpec map_;  ///< size 0: none
  const Progress* progress_;
  std::vector<std::unique_ptr<DevicePipeline>> lines_;
  MapSum map_sum_;
  HostMemory in_, out_;
};

}  // namespace

}  // namespace cuda

PipelineResult run_pipeline(const OptionTable& table, const Configuration& configuration, const Scene& scene,
                            int steps, int repetitions, Progress* progress) {
  if (!is_on_gpu(configuration)) throw UsageError("the pipeline runs on GPUs; use --engine cuda");
  const auto galaxies = scene.bodies.galaxies();
  table.check(configuration, {.bodies = scene.bodies.size(),
                              .galaxies = galaxies.size(),
                              .device_memory = cuda::smallest_memory(cuda::devices_of(configuration)),
                              .sizes = galaxy_sizes(galaxies)});
  cuda::OfflineJob job(configuration, scene, steps, progress);
  repetitions = std::max(repetitions, 1);
  // One to warm up, one with events.
  const Ticker runs(progress, static_cast<std::size_t>(repetitions) + 2);
  job.run();
  std::vector<double> totals;
  while (std::ssize(totals) < repetitions) {
    runs.at(totals.size() + 1);
    totals.push_back(job.run());
  }
  runs.at(totals.size() + 1);
  std::vector<TimelineSpan> spans;
  job.run(&spans);
  auto result = job.result();
  result.total_ms = median(totals);
  result.timeline = {result.schedule, std::move(spans)};
  summarize(result);
  return result;
}

}  // namespace orrery::sim
