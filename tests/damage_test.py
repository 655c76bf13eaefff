#!/usr/bin/env python3
"""`histolab check` finds a damaged course and names the damaged file.

Each damage changes one file of a copy of the labs. Those of one group concern different labs and
are checked in one run.
"""
import json
import pathlib
import re
import shutil
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "grader" / "tests"))
from histolab_program import SOURCE, Checks, histolab, temporary_folder  # noqa: E402

check = Checks()


def replaced(old, new, count=1):
    def damage(path):
        text = path.read_text(encoding="utf-8")
        assert old in text, f"{path} has no {old!r}"
        path.write_text(text.replace(old, new, count), encoding="utf-8")
    return damage


def changed(pattern, new):
    def damage(path):
        text, times = re.subn(pattern, new, path.read_text(encoding="utf-8"), count=1)
        assert times == 1, f"{path} has no {pattern!r}"
        path.write_text(text, encoding="utf-8")
    return damage


def edited(edit):
    def damage(path):
        document = json.loads(path.read_text(encoding="utf-8"))
        edit(document)
        path.write_text(json.dumps(document, indent=2), encoding="utf-8")
    return damage


def copied_from(other):
    return lambda path: shutil.copy(path.parent / other, path)


def set_key(*keys, value):
    def edit(document):
        for key in keys[:-1]:
            document = document[key]
        document[keys[-1]] = value
    return edited(edit)


def pasted_solution(path):
    solution = (path.parent / "solution.cu").read_text(encoding="utf-8")
    body = solution.split("{", 1)[1].rsplit("}", 1)[0]
    path.write_text(path.read_text(encoding="utf-8") + "\n```\n" + body + "\n```\n",
                    encoding="utf-8")


# (lab, file, change, words that the complaint must have)
GROUPS = [
    [("01", "stub.cu", copied_from("solution.cu"), "expected the verdict failed, got passed"),
     ("02", "solution.cu",
      replaced("atomicAdd(&histo[letter / 4], 1u);", "histo[letter / 4] += 1;"),
      "expected the verdict passed, got failed"),
     ("03", "attempts/plain-increment/expect.json", replaced("data_race", "uninitialized_read"),
      "expected the finding uninitialized_read"),
     ("04", "solution.cu", replaced("  __syncthreads();\n", ""), "no_findings"),
     ("05", "attempts/skips-the-tail/expect.json", set_key("check", value="few_commits"),
      "expected few_commits to be the first check that fails"),
     ("07", "lab.json", edited(lambda lab: lab["checks"][-1].update(hint="word " * 40)),
      "this hint takes more than 2 lines"),
     ("06", "attempts/missing-final-flush/expect.json",
      edited(lambda e: (e.update(status="passed"), e.pop("check"))),
      "expected the verdict passed, got failed")],
    [("01", "lesson.md", changed(r"(\n[^\n|`]*[a-z]+ )(\d+)( [a-z]+)", r"\g<1>\g<2>9\g<3>"),
      "lesson.md"),
     ("02", "lesson.in.md", replaced("histo[bin], 1u", "histogramm[bin], 1u"), "histogramm"),
     ("03", "lesson.in.md",
      replaced("../../docs/measurements/README.md", "../../docs/measurements/READNE.md"),
      "READNE.md"),
     ("04", "hints.md", pasted_solution, "hints.md"),
     ("05", "instructor.md", replaced("`skips-the-tail`, ", ""), "skips-the-tail"),
     ("06", "lesson.in.md", replaced("dataset=constant speed", "dataset=konstant speed"),
      "konstant")],
    [("01", "hints.md", changed(r"## [^\n]*\n", ""), "3 hints"),
     ("02", "attempts/plain-increment/expect.json",
      edited(lambda e: e["finding"].update(line=e["finding"]["line"] + 1)),
      "expected the finding data_race"),
     ("03", "lesson.in.md",
      lambda path: path.write_text(path.read_text(encoding="utf-8") +
                                   "\n## On real hardware\n\nIt is 4711 times as fast.\n",
                                   encoding="utf-8"), "4711"),
     ("04", "instructor.md", replaced("`barrier-under-if`", "`barrier-under-when`"),
      "barrier-under-when"),
     ("05", "quiz.json", set_key("questions", 0, "example", value="50"), "quiz.json"),
     ("06", "attempts/early-return/kernel.cu", lambda path: path.unlink(),
      "early-return/kernel.cu"),
     ("13", "solution.cu", replaced("w[6] & w[5]", "w[5] & w[6]"),
      "top-bit-forgotten/solution.patch:5: the patch does not apply: it expects")],
]
# A lab that cannot be read is reported with file and position, and nothing else is checked.
UNREADABLE = [
    ("01", "lab.json", set_key("max_score", value=11), "/max_score"),
    ("02", "lab.json", set_key("cases", 1, "dataset", value="konstant"), "/cases/1/dataset"),
    ("03", "lab.json", set_key("checks", 0, "kind", value="no_finding"), "/checks/0/kind"),
    ("04", "lab.json", replaced('"schema"', "schema"), "lab.json:2:"),
]


