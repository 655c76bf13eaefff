"""The bundles, unpacked by Python's zipfile and run as their platforms run them, with the
program built here."""
import hashlib
import json
import os
import shutil
import subprocess
import zipfile

from histolab_program import (PATIENCE, PROGRAM, SOURCE, Checks, histolab, run_program,
                              skip_without_sandbox, temporary_folder, wait_until)

check = Checks()


def unpack(path, into):
    """Like unzip: restores the permissions in the archive."""
    with zipfile.ZipFile(path) as archive:
        check(archive.testzip() is None, "the archive is damaged")
        for entry in archive.infolist():
            check(not entry.filename.startswith("/") and ".." not in entry.filename.split("/"),
                  "a path leads out of the archive", entry.filename)
            archive.extract(entry, into)
            os.chmod(into / entry.filename, entry.external_attr >> 16 & 0o777)
    return into


def bundle(system, folder, *arguments, labs=None):
    path = folder / f"{system}.zip"
    of_labs = ["--labs", labs] if labs else []
    done = histolab(*of_labs, "export", "--bundle", system, "--output", path, *arguments,
                    cwd=folder)
    check(done.returncode == 0, f"export --bundle {system} ended with {done.returncode}",
          done.stderr)
    return path


def run(command, **environment):
    return run_program(command, env={**os.environ, "HISTOLAB_PROGRAM": str(PROGRAM),
                                     **{name: str(each) for name, each in environment.items()}})


def gradescope(folder):
    first, second = bundle("gradescope", folder, "01", "02", "--seed", 815), folder / "again.zip"
    shutil.move(first, second)
    check(bundle("gradescope", folder, "01", "02", "--seed",
                 815).read_bytes() == second.read_bytes(), "two bundles of one course differ")
    check(second.stat().st_size < 4_000_000, "the bundle is larger than it needs to be",
          second.stat().st_size)
    base = folder / "autograder"
    source = unpack(second, base / "source")
    for script in ("setup.sh", "run_autograder"):
        check(os.access(source / script, os.X_OK), f"{script} is at the root, and executable")
        check(run(["bash", "-n", source / script]).returncode == 0, f"{script} is no bash")
    submission, results = base / "submission", base / "results" / "results.json"
    submission.mkdir()
    shutil.copy(SOURCE / "labs/01-race/solution.cu", submission / "My Race (3).cu")

    def graded(what, **environment):
        results.unlink(missing_ok=True)
        done = run([source / "run_autograder"], HISTOLAB_AUTOGRADER=base, **environment)
        check(done.returncode == 0, f"{what}: run_autograder ended with {done.returncode}",
              done.stdout, done.stderr)
        check(results.exists(), f"{what}: there are no results", done.stdout, done.stderr)
        return json.loads(results.read_text()) if results.exists() else {}

    document = graded("one of two labs")
    check(document.get("score") == 10 and
          {test["tags"][0] for test in document["tests"]} == {"01-race", "02-atomic-add"},
          "an upload with an odd name gets its mark, and only the course's labs count",
          document.get("score"), document.get("output"))
    shutil.rmtree(submission)
    submission.mkdir()
    check(graded("nothing was uploaded").get("score") == 0, "who uploads nothing has nothing")
    broken = folder / "broken"
    for what, script, environment in (("a program that crashes", "#!/bin/sh\nkill -SEGV $$\n", {}),
                                      ("a program that says nothing", "#!/bin/sh\nexit 2\n", {}),
                                      ("a program that never ends",
                                       "#!/bin/sh\nexec sleep 1000000\n", {"HISTOLAB_SECONDS": 1})):
        broken.write_text(script)
        broken.chmod(0o755)
        document = graded(what, **{"HISTOLAB_PROGRAM": broken, **environment})
        check("score" not in document and "not your fault" in document.get("output", ""),
              f"{what}: it costs a mark", document)
    begun = folder / "begun"
    broken.write_text(f"#!/bin/sh\n: >'{begun}'\nexec sleep 1000000\n")
    results.unlink()
    running = subprocess.Popen([source / "run_autograder"],
                               env={**os.environ, "HISTOLAB_PROGRAM": str(broken),
                                    "HISTOLAB_AUTOGRADER": str(base)}, stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL)
    check(wait_until(begun.exists), "the program is not started")
    running.terminate()
    check(running.wait(timeout=PATIENCE) == 0 and "score" not in json.loads(results.read_text()),
          "a run that is ended leaves no results")
    document = graded("no program", HISTOLAB_PROGRAM=folder / "missing")
    check("score" not in document and "not in this image" in document.get("output", ""),
          "a missing program costs a mark", document)
    shutil.move(source / "arguments", folder / "arguments")
    check("score" not in graded("no settings"), "a bundle that is not complete costs a mark")


