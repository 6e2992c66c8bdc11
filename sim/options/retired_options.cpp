#include "sim/options/retired_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>

#include "sim/core/json_text.h"
#include "sim/options/form.h"

namespace orrery::sim {

namespace {

/// For one option, special choices come before the entry for all others.
constexpr std::array<RetiredSetting, 26> retired{{
    {"family", "fmm", false, "fast multipoles took twice the time of family=tree at the same error"},
    {"family", "bulk-copy", false, "bulk copies were no faster than family=tiled"},
    {"expansion", "", true, "it belonged to family=fmm; use family=tree"},
    {"near", "tensor", false, "near bodies on tensor cores were slower than near bodies in FP32"},
    {"near", "", true, "near bodies are always summed in FP32"},
    {"accumulation", "atomic", false, "atomic sums were slower, and differed from run to run"},
    {"accumulation", "", true, "partial sums are always added in the same order"},
    {"row-tiles", "", true, "each tensor family has its fastest shape"},
    {"polynomial", "", true, "reciprocal roots are always those of the special-function units"},
    {"exchange", "nccl", false, "NCCL was slower than peer copies"},
    {"exchange", "", true, "GPUs always exchange positions by peer copies"},
    {"map-box", "custom", false, "edges are one value now: map-box=LEFT:RIGHT:BOTTOM:TOP"},
    {"map-left", "", false, "use map-box=LEFT:RIGHT:BOTTOM:TOP instead"},
    {"map-right", "", false, "use map-box=LEFT:RIGHT:BOTTOM:TOP instead"},
    {"map-bottom", "", false, "use map-box=LEFT:RIGHT:BOTTOM:TOP instead"},
    {"map-top", "", false, "use map-box=LEFT:RIGHT:BOTTOM:TOP instead"},
    {"slice", "", true, "long force evaluations are always cut into pieces of 250 ms"},
    {"checkpoint", "", true, "the state of several GPUs is copied to main memory once a second"},
    {"budget", "", true, "the number of bodies says how much a group may meet"},
    {"leaf-size", "", true, "leaves have at most 32 bodies on the CPU and 48 on the GPU"},
    {"device", "", false, "use devices=0,2 instead"},
    {"alpha", "", false, "use opening=relative:ALPHA instead"},
    {"theta", "", false, "use opening=geometric:THETA instead"},
    {"bank-safe-writes", "", false, "use bank-safe=both, reads, writes or none instead"},
    {"fast-math", "", false, "it is math=fast now"},
    {"flush-to-zero", "", false, "it is math=flush-to-zero, or math=ieee without, now"},
}};

/// An option, or a choice of one, that had another name.
struct RenamedSetting {
  std::string_view option;
  std::string_view choice;  ///< empty: whatever the option is set to
  std::string_view present_option;
  std::string_view present_choice;  ///< empty if `choice` is
};

constexpr std::array<RenamedSetting, 4> renamed{{
    {"D", "", "map-size", ""},
    {"color-mode", "line_of_sight", "color-mode", "line-of-sight"},
    {"kernel", "shared-edge", "kernel", "pair-symmetric"},
    {"kernel", "simd-shared-edge", "kernel", "simd-pair-symmetric"},
}};

}  // namespace

const RetiredSetting* find_retired(std::string_view option, std::string_view value) {
  const auto* found = std::ranges::find_if(retired, [&](const RetiredSetting& each) {
    return each.option == option && (each.choice.empty() || each.choice == value);
  });
  return found == retired.end() ? nullptr : found;
}

std::string retirement_of(std::string_view option, std::string_view value) {
  const auto* setting = find_retired(option, value);
  if (setting == nullptr) return {};
  if (setting->choice.empty()) return fmt::format("option '{}' was removed: {}", option, setting->reason);
  return fmt::format("{}={} was removed: {}", option, setting->choice, setting->reason);
}

Setting present_setting(std::string_view name, std::string_view value) {
  const auto* found = std::ranges::find_if(renamed, [&](const RenamedSetting& each) {
    return each.option == name && (each.choice.empty() || each.choice == value);
  });
  if (found == renamed.end()) return {std::string(name), std::string(value)};
  const auto choice = found->choice.empty() ? value : found->present_choice;
  return {std::string(found->present_option), std::string(choice)};
}

namespace {

std::optional<std::int64_t> whole_number(const std::string& text) {
  std::int64_t value = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failure != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<bool> switch_value(const std::string& text) {
  if (text == "on" || text == "true") return true;
  if (text == "off" || text == "false") return false;
  return std::nullopt;
}

/// Puts options of an earlier version together that are one option today.
template <typename Json>
class Joiner {
 public:
  Joiner(Json object, const PresentText& present) : object_(std::move(object)), present_(present) {}

  Json joined() {
    join_devices();
    join_opening();
    join_bank_safe();
    join_math();
    return std::move(object_);
  }

 private:
  std::optional<std::string> text_of(const char* name) const {
    const auto found = object_.find(name);
    if (found == object_.end()) return std::nullopt;
    return setting_text(nlohmann::json(*found));
  }
  std::optional<bool> switch_of(const char* name) const {
    const auto text = text_of(name);
    return text ? switch_value(*text) : std::nullopt;
  }

  /// The number of one GPU, and a mask of others: today they are listed, as text.
  void join_devices() {
    const auto others = object_.find("devices");
    const bool masked = others != object_.end() && others->is_number_integer();
    const auto first = whole_number(text_of("device").value_or(masked ? "-1" : ""));
    if (!first) return;
    const auto mask = masked ? others->template get<std::int64_t>() : 0;
    std::string list = *first >= 0 ? std::to_string(*first) : "";
    constexpr int bits = 16;
    for (int k = 0; k < bits; ++k) {
      if (((mask >> k) & 1) != 0 && k != *first) list += (list.empty() ? "" : ",") + std::to_string(k);
    }
    object_.erase("device");
    if (masked || others == object_.end())
      object_["devices"] = mask < 0 ? "all" : list.empty() ? "auto" : list;
  }

  /// A criterion, and the number of each. What only another criterion reads had no effect.
  void join_opening() {
    const auto written = text_of("opening");
    const auto alpha = text_of("alpha"), theta = text_of("theta");
    object_.erase("alpha");
    object_.erase("theta");
    const bool has_number = written && written->find(':') != std::string::npos;
    if (has_number || (!alpha && !theta)) return;
    const auto present = form_value(present_("opening"));
    const auto word = written.value_or(present.word);
    if (const auto& number = word == "geometric" ? theta : alpha)
      object_["opening"] = fmt::format("{}:{}", word, *number);
  }

  /// Reads and writes had a switch each.
  void join_bank_safe() {
    const auto reads = switch_of("bank-safe"), writes = switch_of("bank-safe-writes");
    if (!reads && !writes) return;
    const auto present = present_("bank-safe");
    const bool both = present == "both";
    const bool reading = reads.value_or(both || present == "reads");
    const bool writing = writes.value_or(both || present == "writes");
    object_.erase("bank-safe-writes");
    object_["bank-safe"] = reading ? (writing ? "both" : "reads") : writing ? "writes" : "none";
  }

  /// Fast mathematics flushes to zero, too.
  void join_math() {
    const auto fast = switch_of("fast-math"), flushes = switch_of("flush-to-zero");
    if (!fast && !flushes) return;
    const auto present = present_("math");
    object_.erase("fast-math");
    object_.erase("flush-to-zero");
    if (fast.value_or(present == "fast"))
      object_["math"] = "fast";
    else
      object_["math"] = flushes.value_or(present != "ieee") ? "flush-to-zero" : "ieee";
  }

  Json object_;
  const PresentText& present_;
};

}  // namespace

nlohmann::json join_retired(const nlohmann::json& object, const PresentText& present) {
  return Joiner(object, present).joined();
}

nlohmann::ordered_json join_retired(const nlohmann::ordered_json& object, const PresentText& present) {
  return Joiner(object, present).joined();
}

}  // namespace orrery::sim
