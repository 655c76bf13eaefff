"""For tools/benchmark: compares the emulator with Oclgrind on the same kernels, data and sizes, in
turns.

Oclgrind runs OpenCL C, so each kernel exists twice: the kernels in benchmark_kernels/oclgrind.cl do
the same as the .cu files. The times exclude generating the input. The emulator's is
`host.elapsed_s`; Oclgrind's is from the launch to clFinish, with --data-races.
"""
import json
import pathlib
import random
import shutil
import statistics
import subprocess

OWN = pathlib.Path(__file__).resolve().parent / "benchmark_kernels"
INSTALL = "apt-get install oclgrind opencl-headers ocl-icd-opencl-dev"
# description, lab, file (None: solution), schedule, OpenCL kernel, text, elements per thread,
# elements
KERNELS = [
    ("privatized + coarsened", "05", OWN / "coarsened-16.cu", "run_to_barrier", "coarsened",
     "letters", 16, 1 << 18),
    ("global atomics, one element a thread", "02", None, "run_to_barrier", "global_atomics",
     "letters", 1, 1 << 17),
    ("racy, one element a thread", "01", None, "lockstep", "racy", "letters", 1, 1 << 15),
    ("text, privatized", "04", None, "run_to_barrier", "privatized", "text", 1, 1 << 16),
    ("text, privatized + coarsened", "05", OWN / "coarsened-16.cu", "run_to_barrier", "coarsened",
     "text", 16, 1 << 18),
    ("tree reduction, 9 barriers", "02", OWN / "tree.cu", "run_to_barrier", "tree", "letters", 1,
     1 << 15),
]


def missing(folder):
    """Builds the host program. Returns an empty text, or why there is no comparison and a
    remedy."""
    if shutil.which("oclgrind") is None:
        return (f"Oclgrind is not installed, so there is no comparison with it (Debian and Ubuntu: "
                f"{INSTALL})")
    build = subprocess.run(["g++", "-O2", OWN / "oclgrind_host.cpp", "-o", folder / "oclgrind_host",
                            "-lOpenCL"], capture_output=True, text=True)
    if build.returncode != 0:
        return (f"OpenCL's headers or library are missing, so there is no comparison with Oclgrind "
                f"(Debian and Ubuntu: {INSTALL})")
    return ""


def write_data(folder, length):
    """Writes uniform letters, and text with 19 % other characters."""
    generator = random.Random(1)
    letters = "abcdefghijklmnopqrstuvwxyz"
    (folder / "letters.txt").write_text("".join(generator.choices(letters, k=length)),
                                        encoding="ascii")
    (folder / "text.txt").write_text("".join(generator.choices(letters + " ", [81 / 26] * 26 + [19],
                                                               k=length)), encoding="ascii")


def compare(program, folder, runs, folder_of, output_of):
    """Returns one row per kernel."""
    rows = []
    for name, lab, file, schedule, kernel, text, each, length in KERNELS:
        write_data(folder, length)
        ours, theirs, bins = [], [], []
        for _ in range(runs):
            run = json.loads(output_of([program, "run", lab, "--kernel",
                                        file or folder_of(lab) / "solution.cu", "--dataset",
                                        folder / f"{text}.txt", "--length", length, "--block", 256,
                                        "--schedule", schedule, "--json"]))
            ours.append(run["host"]["elapsed_s"])
            told = output_of(["oclgrind", "--data-races", "--num-threads", 1, "--log",
                              folder / "oclgrind.log", folder / "oclgrind_host",
                              OWN / "oclgrind.cl", kernel, folder / f"{text}.txt", 256,
                              each]).split()
            theirs.append(float(told[0]))
            bins = [run["histogram"], [int(count) for count in told[1:]]]
        if kernel != "racy" and bins[0] != bins[1]:
            raise SystemExit(f"benchmark: {name}: the histograms differ: {bins[0]} here, {bins[1]} "
                             "under Oclgrind")
        mine, other = statistics.median(ours), statistics.median(theirs)
        rows.append({"kernel": name, "schedule": schedule, "length": length,
                     "elements_per_s": length / mine, "oclgrind_elements_per_s": length / other,
                     "ratio": other / mine})
    return rows


def print_rows(rows, runs):
    print(f"\nagainst Oclgrind --data-races, million elements per second (median of {runs})")
    print(f"{'':38}{'elements':>10}{'here':>10}{'Oclgrind':>10}{'ratio':>11}")
    for row in rows:
        print(f"{row['kernel']:38}{row['length']:10}{row['elements_per_s'] / 1e6:10.1f}"
              f"{row['oclgrind_elements_per_s'] / 1e6:10.3f}{row['ratio']:10.0f}x")
