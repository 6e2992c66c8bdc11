"""gpu_suite --prepare: an installed tree with the programs of the suite and their kernels, compiled beforehand.

The suite itself finds which kernels it needs: it runs with a CUDA driver that has no GPU and computes nothing
(tests/gpu/recording_driver.cpp). Each kernel that it asks for is compiled and kept; the results of the cases are ignored."""
import lzma
import os
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

import jobs as suite_jobs
import record
from suite import Suite

ROOT = Path(__file__).resolve().parents[2]
BUILD = ROOT / "build" / "dev"
DRIVER = BUILD / "tests" / "gpu" / "recording"
MARK = "built.json"  # in every folder that was prepared
LIMIT = 3600.0  # seconds of one job, which may have to compile hundreds of kernels


def call(*command, **more):
    subprocess.run([str(word) for word in command], check=True, **more)


def build():
    if not (BUILD / "build.ninja").is_file():
        call("cmake", "--preset", "dev", cwd=ROOT, stdout=subprocess.DEVNULL)
    call("cmake", "--build", BUILD, "--target", "orrery", "test_gpu", "recording_driver")


def is_ours(dist):
    """True if nothing of somebody's is lost where the folder is replaced."""
    return not dist.exists() or (dist / MARK).is_file() or (dist.is_dir() and not any(dist.iterdir()))


def install(dist):
    shutil.rmtree(dist, ignore_errors=True)
    for component in ("program", "gpu_tests"):
        call("cmake", "--install", BUILD, "--prefix", dist, "--component", component, "--strip",
             stdout=subprocess.DEVNULL)


def record_kernels(dist, architecture):
    """Runs the suite with the driver that has no GPU; returns the files of the cache that it asked for."""
    workers = os.cpu_count()
    todo = suite_jobs.all_jobs(dist, False, workers, recording=True)
    for job in todo:
        job.limit = LIMIT
        # The CPU's reference runs of a hundred steps ask for no kernel.
        if job.group in ("verify", "verify-ladders"):
            job.command += ["--steps", "1"]
    cache = BUILD / "gpu-kernels"
    folder = BUILD / "gpu-recording"
    environment = {"XDG_CACHE_HOME": str(cache), "OMP_NUM_THREADS": "1", "LD_LIBRARY_PATH": str(DRIVER),
                   "ORRERY_RECORD_ARCHITECTURE": architecture.removeprefix("sm_")}
    Suite(folder, todo, workers, float("inf"), environment, {}, out=lambda _: None).run()
    log = (folder / "kernels.log").read_text(encoding="utf-8")
    keys = {line.split()[0] for line in log.splitlines() if line}
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
    """Returns the exit status."""
    dist = dist.resolve()
    if not is_ours(dist):
        print(f"gpu_suite: {dist} was not made by --prepare and is not replaced; name another folder", file=sys.stderr)
        return 2
    commit, modified = commit_of_sources()
    if modified:
        print("gpu_suite: files differ from the last commit, so that a run will not count as one of it")
    build()
    install(dist)
    built = {"commit": commit, "modified": modified, "architecture": architecture, "kernels": 0}
    record.write_json(dist / MARK, built)
    files = record_kernels(dist, architecture)
    pack(files, dist / "kernels.tar.xz")
    record.write_json(dist / MARK, built | {"kernels": len(files)})
    print(f"{dist}: {mebibytes(dist):.0f} MiB, {len(files)} kernels for {architecture} in "
          f"{(dist / 'kernels.tar.xz').stat().st_size / 2**20:.1f} MiB of it")
    return 0
