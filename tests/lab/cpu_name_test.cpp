#include "lab/setup/machine.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "tests/temporary_folder.h"

namespace orrery::lab {
namespace {

/// A core of ARM as the kernel describes it.
std::string core(const std::string& implementer, const std::string& part) {
  return "processor\t: 0\nBogoMIPS\t: 50.00\nCPU implementer\t: 0x" + implementer +
         "\nCPU architecture: 8\nCPU variant\t: 0x3\nCPU part\t: 0x" + part + "\nCPU revision\t: 1\n\n";
}

std::string name(const std::string& cpuinfo, const std::string& board = "") {
  std::istringstream stream(cpuinfo);
  return cpu_name(stream, board);
}

TEST(CpuName, X86IsNamedByTheKernel) {
  EXPECT_EQ(name("vendor_id\t: AuthenticAMD\nmodel name\t: AMD EPYC 9654 96-Core Processor\n", "a board"),
            "AMD EPYC 9654 96-Core Processor");
}

TEST(CpuName, ArmIsNamedByMakerAndDesign) {
  EXPECT_EQ(name(core("41", "d0c") + core("41", "d0c")), "Neoverse N1");
  EXPECT_EQ(name(core("41", "d40")), "Neoverse V1");
  EXPECT_EQ(name(core("41", "d49")), "Neoverse N2");
  EXPECT_EQ(name(core("41", "d4f"), "NVIDIA Grace"), "Neoverse V2 (NVIDIA Grace)");
  EXPECT_EQ(name(core("61", "022") + core("61", "023")), "Apple M1");
  EXPECT_EQ(name(core("c0", "ac3")), "AmpereOne");
}

TEST(CpuName, CoresOfTwoKindsAreBothNamed) {
  EXPECT_EQ(name(core("41", "d87") + core("41", "d85")), "Cortex-A725 + Cortex-X925");
}

TEST(CpuName, JetsonsModelNameIsNone) {
  EXPECT_EQ(name("model name\t: ARMv8 Processor rev 1 (v8l)\n" + core("41", "d42")), "Cortex-A78AE");
}

TEST(CpuName, UnknownDesignsKeepTheirNumbers) {
  EXPECT_EQ(name(core("41", "fff")), "ARM CPU, implementer 0x41, part 0xfff");
  EXPECT_EQ(name("processor : 0\n"), "unknown CPU");
  EXPECT_EQ(name("", "VisionFive 2"), "VisionFive 2");
}

class BoardName : public testing::Test {
 protected:
  std::string with(const std::string& file, const std::string& text) const {
    const auto path = temporary_.path() / file;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path) << text;
    return board_name(temporary_.path().string() + "/");
  }
  const test::TemporaryFolder temporary_;
};

TEST_F(BoardName, IsThatOfTheDeviceTree) {
  const std::string model = "Raspberry Pi 4 Model B Rev 1.4";
  EXPECT_EQ(with("proc/device-tree/model", model + '\0'), model);
}

TEST_F(BoardName, AVirtualMachineHasNone) {
  EXPECT_EQ(with("proc/device-tree/model", "linux,dummy-virt"), "");
}

TEST_F(BoardName, GraceIsKnownByTheIdentityOfItsChip) {
  EXPECT_EQ(with("sys/devices/soc0/soc_id", "jep106:036b:0241\n"), "NVIDIA Grace");
}

TEST_F(BoardName, MayBeUnknown) { EXPECT_EQ(board_name(temporary_.path().string() + "/"), ""); }

}  // namespace
}  // namespace orrery::lab
