#!/usr/bin/env python3
"""Dependencies point one way, down: app -> lab -> sim, app -> render. sim and lab know no OpenGL and no windows, lab no
command line, render no CUDA, and one file each MPI and HDF5. Inside a library too: FLOORS says which folder stands on which."""
import re
import sys

import sources

WINDOWS_AND_GL = r"GL/|GLES\d?/|EGL/|GLFW/|glad/|KHR/|imgui|glm/|cuda_gl_interop|cudaGL|cuda_egl_interop"
FORBIDDEN = {
    "sim/": rf"(lab|render|app)/|{WINDOWS_AND_GL}",
    "lab/": rf"(render|app)/|CLI/|{WINDOWS_AND_GL}",
    "render/": r"(sim|lab|app)/|imgui|cuda|nvrtc|cublas",
}
ONE_FILE = {"mpi.h": "sim/ranks/mpi_communicator.cpp", "hdf5.h": "sim/snapshots/hdf5_module.cpp"}

# The folders of a library from the ground up. A file includes its own folder and those of lower floors; folders of one floor
# know nothing of each other, unless a + joins them. A name with a dot is a file of that stem; what lies in no folder stands on top.
FLOORS = {
    "sim": ["core", "bodies", "tree", "physics", "scene diagnostics", "galaxies snapshots options", "ranks activity", "engines", "step", "cpu cuda series", "simulation"],
    "sim/physics": ["laws fields", "integrators", "physics. kepler. sources.", "diagnostics"],
    "sim/cuda": ["driver", "device emulator laws sources", "options+families", "compiler", "memory", "launch", "schedules", "worker", "multi_gpu"],
    "lab": ["setup plots", "bench diagnostics", "ladders sweeps verify", "runs", "tuning figures"],
    "render": ["error.", "picture", "context color_maps", "color_modes light", "bodies", "effects map trails"],
    "app": ["log.+shown_text. ending", "gui", "picture", "film", "session", "live run", "panels", "window", "serve", "connect", "doctor", "commands"],
}


def floor_of(house, path):
    """(floor, folders that know each other) of a file in a house; the roof where it lies in no folder, None where no floor names its folder."""
    rest = path[len(house) + 1:]
    for floor, folders in enumerate(FLOORS[house]):
        for known in folders.split():
            for folder in known.split("+"):
                if rest.startswith(folder if folder.endswith(".") else folder + "/"):
                    return floor, known
    return None if "/" in rest else (len(FLOORS[house]), "")


def climbs(name, included):
    """What is wrong with the include where it goes up or aside in a house; empty if nothing is."""
    for house in FLOORS:
        if not (name.startswith(house + "/") and included.startswith(house + "/")):
            continue
        from_, to = floor_of(house, name), floor_of(house, included)
        if from_ is None or to is None:
            return f"{house}: FLOORS in tools/lint/layering.py names no floor for {(name, included)[to is None]}"
        if to[0] > from_[0] or to[0] == from_[0] and to[1] != from_[1]:
            return f"{house}/{from_[1]} must not include {included}: it is no lower floor"
    return ""


def check_text(name, text):
    for number, line in enumerate(text.splitlines(), 1):
        match = re.match(r'\s*#\s*include\s*[<"]([^>"]+)', line)
        if not match:
            continue
        included = match.group(1)
        if included in ONE_FILE and name != ONE_FILE[included]:
            yield f"{name}:{number}: only {ONE_FILE[included]} may include {included}"
        for folder, pattern in FORBIDDEN.items():
            if name.startswith(folder) and re.match(pattern, included):
                yield f"{name}:{number}: {folder} must not include {included}"
        problem = climbs(name, included)
        if problem:
            yield f"{name}:{number}: {problem}"


def check(root):
    names = [name for name in sources.tracked_files(root) if name.endswith(sources.CPP)]
    return [p for name in names for p in check_text(name, (root / name).read_text())], len(names)


if __name__ == "__main__":
    sys.exit(sources.main(check, sys.argv))
