#!/usr/bin/env python3
"""grader/attacks: each attack gets the verdict that it must and reaches nothing, and the next
submission gets full marks.

    attacks_test.py                          all attacks, on every tier that this machine has
    attacks_test.py --tier full NAME...      attacks with one of these words in their names
    attacks_test.py --all                    on the second tier also the slow ones

On the first tier each kernel's verdict is replayed: it must be the same to the byte.

A kernel is graded together with the solution of the next lab (the first, after the last), in one
process and by one job, so that the solution follows it. A class is graded by `histolab batch`
together with two honest students. A program runs by `histolab exec`, and then a right one does.
Traps surround each run (attack_traps.py): each trap that is triggered is reported.
"""
import argparse
import concurrent.futures
import functools
import json
import os
import sqlite3
import sys
import time

from attack_corpus import Malformed, read_corpus
from attack_traps import Traps
from histolab_program import SOURCE, histolab, journal_rows, skip, skip_part
from schemas import problems, validator_of

SEED = 20261123  # of the course; attackers do not know it
LABS = sorted(path.name for path in (SOURCE / "labs").iterdir() if (path / "lab.json").exists())
HONEST = ("ada", "zoe")
RIGHT_PROGRAM = SOURCE / "tests" / "programs" / "right" / "launches-in-3d.cu"


def solution_of(lab):
    return (SOURCE / "labs" / lab / "solution.cu").read_text(encoding="utf-8")


def strings(value):
    if isinstance(value, str):
        yield value
    elif isinstance(value, (list, dict)):
        for each in value.values() if isinstance(value, dict) else value:
            yield from strings(each)


def unexpected(attack, lab):
    """The differences between a lab's verdict and attack.json."""
    found, expected = [], attack.expected
    told = " ".join(strings({key: lab[key] for key in lab if key != "submission"}))
    if lab["status"] not in expected.statuses:
        found.append(f"the verdict is {lab['status']}")
    if (lab["score"] or 0) > expected.score:  # no score for needs_review
        found.append(f"it got {lab['score']} points")
    if expected.message not in told:
        found.append(f"the verdict does not say \"{expected.message}\": {told[:300]}")
    if expected.finding and expected.finding not in [each["kind"] for each in lab["findings"]]:
        found.append(f"there is no finding {expected.finding}: {told[:300]}")
    return found


def replayed(attack, tier, traps):
    """Grades the attack again from its report. Returns the differences: not a byte may differ."""
    run = traps.run("grade", "--replay", "report.json", attack.lab, tier=tier)
    said = run.out.decode(errors="replace")
    same = run.status == 0 and f"{attack.lab}: the same, to the byte" in said
    return (traps.sprung(run) +
            ([] if same
             else [f"a replay is not the same: {said}{run.err[-300:].decode(errors='replace')}"]))


