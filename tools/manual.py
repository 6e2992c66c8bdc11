#!/usr/bin/env python3
"""manual.py INCLUDED OUTPUT PROGRAM...: the manual page orrery(1), by help2man. The help of each subcommand and the
list of options become sections of their own, as the program prints them. PROGRAM may begin with what starts it."""
import re
import subprocess
import sys
import tempfile
from pathlib import Path


def said(program, *arguments):
    return subprocess.run([*program, *arguments], capture_output=True, text=True, check=True).stdout


def section(title, text):
    """Printed as it is; a line must not begin like a request of roff."""
    lines = (re.sub(r"^([.'])", r"\\&\1", line.replace("\\", "\\e").replace("-", "\\-")) for line in text.splitlines())
    return f"[{title}]\n.nf\n" + "\n".join(lines) + "\n.fi\n\n"


def main():
    included, output, program = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3:]
    overview = said(program, "--help")
    commands = re.findall(r"^  (\w+)  ", overview.split("Subcommands:")[1], re.MULTILINE)
    text = included.read_text(encoding="utf-8")
    # What every help ends with stands in the overview.
    text += "".join(section(f"orrery {name}", said(program, "help", name).split("\n\nOther:")[0]) for name in commands)
    # The number of cores is that of the machine that makes the page.
    options = re.sub(r"^  threads = .*", "  threads = (all cores)", said(program, "--help-options"), flags=re.MULTILINE)
    text += section("options of --set", options)
    with tempfile.TemporaryDirectory() as folder:
        sections, start = Path(folder, "sections"), Path(folder, "orrery")
        sections.write_text(text, encoding="utf-8")
        start.write_text('#!/bin/sh\nexec ' + " ".join(f"'{word}'" for word in program) + ' "$@"\n', encoding="utf-8")
        start.chmod(0o755)
        subprocess.run(["help2man", "--no-info", "--name=a live laboratory for galaxy N-body", f"--include={sections}",
                        f"--output={output}", start], check=True)


main()
