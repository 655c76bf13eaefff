#!/usr/bin/env python3
"""Compiles every CUDA source for common GPUs, without a GPU.

NVRTC compiles the labs' kernels, like the GPU device does: solutions, attempts that pass, and stubs
unless lab.json expects a compile error. Architectures are Turing, Ampere, Hopper and Blackwell, if
the toolkit knows them. NVRTC also compiles, only for Hopper, those correct kernels of tests/corpus
that use headers, hints or names that the emulator declares itself. nvcc compiles kernels/cuda for
the earliest architecture, because the build has compiled it for another one; with --all for each.

A file with "Needs sm_80" in its head is not compiled for earlier architectures; stubs and solutions
must not have such a line. A file that includes CUB takes ten seconds, so it is compiled for Hopper
only. The test prints registers, spilled bytes and static shared memory of every kernel.

Skipped (status 77) without a CUDA toolkit, unless HISTOLAB_REQUIRE_CUDA=1, as in CI.
"""
import collections
import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "grader" / "tests"))
from histolab_program import SOURCE, kernel_text, put, temporary_folder  # noqa: E402

# by NVRTC
COMPILE_ALL = pathlib.Path(os.environ["HISTOLAB_BIN"]).parent / "test-bin" / "compile_all"
NVCC = pathlib.Path(os.environ.get("HISTOLAB_CUDA_FOLDER") or "/nowhere", "bin", "nvcc")
ARCHITECTURES = (75, 80, 90, 100)
CORPUS = SOURCE / "tests" / "corpus" / "right"
OF_THE_TOOLKIT = re.compile(r"#include <(cuda|cooperative_groups/)|__builtin_|"
                            r"\bu(int|short|long)\b")


def whole(path, folder):
    """The file; a copy below `folder` of an attempt that is stored as a patch."""
    if path.exists():
        return path
    copy = folder / path.relative_to(SOURCE)
    put(copy, kernel_text(path))
    return copy


def lab_sources(folder):
    for lab in sorted((SOURCE / "labs").glob("*/lab.json")):
        rules = json.loads(lab.read_text())
        if rules.get("program"):
            continue  # NVRTC compiles no host code
        compiles = rules["stub"]["status"] != "compile_error"
        sources = ["stub.cu", "solution.cu"] if compiles else ["solution.cu"]
        yield from (lab.parent / name for name in sources if (lab.parent / name).exists())
        for expected in sorted(lab.parent.glob("attempts/*/expect.json")):
            if json.loads(expected.read_text())["status"] == "passed":
                yield whole(expected.parent / "kernel.cu", folder)
    yield from (kernel for kernel in sorted(CORPUS.glob("*/*.cu"))
                if OF_THE_TOOLKIT.search(kernel.read_text()))


def suits(source: pathlib.Path, architecture: int) -> bool:
    text = source.read_text()
    if CORPUS in source.parents:
        return architecture == 90
    if source.name in ("stub.cu", "solution.cu"):
        return True
    needs = re.search(r"^//.*\bNeeds sm_(\d+)", text, re.M)
    if needs and architecture < int(needs[1]):
        return False
    return architecture == 90 or not re.search(r"^#include <cub/", text, re.M)


def resources(said: str):
    """Yields (kernel, registers, spilled bytes, shared bytes) per kernel in ptxas's output."""
    for text in re.split(r"Compiling entry function '", said)[1:]:
        number = {key: int(found[1]) if (found := re.search(pattern, text)) else 0
                  for key, pattern in (
            ("registers", r"Used (\d+) registers"), ("stored", r"(\d+) bytes spill stores"),
            ("loaded", r"(\d+) bytes spill loads"), ("shared", r"(\d+) bytes smem"))}
        spilled = number["stored"] + number["loaded"]
        yield text.split("'")[0], number["registers"], spilled, number["shared"]


def run(command):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          cwd=SOURCE)


def by_nvcc(source: pathlib.Path, architecture: int):
    """Returns (compiled, the compiler's output, one row per kernel)."""
    with temporary_folder() as folder:
        ran = run([NVCC, "-std=c++20", "-O3", f"-I{SOURCE}", "-cubin", f"-arch=sm_{architecture}",
                   "-Xptxas", "-v", "-o", folder / "out.cubin", source])
    name = str(source.relative_to(SOURCE))
    if ran.returncode != 0:
        return False, f"FAILED: {name} for sm_{architecture}:\n{ran.stdout}", []
    return True, "", [(name, architecture, *kernel) for kernel in resources(ran.stdout)]


def by_nvrtc(architectures, sources):
    """Returns the same for many sources and architectures."""
    names = [source.relative_to(SOURCE) if SOURCE in source.parents else source
             for source in sources]
    ran = run([COMPILE_ALL, ",".join(map(str, architectures)), *names])
    lines = ran.stdout.split("\n")
    cells = [line.split("\t") for line in lines if line.count("\t") == 5]
    return (ran.returncode == 0, "\n".join(line for line in lines if line.count("\t") != 5).strip(),
            [(file, int(architecture), kernel, *map(int, numbers))
             for file, architecture, kernel, *numbers in cells])


def known_to_nvcc():
    known = {int(number)
             for number in re.findall(r"sm_(\d+)$", run([NVCC, "--list-gpu-code"]).stdout, re.M)}
    return [number for number in ARCHITECTURES if number in known]


def readable(names):
    try:
        plain = subprocess.run(["c++filt"], input="\n".join(names), stdout=subprocess.PIPE,
                               text=True, check=True).stdout
    except OSError:
        return names
    return [name.replace("(anonymous namespace)::", "").split("(")[0] for name in plain.split("\n")]


def main() -> int:
    if not COMPILE_ALL.exists():
        required = os.environ.get("HISTOLAB_REQUIRE_CUDA") == "1"
        print("FAILED: HISTOLAB_REQUIRE_CUDA=1, but this build has no CUDA toolkit" if required
              else "skipped: this build has no CUDA toolkit")
        return 1 if required else 77
    with temporary_folder() as folder, concurrent.futures.ThreadPoolExecutor(2) as pool:
        alike = collections.defaultdict(list)
        for source in lab_sources(folder):
            alike[tuple(number for number in ARCHITECTURES if suits(source, number))].append(source)
        jobs = [pool.submit(by_nvrtc, *group) for group in alike.items()]
        if NVCC.exists():
            known = known_to_nvcc() if "--all" in sys.argv[1:] else known_to_nvcc()[:1]
            jobs += [pool.submit(by_nvcc, source, number)
                     for source in sorted((SOURCE / "kernels" / "cuda").rglob("*.cu"))
                     for number in known if suits(source, number)]
        else:
            print("skipped: the toolkit has no nvcc, so kernels/cuda is not compiled")
        results = [job.result() for job in jobs]

    rows = [row for _, _, kernels in results for row in kernels]
    print(f"{'registers':>9} {'spilled':>8} {'shared':>7}  sm_  source: kernel")
    for row, name in zip(rows, readable([row[2] for row in rows])):
        print(f"{row[3]:9} {row[4]:8} {row[5]:7}  {row[1]:3}  {row[0]}: {name[:80]}")
    print("".join(f"{said}\n" for compiled, said, _ in results if not compiled), end="")
    print(f"{len(rows)} kernels, {sum(row[4] > 0 for row in rows)} of them spill registers")
    return 0 if rows and all(compiled for compiled, _, _ in results) else 1


if __name__ == "__main__":
    sys.exit(main())
