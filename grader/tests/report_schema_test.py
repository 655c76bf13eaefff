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


def timed_and_untimed(folder):
    """The timed cases of lab 05: modelled by the emulator, measured on a GPU (a report made up here), left out by --quick."""
    def graded(*more):
        done = histolab("grade", "05", "--solutions", "--device", "emulator", "--json", "-", *more, cwd=folder)
        check(done.returncode == 0, f"grade 05 {more} ended with {done.returncode}", done.stderr)
        return json.loads(done.stdout or '{"labs": [{"checks": [], "timed_cases": []}]}')

    report = graded()
    validate("report", report, "the report of a lab with timed cases")
    lab = report["labs"][0]
    by_id = {each["id"]: each for each in lab["checks"]}
    check(report.get("gpu", 0) is None and len(lab["timed_cases"]) == 1, "there is one timed case, and no GPU", lab["timed_cases"])
    for case in lab["timed_cases"]:
        check(not case["measured"] and case["modelled"] and case["timing"] is None and case["throughput"] is None and case["launches"] == 0,
              "a modelled time is not told from a measured one", case)
        check([rival["solution_of"] for rival in case["rivals"]] == ["05-coarsening"], "the rival is the solution", case["rivals"])
    check("modelled" in by_id.get("fast", {}).get("message", ""), "the check of time does not say that it is modelled", by_id.get("fast"))
    check(graded() == report, "two modelled reports of one seed differ")

    quick = graded("--quick")
    lab = quick["labs"][0]
    check(lab.get("max_score") == lab.get("score") == quick.get("max_score") == 9, "--quick is out of 9 points, without the one for time", quick.get("max_score"))
    check("fast" not in [each["id"] for each in lab["checks"]] and lab["timed_cases"] == [], "--quick leaves out what is timed", lab)

    measured = {"median_ms": 0.05, "low_ms": 0.049, "high_ms": 0.051, "samples_ms": [0.05, 0.049, 0.051], "alone_ms": None,
                "sm_clock_mhz": 1980, "throttled_by": None, "clock": "device"}
    report["gpu"] = {"name": "NVIDIA H200", "driver": "580.159.04"}
    for case in report["labs"][0]["timed_cases"]:
        case |= {"measured": True, "launches": 3, "right_launches": 3, "modelled": None, "timing": measured, "throughput": {"elements_per_s": 1.3e12}}
        case["rivals"][0]["timing"] = {**measured, "alone_ms": 0.052}
    validate("report", report, "a report from a GPU")


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
    timed_and_untimed(folder)
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
