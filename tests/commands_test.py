#!/usr/bin/env python3
"""Types every command in the documentation.

The commands of a page run from top to bottom, in a folder like a fresh clone, one folder per page.
The folder only has the project's own files, without a user's leftovers (work/, report.json,
build/).

- A line of a code block that begins with a known word (page_commands.py) is typed unchanged. After
  `$ `, the lines below are the expected output; a line `...` matches any lines.
- A ```diff block is an edit of the file in its first line: the lines with - become those with +.
- Code in a sentence is typed, too, with placeholders (LAB, FILE, N) filled in. If it is only a
  name, such as `histolab run --stream`, the program must know its words.

Two tables list the commands that are not typed here: TYPED_BY names another test that types them,
NOT_TYPED gives the reason. Their options must be in the program's help, too.
"""
import concurrent.futures
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import zipfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "grader" / "tests"))
from histolab_program import (PATIENCE, PROGRAM, SOURCE, Checks, run_program,  # noqa: E402
                              skip_part, skip_without_sandbox, temporary_folder)
from page_commands import commands_of  # noqa: E402
from sources import unpack_sources  # noqa: E402

check = Checks()
BUILD = PROGRAM.parent.parent

# Written by a tool from the commands it ran.
NOT_READ = ("docs/measurements/README.md", "CHANGELOG.md")

