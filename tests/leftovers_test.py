#!/usr/bin/env python3
"""Tests are independent of a user's files in the source tree, and do not change them.

The tests that read the whole tree run in a tree full of such files.
"""
import os
import pathlib
import subprocess
import sys
import tempfile

SOURCE = pathlib.Path(os.environ.get("HISTOLAB_SOURCE_DIR",
                                     pathlib.Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(SOURCE / "grader" / "tests"))
from histolab_program import Checks, histolab, skip_without_sandbox  # noqa: E402
from sources import unpack_sources  # noqa: E402

check = Checks()
LEFTOVERS = {
    "work/04-privatization.cu": "no kernel", "work/progress.json": "no JSON",
    "handed-in/ada/04-privatization.cu": "no kernel", "handed-in.zip": "no archive",
    "graded/journal.sqlite": "no journal", "out/x": "", "results/x": "", "rubric.json": "no rubric",
    "mine.cu": "no kernel", "old.cu": "no kernel", "page.html": "", "data.bin": "",
    "build/release/x": "", "notes.md": "    ./histolab nonsense\n\n[nowhere](nowhere.md)\n",
    "scratch.json": '{"version": "VERSION"}',
}
TESTS = [["commands_test.py", "README.md"], ["docs_test.py"], ["version_test.py"]]


def main():
    skip_without_sandbox()
    with tempfile.TemporaryDirectory() as name:
        tree = unpack_sources(pathlib.Path(name))
        version = histolab("--version").stdout.split()[1]
        for path, text in LEFTOVERS.items():
            (tree / path).parent.mkdir(parents=True, exist_ok=True)
            (tree / path).write_text(text.replace("VERSION", version))
        histolab("grade", "01", "--submission", "labs/01-race/stub.cu", "--device", "emulator",
                 cwd=tree)
        left = {path: (tree / path).read_bytes() for path in [*LEFTOVERS, "report.json"]}
        for script, *arguments in TESTS:
            done = subprocess.run([sys.executable, tree / "tests" / script, *arguments],
                                  capture_output=True, text=True,
                                  env={**os.environ, "HISTOLAB_SOURCE_DIR": str(tree)})
            check(done.returncode == 0, f"{script} depends on a user's files", done.stdout[-3000:],
                  done.stderr)
        check(all((tree / path).read_bytes() == bytes_ for path, bytes_ in left.items()),
              "a test changed a user's files")
    check.finish()


main()
