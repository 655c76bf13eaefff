#!/usr/bin/env python3
"""Tests a student's editor with clangd: no false errors, completion, and hover texts of CUDA's
names.

HISTOLAB_CLANGD overrides the clangd in PATH.
"""
import concurrent.futures
import json
import os
import pathlib
import re
import shutil
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "grader" / "tests"))
from histolab_program import (SOURCE, Checks, histolab, run_program, skip,  # noqa: E402
                              temporary_folder)
from language_server import LanguageServer  # noqa: E402

INCLUDE = SOURCE / "kernels" / "emulator" / "include"
CLANGD = (os.environ.get("HISTOLAB_CLANGD") or shutil.which("clangd") or
          skip("there is no clangd here (Debian and Ubuntu: apt-get install clangd)"))
check = Checks()

PROGRAMS = [path.parent.name for path in SOURCE.glob("labs/*/lab.json")
            if json.loads(path.read_text()).get("program")]

KERNEL = """#include <cooperative_groups.h>
#include <cuda/atomic>
#include <cuda_runtime.h>
namespace cg = cooperative_groups;
extern "C" __device__ const unsigned int copies = 8;
__constant__ int table[4];
__device__ __forceinline__ int third(int4 value) { return value.z; }
__global__ void __launch_bounds__(256) histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int counts[7];
  extern __shared__ char dynamic[];
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x + gridDim.x;
  __syncthreads();
  __syncwarp();
  atomicAdd(&counts[i % 7], 1);
  atomicCAS(histo, atomicMax_block(histo, 4), atomicExch_system(histo, 2u));
  const bool even = i % 2 == 0;
  int lanes = __shfl_down_sync(0xffffffff, even, 4) + __shfl_sync(~0u, 2.5f, 0) + __ballot_sync(__activemask(), even);
  lanes += __reduce_add_sync(~0u, 4) + __match_any_sync(~0u, i) + __popc(lanes) + __ffs(3) + __clz(4) + __float_as_int(2.5f);
  auto doubled = [&] __device__(int x) { return 2 * x; };
  const uint4 four = make_uint4(1, 2, 3, 4);
  __threadfence(), __threadfence_block();
  __nv_atomic_store_n(histo, __nv_atomic_load_n(histo, __NV_ATOMIC_RELAXED), __NV_ATOMIC_RELEASE, __NV_THREAD_SCOPE_BLOCK);
  const auto block = cg::this_thread_block();
  block.sync();
  cuda::atomic_ref<unsigned int, cuda::thread_scope_device>(histo[3]).fetch_add(__ldg(&data[2]) + min(i, length) + dim3(4).x + warpSize);
}
"""
# A program with host code in the lab of a whole program.
PROGRAM = """#include <cuda_runtime.h>
#include <iostream>
#include <vector>
#define CHECK(call) if (cudaError_t e = (call); e != cudaSuccess) std::cerr << cudaGetErrorString(e)
__constant__ int table[4];
__device__ int counter;
__managed__ int both;
struct Pair {
  int x;
  __host__ __device__ int twice() const { return 2 * x; }
};
__device__ __forceinline__ int third(int4 value) { return value.z + counter; }
template <int N, class T>
__global__ void __launch_bounds__(256) sum(T* result, Pair pair) {
  __shared__ T sums[N];
  extern __shared__ char dynamic[];
  sums[threadIdx.x % N] = third(make_int4(1, 2, 3, 4)) + pair.twice() + table[1] + dynamic[0];
  __syncthreads();
  atomicAdd(result, sums[0] + __shfl_down_sync(~0u, min(3, int(sqrtf(2.0f))), 1));
  printf("%d\\n", both);
}
int main() {
  int* result = nullptr;
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  CHECK(cudaMalloc(&result, 4));
  CHECK(cudaMallocManaged(&result, 4));
  sum<4><<<dim3(1, 2), 32, 4, stream>>>(result, Pair{3});
  sum<4, int><<<1, 32>>>(result, Pair{3});
  CHECK(cudaMemcpyToSymbol(table, result, 4));
  cudaDeviceProp properties;
  CHECK(cudaGetDeviceProperties(&properties, 0));
  std::vector<int> lanes(properties.warpSize);
  CHECK(cudaDeviceSynchronize());
}
"""
# Text at the name's first occurrence, and a part of its hover text.
HOVERS = {
    "threadIdx": "Index of this thread in its block",
    "blockIdx": "Index of this thread's block in the grid", "blockDim": "Threads of a block",
    "gridDim": "Blocks of the grid", "warpSize": "Threads of a warp: 32",
    "__shared__": "in the shared memory of the block", "__global__": "a kernel",
    "__device__": "a function that device code calls", "__constant__": "in constant memory",
    "__forceinline__": "inlined", "__launch_bounds__": "no launch has more threads",
    "__syncthreads": "Waits until all threads of the block",
    "__syncwarp": "Waits until all lanes of the mask",
    "atomicAdd": "stores old + value, in one atomic operation. Returns old.",
    "atomicCAS": "stores old == compare ? value : old",
    "atomicMax_block": "for the threads of this block only",
    "atomicExch_system": "for all devices and the host", "__shfl_down_sync": "higher",
    "__shfl_sync": "The value of the given lane", "__ballot_sync": "Bit i of the result",
    "__activemask": "The lanes of the warp that are at this call",
    "__reduce_add_sync": "The sum of the values", "__match_any_sync": "the same value as this lane",
    "__popc": "The number of bits that are set", "__ffs": "counted from 1",
    "__clz": "zero bits before", "__float_as_int": "The same bits",
    "uint4": "x, y, z, w. uint2 is aligned to 8 bytes, uint4 to 16", "make_uint4": "x, y, z, w",
    "__threadfence": "Orders this thread's own accesses",
    "__threadfence_block": "as far as the threads of this block see it",
    "__ldg": "read-only data cache", "dim3": "Sizes of a grid or a block",
    "this_thread_block": "The group of all threads",
    "sync();\n  cuda": "Waits until all threads of the block",
    "fetch_add": "Adds to the value; returns the old one",
    "atomic_ref": "Atomic operations on an object",
}


