#!/usr/bin/env python3
"""`histolab batch --shard` and `--merge`: shards of a class, graded by independent processes and
merged. The result equals the whole batch, to the byte, times excepted, also after kills, with
overlapping shards, and if a shard is missing. Other seeds and classes are refused.
"""
import json
import os
import re
import shutil
import signal
import sqlite3

from histolab_program import (PATIENCE, SOURCE, Checks, begin_program, command, histolab,
                              journal_rows, temporary_folder, wait_until)

check = Checks()
LABS = ["01-race", "02-atomic-add", "03-interleaved"]
STUDENTS = 14
SEED = 20261128
FORMATS = ["csv", "canvas", "junit"]


def make_class(folder):
    """Solutions, stubs and mistakes; some differ by a comment, some are missing or not text."""
    for lab in LABS:
        source = SOURCE / "labs" / lab
        files = [source / "solution.cu", source / "stub.cu"]
        files += sorted(source.glob("attempts/*/kernel.cu"))[:4]
        texts = [path.read_text() for path in files]
        for number in range(STUDENTS):
            home = folder / f"student{number:02}"
            home.mkdir(parents=True, exist_ok=True)
            if number == 12 and lab == LABS[0]:
                (home / f"{lab}.cu").write_bytes(b"\0\1\2")
            elif number != 13:
                text = texts[number % len(texts)]
                own = f"// {number}\n"  # the same code; every other one has code of its own
                if number % 2 == 0:
                    own = f"namespace {{ const int own_{number} = 0; }}\n"
                (home / f"{lab}.cu").write_text(text + own)
    return folder


def words(folder, out, *more, seed=SEED):
    return ["batch", folder, *LABS, "--out", out, "--seed", seed, *more]


def rows(out, table, columns):
    return journal_rows(out, f"SELECT {columns} FROM {table} ORDER BY 1, 2")


def results(out):
    return rows(out, "result", "student, lab, grading, kernel, status, score, report, sharing, "
                               "coalesce(node, ''), coalesce(dispute, '')")


def content(out):
    """The journal except times."""
    return {"result": results(out),
            "meta": [row for row in rows(out, "meta", "name, value") if row[0] != "checksum"],
            "lab": rows(out, "lab", "position, name, title, max_score, stub, solution"),
            "student": rows(out, "student", "*"),
            "work": rows(out, "work", "*"),
            "source": rows(out, "source", "*"),
            "known_source": rows(out, "known_source", "*")}


def exports(out):
    return {form: histolab("export", out, "--format", form).stdout for form in FORMATS}


def reports(out, folder):
    """The class's page, without times."""
    page = folder / f"{out.name}.html"
    done = histolab("report", out, "--html", page)
    check(done.returncode == 0, f"{out.name}: the page is made", done.stderr)
    return re.sub(r"\d[\d.]* m?s\b", "#", page.read_text()).replace(str(out), "OUT")


def graded(out):
    try:
        return len(results(out))
    except sqlite3.Error:
        return 0


def grade_shards(scratch, folder, count):
    """All shards at once; the first is killed once and resumed."""
    outs = [scratch / f"shard-{number}-of-{count}" for number in range(1, count + 1)]
    jobs = [begin_program(command(*words(folder, out, "--jobs", 1, "--shard", f"{number}/{count}")))
            for number, out in enumerate(outs, 1)]
    wait_until(lambda: graded(outs[0]) >= 2 or jobs[0].poll() is not None)
    check(jobs[0].poll() is None, "the first shard is killed while it grades")
    os.kill(jobs[0].pid, signal.SIGKILL)
    jobs[0].communicate()
    for job in jobs[1:]:
        output, errors = job.communicate(timeout=PATIENCE)
        check(job.returncode == 0, "a shard ends with 0, whatever the marks", errors)
        check(re.search(rf"^shard \d/{count}: (\d+) of \1 submissions graded$", output, re.M),
              "and prints how many it graded", output)
        check(str(SEED) not in output + errors, "the seed stays secret", output, errors)
    resumed = histolab("batch", folder, *LABS, "--out", outs[0], "--resume")
    check(resumed.returncode == 0 and f"shard 1/{count}: " in resumed.stdout,
          "--resume continues the shard", resumed.stdout, resumed.stderr)
    return outs


def check_merge(scratch, folder, whole):
    outs = grade_shards(scratch, folder, 3)
    per_shard = [results(out) for out in outs]
    check(sum(map(len, per_shard)) == STUDENTS * len(LABS), "each submission is in one shard",
          [len(each) for each in per_shard])
    sizes = [len(each) for each in per_shard]
    check(max(sizes) - min(sizes) <= 2 * len(LABS), "and the shards are of similar size", sizes)
    merged = scratch / "merged"
    done = histolab(*words(folder, merged, "--merge", *outs))
    expected = content(whole)
    check(done.returncode == 1, "merged: the exit code is the class's", done.stderr)
    check("no mark yet" not in done.stderr, "and nothing is graded again", done.stderr)
    for out, each in zip(outs, per_shard):
        check(f"{out}: {len(each)} result" in done.stderr, "each shard's results are counted",
              done.stderr)
    for table, found in content(merged).items():
        check(found == expected[table], f"merged: {table} equals the whole batch's, to the byte",
              [pair for pair in zip(found, expected[table]) if pair[0] != pair[1]][:2])
    check(exports(merged) == exports(whole), "and so do the exports")
    check(reports(merged, scratch) == reports(whole, scratch), "and the page, times excepted")
    check(done.stdout.replace(str(merged), "OUT") ==
          histolab(*words(folder, whole, "--resume")).stdout.replace(str(whole), "OUT"),
          "and the table", done.stdout)
    again = histolab(*words(folder, merged, "--resume", "--merge", outs[1]))
    check("0 results; " in again.stderr and "already there" in again.stderr,
          "a shard that is merged twice changes nothing", again.stderr)
    check(content(merged)["result"] == expected["result"], "the results stay")
    return outs


