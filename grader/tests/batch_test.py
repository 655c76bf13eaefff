#!/usr/bin/env python3
"""`histolab batch`, end to end: a class of twelve in every scheme, killed, interrupted, on a full
disk, appealed.

    batch_test.py             five kills
    batch_test.py --kills 50  fifty kills
"""
import io
import json
import os
import pathlib
import random
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import tarfile
import time
import zipfile

from histolab_program import (PATIENCE, PROGRAM, SANITIZED, SOURCE, Checks, alive, attempts_of,
                              begin_program, command, histolab, journal_rows, kernel_text, put,
                              run_program, skip_part, temporary_folder, wait_until)

check = Checks()
LABS = ["01-race", "02-atomic-add"]
# other processes do not see its mounts
UNSHARE = ["unshare", "-m"] if os.geteuid() == 0 else ["unshare", "-Urm"]
STUDENTS = [f"student{letter}" for letter in "abcdefghijkl"]


def kernels():
    """{(student, lab): text}: solutions, stubs and mistakes. Some differ only in a comment; some
    are missing."""
    found = {}
    for lab in LABS:
        folder = SOURCE / "labs" / lab
        texts = [kernel_text(path)
                 for path in [folder / "solution.cu", folder / "stub.cu", *attempts_of(folder)[:3]]]
        for number, student in enumerate(STUDENTS):
            if (number, lab) != (11, LABS[1]):
                found[student, lab] = texts[number % len(texts)] + f"// {student}\n"
    return found


KERNELS = kernels()


def zipped(files):
    memory = io.BytesIO()
    with zipfile.ZipFile(memory, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return memory.getvalue()


def of(student):
    return {lab: text for (who, lab), text in KERNELS.items() if who == student}


def schemes(at):
    """Makes the class in each scheme and returns the paths."""
    made = {}
    for number, student in enumerate(STUDENTS):
        for lab, text in of(student).items():
            put(at / "folders" / student / f"{lab}.cu", text)
            put(at / "nested" / student / lab / "stub.cu", text)
            put(at / "files" / f"{student}_{lab}.cu", text)
            put(at / "moodle" / f"{student}_{100 + number}_assignsubmission_file_" / f"{lab}.cu",
                text)
            put(at / "canvas" / f"{student}_{'LATE_' if number == 3 else ''}{4000 + number}"
                                f"_{9000 + number}_{lab}{'-1' if number == 5 else ''}.cu", text)
            put(at / "gradescope" / "export" / f"submission_{number}" / f"{lab}.cu", text)
        (at / "zips").mkdir(exist_ok=True)
        (at / "zips" / f"{student}.zip").write_bytes(zipped({f"work/{lab}.cu": text
                                                             for lab, text in of(student).items()}))
    described = "---\n"
    for number, student in enumerate(STUDENTS):
        described += (f"submission_{number}:\n  :submitters:\n  - :name: {student}\n"
                      f"    :sid: '{number}'\n    :email: {student}@example.edu\n"
                      "  :created_at: 2026-10-17 18:27:32.362437000 Z\n")
    put(at / "gradescope" / "export" / "submission_metadata.yml", described)
    for name in ("folders", "nested", "files", "moodle", "canvas", "gradescope", "zips"):
        made[name] = at / name
    (at / "class.zip").write_bytes(zipped({f"{student}/{lab}.cu": text
                                           for (student, lab), text in KERNELS.items()}))
    with tarfile.open(at / "class.tar.gz", "w:gz") as archive:
        archive.add(at / "moodle", arcname="export")
    made["one zip"], made["one tar.gz"] = at / "class.zip", at / "class.tar.gz"
    return made


def batch(folder, out, *more, **how):
    return histolab("batch", folder, *LABS, "--out", out, "--seed", 4242, *more, **how)


def results(out):
    """{(student, lab): (status, score, report)} of the current submissions."""
    rows = journal_rows(out, "SELECT work.student, work.lab, result.status, result.score, "
                             "result.report FROM work LEFT JOIN result ON result.student = "
                             "work.student AND result.lab = work.lab AND result.grading = "
                             "work.grading")
    return {(student, lab): rest for student, lab, *rest in rows}


def begin(folder, out, *more, env=None):
    return begin_program(command("batch", folder, *LABS, "--out", out, "--seed", "4242",
                                 "--jobs", "2", *more), start_new_session=True, env=env,
                         # ignored by background tests
                         preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))


