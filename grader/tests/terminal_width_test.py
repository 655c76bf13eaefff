"""Output for people is at most 80 columns wide, and each suggested next step is a command that
works.

Checks the help of every command, and the output of the commands that a student types in a fresh
folder. Longer paths are not broken, so the folder has a short name. The comments of the stubs are
read on the same terminal.
"""
import json
import os
import re
import shlex
import shutil

from histolab_program import PROGRAM, SOURCE, Checks, histolab, temporary_folder

check = Checks()
WIDTH = 80


def columns(line):
    return len(line.expandtabs())


def fits(what, text):
    for line in text.splitlines():
        check(columns(line) <= WIDTH, f"{what}: {columns(line)} columns", line)


def helps():
    text = histolab("--help").stdout
    names = re.findall(r"^  ([a-z]+) {2,}", text.split("Commands", 1)[-1], re.MULTILINE)
    check(len(names) > 25, "--help lists the commands", names)
    fits("--help", text)
    for name in names:
        if name != "view":  # started only if the viewer is built: below
            fits(f"{name} --help", histolab(name, "--help").stdout)
    viewer = PROGRAM.parent / "histolab-viewer"
    if viewer.exists():
        fits("view --help", histolab("view", "--help").stdout)


def stubs():
    for stub in sorted(SOURCE.glob("labs/*/stub.cu")):
        for line in stub.read_text().splitlines():
            if "//" in line:
                check(columns(line) <= WIDTH,
                      f"{stub.parent.name}: a comment of the stub has {columns(line)} columns",
                      line)


def run(folder, *words):
    done = histolab(*words, cwd=folder)
    fits(" ".join(map(str, words)), done.stdout + done.stderr)
    return done


def commands(folder):
    shutil.copytree(SOURCE / "labs", folder / "l")
    grade = run(folder, "grade", "--device", "emulator")
    lines = grade.stdout.splitlines()
    labs = len(list(SOURCE.glob("labs/*/lab.json")))
    check(not any(line.startswith("quiz") for line in lines),
          "an empty folder: nothing is said of quizzes", grade.stdout)
    check(len(lines) <= labs + 12, "an empty folder: one line for each lab, and a few more",
          grade.stdout)
    for words in (["list"], ["start"], ["start"], ["lesson", "04"], ["hint", "02", "3"],
                  ["reset", "02"], ["reset", "02"], ["data"], ["compare", "02", "04"],
                  ["model", "02"], ["run", "02"], ["explain", "04"], ["glossary"],
                  ["glossary", "sector"], ["glossary", "sectr"], ["version"], ["race"],
                  ["quiz", "07", "--list"], ["--labs", "l", "new", "warp-votes"],
                  ["--labs", "l", "list"]):
        run(folder, *words)


def next_steps(folder):
    """The suggested commands of a verdict work when typed as printed."""
    for lab, attempt in (("04-privatization", "missing-second-barrier"),
                         ("02-atomic-add", "brace-counted")):
        shutil.copy(SOURCE / "labs" / lab / "attempts" / attempt / "kernel.cu",
                    folder / "work" / f"{lab}.cu")
        verdict = run(folder, "--labs", "l", "grade", lab, "--seed", "7", "--device",
                      "emulator").stdout
        said = " ".join(verdict.split())
        check(f"then histolab --labs l grade {lab} --seed 7 --device emulator" in said,
              "next: repeats the options that matter", verdict)
        debug = re.search(r"or: histolab (--labs l debug .*? --seed 7)", said)
        check(debug, "the verdict has the debugger's command", verdict)
        case = re.search(r"in case (\S+)", said)[1]
        if debug:
            check(f"--case {case}" in debug[1], "the debugger opens the case that failed", debug[1])
            opened = histolab(*shlex.split(debug[1]), "--batch", "--command", "info locals",
                              cwd=folder)
            if "gdb" not in opened.stderr or opened.returncode == 0:
                check(opened.returncode == 0, "the debugger's command works", debug[1],
                      opened.stdout, opened.stderr)
        plain = histolab("--labs", "l", "debug", lab, "--batch", cwd=folder)
        check(f"case {case}, which failed in report.json" in plain.stderr,
              "without options the debugger opens that case, too", plain.stderr)
        for text in (verdict, run(folder, "lesson", lab[:2]).stdout):
            check(not re.search(r"docs/|\.md\b", text),
                  "no file is named that a student does not have", text)


def answers(folder):
    done = histolab("version")
    check(done.returncode == 0 and done.stdout == histolab("--version").stdout,
          "`version` says what --version says", done.stdout, done.stderr)
    rubric = folder / "r.json"
    rubric.write_text(json.dumps({"schema": "histolab/rubric/1",
                                  "late": {"deadline": "2026-11-20T23:59:00+01:00",
                                           "percent_per_day": 10}}))
    done = histolab("grade", "02", "--rubric", "r.json", cwd=folder)
    check("did you mean percent_a_day?" in done.stderr, "a key that people try gets an answer",
          done.stderr)


os.environ["NO_COLOR"] = "1"
helps()
stubs()
with temporary_folder(prefix="t", dir="/tmp") as folder:
    commands(folder)
    next_steps(folder)
    answers(folder)
check.finish()
