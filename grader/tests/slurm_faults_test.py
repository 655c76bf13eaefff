#!/usr/bin/env python3
"""`histolab batch --engine slurm` under faults: slurmd killed, a whole node killed, the batch
killed, the controller restarted, tasks cancelled, suspended and held, nodes that lack something or
cannot begin a task. The results must always equal those without faults.

Skipped if no Slurm can be started; with HISTOLAB_REQUIRE_SLURM=1 it fails instead.
"""
import random
import subprocess
import time

from histolab_program import PATIENCE, PROGRAM, SOURCE, temporary_folder
from pseudo_terminal import PseudoTerminal
from slurm_class import (LABS, SEED, Case, begin, check, done, in_queue, need_slurm, nodes, run,
                         told, wait)
from slurm_cluster import SlurmCluster


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
        check(resumed.returncode == case.code, f"killed at {moment}: --resume grades the rest",
              resumed.stderr)
        case.equal(out, f"the batch killed at {moment}")
        check(all(before[row[:2]] == row for row in told(out)[0] if row[:2] in before),
              f"killed at {moment}: nothing that was there has changed")
    # Before the first result, and with tasks that keep running on their own.
    out = case.scratch / "out-left-alone"
    job = begin(case.words(out), case.cluster)
    wait(lambda: list((out / "slurm" / "arrays").glob("2.json")) or job.poll() is not None,
         "the class's array")
    job.kill()
    job.communicate()
    wait(lambda: in_queue(case.cluster) == [], "the tasks' own end")
    resumed = run(case.words(out, "--resume"), case.cluster)
    check(resumed.returncode == case.code, "tasks that ended while nobody watched are taken up",
          resumed.stderr)
    case.equal(out, "left alone")


def check_interrupt(case):
    """Ctrl-C on a terminal asks; without a terminal the tasks are kept."""
    for answer, left in (("c\r", False), ("\r", True)):
        out = case.scratch / f"out-interrupted-{'left' if left else 'cancelled'}"
        terminal = PseudoTerminal(case.words(out), cwd=case.scratch, env=case.cluster.environment)
        terminal.wait_for(r"\d+ of \d+: ")
        terminal.press("\x03")
        terminal.wait_for("leave them there")
        terminal.press(answer)
        code, text = terminal.wait(), terminal.output
        check(code == 130, "Ctrl-C ends it with 130", code, text)
        check("--resume" in text and ("--cancel" in text if left else "cancelled" in text),
              "and says how to go on", text)
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
    check(cancelled.returncode == 0 and "--resume" in cancelled.stderr, "--cancel says what it did",
          cancelled.stderr)
    output, errors = job.communicate(timeout=PATIENCE)
    check(job.returncode == 2 and "was cancelled" in errors and output == "",
          "the batch that watches ends", job.returncode, errors)
    wait(lambda: in_queue(case.cluster) == [], "the tasks' end")
    resumed = run(case.words(out, "--resume"), case.cluster)
    check(resumed.returncode == case.code, "--resume goes on after --cancel", resumed.stderr)
    case.equal(out, "cancelled")
    # Cancelled by another user: not submitted again, and reported.
    out = case.scratch / "out-scancel"
    job = begin(case.words(out), case.cluster)
    wait(lambda: done(out) >= 3 or job.poll() is not None, "some results")
    case.cluster.ask("scancel", "--user=root")
    output, errors = job.communicate(timeout=PATIENCE)
    check(job.returncode == 2 and "were cancelled with scancel" in errors,
          "scancel by somebody is respected", job.returncode, errors)
    resumed = run(case.words(out, "--resume"), case.cluster)
    check(resumed.returncode == case.code, "--resume submits them again", resumed.stderr)
    case.equal(out, "scancel")


def check_suspended(case):
    """A suspended job stops with all its processes. That leads to no verdict, although every
    wall-clock limit has passed."""
    out = case.scratch / "out-suspended"
    job = begin(case.words(out), case.cluster)
    wait(lambda: done(out) >= 3 or job.poll() is not None, "some results")
    running = [line.split()[0] for line in in_queue(case.cluster) if " RUNNING " in line]
    for task in running:
        case.cluster.ask("scontrol", "suspend", task)
    check(len(running) > 0 and any(" SUSPENDED " in line for line in in_queue(case.cluster)),
          "tasks are suspended", running, in_queue(case.cluster))
    time.sleep(75)
    for task in running:
        case.cluster.ask("scontrol", "resume", task)
    output, errors = job.communicate(timeout=PATIENCE)
    check(job.returncode == case.code, "suspended: the class is graded", job.returncode, errors,
          output)
    case.equal(out, "suspended")


