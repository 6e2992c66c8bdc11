#include "app/commands/command_line.h"
#include "app/commands/short_waits.h"

int main(int argc, char** argv) {
  orrery::app::shorten_waits(argv);
  return orrery::app::run_command_line(argc, argv);
}
