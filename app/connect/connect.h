#pragma once

#include <cstdint>
#include <string>

namespace orrery::app {

/// Options of `orrery connect`.
struct ConnectOptions {
  std::string login;              ///< "ada@cluster", as ssh takes it
  std::string data;               ///< file there, or a built-in galaxy; empty: what `serve` shows by itself
  std::string serve;              ///< further options of `serve`, in the words of that shell
  std::string gres;               ///< what Slurm shall give, "gpu:1"; empty: no --gres
  std::string srun;               ///< further options of srun; not empty or `gres` given: srun starts it
  std::string program{"orrery"};  ///< there
  std::string before;             ///< a command of that shell before it, such as "module load orrery"
  std::string ssh{"ssh"};         ///< how ssh is started here, words between spaces
  std::uint64_t port = 0;         ///< here; 0: any that is free
  bool through_login = false;     ///< the node listens to the cluster, since ssh does not reach it
  bool browser = true;            ///< open one

  /// True if Slurm starts the server on a node.
  bool uses_slurm() const { return !gres.empty() || !srun.empty(); }
};

/// The text as one word of a POSIX shell.
std::string quoted_for_shell(const std::string& word);

/// The command for the shell of the login node.
std::string remote_command(const ConnectOptions& options);

/// Starts `orrery serve` on another computer by ssh, there by Slurm if asked, forwards a port of this
/// computer to it, opens the browser, and stays until it ends or Ctrl+C. It ends there when this ends.
/// Returns the exit status. Throws sim::Error or sim::UsageError.
int connect(const ConnectOptions& options);

}  // namespace orrery::app
