#include "app/film/film_sink.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <vector>

#include "app/film/child_process.h"
#include "app/picture/png_file.h"
#include "render/error.h"
#include "sim/core/error.h"
#include "sim/core/file_writer.h"
#include "sim/core/message.h"
#include "sim/core/output_claim.h"
#include "sim/core/temporary_file.h"

namespace orrery::app {

namespace fs = std::filesystem;

namespace {

/// Bytes beyond the end of a file that a disk with room takes.
constexpr off_t room_tried = 1 << 20;

fs::path folder_of(const fs::path& file) {
  return file.has_parent_path() ? file.parent_path() : fs::path(".");
}

/// A file without a name, that another program can open all the same.
class Draft {
 public:
  explicit Draft(const fs::path& target) : target_(target), file_(folder_of(target)) {
    if (file_.descriptor() < 0) sim::cannot_write(target, sim::reason_of(errno));
  }
  fs::path path() const { return fmt::format("/proc/{}/fd/{}", ::getpid(), file_.descriptor()); }
  bool is_empty() const { return size() == 0; }
  /// Empty, or why the disk has not taken all: ffmpeg does not say so of every kind of file.
  std::string disk_problem() const {
    if (::fsync(file_.descriptor()) != 0) return sim::reason_of(errno);
    const auto end = size();
    const int reason = ::posix_fallocate(file_.descriptor(), end, room_tried);
    if (::ftruncate(file_.descriptor(), end) != 0) return sim::reason_of(errno);
    return reason == 0 ? std::string() : sim::reason_of(reason);
  }
  /// True once it is on the disk.
  bool is_safe() const { return ::fsync(file_.descriptor()) == 0; }
  /// Empty, or why not.
  std::string take_name() {
    return file_.take_name(target_, sim::for_named_outputs() == sim::Existing::replace)
               ? std::string()
               : fmt::format("cannot write {}: {}", sim::quoted(target_), sim::reason_of(errno));
  }

 private:
  off_t size() const {
    struct stat entry {};
    return ::fstat(file_.descriptor(), &entry) == 0 ? entry.st_size : 0;
  }

  fs::path target_;
  sim::TemporaryFile file_;
};

/// Frames through the program ffmpeg into one file.
class EncodedFilm : public FilmSink {
 public:
  explicit EncodedFilm(const FilmPlan& plan)
      : plan_(plan),
        claim_(sim::claim_output(plan.output)),
        pieces_(plan.output),
        encoder_(encoding_command(plan, pieces_.path())) {}

  bool write(std::span<const std::byte> rgba) override {
    if (!encoder_.write(rgba)) return false;
    ++written_;
    return true;
  }

  FilmResult finish() override {
    const auto& ending = encoder_.finish();
    FilmResult result;
    if (!ending.succeeded) result.problem = "ffmpeg stopped: " + ending.problem;
    if (!pieces_.is_empty()) join(result);
    if (result.problem.empty() && result.frames != written_)
      result.problem = fmt::format("ffmpeg took {} frames and wrote {}{}", written_, result.frames,
                                   after_colon(pieces_.disk_problem()));
    return result;
  }

 private:
  /// Where there is no room for a second file the pieces are the film.
  void join(FilmResult& result) {
    Draft whole(plan_.output);
    const auto ending = ChildProcess(joining_command(plan_, pieces_.path(), whole.path())).finish();
    const auto joined = frames_said(ending.output);
    const bool complete = ending.succeeded && joined > 0 && holds(whole, joined);
    result.frames = complete ? joined : frames_said(output_of(counting_command(pieces_.path())));
    const auto reason = complete ? std::string() : cause_of(ending, whole);
    if (result.frames == 0) {
      if (result.problem.empty()) result.problem = "ffmpeg wrote no frames" + after_colon(reason);
      return;
    }
    const auto failure = complete ? whole.take_name() : pieces_.take_name();
    if (failure.empty()) result.file = plan_.output;
    if (result.problem.empty()) result.problem = failure;
    if (result.problem.empty() && !complete)
      result.problem = "ffmpeg could not complete the film" + after_colon(reason);
  }

  /// A full disk comes first: the program's own last line may be of what followed.
  static std::string cause_of(const ChildEnding& ending, const Draft& whole) {
    const auto full = whole.disk_problem();
    return full.empty() ? ending.problem : full;
  }
  static std::string after_colon(const std::string& reason) { return reason.empty() ? "" : ": " + reason; }
  static std::string output_of(const std::vector<std::string>& command) {
    return ChildProcess(command).finish().output;
  }
  /// The muxers of .mkv and .webm end with success on a full disk.
  static bool holds(const Draft& film, std::uint64_t frames) {
    return film.is_safe() && frames_said(output_of(checking_command(film.path()))) == frames;
  }

  FilmPlan plan_;
  std::shared_ptr<const sim::OutputClaim> claim_;
  Draft pieces_;
  ChildProcess encoder_;
  std::uint64_t written_ = 0;
};

/// A PNG file each.
class FrameFolder : public FilmSink {
 public:
  explicit FrameFolder(const FilmPlan& plan) : plan_(plan) {
    std::error_code failure;
    fs::create_directories(plan.output, failure);
    if (failure) sim::cannot_write(plan.output, failure.message());
    claim_ = sim::claim_output(plan.output);
  }

  bool write(std::span<const std::byte> rgba) override try {
    write_png(plan_.output / frame_name(written_ + 1), upright(rgba));
    ++written_;
    return true;
  } catch (const std::exception& error) {
    problem_ = error.what();
    return false;
  }

  FilmResult finish() override { return {plan_.output, written_, problem_}; }

 private:
  render::Image upright(std::span<const std::byte> rgba) const {
    render::Image image{plan_.size.x, plan_.size.y, std::vector<std::uint8_t>(rgba.size())};
    const auto row = static_cast<std::size_t>(plan_.size.x) * 4;
    for (std::size_t y = 0; y < static_cast<std::size_t>(plan_.size.y); ++y)
      std::memcpy(image.rgba.data() + y * row, rgba.data() + rgba.size() - (y + 1) * row, row);
    for (std::size_t i = 3; i < image.rgba.size(); i += 4) image.rgba[i] = 255;
    return image;
  }

  FilmPlan plan_;
  std::shared_ptr<const sim::OutputClaim> claim_;
  std::uint64_t written_ = 0;
  std::string problem_;
};

}  // namespace

void require_free(const fs::path& output) {
  std::error_code failure;
  const auto status = fs::symlink_status(output, failure);
  if (!fs::exists(status)) return;
  if (!is_film_file(output) && fs::is_directory(status) && fs::is_empty(output, failure)) return;
  if (!is_film_file(output) || fs::is_directory(status))
    throw sim::Error(fmt::format("{} exists and is no empty folder; name another", sim::quoted(output)));
  if (sim::for_named_outputs() != sim::Existing::replace)
    throw sim::Error(
        fmt::format("{} exists: name another film, or replace it with --overwrite", sim::quoted(output)));
}

std::unique_ptr<FilmSink> open_film(const FilmPlan& plan) {
  require_free(plan.output);
  if (is_film_file(plan.output)) return std::make_unique<EncodedFilm>(plan);
  return std::make_unique<FrameFolder>(plan);
}

FilmPlan possible_plan(FilmPlan plan) {
  if (!is_film_file(plan.output) || is_program("ffmpeg")) return plan;
  plan.output.replace_filename(plan.output.stem().string() + "-frames");
  return plan;
}

}  // namespace orrery::app
