#!/usr/bin/env python3
"""Pictures and table of docs/models.md, and the window's gallery: every built-in galaxy, drawn by the program after the time that shows it best.

  tools/model_pictures.py build/dev/app/orrery [NAME ...]

Without names all are drawn again. Needs Pillow, which makes the pictures small."""
import argparse
import json
import re
import subprocess
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
DOCUMENT = ROOT / "docs" / "models.md"
PICTURES = ROOT / "docs" / "images" / "models"
SIZE = (320, 200)
COLUMNS = 3
BEGIN, END = "<!-- models: by tools/model_pictures.py -->", "<!-- end of models -->"

# Models whose forces are summed pair by pair keep their usual number.
PAIRWISE = {"charges"}
# Steps of the usual number of bodies before the picture, and from where it is seen.
HOW = json.loads((ROOT / "tools" / "model_pictures.json").read_text())


def models(program):
    """(name, numbers of bodies, meaning) of `orrery make --list`."""
    lines = subprocess.run([program, "make", "--list"], capture_output=True, text=True, check=True).stdout.splitlines()
    return [re.fullmatch(r"(\S+)\s+(\d+(?: to \d+)?)\s+(.*)", line).groups() for line in lines[1:]]


def time_step(program, name, bodies):
    """The time step that a model suggests for so many bodies."""
    size = ["--bodies", str(bodies)] if bodies else []
    said = subprocess.run([program, "info", name, *size], check=True, capture_output=True, text=True).stdout
    return float(re.search(r"time step ([0-9.e+-]+)", said)[1])


def picture(program, name, many, engine, output):
    """Draws a model after the time that its steps take with its usual number of bodies."""
    how = HOW.get(name, {})
    steps = how.get("steps", 0)
    size = []
    if many:
        size = ["--bodies", str(many)]
        steps = round(steps * time_step(program, name, 0) / time_step(program, name, many))
    # Threads only wait for each other over a few bodies.
    threads = ["--set", "threads=1"] if not size and steps >= 1000 and engine == "cpu" else []
    subprocess.run([program, "render", name, "--engine", engine if size else "cpu", "--untuned", "--steps", str(steps),
                    "--size", "960x600", "-o", str(output), *threads, *size, "--view", how.get("view", "fit")],
                   check=True, stdout=subprocess.DEVNULL)


def draw(program, model, given):
    name, range_of_bodies, _ = model
    fixed = " to " not in range_of_bodies
    folder = Path(given.pictures) if given.pictures else Path(tempfile.mkdtemp())
    folder.mkdir(parents=True, exist_ok=True)
    large = folder / f"{name}.png"
    if not large.exists():
        picture(program, name, None if fixed or name in PAIRWISE else given.bodies, given.engine, large)
    if given.only_draw:
        return
    from PIL import Image
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
    parser.add_argument("--bodies", type=int, default=100_000, help="of models that take any number")
    parser.add_argument("--engine", default="cpu", help="what computes them; few bodies are always the CPU's")
    parser.add_argument("--pictures", help="keep the large pictures here, and take those that are there")
    parser.add_argument("--only-draw", action="store_true", help="only draw the large pictures, on another machine")
    given = parser.parse_args()
    all_models = models(given.program)
    for model in all_models:
        if not given.names or model[0] in given.names:
            draw(given.program, model, given)
    if given.only_draw:
        return
    before, rest = DOCUMENT.read_text().split(BEGIN)
    DOCUMENT.write_text(f"{before}{BEGIN}\n{table(all_models)}\n{END}{rest.split(END)[1]}")


if __name__ == "__main__":
    main()
