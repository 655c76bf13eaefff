"""Every kind of message that a student can get, as `grade` prints it: grader/golden/messages.txt
has them all.

Each takes at most six lines of 80 columns plus its source lines, names the source position if there
is one, suggests a next step, and does not depend on this machine. grader/messages/ has one wrong
kernel for each common mistake that does not compile (its first line names its lab). The others are
attempts of the labs and kernels of tests/corpus. Messages that depend on the machine, such as a
time limit or a crash, are in advice_test.cpp. `histolab check` proves that all attempts of all labs
keep to six lines.

HISTOLAB_UPDATE_GOLDEN=1 writes the golden file.
"""
import concurrent.futures
import difflib
import json
import os
import re
import tempfile

from histolab_program import (SOURCE, Checks, histolab, kernel_text, kinds_of_programs,
                              temporary_folder)

MOST_LINES, WIDTH = 6, 80
GOLDEN = SOURCE / "grader" / "golden" / "messages.txt"
check = Checks()

# The kinds of findings, and of checks.
KERNELS = """
labs/01-race/attempts/single-thread
labs/02-atomic-add/attempts/plain-increment
labs/02-atomic-add/attempts/atomic-exchange
labs/02-atomic-add/attempts/missing-lower-bound
labs/02-atomic-add/attempts/no-bound-check
labs/02-atomic-add/attempts/writes-input
labs/02-atomic-add/attempts/wrong-global-index
tests/corpus/wrong/02-atomic-add/local-array-unsigned-index.cu
labs/03-interleaved/attempts/block-partitioning
labs/03-interleaved/attempts/never-advances
labs/03-interleaved/attempts/unaligned-wide-loads
labs/04-privatization/attempts/early-return
labs/04-privatization/attempts/missing-first-barrier
labs/04-privatization/attempts/missing-second-barrier
labs/04-privatization/attempts/no-zeroing
labs/04-privatization/attempts/plain-commit
labs/06-aggregation/attempts/flushes-to-global
labs/07-global-privatization/attempts/asks-for-too-much
labs/07-global-privatization/attempts/more-blocks-than-copies
labs/08-register-privatization/attempts/indexed-by-the-letter
labs/08-register-privatization/attempts/shuffle-in-the-loop
labs/09-wide-loads/attempts/right-two-loads-ahead
labs/10-many-bins/attempts/asks-for-no-shared-memory
labs/11-compare-and-swap/attempts/every-thread-takes-the-lock
labs/12-bug-hunt/attempts/longer-array-only
tests/corpus/wrong/02-atomic-add/assertion-fails.cu
tests/corpus/wrong/02-atomic-add/atomic-on-local.cu
tests/corpus/wrong/02-atomic-add/division-by-zero.cu
tests/corpus/wrong/02-atomic-add/empty-forever.cu
tests/corpus/wrong/02-atomic-add/every-block-counts-all.cu
tests/corpus/wrong/02-atomic-add/frees-twice.cu
tests/corpus/wrong/02-atomic-add/hidden-by-attribute.cu
tests/corpus/wrong/02-atomic-add/host-file.cu
tests/corpus/wrong/02-atomic-add/launch-bounds-too-small.cu
tests/corpus/wrong/02-atomic-add/shift-by-a-constant.cu
tests/corpus/wrong/02-atomic-add/sixty-kibibytes.cu
tests/corpus/wrong/02-atomic-add/stores-what-the-atomic-made.cu
tests/corpus/wrong/02-atomic-add/unsigned-countdown.cu
tests/corpus/wrong/02-atomic-add/waits-asleep-for-other-blocks.cu
tests/corpus/wrong/02-atomic-add/wild-pointer.cu
tests/corpus/wrong/04-privatization/barriers-in-both-branches.cu
tests/corpus/wrong/04-privatization/all-threads-poll-the-grid.cu
tests/corpus/wrong/04-privatization/local-of-another-thread.cu
tests/corpus/wrong/07-global-privatization/copies-as-a-macro.cu
labs/02-atomic-add/attempts/one-thread-counts-all
labs/04-privatization/attempts/thread-0-counts-for-its-block
tests/corpus/wrong/04-privatization/counts-by-barriers.cu
""".split()

# The ways in which counts are wrong.
SYMPTOMS = {
    "nothing_counted": "labs/03-interleaved/stub.cu",
    "nothing_added": "grader/messages/adds-nothing.cu",
    "last_bins": "labs/04-privatization/attempts/commits-first-threads-only",
    "other_bins": "grader/messages/other-bins.cu",
    "too_many": "labs/02-atomic-add/attempts/brace-counted",
    "too_few": "labs/03-interleaved/attempts/no-stride",
}

# Correct kernels that are slow, and one that is correct only once: they need all cases.
TIMED = """
labs/04-privatization/attempts/last-block-keeps-its-count
labs/06-aggregation/attempts/one-block
labs/13-at-the-limit/attempts/as-in-lab-05
labs/10-many-bins/attempts/a-copy-for-few
tests/corpus/right/04-privatization/commit-by-cas.cu
""".split()


def lab_of(path):
    first = kernel_text(path).split("\n", 1)[0]
    if first.startswith("// lab: "):
        return first.removeprefix("// lab: ")
    return next(part for part in path.relative_to(SOURCE).parts if re.match(r"\d\d-", part))


