#pragma once

#include <cstddef>
#include <cstdint>
#include <glm/glm.hpp>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "app/film/film_format.h"

namespace orrery::app {

/// The user's arrangement of the panel, kept between runs.
struct PanelLayout {
  static constexpr float least_width = 200.0F, usual_width = 340.0F;  ///< at scale 1

  std::string tab = "run";    ///< the name of the tab that shows
  float width = usual_width;  ///< at scale 1
  /// Open state by section title; sections that are not listed start with their default.
  std::map<std::string, bool> sections;
  std::vector<std::string> plots;        ///< beside the view, by name (lab/diagnostics), from above
  std::string reveal;                    ///< title of a section to be shown next: opened, scrolled to
  std::optional<std::size_t> rung_seen;  ///< the rung of the ladder that was scrolled to last
  float width_set = 0.0F;                ///< last width given to the window, in window units
};

/// State of the panel between frames: the series to start next.
struct SeriesChoice {
  std::uint64_t every = 10;  ///< steps
  std::string format = "vtk";
};

/// State of the panel between frames: the next film and the next picture.
struct FilmChoice {
  glm::ivec2 film_size{1920, 1080};
  int rate = 60;
  std::string kind = ".mp4";   ///< or ".mkv", ".webm"; empty: a folder of frames
  double path_seconds = 10.0;  ///< duration of the built-in camera paths
  double key_seconds = 2.0;    ///< between key frames that are added
  glm::ivec2 picture_size{0};  ///< pixels; 0: that of the window, or of the command line
  bool transparent = false;    ///< the picture without its sky
};

/// Progress of a film.
struct FilmStatus {
  bool records = false;
  bool ends = false;                    ///< the last frames are being written
  std::uint64_t frames = 0;             ///< drawn
  std::optional<std::uint64_t> wanted;  ///< number of frames to record, where it is known
  int rate = 60;
  double seconds_left = -1.0;  ///< negative: not known
};

/// The state of films, for the panel.
struct FilmDesk {
  FilmChoice& choice;
  FilmStatus status;
  bool plays = false;  ///< the camera follows the session's path
};

/// "0:05.2", minutes and seconds of film.
std::string film_time(std::uint64_t frames, int rate);

}  // namespace orrery::app
