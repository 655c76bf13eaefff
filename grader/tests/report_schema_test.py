"""Real reports against docs/report.schema.json, docs/run.schema.json and docs/race.schema.json."""
import json
import sys
import tempfile

try:
    import jsonschema
except ImportError:
    jsonschema = None
from histolab_program import SOURCE, Checks, histolab, skip

if jsonschema is None:
    skip("the Python module jsonschema is not installed (apt-get install python3-jsonschema)")

check = Checks()
schemas = {name: json.loads((SOURCE / "docs" / f"{name}.schema.json").read_text()) for name in ("report", "run", "race")}


def validate(name, document, what):
    validator = jsonschema.Draft202012Validator(schemas[name])
    problems = [f"{error.json_path}: {error.message}" for error in validator.iter_errors(document)]
    check(not problems, f"{what} is not what docs/{name}.schema.json says", *problems[:5])


def variants(document):
    """The document with one thing wrong each: a schema that accepts these says nothing."""
    yield "an unknown key", {**document, "extra": 1}
    yield "another version", {**document, "schema": "histolab/other/1"}
    yield "no version", {key: value for key, value in document.items() if key != "version"}


for name in schemas:
    jsonschema.Draft202012Validator.check_schema(schemas[name])
    golden = json.loads((SOURCE / "grader" / "golden" / f"{name}.json").read_text())
    validate(name, golden, f"grader/golden/{name}.json")
    for what, wrong in variants(golden):
        check(not jsonschema.Draft202012Validator(schemas[name]).is_valid(wrong), f"the {name} schema accepts {what}")

with tempfile.TemporaryDirectory() as folder:
    for arguments, codes in ((["--solutions", "--quick"], {0}), (["--submission", SOURCE / "labs", "--quick"], {1}), ([], {1})):
        done = histolab("grade", *arguments, "--json", "-", cwd=folder)
        check(done.returncode in codes, f"grade {arguments} ended with {done.returncode}", done.stdout[:300], done.stderr)
        try:
            validate("report", json.loads(done.stdout), f"the report of grade {arguments}")
        except ValueError as error:
            check(False, f"grade {arguments} printed no JSON", error)
    one, many, other = (histolab("grade", "--submission", SOURCE / "labs", "--quick", "--json", "-", *more, cwd=folder).stdout
                        for more in (["--jobs", 1], ["--jobs", 8], ["--seed", 2]))
    check(one == many, "the report depends on the number of jobs")
    check(one != other, "the report does not depend on the seed")
    for arguments in (["02", "--dataset", "book"], ["02", "--dataset", "book", "--schedule", "adversarial"], ["01", "--kernel", SOURCE / "labs" / "01-race" / "stub.cu"]):
        done = histolab("run", *arguments, "--json", cwd=folder)
        check(done.returncode == 0, f"run {arguments} ended with {done.returncode}", done.stderr)
        try:
            validate("run", json.loads(done.stdout), f"the JSON of run {arguments}")
        except ValueError as error:
            check(False, f"run {arguments} printed no JSON", error)

validate("race", json.loads((SOURCE / "grader" / "golden" / "race-enumerate.json").read_text()), "grader/golden/race-enumerate.json")
for arguments in ([], ["--atomic"], ["--threads", 32, "--increments", 64, "--seed", 3], ["--scenario", 2], ["--enumerate"],
                  ["--enumerate", "--atomic"], ["--enumerate", "--threads", 4, "--increments", 2], ["--threads", 1, "--enumerate"]):
    validate("race", json.loads(histolab("race", *arguments, "--json").stdout), f"the JSON of race {arguments}")
check.finish()
