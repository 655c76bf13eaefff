"""`histolab watch` on a terminal: kinds of terminals, ways to save, keys, a save during a run,
and file system events."""
import json
import os
import pathlib
import re
import shutil
import signal
import tempfile
import time

from histolab_program import (PROGRAM, SOURCE, Checks, alive, histolab, put, temporary_folder,
                              wait_until)
from pseudo_terminal import CLEAR, PseudoTerminal, WatchTerminal

check = Checks()
LAB = "02-atomic-add"
RIGHT = (SOURCE / "labs" / LAB / "solution.cu").read_text()
RACY = (SOURCE / "labs" / LAB / "attempts" / "plain-increment" / "kernel.cu").read_text()
ENDLESS = RIGHT.replace("if (i < length) {", "while (true) {")
PASSED, FAILED = r"next: n continues with", r"next: fix it"


def folder_with(text=None):
    folder = tempfile.TemporaryDirectory()
    if text is not None:
        put(file_in(folder.name), text)
    return folder


def file_in(folder):
    return pathlib.Path(folder, "work", LAB + ".cu")


def watch(folder, *arguments, **terminal):
    return WatchTerminal([PROGRAM, "watch", LAB, *arguments], folder, **terminal)


def ends(terminal, what):
    terminal.press("q")
    check(terminal.wait() == 0, f"{what}: q ends it with 0")


def ways_to_save():
    def in_place(path, text):
        path.write_text(text)

    def renamed(path, text):
        fresh = path.with_name(".x.swp")
        fresh.write_text(text)
        fresh.rename(path)

    def backed_up(path, text):
        path.rename(path.with_name(path.name + "~"))
        path.write_text(text)

    def bit_by_bit(path, text):
        with open(path, "w") as file:
            for begin in range(0, len(text), 100):
                file.write(text[begin:begin + 100])
                file.flush()
                time.sleep(0.002)

    for arguments in ([], ["--poll"]):
        with folder_with(RACY) as folder:
            terminal = watch(folder, *arguments)
            terminal.wait_for(FAILED)
            for save in (in_place, renamed, backed_up, bit_by_bit):
                for text, verdict in ((RIGHT, PASSED), (RACY, FAILED)):
                    terminal.forget()
                    save(file_in(folder), text)
                    terminal.settled(verdict)
                    check("does not compile" not in terminal.output,
                          f"{save.__name__} {arguments}: half a file is never graded",
                          terminal.output[-2000:])
            # Several saves in a row: the last one counts.
            terminal.forget()
            for number in range(12):
                renamed(file_in(folder), RACY + f"// {number}\n")
                time.sleep(0.01)
            renamed(file_in(folder), RIGHT)
            terminal.settled(PASSED)
            # Touched, or saved without a change: nothing happens.
            terminal.forget()
            os.utime(file_in(folder))
            renamed(file_in(folder), RIGHT)
            time.sleep(0.6)  # time for a wrong reaction; on a busy machine the test may miss one
            terminal.read(0.1)
            check(terminal.output == "", "a file that is as it was is not graded again",
                  terminal.output)
            # Deleted, and restored.
            file_in(folder).unlink()
            # The screen's lines may break between any two words.
            terminal.wait_for(r"is missing: restore it, or make a new one "
                              r"with\s+`histolab\s+start\s+02")
            in_place(file_in(folder), RACY)
            terminal.settled(FAILED)
            in_place(file_in(folder), "")
            terminal.settled("empty")
            in_place(file_in(folder), RIGHT)
            terminal.settled(PASSED)
            ends(terminal, "saves")


def a_save_ends_what_runs():
    with folder_with(ENDLESS) as folder:
        terminal = watch(folder)

        def runs():  # stopping a thread that never ends takes seconds
            terminal.wait_until(lambda: "histolab-worker" in alive(terminal.pid), "a worker")

        runs()
        file_in(folder).write_text(RIGHT)
        terminal.settled(PASSED)
        check("next: fix" not in terminal.output,
              "a save in the middle of a run ends it: it has no verdict", terminal.output[-2000:])
        terminal.forget()
        file_in(folder).write_text(ENDLESS)
        terminal.wait_for(r"grading work/\S+ \.\.\.")
        check(not re.search(PASSED, terminal.screen()),
              "a save clears the verdict on the last one at once", terminal.screen())
        runs()
        terminal.press("q")
        check(terminal.wait() == 0, "q in the middle of a run")
        check(not alive(terminal.pid), "nothing runs on", alive(terminal.pid))


