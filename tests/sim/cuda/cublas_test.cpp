#include "sim/cuda/driver/cublas.h"

#include <gtest/gtest.h>

#include "sim/cuda/driver/library_search.h"
#include "sim/cuda/options/kernel_configuration.h"
#include "tests/sim/engines/engine_cases.h"

namespace orrery::sim::cuda {
namespace {

const OptionTable& table() { return checks::simulation_options(); }

Configuration configuration(const std::vector<std::string>& assignments) {
  return checks::configuration_of({.name = "", .assignments = assignments});
}

TEST(Cublas, AnAbsentLibraryIsSaidWithTheRemedy) {
  const auto absent = Cublas::open({"libno-such-library.so.13"});
  for (const char* part : {"libcublas", "CUDA_PATH", "sum=kernel"})
    EXPECT_NE(absent.problem.find(part), std::string::npos) << part;
  EXPECT_EQ(absent.problem.find('\n'), std::string::npos);
}

TEST(Cublas, ALibraryWithoutItsFunctionsIsNotUsed) {
  const auto other = Cublas::open({"libm.so.6"});
  EXPECT_NE(other.problem.find("lacks"), std::string::npos) << other.problem;
}

TEST(Cublas, AllFunctionsAreFoundWhereItIs) {
  if (!cublas_problem().empty()) GTEST_SKIP() << cublas_problem();
  const auto api = Cublas::open(toolkit_library_names("libcublas", {"13", "12", "11"}));
  EXPECT_NE(api.create, nullptr);
  EXPECT_NE(api.sgemv, nullptr);
  EXPECT_NE(api.dgemv, nullptr);
}

TEST(SumOption, IsRefusedWithoutTheLibraryAndOnlyThen) {
  const OptionValue cublas = std::string("cublas");
  const auto& option = table().at("sum");
  const auto in_use = configuration({"engine=cuda", "family=tiled-2d"});
  EXPECT_EQ(table().refusal(option, cublas, in_use), cublas_problem());
  EXPECT_EQ(table().refusal(option, std::string("kernel"), in_use), "");
  // Where it does nothing it is no obstacle.
  EXPECT_EQ(table().refusal(option, cublas, configuration({"engine=cuda", "family=tiled"})), "");
  EXPECT_EQ(table().refusal(option, cublas, configuration({"engine=cpu", "family=tiled-2d"})), "");
}

TEST(SumOption, IsInactiveForOtherFamilies) {
  const auto& option = table().at("sum");
  EXPECT_EQ(option.inactive(configuration({"engine=cuda", "family=tiled-2d"})), "");
  EXPECT_NE(option.inactive(configuration({"engine=cuda", "family=tiled"})).find("tiled"), std::string::npos);
  EXPECT_NE(option.inactive(configuration({"engine=cpu"})), "");
}

TEST(SumOption, ChangesTheCodeOfItsFamilyOnly) {
  const auto kernel = [](const std::vector<std::string>& assignments) {
    return kernel_configuration(configuration(assignments));
  };
  EXPECT_TRUE(kernel({"family=tiled-2d", "sum=cublas"}).chose("sum", "cublas"));
  EXPECT_FALSE(kernel({"family=tiled-2d"}).chose("sum", "cublas"));
  EXPECT_EQ(kernel({"family=tiled", "sum=cublas"}), kernel({"family=tiled"}));
}

}  // namespace
}  // namespace orrery::sim::cuda
