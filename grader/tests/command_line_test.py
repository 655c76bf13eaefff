"""The command line for users and scripts: exit codes, errors, and commands that run no kernel."""
import json
import os
import pathlib
import shutil
import subprocess

from histolab_program import (PROGRAM, SOURCE, Checks, histolab, run_program, skip_part,
                              temporary_folder)

check = Checks()
expect = check.expect


def view(folder):
    """The program without a viewer, then with a fake viewer that prints how it was started."""
    program = folder / "bin" / "histolab"
    program.parent.mkdir()
    shutil.copy2(PROGRAM, program)
    done = run_program([program, "view"])
    check(done.returncode == 2 and
          "histolab-viewer is not built: `./histolab setup viewer`" in done.stderr,
          "view without a viewer", done)
    check("not built" in run_program([program, "doctor"]).stdout, "doctor without a viewer")
    viewer = program.with_name("histolab-viewer")
    viewer.write_text("#!/bin/sh\nprintf '<%s>' \"$@\"; cat; grep -E 'Sig(Blk|Ign)' "
                      "/proc/self/status; exit 5\n")
    viewer.chmod(0o755)
    done = run_program([program, "view", "--replay", "a file", "--help", "-", "view"],
                       input="typed\n")
    check(done.stdout.startswith("<--replay><a file><--help><-><view>typed\n") and
          done.returncode == 5, "view hands everything on", done)
    check(done.stdout.split()[-4:] == ["SigBlk:", "0" * 16, "SigIgn:", "0" * 16],
          "the viewer's signals are not as usual", done.stdout)
    done = run_program([program, "--labs", folder, "view"])
    check(done.stdout.startswith(f"<--labs><{folder}>"), "view hands --labs on", done)
    shutil.rmtree(program.parent)


# The parts that the wrapper installs or builds for a command, on a machine with a GPU.
NEEDS = {
    "": ("list", "grade --device emulator", "check --device=emulator", "run 01",
         "run 01 --device=emulator", "explain 01", "compare 01 02 --device auto",
         "batch handed-in --out graded", "debug 01", "watch 01", "grade --help", "bench -h",
         "--labs gpu-labs run 01", "view --help", "view -h", "--labs folder view --help", "",
         "glossary view", "grade --device", "gpu"),
    "gpu": ("grade", "check", "check --device auto", "run 01 --device gpu",
            "explain 01 --device=gpu:1", "compare 01 02 --device gpu",
            "batch handed-in --device gpu --out graded",
            "batch handed-in --device auto --out graded", "--labs folder grade",
            "--labs=folder grade"),
    "gpu_tools": ("bench", "bench --json file", "calibrate"),
    "viewer": ("view", "view --replay file", "--labs folder view", "--labs=folder view",
               "view --device emulator"),
    "viewer gpu": ("view --device gpu", "view --device=gpu:1"),
}


def needs():
    for needed, commands in NEEDS.items():
        for command in commands:
            said = histolab("--needs", *command.split()).stdout.rstrip("\n")
            check(said == needed or (not needed and said not in NEEDS),
                  f"`{command}` needs {needed!r}, not {said!r}")