def errors_of_grade(path):
    """Returns the lines with errors of the grader's compiler."""
    lab = re.search(r"\d\d-[a-z-]+", str(path)).group()
    done = histolab("grade", lab, "--submission", path, "--quick", "--format", "gcc", "--json",
                    os.devnull)
    return ([int(line) for line in re.findall(r":(\d+):\d+: error: ", done.stdout)]
            if "compile_error" in done.stderr else [])


def checked(path):
    """Runs clangd --check: it must report the same errors as the grader's compiler."""
    done = run_program([CLANGD, f"--check={path}", "--tweaks=none"], cwd=path.parent)
    lines = [int(line)
             for line in re.findall(r"^E\[.*?\] \[.*\] Line (\d+): ", done.stderr, re.MULTILINE)]
    wanted = errors_of_grade(path) if lines else []
    check(lines == wanted and (done.returncode == 0) == (not wanted),
          f"{path}: clangd ends with {done.returncode}", done.stderr[-2000:])
    return path, wanted


def without_a_toolkit(folder):
    """Without a CUDA toolkit, clang calls another function at a launch."""
    for name in PROGRAMS:
        place = folder / "no toolkit" / name
        shutil.copytree(SOURCE / "labs" / name, place)
        flags = (place / "compile_flags.txt").read_text().splitlines()
        flags = [flag for flag in flags if not flag.startswith("-I")]
        flags += [f"-I{INCLUDE}", "--cuda-path=/nonexistent"]
        (place / "compile_flags.txt").write_text("\n".join(flags) + "\n")
        shutil.copy(SOURCE / "labs" / ".clangd", place)
        checked(place / "solution.cu")


def flags_are_one(folder):
    """Compares the flags of labs/, work/ and the compilers."""
    settings = (folder / "work" / ".clangd").read_text()
    in_work = [json.loads(flags) for flags in re.findall(r"Add: (\[.*?\])", settings, re.DOTALL)]
    places = [SOURCE / "labs", *(SOURCE / "labs" / name for name in PROGRAMS)]
    check(len(in_work) == len(places) == 2, "not one lab is for programs", settings)
    of_labs, of_programs = [(place / "compile_flags.txt").read_text().split("\n")[:-1]
                            for place in places]
    for ours, of_work in zip((of_labs, of_programs), in_work):
        check(f"-I{INCLUDE}" in of_work, "work/.clangd does not name the shim", settings)
        check([flag for flag in ours if flag[:2] != "-I"] ==
              [flag for flag in of_work if flag[:2] != "-I"],
              "labs/ and work/ have different flags", ours, of_work)
    check([flag for flag in of_labs if flag[:2] == "-W"] ==
          [flag for flag in of_programs if flag[:2] == "-W"], "programs have other warnings")
    build = (SOURCE / "kernels" / "program" / "build" / "build_commands.cpp").read_text()
    for flag in of_programs:
        check(flag[:2] != "-f" or f'"{flag}"' in build,
              f"the compiler of programs is not given {flag}")
    compiler = (SOURCE / "kernels" / "worker" / "compiling" / "compiler_command.cpp").read_text()
    warnings = re.findall(r'"(-W[^"]+)"',
                          re.search(r"warnings\[\] = \{(.*?)\}", compiler, re.DOTALL).group(1))
    # clang only has -Wshadow for all types, with false warnings
    known = [flag for flag in warnings if "shadow" not in flag]
    check([flag for flag in of_labs if flag.startswith("-W") and flag != "-Wno-everything"] ==
          known, "the compiler's warnings are others", warnings)
    for flag in of_labs:
        check(not re.match(r"-f|-std", flag) or f'"{flag}"' in compiler,
              f"the compiler is not given {flag}")


