"""A class of twelve as Moodle and Canvas export it, and how these platforms read an export.

The rules for names are those of Moodle's importziplib.php and importgradeslib.php, and of Canvas's
infer_comment_context_from_filename.
"""
import csv
import html.parser
import io
import re
import zipfile

from histolab_program import SOURCE, Checks, histolab, put

check = Checks()
SEED = 815246
LABS = ("01-race", "02-atomic-add")
# In the wrong line of a kernel, with its student's number: no other student's feedback may contain
# it.
SECRET = "SECRET-OF-"
# Name, participant's number, address: ordinary names, rare ones and hostile ones.
ROSTER = [
    ("Ada Lovelace", "1001", "ada@example.org"),
    ("Grace Hopper", "1002", "grace@example.org"),
    ("Zo\u00eb M\u00fcller", "1003", "zoe@example.org"),
    ("Jos\u00e9 d'Arc", "1004", "jose@example.org"),
    ("=cmd|' calc'!A0", "1005", "formula@example.org"),
    ("\u202eevE gnorts", "1006", "rtl@example.org"),
    ("<script>alert(1)<b>", "1007", "html@example.org"),
    ("..", "1008", "dots@example.org"),
    ("Say \"hi\", please", "1009", "quotes@example.org"),
    ("\u5f20\u4f1f", "1010", "wei@example.org"),
    ("Kim Lee", "1011", "kim1@example.org"),
    ("Kim Lee", "1012", "kim2@example.org"),
]
NUMBERS = [number for _, number, _ in ROSTER]
HEAD = "__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {\n"
RACE = """  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length) {
    int b = data[i] - 'a';
    if (b >= 0 && b < 26)
      histo[b / 4] = atomicAdd(&histo[b / 4], 1u) + 1;  """


def kernel(number, lab):
    """Passes, counts nothing, does not compile, or races, depending on the number; with hostile
    text."""
    folder = SOURCE / "labs" / lab
    secret = f"// {SECRET}{number} </pre><script>alert(1)</script> \u202e\n"
    return (
        secret + (folder / "solution.cu").read_text(),
        secret + (folder / "stub.cu").read_text(),
        HEAD + "  <script>alert(1)</script> = 1;  " + secret + "}\n",
        HEAD + RACE + secret + "  }\n}\n",
    )[int(number) % 4]


def hand_in_moodle(folder):
    """One folder per student. The last one submitted only lab 01, and an empty file."""
    for name, number, _ in ROSTER:
        below = folder / f"{name}_{number}_assignsubmission_file"
        if number == NUMBERS[-1]:
            put(below / f"{LABS[0]}.cu", "")
            continue
        for lab in LABS:
            put(below / f"{lab}.cu", kernel(number, lab))


def hand_in_canvas(folder):
    """Files side by side. One student is late, one submitted twice, one submitted an archive,
    one an unreadable archive, one nothing for a lab."""
    damaged, other = NUMBERS[-1], NUMBERS[-2]
    for at, number in enumerate(NUMBERS):
        before = f"student{at}_" + ("LATE_" if at == 1 else "") + f"{number}_9{at:02}"
        if at == 3:
            folder.mkdir(parents=True, exist_ok=True)
            with zipfile.ZipFile(folder / f"{before}0_both my labs.zip", "w") as archive:
                for lab in LABS:
                    archive.writestr(f"{lab}.cu", kernel(number, lab))
            continue
        if number == damaged:
            put(folder / f"{before}0_labs.zip", "PK\x03\x04 damaged")
            continue
        if number == other:
            put(folder / f"{before}0_notes.txt", "I was ill.")
            continue
        for file, lab in enumerate(LABS):
            again = "-2" if at == 2 else ""
            put(folder / f"{before}{file}_{lab}{again}.cu", kernel(number, lab))


def graded(folder, hand_ins):
    out = folder / f"out-{hand_ins.name}"
    done = histolab("batch", hand_ins, "01", "02", "--out", out, "--seed", SEED, cwd=folder)
    check(done.returncode in (0, 1), "batch grades the class", done.stdout, done.stderr)
    return out


