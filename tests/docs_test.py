#!/usr/bin/env python3
"""Checks the documentation: quoted messages are real, and links lead to files.

An example in docs/emulator.md is an indented `KERNEL:LINE: KIND` and, indented further, the
message. Grading that kernel must give this message; only the number of times may differ. A link to
a file, in any Markdown file, must lead to a file. docs/README.md or the README.md of its folder
lists every page of docs/. A decision has all its parts, and docs/architecture.md has each module.
The README.md of a folder `golden` says how to make each of its files. After `$ histolab exec`, a
page has the output; the list of CUDA's functions in docs/programs.md is that of the source.
"""
import json
import pathlib
import re
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "grader" / "tests"))
from histolab_program import SOURCE, Checks, histolab, temporary_folder  # noqa: E402

check = Checks()


def examples(text):
    """(kernel, line, kind, message) of each."""
    found = re.findall(r"^    (\S+\.cu):(\d+): (\w+)\n((?:      \S.*\n)+)", text, re.MULTILINE)
    return [(kernel, int(line), kind, " ".join(message.split()))
            for kernel, line, kind, message in found]


def settled(message):
    """Removes variable numbers, and line breaks that depend on them."""
    return re.sub(r"seen [0-9 ]+ times", "seen N times", " ".join(message.split()))


with temporary_folder() as folder:
    quoted = examples((SOURCE / "docs" / "emulator.md").read_text(encoding="utf-8"))
    check(len(quoted) >= 10,
          f"docs/emulator.md has {len(quoted)} examples: was their form changed?")
    for kernel, line, kind, message in quoted:
        lab = re.search(r"/(\d\d)-", kernel).group(1)
        done = histolab("grade", lab, "--submission", SOURCE / kernel, "--quick", "--json", "-",
                        cwd=folder)
        findings = json.loads(done.stdout)["labs"][0]["findings"] if done.stdout else []
        said = [(found["line"], found["kind"], settled(found["message"])) for found in findings]
        check((line, kind, settled(message)) in said,
              f"docs/emulator.md: {kernel} says something else", *said, done.stderr)

EXEC = re.compile(r"^    \$ (?:\./)?histolab exec (.*)\n((?:    .*\n|\n(?=    ))+)", re.MULTILINE)
shown = 0
for name in ("README.md", "docs/programs.md"):
    page = (SOURCE / name).read_text(encoding="utf-8")
    for words, output in EXEC.findall(page):
        words = words.split()
        done = histolab("exec", *words, cwd=SOURCE)
        said = [line.rstrip() for line in (done.stdout + done.stderr).rstrip().split("\n")]
        shown += 1
        check(said == [line.removeprefix("    ") for line in output.rstrip().split("\n")],
              f"{name}: histolab exec {' '.join(words)} prints something else", *said)
check(shown == 2, f"the output of {shown} programs is shown, expected 2")
listed = subprocess.run([SOURCE / "tools" / "programs_page", "--check"], capture_output=True,
                        text=True)
check(listed.returncode == 0, listed.stderr)


def links_of(page):
    """Returns the links to files, as written."""
    links = re.findall(r"\]\(([^)\s#]+)[^)]*\)", page.read_text(encoding="utf-8"))
    return [link for link in links if not re.match(r"[a-z]+:", link)]


def anchors_of(page):
    """Returns GitHub's anchors of the headings of a page."""
    text = re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"),
                  flags=re.MULTILINE | re.DOTALL)
    titles = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "",
                   re.sub(r"\[(.*?)\]\(.*?\)", r"\1", title).lower()).replace(" ", "-")
            for title in titles}


for page in [*(SOURCE / f"{name}.md" for name in ("README", "CONTRIBUTING", "CHANGELOG")),
             *SOURCE.glob("docs/**/*.md"), *SOURCE.glob("labs/*/*.md")]:
    for link in links_of(page):
        check((page.parent / link).exists(), f"{page.relative_to(SOURCE)}: there is no {link}")
    for link, anchor in re.findall(r"\]\(([^)\s#:]*)#([^)\s]+)\)",
                                   page.read_text(encoding="utf-8")):
        target = page.parent / link if link else page
        if target.suffix == ".md" and target.exists():
            check(anchor in anchors_of(target),
                  f"{page.relative_to(SOURCE)}: {link or 'the page'} has no heading #{anchor}")

for page in SOURCE.glob("docs/**/*.md"):
    index = page.parent / "README.md"
    if page == index:
        index = SOURCE / "docs" / "README.md"
    listed = {(index.parent / link).resolve() for link in links_of(index)}
    check(page == index or page.resolve() in listed,
          f"{page.relative_to(SOURCE)} is not listed in {index.relative_to(SOURCE)}")

for page in SOURCE.glob("docs/decisions/*.md"):
    if page.name != "README.md":
        for part in ("Decided", "Why", "What decided", "The price", "Looked at and left"):
            check(f"**{part}.**" in page.read_text(encoding="utf-8"),
                  f"{page.relative_to(SOURCE)} has no part **{part}.**")

for golden in filter(pathlib.Path.is_dir, SOURCE.glob("*/golden")):
    readme = (golden / "README.md").read_text(encoding="utf-8")
    check("HISTOLAB_UPDATE_GOLDEN=1" in readme, f"{golden}/README.md says how to make the files")
    listed = sorted(re.findall(r"`([\w-]+\.\w+)`", readme))
    found = sorted(file.name for file in golden.iterdir() if file.name != "README.md")
    check(listed == found, f"{golden}/README.md does not list each golden file once", listed, found)

names = re.findall(r"^\| `(\w+)/` \|",
                   (SOURCE / "docs" / "architecture.md").read_text(encoding="utf-8"), re.MULTILINE)
folders = {file.parent.name for file in SOURCE.glob("*/CMakeLists.txt")} - {"tests"}
check(set(names) == folders, "docs/architecture.md does not have each module in its table", names,
      folders)
check.finish()
