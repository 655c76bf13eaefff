#!/usr/bin/env python3
"""The documentation against the program: what it quotes is said, what it links to is there.

An example of docs/emulator.md is an indented `KERNEL:LINE: KIND` and, indented further, the message: grading that kernel must
give it. An output in README.md is indented and begins with `$ ./histolab`. How often a finding was seen
may differ. A link to a file, in any Markdown file, must lead to one.
"""
import json
import os
import pathlib
import re
import shlex
import shutil
import sys
import tempfile

SOURCE = pathlib.Path(os.environ.get("HISTOLAB_SOURCE_DIR", pathlib.Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(SOURCE / "grader" / "tests"))
from histolab_program import Checks, histolab  # noqa: E402

check = Checks()


def examples(text):
    """(kernel, line, kind, message) of each."""
    found = re.findall(r"^    (\S+\.cu):(\d+): (\w+)\n((?:      \S.*\n)+)", text, re.MULTILINE)
    return [(kernel, int(line), kind, " ".join(message.split())) for kernel, line, kind, message in found]


def outputs(text):
    """(arguments, output) of each."""
    found = re.findall(r"^    \$ \./histolab ((?:.*\\\n)*.+)\n((?:    (?!\$ ).*\n|\n(?=    (?!\$ )))+)", text, re.MULTILINE)
    return [(shlex.split(command.replace("\\\n", " ")), re.sub(r"^    ", "", output, flags=re.MULTILINE)) for command, output in found]


def settled(message):
    """Without what may differ, and without the line breaks that follow from it."""
    message = re.sub(r"\(process \d+\)", "(process N)", " ".join(message.split()))
    return re.sub(r"(seen|,) [0-9 ]+ times", r"\1 N times", message)


with tempfile.TemporaryDirectory() as folder:
    quoted = examples((SOURCE / "docs" / "emulator.md").read_text(encoding="utf-8"))
    check(len(quoted) >= 10, f"docs/emulator.md has {len(quoted)} examples: was their form changed?")
    for kernel, line, kind, message in quoted:
        lab = re.search(r"/(\d\d)-", kernel).group(1)
        done = histolab("grade", lab, "--submission", SOURCE / kernel, "--quick", "--json", "-", cwd=folder)
        findings = json.loads(done.stdout)["labs"][0]["findings"] if done.stdout else []
        said = [(found["line"], found["kind"], settled(found["message"])) for found in findings]
        check((line, kind, settled(message)) in said, f"docs/emulator.md: {kernel} says something else", *said, done.stderr)

    (pathlib.Path(folder) / "labs").symlink_to(SOURCE / "labs")
    shown = outputs((SOURCE / "README.md").read_text(encoding="utf-8"))
    check(len(shown) >= 2, f"README.md shows {len(shown)} outputs: was their form changed?")
    sessions = outputs((SOURCE / "docs" / "debugging.md").read_text(encoding="utf-8"))
    check(len(sessions) == 1, f"docs/debugging.md shows {len(sessions)} sessions: was its form changed?")
    for arguments, output in shown + sessions:
        if arguments[0] == "test" or arguments[0] == "debug" and shutil.which("gdb") is None:
            continue  # the first is this, the second is told by debug_test
        device = ["--device", "emulator"] if arguments[0] == "grade" else []  # what is measured on a GPU differs
        done = histolab(*arguments, *device, cwd=folder)
        check(settled(done.stdout) == settled(output), f"a page: histolab {' '.join(arguments)} prints something else", done.stdout)

for page in [*SOURCE.glob("*.md"), *SOURCE.glob("docs/**/*.md"), *SOURCE.glob("labs/*/*.md")]:
    for link in re.findall(r"\]\(([^)\s#]+)[^)]*\)", page.read_text(encoding="utf-8")):
        if not re.match(r"[a-z]+:", link):
            check((page.parent / link).exists(), f"{page.relative_to(SOURCE)}: there is no {link}")
check.finish()
