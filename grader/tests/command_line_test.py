"""The command line as a user or a script meets it: what needs no kernel to be run, exit codes, refusals, Ctrl-C."""
import json
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
import time

from histolab_program import PROGRAM, SOURCE, Checks, alive, histolab

check = Checks()


def expect(arguments, code, *fragments, cwd=None, env=None):
    """Runs it; the exit code and each fragment, in what was printed, are checked."""
    done = histolab(*arguments, cwd=cwd, env=env)
    check(done.returncode == code, f"histolab {arguments} ended with {done.returncode}, not {code}", done.stdout[:400], done.stderr)
    for fragment in fragments:
        check(fragment in done.stdout + done.stderr, f"histolab {arguments} does not say {fragment!r}", done.stdout[:400], done.stderr)
    if code == 2:
        check(done.stdout == "", f"histolab {arguments}: a refusal belongs on the standard error", done.stdout[:400])
        check(done.stderr.count("\n") == 1, f"histolab {arguments}: one clear message, not this", done.stderr)
    return done


def view(folder):
    """The program without a viewer, then with one beside it that tells how it was started."""
    program = folder / "bin" / "histolab"
    program.parent.mkdir()
    shutil.copy2(PROGRAM, program)
    done = subprocess.run([program, "view"], capture_output=True, text=True, timeout=60)
    check(done.returncode == 2 and "histolab-viewer is not built: `./histolab setup viewer`" in done.stderr, "view without a viewer", done)
    check("not built" in subprocess.run([program, "doctor"], capture_output=True, text=True, timeout=60).stdout, "doctor without a viewer")
    viewer = program.with_name("histolab-viewer")
    viewer.write_text("#!/bin/sh\nprintf '<%s>' \"$@\"; cat; grep -E 'Sig(Blk|Ign)' /proc/self/status; exit 5\n")
    viewer.chmod(0o755)
    done = subprocess.run([program, "view", "--replay", "a file", "--help", "-", "view"], input="typed\n", capture_output=True, text=True, timeout=60)
    check(done.stdout.startswith("<--replay><a file><--help><-><view>typed\n") and done.returncode == 5, "view hands everything on", done)
    check(done.stdout.split()[-4:] == ["SigBlk:", "0" * 16, "SigIgn:", "0" * 16], "the viewer's signals are not as usual", done.stdout)
    done = subprocess.run([program, "--labs", str(folder), "view"], capture_output=True, text=True, timeout=60, stdin=subprocess.DEVNULL)
    check(done.stdout.startswith(f"<--labs><{folder}>"), "view hands --labs on", done)
    shutil.rmtree(program.parent)


