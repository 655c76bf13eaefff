#!/usr/bin/env python3
"""C++ and CUDA sources have the layout of clang-format 14. In Python, and in some folders, no line
is too long.

Kernels in students' style are excluded: those of labs/, and those that tests and tools grade.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "grader" / "tests"))
from histolab_program import SOURCE, Checks, skip  # noqa: E402

FORMATTED = ("cmake", "datasets", "grader", "kernels", "reference", "tests", "tools", "viewer")
SUFFIXES = {".h", ".cpp", ".cu", ".cuh"}
# Kernels in students' style: inputs of tests and tools.
SUBMISSIONS = ("grader/attacks", "grader/messages", "grader/template", "grader/testdata",
               "tests/corpus", "tests/programs", "tools/benchmark_kernels", "tools/model",
               "tools/profiler")
# clang-format breaks neither raw strings nor file names, so it does not enforce the limit.
NARROW = ("datasets", "kernels", "reference")
# Headers whose comments an editor shows, each as one line.
BY_HAND = ("cuda_shim.h", "editor.h", "editor_before_17.h")
VERSION = "14.0.6"

check = Checks()


def clang_format():
    """Returns the program of the pinned version, or None. Other versions give other layouts."""
    for name in ("clang-format-14", "clang-format"):
        if program := shutil.which(name):
            said = subprocess.run([program, "--version"], capture_output=True, text=True).stdout
            if re.search(rf"\b{re.escape(VERSION)}\b", said):
                return program
    return None


def sources(folders, suffixes):
    left_out = {SOURCE / folder for folder in SUBMISSIONS}
    return sorted(each for folder in folders for each in (SOURCE / folder).rglob("*")
                  if each.suffix in suffixes and not left_out & set(each.parents))


def python_files():
    for folder in (*FORMATTED, ".ci"):
        for path in sorted((SOURCE / folder).rglob("*")):
            if path.suffix == ".py" or (path.suffix == "" and path.is_file() and
                                        re.match(rb"#!.*python", path.read_bytes())):
                yield path


def data_lines(text):
    """The numbers of the lines of strings that have several lines. Docstrings do not count."""
    found = set()
    for string in re.finditer(r"(\"{3}|'{3}).*?\1", text, re.DOTALL):
        begin = text.count("\n", 0, string.start()) + 1
        if "\n" in string[0] and text[:string.start()].rpartition("\n")[2].strip():
            found.update(range(begin, begin + string[0].count("\n") + 1))
    return found


check(data_lines('"""a\nb"""\nx = """a\nb"""\n') == {3, 4}, "data is told apart from docstrings")
for path in python_files():
    text = path.read_text(encoding="utf-8")
    data = data_lines(text)
    for number, line in enumerate(text.splitlines(), 1):
        check(len(line) <= 100 or number in data,
              f"{path.relative_to(SOURCE)}:{number} has {len(line)} columns")

for path in sources(NARROW, SUFFIXES | {".md", ".txt", ".cmake"}):
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        is_table = path.suffix == ".md" and line.startswith("|")  # a row cannot be broken
        check(len(line) <= 100 or is_table or path.name in BY_HAND,
              f"{path.relative_to(SOURCE)}:{number} has {len(line)} columns")

program = clang_format()
if program is None:
    if os.environ.get("HISTOLAB_REQUIRE_CLANG_FORMAT"):
        sys.exit(f"there is no clang-format {VERSION}")
    check.finish()
    skip(f"there is no clang-format {VERSION} (package clang-format-14, or pipx install "
         f"clang-format=={VERSION})")
files = sources(FORMATTED, SUFFIXES)
check(len(files) > 1000, f"{len(files)} files were found")
done = subprocess.run([program, "--dry-run", "--Werror", *files], capture_output=True, text=True)
wrong = sorted({str(pathlib.Path(each).relative_to(SOURCE))
                for each in re.findall(r"^(\S+?):\d+:\d+: error", done.stderr, re.MULTILINE)})
check(done.returncode == 0, "these files need `clang-format-14 -i`", *wrong)
check.finish()
