#!/usr/bin/env python3
"""Classroom 50's autograder: grades the checkout with histolab and writes ./result.json.

It runs in the image of runtime.json, in the student's checkout, with what the runner says in the environment (CLASSROOM, ASSIGNMENT,
SUBMISSION_TAG, ...). Exit status 0: result.json has the score. Anything else is an error of the infrastructure to the runner,
which then publishes no score: that is how a submission that could not be judged costs nobody a mark.

HISTOLAB_GRADER=DIR instead of /opt/grader, HISTOLAB_PROGRAM=FILE instead of the image's, for trying it out.
"""
import sys

sys.path = [place for place in sys.path if place.startswith((sys.prefix, sys.base_prefix))]  # wherever this file lies, no module of a student's is imported
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
            [program, "--labs", str(grader / "histolab/labs"), "grade", *arguments, "--submission", os.getcwd(), "--uploaded", "--device", "emulator", "--format", "classroom50", "--json", f"{scratch}/report.json"],
            cwd=scratch, stdout=subprocess.PIPE, timeout=float(os.environ.get("HISTOLAB_SECONDS", "780")), check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        sys.exit(f"::error::histolab could not grade: {error}")
if done.returncode not in (0, 1) or not done.stdout:
    sys.exit(f"::error::histolab ended with status {done.returncode}: there is no score, and it is not the student's fault")
result.write_bytes(done.stdout)
