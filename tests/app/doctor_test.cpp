#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>

#include "command_line_testing.h"

// What `orrery doctor` says of this machine, and of one on which something is missing.
namespace {

using nlohmann::json;
using orrery::test::CommandLine;

class Doctor : public CommandLine {
 protected:
  json report(const std::string& environment = "") const {
    const auto outcome = shell("env " + environment + " '" ORRERY_PROGRAM "' doctor --json");
    EXPECT_EQ(outcome.status, 0) << outcome.errors;
    return json::parse(outcome.output);
  }
  static json finding(const json& report, const std::string& name) {
    for (const auto& each : report.at("findings"))
      if (each.at("name") == name) return each;
    ADD_FAILURE() << "no finding " << name;
    return {};
  }
};

TEST_F(Doctor, EveryMissingPartHasItsReasonAndMostACommand) {
  const auto all = report();
  EXPECT_GT(all.at("findings").size(), 15U);
  for (const auto& each : all.at("findings")) {
    EXPECT_FALSE(each.at("meaning").get<std::string>().empty()) << each;
    EXPECT_TRUE(each.at("state") != "ok" || each.at("remedy") == "") << each;
  }
  EXPECT_EQ(finding(all, "CPU").at("state"), "ok");
}

TEST_F(Doctor, TellsOfInteropWhetherAndWhyNot) {
  const auto headless = report().at("headless_drawing");
  if (!headless.at("available").get<bool>()) GTEST_SKIP() << headless.at("why_not");
  const auto& interop = headless.at("interop");
  EXPECT_NE(interop.at("possible").get<bool>(), !interop.at("why_not").get<std::string>().empty());
}

// Who waits for a core that is not free must not keep one: a busy machine would take five times as long.
TEST_F(Doctor, ThreadsOfFewProcessorsDoNotWaitForLong) {
  const auto waits = [&](const std::string& environment) {
    return finding(report(environment), "waiting threads").at("meaning").get<std::string>();
  };
  const bool few = std::thread::hardware_concurrency() <= 8;
  EXPECT_EQ(waits("-u OMP_WAIT_POLICY -u GOMP_SPINCOUNT"),
            few ? "GOMP_SPINCOUNT=1000" : "as the OpenMP library does by itself");
  EXPECT_EQ(waits("-u GOMP_SPINCOUNT OMP_WAIT_POLICY=active"), "OMP_WAIT_POLICY=active");
  EXPECT_EQ(waits("-u OMP_WAIT_POLICY GOMP_SPINCOUNT=77"), "GOMP_SPINCOUNT=77");
}

TEST_F(Doctor, NoticesWhatIsTakenAway) {
  // Nothing is in PATH but this.
  std::filesystem::create_directory(folder_ / "programs");
  const auto bare = report("PATH='" + path("programs") + "'");
  EXPECT_EQ(finding(bare, "ffmpeg").at("state"), "missing");
  EXPECT_EQ(finding(bare, "ffmpeg").at("remedy"), "install ffmpeg (its name in Debian)");
  EXPECT_EQ(finding(bare, "MPI").at("state"), "missing");
  const auto homeless = report("XDG_CONFIG_HOME=/dev/null/nowhere");
  EXPECT_EQ(finding(homeless, "settings").at("state"), "missing");
  EXPECT_EQ(finding(homeless, "settings").at("remedy"), "export XDG_CONFIG_HOME=/a/folder/of/yours");
  const auto blind = report("__EGL_VENDOR_LIBRARY_FILENAMES=/nowhere.json");
  EXPECT_EQ(finding(blind, "EGL vendors").at("meaning"), "/nowhere.json");
}

TEST_F(Doctor, PrintsTheCommandBelowWhatIsMissing) {
  std::filesystem::create_directory(folder_ / "programs");
  const auto outcome = shell("env PATH='" + path("programs") + "' '" ORRERY_PROGRAM "' doctor");
  EXPECT_EQ(outcome.status, 0) << outcome.errors;
  EXPECT_NE(outcome.output.find("  missing ffmpeg "), std::string::npos) << outcome.output;
  EXPECT_NE(outcome.output.find("-> install ffmpeg"), std::string::npos) << outcome.output;
  EXPECT_NE(outcome.output.find(" missing: "), std::string::npos) << outcome.output;
}

}  // namespace