def graded(name, *more):
    """The kernel's name, its lab's report, and the part of `grade`'s text about the failure."""
    path = SOURCE / name
    path = path / "kernel.cu" if path.is_dir() else path
    lab = lab_of(path)
    with temporary_folder() as folder:
        for place in ("grader", "labs", "tests"):  # the source tree may also have a user's work/
            (folder / place).symlink_to(SOURCE / place)
        report = folder / "report.json"
        done = histolab("grade", lab, "--submission", path.relative_to(SOURCE), "--device",
                        "emulator", "--json", report, *more, cwd=folder,
                        env={**os.environ, "NO_COLOR": "1"})
        check(done.returncode == 1, f"{name}: grade ended with {done.returncode}", done.stderr)
        result = json.loads(report.read_text())["labs"][0] if report.exists() else {}
    begin = done.stdout.find(f"\n{lab}: ")
    end = done.stdout.find("\n\n", begin + 1)
    return name, lab, result, done.stdout[begin + 1:end + 1] if 0 <= begin < end else ""


def remarks(text):
    """The lines of each remark, without the source lines above it."""
    found, lines = [], []
    for line in text.split("\n")[1:]:
        if re.match(r"  \S+\.cu:\d+$", line) or re.match(r"  +(\d+ )?\| ", line) or not line:
            if lines:
                found.append(lines)
            lines = []
        elif not re.match(r"  and \d+ more errors?$", line):
            lines.append(line)
    return found + ([lines] if lines else [])


def look_at(name, result, text):
    check(text, f"{name}: nothing is said of what failed")
    for lines in remarks(text):
        said = "\n  ".join(lines)
        check(len(lines) <= MOST_LINES, f"{name}: more than {MOST_LINES} lines", said)
        check(re.search(r"^  try: \S", "\n".join(lines), re.M), f"{name}: says nothing to try",
              said)
    for line in text.split("\n"):
        check(len(line) <= WIDTH, f"{name}: more than {WIDTH} columns", line)
    for trace in (str(SOURCE), "/usr/", "/home/", tempfile.gettempdir()):
        check(trace not in text, f"{name}: tells of this machine: {trace!r}", text)
    first = next((each for each in result.get("checks", []) if each["status"] == "failed"), None)
    line = (first["line"] if first
            else next((each["line"] for each in result.get("diagnostics", [])), 0))
    check(not line or re.search(rf"\.cu:{line}$", text, re.M), f"{name}: line {line} is not shown",
          text)
    messages = ([each["message"] for each in result.get("diagnostics", [])] +
                [each["message"] for each in result.get("findings", [])])
    for message in messages:
        check(not re.search(r"(was not declared|expected .* before|does not name a type)", message),
              f"{name}: g++'s own words", message)


def main():
    mistakes = sorted({str(path.relative_to(SOURCE))
                       for path in
                       (SOURCE / "grader" / "messages").glob("*.cu")} - set(SYMPTOMS.values()))
    check(len(mistakes) > 60, "grader/messages has lost its kernels", len(mistakes))
    with concurrent.futures.ThreadPoolExecutor(min(4, os.cpu_count() or 1)) as pool:
        done = list(pool.map(lambda name: graded(name, "--quick"),
                             KERNELS + sorted(SYMPTOMS.values()) + mistakes))
        done += list(pool.map(graded, TIMED))
    kinds, checks_seen = set(), set()
    golden = ""
    for name, lab, result, text in done:
        look_at(name, result, text)
        golden += f"== {name}\n{text}\n"
        kinds |= {finding["kind"] for finding in result.get("findings", [])}
        of_lab = {each["id"]: each["kind"]
                  for each in
                  json.loads((SOURCE / "labs" / lab / "lab.json").read_text())["checks"]}
        headline = re.search(r": (\w+) (failed|was not run) \(", text)
        if headline:
            checks_seen.add(of_lab[headline[1]])
        if name in mistakes and result:
            wrong = result["status"] in ("compile_error", "refused") or "the compiler warns" in text
            check(wrong, f"{name}: the compiler has nothing to say of it", text)
    for symptom, name in SYMPTOMS.items():
        _, lab, _, text = next(each for each in done if each[0] == name)
        hints = [each["hints"][symptom]
                 for each in json.loads((SOURCE / "labs" / lab / "lab.json").read_text())["checks"]
                 if symptom in each.get("hints", {})]
        check(any("try: " + hint in " ".join(text.split()) for hint in hints),
              f"{name} does not show {symptom}", text)
    schema = json.loads((SOURCE / "docs" / "report.schema.json").read_text())
    all_kinds = next(enum for enum in enums(schema) if "data_race" in enum)
    kinds |= kinds_of_programs()
    check(kinds >= set(all_kinds), "findings without a message here",
          sorted(set(all_kinds) - kinds))
    all_checks = {each["kind"] for path in SOURCE.glob("labs/*/lab.json")
                  for each in json.loads(path.read_text())["checks"]}
    check(checks_seen >= all_checks, "checks without a message here",
          sorted(all_checks - checks_seen))
    if os.environ.get("HISTOLAB_UPDATE_GOLDEN") == "1":
        GOLDEN.write_text(golden)
    difference = list(difflib.unified_diff(GOLDEN.read_text().splitlines(), golden.splitlines(),
                                           "golden/messages.txt", "now", lineterm="", n=2))
    check(not difference, "not as in the golden file", *difference[:60])
    check.finish()


def enums(schema):
    """All lists of allowed words in a schema."""
    if isinstance(schema, dict):
        if isinstance(schema.get("enum"), list):
            yield schema["enum"]
        for value in schema.values():
            yield from enums(value)
    elif isinstance(schema, list):
        for value in schema:
            yield from enums(value)


main()