def check_held(case):
    out = case.scratch / "out-held"
    job = begin(case.words(out), case.cluster)
    wait(lambda: done(out) >= 3 or job.poll() is not None, "some results")
    waiting = [line.split()[0] for line in in_queue(case.cluster) if " PENDING " in line]
    case.cluster.ask("scontrol", "hold", *waiting)
    check(any("JobHeld" in line for line in in_queue(case.cluster)), "tasks are held",
          in_queue(case.cluster))
    time.sleep(20)
    case.cluster.ask("scontrol", "release", *waiting)
    output, errors = job.communicate(timeout=PATIENCE)
    check(job.returncode == case.code, "held: the class is graded", job.returncode, errors, output)
    reported = errors.count("cannot start without your action") == 1 and "JobHeld" in errors
    check(reported, "and the held tasks were reported", errors)
    case.equal(out, "held")


def check_killed(case, what, fault, *, moment):
    """Injects `fault` when that many results exist."""
    out = case.scratch / f"out-{what.replace(' ', '-')}"
    job = begin(case.words(out), case.cluster)
    wait(lambda: done(out) >= moment or job.poll() is not None, f"{what}: some results")
    before = time.monotonic()
    check(job.poll() is None and any(" RUNNING " in line for line in in_queue(case.cluster)),
          f"{what}: in the middle", in_queue(case.cluster))
    fault()
    output, errors = job.communicate(timeout=PATIENCE)
    print(f"{what}: {time.monotonic() - before:.1f} s to the end")
    check(job.returncode == case.code, f"{what}: the class is graded", job.returncode, errors,
          output)
    case.equal(out, what)


def check_node_faults(case):
    cluster = case.cluster

    def busy():
        """A node that runs a task of this class."""
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


def check_lacks(scratch, case):
    """A node with missing parts: the first task detects them, and one message lists all of them."""
    programs, labs, out = scratch / "other-programs", scratch / "other-labs", scratch / "lacks"
    subprocess.run(["cp", "-r", PROGRAM.parent, programs], check=True)
    with open(programs / "histolab-worker", "ab") as file:
        file.write(b"x")
    subprocess.run(["cp", "-r", SOURCE / "labs", labs], check=True)
    with open(labs / "02-atomic-add" / "solution.cu", "a", encoding="ascii") as file:
        file.write("// another\n")
    lacking = {
        "the spool": (f"mount -t tmpfs none {out};", {}, "has no folder", "share"),
        "rights": (f"mount --bind {out} {out} && mount -o remount,ro,bind {out};", {},
                   "may not write", "rights"),
        "the program": (f"mount -t tmpfs none {PROGRAM.parent};", {}, "has no program",
                        "Build or install"),
        "the same program": (f"mount --bind {programs} {PROGRAM.parent};", {},
                             "is not that of the machine that submits", "same files"),
        "the same labs": (f"mount --bind {labs} {SOURCE / 'labs'};", {}, "its labs in",
                          "02-atomic-add differs"),
        "a sandbox": ("", {"HISTOLAB_SANDBOX": "none"}, "confines kernels only by limits",
                      "--unsafe"),
    }
    for what, (before, environment, *words) in lacking.items():
        out.mkdir(exist_ok=True)
        with SlurmCluster(scratch / f"lacks-{what.replace(' ', '-')}", nodes=1,
                          before=before) as cluster:
            cluster.environment.update(environment)
            begin_time = time.monotonic()
            lacks = run(case.words(out / "results"), cluster)
            seconds = time.monotonic() - begin_time
            check(lacks.returncode == 2 and
                  all(word in lacks.stderr
                      for word in ("the cluster cannot grade", "node1",
                                   "Nothing of the class was submitted", *words)),
                  f"a node without {what} is told of", lacks.returncode, lacks.stderr)
            check(len(cluster.ask("squeue", "-h", "-r", "-t", "all").stdout.splitlines()) == 1,
                  f"a node without {what}: one task was enough")
            print(f"without {what}: told after {seconds:.1f} s")
        subprocess.run(["rm", "-rf", out], check=True)


