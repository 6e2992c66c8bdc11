"""What ./run and ./test do for each other when both are started at once (tools/setup.sh)."""
import os
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

SETUP = Path(__file__).resolve().parents[2] / "tools" / "setup.sh"
LONGEST = 60  # seconds: far more than a shell needs to start


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
        programs = {"ninja": ninja, "cmake": 'echo "cmake $*" >>"$0.log"; exit 0'}
        return self.run_setup('packages_changed=1; build dev all; cat "$root/tools/cmake.log"', programs)

    def test_each_file_is_compiled_alone(self):
        done = self.build('[ -e "$0.ran" ] && exit 0; : >"$0.ran"; '
                          'echo "FAILED: sim/CMakeFiles/orrery_sim.dir/Unity/unity_3_cxx.cxx.o"; exit 1')
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("compiling each file of build/dev alone", done.stderr)
        self.assertIn("-DORRERY_UNITY=OFF", done.stdout.splitlines()[-1])

    def test_other_failures_end_the_build(self):
        done = self.build('echo "FAILED: sim/CMakeFiles/orrery_sim.dir/core/error.cpp.o"; exit 1')
        self.assertNotEqual(done.returncode, 0)
        self.assertNotIn("alone", done.stderr)
        self.assertIn("the build in build/dev failed", done.stderr)


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
    """The run-time compiler is fetched where an NVIDIA driver is, and nowhere else."""

    OPEN = "NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  {}  Release Build"
    CLOSED = "NVRM version: NVIDIA UNIX x86_64 Kernel Module  {}  Sun May 12 2024"

    def ensure(self, version, pip, again=":", capability="9.0"):
        """A driver of this version ("": none), and what pip does."""
        driver = f'echo "{version}" >"$root/version"; nvidia_version_file="$root/version"' if version else \
            'nvidia_version_file="$root/none"'
        python = f'case "$*" in *--version*) exit 0 ;; esac; echo "$*" >>"$PWD/asked"; {pip}'
        programs = {"ldconfig": "exit 0", "nvidia-smi": f"echo {capability}", "python3": python}
        done = self.run_setup(f'cd "$root"; {driver}; CUDA_PATH=; has_nvrtc() {{ compgen -G "$root/build/cuda/*" >/dev/null; }}; '
                              f'ensure_nvrtc; {again}; cat asked 2>/dev/null || true', programs, LD_LIBRARY_PATH="")
        self.assertEqual(done.returncode, 0, done.stderr)
        return done

    def test_nothing_is_fetched_without_a_driver(self):
        done = self.ensure("", "exit 1")
        self.assertEqual(done.stdout + done.stderr, "")

    def test_it_is_fetched_once(self):
        done = self.ensure(self.OPEN.format("580.82.07"), "mkdir -p build/cuda/nvidia", "ensure_nvrtc")
        self.assertEqual(len(done.stdout.splitlines()), 1, done.stdout)
        self.assertTrue(done.stdout.endswith(" nvidia-cuda-nvrtc\n"), done.stdout)
        self.assertIn("from PyPI", done.stderr)

    def test_it_suits_driver_and_gpu(self):
        for driver, capability, package in ((self.CLOSED.format("535.183.01"), "8.6", "nvidia-cuda-nvrtc-cu12"),
                                            (self.OPEN.format("580.82.07"), "6.1", "nvidia-cuda-nvrtc-cu12"),
                                            (self.OPEN.format("580.82.07"), "12.0", "nvidia-cuda-nvrtc"),
                                            (self.CLOSED.format("470.256.02"), "3.5", "nvidia-cuda-nvrtc-cu11")):
            done = self.ensure(driver, "mkdir -p build/cuda/nvidia", capability=capability)
            self.assertTrue(done.stdout.endswith(f" {package}\n"), (driver, capability, done.stdout))

    def test_without_a_network_a_line_says_what_to_do_and_no_further_start_waits(self):
        done = self.ensure(self.OPEN.format("580.82.07"), "exit 1", "ensure_nvrtc")
        self.assertEqual(len(done.stdout.splitlines()), 1, done.stdout)
        said = [line for line in done.stderr.splitlines() if "computes nothing" in line]
        self.assertEqual(len(said), 2)
        self.assertIn("python3 -m pip install --target 'ROOT/build/cuda' nvidia-cuda-nvrtc", said[0])

    def test_the_places_of_the_program_are_known(self):
        for place in ("build/cuda/nvidia/cu13/lib", "build/venv/lib/python3.11/site-packages/nvidia/cuda_nvrtc/lib"):
            script = f'cd "$root"; mkdir -p {place}; touch {place}/libnvrtc.so.13; CUDA_PATH=; usual_toolkits="$root/none"; has_nvrtc && echo found'
            done = self.run_setup(script, {"ldconfig": "exit 0"}, LD_LIBRARY_PATH="")
            self.assertEqual(done.stdout, "found\n")


if __name__ == "__main__":
    os.environ.setdefault("LC_ALL", "C")
    sys.exit(unittest.main())