def race_of_a_kernel(folder):
    """What the threads of real kernels did, step by step."""
    labs = {number: SOURCE / "labs" / name for number, name in (("01", "01-race"), ("02", "02-atomic-add"), ("04", "04-privatization"))}
    said = expect(["race", "--kernel", "01"], 0, "so this is the lab's solution", "2 threads, a letter m each; random, seed 1", "histo[3]", cwd=folder).stdout
    check(max(map(len, said.splitlines()[1:])) <= 80, "race --kernel is wider than 80 columns", said)
    orders = {}
    for seed in range(1, 13):
        race = json.loads(expect(["race", "--kernel", labs["01"] / "solution.cu", "--seed", seed, "--json"], 0).stdout)
        steps = race["trace"]["steps"]
        check(sorted((step["thread"], step["operation"]) for step in steps) == [(1, "load"), (1, "store"), (2, "load"), (2, "store")], "two threads load and store", steps)
        check(all((step["variable"], step["index"]) == ("histo", 3) and "histo[" in (labs["01"] / "solution.cu").read_text().splitlines()[step["line"] - 1] for step in steps),
              "a step is not on the bin, or not in the line that updates it", steps)
        check(race["trace"]["final_value"] + len(race["trace"]["lost"]) == 2, "what is missing is not told", race)
        orders[tuple(step["thread"] for step in steps)] = race["trace"]["final_value"]
    check(len(orders) >= 3 and set(orders.values()) == {1, 2}, "twelve seeds bring up too few orders", orders)
    expect(["race", "--kernel", labs["02"] / "solution.cu", "--threads", 4], 0, "4 threads", "atomic", "No update is lost: no two threads")
    expect(["race", "--kernel", labs["04"] / "solution.cu", "--schedule", "lockstep"], 0, "; lockstep\n", "private_histo[3]", "unset", "No update is lost")
    expect(["race", "--kernel", labs["01"] / "stub.cu"], 0, "No thread changed anything")
    expect(["race", "--kernel", labs["01"] / "solution.cu", "--enumerate"], 0, "as ", "solution.cu makes them", "load, store", "67 %")
    expect(["race", "--kernel", labs["02"] / "solution.cu", "--threads", 3, "--enumerate"], 0, "3 threads, 1 atomicAdd each", "100 %")
    expect(["race", "--kernel", labs["04"] / "solution.cu", "--enumerate"], 2, "cannot be counted: its threads use private_histo[3] and histo[3]")
    expect(["race", "--kernel", "01", "--threads", 5], 2, "2 to 4 threads")
    expect(["race", "--kernel", "none.cu"], 2, "no such file, and no such lab")
    expect(["race", "--kernel", "01", "--schedule", "alphabetical"], 2, 'there is no schedule "alphabetical"')
    expect(["race", "--schedule", "lockstep"], 2, "--schedule requires --kernel")
    expect(["race", "--kernel", "01", "--increments", 2], 2, "excludes")
    (folder / "broken.cu").write_text("__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) { oops }\n")
    expect(["race", "--kernel", "broken.cu"], 1, "broken.cu:1:", cwd=folder)


def pages(folder):
    """Lessons, hints, and `check` on a course in which one page was damaged."""
    for lab in sorted(path.parent for path in (SOURCE / "labs").glob("*/hints.md")):
        for arguments in (["lesson", lab.name], ["hint", lab.name], ["hint", lab.name, "2"], ["hint", lab.name, "3"]):
            said = expect(arguments, 0, "").stdout
            wide = [line for line in said.splitlines() if len(line) > 80 and " " in line.strip()]
            check(said and not wide, f"{arguments} is wider than 80 columns", *wide)
            check("{{" not in said and "**" not in said and "](" not in said, f"{arguments} shows marks that are no text", said[:400])
    expect(["lesson", "02"], 0, "Lab 02: atomicAdd\n=================\n")
    expect(["hint", "04"], 0, "A nudge\n-------\n", "histolab hint 04 2")
    expect(["hint", "04", 3], 0, "histolab solution 04")
    expect(["hint", "04", 4], 2, "hint")
    expect(["hint"], 2, "LAB")
    expect(["lesson", "77"], 2, 'there is no lab "77"')

    labs = folder / "labs"
    shutil.copytree(SOURCE / "labs", labs)
    shutil.copytree(SOURCE / "docs", folder / "docs")
    lesson = labs / "02-atomic-add" / "lesson.md"
    whole = lesson.read_text()
    wrong = whole.replace("0.12 %", "0.13 %")
    check(wrong != whole, "the lesson of lab 02 has no 0.12 % any more: choose another number for this test")
    lesson.write_text(wrong)
    line = wrong[: wrong.index("0.13 %")].count("\n") + 1
    expect(["--labs", labs, "check", "02", "--device", "emulator"], 1, f"02-atomic-add/lesson.md:{line}", "0.13 %", "0.12 %", "--write-lessons")
    expect(["--labs", labs, "check", "--write-lessons", "02"], 0, "lesson.md: written")
    check(lesson.read_text() == whole, "--write-lessons does not make the page that is kept")
    expect(["--labs", labs, "check", "--write-lessons", "01", "02"], 0, "lesson.md: as it was")
    expect(["--labs", labs, "check", "02", "--coverage", "--device", "emulator"], 0, "the course holds", "volatile-cure")
    expect(["check", "--write-lessons", "--coverage"], 2, "excludes")
    source = labs / "02-atomic-add" / "lesson.in.md"
    source.write_text(source.read_text() + "\n{{measured h200-lessons kernel=globl speed}}\n")
    expect(["--labs", labs, "check", "--write-lessons", "02"], 1, "lesson.in.md:", "kernel=globl; with the others there is")
    check(lesson.read_text() == whole, "a source that cannot be read changes the page")


