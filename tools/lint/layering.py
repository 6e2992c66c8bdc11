#!/usr/bin/env python3
"""Dependencies point one way: app -> render, app -> sim. sim knows no OpenGL and no windows, render no CUDA,
and one file MPI."""
import re
import sys

import sources

WINDOWS_AND_GL = r"GL/|GLES\d?/|EGL/|GLFW/|glad/|KHR/|imgui|glm/|cuda_gl_interop|cudaGL|cuda_egl_interop"
FORBIDDEN = {
    "sim/": rf"(render|app)/|{WINDOWS_AND_GL}",
    "render/": r"(sim|app)/|imgui|cuda|nvrtc|cublas",
}
ONE_FILE = {"mpi.h": "sim/ranks/mpi_communicator.cpp"}


def check_text(name, text):
    for header, only in ONE_FILE.items():
        for number, line in enumerate(text.splitlines(), 1):
            if name != only and re.match(rf'\s*#\s*include\s*[<"]{re.escape(header)}[>"]', line):
                yield f"{name}:{number}: only {only} may include {header}"
    for folder, pattern in FORBIDDEN.items():
        if not name.startswith(folder):
            continue
        for number, line in enumerate(text.splitlines(), 1):
            included = re.match(r'\s*#\s*include\s*[<"]([^>"]+)', line)
            if included and re.match(pattern, included.group(1)):
                yield f"{name}:{number}: {folder} must not include {included.group(1)}"


def check(root):
    names = [name for name in sources.tracked_files(root) if name.endswith(sources.CPP)]
    return [p for name in names for p in check_text(name, (root / name).read_text())], len(names)


if __name__ == "__main__":
    sys.exit(sources.main(check, sys.argv))