def in_folder(folder):
    needs()
    expect(["--version"], 0, "histolab ")
    expect(["--help"], 0, "grade", "doctor", "Exit codes")
    expect(["run", "--help"], 0, "uniform-letters", "book", "hot:P")
    expect(["grad"], 2, 'there is no command "grad"; did you mean grade?')
    expect(["sing"], 2, 'there is no command "sing"')
    for words in (["help"], ["help", "grade"]):
        check(expect(words, 0).stdout == expect([*words[1:], "--help"], 0).stdout, "help is --help",
              words)
    expect(["help", "sing"], 2, 'there is no command "sing"')
    expect(["grade", "04", "--sed", "2"], 2, "--sed", "did you mean --seed?")
    expect(["grade", "04", "--sead=2"], 2, "did you mean --seed?")
    check("did you mean" not in expect(["grade", "04", "--telephone"], 2).stderr,
          "no option is near")
    check(expect(["glossary", "shared", "memory"],
                 0).stdout == expect(["glossary", "shared memory"], 0).stdout, "words of one term")
    expect(["calibrate", "--device", "emulator"], 2, "gpu or gpu:N")
    expect(["calibrate", "--device", "gpu:many"], 2, "gpu or gpu:N")
    expect(["bench", "--device", "emulator"], 2, "gpu or gpu:N")
    expect(["bench", "--set", "few"], 2, "--set")
    if not pathlib.Path("/dev/nvidiactl").exists():
        expect(["calibrate"], 2, "histolab")  # not built, or no GPU: both errors name the next step
        expect(["bench", "--json", "bench.json"], 2, cwd=folder)
        check(not list(folder.iterdir()), "a bench that cannot begin leaves files",
              list(folder.iterdir()))
    expect(["model", "77"], 2, 'there is no lab "77"')
    expect(["model", "04", "--profile", "abacus"], 2, "there is no measured profile of abacus",
           "histolab calibrate")
    expect(["model", "04"], 0, "268435456 bytes of english", "bound by", "not a measurement")
    modelled = json.loads(expect(["model", "02", "--dataset", "constant", "--json"], 0).stdout)
    check(modelled["schema"] == "histolab/model/1" and modelled["bound_by"] == "atomics",
          "the model of constant data", modelled)
    spread = json.loads(expect(["model", "02", "--dataset", "uniform-letters", "--json"], 0).stdout)
    check(spread["modelled_ms"] < modelled["modelled_ms"] / 3, "seven bins contend less than one",
          spread, modelled)
    view(folder)
    coarsening = SOURCE / "labs" / "05-coarsening" / "solution.cu"
    expect(["run", "05", "--kernel", coarsening, "--export", "coarsening_factor"], 2,
           "write it as coarsening_factor=8")
    expect(["run", "05", "--kernel", coarsening, "--export", "factor=8"], 2,
           "the kernel does not export factor")
    coarse = json.loads(expect(["run", "05", "--kernel", coarsening, "--export",
                                "coarsening_factor=4", "--length", "4096", "--json"], 0).stdout)
    check(coarse["grid"] == 4 and coarse["correct"], "a thread takes four elements", coarse["grid"])
    expect(["compare", "02"], 2, "name a second LAB or LAB=FILE, or --dataset A,B")
    expect(["compare", "02", "04", "--dataset", "book,english"], 2, "differ in two things")
    expect(["compare", "02", "--dataset", "book,english,bytes"], 2, "two datasets can be compared")
    expect(["compare", "02=", "04"], 2, "after the = give a file")
    expect(["compare", "02=none.cu", "04"], 2, "none.cu: there is no such file")
    expect(["compare", "02", "77"], 2, 'there is no lab "77"')
    expect(["compare", "02", "03", "04"], 2, "histolab compare --help")
    expect([], 2)
    expect(["test"], 2, "./histolab test")
    expect(["grade", "--fast"], 2, "--fast", "histolab grade --help")
    expect(["grade", "--seed", "-1"], 2, "--seed")
    expect(["grade", "77"], 2, 'there is no lab "77"')
    expect(["grade", "02", "k.cu"], 2,
           "to use a kernel's file, name its lab as well: `histolab grade LAB --submission FILE`")
    expect(["grade", "--format", "classroom50"], 2, "not set: CLASSROOM")
    expect(["grade", "--format", "yaml"], 2, 'there is no format "yaml"')
    for command in (["grade"], ["run", "02"], ["check"]):
        for device in ("cpu", "gpu:x", "gpu:", "gpu:-1", "GPU"):
            expect([*command, "--device", device], 2,
                   f'there is no device "{device}"; choose auto, emulator, gpu or gpu:N')
    solution = SOURCE / "labs" / "02-atomic-add" / "solution.cu"
    # refused before the search for a GPU
    for option in (["--schedule", "random"], ["--block-order", "random"],
                   ["--no-observer", "races"]):
        expect(["run", "02", "--kernel", solution, "--device", "gpu", *option], 2,
               "need the emulator")
    if not pathlib.Path("/dev/nvidiactl").exists():  # the reason and the remedy
        for command in (["grade", "02", "--solutions"], ["run", "02", "--kernel", solution],
                        ["check", "02"]):
            said = expect([*command, "--device", "gpu"], 2, "--device emulator needs none").stderr
            check("there is no NVIDIA GPU here" in said or "./histolab setup cuda" in said,
                  f"{command} does not say why there is no GPU", said)
    expect(["run", "02", "--kernel", solution, "--device", "emulator", "--length", 1000], 0,
           "no findings")
    expect(["grade", "02", "--solutions", "--submission", "x.cu"], 2, "exclude each other")
    # Kernels of a lab with several; a number of bins; samples of 16 bits; misaligned data.
    expect(["run", "10", "--length", 3000], 0, "histogram_bytes, mixed, 3 000 bytes", "256 bins",
           "right: 3 000 elements counted")
    samples = json.loads(expect(["run", "10", "--function", "histogram_samples", "--bins", 1000,
                                 "--length", 5000, "--json"], 0).stdout)
    check((samples["kernel_name"], samples["dataset"], samples["bins"],
           samples["correct"]) == ("histogram_samples", "sensor", 1000, True),
          "run --function --bins", samples)
    only = {name: SOURCE / "tests" / "corpus" / "wrong" / name
            for name in ("10-many-bins/bytes-only.cu", "10-many-bins/samples-only.cu",
                         "12-bug-hunt/one-of-ten.cu")}
    for name, lab, function, flags in (("10-many-bins/bytes-only.cu", "10", "histogram_bytes",
                                        ["--function", "histogram_bytes"]),
                                       ("10-many-bins/bytes-only.cu", "10", "histogram_bytes", []),
                                       ("10-many-bins/samples-only.cu", "10", "histogram_samples",
                                        []), ("12-bug-hunt/one-of-ten.cu", "12", "grid_stride", []),
                                       ("12-bug-hunt/one-of-ten.cu", "12", "grid_stride",
                                        ["--function", "grid_stride"])):
        ran = json.loads(expect(["run", lab, "--kernel", only[name], "--length", 500, "--json",
                                 *flags], 0).stdout)
        check((ran["kernel_name"], ran["correct"]) == (function, True),
              f"run {lab} {flags} of {name}, which lacks the other kernels", ran)
    expect(["run", "10", "--kernel", only["10-many-bins/bytes-only.cu"], "--function",
            "histogram_samples"], 2,
           "has no kernel histogram_samples; it has histogram_bytes: --function histogram_bytes")
    expect(["run", "10", "--function", "histogram"], 2,
           'has no kernel "histogram"; choose histogram_bytes or histogram_samples')
    expect(["run", "10", "--function", "histogram_samples", "--dataset", "english"], 2, "english")
    expect(["run", "02", "--bins", 9], 2,
           "--bins: histogram has 7 bins and no argument for another number")
    expect(["run", "07", "--bins", 26, "--length", 3000], 0, "26 bins", "right:")
    expect(["run", "09", "--offset", 13, "--length", 3001], 0, "data 13 bytes behind a boundary",
           "right:")
    expect(["run", "02", "--schedule", "alphabetical"], 2, 'there is no schedule "alphabetical"')
    expect(["run", "02", "--block-order", "upwards"], 2,
           'there is no block order "upwards"; the block orders are ascending, descending, random, '
           'interleaved')
    expect(["run", "02", "--block-order", "interleaved"], 2,
           "--block-order interleaved needs --schedule adversarial")
    order = json.loads(expect(["run", "02", "--block-order", "descending", "--length", 3000,
                               "--json"], 0).stdout)["block_order"]
    check(order == "descending", "run --json has no block order", order)
    expect(["run", "02", "--no-observer", "birds"], 2, 'there is no observer "birds"')
    expect(["run", "02", "--profile", "abacus"], 2,
           'there is no profile "abacus"; choose h200, h100, a100, rtx4090 or t4')
    expect(["run", "04", "--profile", "t4", "--shared", "100000", "--length", "1000"], 0,
           "a block has 65536 on this device (t4)")
    expect(["run", "02", "--block", "2000"], 2, "--block")
    expect(["run", "02", "--json", "--annotate"], 2, "--annotate")
    expect(["explain"], 2, "no lab is started here", cwd=folder)
    expect(["explain", "77"], 2, 'there is no lab "77"')

    listed = json.loads(expect(["list", "--json"], 0).stdout)
    check([lab["number"] for lab in listed["labs"]] ==
          sorted(lab["number"] for lab in listed["labs"]), "labs are not sorted")
    of_lab = {lab["lab"]: lab for lab in listed["labs"]}
    check(of_lab["01-race"]["bin_labels"] == ["a-d", "e-h", "i-l", "m-p", "q-t", "u-x", "y-z"],
          "the labels of lab 01's bins", of_lab["01-race"]["bin_labels"])
    for lab in listed["labs"]:
        roles = [kernel["role"] for kernel in lab["kernels"]]
        names = [kernel["name"] for kernel in lab["kernels"] if kernel["role"] == "attempt"]
        check(roles == ["stub", "solution"] + ["attempt"] * len(names) and
              names == sorted(names) and names, "the kernels of a lab", lab["kernels"])
        for kernel in lab["kernels"]:
            path = pathlib.Path(kernel["path"])
            stored = ([path, path.with_name("solution.patch")] if kernel["role"] == "attempt"
                      else [path])
            check(sum(each.is_file() for each in stored) == 1,
                  "a kernel that is listed is not there", kernel)
    expect(["list"], 0, "02-atomic-add")
    check("\033" not in expect(["list"], 0).stdout, "colour without a terminal")
    expect(["solution", "atomic-add"], 0, "atomicAdd")

    done = expect(["grade", "01", "--format", "gcc", "--json", "gcc.json"], 1,
                  "nothing to grade: histolab start 01-race puts the stub into work/", cwd=folder)
    check(done.stdout == "", "a lab without a file has a problem", done.stdout)
    # Without work/.
    done = expect(["grade"], 1, "not attempted", "histolab start", cwd=folder)
    report = json.loads((folder / "report.json").read_text())
    check(all(lab["status"] == "not_attempted" for lab in report["labs"]),
          "not all labs are not_attempted")
    check(all(len(line) <= 80 for line in done.stdout.splitlines()),
          "the table is wider than 80 columns", done.stdout)
    before = (folder / "report.json").read_bytes()

    # work/.
    expect(["start", "2"], 0, "work/02-atomic-add.cu", cwd=folder)
    mine = folder / "work" / "02-atomic-add.cu"
    listed = json.loads(expect(["list", "--json"], 0, cwd=folder).stdout)
    own = [kernel for lab in listed["labs"] for kernel in lab["kernels"]
           if kernel["role"] == "work"]
    check(own == [{"role": "work", "name": "work", "path": "work/02-atomic-add.cu"}],
          "a started lab's own kernel is listed", own)
    settings = folder / "work" / ".clangd"
    check(str(SOURCE) in settings.read_text(), "start does not tell clangd where the shim lies")
    check(".clangd" not in expect(["start", "2"], 0, cwd=folder).stdout,
          "start tells twice that it wrote work/.clangd")
    settings.unlink()
    expect(["reset", "work/02-atomic-add.cu"], 0, "02-atomic-add.cu.~1~", cwd=folder)
    check(settings.is_file(), "reset does not write work/.clangd")
    settings.write_text("# mine\n")
    expect(["reset", "02-atomic-add.cu"], 0, "02-atomic-add.cu.~2~", cwd=folder)
    check(settings.read_text() == "# mine\n", "reset overwrote a student's settings")
    expect(["hint", folder / "work" / "02-atomic-add.cu"], 0, "nudge", cwd=folder)
    expect(["hint", "handed-in/02-atomic-add.cu"], 2, "there is no lab", cwd=folder)
    for number in (1, 2):
        (folder / "work" / f"02-atomic-add.cu.~{number}~").unlink()
    mine.write_text("mine\n")
    expect(["start"], 0, "left unchanged", cwd=folder)
    check(mine.read_text() == "mine\n", "start overwrote a student's file")
    expect(["reset", "02"], 0, "02-atomic-add.cu.~1~", cwd=folder)
    check((folder / "work" / "02-atomic-add.cu.~1~").read_text() == "mine\n",
          "reset lost a student's file")
    mine.write_text("mine too\n")
    without_room = run_program(["sh", "-c", 'ulimit -f 0; exec "$0" reset 02', PROGRAM], cwd=folder)
    check(without_room.returncode == 2 and "cannot be written" in without_room.stderr and
          mine.read_text() == "mine too\n", "where the stub cannot be written the file stays",
          without_room.stderr)
    shutil.rmtree(folder / "work")

    few_files = run_program(["sh", "-c", 'ulimit -n 60; exec "$0" run 02', PROGRAM], cwd=folder)
    check(few_files.returncode == 2 and
          "60 open files are allowed, and it takes 67. Allow more: ulimit -n 1024" in
          few_files.stderr, "too few open files are told", few_files.stderr)

    # Invalid submissions.
    bad = folder / "bad.cu"
    refused = lambda text: expect(["grade", "02", "--submission", "bad.cu"], 2, "bad.cu: " + text,
                                  cwd=folder)
    refused("there is no such file")
    bad.write_bytes(b"")
    refused("is empty")
    bad.write_bytes(b"int x;\n\0")
    refused("is a binary file")
    with bad.open("wb") as file:
        file.truncate(100 << 20)
    refused("is 104 857 600 bytes long")
    bad.unlink()
    os.mkfifo(bad)
    refused("is a pipe or a device")
    bad.unlink()
    if os.geteuid() != 0:
        bad.write_text("int x;")
        bad.chmod(0)
        refused("cannot be read")
        bad.unlink()
    solution = SOURCE / "labs" / "02-atomic-add" / "solution.cu"
    expect(["grade", "--submission", solution], 2, "which lab is it for?", cwd=folder)
    expect(["grade", "01", "02", "--submission", solution], 2, "not for 2", cwd=folder)
    expect(["run", "02", "--kernel", "none.cu"], 2, "there is no such file", cwd=folder)
    expect(["run", "02", "--dataset", "none.txt"], 2, "none.txt", cwd=folder)

    # Reports that cannot be written: the old one stays.
    expect(["grade", "--json", "none/report.json"], 2, "does not exist", cwd=folder)
    expect(["grade", "--json", folder], 2, "is a folder", cwd=folder)
    full = histolab("grade", "--json", "/dev/full", cwd=folder)
    check(full.returncode == 2 and "the disk is full" in full.stderr, "a full disk is not told",
          full.stderr)
    with open("/dev/full", "w") as sink:
        done = subprocess.run([PROGRAM, "list"], stdout=sink, stderr=subprocess.PIPE, text=True)
        check(done.returncode == 2 and "disk is full" in done.stderr,
              "a full standard output is not told", done.stderr)
    check((folder / "report.json").read_bytes() == before, "a failed command changed report.json")
    check(not [path for path in folder.iterdir() if path.name.endswith(".tmp")],
          "a temporary file was left")

    # A folder of labs with an error in it.
    labs = folder / "labs"
    shutil.copytree(SOURCE / "labs" / "02-atomic-add", labs / "02-atomic-add")
    expect(["--labs", labs, "list"], 0, "02-atomic-add")
    expect(["list", "--labs", labs], 0, "02-atomic-add")
    shutil.copytree(labs / "02-atomic-add", labs / "02-twin")
    expect(["--labs", labs, "list"], 2, "02-atomic-add and ", "02-twin have the same number")
    shutil.rmtree(labs / "02-twin")

    # A lab that fails its own check.
    lab = labs / "02-atomic-add"
    for attempt in sorted((lab / "attempts").iterdir())[2:]:
        shutil.rmtree(attempt)
    kept = ", ".join(f"`{attempt.name}`" for attempt in (lab / "attempts").iterdir())
    (lab / "lesson.in.md").write_text("# A lesson\n")
    (lab / "instructor.md").write_text(f"## Misconceptions\n\n| people believe | attempts |\n"
                                       f"|---|---|\n| a thing | {kept} |\n")
    expect(["--labs", labs, "check", "--write-lessons"], 0, "lesson.md: written")
    expect(["--labs", labs, "check"], 0, "the course holds: 1 lab, 2 attempts")
    right = (lab / "solution.cu").read_text()
    (lab / "solution.cu").write_text((lab / "stub.cu").read_text())
    expect(["--labs", labs, "check"], 1, "02-atomic-add: ", "solution.cu",
           "expected the verdict passed, got failed", "1 problem")
    (lab / "solution.cu").write_text(right)
    spec = lab / "lab.json"
    whole = spec.read_text()
    spec.write_text(whole.replace('"title"', 'title', 1))
    expect(["--labs", labs, "list"], 2, "lab.json:3:4: not valid JSON")
    spec.write_text(whole.replace('"max_score": 10', '"max_score": 9'))
    expect(["--labs", labs, "check"], 2,
           "/max_score: is 9, but the points of the checks add up to 10")
    shutil.rmtree(labs)