def prairielearn(folder):
    here = unpack(bundle("prairielearn", folder, "01"), folder / "prairielearn")
    options = json.loads((here / "question/info.json").read_text())["externalGradingOptions"]
    check(options["entrypoint"] == "/opt/grader/grade.sh",
          "the entry point of info.json is another")
    student = folder / "grade" / "student"
    student.mkdir(parents=True)
    shutil.copy(SOURCE / "labs/01-race/solution.cu", student / "answer.cu")
    done = run([here / "grade.sh"], HISTOLAB_GRADE=folder / "grade")
    document = json.loads((folder / "grade/results/results.json").read_text())
    check(done.returncode == 0 and document.get("score") == 1.0,
          "the only file is for the only lab", document, done.stderr)
    done = run([here / "grade.sh"], HISTOLAB_GRADE=folder / "grade",
               HISTOLAB_PROGRAM=folder / "missing")
    check(json.loads((folder / "grade/results/results.json").read_text())["gradable"] is False,
          "a missing program costs a mark")


def classroom50(folder):
    here = unpack(bundle("classroom50", folder, "01"), folder / "classroom50")
    for name in (".github/workflows/histolab-image.yaml", "runtime.json",
                 "histolab-image/Dockerfile", "histolab-image/histolab/CMakeLists.txt"):
        check((here / name).exists(), f"there is no {name}")
    checkout = folder / "checkout" / "work"
    checkout.mkdir(parents=True)
    shutil.copy(SOURCE / "labs/01-race/solution.cu", checkout / "01-race.cu")
    runner = {"CLASSROOM": "gpu", "ASSIGNMENT": "histogram", "OWNER": "ada",
              "SUBMISSION_TAG": "submit/2026-06-01T14-32-05Z-a1b2c3d", "COMMIT_URL": "c",
              "RELEASE_URL": "r", "HISTOLAB_GRADER": here / "histolab-image"}
    command = ["sh", "-c", f"cd '{checkout.parent}' && exec python3 '{here / 'autograder.py'}'"]
    done = run(command, **runner)
    result = checkout.parent / "result.json"
    check(done.returncode == 0 and json.loads(result.read_text())["score"] == 10,
          "the autograder of Classroom 50", done.stdout, done.stderr)
    for name in ("tempfile", "subprocess", "pathlib", "shutil", "fnmatch"):
        (checkout.parent / f"{name}.py").write_text("raise SystemExit('code of a student runs')\n")
    shutil.copy(here / "autograder.py", checkout.parent)
    result.unlink()
    (result / "in" / "the" / "way").mkdir(parents=True)
    done = run(["sh", "-c", f"cd '{checkout.parent}' && exec python3 autograder.py"], **runner)
    check(done.returncode == 0 and json.loads(result.read_text())["score"] == 10,
          "modules and a folder result.json in the checkout change nothing", done.stdout,
          done.stderr)
    done = run(command, **{**runner, "HISTOLAB_PROGRAM": folder / "missing"})
    check(done.returncode != 0 and not result.exists(),
          "a missing program is an error of the runner, and no result", done.stdout, done.stderr)


def exercism(folder):
    here = unpack(bundle("exercism", folder), folder / "exercism")
    solution, output = folder / "solution", folder / "output"
    solution.mkdir()
    shutil.copy(SOURCE / "labs/01-race/solution.cu", solution / "race.cu")
    done = run([here / "bin/run.sh", "race", f"{solution}/", f"{output}/"])
    document = json.loads((output / "results.json").read_text())
    check(done.returncode == 0 and document["version"] == 3 and document["status"] == "pass",
          "Exercism's test runner", document, done.stderr)
    done = run([here / "bin/run.sh", "race", f"{solution}/", f"{output}/"],
               HISTOLAB_PROGRAM=folder / "missing")
    check(done.returncode == 0 and
          json.loads((output / "results.json").read_text())["status"] == "error",
          "a runner that fails says so")


