"""Shared by the tests of `batch --engine slurm`: classes, their results by the local engine and
by tasks, and observers."""
import os
import signal
import sqlite3
import sys
import time

import histolab_program
from histolab_program import (PATIENCE, PROGRAM, SOURCE, Checks, attempts_of, begin_program,
                              journal_rows, kernel_text, run_program, skip, wait_until)
from slurm_cluster import why_not

check = Checks()
LABS = ["01-race", "02-atomic-add", "03-interleaved", "04-privatization", "05-coarsening",
        "06-aggregation"]
SEED = 20261124


def need_slurm():
    """Skips the test if no Slurm can be started. With HISTOLAB_REQUIRE_SLURM=1 it fails instead."""
    why = why_not()
    if why and os.environ.get("HISTOLAB_REQUIRE_SLURM"):
        print("FAILED: no Slurm can be started here:", why)
        sys.exit(1)
    if why:
        skip(why)


def make_class(folder, students, labs):
    """Solutions, stubs and all kinds of faulty submissions, each with unique source text. Some
    students submit nothing, some no text."""
    for lab in labs:
        found = SOURCE / "labs" / lab
        texts = [kernel_text(path)
                 for path in [found / "solution.cu", found / "stub.cu", *attempts_of(found)]]
        for number in range(students):
            home = folder / f"student{number:03}"
            home.mkdir(parents=True, exist_ok=True)
            if number % 20 == 19 and lab == labs[0]:
                (home / f"{lab}.cu").write_bytes(b"\0\1\2")
            elif number % 20 != 18:
                (home / f"{lab}.cu").write_text(f"{texts[number % len(texts)]}\n"
                                                f"namespace {{ [[maybe_unused]] int own_{number}; "
                                                f"}}\n")
    return folder


def told(out):
    """The journal's content except times and nodes."""
    rows = journal_rows(out, "SELECT work.student, work.lab, work.grading, work.sharing, "
                             "result.status, result.score, result.report FROM work LEFT JOIN "
                             "result ON result.student = work.student AND result.lab = work.lab "
                             "AND result.grading = work.grading ORDER BY 1, 2")
    labs = journal_rows(out, "SELECT name, title, max_score, stub, solution FROM lab ORDER BY "
                             "position")
    twice = journal_rows(out, "SELECT count(*) FROM (SELECT student, lab FROM result GROUP BY "
                              "student, lab HAVING count(*) > 1)")[0][0]
    return rows, labs, twice


def nodes(out):
    return {row[0] for row in journal_rows(out, "SELECT DISTINCT node FROM result")}


def done(out):
    try:
        return journal_rows(out, "SELECT count(*) FROM result")[0][0]
    except sqlite3.Error:
        return 0


def command(folder, labs, out, *more):
    return histolab_program.command("batch", folder, *labs, "--out", out, "--seed", SEED, *more)


def run(words, cluster=None, timeout=PATIENCE):
    return run_program(words, env=cluster.environment if cluster else None, timeout=timeout)


def begin(words, cluster):
    return begin_program(words, env=cluster.environment, start_new_session=True,
                         preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))


def exported(out, form):
    return run([str(PROGRAM), "export", str(out), "--format", form]).stdout


def in_queue(cluster):
    return cluster.ask("squeue", "-h", "-r", "--all", "-o", "%i %T %N %r").stdout.split("\n")[:-1]


def wait(condition, what):
    check(wait_until(condition, pause=0.05), f"{what} within {PATIENCE} s")


class Case:
    """One class, graded here once by the local engine. Every scenario must end with the same
    results."""

    def __init__(self, scratch, cluster, name, students, labs, *more):
        self.scratch, self.cluster, self.labs, self.more = scratch, cluster, labs, more
        self.folder = make_class(scratch / f"class-{name}", students, labs)
        self.works = students * len(labs)
        local = scratch / f"local-{name}"
        begin_time = time.monotonic()
        here = run(command(self.folder, labs, local, "--jobs", 2))
        self.local_seconds = time.monotonic() - begin_time
        check(here.returncode == 1, "the local engine grades the class", here.stderr)
        self.code, self.output = here.returncode, here.stdout
        self.expected, self.csv = told(local), exported(local, "csv")
        self.local = local

    def words(self, out, *more):
        return command(self.folder, self.labs, out, "--engine", "slurm", *self.more, *more)

    def equal(self, out, what):
        rows, labs, twice = told(out)
        different = [(mine[:2], mine[4:6], theirs[4:6])
                     for mine, theirs in zip(rows, self.expected[0]) if mine != theirs]
        check(rows == self.expected[0] and len(rows) == self.works,
              f"{what}: all {self.works} results are those of the local engine, to the byte",
              len(rows), different[:3])
        check(labs == self.expected[1], f"{what}: and what solutions came to")
        check(twice == 0, f"{what}: and nothing is there twice", twice)
        check(exported(out, "csv") == self.csv, f"{what}: and the exports are the same")
        check(not (out / "slurm").exists(), f"{what}: nothing of the tasks is left")
