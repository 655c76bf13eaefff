#!/usr/bin/env python3
"""`histolab batch --engine slurm` on a Slurm of its own: three nodes, all on 127.0.0.1.

    slurm_test.py            60 submissions to six labs, equal to the local engine; what a node lacks is told
    slurm_test.py --gpu      times on this machine's GPU, by tasks of the node that has it, and judged by others
    slurm_test.py --faults   instead: slurmd killed, a whole node killed, the batch killed, the controller restarted, tasks cancelled and suspended,
                             tasks held, nodes that lack something or cannot begin a task

Skipped where no Slurm can be started; with HISTOLAB_REQUIRE_SLURM=1 that is a failure.
"""
import json
import os
import pathlib
import random
import re
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time

from histolab_program import PROGRAM, SOURCE, Checks, skip
from pseudo_terminal import PseudoTerminal

from slurm_cluster import SlurmCluster, why_not

check = Checks()
LABS = ["01-race", "02-atomic-add", "03-interleaved", "04-privatization", "05-coarsening", "06-aggregation"]
NOBODY = 65534  # a user without rights
SEED = 20261124


def make_class(folder, students, labs):
    """Solutions, stubs and all that goes wrong, each a source of its own; some nothing, some no text."""
    for lab in labs:
        found = SOURCE / "labs" / lab
        texts = [path.read_text() for path in [found / "solution.cu", found / "stub.cu", *sorted(found.glob("attempts/*/kernel.cu"))]]
        for number in range(students):
            home = folder / f"student{number:03}"
            home.mkdir(parents=True, exist_ok=True)
            if number % 20 == 19 and lab == labs[0]:
                (home / f"{lab}.cu").write_bytes(b"\0\1\2")
            elif number % 20 != 18:
                (home / f"{lab}.cu").write_text(f"{texts[number % len(texts)]}\nnamespace {{ [[maybe_unused]] int own_{number}; }}\n")
    return folder


def told(out):
    """What a journal says, but for times and nodes."""
    with sqlite3.connect(f"file:{out}/journal.sqlite?mode=ro", uri=True) as journal:
        rows = journal.execute("SELECT work.student, work.lab, work.grading, work.sharing, result.status, result.score, result.report FROM work LEFT JOIN result ON result.student = work.student"
                               " AND result.lab = work.lab AND result.grading = work.grading ORDER BY 1, 2").fetchall()
        labs = journal.execute("SELECT name, title, max_score, stub, solution FROM lab ORDER BY position").fetchall()
        twice = journal.execute("SELECT count(*) FROM (SELECT student, lab FROM result GROUP BY student, lab HAVING count(*) > 1)").fetchone()[0]
    return rows, labs, twice


def nodes(out):
    with sqlite3.connect(f"file:{out}/journal.sqlite?mode=ro", uri=True) as journal:
        return {row[0] for row in journal.execute("SELECT DISTINCT node FROM result")}


def done(out):
    try:
        with sqlite3.connect(f"file:{out}/journal.sqlite?mode=ro", uri=True) as journal:
            return journal.execute("SELECT count(*) FROM result").fetchone()[0]
    except sqlite3.Error:
        return 0


def command(folder, labs, out, *more):
    return [str(word) for word in (PROGRAM, "batch", folder, *labs, "--out", out, "--seed", SEED, *more)]


def run(words, cluster=None, timeout=600):
    return subprocess.run(words, env=cluster.environment if cluster else None, capture_output=True, text=True, errors="replace", stdin=subprocess.DEVNULL, timeout=timeout, check=False)


def begin(words, cluster):
    return subprocess.Popen(words, env=cluster.environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True, errors="replace", start_new_session=True,
                            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))


def exported(out, form):
    return run([str(PROGRAM), "export", str(out), "--format", form]).stdout


def in_queue(cluster):
    return cluster.ask("squeue", "-h", "-r", "--all", "-o", "%i %T %N %r").stdout.split("\n")[:-1]


def wait(condition, what, seconds=120):
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            check(False, f"{what} within {seconds} s")
            return
        time.sleep(0.05)


