#include "tests/app/program_test.h"

// The Debian package: made, taken apart, and what is in it is used. The package system itself is left alone.
namespace orrery::test {

namespace {

class Package : public ProgramTest {
 protected:
  void SetUp() override {
    for (const std::string program : {"cpack", "dpkg-deb", "dpkg-shlibdeps", "file", "gzip"}) {
      if (shell("command -v " + program).status != 0) GTEST_SKIP() << program << " is not installed";
    }
    const auto made = shell("cpack --config '" ORRERY_BUILD "/CPackConfig.cmake' -B packages");
    ASSERT_EQ(made.status, 0) << made.output << made.errors;
    ASSERT_EQ(shell("dpkg-deb -x packages/orrery_" ORRERY_VERSION "*.deb root").status, 0);
  }

  std::filesystem::path shared(const std::string& name) const { return folder_ / "root/usr/share" / name; }
  std::string field(const std::string& name) const {
    return shell("dpkg-deb -f packages/orrery_" ORRERY_VERSION "*.deb " + name).output;
  }

  void expect_the_program_runs() const {
    EXPECT_EQ(shell("root/usr/bin/orrery --version").output, "orrery " ORRERY_VERSION "\n");
    const auto drawn =
        shell("root/usr/bin/orrery render two-body --engine cpu --steps 2 --size 64x64 -o p.png");
    EXPECT_EQ(drawn.status, 0) << drawn.errors;
    EXPECT_TRUE(text_of(folder_ / "p.png").starts_with("\x89PNG"));
    // Its data are found beside it.
    EXPECT_TRUE(has(shell("root/usr/bin/orrery ladder nowhere").errors, "ece1782"));
    EXPECT_TRUE(std::filesystem::is_regular_file(shared("orrery/models/disk.jpg")))
        << "the gallery's pictures";
  }

  void expect_papers() const {
    EXPECT_TRUE(
        has(shell("gzip -dc '" + shared("man/man1/orrery.1.gz").string() + "'").output, ".TH ORRERY 1"));
    EXPECT_TRUE(has(text_of(shared("bash-completion/completions/orrery")), "complete -F _orrery orrery"));
    for (const std::string name : {"copyright", "README.md", "docs/images/architecture.svg", "changelog.gz"})
      EXPECT_TRUE(std::filesystem::exists(shared("doc/orrery/" + name))) << name;
  }

  void expect_a_menu_entry() const {
    for (const std::string icon : {"48x48/apps/orrery.png", "128x128/apps/orrery.png",
                                   "256x256/apps/orrery.png", "scalable/apps/orrery.svg"})
      EXPECT_TRUE(std::filesystem::exists(shared("icons/hicolor/" + icon))) << icon;
    const auto entry = shared("applications/orrery.desktop");
    EXPECT_TRUE(has(text_of(entry), "Exec=orrery view"));
    if (shell("command -v desktop-file-validate").status != 0) {
      std::puts("the menu entry is not validated: desktop-file-validate is not installed");
      return;
    }
    const auto checked = shell("desktop-file-validate '" + entry.string() + "'");
    EXPECT_EQ(checked.status, 0);
    EXPECT_EQ(checked.output, "");
  }

  /// Libraries are those of the distribution; CUDA and MPI are optional.
  void expect_it_asks_for_what_it_needs() const {
    EXPECT_EQ(field("Package"), "orrery\n");
    EXPECT_EQ(field("Section"), "science\n");
    const auto depends = field("Depends");
    for (const std::string package : {"libc6", "libglfw3", "libpng16-16", "libegl1"})
      EXPECT_TRUE(has(depends, package)) << depends;
    for (const std::string package : {"cuda", "nvidia", "openmpi"})
      EXPECT_FALSE(has(depends, package)) << depends;
    // The module that reads HDF5, where it was built, is ours.
    const auto libraries = shell("find root -name '*.so*'").output;
    EXPECT_TRUE(libraries.empty() || libraries == "root/usr/lib/orrery/modules/orrery_hdf5.so\n")
        << libraries;
    EXPECT_EQ(has(depends, "libhdf5"), !libraries.empty()) << depends;
  }

  /// Without scripts: nothing is to be done when it is installed. Whose address the machine has is not
  /// judged.
  void expect_no_fault_for_lintian() const {
    const bool judges = shell("command -v lintian").status == 0;
    if (!judges) std::puts("the packages are not judged: lintian is not installed");
    for (const std::string package : {"orrery", "orrery-mpi"}) {
      const auto file = "packages/" + package + "_" ORRERY_VERSION "*.deb";
      if (shell("ls " + file).status != 0) continue;
      EXPECT_NE(shell("dpkg-deb -I " + file + " postinst").status, 0) << package;
      if (!judges) continue;
      const auto judged = shell(
          "lintian --fail-on error,warning --suppress-tags "
          "bogus-mail-host,malformed-contact,root-in-contact " +
          file);
      EXPECT_EQ(judged.status, 0) << judged.output << judged.errors;
    }
  }
};

}  // namespace

TEST_F(Package, RunsAndIsWhole) {
  expect_the_program_runs();
  expect_papers();
  expect_a_menu_entry();
  expect_it_asks_for_what_it_needs();
  expect_no_fault_for_lintian();
}

/// Who makes the package, with these variables and nothing else.
class Maintainer : public ProgramTest {
 protected:
  std::string with(const std::string& variables) const {
    std::ofstream(folder_ / "ask.cmake")
        << "include(\"" ORRERY_SOURCES
           "/cmake/OrreryMaintainer.cmake\")\norrery_maintainer(who)\nmessage(NOTICE \"${who}\")\n";
    return shell("env -i PATH=\"$PATH\" HOME='" + folder_.string() +
                 "' GIT_CONFIG_NOSYSTEM=1 GIT_DIR=/nowhere " + variables + " cmake -P ask.cmake")
        .errors;
  }
};

TEST_F(Maintainer, IsWhomDebiansToolsWouldTake) {
  EXPECT_EQ(with("DEBFULLNAME='A B' DEBEMAIL=a@b.org EMAIL=c@d.org"), "A B <a@b.org>\n");
  EXPECT_EQ(with("EMAIL=c@d.org"), "Orrery contributors <c@d.org>\n");
}

TEST_F(Maintainer, IsGitsUserOrHasNoAddress) {
  if (std::filesystem::exists("/etc/mailname")) GTEST_SKIP() << "this machine has a mail name";
  EXPECT_EQ(with(""), "Orrery contributors\n");
  if (shell("command -v git").status != 0) GTEST_SKIP() << "git is not installed";
  std::ofstream(folder_ / ".gitconfig") << "[user]\n\tname = E F\n\temail = e@f.org\n";
  EXPECT_EQ(with(""), "E F <e@f.org>\n");
}

TEST_F(Package, IsNotMadeOfAProgramThatIsNotBuilt) {
  const auto made =
      shell("sed 's|CPACK_ORRERY_PROGRAM .*|CPACK_ORRERY_PROGRAM /nowhere/orrery)|' '" ORRERY_BUILD
            "/CPackConfig.cmake' >CPackConfig.cmake && cpack --config CPackConfig.cmake -B none");
  EXPECT_NE(made.status, 0);
  EXPECT_TRUE(has(made.output + made.errors, "the program is not built")) << made.output << made.errors;
  EXPECT_FALSE(std::filesystem::exists(folder_ / "none/orrery_" ORRERY_VERSION "_amd64.deb"));
}

}  // namespace orrery::test
