"""The Gradescope bundle in a fresh Debian: setup.sh builds the image, then run_autograder grades
without any network.

It takes half an hour and has the requirements of fresh_debian.py: it is labelled slow.
"""
import json
import os
import shutil
import zipfile

import fresh_debian
from histolab_program import SOURCE, Checks, histolab, temporary_folder

check = Checks()


with temporary_folder(prefix="histolab-fresh-") as folder:
    root = folder / "root"
    with fresh_debian.or_skip():
        fresh_debian.make(root)

    archive = folder / "autograder.zip"
    done = histolab("export", "--bundle", "gradescope", "01", "02", "04", "--seed", 815, "--output",
                    archive, cwd=folder)
    check(done.returncode == 0, "the bundle is not made", done.stderr)
    source = root / "autograder" / "source"
    with zipfile.ZipFile(archive) as bundle:
        for entry in bundle.infolist():
            bundle.extract(entry, source)
            os.chmod(source / entry.filename, entry.external_attr >> 16 & 0o777)
    shutil.copy(source / "run_autograder", root / "autograder" / "run_autograder")
    submission = root / "autograder" / "submission"
    submission.mkdir()
    shutil.copy(SOURCE / "labs/01-race/solution.cu", submission / "Race (1).cu")
    shutil.copy(SOURCE / "labs/02-atomic-add/stub.cu", submission / "02-atomic-add.cu")

    built = fresh_debian.inside(root, "apt-get update && bash /autograder/source/setup.sh")
    check(built.returncode == 0, f"setup.sh ended with {built.returncode}", built.stdout[-3000:],
          built.stderr[-3000:])
    graded = fresh_debian.inside(root, "cd /autograder && ./run_autograder", network=False)
    results = root / "autograder" / "results" / "results.json"
    check(graded.returncode == 0 and results.exists(),
          f"run_autograder ended with {graded.returncode}", graded.stdout[-3000:],
          graded.stderr[-3000:])
    if results.exists():
        document = json.loads(results.read_text())
        of_lab = {lab: sum(test.get("score", 0) for test in document["tests"]
                           if test["tags"] == [lab])
                  for lab in ("01-race", "02-atomic-add", "04-privatization")}
        print("score:", document.get("score"), of_lab)
        check(of_lab["01-race"] == 10 and of_lab["02-atomic-add"] < 10 and
              of_lab["04-privatization"] == 0 and document.get("score") == sum(of_lab.values()),
              "the marks", document)
check.finish()
