#!/usr/bin/env python3
"""Tests are independent of a user's files in the source tree, and do not change them.

The tests that read the whole tree run in a tree full of such files.
"""
import os
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "grader" / "tests"))
from histolab_program import (Checks, histolab, put, run_program,  # noqa: E402
                              skip_without_sandbox, temporary_folder)
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
    with temporary_folder() as folder:
        tree = unpack_sources(folder)
        version = histolab("--version").stdout.split()[1]
        for path, text in LEFTOVERS.items():
            put(tree / path, text.replace("VERSION", version))
        histolab("grade", "01", "--submission", "labs/01-race/stub.cu", "--device", "emulator",
                 cwd=tree)
        left = {path: (tree / path).read_bytes() for path in [*LEFTOVERS, "report.json"]}
        for script, *arguments in TESTS:
            done = run_program([sys.executable, tree / "tests" / script, *arguments],
                               env={**os.environ, "HISTOLAB_SOURCE_DIR": str(tree)})
            check(done.returncode == 0, f"{script} depends on a user's files", done.stdout[-3000:],
                  done.stderr)
        check(all((tree / path).read_bytes() == bytes_ for path, bytes_ in left.items()),
              "a test changed a user's files")
    check.finish()


main()
