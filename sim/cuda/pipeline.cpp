#include "sim/engines/pipeline.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <utility>

#include "sim/activity/map_options.h"
#include "sim/core/error.h"
#include "sim/core/percentile.h"
#include "sim/cuda/driver/api.h"
#include "sim/cuda/launch/kernel_limits.h"
#include "sim/cuda/multi_gpu/body_transfer.h"
#include "sim/cuda/multi_gpu/engine_settings.h"
#include "sim/cuda/multi_gpu/gpu_worker.h"
#include "sim/cuda/multi_gpu/map_sum.h"
#include "sim/engines/packed_bodies.h"
#include "sim/options/engine_option.h"

namespace orrery::sim {

namespace {

using namespace cuda;
using Clock = std::chrono::steady_clock;

constexpr std::size_t body_bytes = 4 * sizeof(float);

/// One device's share of the job, queued in the order that the schedule asks for.
class DevicePipeline {
 public:
  DevicePipeline(int device, const EngineSettings& settings, const Progress* progress)
      : part_(device), settings_(settings), progress_(progress) {}

  GpuWorker& part() { return part_; }

  void prepare(const Partition& share, std::span<const GalaxyRange> galaxies, int steps) {
    steps_ = steps;
    part_.make_current();
    auto module = part_.modules().get(settings_.kernel);
    part_.set_partition(share, galaxies, galaxies);
    part_.use(settings_, std::move(module));
    part_.allocate();
    part_.allocate_scratch();
    position_ = part_.packed_position();
    velocity_ = part_.packed_velocity();
  }

  /// Host arrays of all bodies, 4 floats each.
  void use_memory(const float* in, float* out, std::size_t bodies) {
    const std::size_t first = 4 * part_.share().held.first;
    in_ = in + first;
    out_ = out + first;
    velocities_ = 4 * bodies;
  }

  /// From now on this map of so many bodies.
  void use_map(const MapSpec& spec, std::size_t bodies) {
    part_.use_map(spec, bodies);
    counts_steps_ = part_.galaxies() == 1 || settings_.schedule == Schedule::batched;
    if (settings_.kernel.family->many_steps) counts_steps_ = false;
  }
  bool counts_every_step() const { return counts_steps_; }

  void queue() {
    part_.make_current();
    part_.set_constants();
    if (part_.map().wanted()) part_.map().prepare(main());
    queue_schedule();
  }

  void queue_schedule() {
    switch (settings_.schedule) {
      case Schedule::batched:
        return queue_batched();
      case Schedule::phased:
        return queue_phased();
      case Schedule::graph:
        // Events belong to the graph in which they were captured.
        part_.timeline().set_capturing(true);
        graph_.run({part_.timeline().on() ? 1U : 0U}, main(), [this] { queue_galaxies(); });
        return part_.timeline().set_capturing(false);
      default:
        return queue_galaxies();
    }
  }

  /// Waits for all streams, whatever became of their work.
  void drain() {
    part_.make_current();
    driver()->cuCtxSynchronize();
  }

  void wait() {
    part_.make_current();
    check(driver()->cuStreamSynchronize(main()), "the GPU's work");
  }

 private:
  CUstream main() { return part_.streams().main(); }
  bool in_other_buffer() const { return settings_.kernel.updates() && steps_ % 2 == 1; }

  /// Depth first: all of a galaxy, then the next one. With one stream that is serial.
  void queue_galaxies() {
    begin_map();
    part_.streams().fork();
    for (std::size_t k = 0; k < part_.galaxies(); ++k) {
      copy_in(k);
      galaxy_steps(k);
      copy_out(k);
    }
    part_.streams().join();
    end_map();
  }

  void queue_phased() {
    begin_map();
    part_.streams().fork();
    for (std::size_t k = 0; k < part_.galaxies(); ++k) copy_in(k);
    for (std::size_t k = 0; k < part_.galaxies(); ++k) galaxy_steps(k);
    for (std::size_t k = 0; k < part_.galaxies(); ++k) copy_out(k);
    part_.streams().join();
    end_map();
  }

