"""The jobs of the GPU suite: what runs in which process, and what --quick leaves out."""
import itertools
import re
import shutil
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

import results

# --quick: of the suites over all configurations only these cases, every family in its usual layout; of the scenes some.
# Suites that are not here run whole.
QUICK_CASES = {
    "Cuda/EngineSuite": r"/cuda_family_\w+_layout_float4$",
    "Cuda/EngineOrbits": r"/cuda_family_\w+_layout_float4$",
    "Cuda/EnginePieces": r"/cuda_family_\w+_layout_float4$",
    "Engines/Electric": r"family_\w+_layout_float4$",
    "Engines/Spline": r"family_\w+_layout_float4$",
    "Engines/Planar": r"family_\w+_layout_float4$",
    "Cuda/SceneErrors": r"/(plummer|disk|charges|solar_system)_",
    "Parts/RandomConfigurationsTest": r"/[01]$",
}
# Sources of a temporary folder, whose name is in what is compiled: no kernel of theirs is found again.
EDITS_SOURCES = "LiveEdit."
# compute-sanitizer looks for wrong addresses and races of the tree where its sizes are ragged.
SANITIZED = ("TreeOnGpu.EveryBodyOfRaggedNumbers", "TreeOnGpu.EverySizeOfGroup")
# Judge the free memory of the GPU, or leave a lost context behind: they run after all others, one by one.
ALONE = re.compile(r"LeakNothing$|\.ZLosingAGpu")
# Many bodies against sums in double precision, or the compiler at work: they begin first.
TAKES_LONG = re.compile(r"^(TreeOnGpu|DomainsOnGpu|LiveEdit|LiveSwitch)\.")
FEWEST_BATCHES = 16  # of long cases; of the others twice as many. More balance better, but each process starts CUDA
VERIFY_PARTS = 6  # processes that share each kind of verification
LONGEST_JOB = 400.0  # seconds; then what it is at counts as hanging


@dataclass
class Job:
    name: str
    command: list
    read: object  # of (job, exit status), see results.py
    group: str = ""  # the program of which it is a part
    limit: float = LONGEST_JOB  # seconds
    cases: list = field(default_factory=list)  # of a program of tests, by name
    alone: bool = False
    log: Path = None
    report: Path = None


def list_cases(program, environment=None):
    """The names of all cases of a program of GoogleTest; none if it does not start."""
    try:
        done = subprocess.run([str(program), "--gtest_list_tests"], capture_output=True, text=True, timeout=120,
                              env=environment, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return []
    suite, cases = "", []
    for line in done.stdout.splitlines():
        name = line.split("#")[0].strip()
        if line.startswith("  ") and name:
            cases.append(suite + name)
        elif name.endswith("."):
            suite = name
    return cases


def is_quick(case):
    pattern = QUICK_CASES.get(case.split(".")[0])
    return pattern is None or re.search(pattern, case) is not None


def batch(program, name, cases, **more):
    command = [str(program), f"--gtest_filter={':'.join(cases) or '*'}"]
    return Job(name, command, results.of_tests, program.name, cases=cases, **more)


def batches(program, name, cases, count):
    """Neighbours, which take about as long as each other, are spread."""
    count = min(len(cases), count)
    return [batch(program, f"{program.name}-{name}{k + 1}", cases[k::count]) for k in range(count)]


def split_off(cases, pattern):
    """(those that match, the others)"""
    return [case for case in cases if pattern.search(case)], [case for case in cases if not pattern.search(case)]


def test_jobs(dist, workers, wanted):
    """(those of long cases, the others): the cases of each program that are wanted, in batches."""
    long_ones, others = [], []
    for program in sorted(path for path in (dist / "bin" / "tests").glob("test_gpu*") if path.is_file()):
        cases = [case for case in list_cases(program) if wanted(case)]
        if not cases:
            # It runs all the same: the suite must not pass over it.
            others.append(batch(program, program.name, []))
        alone, cases = split_off(cases, ALONE)
        if alone:
            others.append(batch(program, f"{program.name}-alone", alone, alone=True))
        takes_long, cases = split_off(cases, TAKES_LONG)
        count = max(workers, FEWEST_BATCHES)
        long_ones += batches(program, "long-", takes_long, count)
        others += batches(program, "", cases, 2 * count)
    return long_ones, others


def rest_of(job, result):
    """The cases that a batch did not reach because one of them ended the process; None if there are none."""
    rest = [case for case in job.cases if case not in result.begun]
    if not rest or len(rest) == len(job.cases):
        return None
    return batch(Path(job.command[0]), f"{job.name}+", rest)


def verify_parts(program, name, *words):
    """One kind of verification, shared by several processes."""
    for k in range(1, VERIFY_PARTS + 1):
        yield Job(f"{name}-{k}", [program, "verify", *words, "--part", f"{k}/{VERIFY_PARTS}"], results.of_verify, name)


def verify_jobs(dist, quick):
    program = str(dist / "bin" / "orrery")
    if not Path(program).is_file():
        return
    yield from verify_parts(program, "verify", "--engine", "cuda")
    yield from verify_parts(program, "verify-physics", "--physics", "--quick", "--engine", "cuda")
    if not quick:
        yield from verify_parts(program, "verify-ladders", "--ladder", "all")
        ladder = [program, "ladder", "all", "--bodies", "4096", "--galaxies", "2", "--steps", "2"]
        yield Job("ladders", ladder, results.of_status)


def sanitizer_jobs(dist):
    program = dist / "bin" / "tests" / "test_gpu"
    sanitizer = shutil.which("compute-sanitizer")
    if sanitizer is None or not program.is_file():
        return
    for tool, case in itertools.product(("memcheck", "racecheck"), SANITIZED):
        command = [sanitizer, "--tool", tool, "--error-exitcode", "9", str(program), f"--gtest_filter={case}"]
        yield Job(f"{tool}-{case.split('.')[1]}", command, results.of_tests, "compute-sanitizer")


def all_jobs(dist, quick, workers, recording=False):
    """Longest first: what begins last must be short. Those that run alone may stand anywhere. `recording`: what asks
    for kernels that can be kept."""
    wanted = is_quick if quick else lambda case: not (recording and case.startswith(EDITS_SOURCES))
    long_ones, others = test_jobs(dist, workers, wanted)
    jobs = [] if quick or recording else list(sanitizer_jobs(dist))
    jobs += [*verify_jobs(dist, quick), *long_ones, *others]
    for job in jobs:
        job.group = job.group or job.name
    return jobs


def cards():
    """(name, driver) of each GPU as the driver's own tool lists them; empty without one."""
    query = ["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"]
    try:
        done = subprocess.run(query, capture_output=True, text=True, timeout=60, check=True)
    except (OSError, subprocess.SubprocessError):
        return []
    return [tuple(part.strip() for part in line.split(",", 1)) for line in done.stdout.splitlines() if "," in line]
