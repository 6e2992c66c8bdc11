"""`orrery doctor --fix nvrtc` against a package index of this test's own: whole or not at all, and one line otherwise.

doctor_fix_test.py PROGRAM FOLDER_OF_THE_DRIVER STUB_OF_NVRTC"""
import hashlib
import http.server
import io
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import unittest
import zipfile
from pathlib import Path

SKIPPED = 77
PROGRAM = DRIVER = STUB = ""


def wheel(version, library):
    """The bytes of a wheel as PyPI has them; without a library it is an empty one."""
    name, stream = f"nvidia_cuda_nvrtc-{version}", io.BytesIO()
    files = {f"{name}.dist-info/METADATA": f"Metadata-Version: 2.1\nName: nvidia-cuda-nvrtc\nVersion: {version}\n",
             f"{name}.dist-info/WHEEL": "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
             f"{name}.dist-info/RECORD": ""}
    if library:
        files |= {"nvidia/cu13/lib/libnvrtc.so.13": library, "nvidia/cu13/lib/libnvrtc.alt.so.13": library}
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, content in files.items():
            archive.writestr(zipfile.ZipInfo(path), content, zipfile.ZIP_DEFLATED)  # without the time: the same bytes
    return f"{name}-py3-none-any.whl", stream.getvalue()


def checksum(content):
    return hashlib.sha256(content).hexdigest()


class Index(http.server.BaseHTTPRequestHandler):
    """Serves one wheel under every name of a package, or fails as `fault` says."""
    fault = ""
    asked = []
    stalled = threading.Event()
    ended = threading.Event()

    def do_GET(self):
        fault, library = type(self).fault, Path(STUB).read_bytes()
        name, content = wheel("13.0.1", b"" if fault == "empty" else library + b"more" if fault == "another" else library)
        type(self).asked.append(self.path)
        if fault in ("404", "503"):
            self.send_error(int(fault))
        elif self.path.startswith("/simple/"):
            promised = "" if fault == "silent" else "#sha256=" + checksum(content)
            self.answer(f'<a href="/files/{name}{promised}">{name}</a>'.encode(), "text/html")
        else:
            self.answer(content, "application/octet-stream", fault)

    def answer(self, content, kind, fault=""):
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content[:1000] if fault in ("cut", "stalled") else content)
        self.wfile.flush()
        if fault == "stalled":
            type(self).stalled.set()
            type(self).ended.wait(120)

    def log_message(self, *_):
        pass


