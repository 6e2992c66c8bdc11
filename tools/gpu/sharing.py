"""Processes that compute on a GPU at the same moment (NVIDIA's Multi-Process Service) instead of taking turns, each of
which lasts milliseconds: tests launch thousands of short kernels and wait for each."""
import os
import shutil
import subprocess
from pathlib import Path

CONTROL = "nvidia-cuda-mps-control"
LONGEST = 30  # seconds of a call


class Sharing:
    """While it is entered a service runs for processes with the variables that it gives. They are empty where the
    driver does not bring the service, or a program that tries it fails."""

    def __init__(self, folder, probe):
        self.folder = Path(folder)
        self.probe = [str(word) for word in probe]
        self.variables = {}

    def call(self, command, **more):
        try:
            done = subprocess.run(command, env=os.environ | self.variables, stdout=subprocess.DEVNULL,
                                  stderr=subprocess.DEVNULL, timeout=LONGEST, check=False, **more)
        except (OSError, subprocess.TimeoutExpired):
            return False
        return done.returncode == 0

    def __enter__(self):
        if shutil.which(CONTROL) is None:
            return {}
        self.variables = {"CUDA_MPS_PIPE_DIRECTORY": str(self.folder / "pipe"),
                          "CUDA_MPS_LOG_DIRECTORY": str(self.folder / "log")}
        for folder in self.variables.values():
            Path(folder).mkdir(parents=True, exist_ok=True)
        runs = self.call([CONTROL, "-d"], stdin=subprocess.DEVNULL) and self.call(self.probe, stdin=subprocess.DEVNULL)
        if not runs:
            self.end()
        return dict(self.variables)

    def __exit__(self, *_):
        self.end()

    def end(self):
        if self.variables:
            self.call([CONTROL], input=b"quit\n")
        self.variables = {}
