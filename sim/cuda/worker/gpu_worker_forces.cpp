#include <algorithm>
#include <bit>

#include "sim/core/error.h"
#include "sim/cuda/worker/gpu_worker.h"

// The forces of a GPU: in what pieces a schedule queues them.
namespace orrery::sim::cuda {

namespace {

constexpr std::size_t most_blocks = 0x7fffffff;  ///< largest grid size in x
/// A slice is made so much longer at most to fill the GPU.
constexpr std::size_t short_of_a_wave = 8;

std::uint64_t bits_of(double value) { return std::bit_cast<std::uint64_t>(value); }

}  // namespace

/// Writes the kernels of some forces into the timeline, while it lives.
class GpuWorker::ForcesOnTimeline final : public LaunchWatch {
 public:
  /// `galaxy`: its position among the slices, or all_galaxies.
  ForcesOnTimeline(GpuWorker& part, std::size_t galaxy, int step)
      : part_(part), galaxy_(galaxy), step_(step) {
    if (part_.timeline_.on()) part_.watch_ = this;
  }
  ForcesOnTimeline(const ForcesOnTimeline&) = delete;
  ForcesOnTimeline& operator=(const ForcesOnTimeline&) = delete;
  ~ForcesOnTimeline() override { part_.watch_ = nullptr; }
  void before(bool sums, CUstream stream) override {
    mark_ = part_.timeline_.begin(sums ? TimelineKind::sums : TimelineKind::forces,
                                  part_.stream_number(galaxy_), part_.global_galaxy(galaxy_), step_, stream);
  }
  void after(CUstream stream) override { part_.timeline_.end(mark_, stream); }

