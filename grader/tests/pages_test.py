"""Lessons, hints, and `check` on a course in which one page was damaged."""
import shutil

from histolab_program import SOURCE, Checks, temporary_folder

check = Checks()
expect = check.expect


def pages(folder):
    """Lessons, hints, and `check` on a course in which one page was damaged."""
    for lab in sorted(path.parent for path in (SOURCE / "labs").glob("*/hints.md")):
        for arguments in (["lesson", lab.name], ["hint", lab.name], ["hint", lab.name, "2"],
                          ["hint", lab.name, "3"]):
            said = expect(arguments, 0, "").stdout
            wide = [line for line in said.splitlines() if len(line) > 80 and " " in line.strip()]
            check(said and not wide, f"{arguments} is wider than 80 columns", *wide)
            check("{{" not in said and "**" not in said and "](" not in said,
                  f"{arguments} shows marks that are no text", said[:400])
    expect(["lesson", "02"], 0, "Lab 02: atomicAdd\n=================\n")
    expect(["hint", "04"], 0, "A nudge\n-------\n", "histolab hint 04 2")
    expect(["hint", "04", 3], 0, "histolab solution 04")
    expect(["hint", "04", 4], 2, "hint")
    expect(["hint"], 2, "LAB")
    expect(["lesson", "77"], 2, 'there is no lab "77"')

    labs = folder / "labs"
    shutil.copytree(SOURCE / "labs", labs)
    shutil.copytree(SOURCE / "docs", folder / "docs")
    lesson = labs / "02-atomic-add" / "lesson.md"
    whole = lesson.read_text()
    wrong = whole.replace("0.12 %", "0.13 %")
    check(wrong != whole,
          "the lesson of lab 02 has no 0.12 % any more: choose another number for this test")
    lesson.write_text(wrong)
    line = wrong[: wrong.index("0.13 %")].count("\n") + 1
    done = expect(["--labs", labs, "check", "02", "--device", "emulator"], 1,
                  f"02-atomic-add/lesson.md:{line}", "--write-lessons")
    said = " ".join((done.stdout + done.stderr).split())
    check("0.13 %" in said and "0.12 %" in said, "both numbers are quoted", said)
    expect(["--labs", labs, "check", "--write-lessons", "02"], 0, "lesson.md: written")
    check(lesson.read_text() == whole, "--write-lessons does not make the page that is kept")
    expect(["--labs", labs, "check", "--write-lessons", "01", "02"], 0, "lesson.md: as it was")
    expect(["--labs", labs, "check", "02", "--coverage", "--device", "emulator"], 0,
           "the course holds", "volatile-cure")
    expect(["check", "--write-lessons", "--coverage"], 2, "excludes")
    source = labs / "02-atomic-add" / "lesson.in.md"
    source.write_text(source.read_text() + "\n{{measured h200-lessons kernel=globl speed}}\n")
    expect(["--labs", labs, "check", "--write-lessons", "02"], 1, "lesson.in.md:",
           "kernel=globl; with the others there is")
    check(lesson.read_text() == whole, "a source that cannot be read changes the page")


with temporary_folder(prefix="histolab test ") as folder:
    pages(folder)
check.finish()
