"""One mistake gets one advice: `grade`, its report, `watch`, an editor's list, a class's page and
exports print the same sentence.

If the finding contains a fix for this very code, the advice is that sentence, and `run` of the same
case prints it too.
"""
import html
import json
import pathlib
import re
import shutil

from histolab_program import PROGRAM, SOURCE, Checks, histolab, temporary_folder
from pseudo_terminal import WatchTerminal

check = Checks()
# A kernel, and whether the finding itself contains its fix.
KERNELS = {
    "labs/02-atomic-add/attempts/plain-increment": True,
    "labs/02-atomic-add/attempts/missing-lower-bound": True,
    "labs/02-atomic-add/attempts/no-bound-check": False,
    "labs/02-atomic-add/attempts/brace-counted": False,
    "labs/02-atomic-add/attempts/one-thread-counts-all": False,
    "tests/corpus/wrong/02-atomic-add/stores-what-the-atomic-made.cu": True,
    "tests/corpus/wrong/02-atomic-add/every-element-by-every-thread.cu": False,
    "labs/04-privatization/attempts/missing-second-barrier": True,
    "labs/04-privatization/attempts/plain-commit": True,
    "labs/04-privatization/attempts/early-return": False,
    "tests/corpus/wrong/04-privatization/zeroed-by-exchange-no-barrier.cu": True,
    "tests/corpus/wrong/06-aggregation/run-begins-at-zero-in-a-struct.cu": False,
    "tests/corpus/wrong/05-coarsening/factor-not-exported.cu": False,
}


def in_one_line(text):
    return " ".join(text.split())


def cure_of(message):
    """The part after the first sentence of a finding's message, as in kernels::parts_of."""
    hidden = re.sub(r"`[^`]*`", lambda quoted: " " * len(quoted[0]), message)
    return message[hidden.index(". ") + 2:] if ". " in hidden else ""


def first_failing(result):
    return min((each for each in result["checks"] if each["status"] != "passed"),
               key=lambda each: each["status"] != "failed")


def run_again(name, lab, kernel, result, finding, advice):
    """`run` of the case with the finding prints the same sentence."""
    case = next(each for each in result["cases"]
                if each["id"] in first_failing(result)["seen"].get("where", ""))
    done = histolab("run", lab, "--kernel", kernel, "--dataset", case["dataset"], "--length",
                    case["length"], "--grid", case["grid"], "--block", case["block"], "--seed",
                    case["seed"], "--schedule", case["schedule"], "--block-order",
                    case["block_order"])
    general = re.sub(r"\d+", "N", advice)
    check(general in re.sub(r"\d+", "N", in_one_line(done.stdout)),
          f"{name}: run has another advice than {advice}", done.stdout, finding["message"])


def judge(name, exact, folder):
    lab = next(part for part in pathlib.Path(name).parts if re.match(r"\d\d-", part))
    source = SOURCE / name
    source = source / "kernel.cu" if source.is_dir() else source
    student = re.sub(r"\W+", "-", name)
    work = pathlib.Path(folder, student, "work", f"{lab}.cu")
    work.parent.mkdir(parents=True)
    shutil.copy(source, work)
    handed_in = pathlib.Path(folder, "class", student, f"{lab}.cu")
    handed_in.parent.mkdir(parents=True)
    shutil.copy(source, handed_in)

    home = work.parents[1]
    graded = histolab("grade", lab, "--device", "emulator", cwd=home)
    result = json.loads((home / "report.json").read_text())["labs"][0]
    failing = first_failing(result)
    advice = failing["hint"] or failing["seen"]["next"]
    check(f"try: {advice}" in in_one_line(graded.stdout),
          f"{name}: grade has another advice than its report: {advice}", graded.stdout)
    check(failing["message"].endswith(advice), f"{name}: the report's message ends with the advice",
          failing["message"])

    listed = histolab("grade", lab, "--device", "emulator", "--format", "gcc", cwd=home)
    check(advice in in_one_line(listed.stdout),
          f"{name}: an editor gets another advice than {advice}", listed.stdout)

    terminal = WatchTerminal([PROGRAM, "watch", lab], home)
    screen = terminal.settled(r"try: ")
    check(f"try: {advice}" in in_one_line(screen),
          f"{name}: watch has another advice than {advice}", screen)
    terminal.press("q")
    terminal.wait()

    error = next((each for each in result["findings"] if each["severity"] == "error"), None)
    if exact:
        check(error is not None and cure_of(error["message"]) == advice,
              f"{name}: the finding's own cure is not the advice: {advice}", error)
        run_again(name, lab, work, result, error, advice)
    return student, advice


with temporary_folder() as folder:
    advices = dict(judge(name, exact, folder) for name, exact in KERNELS.items())
    histolab("batch", "class", "02", "04", "05", "06", "--out", "results", "--seed", "1",
             cwd=folder)
    page = folder / "class.html"
    done = histolab("report", "results", "--html", page, cwd=folder)
    check(done.returncode == 0, "a page of the class", done.stderr)
    shown = in_one_line(html.unescape(re.sub(r"<[^>]+>", "", page.read_text())))
    for student, advice in advices.items():
        check(advice in shown, f"{student}: the class's page has another advice than {advice}")
        done = histolab("export", "results", "--format", "gradescope", "--student", student,
                        cwd=folder)
        check(advice in
              in_one_line(json.dumps(json.loads(done.stdout),
                                     ensure_ascii=False).replace('\\"', '"').replace("\\n", " ")),
              f"{student}: the export has another advice than {advice}", done.stdout[:3000])
check.finish()
