"""Without a GPU the kernels of tests are found and compiled: what tools/gpu_suite --prepare is built on.

recording_test.py TEST_PROGRAM FOLDER_OF_THE_DRIVER"""
import os
import subprocess
import sys
import tempfile
from pathlib import Path

SKIPPED = 77
CASE = "Cuda/EngineSuite.GalaxiesDoNotFeelEachOther/cuda_family_tiled_layout_float4"


def main(program, driver):
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder, "kernels.log")
        environment = dict(os.environ, LD_LIBRARY_PATH=driver, XDG_CACHE_HOME=folder, ORRERY_KERNEL_LOG=str(log),
                           ORRERY_RECORD_ARCHITECTURE="90")
        done = subprocess.run([program, f"--gtest_filter={CASE}"], env=environment, capture_output=True, text=True,
                              timeout=600, check=False)
        if "no run-time compiler" in done.stdout:
            print("skipped: there is no run-time compiler")
            return SKIPPED
        keys = {line.split()[0] for line in log.read_text(encoding="utf-8").splitlines()} if log.exists() else set()
        kept = {path.stem for path in Path(folder, "orrery", "kernels").glob("*.cubin")}
        # The plain kernel, and the one for several galaxies in one launch.
        if len(keys) == 2 and kept == keys and "sm_90 tiled" in log.read_text(encoding="utf-8"):
            return 0
        print(f"asked for {keys}, kept {kept}\n{done.stdout}{done.stderr}")
        return 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
