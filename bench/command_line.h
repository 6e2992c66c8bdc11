#pragma once

#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <functional>
#include <string>

// What the programs of this folder share.
namespace orrery::bench {

/// Parses, then runs `work`. Returns the exit status: 0, also for --help; 2 for a mistake in the command
/// line, 1 for another failure, with one line on standard error.
inline int run(CLI::App& program, int count, char** arguments, const std::function<void()>& work) {
  const auto say = [&](const char* message) {
    std::fprintf(stderr, "%s: %s\n", program.get_name().c_str(), message);
  };
  try {
    program.parse(count, arguments);
    work();
    return 0;
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return program.exit(error);
    say((std::string(error.what()) + "; --help explains").c_str());
    return 2;
  } catch (const std::exception& error) {
    say(error.what());
    return 1;
  }
}

/// Whole numbers from 1 on, as many as a program can hold.
inline const CLI::Range& numbers_of_bodies() {
  static const CLI::Range range(1.0, 4294967295.0);
  return range;
}

}  // namespace orrery::bench
