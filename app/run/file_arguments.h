#pragma once

#include <filesystem>
#include <string>
#include <vector>

// The files that a command reads and writes, as its arguments name them.
namespace orrery::app {

/// The use of a file by a command.
enum class FileRole {
  read,      ///< a file, a folder of files, or a pattern of files' names
  written,   ///< an existing file of that name is replaced with --overwrite only
  settled,   ///< written; what exists is looked at when the command knows the names that it makes of this one
  kept_new,  ///< a file that every run writes anew
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

/// Throws sim::Error if a file exists that is to be `written`, unless --overwrite was given.
void check_existing(const std::vector<FileArgument>& files);

/// Throws sim::Error if `output`, which the command made of a name, exists, unless --overwrite was given.
void require_new(const std::filesystem::path& output);

/// Keeps other processes from writing what `files` names until this one ends (sim::claim_output).
void claim_outputs(const std::vector<FileArgument>& files);

}  // namespace orrery::app
