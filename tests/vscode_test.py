#!/usr/bin/env python3
"""Checks the files for VS Code and its dev container: their commands exist, and their patterns
match the program's output.
"""
import json
import pathlib
import re
import shutil
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "grader" / "tests"))
from histolab_program import SOURCE, Checks, histolab, temporary_folder  # noqa: E402

EXTENSION = "llvm-vs-code-extensions.vscode-clangd"
check = Checks()


def read(name):
    return json.loads((SOURCE / name).read_text())


def commands_are_there(tasks):
    known = histolab("--help").stdout
    for task in tasks.values():
        command, *arguments = task["args"]
        check(task["command"] == "${workspaceFolder}/histolab" and (SOURCE / "histolab").is_file(),
              "a task's program", task)
        check(re.search(rf"^  {command} ", known, re.MULTILINE), f"there is no command {command}",
              known)
        shown = histolab(command, "--help").stdout
        for argument in arguments:
            if argument.startswith("--"):
                check(argument in shown, f"{command} has no {argument}", shown)
        if "gcc" in arguments:
            check("gcc" in shown, f"{command} does not know the format gcc", shown)


def patterns_fit(tasks, folder):
    """Checks the output for kernels that race, do not compile, and pass."""
    work = folder / "work"
    work.mkdir()
    shutil.copy(SOURCE / "labs/01-race/solution.cu", work / "01-race.cu")
    shutil.copy(SOURCE / "labs/02-atomic-add/attempts/misspelt-name/kernel.cu",
                work / "02-atomic-add.cu")
    shutil.copy(SOURCE / "labs/04-privatization/attempts/missing-second-barrier/kernel.cu",
                work / "04-privatization.cu")
    command, _, *rest = tasks["histolab: grade this lab"]["args"]
    # The file's path as VS Code gives it, and as a user or Vim does.
    done = histolab(command, "01-race", "work/02-atomic-add.cu", work / "04-privatization.cu",
                    *rest, cwd=folder)
    pattern = tasks["histolab: grade this lab"]["problemMatcher"]["pattern"]
    found = [re.match(pattern["regexp"], line) for line in done.stdout.splitlines()]
    check(found and all(found), "the pattern does not match a line", done.stdout)
    told = [(match.group(pattern["file"]), int(match.group(pattern["line"])),
             match.group(pattern["severity"])) for match in found if match]
    check(told[:3] == [("work/02-atomic-add.cu", 3, "error"),
                       ("work/04-privatization.cu", 18, "error"),
                       ("work/04-privatization.cu", 13, "note")], "the problems", told)
    check("`lenght`" in found[0].group(pattern["message"]) and
          found[0].group(pattern["column"]) == "11", "message and column of the first problem",
          done.stdout)
    check(not any(re.match(pattern["regexp"], line) for line in done.stderr.splitlines()),
          "the pattern matches a line that is not a problem", done.stderr)

    background = tasks["histolab: watch"]["problemMatcher"]["background"]
    lines = {"begins": "histolab: grading work/01-race.cu",
             "ends": "histolab: watching work/01-race.cu"}
    for name, line in lines.items():
        others = [*(other for other in lines.values() if other != line), *done.stdout.splitlines(),
                  *done.stderr.splitlines()]
        check(re.match(background[name + "Pattern"], line), f"the pattern {name}", background)
        check(not any(re.match(background[name + "Pattern"], other) for other in others),
              f"the pattern {name} matches another line", others)


def machine_of_the_container(settings):
    container = read(".devcontainer/devcontainer.json")
    dockerfile = (SOURCE / ".devcontainer" / container["build"]["dockerfile"]).read_text()
    vscode = container["customizations"]["vscode"]
    check(vscode["extensions"] == [EXTENSION] and vscode["settings"] == settings,
          "the container's VS Code differs", vscode)
    check("--platform=linux/amd64" in container["build"]["options"] and
          "--platform=linux/amd64" in container["runArgs"] and
          "FROM --platform=linux/amd64 debian:12" in dockerfile,
          "the platform", container)
    context = (SOURCE / ".devcontainer" / container["build"]["context"]).resolve()
    ignored = (SOURCE / ".devcontainer" / "Dockerfile.dockerignore").read_text().split("\n")
    for copied in re.findall(r"^COPY (\S+)", dockerfile, re.MULTILINE):
        check((context / copied).is_file() and "!" + copied in ignored,
              f"the image cannot copy {copied}")
    part = re.search(r"histolab setup (\w+)", dockerfile).group(1)
    usage = (SOURCE / "histolab").read_text()
    check(f"#   ./histolab setup {part} " in usage, f"the wrapper has no `setup {part}`")
    check(f"useradd --create-home --shell /bin/bash {container['remoteUser']}" in dockerfile,
          "the container's user is not created")
    command = container["onCreateCommand"].split()
    check(command[0] == "./histolab" and histolab(*command[1:], "--help").returncode == 0,
          "the command that runs when the container is created", command)


tasks = {task["label"]: task for task in read(".vscode/tasks.json")["tasks"]}
check(set(tasks) == {"histolab: watch", "histolab: grade this lab", "histolab: debug this lab"},
      "the tasks", set(tasks))
commands_are_there(tasks)
with temporary_folder(prefix="a folder ") as folder:
    patterns_fit(tasks, folder)
check(EXTENSION in read(".vscode/extensions.json")["recommendations"],
      "clangd's extension is not recommended")
machine_of_the_container(read(".vscode/settings.json"))
page = (SOURCE / "docs" / "editors.md").read_text()
for label in tasks:
    check(f"`{label}`" in page, f"docs/editors.md does not mention the task {label}")
check.finish()
