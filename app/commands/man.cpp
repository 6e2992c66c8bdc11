#include <fmt/format.h>

#include "app/commands/catalogue.h"
#include "app/commands/manual_page.h"

namespace orrery::app {

namespace {

Action declare_man(Arguments& arguments) {
  arguments.footer("To read it: orrery man | man -l -");
  return [] {
    fmt::print("{}", manual_page());
    return 0;
  };
}

}  // namespace

extern const Command man_command{
    .name = "man", .meaning = "Print the manual page, for man", .declare = declare_man};

}  // namespace orrery::app
