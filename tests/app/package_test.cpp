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
    make_packages_in("packages");
    ASSERT_EQ(shell("dpkg-deb -x packages/orrery_" ORRERY_VERSION "*.deb root").status, 0);
  }

  /// Those that are handed out are smaller, which takes longer.
  void make_packages_in(const std::string& folder) const {
    const auto made = shell("cpack -D CPACK_DEBIAN_COMPRESSION_TYPE=gzip --config '" ORRERY_BUILD
                            "/CPackConfig.cmake' -B " +
                            folder);
    ASSERT_EQ(made.status, 0) << made.output << made.errors;
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
        has(shell("gzip -dc '" + shared("man/man1/orrery.1.gz").string() + "'").output, ".TH ORRERY \"1\""));
    EXPECT_TRUE(has(text_of(shared("bash-completion/completions/orrery")), "complete -F _orrery orrery"));
    for (const std::string name : {"copyright", "README.md", "docs/images/architecture.svg", "changelog.gz"})
      EXPECT_TRUE(std::filesystem::exists(shared("doc/orrery/" + name))) << name;
  }

  void expect_a_menu_entry() const {
    for (const std::string icon : {"48x48/apps/orrery.png", "128x128/apps/orrery.png",
                                   "256x256/apps/orrery.png", "scalable/apps/orrery.svg"})
      EXPECT_TRUE(std::filesystem::exists(shared("icons/hicolor/" + icon))) << icon;
    EXPECT_TRUE(std::filesystem::exists(shared("metainfo/org.orrery_lab.orrery.metainfo.xml")));
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

  /// What the desktop recognizes files by is what they begin with.
  void expect_file_types() const {
    const auto types = text_of(shared("mime/packages/orrery.xml"));
    EXPECT_EQ(shell("root/usr/bin/orrery make plummer --bodies 50 -o s.orrery").status, 0);
    EXPECT_EQ(
        shell("root/usr/bin/orrery render s.orrery --engine cpu --steps 2 --size 64x64 -o q.png --checkpoint "
              "c.checkpoint --every 1")
            .status,
        0);
    for (const std::string name : {"s.orrery", "c.checkpoint"}) {
      const auto magic = text_of(folder_ / name).substr(0, 8);
      EXPECT_EQ(magic.size(), 8U) << name;
      EXPECT_TRUE(has(types, "value=\"" + magic + "\"")) << name << " begins with " << magic;
    }
    const auto state = text_of(folder_ / "q.png");
    const auto begin = state.find("{\"");
    EXPECT_LT(state.find("\"exact_replay\":", begin) - begin, 4000U) << "in the part that desktops read";
    EXPECT_TRUE(has(types, "&quot;exact_replay&quot;:"));
    if (shell("command -v update-mime-database").status != 0) return;
    EXPECT_EQ(shell("update-mime-database root/usr/share/mime").status, 0);
  }

  /// Two builds of one commit have equal bytes, so nothing in them tells when and where they were made.
  void expect_nothing_of_this_machine() const {
    make_packages_in("again");
    const auto compared = shell("for file in packages/*.deb; do cmp $file again/${file##*/}; done");
    EXPECT_EQ(compared.output + compared.errors, "");
    EXPECT_EQ(shell("grep -rlF -e '" ORRERY_SOURCES "' -e '" ORRERY_BUILD "' root").output, "");
    const auto version = shell("echo $(cmake -P '" ORRERY_SOURCES
                               "/cmake/OrreryTime.cmake' | sed 's/.* //'; . /etc/os-release; echo "
                               "\"~$ID${VERSION_ID:-14~$VERSION_CODENAME}\" | sed s/debian/deb/) | tr -d ' '")
                             .output;
    EXPECT_TRUE(version.starts_with(ORRERY_VERSION)) << version;
    EXPECT_EQ(field("Version"), version);
    EXPECT_TRUE(has(shell("gzip -dc '" + shared("doc/orrery/changelog.gz").string() + "'").output,
                    "orrery (" + version.substr(0, version.size() - 1) + ")"));
  }

  /// Libraries are found as those of any program: no folder comes before LD_LIBRARY_PATH.
  void expect_no_library_path() const {
    for (const std::string program : {"bin/orrery", "libexec/orrery/orrery_reader"}) {
      const auto told = shell("objdump -p root/usr/" + program);
      EXPECT_TRUE(has(told.output, "NEEDED")) << told.errors;
      EXPECT_FALSE(has(told.output, "RPATH") || has(told.output, "RUNPATH")) << program;
    }
  }

  /// Libraries are those of the distribution; CUDA and MPI are optional.
  void expect_it_asks_for_what_it_needs() const {
    EXPECT_EQ(field("Package"), "orrery\n");
    EXPECT_EQ(field("Section"), "science\n");
    EXPECT_TRUE(field("Description").starts_with("live laboratory for galaxy N-body simulations\n Moves"));
    EXPECT_TRUE(has(text_of(shared("doc/orrery/copyright")), "licences/ has their notices"));
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

  /// Without scripts: nothing is to be done when it is installed. Whether the address of this machine's user
  /// can be reached is not judged, and what AppStream says of the metadata is judged by packages_test.py.
  void expect_no_fault_for_lintian() const {
    const bool judges = shell("command -v lintian").status == 0;
    if (!judges) std::puts("the packages are not judged: lintian is not installed");
    for (const std::string package : {"orrery", "orrery-mpi"}) {
      const auto file = "packages/" + package + "_" ORRERY_VERSION "*.deb";
      if (shell("ls " + file).status != 0) continue;
      EXPECT_NE(shell("dpkg-deb -I " + file + " postinst").status, 0) << package;
      if (!judges) continue;
      const auto judged = shell(
          "lintian --fail-on none --suppress-tags bogus-mail-host,root-in-contact " + file +
          " >judged && { grep '^[EW]: ' judged | grep -v ' appstream-metadata-validation-failed '; true; }");
      EXPECT_EQ(judged.status, 0) << judged.errors;
      EXPECT_EQ(judged.output, "");
    }
  }
};

}  // namespace