def graded(out):
    try:
        return sum(1 for value in results(out).values() if value[0] is not None)
    except sqlite3.Error:
        return 0  # the table does not exist yet


def check_schemes(scratch):
    expected = None
    for name, folder in schemes(scratch / "class").items():
        out = scratch / ("out-" + name)
        run = batch(folder, out, "--jobs", 2)
        check(run.returncode == 1, f"{name}: some did not pass: exit code 1", run.returncode,
              run.stderr)
        found = results(out)
        check(len(found) == len(STUDENTS) * len(LABS),
              f"{name}: everybody is in the class, with every lab", len(found))
        check(all(value[0] is not None for value in found.values()),
              f"{name}: nothing is outstanding")
        if expected is None:
            expected = found
            check(found["studenta", LABS[0]][0] == "passed", "the solution passes",
                  found["studenta", LABS[0]][0])
            check(found["studentl", LABS[1]][0] == "not_attempted",
                  "what was not handed in was not attempted")
            check(all(len(line) <= 80 for line in run.stdout.splitlines()
                      if str(scratch) not in line), "the text fits 80 columns", run.stdout)
            check("4242" not in run.stdout + run.stderr, "nobody is told the seed")
            check("12 students, 2 labs" in run.stdout, "the table tells how many there are",
                  run.stdout)
        else:
            check(found == expected, f"{name}: the results are the same, to the byte")
    one = scratch / "out-one"
    batch(scratch / "class" / "folders", one, "--jobs", 1)
    check(results(one) == expected, "one job gives the same, to the byte")
    return scratch / "class" / "folders", expected


def check_resume(scratch, folder, expected):
    out = scratch / "out-folders"
    again = batch(folder, out)
    check(again.returncode == 2 and "--resume" in again.stderr,
          "without --resume what is there stays", again.stderr)
    begin_time = time.monotonic()
    resumed = batch(folder, out, "--resume")
    check(resumed.returncode == 1 and results(out) == expected,
          "--resume of what is finished changes nothing", resumed.stderr)
    check(" of " not in resumed.stderr, "and grades nothing", resumed.stderr,
          time.monotonic() - begin_time)
    fresh = scratch / "not" / "there"
    check(batch(folder, fresh, "--resume").returncode == 1 and results(fresh) == expected,
          "--resume on a missing OUT begins afresh")
    changed = scratch / "changed"
    shutil.copytree(folder, changed)
    put(changed / "studentb" / "01-race.cu", KERNELS["studenta", "01-race"])
    batch(changed, out, "--resume")
    found = results(out)
    check(found["studentb", "01-race"][0] == "passed", "a changed submission is graded again")
    check({k: v for k, v in found.items() if k != ("studentb", "01-race")} ==
          {k: v for k, v in expected.items() if k != ("studentb", "01-race")}, "and no other")


def check_kills(scratch, folder, expected, kills):
    batch_time = time.monotonic()
    reference = scratch / "out-reference"
    batch(folder, reference, "--jobs", 2)
    batch_time = time.monotonic() - batch_time
    generator = random.Random(20261123)
    whole = lost = left = 0
    temporary = scratch / "temporary"
    temporary.mkdir()
    temporary.chmod(0o777)
    env = {**os.environ, "TMPDIR": str(temporary)}
    begin(folder, scratch / "another", env=env).communicate()
    others = temporary / "histolab-other-AbCdEf"  # of a batch that may still run
    others.mkdir()
    for number in range(kills):
        out = scratch / f"killed-{number}"
        run = begin(folder, out, "--resume", env=env)
        time.sleep(generator.uniform(0.02, batch_time * 0.9))
        before = None
        os.kill(run.pid, signal.SIGKILL)
        run.communicate()
        if (out / "journal.sqlite").exists():
            try:
                before = {key: value for key, value in results(out).items() if value[0] is not None}
            except sqlite3.Error:
                before = {}  # killed before the table existed
        left += len(list(temporary.iterdir())) - 1
        resumed = batch(folder, out, "--resume", "--jobs", 2, env=env)
        check([path.name for path in temporary.iterdir()] == [others.name],
              f"after kill {number}, --resume removes what was left in TMPDIR, and only that",
              list(temporary.iterdir()))
        if resumed.returncode == 1 and results(out) == expected:
            whole += 1
        else:
            print("after kill", number, resumed.returncode, resumed.stderr)
        lost += sum(1 for key, value in (before or {}).items() if results(out).get(key) != value)
        shutil.rmtree(out)
    print(f"kills: {whole} of {kills} equal an undisturbed run, {lost} results changed")
    check(left > 0 or kills < 5, "a killed batch leaves folders, which --resume has to remove")
    check(whole == kills and lost == 0,
          "after kill -9, --resume gives what an undisturbed run gives",
          f"{whole} of {kills}, {lost} lost")


