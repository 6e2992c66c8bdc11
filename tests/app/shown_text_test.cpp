#include "app/shown_text.h"

#include <gtest/gtest.h>

namespace orrery::app {
namespace {

std::string short_paths(std::string_view text) {
  return with_short_paths(text, {"/data/ada/my data", "/tmp/orrery-serve-x1Y2z3"});
}

TEST(ShownText, HasNoFoldersOfTheServer) {
  EXPECT_EQ(short_paths("cannot read /tmp/orrery-serve-x1Y2z3/1f/a.csv: it is empty"),
            "cannot read 1f/a.csv: it is empty");
  EXPECT_EQ(short_paths("'/data/ada/my data/run 7/a.csv'"), "'run 7/a.csv'");
  EXPECT_EQ(short_paths("the folder /data/ada/my data, and no other"), "the folder ., and no other");
  EXPECT_EQ(short_paths("cannot write /data/ada/pictures/: full"), "cannot write pictures: full");
  EXPECT_EQ(short_paths("/data/ada/secret.csv"), "secret.csv");
  EXPECT_EQ(short_paths("(/etc/passwd)\n/var/log/x, error:/data/ada/x"), "(passwd)\nx, error:x");
  // A folder of the system, with a blank in its name.
  EXPECT_EQ(short_paths("cannot read '/srv/ada/my files/t/a b.csv': it is empty"),
            "cannot read 'a b.csv': it is empty");
  // A path that is too long for a message.
  EXPECT_EQ(short_paths("cannot read '...er-nobody/contract of 4711/bad.csv': it is empty"),
            "cannot read 'bad.csv': it is empty");
  // Not the folder, but one whose name begins like it.
  EXPECT_EQ(short_paths("/data/ada/my data2/a.csv"), "my data2/a.csv");
}

TEST(ShownText, KeepsWhatIsNoPath) {
  for (const char* text :
       {"", "/", "30 km/s, 1/2, and/or", "open http://localhost:8080/a/b", "GET /status", "~/pictures/a",
        "a/b/c", "'...long-name.csv'", "x ... y/z", "1 / 2 / 3", "0.1 (kpc)/Myr/x"})
    EXPECT_EQ(short_paths(text), text);
}

}  // namespace
}  // namespace orrery::app
