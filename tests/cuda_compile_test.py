#!/usr/bin/env python3
"""Every CUDA source compiles for the GPUs that people have, without a GPU.

The labs' kernels (stubs, solutions and the attempts that pass) by NVRTC, as the GPU device does; kernels/cuda by nvcc. Each
for Turing, Ampere, Hopper and Blackwell, as far as the toolkit knows them. A file that says "Needs sm_80" in its head is
spared the earlier ones; one that includes CUB, which takes ten seconds each, is compiled for Hopper only. Prints the registers, the spilled bytes and the static shared memory of every kernel.

Skipped (status 77) without a CUDA toolkit, unless HISTOLAB_REQUIRE_CUDA=1, as in CI.
"""
import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(os.environ["HISTOLAB_SOURCE_DIR"])
TOOLKIT = pathlib.Path(os.environ.get("HISTOLAB_CUDA_FOLDER") or "/nowhere")
ARCHITECTURES = (75, 80, 90, 100)
sys.path.insert(0, str(ROOT / "cmake"))
import cuda_wheels  # noqa: E402


def lab_sources():
    for lab in sorted((ROOT / "labs").glob("*/lab.json")):
        yield from (path for path in (lab.parent / "stub.cu", lab.parent / "solution.cu") if path.exists())
        for expected in sorted(lab.parent.glob("attempts/*/expect.json")):
            if json.loads(expected.read_text())["status"] == "passed":
                yield expected.parent / "kernel.cu"


def suits(source: pathlib.Path, architecture: int) -> bool:
    text = source.read_text()
    needs = re.search(r"^//.*\bNeeds sm_(\d+)", text, re.M)
    if needs and architecture < int(needs[1]):
        return False
    return architecture == 90 or not re.search(r"^#include <cub/", text, re.M)


def resources(said: str):
    """(kernel, registers, spilled bytes, shared bytes) of each kernel that ptxas tells of."""
    for text in re.split(r"Compiling entry function '", said)[1:]:
        number = {key: int(found[1]) if (found := re.search(pattern, text)) else 0 for key, pattern in (
            ("registers", r"Used (\d+) registers"), ("stored", r"(\d+) bytes spill stores"),
            ("loaded", r"(\d+) bytes spill loads"), ("shared", r"(\d+) bytes smem"))}
        yield text.split("'")[0], number["registers"], number["stored"] + number["loaded"], number["shared"]


def by_nvrtc(nvrtc, source: pathlib.Path, architecture: int):
    include = TOOLKIT / "include"
    size, said = nvrtc.compile(str(source.relative_to(ROOT)), source.read_bytes(), [
        f"--gpu-architecture=sm_{architecture}", "--std=c++20", "--ptxas-options=-v", f"-I{include}", f"-I{include / 'cccl'}"])
    return size > 0, said


def by_nvcc(source: pathlib.Path, architecture: int):
    with tempfile.TemporaryDirectory() as folder:
        command = [TOOLKIT / "bin" / "nvcc", "-std=c++20", "-O3", f"-I{ROOT}", "-cubin", f"-arch=sm_{architecture}",
                   "-Xptxas", "-v", "-o", pathlib.Path(folder, "out.cubin"), source]
        ran = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return ran.returncode == 0, ran.stdout


def readable(names):
    try:
        plain = subprocess.run(["c++filt"], input="\n".join(names), stdout=subprocess.PIPE, text=True, check=True).stdout
    except OSError:
        return names
    return [name.replace("(anonymous namespace)::", "").split("(")[0] for name in plain.split("\n")]


def main() -> int:
    try:
        nvrtc = cuda_wheels.Nvrtc(TOOLKIT)
    except OSError as problem:
        required = os.environ.get("HISTOLAB_REQUIRE_CUDA") == "1"
        print(f"no CUDA toolkit: {problem}" + (", and HISTOLAB_REQUIRE_CUDA=1 asks for one" if required else ""))
        return 1 if required else 77
    known = [number for number in ARCHITECTURES if number in nvrtc.architectures]
    kernels = sorted((ROOT / "kernels" / "cuda").rglob("*.cu"))
    if not (TOOLKIT / "bin" / "nvcc").exists():
        print(f"{TOOLKIT} has no nvcc: kernels/cuda is not compiled")
        kernels = []
    print(f"NVRTC {nvrtc.version} of {TOOLKIT}, for {', '.join(f'sm_{number}' for number in known)}")

    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        jobs = [(source, number, pool.submit(by_nvcc, source, number))
                for source in kernels for number in known if suits(source, number)]
        jobs = [(source, number, pool.submit(by_nvrtc, nvrtc, source, number))
                for source in lab_sources() for number in known] + jobs
        failed, rows = 0, []
        for source, number, job in jobs:
            compiled, said = job.result()
            rows += [(str(source.relative_to(ROOT)), number, *kernel) for kernel in resources(said)]
            if not compiled:
                failed += 1
                print(f"FAILED: {source.relative_to(ROOT)} for sm_{number}:\n{said}")

    print(f"{'registers':>9} {'spilled':>8} {'shared':>7}  sm_  source: kernel")
    for row, name in zip(rows, readable([row[2] for row in rows])):
        print(f"{row[3]:9} {row[4]:8} {row[5]:7}  {row[1]:3}  {row[0]}: {name[:80]}")
    spilling = sum(row[4] > 0 for row in rows)
    print(f"{len(jobs)} compilations, {failed} failed; {len(rows)} kernels, {spilling} of them spill registers")
    return 1 if failed or not rows else 0


if __name__ == "__main__":
    sys.exit(main())