def check_interrupt(scratch, folder, expected):
    out = scratch / "interrupted"
    run = begin(folder, out)
    wait_until(lambda: run.poll() is not None or graded(out) >= 3)
    run.send_signal(signal.SIGINT)
    output, errors = run.communicate(timeout=PATIENCE)
    check(run.returncode in (130, 1), "Ctrl-C ends it with 130", run.returncode, errors)
    if run.returncode == 130:
        check(output == "", "and no table", output)
        command = re.search(r"^  (histolab batch .*--resume.*)$", errors, re.M)
        check(command is not None, "and says how to go on", errors)
        check(not alive(run.pid), "and leaves no child")
        if command:
            words = command.group(1).split()[1:]
            check(subprocess.run([PROGRAM, *words], capture_output=True,
                                 check=False).returncode == 1, "which works")
    check(results(out) == expected, "and comes to the same results")


    inside = batch(folder, folder / "results")
    check(inside.returncode == 2 and "choose another folder" in inside.stderr,
          "results in the class's own folder are refused", inside.stderr)


def check_lock(scratch, folder):
    out = scratch / "locked"
    first = begin(folder, out)
    wait_until(lambda: first.poll() is not None or graded(out) > 0)  # by then it holds the lock
    second = batch(folder, out, "--resume")
    if first.poll() is None:
        check(second.returncode == 2 and "another batch is using it" in second.stderr,
              "two batches do not write one OUT", second.stderr)
    first.communicate()


FULL_DISK = """
set -e
mount -t tmpfs -o size=300k tmpfs "$1"
set +e
"$2" batch "$3" 01-race 02-atomic-add --out "$1/out" --seed 4242 --jobs 2 2>"$4/full.txt" >"$4/table.txt"; echo $? >"$4/code.txt"
mount -o remount,size=64m "$1"
"$2" batch "$3" 01-race 02-atomic-add --out "$1/out" --seed 4242 --resume >/dev/null 2>"$4/resumed.txt"
cp -r "$1/out" "$4/out"
"""


def check_full_disk(scratch, folder, expected):
    if SANITIZED:
        return
    at = scratch / "disk"
    (at / "mounted").mkdir(parents=True)
    run = run_program([*UNSHARE, "sh", "-c", FULL_DISK, "sh", at / "mounted", PROGRAM, folder, at])
    if not (at / "code.txt").exists():
        skip_part(f"no file system can be mounted here, so no full disk: {run.stderr.strip()}")
        return
    errors = (at / "full.txt").read_text()
    check((at / "code.txt").read_text().strip() == "2", "a full disk ends it with 2", errors)
    check("full" in errors and "--resume" in errors, "it says what to do", errors)
    check((at / "table.txt").read_text() == "", "and prints no table")
    check((at / "out" / "journal.sqlite").exists() and results(at / "out") == expected,
          "with room again, --resume comes to the same results", (at / "resumed.txt").read_text())