def texts_are_one():
    """Compares the texts repeated in editor_before_17.h with the originals."""
    declared = {}
    for name in ("cuda_shim.h", "editor.h"):
        for comment, declaration in re.findall(r"^((?:/// .*\n)+)(?!#)(.*)",
                                               (INCLUDE / "histolab" / name).read_text(),
                                               re.MULTILINE):
            if (found := re.search(r"(\w+)\(", declaration)) and found.group(1).startswith("__"):
                declared.setdefault(found.group(1),
                                    comment.replace("/// ", "").replace("\n", " ").strip())
    repeated = dict(re.findall(r"^#define (\w+) /\* (.*) \*/ \1$",
                               (INCLUDE / "histolab" / "editor_before_17.h").read_text(),
                               re.MULTILINE))
    check(len(declared) > 60, "the shim's comments were not found", declared)
    for name in {*declared, *repeated}:
        check(declared.get(name) == repeated.get(name),
              f"editor_before_17.h: another text for {name}", declared.get(name),
              repeated.get(name))


def in_an_editor(server, folder, may_have_errors):
    for path in sorted([*SOURCE.glob("labs/*/*.cu"), *folder.glob("work/*.cu"),
                        *SOURCE.glob("tests/corpus/right/*/*.cu")]):
        # The corpus has no flags, so its files are opened as files of work/.
        opened = (server.open(folder / "work" / path.parent.name / path.name, path.read_text())
                  if "corpus" in path.parts else server.open(path))
        check([line for line, _, _ in opened.diagnostics()] == may_have_errors.get(path, []),
              f"{path}: an editor shows", *opened.diagnostics())
        opened.close()

    kernel = server.open(folder / "work" / "02-atomic-add-2.cu", KERNEL)
    check(kernel.diagnostics() == [], "the kernel that has everything", *kernel.diagnostics())
    program = server.open(folder / "work" / f"{PROGRAMS[0]}-2.cu", PROGRAM)
    check(program.diagnostics() == [], "the program that has everything", *program.diagnostics())
    misspelt = server.open(folder / "work" / f"{PROGRAMS[0]}-3.cu",
                           PROGRAM.replace("cudaMalloc(", "cudaMaloc("))
    check([line for line, _, _ in misspelt.diagnostics()] ==
          [PROGRAM[:PROGRAM.index("cudaMalloc(")].count("\n") + 1],
          "a misspelt call of CUDA in a program", *misspelt.diagnostics())
    for words, fragment in HOVERS.items():
        shown = kernel.hover(words, fragment)
        check(fragment in shown, f"what is shown of {words} lacks {fragment!r}", shown)
    typing = server.open(folder / "work" / "typing.cu",
                         KERNEL.replace("  __syncthreads();", "  atomicA"))
    found = typing.completions("  atomicA")
    check({"atomicAdd", "atomicAnd", "atomicAdd_block"} <= set(found) and
          "Returns old." in found.get("atomicAdd", ""), "what completes atomicA", found)

    wrong = server.open(folder / "work" / "wrong.cu",
                        KERNEL.replace("i % 7], 1",
                                       "i % 7], lenght").replace("const bool even = i",
                                                                 "if (length = 4) __popc(4);\n"
                                                                 "  const bool even = i"))
    lines = KERNEL.split("\n")
    count = next(number for number, line in enumerate(lines, 1) if "i % 7" in line)
    told = [(line, severity) for line, severity, _ in wrong.diagnostics() if severity <= 2]
    check(told == [(count, 1), (count + 2, 2)],
          "a misspelt name is an error, an assignment for a comparison a warning",
          *wrong.diagnostics())


def headers(server):
    """Opens the headers, as an editor does for a definition."""
    for path in sorted(each for each in INCLUDE.rglob("*")
                       if each.is_file() and each.name not in (".clangd", "compile_flags.txt")):
        opened = server.open(path)
        check(opened.diagnostics() == [], f"{path.name}: an editor shows",
              *opened.diagnostics()[:3])


def installed(server, folder):
    """Tests the layout of `cmake --install`: labs/ and include/ side by side."""
    share = folder / "share"
    shutil.copytree(INCLUDE, share / "include")
    shutil.copytree(SOURCE / "labs", share / "labs", ignore=shutil.ignore_patterns("attempts"))
    for path in sorted((share / "labs").glob("*/solution.cu")):
        solution = server.open(path)
        check(solution.diagnostics() == [], f"installed: {path}", *solution.diagnostics())
    check("Index of this thread" in solution.hover("threadIdx", "Index of this thread"),
          "an installed lab: the hover text")


with temporary_folder(prefix="a folder ") as folder:
    started = histolab("start", cwd=folder)
    check("work/.clangd" in started.stdout, "start says nothing of work/.clangd", started.stdout,
          started.stderr)
    flags_are_one(folder)
    texts_are_one()
    without_a_toolkit(folder)
    kernels = sorted([*SOURCE.glob("labs/*/stub.cu"), *SOURCE.glob("labs/*/solution.cu"),
                      *folder.glob("work/*.cu")])
    check(len(kernels) >= 42, "too few kernels", kernels)
    with concurrent.futures.ThreadPoolExecutor(2) as two:
        errors = dict(two.map(checked, kernels))
    check(any(errors.values()), "no stub has an error that is part of the lab: has lab 12 changed?")
    with LanguageServer(CLANGD, folder) as server:
        in_an_editor(server, folder, errors)
        installed(server, folder)
    with LanguageServer(CLANGD, folder) as server:
        headers(server)
check.finish()