def export(folder, out, name, *arguments, code=0):
    done = histolab("export", out, "--format", name, *arguments, cwd=folder)
    what = f"export --format {name} {arguments} ended with {done.returncode}, not {code}"
    check(done.returncode == code, what, done.stdout[:500], done.stderr)
    return done


# ---- for students ----
HTML_TAGS = set("html head meta title style body main section h1 h2 h3 p b pre".split())
HTML_TAGS |= set("table thead tbody tfoot tr th td".split())


class Page(html.parser.HTMLParser):
    """The text, the tags and the attributes of a page."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.words, self.attributes = set(), "", []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.tags.add(tag)
        self.attributes += [name for name, _ in attributes]

    def handle_data(self, data):
        self.words += data


def look_at_page(text, what):
    """Checks a page's markup and returns its words."""
    page = Page(text)
    check(page.tags <= HTML_TAGS, f"{what} has other elements", page.tags - HTML_TAGS)
    acts = [name for name in page.attributes if name.startswith("on") or name in ("src", "href")]
    check(not acts, f"{what} has an attribute that acts", acts)
    for part in ("default-src 'none'", "viewport", "@media print"):
        check(part in text, f"{what} has no {part}")
    return " ".join(page.words.split())


def look_at_feedback(text, number, what):
    """Contains nothing about other students, this machine or the seed."""
    others = {found for found in re.findall(SECRET + r"(\d+)", text) if found != number}
    check(not others, f"{what} has another student's source", others)
    for word in (str(SEED), "/work/", "/tmp/", str(SOURCE), "out-", "\x1b", "\u202e"):
        check(word not in text, f"{what} has {word!r}", text[:300])


# ---- for the platforms ----
def read_as_moodle(path):
    """{participant: {file: bytes}}, as is_valid_filename_for_import() finds them."""
    found = {}
    with zipfile.ZipFile(path) as archive:
        check(archive.testzip() is None, "the archive is whole")
        for entry in archive.infolist():
            name, parts, number = entry.filename, entry.filename.split("/"), None
            check(not parts[-1].startswith((".", "~")), "Moodle ignores hidden files", name)
            check(".." not in parts and not name.startswith("/"), "a path leads out", name)
            check(entry.date_time == (1980, 1, 1, 12, 0, 0), "an archive has no time in it", name)
            while parts and number is None:
                info = parts.pop(0).split("_", 4)
                if info[2:4] == ["assignfeedback", "file"] and info[1].isdigit():
                    number, parts = info[1], [*info[4:5], *parts]
            check(number is not None, "Moodle finds no participant in", name)
            found.setdefault(number, {})["/".join(parts)] = archive.read(entry)
    return found


def read_as_canvas(path):
    """{(user, attachment): text}, as infer_comment_context_from_filename() finds them."""
    found = {}
    with zipfile.ZipFile(path) as archive:
        for name in archive.namelist():
            check("/" not in name and not name.startswith("._"), "Canvas ignores such a file", name)
            numbers = [part for part in name.split("_") if part != "LATE" and part.isdigit()]
            found[tuple(numbers[:2])] = archive.read(name).decode()
    return found


COLUMNS = [
    "Identifier", "Full name", "ID number", "Email address", "Status", "Grade", "Maximum grade",
    "Grade can be changed", "Last modified (submission)", "Last modified (grade)",
    "Feedback comments",
]


def moodle_row(name, number, address, most="100.00"):
    """A row of a worksheet, without a grade and a comment."""
    when = "Friday, 27 November 2026, 2:00 PM"
    status = "Submitted for grading"
    return [f"Participant {number}", name, "", address, status, "", most, "Yes", when, "-", ""]


def worksheet_of(rows, delimiter=",", end="\r\n", mark="\ufeff"):
    memory = io.StringIO()
    writer = csv.writer(memory, delimiter=delimiter, lineterminator=end)
    writer.writerows([COLUMNS, *rows])
    return (mark + memory.getvalue()).encode()


def read_worksheet(data, delimiter=","):
    text = io.StringIO(data.decode("utf-8-sig"), newline="")
    return list(csv.DictReader(text, delimiter=delimiter, strict=True))
