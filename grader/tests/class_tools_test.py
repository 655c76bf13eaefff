#!/usr/bin/env python3
"""A class of twelve with a roster, an assignment, extensions and marks by hand: `batch`, `mark` and
each format of `export`.

Every format is matched back to the roster. No student may be lost, or gain or lose a point on the
way.
"""
import csv
import io
import json
import re
import xml.etree.ElementTree as ElementTree
import zipfile

from histolab_program import SOURCE, Checks, histolab, put, skip_without_sandbox, temporary_folder

check = Checks()
LABS = ("01-race", "02-atomic-add")
# First and last name, id, section. Two share a first name; one submitted nothing.
ROSTER = [("Ada", "Lovelace", "4701", "Tue"), ("Bob", "Babbage", "4702", "Wed"),
          ("Chlo\u00e9", "Martin", "4703", "Tue"), ("Dmitri", "Ivanov", "4704", "Wed"),
          ("Eve", "O'Neil", "4705", "Tue"), ("Fatima", "Al Zahra", "4706", "Wed"),
          ("Gus", "M\u00fcller", "4707", "Tue"), ("Hana", "Sato", "4708", "Wed"),
          ("Ivan", "Petrov", "4709", "Tue"), ("Jo", "de la Cruz", "4710", "Wed"),
          ("Kim", "Lee", "4711", "Tue"), ("Kim", "Li", "4712", "Wed")]
NAMES = [f"{first} {last}" for first, last, _, _ in ROSTER]
IDS = [number for _, _, number, _ in ROSTER]
# The names of their files, each with the solution of lab 02.
FILES = ["02-atomic-add.cu", "race.cu", "lab2.cu", "lab2_final.cu", "02-atomic-add (1).cu",
         "02_atomic_add.CU", "atomic-add.cu", "02-atomic-add.cu.txt", "my 02-atomic-add.cu",
         "mine.cu", "2.cu"]
# of lab 02; all others have ten points
EXPECTED = {"Bob Babbage": 0, "Jo de la Cruz": None, "Kim Li": 0}
SOLUTION = {lab: (SOURCE / "labs" / lab / "solution.cu").read_text() for lab in LABS}


def hand_in(folder):
    """In Moodle's layout. Kim Li is missing; Bob submitted the solution of lab 02 as that of lab
    01."""
    for number, (name, file) in enumerate(zip(NAMES, FILES)):
        put(folder / f"{name}_{200 + number}_assignsubmission_file_" / file,
            SOLUTION["02-atomic-add"])


def describe(folder):
    lines = ["First name;Last name;ID number;Email address;Group"]
    lines += [f"{first};{last};{number};{number}@example.edu;{section}"
              for first, last, number, section in ROSTER]
    put(folder / "roster.csv", "\ufeff" + "\r\n".join(lines) + "\r\n")
    put(folder / "extensions.csv",
        "student,lab,extra_days,late_days,reason\n4701@example.edu,02-atomic-add,300,,illness\n"
        "Nobody Atall,,1,,\n")
    put(folder / "week.json", json.dumps({
        "schema": "histolab/assignment/1", "labs": {"01-race": {}, "02-atomic-add": {"weight": 2}},
        "late": {"deadline": "2020-01-01T00:00:00Z", "percent_a_day": 10, "most_percent": 50},
        "seed": 815, "roster": "roster.csv", "extensions": "extensions.csv"}))


def export(out, name, *more, without=()):
    """`without`: students whom the format cannot represent. They are named, and the exit code is
    1."""
    done = histolab("export", out, "--format", name, *more)
    check(done.returncode == (1 if without else 0) and
          all(student in done.stderr for student in without), f"export {name}", done.stderr)
    return done.stdout


def rows(out, name, *more, without=()):
    return list(csv.DictReader(io.StringIO(export(out, name, *more, without=without)), strict=True))


def points(cell):
    return None if cell == "" else float(cell)