def doctor(folder):
    """What is missing is told with what does not work so and the command that mends it; grading decides the exit code."""
    plain = {"PATH": str(folder), "HOME": str(folder), "TERM": "xterm", "LANG": "C.UTF-8"}

    def told(code, *fragments, **changed):
        env = {key: value for key, value in {**plain, **changed}.items() if value is not None}
        done = histolab("doctor", cwd=folder, env=env)
        check(done.returncode == code and not done.stderr, f"doctor {changed} ends with {done.returncode}", done.stdout, done.stderr)
        for fragment in fragments:
            check(fragment in " ".join(done.stdout.split()), f"doctor {changed} does not say {fragment!r}", done.stdout)
        wide = [line for line in done.stdout.splitlines() if len(line) > 80 and "to mend it:" not in line and " " in line[20:]]
        check(not wide, "doctor is wider than 80 columns", *wide)
        check("NO " in done.stdout if code == 2 else "NO " not in done.stdout, "the marks do not agree with the exit code", done.stdout)
        return done.stdout

    told(0, "this machine can grade every lab", "ok emulator runs a kernel", "no gdb `debug` has nothing to run a kernel under to mend it:", "apt-get install gdb",
         "no clangd", "apt-get install clangd", "ok terminal xterm, C.UTF-8")
    told(2, "/nowhere/at/all (TMPDIR) does not exist", "to mend it: unset TMPDIR", "not tried: see above", "cannot grade yet", TMPDIR="/nowhere/at/all")
    told(0, "TERM is not set", "export TERM=", TERM=None)
    told(0, "xterm, C letters that are not ASCII may look wrong to mend it: export LC_ALL=C.UTF-8", LANG="C")
    told(0, "xterm, de_DE.utf8", LANG="de_DE.utf8")
    other_compiler(folder, "#!/bin/sh\necho 9.4.0\n", "g++ 9.4.0, 12 or later is needed kernels are compiled by it to mend it:", "install g++-12")
    other_compiler(folder, "#!/bin/sh\nexit 1\n", "g++ does not start kernels are compiled by it to mend it:", "install --reinstall g++", "not tried: see above")
    done = subprocess.run(["sh", "-c", f"ulimit -v 300000; exec {PROGRAM} doctor"], cwd=folder, capture_output=True, text=True, timeout=60)
    check(done.returncode == 2 and "293 MiB allowed (ulimit -v)" in done.stdout and "to mend it: ulimit -v unlimited" in done.stdout, "a limit of memory", done.stdout, done.stderr)
    (folder / "gdb").write_text("#!/bin/sh\n")
    (folder / "gdb").chmod(0o755)
    told(0, f"debugger {folder}/gdb", PATH=f"/nowhere:{folder}")
    done = histolab("--labs", "/no/labs", "doctor", cwd=folder)
    check(done.returncode == 2 and "/no/labs is missing" in done.stdout, "doctor without labs", done.stdout)


def other_compiler(folder, script, *fragments):
    """The same where another program is called g++, in a view of the files that no other process has."""
    (folder / "g++").write_text(script)
    (folder / "g++").chmod(0o755)
    within = ["unshare", "--map-root-user", "--mount"] if os.geteuid() else ["unshare", "--mount"]
    if shutil.which("unshare") is None or subprocess.run([*within, "mount", "--bind", folder / "g++", "/usr/bin/g++"], capture_output=True).returncode != 0:
        return print("no mount namespaces here: doctor was not tried with another g++")
    done = subprocess.run([*within, "sh", "-c", f"mount --bind '{folder}/g++' $(readlink -f /usr/bin/g++) && exec {PROGRAM} doctor"], capture_output=True, text=True, timeout=60)
    check(done.returncode == 2, "doctor with another g++", done.stdout, done.stderr)
    for fragment in fragments:
        check(fragment in " ".join(done.stdout.split()), f"doctor with another g++ does not say {fragment!r}", done.stdout)


