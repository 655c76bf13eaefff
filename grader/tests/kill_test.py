"""Kills at twenty random moments lose none of the student's text and no progress.

`watch` and `grade` alternate. They are killed (SIGKILL, so that they cannot clean up) while files
are saved. After each kill, the kernel is the last saved one, the progress file is complete and
includes every pass that was shown, and no process is left.
"""
import json
import random
import signal
import subprocess
import time

from histolab_program import (PROGRAM, SOURCE, Checks, alive, attempts_of, histolab, kernel_text,
                              temporary_folder, wait_until)
from pseudo_terminal import PseudoTerminal

check = Checks()
KILLS = 20
LABS = ["01-race", "02-atomic-add", "03-interleaved"]


def kernels_of(lab):
    folder = SOURCE / "labs" / lab
    return [kernel_text(path) for path in [folder / "solution.cu", *attempts_of(folder)[:3]]]


def points(progress):
    return ({lab: entry["score"] for lab, entry in json.loads(progress.read_text())["labs"].items()}
            if progress.exists() else {})


def main():
    chance = random.Random(2026)
    with temporary_folder() as folder:
        work = folder / "work"
        progress = work / "progress.json"
        histolab("start", *LABS, cwd=folder)
        before = {}
        for number in range(KILLS):
            lab = chance.choice(LABS)
            path = work / f"{lab}.cu"
            if number % 2:
                terminal = PseudoTerminal([PROGRAM, "watch", lab], folder)
                session, stop = terminal.pid, lambda: terminal.end(signal.SIGKILL)
            else:
                grade = subprocess.Popen([PROGRAM, "grade", *LABS, "--device", "emulator"],
                                         cwd=folder, stdin=subprocess.DEVNULL,
                                         stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                         start_new_session=True)
                session, stop = grade.pid, lambda: (grade.kill(), grade.wait())
            text = path.read_text()
            moment = time.monotonic() + chance.uniform(0, 0.6)
            while time.monotonic() < moment:
                text = chance.choice(kernels_of(lab)) + f"// {number}, {time.monotonic()}\n"
                fresh = path.with_suffix(".new")
                fresh.write_text(text)
                fresh.rename(path)
                time.sleep(chance.uniform(0.01, 0.15))
            stop()
            check(path.read_text() == text, f"kill {number}: the kernel is what was saved last")
            try:
                now = points(progress)
            except (ValueError, KeyError) as damage:
                check(False, f"kill {number}: the file of progress is whole", damage,
                      progress.read_text())
                continue
            check(all(now.get(each, -1) >= best for each, best in before.items()),
                  f"kill {number}: no progress is lost", before, now)
            before = now
            check(wait_until(lambda: not alive(session)), f"kill {number}: nothing runs on",
                  alive(session))
        for lab in LABS:
            (work / f"{lab}.cu").write_text(kernels_of(lab)[0])
        graded = histolab("grade", *LABS, "--device", "emulator", cwd=folder)
        check(graded.returncode == 0, "after all of it the labs pass", graded.stdout, graded.stderr)
        check(points(progress) == {lab: 10 for lab in LABS}, "and that is kept", points(progress))
        report = folder / "report.json"
        check(json.loads(report.read_text())["score"] == 30, "and the report is whole")
    check.finish()


main()
