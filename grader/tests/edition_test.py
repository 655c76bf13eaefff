"""The student edition: what it holds, what it gives away, and that it gives the points of the whole kit.

The program is the same in both kits, so it grades with the labs of the edition here. package_fresh_test.py builds an edition.
"""
import json
import os
import pathlib
import shutil
import subprocess
import tarfile
import tempfile
import zipfile

from histolab_program import SOURCE, Checks, histolab, skip_without_sandbox

check = Checks()
LABS = sorted(path for path in (SOURCE / "labs").iterdir() if path.is_dir())


def package(folder, out, *words, labs=None, code=0):
    done = histolab(*(["--labs", labs] if labs else []), "package", "--for", "students", out, *words, cwd=folder)
    check(done.returncode == code, f"package {out} ended with {done.returncode}", done.stdout, done.stderr)
    return done


def forms(folder):
    """A folder, an archive: the same files, and nothing is overwritten."""
    names = {}
    for out in ("edition", "edition.tar.gz", "edition.zip"):
        done = package(folder, out, "01", "05")
        check("2 labs" in done.stderr, "the labs are counted", done.stderr)
    names["edition"] = {str(path.relative_to(folder / "edition")) for path in (folder / "edition").rglob("*") if path.is_file()}
    with tarfile.open(folder / "edition.tar.gz") as archive:
        names["tar"] = {entry.name.split("/", 1)[1] for entry in archive if entry.isfile()}
    with zipfile.ZipFile(folder / "edition.zip") as archive:
        names["zip"] = {name.split("/", 1)[1] for name in archive.namelist()}
    check(names["edition"] == names["tar"] == names["zip"], "the forms hold different files")
    of_lab = {path.split("/")[2] for path in names["edition"] if path.startswith("labs/05")}
    check(of_lab == {"hints.md", "lab.json", "lesson.md", "quiz.json", "recorded.json", "stub.cu"}, "a lab of the edition", of_lab)
    check(not any(path.startswith("labs/02") for path in names["edition"]), "only the named labs are in it")
    check(os.access(folder / "edition" / "histolab", os.X_OK), "the wrapper is not executable")
    page = (folder / "edition" / "README.md").read_text()
    check("[05-coarsening](labs/05-coarsening/lesson.md)" in page and "LABS" not in page, "the README lists the labs", page)
    for path in (folder / "edition").rglob("*.md"):
        for target in path.read_text().split("](")[1:]:
            target = target.split(")")[0].split("#")[0]
            if target and ":" not in target and " " not in target:
                check((path.parent / target).exists(), f"{path}: a dead link to {target}")
    check("is there already" in package(folder, "edition", code=2).stderr, "a folder with files is overwritten")
    check(histolab("check", "--edition", "edition.tar.gz", cwd=folder).returncode == 0, "an archive without leaks is accepted")


def leaks(folder):
    """Each of these, planted anywhere in an edition, is found; and `package` writes no edition with one."""
    lab = SOURCE / "labs" / "08-register-privatization"
    solution = (lab / "solution.cu").read_text()
    right = next(path for path in sorted(lab.glob("attempts/right-*/kernel.cu")))
    renamed = solution.replace("histo", "result").replace("letter", "sign").replace("data", "text")
    quiz = json.loads((lab / "quiz.json").read_text())
    inner = [line for line in solution.splitlines() if len(line.replace(" ", "")) > 40 and "//" not in line and "__global__" not in line]
    note = max((lab / "instructor.md").read_text().split(". "), key=len)
    planted = {
        "a solution in a test": ("grader/plain_test.cpp", solution), "a solution with other names": ("kernels/example.cu", renamed),
        "a solution in a comment of C++": ("grader/words/notes.h", "\n".join("// " + line for line in solution.splitlines())),
        "a solution in JSON": ("docs/measurements/x.json", json.dumps({"source": solution})),
        "a diff in a lesson": ("labs/08-register-privatization/lesson.md", "\n".join("+" + line for line in solution.splitlines())),
        "one line in a lesson": ("labs/09-wide-loads/lesson.md", f"Write\n\n    {inner[0].strip()}\n"), "one line in CHANGELOG.md": ("CHANGELOG.md", f"- `{inner[0].strip()}`\n"),
        "an attempt": ("profiles/a.txt", right.read_text()), "a stub that is solved": ("labs/08-register-privatization/stub.cu", solution),
        "an answer key": ("labs/08-register-privatization/quiz.json", json.dumps(quiz)), "an explanation": ("docs/faq.md", max((one["why"] for one in quiz["questions"] if "why" in one), key=len)),
        "a note": ("docs/notes.md", note), "a forbidden name": ("labs/08-register-privatization/attempts/a/kernel.cu", "int a;\n"),
    }
    package(folder, "whole")
    for what, (place, text) in planted.items():
        copy = folder / "copy"
        shutil.copytree(folder / "whole", copy)
        path = copy / place
        path.parent.mkdir(parents=True, exist_ok=True)
        with open(path, "w" if place.endswith((".cu", "quiz.json", "x.json")) else "a", encoding="utf-8") as file:
            file.write(text)
        done = histolab("check", "--edition", copy, cwd=folder)
        check(done.returncode == 1 and place in done.stdout, f"{what} is not found", done.stdout, done.stderr)
        shutil.rmtree(copy)
    done = histolab("check", "--edition", "whole", cwd=folder)
    check(done.returncode == 0, "the edition itself", done.stdout, done.stderr)

    mine = folder / "mine"
    shutil.copytree(SOURCE / "labs", mine)
    with open(mine / "04-privatization" / "hints.md", "a", encoding="utf-8") as file:
        file.write("\n```\n" + (mine / "04-privatization" / "solution.cu").read_text() + "```\n")
    done = package(folder, "leaking", labs=mine, code=1)
    check("labs/04-privatization/hints.md" in done.stderr and not (folder / "leaking").exists(), "package writes an edition that gives a solution away", done.stderr)


