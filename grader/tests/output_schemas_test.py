#!/usr/bin/env python3
"""The program's output and stored files, checked against their schemas in docs/. Also checks that
each schema there has a test, and that some document has each of its keys.

Reports, runs, races, comparisons and streams have their own tests, and so have the formats that
people write (schemas_agree_test.py).
"""
import json
import zipfile

from histolab_program import SOURCE, Checks, histolab, temporary_folder
from schemas import check_all_seen, problems, validator_of

check = Checks()
TESTED_BY = {
    "report": "report_schema_test.py", "run": "report_schema_test.py",
    "race": "report_schema_test.py", "compare": "report_schema_test.py", "stream": "stream_test.py",
    "lab": "schemas_agree_test.py", "quiz": "schemas_agree_test.py",
    "answers": "schemas_agree_test.py", "expect": "schemas_agree_test.py",
    "rubric": "schemas_agree_test.py", "profile": "schemas_agree_test.py",
    "list": "output_schemas_test.py", "progress": "output_schemas_test.py",
    "quiz-state": "output_schemas_test.py", "data": "output_schemas_test.py",
    "datasets": "output_schemas_test.py", "model": "output_schemas_test.py",
    "bench": "output_schemas_test.py", "pack": "output_schemas_test.py",
    "recorded": "output_schemas_test.py", "questions": "output_schemas_test.py",
    "exec": "exec_test.py",
}


def validate(name, document, what, written_now=True):
    found = problems(validator_of(name, written_now=written_now), document)
    check(not found, f"{what} is not what docs/{name}.schema.json says", *found[:5])


def is_strict(name, document):
    """A schema that accepts these is useless."""
    validator = validator_of(name, written_now=True)
    wrong = [{key: value for key, value in document.items() if key != left_out}
             for left_out in document]
    wrong += [{**document, "schema": document["schema"].replace("/1", "/2")},
              {**document, "unheard_of": 1},
              *({**document, key: None} for key in document),
              *({**document, key: [[]]} for key in document)]
    for each in wrong:
        check(not validator.is_valid(each), f"the {name} schema takes what is wrong",
              str(each)[:300])


def printed(*arguments, cwd, codes=(0,)):
    done = histolab(*arguments, cwd=cwd)
    check(done.returncode in codes, f"{arguments} ended with {done.returncode}", done.stderr)
    return json.loads(done.stdout or "{}")


def course(folder):
    """As a student leaves it: one lab started, one graded, one quiz half done."""
    fresh = printed("list", "--json", cwd=folder)
    validate("list", fresh, "the list of who has done nothing")
    is_strict("list", fresh)
    histolab("start", "01", "02", cwd=folder)
    solution = SOURCE / "labs" / "02-atomic-add" / "solution.cu"
    (folder / "work" / "02-atomic-add.cu").write_text(solution.read_text())
    graded = histolab("grade", "01", "02", cwd=folder)
    check(graded.returncode == 1, "the stub of lab 01 fails", graded.stderr)
    progress = json.loads((folder / "work" / "progress.json").read_text())
    validate("progress", progress, "progress.json")
    is_strict("progress", progress)
    check(set(progress["labs"]) == {"01-race", "02-atomic-add"}, "the progress of two labs",
          progress)

    state = printed("quiz", "02", "--student", "Ada", "--answer", "one-address=7 s", "--answer",
                    "one-address=10 M/s", "--json", cwd=folder, codes=(0, 1))
    validate("quiz-state", state, "the state of a quiz")
    is_strict("quiz-state", state)
    wrong = next(each for each in state["labs"][0]["questions"] if each["kind"] == "choice")
    for letter in [each["letter"] for each in wrong["options"]]:
        state = printed("quiz", "02", "--answer", f"{wrong['id']}={letter}", "--json", cwd=folder,
                        codes=(0, 1))
        validate("quiz-state", state, f"the state of a quiz after {letter}")
    sheet = json.loads((folder / "work" / "02-atomic-add.quiz.json").read_text())
    validate("answers", sheet, "the file of answers")
    is_strict("answers", sheet)
    check(sheet["answers"][wrong["id"]]["wrong_tries"] > 0, "wrong tries are counted", sheet)
    sheet["answers"][wrong["id"]]["gave_up"] = True
    validate("answers", sheet, "the file of answers after one was given up")
    (folder / "work" / "02-atomic-add.quiz.json").write_text(json.dumps(sheet))
    state = printed("quiz", "--json", cwd=folder)
    validate("quiz-state", state, "the state of all quizzes")
    check({each["status"] for lab in state["labs"] for each in lab["questions"]} >=
          {"gave_up", "unanswered"}, "one is given up, others are open")
    after = printed("list", "--json", cwd=folder)
    validate("list", after, "the list of who has done something")
    lab = after["labs"][1]
    check(lab["started"] and lab["progress"]["passed"] and lab["quiz"]["questions"] > 0,
          "lab 02 is passed, its quiz begun", lab["progress"], lab["quiz"])


