#!/usr/bin/env python3
"""docs/models.md's pictures and table: every built-in galaxy, drawn by the program after the steps that show it best.

  tools/model_pictures.py build/dev/app/orrery [NAME ...]

Without names all are drawn again. Needs Pillow, which makes the pictures small."""
import argparse
import re
import subprocess
import tempfile
from pathlib import Path

from PIL import Image

ROOT = Path(__file__).resolve().parent.parent
DOCUMENT = ROOT / "docs" / "models.md"
PICTURES = ROOT / "docs" / "images" / "models"
SIZE = (320, 200)
COLUMNS = 3
BEGIN, END = "<!-- models: by tools/model_pictures.py -->", "<!-- end of models -->"

# Steps before the picture; 0 where not named.
STEPS = {
    "disk": 290, "collision": 320, "mice": 340, "spiral": 70, "barred": 120, "antennae": 260, "m51": 220, "head-on": 190,
    "satellite": 500, "milky-way-andromeda": 6600, "cold-sphere": 60, "two-body": 2000, "figure-eight": 1200,
    "butterfly": 30000, "moth": 5000,
    "goggles": 25000, "dragonfly": 100000, "yin-yang": 50000, "pythagorean": 60000, "double-star": 3000, "sun-earth": 2000,
    "sun-earth-moon": 2000, "solar-system": 3000, "charges": 100, "shell": 60, "expanding-cloud": 60, "square": 20}
MORE = {name: ["--view", "face-on"] for name in
        ("disk", "steady-disk", "spiral", "ring", "barred", "collision", "mice", "antennae", "m51", "satellite")}
MORE["milky-way-andromeda"] = ["--view", "face-on", "--kernel", "tree"]


def models(program):
    """(name, numbers of bodies, meaning) of `orrery make --list`."""
    lines = subprocess.run([program, "make", "--list"], capture_output=True, text=True, check=True).stdout.splitlines()
    return [re.fullmatch(r"(\S+)\s+(\d+(?: to \d+)?)\s+(.*)", line).groups() for line in lines[1:]]


def draw(program, name):
    with tempfile.TemporaryDirectory() as folder:
        large = Path(folder) / "picture.png"
        steps = STEPS.get(name, 0)
        # Threads only wait for each other over a few bodies.
        threads = ["--threads", "1"] if steps >= 1000 else []
        subprocess.run([program, "render", name, "--engine", "cpu", "--untuned", "--steps", str(steps), "--size", "960x600",
                        "-o", str(large), *threads, *MORE.get(name, [])], check=True, stdout=subprocess.DEVNULL)
        PICTURES.mkdir(parents=True, exist_ok=True)
        Image.open(large).convert("RGB").resize(SIZE, Image.LANCZOS).save(PICTURES / f"{name}.jpg", quality=82)


def cell(model):
    name, bodies, meaning = model
    return f"![{name}](images/models/{name}.jpg)<br>**{name}**: {meaning}. Bodies: {bodies}."


def table(all_models):
    rows = [all_models[k:k + COLUMNS] for k in range(0, len(all_models), COLUMNS)]
    lines = ["|" + " |" * COLUMNS, "|" + "---|" * COLUMNS]
    for row in rows:
        lines.append("| " + " | ".join([cell(model) for model in row] + [""] * (COLUMNS - len(row))) + " |")
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program")
    parser.add_argument("names", nargs="*")
    given = parser.parse_args()
    all_models = models(given.program)
    for name, _, _ in all_models:
        if not given.names or name in given.names:
            draw(given.program, name)
    before, rest = DOCUMENT.read_text().split(BEGIN)
    DOCUMENT.write_text(f"{before}{BEGIN}\n{table(all_models)}\n{END}{rest.split(END)[1]}")


if __name__ == "__main__":
    main()