def check_batch(scratch):
    out = scratch / "out"
    done = histolab("batch", scratch / "in", "--out", out, "--assignment", scratch / "week.json")
    check(done.returncode == 1, "a class with failures", done.returncode, done.stderr)
    check("12 students, 2 labs" in done.stdout, "everyone of the roster is in the class",
          done.stdout)
    words = " ".join(done.stdout.split())
    check("the submission times of 10 of 12 students are unknown" in words,
          "a deadline without times is said, with the number", done.stdout)
    check('there is no student "Nobody Atall"' in words,
          "a row of the extensions that fits no student is said", done.stdout)
    found = {row["name"]: points(row["02-atomic-add"]) for row in rows(out, "csv")}
    check(found == {name: EXPECTED.get(name, 10.0) for name in NAMES},
          "a name that is nearly right is no zero", found)
    return out


def check_formats(scratch, out):
    """Each format has each student, matched by the roster, with the same points."""
    table = {row["id"]: row for row in rows(out, "csv")}
    check(list(table) and sorted(table) == IDS, "csv: ids", sorted(table))
    check([table[number]["name"] for number in IDS] == NAMES, "csv: names")
    check([table[number]["section"] for number in IDS] == [section for *_, section in ROSTER],
          "csv: sections")
    check(all(table[number]["email"] == f"{number}@example.edu" for number in IDS),
          "csv: addresses")
    for row in table.values():
        one, two, total = (points(row[column]) for column in ("01-race", "02-atomic-add", "total"))
        check(total == (None if None in (one, two) else one + 2 * two),
              "csv: the total has the weights", row)
    keys = {row["student"]: number for number, row in table.items()}

    canvas = [row for row in rows(out, "canvas") if row["Student"].strip() != "Points Possible"]
    check(sorted(row["SIS User ID"] for row in canvas) == IDS, "canvas: ids")
    for row in canvas:
        same = table[row["SIS User ID"]]
        check([row[column] for column in row if column[:2] in ("01", "02")] ==
              [same[lab] for lab in LABS], "canvas: points", row)

    moodle = rows(out, "moodle", "--lab", "02", without=["Kim Li"])
    check(sorted(row["ID number"] for row in moodle) == IDS, "moodle: ids",
          [row["ID number"] for row in moodle])
    for row in moodle:
        check(points(row["Grade"]) == points(table[row["ID number"]]["02-atomic-add"]),
              "moodle: points", row)

    for name, total in (("gradescope", lambda one: one.get("score")),
                        ("prairielearn",
                         lambda one: one["score"] * 30 if one["gradable"] else None)):
        export(out, name, "--output", f"{scratch / name}/")
        files = {path.stem: json.loads(path.read_text()) for path in (scratch / name).iterdir()}
        check(sorted(files) == sorted(keys), f"{name}: a file for each", sorted(files))
        for key, one in files.items():
            expected, got = points(table[keys[key]]["total"]), total(one)
            same = (got is None if expected is None
                    else got is not None and abs(got - expected) < 0.01)
            check(same, f"{name}: the total", key, got, expected)

    export(out, "exercism", "--output", f"{scratch / 'exercism'}/")
    check(sorted(path.stem for path in (scratch / "exercism").iterdir()) == sorted(keys),
          "exercism: a file for each")
    check.expect(["export", out, "--format", "gradescope"], 2, "gradescope is a format for one")
    suites = {suite.get("name")
              for suite in ElementTree.fromstring(export(out, "junit")).iter("testsuite")}
    check(suites == {f"{key}: {lab}" for key in keys for lab in LABS},
          "junit: a suite for each student and lab")

    export(out, "feedback", "--output", f"{scratch / 'feedback'}/")
    for key, number in keys.items():
        for ending in ("html", "txt"):
            text = (scratch / "feedback" / f"{key}.{ending}").read_text()
            others = [name for name in NAMES if name != table[number]["name"] and name in text]
            check(not others, f"feedback of {key}: has no other student", others)
    export(out, "moodle-feedback", "--output", scratch / "moodle.zip", without=["Kim Li"])
    numbers = {re.search(r"_(\d+)_", name).group(1)
               for name in zipfile.ZipFile(scratch / "moodle.zip").namelist()}
    check(numbers == {str(200 + i) for i in range(11)},
          "moodle-feedback: all whose number Moodle's export says", sorted(numbers))


