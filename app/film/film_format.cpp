#include "app/film/film_format.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string_view>

#include "sim/core/error.h"
#include "sim/core/letters.h"
#include "sim/core/message.h"

namespace orrery::app {

namespace {

using Words = std::vector<std::string>;

struct Codec {
  const char* name;
  Words encoder;         ///< arguments of ffmpeg
  bool half_resolution;  ///< colour has half the resolution, so width and height must be even
  std::vector<std::string_view> kinds;
};

/// The first that a kind of file can hold is its default. Sizes and speeds: docs/rendering.md.
const std::vector<Codec>& codecs() {
  static const std::vector<Codec> all{
      {"x264",
       {"-c:v", "libx264", "-preset", "medium", "-crf", "17", "-pix_fmt", "yuv420p"},
       true,
       {".mp4", ".mkv"}},
      {"av1",
       {"-c:v", "libsvtav1", "-preset", "8", "-crf", "28", "-pix_fmt", "yuv420p10le"},
       true,
       {".mp4", ".mkv", ".webm"}},
      {"vp9",
       {"-c:v", "libvpx-vp9", "-crf", "26", "-b:v", "0", "-deadline", "good", "-cpu-used", "4", "-pix_fmt",
        "yuv420p"},
       true,
       {".mp4", ".mkv", ".webm"}},
      {"ffv1", {"-c:v", "ffv1", "-level", "3", "-slices", "12", "-pix_fmt", "bgr0"}, false, {".mkv"}},
  };
  return all;
}

/// The muxer of an extension.
const char* muxer(std::string_view kind) {
  if (kind == ".mp4") return "mp4";
  return kind == ".mkv" ? "matroska" : "webm";
}

std::string kind_of(const std::filesystem::path& output) {
  return sim::lower_case(output.extension().string());
}

bool holds(const Codec& codec, std::string_view kind) {
  return std::ranges::find(codec.kinds, kind) != codec.kinds.end();
}

const Codec& codec_of(const FilmPlan& plan) {
  const auto found =
      std::ranges::find_if(codecs(), [&](const Codec& codec) { return plan.codec == codec.name; });
  if (found == codecs().end())
    throw sim::UsageError(
        fmt::format("there is no codec {}; choose x264, av1, vp9 or ffv1", sim::printable(plan.codec)));
  return *found;
}

void append(Words& words, const Words& more) { words.insert(words.end(), more.begin(), more.end()); }

/// Bottom row first as OpenGL has it, and the colours of HD video: without being told, ffmpeg takes those of
/// old television, and players guess.
Words picture_words(const Codec& codec) {
  if (!codec.half_resolution) return {"-vf", "vflip"};
  return {
      "-vf",
      "vflip,scale=out_color_matrix=bt709:out_range=tv:flags=bicubic+accurate_rnd+full_chroma_int+bitexact",
      "-colorspace",
      "bt709",
      "-color_primaries",
      "bt709",
      "-color_trc",
      "bt709",
      "-color_range",
      "tv"};
}

Words start_words() { return {"ffmpeg", "-hide_banner", "-nostats", "-v", "error", "-y"}; }

void check_size(const FilmPlan& plan, const Codec& codec) {
  if (codec.half_resolution && (plan.size.x % 2 != 0 || plan.size.y % 2 != 0))
    throw sim::UsageError(fmt::format(
        "a film by {} needs even numbers of pixels, not {}x{}; give another size, or ffv1 in .mkv",
        codec.name, plan.size.x, plan.size.y));
}

}  // namespace

bool is_film_file(const std::filesystem::path& output) {
  const auto kind = kind_of(output);
  return kind == ".mp4" || kind == ".mkv" || kind == ".webm";
}

void settle_film(FilmPlan& plan) {
  if (plan.rate < 1 || plan.rate > 1000)
    throw sim::UsageError(fmt::format("a film needs 1 to 1000 frames per second, not {}", plan.rate));
  const auto kind = kind_of(plan.output);
  if (!is_film_file(plan.output)) {
    if (!kind.empty() && !plan.output.filename().string().ends_with("."))
      throw sim::UsageError(
          fmt::format("a film is a file .mp4, .mkv or .webm, or a folder (a name without a dot), not {}",
                      sim::quoted(plan.output)));
    return;
  }
  if (plan.codec == "auto")
    for (const auto& codec : codecs())
      if (plan.codec == "auto" && holds(codec, kind)) plan.codec = codec.name;
  const auto& codec = codec_of(plan);
  if (!holds(codec, kind))
    throw sim::UsageError(fmt::format("a file {} cannot hold {}; choose {}", kind, codec.name,
                                      plan.codec == "ffv1" ? ".mkv" : "another kind of file or codec"));
  check_size(plan, codec);
}

std::uint64_t steps_per_frame(double speed, double time_step, int rate) {
  const double steps = speed / (rate * std::abs(time_step));
  return std::isfinite(steps) ? static_cast<std::uint64_t>(std::clamp(std::round(steps), 1.0, 1e9)) : 1;
}

std::vector<std::string> encoding_command(const FilmPlan& plan, const std::filesystem::path& to) {
  const auto& codec = codec_of(plan);
  const auto kind = kind_of(plan.output);
  auto words = start_words();
  append(words, {"-f", "rawvideo", "-pix_fmt", "rgb0", "-s", fmt::format("{}x{}", plan.size.x, plan.size.y),
                 "-framerate", std::to_string(plan.rate), "-i", "pipe:0"});
  append(words, picture_words(codec));
  append(words, codec.encoder);
  append(words, {"-threads", std::to_string(plan.threads), "-g", std::to_string(2 * plan.rate), "-fflags",
                 "+bitexact", "-flags:v", "+bitexact", "-metadata", "comment=" + plan.comment});
  if (kind == ".mp4")
    append(words, {"-movflags", "+empty_moov+default_base_moof", "-frag_duration", "200000"});
  append(words, {"-flush_packets", "1", "-f", muxer(kind), to.string()});
  return words;
}

std::vector<std::string> joining_command(const FilmPlan& plan, const std::filesystem::path& from,
                                         const std::filesystem::path& to) {
  const auto kind = kind_of(plan.output);
  auto words = start_words();
  // A frame that was cut off is left out.
  append(words, {"-progress", "pipe:1", "-fflags", "+discardcorrupt", "-i", from.string(), "-map", "0:v",
                 "-c", "copy", "-fflags", "+bitexact"});
  // What a browser needs first stands first.
  if (kind == ".mp4") append(words, {"-movflags", "+faststart"});
  append(words, {"-f", muxer(kind), to.string()});
  return words;
}

std::vector<std::string> counting_command(const std::filesystem::path& from) {
  auto words = start_words();
  append(words, {"-progress", "pipe:1", "-i", from.string(), "-map", "0:v", "-f", "null", "-"});
  return words;
}

std::vector<std::string> checking_command(const std::filesystem::path& from) {
  auto words = start_words();
  append(words, {"-progress", "pipe:1", "-fflags", "+discardcorrupt", "-i", from.string(), "-map", "0:v",
                 "-c", "copy", "-f", "null", "-"});
  return words;
}

std::uint64_t frames_said(const std::string& output) {
  constexpr std::string_view key = "frame=";
  const auto at = output.rfind(key);
  std::uint64_t frames = 0;
  if (at != std::string::npos)
    std::from_chars(output.data() + at + key.size(), output.data() + output.size(), frames);
  return frames;
}

std::string frame_name(std::uint64_t number) { return fmt::format("frame-{:06}.png", number); }

std::string joining_hint(const FilmPlan& plan, const std::filesystem::path& folder) {
  return fmt::format(
      "ffmpeg -framerate {} -i {}/frame-%06d.png -c:v libx264 -crf 17 -pix_fmt yuv420p film.mp4", plan.rate,
      folder.string());
}

}  // namespace orrery::app
