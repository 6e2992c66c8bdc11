#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

namespace orrery::app {

/// A child process whose output this program reads line by line while it runs. The child keeps the terminal:
/// its standard error is seen, it may ask for a password, and Ctrl+C reaches it.
class TalkingProcess {
 public:
  /// Standard input of the program: open until close_input(), or empty from the start.
  enum class Input { held_open, empty };
  /// Starts `command`, whose first word is looked for in PATH. Throws sim::Error.
  TalkingProcess(const std::vector<std::string>& command, Input input);
  TalkingProcess(const TalkingProcess&) = delete;
  TalkingProcess& operator=(const TalkingProcess&) = delete;
  ~TalkingProcess();  ///< asks it to end, and kills it if it does not

  /// The next line without its end. Waits; nothing if the output has ended or this program shall end.
  std::optional<std::string> next_line();
  /// True once the program has ended. Never waits.
  bool ended();
  void close_input();
  /// Asks the program to end now.
  void terminate() const;
  /// Waits until the program has ended, which is forced once this one is to end. Returns its exit status; 128
  /// and more: the signal that ended it.
  int wait();

 private:
  pid_t pid_ = -1;
  int input_ = -1;
  int output_ = -1;
  std::string read_;  ///< and not yet given away
  std::optional<int> status_;

  bool read_more();
};

/// Starts a program that goes on by itself, without this terminal: a browser.
void start_apart(const std::vector<std::string>& command);

/// Runs a program to its end and returns its status; what it prints is left out. Throws sim::Error if it
/// cannot be started.
int run_quietly(const std::vector<std::string>& command);

}  // namespace orrery::app
