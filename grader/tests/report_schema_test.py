"""Real reports against the schemas in docs/."""
import json

from histolab_program import SOURCE, Checks, histolab, temporary_folder
from schemas import check_all_seen, problems, validator_of

check = Checks()
validators = {name: validator_of(name, written_now=True)
              for name in ("report", "run", "race", "compare")}
MEASURED = {"median_ms": 0.05, "low_ms": 0.049, "high_ms": 0.051,
            "samples_ms": [0.05, 0.049, 0.051], "alone_ms": None, "sm_clock_mhz": 1980,
            "throttled_by": None, "clock": "device"}


def validate(name, document, what):
    found = problems(validators[name], document)
    check(not found, f"{what} is not what docs/{name}.schema.json says", *found[:5])


def variants(document):
    """The document with one error at a time: a schema that accepts these is useless."""
    yield "an unknown key", {**document, "extra": 1}
    yield "another version", {**document, "schema": "histolab/other/1"}
    yield "no version", {key: value for key, value in document.items() if key != "version"}


def timed_and_untimed(folder):
    """The timed cases of lab 05: modelled by the emulator, measured on a GPU (a fabricated
    report), left out by --quick."""
    def graded(*more):
        done = histolab("grade", "05", "--solutions", "--device", "emulator", "--json", "-", *more,
                        cwd=folder)
        check(done.returncode == 0, f"grade 05 {more} ended with {done.returncode}", done.stderr)
        return json.loads(done.stdout or '{"labs": [{"checks": [], "timed_cases": []}]}')

    report = graded()
    validate("report", report, "the report of a lab with timed cases")
    lab = report["labs"][0]
    by_id = {each["id"]: each for each in lab["checks"]}
    check(report.get("gpu", 0) is None and len(lab["timed_cases"]) == 1,
          "there is one timed case, and no GPU", lab["timed_cases"])
    for case in lab["timed_cases"]:
        check(not case["measured"] and case["modelled"] and case["timing"] is None and
              case["throughput"] is None and 0 < case["launches"] == case["right_launches"],
              "a modelled time is not told from a measured one", case)
        check([rival["solution_of"] for rival in case["rivals"]] == ["05-coarsening"],
              "the rival is the solution", case["rivals"])
    check("modelled" in by_id.get("fast", {}).get("message", ""),
          "the check of time does not say that it is modelled", by_id.get("fast"))
    check(graded() == report, "two modelled reports of one seed differ")

    quick = graded("--quick")
    lab = quick["labs"][0]
    check(lab.get("max_score") == lab.get("score") == quick.get("max_score") == 9,
          "--quick is out of 9 points, without the one for time", quick.get("max_score"))
    check("fast" not in [each["id"] for each in lab["checks"]] and lab["timed_cases"] == [],
          "--quick leaves out what is timed", lab)

    report["gpu"] = {"name": "NVIDIA H200", "driver": "580.159.04"}
    for case in report["labs"][0]["timed_cases"]:
        case |= {"measured": True, "launches": 3, "right_launches": 3, "modelled": None,
                 "timing": MEASURED, "throughput": {"elements_per_s": 1.3e12}}
        case["rivals"][0]["timing"] = {**MEASURED, "alone_ms": 0.052}
    validate("report", report, "a report from a GPU")


def compare(folder):
    """Two launches compared: correct with correct, wrong with correct, one kernel on two
    datasets."""
    def compared(*arguments, code=0):
        done = histolab("compare", *arguments, "--length", 100_000, "--json", cwd=folder)
        check(done.returncode == code, f"compare {arguments} ended with {done.returncode}",
              done.stderr)
        both = json.loads(done.stdout or "{}")
        validate("compare", both, f"the JSON of compare {arguments}")
        return both

    both = compared("02", "04")
    check(both["sentence"].startswith("04 is ") and
          "(modelled, H200): 02 makes " in both["sentence"], "why 04 is faster than 02",
          both["sentence"])
    check(both["time"]["kind"] == "modelled" and both["time"]["faster"] == "b" and
          both["time"]["ratio"] > 2, "the times of 02 and 04", both["time"])
    check("global atomic updates" in [each["title"] for each in both["counters"]],
          "the counters of 02 and 04 that differ", both["counters"])
    for side, lab in (("a", "02"), ("b", "04")):
        alone = json.loads(histolab("run", lab, "--length", 100_000, "--json", cwd=folder).stdout)
        both[side]["run"]["host"] = alone["host"] = None
        check(both[side]["run"] == alone, f"the run of {lab} in a comparison is not what run says")

    both = compared("01=solution", "02=solution")
    check(both["sentence"].startswith("01 loses ") and
          both["sentence"].endswith(" so its time is meaningless; 02 is right."),
          "a race is not fast", both["sentence"])
    check(both["time"]["faster"] is None, "a kernel that loses updates is called faster",
          both["time"])
    both = compared("02", "--dataset", "hot:0,hot:100")
    check(both["time"]["faster"] == "a" and "hot:0" in both["sentence"] and
          both["a"]["run"]["dataset"] == "hot:0", "uniform and constant letters", both["sentence"])
    both = compared("02", "02=right-pointers-and-int")
    check(both["time"]["alike"] and "take about as long" in both["sentence"],
          "two ways to write one kernel", both["sentence"])
    both = compared("02=misspelt-name", "02=solution", code=1)
    check("does not compile" in both["sentence"] and both["time"] is None,
          "a kernel that does not compile", both["sentence"])
    both = json.loads(histolab("compare", "02", "--dataset", "book,text:one, two", "--json",
                               cwd=folder).stdout)
    check([both[side]["run"]["dataset"] for side in "ab"] == ["book", "text:one, two"] and
          both["a"]["run"]["length"] == 8, "a text with a comma", both["sentence"])
    text = histolab("compare", "02", "04", "--length", 10_000, cwd=folder)
    # The first lines name the kernels' files, whose length is not ours to choose.
    check(text.returncode == 0 and all(len(line) <= 80 for line in text.stdout.splitlines()[4:]),
          "the text of compare is wider than 80 columns", text.stdout)


