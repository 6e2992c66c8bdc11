#!/usr/bin/env python3
"""yt, another reader, gets the numbers that orrery wrote, to the last float: read_by_yt.py ORRERY FOLDER.

Exit status 77 (skipped) where yt is not installed."""
import pathlib
import subprocess
import sys

try:
    import numpy
    import yt
except ImportError as error:
    print(f"skipped: {error}; Debian's package is python3-yt")
    sys.exit(77)

UNITS = {"length": (1.0, "kpc"), "velocity": (1.0, "km/s"), "mass": (1e10, "Msun")}
# Format, file, what yt must be told, its name of masses.
FORMATS = [
    ("hdf5", "galaxy.hdf5", {}, "Masses"),
    ("gadget", "galaxy.gadget", {"unit_base": UNITS}, "Mass"),
    ("tipsy", "galaxy.tipsy", {"unit_base": UNITS}, "Mass"),
]


def rows_in_order(position, velocity, mass):
    """Bodies as rows of floats, sorted: formats keep them by type."""
    rows = numpy.column_stack([position, velocity, mass]).astype(numpy.float32)
    return rows[numpy.lexsort(rows.T)]


def expected_rows(file):
    header, *_ = file.read_text().splitlines()
    table = numpy.genfromtxt(file, delimiter=",", names=True)
    columns = lambda names: numpy.column_stack([table[name] for name in names])
    assert {"x", "y", "z", "vx", "vy", "vz", "mass"} <= set(header.split(",")), header
    return rows_in_order(columns(["x", "y", "z"]), columns(["vx", "vy", "vz"]), table["mass"])


def rows_of_yt(file, told, masses):
    data = yt.load(str(file), bounding_box=[[-1000.0, 1000.0]] * 3, unit_system="code", **told).all_data()
    values = lambda name: numpy.array(data["all", name])
    return rows_in_order(values("Coordinates"), values("Velocities"), values(masses))


def main(orrery, folder):
    yt.set_log_level(50)
    folder.mkdir(parents=True, exist_ok=True)
    run = lambda *words: subprocess.run([orrery, *words], cwd=folder, check=True, stdout=subprocess.DEVNULL)
    for file in folder.iterdir():
        file.unlink()
    run("make", "disk", "-o", "galaxy.csv", "--bodies", "700", "--seed", "4")
    expected = expected_rows(folder / "galaxy.csv")
    failed = False
    for name, file, told, masses in FORMATS:
        run("convert", "galaxy.csv", file, "--format", name, "--units", "gadget")
        found = rows_of_yt(folder / file, told, masses)
        same = found.shape == expected.shape and numpy.array_equal(found, expected)
        print(f"{name}: {len(found)} bodies, {'the same' if same else 'NOT the same'} to the last float")
        if not same and found.shape == expected.shape:
            print("  largest difference by column:", numpy.abs(found - expected).max(axis=0))
        failed |= not same
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], pathlib.Path(sys.argv[2])))