TIMES = ("within_of_solution", "speedup_over", "share_of_read_limit")


def checks_of(lab):
    return {one["id"]: one["kind"] for one in json.loads((lab / "lab.json").read_text())["checks"]}


def is_about_times(lab, attempt):
    """Right, or wrong by a time."""
    expected = json.loads((attempt.parent / "expect.json").read_text())
    return expected["status"] == "passed" or checks_of(lab).get(expected.get("check")) in TIMES


def submissions(folder):
    """Students with the solutions, the stubs, one wrong attempt of each lab, and all attempts for which times matter."""
    kinds = {}
    for lab in LABS:
        attempts = sorted(lab.glob("attempts/*/kernel.cu"))
        kinds[lab] = [lab / "solution.cu", lab / "stub.cu", attempts[0], *(path for path in attempts[1:] if set(TIMES) & set(checks_of(lab).values()) and is_about_times(lab, path))]
    for number in range(max(map(len, kinds.values()))):
        student = folder / f"student-{number:02}"
        student.mkdir(parents=True)
        for lab, kernels in kinds.items():
            if number < len(kernels):
                shutil.copy(kernels[number], student / f"{lab.name}.cu")
    return sorted(folder.iterdir())


def without_quiz(report):
    quiz = {lab: {one["id"] for one in json.loads((SOURCE / "labs" / lab / "lab.json").read_text())["checks"] if one["kind"] == "quiz"} for lab in (each["lab"] for each in report["labs"])}
    found = {}
    for lab in report["labs"]:
        checks = [(one["id"], one["status"], one["score"]) for one in lab["checks"] if one["id"] not in quiz[lab["lab"]]]
        ended = lab["status"] if lab["status"] not in ("passed", "failed") else "passed" if all(one[1] == "passed" for one in checks) else "failed"
        found[lab["lab"]] = (ended, sum(one[2] for one in checks), checks)
    return found


def same_points(folder):
    """With seed 1 an edition and the whole kit give the same verdicts and points, but for the quiz."""
    package(folder, "edition")
    labs, compared, failed_times = folder / "edition" / "labs", 0, 0
    for student in submissions(folder / "class"):
        reports = []
        for words in ([], ["--labs", labs]):
            done = histolab(*words, "grade", *sorted(path.stem for path in student.iterdir()), "--submission", student, "--device", "emulator", "--json", folder / "report.json", cwd=folder)
            check(done.returncode in (0, 1), f"{student.name}: grade ended with {done.returncode}", done.stderr)
            reports.append(json.loads((folder / "report.json").read_text()))
        whole, own = map(without_quiz, reports)
        for lab in whole:
            check(whole[lab] == own[lab], f"{student.name}, {lab}: the edition judges otherwise", whole[lab], own[lab])
            compared += any(each["lab"] == lab and each["submission"] for each in reports[0]["labs"])
            failed_times += any(status == "failed" and "fast" in name for name, status, _ in whole[lab][2])
    check(compared > 60 and failed_times >= 3, "too little is compared", compared, failed_times)

    one = folder / "class" / "student-00"
    done = histolab("--labs", labs, "grade", "05", "--submission", one, "--seed", 7, "--json", "seven.json", cwd=folder)
    report = json.loads((folder / "seven.json").read_text())["labs"][0]
    check(done.returncode == 0 and report["status"] == "passed" and report["max_score"] == 9 and report["left_out"][0]["check"] == "fast", "another seed leaves the time out", report)
    check("not judged here: fast (1 point)" in done.stdout and "seed 7" in done.stdout, "it says so", done.stdout)


