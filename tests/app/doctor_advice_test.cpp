#include <grp.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>

#include "app/doctor/findings.h"
#include "tests/temporary_folder.h"

// What the doctor advises for a driver that does not start, and for a missing run-time compiler.
namespace orrery::app {
namespace {

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(DriverAdvice, DependsOnTheError) {
  EXPECT_TRUE(has(driver_advice({.error = 803}), "restart the computer: the driver was updated"));
  EXPECT_TRUE(has(driver_advice({.error = 999}), "restart the computer, as after"));
  EXPECT_TRUE(has(driver_advice({.error = 802}), "nvidia-fabricmanager"));
  EXPECT_TRUE(has(driver_advice({.error = 804}), "compat"));
  EXPECT_TRUE(has(driver_advice({.error = 34}), "stubs"));
}

TEST(DriverAdvice, AContainerIsStartedAnewAndTheComputerIsNot) {
  for (const int error : {803, 999}) {
    const auto advice = driver_advice({.error = error, .in_container = true});
    EXPECT_TRUE(has(advice, "--gpus all")) << advice;
    EXPECT_FALSE(has(advice, "computer")) << advice;
  }
}

TEST(DriverAdvice, ALockedDeviceFileIsOpenedByItsGroup) {
  EXPECT_EQ(driver_advice({.error = 999, .locked_file = "/dev/nvidiactl", .locked_group = "video"}),
            "you may not open /dev/nvidiactl: sudo usermod -aG video $USER, then log in again");
  EXPECT_TRUE(
      has(driver_advice({.error = 304, .locked_file = "/dev/nvidia0"}), "sudo chmod a+rw /dev/nvidia*"));
}

/// Nobody in particular while the object lives, if this process is root's.
class AsNobody {
 public:
  AsNobody() : was_root_(::geteuid() == 0 && ::seteuid(nobody) == 0) {}
  AsNobody(const AsNobody&) = delete;
  AsNobody& operator=(const AsNobody&) = delete;
  ~AsNobody() { EXPECT_TRUE(!was_root_ || ::seteuid(0) == 0); }

 private:
  static constexpr uid_t nobody = 65534;
  bool was_root_;
};

class DeviceFiles : public testing::Test {
 protected:
  DeviceFiles() { ::chmod(temporary_.path().c_str(), 0755); }
  std::string make(const char* name, mode_t mode) const {
    const auto path = (temporary_.path() / name).string();
    std::ofstream(path) << "device";
    ::chmod(path.c_str(), mode);
    return path;
  }
  DriverTrouble trouble() const {
    const AsNobody nobody;
    return driver_trouble(999, false, temporary_.path().string());
  }
  const test::TemporaryFolder temporary_;
};

TEST_F(DeviceFiles, AreLockedWhereThisUserMayNotOpenThem) {
  EXPECT_EQ(trouble().locked_file, "");
  make("nvidiactl", 0666);
  EXPECT_EQ(trouble().locked_file, "");
  const auto locked = make("nvidia0", 0);
  EXPECT_EQ(trouble().locked_file, locked);
  EXPECT_EQ(trouble().locked_group, "");
}

TEST_F(DeviceFiles, NameTheGroupThatMayOpenThem) {
  const auto* video = ::getgrnam("video");
  const auto locked = make("nvidiactl", 0660);
  if (video == nullptr || ::chown(locked.c_str(), static_cast<uid_t>(-1), video->gr_gid) != 0)
    GTEST_SKIP() << "only root gives a file to the group video";
  EXPECT_EQ(trouble().locked_group, "video");
}

TEST(MpiRemedy, HelpsTheProgramThatIsThere) {
  const test::TemporaryFolder temporary;
  const auto module = temporary.path() / "orrery_mpi.so";
  EXPECT_EQ(mpi_remedy({}), "") << "built without MPI";
  EXPECT_TRUE(has(mpi_remedy(module), "orrery-mpi"));
  std::ofstream(module) << "module";
  EXPECT_TRUE(has(mpi_remedy(module), "openmpi-bin"));
}

TEST(NvrtcPackage, SuitsDriverAndGpus) {
  EXPECT_EQ(nvrtc_package(13000, 120), "nvidia-cuda-nvrtc");
  EXPECT_EQ(nvrtc_package(13000, 0), "nvidia-cuda-nvrtc");
  EXPECT_EQ(nvrtc_package(13000, 61), "nvidia-cuda-nvrtc-cu12");
  EXPECT_EQ(nvrtc_package(12040, 86), "nvidia-cuda-nvrtc-cu12");
  EXPECT_EQ(nvrtc_package(11040, 35), "nvidia-cuda-nvrtc-cu11");
  EXPECT_EQ(nvrtc_package(0, 0), "nvidia-cuda-nvrtc-cu12") << "without a driver: that of most GPUs";
}

TEST(PipProblem, IsOneLineWithWhatToDo) {
  const auto problem = [](const char* said) { return pip_problem(said, "some-package"); };
  EXPECT_TRUE(has(problem("/usr/bin/python3: No module named pip\n"), "python3-pip"));
  EXPECT_TRUE(has(
      problem("ERROR: Could not install packages due to an OSError: [Errno 28] No space left on device\n"),
      "no room is left"));
  EXPECT_TRUE(
      has(problem("WARNING: Retrying (Retry(total=0)) after connection broken by 'NewConnectionError('<...>: "
                  "Failed to establish a new connection: [Errno 111] Connection refused')': /simple/x/\n"
                  "ERROR: No matching distribution found for some-package\n"),
          "cannot be reached"));
  EXPECT_TRUE(has(problem("ERROR: No matching distribution found for some-package\n"),
                  "PyPI offers no some-package"));
  EXPECT_EQ(problem("ERROR: the moon is full\n"), "pip could not fetch some-package: the moon is full");
  EXPECT_EQ(problem(""), "pip could not fetch some-package");
}

}  // namespace
}  // namespace orrery::app