def check_appeal(scratch):
    out = scratch / "out-nested"
    same = histolab("grade", "--replay", out, "studentb")
    check(same.returncode == 0 and same.stdout.count("the same, to the byte") == 2,
          "an appeal gives the same", same.stdout, same.stderr)
    for lab in ("02", "work/02-atomic-add.cu"):
        check(histolab("grade", "--replay", out, "studentb", lab).stdout.count("\n") == 1,
              f"of one lab, too: {lab}")
    for words, why in ((("nobody",), "there is no student"), ((), "whose?"),
                       (("studentb", "05"), "05")):
        run = histolab("grade", "--replay", out, *words)
        check(run.returncode == 2 and why in run.stderr, f"{words}: cannot", run.stderr)
    with sqlite3.connect(out / "journal.sqlite") as journal:
        journal.execute("UPDATE result SET report = replace(report, '\"score\":', '\"score\":1') "
                        "WHERE student = 'studenta'")
    forged = histolab("grade", "--replay", out, "studenta", "01")
    check(forged.returncode == 1 and "NOT the same" in forged.stdout, "what was changed is found",
          forged.stdout, forged.stderr)
    with sqlite3.connect(out / "journal.sqlite") as journal:
        journal.execute("UPDATE meta SET value = '0.0.1' WHERE name = 'version'")
    older = histolab("grade", "--replay", out, "studentb")
    check(older.returncode == 2 and "histolab 0.0.1" in older.stderr, "another version cannot say",
          older.stderr)
    report = scratch / "report.json"
    kernel = scratch / "class" / "folders" / "studentb" / "01-race.cu"
    histolab("grade", "01", "--submission", kernel, "--json", report)
    again = histolab("grade", "--replay", report)
    check(again.returncode == 0 and "the same" in again.stdout, "a report is graded again",
          again.stdout, again.stderr)
    # with a toolkit, a GPU's compiler was asked
    histolab("grade", "08", "--solutions", "--json", report)
    again = histolab("grade", "--replay", report)
    check(again.returncode == 0,
          "also one to which a compiler for the GPU had something to say, or not", again.stdout,
          again.stderr)
    histolab("grade", "07", "--solutions", "--json", report)
    check(histolab("grade", "--replay", report).returncode == 0,
          "a solution's answers count as right, also when it is graded again")
    made_up = json.loads(report.read_text())
    kernel = scratch / "mine.cu"
    kernel.write_text((SOURCE / "labs" / "07-global-privatization" / "solution.cu").read_text())
    made_up["labs"][0]["submission"]["path"] = str(kernel)
    put(report, json.dumps(made_up))
    forged = histolab("grade", "--replay", report)
    check(forged.returncode == 2 and "no file with answers" in forged.stderr, "nobody else's do",
          forged.stdout, forged.stderr)


def check_rubric(scratch, folder):
    rubric, out = scratch / "rubric.json", scratch / "out-rubric"
    put(rubric,
        '{"schema": "histolab/rubric/1", "labs": {"02-atomic-add": {"points": {"no_findings": '
        '9}}}}')
    wrong = histolab("batch", folder, "--out", out, "--rubric", rubric)
    check(wrong.returncode == 2 and "add up to" in wrong.stderr and not out.exists(),
          "points that do not add up are an error, with their sum", wrong.stderr)
    put(rubric,
        '{"schema": "histolab/rubric/1", "labs": {"02-atomic-add": {"points": {"no_findings": 2, '
        '"matches_reference": 8}}}}')
    run = batch(folder, out, "--rubric", rubric)
    check(run.returncode == 1, "a rubric changes points", run.stderr)
    check(histolab("grade", "--replay", out, "studentb").returncode == 0, "and an appeal knows it")
    by_rubric = results(out)
    resumed = batch(folder, out, "--resume")
    check(results(out) == by_rubric and " of " not in resumed.stderr,
          "--resume without a rubric goes on with the one that is kept", resumed.stderr)
    with sqlite3.connect(out / "journal.sqlite") as journal:
        journal.execute("DELETE FROM result WHERE student = 'studentb' AND lab = ?", (LABS[1],))
    half = histolab("grade", "--replay", out, "studentb")
    check(half.returncode == 0 and half.stdout.count("\n") == 1 and "not graded yet" in half.stderr,
          "of what is not graded yet an appeal says so, and goes on", half.stdout, half.stderr)
    report = scratch / "by-rubric.json"
    histolab("grade", "02", "--solutions", "--rubric", rubric, "--json", report)
    without, by_its_own = histolab("grade", "--replay",
                                   report), histolab("grade", "--replay", report, "--rubric",
                                                     rubric)
    check(without.returncode == 1 and by_its_own.returncode == 0,
          "an appeal on a report takes its rubric", without.stdout, by_its_own.stdout,
          by_its_own.stderr)
    for words, why in ((("--rubric", rubric), "keeps the rubric"), (("--seed", "3"), "excludes")):
        refused = histolab("grade", "--replay", out, "studentb", *words)
        check(refused.returncode == 2 and why in refused.stderr, f"an appeal has no {words[0]}",
              refused.stderr)


