#!/usr/bin/env python3
"""Reads reports and a journal of earlier versions (grader/testdata), and those of a later one as
far as docs/versions.md promises."""
import csv
import io
import json
import sqlite3

from histolab_program import SOURCE, Checks, histolab, put, temporary_folder
from schemas import problems, validator_of

check = Checks()
RESULTS = SOURCE / "grader" / "testdata" / "results"
FORMATS = ("csv", "canvas", "gradescope", "prairielearn", "exercism", "junit")
FOR_ONE_STUDENT = ("gradescope", "prairielearn", "exercism")


def scores_of(export):
    """{student: {lab: score}} of `export --format csv`, without results that have no mark."""
    rows = list(csv.DictReader(io.StringIO(export)))
    return {row.pop("student"): {lab: float(score) for lab, score in row.items()
                                 if score and lab[:2].isdigit()} for row in rows}


def exported(results, *arguments, cwd):
    done = histolab("export", results, *arguments, cwd=cwd)
    check(done.returncode == 0, f"{results.name}: export {arguments} ended with {done.returncode}",
          done.stderr)
    return done.stdout


def with_keys_of_tomorrow(value):
    if isinstance(value, list):
        return [with_keys_of_tomorrow(each) for each in value]
    if isinstance(value, dict):
        return {**{key: with_keys_of_tomorrow(each) for key, each in value.items()},
                "unheard_of": {"more": 1}}
    return value


def try_report(path, folder):
    report = json.loads(path.read_text())
    found = problems(validator_of("report"), report)
    check(not found, f"{path.name} is not what docs/report.schema.json says", *found[:5])
    table = exported(path, "--format", "csv", cwd=folder)
    marks = {lab["lab"]: lab["score"] for lab in report["labs"] if lab["score"] is not None}
    check(list(scores_of(table).values()) == [marks], f"{path.name}: its marks are exported", table,
          marks)
    for name in FORMATS:
        check(exported(path, "--format", name, cwd=folder), f"{path.name}: {name} says nothing")

    newer = folder / path.name
    newer.write_text(json.dumps(with_keys_of_tomorrow(report)))
    check(exported(newer, "--format", "csv", cwd=folder) == table,
          f"{path.name}: keys that nobody knows are passed over")
    newer.write_text(json.dumps({**report, "schema": "histolab/report/2"}))
    refused = histolab("export", newer, "--format", "csv", cwd=folder)
    check(refused.returncode == 2 and "expected histolab/report/1" in refused.stderr,
          "a report of another schema is refused", refused.stderr)
    refused = histolab("grade", "--replay", path, cwd=folder)
    check(refused.returncode == 2,
          f"{path.name}: what was graded is not here, or was graded by another version",
          refused.stdout, refused.stderr)


def restored(folder):
    """The journal as the version with schema 1 left it."""
    folder.mkdir()
    path = folder / "journal.sqlite"
    with sqlite3.connect(path) as journal:
        journal.executescript((RESULTS / "journal-1.sql").read_text())
    journal.close()
    return path


def one_value(path, question):
    with sqlite3.connect(path) as journal:
        found = journal.execute(question).fetchone()[0]
    journal.close()
    return found


def try_journal(folder):
    out = folder / "out"
    path = restored(out)
    before = {each.name: each.read_bytes() for each in out.iterdir()}
    check(one_value(path, "PRAGMA user_version") == 1, "the journal is of schema 1")
    marks = scores_of(exported(out, "--format", "csv", cwd=folder))
    check(marks == {"ada": {"02-atomic-add": 10}, "bob": {"02-atomic-add": 0},
                    "eve": {"02-atomic-add": 0}}, "the class's marks", marks)
    for name in FORMATS:
        exported(out, "--format", name, *(["--student", "ada"] if name in FOR_ONE_STUDENT else []),
                 cwd=folder)
    page = histolab("report", out, "--html", "-", cwd=folder)
    check(page.returncode == 0 and "ada" in page.stdout and "data_race" in page.stdout,
          "the class's page", page.stdout[:500], page.stderr)
    check({each.name: each.read_bytes() for each in out.iterdir()} == before,
          "reading changes nothing")

    put(folder / "class" / "ada" / "02-atomic-add.cu",
        (SOURCE / "labs" / "02-atomic-add" / "solution.cu").read_text())
    resumed = histolab("batch", folder / "class", "02", "--out", out, "--resume", cwd=folder)
    check(resumed.returncode == 0, "the class goes on", resumed.stdout, resumed.stderr)
    check(one_value(path, "PRAGMA user_version") == 4,
          "a batch that resumes the journal updates its schema")
    check(one_value(path, "SELECT count(*) FROM result WHERE node IS NULL") >= 3,
          "and keeps every result")


with temporary_folder() as folder:
    reports = sorted(RESULTS.glob("report-*.json"))
    check(len(reports) >= 3, "there are old reports", reports)
    for path in reports:
        try_report(path, folder)
    try_journal(folder)
check.finish()