def make_own_labs(folder):
    """Labs outside the kit: one of the kit's with other points, and one made by `new`, whose
    folder is a symbolic link."""
    labs, drafts = folder / "my labs", folder / "drafts"
    shutil.copytree(SOURCE / "labs/02-atomic-add", labs / "02-atomic-add")
    spec = json.loads((labs / "02-atomic-add/lab.json").read_text())
    spec["checks"][0]["points"] += 10
    spec["max_score"] += 10
    (labs / "02-atomic-add/lab.json").write_text(json.dumps(spec))
    done = histolab("--labs", labs, "new", "vowels", cwd=folder)
    made = sorted(path.name for path in labs.iterdir() if path.name.endswith("-vowels"))
    check(done.returncode == 0 and len(made) == 1, "new makes a lab", done.stderr)
    drafts.mkdir()
    shutil.move(labs / made[0], drafts / made[0])
    (labs / made[0]).symlink_to(drafts / made[0])
    own = json.loads((drafts / made[0] / "lab.json").read_text())
    own["checks"] = [one for one in own["checks"] if one["kind"] != "quiz"]
    own["max_score"] = sum(one["points"] for one in own["checks"])
    (drafts / made[0] / "lab.json").write_text(json.dumps(own))
    return labs, made[0], own["max_score"]


def packs(folder):
    """A bundle grades a pack, zipped or not, before loose files, even if the pack was edited."""
    work = folder / "work"
    work.mkdir()
    shutil.copy(SOURCE / "labs/01-race/solution.cu", work / "01-race.cu")
    answered = histolab("quiz", "01", "--answer", "final-two=1", cwd=folder)
    check(answered.returncode < 2, "the quiz has an answer", answered.stderr)
    done = histolab("pack", cwd=folder)
    check(done.returncode == 0 and "histolab-handin.zip has 2 files" in done.stdout,
          "pack makes a file", done.stdout, done.stderr)
    with zipfile.ZipFile(folder / "histolab-handin.zip") as archive:
        check(sorted(archive.namelist()) == ["01-race.cu", "01-race.quiz.json",
                                             "histolab-pack.json"], "a pack holds something else",
              archive.namelist())
        listed = {each["name"]: each["sha256"]
                  for each in json.loads(archive.read("histolab-pack.json"))["files"]}
        check(all(hashlib.sha256(archive.read(name)).hexdigest() == sha256
                  for name, sha256 in listed.items()) and len(listed) == 2, "the hashes are wrong")
    again = (folder / "histolab-handin.zip").read_bytes()
    histolab("pack", cwd=folder)
    check((folder / "histolab-handin.zip").read_bytes() == again,
          "two packs of the same files differ")
    here = unpack(bundle("prairielearn", folder, "01"), folder / "bundle")
    for what, change in (("zipped",
                          lambda student: shutil.copy(folder / "histolab-handin.zip",
                                                      student / "my work (1).zip")),
                         ("unpacked",
                          lambda student: unpack(folder / "histolab-handin.zip", student / "w")),
                         ("beside a loose file",
                          lambda student: (shutil.copy(folder / "histolab-handin.zip", student),
                                           shutil.copy(SOURCE / "labs/01-race/stub.cu",
                                                       student / "01-race.cu")))):
        student = folder / what / "student"
        student.mkdir(parents=True)
        change(student)
        done = run([here / "grade.sh"], HISTOLAB_GRADE=folder / what)
        document = json.loads((folder / what / "results/results.json").read_text())
        check(document.get("score") == 1.0, f"a pack {what} is not graded", document, done.stderr)
    student = folder / "edited" / "student"
    unpack(folder / "histolab-handin.zip", student)
    shutil.copy(SOURCE / "labs/01-race/stub.cu", student / "01-race.cu")
    run([here / "grade.sh"], HISTOLAB_GRADE=folder / "edited")
    document = json.loads((folder / "edited/results/results.json").read_text())
    check(document.get("score") == 0.0 and
          "was changed after `histolab pack`" in document["message"],
          "an edited pack is graded as it is, with a note", document)
    bare = folder / "bare"
    bare.mkdir()
    done = histolab("quiz", cwd=bare)
    check(done.returncode == 0 and not list(bare.rglob("*.quiz.json")),
          "a quiz without answers leaves a file", done.stderr, list(bare.rglob("*")))
    listed = [histolab("quiz", "01", "--list", cwd=bare).stdout for _ in range(2)]
    check(listed[0] == listed[1] and (bare / "work/01-race.quiz.json").exists(),
          "a quiz that is listed is drawn anew")
    done = histolab("pack", cwd=bare)
    check(done.returncode == 2 and "nothing to hand in" in done.stderr,
          "pack takes a file without answers", done.stdout, done.stderr)
    refused = histolab("pack", "02", cwd=folder)
    check(refused.returncode == 2 and "nothing to hand in" in refused.stderr,
          "an empty pack is made", refused.stdout)
    missing = histolab("pack", "01", "02", "12", cwd=folder)
    check(missing.returncode == 0 and
          all(words in " ".join(missing.stdout.split())
              for words in ("there is no work/02-atomic-add.cu",
                            "quiz: missing, and it earns points",
                            "there is no report on this file")), "what is missing is said",
          missing.stdout)
    histolab("grade", "01", cwd=folder)
    check("kernel: passed, 10 of 10 points" in histolab("pack", cwd=folder).stdout,
          "the verdict is said")
    check("next: histolab pack" in histolab("grade", "01", cwd=folder).stdout,
          "a lab that passes says what is next")