def check_cut_short(scratch, folder):
    """The newest results of a killed batch are in a file next to the journal. A reader that
    cannot read that file must report it, and must not show an older state."""
    out, copy = scratch / "out-cut", scratch / "copy"
    writer = begin(folder, out)
    log = out / "journal.sqlite-wal"
    wait_until(lambda: writer.poll() is not None or log.exists() and log.stat().st_size > 0)
    writer.kill()
    writer.communicate()
    copy.mkdir()
    if not (out / "journal.sqlite-wal").exists():
        return skip_part("the batch was too quick to be cut short")
    for name in ("journal.sqlite", "journal.sqlite-wal"):
        shutil.copy(out / name, copy)
    script = ('mount --bind "$2" "$2" && mount -o remount,ro,bind "$2" && echo mounted && exec '
              '"$1" export "$2" --format csv')
    read = run_program([*UNSHARE, "sh", "-c", script, "sh", PROGRAM, copy])
    if not read.stdout.startswith("mounted\n"):
        skip_part(f"nothing can be mounted here, so no journal in a read-only folder: "
                  f"{read.stderr.strip()}")
    else:
        check(read.returncode == 2 and "was interrupted" in read.stderr,
              "results that cannot be read are reported", read.stdout, read.stderr)


UNREADABLE = """
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
extern "C" dirent* readdir(DIR* folder) {
  static auto next = reinterpret_cast<dirent* (*)(DIR*)>(dlsym(RTLD_NEXT, "readdir"));
  struct stat here, wanted;
  static int seen = 0;
  if (fstat(dirfd(folder), &here) == 0 && stat(getenv("HISTOLAB_UNREADABLE"), &wanted) == 0 && here.st_ino == wanted.st_ino && ++seen > 4) return errno = EIO, nullptr;
  return next(folder);
}
"""


def check_unreadable(scratch, folder):
    """A folder that fails halfway must not count as a shorter folder."""
    if SANITIZED:  # its runtime would have to be loaded before that library
        return
    library = scratch / "unreadable.so"
    made = run_program(["g++", "-shared", "-fPIC", "-x", "c++", "-", "-o", library],
                       input=UNREADABLE)
    check(made.returncode == 0, "the stand-in for a broken disk can be compiled", made.stderr)
    env = {**os.environ, "LD_PRELOAD": str(library), "HISTOLAB_UNREADABLE": str(folder)}
    run = histolab("batch", folder, *LABS, "--out", scratch / "out-unreadable", env=env)
    check(run.returncode == 2 and "cannot be read: Input/output error" in run.stderr,
          "nobody disappears from a class that cannot be listed", run.stdout, run.stderr)


def check_sheets(scratch):
    """Answers without a kernel can be late, and are not part of the mean of kernels."""
    folder, out, rubric = scratch / "sheets", scratch / "out-sheets", scratch / "late.json"
    put(folder / "ada" / "12-bug-hunt.quiz.json", "{}")
    put(rubric,
        '{"schema": "histolab/rubric/1", "late": {"deadline": "2020-01-01T00:00:00Z", '
        '"percent_a_day": 100}}')
    run = histolab("batch", folder, "12", "--out", out, "--rubric", rubric, "--file-times")
    at, report = journal_rows(out, "SELECT work.at, result.report FROM work JOIN result USING "
                                   "(student, lab)")[0]
    check(at is not None and at > 1577836800, "answers have a time of their own", at)
    check("no kernel was handed in" in report, "what was handed in is not called nothing",
          run.stdout)
    check(re.search(r"^12-bug-hunt .* 0/20", run.stdout, re.MULTILINE),
          "and the mean is that of kernels", run.stdout)