TEST_F(Package, RunsAndIsWhole) {
  expect_the_program_runs();
  expect_papers();
  expect_a_menu_entry();
  expect_file_types();
  expect_nothing_of_this_machine();
  expect_no_library_path();
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
  EXPECT_EQ(with(""), "Orrery contributors <nobody@orrery.invalid>\n");
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
  EXPECT_NE(shell("ls none/*.deb").status, 0);
}

/// Time and version of packages, which are those of the sources.
class SourceCommit : public ProgramTest {
 protected:
  void SetUp() override {
    ProgramTest::SetUp();
    ASSERT_EQ(shell("mkdir -p archive/cmake && cd '" ORRERY_SOURCES
                    "' && cp .gitattributes CMakeLists.txt $OLDPWD/archive/ && cp cmake/OrreryTime.cmake "
                    "$OLDPWD/archive/cmake/ && touch -d @1700000000 "
                    "$OLDPWD/archive/CHANGELOG.md")
                  .status,
              0);
    std::ofstream(folder_ / "archive/cmake/commit.txt") << "$Format:%ct %H %D$\n";
  }
  std::string told(const std::string& variables, const std::string& sources = "archive") const {
    return shell("env -u SOURCE_DATE_EPOCH " + variables + " cmake -P " + sources + "/cmake/OrreryTime.cmake")
        .output;
  }
  Outcome git(const std::string& command) const {
    return shell("cd archive && GIT_COMMITTER_DATE=@1600000000 git -c user.name=A -c user.email=a@b.org " +
                 command);
  }
};

TEST_F(SourceCommit, IsTheTimeOfAnArchiveWithoutOne) {
  EXPECT_EQ(told(""), "1700000000 " ORRERY_VERSION "\n");
  EXPECT_EQ(told("SOURCE_DATE_EPOCH=42"), "42 " ORRERY_VERSION "\n");
}