def in_folder(folder):
    expect(["--version"], 0, "histolab ")
    expect(["--help"], 0, "grade", "doctor", "Exit codes")
    expect(["run", "--help"], 0, "uniform-letters", "book", "hot:P")
    expect(["grad"], 2, 'there is no command "grad"; did you mean grade?')
    expect(["sing"], 2, 'there is no command "sing"')
    expect(["calibrate", "--device", "emulator"], 2, "gpu or gpu:N")
    expect(["calibrate", "--device", "gpu:many"], 2, "gpu or gpu:N")
    expect(["bench", "--device", "emulator"], 2, "gpu or gpu:N")
    expect(["bench", "--set", "few"], 2, "--set")
    if not pathlib.Path("/dev/nvidiactl").exists():
        expect(["calibrate"], 2, "histolab")  # not built, or no GPU: either way the next step is said
        expect(["bench", "--json", "bench.json"], 2, cwd=folder)
        check(not list(folder.iterdir()), "a bench that cannot begin leaves files", list(folder.iterdir()))
    expect(["model", "77"], 2, 'there is no lab "77"')
    expect(["model", "04", "--profile", "abacus"], 2, "there is no measured profile of abacus", "histolab calibrate")
    expect(["model", "04"], 0, "268435456 bytes of english", "bound by", "not a measurement")
    modelled = json.loads(expect(["model", "02", "--dataset", "constant", "--json"], 0).stdout)
    check(modelled["schema"] == "histolab/model/1" and modelled["bound_by"] == "atomics", "the model of constant data", modelled)
    spread = json.loads(expect(["model", "02", "--dataset", "uniform-letters", "--json"], 0).stdout)
    check(spread["modelled_ms"] < modelled["modelled_ms"] / 3, "seven bins contend less than one", spread, modelled)
    view(folder)
    coarsening = SOURCE / "labs" / "05-coarsening" / "solution.cu"
    expect(["run", "05", "--kernel", coarsening, "--export", "coarsening_factor"], 2, "write it as coarsening_factor=8")
    expect(["run", "05", "--kernel", coarsening, "--export", "factor=8"], 2, "the kernel exports no factor")
    coarse = json.loads(expect(["run", "05", "--kernel", coarsening, "--export", "coarsening_factor=4", "--length", "4096", "--json"], 0).stdout)
    check(coarse["grid"] == 4 and coarse["correct"], "a thread takes four elements", coarse["grid"])
    expect(["compare", "02"], 2, "name a second LAB or LAB=FILE, or --dataset A,B")
    expect(["compare", "02", "04", "--dataset", "book,english"], 2, "differ in two things")
    expect(["compare", "02", "--dataset", "book,english,bytes"], 2, "two datasets can be compared")
    expect(["compare", "02=", "04"], 2, "behind the = stands a file")
    expect(["compare", "02=none.cu", "04"], 2, "none.cu: there is no such file")
    expect(["compare", "02", "77"], 2, 'there is no lab "77"')
    expect(["compare", "02", "03", "04"], 2, "histolab compare --help")
    expect([], 2)
    expect(["test"], 2, "./histolab test")
    expect(["grade", "--fast"], 2, "--fast", "histolab grade --help")
    expect(["grade", "--seed", "-1"], 2, "--seed")
    expect(["grade", "77"], 2, 'there is no lab "77"')
    expect(["grade", "--format", "classroom50"], 2, "not set: CLASSROOM")
    expect(["grade", "--format", "yaml"], 2, 'there is no format "yaml"')
    for command in (["grade"], ["run", "02"], ["check"]):
        for device in ("cpu", "gpu:x", "gpu:", "gpu:-1", "GPU"):
            expect([*command, "--device", device], 2, f'there is no device "{device}"; known are auto, emulator, gpu and gpu:N')
    solution = SOURCE / "labs" / "02-atomic-add" / "solution.cu"
    for option in (["--schedule", "random"], ["--no-observer", "races"]):  # refused before anybody looks for a GPU
        expect(["run", "02", "--kernel", solution, "--device", "gpu", *option], 2, "are the emulator's")
    if not pathlib.Path("/dev/nvidiactl").exists():  # why, and what to do
        for command in (["grade", "02", "--solutions"], ["run", "02", "--kernel", solution], ["check", "02"]):
            said = expect([*command, "--device", "gpu"], 2, "--device emulator needs none").stderr
            check("there is no NVIDIA GPU here" in said or "./histolab setup cuda" in said, f"{command} does not say why there is no GPU", said)
    expect(["run", "02", "--kernel", solution, "--device", "emulator", "--length", 1000], 0, "no findings")
    expect(["grade", "02", "--solutions", "--submission", "x.cu"], 2, "exclude each other")
    # Kernels of a lab with several, told their bins; samples of 16 bits; data that begins askew.
    expect(["run", "10", "--length", 3000], 0, "histogram_bytes, mixed, 3 000 bytes", "256 bins", "right: 3 000 elements counted")
    samples = json.loads(expect(["run", "10", "--function", "histogram_samples", "--bins", 1000, "--length", 5000, "--json"], 0).stdout)
    check((samples["kernel_name"], samples["dataset"], samples["bins"], samples["correct"]) == ("histogram_samples", "sensor", 1000, True), "run --function --bins", samples)
    expect(["run", "10", "--function", "histogram"], 2, 'has no kernel "histogram"; it may be histogram_bytes or histogram_samples')
    expect(["run", "10", "--function", "histogram_samples", "--dataset", "english"], 2, "english")
    expect(["run", "02", "--bins", 9], 2, "--bins: histogram has 7 bins and no argument for another number")
    expect(["run", "07", "--bins", 26, "--length", 3000], 0, "26 bins", "right:")
    expect(["run", "09", "--offset", 13, "--length", 3001], 0, "data 13 bytes behind a boundary", "right:")
    expect(["run", "02", "--schedule", "alphabetical"], 2, 'there is no schedule "alphabetical"')
    expect(["run", "02", "--no-observer", "birds"], 2, 'there is no observer "birds"')
    expect(["run", "02", "--profile", "abacus"], 2, 'there is no profile "abacus"; it may be h200, h100, a100, rtx4090 or t4')
    expect(["run", "04", "--profile", "t4", "--shared", "100000", "--length", "1000"], 0, "a block has 65536 on this device (t4)")
    expect(["run", "02", "--block", "2000"], 2, "--block")
    expect(["run", "02", "--json", "--annotate"], 2, "--annotate")
    expect(["explain"], 2, "no lab is started here", cwd=folder)
    expect(["explain", "77"], 2, 'there is no lab "77"')

    expect(["race"], 0, "interleaving of seed 1", "update is lost", "scenario")
    expect(["race", "--seed", 5, "--threads", 3, "--increments", 2], 0, "3 threads, 2 increments each")
    expect(["race", "--scenario", 1], 0, "No update is lost")
    expect(["race", "--atomic", "--threads", 8], 0, "No update is lost")
    expect(["race", "--enumerate"], 0, "20", "6! / (3!)^2")
    expect(["race", "--enumerate", "--threads", 9], 2, "9 threads with 1 increment each have more than 2^53", "at most 7 threads")
    expect(["race", "--threads", 0], 2, "--threads")
    expect(["race", "--threads", 33], 2, "--threads")
    expect(["race", "--scenario", 5], 2, "--scenario")
    expect(["race", "--scenario", 3, "--threads", 2], 2, "--threads excludes --scenario")
    expect(["race", "--enumerate", "--seed", 3], 2, "--seed excludes --enumerate")
    traced = expect(["race", "--json", "trace.json"], 0, "interleaving of seed 1", cwd=folder)
    alone = expect(["race", "--json"], 0, cwd=folder)
    check((folder / "trace.json").read_text() == alone.stdout, "race --json FILE and race --json differ")
    check(alone.stdout == expect(["race", "--json", "-"], 0).stdout and "interleaving" in traced.stdout, "race --json - differs")
    expect(["race", "--json", "none/trace.json"], 2, "is not there", cwd=folder)
    race_of_a_kernel(folder)

    listed = json.loads(expect(["list", "--json"], 0).stdout)
    check([lab["number"] for lab in listed["labs"]] == sorted(lab["number"] for lab in listed["labs"]), "labs are not sorted")
    of_lab = {lab["lab"]: lab for lab in listed["labs"]}
    check(of_lab["01-race"]["bin_labels"] == ["a-d", "e-h", "i-l", "m-p", "q-t", "u-x", "y-z"], "the labels of lab 01's bins", of_lab["01-race"]["bin_labels"])
    for lab in listed["labs"]:
        roles = [kernel["role"] for kernel in lab["kernels"]]
        names = [kernel["name"] for kernel in lab["kernels"] if kernel["role"] == "attempt"]
        check(roles == ["stub", "solution"] + ["attempt"] * len(names) and names == sorted(names) and names, "the kernels of a lab", lab["kernels"])
        for kernel in lab["kernels"]:
            check(pathlib.Path(kernel["path"]).is_file(), "a kernel that is listed is not there", kernel)
    expect(["list"], 0, "02-atomic-add")
    check("\033" not in expect(["list"], 0).stdout, "colour without a terminal")
    expect(["solution", "atomic-add"], 0, "atomicAdd")

    done = expect(["grade", "01", "--format", "gcc", "--json", "gcc.json"], 1, "nothing to grade: histolab start 01-race puts the stub into work/", cwd=folder)
    check(done.stdout == "", "a lab without a file has a problem", done.stdout)
    # Without work/.
    done = expect(["grade"], 1, "not attempted", "histolab start", cwd=folder)
    report = json.loads((folder / "report.json").read_text())
    check(all(lab["status"] == "not_attempted" for lab in report["labs"]), "not all labs are not_attempted")
    check(all(len(line) <= 80 for line in done.stdout.splitlines()), "the table is wider than 80 columns", done.stdout)
    before = (folder / "report.json").read_bytes()

    # work/.
    expect(["start", "2"], 0, "work/02-atomic-add.cu", cwd=folder)
    mine = folder / "work" / "02-atomic-add.cu"
    listed = json.loads(expect(["list", "--json"], 0, cwd=folder).stdout)
    own = [kernel for lab in listed["labs"] for kernel in lab["kernels"] if kernel["role"] == "work"]
    check(own == [{"role": "work", "name": "work", "path": "work/02-atomic-add.cu"}], "a started lab's own kernel is listed", own)
    settings = folder / "work" / ".clangd"
    check(str(SOURCE) in settings.read_text(), "start does not tell clangd where the shim lies")
    check(".clangd" not in expect(["start", "2"], 0, cwd=folder).stdout, "start tells twice that it wrote work/.clangd")
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
    expect(["start"], 0, "stays as it is", cwd=folder)
    check(mine.read_text() == "mine\n", "start overwrote a student's file")
    expect(["reset", "02"], 0, "02-atomic-add.cu.~1~", cwd=folder)
    check((folder / "work" / "02-atomic-add.cu.~1~").read_text() == "mine\n", "reset lost a student's file")
    shutil.rmtree(folder / "work")

    # Submissions that are none.
    bad = folder / "bad.cu"
    refused = lambda text: expect(["grade", "02", "--submission", "bad.cu"], 2, "bad.cu: " + text, cwd=folder)
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
    expect(["grade", "--json", "none/report.json"], 2, "is not there", cwd=folder)
    expect(["grade", "--json", folder], 2, "is a folder", cwd=folder)
    full = histolab("grade", "--json", "/dev/full", cwd=folder)
    check(full.returncode == 2 and "the disk is full" in full.stderr, "a full disk is not told", full.stderr)
    with open("/dev/full", "w") as sink:
        done = subprocess.run([PROGRAM, "list"], stdout=sink, stderr=subprocess.PIPE, text=True)
        check(done.returncode == 2 and "disk is full" in done.stderr, "a full standard output is not told", done.stderr)
    check((folder / "report.json").read_bytes() == before, "a failed command changed report.json")
    check(not [path for path in folder.iterdir() if path.name.endswith(".tmp")], "a temporary file was left")

    # A folder of labs with a fault in it.
    labs = folder / "labs"
    shutil.copytree(SOURCE / "labs" / "02-atomic-add", labs / "02-atomic-add")
    expect(["--labs", labs, "list"], 0, "02-atomic-add")
    expect(["list", "--labs", labs], 0, "02-atomic-add")
    shutil.copytree(labs / "02-atomic-add", labs / "02-twin")
    expect(["--labs", labs, "list"], 2, "02-atomic-add and ", "02-twin have the same number")
    shutil.rmtree(labs / "02-twin")

    # A lab that does not prove itself.
    lab = labs / "02-atomic-add"
    for attempt in sorted((lab / "attempts").iterdir())[2:]:
        shutil.rmtree(attempt)
    kept = ", ".join(f"`{attempt.name}`" for attempt in (lab / "attempts").iterdir())
    (lab / "lesson.in.md").write_text("# A lesson\n")
    (lab / "instructor.md").write_text(f"## Misconceptions\n\n| people believe | attempts |\n|---|---|\n| a thing | {kept} |\n")
    expect(["--labs", labs, "check", "--write-lessons"], 0, "lesson.md: written")
    expect(["--labs", labs, "check"], 0, "the course holds: 1 lab, 2 attempts")
    right = (lab / "solution.cu").read_text()
    (lab / "solution.cu").write_text((lab / "stub.cu").read_text())
    expect(["--labs", labs, "check"], 1, "02-atomic-add: ", "solution.cu", "expected the verdict passed, got failed", "1 problem")
    (lab / "solution.cu").write_text(right)
    spec = lab / "lab.json"
    whole = spec.read_text()
    spec.write_text(whole.replace('"title"', 'title', 1))
    expect(["--labs", labs, "list"], 2, "lab.json:3:4: this is not JSON")
    spec.write_text(whole.replace('"max_score": 10', '"max_score": 9'))
    expect(["--labs", labs, "check"], 2, "/max_score: is 9, but the points of the checks add up to 10")
    shutil.rmtree(labs)


