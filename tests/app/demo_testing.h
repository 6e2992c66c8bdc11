#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "app/live/demo.h"
#include "app/live/demo_run.h"
#include "app/live/switching.h"
#include "app/picture/display_options.h"
#include "app/session/session.h"
#include "headless_test.h"
#include "sim/core/file_writer.h"
#include "sim/galaxies/model.h"
#include "tests/eventually.h"
#include "tests/temporary_folder.h"

namespace orrery::app {

/// A demonstration of two measured steps, as its file has it.
inline nlohmann::json good_demo() {
  return nlohmann::json::parse(
      R"({"title": "T", "meaning": "M", "dataset": {"source": "plummer", "bodies": 64},
    "steps": [
      {"name": "one", "caption": "First", "set": {"kernel": "sequential"}, "seconds": 0, "measure": true},
      {"name": "two", "caption": "Second", "set": {"kernel": "omp-bodies"}, "seconds": 0, "measure": true,
       "camera": {"view": "face-on", "zoom": 2, "turn": 5}}]})");
}

/// On a real session without a window.
class DemoPlay : public HeadlessTest {
 protected:
  void SetUp() override {
    HeadlessTest::SetUp();
    if (IsSkipped()) return;
    session_ = std::make_unique<Session>(table_, std::vector<std::string>{"engine=cpu", "threads=1"});
    open();
  }
  void open(const std::string& galaxy = "plummer", std::size_t bodies = 64, std::optional<bool> paused = {}) {
    auto scene = sim::make_galaxy(galaxy, {.bodies = bodies, .seed = 1});
    auto summary = summarize(scene.bodies);
    session_->open({.request = {.source = galaxy, .bodies = bodies, .seed = 1},
                    .scene = std::make_shared<const sim::Scene>(std::move(scene)),
                    .summary = std::move(summary),
                    .hash = "0",
                    .state = std::nullopt},
                   paused);
  }
  void one_frame() { one_frame(DemoRun::Clock::now() + ahead_); }
  void one_frame(DemoRun::Clock::time_point now) {
    session_->update();
    switching_.update(*session_, Switching::Quiet::no);
    // Nobody waits for the closing slide to have been seen.
    if (run_.playing() && run_.step().closing) now += std::chrono::seconds(60);
    run_.update(*session_, switching_, {.room = [this] { return room_; }, .leave = [this] { leave(); }}, now);
  }
  void leave() {
    ++left_;
    const bool unknown = run_.step().measured && !(run_.present() && run_.present()->gips > 0.0);
    if (unknown) ++left_without_result_;
  }
  bool frames_until(const std::function<bool()>& holds) {
    return test::eventually([&] {
      one_frame();
      return holds();
    });
  }
  Demo demo(const nlohmann::json& content = good_demo()) {
    const auto file = folder_.path() / "mine.json";
    sim::write_file(file, content.dump());
    return read_demo(table_, file);
  }

  sim::OptionTable table_ = all_options();
  std::unique_ptr<Session> session_;
  Switching switching_{table_};
  DemoRun run_;
  int left_ = 0, left_without_result_ = 0;
  DemoRoom room_;
  std::chrono::seconds ahead_{0};
  const test::TemporaryFolder folder_;
};

}  // namespace orrery::app