  // A map of all galaxies together, where each goes its own way: cleared before, completed after them all.
  void begin_map() {
    if (part_.map().wanted()) part_.map().clear(main());
  }
  void end_map() {
    if (part_.map().wanted() && !counts_steps_) part_.map().normalise(main());
  }

  /// The unit of movement: all bodies, or a galaxy.
  struct Movers {
    BodyRange bodies;
    CUstream stream;
  };
  bool counts(int step) { return part_.map().wanted() && (counts_steps_ || step + 1 == steps_); }
  void before_count(int step, const Movers& movers) {
    if (counts(step) && counts_steps_) part_.map().clear(movers.stream);
  }
  void count(int step, const Movers& movers) {
    if (!counts(step)) return;
    // Fused kernels write the other buffer in the first step.
    const bool other = settings_.kernel.updates() && step % 2 == 0;
    if (!part_.map().in_update()) part_.add_to_map(movers.bodies, movers.stream, other);
    if (counts_steps_) part_.map().normalise(movers.stream);
  }

  void queue_batched() {
    const BodyRange all{0, part_.bodies()};
    begin_map();
    transfer_in(all, main(), 0, -1);
    queue_steps(
        {all, main()}, [&](int step, bool other_buffer) { part_.all_forces(step, other_buffer); },
        [&](int step, const MotionUpdate& update, bool counts) { part_.all_update(step, update, counts); });
    end_map();
    transfer_out(all, main(), 0, -1);
  }

  void galaxy_steps(std::size_t k) {
    queue_steps(
        {bodies_of(k), part_.stream_of(k)},
        [&](int step, bool other_buffer) { part_.galaxy_forces(k, step, other_buffer); },
        [&](int step, const MotionUpdate& update, bool counts) {
          part_.galaxy_update(k, step, update, counts);
        });
  }

  /// All steps by calls of forces(step, other_buffer) and move(step, update, counts).
  template <typename Forces, typename Move>
  void queue_steps(const Movers& movers, const Forces& forces, const Move& move) {
    const auto& integrator = settings_.integrator();
    if (settings_.kernel.family->many_steps) {
      part_.set_steps(static_cast<unsigned>(steps_));
      forces(0, false);
      return count(steps_ - 1, movers);
    }
    for (int step = 0; step < steps_; ++step) {
      stop_if_cancelled();
      if (begins_with_forces(step)) forces(step, false);
      for (std::size_t k = 0; k < integrator.evaluations(); ++k) {
        if (!integrator.update(k).empty()) move(step, integrator.update(k), false);
        forces(step, settings_.kernel.updates() && step % 2 == 1);
      }
      before_count(step, movers);
      if (!settings_.kernel.updates()) move(step, integrator.last_update(), counts(step));
      count(step, movers);
    }
  }

  /// A graph is queued at once, in no time.
  void stop_if_cancelled() const {
    if (progress_ != nullptr && progress_->cancel && settings_.schedule != Schedule::graph) throw Cancelled();
  }

  /// True if the step needs forces before its first update.
  bool begins_with_forces(int step) const {
    const auto& integrator = settings_.integrator();
    return integrator.starts_with_acceleration() && (step == 0 || !integrator.keeps_acceleration());
  }

  BodyRange bodies_of(std::size_t k) const {
    return {part_.galaxy(k).galaxy.first, part_.galaxy(k).galaxy.last};
  }
  void copy_in(std::size_t k) {
    transfer_in(bodies_of(k), part_.stream_of(k), part_.stream_number(k), part_.global_galaxy(k));
  }
  void copy_out(std::size_t k) {
    transfer_out(bodies_of(k), part_.stream_of(k), part_.stream_number(k), part_.global_galaxy(k));
  }

