"""Feedback and Moodle's worksheet: each format is read back as the platform reads it, and matched to the roster of a class of
twelve. The rules for names are those of Moodle's importziplib.php and importgradeslib.php, and of Canvas's
infer_comment_context_from_filename."""
import csv
import html
import html.parser
import io
import json
import pathlib
import re
import tempfile
import zipfile

from histolab_program import SOURCE, Checks, histolab, skip_without_sandbox

check = Checks()
SEED = 815246
LABS = ("01-race", "02-atomic-add")
SECRET = "SECRET-OF-"  # where each kernel is wrong, with its student's number: no other feedback has it
# Name, participant number, address. What a person may be called, and what a person might try.
ROSTER = [
    ("Ada Lovelace", "1001", "ada@example.org"), ("Grace Hopper", "1002", "grace@example.org"),
    ("Zo\u00eb M\u00fcller", "1003", "zoe@example.org"), ("Jos\u00e9 d'Arc", "1004", "jose@example.org"),
    ("=cmd|' calc'!A0", "1005", "formula@example.org"), ("\u202eevE gnorts", "1006", "rtl@example.org"),
    ("<script>alert(1)<b>", "1007", "html@example.org"), ("..", "1008", "dots@example.org"),
    ("Say \"hi\", please", "1009", "quotes@example.org"), ("\u5f20\u4f1f", "1010", "wei@example.org"),
    ("Kim Lee", "1011", "kim1@example.org"), ("Kim Lee", "1012", "kim2@example.org"),
]


def kernel(number, lab):
    """Passes, fails in two ways, does not compile; hostile text in comments and names."""
    folder = SOURCE / "labs" / lab
    secret = f"// {SECRET}{number} </pre><script>alert(1)</script> \u202e\n"
    with_error = f"  <script>alert(1)</script> = 1;  // {SECRET}{number} \u202e\n"
    if number % 4 == 0:
        return secret + (folder / "solution.cu").read_text()
    if number % 4 == 1:
        return secret + (folder / "stub.cu").read_text()
    if number % 4 == 2:
        return "__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {\n" + with_error + "}\n"
    return """__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length) {
    int b = data[i] - 'a';
    if (b >= 0 && b < 26)
      histo[b / 4] = atomicAdd(&histo[b / 4], 1u) + 1;  """ + secret + """  }
}
"""


