#!/usr/bin/env python3
"""`histolab batch --engine slurm --device gpu`: times from this machine's GPU, taken by tasks on
its node and judged by other tasks. They equal those of the local engine, except measurements. Part
of tools/gpu-check; not a ctest test.

Skipped if no Slurm can be started; with HISTOLAB_REQUIRE_SLURM=1 it fails instead.
"""
import json
import re
import time

from histolab_program import journal_rows, temporary_folder
from slurm_class import check, command, make_class, need_slurm, nodes, run, told
from slurm_cluster import SlurmCluster


def without_times(report):
    """The part of a lab's report that two runs on one GPU share: everything except measurements
    and the numbers in messages. Each run times different data, so the number of correct launches
    of a wrong kernel is also a measurement."""
    report = json.loads(report)
    for timed in report["timed_cases"]:
        for key in ("timing", "throughput", "rivals", "mismatches", "launches", "right_launches"):
            timed.pop(key)
    for each in report["checks"]:
        each["message"] = re.sub(r"[\d.]+", "#", each["message"])
    return report


def differences(mine, theirs, at=""):
    if isinstance(mine, dict) and isinstance(theirs, dict):
        return [line for key in {**mine, **theirs}
                for line in differences(mine.get(key), theirs.get(key), f"{at}/{key}")]
    if isinstance(mine, list) and isinstance(theirs, list) and len(mine) == len(theirs):
        return [line for number, pair in enumerate(zip(mine, theirs))
                for line in differences(*pair, f"{at}/{number}")]
    return [] if mine == theirs else [f"{at}: {mine!r}, here {theirs!r}"]


def check_gpu(scratch):
    """The same class by the local engine, by tasks that do everything on the GPU's node, and by
    tasks of which only the timing ones run there."""
    labs = ["02-atomic-add", "05-coarsening", "06-aggregation", "08-register-privatization"]
    with SlurmCluster(scratch / "cluster-gpu", nodes=2, gpu=True) as cluster:
        folder = make_class(scratch / "class-gpu", 7, labs)
        local = scratch / "local-gpu"
        begin_time = time.monotonic()
        here = run(command(folder, labs, local, "--device", "gpu"))
        print(f"local: {time.monotonic() - begin_time:.1f} s")
        check(here.returncode == 1, "the local engine times the class", here.stderr)
        expected = told(local)[0]
        for name, more in (("together", ["--partition", "last", "--gres", "gpu:1"]),
                           ("apart",
                            ["--partition", "cpu", "--timing-partition", "last", "--gres",
                             "gpu:1"])):
            out = scratch / f"out-gpu-{name}"
            begin_time = time.monotonic()
            graded = run(command(folder, labs, out, "--engine", "slurm", "--device", "gpu", *more),
                         cluster)
            print(f"{name}: {time.monotonic() - begin_time:.1f} s;",
                  graded.stderr.strip().splitlines()[-1])
            check(graded.returncode == here.returncode, f"{name}: graded", graded.returncode,
                  graded.stderr)
            rows = told(out)[0]
            for mine, theirs in zip(rows, expected):
                if theirs[6] is None or mine[6] is None:
                    check(False, f"{name}: every work has a result", mine[:2])
                    continue
                different = differences(without_times(mine[6]), without_times(theirs[6]))
                check(different == [], f"{name}: {mine[:2]}: the same but for times", *different)
            devices = {timed["device"] for row in rows
                       for timed in json.loads(row[6])["timed_cases"]}
            check(len(devices) == 1 and
                  all(timed["measured"] for row in rows
                      for timed in json.loads(row[6])["timed_cases"]),
                  f"{name}: each time tells its device, and is measured", devices)
            meta = dict(journal_rows(out, "SELECT name, value FROM meta"))
            check(next(iter(devices)) in meta["gpu_name"],
                  f"{name}: the class's report names the GPU", meta)
            print(f"{name}: {len(rows)} works on {sorted(nodes(out))}, times of {devices}, the "
                  f"class's {meta['gpu_name']!r}")


def main():
    need_slurm()
    with temporary_folder(prefix="histolab-slurm-") as folder:
        check_gpu(folder)
    check.finish()


if __name__ == "__main__":
    main()