# Command -> the test file that types it, and the text in that file.
TYPED_BY = {
    r"(\./)?histolab exec tests/.*": ("tests/docs_test.py", '"exec", *words'),
    r"histolab exec .*\.cu.*": ("tests/programs_test.py", 'histolab("exec", *sources'),
    r"\./histolab setup": ("tests/wrapper_test.sh", "\ntry setup "),
    r"\./histolab setup packages": ("tests/wrapper_test.sh", "try 'setup packages'"),
    r"\./histolab setup viewer": ("tests/wrapper_test.sh", "try 'setup viewer'"),
    r"\./histolab setup editor": ("tests/wrapper_test.sh", "try 'setup editor'"),
    r"\./histolab setup cuda": ("tests/wrapper_test.sh", "try 'setup cuda'"),
    r"\./histolab setup cuda --fetch": ("tests/wrapper_test.sh", "try 'setup cuda --fetch'"),
    r"\./histolab test": ("tests/wrapper_test.sh", "\ntry test "),
    r"\./histolab test --all( -R \w+)?": ("tests/wrapper_test.sh", "try 'test --all'"),
    r"(HISTOLAB_PRESET=\w+ )?\./histolab test -[RL] .*": ("tests/wrapper_test.sh",
                                                          "try 'test -R grader'"),
    r"ln -s .*histolab.*": ("tests/wrapper_test.sh", 'ln -s "$tree/histolab"'),
    r"histolab check": ("grader/CMakeLists.txt", '/histolab" check)'),
    r"histolab check --coverage": ("grader/tests/pages_test.py", '"--coverage"'),
    r"histolab watch": ("grader/tests/newcomer_test.py", 'shlex.split(following.group(1))'),
    r"histolab serve( .*)?": ("grader/web/tests/serving.py", '"serve", "--no-browser"'),
    r"histolab debug (?!.*--batch).*": ("grader/tests/debug_test.py",
                                        'super().__init__([PROGRAM, "debug"'),
    r"histolab batch .*--engine slurm.*": ("grader/tests/slurm_class.py", '"--engine", "slurm"'),
    r"histolab batch .*--earlier .*": ("grader/tests/batch_test.py",
                                       '"--earlier", scratch / "2024"'),
    r"histolab batch .*--(shard|merge) .*": ("grader/tests/shards_test.py", '"--merge", *outs'),
    r"histolab batch --cancel .*": ("grader/tests/slurm_test.py", '"--cancel"'),
    r"histolab export \S+ --format (moodle|moodle-feedback|canvas-feedback) .*":
        ("grader/tests/feedback_test.py", 'export(folder, out, "moodle-feedback", "--worksheet"'),
    r"source <\(histolab completion zsh\)|histolab completion fish \| source":
        ("grader/tests/words_test.py", 'said("completion", "fish")'),
    r"histolab exec main\.cu .*": ("grader/tests/exec_test.py", 'histolab("exec"'),
    r"histolab (explain|race|compare) (.* )?\b(main|naive)\.cu.*":
        ("grader/tests/program_views_test.py", '"race", "--kernel", "main.cu"'),
    r"histolab exec program --json .*": ("grader/tests/nvcc_test.py",
                                         'histolab("exec", "program.x"'),
    r"cmake -B build -DCMAKE_CUDA_COMPILER=.*": ("grader/tests/nvcc_test.py",
                                                 'f"-DCMAKE_CUDA_COMPILER={toolkit}/bin/nvcc"'),
    r"cmake --install .*": ("tests/package_test.py", 'run("cmake", "--install", build, "--prefix"'),
    r"build/dev/bin/histolab-loaders .*": ("tools/loader_fuzzers/CMakeLists.txt",
                                           "COMMAND histolab-loaders"),
    r"tools/fuzz .*": ("tools/fuzzer/CMakeLists.txt",
                       "COMMAND histolab-fuzz --seed 1 --seconds 10"),
    r"viewer/tests/with_display build/dev/test-bin/viewer_hands": ("viewer/CMakeLists.txt",
                                                                   "viewer_hands"),
}
NOT_TYPED = {
    r"histolab (bench|calibrate)( .*)?": "needs a GPU",
    r"histolab .*--device gpu.*": "needs a GPU",
    r"tools/gpu-check( .*)?": "needs a GPU",
    r"tools/model/prepare .*": "needs nvcc",
    r"tools/model/evaluate .*": "needs what model-measure measured",
    r"tools/profiler/record .*": "needs a GPU and Nsight Compute",
    r"tools/profiler/compare .*": "needs what the profiler counted",
    r"(ssh|srun) .*": "needs another machine",
    r"docker .*": "needs Docker",
    r"sudo .*": "needs an administrator",
    r"(histolab run 01 --stream \| )?histolab view( -| --tour| --replay \S+| (FILE|main)\.cu.*)?":
        "opens a window for a person",
    r"tools/cluster_time .*": "needs root, Slurm's packages and minutes",
    r"\.ci/run": "runs this test",
    r"HISTOLAB_UPDATE_GOLDEN=1 .*": "changes the sources",
    r"cmake --preset .*|HISTOLAB_PRESET=dev \./histolab setup viewer && cmake --build .*":
        "builds from nothing: minutes",
    r"build/dev/test-bin/grader_test .*": "needs what the line above builds",
    r"tools/fuzz_loaders( .*)?": "needs clang and minutes",
    r"tools/mutation_check (?!--list).*|tools/coverage( .*)?": "builds from nothing: minutes",
}
# These end with 1 because a submission does not pass, as the page intends.
ENDS_WITH_1 = [
    # stubs, or nothing yet
    r"histolab grade( 0[1-5]| 12| 13| 14)?( --quick| --seed 7| --format (junit|gcc))?",
    r"histolab batch .*", r".*/attempts/.*", r"histolab check warp-votes", r".* \| diff .*",
]
# names an attempt, but does not grade it
ENDS_WITH_0 = [r"histolab debug .*", r"histolab explain .* --kernel labs/03-.*"]
FILLED = {
    r"attempt LAB NAME": "attempt 04 no-zeroing",
    r"--kernel FILE": "--kernel mine.cu", r"--html FILE": "--html page.html",
    r"--out FILE": "--out data.bin", r"\bRESULTS\b": "graded", r"\bSTUDENT\b": "'Ada Lovelace'",
    r"\bDIR\b": "handed-in", r"\bOUT\.png\b": "picture.png", r"\bWxH\b": "800x600",
    r"--panel P\b": "--panel race", r"\bhot:P\b": "hot:90",
    r"grade --format NAME": "grade --format junit", r"(export .*)--format NAME": r"\1--format csv",
    r"--bundle NAME": "--bundle exercism --output bundle.zip",
    r"--function NAME": "--function {function}", r"\bNAME\b": "english", r"\bN\b": "7",
    r"\bLAB\b": "04", r"\bCOMMAND\b": "grade", r"\bPOINTS\b": "8",
    r"--reason TEXT": "--reason seen", r"hint 04 7": "hint 04 3", r"--frames 7": "--frames 1",
}


