#include <cctype>
#include <filesystem>
#include <fstream>
#include <ostream>
#include <string>

#include "command_line_testing.h"

// Each mistake of a command line, and what it says.
namespace {

using orrery::test::CommandLine;

struct Mistake {
  const char* command;
  const char* message;  ///< a part of it
};
void PrintTo(const Mistake& mistake, std::ostream* out) { *out << mistake.command; }

/// The command, of letters, digits and single '_'.
std::string name_of(const testing::TestParamInfo<Mistake>& info) {
  std::string command = info.param.command, name;
  if (const auto nothing = command.find("''"); nothing != std::string::npos)
    command.replace(nothing, 2, "empty");
  for (const char letter : command) {
    if (std::isalnum(static_cast<unsigned char>(letter)) != 0)
      name += letter;
    else if (!name.empty() && name.back() != '_')
      name += '_';
  }
  return name;
}

/// In a folder with some files.
class Mistakes : public CommandLine, public testing::WithParamInterface<Mistake> {
 protected:
  void SetUp() override {
    std::ofstream(path("camera.json")) << R"({"position": [0, -5, 1], "target": [0, 0, 0]})";
    std::ofstream(path("galaxy.csv")) << "x,y,z\n1,2,3\n4,5,6\n";
    std::ofstream(path("noise.bin")) << std::string(1000, '\x07');
    std::ofstream(path("empty.csv")) << "";
    std::ofstream(path("object.json")) << "{}";
    std::filesystem::create_symlink("loop", path("loop"));
    std::filesystem::create_directory(path("folder"));
  }
};

TEST_P(Mistakes, EndWithTwoAndOneLine) {
  const auto outcome = expect_mistake(GetParam().command);
  EXPECT_NE(outcome.errors.find(GetParam().message), std::string::npos) << outcome.errors;
}

INSTANTIATE_TEST_SUITE_P(
    Commands, Mistakes,
    testing::ValuesIn(std::initializer_list<Mistake>{
        {"render --bogus", "--bogus"},
        {"render --kernel nope", "option 'kernel' is one of"},
        {"bench --kernels sequential,nope", "not 'nope'"},
        {"bench --steps 0", "--steps: takes a whole number from 1 to 1000000000, not '0'"},
        {"render --set size", "'size' is no assignment"},
        {"render --size 12", "'12' is no picture size"},
        {"make", "make needs the name"},
        {"make nebula -o x.csv", "(disk, plummer,"},
        {"info", "DATA is required"},
        {"info nowhere", "there is no file 'nowhere', and no built-in galaxy"},
        {"info nowhere.bin", "there is no file 'nowhere.bin'"},
        {"info no/where", "there is no file 'no/where'"},
        {"nowhere", "there is no command, file or built-in galaxy 'nowhere'"},
        {"nowhere.bin", "there is no file 'nowhere.bin'"},
        {"no/where --display window", "there is no file 'no/where'"},
        {"render --state nowhere.png", "there is no file 'nowhere.png'"},
        {"convert nowhere a.csv", "there is no file 'nowhere', and no built-in galaxy of that name"},
        {"info ''", "DATA: the name is empty"},
        {"render ''", "DATA: the name is empty"},
        {"bench ''", "DATA: the name is empty"},
        {"make '' -o x.csv", "MODEL: the name is empty"},
        {"convert '' x.csv", "FILES: the name is empty"},
        {"view --display foo", "--display takes auto, window or headless, not 'foo'"},
        {"bench --kernel nope", "not 'nope'"},
        {"ladder nope", "there is no ladder 'nope'"},
        {"ladder ''", "LADDER: the name is empty"},
        {"ladder all --kernel sequential", "--kernel"},
        {"ladder all --set tile=64", "tile=64 has no place here"},
        {"ladder all --sweep tile", "has no option '--sweep'"},
        {"ladder all --ladders nowhere", "--ladders: there is no folder 'nowhere'"},
        {"ladder all --json - --csv -", "--json - and --csv - both want standard output"},
        {"ladder ece1782 --bodies 10", "the galaxy 'disk' takes 256 to 100000000 bodies, not 10"},
        {"verify --ladder all --bodies 10", "the galaxy 'disk' takes 256 to 100000000 bodies, not 10"},
        {"verify --ladder nope", "there is no ladder 'nope'"},
        {"verify --kernel sequential",
         "kernel=sequential: all kernels are verified; one is chosen only with --physics"},
        {"verify --steps 0", "--steps: takes a whole number from 1 to 1000000, not '0'"},
        {"verify --quick", "--quick belongs to --physics, which is missing"},
        {"verify --physics plummer", "--physics has problems of its own"},
        {"verify --physics --ladder all", "--physics has problems of its own"},
        {"verify --physics --set kernel=nothing", "not 'nothing'"},
        {"verify nowhere", "there is no file 'nowhere', and no built-in galaxy of that name"},
        {"info plummer --galaxies 100000 --bodies 10000000", "GiB of memory"},
        {"view --steps -1", "--steps: takes a whole number from 0, not '-1'"},
        {"render --set threads=0", "option 'threads' takes 1 to 1024, not 0"},
        {"make plummer --bodies 0 -o x.csv", "--bodies: takes a whole number from 1, not '0'"},
        {"bench --json - --csv -", "--json - and --csv - both want standard output"},
        {"make two-body --bodies 3 -o x.csv",
         "galaxy model 'two-body' cannot have 3 bodies: it always has 2"},
        {"render disk plummer", "one dataset at a time"},
        {"render plummer --bodies 20 --galaxies 3 --steps 0 --set highlight=off:3",
         "there is none of number 3"},
        {"render plummer --bodies 20 --set highlight=off:-2", "GALAXY is -1 to 99999"},
        {"render plummer --bodies 20 --set labels=all", "not 'all'"},
        {"render --write-state a.nothing", "its extension names no format"},
        {"render --write-state ''", "--write-state: the name is empty"},
        {"render --steps -5", "--steps: takes a whole number from 0, not '-5'"},
        {"render --steps 99999999999999999999",
         "--steps: takes a whole number from 0, not '99999999999999999999'"},
        {"render --galaxies -1", "--galaxies: takes a whole number from 1 to 100000, not '-1'"},
        {"make plummer --seed -1 -o x.csv", "--seed: takes a whole number from 0, not '-1'"},
        {"info plummer --G nan", "--G: takes a finite number from 0 up, not 'nan'"},
        {"info plummer --softening nan", "--softening: takes a finite number from 0 up, not 'nan'"},
        {"info plummer --softening -1", "--softening: takes a finite number from 0 up, not '-1'"},
        {"sweep ''", "AXES: the name is empty"},
        {"sweep tile,tile", "sweep needs two different options, not 'tile' twice"},
        {"sweep tile,unroll,block", "sweep takes one or two options"},
        {"sweep threads=1:1", "orrery: sweep names threads=1 twice"},
        {"demo --bodies abc", "--bodies: takes a whole number from 1, not 'abc'"},
        {"demo --bodies 0", "--bodies: takes a whole number from 1, not '0'"},
        {"demo --nosuch", "`orrery demo` has no option '--nosuch'"},
        {"demo --bodies", "--bodies needs a value"},
        {"completion bash extra", "`orrery completion` has no place for 'extra'"},
        {"doctor extra", "`orrery doctor` has no place for 'extra'"},
        {"render -o -", "--output is not written to standard output"},
        {"render --write-state -", "--write-state is not written to standard output"},
        {"render --checkpoint -", "--checkpoint is not written to standard output"},
        {"render --record -", "--record is not written to standard output"},
        {"demo --record -", "--record is not written to standard output"},
        {"kernels --write-sources -", "--write-sources is not written to standard output"},
        {"render --record z.mp4 --path spiral", "--path takes orbit, fly-through, follow or a file"},
        {"render --view top -o a.png", "edge-on, three-quarter or a file, not 'top'"},
        {"make plummer -o a.csv --big-endian", "--big-endian is for tipsy, and 'a.csv' is to be csv"},
        {"convert nowhere a.csv --big-endian", "--big-endian is for tipsy"},
        {"plot orbits - -o a.svg", "plot reads files, not standard input"},
        {"plot ladder nowhere -o a.png --size 99999x9", "has up to 32767 x 32767 pixels, not 99999 x 9"},
        {"kernels --architecture sm_90",
         "--architecture and --skip-known go with --compile-all or --in-turn"},
        {"kernels --skip-known", "--architecture and --skip-known go with --compile-all or --in-turn"},
        {"view plummer nowhere --display headless", "there is no file 'nowhere'"},
        {"pipeline plummer --bodies", "--bodies needs a value"},
        {"sweep exposure", "changes only what is seen"},
        {"sweep tile=1", "option 'tile' takes 16 to 2048, not 1"},
        {"sweep nonsense", "there is no option 'nonsense'"},
        {"sweep threads --kernels all", "has no option '--kernels'"},
        {"bench --tuned --kernels all", "exclude each other"},
        {"tune --seconds -1", "--seconds: takes a finite number from 0 up, not '-1'"},
        {"tune --set nonsense=1", "there is no option 'nonsense'"},
        {"tune nowhere", "there is no file 'nowhere', and no built-in galaxy of that name"},
        {"render --view above", "not 'above'"},
        {"render --zoom 0", "not '0'"},
        {"render --zoom x", "not 'x'"},
        {"render --view nowhere.json", "there is no file 'nowhere.json'"},
        {"render plummer --bodies 20 --view fit --view camera.json", "--view"},
        {"render plummer --bodies 20 --set look=nice", "not 'nice'"},
        {"view --view above", "not 'above'"},
        {"render --every 3", "--every is for --series DIR or --checkpoint FILE"},
        {"render --series x --every 0", "not '0'"},
        {"render --series x --format jpeg", "'jpeg'"},
        {"view --series x --format jpeg", "'jpeg'"},
        {"render plummer --set only=gas", "it has star"},
        {"info plummer --set only=sta", "did you mean 'star'?\n"},
        {"info plummer --set without=gas,halo,disk,bulge,star,other", "leave no component"},
        {"convert a.csv b.csv --mass-scale 0", "--mass-scale: takes a finite number above 0, not '0'"},
        {"convert a.csv b.csv --length-scale -1", "--length-scale: takes a finite number above 0, not '-1'"},
        {"sweep --json -", "AXES is required"},
        {"bench --bodies 100,200 --tuned", "several --bodies go with kernels"},
        {"ladder --ladders nowhere", "--ladders: there is no folder 'nowhere'"},
        {"ladder all --steps 0", "--steps: takes a whole number from 1 to 1000000000, not '0'"},
        {"sweep", "AXES is required"},
        {"sweep threads --bodies 100,200", "--bodies: takes a whole number from 1, not '100,200'"},
        {"sweep threads --steps 0", "--steps: takes a whole number from 1 to 1000000000, not '0'"},
        {"sweep threads --json - --csv -", "--json - and --csv - both want standard output"},
        {"pipeline nope", "not 'nope'"},
        {"pipeline ''", "SCHEDULES: the name is empty"},
        {"pipeline --kernels tiled", "has no option '--kernels'"},
        {"pipeline --steps 0", "--steps: takes a whole number from 1 to 1000000000, not '0'"},
        {"rendr plummer", "did you mean 'render'?\n"},
        {"Bench", "did you mean 'bench'?\n"},
        {"plumer", "did you mean 'plummer'?\n"},
        {"render plumer", "did you mean 'plummer'?\n"},
        {"make plumer -o x.csv", "did you mean 'plummer'?\n"},
        {"galxy.csv", "did you mean 'galaxy.csv'?\n"},
        {"info Galaxy.csv", "did you mean 'galaxy.csv'?\n"},
        {"info galaxy", "did you mean 'galaxy.csv'?\n"},
        {"convert ./galaxy.cvs a.bin", "did you mean './galaxy.csv'?\n"},
        {"render --state galaxi.csv", "did you mean 'galaxy.csv'?\n"},
        {"render --bodeis 5", "did you mean '--bodies'?\n"},
        {"bench --kernls=all", "did you mean '--kernels'?\n"},
        {"render --set famly=tiled", "did you mean 'family'?\n"},
        {"render --kernel sequentail", "did you mean 'sequential'?\n"},
        {"bench --kernels simd,omp-boddies", "did you mean 'omp-bodies'?\n"},
        {"render --set integrator=leepfrog", "did you mean 'leapfrog'?\n"},
        {"info galaxy.csv --set format=tispy", "did you mean 'tipsy'?\n"},
        {"info galaxy.csv --columns x,y,mas", "did you mean 'mass'?\n"},
        {"ladder ece178", "did you mean 'ece1782'?\n"},
        {"sweep treads", "did you mean 'threads'?\n"},
        {"pipeline stream", "did you mean 'streams'?\n"},
        {"help rendr", "did you mean 'render'?\n"},
        {"help render bench", "did you mean 'render'?\n"},
        {"ladder --steps 2", "--steps needs a ladder: name one, or all"},
    }),
    name_of);

/// The command is right, and something else is not.
TEST_F(CommandLine, ServeChecksNamesBeforeItStarts) {
  for (const auto& [arguments, message] :
       {std::pair{"plummer --root nowhere", "--root: there is no folder 'nowhere'"},
        std::pair{"plummer nowhere", "there is no file 'nowhere', and no built-in galaxy"}}) {
    const auto outcome = orrery(std::string("serve --connection - ") + arguments);
    if (outcome.errors.find("built without Boost") != std::string::npos) GTEST_SKIP() << outcome.errors;
    EXPECT_EQ(outcome.status, 2) << outcome.errors;
    EXPECT_NE(outcome.errors.find(message), std::string::npos) << outcome.errors;
  }
}

class Failures : public Mistakes {};

TEST_P(Failures, EndWithOneAndOneLine) {
  const auto outcome = orrery(GetParam().command);
  EXPECT_EQ(outcome.status, 1) << outcome.errors;
  EXPECT_EQ(lines(outcome.errors), 1) << outcome.errors;
  EXPECT_NE(outcome.errors.find(GetParam().message), std::string::npos) << outcome.errors;
}

INSTANTIATE_TEST_SUITE_P(
    Commands, Failures,
    testing::ValuesIn(std::initializer_list<Mistake>{
        {"info noise.bin", "its content is of no known format"},
        {"info empty.csv", "cannot read 'empty.csv': the file is empty"},
        {"info folder", "it is a folder without numbered snapshots"},
        {"info loop", "cannot read 'loop': Too many levels of symbolic links, or one that leads to itself"},
        {"plot timeline object.json -o a.svg",
         "it draws the JSON of orrery pipeline --timeline or orrery diagnose --measure timeline"},
        {"plot orbits loop -o a.svg", "cannot read 'loop': Too many levels of symbolic links\n"},
        {"convert noise.bin a.csv", "its content is of no known format"},
        {"render --state noise.bin", "cannot use the state 'noise.bin'"},
        {"render --view noise.bin", "cannot use the camera 'noise.bin'"},
        {"render --view empty.csv", "cannot use the camera 'empty.csv'"},
        {"make plummer --bodies 20 -o /nonexistent/a.csv", "cannot write '/nonexistent/a.csv'"},
        {"info two-body >/dev/full", "cannot write to standard output"},
        {"--version >/dev/full", "cannot write to standard output"},
        {"--help-options >/dev/full", "No space left on device"},
        {"render plummer -o /nonexistent/a.png", "cannot write '/nonexistent/a.png'"},
        {"render plummer --bodies 100 --write-state /nonexistent/a.bin", "cannot write '/nonexistent/a.bin'"},
        {"plummer --bodies 20 --steps 0 --display headless --pictures empty.csv",
         "cannot make the folder 'empty.csv': Not a directory"},
        {"bench --json /nonexistent/x", "cannot write '/nonexistent/x'"},
        {"bench --csv /nonexistent/x", "cannot write '/nonexistent/x'"},
        {"sweep threads --csv /nonexistent/x", "cannot write '/nonexistent/x'"},
        {"tune --json /nonexistent/x", "cannot write '/nonexistent/x'"},
        {"ladder all --json /nonexistent/x", "cannot write '/nonexistent/x'"},
        {"pipeline --json /nonexistent/x", "cannot write '/nonexistent/x'"},
        {"pipeline --timeline /nonexistent/x", "cannot write '/nonexistent/x'"},
        {"verify --json /nonexistent/x", "cannot write '/nonexistent/x'"},
    }),
    name_of);

}  // namespace
