"""`export --format moodle`: Moodle's grading worksheet, filled, read back and matched to the roster
of a class of twelve."""
import html
import re

from histolab_program import skip_without_sandbox, temporary_folder
from platform_class import (
    NUMBERS, ROSTER, check, export, graded, hand_in_moodle, look_at_feedback, moodle_row,
    read_worksheet, worksheet_of,
)

FILLED = ("Grade", "Feedback comments")
# Ways in which Moodle and spreadsheets write a file: delimiter, end of a line, first bytes.
DIALECTS = ((",", "\r\n", "\ufeff"), (";", "\n", ""), ("\t", "\n", ""))


def fill(folder, out, given, *arguments, code=0):
    """The worksheet's bytes after an export, and what it said."""
    (folder / "given.csv").write_bytes(given)
    options = ("--worksheet", "given.csv", "--output", "filled.csv", *arguments)
    done = export(folder, out, "moodle", *options, code=code)
    return (folder / "filled.csv").read_bytes(), done.stderr


def others_stay(given, filled, delimiter, end, mark):
    """All bytes except those of the two columns are unchanged."""
    before, after = read_worksheet(given, delimiter), read_worksheet(filled, delimiter)
    for row in (*before, *after):
        for column in FILLED:
            del row[column]
    check(before == after, "every other cell stays")
    check(filled.startswith(mark.encode()), "so do the first bytes")
    check(filled.count(end.encode()) == given.count(end.encode()), "so do the ends of lines")
    lines, kept = given.splitlines(), filled.splitlines()
    check(lines[0] == kept[0] and lines[-1] == kept[-1], "so does a row without a student")


def look_at_row(row, number):
    comment = html.unescape(row["Feedback comments"].replace("<br>", "\n"))
    look_at_feedback(comment, number, f"comment of {number}")
    markup = re.search("<(?!br>|/?p>)", row["Feedback comments"])
    check(not markup, "a comment has no markup of a student's", row)
    total = re.search(r"Graded by histolab: (\S+) of 20 points", comment)
    if total and total.group(1) == "-":
        check(row["Grade"] == "", "an empty cell where there is no mark", row)
    else:
        share = float(total.group(1)) / 20 if total else -1
        check(float(row["Grade"]) == 100 * share, "the share of the maximum grade", row)


def every_dialect(folder, out):
    rows = [moodle_row(*student) for student in reversed(ROSTER)]
    rows[-1][5], rows[-1][10] = "3.00", '<p>Come and see me, "Ada".</p>'
    rows.append(moodle_row("Never There", "1999", "never@example.org"))
    for delimiter, end, mark in DIALECTS:
        given = worksheet_of(rows, delimiter, end, mark)
        filled, said = fill(folder, out, given)
        check("Never There" in said, "a row without a student is named", said)
        check("0 instead of 3.00" in " ".join(said.split()), "a grade that is replaced", said)
        others_stay(given, filled, delimiter, end, mark)
        after = read_worksheet(filled, delimiter)
        by_number = {row["Identifier"].split()[-1]: row for row in after}
        for number in NUMBERS:
            look_at_row(by_number[number], number)
        comment = by_number["1001"]["Feedback comments"]
        stays = comment.startswith('<p>Come and see me, "Ada".</p><br>')
        check(stays, "a person's comment stays", comment)
        again, _ = fill(folder, out, filled)
        check(again == filled, "an export into its own result changes nothing")
    one, _ = fill(folder, out, worksheet_of(rows), "--lab", "02")
    check(b"01-race: " not in one and b" of 10 points" in one, "--lab leaves the others out")


def nobody_is_lost(folder, out):
    """Students without a row are named, and no row goes to another student."""
    rows = [moodle_row(*student) for student in ROSTER]
    _, said = fill(folder, out, worksheet_of(rows[2:]), code=1)
    check("Ada Lovelace" in said and "Grace Hopper" in said, "students without a row", said)
    other = moodle_row("Somebody Else", "1001", "else@example.org")
    filled, said = fill(folder, out, worksheet_of([other, *rows[1:]]), code=1)
    first = read_worksheet(filled)[0]
    check(first["Grade"] == "" and "Ada Lovelace" in said, "a number with another name", said)
    renumbered = [moodle_row(name, f"5{number}", mail) for name, number, mail in ROSTER[:10]]
    filled, said = fill(folder, out, worksheet_of(renumbered), code=1)
    check(all(row["Grade"] for row in read_worksheet(filled)), "rows are found by name", said)
    check(said.count("Kim Lee") == 2, "but not those who share one", said)


def made_without(folder, out):
    """A worksheet that was not written by Moodle."""
    rows = read_worksheet(export(folder, out, "moodle").stdout.encode())
    found = sorted(row["Identifier"] for row in rows)
    check(found == [f"Participant {number}" for number in NUMBERS], "a row for each", found)
    for row in rows:
        check(not row["Full name"].startswith("="), "a cell is not a formula", row)
        check(row["Maximum grade"] == "20", "the points of both labs", row)


GERMAN = {
    "Identifier": "ID", "Grade": "Bewertung", "Maximum grade": "Bestwertung",
    "Last modified (grade)": "Zuletzt",
}


def other_languages(folder, out):
    rows = [moodle_row(*student, most="10,00") for student in ROSTER]
    text = worksheet_of(rows).decode()
    head, rest = text.split("\r\n", 1)
    german = ",".join(GERMAN.get(name, name) for name in head.lstrip("\ufeff").split(","))
    (folder / "given.csv").write_text(german + "\r\n" + rest)
    refused = export(folder, out, "moodle", "--worksheet", "given.csv", code=2)
    check('--column "Identifier=' in refused.stderr, "another language", refused.stderr)
    named = [word for pair in GERMAN.items() for word in ("--column", "=".join(pair))]
    done = export(folder, out, "moodle", "--worksheet", "given.csv", *named)
    grades = [row["Bewertung"] for row in read_worksheet(done.stdout.encode())]
    check("10" in grades and "0" in grades, "grades with decimal commas as maximum", grades)


def refused(folder, out):
    text = worksheet_of([moodle_row(*student) for student in ROSTER]).decode()
    for given, words in (
        (b"", "empty"),
        (b"a,b\n1,2\n", "has no column"),
        (text.replace("100.00", "Good").encode(), "not a number"),
        (text.replace("100.00", "").encode(), "a scale"),
        (b"Identifier\xff,Grade\n", "UTF-8"),
        (b'Identifier,"Grade\n', "given.csv"),
    ):
        (folder / "given.csv").write_bytes(given)
        done = export(folder, out, "moodle", "--worksheet", "given.csv", code=2)
        is_said = words in done.stderr and done.stdout == ""
        check(is_said, f"a file that is not a worksheet: {given[:20]!r}", done.stderr)
    for arguments, words in (
        (["--column", "Grade=x"], "--worksheet FILE"),
        (["--worksheet", "given.csv", "--column", "Note=x"], "the columns are"),
        (["--worksheet", "none.csv"], "none.csv"),
    ):
        done = export(folder, out, "moodle", *arguments, code=2)
        is_said = words in done.stderr and done.stdout == ""
        check(is_said, f"{arguments} is refused", done.stderr)


skip_without_sandbox()
with temporary_folder() as folder:
    hand_in_moodle(folder / "moodle")
    out = graded(folder, folder / "moodle")
    every_dialect(folder, out)
    nobody_is_lost(folder, out)
    made_without(folder, out)
    other_languages(folder, out)
    refused(folder, out)
check.finish()
