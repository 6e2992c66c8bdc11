#pragma once

#include <functional>
#include <string>
#include <vector>

#include "lab/setup/dataset.h"

namespace orrery::app {

struct FilmOptions;

/// A value that --set takes besides the options of the program: how a file is read, which of its bodies are
/// taken, how a film is encoded. The command hands it on; no configuration has it.
struct Setting {
  std::string name;
  std::string values;  ///< placeholder in the help: "N", "on|off"
  std::string meaning;
  std::function<void(const std::string& value)> take;  ///< throws sim::UsageError
  std::vector<std::string> words = {};                 ///< values that the completion offers
};
using SettingList = std::vector<Setting>;

/// Settings that decide how files are read and which of their bodies are taken. The dataset must outlive the
/// settings.
SettingList reading_settings(lab::DatasetRequest& dataset);
/// Settings of the film that `orrery render --record` makes.
SettingList film_settings(FilmOptions& film);

/// Null if there is none of that name.
const Setting* find_setting(const SettingList& settings, const std::string& name);

/// A group of settings with its title, for help, manual page and completion.
struct SettingKind {
  std::string title;  ///< "Of files and their bodies"
  SettingList settings;
};
std::vector<SettingKind> described_settings();

}  // namespace orrery::app