def check_parts(scratch, folder):
    """For a part of the class or of its labs, every student who disappears is reported."""
    out, late = scratch / "out-parts", scratch / "late"
    put(late / "zed" / "01-race.cu", KERNELS["studenta", "01-race"])
    batch(folder, out)
    run = histolab("batch", late, "01", "--out", out, "--resume")
    check("12 students of the last run are not in" in run.stderr and
          "results of 02-atomic-add are kept" in run.stderr, "who is no longer shown is told",
          run.stderr)
    again = batch(folder, out, "--resume")
    check("1 student of the last run is not in" in again.stderr and " of 24: " not in again.stderr,
          "and with the whole class all is there again", again.stderr)
    empty = scratch / "empty"
    put(empty / "\x1b[31mX.cu", "")
    nobody = histolab("batch", empty, "--out", scratch / "out-empty")
    for inside in ("new", "./new/out", "../" + empty.name + "/new", "new/"):
        nested = histolab("batch", ".", "--out", inside, cwd=empty)
        check(nested.returncode == 2 and "is inside ." in nested.stderr and
              len(list(empty.iterdir())) == 1, f"--out {inside} in the class's folder",
              nested.returncode, nested.stderr)
    check("\x1b" not in nobody.stderr, "an error does not steer the terminal", nobody.stderr)
    check(nobody.returncode == 2 and "it has no students" in nobody.stderr and
          not (scratch / "out-empty").exists(), "a wrong folder leaves nothing behind",
          nobody.stderr)


def check_hostile(scratch):
    folder, out = scratch / "hostile", scratch / "out-hostile"
    text = KERNELS["studenta", "01-race"]
    for name in ("a\nb", "..\\..\\x", "\x1b[31mred", "x" * 200, "=cmd()", "<script>", "\u202eevil"):
        put(folder / name / "01-race.cu", text)
    (folder / "linked").mkdir()
    (folder / "linked" / "01-race.cu").symlink_to("/etc/passwd")
    os.mkfifo(folder / "linked" / "02-atomic-add.cu")
    os.makedirs(os.fsencode(folder) + b"/\xff\xfe")
    (folder / "broken.zip").write_bytes(b"PK\x03\x04 no")
    (folder / "letters.zip").write_bytes(zipped({"Übung 林/01-race.cu": text}))
    (folder / "slip.zip").write_bytes(zipped({"../../../../tmp/histolab-slip.cu": text,
                                              "01-race.cu": text}))
    run = batch(folder, out)
    check(run.returncode in (1, 2), "hostile names do not stop it", run.returncode, run.stderr)
    found = results(out)
    check(len({student for student, _ in found}) == 12, "everybody is in the class",
          sorted({student for student, _ in found}))
    check("\x1b" not in run.stdout + run.stderr, "and nothing steers the terminal",
          repr(run.stdout))
    check(found["linked", "01-race"][0] == "needs_review" and
          found["linked", "02-atomic-add"][0] == "needs_review",
          "what cannot be read is for a person, and no zero")
    check(found["broken", "01-race"][0] == "needs_review",
          "nor is what lies in an archive that cannot be read", found["broken", "01-race"])
    check(found["letters", "01-race"][0] == "passed", "a folder in an archive may have any letters",
          found["letters", "01-race"])
    check(found["slip", "01-race"][0] == "passed" and
          not pathlib.Path("/tmp/histolab-slip.cu").exists(), "zip slip writes nothing")


OF_ITS_OWN = """__device__ int place_of(char c) {
  return c < 'a' || c > 'z' ? -1 : (c - 'a') / 4;
}
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  unsigned int from = threadIdx.x * 3u, sum = 0;
  for (unsigned int at = blockIdx.x * blockDim.x + threadIdx.x; at < length; at += gridDim.x * blockDim.x) {
    int place = place_of(data[at]);
    switch (place) {
      case -1: break;
      default: { sum = atomicAdd(histo + place, 1u) ^ from; }
    }
    while (sum > 7u && from != sum) { from = sum--; if (from % 5u == 2u) { break; } }
  }
}
"""


