"""Feedback for students, alone and in the archives that Moodle and Canvas take: read back and
matched to the roster of a class of twelve."""
import csv
import io
import json
import re
import zipfile

from histolab_program import histolab, put, skip_without_sandbox, temporary_folder
from platform_class import (
    LABS, NUMBERS, ROSTER, SECRET, SEED, check, export, graded, hand_in_canvas, hand_in_moodle,
    kernel, look_at_feedback, look_at_page, moodle_row, read_as_canvas, read_as_moodle,
    worksheet_of,
)


def same_words(text, page, key):
    """The page has all words of the text; direction marks look different there."""
    words = [word for word in text.replace("next:", "").split() if "?" not in word]
    missing = [word for word in words if word.rstrip(":") not in page]
    check(not missing, f"{key}: the page and the text say the same", missing[:10])


def feedback(folder, out):
    """{key: text}, from a page and a text per student."""
    export(folder, out, "feedback", "--output", "each/")
    table = csv.DictReader(io.StringIO(export(folder, out, "csv").stdout))
    totals = {row["student"]: row["total"] for row in table}
    files = sorted(path.name for path in (folder / "each").iterdir())
    expected = sorted(key + ending for key in totals for ending in (".html", ".txt"))
    check(files == expected and len(totals) == len(ROSTER), "two files for each student", files)
    texts = {}
    for key, total in totals.items():
        text, page = ((folder / "each" / (key + end)).read_text() for end in (".txt", ".html"))
        own = re.search(SECRET + r"(\d+)", text + page)
        for part in (text, page):
            look_at_feedback(part, own.group(1) if own else "", key)
        same_words(text, look_at_page(page, f"{key}.html"), key)
        wide = [line for line in text.splitlines() if len(line) > 80]
        check(not wide, f"{key}.txt is wider than 80 columns", wide)
        shown = re.search(r"^total +(\S+) of 20$", text, re.M)
        check(shown and shown.group(1).replace("-", "") == total, f"{key}: the total", total, text)
        texts[key] = text
    return texts


def same_as_grade(folder, texts):
    """The sentences equal those that `grade` prints with the same seed."""
    compared = 0
    for number in NUMBERS[:4]:
        key = next((key for key, text in texts.items() if SECRET + number in text), None)
        for lab in LABS if key else ():
            work = folder / "alone" / f"{lab}.cu"
            put(work, kernel(number, lab))
            options = ("--seed", SEED, "--json", folder / "alone.json", "--device", "emulator")
            done = histolab("grade", lab, "--submission", work, *options, cwd=folder)
            lines = [line for line in done.stdout.splitlines() if line.startswith("  ")]
            absent = [line for line in lines if line not in texts[key] and str(work) not in line]
            check(not absent, f"{key}, {lab}: what `grade` says", absent, texts[key])
            compared += bool(lines)
    check(compared >= 4, "feedback was compared with `grade`", compared)


def each_loss(folder, out, texts):
    """Every check that lost points has its line, with the points."""
    seen = 0
    for key, text in texts.items():
        report = json.loads(export(folder, out, "gradescope", "--student", key).stdout)
        for test in report["tests"]:
            lab = test["name"].partition(": ")[0]
            has_run = re.search(rf"^{lab} +(failed|timeout|crashed) ", text, re.M)
            if has_run and test["score"] < test["max_score"]:
                points = f"({test['score']} of {test['max_score']} points)"
                check(points in text, f"{key} reads of each lost point", test, text)
                seen += 1
    check(seen > 10, "points were lost", seen)


def moodle_archive(folder, out):
    export(folder, out, "moodle-feedback", "--output", "moodle.zip")
    found = read_as_moodle(folder / "moodle.zip")
    check(sorted(found) == NUMBERS, "each participant has feedback", sorted(found))
    for number, files in found.items():
        check(list(files) == ["/feedback.html"], "one file for each", list(files))
        page = files["/feedback.html"].decode()
        look_at_page(page, f"feedback.html of {number}")
        look_at_feedback(page, number, f"feedback.html of {number}")
        is_wrong = int(number) % 4 in (2, 3)
        check(not is_wrong or SECRET + number in page, "it is that student's", number)
    export(folder, out, "moodle-feedback")
    same = (folder / "moodle-feedback.zip").read_bytes() == (folder / "moodle.zip").read_bytes()
    check(same, "the same results give the same archive")


