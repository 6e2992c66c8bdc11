#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>

#include "app/film/film_format.h"

namespace orrery::app {

/// The outcome of a film.
struct FilmResult {
  std::filesystem::path file;  ///< the film or the folder of frames; empty: there is none
  std::uint64_t frames = 0;    ///< number of frames in the film
  std::string problem;         ///< one line; empty: all frames that were written are in the film
};

/// A destination of frames. Everything is called from one thread, which blocks SIGPIPE.
class FilmSink {
 public:
  FilmSink() = default;
  FilmSink(const FilmSink&) = delete;
  FilmSink& operator=(const FilmSink&) = delete;
  virtual ~FilmSink() = default;
  /// RGBA, bottom row first. False: nothing more can be written, and finish() says why.
  virtual bool write(std::span<const std::byte> rgba) = 0;
  /// Completes the file.
  virtual FilmResult finish() = 0;
};

/// Throws sim::Error if there is something of that name, unless it is an empty folder, or a film that
/// --overwrite replaces.
void require_free(const std::filesystem::path& output);

/// The sink of a settled plan. Throws sim::Error if the output exists or cannot be written.
std::unique_ptr<FilmSink> open_film(const FilmPlan& plan);

/// Returns the plan, or where ffmpeg is missing one for a folder of frames beside the film's name.
FilmPlan possible_plan(FilmPlan plan);

}  // namespace orrery::app
