#!/usr/bin/env python3
"""Kernels of other authors than the course's: each one in tests/corpus must get the verdict in its
first line.

    // expect: passed
    // expect: passed slow=faster           right, but slower than the lab wants: only faster fails
    // expect: failed data_race histo 12    status, finding's kind, variable, line; - for none
    // expect: failed - - - check=coalesced a mistake without a finding: the first check that fails
    // expect: compile_error - - 4          the line of the compiler's first error
    // expect: refused

right/ and wrong/ hold what is right and what is wrong. limits/ holds right kernels that this
version of the emulator cannot judge: the first line is today's wrong verdict, the second, `//
limit: ...`, says what is missing. The day that one of them passes the test says so; it then belongs
in right/.

Words may be alternatives: 12|15. The line is one of the finding's two; 12/15 are both. There must
be no other finding, unless the word `more` allows it: some mistakes have two causes. More words may
follow: with `first` the finding comes before all others, with `says=WORD` its message contains
WORD. With `explains=WORD` the message of the first check that fails does. A wrong kernel is graded
with --quick; with `whole` all cases run.

The labs' solutions, their right attempts and the kernels in right/ are also graded with one barrier
removed at a time. Each such mutant must fail, unless a comment behind the barrier says why it
passes:

    __syncthreads();  // not needed: REASON      the kernel is right without it

`corpus_test.py [PART...]` takes only files whose path has a PART.
"""
import concurrent.futures
import dataclasses
import itertools
import json
import pathlib
import re
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "grader" / "tests"))
from histolab_program import (SOURCE, attempts_of, histolab, kernel_text,  # noqa: E402
                              temporary_folder)

CORPUS = SOURCE / "tests" / "corpus"
COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
BARRIER = re.compile(r"\b(?:__syncthreads|__syncwarp|\w+\.sync|cg::sync)\([^;]*\);"
                     r"(?=(?P<survives>[ \t]*// not needed: )?)")
SEEDS = (1, 7, 99)  # by turns


def among(value, words):
    return str(value if value not in (None, "") else "-") in words.split("|")


def at_line(finding, words):
    """Is the finding at one of these lines, or pairs of lines?"""
    lines = [finding["line"], finding["other_line"]]
    return any(sorted(map(str, lines)) == sorted(word.split("/")) if "/" in word
               else among(lines[0], word) or among(lines[1], word)
               for word in words.split("|"))


def disagreement(kernel, report, errors):
    """Returns the difference to the kernel's first line, or an empty text."""
    first, second, *_ = kernel.read_text(encoding="utf-8").split("\n", 2) + [""]
    if not first.startswith("// expect: "):
        return "has no `// expect:` in its first line"
    is_limit = kernel.parts[-3] == "limits"
    if is_limit and not second.startswith("// limit: "):
        return "has no `// limit:` in its second line"
    words = first.removeprefix("// expect: ").split()
    if not report:
        return "no report: " + errors
    lab = report["labs"][0]
    findings = [finding for finding in lab["findings"] if finding["severity"] == "error"]
    got = "; got " + " ".join([lab["status"]] + [
        f"{f['kind']} {f['variable'] or '-'} {f['line']}|{f['other_line']}: {f['message']};"
        for f in findings] + [
        f"{c['id']} {c['status']}: {c['message']};" for c in lab["checks"]
        if c["status"] != "passed"] + [
        f"{d['line']}: {d['message']};" for d in lab["diagnostics"][:2]])
    if is_limit and lab["status"] == "passed" and lab["score"] == lab["max_score"]:
        return "now passes: move it to right/, with `// expect: passed` and without its second line"
    slow = next((word.removeprefix("slow=") for word in words[1:] if word.startswith("slow=")),
                None)
    if slow is not None:
        failing = [entry["id"] for entry in lab["checks"] if entry["status"] != "passed"]
        return "" if failing == [slow] and not findings else f"expected {slow} alone to fail" + got
    if lab["status"] != words[0]:
        return "expected " + words[0] + got + (lab["message"] or "")
    if words[0] == "passed":
        if lab["score"] != lab["max_score"]:
            return "expected full marks" + got
        # Lab 01 is about the race: its right kernels have that finding and no other.
        if any(finding["kind"] != "data_race" or
               not lab["lab"].startswith("01") for finding in findings):
            return "expected no findings" + got
        return ""
    if words[0] == "refused":
        return ""
    kind, variable, line = words[1:4]
    options = words[4:]
    if words[0] == "compile_error":
        told = [entry for entry in lab["diagnostics"] if entry["severity"] == "error"]
        return ("" if line == "-" or
                (told and among(told[0]["line"], line))
                else f"expected an error in line {line}" + got)
    check = next((option.removeprefix("check=") for option in options
                  if option.startswith("check=")), None)
    # those that failed come first
    in_doubt = [entry for entry in lab["checks"] if entry["status"] != "passed"]
    failing = next(iter(sorted(in_doubt, key=lambda entry: entry["status"] != "failed")),
                   {"id": None, "message": ""})
    if check is not None and failing["id"] != check:
        return f"expected check {check} to fail first" + got
    explains = next((option.removeprefix("explains=") for option in options
                     if option.startswith("explains=")), "")
    if explains not in failing["message"]:
        return f"expected a check that explains {explains}" + got
    if kind == "-":
        return ("expected no findings" + got
                if findings and "more" not in options and lab["lab"][:2] != "01" else "")
    fits = [finding for finding in findings if among(finding["kind"], kind)
            and (variable == "-" or among(finding["variable"], variable))
            and (line == "-" or at_line(finding, line))]
    if not fits:
        return "expected " + " ".join(words[1:4]) + got
    if "first" in options and fits[0] is not findings[0]:
        return "expected it as the first finding" + got
    says = next((option.removeprefix("says=") for option in options if option.startswith("says=")),
                None)
    if says is not None and says not in fits[0]["message"]:
        return f"expected a message that says {says}" + got
    if len(findings) > 1 and "more" not in options and lab["lab"][:2] != "01":
        return "expected one finding" + got
    return ""