def check_similar(scratch):
    """Copies of the course's code, and of submissions of an earlier class, are listed but cost
    no points."""
    solution = (SOURCE / "labs/02-atomic-add/solution.cu").read_text()
    folder = scratch / "similar"
    put(folder / "Copy" / "02-atomic-add.cu", "// all mine\n" + solution)
    put(folder / "Renamed" / "02-atomic-add.cu",
        re.sub(r"\bletter\b", "ch", re.sub(r"//.*", "// hm", solution)))
    put(folder / "Attempt" / "02-atomic-add.cu",
        (SOURCE / "labs/02-atomic-add/attempts/no-bound-check/kernel.cu").read_text() + "\n// x\n")
    put(folder / "Again" / "02-atomic-add.cu",
        OF_ITS_OWN.replace("place_of", "bin_of").replace("from", "first"))
    put(folder / "<b>Own" / "02-atomic-add.cu",
        (SOURCE / "labs/02-atomic-add/stub.cu").read_text() + "\n__device__ int nothing;\n")
    put(scratch / "2024" / "Roe <i>" / "02-atomic-add.cu", "// 2024\n" + OF_ITS_OWN)
    alone = histolab("batch", folder, "02", "--out", scratch / "out-alone", "--seed", 1)
    first = histolab("batch", folder, "02", "--out", scratch / "out-similar", "--seed", 1,
                     "--earlier", scratch / "2024")
    lines = ["Copy and the course's solution: the same code",
             "Renamed and the course's solution: the same but for names",
             "Attempt and the course's attempt no-bound-check: the same code",
             "Again and Roe <i> (2024): the same but for names"]
    for line in lines:
        check(f"  02-atomic-add: {line}\n" in first.stdout,
              "the table at the end lists what is like known code", line, first.stdout,
              first.stderr)
    check("Own and" not in first.stdout and "Again and" not in alone.stdout and
          "Renamed and" in alone.stdout, "and nothing else", first.stdout, alone.stdout)
    check(results(scratch / "out-alone") == results(scratch / "out-similar"),
          "it costs no points, and changes no report")
    shutil.rmtree(scratch / "2024")
    resumed = histolab("batch", folder, "02", "--out", scratch / "out-similar", "--resume")
    check(all(line in resumed.stdout for line in lines), "the earlier class is kept in the results",
          resumed.stdout, resumed.stderr)
    page = histolab("report", scratch / "out-similar", "--html", "-").stdout
    check(page.count("<td>the course&#39;s solution<td>") == 2 and
          "<td>Roe &lt;i&gt; (2024)<td>the same but for names<td><a href=#d" in page,
          "the report lists them", page)
    check("<mark>place_of</mark>" in page and "<mark>bin_of</mark>" in page and
          "<i>Roe" not in page, "and shows them side by side, as text")
    anonymous = histolab("report", scratch / "out-similar", "--html", "-", "--anonymous").stdout
    check(not any(word in anonymous
                  for word in ("Roe", "2024", "the course", "<mark>", "id=compare")),
          "an anonymous report has none of it")
    # The results of a batch also count as an earlier class. New ones replace the old ones.
    other = histolab("batch", folder, "02", "--out", scratch / "out-similar", "--resume",
                     "--earlier", scratch / "out-alone")
    check("Again and Again (out-alone): the same code" in other.stdout and
          "2024" not in other.stdout, "the results of an earlier batch are compared with",
          other.stdout, other.stderr)
    for path, why in ((scratch / "nowhere", "there is no such folder or archive"),
                      (scratch / "out-similar", "these are the results of this class")):
        wrong = histolab("batch", folder, "02", "--out", scratch / "out-similar", "--resume",
                         "--earlier", path)
        check(wrong.returncode == 2 and f"--earlier {path}" in wrong.stderr and why in wrong.stderr,
              "an earlier class that cannot be is an error", wrong.stderr)


def main():
    kills = int(sys.argv[sys.argv.index("--kills") + 1]) if "--kills" in sys.argv else 5
    with temporary_folder() as scratch:
        folder, expected = check_schemes(scratch)
        check_resume(scratch, folder, expected)
        check_kills(scratch, folder, expected, kills)
        check_interrupt(scratch, folder, expected)
        check_lock(scratch, folder)
        check_full_disk(scratch, folder, expected)
        check_appeal(scratch)
        check_rubric(scratch, folder)
        check_parts(scratch, folder)
        check_hostile(scratch)
        check_cut_short(scratch, folder)
        check_unreadable(scratch, folder)
        check_sheets(scratch)
        check_similar(scratch)
    check.finish()


if __name__ == "__main__":
    main()
