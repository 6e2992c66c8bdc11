"""gpu_suite --prepare: an installed tree with the programs of the suite and their kernels, compiled beforehand.

Which kernels they need, they say themselves: each runs here with a CUDA driver that has no GPU (tests/sim/cuda/recording),
and what it asks for is compiled and kept. What the cases say of the values is no matter."""
import datetime
import lzma
import os
import shutil
import subprocess
import sys
import tarfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import jobs as suite_jobs
import record

ROOT = Path(__file__).resolve().parents[2]
BUILD = ROOT / "build" / "dev"
LIMIT = 3600  # seconds of one recording, which may have to compile hundreds of kernels


def call(*command, **more):
    subprocess.run([str(word) for word in command], check=True, **more)


def build():
    if not (BUILD / "build.ninja").is_file():
        call("cmake", "--preset", "dev", cwd=ROOT, stdout=subprocess.DEVNULL)
    call("cmake", "--build", BUILD, "--target", "orrery", "gpu_tests", "recording_driver")


def install(dist):
    shutil.rmtree(dist, ignore_errors=True)
    for component in ("program", "gpu_tests"):
        call("cmake", "--install", BUILD, "--prefix", dist.resolve(), "--component", component, "--strip",
             stdout=subprocess.DEVNULL)


def record_kernels(dist, architecture):
    """Runs every job; returns the names of the cache's files that they asked for."""
    cache = BUILD / "gpu-kernels"
    log = BUILD / "gpu-kernels.log"
    log.unlink(missing_ok=True)
    environment = dict(os.environ, XDG_CACHE_HOME=str(cache), ORRERY_KERNEL_LOG=str(log), OMP_WAIT_POLICY="passive",
                       OMP_NUM_THREADS="1", ORRERY_RECORD_ARCHITECTURE=architecture.removeprefix("sm_"),
                       LD_LIBRARY_PATH=str(BUILD / "tests" / "sim" / "recording"))

    def run(job):
        try:
            subprocess.run(job.command, env=environment, stdin=subprocess.DEVNULL,
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=LIMIT, check=False)
        except subprocess.TimeoutExpired:
            print(f"{job.name}: the recording took more than {LIMIT} s", file=sys.stderr)

    todo = [*suite_jobs.verify_jobs(dist, False), *suite_jobs.test_jobs(dist, False, 16)]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(run, todo))
    keys = {line.split()[0] for line in log.read_text(encoding="utf-8").splitlines() if line}
    return [path for key in sorted(keys) if (path := cache / "orrery" / "kernels" / f"{key}.cubin").is_file()]


def pack(files, archive):
    with lzma.open(archive, "wb", preset=6) as stream, tarfile.open(fileobj=stream, mode="w") as kernels:
        for path in files:
            kernels.add(path, path.name)


def commit_of_sources():
    """(commit, whether files differ from it); (None, None) without git."""
    commit = record.lines_of(ROOT, "rev-parse", "HEAD")
    changed = record.lines_of(ROOT, "status", "--porcelain")
    return (commit[0], bool(changed)) if commit else (None, None)


def mebibytes(folder):
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file() and not path.is_symlink()) / 2**20


def prepare(dist, architecture):
    build()
    install(dist)
    files = record_kernels(dist, architecture)
    pack(files, dist / "kernels.tar.xz")
    commit, modified = commit_of_sources()
    record.write_json(dist / "built.json", {"commit": commit, "modified": modified, "architecture": architecture,
                                            "kernels": len(files)})
    print(f"{dist}: {mebibytes(dist):.0f} MiB, {len(files)} kernels for {architecture} in "
          f"{(dist / 'kernels.tar.xz').stat().st_size / 2**20:.1f} MiB of it")
    return 0