class Case:
    """One class, graded here once; each scenario is to end with the same."""

    def __init__(self, scratch, cluster, name, students, labs, *more):
        self.scratch, self.cluster, self.labs, self.more = scratch, cluster, labs, more
        self.folder = make_class(scratch / f"class-{name}", students, labs)
        self.works = students * len(labs)
        local = scratch / f"local-{name}"
        begin_time = time.monotonic()
        here = run(command(self.folder, labs, local, "--jobs", 2))
        self.local_seconds = time.monotonic() - begin_time
        check(here.returncode == 1, "the local engine grades the class", here.stderr)
        self.code, self.output, self.expected, self.csv = here.returncode, here.stdout, told(local), exported(local, "csv")
        self.local = local

    def words(self, out, *more):
        return command(self.folder, self.labs, out, "--engine", "slurm", *self.more, *more)

    def equal(self, out, what):
        rows, labs, twice = told(out)
        different = [(mine[:2], mine[4:6], theirs[4:6]) for mine, theirs in zip(rows, self.expected[0]) if mine != theirs]
        check(rows == self.expected[0] and len(rows) == self.works, f"{what}: all {self.works} results are those of the local engine, to the byte", len(rows), different[:3])
        check(labs == self.expected[1], f"{what}: and what solutions came to")
        check(twice == 0, f"{what}: and nothing is there twice", twice)
        check(exported(out, "csv") == self.csv, f"{what}: and the exports are the same")
        check(not (out / "slurm").exists(), f"{what}: nothing of the tasks is left")


def check_whole_class(case):
    out = case.scratch / "out-whole"
    begin_time = time.monotonic()
    graded = run(case.words(out), case.cluster)
    seconds = time.monotonic() - begin_time
    check(graded.returncode == case.code, "the class is graded", graded.returncode, graded.stderr)
    check(graded.stdout == case.output.replace(str(case.local), str(out)), "and told as the local engine tells it", graded.stdout)
    case.equal(out, "undisturbed")
    check(len(nodes(out) - {""}) == 3, "on all three nodes", nodes(out))
    summary = re.search(r"(\d+) tasks on 3 nodes; \d+ % of their .* was grading, .* to begin", graded.stderr)
    check(summary is not None, "and how much of the tasks' time was grading is told", graded.stderr)
    check(in_queue(case.cluster) == [], "no task is left", in_queue(case.cluster))
    print(f"{case.works} works: {seconds:.1f} s in tasks, {case.local_seconds:.1f} s here; {summary.group(0) if summary else ''}")
    again = run(case.words(out, "--resume"), case.cluster)
    check(again.returncode == case.code and again.stdout == graded.stdout, "--resume of what is finished changes nothing", again.stderr)
    check(run(command(case.folder, case.labs, out, "--resume")).stdout == graded.stdout, "nor does the local engine's")


def check_words(case):
    environment = {**os.environ, "PATH": "/nowhere"}
    missing = subprocess.run(case.words(case.scratch / "out-no-slurm"), env=environment, capture_output=True, text=True, check=False)
    check(missing.returncode == 2 and "sbatch is not on this machine" in missing.stderr and "--engine local" in missing.stderr, "where there is no Slurm it says so", missing.stderr)
    check(not (case.scratch / "out-no-slurm").exists(), "and makes nothing")
    typo = run([str(PROGRAM), "batch", "--cancel", str(case.scratch / "no-such-folder")], case.cluster)
    check(typo.returncode == 2 and "no such folder" in typo.stderr, "nor is a typing error taken for a batch", typo.stderr)
    for more, words in ((["--device", "auto"], "--device gpu or --device emulator"), (["--timing-partition", "last"], "add --device gpu"), (["--sbatch-args", "--array=0-9%2"], "--max-tasks"), (["--sbatch-args", "--constraint=a|b"], "'a|b'"),
                        (["--sbatch-args", "--qos=$(id)"], "no command is run")):
        wrong = run(case.words(case.scratch / "out-wrong", *more), case.cluster)
        check(wrong.returncode == 2 and words in wrong.stderr, f"{more} is explained", wrong.stderr)
    local = run(command(case.folder, case.labs, case.scratch / "out-wrong", "--partition", "cpu"))
    check(local.returncode == 2 and "--partition is for --engine slurm" in local.stderr, "options of Slurm are for Slurm", local.stderr)
    partition = run(case.words(case.scratch / "out-partition", "--partition", "nowhere"), case.cluster)
    check(partition.returncode == 2 and "Invalid partition name" in partition.stderr, "what Slurm does not take is told in its words", partition.stderr)
    with sqlite3.connect(f"file:{case.scratch}/out-partition/journal.sqlite?mode=ro", uri=True) as journal:
        seed = journal.execute("SELECT value FROM meta WHERE name = 'seed'").fetchone()
    check(seed == (str(SEED),), "and --resume will go on with the seed", seed)
    nothing = run([str(PROGRAM), "batch", "--cancel", str(case.local)], case.cluster)
    check(nothing.returncode == 2 and "none of its tasks" in nothing.stderr, "--cancel of nothing says so", nothing.stderr)


