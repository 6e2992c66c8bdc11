#include "sim/options/retired_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace orrery::sim {

namespace {

/// For one option, special choices come before the entry for all others.
constexpr std::array<RetiredSetting, 16> retired{{
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
    {"map-left", "", false, "it belongs to map-box=LEFT:RIGHT:BOTTOM:TOP now"},
    {"map-right", "", false, "it belongs to map-box=LEFT:RIGHT:BOTTOM:TOP now"},
    {"map-bottom", "", false, "it belongs to map-box=LEFT:RIGHT:BOTTOM:TOP now"},
    {"map-top", "", false, "it belongs to map-box=LEFT:RIGHT:BOTTOM:TOP now"},
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

}  // namespace orrery::sim
