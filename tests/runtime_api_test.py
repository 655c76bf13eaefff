#!/usr/bin/env python3
"""histolab/runtime_api.h: valid C++ of each standard, the same functions as the table and the
library, and the names and values of NVIDIA's headers.

The last part needs the headers of a CUDA toolkit; without them only the others run.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

SOURCE = pathlib.Path(os.environ["HISTOLAB_SOURCE_DIR"])
sys.path.insert(0, str(SOURCE / "grader" / "tests"))
from histolab_program import Checks, skip_part  # noqa: E402

INCLUDE = SOURCE / "kernels" / "emulator" / "include"
HEADER = INCLUDE / "histolab" / "runtime_api.h"
TABLE = SOURCE / "kernels" / "program" / "calls" / "functions.h"
API = SOURCE / "kernels" / "program" / "runtime" / "api.cpp"
CUDA = pathlib.Path(os.environ.get("HISTOLAB_CUDA_FOLDER") or "/nowhere", "include")
BEFORE = """#include <cstddef>
struct dim3 {
  unsigned int x, y, z;
  constexpr dim3(unsigned int a = 1, unsigned int b = 1, unsigned int c = 1) : x(a), y(b), z(c) {}
};
#include "histolab/runtime_api.h"
"""
# Arguments that are templates in CUDA.
USES = BEFORE + """
template <class T> void kernel(const T*, int, const float) {}
struct Large { double values[5]; };
void other(Large, char) {}
void none() {}
float* f;
const char* c;
void* v;
int table[4];
volatile unsigned counter;
struct Shared { int operator()(int n) const { return 4 * n; } };
void uses() {
  int a, b;
  size_t n;
  cudaMalloc(&f, 4), cudaMalloc(&c, 4), cudaMalloc(&v, 4), cudaMalloc((void**)&f, 4);
  cudaMallocManaged(&f, 4), cudaMallocHost(&f, 4), cudaMallocHost((void**)&f, 4);
  cudaHostAlloc(&f, 4, cudaHostAllocMapped), cudaHostGetDevicePointer(&f, f, 0);
  cudaMallocPitch(&f, &n, 4, 4);
  cudaMemcpyToSymbol(table, f, 16), cudaMemcpyToSymbol(counter, f, 4, 0, cudaMemcpyHostToDevice);
  cudaMemcpyFromSymbol(f, counter, 4), cudaGetSymbolAddress((void**)&f, table);
  cudaGetSymbolAddress(&v, table), cudaGetSymbolSize(&n, counter);
  cudaFuncSetAttribute(kernel<int>, cudaFuncAttributeMaxDynamicSharedMemorySize, 1);
  cudaFuncSetAttribute(&other, cudaFuncAttributeMaxDynamicSharedMemorySize, 1);
  cudaFuncSetAttribute((const void*)other, cudaFuncAttributeMaxDynamicSharedMemorySize, 1);
  auto pointer = kernel<char>;
  cudaFuncSetCacheConfig(pointer, cudaFuncCachePreferL1);
  cudaOccupancyMaxPotentialBlockSize(&a, &b, kernel<float>, 0, 0);
  cudaOccupancyMaxPotentialBlockSize(&a, &b, (void*)none);
  cudaOccupancyMaxPotentialBlockSizeVariableSMem(&a, &b, kernel<float>, Shared());
  void* arguments[] = {&f, &a, &b};
  cudaLaunchKernel(kernel<float>, 3, dim3(4, 2), arguments, 0, 0);
  cudaLaunchKernel((void*)kernel<float>, dim3(3), dim3(3), arguments);
  cudaLaunchKernel(none, 1, 1, NULL), cudaLaunchKernel(other, 1, 1, arguments);
  cudaLaunchCooperativeKernel((const void*)other, 1, 2, arguments, 0, NULL);
  cudaEvent_t event;
  cudaEventCreate(&event), cudaEventCreate(&event, cudaEventDisableTiming), cudaEventRecord(event);
  cudaMemLocation location = {cudaMemLocationTypeDevice, 0};
  cudaMemPrefetchAsync(f, 3, 0), cudaMemPrefetchAsync(f, 3, cudaCpuDeviceId, NULL);
  cudaMemPrefetchAsync(f, 3, location, 0, 0), cudaMemAdvise(f, 3, cudaMemAdviseSetReadMostly, 0);
  kernel<float>(f, 3, 2.f), histolab_go(3, 4);
  (other)(Large(), 'c'), histolab_go(dim3(3, 2), a, 5, 0);
}
"""
check = Checks()


def compiled(text, *options):
    """Returns the compiler's messages, or None if there are none."""
    done = subprocess.run(["g++", "-x", "c++", f"-I{INCLUDE}", *options, "-"], input=text,
                          capture_output=True, text=True)
    return done.stderr if done.returncode != 0 or done.stderr else None


for standard in (11, 14, 17, 20):
    said = compiled(USES, f"-std=c++{standard}", "-Wall", "-Wextra", "-pedantic", "-Werror",
                    "-Wno-unused", "-fsyntax-only")
    check(said is None, f"runtime_api.h in C++{standard}", said or "")

header = HEADER.read_text(encoding="utf-8")
declared = set(re.findall(r"^(?:cudaError_t|const char\*) (cuda\w+)\(", header, re.MULTILINE))
listed = set(re.findall(r"^  X\((cuda\w+),", TABLE.read_text(encoding="utf-8"), re.MULTILINE))
defined = set(re.findall(r"^(?:cudaError_t|const char\*) (cuda\w+)\(",
                         API.read_text(encoding="utf-8"), re.MULTILINE))
check(len(listed) > 100, f"{len(listed)} functions are listed")
check(declared == listed, "functions of only one: runtime_api.h, functions.h",
      *sorted(declared ^ listed))
IN_THE_HEADER = {"cudaOccupancyMaxPotentialBlockSizeVariableSMem"}
check(declared - defined == IN_THE_HEADER, "functions without a definition",
      *sorted(declared - defined))

if (CUDA / "cuda_runtime_api.h").exists():
    text = subprocess.run(["g++", "-x", "c++", "-E", "-P", f"-I{INCLUDE}", "-"], input=BEFORE,
                          capture_output=True, text=True, check=True).stdout
    names = [name for body in re.findall(r"enum \w+ \{(.*?)\}", text, re.DOTALL)
             for name in re.findall(r"\b(cuda\w+)\s*=", body)]
    names += re.findall(r"#define (cuda\w+) ", header)
    check(len(names) > 300, f"{len(names)} names have values")
    main = "".join(f'std::printf("{name} %lld\\n", (long long){name});' for name in names)
    values = []
    with tempfile.TemporaryDirectory() as folder:
        for before, include in ((BEFORE, INCLUDE),
                                ("#include <cuda_runtime_api.h>\n", CUDA)):
            program = pathlib.Path(folder, "values")
            subprocess.run(["g++", "-x", "c++", f"-I{include}", "-o", program, "-"], check=True,
                           text=True, input=f"{before}#include <cstdio>\nint main() {{{main}}}")
            values.append(subprocess.run([program], capture_output=True, text=True,
                                         check=True).stdout.splitlines())
    check(values[0] == values[1], "values that differ from NVIDIA's",
          *[f"{a} here, {b} there" for a, b in zip(*values) if a != b])
else:
    skip_part("values of CUDA: no toolkit")
check.finish()