class Fix(unittest.TestCase):
    def setUp(self):
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Index)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.addCleanup(self.server.server_close)
        self.addCleanup(self.server.shutdown)
        Index.fault, Index.asked = "", []
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.home = Path(folder.name)
        self.data = self.home / "data" / "orrery"
        self.program = self.installed()
        # Libraries without the functions of NVRTC: whatever else is installed here, there is no compiler.
        self.no_compiler = self.home / "no_compiler"
        self.no_compiler.mkdir()
        for version in ("13", "12", "11.2"):
            (self.no_compiler / f"libnvrtc.so.{version}").symlink_to(Path(DRIVER, "libcuda.so.1"))

    def installed(self):
        """The program with a list of packages that names this index's wheels."""
        for folder in ("tree/bin", "tree/share/orrery"):
            (self.home / folder).mkdir(parents=True)
        program = shutil.copy(PROGRAM, self.home / "tree/bin/orrery")
        known = " ".join("--hash=sha256:" + checksum(wheel("13.0.1", library)[1]) for library in (Path(STUB).read_bytes(), b""))
        (self.home / "tree/share/orrery/nvrtc.list").write_text(
            "# a comment\n" + "".join(f"nvidia-cuda-nvrtc{each}==13.0.1 {known}\n" for each in ("-cu12", "")), encoding="utf-8")
        return program

    def environment(self, **changed):
        kept = {k: v for k, v in os.environ.items() if not k.upper().startswith("PIP_") and not k.lower().endswith("_proxy")}
        return kept | {"HOME": str(self.home), "XDG_DATA_HOME": str(self.home / "data"), "LD_LIBRARY_PATH": f"{DRIVER}:{self.no_compiler}",
                       "PIP_CONFIG_FILE": "/dev/null", "LC_ALL": "C.UTF-8",
                       "PIP_INDEX_URL": f"http://127.0.0.1:{self.server.server_port}/simple"} | changed

    def doctor(self, *arguments, **changed):
        # Whoever calls it stands in a folder of a stranger, whose files Python must not take for its own.
        (self.home / "pip.py").write_text("raise SystemExit('the pip of a stranger')\n")
        return subprocess.run([self.program, "doctor", *arguments], env=self.environment(**changed), text=True, cwd=self.home,
                              stdin=subprocess.DEVNULL, capture_output=True, timeout=300, check=False)

    def kept(self):
        """What is in the folder of the user's data, without the file by which it is locked."""
        return [path.name for path in self.data.glob("*") if path.name != ".lock"]

    def expect_refusal(self, *parts, **changed):
        """One line of its own, status 1, and nothing left behind."""
        done = self.doctor("--fix", "nvrtc", **changed)
        said = [line for line in done.stderr.splitlines() if "fetching nvidia-" not in line]
        self.assertEqual((done.returncode, len(said), done.stdout), (1, 1, ""), done.stderr)
        for part in parts:
            self.assertIn(part, said[0])
        self.assertEqual(self.kept(), [])

    def programs(self, python):
        """A PATH on which python3 does what a shell script says, or is not."""
        folder = self.home / "programs"
        folder.mkdir()
        (folder / "sh").symlink_to("/bin/sh")
        if python:
            (folder / "python3").write_text(f"#!/bin/sh\n{python}\n", encoding="utf-8")
            (folder / "python3").chmod(0o755)
        return str(folder)

    def test_it_is_fetched_whole_and_found(self):
        # Settings that forbid pip what is wanted here.
        done = self.doctor("--fix", "nvrtc", PIP_USER="1", PIP_REQUIRE_VIRTUALENV="1")
        self.assertEqual(done.returncode, 0, done.stderr)
        library = self.data / "cuda/nvidia/cu13/lib/libnvrtc.so.13"
        self.assertEqual(library.read_bytes(), Path(STUB).read_bytes())
        self.assertEqual([path.name for path in self.data.rglob("*.alt.so*")], [])
        self.assertEqual(self.kept(), ["cuda"])
        self.assertIn(f"({library})", self.doctor().stdout)
        # Fetching it anew replaces it, if that succeeds.
        Index.fault = "another"
        self.assertEqual(self.doctor("--fix", "nvrtc").returncode, 1)
        self.assertTrue(library.exists())
        Index.fault = ""
        self.assertIn("NVRTC 0.0 is in", self.doctor("--fix", "nvrtc").stdout)
        self.assertEqual(self.kept(), ["cuda"])

    def test_one_that_is_installed_is_used(self):
        (self.no_compiler / "libnvrtc.so.13").unlink()
        (self.no_compiler / "libnvrtc.so.13").symlink_to(STUB)
        done = self.doctor("--fix", "nvrtc")
        self.assertEqual((done.returncode, done.stdout), (0, f"NVRTC is there: {self.no_compiler}/libnvrtc.so.13\n"))
        self.assertEqual(Index.asked, [])

    def test_the_package_fits_driver_and_gpu(self):
        for architecture, package in (("90", "nvidia-cuda-nvrtc"), ("61", "nvidia-cuda-nvrtc-cu12")):
            Index.fault, Index.asked = "404", []
            self.doctor("--fix", "nvrtc", ORRERY_RECORD_ARCHITECTURE=architecture)
            self.assertEqual(Index.asked[0], f"/simple/{package}/")

    def test_no_index_says_which_file_is_right(self):
        Index.fault = "another"
        self.expect_refusal("checksum", "try again", "PyPI itself")
        found = self.home / "found"
        found.mkdir()
        for version in ("13.0.1", "13.9"):
            name, content = wheel(version, b"found")
            (found / name).write_bytes(content)
        Index.fault = "404"
        self.expect_refusal("checksum", PIP_FIND_LINKS=str(found))
        Index.fault = "silent"
        self.assertEqual(self.doctor("--fix", "nvrtc").returncode, 0)

    def test_a_package_that_the_program_does_not_name(self):
        (self.home / "tree/share/orrery/nvrtc.list").write_text("# empty\n", encoding="utf-8")
        self.expect_refusal("nvrtc.list", "does not name nvidia-cuda-nvrtc;")
        self.assertEqual(Index.asked, [])

    def test_a_cut_download_leaves_nothing(self):
        Index.fault = "cut"
        self.expect_refusal("nvidia")

    def test_a_package_without_a_library_is_refused(self):
        Index.fault = "empty"
        self.expect_refusal("no run-time compiler")

    def test_an_index_that_fails(self):
        for fault in ("404", "503"):
            Index.fault = fault
            self.expect_refusal("PyPI offers no nvidia-cuda-nvrtc", "try again")

    def test_without_a_network(self):
        self.expect_refusal("connect to the network", "https_proxy", PIP_INDEX_URL="http://127.0.0.1:1/simple")

    def test_without_pip_the_package_is_named(self):
        self.expect_refusal("python3-pip", PATH=self.programs(""))
        self.programs_removed()
        self.expect_refusal("python3-pip", PATH=self.programs("echo 'python3: No module named pip' >&2; exit 1"))

    def programs_removed(self):
        for path in (self.home / "programs").iterdir():
            path.unlink()
        (self.home / "programs").rmdir()

    def test_no_room(self):
        self.expect_refusal("no room is left", "XDG_DATA_HOME", PATH=self.programs(
            "echo 'ERROR: Could not install packages due to an OSError: [Errno 28] No space left on device' >&2; exit 1"))

    def test_an_interrupted_download_leaves_nothing(self):
        Index.fault = "stalled"
        Index.stalled.clear()
        Index.ended.clear()
        self.addCleanup(Index.ended.set)
        with subprocess.Popen([self.program, "doctor", "--fix", "nvrtc"], env=self.environment(), text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE) as running:
            self.assertTrue(Index.stalled.wait(120))
            running.send_signal(signal.SIGTERM)
            running.communicate(timeout=120)
        self.assertEqual(running.returncode, 128 + signal.SIGTERM)
        self.assertEqual(self.kept(), [])

    def test_other_parts_are_not_fetched(self):
        done = self.doctor("--fix", "driver")
        self.assertEqual(done.returncode, 2)
        self.assertIn("'driver'", done.stderr)


def main():
    global PROGRAM, DRIVER, STUB
    PROGRAM, DRIVER, STUB = sys.argv[1:]
    if subprocess.run(["python3", "-m", "pip", "--version"], capture_output=True, check=False).returncode != 0:
        print("skipped: python3 has no pip")
        return SKIPPED
    return unittest.main(argv=sys.argv[:1])


if __name__ == "__main__":
    sys.exit(main())
