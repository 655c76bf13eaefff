"""The bundles, unpacked by Python's zipfile and run as their systems run them, with the program that is built here."""
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import zipfile

from histolab_program import PATIENCE, PROGRAM, SOURCE, Checks, histolab, skip_without_sandbox, wait_until

check = Checks()


def unpack(path, into):
    """As unzip does: with the permissions that the archive holds."""
    with zipfile.ZipFile(path) as archive:
        check(archive.testzip() is None, "the archive is damaged")
        for entry in archive.infolist():
            check(not entry.filename.startswith("/") and ".." not in entry.filename.split("/"), "a path leads out of the archive", entry.filename)
            archive.extract(entry, into)
            os.chmod(into / entry.filename, entry.external_attr >> 16 & 0o777)
    return into


def bundle(system, folder, *arguments):
    path = folder / f"{system}.zip"
    done = histolab("export", "--bundle", system, "--output", path, *arguments, cwd=folder)
    check(done.returncode == 0, f"export --bundle {system} ended with {done.returncode}", done.stderr)
    return path


def run(command, **environment):
    return subprocess.run([str(word) for word in command], env={**os.environ, "HISTOLAB_PROGRAM": str(PROGRAM), **{name: str(value) for name, value in environment.items()}},
                          capture_output=True, text=True, errors="replace", stdin=subprocess.DEVNULL, timeout=PATIENCE)


