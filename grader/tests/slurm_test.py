#!/usr/bin/env python3
"""`histolab batch --engine slurm` on a private Slurm with three nodes on 127.0.0.1: 60 submissions
to six labs, with the results of the local engine; invalid options; an ordinary user.
slurm_faults_test.py covers faults, slurm_gpu_test.py times.

Skipped if no Slurm can be started; with HISTOLAB_REQUIRE_SLURM=1 it fails instead.
"""
import os
import re
import subprocess
import time

from histolab_program import (PATIENCE, PROGRAM, SOURCE, begin_program, journal_rows, run_program,
                              temporary_folder)
from slurm_class import (LABS, SEED, Case, check, command, in_queue, make_class, need_slurm, nodes,
                         run, told, wait)
from slurm_cluster import SlurmCluster

NOBODY = 65534  # a user without rights


def check_whole_class(case):
    out = case.scratch / "out-whole"
    begin_time = time.monotonic()
    graded = run(case.words(out), case.cluster)
    seconds = time.monotonic() - begin_time
    check(graded.returncode == case.code, "the class is graded", graded.returncode, graded.stderr)
    check(graded.stdout == case.output.replace(str(case.local), str(out)),
          "and told as the local engine tells it", graded.stdout)
    case.equal(out, "undisturbed")
    check(len(nodes(out) - {""}) == 3, "on all three nodes", nodes(out))
    summary = re.search(r"(\d+) tasks on 3 nodes; \d+ % of their .* was grading, .* to begin",
                        graded.stderr)
    check(summary is not None, "and how much of the tasks' time was grading is told", graded.stderr)
    check(in_queue(case.cluster) == [], "no task is left", in_queue(case.cluster))
    print(f"{case.works} works: {seconds:.1f} s in tasks, {case.local_seconds:.1f} s here; "
          f"{summary.group(0) if summary else ''}")
    again = run(case.words(out, "--resume"), case.cluster)
    check(again.returncode == case.code and again.stdout == graded.stdout,
          "--resume of what is finished changes nothing", again.stderr)
    check(run(command(case.folder, case.labs, out, "--resume")).stdout == graded.stdout,
          "nor does the local engine's")


def check_words(case):
    environment = {**os.environ, "PATH": "/nowhere"}
    missing = run_program(case.words(case.scratch / "out-no-slurm"), env=environment)
    check(missing.returncode == 2 and "sbatch is not on this machine" in missing.stderr and
          "--engine local" in missing.stderr, "where there is no Slurm it says so", missing.stderr)
    check(not (case.scratch / "out-no-slurm").exists(), "and makes nothing")
    typo = run([str(PROGRAM), "batch", "--cancel", str(case.scratch / "no-such-folder")],
               case.cluster)
    check(typo.returncode == 2 and "no such folder" in typo.stderr,
          "nor is a typing error taken for a batch", typo.stderr)
    for more, words in ((["--device", "auto"], "--device gpu or --device emulator"),
                        (["--timing-partition", "last"], "add --device gpu"),
                        (["--sbatch-args", "--array=0-9%2"], "--max-tasks"),
                        (["--sbatch-args", "--constraint=a|b"], "'a|b'"),
                        (["--sbatch-args", "--qos=$(id)"], "no command is run")):
        wrong = run(case.words(case.scratch / "out-wrong", *more), case.cluster)
        check(wrong.returncode == 2 and words in wrong.stderr, f"{more} is explained", wrong.stderr)
    local = run(command(case.folder, case.labs, case.scratch / "out-wrong", "--partition", "cpu"))
    check(local.returncode == 2 and "--partition needs --engine slurm" in local.stderr,
          "options of Slurm need --engine slurm", local.stderr)
    partition = run(case.words(case.scratch / "out-partition", "--partition", "nowhere"),
                    case.cluster)
    check(partition.returncode == 2 and "Invalid partition name" in partition.stderr,
          "what Slurm does not take is told in its words", partition.stderr)
    seed = journal_rows(case.scratch / "out-partition",
                        "SELECT value FROM meta WHERE name = 'seed'")
    check(seed == [(str(SEED),)], "and --resume will go on with the seed", seed)
    nothing = run([str(PROGRAM), "batch", "--cancel", str(case.local)], case.cluster)
    check(nothing.returncode == 2 and "has no tasks on a cluster" in nothing.stderr,
          "--cancel of nothing says so", nothing.stderr)


