#!/usr/bin/env python3
"""The program does not grow unseen: product lines of each folder, and circles of rooms, against tools/lint/size.txt.

Product lines are those of .cpp, .h, .cu, .cuh and shaders. A room is a header with its source; rooms form a circle where
each leads to each by includes. Whoever exceeds a number removes something, or raises it and says why in the commit.
A small room that one file uses goes into that file, unless size.txt names its header as a seam."""
import re
import sys
from pathlib import Path

import sources

FOLDERS = ("sim", "lab", "app", "render", "shaders")
PRODUCT = (".cpp", ".h", ".cu", ".cuh", ".glsl", ".comp", ".vert", ".frag")
SLACK = 200  # lines below the number before it must follow
SMALL = 70  # lines of a room
INCLUDE = re.compile(r'^\s*#\s*include\s+"([\w/.]+)"', re.MULTILINE)
LIMITS = "tools/lint/size.txt"


def room(name):
    return name.rsplit(".", 1)[0]


def ways(texts):
    """The rooms that each room leads to. `texts`: name to content."""
    rooms = {room(name) for name in texts}
    leads = {each: set() for each in rooms}
    for name, text in texts.items():
        leads[room(name)] |= {room(other) for other in INCLUDE.findall(text)} & rooms - {room(name)}
    return leads


def circles(leads):
    """Sets of rooms that lead to each other (Tarjan's strongly connected components), largest first."""
    number, lowest, path, found = {}, {}, [], []

    def visit(start):
        calls = [(start, iter(sorted(leads[start])))]
        number[start] = lowest[start] = len(number)
        path.append(start)
        while calls:
            at, rest = calls[-1]
            following = next(rest, None)
            if following is None:
                calls.pop()
                if calls:
                    lowest[calls[-1][0]] = min(lowest[calls[-1][0]], lowest[at])
                if lowest[at] == number[at]:
                    component = set(path[path.index(at):])
                    del path[path.index(at):]
                    if len(component) > 1:
                        found.append(component)
            elif following not in number:
                number[following] = lowest[following] = len(number)
                path.append(following)
                calls.append((following, iter(sorted(leads[following]))))
            elif following in path:
                lowest[at] = min(lowest[at], number[following])

    for each in sorted(leads):
        if each not in number:
            visit(each)
    return sorted(found, key=lambda circle: (-len(circle), min(circle)))


def used_once(texts):
    """The small rooms with one user: header to that file."""
    users = {}
    for name, text in texts.items():
        for header in INCLUDE.findall(text):
            if room(header) != room(name):
                users.setdefault(header, []).append(name)
    lines = {}
    for name, text in texts.items():
        lines[room(name)] = lines.get(room(name), 0) + text.count("\n")
    return {header: names[0] for header, names in users.items()
            if len(names) == 1 and header.endswith(".h") and header in texts and lines[room(header)] < SMALL}


def measured(texts):
    """"lines FOLDER" and "circles", each with its number."""
    sizes = {f"lines {folder}": 0 for folder in FOLDERS}
    for name, text in texts.items():
        sizes[f"lines {name.split('/')[0]}"] += text.count("\n")
    return sizes | {"circles": len(circles(ways(texts)))}


def limits(text):
    rows = [line.rsplit(" ", 1) for line in text.splitlines() if line.startswith(("lines ", "circles "))]
    return {name: int(value) for name, value in rows}


def seam_problems(found, seams):
    for header, user in sorted(found.items()):
        if header not in seams:
            yield f"{header}: {user} alone uses it: put it there, or name it as a seam in {LIMITS}"
    for header in sorted(seams - found.keys()):
        yield f"{LIMITS}: {header} is no small header with one user: remove the line"


def problems(sizes, allowed):
    for name, size in sizes.items():
        most, slack = allowed.get(name, 0), SLACK if name.startswith("lines") else 0
        if size > most:
            yield f"{LIMITS}: {name} {size}, at most {most}: remove something, or raise it and say why in the commit"
        elif size < most - slack:
            yield f"{LIMITS}: {name} {size}, and {most} is allowed: lower it, so that it stays so"


def product(root):
    names = [name for name in sources.tracked_files(root) if name.endswith(PRODUCT) and name.split("/")[0] in FOLDERS]
    return {name: (root / name).read_text() for name in names}


def check(root):
    texts = product(root)
    text = (root / LIMITS).read_text()
    seams = {line.split()[1] for line in text.splitlines() if line.startswith("seam ")}
    return [*problems(measured(texts), limits(text)), *seam_problems(used_once(texts), seams)], len(texts)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--circles"]:
        for circle in circles(ways(product(Path(sys.argv[2])))):
            print(len(circle), " ".join(sorted(circle)))
        sys.exit(0)
    sys.exit(sources.main(check, sys.argv))
