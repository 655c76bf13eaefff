"""The advice for every kind of finding, followed literally, fixes the kernel.

grader/testdata/advice has wrong kernels. The first lines of a kernel name the lab that grades it,
the first finding that it must get, and words that `grade`'s advice or the finding's message must
contain:

    // lab: 04
    // finding: data_race mine 6/8
    // try: Put __syncthreads() between them

The kernel also contains the corrected version, in which a student has followed the message exactly:
lines that end in `// -` are removed, and lines that begin with `//+ ` are inserted. The wrong
kernel must fail with that finding and that advice. The corrected one must pass every check except
the quiz and `faster`, which shows that the advice is about the mistake. All kinds of findings must
be covered.
"""
import concurrent.futures
import json
import re

from histolab_program import SOURCE, Checks, grade_text, kinds_of_programs

FOLDER = SOURCE / "grader" / "testdata" / "advice"
check = Checks()


def grade(lab, text):
    """The lab's part of the report, and the output of `grade` on one line."""
    report, done = grade_text(lab, text)
    return report, " ".join((done.stdout + done.stderr).split())


def header(text, name):
    return re.search(rf"^// {name}: (.*)$", text, re.MULTILINE)[1]


def with_advice(text):
    kept = [line for line in text.split("\n") if not line.endswith("// -")]
    return "\n".join(re.sub(r"^//\+ ?", "", line) for line in kept)


def judge(path):
    text = path.read_text(encoding="utf-8")
    lab, advice = header(text, "lab"), header(text, "try")
    kind, variable, lines = header(text, "finding").split()
    wrong, said = grade(lab, text)
    right, said_of_right = grade(lab, with_advice(text))
    found = []
    if wrong is None or wrong["status"] != "failed":
        found.append(f"is not failed: {said}")
    else:
        errors = [f for f in wrong["findings"] if f["severity"] == "error"]
        first = (errors[0] if errors
                 else {"kind": "none", "variable": None, "line": None, "other_line": None})
        at = {str(line) for line in (first["line"], first["other_line"]) if line}
        if ((first["kind"], first["variable"] or "-") != (kind, variable) or
            at - set(lines.split("/")) - ({*at} if lines == "-" else set())):
            found.append(f"begins with {first}")
        if advice not in said and advice not in (first.get("message") or ""):
            found.append(f"does not get this advice: {advice}; but: {said}")
    if (right is None or
        any(entry["status"] != "passed" for entry in right["checks"]
            if entry["id"] not in ("quiz", "faster"))):
        found.append(f"does not pass with the advice: {said_of_right}")
    return path.stem, kind, found


kernels = sorted(FOLDER.glob("*.cu"))
with concurrent.futures.ThreadPoolExecutor(max_workers=2) as pool:
    judged = list(pool.map(judge, kernels))
for name, _, found in judged:
    for what in found:
        check(False, f"{name}: {what}")
schema = json.loads((SOURCE / "docs" / "lab.schema.json").read_text(encoding="utf-8"))
kinds = schema["$defs"]["finding_kind"]["enum"]
shown = {kind for _, kind, _ in judged} | kinds_of_programs()
for kind in kinds:
    check(kind in shown, f"no kernel shows the advice of {kind}")
check.finish()
