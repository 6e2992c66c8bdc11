#include "app/serve/panel_lists.h"

#include <zlib.h>

#include <algorithm>
#include <string_view>
#include <unordered_map>

#include "app/serve/picture_message.h"
#include "sim/core/error.h"

namespace orrery::app::serve {

namespace {

/// The quad of a letter has four vertices and six indices; four of them in a row are seldom found by chance.
constexpr std::size_t least_vertices = 16, least_indices = 24;
/// Numbers that change and have as many digits as before are looked for as far as this.
constexpr std::size_t longest_replacement = 64;

/// A list of units of the same size.
class Units {
 public:
  Units(std::span<const std::byte> bytes, std::size_t unit_bytes)
      : text_(reinterpret_cast<const char*>(bytes.data()), bytes.size()), unit_(unit_bytes) {}

  std::size_t unit_bytes() const { return unit_; }
  std::size_t size() const { return text_.size() / unit_; }
  std::string_view part(std::size_t first, std::size_t count) const {
    return text_.substr(first * unit_, count * unit_);
  }
  bool has(std::size_t first, std::string_view part) const {
    return first < size() && text_.substr(first * unit_, part.size()) == part;
  }

 private:
  std::string_view text_;
  std::size_t unit_;
};

/// Where runs of units were. Looked up only where something was put in or taken out, which most frames do
/// without.
class Places {
 public:
  Places(const Units& units, std::size_t length) : units_(units), length_(length) {}

  /// The first place of a run; none: the number of units.
  std::size_t of(std::string_view run) {
    if (places_.empty()) fill();
    const auto found = places_.find(run);
    return found == places_.end() ? units_.size() : found->second;
  }

 private:
  const Units& units_;
  std::size_t length_;
  std::unordered_map<std::string_view, std::uint32_t> places_;

  void fill() {
    places_.reserve(units_.size());
    for (std::size_t k = 0; k + length_ <= units_.size(); ++k)
      places_.emplace(units_.part(k, length_), static_cast<std::uint32_t>(k));
  }
};

struct Step {
  std::size_t from = 0;
  std::size_t copied = 0;
  std::size_t added = 0;
};

std::size_t common_run(const Units& before, std::size_t from, const Units& now, std::size_t at) {
  const auto old = before.part(from, before.size() - from);
  const auto text = now.part(at, now.size() - at);
  const auto length = std::min(old.size(), text.size());
  const auto same =
      std::mismatch(old.begin(), old.begin() + static_cast<std::ptrdiff_t>(length), text.begin()).first;
  return static_cast<std::size_t>(same - old.begin()) / now.unit_bytes();
}

/// The number of units that were replaced by as many others; 0: it is not that.
std::size_t replaced_run(const Units& before, std::size_t from, const Units& now, std::size_t at,
                         std::size_t least) {
  for (std::size_t count = 1; count <= longest_replacement && at + count + least <= now.size(); ++count)
    if (before.has(from + count, now.part(at + count, least))) return count;
  return 0;
}

std::vector<Step> steps_between(const Units& before, const Units& now, std::size_t least) {
  Places places(before, least);
  std::vector<Step> steps{{}};
  std::size_t expected = 0;  // In `before`, if what is new has replaced as much.
  std::size_t at = 0;
  const auto add = [&](std::size_t count) {
    steps.back().added += count;
    expected += count;
    at += count;
  };
  while (at < now.size()) {
    const auto wanted = now.part(at, std::min(least, now.size() - at));
    auto from = expected;
    if (!before.has(from, wanted)) {
      if (const auto count = replaced_run(before, expected, now, at, least); count > 0) {
        add(count);
        continue;
      }
      from = places.of(wanted);
    }
    if (from == before.size()) {
      add(1);
      continue;
    }
    const auto count = common_run(before, from, now, at);
    steps.push_back({from, count, 0});
    expected = from + count;
    at += count;
  }
  return steps;
}

}  // namespace

void write_differences(std::string& out, std::span<const std::byte> before, std::span<const std::byte> now,
                       std::size_t unit_bytes, std::size_t least) {
  const Units old(before, unit_bytes);
  const Units units(now, unit_bytes);
  const auto steps = steps_between(old, units, least);
  put_number(out, units.size(), 4);
  put_number(out, steps.size(), 4);
  for (const auto& step : steps)
    for (const auto number : {step.from, step.copied, step.added}) put_number(out, number, 4);
  std::size_t at = 0;
  for (const auto& step : steps) {
    at += step.copied;
    out += units.part(at, step.added);
    at += step.added;
  }
}

std::string packed(std::span<const std::byte> bytes) {
  uLongf size = compressBound(bytes.size());
  std::string result(size, '\0');
  if (compress2(reinterpret_cast<Bytef*>(result.data()), &size, reinterpret_cast<const Bytef*>(bytes.data()),
                bytes.size(), Z_BEST_SPEED) != Z_OK)
    throw sim::Error("there is not enough memory to pack the panel for the browser");
  result.resize(size);
  return result;
}

std::string PanelEncoder::encode(const PanelLists& lists, bool whole) {
  if (whole) before_ = {};
  std::string bytes;
  write_differences(bytes, before_.commands, lists.commands, command_bytes, 1);
  write_differences(bytes, before_.vertices, lists.vertices, vertex_bytes, least_vertices);
  write_differences(bytes, before_.indices, lists.indices, index_bytes, least_indices);
  before_ = lists;
  return packed(std::as_bytes(std::span(bytes)));
}

}  // namespace orrery::app::serve