def check_marks(scratch, out):
    listed = histolab("mark", out)
    check("Jo de la Cruz in 02-atomic-add" in listed.stdout and
          "no mark was set by hand" in listed.stdout, "what has no mark is listed", listed.stdout)
    for words, code, part in ((["Jo de la Cruz", "02", "8"], 2, "--reason TEXT is required"),
                              (["Jo", "02", "8", "--reason", "x"], 2,
                               "did you mean Jo de la Cruz?"),
                              (["kim", "02", "8", "--reason", "x"], 2,
                               "did you mean Kim Lee or Kim Li?"),
                              (["4710", "02", "11", "--reason", "x"], 2, "has 0 to 10"),
                              (["4710", "07", "8", "--reason", "x"], 2, "there is no lab"),
                              (["4710", "02", "8", "--undo", "--reason", "x"], 2, "not both")):
        done = histolab("mark", out, *words)
        check(done.returncode == code and part in " ".join(done.stderr.split()),
              f"mark {' '.join(words)}", done.stderr)
    for words, part in ((["4710", "02", "7.555", "--reason", "x"], "at most two decimals"),
                        (["4710", "02", "nan", "--reason", "x"], "has 0 to 10"),
                        (["4710", "02", "--undo", "--reason", "x"], "has no mark by hand")):
        done = histolab("mark", out, *words)
        check(done.returncode == 2 and part in done.stderr, f"mark {' '.join(words)}", done.stderr)
    before = export(out, "csv")
    done = histolab("mark", out, "4710@example.edu", "02", "8", "--reason", "=shown in the lab",
                    "--author", "Grace Hopper")
    check(done.returncode == 0, "a mark by hand", done.stderr)
    row = {row["name"]: row for row in rows(out, "csv")}["Jo de la Cruz"]
    check(points(row["02-atomic-add"]) == 8, "it settles a needs_review", row)
    report = histolab("report", out, "--html", "-").stdout
    check("Grace Hopper" in report and "shown in the lab" in report and
          "8 of 10, by hand" in report, "the report shows it, with author and reason")
    feedback = json.loads(export(out, "gradescope", "--student", row["student"]))
    check("Grace Hopper" in feedback["output"], "so do the exports", feedback["output"])
    resumed = histolab("batch", scratch / "in", "--out", out, "--resume")
    check(resumed.returncode == 1 and "12 students, 2 labs" in resumed.stdout,
          "--resume keeps the assignment and the roster", resumed.stdout, resumed.stderr)
    check({row["name"]: row for row in rows(out, "csv")}["Jo de la Cruz"]["02-atomic-add"] == "8",
          "and the mark")
    histolab("mark", out, "Jo de la Cruz", "02", "--undo", "--reason", "wrong student", "--author",
             "Grace Hopper")
    check(export(out, "csv") == before, "taken back, everything is as before")
    check(" ".join(histolab("mark", out, "4710").stdout.split()).count("Grace Hopper") == 2,
          "the list keeps both entries")
    check(histolab("batch", scratch / "in", "--out", out, "--resume").returncode == 1,
          "a batch goes on with such a journal")
    put(scratch / "one" / f"{NAMES[11]}_211_assignsubmission_file_" / "02-atomic-add.cu",
        SOLUTION["02-atomic-add"])
    part = histolab("batch", scratch / "one", "--out", out, "--resume")
    check("no longer has 10 hand-ins of the last run" in part.stderr,
          "a part of the class alone is noticed", part.stderr)
    histolab("batch", scratch / "in", "--out", out, "--resume")
    check(export(out, "csv") == before, "and nothing is lost")