def run_kernel(attack, tier, traps, replays):
    recipe = attack.recipe()
    text = (recipe.kernel(traps) if recipe
            else traps.filled_in(attack.source.read_text(encoding="utf-8",
                                                         errors="surrogateescape")))
    following = LABS[(LABS.index(attack.lab) + 1) % len(LABS)]
    (traps.handed_in / f"{attack.lab}.cu").write_text(text, encoding="utf-8",
                                                      errors="surrogateescape")
    (traps.handed_in / f"{following}.cu").write_text(solution_of(following), encoding="utf-8")
    quick = ["--quick"] if attack.cases == "quick" else []
    run = traps.run("grade", attack.lab, following, "--submission", traps.handed_in, "--json",
                    "report.json", "--seed", SEED, "--jobs", 1, "--device", "emulator", *quick,
                    tier=tier)
    found = traps.sprung(run)
    try:
        report = json.loads((traps.cwd / "report.json").read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        return run, [*found,
                     f"there is no report: {error}; {run.err[-300:].decode(errors='replace')}"]
    found += [f"report.json: {each}" for each in problems(REPORT, report)]
    if report["sandbox"]["tier"] != tier:
        found.append(f"the sandbox was {report['sandbox']['tier']}")
    if run.status != 1:
        found.append(f"the exit status is {run.status}")
    innocent = next(lab for lab in report["labs"] if lab["lab"] == following)
    attacker = next(lab for lab in report["labs"] if lab["lab"] == attack.lab)
    if not has_full_mark(innocent):
        found.append(f"the next submission got {innocent['score']} of {innocent['max_score']} "
                     f"points ({innocent['status']})")
    found += unexpected(attack, attacker)
    # a replay then needs answers
    has_quiz = any(check["id"] == "quiz" for check in attacker["checks"])
    return run, found + (replayed(attack, tier, traps) if replays and not has_quiz else [])


def has_full_mark(lab):
    """Ignores the lab's questions, which are not answered here."""
    return all(check["status"] == "passed" for check in lab["checks"] if check["id"] != "quiz")


def marks_in(out):
    """{(student's name, key): (problem, the lab's result or None)} for one lab."""
    rows = journal_rows(out, "SELECT student.name, student.key, student.problem || ' ' || "
                             "coalesce(work.problem, ''), result.report FROM student LEFT JOIN "
                             "work ON work.student = student.key LEFT JOIN result ON "
                             "result.student = work.student AND result.lab = work.lab AND "
                             "result.grading = work.grading")
    return {(name, key): (problem, json.loads(report) if report else None)
            for name, key, problem, report in rows}


def run_class(attack, tier, traps, _):
    lab = attack.lab
    class_ = attack.recipe().make(traps.handed_in, traps) or traps.handed_in
    if class_.is_dir():
        for name in HONEST:
            (class_ / name).mkdir(exist_ok=True)
            (class_ / name / f"{lab}.cu").write_text(solution_of(lab) + f"__device__ int {name};\n")
    run = traps.run("batch", class_, lab, "--out", "out", "--seed", SEED, "--jobs", 2, tier=tier)
    found = traps.sprung(run)
    if run.status not in (0, 1, 2):
        found.append(f"the exit status is {run.status}")
    try:
        marks = marks_in(traps.cwd / "out")
    except (sqlite3.Error, ValueError) as error:
        return run, [*found,
                     f"there is no journal: {error}; {run.err[-300:].decode(errors='replace')}"]
    for name in HONEST:
        _, result = marks.pop(next((each for each in marks if each[0] == name), None), ("", None))
        if result is None or not has_full_mark(result):
            found.append(f"{name} got {'nothing' if result is None else result['score']}")
    said = " ".join(problem for problem, _ in marks.values()) + run.err.decode(errors="replace")
    if attack.expected.problem not in said:
        found.append(f"nobody is told \"{attack.expected.problem}\": {said[:300]}")
    for (_, key), (_, result) in marks.items():
        found += [f"{key!r}: {each}" for each in (unexpected(attack, result) if result else [])]
    return run, found


def run_whole_program(attack, tier, traps, _):
    source = traps.handed_in / "program.cu"
    source.write_text(traps.filled_in(attack.source.read_text(encoding="utf-8")), encoding="utf-8")
    run = traps.run("exec", source, "--json", "run.json", tier=tier)
    found = traps.sprung(run, owns_output=attack.layer != "text")
    said = run.err.decode(errors="replace")
    try:
        report = json.loads((traps.cwd / "run.json").read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        return run, [*found, f"there is no report: {error}; {said[-300:]}"]
    expected = attack.expected
    if ("passed" if run.status == 0 else "failed") not in expected.statuses:
        found.append(f"the exit status is {run.status}")
    kinds = [each["kind"] for each in report["findings"] + report["host_findings"]]
    if expected.finding and expected.finding not in kinds:
        found.append(f"there is no finding {expected.finding}, but {kinds}: {said[-300:]}")
    if expected.message not in said:
        found.append(f"the summary does not say \"{expected.message}\": {said[-300:]}")
    following = traps.run("exec", RIGHT_PROGRAM, tier=tier)
    if following.status != 0:
        found.append(f"the next program ended with {following.status}: {following.err[-300:]}")
    return run, found


def run(attack, tier, replays):
    started = time.monotonic()
    with Traps() as traps:
        try:
            ways = {"class": run_class, "program": run_whole_program}
            done, found = ways.get(attack.way, run_kernel)(attack, tier, traps, replays)
        except Exception as error:  # in one attack; the others must still run
            return attack, None, [f"{type(error).__name__}: {error}"], time.monotonic() - started
        return attack, done, found, time.monotonic() - started


def tiers_here():
    """The tiers that `full` and `reduced` really give here."""
    tiers = []
    for tier in ("full", "reduced"):
        told = histolab("run", "01", "--length", 16, "--json",
                        env={**os.environ, "HISTOLAB_SANDBOX": tier}).stdout
        if told and json.loads(told)["sandbox"]["tier"] == tier:
            tiers.append(tier)
    return tiers


def try_all(attacks, tier, jobs, replays):
    """Returns the number of attacks and the names of those that hold. Reports the others."""
    held, failures = [], 0
    with concurrent.futures.ProcessPoolExecutor(jobs) as pool:
        for attack, done, found, seconds in pool.map(functools.partial(run, tier=tier,
                                                                       replays=replays), attacks):
            known = attack.not_on_reduced if tier == "reduced" else ""
            word = "contained" if not found else "known not to hold" if known else "NOT CONTAINED"
            print(f"{tier:8} {attack.name:44} {word:18} {seconds:6.2f} s  "
                  f"{done.peak_kb // 1024 if done else 0:4} MiB", flush=True)
            for each in found:
                print("   ", each)
            if not found:
                held.append(attack.name)
            failures += bool(found) != bool(known)
            if known and not found:
                print("    holds now: take \"not_on_reduced\" out of its attack.json")
    return held, failures


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tier", action="append", choices=["full", "reduced"])
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("words", nargs="*", metavar="NAME")
    options = parser.parse_args()
    try:
        corpus = read_corpus()
    except Malformed as error:
        print("FAILED:", error)
        return 1
    here = tiers_here()
    tiers = [tier for tier in options.tier or ("full", "reduced") if tier in here]
    if not tiers:
        skip("this machine has none of the sandbox's tiers; `histolab doctor` says why")
    wanted = [attack for attack in corpus if not options.words or
              any(word in attack.name for word in options.words)]
    failures, summary = 0, []
    for tier in tiers:
        tried = [attack for attack in wanted
                 if attack.way != "gpu" and
                 not (attack.slow and tier != tiers[0] and not options.all)]
        held, failed = try_all(tried, tier, options.jobs, replays=tier == tiers[0])
        failures += failed
        left_out = [attack.name for attack in wanted if attack.way != "gpu" and attack not in tried]
        summary.append(f"{len(held)}/{len(tried)} contained on {tier}" +
                       (f"; tried on {tiers[0]} only: {', '.join(left_out)}" if left_out else ""))
        if missing := [attack.name for attack in tried if attack.name not in held]:
            summary.append(f"  not: {', '.join(missing)}")
    for attack in wanted:
        if attack.way == "gpu":
            skip_part(f"{attack.name} needs a GPU; grader_gpu_test tries it on one (ctest -L gpu)")
    for tier in ("full", "reduced"):
        if tier not in here:
            skip_part(f"this machine cannot have the tier {tier}; `histolab doctor` says why")
    print(*summary, sep="\n")
    print("failed:", failures)
    return 1 if failures else 0


if __name__ == "__main__":
    REPORT = validator_of("report", written_now=True)
    sys.exit(main())
