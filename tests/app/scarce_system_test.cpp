#include "command_line_testing.h"

// A system that gives little: one line says what lacks.
namespace {

class ScarceSystem : public orrery::test::CommandLine {
 protected:
  /// The message of a failure after a limit of the shell.
  std::string message_under(const std::string& limit, const std::string& arguments) const {
    const auto outcome = shell(limit + "; OMP_NUM_THREADS=2 '" ORRERY_PROGRAM "' " + arguments);
    EXPECT_EQ(outcome.status, 1) << limit << ": " << outcome.errors;
    EXPECT_EQ(outcome.errors.find("libgomp"), std::string::npos) << outcome.errors;
    return outcome.errors;
  }
};

TEST_F(ScarceSystem, SaysThatThreadsAreLacking) {
  for (const char* command :
       {"bench plummer --bodies 300 --engine cpu --steps 1 --set threads=1024",
        "diagnose plummer --bodies 300 --engine cpu --steps 1 -o x.csv --set threads=1024"}) {
    const auto errors = message_under("ulimit -v 1500000", command);
    EXPECT_NE(errors.find(" of 1024 threads: take fewer (--set threads="), std::string::npos) << errors;
  }
}

TEST_F(ScarceSystem, SaysThatMemoryIsLackingAndNotADriver) {
  const auto errors = message_under("ulimit -v 300000",
                                    "render plummer --bodies 300 --engine cpu --untuned --steps 1 -o x.png");
  EXPECT_EQ(errors.find("Mesa"), std::string::npos) << errors;
  EXPECT_NE(errors.find("memory"), std::string::npos) << errors;
}

}  // namespace