def put(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def hand_in_moodle(folder, lab_numbers):
    """As Moodle writes it: a folder for each student. Student 12 hands in lab 01 alone, and it is empty."""
    for name, number, _ in ROSTER:
        for lab in lab_numbers:
            if int(number) == 1012 and lab == LABS[1]:
                continue
            text = "" if int(number) == 1012 else kernel(int(number), lab)
            put(folder / f"{name.replace('/', '')}_{number}_assignsubmission_file" / f"{lab}.cu", text)


def hand_in_canvas(folder):
    """Files side by side; the name has letters and digits alone. One came late, one again, one in an archive."""
    folder.mkdir(parents=True)
    for at, (_, number, _) in enumerate(ROSTER):
        late = "LATE_" if at == 1 else ""
        who = f"student{at}"
        if at == 3:
            with zipfile.ZipFile(folder / f"{who}_{number}_9{at:02}0_both my labs.zip", "w") as archive:
                for lab in LABS:
                    archive.writestr(f"{lab}.cu", kernel(int(number), lab))
            continue
        for file, lab in enumerate(LABS):
            again = "-2" if at == 2 else ""
            put(folder / f"{who}_{late}{number}_9{at:02}{file}_{lab}{again}.cu", kernel(int(number), lab))


def graded(folder, hand_ins, *labs):
    out = folder / f"out-{hand_ins.name}"
    done = histolab("batch", hand_ins, *(labs or ("01", "02")), "--out", out, "--seed", SEED, cwd=folder)
    check(done.returncode in (0, 1), f"batch ended with {done.returncode}", done.stdout, done.stderr)
    return out


def export(folder, out, *arguments, code=0):
    done = histolab("export", out, *arguments, cwd=folder)
    check(done.returncode == code, f"export {arguments} ended with {done.returncode}, not {code}", done.stdout[:500], done.stderr)
    return done


class Page(html.parser.HTMLParser):
    """The text and the tags of a page."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.words, self.attributes = set(), "", []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.tags.add(tag)
        self.attributes += attributes

    def handle_data(self, data):
        self.words += data


HTML_TAGS = {"html", "head", "meta", "title", "style", "body", "main", "h1", "h2", "h3", "p", "b", "i", "table", "thead", "tbody", "tfoot", "tr", "th", "td", "section", "pre"}


def look_at_page(text, what):
    page = Page(text)
    check(page.tags <= HTML_TAGS, f"{what} has other elements", page.tags - HTML_TAGS)
    check(not any(name.startswith("on") or name in ("src", "href") for name, _ in page.attributes), f"{what} has an attribute that acts", page.attributes)
    check("default-src 'none'" in text and "viewport" in text and "@media print" in text, f"{what} is not a page for itself")
    return " ".join(page.words.split())


def look_at_feedback(text, number, what):
    """Nothing of others, of the machine or of the seed."""
    others = {found for found in re.findall(SECRET + r"(\d+)", text) if found != number}
    check(not others, f"{what} has another student's source", others)
    for word in (str(SEED), "/work/", "/tmp/", str(SOURCE), "out-", "\x1b", "\u202e"):
        check(word not in text, f"{what} has {word!r}", text[:300])


def feedback(folder, out):
    export(folder, out, "--format", "feedback", "--output", "each/")
    keys = {row["student"]: row for row in csv.DictReader(io.StringIO(export(folder, out, "--format", "csv").stdout))}
    files = sorted(path.name for path in (folder / "each").iterdir())
    check(files == sorted(key + ending for key in keys for ending in (".html", ".txt")) and len(keys) == len(ROSTER), "a page and a text for each student", files)
    texts = {}
    for key in keys:
        text, page = ((folder / "each" / (key + ending)).read_text() for ending in (".txt", ".html"))
        words = look_at_page(page, f"{key}.html")
        number = re.search(SECRET + r"(\d+)", text + page)
        for part, what in ((text, ".txt"), (page, ".html")):
            look_at_feedback(part, number.group(1) if number else "", key + what)
        check(all(len(line) <= 80 for line in text.splitlines()), f"{key}.txt is wider than 80 columns", [line for line in text.splitlines() if len(line) > 80])
        missing = [word for word in text.replace("next:", "").split() if word.rstrip(":") not in words and "?" not in word]
        check(not missing, f"{key}: the page and the text say the same", missing[:10])
        total = re.search(r"^total +(\S+) of 20$", text, re.M)
        check(total and total.group(1).replace("-", "") == keys[key]["total"], f"{key}: the total is that of csv", keys[key], text[:300])
        texts[key] = text
    return texts


def same_as_grade(folder, out, texts):
    """The sentences are those that `grade` prints with the same seed."""
    compared = 0
    for _, number, _ in ROSTER[:4]:
        key = next((key for key, text in texts.items() if SECRET + number in text), None)
        for lab in LABS:
            work = folder / "alone" / f"{lab}.cu"
            put(work, kernel(int(number), lab))
            done = histolab("grade", lab, "--submission", work, "--seed", SEED, "--json", folder / "alone.json", "--device", "emulator", cwd=folder)
            lines = [line for line in done.stdout.splitlines() if line.startswith("  ") and "next:" not in line and str(work.parent) not in line]
            if not key or not lines:
                continue
            absent = [line for line in lines if line not in texts[key]]
            check(not absent, f"feedback of {key} on {lab} says what `grade` says", absent, texts[key])
            compared += 1
    check(compared >= 2, "feedback was compared with `grade`", compared)


def each_loss(folder, out, texts):
    """Every check that lost points has its line, with the points."""
    for key, text in texts.items():
        report = json.loads(export(folder, out, "--format", "gradescope", "--student", key).stdout)
        for test in report["tests"]:
            lab, _, title = test["name"].partition(": ")
            if not re.search(rf"^{lab} +(failed|timeout|crashed) ", text, re.M) or test.get("score") == test["max_score"]:
                continue
            check(f"({test['score']} of {test['max_score']} points)" in text, f"{key} is told of each lost point", test, text)


def read_as_moodle(path):
    """{participant: {file: bytes}}, by is_valid_filename_for_import()."""
    found = {}
    with zipfile.ZipFile(path) as archive:
        check(archive.testzip() is None, "the archive is whole")
        for entry in archive.infolist():
            parts, number = entry.filename.split("/"), None
            check(not parts[-1].startswith((".", "~")) and ".." not in parts and not entry.filename.startswith("/"), "Moodle ignores such a file", entry.filename)
            while parts:
                info = parts.pop(0).split("_", 4)
                if len(info) < 4 or not info[1].isdigit() or not (info[2], info[3]) == ("assignfeedback", "file"):
                    continue
                number, parts = info[1], [info[4] if len(info) > 4 else "", *parts]
                break
            check(number is not None, "Moodle finds no participant in", entry.filename)
            found.setdefault(number, {})["/".join(parts)] = archive.read(entry)
            check(entry.date_time == (1980, 1, 1, 12, 0, 0), "an archive has no time in it", entry.date_time)
    return found


def moodle_feedback(folder, out):
    export(folder, out, "--format", "moodle-feedback", "--output", "moodle.zip")
    found = read_as_moodle(folder / "moodle.zip")
    check(sorted(found) == [number for _, number, _ in ROSTER], "each participant has feedback", sorted(found))
    for name, number, _ in ROSTER:
        check(list(found[number]) == ["/feedback.html"], "one file for each", list(found[number]))
        page = found[number]["/feedback.html"].decode()
        look_at_page(page, f"feedback.html of {number}")
        look_at_feedback(page, number, f"feedback.html of {number}")
        check(int(number) % 4 not in (2, 3) or SECRET + number in page, "it is that student's", number)
    first = (folder / "moodle.zip").read_bytes()
    export(folder, out, "--format", "moodle-feedback")
    check((folder / "moodle-feedback.zip").read_bytes() == first, "the same results give the same archive")


def worksheet_of(rows, delimiter=",", end="\r\n", mark="\ufeff"):
    memory = io.StringIO()
    writer = csv.writer(memory, delimiter=delimiter, lineterminator=end)
    writer.writerow(["Identifier", "Full name", "ID number", "Email address", "Status", "Grade", "Maximum grade", "Grade can be changed", "Last modified (submission)", "Last modified (grade)", "Feedback comments"])
    writer.writerows(rows)
    return (mark + memory.getvalue()).encode()


def read_worksheet(data, delimiter=","):
    return list(csv.DictReader(io.StringIO(data.decode("utf-8-sig"), newline=""), delimiter=delimiter, strict=True))


def moodle_row(name, number, address, most="100.00", grade="", comment=""):
    return [f"Participant {number}", name, "", address, "Submitted for grading", grade, most, "Yes", "Friday, 27 November 2026, 2:00 PM", "-", comment]


def worksheet(folder, out):
    scores = {row["student"]: row for row in csv.DictReader(io.StringIO(export(folder, out, "--format", "csv").stdout))}
    rows = [moodle_row(*student) for student in reversed(ROSTER)] + [moodle_row("Never There", "1999", "never@example.org")]
    rows[-2][5], rows[-2][10] = "3.00", "<p>Come and see me, \"Ada\".</p>"
    for delimiter, end, mark in ((",", "\r\n", "\ufeff"), (";", "\n", ""), ("\t", "\n", "")):
        given = worksheet_of(rows, delimiter, end, mark)
        (folder / "given.csv").write_bytes(given)
        done = export(folder, out, "--format", "moodle", "--worksheet", "given.csv", "--output", "filled.csv")
        check("Never There" in done.stderr, "a row without a student is named", done.stderr)
        filled = (folder / "filled.csv").read_bytes()
        before, after = read_worksheet(given, delimiter), read_worksheet(filled, delimiter)
        check(filled.startswith(mark.encode()) and filled.count(end.encode()) == given.count(end.encode()), "the bytes around the cells stay")
        check([{**row, "Grade": "", "Feedback comments": ""} for row in before] == [{**row, "Grade": "", "Feedback comments": ""} for row in after], "every other cell stays")
        check(given.splitlines()[0] == filled.splitlines()[0] and given.splitlines()[-1] == filled.splitlines()[-1], "a row that nothing is known of keeps its bytes")
        by_number = {row["Identifier"].split()[-1]: row for row in after}
        for name, number, _ in ROSTER:
            row = by_number[number]
            comment = html.unescape(row["Feedback comments"].replace("<br>", "\n"))
            total = re.search(r"Graded by histolab: (\S+) of 20 points", comment)
            if number == "1012":
                continue
            check(total and float(row["Grade"]) == 5 * float(total.group(1)), "the grade is the share of the worksheet's maximum", row)
            check(not re.search("<(?!br>|/?p>)", row["Feedback comments"]), "the comment has no markup of a student's", row["Feedback comments"])
            look_at_feedback(comment, number, f"comment of {number}")
        check(by_number["1012"]["Grade"] in ("", "0"), "no points for an empty file", by_number["1012"])
        check(by_number["1001"]["Feedback comments"].startswith("<p>Come and see me, \"Ada\".</p><br>"), "a person's comment stays", by_number["1001"])
        export(folder, out, "--format", "moodle", "--worksheet", "filled.csv", "--output", "again.csv")
        check((folder / "again.csv").read_bytes() == filled, "an export into its own result changes nothing")
    check(len(scores) == 12, "a row for each student", scores)
    # One lab alone: its points.
    export(folder, out, "--format", "moodle", "--lab", "02", "--worksheet", "given.csv", "--output", "two.csv")
    check("01-race: " not in (folder / "two.csv").read_text(), "--lab leaves the others out", (folder / "two.csv").read_text()[:3000])
    # Students that the worksheet lacks are named; nobody's row goes to somebody else.
    (folder / "short.csv").write_bytes(worksheet_of([moodle_row(*student) for student in ROSTER[2:]]))
    done = export(folder, out, "--format", "moodle", "--worksheet", "short.csv", "--output", "short-filled.csv", code=1)
    check("Ada Lovelace" in done.stderr and "Grace Hopper" in done.stderr, "students without a row are named", done.stderr)
    (folder / "twisted.csv").write_bytes(worksheet_of([moodle_row("Somebody Else", "1001", "else@example.org"), *[moodle_row(*student) for student in ROSTER[1:]]]))
    done = export(folder, out, "--format", "moodle", "--worksheet", "twisted.csv", "--output", "twisted-filled.csv", code=1)
    check(read_worksheet((folder / "twisted-filled.csv").read_bytes())[0]["Grade"] == "", "a number with another name is not taken", done.stderr)
    # Without a worksheet of Moodle's.
    made = read_worksheet(export(folder, out, "--format", "moodle").stdout.encode())
    check(sorted(row["Identifier"] for row in made) == [f"Participant {number}" for _, number, _ in ROSTER], "a row for each participant", made)
    for row in made:
        check(not row["Full name"].startswith("=") and row["Maximum grade"] == "20", "a cell is not a formula", row)


def other_languages(folder, out):
    rows = worksheet_of([moodle_row(name, number, address, "10,00") for name, number, address in ROSTER]).decode("utf-8-sig")
    german = rows.replace("Identifier", "ID", 1).replace("Maximum grade", "Bestwertung", 1).replace(",Grade,", ",Bewertung,", 1).replace("Last modified (grade)", "Zuletzt", 1)
    (folder / "german.csv").write_text(german)
    done = export(folder, out, "--format", "moodle", "--worksheet", "german.csv", code=2)
    check('--column "Identifier=' in done.stderr, "a worksheet in another language: the message says what to do", done.stderr)
    names = [word for pair in ("Identifier=ID", "Grade=Bewertung", "Maximum grade=Bestwertung", "Last modified (grade)=Zuletzt") for word in ("--column", pair)]
    done = export(folder, out, "--format", "moodle", "--worksheet", "german.csv", *names)
    grades = [row["Bewertung"] for row in read_worksheet(done.stdout.encode())]
    check(all(grade == "" or 0 <= float(grade) <= 10 for grade in grades) and "10" in grades, "grades of a worksheet with decimal commas", grades)
    for text, words in (("", "is empty"), ("a,b\n1,2\n", "it has no column"), (rows.replace("10,00", "Good"), "not a number"), (rows.replace('"10,00"', ""), "a scale"), ("\xff", "UTF-8")):
        (folder / "odd.csv").write_bytes(text.encode("latin-1" if text == "\xff" else "utf-8"))
        done = export(folder, out, "--format", "moodle", "--worksheet", "odd.csv", code=2)
        check(words in done.stderr and done.stdout == "", f"a worksheet that is none: {text[:20]!r}", done.stderr)


def several_assignments(folder):
    """A number of Moodle's is of one assignment."""
    hand_ins = folder / "two-assignments"
    for at, lab in enumerate(LABS):
        for name, number, _ in ROSTER[:3]:
            put(hand_ins / f"assignment{at}" / f"{name}_{int(number) + 1000 * at}_assignsubmission_file" / f"{lab}.cu", kernel(int(number), lab))
    out = graded(folder, hand_ins)
    done = export(folder, out, "--format", "moodle-feedback", code=2)
    check("--lab" in done.stderr, "two assignments: the message says what to do", done.stderr)
    for at, lab in enumerate(LABS):
        export(folder, out, "--format", "moodle-feedback", "--lab", lab, "--output", "one.zip")
        check(sorted(read_as_moodle(folder / "one.zip")) == [str(1001 + i + 1000 * at) for i in range(3)], "the numbers of the lab's assignment")
    (folder / "two.csv").write_bytes(worksheet_of([moodle_row(name, str(7000 + i), address) for i, (name, _, address) in enumerate(ROSTER[:3])]))
    export(folder, out, "--format", "moodle-feedback", "--worksheet", "two.csv", "--output", "one.zip")
    check(sorted(read_as_moodle(folder / "one.zip")) == ["7000", "7001", "7002"], "the numbers of the worksheet, by name")


def read_as_canvas(path):
    """{(user, attachment): bytes}, by infer_comment_context_from_filename()."""
    found = {}
    with zipfile.ZipFile(path) as archive:
        for name in archive.namelist():
            check("/" not in name and not name.startswith("._"), "Canvas ignores such a file", name)
            user, attachment = [part for part in name.split("_") if part != "LATE" and part.isdigit()][:2]
            found[user, attachment] = archive.read(name).decode()
    return found


def canvas_feedback(folder):
    hand_ins = folder / "canvas"
    hand_in_canvas(hand_ins)
    names = {path.name for path in hand_ins.iterdir()}
    out = graded(folder, hand_ins)
    export(folder, out, "--format", "canvas-feedback", "--output", "canvas.zip")
    with zipfile.ZipFile(folder / "canvas.zip") as archive:
        check(set(archive.namelist()) == names, "the names are those of the files that Canvas wrote", set(archive.namelist()) ^ names)
    found = read_as_canvas(folder / "canvas.zip")
    check({user for user, _ in found} == {number for _, number, _ in ROSTER}, "each user has a comment", sorted(found))
    for (user, attachment), text in found.items():
        look_at_feedback(text, user, f"comment of {user}")
        labs = [lab for lab in LABS if re.search(rf"^{lab} ", text, re.M)]
        expected = list(LABS) if user == "1004" else [LABS[int(attachment[-1])]]
        check(labs == expected, "a file's comment is on the labs in it", user, labs)
    done = export(folder, folder / "out-moodle", "--format", "canvas-feedback", code=2)
    check("Canvas" in done.stderr and not (folder / "canvas-feedback.zip").exists(), "a class of another platform has no file for Canvas", done.stderr)


def of_one(folder, out):
    """One student, and a report of `grade`."""
    text = export(folder, out, "--format", "feedback", "--student", "Ada Lovelace").stdout
    check(text.startswith("Feedback for Ada Lovelace\n"), "one student's text", text[:200])
    export(folder, out, "--format", "feedback", "--student", "Ada Lovelace", "--output", "ada.html")
    look_at_page((folder / "ada.html").read_text(), "ada.html")
    check("01-race" not in export(folder, out, "--format", "feedback", "--student", "Ada Lovelace", "--lab", "2").stdout, "--lab takes a number")
    check("Feedback for alone" in export(folder, folder / "alone.json", "--format", "feedback").stdout, "feedback of a report")
    for arguments, words in ((["--format", "feedback"], "--output DIR/"), (["--format", "csv", "--lab", "7"], "no lab \"7\""), (["--format", "csv", "--lab", "0"], "no lab \"0\""),
                             (["--format", "csv", "--worksheet", "x.csv"], "--worksheet is for"), (["--format", "moodle", "--column", "Grade=x"], "--worksheet FILE"),
                             (["--format", "moodle", "--worksheet", "given.csv", "--column", "Note=x"], "the columns are"), (["--format", "moodle", "--worksheet", "none.csv"], "none.csv")):
        done = export(folder, out, *arguments, code=2)
        check(words in done.stderr and done.stdout == "", f"{arguments} is refused", done.stderr)


def without_a_mark(folder):
    """What nobody could judge is neither a zero nor a verdict; its reason is not this machine's business."""
    report = json.loads((folder / "alone.json").read_text())
    report["labs"][0] |= {"status": "infrastructure_error", "score": None, "message": "fork failed in /tmp/secret-folder"}
    report["score"] = None
    (folder / "failed.json").write_text(json.dumps(report))
    text = " ".join(export(folder, folder / "failed.json", "--format", "feedback").stdout.split())
    check("no mark yet" in text and "costs no points" in text and "secret-folder" not in text and " 0 of" not in text, "no mark is told as such", text)
    row = read_worksheet(export(folder, folder / "failed.json", "--format", "moodle", code=1).stdout.encode())[0]
    check(row["Grade"] == "", "an empty cell where there is no mark", row)


skip_without_sandbox()
with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    hand_in_moodle(folder / "moodle", LABS)
    out = graded(folder, folder / "moodle")
    texts = feedback(folder, out)
    same_as_grade(folder, out, texts)
    each_loss(folder, out, texts)
    moodle_feedback(folder, out)
    worksheet(folder, out)
    other_languages(folder, out)
    several_assignments(folder)
    canvas_feedback(folder)
    of_one(folder, out)
    without_a_mark(folder)
check.finish()
