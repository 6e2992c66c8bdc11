#pragma once

#include <algorithm>
#include <string>

#include "program_test.h"

namespace orrery::test {

/// The program as a person calls it: exit status, what stands on which stream, and files.
class CommandLine : public ProgramTest {
 protected:
  Outcome orrery(const std::string& arguments) const { return run(ORRERY_PROGRAM, arguments); }
  /// The same program with kernels that are wrong on purpose.
  Outcome orrery_with_wrong_kernels(const std::string& arguments) const {
    return run(ORRERY_WITH_WRONG_KERNELS, arguments);
  }
  Outcome run(const std::string& program, const std::string& arguments) const {
    return shell("'" + program + "' " + arguments);
  }
  /// Ends with 2 and one line, before anything is written. What it said.
  Outcome expect_mistake(const std::string& command) const {
    const auto outcome = orrery(command);
    EXPECT_EQ(outcome.status, 2) << command << ": " << outcome.errors;
    EXPECT_EQ(lines(outcome.errors), 1) << command << ": " << outcome.errors;
    EXPECT_EQ(outcome.output, "") << command;
    EXPECT_LT(outcome.errors.size(), 250U) << command;
    return outcome;
  }
  static std::ptrdiff_t lines(const std::string& text) { return std::count(text.begin(), text.end(), '\n'); }
};

/// A ladder of a person's own.
inline const std::string own_ladder =
    R"({"title": "Mine", "source": "me", "model": "plummer", "bodies": 150, "steps": 3,
    "rungs": [{"name": "only", "text": "one", "set": {"engine": "cpu", "kernel": "sequential"}}]})";

}  // namespace orrery::test
