#include "app/commands/command_line.h"
#include "app/commands/short_waits.h"
#include "sim/core/removed_at_exit.h"
#include "sim/core/torn_file.h"

int main(int argc, char** argv) {
  orrery::app::shorten_waits(argv);
  orrery::sim::remove_files_when_ended();
  orrery::sim::survive_torn_files();
  return orrery::app::run_command_line(argc, argv);
}
