#include <algorithm>
#include <nlohmann/json.hpp>

#include "program_test.h"

// Programs that measure and are not installed.
namespace {

class Benchmarks : public orrery::test::ProgramTest {};

TEST_F(Benchmarks, ExplainThemselves) {
#ifndef ORRERY_BENCHMARKS
  GTEST_SKIP() << "built without benchmarks";
#else
  for (const char* program : {"bench_frames", "bench_drawing", "bench_cpu_limit", "bench_tree"}) {
    const auto call = [&](const std::string& arguments) {
      return shell("'" ORRERY_BENCHMARKS "/" + std::string(program) + "' " + arguments);
    };
    const auto help = call("--help");
    EXPECT_EQ(help.status, 0) << program << help.errors;
    EXPECT_TRUE(has(help.output, "--help")) << program << help.output;
    for (const char* wrong : {"--nonsense", "nonsense", "-1", "16384x"}) {
      const auto outcome = call(wrong);
      EXPECT_EQ(outcome.status, 2) << program << " " << wrong << outcome.errors;
      EXPECT_EQ(std::ranges::count(outcome.errors, '\n'), 1) << program << " " << wrong << outcome.errors;
      EXPECT_FALSE(has(outcome.errors, "stoul")) << outcome.errors;
    }
  }
#endif
}

/// A softening or time step that is not the model's own is another problem, with other errors.
TEST_F(Benchmarks, OfATreeTakeTheModelsOwnPhysics) {
#ifndef ORRERY_BENCHMARKS
  GTEST_SKIP() << "built without benchmarks";
#else
  const auto line = [&](const std::string& dataset, const std::string& settings) {
    const auto outcome =
        shell("'" ORRERY_BENCHMARKS "/bench_tree' --steps 1 --repeats 1 --sampled 50 --models " + dataset +
              " --set engine=cpu,kernel=tree" + settings);
    EXPECT_EQ(outcome.status, 0) << outcome.errors;
    return nlohmann::json::parse(outcome.output);
  };
  ASSERT_EQ(shell("'" ORRERY_PROGRAM "' make hernquist --bodies 3000 -o own.bin").status, 0);
  const auto model = line("hernquist --bodies 3000", "");
  EXPECT_NE(model.at("softening"), 0.05) << "the option's default";
  EXPECT_EQ(line("own.bin", "").at("softening"), model.at("softening"));
  EXPECT_EQ(line("hernquist --bodies 3000", ",softening=0.5").at("softening"), 0.5);
  EXPECT_GT(model.at("force_error").at("p99"), model.at("force_error").at("median"));
#endif
}

}  // namespace
