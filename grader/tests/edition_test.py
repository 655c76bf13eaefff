"""The student edition: its content, its leaks, and that its points equal the whole kit's.

The program is the same in both kits, so this test grades with the labs of the edition.
"""
import json
import os
import re
import shutil
import tarfile
import zipfile

from histolab_program import (SOURCE, Checks, attempts_of, histolab, kernel_text,
                              skip_without_sandbox, temporary_folder)

check = Checks()
LABS = sorted(path for path in (SOURCE / "labs").iterdir() if path.is_dir())


def package(folder, out, *words, labs=None, code=0):
    of_labs = ["--labs", labs] if labs else []
    done = histolab(*of_labs, "package", "--for", "students", out, *words, cwd=folder)
    what = f"package {out} ended with {done.returncode}"
    check(done.returncode == code, what, done.stdout, done.stderr)
    return done


def forms(folder):
    """A folder and an archive have the same files, and neither overwrites anything."""
    names = {}
    for out in ("edition", "edition.tar.gz", "edition.zip"):
        done = package(folder, out, "01", "05")
        check("2 labs" in done.stderr, "the labs are counted", done.stderr)
    root = folder / "edition"
    names["edition"] = {str(path.relative_to(root)) for path in root.rglob("*") if path.is_file()}
    with tarfile.open(folder / "edition.tar.gz") as archive:
        names["tar"] = {entry.name.split("/", 1)[1] for entry in archive if entry.isfile()}
    with zipfile.ZipFile(folder / "edition.zip") as archive:
        names["zip"] = {name.split("/", 1)[1] for name in archive.namelist()}
    check(names["edition"] == names["tar"] == names["zip"], "the forms hold different files")
    of_lab = {path.split("/")[2] for path in names["edition"] if path.startswith("labs/05")}
    wanted = {"hints.md", "lab.json", "lesson.md", "quiz.json", "recorded.json", "stub.cu"}
    check(of_lab == wanted, "a lab of the edition", of_lab)
    others = [path for path in names["edition"] if path.startswith("labs/02")]
    check(not others, "only the named labs are in it", others)
    check(os.access(root / "histolab", os.X_OK), "the wrapper is not executable")
    page = (root / "README.md").read_text()
    listed = "[05-coarsening](labs/05-coarsening/lesson.md)" in page and "LABS" not in page
    check(listed, "the README lists the labs", page)
    for path in root.rglob("*.md"):
        for target in path.read_text().split("](")[1:]:
            target = target.split(")")[0].split("#")[0]
            if target and ":" not in target and " " not in target:
                check((path.parent / target).exists(), f"{path}: a dead link to {target}")
    again = package(folder, "edition", code=2)
    check("exists already" in again.stderr, "a folder with files is overwritten", again.stderr)
    done = histolab("check", "--edition", "edition.tar.gz", cwd=folder)
    check(done.returncode == 0, "an archive without leaks is accepted", done.stdout, done.stderr)