def several_assignments(folder):
    """A Moodle number belongs to one assignment."""
    hand_ins = folder / "two-assignments"
    for at, lab in enumerate(LABS):
        for name, number, _ in ROSTER[: 4 - at]:  # the fourth student submitted only lab 01
            below = f"assignment{at}/{name}_{int(number) + 1000 * at}_assignsubmission_file"
            put(hand_ins / below / f"{lab}.cu", kernel(number, lab))
    out = graded(folder, hand_ins)
    only = ROSTER[3][0]
    partial = export(folder, out, "moodle-feedback", code=1)
    check("--lab" in partial.stderr, "two assignments: what to do", partial.stderr)
    for at, lab in enumerate(LABS):
        done = export(folder, out, "moodle-feedback", "--lab", lab, "--output", "one.zip", code=at)
        check((only in done.stderr) == (at == 1), "who is not in the assignment", done.stderr)
        expected = [str(1001 + i + 1000 * at) for i in range(4 - at)]
        check(sorted(read_as_moodle(folder / "one.zip")) == expected, "the assignment's numbers")
    rows = [moodle_row(name, str(7000 + i), mail) for i, (name, _, mail) in enumerate(ROSTER[:4])]
    (folder / "two.csv").write_bytes(worksheet_of(rows))
    export(folder, out, "moodle-feedback", "--worksheet", "two.csv", "--output", "one.zip")
    found = sorted(read_as_moodle(folder / "one.zip"))
    check(found == ["7000", "7001", "7002", "7003"], "the numbers of the worksheet, by name", found)


def canvas_archive(folder, other):
    hand_ins = folder / "canvas"
    hand_in_canvas(hand_ins)
    out = graded(folder, hand_ins)
    export(folder, out, "canvas-feedback", "--output", "canvas.zip")
    names = {path.name for path in hand_ins.iterdir()}
    with zipfile.ZipFile(folder / "canvas.zip") as archive:
        odd = set(archive.namelist()) ^ names
    check(not odd, "the names are those of the files that Canvas wrote", odd)
    found = read_as_canvas(folder / "canvas.zip")
    check({user for user, _ in found} == set(NUMBERS), "each user has a comment", sorted(found))
    for (user, attachment), text in found.items():
        look_at_feedback(text, user, f"comment of {user}")
        labs = [lab for lab in LABS if re.search(rf"^{lab} ", text, re.M)]
        whole = user in ("1004", *NUMBERS[-2:])  # one file, or none for a lab
        expected = list(LABS) if whole else [LABS[int(attachment[-1])]]
        check(labs == expected, "a file's comment is on the labs in it", user, labs)
    refused = export(folder, other, "canvas-feedback", code=2)
    check("Canvas" in refused.stderr, "a class of another platform", refused.stderr)
    check(not (folder / "canvas-feedback.zip").exists(), "an archive of nothing is written")


def of_one(folder, out):
    """One student, one lab, a report of `grade`, and wrong usage."""
    ada = ("--student", "Ada Lovelace")
    text = export(folder, out, "feedback", *ada).stdout
    check(text.startswith("Feedback for Ada Lovelace\n"), "one student's text", text[:200])
    export(folder, out, "feedback", *ada, "--output", "ada.html")
    look_at_page((folder / "ada.html").read_text(), "ada.html")
    text = export(folder, out, "feedback", *ada, "--lab", "2").stdout
    check("02-atomic-add" in text and "01-race  " not in text, "--lab takes a number", text)
    text = export(folder, folder / "alone.json", "feedback").stdout
    check("Feedback for alone" in text, "feedback of a report", text)
    for name, arguments, words in (
        ("feedback", [], "--output DIR/"),
        ("csv", ["--lab", "7"], 'no lab "7"'),
        ("csv", ["--lab", "0"], '"0" fits 2 labs: 01-race, 02-atomic-add'),
        ("csv", ["--lab", ""], "its value is empty"),
        ("csv", ["--worksheet", "x.csv"], "--worksheet is for"),
    ):
        refused = export(folder, out, name, *arguments, code=2)
        is_said = words in refused.stderr and refused.stdout == ""
        check(is_said, f"--format {name} {arguments} is refused", refused.stderr)


def without_a_mark(folder):
    """A lab without a mark is neither a zero nor a verdict. The machine's reason is not given to
    students."""
    report = json.loads((folder / "alone.json").read_text())
    broken = {"status": "infrastructure_error", "score": None, "message": "no room in /tmp/here"}
    report["labs"][0] |= broken
    report["score"] = None
    (folder / "failed.json").write_text(json.dumps(report))
    text = " ".join(export(folder, folder / "failed.json", "feedback").stdout.split())
    check("no mark yet" in text and "costs no points" in text, "no mark is shown as such", text)
    check("/tmp/here" not in text and " 0 of" not in text, "nor as a zero", text)


skip_without_sandbox()
with temporary_folder() as folder:
    hand_in_moodle(folder / "moodle")
    out = graded(folder, folder / "moodle")
    texts = feedback(folder, out)
    same_as_grade(folder, texts)
    each_loss(folder, out, texts)
    moodle_archive(folder, out)
    several_assignments(folder)
    canvas_archive(folder, out)
    of_one(folder, out)
    without_a_mark(folder)
check.finish()