TEST_F(SourceCommit, TellsCommitsApart) {
  if (shell("command -v git").status != 0) GTEST_SKIP() << "git is not installed";
  ASSERT_EQ(git("init -q").status + git("add -A").status + git("commit -q -m x").status, 0);
  const auto hash = git("rev-parse HEAD").output.substr(0, 8);
  const auto commit = "1600000000 " ORRERY_VERSION "+git20200913122640." + hash;
  EXPECT_EQ(told(""), commit + "\n");
  EXPECT_EQ(told("SOURCE_DATE_EPOCH=42"), "42" + commit.substr(10) + "\n");
  ASSERT_EQ(shell("mkdir out && git -C archive archive HEAD | tar -C out -x").status, 0);
  EXPECT_EQ(told("", "out"), commit + "\n") << "an archive that git made";
  ASSERT_EQ(git("commit -q --allow-empty -m y").status, 0);
  EXPECT_NE(told(""), commit + "\n") << "another commit of the same second";
  ASSERT_EQ(git("tag v" ORRERY_VERSION).status, 0);
  EXPECT_EQ(told(""), "1600000000 " ORRERY_VERSION "\n") << "the release";
  ASSERT_EQ(shell("echo >>archive/CHANGELOG.md").status, 0);
  EXPECT_TRUE(has(told(""), ".changed\n"));
}

/// The folder that can be moved, as a plain `cmake --install` makes it.
class InstalledFolder : public ProgramTest {
 protected:
  void SetUp() override {
    if (shell("command -v dpkg-query").status != 0) GTEST_SKIP() << "this system has no Debian packages";
    const auto installed = shell("cmake --install '" ORRERY_BUILD "' --component program --prefix tree");
    ASSERT_EQ(installed.status, 0) << installed.output << installed.errors;
    EXPECT_FALSE(has(installed.errors, "No licence notice")) << installed.errors;
  }
  std::string notices() const { return "tree/share/orrery/licences"; }
  /// Of these packages those that are not among the notices.
  std::string without_notice(const std::string& packages) const {
    return shell(packages +
                 " | sed 's/:.*//' | sort -u | while read -r package; do cmp -s "
                 "/usr/share/doc/$package/copyright " +
                 notices() + "/$package.txt || echo $package; done")
        .output;
  }
};

TEST_F(InstalledFolder, HasANoticeOfEachLibrary) {
  EXPECT_NE(shell("ls tree/lib/libfmt.so.*").status, 1) << "there are libraries at all";
  // As the dynamic loader finds them, not as the installation does.
  EXPECT_EQ(without_notice("ldconfig -p >known; for library in tree/lib/*.so*; do sed -n "
                           "\"s|.*${library##*/} .*=> /|/|p\" known; done >files; xargs realpath <files "
                           ">>files.real; cat files files.real | xargs dpkg-query -S 2>/dev/null"),
            "");
  for (const std::string words : {"Bitstream Vera", "glad", "Boost Software License", "Omar Cornut"})
    EXPECT_EQ(shell("grep -rlq '" + words + "' " + notices()).status, 0) << words;
  EXPECT_TRUE(std::filesystem::exists(folder_ / notices() / "common-licenses/Apache-2.0"));
}

/// Licences of some of them ask for that.
TEST_F(InstalledFolder, SaysWhereSourcesAreToBeHad) {
  const auto sources = text_of(folder_ / notices() / "SOURCES");
  EXPECT_TRUE(has(sources, "\ncairo 1.")) << sources;
  EXPECT_EQ(shell("cd " + notices() +
                  " && ls *.txt | sed 's/\\.txt$//' | xargs dpkg-query -Wf "
                  "'${source:Package} ${source:Version}: \n' | sort -u | while read -r source; do grep -qF "
                  "\"$source\" SOURCES || echo \"$source\"; done")
                .output,
            "");
  if (shell(". /etc/os-release; test $ID = debian").status != 0) return;
  EXPECT_TRUE(has(sources, ": https://snapshot.debian.org/package/cairo/1."));
}