 private:
  GpuWorker& part_;
  std::size_t galaxy_;
  int step_;
  TimelineRecorder::Mark mark_ = 0;
};

void GpuWorker::begin_evaluation(int step, bool updates) {
  make_current();
  evaluation_.queued.begin(share_.wanted());
  evaluation_.step = step;
  const double share = queued_share();
  queue_.begin_evaluation(interactions() * share, share, updates, streams_.main());
}

void GpuWorker::begin_forces(bool moves) {
  make_current();
  evaluation_.moves = moves;
  queue_.begin_forces(streams_.main());
  set_constants();
  if (settings_->kernel.family->approximate) counter_.clear(streams_.main());
  if (settings_->schedule != Schedule::graph) streams_.fork();
}

bool GpuWorker::queue_forces(double most_interactions) {
  make_current();
  if (evaluation_.queued.galaxy() == galaxies()) return true;
  if (settings_->schedule == Schedule::graph) return queue_graph();
  if (settings_->kernel.batched) return queue_items(most_interactions);
  if (settings_->schedule == Schedule::batched) return queue_whole_galaxies(most_interactions);
  return queue_slice(most_interactions);
}

double GpuWorker::queued_part() const {
  if (settings_->kernel.batched) {
    const auto& upto = table_.table().interactions;
    return upto.empty() || upto.back() <= 0.0
               ? 0.0
               : upto[std::min(evaluation_.queued.item(), upto.size() - 1)] / upto.back();
  }
  const bool pairs = settings_->kernel.family->sums_pairs;
  double queued = 0.0, all = 0.0;
  for (std::size_t k = 0; k < share_.wanted().size(); ++k) {
    const auto& slice = share_.wanted()[k];
    const double work = slice.interactions();
    all += work;
    double part = k < evaluation_.queued.galaxy() ? 1.0 : 0.0;
    if (k == evaluation_.queued.galaxy() && slice.end > slice.begin)
      part = static_cast<double>(evaluation_.queued.body() - slice.begin) /
             static_cast<double>(slice.end - slice.begin);
    // The first tiles meet all others, the last ones none.
    queued += work * (pairs ? 1.0 - (1.0 - part) * (1.0 - part) : part);
  }
  return all > 0.0 ? queued / all : 0.0;
}

void GpuWorker::queue_domain(CUdeviceptr scratch, const std::function<void(ForceQueue&)>& kernels) {
  make_current();
  const ForcesOnTimeline watch(*this, all_galaxies, evaluation_.step);
  auto queue = launcher(streams_.main(), scratch);
  kernels(queue);
}

void GpuWorker::end_domain() {
  make_current();
  queue_.add(interactions(), streams_.main());
  evaluation_.queued.reach_galaxy(galaxies());
}

void GpuWorker::end_evaluation() {
  make_current();
  streams_.join();
  // Those on some of the bodies say little of a step.
  if (settings_->kernel.family->approximate && !share_.is_limited()) counter_.queue_reading(streams_.main());
  queue_.end_evaluation(streams_.main());
}

/// Bodies that fill the GPU once: a slice of one and a half waves would leave half of it empty for half of
/// the time.
std::size_t GpuWorker::wave() const {
  const auto& facts = module_->facts();
  const auto& family = *settings_->kernel.family;
  const auto bodies_of_block = family.sums_pairs ? family.slice_grain : static_cast<std::size_t>(facts.block);
  return static_cast<std::size_t>(std::max(facts.resident_blocks, info().multiprocessors)) * bodies_of_block;
}

/// Targets of the next slice.
std::size_t GpuWorker::slice_rows(double most_interactions) const {
  const auto& slice = share_.wanted()[evaluation_.queued.galaxy()];
  const std::size_t left = slice.end - evaluation_.queued.body();
  const auto& family = *settings_->kernel.family;
  if (family.galaxies != nullptr || family.whole_galaxies) return left;
  const double most = std::clamp(most_interactions / static_cast<double>(slice.galaxy.size()), 256.0, 1e9);
  auto rows = static_cast<std::size_t>(most);
  // Before the rate is known, slices are short. A pair's tile has one block, whatever the slice: with fewer
  // blocks than the GPU holds the rate would stay low, and so would what is measured of it.
  const bool is_known = queue_.rate() > least_rate();
  if (family.sums_pairs && rows < wave() && wave() < (is_known ? 2 : short_of_a_wave) * rows) rows = wave();
  rows = std::min(left, rows);
  if (rows < left && rows > wave()) rows -= rows % wave();
  if (rows < left && rows > family.slice_grain) rows -= rows % family.slice_grain;
  return rows;
}

bool GpuWorker::queue_slice(double most_interactions) {
  const std::size_t k = evaluation_.queued.galaxy(), first = evaluation_.queued.body();
  const auto& whole = share_.wanted()[k];
  const ForceSlice slice{whole.galaxy, first, first + slice_rows(most_interactions)};
  if (slice.begin == whole.begin && slice.end == whole.end) {
    galaxy_forces(k, evaluation_.step);
    scratch_.note_cells(k, has_kept_cells());
  } else {
    const ForcesOnTimeline watch(*this, k, evaluation_.step);
    launcher(stream_of(k), scratch_.of(k)).forces(slice);
  }
  queue_.add(slice.interactions(), stream_of(k));
  if (slice.end == whole.end) finish_galaxy(k);
  evaluation_.queued.reach(slice.end, share_.wanted());
  return evaluation_.queued.galaxy() == galaxies();
}

/// The updates of one galaxy, or after the last one of all.
void GpuWorker::finish_galaxy(std::size_t k) {
  if (!evaluation_.moves) return;
  const auto after = settings_->integrator().last_update();
  if (settings_->schedule != Schedule::phased) return galaxy_update(k, evaluation_.step, after);
  if (k + 1 < galaxies()) return;
  for (std::size_t each = 0; each < galaxies(); ++each) galaxy_update(each, evaluation_.step, after);
}

void GpuWorker::galaxy_forces(std::size_t k, int step, bool other_buffer) {
  const auto stream = stream_of(k);
  const ForcesOnTimeline watch(*this, k, step);
  if (k == all_galaxies)
    launch_all(other_buffer);
  else if (settings_->kernel.family->galaxies != nullptr)
    launcher(stream, 0, other_buffer).galaxies(k, k + 1);
  else
    launcher(stream, scratch_.of(k), other_buffer, scratch_.keeps_cells(k)).forces(share_.wanted()[k]);
}

void GpuWorker::galaxy_update(std::size_t k, int step, const MotionUpdate& c, bool counts) {
  const auto stream = stream_of(k);
  const auto mark = timeline_.begin(TimelineKind::update, stream_number(k), global_galaxy(k), step, stream);
  move(kernels(stream, bodies_of(k)), c, 0.0, 0, 0, counts && map_.in_update());
  timeline_.end(mark, stream);
}

void GpuWorker::add_to_map(BodyRange bodies, CUstream stream, bool other_buffer) const {
  map_.add(other_buffer ? fused_.next() : state_, bodies, stream);
}

void GpuWorker::launch_items(std::size_t first, std::size_t last, bool other_buffer) {
  auto launcher = this->launcher(streams_.main(), scratch_.pointer(), other_buffer);
  const auto& table = table_.table();
  launcher.batched(table_.item(first), last - first);
  if (last == table.forces.size() && !table.sums.empty())
    launcher.batched_sums(table_.item(last), table.sums.size());
}

/// Batched: a range of the table, in whole waves of blocks where it is larger than one.
bool GpuWorker::queue_items(double most_interactions) {
  const auto& table = table_.table();
  const auto& upto = table.interactions;
  const std::size_t first = evaluation_.queued.item();
  const auto fits = std::ranges::upper_bound(upto, upto[first] + most_interactions);
  auto last = static_cast<std::size_t>(fits - upto.begin()) - 1;
  const std::size_t wave_blocks =
      std::max<std::size_t>(wave() / static_cast<std::size_t>(module_->facts().block), 1);
  std::size_t blocks = std::max(last, first + 1) - first;
  const bool rest = last >= table.forces.size();
  if (!rest && blocks > wave_blocks) blocks -= blocks % wave_blocks;
  last = first + std::min(blocks, most_blocks);
  const ForcesOnTimeline watch(*this, all_galaxies, evaluation_.step);
  launch_items(first, last, false);
  queue_.add(upto[last] - upto[first], streams_.main());
  evaluation_.queued.reach_item(last);
  if (last == table.forces.size()) evaluation_.queued.reach_galaxy(galaxies());
  return evaluation_.queued.galaxy() == galaxies();
}

void GpuWorker::launch_all(bool other_buffer) {
  if (settings_->kernel.batched)
    launch_items(0, table_.table().forces.size(), other_buffer);
  else
    launcher(streams_.main(), 0, other_buffer).galaxies(0, galaxies());
}

/// Families that compute whole galaxies: as many as a slice takes, at least one.
bool GpuWorker::queue_whole_galaxies(double most_interactions) {
  const std::size_t first = evaluation_.queued.galaxy();
  std::size_t last = first;
  double interactions = 0.0;
  while (last < galaxies() && (last == first || interactions < most_interactions))
    interactions += share_.slices()[last++].interactions();
  const ForcesOnTimeline watch(*this, all_galaxies, evaluation_.step);
  launcher(streams_.main(), 0).galaxies(first, last);
  queue_.add(interactions, streams_.main());
  evaluation_.queued.reach_galaxy(last);
  return last == galaxies();
}

/// The numbers and addresses of a captured step that change while settings and bodies stay. All others
/// (kernels, physics, the criterion of a tree, ranges of bodies) change in use() and set_partition() only,
/// which forget all graphs.
StepGraph::Key GpuWorker::graph_key() const {
  const UpdateBefore before = evaluation_.graph_update.value_or(UpdateBefore{});
  return {evaluation_.moves ? 1U : 0U,
          fused_.finishes() ? 1U : 0U,
          low_.pointer(),
          jerks_.pointer(),
          kept_.pointer(),
          state_.address(),
          fused_.next().address(),
          accelerations_.pointer(),
          scratch_.pointer(),
          streams_.workers(),
          scratch_.keeps_cells(0) ? 1U : 0U,
          evaluation_.graph_update ? 1U : 0U,
          bits_of(before.last_kick),
          bits_of(before.coefficients.kick),
          bits_of(before.coefficients.drift),
          bits_of(before.coefficients.slope),
          bits_of(before.coefficients.probe),
          before.coefficients.first_slope ? 1U : 0U,
          before.coefficients.predict ? 1U : 0U,
          before.coefficients.correct ? 1U : 0U,
          timeline_.on() ? static_cast<std::uint64_t>(evaluation_.step) + 1 : 0};
}

void GpuWorker::queue_everything() {
  if (evaluation_.graph_update)
    update(evaluation_.graph_update->coefficients, 0, 0, evaluation_.graph_update->last_kick);
  streams_.fork();
  for (std::size_t k = 0; k < galaxies(); ++k) {
    galaxy_forces(k, evaluation_.step);
    if (evaluation_.moves) galaxy_update(k, evaluation_.step, settings_->integrator().last_update());
  }
  streams_.join();
}

/// Captures, or captures and runs.
void GpuWorker::with_graph(bool runs) {
  timeline_.set_capturing(true);
  try {
    graph_.run(
        graph_key(), streams_.main(), [this] { queue_everything(); }, runs);
  } catch (const Error&) {
    timeline_.set_capturing(false);
    streams_.abandon();
    throw;
  }
  timeline_.set_capturing(false);
}

void GpuWorker::prepare(bool moves, int step, const UpdateBefore* update) {
  evaluation_.graph_update.reset();
  if (settings_->schedule != Schedule::graph) return;
  make_current();
  if (update != nullptr && !timeline_.on() && !queue_.measures_next(interactions()))
    evaluation_.graph_update = *update;
  evaluation_.moves = moves;
  evaluation_.step = step;
  with_graph(false);
}

bool GpuWorker::queue_graph() {
  with_graph(true);
  scratch_.note_all_cells(galaxies(), has_kept_cells());
  queue_.add(interactions(), streams_.main());
  evaluation_.queued.reach_galaxy(galaxies());
  return true;
}

}  // namespace orrery::sim::cuda