def own_labs(folder):
    """Each bundle grades only the labs in the folder of --labs: nothing comes from the kit's own
    labs."""
    labs, own, points = make_own_labs(folder)
    upload = folder / "upload"
    upload.mkdir()
    for lab in (own, "02-atomic-add"):
        shutil.copy(labs / lab / "solution.cu", upload / f"{lab}.cu")
    shutil.copy(SOURCE / "labs/01-race/solution.cu", upload / "01-race.cu")
    unpacked = {}
    for system in ("gradescope", "prairielearn", "classroom50", "exercism"):
        unpacked[system] = unpack(bundle(system, folder, labs=labs), folder / system)
        bundled = unpacked[system] / ("histolab-image" if system == "classroom50"
                                      else "") / "histolab/labs"
        check({path.name for path in bundled.iterdir() if path.is_dir()} == {own, "02-atomic-add"},
              f"{system}: the bundle holds other labs", sorted(bundled.iterdir()))

    source = folder / "autograder" / "source"
    source.parent.mkdir()
    shutil.move(unpacked["gradescope"], source)
    shutil.copytree(upload, folder / "autograder" / "submission")
    run([source / "run_autograder"], HISTOLAB_AUTOGRADER=folder / "autograder")
    document = json.loads((folder / "autograder/results/results.json").read_text())
    check(document.get("score") == points + 20 and
          {test["tags"][0] for test in document["tests"]} == {own, "02-atomic-add"},
          "Gradescope: the author's labs", document)

    shutil.copytree(upload, folder / "grade" / "student")
    run([unpacked["prairielearn"] / "grade.sh"], HISTOLAB_GRADE=folder / "grade")
    document = json.loads((folder / "grade/results/results.json").read_text())
    check(document.get("score") == 1.0 and len({test["name"] for test in document["tests"]}) >= 2,
          "PrairieLearn: the author's labs", document)
    check(f'"02-atomic-add.cu,{own}.cu"' in
          (unpacked["prairielearn"] / "question/question.html").read_text(),
          "PrairieLearn: the question asks for other files")

    runner = {"CLASSROOM": "gpu", "ASSIGNMENT": "histogram", "OWNER": "ada",
              "SUBMISSION_TAG": "submit/2026-06-01T14-32-05Z-a1b2c3d", "COMMIT_URL": "c",
              "RELEASE_URL": "r", "HISTOLAB_GRADER": unpacked["classroom50"] / "histolab-image"}
    done = run(["sh", "-c",
                f"cd '{upload}' && exec python3 '{unpacked['classroom50'] / 'autograder.py'}'"],
               **runner)
    check(json.loads((upload / "result.json").read_text())["score"] == points + 20,
          "Classroom 50: the author's labs", done.stdout, done.stderr)

    output = folder / "output"
    done = run([unpacked["exercism"] / "bin/run.sh", "vowels", f"{upload}/", f"{output}/"])
    check(json.loads((output / "results.json").read_text())["status"] == "pass",
          "Exercism: the author's lab", done.stderr)

    (labs / own / "solution.cu").unlink()
    refused = histolab("--labs", labs, "export", "--bundle", "gradescope", cwd=folder)
    check(refused.returncode == 2 and f"{own}/solution.cu is missing" in refused.stderr,
          "a lab without a solution is bundled", refused.stderr)
    named = histolab("--labs", labs, "export", "--bundle", "gradescope", "02", cwd=folder)
    check(named.returncode == 0 and "it grades 1 lab" in named.stderr,
          "the labs that count need solutions, and no others", named.stderr)


skip_without_sandbox()
with temporary_folder() as folder:
    for each in (gradescope, prairielearn, classroom50, exercism, own_labs, packs):
        place = folder / each.__name__
        place.mkdir()
        each(place)
check.finish()