def grade(lab, kernel, *flags):
    """Returns the verdict, or None, and the standard error."""
    with temporary_folder() as folder:
        out = folder / "report.json"
        done = histolab("grade", lab, "--submission", kernel, "--json", out, "-j", 1, *flags)
        report = json.loads(out.read_text(encoding="utf-8")) if out.exists() else None
        return report, done.stderr.strip()


def judge(kernel):
    first_line = kernel.read_text(encoding="utf-8").split("\n", 1)[0]
    whole = kernel.parts[-3] != "wrong" or "whole" in first_line.split()
    return disagreement(kernel, *grade(kernel.parent.name, kernel, *([] if whole else ["--quick"])))


@dataclasses.dataclass(frozen=True)
class WithoutBarrier:
    """A right kernel with one barrier removed."""
    kernel: pathlib.Path
    lab: str
    line: int
    text: str
    survives: bool  # a comment says so
    seed: int

    def __str__(self):
        kernel = self.kernel.relative_to(SOURCE)
        return f"{kernel} without the barrier in line {self.line}, seed {self.seed}"

    def judge(self):
        """Returns what is wrong with the verdict; empty if it is right."""
        first_line = self.text.split("\n", 1)[0]
        slow = re.search(r" slow=(\S+)", first_line)
        with temporary_folder() as folder:
            mutant = folder / "kernel.cu"
            mutant.write_text(self.text, encoding="utf-8")
            # All cases are only needed if the quick ones pass. The result of two conflicting blocks
            # depends on
            # the seed, so a mutant that should fail also runs with the other seeds.
            runs = [(self.seed, ["--quick"]), (self.seed, [])]
            runs += [(seed, []) for seed in SEEDS if seed != self.seed and not self.survives]
            for seed, flags in runs:
                report, errors = grade(self.lab, mutant, "--seed", seed, *flags)
                lab = report["labs"][0] if report else {"status": errors, "checks": []}
                failed = [check["id"] for check in lab["checks"]
                          if check["status"] == "failed" and check["id"] != (slow and slow[1])]
                if lab["status"] not in ("passed", "failed"):
                    return "got " + lab["status"]
                if failed:
                    drop = f"fails {failed}: drop the comment behind the barrier"
                    return drop if self.survives else ""
        return ("" if self.survives
                else "passes: if it should, a comment behind the barrier says why")


def without_barriers():
    right = [(path, path.parent.name)
             for path in [*CORPUS.glob("right/*/*.cu"), *SOURCE.glob("labs/*/solution.cu")]]
    for path in itertools.chain.from_iterable(map(attempts_of, SOURCE.glob("labs/*"))):
        expected = json.loads(path.with_name("expect.json").read_text(encoding="utf-8"))
        if expected["status"] == "passed":
            right.append((path, path.parents[2].name))
    seeds = itertools.cycle(SEEDS)
    for path, lab in sorted(right):
        text = kernel_text(path)
        comments = [comment.span() for comment in COMMENT.finditer(text)]
        for barrier in BARRIER.finditer(text):
            if not any(begin <= barrier.start() < end for begin, end in comments):
                mutant = text[:barrier.start()] + ";" + text[barrier.end():]
                line = text.count("\n", 0, barrier.start()) + 1
                survives = barrier["survives"] is not None
                yield WithoutBarrier(path, lab, line, mutant, survives, next(seeds))


def main():
    parts = sys.argv[1:]
    def is_wanted(path):
        return not parts or any(part in str(path) for part in parts)
    kernels = sorted(k for k in CORPUS.glob("*/*/*.cu") if is_wanted(k))
    mutants = [mutant for mutant in without_barriers() if is_wanted(mutant.kernel)]
    began = time.monotonic()
    with concurrent.futures.ThreadPoolExecutor(max_workers=2) as pool:
        results = [*pool.map(judge, kernels), *pool.map(WithoutBarrier.judge, mutants)]
    failed = 0
    for kernel, result in zip([*(k.relative_to(SOURCE) for k in kernels), *mutants], results):
        if result:
            failed += 1
            print(f"DISAGREES {kernel}: {result}\n")
    print(f"{len(kernels)} kernels and {len(mutants)} without a barrier, {failed} disagree, "
          f"{time.monotonic() - began:.0f} s")
    return 1 if failed or not kernels + mutants else 0


if __name__ == "__main__":
    sys.exit(main())