def patched_by_others(folder, code, patch):
    """What patch(1) makes of the code."""
    (folder / "code.cu").write_text(code)
    subprocess.run(["patch", "-s", "--fuzz=0", "-o", folder / "whole.cu", folder / "code.cu",
                    patch], check=True)
    return (folder / "whole.cu").read_text()


def attempts(folder):
    """Attempts that are stored as patches are as good as whole ones."""
    found = 0
    for lab in sorted((SOURCE / "labs").glob("*/attempts")):
        number = lab.parent.name
        names = expect(["attempt", number], 0).stdout.split()
        check(names == sorted(each.name for each in lab.iterdir()),
              f"{number}: the names of the attempts", names)
        code = expect(["solution", number, "--no-comments"], 0).stdout
        check("//" not in code and "__global__" in code, f"{number}: the solution without comments",
              code)
        for attempt in sorted(lab.iterdir()):
            files = sorted(each.name for each in attempt.iterdir())
            patch = attempt / "solution.patch"
            check(files in (["expect.json", "kernel.cu"], ["expect.json", "solution.patch"]),
                  f"{attempt}: the files", files)
            whole = expect(["attempt", number, attempt.name], 0).stdout
            if not patch.exists():
                check(whole == (attempt / "kernel.cu").read_text(),
                      f"{attempt}: is printed as it is")
                continue
            found += 1
            check(patch.read_text().startswith("--- solution.cu without comments\n+++ kernel.cu\n"
                                               "@@ -"), f"{patch}: how it begins")
            if shutil.which("patch"):
                check(whole == patched_by_others(folder, code, patch),
                      f"{attempt}: patch(1) makes another kernel")
    check(found > 50, "attempts that are patches", found)
    if not shutil.which("patch"):
        skip_part("there is no patch(1) to compare with")

    patch = SOURCE.joinpath("labs", "11-compare-and-swap", "attempts",
                            "every-thread-takes-the-lock", "solution.patch")
    texts = [expect(["grade", "11", "--quick", "--submission", path], 1,
                    "every-thread-takes-the-lock/kernel.cu:77", cwd=folder).stdout
             for path in (patch, patch.with_name("kernel.cu"))]
    check(texts[0] == texts[1], "a patch's path names the same kernel", *texts)
    expect(["compare", "13", "13=top-bit-forgotten", "--length", "1024"], 0, "top-bit-forgotten")
    expect(["run", "11", "--kernel", patch.parents[1] / "keeps-the-lock" / "kernel.cu", "--length",
            "1024"], 0)
    expect(["attempt", "13", "top-bit-forgoten"], 2, "did you mean top-bit-forgotten?")
    expect(["attempt", "13", "x"], 2, '13-at-the-limit has no attempt "x"',
           "`histolab attempt 13` prints their names")

    labs = folder / "labs"
    shutil.copytree(SOURCE / "labs" / "13-at-the-limit", labs / "13-at-the-limit")
    copy = labs / "13-at-the-limit" / "attempts" / "top-bit-forgotten"
    (copy / "kernel.cu").write_text("")
    expect(["--labs", labs, "attempt", "13", "top-bit-forgotten"], 2,
           "are both there; which one is the attempt?")
    (copy / "solution.patch").unlink()
    (copy / "kernel.cu").unlink()
    expect(["--labs", labs, "attempt", "13", "top-bit-forgotten"], 2,
           "kernel.cu: there is no such file")
    shutil.rmtree(labs)


with temporary_folder(prefix="histolab test ") as folder:
    in_folder(folder)
with temporary_folder(prefix="histolab test ") as folder:
    attempts(folder)
check.finish()