# ---- the programs' help --------------------------------------------------------------------------
helps = {}


def help_of(*words):
    """Returns the program's help, or an empty text if there is no such command."""
    if words not in helps:
        done = run_program([*words, "--help"], cwd=SOURCE)
        helps[words] = done.stdout if done.returncode == 0 else ""
    return helps[words]


def needs_nvcc(command):
    """Whether the command builds a target that this build lacks because there is no nvcc."""
    files = [text for file in SOURCE.glob("tools/*/CMakeLists.txt")
             if "HISTOLAB_NVCC" in (text := file.read_text())]
    guarded = any(f"add_executable({target} " in text
                  for target in re.findall(r"--target (\S+)", command.name) for text in files)
    return guarded and (BUILD / "cuda.txt").read_text().split()[1:2] != ["nvcc"]


def list_tests(words):
    """Runs ctest -N in a folder of its own. In BUILD it would replace the log of the run that this
    test belongs to."""
    with temporary_folder() as folder:
        (folder / "CTestTestfile.cmake").write_text(f'subdirs("{BUILD}")\n')
        return run_program(["ctest", "--test-dir", folder, "-C", "slow", "-N", *words])


def words_are_known(command):
    """Checks that each command in the line exists and that its help has each option."""
    for part in re.split(r" [|>] | && ", command.name):
        words = [word for word in shlex.split(re.sub(r"[<>()]", " ", part))
                 if not re.fullmatch(r"[A-Z_]+=.*", word)]
        program = next((at for at, word in enumerate(words)
                        if re.fullmatch(r"(\./)?histolab|tools/\S+|ctest|cmake", word)), None)
        if program is None:
            continue
        name, rest = words[program], words[program + 1:]
        known = None
        if name.startswith("tools/"):
            check((SOURCE / name).exists(), f"{command.where}: there is no {name}")
            if rest:
                # the rest belongs to the debugger
                rest = rest[:rest.index("--batch")] if "--batch" in rest else rest
                known = (help_of(PROGRAM.parent / "histolab-fuzz") if name == "tools/fuzz"
                         else help_of(SOURCE / name))
                check(known, f"{command.where}: {name} has no --help")
        elif name == "cmake":
            presets = {each["name"]
                       for each in
                       json.loads((SOURCE / "CMakePresets.json").read_text())["configurePresets"]}
            for option, value in zip(rest, rest[1:]):
                check(option != "--preset" or value in presets,
                      f"{command.where}: there is no preset {value}")
                check(option != "--target" or
                      (BUILD / "CMakeCache.txt").exists() and value + ":" in run_program(
                          ["cmake", "--build", BUILD, "--target", "help"]).stdout,
                      f"{command.where}: there is no target {value}")
        elif name == "ctest" or rest[:1] == ["test"]:
            listed = list_tests([word for word in rest if word not in ("test", "--all", "--help")])
            check(listed.returncode == 0 and re.search(r"Total Tests: [1-9]", listed.stdout),
                  f"{command.where}: {command.text}: there is no such test", listed.stdout,
                  listed.stderr)
        elif rest and rest[0].startswith("-"):
            known = help_of(PROGRAM)
        elif rest:
            if rest[0] == "view" and not (PROGRAM.parent / "histolab-viewer").exists():
                skip_part(f"{command.where}: {command.text}: the viewer is not built here")
                continue
            subcommand = "grade" if rest[0] == "COMMAND" else rest[0]
            known = (help_of(SOURCE / "histolab", "setup") if subcommand == "setup"
                     else help_of(PROGRAM, subcommand))
            check(known, f"{command.where}: histolab has no command {rest[0]}")
        for word in rest if known is not None else []:
            option = re.match(r"--[a-z][a-z-]*", word)
            check(not option or option[0] == "--help" or
                  re.search(rf"{option[0]}(?![a-z-])", known),
                  f"{command.where}: {command.text}: {name} has no {option and option[0]}")