def check_no_fit(scratch, case):
    """Nodes with less memory than a task asks for: the message has the numbers and the options."""
    with SlurmCluster(scratch / "no-fit", nodes=2) as cluster:
        out = scratch / "out-no-fit"
        begin_time = time.monotonic()
        refused = run(case.words(out, "--jobs", 2), cluster)
        print(f"no node fits: reported after {time.monotonic() - begin_time:.1f} s")
        words = ("a task asks for 2 processors (--jobs 2), 6656 MiB of memory",
                 "partition cpu has 2 nodes with 2 processors and 4000 MiB",
                 "--sbatch-args --mem=4000M", "Nothing of the class was submitted")
        check(refused.returncode == 2 and all(word in refused.stderr for word in words),
              "a request that no node fits is explained", refused.returncode, refused.stderr)
        graded = run(case.words(out, "--jobs", 2, "--sbatch-args", "--mem=4000M", "--resume"),
                     cluster)
        check(graded.returncode == case.code, "and with that advice the class is graded",
              graded.returncode, graded.stderr)
        case.equal(out, "with less memory")


def check_one_bad_node(scratch, case):
    """A node with a weaker sandbox than the first one: it is excluded, and the other node grades
    the class."""
    with SlurmCluster(scratch / "one-bad", nodes=2, later=["node2"]) as cluster:
        case.cluster = cluster
        out = scratch / "out-one-bad"
        job = begin(case.words(out), cluster)
        wait(lambda: (out / "slurm" / "probe.json").exists() or job.poll() is not None, "a probe")
        cluster.start_node("node2", before="mount --bind /dev/null /usr/bin/bwrap;")
        output, errors = job.communicate(timeout=PATIENCE)
        check(job.returncode == case.code, "with one bad node the class is graded", job.returncode,
              errors, output)
        check("node2 cannot grade and is excluded" in errors and "sandbox" in errors,
              "and the node is named", errors)
        check(nodes(out) == {"node1"}, "the others did it", nodes(out))
        case.equal(out, "one bad node")


def check_bad_prolog(scratch, case):
    """A node on which Slurm cannot begin a task. Slurm holds such tasks for ever, so the batch
    submits their work again."""
    bad = scratch / "prolog-fails"
    with SlurmCluster(scratch / "bad-prolog", nodes=2,
                      prolog=f'[ "$SLURMD_NODENAME" != node2 ] || [ ! -e {bad} ]') as cluster:
        case.cluster = cluster
        out = scratch / "out-bad-prolog"
        job = begin(case.words(out), cluster)
        wait(lambda: (out / "slurm" / "probe.json").exists() or job.poll() is not None, "a probe")
        bad.touch()
        wait(lambda: any("launch failed" in line for line in in_queue(cluster)) or
             job.poll() is not None, "a task that cannot begin")
        check(job.poll() is None, "a task could not begin")
        output, errors = job.communicate(timeout=PATIENCE)
        check(job.returncode == case.code and "submitted again" in errors,
              "with a prolog that fails the class is graded", job.returncode, errors, output)
        check(in_queue(cluster) == [], "and no held task is left", in_queue(cluster))
        case.equal(out, "bad prolog")


def main():
    need_slurm()
    with temporary_folder(prefix="histolab-slurm-") as scratch:
        cluster = SlurmCluster(scratch / "cluster")
        with cluster:
            small = Case(scratch, cluster, "small", 20, LABS[:3], "--chunk", 3)
            for scenario in (check_batch_killed, check_interrupt, check_cancel, check_suspended,
                             check_held, check_node_faults):
                scenario(small)
        # each with its own clusters
        for scenario in (check_lacks, check_no_fit, check_one_bad_node, check_bad_prolog):
            scenario(scratch, small)
        check(cluster.leftovers() == [], "nothing of the cluster is left", cluster.leftovers())
    check.finish()


if __name__ == "__main__":
    main()