def check_missing(scratch, folder, whole, outs):
    """A shard that never ran: its submissions are graded by the merge, or by smaller shards."""
    merged = scratch / "one-missing"
    done = histolab(*words(folder, merged, "--merge", outs[0], outs[2]))
    count = len(results(outs[1]))
    check(done.returncode == 1 and f"{count} submissions have no mark yet, and are graded here" in
          done.stderr, "a missing shard is graded by the merge", done.stderr)
    check(results(merged) == results(whole), "with the same results")
    halves = [scratch / "half-2", scratch / "half-5"]
    for number, out in zip((2, 5), halves):
        histolab(*words(folder, out, "--shard", f"{number}/6"))
    merged = scratch / "with-halves"
    done = histolab(*words(folder, merged, "--merge", outs[0], outs[2], *halves))
    check("no mark yet" not in done.stderr, "2/6 and 5/6 are 2/3", done.stderr)
    check(results(merged) == results(whole), "with the same results, too")


def check_refused(scratch, folder, outs):
    out = scratch / "refused"
    for more, seed, expected in (
            (["--shard", "4/3"], SEED, "write I/N"),
            (["--shard", "1/3", "--engine", "slurm"], SEED, "--shard needs --engine local"),
            (["--shard", "1/3", "--merge", outs[0]], SEED, "no --shard"),
            (["--merge", scratch / "nowhere"], SEED, "has no journal"),
            (["--merge", outs[0]], SEED + 1, "another --seed"),
            (["--merge", outs[0], "--engine", "slurm"], SEED, "--merge needs --engine local")):
        done = histolab(*words(folder, out, *more, seed=seed))
        check(done.returncode == 2 and expected in done.stderr, f"{more[:2]} is refused",
              done.returncode, done.stderr)
        check(str(SEED) not in done.stderr, "without the seed", done.stderr)
        shutil.rmtree(out, ignore_errors=True)
    for option in (["--shard", "1/3"], ["--merge", outs[0]]):
        done = histolab("batch", folder, *LABS, "--out", out, *option)
        check(done.returncode == 2 and "the same --seed" in done.stderr and not out.exists(),
              f"{option[0]} needs a seed", done.returncode, done.stderr)
    other = histolab(*words(folder, outs[0], "--resume", "--shard", "2/3"))
    check(other.returncode == 2 and "has the results of shard 1/3" in other.stderr,
          "a shard stays that shard", other.stderr)
    into = histolab(*words(folder, outs[0], "--resume", "--merge", outs[1]))
    check(into.returncode == 2 and "--out of its own" in into.stderr, "no merge into a shard",
          into.stderr)


def check_other_class(scratch, folder, outs):
    """A submission that changed after the shards: its old result does not count."""
    changed = scratch / "changed"
    shutil.copytree(folder, changed)
    path = changed / "student00" / f"{LABS[0]}.cu"
    path.write_text(path.read_text() + "// later\nnamespace { const int later = 1; }\n")
    merged = scratch / "of-changed"
    done = histolab(*words(changed, merged, "--merge", *outs))
    check("1 of another class" in done.stderr and "1 submission has no mark yet" in done.stderr,
          "only the changed submission is graded again", done.stderr)


def check_forged(scratch, folder, whole, outs):
    """A shard's journal with better marks than its reports have."""
    forged = scratch / "forged"
    shutil.copytree(outs[0], forged)
    with sqlite3.connect(forged / "journal.sqlite") as journal:
        journal.execute("UPDATE result SET score = 10, status = 'passed', checksum = NULL "
                        "WHERE status = 'failed'")
        count = journal.execute("SELECT changes()").fetchone()[0]
    check(count > 0, "a failed submission is forged")
    merged = scratch / "of-forged"
    done = histolab(*words(folder, merged, "--merge", forged, *outs[1:]))
    check(f"{count} damaged" in done.stderr, "its rows do not count", done.stderr)
    check(results(merged) == results(whole), "and are graded again")


def check_dispute(scratch, folder, outs):
    other = scratch / "disagrees"
    shutil.copytree(outs[0], other)
    with sqlite3.connect(other / "journal.sqlite") as journal:
        student, lab, report = journal.execute(
            "SELECT student, lab, report FROM result WHERE status = 'passed'").fetchone()
        report = json.loads(report)
        report["title"] = "another title"
        journal.execute("UPDATE result SET report = ?, checksum = NULL "
                        "WHERE student = ? AND lab = ?", (json.dumps(report) + "\n", student, lab))
    merged = scratch / "disputed"
    done = histolab(*words(folder, merged, "--merge", *outs, other))
    check("1 not like the one already there" in done.stderr, "a disagreement is reported",
          done.stderr)
    kept = [row for row in results(merged) if row[:2] == (student, lab)][0]
    check(kept[4] == "needs_review" and "two machines do not agree" in kept[6],
          "and left to a person", kept)


def main():
    with temporary_folder(prefix="histolab-shards-") as scratch:
        class_ = make_class(scratch / "class")
        whole = scratch / "whole"
        done = histolab(*words(class_, whole, "--jobs", 2))
        check(done.returncode == 1, "the whole class is graded", done.stderr)
        outs = check_merge(scratch, class_, whole)
        check_missing(scratch, class_, whole, outs)
        check_refused(scratch, class_, outs)
        check_other_class(scratch, class_, outs)
        check_forged(scratch, class_, whole, outs)
        check_dispute(scratch, class_, outs)
    check.finish()


if __name__ == "__main__":
    main()