def check_late(scratch):
    """File times: five or more days late, except for the student with an extension. Late days
    are free."""
    out = scratch / "late"
    histolab("batch", scratch / "in", "--out", out, "--assignment", scratch / "week.json",
             "--file-times")
    found = {row["name"]: points(row["02-atomic-add"]) for row in rows(out, "csv")}
    check(found["Chlo\u00e9 Martin"] == 5, "late by years costs the most there is", found)
    put(scratch / "more.csv", "student,late_days\n4703,366\n4701,366\n")
    put(scratch / "days.csv",
        "student,lab,deadline\nchlo\u00e9 martin,02-atomic-add,2100-01-01T00:00:00Z\n")
    done = histolab("batch", scratch / "in", "--out", out, "--resume", "--file-times",
                    "--extensions", scratch / "days.csv")
    check(done.returncode == 1, "other extensions grade nothing again", done.stderr)
    found = {row["name"]: points(row["02-atomic-add"]) for row in rows(out, "csv")}
    check(found["Chlo\u00e9 Martin"] == 10 and found["Ada Lovelace"] == 5,
          "an extension moves the deadline", found)
    put(scratch / "wrong.csv", "student,lab,deadline\n4701,02-atomic-adx,2100-01-01T00:00:00Z\n")
    done = histolab("batch", scratch / "in", "--out", out, "--resume", "--extensions",
                    scratch / "wrong.csv")
    check(done.returncode == 2 and "wrong.csv:2: there is no lab" in done.stderr,
          "a wrong lab is an error with the line", done.stderr)


def check_labs(scratch):
    """Labs without submissions do not appear."""
    out = scratch / "some"
    done = histolab("batch", scratch / "in", "--out", out)
    header = export(out, "csv").splitlines()[0]
    check(header == "student,name,email,id,section,01-race,02-atomic-add,total",
          "only labs that somebody handed in", header, done.stdout)
    put(scratch / "unclear" / "ada" / "kernel.cu", SOLUTION["02-atomic-add"])
    done = histolab("batch", scratch / "unclear", "--out", scratch / "none")
    check(done.returncode == 2 and "no file name contains a lab" in " ".join(done.stderr.split()),
          "no lab at all is an error that says what to do", done.stderr)
    done = histolab("batch", scratch / "unclear", "02", "--out", scratch / "none")
    check(done.returncode == 0, "a named lab takes the only file", done.stdout, done.stderr)


def words(text):
    return " ".join(text.split())


def class_of(scratch, name, files, *more, code=1):
    """Grades a class with these files. Returns the results folder, the run, and the marks of lab
    02 by name."""
    for path, text in files.items():
        put(scratch / name / "in" / path, text)
    done = histolab("batch", scratch / name / "in", "--out", scratch / name / "out", *more)
    check(done.returncode == code, f"batch of {name}", done.returncode, done.stdout, done.stderr)
    table = rows(scratch / name / "out", "csv") if done.returncode < 2 else []
    return scratch / name / "out", done, {row["student"]: points(row.get("02-atomic-add"))
                                          for row in table}


