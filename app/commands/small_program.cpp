#include "app/commands/small_program.h"

#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>

#include "sim/core/error.h"

namespace orrery::app {

namespace {

int fail(const SmallProgram& program, int status, const std::string& message) {
  std::fprintf(stderr, "%s: %s\n", program.name.c_str(), message.c_str());
  return status;
}

}  // namespace

int run(const SmallProgram& program, int count, char** words) {
  CLI::App parser(program.meaning, program.name);
  Arguments arguments(parser);
  try {
    program.declare(arguments);
    parser.parse(count, words);
    program.work();
    return 0;
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return parser.exit(error);
    return fail(program, 2, std::string(error.what()) + "; --help explains");
  } catch (const sim::UsageError& error) {
    return fail(program, 2, std::string(error.what()) + "; --help explains");
  } catch (const std::exception& error) {
    return fail(program, 1, error.what());
  }
}

}  // namespace orrery::app