def numbers(folder):
    listed = printed("data", "--json", cwd=folder)
    validate("datasets", listed, "the list of datasets")
    is_strict("datasets", listed)
    for each in listed["datasets"]:
        validate("data", printed("data", each["example"], "--length", 1000, "--json", cwd=folder),
                 f"the JSON of data {each['example']}")
    validate("data",
             printed("data", "values", "--length", 1000, "--element-bytes", 2, "--json",
                     cwd=folder), "the JSON of samples of 16 bits")
    data = printed("data", "constant", "--length", 0, "--json", cwd=folder)
    validate("data", data, "the JSON of no data")
    is_strict("data", data)
    for lab in ("01", "07", "13"):
        for profile in ("h200", "h100"):
            model = printed("model", lab, "--length", 100_000, "--profile", profile, "--json",
                            cwd=folder)
            validate("model", model, f"the model of lab {lab} on {profile}")
    is_strict("model", model)


def handed_over(folder):
    """The files that a student hands in, and those that replace solutions and answers in a
    student edition."""
    work = folder / "work"
    work.mkdir(exist_ok=True)
    lab = SOURCE / "labs" / "02-atomic-add"
    (work / "02-atomic-add.cu").write_text((lab / "solution.cu").read_text())
    histolab("pack", "02", cwd=folder)
    with zipfile.ZipFile(folder / "histolab-handin.zip") as archive:
        pack = json.loads(archive.read("histolab-pack.json"))
    validate("pack", pack, "the list in a pack")
    is_strict("pack", pack)
    histolab("package", "--for", "students", "edition", "02", "08", "11", "12", cwd=folder)
    for name, file in (("recorded", "recorded.json"), ("questions", "quiz.json")):
        for path in (folder / "edition" / "labs").glob(f"*/{file}"):
            validate(name, json.loads(path.read_text()), f"{file} of a student edition")
    is_strict("recorded",
              json.loads((folder / "edition" / "labs" / lab.name / "recorded.json").read_text()))


def measurements():
    """Written by histolab bench on GPUs: three of its files are in docs/measurements."""
    for name in ("h200-bench", "h200-contention", "h200-short-bench"):
        bench = json.loads((SOURCE / "docs" / "measurements" / f"{name}.json").read_text())
        validate("bench", bench, name, written_now=False)
        validate("bench", {"schema": "histolab/bench/1", **bench}, name, written_now=False)


schemas = {path.name.removesuffix(".schema.json")
           for path in (SOURCE / "docs").glob("*.schema.json")}
check(schemas == set(TESTED_BY), "a schema without a test, or a test without a schema",
      schemas ^ set(TESTED_BY))
for name, test in TESTED_BY.items():
    check(f'"{name}"' in (SOURCE / "grader" / "tests" / test).read_text(),
          f"{test} does not test the {name} schema")
policy = (SOURCE / "docs" / "versions.md").read_text()
for name in schemas:
    check(f"({name}.schema.json)" in policy, f"docs/versions.md does not name {name}.schema.json")

with temporary_folder() as folder:
    course(folder)
    numbers(folder)
    handed_over(folder)
measurements()
# No quiz of the course keeps its options in order.
for name, test in TESTED_BY.items():
    if test == "output_schemas_test.py":
        check_all_seen(check, name, written_now=name != "bench",
                       but=["/$defs/texts/properties/shuffle"] if name == "questions" else [])
check.finish()
