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

/// Every command that computes gets a team of threads with such stacks.
TEST_F(ScarceSystem, SaysThatStacksAreTooLarge) {
  for (const char* command : {"bench plummer --bodies 300 --engine cpu --steps 1",
                              "info plummer --bodies 3000", "make disk --bodies 3000 -o a.bin",
                              "render plummer --bodies 300 --engine cpu --untuned --steps 1 -o x.png"}) {
    const auto errors = message_under("export OMP_STACKSIZE=64G; ulimit -v 8000000", command);
    EXPECT_EQ(lines(errors), 1) << errors;
    EXPECT_NE(errors.find("OMP_STACKSIZE asks for 64G for each"), std::string::npos) << errors;
  }
}

/// Also where OpenMP makes a team that nobody asked the system for before.
TEST_F(ScarceSystem, NeverSpeaksInTheWordsOfALibrary) {
  for (int mebibytes = 100; mebibytes < 1000; mebibytes += 100) {
    const auto outcome =
        shell("ulimit -v " + std::to_string(1024 * mebibytes) +
              "; OMP_NUM_THREADS=64 '" ORRERY_PROGRAM
              "' bench plummer --bodies 300 --engine cpu --steps 1 --kernels simd --set threads=48");
    const auto& errors = outcome.errors;
    EXPECT_TRUE(outcome.status == 0 || outcome.status == 1) << mebibytes << errors;
    for (const char* word : {"libgomp", "temporarily unavailable", "terminate"})
      EXPECT_FALSE(has(errors, word)) << mebibytes << errors;
    const auto last = errors.substr(errors.rfind('\n', errors.size() - 2) + 1);
    EXPECT_EQ(last.starts_with("orrery: "), outcome.status == 1) << mebibytes << errors;
  }
}

TEST_F(ScarceSystem, SaysThatMemoryIsLackingAndNotADriver) {
  const auto errors = message_under("ulimit -v 300000",
                                    "render plummer --bodies 300 --engine cpu --untuned --steps 1 -o x.png");
  EXPECT_EQ(errors.find("Mesa"), std::string::npos) << errors;
  EXPECT_NE(errors.find("memory"), std::string::npos) << errors;
}

}  // namespace
