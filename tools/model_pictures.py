#!/usr/bin/env python3
"""Pictures and table of docs/models.md, and the window's gallery: every built-in galaxy, drawn by the program after the steps that show it best.

  tools/model_pictures.py build/dev/app/orrery [NAME ...]

Without names all are drawn again. Needs Pillow, which makes the pictures small."""
import argparse
import json
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

# Steps before the picture, from where it is seen, and bodies where the usual number would take long.
HOW = json.loads((ROOT / "tools" / "model_pictures.json").read_text())


def models(program):
    """(name, numbers of bodies, meaning) of `orrery make --list`."""
    lines = subprocess.run([program, "make", "--list"], capture_output=True, text=True, check=True).stdout.splitlines()
    return [re.fullmatch(r"(\S+)\s+(\d+(?: to \d+)?)\s+(.*)", line).groups() for line in lines[1:]]


def draw(program, name):
    with tempfile.TemporaryDirectory() as folder:
        large = Path(folder) / "picture.png"
        how = HOW.get(name, {})
        steps = how.get("steps", 0)
        # Threads only wait for each other over a few bodies.
        threads = ["--set", "threads=1"] if steps >= 1000 else []
        bodies = ["--bodies", str(how["bodies"])] if "bodies" in how else []
        subprocess.run([program, "render", name, "--engine", "cpu", "--untuned", "--steps", str(steps), "--size", "960x600",
                        "-o", str(large), *threads, *bodies, "--view", how.get("view", "fit")], check=True, stdout=subprocess.DEVNULL)
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
