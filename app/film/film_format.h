#pragma once

#include <cstdint>
#include <filesystem>
#include <glm/glm.hpp>
#include <string>
#include <vector>

namespace orrery::app {

/// The specification of a film.
struct FilmPlan {
  std::filesystem::path output;  ///< a file .mp4, .mkv or .webm; any other name: a folder of PNG frames
  glm::ivec2 size{1920, 1080};   ///< pixels
  int rate = 60;                 ///< frames per second
  std::string codec = "auto";    ///< x264, av1, vp9, ffv1, or "auto": what the file's kind is best for
  /// Threads of the encoder. Their number affects the bytes of a film, so it does not depend on the machine.
  int threads = 8;
  std::string comment;  ///< kept in the film's metadata
};

/// True if the name's extension is that of a film; otherwise it names a folder.
bool is_film_file(const std::filesystem::path& output);

/// Puts the codec's name in place of "auto". Throws sim::UsageError with one line if size, rate, codec and
/// kind of file do not go together.
void settle_film(FilmPlan& plan);

/// The number of steps of `time_step` per frame, so that about `speed` of simulated time passes per second of
/// film; at least 1. With speed 0 (as fast as possible) each frame shows the next step.
std::uint64_t steps_per_frame(double speed, double time_step, int rate);

/// The command that encodes frames from its standard input (RGBA, bottom row first) into the file `to`, in
/// pieces: whatever ends it, what is there can be played.
std::vector<std::string> encoding_command(const FilmPlan& plan, const std::filesystem::path& to);
/// The command that puts the encoded pieces of `from` into one film `to`, without encoding anew. Its output
/// says how many frames there are.
std::vector<std::string> joining_command(const FilmPlan& plan, const std::filesystem::path& from,
                                         const std::filesystem::path& to);
/// The command that only counts the frames of `from`, those that can be shown.
std::vector<std::string> counting_command(const std::filesystem::path& from);
/// The command that counts the frames of a joined film `from`, without decoding them.
std::vector<std::string> checking_command(const std::filesystem::path& from);
/// The number of frames in what joining_command's or counting_command's program wrote to standard output.
std::uint64_t frames_said(const std::string& output);

/// "frame-000001.png": the number of frames before it plus 1.
std::string frame_name(std::uint64_t number);
/// The command that joins a folder of frames into a film.
std::string joining_hint(const FilmPlan& plan, const std::filesystem::path& folder);

}  // namespace orrery::app