def leaks(folder):
    """Each of these leaks is found wherever it is, and `package` writes no edition with one."""
    lab = SOURCE / "labs" / "08-register-privatization"
    solution = (lab / "solution.cu").read_text()
    right = kernel_text(next(path for path in attempts_of(lab)
                             if path.parent.name.startswith("right-")))
    renamed = solution.replace("histo", "result").replace("letter", "sign").replace("data", "text")
    lines = solution.splitlines()
    comment, diff = ("\n".join(mark + line for line in lines) for mark in ("// ", "+"))
    quiz = json.loads((lab / "quiz.json").read_text())
    why = max((one["why"] for one in quiz["questions"] if "why" in one), key=len)
    long_ones = (line.strip() for line in lines if len(line.replace(" ", "")) > 40)
    line = next(line for line in long_ones if "//" not in line and "__global__" not in line)
    note = max((lab / "instructor.md").read_text().split(". "), key=len)
    here = f"labs/{lab.name}"
    planted = {
        "a solution in a test": ("grader/plain_test.cpp", solution),
        "a solution with other names": ("kernels/example.cu", renamed),
        "a solution in a comment of C++": ("grader/words/notes.h", comment),
        "a solution in JSON": ("docs/measurements/x.json", json.dumps({"source": solution})),
        "a diff in a lesson": (f"{here}/lesson.md", diff),
        "one line in a lesson": ("labs/09-wide-loads/lesson.md", f"Write\n\n    {line}\n"),
        "one line in CHANGELOG.md": ("CHANGELOG.md", f"- `{line}`\n"),
        "an attempt": ("profiles/a.txt", right),
        "a stub that is solved": (f"{here}/stub.cu", solution),
        "an answer key": (f"{here}/quiz.json", json.dumps(quiz)),
        "an explanation": ("docs/faq.md", why),
        "a note": ("docs/notes.md", note),
        "a forbidden name": (f"{here}/attempts/a/kernel.cu", "int a;\n"),
        "a patch of the solution": (f"{here}/solution.patch", "@@ -1 +1 @@\n-int a;\n+int b;\n"),
    }
    package(folder, "whole")
    for what, (place, text) in planted.items():
        copy = folder / "copy"
        shutil.copytree(folder / "whole", copy)
        path = copy / place
        path.parent.mkdir(parents=True, exist_ok=True)
        is_new = place.endswith((".cu", "quiz.json", "x.json"))
        with open(path, "w" if is_new else "a", encoding="utf-8") as file:
            file.write(text)
        done = histolab("check", "--edition", copy, cwd=folder)
        found = done.returncode == 1 and place in done.stdout
        check(found, f"{what} is not found", done.stdout, done.stderr)
        shutil.rmtree(copy)
    done = histolab("check", "--edition", "whole", cwd=folder)
    check(done.returncode == 0, "the edition itself", done.stdout, done.stderr)

    mine = folder / "mine"
    shutil.copytree(SOURCE / "labs", mine)
    own = mine / "04-privatization"
    with open(own / "hints.md", "a", encoding="utf-8") as file:
        file.write("\n```\n" + (own / "solution.cu").read_text() + "```\n")
    done = package(folder, "leaking", labs=mine, code=1)
    refused = "labs/04-privatization/hints.md" in done.stderr and not (folder / "leaking").exists()
    check(refused, "package writes an edition that gives a solution away", done.stderr)


TIMES = ("within_of_solution", "speedup_over", "share_of_read_limit")


def checks_of(lab):
    return {one["id"]: one["kind"] for one in json.loads((lab / "lab.json").read_text())["checks"]}


def is_about_times(lab, attempt):
    """True if the attempt is correct, or fails only because of a time."""
    expected = json.loads((attempt.parent / "expect.json").read_text())
    return expected["status"] == "passed" or checks_of(lab).get(expected.get("check")) in TIMES


def submissions(folder):
    """Students with the solutions, the stubs, one attempt of each lab, and more if times matter."""
    kinds = {}
    for lab in LABS:
        attempts = attempts_of(lab)
        compares_times = set(TIMES) & set(checks_of(lab).values())
        more = [path for path in attempts[1:] if compares_times and is_about_times(lab, path)]
        kinds[lab] = [lab / "solution.cu", lab / "stub.cu", attempts[0], *more]
    for number in range(max(map(len, kinds.values()))):
        student = folder / f"student-{number:02}"
        student.mkdir(parents=True)
        for lab, kernels in kinds.items():
            if number < len(kernels):
                (student / f"{lab.name}.cu").write_text(kernel_text(kernels[number]),
                                                        encoding="utf-8")
    return sorted(folder.iterdir())


def without_quiz(report):
    found = {}
    for lab in report["labs"]:
        kinds = checks_of(SOURCE / "labs" / lab["lab"])
        checks = [(one["id"], one["status"], one["score"]) for one in lab["checks"]
                  if kinds[one["id"]] != "quiz"]
        ended = lab["status"]
        if ended in ("passed", "failed"):
            ended = "passed" if all(status == "passed" for _, status, _ in checks) else "failed"
        found[lab["lab"]] = (ended, sum(score for *_, score in checks), checks)
    return found


