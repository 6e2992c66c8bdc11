#include "app/connect/connect.h"

#include <memory>

#include "app/commands/catalogue.h"
#include "app/run/interruption.h"

namespace orrery::app {

namespace {

Action declare_connect(Arguments& arguments) {
  const auto options = std::make_shared<ConnectOptions>();
  arguments.positional("LOGIN", options->login, "The computer, as ssh takes it: ada@cluster")
      .required()
      .not_empty();
  arguments.positional("DATA", options->data, "File there or name of a built-in galaxy").not_empty();
  arguments.group("There");
  arguments.value("--gres", options->gres, "Start it by Slurm (srun) with this resource, such as gpu:1")
      .shown_as("LIST")
      .not_empty();
  arguments.value("--srun", options->srun, "Start it by Slurm with these options of srun")
      .shown_as("OPTIONS")
      .not_empty();
  arguments.value("--serve", options->serve, "Further options of orrery serve")
      .shown_as("OPTIONS")
      .not_empty();
  arguments.value("--program", options->program, "Orrery's program (default: orrery)")
      .shown_as("PATH")
      .not_empty();
  arguments.value("--before", options->before, "Command before it, such as \"module load orrery\"")
      .shown_as("COMMAND")
      .not_empty();
  arguments.flag("--through-login", options->through_login,
                 "Let the node listen to the cluster, where ssh to nodes is forbidden");
  arguments.group("Here");
  arguments.value("--port", options->port, "Port of this computer (default: any that is free)")
      .whole_number(0, 65535);
  arguments.value("--ssh", options->ssh, "How ssh is started (default: ssh)").shown_as("COMMAND").not_empty();
  arguments.flag(
      "--no-browser", [options] { options->browser = false; }, "Print the address only");
  arguments.footer(
      "orrery connect ada@cluster snapshot_090.hdf5 --gres gpu:1\n"
      "starts `orrery serve` there, forwards a port to it and opens the browser. Ctrl+C ends both.\n"
      "Orrery must be installed on both computers.");
  return [options] {
    end_early_on_signals();
    return connect(*options);
  };
}

}  // namespace

/// A window of another computer's, in the browser of this one.
extern const Command connect_command{
    .name = "connect",
    .meaning = "Show the window of another computer or a cluster's node here",
    .declare = declare_connect};

}  // namespace orrery::app
