#!/usr/bin/env python3
"""Whole programs, as students write them: `histolab exec` must find their mistakes, and no others.

tests/programs/wrong has programs with a planted mistake of the host, right/ has correct ones. A
program is a file, or a folder of files. Comments name the findings, each at its line:

    cudaFree(d);  // finding: invalid_free, unchecked_error
    // finding below: invalid_copy      the same, for a long line

Kinds, files and lines must agree exactly. A right program also ends with status 0: it checks its
results itself. A first line `// arguments: ...` has the program's arguments. Host and device object
of each program must have the same kernels.

`programs_test.py [PART...]` takes only programs whose path has a PART.
"""
import concurrent.futures
import json
import pathlib
import re
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "grader" / "tests"))
from histolab_program import SOURCE, histolab, temporary_folder  # noqa: E402

PROGRAMS = SOURCE / "tests" / "programs"
FINDING = re.compile(r"// finding( below)?: ([\w, ]+)$")
ARGUMENTS = re.compile(r"// arguments: (.*)")


def files_of(program):
    return sorted(program.iterdir()) if program.is_dir() else [program]


def expected_findings(program):
    """Returns texts "FILE:LINE: KIND", one per finding that a comment announces."""
    return sorted(
        f"{file.name}:{number + bool(found[1])}: {kind}"
        for file in files_of(program)
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1)
        if (found := FINDING.search(line)) for kind in found[2].split(", "))


def run(program):
    """Returns what `histolab exec` does: its report, its messages."""
    sources = [file for file in files_of(program) if file.suffix in (".cu", ".cpp")]
    first_line = sources[0].read_text(encoding="utf-8").split("\n", 1)[0]
    arguments = ARGUMENTS.match(first_line)
    with temporary_folder() as folder:
        out = folder / "run.json"
        done = histolab("exec", *sources, "--json", out, "--",
                        *(arguments[1].split() if arguments else []))
        report = json.loads(out.read_text(encoding="utf-8")) if out.exists() else None
        return report, done.stdout + done.stderr


def judge(program):
    """Returns what is wrong with the report; empty if it is right."""
    report, said = run(program)
    if report is None:
        return f"no report: {said}"
    found = report["findings"] + report["host_findings"]
    got = sorted(f"{pathlib.Path(each['file']).name}:{each['line']}: {each['kind']}"
                 for each in found)
    expected = expected_findings(program)
    if got != expected:
        return "\n    ".join(
            ["other findings", *(f"missing {each}" for each in expected if each not in got),
             *(f"too many: {each}" for each in got if each not in expected), *got, said])
    is_wrong = program.parent.name == "wrong"
    if not is_wrong and report["exit_status"] != 0:
        return f"does not end with status 0: {said}"
    if is_wrong and not expected:
        return "a wrong program has a comment `// finding: KIND`"
    return ""


def main():
    parts = sys.argv[1:]
    programs = [path for path in sorted(PROGRAMS.glob("*/*"))
                if not parts or any(part in str(path) for part in parts)]
    began = time.monotonic()
    with concurrent.futures.ThreadPoolExecutor(max_workers=2) as pool:
        results = [*pool.map(judge, programs)]
    for program, result in zip(programs, results):
        if result:
            print(f"DISAGREES {program.relative_to(SOURCE)}: {result}\n")
    failed = sum(map(bool, results))
    print(f"{len(programs)} programs, {failed} disagree, {time.monotonic() - began:.0f} s")
    return 1 if failed or not programs else 0


if __name__ == "__main__":
    sys.exit(main())
