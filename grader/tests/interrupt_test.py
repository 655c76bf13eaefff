"""Ctrl-C and similar signals at any moment, and a full disk: no half-written report, nothing
left behind."""
import json
import os
import pathlib
import re
import signal
import time

from histolab_program import (PATIENCE, PROGRAM, Checks, alive, begin_program, put, run_program,
                              skip_part, temporary_folder, wait_until)

check = Checks()


def interrupted(folder):
    """A signal at any moment: the exit status is 128 + its number, no process is left, no
    verdict is printed, the old report is unchanged."""
    put(folder / "work" / "02-atomic-add.cu",
        "#include <vector>\n"  # keeps the compiler busy long enough
        "__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {\n"
        "  for (volatile unsigned int i = 0; i < 4000000000u;) i = i + 1;\n}\n")
    grade = ["grade", "02"]
    run = ["run", "02", "--dataset", "constant", "--length", 1 << 24]
    stopped(folder, grade, signal.SIGINT, when=child("cc1plus"))
    stopped(folder, grade, signal.SIGTERM, when=child("cc1plus"))
    stopped(folder, run, signal.SIGINT, when=child("histolab-worker"))
    stopped(folder, ["check", "--jobs", 8], signal.SIGINT, when=child("histolab-worker"))
    stopped(folder, ["grade", "--solutions", "--json", "-"], signal.SIGHUP, when=child("cc1plus"))
    # No child process here: the program generates data for seconds.
    stopped(folder, ["run", "02", "--dataset", "english", "--length", 1 << 29], signal.SIGINT,
            when=waits_for(signal.SIGINT))
    # A file is created or replaced, at many moments: during the work and at the final rename.
    for step in range(30):
        stopped(folder, ["grade", "--solutions", "--jobs", 3, "--quick"], signal.SIGINT,
                may_end=True, when=lambda _: time.sleep(step * 0.02) or True)


def child(name):
    return lambda session: name in alive(session)


def waits_for(number):
    """Whether the program already waits for the signal: then it is blocked (proc(5))."""
    def holds(pid):
        blocked = re.search(r"^SigBlk:\s+(\w+)", pathlib.Path(f"/proc/{pid}/status").read_text(),
                            re.MULTILINE)
        return bool(int(blocked[1], 16) & 1 << number - 1)
    return holds


def stopped(folder, arguments, number, when, may_end=False, tries=100):
    """Sends the signal as soon as when(session) holds. With `may_end`, the program may not have
    begun yet, or may have finished."""
    temporary = folder / "tmp"
    temporary.mkdir(exist_ok=True)
    report = folder / "report.json"
    report.write_text("old\n")
    program = begin_program([PROGRAM, *arguments], cwd=folder, start_new_session=True,
                            env={**os.environ, "TMPDIR": str(temporary)})
    wait_until(lambda: when(program.pid) or program.poll() is not None)
    program.send_signal(number)
    said = program.communicate(timeout=PATIENCE)
    left = alive(program.pid)  # at once, because the program waits for processes that it kills
    where = f"histolab {arguments}, {signal.Signals(number).name}"
    check(not left, f"{where}: processes are left", left)
    check(not list(temporary.iterdir()), f"{where}: temporary files are left",
          list(temporary.iterdir()))
    check(not list(folder.glob(".*.tmp")), f"{where}: a half-written report is left")
    if program.returncode in (0, 1) and not may_end and tries > 1:
        # too late, on a busy machine
        return stopped(folder, arguments, number, when, tries=tries - 1)
    if may_end and program.returncode in (0, 1):
        check(json.loads(report.read_text())["labs"],
              f"{where}: it ended before the signal, without a report")
        return
    if may_end and program.returncode == -number:  # it had not started yet
        check(report.read_text() == "old\n", f"{where}: report.json was touched")
        return
    check(program.returncode == 128 + number, f"{where}: ended with {program.returncode}", *said)
    check(said == ("", "histolab: interrupted\n") or may_end, f"{where}: it said something else",
          *said)
    check(report.read_text() == "old\n" or may_end and said[0], f"{where}: report.json was touched")


def full_disk(folder):
    """A report on a full disk: the old one is kept, nothing else is left behind."""
    script = """
        mount -t tmpfs -o size=16k tmpfs "$1" && cd "$1" && echo mounted && echo old > report.json && head -c 8192 /dev/zero > filler &&
        { said=$("$2" grade 2>&1 > /dev/null); echo "$?"; echo "$said"; ls -A; cat report.json; }"""
    done = run_program(["unshare", "--user", "--map-root-user", "--mount", "sh", "-c", script, "sh",
                        folder, PROGRAM])
    if not done.stdout.startswith("mounted\n"):
        skip_part("no user namespace or no tmpfs here, so no full disk")
        return
    check(done.returncode == 0 and len(done.stdout.splitlines()) >= 5,
          "a full disk cost the old report, or more", done.stdout, done.stderr)
    if done.returncode != 0 or len(done.stdout.splitlines()) < 5:
        return
    _, code, message, *files, report = done.stdout.splitlines()
    check(code == "2" and "the disk is full" in message, "a full disk is not told", done.stdout)
    check(files == ["filler", "report.json"], "a temporary file was left on a full disk",
          done.stdout)
    check(report == "old", "a full disk cost the old report", done.stdout)


with temporary_folder(prefix="histolab test ") as folder:
    full_disk(folder)
with temporary_folder(prefix="histolab test ") as folder:
    interrupted(folder)
check.finish()