# ---- a folder like a fresh clone -----------------------------------------------------------------
def make_clone(folder, sources):
    for entry in sources.iterdir():
        if entry.name not in ("labs", "histolab"):
            (folder / entry.name).symlink_to(entry)
    shutil.copytree(sources / "labs", folder / "labs")  # some commands write there
    (folder / "build").mkdir()
    for preset in ("release", "dev"):
        (folder / "build" / preset).symlink_to(BUILD)
    # Instead of the wrapper: the program with this folder's labs. Times measured on a GPU would
    # differ.
    words = (f'#!/bin/sh\ncase "$*" in *--replay*) ;; grade*) shift; set -- grade --device '
             f'emulator "$@" ;; esac\nexec {shlex.quote(str(PROGRAM))} --labs labs "$@"\n')
    (folder / "bin").mkdir()
    for program in (folder / "histolab", folder / "bin" / "histolab"):
        program.write_text(words)
        program.chmod(0o755)

    solution = lambda lab: next((SOURCE / "labs").glob(f"{lab}-*")) / "solution.cu"  # noqa: E731
    for name, lab in {"mine.cu": "04", "old.cu": "13", "new.cu": "13"}.items():
        shutil.copy(solution(lab), folder / name)
    (folder / "rubric.json").write_text('{"schema": "histolab/rubric/1", "labs": {}}')
    (folder / "week2.json").write_text('{"schema": "histolab/assignment/1", "labs": {"01-race": '
                                       '{}, "04-privatization": {"weight": 2}}}')
    for student, lab in {"ada": "01", "Ada Lovelace": "04"}.items():
        place = folder / "handed-in" / student
        place.mkdir(parents=True)
        shutil.copy(solution(lab), place / (solution(lab).parent.name + ".cu"))
    with zipfile.ZipFile(folder / "handed-in.zip", "w") as archive:
        for file in sorted((folder / "handed-in").rglob("*.cu")):
            archive.write(file, file.relative_to(folder / "handed-in"))


def environment(folder):
    return {**os.environ, "HOME": str(folder), "PATH": f"{folder / 'bin'}:{os.environ['PATH']}",
            "HISTOLAB_SOURCE_DIR": str(SOURCE), "HISTOLAB_BIN": str(PROGRAM.parent)}


def filled(command, folder):
    text = command.name
    text = (re.sub(r"\[([^]]*)\]", lambda optional: optional[1].replace("...", ""), text)
            if "`" not in text else text)
    for pattern, value in FILLED.items():
        text = re.sub(pattern, value, text)
    if "{function}" in text:
        lab = next((folder / "labs").glob(re.search(r"run (\d\d)", text)[1] + "-*")) / "solution.cu"
        text = text.replace("{function}", re.search(r"__global__ void (\w+)", lab.read_text())[1])
    return text


def settled(output):
    """Removes variable parts, and options that this test's wrapper adds to each next step."""
    steps = r"^( *(?:next|or): .*)\n +(?!or:)(\S.*)$"
    output = re.sub(steps, lambda step: f"{step[1]} {step[2]}", output, flags=re.MULTILINE)
    output = output.replace(" --labs labs", "").replace(" --device emulator", "")
    output = re.sub(r"\(process \d+\)", "(process N)",
                    "\n".join(line.rstrip() for line in output.strip().split("\n")))
    return re.sub(r"(seen|,) [0-9 ]+ times", r"\1 N times", output)


def edit(command, folder):
    path = folder / command.text
    before = "".join(line[1:] + "\n" for line in command.edit if line.startswith("-"))
    after = "".join(line[1:] + "\n" for line in command.edit if line.startswith("+"))
    text = path.read_text() if path.exists() else ""
    check(before and text.count(before) == 1,
          f"{command.where}: {command.text} has not these lines, once", before, text)
    path.write_text(text.replace(before, after))