def same_points(folder):
    """With seed 1 an edition gives the verdicts and points of the whole kit, except for the
    quiz."""
    package(folder, "edition")
    labs, compared, failed_times = folder / "edition" / "labs", 0, 0
    for student in submissions(folder / "class"):
        reports = []
        names = sorted(path.stem for path in student.iterdir())
        for words in ([], ["--labs", labs]):
            done = histolab(*words, "grade", *names, "--submission", student,
                            "--device", "emulator", "--json", "report.json", cwd=folder)
            ended = f"{student.name}: grade ended with {done.returncode}"
            check(done.returncode in (0, 1), ended, done.stderr)
            reports.append(json.loads((folder / "report.json").read_text()))
        whole, own = map(without_quiz, reports)
        for lab in whole:
            what = f"{student.name}, {lab}: the edition judges otherwise"
            check(whole[lab] == own[lab], what, whole[lab], own[lab])
            compared += 1
            kinds = checks_of(SOURCE / "labs" / lab)
            failed = {kinds[name] for name, status, _ in whole[lab][2] if status == "failed"}
            failed_times += bool(failed & set(TIMES))
    check(compared > 50 and failed_times >= 3, "too little is compared", compared, failed_times)

    one = folder / "class" / "student-00"
    done = histolab("--labs", labs, "grade", "05", "--submission", one, "--seed", 7,
                    "--json", "seven.json", cwd=folder)
    report = json.loads((folder / "seven.json").read_text())["labs"][0]
    left_out = [each["check"] for each in report["left_out"]]
    found = (done.returncode, report["status"], report["max_score"], left_out)
    check(found == (0, "passed", 9, ["fast"]), "another seed leaves the time out", report)
    said = "not judged here: fast (1 point)" in done.stdout and "seed 7" in done.stdout
    check(said, "it says so", done.stdout)


def commands(folder):
    """Commands that need a solution say so; all others work."""
    labs = folder / "edition" / "labs"
    package(folder, "edition")
    (folder / "handed-in").mkdir()
    for words in (["solution", "02"], ["attempt", "02", "off-by-one"], ["check"],
                  ["check", "--edition", "edition"], ["model", "02"], ["grade", "--solutions"],
                  ["batch", "handed-in", "--out", "out"], ["run", "02"],
                  ["package", "--for", "students", "again"], ["export", "--bundle", "gradescope"],
                  ["grade", "02", "--device", "gpu"]):
        done = histolab("--labs", labs, *words, cwd=folder)
        said = done.returncode == 2 and "the student edition" in done.stderr
        check(said, f"{words}: it does not say what is missing", done.stdout, done.stderr)
    kernel = "work/02-atomic-add.cu"
    for words, code, said in ((["start", "02"], 0, kernel), (["list"], 0, "02-atomic-add"),
                              (["lesson", "02"], 0, "atomic"), (["hint", "02"], 0, "A nudge"),
                              (["run", "02"], 0, "02-atomic-add.cu"),
                              (["explain", "02"], 0, "in all"), (["race"], 0, "histo"),
                              (["race", "--kernel", kernel], 0, ""),
                              (["model", "02", "--kernel", kernel], 0, "modelled"),
                              (["grade", "02"], 1, "matches_reference"), (["doctor"], 0, "")):
        done = histolab("--labs", labs, *words, cwd=folder)
        worked = done.returncode == code and said in done.stdout
        check(worked, f"{words} ended with {done.returncode}", done.stdout, done.stderr)
    listed = json.loads(histolab("--labs", labs, "list", "--json", cwd=folder).stdout)["labs"]
    roles = [each["role"] for each in listed[1]["kernels"]]
    check(roles == ["stub", "work"], "the viewer's list has kernels that are missing", roles)

    lab = SOURCE / "labs/05-coarsening"
    shutil.copy(lab / "solution.cu", folder / "work" / "05-coarsening.cu")
    done = histolab("--labs", labs, "grade", "05", cwd=folder)
    compared = done.returncode == 0 and "the solution" in done.stdout
    check(compared, "times are compared with the recorded ones", done.stdout)
    wrong = []
    for path in attempts_of(lab):
        failing = json.loads((path.parent / "expect.json").read_text()).get("check")
        if checks_of(lab).get(failing, "").startswith("counter"):
            wrong.append(path)
    for path in wrong:
        whole, own = (histolab(*words, "grade", "05", "--submission", path, cwd=folder).stdout
                      for words in ([], ["--labs", labs]))
        figures = [re.findall(r"; the\s+solution\s+has\s+([\d ]+)", text) for text in (whole, own)]
        check(figures[0] == figures[1], f"{path}: the solution's counter differs", figures, own)
    check(len(wrong) > 0, "no attempt fails by a counter")


