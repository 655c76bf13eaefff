#!/usr/bin/env python3
"""A schema and its reader agree. For each format that the program reads, valid documents are made
wrong in one place after another (mutations.py), and both must give the same verdict. The valid
documents have each key of the schema.

    schemas_agree_test.py            all formats
    schemas_agree_test.py lab quiz   only these

A schema cannot express everything. Documents that only the reader refuses are listed below, by the
message and with the reason. If the schema refuses a document and the reader accepts it, one of them
is wrong.
"""
import collections
import concurrent.futures
import dataclasses
import json
import os
import re
import sys

from histolab_program import SOURCE, Checks, histolab, put, temporary_folder
from mutations import Sorts, mutations
from schemas import check_all_seen, problems, validator_of

check = Checks()
DOCUMENTS = SOURCE / "grader" / "testdata" / "documents"
TEMPLATE = SOURCE / "grader" / "template"


def put_document(path, document):
    put(path, json.dumps(document))


def said(done):
    """The program's error; empty if it accepts the document."""
    if done.returncode not in (0, 1, 2) or "a bug in histolab" in done.stderr:
        return f"BROKEN: ended with {done.returncode}: {done.stderr}"
    return done.stderr.strip() if done.returncode == 2 else ""


def lab_reader(folder, document):
    put_document(folder / "labs" / "01-lab" / "lab.json", document)
    (folder / "labs" / "01-lab" / "read.cu").touch()
    return said(histolab("--labs", folder / "labs", "list"))


def quiz_reader(folder, document):
    put_document(folder / "labs" / "01-lab" / "quiz.json", document)
    put(folder / "labs" / "01-lab" / "lab.json", (TEMPLATE / "lab.json").read_text())
    return said(histolab("--labs", folder / "labs", "quiz", "01", "--json", cwd=folder))


def answers_reader(folder, document):
    put_document(folder / "work" / "01-race.quiz.json", document)
    return said(histolab("quiz", "01", "--json", cwd=folder))


def rubric_reader(folder, document):
    put_document(folder / "rubric.json", document)
    return said(histolab("grade", "04", "--rubric", "rubric.json", "--json", "/dev/null",
                         cwd=folder))


def profile_reader(folder, document):
    """The profile is read before the lab is looked up, and no lab has that name."""
    put_document(folder / "mine.json", document)
    message = said(histolab("model", "no-such-lab", "--profile", folder / "mine"))
    return "" if "there is no lab" in message else message


def expectations_refused(folder, documents):
    """All at once: `check` reports each that it cannot read. For one that it can read, it
    reports the missing kernel."""
    lab = folder / "labs" / "01-lab"
    put(lab / "lab.json", (TEMPLATE / "lab.json").read_text())
    for name in ("stub.cu", "solution.cu"):
        (lab / name).write_text((TEMPLATE / name).read_text())
    for number, document in enumerate(documents):
        put_document(lab / "attempts" / f"{number:05}" / "expect.json", document)
    done = histolab("--labs", folder / "labs", "check", "--device", "emulator", cwd=folder)
    found = ["BROKEN: check says nothing of it"] * len(documents)
    for number, file, message in re.findall(r"attempts/(\d{5})/(\S+)\n((?:  .*\n)+)", done.stdout):
        if file in ("expect.json", "kernel.cu"):
            found[int(number)] = "" if file == "kernel.cu" else " ".join(message.split())
    return found


def one_by_one(read):
    """Each in its own process and folder."""
    def refused(folder, documents):
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            return list(pool.map(read, [folder / str(number) for number in range(len(documents))],
                                 documents))
    return refused


@dataclasses.dataclass
class Format:
    schema: str
    documents: list      # names in DOCUMENTS
    in_the_kit: list     # files without places that the documents lack
    refused: object      # (folder, documents) -> the program's error for each; empty if accepted
    sorts: Sorts
    beyond: dict         # words of errors that only the reader reports: why no schema can


NAMES = "whether somebody has the name stands elsewhere in the document, or outside of it"
TWICE = "a schema tells whole items apart, not their ids"
SUMS = "a schema adds nothing up"
ORDER = "a schema compares a number with no other one"
OTHERS = "it depends on what another part of the document says"
COMPUTED = "it takes the computation"