def leaves_no_temporary_file():
    for how in ("q", signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        with folder_with(RACY) as folder, temporary_folder() as temporary:
            terminal = watch(folder, env={"TMPDIR": temporary})
            terminal.wait_for(FAILED)
            terminal.wait_until(lambda: os.listdir(temporary), f"{how}: the precompiled shim")
            if how == "q":
                terminal.press("q")
                terminal.wait()
            else:
                terminal.end(how)
            check(not os.listdir(temporary), f"{how}: temporary files are left",
                  os.listdir(temporary))


def terminals():
    with folder_with(RACY) as folder:
        terminal = watch(folder, columns=40, rows=20)
        terminal.wait_for(FAILED)
        for columns in (40, 100, 33, 80):
            terminal.forget()
            terminal.resize(columns, 30)
            screen = terminal.settled(FAILED)
            check(all(len(line) <= columns for line in screen.split("\n")),
                  f"every line fits {columns} columns", screen)
        ends(terminal, "sizes")
        check("\033[1m" in terminal.output or "\033[31m" in terminal.output,
              "there is colour at a terminal")

        plain = watch(folder, env={"NO_COLOR": "1"})
        plain.wait_for(FAILED)
        check("\033[3" not in plain.output and "\033[1m" not in plain.output,
              "no colour where NO_COLOR is set")
        ends(plain, "NO_COLOR")

        dumb = watch(folder, term="dumb")
        dumb.wait_for(FAILED)
        file_in(folder).write_text(RIGHT)
        dumb.wait_for(PASSED)
        check("\033" not in dumb.output, "a dumb terminal gets text and nothing else",
              repr(dumb.output[-500:]))
        check(dumb.output.count("[h]int") <= 1, "and the keys once at most")
        ends(dumb, "a dumb terminal")

    with folder_with(RACY) as folder:
        piped = PseudoTerminal(["/bin/sh", "-c", f'exec "$0" watch {LAB} </dev/null | cat',
                                PROGRAM], folder)
        piped.wait_for(FAILED)
        check("\033" not in piped.output and "[h]int" not in piped.output,
              "through a pipe: neither colours nor keys", repr(piped.output[-500:]))
        check(alive(piped.pid), "and it goes on watching")
        piped.end(signal.SIGKILL)


def keys():
    with folder_with(RACY) as folder:
        terminal = watch(folder)
        terminal.wait_for(FAILED)
        for number in (1, 2, 3, 3):
            terminal.forget()
            terminal.press("h")
            terminal.wait_for(f"Hint {number} of 3")
        terminal.forget()
        terminal.press("p")
        terminal.wait_for("01-race")
        terminal.press("p")
        terminal.wait_for("01-race is the first lab")
        check(pathlib.Path(folder, "work", "01-race.cu").exists(),
              "the lab that one goes to is started")
        terminal.press("n")
        terminal.settled(f"{LAB}(?s:.)*{FAILED}")
        for odd in ("x", "\033[A", "\t", "\0"):
            terminal.press(odd)
        for typed in ("r", "\033[Ar", "\033OP\033[1;5C\033r", "xr"):  # also in one read
            terminal.forget()
            terminal.press(typed)
            terminal.wait_for(FAILED)
        terminal.press("v")
        terminal.wait_for("viewer is not built|no display|opens in a window")
        terminal.forget()
        terminal.press("z")
        terminal.wait_for("question|quiz")
        terminal.press("q\n")
        terminal.wait_for("press any key to continue watching")
        terminal.press(" ")
        terminal.settled(FAILED)
        terminal.press("\x03")  # Ctrl-C
        check(terminal.wait() == 130, "Ctrl-C ends it as it ends every command")


def a_closed_viewer():
    """The viewer's window ends, and watch continues: no zombie is left."""
    with folder_with(RACY) as folder:
        programs = pathlib.Path(folder, "bin")
        programs.mkdir()
        for path in PROGRAM.parent.glob("histolab*"):
            shutil.copy2(path, programs)
        viewer = programs / "histolab-viewer"
        viewer.write_text(f"#!/bin/sh\necho $$ > '{folder}/viewer'\n")
        viewer.chmod(0o755)
        terminal = WatchTerminal([programs / "histolab", "watch", LAB], folder,
                                 env={"DISPLAY": ":0"})
        terminal.wait_for(FAILED)
        terminal.press("v")
        terminal.wait_for("opens in its own window")
        number = pathlib.Path(folder, "viewer")
        terminal.wait_until(lambda: number.exists() and number.read_text().endswith("\n"), "v")
        check(wait_until(lambda: not pathlib.Path("/proc", number.read_text().strip()).exists()),
              "a viewer that ended is a zombie")
        ends(terminal, "a closed viewer")


def a_lab_without_hints():
    """A lab that is still being written."""
    with folder_with(RACY) as folder:
        labs = pathlib.Path(folder, "labs")
        shutil.copytree(SOURCE / "labs" / LAB, labs / LAB)
        (labs / LAB / "hints.md").write_text("# Hints\n")
        terminal = watch(folder, "--labs", labs)
        terminal.wait_for(FAILED)
        terminal.press("h")
        terminal.wait_for("has no hints")
        ends(terminal, "a lab without hints")


def what_is_kept():
    with folder_with(RIGHT) as folder:
        kept = pathlib.Path(folder, "work", "progress.json")
        kept.write_text("no JSON")
        terminal = watch(folder)
        screen = terminal.settled(PASSED)
        check("progress.json.~1~" in screen,
              "a damaged file of progress is put aside, and that is said", screen)
        check(json.loads(kept.read_text())["labs"][LAB]["passed"] is True, "and a new one begun",
              kept.read_text())
        check(kept.with_name("progress.json.~1~").read_text() == "no JSON", "the old one is there")
        ends(terminal, "progress")
        newer = '{"schema": "histolab/progress/7"}'
        kept.write_text(newer)
        terminal = watch(folder)
        terminal.wait_for("newer version")
        ends(terminal, "a newer file of progress")
        check(kept.read_text() == newer, "a newer version's file stays")
        listed = histolab("list", cwd=folder)
        check(listed.returncode == 0 and "newer version" in listed.stderr, "list says so too",
              listed.stderr)

    with folder_with() as folder:
        pathlib.Path(folder, "work").write_text("a file")
        refused = histolab("watch", cwd=folder)
        check(refused.returncode == 2 and refused.stderr.count("\n") == 1,
              "where no folder can be made, one message says so", refused.stderr)
        by_file = histolab("watch", f"work/{LAB}.cu", cwd=folder)
        check(by_file.stderr == refused.stderr, "a lab is named by its file, too", by_file.stderr)
        wrong = histolab("watch", "nonsense", cwd=folder)
        check(wrong.returncode == 2, "a lab that there is not", wrong.stderr)


def the_one_in_the_docs():
    """The screen in docs/student.md equals the one that its kernel produces."""
    with folder_with(RACY) as folder:
        terminal = watch(folder)
        screen = re.sub(r"\d+ ms after", "58 ms after", terminal.settled(FAILED)).rstrip()
        ends(terminal, "docs/student.md")
        shown = "\n".join(("    " + line).rstrip() for line in screen.split("\n"))

        def settled(text):  # the number of labs is not part of the example
            return re.sub(r" +0 of \d+ (labs passed|points)$", r" 0 of all \1", text, flags=re.M)
        check(settled(shown) in settled((SOURCE / "docs" / "student.md").read_text()),
              "docs/student.md shows this screen", shown)


check(CLEAR == "\033[H\033[2J", "how a screen is cleared")
for test in (ways_to_save, a_save_ends_what_runs, leaves_no_temporary_file, terminals, keys,
             a_closed_viewer, a_lab_without_hints, what_is_kept, the_one_in_the_docs):
    try:
        test()
    except AssertionError as failure:
        check(False, test.__name__, str(failure))
check.finish()