def check_no_silent_zero(scratch):
    """A file that a student may have meant as the kernel leaves an empty cell and is named once."""
    two = SOLUTION["02-atomic-add"]
    put(scratch / "names.csv",
        "name,email\nKim Lee,a@e\nKim Lee,b@e\n" +
        "".join(f"{name},\n" for name in ("bob", "cy", "dee", "eve", "fay", "gus")))
    out, done, marks = class_of(scratch, "misnamed", {
        "bob/02-atomic-add.cpp": two, "cy/lab2.txt": two, "dee/kernel.c": two,
        "eve/02-atomic-add.pdf": "x", "fay/02-atomic-add.cu": two,
        "fay/02-atomic-add (1).cu": two + "\n// again\n", "gus/02-atomic-add.cu": two,
        "gus/02-atomic-add (1).cu": two, "Kim Lee/02-atomic-add.cu": two,
        "stray/02-atomic-add.cu": two, "gus/07-hybrid.cu": two, "gus/03-interleaved.cpp": two},
                                "02", "--roster", scratch / "names.csv")
    kims = [key for key in marks if key.startswith("Kim")]
    check([marks[key] for key in ("bob", "cy", "dee", "eve", "fay", "gus", "stray")] ==
          [None, None, None, 0, None, 10, 10], "only a harmless file is no kernel", marks)
    check(len(kims) == 3 and sorted(str(marks[key]) for key in kims) == ["10.0", "None", "None"],
          "no mark for two of one name", marks)
    report = histolab("report", out, "--html", "-").stdout
    for text, where in ((words(done.stdout), "output"),
                        (words(report.replace("&#39;", "'").replace("&quot;", '"')), "report")):
        for part in ("bob/02-atomic-add.cpp was not graded", "cy/lab2.txt was not graded",
                     "dee/kernel.c was not graded", "fay/02-atomic-add (1).cu",
                     "differ; which one counts?",
                     "Kim Lee may be the submission of Kim Lee (a@e) or Kim Lee (b@e)",
                     "To decide it, name it by an e-mail address", "stray is not in the roster",
                     "labs that are not graded:", "1 file for 03-interleaved"):
            check(part in text, f"the {where} says: {part}", text[:3000])
    check(done.stdout.count("bob/02-atomic-add.cpp") == 1, "a misnamed file is one message",
          done.stdout)
    # A mark by hand resolves it.
    histolab("mark", out, "bob", "02", "7", "--reason", "it compiles")
    again = histolab("batch", scratch / "misnamed" / "in", "02", "--out", out, "--resume")
    check("bob/02-atomic-add.cpp" not in again.stdout, "a settled review is settled", again.stdout)
    report = histolab("report", out, "--html", "-").stdout
    row = re.search(r"<tr data-f=\"([^\"]*)\"><th scope=row><a href=#s\\d+>bob</a>.*",
                    report.replace("#s", "#s"))
    check(row is None or "review" not in row.group(1), "and not in the list of what to look at",
          row and row.group(0))
    check(not re.search(r"<td class=\w+>7 <abbr[^>]*>\?", report) and
          re.search(r"<td class=\w+>7<abbr[^>]*>\*", report), "its cell has no question mark",
          re.findall(r"<td class=\w+>7.*", report)[:2])