  void transfer_in(BodyRange bodies, CUstream stream, int number, int galaxy) {
    const std::size_t bytes = body_bytes * bodies.size();
    const std::size_t offset = body_bytes * bodies.first;
    const auto mark = part_.timeline().begin(TimelineKind::copy_in, number, galaxy, 0, stream);
    const auto copy = [&](CUdeviceptr to, const float* from) {
      check(driver()->cuMemcpyHtoDAsync(to + offset, from + 4 * bodies.first, bytes, stream),
            "copying bodies to the GPU");
    };
    copy(position_, in_);
    copy(velocity_, in_ + velocities_);
    part_.timeline().end(mark, stream);
    part_.unpack(position_, velocity_, stream, bodies);
  }

  void transfer_out(BodyRange bodies, CUstream stream, int number, int galaxy) {
    const std::size_t bytes = body_bytes * bodies.size();
    const std::size_t offset = body_bytes * bodies.first;
    part_.publish_range(position_, velocity_, stream, bodies, in_other_buffer());
    const auto mark = part_.timeline().begin(TimelineKind::copy_out, number, galaxy, steps_ - 1, stream);
    const auto copy = [&](float* to, CUdeviceptr from) {
      check(driver()->cuMemcpyDtoHAsync(to + 4 * bodies.first, from + offset, bytes, stream),
            "copying bodies from the GPU");
    };
    copy(out_, position_);
    copy(out_ + velocities_, velocity_);
    part_.timeline().end(mark, stream);
  }

  GpuWorker part_;
  StepGraph graph_;
  const EngineSettings& settings_;
  const Progress* progress_;
  int steps_ = 0;
  bool counts_steps_ = false;  ///< every step has a map of its own
  CUdeviceptr position_ = 0, velocity_ = 0;
  const float* in_ = nullptr;
  float* out_ = nullptr;
  std::size_t velocities_ = 0;  ///< floats from a position to its velocity
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
    const auto start = Clock::now();
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
    return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
  }

  PipelineResult result() {
    const auto& part = lines_.front()->part();
    PipelineResult result{.schedule = std::string(schedule_name(settings_.schedule)),
                          .streams = static_cast<int>(std::max<std::size_t>(part_streams(), 1)),
                          .pinned = settings_.pinned,
                          .steps = steps_,
                          .interactions = interactions_per_evaluation(galaxies_) * evaluations(),
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
  double evaluations() const {
    const auto& integrator = settings_.integrator();
    const double before = !integrator.starts_with_acceleration() ? 0.0
                          : integrator.keeps_acceleration()      ? 1.0
                                                                 : static_cast<double>(steps_);
    return static_cast<double>(steps_) * static_cast<double>(integrator.evaluations()) + before;
  }

  void check_settings() const {
    if (scene_.bodies.empty()) throw UsageError("the pipeline needs bodies");
    if (settings_.round_trip)
      throw UsageError("the pipeline copies once in and once out; use transfers=resident");
    if (settings_.kernel.adaptive || settings_.kernel.individual)
      throw UsageError("the pipeline queues all steps at once, in one part each; use step=fixed");
    if (settings_.split_bodies || settings_.split_domains)
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
    for (auto& line : lines_) {
      line->part().make_current();
      line->use_map(map_, scene_.bodies.size());
    }
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

PipelineResult run_pipeline(const OptionTable& table, const Configuration& configuration, const Scene& scene,
                            int steps, int repetitions, Progress* progress) {
  if (!is_on_gpu(configuration)) throw UsageError("the pipeline runs on GPUs; use --engine cuda");
  const auto galaxies = scene.bodies.galaxies();
  table.check(configuration, {.bodies = scene.bodies.size(),
                              .galaxies = galaxies.size(),
                              .device_memory = smallest_memory(devices_of(configuration)),
                              .sizes = galaxy_sizes(galaxies)});
  OfflineJob job(configuration, scene, steps, progress);
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