def commands(folder):
    """What needs a solution says so; everything else works."""
    labs = folder / "edition" / "labs"
    package(folder, "edition")
    (folder / "handed-in").mkdir()
    for words in (["solution", "02"], ["check"], ["check", "--edition", "edition"], ["grade", "--solutions"], ["batch", "handed-in", "--out", "out"], ["package", "--for", "students", "again"],
                  ["model", "02"], ["export", "--bundle", "gradescope"], ["run", "02"], ["grade", "02", "--device", "gpu"]):
        done = histolab("--labs", labs, *words, cwd=folder)
        check(done.returncode == 2 and "the student edition" in done.stderr, f"{words}: it does not say that the edition has no solutions", done.returncode, done.stdout, done.stderr)
    for words, code, said in ((["start", "02"], 0, "work/02-atomic-add.cu"), (["list"], 0, "02-atomic-add"), (["lesson", "02"], 0, "atomic"), (["hint", "02"], 0, "A nudge"), (["run", "02"], 0, "02-atomic-add.cu"),
                              (["explain", "02"], 0, "in all"), (["race"], 0, "histo"), (["race", "--kernel", "work/02-atomic-add.cu"], 0, ""), (["model", "02", "--kernel", "work/02-atomic-add.cu"], 0, "modelled"),
                              (["grade", "02"], 1, "matches_reference"), (["doctor"], 0, "")):
        done = histolab("--labs", labs, *words, cwd=folder)
        check(done.returncode == code and said in done.stdout, f"{words} ended with {done.returncode}", done.stdout, done.stderr)
    kernels = json.loads(histolab("--labs", labs, "list", "--json", cwd=folder).stdout)["labs"][1]["kernels"]
    check([each["role"] for each in kernels] == ["stub", "work"], "the viewer's list has kernels that are not there", kernels)

    shutil.copy(SOURCE / "labs/05-coarsening/attempts/right-interleaved/kernel.cu" if (SOURCE / "labs/05-coarsening/attempts/right-interleaved").exists() else SOURCE / "labs/05-coarsening/solution.cu", folder / "work" / "05-coarsening.cu")
    done = histolab("--labs", labs, "grade", "05", cwd=folder)
    check(done.returncode == 0 and "the solution" in done.stdout, "times are compared with the recorded ones", done.stdout)
    few = SOURCE / "labs/05-coarsening/attempts/commits-in-each-round/kernel.cu"
    slow = few if few.exists() else next(iter(sorted((SOURCE / "labs/05-coarsening/attempts").glob("*/kernel.cu"))))
    whole, own = (histolab(*words, "grade", "05", "--submission", slow, cwd=folder).stdout for words in ([], ["--labs", labs]))
    check(("; the solution has" in whole) == ("; the solution has" in own), "a counter is compared with the recorded one", whole, own)


def questions(folder):
    """The edition asks the questions of the whole kit, and the whole kit judges what it kept."""
    package(folder, "edition")
    labs, judged, asked = folder / "edition" / "labs", 0, 0
    for lab in ("03", "05", "12"):
        for words in ([], ["--labs", labs]):
            done = histolab(*words, "quiz", lab, "--student", "Ada", "--seed", 5, "--json", cwd=folder)
            state = json.loads(done.stdout)["labs"][0]["questions"]
            if not words:
                whole = state
        for one, other in zip(whole, state):
            asked += 1
            same = all(one[key] == other[key] for key in ("id", "kind", "text", "code", "unit")) and {each["text"] for each in one["options"]} == {each["text"] for each in other["options"]}
            check(same, "the edition asks something else", one, other)
            check(other["why"] is None, "the edition explains")
        for question in state:
            if question["kind"] != "choice":
                continue
            right = 0
            for option in question["options"]:
                done = histolab("--labs", labs, "quiz", lab, "--student", "Ada", "--seed", 5, "--answer", f"{question['id']}={option['letter']}", cwd=folder)
                check(done.returncode == 0 and "answered." in done.stdout and "instructor" in done.stdout, "an answer is kept", done.stdout, done.stderr)
                state_of_all = json.loads(histolab("quiz", lab, "--student", "Ada", "--seed", 5, "--json", cwd=folder).stdout)["labs"][0]["questions"]
                right += next(each["status"] for each in state_of_all if each["id"] == question["id"]) == "right"
            judged += 1
            check(right == 1, f"{lab} {question['id']}: {right} options are right by the whole kit")
    first = choices = 0
    for lab in LABS:
        for own, other in zip(*(json.loads((place / lab.name / "quiz.json").read_text())["questions"] for place in (SOURCE / "labs", labs))):
            for part, shown in zip(own.get("variants", [own]), other.get("variants", [other])):
                if "options" in part:
                    choices += 1
                    first += any(option.get("right") and option["text"] == shown["options"][0]["text"] for option in part["options"])
    check(choices > 40 and first < choices / 2, "the order of the options gives the right one away", first, choices)
    check(judged >= 5 and asked >= 15, "too few questions", judged, asked)
    (folder / "work" / "12-bug-hunt.cu").write_text((next((SOURCE / "labs").glob("12-*")) / "solution.cu").read_text())
    done = histolab("--labs", labs, "grade", "12", cwd=folder)
    check("are answered; your instructor's kit judges them" in done.stdout and "not judged here: " in done.stdout, "the score shows that the quiz is judged elsewhere", done.stdout)


skip_without_sandbox()
with tempfile.TemporaryDirectory() as name:
    for each in (forms, leaks, same_points, commands, questions):
        place = pathlib.Path(name) / each.__name__
        place.mkdir()
        each(place)
check.finish()