def gradescope(folder):
    first, second = bundle("gradescope", folder, "--labs", "01,02", "--seed", 815), folder / "again.zip"
    shutil.move(first, second)
    check(bundle("gradescope", folder, "--labs", "01,02", "--seed", 815).read_bytes() == second.read_bytes(), "two bundles of one course differ")
    check(second.stat().st_size < 4_000_000, "the bundle is larger than it needs to be", second.stat().st_size)
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
        check(done.returncode == 0, f"{what}: run_autograder ended with {done.returncode}", done.stdout, done.stderr)
        check(results.exists(), f"{what}: there are no results", done.stdout, done.stderr)
        return json.loads(results.read_text()) if results.exists() else {}

    document = graded("one of two labs")
    check(document.get("score") == 10 and {test["tags"][0] for test in document["tests"]} == {"01-race", "02-atomic-add"}, "an upload with an odd name gets its mark, and only the course's labs count", document.get("score"), document.get("output"))
    shutil.rmtree(submission)
    submission.mkdir()
    check(graded("nothing was uploaded").get("score") == 0, "who uploads nothing has nothing")
    broken = folder / "broken"
    for what, script, environment in (("a program that crashes", "#!/bin/sh\nkill -SEGV $$\n", {}), ("a program that says nothing", "#!/bin/sh\nexit 2\n", {}), ("a program that never ends", "#!/bin/sh\nexec sleep 1000000\n", {"HISTOLAB_SECONDS": 1})):
        broken.write_text(script)
        broken.chmod(0o755)
        document = graded(what, **{"HISTOLAB_PROGRAM": broken, **environment})
        check("score" not in document and "no fault of yours" in document.get("output", ""), f"{what}: it costs a mark", document)
    begun = folder / "begun"
    broken.write_text(f"#!/bin/sh\n: >'{begun}'\nexec sleep 1000000\n")
    results.unlink()
    running = subprocess.Popen([source / "run_autograder"], env={**os.environ, "HISTOLAB_PROGRAM": str(broken), "HISTOLAB_AUTOGRADER": str(base)}, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    check(wait_until(begun.exists), "the program is not started")
    running.terminate()
    check(running.wait(timeout=PATIENCE) == 0 and "score" not in json.loads(results.read_text()), "a run that is ended leaves no results")
    document = graded("no program", HISTOLAB_PROGRAM=folder / "missing")
    check("score" not in document and "not in this image" in document.get("output", ""), "a missing program costs a mark", document)
    shutil.move(source / "arguments", folder / "arguments")
    check("score" not in graded("no settings"), "a bundle that is not complete costs a mark")


def prairielearn(folder):
    here = unpack(bundle("prairielearn", folder, "--labs", "01"), folder / "prairielearn")
    check(json.loads((here / "question/info.json").read_text())["externalGradingOptions"]["entrypoint"] == "/opt/grader/grade.sh", "the entry point of info.json is another")
    student = folder / "grade" / "student"
    student.mkdir(parents=True)
    shutil.copy(SOURCE / "labs/01-race/solution.cu", student / "answer.cu")
    done = run([here / "grade.sh"], HISTOLAB_GRADE=folder / "grade")
    document = json.loads((folder / "grade/results/results.json").read_text())
    check(done.returncode == 0 and document.get("score") == 1.0, "the only file is for the only lab", document, done.stderr)
    done = run([here / "grade.sh"], HISTOLAB_GRADE=folder / "grade", HISTOLAB_PROGRAM=folder / "missing")
    check(json.loads((folder / "grade/results/results.json").read_text())["gradable"] is False, "a missing program costs a mark")


def classroom50(folder):
    here = unpack(bundle("classroom50", folder, "--labs", "01"), folder / "classroom50")
    for name in (".github/workflows/histolab-image.yaml", "runtime.json", "histolab-image/Dockerfile", "histolab-image/histolab/CMakeLists.txt"):
        check((here / name).exists(), f"there is no {name}")
    checkout = folder / "checkout" / "work"
    checkout.mkdir(parents=True)
    shutil.copy(SOURCE / "labs/01-race/solution.cu", checkout / "01-race.cu")
    runner = {"CLASSROOM": "gpu", "ASSIGNMENT": "histogram", "OWNER": "ada", "SUBMISSION_TAG": "submit/2026-06-01T14-32-05Z-a1b2c3d", "COMMIT_URL": "c", "RELEASE_URL": "r", "HISTOLAB_GRADER": here / "histolab-image"}
    command = ["sh", "-c", f"cd '{checkout.parent}' && exec python3 '{here / 'autograder.py'}'"]
    done = run(command, **runner)
    result = checkout.parent / "result.json"
    check(done.returncode == 0 and json.loads(result.read_text())["score"] == 10, "the autograder of Classroom 50", done.stdout, done.stderr)
    for name in ("tempfile", "subprocess", "pathlib", "shutil", "fnmatch"):
        (checkout.parent / f"{name}.py").write_text("raise SystemExit('code of a student runs')\n")
    shutil.copy(here / "autograder.py", checkout.parent)
    result.unlink()
    (result / "in" / "the" / "way").mkdir(parents=True)
    done = run(["sh", "-c", f"cd '{checkout.parent}' && exec python3 autograder.py"], **runner)
    check(done.returncode == 0 and json.loads(result.read_text())["score"] == 10, "modules and a folder result.json in the checkout change nothing", done.stdout, done.stderr)
    done = run(command, **{**runner, "HISTOLAB_PROGRAM": folder / "missing"})
    check(done.returncode != 0 and not result.exists(), "a missing program is an error of the runner, and no result", done.stdout, done.stderr)


def exercism(folder):
    here = unpack(bundle("exercism", folder), folder / "exercism")
    solution, output = folder / "solution", folder / "output"
    solution.mkdir()
    shutil.copy(SOURCE / "labs/01-race/solution.cu", solution / "race.cu")
    done = run([here / "bin/run.sh", "race", f"{solution}/", f"{output}/"])
    document = json.loads((output / "results.json").read_text())
    check(done.returncode == 0 and document["version"] == 3 and document["status"] == "pass", "Exercism's test runner", document, done.stderr)
    done = run([here / "bin/run.sh", "race", f"{solution}/", f"{output}/"], HISTOLAB_PROGRAM=folder / "missing")
    check(done.returncode == 0 and json.loads((output / "results.json").read_text())["status"] == "error", "a runner that fails says so")


skip_without_sandbox()
with tempfile.TemporaryDirectory() as name:
    for each in (gradescope, prairielearn, classroom50, exercism):
        place = pathlib.Path(name) / each.__name__
        place.mkdir()
        each(place)
check.finish()
