"""The output of `grade --format` and `export`, read by other software than histolab: Python's
json, csv and expat, the JSON Schemas and the XSD in docs/formats (written from each system's own
documentation; jsonschema, xmllint), and junitparser."""
import csv
import io
import json
import os
import pathlib
import re
import shutil
import xml.etree.ElementTree as ElementTree

from histolab_program import (SOURCE, Checks, histolab, run_program, skip_part,
                              skip_without_sandbox, temporary_folder)
from schemas import jsonschema

try:
    import junitparser
except ImportError:
    junitparser = None

check = Checks()
FORMATS = SOURCE / "docs" / "formats"
GOLDEN = SOURCE / "grader" / "golden"
WHO = ["student", "name", "email", "id", "section"]
RUNNER = {**os.environ, "CLASSROOM": "gpu", "ASSIGNMENT": "histogram", "OWNER": "ada",
          "SUBMISSION_TAG": "submit/2026-06-01T14-32-05Z-a1b2c3d",
          "COMMIT_URL": "https://example.org/c", "RELEASE_URL": "https://example.org/r"}
JSON_FORMATS = ("gradescope", "prairielearn", "exercism", "classroom50")
validators = {}
for name in JSON_FORMATS:
    schema = json.loads((FORMATS / f"{name}.schema.json").read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    validators[name] = jsonschema.Draft202012Validator(schema)


def validate(name, text, what):
    if name == "junit":
        return validate_junit(text, what)
    try:
        document = json.loads(text)
    except ValueError as error:
        check(False, f"{what} is no JSON", error, text[:300])
        return {}
    problems = [f"{error.json_path}: {error.message}"
                for error in validators[name].iter_errors(document)]
    check(not problems, f"{what} is not what docs/formats/{name}.schema.json says", *problems[:3])
    if name == "classroom50":  # a fact beyond the schema
        check(document["score"] <= document["max-score"] and
              all(test["score"] <= test["max-score"] for test in document["tests"]),
              f"{what}: more points than there are")
    return document


def validate_junit(text, what):
    try:
        root = ElementTree.fromstring(text)
    except ElementTree.ParseError as error:
        check(False, f"{what} is no XML", error, text[:300])
        return None
    for parent in [root, *root]:
        for attribute, element in (("tests", "testcase"), ("failures", "testcase/failure"),
                                   ("errors", "testcase/error"), ("skipped", "testcase/skipped")):
            path = element if parent is not root else "testsuite/" + element
            check(int(parent.get(attribute)) == len(parent.findall(path)),
                  f"{what}: {attribute} is not the number of them", parent.attrib)
    if shutil.which("xmllint"):
        done = run_program(["xmllint", "--noout", "--nonet", "--schema", FORMATS / "junit.xsd",
                            "-"], input=text)
        check(done.returncode == 0, f"{what} is not what docs/formats/junit.xsd says",
              done.stderr[:600])
    if junitparser:
        parsed = junitparser.JUnitXml.fromstring(text.encode())
        check(sum(len(list(suite)) for suite in parsed) == int(root.get("tests")),
              f"{what}: junitparser reads another number of tests")
    return root


def rows_of(text):
    return list(csv.reader(io.StringIO(text), strict=True))


def golden_files():
    for name in JSON_FORMATS:
        document = validate(name, (GOLDEN / f"{name}.json").read_text(),
                            f"grader/golden/{name}.json")
        for what, wrong in (("an unknown key", {**document, "extra": 1}),
                            ("tests that are no list", {**document, "tests": {}})):
            check(not validators[name].is_valid(wrong), f"the {name} schema accepts {what}")
    validate("junit", (GOLDEN / "junit.xml").read_text(), "grader/golden/junit.xml")
    rows = rows_of((GOLDEN / "class.csv").read_text())
    check(len({len(row) for row in rows}) == 1 and len(rows) == 5 and
          rows[0] == [*WHO, "01-race", "02-atomic-add", "total"], "the rows of class.csv", rows)
    rows = rows_of((GOLDEN / "canvas.csv").read_text())
    check(rows[1][0] == "    Points Possible" and len({len(row) for row in rows}) == 1 and
          len(rows) == 6, "the rows of canvas.csv", rows)
    for row in rows_of((GOLDEN / "canvas.csv").read_text())[2:]:
        for cell in row:
            check(cell[:1] not in tuple("=+-@\t\r"), "a cell is a formula", cell)


def graded(folder):
    """Real submissions: correct, wrong, not C++, missing."""
    upload = folder / "upload"
    (upload / "more").mkdir(parents=True)
    shutil.copy(SOURCE / "labs/01-race/solution.cu", upload / "more" / "Race (1).cu")
    shutil.copy(SOURCE / "labs/02-atomic-add/stub.cu", upload / "02-atomic-add.cu")
    (upload / "03-interleaved.cu").write_text("this is no C++\n")
    (upload / "notes-on-everything.cu").write_text("// <script>\x1b[2J\n")
    arguments = ["grade", "01", "02", "03", "04", "--submission", upload, "--uploaded", "--quick",
                 "--device", "emulator", "--json", folder / "report.json"]
    for name in (*JSON_FORMATS, "junit"):
        done = histolab(*arguments, "--format", name, cwd=folder, env=RUNNER)
        check(done.returncode == 1, f"grade --format {name} ended with {done.returncode}",
              done.stderr)
        document = validate(name, done.stdout, f"what grade --format {name} prints")
        again = histolab("export", folder / "report.json", "--format", name, cwd=folder, env=RUNNER)
        check(again.returncode == 0,
              f"export --format {name} of the report ended with {again.returncode}", again.stderr)
        exported = validate(name, again.stdout, f"what export --format {name} prints")
        if name == "gradescope":
            report = json.loads((folder / "report.json").read_text())
            check(document["score"] == report["score"] == exported["score"],
                  "the score is the report's", document["score"])
            check("notes-on-everything.cu was not graded" in document["output"],
                  "what was left out is told to the student", document["output"][:300])
            check(report["labs"][0]["status"] == "passed",
                  "a file whose name is nearly right is graded", report["labs"][0]["status"])
            check([lab["status"] for lab in report["labs"][1:]] == ["failed", "compile_error",
                                                                    "not_attempted"],
                  "the others have their verdicts")
            check(len(document["tests"]) == sum(len(lab["checks"]) for lab in report["labs"]),
                  "there is a test for each check")
        check("\x1b" not in done.stdout + again.stdout, f"{name} steers a terminal")
    bare = {**RUNNER, "HISTOLAB_SANDBOX": "none"}
    refused, unsafe = (histolab(*arguments[:2], *arguments[5:8], "--device", "emulator", "--json",
                                folder / "unsafe.json", *more, cwd=folder, env=bare)
                       for more in ([], ["--unsafe"]))
    check(refused.returncode == 2 and "--unsafe" in refused.stderr,
          "what was uploaded is graded in a sandbox, or not", refused.stderr)
    check(unsafe.returncode == 0, "unless who asks takes it upon themselves", unsafe.stderr)
    table = rows_of(histolab("export", folder / "report.json", "--format", "csv",
                             cwd=folder).stdout)
    check(table[0] == [*WHO, "01-race", "02-atomic-add", "03-interleaved", "04-privatization",
                       "total"] and table[1][0] == "report" and
          table[1][-1] == str(sum(map(int, table[1][len(WHO):-1]))), "the table of one report",
          table)


def machine_failed(folder):
    """A missing mark is not a zero, and the exit code shows that it is not the student's fault."""
    report = json.loads((folder / "report.json").read_text())
    report["labs"][1] |= {"status": "infrastructure_error", "score": None, "message": "fork failed"}
    report["score"] = None
    path = folder / "failed.json"
    path.write_text(json.dumps(report))
    def exported(name, code=0):
        done = histolab("export", path, "--format", name, cwd=folder, env=RUNNER)
        check(done.returncode == code,
              f"export --format {name} of a report without a mark ended with {done.returncode}",
              done.stderr)
        check("without a mark" in done.stderr,
              f"export --format {name} says nothing of the missing mark", done.stderr)
        return done.stdout
    document = validate("gradescope", exported("gradescope"), "gradescope without a mark")
    check("score" not in document and not any("score" in test for test in document["tests"]),
          "gradescope has a score where there is none", document)
    check(validate("prairielearn", exported("prairielearn"),
                   "prairielearn without a mark").get("gradable") is False,
          "prairielearn grades what has no mark")
    check(validate("exercism", exported("exercism"),
                   "exercism without a mark").get("status") == "error",
          "exercism passes or fails what has no mark")
    check(exported("classroom50", code=2) == "", "classroom50 gets a result where there is none")
    check(rows_of(exported("csv"))[1][len(WHO) + 1::3] == ["", ""],
          "csv: the cell and the total are not empty", exported("csv"))
    validate("junit", exported("junit"), "junit without a mark")


def a_class(folder):
    """The output folder of batch."""
    hand_ins = folder / "class"
    for student, lab, source in (("ada", "01-race", "solution"), ("=cmd", "01-race", "stub"),
                                 ("Zo\u00eb, \"Z\"", "01-race", "solution")):
        (hand_ins / student).mkdir(parents=True, exist_ok=True)
        shutil.copy(SOURCE / "labs" / lab / f"{source}.cu", hand_ins / student / f"{lab}.cu")
    done = histolab("batch", hand_ins, "01", "--out", folder / "out", "--seed", 7, cwd=folder)
    check(done.returncode in (0, 1), f"batch ended with {done.returncode}", done.stdout,
          done.stderr)
    if done.returncode not in (0, 1):
        return
    def exported(*arguments, code=0):
        done = histolab("export", folder / "out", *arguments, cwd=folder, env=RUNNER)
        check(done.returncode == code, f"export {arguments} ended with {done.returncode}",
              done.stderr)
        return done
    rows = rows_of(exported("--format", "csv").stdout)
    check(rows[0] == [*WHO, "01-race", "total"] and len(rows) == 4, "the class's table", rows)
    keys = [row[0] for row in rows[1:]]
    check(not any(key.startswith(("=", "'")) for key in keys), "a key is a formula", keys)
    canvas = rows_of(exported("--format", "canvas", "--column", "01-race=Races (815)").stdout)
    check(canvas[0][-1] == "Races (815)" and "'=cmd" in [row[0] for row in canvas] and
          "Zo\u00eb, \"Z\"" in [row[0] for row in canvas], "the grade book for Canvas", canvas)
    validate("junit", exported("--format", "junit").stdout, "the class as JUnit")
    refused = exported("--format", "gradescope", code=2)
    check("--student KEY chooses one, --output DIR/" in refused.stderr,
          "a format for one student says what to do with several", refused.stderr)
    validate("gradescope", exported("--format", "gradescope", "--student", "ada").stdout,
             "one student for Gradescope")
    check(exported("--format", "gradescope", "--student",
                   "Zo\u00eb, \"Z\"").stdout == exported("--format", "gradescope", "--student",
                                                         next(key for key in keys
                                                              if key.startswith("Zo"))).stdout,
          "a student by name")
    check("did you mean ada" in exported("--format", "gradescope", "--student", "adda",
                                         code=2).stderr, "a misspelt student")
    exported("--format", "exercism", "--output", str(folder / "each") + "/")
    files = sorted(pathlib.Path(folder / "each").iterdir())
    check([path.stem for path in files] == sorted(keys), "a file for each student", files)
    for path in files:
        validate("exercism", path.read_text(), path.name)
    exported("--format", "csv", "--output", folder / "class.csv")
    check(rows_of((folder / "class.csv").read_text()) == rows, "--output names a file")


def refused(folder):
    """Wrong usage ends with 2 and names the right one."""
    without = {key: value for key, value in RUNNER.items()
               if key not in ("CLASSROOM", "OWNER", "USERNAME")}
    for arguments, words, env in ((["grade", "01", "--format", "gradescop"],
                                   "did you mean gradescope", None),
                                  (["grade", "01", "--format", "classroom50"], "not set: CLASSROOM",
                                   without),
                                  (["grade", "01", "--uploaded"],
                                   "--uploaded needs --submission DIR", None),
                                  (["grade", "01", "--submission", ""],
                                   "--submission: its value is empty", None),
                                  (["grade", "--replay", ""], "--replay: its value is empty", None),
                                  (["grade", "01", "--rubric", ""], "--rubric: its value is empty",
                                   None), (["export"], "whose results?", None),
                                  (["export", "nowhere", "--format", "csv"],
                                   "there is no such folder or report", None),
                                  (["export", "report.json"], "which format?", None),
                                  (["export", "report.json", "--format", "exel"],
                                   "there is no format", None),
                                  (["export", "broken.json", "--format", "csv"],
                                   "not JSON, or truncated", None),
                                  (["export", "report.json", "--format", "csv", "--column",
                                    "01-race=x"], "--column is for", None),
                                  (["export", "report.json", "--format", "canvas", "--column",
                                    "1=x"], "the results have no lab", None),
                                  (["export", "--bundle", "gradescop"], "did you mean gradescope",
                                   None),
                                  (["export", "report.json", "--bundle", "gradescope"],
                                   "--bundle makes an autograder", None),
                                  (["export", "--bundle", "gradescope", "--column", "01-race=x"],
                                   "--bundle makes an autograder", None),
                                  (["export", "one.json", "two.json", "--format", "csv"],
                                   "one folder or report at a time", None),
                                  (["export", "--bundle", "gradescope", "1", "99"],
                                   'there is no lab "99"', None),
                                  *((["export", "report.json", "--format", "csv", *option],
                                     "--rubric and --seed are for --bundle", None)
                                    for option in (["--rubric", "mine.json"], ["--seed", "0"])),
                                  *((arguments,
                                     "there is no folder 01,02; give the labs that count without "
                                     "an option: histolab export --bundle gradescope 01 02", None)
                                    for arguments in
                                    (["export", "--bundle", "gradescope", "--labs", "01,02"],
                                     ["--labs", SOURCE / "labs", "export", "--bundle", "gradescope",
                                      "--labs", "01,02"]))):
        (folder / "broken.json").write_text("{")
        done = histolab(*arguments, cwd=folder, env=env)
        check(done.returncode == 2 and words in done.stderr and done.stdout == "",
              f"{arguments} is refused", done.returncode, done.stderr)


def every_format():
    """The program's own list of formats: each is documented, and read by other software here."""
    def offered(command):
        said = histolab(command, "report.json", "--format", "none").stderr
        return re.findall(r"[a-z0-9-]+", said.split("the formats are ")[1])
    of_class, of_student = offered("export"), offered("grade")
    tables, reference = ((SOURCE / "docs" / page).read_text(encoding="utf-8")
                         for page in ("formats.md", "command-line.md"))
    for name in of_class:
        check(f"\n| `{name}` | " in tables, f"docs/formats.md: the first table lacks {name}")
    listed = reference.split("\n## export\n")[1].split("The formats are ")[1].split(".\n")[0]
    check(re.findall("`([a-z0-9-]+)`", listed) == of_class, "docs/command-line.md: export --format",
          listed, *of_class)
    for name in of_student:
        check(re.search(rf"^\| `--format .*\b{name}\b", reference, re.MULTILINE),
              f"docs/command-line.md: grade --format lacks {name}")
    check([*JSON_FORMATS, "junit"] == of_student[3:], "this test reads all formats for a student",
          of_student)


every_format()
golden_files()
if not check.failed:
    skip_without_sandbox()
with temporary_folder() as folder:
    graded(folder)
    machine_failed(folder)
    a_class(folder)
    refused(folder)
for missing, what in ((junitparser, "python3-junitparser"),
                      (shutil.which("xmllint"), "libxml2-utils")):
    if not missing:
        skip_part(f"{what} is not installed")
check.finish()