def check_solution_handed_in(scratch, cluster):
    """A student who submits the solution gets its points without the quiz: only the kit's
    solution counts as answered."""
    folder, lab = scratch / "class-solution", "12-bug-hunt"
    (folder / "ada").mkdir(parents=True)
    (folder / "ada" / f"{lab}.cu").write_bytes((SOURCE / "labs" / lab / "solution.cu").read_bytes())
    run(command(folder, [lab], scratch / "solution-local"))
    run(command(folder, [lab], scratch / "solution-slurm", "--engine", "slurm"), cluster)
    here, there = told(scratch / "solution-local"), told(scratch / "solution-slurm")
    check(here[0] == there[0] and here[0][0][4] == "failed",
          "the solution handed in is worth what the local engine gives", here[0][0][4:6],
          there[0][0][4:6])


def check_ordinary_user(scratch, cluster):
    """An ordinary user, in a partition that squeue hides, and with a profile that makes squeue
    and scancel show and end less."""
    folder, home = make_class(scratch / "class-ordinary", 3, LABS[:1]), scratch / "ordinary"
    home.mkdir()
    for path in (scratch, cluster.folder):
        path.chmod(0o755)
    os.chown(home, NOBODY, NOBODY)
    environment = {**cluster.environment, "HOME": str(home), "TMPDIR": str(home),
                   "SQUEUE_PARTITION": "last", "SCANCEL_PARTITION": "last"}
    installed = scratch / "installed"  # only root may be able to read this checkout
    # readable for everyone despite the umask
    subprocess.run(["cmake", "--install", PROGRAM.parent.parent, "--prefix", installed],
                   stdout=subprocess.DEVNULL, umask=0o077, check=True)

    def users(words):
        return ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups",
                installed / "bin" / "histolab", *map(str, words[1:])]

    def as_user(words):
        return run_program(users(words), env=environment)

    local = as_user(command(folder, LABS[:1], home / "local"))
    out = home / "out"
    words = command(folder, LABS[:1], out, "--engine", "slurm", "--partition", "hidden", "--chunk",
                    1)
    graded = as_user(words)
    check(graded.returncode == local.returncode == 1, "an ordinary user's class is graded",
          local.stderr, graded.stderr)
    check(graded.stdout == local.stdout.replace(str(home / "local"), str(out)), "as on one machine",
          graded.stdout, local.stdout)
    check("submitted again" not in graded.stderr and "never told" not in graded.stderr,
          "each task once", graded.stderr)
    # Jobs that wait in a hidden partition can be cancelled. Another job has all processors.
    blocker = cluster.ask("sbatch", "--parsable", "--partition=hidden", "--exclusive",
                          f"--array=0-{len(cluster.names) - 1}", "--output=/dev/null", "--chdir=/",
                          "--wrap", "sleep 1000000").stdout.strip()
    wait(lambda: sum(" RUNNING " in line for line in in_queue(cluster)) == len(cluster.names),
         "other jobs")
    later = home / "later"
    waits = begin_program(users(command(folder, LABS[:1], later, "--engine", "slurm",
                                        "--partition", "hidden")), env=environment)
    wait(lambda: any(" PENDING " in line for line in in_queue(cluster)) or waits.poll() is not None,
         "a task that waits")
    cancelled = as_user([PROGRAM, "batch", "--cancel", later])
    check(cancelled.returncode == 0, "and --cancel works there", cancelled.stderr)
    wait(lambda: not any(" PENDING " in line for line in in_queue(cluster)),
         "the end of what waits")
    errors = waits.communicate(timeout=PATIENCE)[1]
    check(waits.returncode == 2 and "cancelled" in errors, "the batch says so", waits.returncode,
          errors)
    cluster.ask("scancel", blocker)
    wait(lambda: in_queue(cluster) == [], "an empty queue")


def main():
    need_slurm()
    with temporary_folder(prefix="histolab-slurm-") as scratch:
        cluster = SlurmCluster(scratch / "cluster")
        with cluster:
            check_whole_class(Case(scratch, cluster, "whole", 60, LABS, "--chunk", 25))
        with SlurmCluster(scratch / "cluster-words", nodes=1) as one:
            check_solution_handed_in(scratch, one)
            check_ordinary_user(scratch, one)
            check_words(Case(scratch, one, "tiny", 2, LABS[:1]))
        check(cluster.leftovers() == [], "nothing of the cluster is left", cluster.leftovers())
    check.finish()


if __name__ == "__main__":
    main()
