#include "sim/series/playback_engine.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace orrery::sim {

namespace {

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

std::unique_ptr<Engine> make_playback_engine(std::vector<SnapshotPlace> places,
                                             std::shared_ptr<const Scene> first, const ReadOptions& options,
                                             double snapshots_a_step) {
  return std::make_unique<PlaybackEngine>(std::move(places), std::move(first), options, snapshots_a_step);
}

}  // namespace orrery::sim
