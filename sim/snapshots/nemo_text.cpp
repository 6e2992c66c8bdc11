#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <string>
#include <vector>

#include "sim/core/message.h"
#include "sim/core/progress.h"
#include "sim/snapshots/check.h"
#include "sim/snapshots/foreign.h"
#include "sim/snapshots/rounding.h"
#include "sim/snapshots/text_table.h"
#include "sim/snapshots/text_words.h"
#include "snapshot_formats.h"

// NEMO's structured files as `tsf` writes them in words. docs/formats.md has the rules.

namespace orrery::sim {

namespace {

/// "PhaseSpace[2][2][3]" as a name and a number of numbers.
struct Tag {
  std::string_view name;
  std::uint64_t count = 1;
};

class TsfReader {
 public:
  TsfReader(const FileView& file, const ReadOptions& options)
      : file_(file),
        text_(text_of(file.bytes)),
        words_(file, text_),
        ticker_(options.progress, text_.size()),
        rounding_(options) {}

  Scene scene() {
    for (auto word = words_.next(); !word.empty(); word = words_.next()) {
      ticker_.at(0);
      if (word == "set") {
        open_.emplace_back(words_.next());
        if (open_.size() > 16) cannot_read(file_.path, "its sets are nested too deeply; copy it again");
      } else if (word == "tes") {
        if (end_set()) return finished();
      } else {
        item(word, words_.next());
      }
    }
    cannot_read(file_.path,
                "it is a text of NEMO without a snapshot of bodies; choose the output of tsf of a snapshot");
  }

 private:
  using Numbers = std::vector<double>;

  bool in_particles() const { return open_ == std::vector<std::string>{"SnapShot", "Particles"}; }
  bool in_parameters() const { return open_ == std::vector<std::string>{"SnapShot", "Parameters"}; }

  /// True if a snapshot with bodies ended.
  bool end_set() {
    if (open_.empty()) cannot_read(file_.path, "a set ends that never began; copy it again");
    const bool whole = open_.size() == 1 && open_[0] == "SnapShot" && (!phases_.empty() || !places_.empty());
    open_.pop_back();
    return whole;
  }

  Tag tag_of(std::string_view word) const {
    Tag tag{.name = word.substr(0, word.find('['))};
    for (auto at = tag.name.size(); at < word.size();) {
      std::uint64_t length = 0;
      const auto* const end = word.data() + word.size();
      const auto result = std::from_chars(word.data() + at + 1, end, length);
      if (result.ec != std::errc{} || result.ptr == end || *result.ptr != ']') refuse_tag(word);
      // Each number takes two characters at least.
      tag.count *= length;
      if (tag.count > text_.size()) refuse_tag(word);
      at = static_cast<std::size_t>(result.ptr - word.data()) + 1;
    }
    return tag;
  }
  [[noreturn]] void refuse_tag(std::string_view word) const {
    cannot_read(file_.path,
                fmt::format("line {}: '{}' makes no sense; copy it again", words_.line(), printable(word)));
  }

  void item(std::string_view type, std::string_view word) {
    const auto tag = tag_of(word);
    if (type == "char") return skip_text(tag);
    if (type != "double" && type != "float") {
      for (std::uint64_t k = 0; k < tag.count; ++k) words_.next();
      return;
    }
    if (in_particles() && tag.name == "PhaseSpace") return take(tag, phases_);
    if (in_particles() && tag.name == "Position") return take(tag, places_);
    if (in_particles() && tag.name == "Velocity") return take(tag, velocities_);
    if (in_particles() && tag.name == "Mass") return take(tag, masses_);
    Numbers others;
    take(tag, others);
    if (in_parameters() && tag.name == "Time" && !others.empty()) time_ = others[0];
  }

  void take(const Tag& tag, Numbers& numbers) {
    numbers.clear();
    for (std::uint64_t k = 0; k < tag.count; ++k) {
      const auto word = words_.next();
      if (word == "." || word.starts_with(".."))
        cannot_read(file_.path, "tsf left numbers out ('...'); write it with allline=t and maxprec=t");
      numbers.push_back(number(word, tag));
    }
  }
  double number(std::string_view word, const Tag& tag) const {
    const auto value = parse_number(word);
    if (!value)
      cannot_read(file_.path, fmt::format("line {}: '{}' is no number of {}; copy it again", words_.line(),
                                          printable(word), printable(tag.name)));
    return *value;
  }

  /// "mkplummer out=..." : words up to the closing quotation mark.
  void skip_text(const Tag& tag) {
    auto word = words_.next();
    if (!word.starts_with('"')) return;
    if (word.size() > 1 && word.ends_with('"')) return;
    for (std::uint64_t k = 0; k < tag.count; ++k) {
      word = words_.next();
      if (word.empty() || word.ends_with('"')) return;
    }
  }

  Scene finished() {
    Scene scene;
    auto& bodies = scene.bodies;
    const auto stride = phases_.empty() ? 3U : 6U;
    const auto& all = phases_.empty() ? places_ : phases_;
    bodies.resize(all.size() / stride);
    bodies.origin = rounding_.origin();
    for (std::size_t i = 0; i < bodies.size(); ++i)
      bodies.position[i] = rounding_.place(vector(all, stride * i));
    const auto moving = phases_.empty() ? velocities_.size() == places_.size() : true;
    for (std::size_t i = 0; moving && i < bodies.size(); ++i)
      bodies.velocity[i] =
          rounding_.velocity(phases_.empty() ? vector(velocities_, 3 * i) : vector(phases_, 6 * i + 3));
    if (!moving) assume_no_velocities(scene);
    if (masses_.size() == bodies.size())
      std::ranges::transform(masses_, bodies.mass.begin(), [&](double mass) { return rounding_.mass(mass); });
    else
      assume_equal_masses(scene);
    settle_ids(scene, false, false);
    scene.time = time_;
    scene.source = "NEMO text (tsf)";
    return scene;
  }
  static DVec3 vector(const Numbers& numbers, std::size_t first) {
    return {numbers[first], numbers[first + 1], numbers[first + 2]};
  }

  const FileView& file_;
  std::string_view text_;
  TextWords words_;
  Ticker ticker_;
  Rounding rounding_;
  std::vector<std::string> open_;
  Numbers phases_, places_, velocities_, masses_;
  double time_ = 0.0;
};

/// Items of a history come first; then sets.
bool recognizes_nemo_text(const FileView& file) {
  if (!is_plain_text(file.bytes)) return false;
  const auto text = text_of(file.bytes);
  return text.starts_with("set ") ||
         (text.starts_with("char ") && text.find("set SnapShot") != std::string_view::npos);
}

Scene read_nemo_text(const FileView& file, const ReadOptions& options) {
  return TsfReader(file, options).scene();
}

}  // namespace

const SnapshotFormat nemo_text_format{
    "tsf",  "NEMO snapshots in words, as tsf writes them", "", false, &recognizes_nemo_text, &read_nemo_text,
    nullptr};

}  // namespace orrery::sim
