#!/usr/bin/env python3
"""Tests the source archive and the Debian package. Built twice, both are the same to the byte. The
package grades the course in a fresh Debian without a network. A tree of `cmake --install` works
from anywhere.

It builds histolab twice (minutes), so it is labelled slow. Like grader/tests/fresh_debian.py, it
needs a fresh Debian.
"""
import hashlib
import json
import os
import pathlib
import shutil
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "grader" / "tests"))
import fresh_debian  # noqa: E402
from histolab_program import SOURCE, Checks, put, skip, temporary_folder  # noqa: E402

ENVIRONMENT = {**os.environ, "SOURCE_DATE_EPOCH": "1700000000"}

check = Checks()


def run(*words, cwd=None, umask=-1):
    done = subprocess.run(list(map(str, words)), cwd=cwd, env=ENVIRONMENT, umask=umask,
                          capture_output=True, text=True, errors="replace", check=False)
    if done.returncode != 0:
        print(done.stdout[-4000:], done.stderr[-4000:])
        raise SystemExit(f"{words[0]} {words[1]} ended with {done.returncode}")
    return done


def hash_of(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


def archive_of(source, into):
    into.mkdir()
    run("cmake", f"-DSOURCE={source}", "-DNAME=histolab-sources", f"-DINTO={into}", "-P",
        SOURCE / "cmake" / "source_archive.cmake")
    return into / "histolab-sources.tar.gz"


def package_of(archive, place):
    """Builds what the archive holds in `place`, which it empties before; the package and the build
    folder."""
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir()
    run("tar", "-xzf", archive, "--strip-components=1", "-C", place)
    run("cmake", "--preset", "package", cwd=place)
    run("cmake", "--build", place / "build" / "package", "--target", "package")
    return next((place / "build" / "package").glob("*.deb")), place / "build" / "package"


for tool, package in (("dpkg-shlibdeps", "dpkg-dev"), ("file", "file")):  # used by CPack
    if not shutil.which(tool):
        skip(f"there is no {tool} here (apt-get install {package})")
with temporary_folder(prefix="histolab-package-") as folder:
    root = folder / "root"
    with fresh_debian.or_skip():  # first, because without it everything is skipped
        fresh_debian.make(root)
    archive = archive_of(SOURCE, folder / "one")
    first, _ = package_of(archive, folder / "tree")
    kept = folder / first.name
    shutil.copy(first, kept)
    for stranger in ("handed-in/ada/01-race.cu", "graded/journal.sqlite", "report.json", "notes.md",
                     "labs/01-race/stub.cu~"):
        put(folder / "tree" / stranger, "ada's")
    # of the unpacked archive, which has no git but a build/ by now
    again = archive_of(folder / "tree", folder / "two")
    check(hash_of(archive) == hash_of(again),
          "the source archive of an unpacked source archive differs")
    second, build = package_of(again, folder / "tree")
    check(hash_of(kept) == hash_of(second), "the package differs from build to build",
          *(run("dpkg-deb", "-c", each).stdout[:2000] for each in (kept, second)))
    run("cmake", "--build", build, "--target", "package", umask=0o077)
    listed = [run("dpkg-deb", "-c", each).stdout for each in (kept, second)]
    check(listed[0] == listed[1] and "drwx------" not in listed[0],
          "the umask shows in the package", *(each[:2000] for each in listed))
    print(f"{kept.name}: {kept.stat().st_size / 1e6:.1f} MB; sources: "
          f"{archive.stat().st_size / 1e6:.1f} MB")

    shutil.copy(kept, root / "root" / kept.name)
    installed = fresh_debian.inside(root,
                                    f"apt-get update && apt-get install -y --no-install-recommends "
                                    f"/root/{kept.name}")
    check(installed.returncode == 0, "apt-get cannot install it", installed.stdout[-3000:],
          installed.stderr[-3000:])
    run("cmake", "--install", build, "--prefix", root / "opt" / "histolab", umask=0o077)
    closed = [path for path in (root / "opt").rglob("*")
              if ~path.stat().st_mode & (0o555 if path.is_dir() else 0o444)]
    check(not closed, "files installed under the umask 077 are not readable for all users",
          *closed[:5])
    for program in ("histolab", "/opt/histolab/bin/histolab"):
        graded = fresh_debian.inside(root,
                                     f"cd /tmp && {program} grade --solutions --json "
                                     "/tmp/report.json", network=False)
        report = root / "tmp" / "report.json"
        check(graded.returncode == 0 and report.exists(),
              f"{program} grade --solutions ended with {graded.returncode}", graded.stdout[-2000:],
              graded.stderr[-2000:])
        if report.exists():
            document = json.loads(report.read_text())
            check(document["score"] == document["max_score"] > 0,
                  f"{program}: the solutions have {document['score']} of {document['max_score']} "
                  "points")
            print(f"{program}: {document['score']} of {document['max_score']} points, sandbox "
                  f"{document['sandbox']['tier']}")
            report.unlink()
    pages = fresh_debian.inside(root,
                                "test -e /usr/share/man/man1/histolab.1 -o -e "
                                "/usr/share/man/man1/histolab.1.gz && test -e "
                                "/usr/share/bash-completion/completions/histolab")
    check(pages.returncode == 0, "the manual page or the completions are not in the package")
    # recommended by the package
    debugger = fresh_debian.inside(root, "apt-get install -y --no-install-recommends gdb")
    check(debugger.returncode == 0, "apt-get cannot install gdb", debugger.stdout[-2000:],
          debugger.stderr[-2000:])
    for program in ("histolab", "/opt/histolab/bin/histolab"):
        debugged = fresh_debian.inside(root,
                                       f"cd /tmp && {program} debug 04 --batch --command 'print "
                                       "threadIdx'", network=False)
        check(debugged.returncode == 0 and "$1 = {x = 0, y = 0, z = 0}" in debugged.stdout,
              f"{program} debug does not stop in a thread", debugged.stdout[-2000:],
              debugged.stderr[-2000:])
    removed = fresh_debian.inside(root,
                                  "apt-get remove -y histolab && ! command -v histolab && ! test "
                                  "-e /usr/share/histolab")
    check(removed.returncode == 0, "removing the package leaves files", removed.stdout[-2000:],
          removed.stderr[-2000:])
check.finish()