def damaged(folder, number, file, damage):
    (lab,) = folder.glob(f"{number}-*")
    damage(lab / file)
    return f"{lab.name}/{file}"


def check_group(group):
    with temporary_folder() as root:
        folder = root / "labs"
        shutil.copytree(SOURCE / "labs", folder)
        (root / "docs").symlink_to(SOURCE / "docs")
        places = [damaged(folder, number, file, damage) for number, file, damage, _ in group]
        done = histolab("--labs", folder, "check", *[number for number, *_ in group], "--device",
                        "emulator")
        check(done.returncode == 1, f"a damaged course passes: {places}", done.stdout, done.stderr)
        # The complaints of one lab: from its name at the beginning of a line to the next blank
        # line.
        for (number, _, _, words), place in zip(group, places):
            complaints = [" ".join(part.split()) for part in done.stdout.split("\n\n")
                          if re.match(rf"\n?{number}-[a-z-]+: ", part)]
            check(any(words in each for each in complaints),
                  f"{place}: the complaint does not say \"{words}\"", *complaints)


def check_unreadable(number, file, damage, words):
    with temporary_folder() as root:
        folder = root / "labs"
        shutil.copytree(SOURCE / "labs", folder)
        place = damaged(folder, number, file, damage)
        done = histolab("--labs", folder, "check", number, "--device", "emulator")
        check(done.returncode == 2 and words in done.stderr and f"{number}-" in done.stderr,
              f"{place}: the complaint does not say \"{words}\"", done.stdout, done.stderr)


def check_new_lab():
    """A new lab passes except for its author's parts, and check names each of them."""
    with temporary_folder() as root:
        folder = root / "labs"
        shutil.copytree(SOURCE / "labs", folder)
        (root / "docs").symlink_to(SOURCE / "docs")
        made = histolab("--labs", folder, "new", "warp-votes")
        check(made.returncode == 0 and "only its author can write" in " ".join(made.stdout.split()),
              "histolab new", made.stdout, made.stderr)
        done = histolab("--labs", folder, "check",
                        sorted(path.name for path in folder.iterdir() if path.is_dir())[-1],
                        "--device", "emulator")
        problems = [" ".join(part.split()) for part in done.stdout.split("\n\n")[1:-1]]
        others = [each for each in problems if "is still to be written:" not in each]
        check(done.returncode == 1 and len(problems) >= 15 and not others,
              "a new lab does not hold", *others, done.stderr)


for each in GROUPS:
    check_group(each)
for each in UNREADABLE:
    check_unreadable(*each)
check_new_lab()
print(f"{sum(len(group) for group in GROUPS) + len(UNREADABLE)} damages")
check.finish()
