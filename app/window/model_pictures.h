#pragma once

#include <cstddef>
#include <filesystem>
#include <mutex>
#include <optional>
#include <queue>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "render/image.h"

namespace orrery::app {

/// The words after the program's name that draw a picture of a built-in galaxy into `file`: after the steps
/// and from where share/orrery/model_pictures.json says, which also the pictures of docs/models.md are drawn
/// by. A model that is not in that file is drawn as it begins. Throws sim::Error if the file is damaged.
std::vector<std::string> model_picture_command(std::string_view model, const std::filesystem::path& file);

/// Where the pictures lie between runs: a folder of this very program in the cache, since another version
/// may draw them otherwise. Empty if there is no home.
std::filesystem::path model_picture_folder();

/// Small pictures of all built-in galaxies: from the cache, else drawn by this program, which runs once more
/// for each, at low priority. So no frame and no step waits for them. What is not in the cache is
/// sketched first.
class ModelPictures {
 public:
  /// A picture of the model of that index in galaxy_models().
  struct Made {
    std::size_t model;
    render::Image image;
    bool sketch = false;  ///< until its picture comes, which may come before
  };

  ModelPictures() = default;
  ModelPictures(const ModelPictures&) = delete;
  ModelPictures& operator=(const ModelPictures&) = delete;
  ~ModelPictures() { stop(); }

  /// Makes those that were not made yet, from now on.
  void start();
  /// What is being drawn is given up. Does not wait.
  void stop();
  /// One that is new; none if there is none now. Never waits.
  std::optional<Made> take();
  /// Why pictures are missing; empty: they are not, or not yet.
  std::string problem() const;

 private:
  void work(const std::stop_token& stop);
  void read_kept(const std::stop_token& stop);
  bool take_kept(std::size_t model);
  void sketch(std::size_t model);
  void draw(std::size_t model, const std::stop_token& stop);
  std::optional<std::size_t> next(std::queue<std::size_t>& models, const std::stop_token& stop);
  void fail(const std::string& problem);

  mutable std::mutex mutex_;         ///< of all below but the workers
  std::vector<bool> done_;           ///< by model
  std::queue<std::size_t> unread_;   ///< may be in the cache
  std::queue<std::size_t> missing_;  ///< are not
  std::queue<std::size_t> unsketched_;
  std::vector<bool> sketched_;  ///< by model
  std::queue<Made> made_;
  std::string problem_;
  unsigned failures_ = 0;
  std::filesystem::path folder_;
  std::vector<std::jthread> workers_;  ///< last: they end before the rest goes
};

}  // namespace orrery::app