FORMATS = [
    Format("lab",
           ["lab-one-kernel.json", "lab-several-kernels.json", "lab-fixed-grid.json",
            "lab-own-shape.json", "lab-program.json"],
           [*SOURCE.glob("labs/*/lab.json"), TEMPLATE / "lab.json",
            *SOURCE.glob("tools/model/labs/*/lab.json")], one_by_one(lab_reader),
           Sorts(("hints",), ("kind", "quantity", "grid", "status"),
                 ("id", "kind", "points", "title", "hint", "name")), {
        "no (timed )?(case|kernel|export|check) is called": NAMES,
        "/dataset: unknown word": NAMES,
        "two (cases|checks|kernels) are called": TWICE,
        "add up to": SUMS,
        r"/exports/\d+/(max|default): expected": ORDER,
        "is only for labs with launch.grid": OTHERS,
        r"/cases/\d+/grid: is missing": OTHERS,
        r"/timed/\d+/(block|grid): is missing": OTHERS,
        "has no case left": OTHERS,
        "the export's min must be at least": OTHERS,
        "samples of this binning have": OTHERS,
        "has no argument for it": OTHERS,
        r"/program: (?!expected)": OTHERS,
    }),
    Format("quiz", ["quiz.json", "quiz-measured.json", "quiz-models.json"],
           [*SOURCE.glob("labs/*/quiz.json"), TEMPLATE / "quiz.json"], one_by_one(quiz_reader),
           Sorts(("draw", "values", "where", "row"), ("kind",)), {
        "uses an unknown name": NAMES,
        "is not defined here": NAMES,
        "is not a unit": "units are put together of prefixes, things and times",
        r"rows? of .* fit|/measured: .*\.json: |the row has no number":
            "what was measured stands in other files",
        "is not the answer; that is": COMPUTED,
        "gives the same answer|one of them is the right answer": COMPUTED,
        r"is .*; expected a (whole )?number from": COMPUTED,
        "has no answer for these arguments|expected a drawn text|: expected a number$": COMPUTED,
        "to 1000 values|/to: expected a whole number from": ORDER,
        "two questions are called|two options are|is right in variant": TWICE,
        "cannot be an answer": "a letter is the name of an option",
        "a line of code may have at most 36 columns": "values are filled in first",
    }),
    Format("answers", ["answers.json"], [], one_by_one(answers_reader), Sorts(("answers",)), {
        "is not for the lab": "which lab it is for",
    }),
    Format("expect", ["expect-failed.json", "expect-passed.json", "expect-compile-error.json"],
           [*SOURCE.glob("labs/*/attempts/*/expect.json"),
            *TEMPLATE.glob("attempts/*/expect.json")], expectations_refused,
           Sorts(words=("status",)), {
        "has no check": NAMES,
    }),
    Format("rubric", ["rubric.json", "assignment.json"], [], one_by_one(rubric_reader),
           Sorts(("labs", "points", "checks", "deadlines")), {
        "add up to": SUMS,
        "no case is called": NAMES,
        "(points|leave_out_cases|dataset).*: unknown word": NAMES,
        "two cases are called": TWICE,
        "is not a time|UTC offset":
            "how a time may be written is more than a pattern, and 30 February is none",
    }),
    Format("profile", ["profile.json"], [*SOURCE.glob("profiles/*.json")],
           one_by_one(profile_reader), Sorts(("figures", "curves")), {
        "ascending pairs": ORDER,
    }),
]


def words_of(validator, mutation):
    """The lists of allowed words in this place."""
    return [set(error.validator_value) for error in validator.iter_errors(mutation.document)
            if error.validator == "enum" and tuple(error.absolute_path) == mutation.place]


def try_format(each, scratch):
    validator = validator_of(each.schema, written_now=False)
    kit = {path: json.loads(path.read_text()) for path in each.in_the_kit}
    for path, document in kit.items():
        found = problems(validator, document)
        check(not found, f"{path} is not what docs/{each.schema}.schema.json says", *found[:5])
    right = [json.loads((DOCUMENTS / name).read_text()) for name in each.documents]
    check(all(map(validator.is_valid, right)), f"{each.schema}: the documents are right",
          *(found for document in right for found in problems(validator, document)))
    # The validator skips the second branch of an anyOf if the first one holds.
    skipped = ["/allOf/1/anyOf/1/", "/allOf/2/anyOf/1/"] if each.schema == "lab" else []
    check_all_seen(check, each.schema, skipped, written_now=False)
    missing = each.sorts.in_all(kit.values()) - each.sorts.in_all(right)
    check(not missing, f"{each.schema}: places in the kit's files that no document of the test has",
          *sorted(missing))

    tried = list(mutations(right, validator.is_valid, each.sorts))
    refusals = each.refused(scratch, [*right, *(mutation.document for mutation in tried)])
    check(not any(refusals[:len(right)]), f"{each.schema}: the program reads the documents",
          *refusals[:len(right)])
    used = collections.Counter()
    for mutation, refusal in zip(tried, refusals[len(right):]):
        valid = validator.is_valid(mutation.document)
        check(not refusal.startswith("BROKEN"), f"{each.schema}: {mutation}", refusal)
        first = refusal.split("; /")[0]  # the others may be its consequences
        known = re.search(r"expected one of ([\w., ]+?)( \(and |$)", first)
        if known and not valid:
            check(set(re.split(", | and ", known[1])) in words_of(validator, mutation),
                  f"{each.schema}: the reader knows other words than the schema", mutation, refusal)
        if valid == (not refusal) or (valid and mutation.is_whole_with_a_point()):
            continue
        if not valid:
            check(False, f"{each.schema}: only the schema refuses it", mutation,
                  *problems(validator, mutation.document)[:2])
            continue
        why = [words for words in each.beyond if re.search(words, refusal)]
        check(why, f"{each.schema}: only the reader refuses it", mutation, refusal)
        used.update(why)
    for words in each.beyond:
        check(used[words], f"{each.schema}: nothing is refused by these words", words)
    print(f"{each.schema}: {len(tried)} mistakes, {sum(map(bool, refusals))} refused by the "
          f"reader, {sum(used.values())} by it alone")


for each in FORMATS:
    if len(sys.argv) == 1 or each.schema in sys.argv[1:]:
        with temporary_folder() as folder:
            try_format(each, folder)
check.finish()
