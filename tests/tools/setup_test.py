"""What ./run and ./test do for each other when both are started at once (tools/setup.sh)."""
import os
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

SETUP = Path(__file__).resolve().parents[2] / "tools" / "setup.sh"
LONGEST = 200  # seconds: far more than a shell needs to start, or CMake and a compiler for a few lines


def begin_setup(root, program, then=""):
    """A shell that holds what a program's set-up holds; it says "ready" when it has it."""
    script = f'root="{root}"; program={program}; source "{SETUP}"; begin_setup; echo ready; {then}'
    return subprocess.Popen(["bash", "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, text=True)


class SetUp(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.holder = begin_setup(self.folder.name, "test", "read -r _")
        self.assertEqual(self.holder.stdout.readline(), "ready\n")

    def tearDown(self):
        if self.holder.poll() is None:
            self.holder.communicate("\n", timeout=LONGEST)
        self.folder.cleanup()

    def test_another_program_does_not_wait(self):
        out, said = begin_setup(self.folder.name, "run").communicate(timeout=LONGEST)
        self.assertEqual(out, "ready\n")
        self.assertNotIn("waiting", said)

    def test_the_same_program_waits_and_says_so(self):
        second = begin_setup(self.folder.name, "test")
        self.assertIn("waiting for another ./test", second.stderr.readline())
        self.holder.communicate("\n", timeout=LONGEST)
        out, _ = second.communicate(timeout=LONGEST)
        self.assertEqual(out, "ready\n")

    def test_each_program_has_a_log_of_its_own(self):
        begin_setup(self.folder.name, "run", "say_nothing=1").communicate(timeout=LONGEST)
        self.assertEqual(sorted(path.name for path in Path(self.folder.name, "build").glob("*.log")),
                         ["setup-run.log", "setup-test.log"])


class Beside(unittest.TestCase):
    """Builds beside what the program does; a function stands for each."""

    def run_script(self, build, then):
        with tempfile.TemporaryDirectory() as root:
            script = (f'set -euo pipefail; root="{root}"; program=test; source "{SETUP}"; begin_setup; '
                      f'build() {{ {build}; }}; build_beside asan some tsan others; end_setup; {then}')
            done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, timeout=LONGEST)
        # Said only where they are not done yet.
        done.stderr = done.stderr.replace("test: waiting for the builds beside these tests\n", "")
        return done

    def test_it_says_that_it_waits_for_them(self):
        done = self.run_script('touch "$root/said"; until grep -q waiting "$root/said"; do sleep 0.01; done',
                               'touch "$root/said"; finish_builds 2>"$root/said"; grep -c waiting "$root/said"')
        self.assertEqual(done.stdout, "1\n")

    def test_they_go_on_meanwhile_and_say_it_at_the_end(self):
        # The second one waits for what the program does after it began them.
        done = self.run_script('until [ "$1" = asan ] || [ -e "$root/go" ]; do sleep 0.01; done; echo "built $1 $2"',
                               'echo first; touch "$root/go"; finish_builds; echo last')
        self.assertEqual(done.stdout.split(), ["first", "last"])
        self.assertEqual(done.stderr.splitlines(), ["built asan some", "built tsan others"])
        self.assertEqual(done.returncode, 0)

    def test_one_that_fails_is_the_last(self):
        done = self.run_script('die "no $1"', 'if finish_builds; then echo good; else echo "bad $?"; fi')
        self.assertEqual(done.stdout, "bad 1\n")
        self.assertEqual(done.stderr, "test: no asan\n")

    def test_they_end_with_the_program(self):
        done = self.run_script('echo $BASHPID >"$root/pid"; exec sleep 1000',
                               'until [ -s "$root/pid" ]; do sleep 0.01; done; cat "$root/pid"')
        self.assertEqual(done.returncode, 0)
        with self.assertRaises(ProcessLookupError):
            for _ in range(1000):
                os.kill(int(done.stdout), 0)
                time.sleep(0.01)


class Configure(unittest.TestCase):
    """What CMake is told; a function stands for it."""

    def told(self, preset, **variables):
        with tempfile.TemporaryDirectory() as root:
            script = (f'root="{root}"; program=run; source "{SETUP}"; begin_setup; packages_changed=0; '
                      f'cmake() {{ printf "%s\\n" "$@"; }}; configure {preset}; cat "$log"')
            environment = {name: value for name, value in os.environ.items() if name != "CI"} | variables
            done = subprocess.run(["bash", "-c", script], env=environment, capture_output=True, text=True,
                                  timeout=LONGEST, check=True)
        return done.stdout.splitlines()

    def test_who_wants_to_look_at_a_galaxy_does_not_wait_long(self):
        for option in ("-DORRERY_UNITY=ON", "-DORRERY_OPTIMIZE_COLD=OFF", "-DORRERY_TESTS=OFF", "-DORRERY_BENCHMARKS=OFF"):
            self.assertIn(option, self.told("default"))

    def test_developers_compile_file_by_file(self):
        for option in ("-DORRERY_UNITY=ON", "-DORRERY_TESTS=OFF"):
            self.assertNotIn(option, self.told("dev"))
        self.assertIn("-DORRERY_UNITY=ON", self.told("dev", CI="true"))

    def test_debug_information_is_left_out_of_builds_that_nobody_debugs(self):
        for preset, flags in (("dev", "RELWITHDEBINFO=-O2 -DNDEBUG"), ("asan", "DEBUG=-O1"), ("tsan", "DEBUG=-O0")):
            self.assertIn(f"-DCMAKE_CXX_FLAGS_{flags}", self.told(preset, CI="true"))
            self.assertFalse([each for each in self.told(preset) if "CXX_FLAGS" in each])


class WithPrograms(unittest.TestCase):
    """Programs of that name stand for apt-get, sudo, pip and the like."""

    def run_setup(self, script, programs, **variables):
        with tempfile.TemporaryDirectory() as folder:
            tools = Path(folder, "tools")
            tools.mkdir()
            for name, text in programs.items():
                tool = tools / name
                tool.write_text("#!/bin/sh\n" + text + "\n", encoding="utf-8")
                tool.chmod(0o755)
            environment = dict(os.environ, PATH=f"{tools}:{os.environ['PATH']}", **variables)
            text = f'set -euo pipefail; root="{folder}"; program=run; source "{SETUP}"; begin_setup; {script}'
            done = subprocess.run(["bash", "-c", text], env=environment, capture_output=True, text=True,
                                  timeout=LONGEST, check=False)
            done.stderr = done.stderr.replace(folder, "ROOT")
        return done


class Joined(WithPrograms):
    """What is done where files that are compiled together do not compile."""

    def build(self, ninja):
        programs = {"ninja": ninja, "cmake": "exit 0"}
        return self.run_setup('packages_changed=1; build dev all', programs)

    def test_other_failures_end_the_build(self):
        done = self.build('echo "FAILED: sim/CMakeFiles/orrery_sim.dir/core/error.cpp.o"; exit 1')
        self.assertNotEqual(done.returncode, 0)
        self.assertNotIn("alone", done.stderr)
        self.assertIn("the build in build/dev failed", done.stderr)

    def test_what_ninja_does_each_time_is_no_news(self):
        done = self.build('echo "[0/2] Re-checking globbed directories..."; echo "ninja: no work to do."')
        self.assertEqual((done.returncode, done.stderr), (0, "run: configuring build/dev\n"))
        self.assertIn("building build/dev", self.build('echo "[1/2] Building CXX object a.o"').stderr)


CMAKE_LISTS = """cmake_minimum_required(VERSION 3.25)
project(small CXX)
find_package(Python3 REQUIRED COMPONENTS Interpreter)
set(ORRERY_UNITY ON)
add_library(small STATIC one.cpp two.cpp three.cpp other.cpp more.cpp)
include(ORRERY/cmake/OrreryUnity.cmake)
set(PROJECT_SOURCE_DIR ORRERY)
orrery_unity(small)
orrery_join_sources()
"""
PRESETS = """{"version": 6, "configurePresets": [
  {"name": "dev", "generator": "Ninja", "binaryDir": "${sourceDir}/build/dev"}]}"""


class SmallProject(unittest.TestCase):
    """A library of five files, joined in two groups, that is really built."""

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.root = Path(self.folder.name)
        self.write("CMakeLists.txt", CMAKE_LISTS.replace("ORRERY/cmake", f"{SETUP.parents[1]}/cmake").replace(
            " ORRERY)", f' "{SETUP.parents[1]}")'))
        self.write("CMakePresets.json", PRESETS)
        for number, name in enumerate(("one", "two", "three")):
            self.write(f"{name}.cpp", f"namespace {{ int {name}_own() {{ return {number}; }} }}\nint {name}() {{ return {name}_own(); }}\n")
        # Not with one.cpp.
        for name in ("other", "more"):
            self.write(f"{name}.cpp", f"namespace {{ int one_own() {{ return 5; }} }}\nint {name}() {{ return one_own(); }}\n"
                       .replace("one_own", "one_own" if name == "other" else "more_own"))
        (self.root / "tools").symlink_to(SETUP.parent)

    def write(self, name, text):
        (self.root / name).write_text(text, encoding="utf-8")

    def build(self):
        script = f'set -euo pipefail; root="{self.root}"; program=run; source "{SETUP}"; begin_setup; packages_changed=0; build dev small'
        return subprocess.run(["bash", "-c", script], capture_output=True, text=True, timeout=LONGEST, check=False)

    def times(self):
        return {path.relative_to(self.root).name: path.stat().st_mtime_ns for path in self.root.glob("build/dev/**/*.o")}

    def test_an_error_is_shown_as_it_is(self):
        self.write("two.cpp", "int two() { return nothing; }\n")
        done = self.build()
        self.assertNotEqual(done.returncode, 0)
        self.assertRegex(done.stderr, "\\n/.*two.cpp:1:20: error: .nothing. was not declared[^\\[]*$")
        self.assertNotIn("do not suit each other", done.stderr)
        self.assertFalse(any(name.startswith("one") for name in self.times()))

    def test_only_a_group_that_does_not_suit_is_taken_apart(self):
        # A macro of a header that tools/join_sources.py does not look into.
        self.write("two.h", "#define three three_is_a_macro(\n")
        self.write("two.cpp", '#include "two.h"\nint two() { return 2; }\n')
        done = self.build()
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("do not suit each other", done.stderr)
        groups = [name for name in self.times() if name.startswith("unity")]
        self.assertEqual(len(groups), 1, self.times())
        self.assertIn("two.cpp.o", self.times())
        before = self.times()
        self.assertEqual(self.build().returncode, 0)
        self.assertEqual(self.times(), before)


class IsBuilt(unittest.TestCase):
    """Whether ./run must ask ninja at all."""

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.root = Path(self.folder.name, "checkout")
        for name in ("CMakeLists.txt", "sim/core/error.cpp", "shaders/body.glsl", "build/default/build.ninja",
                     "build/default/CMakeCache.txt", "build/default/app/orrery", "../packages"):
            path = self.root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("as it was", encoding="utf-8")
        (self.root / "build/default/app/orrery").chmod(0o755)
        self.assertFalse(self.is_built())
        self.shell("build() { :; }; build_and_note default orrery")
        self.assertTrue(self.is_built())
        # Times of the kernel stand still for some milliseconds.
        time.sleep(0.05)

    def shell(self, script):
        text = f'root="{self.root}"; program=run; source "{SETUP}"; package_list="{self.root}/../packages"; {script}'
        return subprocess.run(["bash", "-c", text], capture_output=True, text=True, timeout=LONGEST, check=False)

    def is_built(self):
        done = self.shell("is_built default app/orrery")
        self.assertEqual(done.stderr, "")
        return done.returncode == 0

    def test_a_picture_beside_the_folders_changes_nothing(self):
        (self.root / "picture.png").write_text("", encoding="utf-8")
        (self.root / "build" / "setup-run.log").write_text("", encoding="utf-8")
        self.assertTrue(self.is_built())

    def test_every_change_is_seen(self):
        def write(name):
            (self.root / name).write_text("other", encoding="utf-8")

        def set_back(name):
            """Other contents, with the time of the old ones."""
            times = (self.root / name).stat()
            write(name)
            os.utime(self.root / name, ns=(times.st_atime_ns, times.st_mtime_ns))

        source = "sim/core/error.cpp"
        changes = {"changed": lambda: write(source), "set back": lambda: set_back(source),
                   "added": lambda: write("shaders/new.glsl"), "removed": lambda: (self.root / source).unlink(),
                   "renamed": lambda: (self.root / source).rename(self.root / "sim/core/other.cpp"),
                   "CMake": lambda: write("CMakeLists.txt"), "cache": lambda: write("build/default/CMakeCache.txt"),
                   "packages": lambda: write("../packages"), "program": lambda: (self.root / "build/default/app/orrery").unlink(),
                   "checkout": lambda: self.root.rename(self.root.with_name("moved"))}
        for name, change in changes.items():
            with self.subTest(name):
                self.setUp()
                change()
                if name == "checkout":
                    self.root = self.root.with_name("moved")
                self.assertFalse(self.is_built())

    def test_a_build_that_failed_is_made_again(self):
        (self.root / "sim/core/error.cpp").write_text("wrong", encoding="utf-8")
        self.assertNotEqual(self.shell("set -e; build() { return 1; }; build_and_note default orrery").returncode, 0)
        self.assertFalse(self.is_built())


class Offline(WithPrograms):
    """What is said where apt-get fails."""

    def install(self, update, install, **variables):
        apt_get = f'case "$*" in *update*) {update} ;; *) {install} ;; esac'
        programs = {"dpkg-query": "exit 1", "id": "echo 0", "apt-get": apt_get}
        return self.run_setup('as_root=(); install_packages first second third', programs, **variables)

    def test_no_network_is_said_once(self):
        lost = 'echo "E: Failed to fetch http://deb.debian.org  Temporary failure resolving deb.debian.org"; exit 0'
        unknown = "; ".join(f'echo "E: Unable to locate package {name}"' for name in ("first", "second", "third"))
        done = self.install(lost, unknown + "; exit 100")
        self.assertEqual(done.returncode, 1)
        self.assertEqual(len(done.stderr.splitlines()), 4, done.stderr)
        self.assertIn("reaches no server", done.stderr)
        self.assertIn("http_proxy", done.stderr)
        self.assertNotIn("Unable to locate", done.stderr)

    def test_packages_that_the_lists_do_not_have_are_named_in_a_line(self):
        done = self.install("exit 0", 'echo "E: Unable to locate package second"; exit 100')
        self.assertEqual(done.returncode, 1)
        self.assertIn("apt-get knows no second\n", done.stderr)
        self.assertNotIn("Unable to locate", done.stderr)

    def test_other_failures_show_what_apt_said(self):
        done = self.install("exit 0", 'echo "E: dpkg was interrupted"; exit 100')
        self.assertIn("dpkg was interrupted", done.stderr)

    def test_old_lists_are_good_enough(self):
        done = self.install('echo "W: Failed to fetch http://deb.debian.org"; exit 0', "exit 0")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("trying with those that are there", done.stderr)

    def test_sudo_keeps_the_proxies_where_it_may(self):
        programs = {"id": "echo 1000", "sudo": 'for each; do case "$each" in --preserve-env=*) exit $KEEPS ;; esac; done'}
        script = 'find_root_rights; echo "${as_root[*]}"'
        self.assertIn("--preserve-env=http_proxy,https_proxy",
                      self.run_setup(script, programs, KEEPS="0").stdout)
        self.assertEqual(self.run_setup(script, programs, KEEPS="1").stdout, "sudo\n")


class Nvrtc(WithPrograms):
    """The program fetches the run-time compiler where an NVIDIA driver is, and nowhere else."""

    def ensure(self, has_driver, fetch, again=":"):
        """What ensure_nvrtc does where the program's `doctor --fix nvrtc` does that."""
        programs = {"ldconfig": "exit 0", "python3": "exit 0", "orrery": f'echo "$*" >>"$PWD/asked"; {fetch}'}
        done = self.run_setup(f'cd "$root"; has_nvidia_driver() {{ {"true" if has_driver else "false"}; }}; usual_toolkits="$root/none"; '
                              f'unset CUDA_PATH CUDA_HOME VIRTUAL_ENV; ensure_nvrtc orrery; {again}; cat asked 2>/dev/null || true',
                              programs, LD_LIBRARY_PATH="", HOME="/nowhere", XDG_DATA_HOME="/nowhere")
        self.assertEqual(done.returncode, 0, done.stderr)
        return done

    def test_nothing_is_fetched_without_a_driver(self):
        done = self.ensure(False, "exit 1")
        self.assertEqual(done.stdout + done.stderr, "")

    def test_it_is_fetched_once(self):
        place = "build/venv/lib/python3.11/site-packages/nvidia/cu13/lib"
        done = self.ensure(True, f"mkdir -p {place}; touch {place}/libnvrtc.so.13", "ensure_nvrtc orrery")
        self.assertEqual(done.stdout, "doctor --fix nvrtc\n")
        self.assertIn("no run-time compiler", done.stderr)

    def test_without_a_network_a_line_says_what_to_do_and_no_further_start_waits(self):
        done = self.ensure(True, "echo 'PyPI cannot be reached' >&2; exit 1", "ensure_nvrtc orrery")
        self.assertEqual(done.stdout, "doctor --fix nvrtc\n")
        self.assertEqual(done.stderr.count("cannot be reached"), 1)
        said = [line for line in done.stderr.splitlines() if "computes nothing" in line]
        self.assertEqual(len(said), 2)
        self.assertIn("./run doctor --fix nvrtc", said[0])

    def test_the_places_of_the_program_are_known(self):
        for place in ("data/orrery/cuda/nvidia/cu13/lib", "toolkit/targets/sbsa-linux/lib", "toolkit/lib64",
                      "build/venv/lib/python3.11/site-packages/nvidia/cuda_nvrtc/lib"):
            script = f'cd "$root"; mkdir -p {place}; touch {place}/libnvrtc.so.13; unset CUDA_PATH CUDA_HOME; ' \
                'export XDG_DATA_HOME="$root/data"; usual_toolkits="$root/toolkit*"; has_nvrtc && echo found'
            done = self.run_setup(script, {"ldconfig": "exit 0"}, LD_LIBRARY_PATH="")
            self.assertEqual(done.stdout, "found\n", place)


if __name__ == "__main__":
    os.environ.setdefault("LC_ALL", "C")
    sys.exit(unittest.main())
