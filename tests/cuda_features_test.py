#!/usr/bin/env python3
"""Compiles each example in the tables of docs/cuda-features.md.

An example of "Supported" must compile and run without a finding. One of "Not supported" must give
the message of its row as the first diagnostic, or the beginning of it. The code is in backquotes:
an #include comes first, a `__constant__` variable before the kernel, everything else in its body.
"""
import concurrent.futures
import json
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "grader" / "tests"))
from histolab_program import SOURCE, Checks, histolab, temporary_folder  # noqa: E402

PAGE = SOURCE / "docs" / "cuda-features.md"
check = Checks()


def rows_of(title):
    """The cells of each row of the table below a heading."""
    section = PAGE.read_text(encoding="utf-8").split(f"\n## {title}\n", 1)[1].split("\n## ", 1)[0]
    rows = [line.strip()[1:-1].split("|") for line in section.split("\n") if line.startswith("| ")]
    return [[cell.strip() for cell in row] for row in rows[1:]]


def kernel_of(code):
    """A submission for lab 02 with these pieces of code."""
    before = [piece for piece in code if piece.startswith(("#include", "__constant__"))]
    body = [piece for piece in code if piece not in before]
    return "\n".join([*before,
                      "__global__ void histogram(const char* data, unsigned int length, unsigned "
                      "int* histo) {", "  const unsigned int i = blockIdx.x * blockDim.x + "
                                       "threadIdx.x;", *body, "}", ""])


def compiled(row):
    """Runs the row's example in one thread and checks the result."""
    with temporary_folder() as folder:
        path = folder / "kernel.cu"
        path.write_text(kernel_of(re.findall(r"`([^`]+)`", row[1])), encoding="utf-8")
        done = histolab("run", "02", "--kernel", path, "--length", 1, "--block", 1, "--grid", 1,
                        "--shared", 64, "--json", cwd=folder)
    return json.loads(done.stdout) if done.stdout else {"error": done.stderr}


def judge(row, is_supported):
    report = compiled(row)
    errors = [each for each in report.get("diagnostics", []) if each["severity"] == "error"]
    if is_supported:
        told = [each["message"]
                for each in errors +
                [f for f in report.get("findings", []) if f["severity"] == "error"]]
        check("diagnostics" in report and not told, f"{row[0]}: is not supported", *told,
              report.get("error", ""))
    else:
        said = errors[0]["message"] if errors else ""
        check(said.replace("`", "").startswith(row[2].replace("`", "")),
              f"{row[0]}: says something else", said, row[2])
        check(not report.get("refused", False), f"{row[0]}: is refused", said)


supported, missing = rows_of("Supported"), rows_of("Not supported")
check(len(supported) > 15 and len(missing) > 15, "docs/cuda-features.md has lost rows",
      len(supported), len(missing))
for row in supported + missing:
    check(len(row) == 3 and re.search(r"`[^`]+`", row[1]), "a row has three cells and an example",
          row)
with concurrent.futures.ThreadPoolExecutor(2) as pool:
    list(pool.map(lambda job: judge(*job),
                  [(row, True) for row in supported] + [(row, False) for row in missing]))
check.finish()