def interrupted(folder):
    """A signal at any moment: 128 + its number, nothing of the program left, no verdict, the old report as it was."""
    (folder / "work").mkdir()
    (folder / "work" / "02-atomic-add.cu").write_text(
        "#include <vector>\n"  # the compiler is at work long enough to be met
        "__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {\n"
        "  for (volatile unsigned int i = 0; i < 4000000000u;) i = i + 1;\n}\n")
    grade = ["grade", "02"]
    run = ["run", "02", "--dataset", "constant", "--length", 1 << 24]
    stopped(folder, grade, signal.SIGINT, when=child("cc1plus"))
    stopped(folder, grade, signal.SIGTERM, when=child("cc1plus"))
    stopped(folder, run, signal.SIGINT, when=child("histolab-worker"))
    stopped(folder, ["check", "--jobs", 8], signal.SIGINT, when=child("histolab-worker"))
    stopped(folder, ["grade", "--solutions", "--json", "-"], signal.SIGHUP, when=child("cc1plus"))
    # Nothing of a child here: data is made for seconds, in one piece.
    stopped(folder, ["run", "02", "--dataset", "english", "--length", 1 << 29], signal.SIGINT, when=lambda _: time.sleep(0.3) or True)
    # A file that appears and one that is replaced, at many moments: where the work is and where it goes from hand to hand.
    for step in range(30):
        stopped(folder, ["grade", "--solutions", "--jobs", 3, "--quick"], signal.SIGINT, may_end=True,
                when=lambda _: time.sleep(step * 0.02) or True)


