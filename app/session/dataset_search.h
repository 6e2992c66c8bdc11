#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "app/session/openable_files.h"
#include "lab/setup/dataset.h"

// The files that a state, a checkpoint or a demonstration names. It may come from a stranger: what it names
// is opened only where its person would expect it.
namespace orrery::app {

/// The search for a state's dataset and its outcome.
struct DatasetSearch {
  lab::DatasetRequest request;  ///< the request with absolute paths, including the files in `elsewhere`
  std::vector<std::filesystem::path> elsewhere = {};  ///< to be opened only if the person says so
  std::vector<std::string> missing = {};              ///< names without any file

  bool complete() const { return elsewhere.empty() && missing.empty(); }
};

/// Looks for the files of `named`, which a state in `file` names. Free to be opened are files, folders and
/// patterns
/// - in the folder of `file` and in the current folder, and below them; of the home folder, and of those
///   above it, only what is directly in it. Links and ".." that lead out of them are elsewhere, and so is a
///   snapshot in several files of which one is such a link.
/// - that this user made a picture of, by their hash (shared_names.h).
/// - of any path, where `file` lies among the user's own settings, or where no datasets can be remembered
///   (shared_names.h) and it is a checkpoint that only this user can have written.
/// Built-in galaxies are no files, whatever the folders hold.
/// Nothing is opened here, and of paths elsewhere not even the existence is looked at. Devices and pipes are
/// never found.
///
/// Where `openable` has limits, these alone decide, the files are looked for in the openable folders too, and
/// sim::Error refuses what is not found: there is no question.
DatasetSearch search_dataset(const lab::DatasetRequest& named, const std::string& hash,
                             const std::filesystem::path& file, const OpenableFiles& openable = {});

/// The request with full paths. Throws sim::Error that says what `file` asks for and what to do: name the
/// dataset's file together with `argument` ("--state"), or where that is empty put it beside `file`.
lab::DatasetRequest find_dataset(const lab::DatasetRequest& named, const std::string& hash,
                                 const std::filesystem::path& file, const std::string& argument,
                                 const OpenableFiles& openable = {});

/// Throws as find_dataset, unless all was found.
void require_complete(const DatasetSearch& search, const std::filesystem::path& file,
                      const std::string& argument);

/// The dataset where a person named its file as `given`: how it is read comes from the state, if the file's
/// name is that of the state and nothing else was given.
lab::DatasetRequest given_instead(const lab::DatasetRequest& named, const lab::DatasetRequest& given);

}  // namespace orrery::app
