#!/usr/bin/env python3
"""Only CMakeLists.txt contains the version. The program prints it, and the changelog has a section
for it (docs/versions.md).
"""
import json
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "grader" / "tests"))
from histolab_program import SOURCE, Checks, histolab, temporary_folder  # noqa: E402
from sources import unpack_sources  # noqa: E402

check = Checks()
SAYS_IT = ("CMakeLists.txt", "CHANGELOG.md")
WRITTEN_THEN = ("grader/testdata/results",)  # written by older versions
KINDS = ("*.md", "*.json", "*.cpp", "*.h", "*.cu", "*.py", "*.sh", "*.cmake", "*.txt", "*.html",
         "Dockerfile")
HAVE_THEIR_OWN = (".vscode", "labs", "docs/measurements")


def declared():
    found = re.search(r"^project\(histolab VERSION (\d+\.\d+\.\d+) ",
                      (SOURCE / "CMakeLists.txt").read_text(), re.MULTILINE)
    check(found, "CMakeLists.txt has a version of three numbers")
    return found[1] if found else "none"


def number(text):
    return tuple(map(int, text.split(".")))


def changelog(version):
    text = (SOURCE / "CHANGELOG.md").read_text()
    sections = re.findall(r"^## \[([^\]]+)\]", text, re.MULTILINE)
    check(sections[:1] == ["Unreleased"], "the changelog begins with the section Unreleased",
          sections)
    releases = [number(each) for each in sections[1:]]
    check(releases and releases == sorted(set(releases), reverse=True),
          "releases are in order, each once", sections)
    check(sections[1:2] == [version], f"the newest section is that of {version}", sections)


def repeated(version):
    """Returns a pattern for the number, as `histolab 1.2.3` or as a version in JSON."""
    says = re.compile(rf'(histolab[ -]v?|"version": "){re.escape(version)}(?![\d.])')
    with temporary_folder() as folder:
        sources = unpack_sources(folder)
        for path in filter(pathlib.Path.is_file, sources.rglob("*")):
            name = path.relative_to(sources).as_posix()
            if (any(path.match(kind) for kind in KINDS) and name not in SAYS_IT and
                not f"{name}/".startswith(tuple(f"{each}/"
                                                for each in (*HAVE_THEIR_OWN, *WRITTEN_THEN)))):
                check(not says.search(path.read_text(errors="replace")),
                      f"{name} repeats the version; take it from the program",
                      *says.findall(path.read_text(errors="replace")))


version = declared()
changelog(version)
repeated(version)
said = histolab("--version")
check(said.stdout == f"histolab {version}\n", "histolab --version", said.stdout, said.stderr)
check(f'"histolab {version}"' in histolab("man").stdout.split("\n.ad", 1)[0].replace("\\", ""),
      "the manual's head", histolab("man").stdout[:300])
with temporary_folder() as folder:
    check(f"histolab {version}\n" in histolab("doctor", cwd=folder).stdout, "doctor's first line")
    for arguments in (["list"], ["data"], ["quiz", "01"], ["model", "01", "--length", 1000],
                      ["race"]):
        printed = json.loads(histolab(*arguments, "--json", cwd=folder).stdout)
        check(printed["version"] == version, f"the version in the JSON of {arguments}",
              printed["version"])
check.finish()
