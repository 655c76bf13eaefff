"""Shared by the script tests: the path of the program, and functions that run it."""
import contextlib
import functools
import glob
import json
import os
import pathlib
import re
import sqlite3
import subprocess
import sys
import tempfile
import time

SOURCE = pathlib.Path(os.environ.get("HISTOLAB_SOURCE_DIR",
                                     pathlib.Path(__file__).resolve().parents[2]))
PROGRAM = pathlib.Path(os.environ.get("HISTOLAB_BIN",
                                      SOURCE / "build" / "release" / "bin")) / "histolab"
SKIPPED = 77
# Seconds until a test gives up waiting for an event. No verdict depends on it: only a hanging test
# waits that long.
PATIENCE = 1200


def skip_part(why):
    """Prints that a part of the test does not run; `./histolab test` lists these lines at its
    end."""
    print("skipped:", why)


def skip(why):
    """Ends the whole test as skipped."""
    skip_part(why)
    sys.exit(SKIPPED)


@contextlib.contextmanager
def temporary_folder(**options):
    """The path of a folder that is removed at the end, as by tempfile.TemporaryDirectory. All users
    may enter it: the confined processes of root are another user's."""
    with tempfile.TemporaryDirectory(**options) as name:
        pathlib.Path(name).chmod(0o755)
        yield pathlib.Path(name)


def put(path, text):
    """Writes a file, and makes its folder if needed."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


# Such a build reserves more memory than any limit allows, so it runs unconfined.
SANITIZED = bool(os.environ.get("HISTOLAB_SANITIZE"))


def skip_without_sandbox():
    if SANITIZED:
        skip("a build with sanitizers confines nothing")


def command(*arguments):
    """The program with its arguments; with --unsafe if needed, so that a sanitized build grades
    a class too."""
    unsafe = ["--unsafe"] if SANITIZED and arguments[:1] == ("batch",) else []
    return [str(PROGRAM), *map(str, arguments), *unsafe]


def run_program(words, **options):
    """Runs a program and returns the CompletedProcess, its output as text."""
    if "input" not in options:
        options["stdin"] = subprocess.DEVNULL
    return subprocess.run(list(map(str, words)), capture_output=True, text=True, errors="replace",
                          check=False, **{"timeout": PATIENCE, **options})


def begin_program(words, **options):
    """Starts a program, its output as text, and returns the Popen."""
    return subprocess.Popen(list(map(str, words)), stdin=subprocess.DEVNULL, text=True,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE, errors="replace",
                            **options)


def histolab(*arguments, **options):
    """Runs histolab. See run_program()."""
    return run_program(command(*arguments), **options)


def kinds_of_programs():
    """The kinds of findings that tests/programs_test.py awaits. mistakes_test.cpp has the messages
    of those in host code."""
    programs = (SOURCE / "tests" / "programs" / "wrong").rglob("*.*")
    return {kind for path in programs
            for kinds in re.findall(r"// finding(?: below)?: ([\w, ]+)$", path.read_text(), re.M)
            for kind in kinds.split(", ")}


def grade_text(lab, text, *flags):
    """Grades the text as a submission. Returns the lab's part of the report, or None if there is
    no report, and the CompletedProcess."""
    with temporary_folder() as folder:
        put(folder / "kernel.cu", text)
        out = folder / "report.json"
        done = histolab("grade", lab, "--submission", folder / "kernel.cu", "--device", "emulator",
                        "-j", 1, "--json", out, *flags)
        report = json.loads(out.read_text(encoding="utf-8")) if out.exists() else None
        return report and report["labs"][0], done


def journal_rows(out, query):
    """The rows that a query finds in the journal of a results folder."""
    with sqlite3.connect(f"file:{out}/journal.sqlite?mode=ro", uri=True) as journal:
        return journal.execute(query).fetchall()


def attempts_of(lab):
    """The path of each attempt of a lab's folder; one that is stored as a patch has no file
    there."""
    return [folder / "kernel.cu" for folder in sorted(lab.glob("attempts/*"))]


@functools.cache
def kernel_text(path):
    """The text of a kernel. The program makes an attempt whole that is stored as a patch."""
    if path.exists():
        return path.read_text(encoding="utf-8")
    done = histolab("--labs", path.parents[3], "attempt", path.parents[2].name, path.parent.name)
    if done.returncode != 0:
        raise FileNotFoundError(f"{path}: {done.stderr}")
    return done.stdout


def threads(session):
    """Name and state (proc(5)) of each thread of the session's processes."""
    found = []
    for path in glob.glob("/proc/[0-9]*/task/[0-9]*/stat"):
        try:
            name, rest = pathlib.Path(path).read_text().split("(", 1)[1].rsplit(")", 1)
        except OSError:
            continue
        state, _, _, its_session = rest.split()[:4]
        if int(its_session) == session:
            found.append((name, state))
    return found


def alive(session):
    """Names of the session's threads, without zombies."""
    return [name for name, state in threads(session) if state != "Z"]


def wait_until(holds, pause=0.01):
    """Waits for an event, with pauses in seconds. Returns False if it does not come."""
    end = time.monotonic() + PATIENCE
    while not holds():
        if time.monotonic() > end:
            return False
        time.sleep(pause)
    return True


class Checks:
    """Counts failed checks, so that one run reports all of them."""

    def __init__(self):
        self.failed = 0

    def __call__(self, holds, what, *details):
        if not holds:
            self.failed += 1
            print("FAILED:", what, *details, sep="\n  ")

    def expect(self, arguments, code, *fragments, cwd=None):
        """Runs the program. Checks its exit code, and that its output has each fragment."""
        done = histolab(*arguments, cwd=cwd)
        self(done.returncode == code,
             f"histolab {arguments} ended with {done.returncode}, not {code}", done.stdout[:400],
             done.stderr)
        for fragment in fragments:
            self(fragment in done.stdout + done.stderr,
                 f"histolab {arguments} does not say {fragment!r}", done.stdout[:400], done.stderr)
        if code == 2:
            self(done.stdout == "",
                 f"histolab {arguments}: a refusal belongs on the standard error",
                 done.stdout[:400])
            self(done.stderr.count("\n") == 1, f"histolab {arguments}: one clear message, not this",
                 done.stderr)
        return done

    def finish(self):
        print("failed checks:", self.failed)
        sys.exit(1 if self.failed else 0)
