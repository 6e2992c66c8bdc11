#pragma once

#include <filesystem>
#include <string>
#include <vector>

// The files that a command reads and writes, as its arguments name them.
namespace orrery::app {

/// The use of a file by a command.
enum class FileRole {
  read,        ///< a file, a folder of files, or a pattern of files' names
  written,     ///< never in place of another file
  replaced,    ///< an existing file of that name is replaced
  checkpoint,  ///< replaced again and again, the one before stays as FILE.previous; may be what --resume
               ///< reads
  filled,      ///< a folder that gets files step-... or frame-...
};

/// A file, or several, that an argument names.
struct FileArgument {
  std::string name;  ///< name of the argument, for messages: "--write-state"
  std::filesystem::path path;
  FileRole role;
  bool may_be_stream = false;  ///< "-" is standard output
};

/// Throws sim::UsageError if two arguments write one file, or one writes what another reads: before any work
/// begins. Links, other spellings of a path, and the other parts of a snapshot in several files are seen
/// through. A path "-" is a standard stream, and no file; where it cannot be, it is refused.
void check_files(const std::vector<FileArgument>& files);

/// A sentence for each file that is there and will be replaced.
std::vector<std::string> replacements(const std::vector<FileArgument>& files);

}  // namespace orrery::app