def type_it(command, folder):
    text = filled(command, folder) if command.output is None else command.name
    together = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "stdin": subprocess.DEVNULL,
                "text": True, "errors": "replace"}
    try:
        done = subprocess.run(["bash", "-o", "pipefail", "-c", text], cwd=folder,
                              env=environment(folder), timeout=PATIENCE, **together)
    except subprocess.TimeoutExpired:
        return check(False,
                     f"{command.where}: {text} did not end. Put a command that waits for input or "
                     "takes long into a table of tests/commands_test.py")
    wanted = (1
              if any(re.fullmatch(pattern, text) for pattern in ENDS_WITH_1) and
              not any(re.fullmatch(pattern, text) for pattern in ENDS_WITH_0) else 0)
    if command.output is not None:
        if re.fullmatch(r"histolab grade \d\d", text):  # a page shows one before and after
            wanted = 0 if re.search(r" passed +(\d+)/\1 ", "\n".join(command.output)) else 1
        shown = settled("\n".join(command.output))
        pattern = "".join(r"(?:.*\n)*?" if line == "..." else re.escape(line) + "\n"
                          for line in shown.split("\n"))
        check(re.fullmatch(pattern, settled(done.stdout) + "\n"),
              f"{command.where}: {text} prints something else", done.stdout)
        for line in command.output if command.where.startswith("README.md") else []:
            check(len(line) <= 80, f"{command.where}: wider than 80 columns", line)
    check(done.returncode == wanted,
          f"{command.where}: {text} ends with {done.returncode}, not {wanted}. Fix the page or the "
          "program; "
          "put a command that a test cannot type into a table of tests/commands_test.py",
          done.stdout[-1500:])


def read_page(page, clone):
    """Types the commands of a page. Returns their number."""
    typed = 0
    commands = commands_of(page, (SOURCE / page).read_text(encoding="utf-8"))
    says = " ".join(command.name + " " for command in commands)
    with temporary_folder() as name:
        folder = name / "histolab"
        for command in commands:
            if needs_nvcc(command):
                skip_part(f"{command.where}: {command.text}: there is no nvcc here")
                continue
            by = next((test for pattern, test in TYPED_BY.items()
                       if re.fullmatch(pattern, command.name)), None)
            nobody = any(re.fullmatch(pattern, command.name) for pattern in NOT_TYPED)
            if command.edit is None and (by or nobody or not command.typed):
                words_are_known(command)
                continue
            if not folder.exists():
                shutil.copytree(clone, folder, symlinks=True, ignore=lambda _,
                                names: [name for name in names if f"--out {name} " in says])
            if command.edit is not None:
                edit(command, folder)
            elif (command.name.startswith("histolab view") and
                  not (PROGRAM.parent / "histolab-viewer").exists()):
                skip_part(f"{command.where}: {command.text}: the viewer is not built here")
            elif command.text.startswith("histolab debug") and shutil.which("gdb") is None:
                skip_part(f"{command.where}: {command.text}: there is no gdb here")
            else:
                type_it(command, folder)
                typed += 1
    return typed, [command.name for command in commands]


def main():
    skip_without_sandbox()
    with temporary_folder() as folder:
        sources, clone = folder / "sources", folder / "histolab"
        sources.mkdir(), clone.mkdir()
        sources = unpack_sources(sources)
        pages = [str(page.relative_to(sources))
                 for pattern in ("*.md", "docs/**/*.md", "labs/*/*.md")
                 for page in sorted(sources.glob(pattern))]
        pages = [page for page in pages if page not in NOT_READ and not page.endswith(".in.md")]
        chosen = [page for page in pages if not sys.argv[1:] or page in sys.argv[1:]]
        make_clone(clone, sources)
        batch = run_program(["./histolab", "batch", "handed-in", "--out", "graded"], cwd=clone,
                            env=environment(clone))
        check(batch.returncode == 1, "grading a class for the pages that begin with one",
              batch.stdout, batch.stderr)
        for out in ("out", "results"):
            shutil.copytree(clone / "graded", clone / out)
        report = run_program(["./histolab", "grade", "04", "--submission", "mine.cu"], cwd=clone,
                             env=environment(clone))
        check(report.returncode == 0, "grading one submission", report.stdout, report.stderr)
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            read = dict(zip(chosen, pool.map(lambda page: read_page(page, clone), chosen)))
    typed, names = sum(count for count, _ in read.values()), {name for _, names in read.values()
                                                              for name in names}
    print(f"{len(chosen)} pages, {typed} commands typed, {len(names)} different ones seen")
    for pattern, (test, words) in TYPED_BY.items():
        check(words in (SOURCE / test).read_text(),
              f"{test} no longer types {words!r}: which test types {pattern}?")
    if chosen == pages:
        for pattern in [*TYPED_BY, *NOT_TYPED]:
            check(any(re.fullmatch(pattern, name) for name in names),
                  f"no page has {pattern}: remove it from tests/commands_test.py")
    check.finish()


main()