def check_solution_handed_in(scratch, cluster):
    """Whoever hands in the solution gets what it is worth without the quiz: that of the kit counts as answered."""
    folder, lab = scratch / "class-solution", "12-bug-hunt"
    (folder / "ada").mkdir(parents=True)
    (folder / "ada" / f"{lab}.cu").write_bytes((SOURCE / "labs" / lab / "solution.cu").read_bytes())
    run(command(folder, [lab], scratch / "solution-local"))
    run(command(folder, [lab], scratch / "solution-slurm", "--engine", "slurm"), cluster)
    here, there = told(scratch / "solution-local"), told(scratch / "solution-slurm")
    check(here[0] == there[0] and here[0][0][4] == "failed", "the solution handed in is worth what the local engine gives", here[0][0][4:6], there[0][0][4:6])


def check_ordinary_user(scratch, cluster):
    """Whoever is not root, in a partition that squeue hides, and with a profile that makes squeue and scancel show and end less."""
    folder, home = make_class(scratch / "class-ordinary", 3, LABS[:1]), scratch / "ordinary"
    home.mkdir()
    for path in (scratch, cluster.folder):
        path.chmod(0o755)
    os.chown(home, NOBODY, NOBODY)
    environment = {**cluster.environment, "HOME": str(home), "TMPDIR": str(home), "SQUEUE_PARTITION": "last", "SCANCEL_PARTITION": "last"}
    installed = scratch / "installed"  # this checkout may lie where nobody but root can read
    subprocess.run(["cmake", "--install", PROGRAM.parent.parent, "--prefix", installed], stdout=subprocess.DEVNULL, check=True)

    def users(words):
        return ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups", installed / "bin" / "histolab", *map(str, words[1:])]

    def as_user(words):
        return subprocess.run(users(words), env=environment, capture_output=True, text=True, timeout=300, check=False)

    local = as_user(command(folder, LABS[:1], home / "local"))
    out = home / "out"
    words = command(folder, LABS[:1], out, "--engine", "slurm", "--partition", "hidden", "--chunk", 1)
    graded = as_user(words)
    check(graded.returncode == local.returncode == 1, "an ordinary user's class is graded", local.stderr, graded.stderr)
    check(graded.stdout == local.stdout.replace(str(home / "local"), str(out)), "as on one machine", graded.stdout, local.stdout)
    check("submitted again" not in graded.stderr and "never told" not in graded.stderr, "each task once", graded.stderr)
    # What waits in a hidden partition can be cancelled. All processors are somebody else's.
    blocker = cluster.ask("sbatch", "--parsable", "--partition=hidden", "--exclusive", f"--array=0-{len(cluster.names) - 1}", "--output=/dev/null", "--chdir=/", "--wrap", "sleep 300").stdout.strip()
    wait(lambda: sum(" RUNNING " in line for line in in_queue(cluster)) == len(cluster.names), "other jobs")
    later = home / "later"
    waits = subprocess.Popen(users(command(folder, LABS[:1], later, "--engine", "slurm", "--partition", "hidden")), env=environment,
                             stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    wait(lambda: any(" PENDING " in line for line in in_queue(cluster)) or waits.poll() is not None, "a task that waits")
    cancelled = as_user([PROGRAM, "batch", "--cancel", later])
    check(cancelled.returncode == 0, "and --cancel works there", cancelled.stderr)
    wait(lambda: not any(" PENDING " in line for line in in_queue(cluster)), "the end of what waits")
    errors = waits.communicate(timeout=60)[1]
    check(waits.returncode == 2 and "cancelled" in errors, "the batch says so", waits.returncode, errors)
    cluster.ask("scancel", blocker)
    wait(lambda: in_queue(cluster) == [], "an empty queue")


def check_suspended(case):
    """A suspended job stands still with all its processes: no verdict comes of that, though every limit of wall-clock time is long over."""
    out = case.scratch / "out-suspended"
    job = begin(case.words(out), case.cluster)
    wait(lambda: done(out) >= 3 or job.poll() is not None, "some results")
    running = [line.split()[0] for line in in_queue(case.cluster) if " RUNNING " in line]
    for task in running:
        case.cluster.ask("scontrol", "suspend", task)
    check(len(running) > 0 and any(" SUSPENDED " in line for line in in_queue(case.cluster)), "tasks are suspended", running, in_queue(case.cluster))
    time.sleep(75)
    for task in running:
        case.cluster.ask("scontrol", "resume", task)
    output, errors = job.communicate(timeout=400)
    check(job.returncode == case.code, "suspended: the class is graded", job.returncode, errors, output)
    case.equal(out, "suspended")


def check_lacks(scratch, case):
    """A node on which something is missing: the first task finds it, and one message tells all of it."""
    programs, labs, out = scratch / "other-programs", scratch / "other-labs", scratch / "lacks"
    subprocess.run(["cp", "-r", PROGRAM.parent, programs], check=True)
    with open(programs / "histolab-worker", "ab") as file:
        file.write(b"x")
    subprocess.run(["cp", "-r", SOURCE / "labs", labs], check=True)
    with open(labs / "02-atomic-add" / "solution.cu", "a", encoding="ascii") as file:
        file.write("// another\n")
    lacking = {
        "the spool": (f"mount -t tmpfs none {out};", {}, "has no folder", "share"),
        "rights": (f"mount --bind {out} {out} && mount -o remount,ro,bind {out};", {}, "may not write", "rights"),
        "the program": (f"mount -t tmpfs none {PROGRAM.parent};", {}, "has no program", "Build or install"),
        "the same program": (f"mount --bind {programs} {PROGRAM.parent};", {}, "is not that of the machine that submits", "same files"),
        "the same labs": (f"mount --bind {labs} {SOURCE / 'labs'};", {}, "its labs in", "02-atomic-add differs"),
        "a sandbox": ("", {"HISTOLAB_SANDBOX": "none"}, "confines a kernel by nothing but limits", "--unsafe"),
    }
    for what, (before, environment, *words) in lacking.items():
        out.mkdir(exist_ok=True)
        with SlurmCluster(scratch / f"lacks-{what.replace(' ', '-')}", nodes=1, before=before) as cluster:
            cluster.environment.update(environment)
            begin_time = time.monotonic()
            lacks = run(case.words(out / "results"), cluster)
            seconds = time.monotonic() - begin_time
            check(lacks.returncode == 2 and all(word in lacks.stderr for word in ("the cluster cannot grade", "node1", "Nothing of the class was submitted", *words)), f"a node without {what} is told of", lacks.returncode, lacks.stderr)
            check(len(cluster.ask("squeue", "-h", "-r", "-t", "all").stdout.splitlines()) == 1, f"a node without {what}: one task was enough")
            print(f"without {what}: told after {seconds:.1f} s")
        subprocess.run(["rm", "-rf", out], check=True)


def check_one_bad_node(scratch, case):
    """A node with a lesser sandbox than the one that was tried first: it is left out, and the class is graded by the other."""
    with SlurmCluster(scratch / "one-bad", nodes=2, later=["node2"]) as cluster:
        case.cluster = cluster
        out = scratch / "out-one-bad"
        job = begin(case.words(out), cluster)
        wait(lambda: (out / "slurm" / "probe.json").exists() or job.poll() is not None, "a probe")
        cluster.start_node("node2", before="mount --bind /dev/null /usr/bin/bwrap;")
        output, errors = job.communicate(timeout=300)
        check(job.returncode == case.code, "with one bad node the class is graded", job.returncode, errors, output)
        check("node2 cannot grade and is left out" in errors and "sandbox" in errors, "and the node is named", errors)
        check(nodes(out) == {"node1"}, "the others did it", nodes(out))
        case.equal(out, "one bad node")


def check_bad_prolog(scratch, case):
    """A node that Slurm cannot begin a task on: Slurm holds such tasks for ever, and the batch submits their works again."""
    bad = scratch / "prolog-fails"
    with SlurmCluster(scratch / "bad-prolog", nodes=2, prolog=f'[ "$SLURMD_NODENAME" != node2 ] || [ ! -e {bad} ]') as cluster:
        case.cluster = cluster
        out = scratch / "out-bad-prolog"
        job = begin(case.words(out), cluster)
        wait(lambda: (out / "slurm" / "probe.json").exists() or job.poll() is not None, "a probe")
        bad.touch()
        wait(lambda: any("launch failed" in line for line in in_queue(cluster)) or job.poll() is not None, "a task that cannot begin")
        check(job.poll() is None, "a task could not begin")
        output, errors = job.communicate(timeout=300)
        check(job.returncode == case.code and "submitted again" in errors, "with a prolog that fails the class is graded", job.returncode, errors, output)
        check(in_queue(cluster) == [], "and no held task is left", in_queue(cluster))
        case.equal(out, "bad prolog")


def check_held(case):
    out = case.scratch / "out-held"
    job = begin(case.words(out), case.cluster)
    wait(lambda: done(out) >= 3 or job.poll() is not None, "some results")
    waiting = [line.split()[0] for line in in_queue(case.cluster) if " PENDING " in line]
    case.cluster.ask("scontrol", "hold", *waiting)
    check(any("JobHeld" in line for line in in_queue(case.cluster)), "tasks are held", in_queue(case.cluster))
    time.sleep(20)
    case.cluster.ask("scontrol", "release", *waiting)
    output, errors = job.communicate(timeout=300)
    check(job.returncode == case.code, "held: the class is graded", job.returncode, errors, output)
    check(errors.count("cannot begin until somebody changes that") == 1 and "JobHeld" in errors, "and that tasks are held was told", errors)
    case.equal(out, "held")


def check_killed(case, what, fault, *, moment):
    """`fault` while so many results are there."""
    out = case.scratch / f"out-{what.replace(' ', '-')}"
    job = begin(case.words(out), case.cluster)
    wait(lambda: done(out) >= moment or job.poll() is not None, f"{what}: some results")
    before = time.monotonic()
    check(job.poll() is None and any(" RUNNING " in line for line in in_queue(case.cluster)), f"{what}: in the middle", in_queue(case.cluster))
    fault()
    output, errors = job.communicate(timeout=400)
    print(f"{what}: {time.monotonic() - before:.1f} s to the end")
    check(job.returncode == case.code, f"{what}: the class is graded", job.returncode, errors, output)
    case.equal(out, what)


def check_node_faults(case):
    cluster = case.cluster

    def busy():
        """A node on which a task of this class runs."""
        return next(line.split()[2] for line in in_queue(cluster) if " RUNNING " in line)

    killed = []

    def kill_daemon():
        killed.append(busy())
        cluster.kill_daemon(killed[-1])

    def kill_node():
        killed.append(busy())
        cluster.kill_node(killed[-1])

    def restart_controller():
        cluster.stop_controller()
        time.sleep(3)
        cluster.start_controller()

    check_killed(case, "slurmd killed", kill_daemon, moment=case.works // 5)
    cluster.kill_node(killed[-1])
    cluster.start_node(killed[-1])
    cluster.wait_for_nodes(cluster.names)
    check_killed(case, "node killed", kill_node, moment=case.works // 5)
    cluster.start_node(killed[-1])
    cluster.wait_for_nodes(cluster.names)
    check_killed(case, "controller restarted", restart_controller, moment=case.works // 5)


def check_batch_killed(case):
    generator = random.Random(SEED)
    for number in range(3):
        out = case.scratch / f"out-killed-{number}"
        job = begin(case.words(out), case.cluster)
        moment = [1, case.works // 3, generator.randrange(case.works)][number]
        wait(lambda: done(out) >= moment or job.poll() is not None, "some results")
        job.kill()
        job.communicate()
        before = {row[:2]: row for row in told(out)[0] if row[4] is not None}
        time.sleep(generator.uniform(0, 4))
        resumed = run(case.words(out, "--resume"), case.cluster)
        check(resumed.returncode == case.code, f"killed at {moment}: --resume grades the rest", resumed.stderr)
        case.equal(out, f"the batch killed at {moment}")
        check(all(before[row[:2]] == row for row in told(out)[0] if row[:2] in before), f"killed at {moment}: nothing that was there has changed")
    # Before the first result, and with tasks that go on alone.
    out = case.scratch / "out-left-alone"
    job = begin(case.words(out), case.cluster)
    wait(lambda: list((out / "slurm" / "arrays").glob("2.json")) or job.poll() is not None, "the class's array")
    job.kill()
    job.communicate()
    wait(lambda: in_queue(case.cluster) == [], "the tasks' own end")
    resumed = run(case.words(out, "--resume"), case.cluster)
    check(resumed.returncode == case.code, "tasks that ended while nobody watched are taken up", resumed.stderr)
    case.equal(out, "left alone")


def check_interrupt(case):
    """Ctrl-C at a terminal asks; without one it leaves the tasks."""
    for answer, left in (("c\r", False), ("\r", True)):
        out = case.scratch / f"out-interrupted-{'left' if left else 'cancelled'}"
        terminal = PseudoTerminal(case.words(out), cwd=case.scratch, env=case.cluster.environment)
        terminal.wait_for(r"\d+ of \d+: ")
        terminal.press("\x03")
        terminal.wait_for("leave them there")
        terminal.press(answer)
        code, text = terminal.wait(60), terminal.output
        check(code == 130, "Ctrl-C ends it with 130", code, text)
        check("--resume" in text and ("--cancel" in text if left else "cancelled" in text), "and says how to go on", text)
        if not left:
            wait(lambda: in_queue(case.cluster) == [], "the tasks' end")
        resumed = run(case.words(out, "--resume"), case.cluster)
        check(resumed.returncode == case.code, "--resume goes on", resumed.stderr)
        case.equal(out, f"interrupted, answer {answer!r}")


def check_cancel(case):
    out = case.scratch / "out-cancelled"
    job = begin(case.words(out), case.cluster)
    wait(lambda: done(out) >= 3 or job.poll() is not None, "some results")
    cancelled = run([str(PROGRAM), "batch", "--cancel", str(out)], case.cluster)
    check(cancelled.returncode == 0 and "--resume" in cancelled.stderr, "--cancel says what it did", cancelled.stderr)
    output, errors = job.communicate(timeout=60)
    check(job.returncode == 2 and "was cancelled" in errors and output == "", "the batch that watches ends", job.returncode, errors)
    wait(lambda: in_queue(case.cluster) == [], "the tasks' end")
    resumed = run(case.words(out, "--resume"), case.cluster)
    check(resumed.returncode == case.code, "--resume goes on after --cancel", resumed.stderr)
    case.equal(out, "cancelled")
    # By somebody else: not submitted again, and told.
    out = case.scratch / "out-scancel"
    job = begin(case.words(out), case.cluster)
    wait(lambda: done(out) >= 3 or job.poll() is not None, "some results")
    case.cluster.ask("scancel", "--user=root")
    output, errors = job.communicate(timeout=120)
    check(job.returncode == 2 and "somebody cancelled" in errors, "scancel by somebody is respected", job.returncode, errors)
    resumed = run(case.words(out, "--resume"), case.cluster)
    check(resumed.returncode == case.code, "--resume submits them again", resumed.stderr)
    case.equal(out, "scancel")


def without_times(report):
    """Of a lab's report what two runs on one GPU have in common: everything but what was measured, and the numbers in what is said of it. Each
    run times other data, so that how many launches of a wrong kernel are right is a measurement, too."""
    report = json.loads(report)
    for timed in report["timed_cases"]:
        for key in ("timing", "throughput", "rivals", "mismatches", "launches", "right_launches"):
            timed.pop(key)
    for each in report["checks"]:
        each["message"] = re.sub(r"[\d.]+", "#", each["message"])
    return report


def differences(mine, theirs, at=""):
    if isinstance(mine, dict) and isinstance(theirs, dict):
        return [line for key in {**mine, **theirs} for line in differences(mine.get(key), theirs.get(key), f"{at}/{key}")]
    if isinstance(mine, list) and isinstance(theirs, list) and len(mine) == len(theirs):
        return [line for number, pair in enumerate(zip(mine, theirs)) for line in differences(*pair, f"{at}/{number}")]
    return [] if mine == theirs else [f"{at}: {mine!r}, here {theirs!r}"]


def check_gpu(scratch):
    """The same class by the local engine, by tasks that do all on the node with the GPU, and by tasks of which only those that time are there."""
    labs = ["02-atomic-add", "05-coarsening", "06-aggregation", "08-register-privatization"]
    with SlurmCluster(scratch / "cluster-gpu", nodes=2, gpu=True) as cluster:
        folder = make_class(scratch / "class-gpu", 7, labs)
        local = scratch / "local-gpu"
        begin_time = time.monotonic()
        here = run(command(folder, labs, local, "--device", "gpu"))
        print(f"local: {time.monotonic() - begin_time:.1f} s")
        check(here.returncode == 1, "the local engine times the class", here.stderr)
        expected = told(local)[0]
        for name, more in (("together", ["--partition", "last", "--gres", "gpu:1"]), ("apart", ["--partition", "cpu", "--timing-partition", "last", "--gres", "gpu:1"])):
            out = scratch / f"out-gpu-{name}"
            begin_time = time.monotonic()
            graded = run(command(folder, labs, out, "--engine", "slurm", "--device", "gpu", *more), cluster)
            print(f"{name}: {time.monotonic() - begin_time:.1f} s;", graded.stderr.strip().splitlines()[-1])
            check(graded.returncode == here.returncode, f"{name}: graded", graded.returncode, graded.stderr)
            rows = told(out)[0]
            for mine, theirs in zip(rows, expected):
                if theirs[6] is None or mine[6] is None:
                    check(False, f"{name}: every work has a result", mine[:2])
                    continue
                different = differences(without_times(mine[6]), without_times(theirs[6]))
                check(different == [], f"{name}: {mine[:2]}: the same but for times", *different)
            devices = {timed["device"] for row in rows for timed in json.loads(row[6])["timed_cases"]}
            check(len(devices) == 1 and all(timed["measured"] for row in rows for timed in json.loads(row[6])["timed_cases"]), f"{name}: each time tells its device, and is measured", devices)
            with sqlite3.connect(f"file:{out}/journal.sqlite?mode=ro", uri=True) as journal:
                meta = dict(journal.execute("SELECT name, value FROM meta"))
            check(next(iter(devices)) in meta["gpu_name"], f"{name}: the class's report names the GPU", meta)
            print(f"{name}: {len(rows)} works on {sorted(nodes(out))}, times of {devices}, the class's {meta['gpu_name']!r}")


def main():
    why = why_not()
    if why:
        if os.environ.get("HISTOLAB_REQUIRE_SLURM"):
            print("FAILED: no Slurm can be started here:", why)
            sys.exit(1)
        skip(why)
    faults = "--faults" in sys.argv[1:]
    with tempfile.TemporaryDirectory(prefix="histolab-slurm-") as folder:
        scratch = pathlib.Path(folder)
        if "--gpu" in sys.argv[1:]:
            check_gpu(scratch)
            check.finish()
        cluster = SlurmCluster(scratch / "cluster")
        with cluster:
            if faults:
                small = Case(scratch, cluster, "small", 20, LABS[:3], "--chunk", 3)
                check_batch_killed(small)
                check_interrupt(small)
                check_cancel(small)
                check_suspended(small)
                check_held(small)
                check_node_faults(small)
            else:
                check_whole_class(Case(scratch, cluster, "whole", 60, LABS, "--chunk", 25))
        if faults:
            check_lacks(scratch, small)
            check_one_bad_node(scratch, small)
            check_bad_prolog(scratch, small)
        else:
            tiny = Case(scratch, cluster, "tiny", 2, LABS[:1])
            with SlurmCluster(scratch / "cluster-words", nodes=1) as one:
                tiny.cluster = one
                check_solution_handed_in(scratch, one)
                check_ordinary_user(scratch, one)
                check_words(tiny)
        check(cluster.leftovers() == [], "nothing of the cluster is left", cluster.leftovers())
    check.finish()


if __name__ == "__main__":
    main()