def child(name):
    return lambda session: name in alive(session)


def stopped(folder, arguments, number, when, may_end=False, tries=5):
    """Sends the signal as soon as when(session) holds; `may_end`: the program may not have begun, or have done its work."""
    temporary = folder / "tmp"
    temporary.mkdir(exist_ok=True)
    report = folder / "report.json"
    report.write_text("old\n")
    program = subprocess.Popen([PROGRAM, *map(str, arguments)], cwd=folder, start_new_session=True, text=True,
                               env={**os.environ, "TMPDIR": str(temporary)}, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    deadline = time.monotonic() + 60
    while not when(program.pid) and program.poll() is None and time.monotonic() < deadline:
        time.sleep(0.002)
    program.send_signal(number)
    said = program.communicate(timeout=60)
    left = alive(program.pid)  # at once, because the program waits for what it kills
    where = f"histolab {arguments}, {signal.Signals(number).name}"
    check(not left, f"{where}: processes are left", left)
    check(not list(temporary.iterdir()), f"{where}: temporary files are left", list(temporary.iterdir()))
    check(not list(folder.glob(".*.tmp")), f"{where}: a half-written report is left")
    if program.returncode in (0, 1) and not may_end and tries > 1:
        return stopped(folder, arguments, number, when, tries=tries - 1)  # we were too late, on a busy machine
    if may_end and program.returncode in (0, 1):
        check(json.loads(report.read_text())["labs"], f"{where}: it ended before the signal, without a report")
        return
    if may_end and program.returncode == -number:  # it was not there yet
        check(report.read_text() == "old\n", f"{where}: report.json was touched")
        return
    check(program.returncode == 128 + number, f"{where}: ended with {program.returncode}", *said)
    check(said == ("", "histolab: interrupted\n") or may_end, f"{where}: it said something else", *said)
    check(report.read_text() == "old\n" or may_end and said[0], f"{where}: report.json was touched")


def full_disk(folder):
    """A report that the disk has no room for: the old one stays, nothing else is left behind."""
    script = """
        mount -t tmpfs -o size=16k tmpfs "$1" && cd "$1" && echo old > report.json && head -c 8192 /dev/zero > filler &&
        { said=$("$2" grade 2>&1 > /dev/null); echo "$?"; echo "$said"; ls -A; cat report.json; }"""
    done = subprocess.run(["unshare", "--user", "--map-root-user", "--mount", "sh", "-c", script, "sh", folder, PROGRAM],
                          capture_output=True, text=True)
    if "report.json" not in done.stdout:
        print("not tried: a full disk (no user namespace or no tmpfs here)")
        return
    code, message, *files, report = done.stdout.splitlines()
    check(code == "2" and "the disk is full" in message, "a full disk is not told", done.stdout)
    check(files == ["filler", "report.json"], "a temporary file was left on a full disk", done.stdout)
    check(report == "old", "a full disk cost the old report", done.stdout)


with tempfile.TemporaryDirectory(prefix="histolab test ") as name:
    in_folder(pathlib.Path(name))
with tempfile.TemporaryDirectory(prefix="histolab test ") as name:
    doctor(pathlib.Path(name))
with tempfile.TemporaryDirectory(prefix="histolab test ") as name:
    pages(pathlib.Path(name))
with tempfile.TemporaryDirectory(prefix="histolab test ") as name:
    full_disk(pathlib.Path(name))
with tempfile.TemporaryDirectory(prefix="histolab test ") as name:
    interrupted(pathlib.Path(name))
check.finish()
