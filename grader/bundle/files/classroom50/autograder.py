#!/usr/bin/env python3
"""Classroom 50's autograder: grades the checkout with histolab and writes ./result.json.

It runs in the image of runtime.json, in the student's checkout, with the runner's environment
(CLASSROOM, ASSIGNMENT, SUBMISSION_TAG, ...). Exit status 0 means that result.json has the score.
The runner treats any other status as an error of the infrastructure and publishes no score. So a
submission that could not be graded costs the student no points.

For a trial run: HISTOLAB_GRADER=DIR replaces /opt/grader, HISTOLAB_PROGRAM=FILE the image's
program.
"""
import sys

# Never import a student's module, even if this file is in the checkout.
sys.path = [place for place in sys.path if place.startswith((sys.prefix, sys.base_prefix))]
import os  # noqa: E402
import pathlib  # noqa: E402
import shutil  # noqa: E402
import subprocess  # noqa: E402
import tempfile  # noqa: E402

grader = pathlib.Path(os.environ.get("HISTOLAB_GRADER", "/opt/grader"))
program = os.environ.get("HISTOLAB_PROGRAM", str(grader / "histolab/build/release/bin/histolab"))
result = pathlib.Path("result.json")
if result.is_dir() and not result.is_symlink():  # the student's
    shutil.rmtree(result)
result.unlink(missing_ok=True)

arguments = (grader / "arguments").read_text().split()
if (grader / "rubric.json").exists():
    arguments += ["--rubric", str(grader / "rubric.json")]
with tempfile.TemporaryDirectory() as scratch:
    try:
        done = subprocess.run(
            [program, "--labs", str(grader / "histolab/labs"), "grade", *arguments, "--submission",
             os.getcwd(), "--uploaded", "--device", "emulator", "--format", "classroom50", "--json",
             f"{scratch}/report.json"],
            cwd=scratch, stdout=subprocess.PIPE,
            timeout=float(os.environ.get("HISTOLAB_SECONDS", "780")), check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        sys.exit(f"::error::histolab could not grade: {error}")
if done.returncode not in (0, 1) or not done.stdout:
    sys.exit(f"::error::histolab ended with status {done.returncode}: there is no score, and this "
             "is not the student's fault")
result.write_bytes(done.stdout)
