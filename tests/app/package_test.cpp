#include "tests/app/program_test.h"

// The Debian package: made, taken apart, and what is in it is used. The package system itself is left alone.
namespace orrery::test {

namespace {

class Package : public ProgramTest {
 protected:
  void SetUp() override {
    for (const std::string program : {"cpack", "dpkg-deb", "dpkg-shlibdeps"}) {
      if (shell("command -v " + program).status != 0) GTEST_SKIP() << program << " is not installed";
    }
    const auto made = shell("cpack --config '" ORRERY_BUILD "/CPackConfig.cmake' -B packages");
    ASSERT_EQ(made.status, 0) << made.output << made.errors;
    ASSERT_EQ(shell("dpkg-deb -x packages/orrery_" ORRERY_VERSION "*.deb root").status, 0);
  }

  std::string field(const std::string& name) const {
    return shell("dpkg-deb -f packages/orrery_" ORRERY_VERSION "*.deb " + name).output;
  }
};

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_F(Package, RunsAndBringsItsPapersAlong) {
  EXPECT_EQ(shell("root/usr/bin/orrery --version").output, "orrery " ORRERY_VERSION "\n");
  const auto drawn =
      shell("root/usr/bin/orrery render two-body --engine cpu --steps 2 --size 64x64 -o p.png");
  EXPECT_EQ(drawn.status, 0) << drawn.errors;
  EXPECT_TRUE(text_of(folder_ / "p.png").starts_with("\x89PNG"));
  // Data of its own are found beside it.
  EXPECT_TRUE(has(shell("root/usr/bin/orrery ladder nowhere").errors, "ece1782"));

  EXPECT_TRUE(has(shell("gzip -dc root/usr/share/man/man1/orrery.1.gz").output, ".TH ORRERY 1"));
  EXPECT_TRUE(has(text_of(folder_ / "root/usr/share/bash-completion/completions/orrery"),
                  "complete -F _orrery orrery"));
  EXPECT_TRUE(std::filesystem::exists(folder_ / "root/usr/share/doc/orrery/copyright"));
  for (const std::string icon : {"48x48/apps/orrery.png", "128x128/apps/orrery.png",
                                 "256x256/apps/orrery.png", "scalable/apps/orrery.svg"})
    EXPECT_TRUE(std::filesystem::exists(folder_ / "root/usr/share/icons/hicolor" / icon)) << icon;

  const std::filesystem::path desktop = folder_ / "root/usr/share/applications/orrery.desktop";
  EXPECT_TRUE(has(text_of(desktop), "Exec=orrery view"));
  if (shell("command -v desktop-file-validate").status == 0) {
    const auto checked = shell("desktop-file-validate '" + desktop.string() + "'");
    EXPECT_EQ(checked.status, 0);
    EXPECT_EQ(checked.output, "");
  }
}

TEST_F(Package, AsksForWhatItNeedsAndBringsNoLibraries) {
  EXPECT_EQ(field("Package"), "orrery\n");
  EXPECT_EQ(field("Section"), "science\n");
  const auto depends = field("Depends");
  for (const std::string package : {"libc6", "libglfw3", "libpng16-16", "libegl1"})
    EXPECT_TRUE(has(depends, package)) << depends;
  // CUDA and MPI are optional.
  for (const std::string package : {"cuda", "nvidia", "openmpi"})
    EXPECT_FALSE(has(depends, package)) << depends;
  EXPECT_EQ(shell("find root -name '*.so*'").output, "");
}

}  // namespace orrery::test