validate("report", json.loads((SOURCE / "grader" / "golden" / "report-full.json").read_text()),
         "grader/golden/report-full.json")
for name, validator in validators.items():
    golden = json.loads((SOURCE / "grader" / "golden" / f"{name}.json").read_text())
    validate(name, golden, f"grader/golden/{name}.json")
    for what, wrong in variants(golden):
        check(not validator.is_valid(wrong), f"the {name} schema accepts {what}")

with temporary_folder() as folder:
    for arguments, codes in ((["--solutions", "--quick"], {0}),
                             (["--submission", SOURCE / "labs", "--quick"], {1}), ([], {1})):
        done = histolab("grade", *arguments, "--json", "-", cwd=folder)
        check(done.returncode in codes, f"grade {arguments} ended with {done.returncode}",
              done.stdout[:300], done.stderr)
        try:
            validate("report", json.loads(done.stdout), f"the report of grade {arguments}")
        except ValueError as error:
            check(False, f"grade {arguments} printed no JSON", error)
    one, many, other = (histolab("grade", "--submission", SOURCE / "labs", "--quick", "--json", "-",
                                 *more, cwd=folder).stdout
                        for more in (["--jobs", 1], ["--jobs", 8], ["--seed", 2]))
    check(one == many, "the report depends on the number of jobs")
    check(one != other, "the report does not depend on the seed")
    timed_and_untimed(folder)
    for arguments in (["02", "--dataset", "book"],
                      ["02", "--dataset", "book", "--schedule", "adversarial"],
                      ["01", "--kernel", SOURCE / "labs" / "01-race" / "stub.cu"]):
        done = histolab("run", *arguments, "--json", cwd=folder)
        check(done.returncode == 0, f"run {arguments} ended with {done.returncode}", done.stderr)
        try:
            validate("run", json.loads(done.stdout), f"the JSON of run {arguments}")
        except ValueError as error:
            check(False, f"run {arguments} printed no JSON", error)

    broken = SOURCE / "labs" / "02-atomic-add" / "attempts" / "misspelt-name" / "kernel.cu"
    done = histolab("run", "02", "--kernel", broken, "--json", cwd=folder)
    validate("run", json.loads(done.stdout), "the JSON of a kernel that does not compile")
    run = json.loads(histolab("run", "10", "--json", cwd=folder).stdout)
    validate("run", {**run, "timing": MEASURED, "timing_reason": None,
                     "throughput": {"elements_per_s": 1.3e12}}, "a run on a GPU")
    compare(folder)

for name in ("race-enumerate", "race-kernel"):
    validate("race", json.loads((SOURCE / "grader" / "golden" / f"{name}.json").read_text()),
             f"grader/golden/{name}.json")
kernel = json.loads((SOURCE / "grader" / "golden" / "race-kernel.json").read_text())
for wrong in ({**kernel, "kernel": None}, {**kernel, "schedule": "any"},
              {**kernel,
               "trace": {**kernel["trace"],
                         "steps": [{**kernel["trace"]["steps"][0], "line": -1}]}}):
    check(not validators["race"].is_valid(wrong),
          "the race schema accepts what cannot be of a kernel", wrong)
for arguments in ([], ["--atomic"], ["--threads", 32, "--increments", 64, "--seed", 3],
                  ["--scenario", 2], ["--enumerate"],
                  *(["--kernel", SOURCE / "labs" / name / "solution.cu", *more]
                    for name in ("01-race", "04-privatization") for more in ([], ["--threads", 4])),
                  ["--kernel", SOURCE / "labs" / "01-race" / "solution.cu", "--enumerate"],
                  ["--enumerate", "--atomic"], ["--enumerate", "--threads", 4, "--increments", 2],
                  ["--threads", 1, "--enumerate"]):
    validate("race", json.loads(histolab("race", *arguments, "--json").stdout),
             f"the JSON of race {arguments}")

# Cases of reports and runs have one description. Reports have no modelled cases, and a run has
# only one launch. Findings name a file only if the kernel is not in the submission's one file.
files = ["/$defs/finding/properties/file", "/$defs/finding/properties/other_file"]
check_all_seen(check, "report", ["/$defs/case/properties/modelled/", *files])
check_all_seen(check, "run", ["/$defs/mismatch/properties/launch", *files])
# program_views_test has launches of whole programs.
check_all_seen(check, "race", ["/properties/launch", "/$defs/launch/properties",
                               "/$defs/kernel_step/properties/file"])
check_all_seen(check, "compare", ["/$defs/launch/properties/launch", "/$defs/program_launch/"])
check.finish()
