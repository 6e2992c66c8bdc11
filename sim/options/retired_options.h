#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace orrery::sim {

/// An option, or a choice of one, that earlier versions had. Ladders that name it go on being read.
struct RetiredSetting {
  std::string_view option;
  std::string_view choice;  ///< empty: whatever the option is set to
  /// True if the present program computes the same, up to rounding and speed, without the setting.
  bool is_harmless = false;
  std::string_view reason;  ///< why it was removed, after "it was removed: "
};

/// The retired setting that NAME=VALUE names; nullptr if there is none.
const RetiredSetting* find_retired(std::string_view option, std::string_view value);

/// "option 'near' was removed: ...", for a person; empty if no version had an option of that name.
std::string retirement_of(std::string_view option, std::string_view value = {});

/// An option and its value, as text.
struct Setting {
  std::string name;
  std::string value;
};

/// Today's spelling of a setting in a file: options and choices of earlier versions may have had other names.
/// Only files are read so; the command line takes today's names.
Setting present_setting(std::string_view name, std::string_view value);

/// The present text of one of today's options.
using PresentText = std::function<std::string(const char* option)>;

/// An object of names and values in which options of earlier versions that are one today are put together:
/// device and devices, alpha and theta of `opening`, bank-safe and bank-safe-writes, fast-math and
/// flush-to-zero. Where a file says only one of them, `present` says the rest.
nlohmann::json join_retired(const nlohmann::json& object, const PresentText& present);
nlohmann::ordered_json join_retired(const nlohmann::ordered_json& object, const PresentText& present);

}  // namespace orrery::sim