def check_moodle_number(scratch):
    """Moodle's worksheet, used as a roster, tells two students of the same name apart and gives
    the time."""
    files = {"Kim Lee_205_assignsubmission_file_/02-atomic-add.cu": SOLUTION["02-atomic-add"],
             "Bob_7_assignsubmission_file_/02-atomic-add.cu": SOLUTION["02-atomic-add"]}
    head = "Identifier,Full name,Email address,Last modified (submission)\n"
    put(scratch / "sheet.csv",
        head +
        "Participant 206,Kim Lee,a@e,-\nParticipant 205,Kim Lee,b@e,2026-11-22T10:00:00Z\n"
        "Participant 7,Bob,c@e,2026-11-19T10:00:00Z\n")
    put(scratch / "late.json",
        json.dumps({"schema": "histolab/assignment/1", "labs": {"02-atomic-add": {"weight": 2}},
                    "roster": "sheet.csv",
                    "late": {"deadline": "2026-11-20T23:59:00+01:00", "percent_a_day": 10}}))
    out, done, _ = class_of(scratch, "numbers", files, "--assignment", scratch / "late.json")
    found = {row["email"]: points(row["02-atomic-add"]) for row in rows(out, "csv")}
    check(found == {"a@e": 0, "b@e": 8, "c@e": 10}, "number and time of the worksheet", found,
          done.stdout, done.stderr)
    comment = next(row for row in rows(out, "moodle", without=["Kim Lee"])
                   if row["Email address"] == "b@e")["Feedback comments"]
    check("8 of 10 points x 2" in comment, "Moodle's comment has the weight", comment)
    key = next(row["student"] for row in rows(out, "csv") if row["email"] == "b@e")
    check("8 of 10 points x 2" in json.loads(export(out, "gradescope", "--student", key))["output"],
          "Gradescope's output has the weight")
    # Resuming uses the stored list, and says so.
    put(scratch / "sheet.csv", (scratch / "sheet.csv").read_text().replace("c@e", "d@e"))
    resumed = words(histolab("batch", scratch / "numbers" / "in", "--out", out, "--resume").stderr)
    check("sheet.csv has changed, but this class still uses the stored version" in resumed and
          "add --roster" in resumed, "an edited roster", resumed)
    put(scratch / "late.json", (scratch / "late.json").read_text().replace("10}", "20}"))
    resumed = words(histolab("batch", scratch / "numbers" / "in", "--out", out, "--resume").stderr)
    check("late.json has changed" in resumed and "add --assignment" in resumed,
          "an edited assignment", resumed)
    resumed = words(histolab("batch", scratch / "numbers" / "in", "--out", out, "--resume",
                             "--assignment", scratch / "late.json").stderr)
    check("has changed" not in resumed, "the edited one is named", resumed)
    put(scratch / "sheet.csv",
        head +
        "Participant 206,Kim Lee,a@e,\"Sunday, 22 November 2026, 11:00 AM\"\n"
        "Participant 7,Bob,c@e,-\n")
    _, done, _ = class_of(scratch, "numbers2", files, "--assignment", scratch / "late.json", code=0)
    check("is ignored unless each time has a UTC offset" in words(done.stderr) and
          "Moodle's grading worksheet also has them" in words(done.stdout),
          "times in Moodle's words", done.stdout, done.stderr)
    # Both marks of a replay.
    key = next(row["student"] for row in rows(out, "csv") if row["email"] == "d@e")
    marked = histolab("mark", out, key, "02", "9", "--reason", "style")
    check("9 counts instead of 10" in marked.stdout, "mark says what it replaces", marked.stdout)
    replayed = histolab("grade", "--replay", out, key, "02")
    check("the mark that counts was set by hand to 9" in words(replayed.stdout),
          "a replay names the mark by hand", replayed.stdout)