/// Headers with code become part of the program; those of C libraries and of the system only declare.
TEST_F(InstalledFolder, HasANoticeOfEachHeaderWithCode) {
  if (shell("command -v ninja").status != 0) GTEST_SKIP() << "ninja is not installed";
  const std::string headers = "ninja -C '" ORRERY_BUILD
                              "' -t deps | awk '/^[^ ]/ {ours = /^(app|lab|render|sim)\\//} ours && $1 ~ "
                              "\"^/usr/include/\" {print $1}' | sort -u";
  EXPECT_TRUE(has(shell(headers).output, "nlohmann/json.hpp"));
  EXPECT_EQ(
      without_notice(
          headers +
          " | xargs dpkg-query -S 2>/dev/null | grep -vE '^(linux-libc-dev|zlib1g-dev|lib(c6|stdc\\+\\+-.*|"
          "gcc-.*|egl|gl|glx|glfw3|x11|cairo2|png|zstd|vpx|expat1|turbojpeg0|jpeg.*|hdf5|openmpi|xcb.*|"
          "freetype.*|fontconfig.*|pixman.*)-dev)[:,]'"),
      "");
}

/// Libraries of whatever name, and one of no package.
TEST_F(InstalledFolder, NamesLibrariesWithoutANotice) {
  ASSERT_EQ(shell("mkdir more && cp $(ldconfig -p | sed -n 's|.*libgcc_s.so.1 .*=> /|/|p' | head -n 1) more/ "
                  "&& touch "
                  "more/libours.so.1")
                .status,
            0);
  const auto done =
      shell("cmake -D LIBRARIES=more -D NOTICES=notices -P '" ORRERY_SOURCES "/cmake/OrreryNotices.cmake'");
  EXPECT_EQ(done.status, 0) << done.errors;
  EXPECT_TRUE(has(done.errors, "No licence notice is known for libours.so.1:")) << done.errors;
  EXPECT_EQ(shell("ls notices/*.txt").output, "notices/libgcc-s1.txt\n");
}

/// libhdf5 inside the module, without what reaches files of other machines.
TEST_F(InstalledFolder, ContainsHdf5WithoutItsNetwork) {
  if (!std::filesystem::exists(folder_ / "tree/lib/orrery/modules/orrery_hdf5.so"))
    GTEST_SKIP() << "built without HDF5";
  const auto built =
      shell("cmake -S '" ORRERY_SOURCES
            "' -B b -G Ninja -DORRERY_TESTS=OFF -DORRERY_INSTALL_HDF5=ON && cmake --build b "
            "--target orrery_contained_hdf5 && cp b/contained/orrery_hdf5.so tree/lib/orrery/modules/");
  if (has(built.errors, "needs the static libhdf5")) GTEST_SKIP() << "libhdf5.a is not installed";
  ASSERT_EQ(built.status, 0) << built.output << built.errors;
  const auto needed = shell("ldd tree/lib/orrery/modules/orrery_hdf5.so").output;
  EXPECT_TRUE(has(needed, "libz.so")) << needed;
  for (const std::string library : {"libhdf5", "libcurl", "libcrypto"})
    EXPECT_FALSE(has(needed, library)) << needed;
  EXPECT_EQ(shell("tree/bin/orrery make plummer --bodies 50 -o s.hdf5").status, 0);
  EXPECT_TRUE(has(shell("tree/bin/orrery info s.hdf5").output, "50"));
  EXPECT_EQ(
      shell("tree/bin/orrery info s.hdf5 && head -c 3000 s.hdf5 >cut.hdf5 && tree/bin/orrery info cut.hdf5")
          .status,
      1)
      << "a cut file is refused";
}

}  // namespace orrery::test
