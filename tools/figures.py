"""Runs the commands of figures in the documents again: bench/figures/checks.csv has a figure per row, and
bench/figures/gpu_checks.csv those of an NVIDIA H200.

A row names the document, the figure as it stands there, the command (arguments of orrery, in the folder
bench/figures), the value to take from its output, and how much it may differ, as a fraction. The value is
`energy`, the largest |E/E0 - 1| of `diagnose`, or a field of the first row of `bench --json`.
"""
import csv
import json
import subprocess
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
BODIES = ROOT / "bench" / "figures"
CHECKS = BODIES / "checks.csv"
GPU_CHECKS = BODIES / "gpu_checks.csv"


def largest_energy_error(path):
    with open(path, newline="", encoding="utf-8") as file:
        energies = [float(row["energy"]) for row in csv.DictReader(file)]
    return max(abs(energy / energies[0] - 1.0) for energy in energies)


def value_of(orrery, command, value):
    """The value that the command gives. Raises CalledProcessError if it fails."""
    with tempfile.TemporaryDirectory() as folder:
        output = Path(folder) / "output"
        wants_energy = value == "energy"
        arguments = command.split() + (["-o", f"{output}.csv"] if wants_energy else ["--json", f"{output}.json"])
        subprocess.run([orrery, *arguments], cwd=BODIES, check=True, capture_output=True, text=True)
        if wants_energy:
            return largest_energy_error(f"{output}.csv")
        return json.loads(Path(f"{output}.json").read_text(encoding="utf-8"))["rows"][0][value]


def checks(part=0, parts=1, table=CHECKS):
    """Every `parts`-th row of the table, from the row `part` on."""
    with open(table, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))[part % parts::parts]


def unsaid(row):
    """The problem of a row whose document does not have its figure; None if it does."""
    if row["figure"] in (ROOT / row["document"]).read_text(encoding="utf-8"):
        return None
    return f"{row['document']}: it does not say {row['figure']}, which is compared with `orrery {row['command']}`"


def problem_of(row, orrery):
    """Why the row is wrong, in one line; None if it is right."""
    problem = unsaid(row)
    if problem:
        return problem
    try:
        found = value_of(orrery, row["command"], row["value"])
    except subprocess.CalledProcessError as failure:
        return f"{row['document']}: `orrery {row['command']}` fails: {failure.stderr.strip()}"
    said = float(row["figure"])
    if abs(found - said) <= float(row["spread"]) * said:
        return None
    return f"{row['document']}: {row['figure']} is {found:.3g} by `orrery {row['command']}`"


def problems(orrery, rows):
    return [problem for problem in (problem_of(row, orrery) for row in rows) if problem]