def check_wrong_lists(scratch):
    """A misspelt entry in a list is an error, or a message that suggests the right one."""
    two = {"bob/02-atomic-add.cu": SOLUTION["02-atomic-add"]}
    base = {"schema": "histolab/assignment/1", "labs": {"02-atomic-add": {}}}
    late = {"deadline": "2026-11-20T23:59:00+01:00", "percent_a_day": 10}
    put(scratch / "plain.json", json.dumps({**base, "late": late}))
    for name, lists, part in (
            ("e1", {"extensions": "student,extra_day\nbob,2\n"}, "did you mean extra_days?"),
            ("e2", {"extensions": "student,deadline\nbob,2026-12-01T23:59\n"},
             "write 2026-12-01T23:59+01:00"),
            ("r1", {"roster": '{"students": []}'}, "is JSON; expected a CSV table"),
            ("a1",
             {"assignment": json.dumps({**base, "late": {**late, "deadline": "2026-11-20T23:59"}})},
             "write 2026-11-20T23:59+01:00"),
            ("a2",
             {"assignment": json.dumps({**base, "maximum": 3, "late": {**late, "percent": 3}})},
             "its keys are"),
            ("a3",
             {"assignment": json.dumps({**base, "deadlin": 1, "late": {**late, "percent": 1}})},
             "/late/percent:"),
            ("a4", {"assignment": json.dumps({**base, "roster": "nowhere.csv"})},
             "a4.assignment names it)")):
        flags = []
        for option, text in lists.items():
            put(scratch / f"{name}.{option}", text)
            flags += [f"--{option}", scratch / f"{name}.{option}"]
        _, done, _ = class_of(scratch, f"wrong {name}", two, *flags, code=2)
        check(part in words(done.stderr), f"{name} says: {part}", done.stderr)
    put(scratch / "early.csv", "student,lab,deadline\nbob,2,2026-11-01T00:00:00Z\n")
    put(scratch / "emial.csv", "name,emial\nbob,b@e\n")
    _, done, _ = class_of(scratch, "early", two, "--assignment", scratch / "plain.json",
                          "--extensions", scratch / "early.csv", "--roster", scratch / "emial.csv",
                          code=0)
    check("early.csv:2: the deadline of bob has no effect: it is before that of 02-atomic-add" in
          words(done.stderr), "an extension to an earlier time", done.stderr)
    check('the column "emial" is not used; did you mean email?' in words(done.stderr),
          "a misspelt column", done.stderr)
    marked = histolab("mark", scratch / "early" / "out", "bob", "02", "7,5", "--reason", "x")
    check(marked.returncode == 2 and "7.5" in marked.stderr, "a decimal comma", marked.stderr)
    several = histolab("export", scratch / "misnamed" / "out", "--format", "classroom50",
                       "--output", f"{scratch / 'c50'}/")
    check(several.returncode == 2 and several.stderr.count("not set") == 1,
          "classroom50 of a class is one error", several.stderr)


def check_one_file(scratch):
    """The same file describes the assignment to an autograder and to a student edition."""
    put(scratch / "two.json", json.dumps({
        "schema": "histolab/assignment/1", "seed": 815247,
        "labs": {"02-atomic-add": {"max_score": 12, "points": {"no_findings": 5}},
                 "04-privatization": {"weight": 2}}}))
    done = histolab("export", "--bundle", "gradescope", "--assignment", scratch / "two.json",
                    "--output", scratch / "autograder.zip")
    check(done.returncode == 0 and "the seed is 1" not in done.stderr, "a bundle of an assignment",
          done.stderr)
    with zipfile.ZipFile(scratch / "autograder.zip") as archive:
        texts = {name: archive.read(name).decode(errors="replace") for name in archive.namelist()
                 if name.split("/")[-1] in ("arguments", "rubric.json")}
    joined = "\n".join(texts.values())
    check("815247" in joined and "04-privatization" in joined and "03-interleaved" not in joined,
          "it has the seed and the labs", *texts)
    done = histolab("package", "--for", "students", scratch / "edition", "--assignment",
                    scratch / "two.json")
    check(done.returncode == 0, "a student edition of an assignment", done.stderr)
    labs = scratch / "edition" / "labs"
    check(sorted(lab.name for lab in labs.iterdir() if lab.is_dir() and lab.name[0].isdigit()) ==
          ["02-atomic-add", "04-privatization"], "it has its labs alone")
    lab = json.loads((labs / "02-atomic-add" / "lab.json").read_text())
    check(lab["max_score"] == 12 and
          {one["id"]: one["points"] for one in lab["checks"]}["no_findings"] == 5,
          "with its points", lab["max_score"])
    secret = [path for path in (scratch / "edition").rglob("*")
              if path.is_file() and b"815247" in path.read_bytes()]
    check(not secret, "and not its seed", secret)


def main():
    skip_without_sandbox()
    with temporary_folder(prefix="histolab-class-") as scratch:
        hand_in(scratch / "in")
        describe(scratch)
        out = check_batch(scratch)
        check_formats(scratch, out)
        check_marks(scratch, out)
        check_late(scratch)
        check_labs(scratch)
        check_no_silent_zero(scratch)
        check_moodle_number(scratch)
        check_wrong_lists(scratch)
        check_one_file(scratch)
    check.finish()


main()