ADA = ("--student", "Ada", "--seed", 5)


def asked_of(*words, lab, cwd):
    done = histolab(*words, "quiz", lab, *ADA, "--json", cwd=cwd)
    return json.loads(done.stdout)["labs"][0]["questions"]


def questions(folder):
    """The edition asks the questions of the whole kit, and the whole kit judges the stored
    answers."""
    package(folder, "edition")
    labs, judged, asked = folder / "edition" / "labs", 0, 0
    for lab in ("03", "05", "12"):
        for words in ([], ["--labs", labs]):
            state = asked_of(*words, lab=lab, cwd=folder)
            if not words:
                whole = state
        for one, other in zip(whole, state):
            asked += 1
            same = all(one[key] == other[key] for key in ("id", "kind", "text", "code", "unit"))
            options = [{each["text"] for each in part["options"]} for part in (one, other)]
            check(same and options[0] == options[1], "the edition asks something else", one, other)
            check(other["why"] is None, "the edition explains")
        for question in state:
            if question["kind"] != "choice":
                continue
            right = 0
            for option in question["options"]:
                answer = f"{question['id']}={option['letter']}"
                done = histolab("--labs", labs, "quiz", lab, *ADA, "--answer", answer, cwd=folder)
                kept = done.returncode == 0 and "answered. Saved. Your instructor" in done.stdout
                check(kept, "an answer is kept", done.stdout, done.stderr)
                judged_now = {each["id"]: each["status"] for each in asked_of(lab=lab, cwd=folder)}
                right += judged_now[question["id"]] == "right"
            judged += 1
            check(right == 1, f"{lab} {question['id']}: {right} options are right by the whole kit")
    first = choices = 0
    for lab in LABS:
        both = [json.loads((place / lab.name / "quiz.json").read_text())["questions"]
                for place in (SOURCE / "labs", labs)]
        for own, other in zip(*both):
            for part, shown in zip(own.get("variants", [own]), other.get("variants", [other])):
                if "options" in part:
                    right = next(each["text"] for each in part["options"] if each.get("right"))
                    choices += 1
                    first += right == shown["options"][0]["text"]
    hidden = choices > 40 and first < choices / 2
    check(hidden, "the order of the options gives the right one away", first, choices)
    check(judged >= 5 and asked >= 15, "too few questions", judged, asked)
    shutil.copy(SOURCE / "labs/12-bug-hunt/solution.cu", folder / "work" / "12-bug-hunt.cu")
    done = histolab("--labs", labs, "grade", "12", cwd=folder)
    text = " ".join(done.stdout.split())
    said = "are answered; your instructor's kit judges them" in text and "not judged here: " in text
    check(said, "the score shows that the quiz is judged elsewhere", done.stdout)


skip_without_sandbox()
with temporary_folder() as folder:
    for each in (forms, leaks, same_points, commands, questions):
        place = folder / each.__name__
        place.mkdir()
        each(place)
check.finish()
