"""histolab nvcc: a Makefile's objects, archives and programs; programs that are started by hand."""
import os
import subprocess

from histolab_program import PROGRAM, Checks, histolab, put, skip_without_sandbox, temporary_folder

skip_without_sandbox()
check = Checks()

HEADER = "void add(const float* a, float* b, int n);\nint scale();\n"
KERNEL = r"""#include "add.h"
static __global__ void kernel(const float* a, float* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) b[i] += a[i];
}
void add(const float* a, float* b, int n) { kernel<<<(n + 127) / 128, 128>>>(a, b, n); }
"""
MAIN = r"""#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <vector>
#include "add.h"
int main(int argc, char** argv) {
  int n = 300, typed = 0;
  if (scanf("%d", &typed) != 1) typed = -1;
  std::vector<float> h(n, scale());
  float *a, *b;
  if (cudaMalloc(&a, n * 4) || cudaMalloc(&b, n * 4)) return 1;
  if (cudaMemcpy(a, h.data(), n * 4, cudaMemcpyHostToDevice)) return 1;
  if (cudaMemset(b, 0, n * 4)) return 1;
  add(a, b, n);
  if (cudaMemcpy(h.data(), b, n * 4, cudaMemcpyDeviceToHost)) return 1;
  if (cudaFree(a) || cudaFree(b)) return 1;
  printf("%s %s %d %g\n", argv[0], argc > 1 ? argv[1] : "none", typed, h[n - 1]);
  return argc > 1 ? atoi(argv[1]) : 0;
}
"""
SCALE = "int scale() { return FACTOR; }\n"
MAKEFILE = r"""NVCC ?= nvcc
CUDA_PATH ?= /usr/local/cuda
FLAGS = -O3 -std=c++14 -arch=sm_70 -gencode arch=compute_70,code=sm_70 \
  -lineinfo --expt-extended-lambda
program: main.o kernel.o libscale.a
	$(NVCC) $(FLAGS) -o $@ main.o kernel.o -L. -lscale -lcudart -lm
linked_by_gcc: kernel.o libscale.a main.cpp
	g++ -I$(CUDA_PATH)/include -c main.cpp -o main_by_gcc.o
	gcc -o $@ main_by_gcc.o kernel.o -L. -lscale -L$(CUDA_PATH)/lib64 -lcuda -lcudart -lm
%.o: %.cu
	$(NVCC) $(FLAGS) -Xcompiler -Wall,-Wextra -dc -MMD -MP $< -o $@
main.o: main.cpp
	$(NVCC) -ccbin g++ -c $< --output-file=$@
libscale.a: scale.cpp
	$(NVCC) -x cu -DFACTOR=3 -c scale.cpp
	ar rcs $@ scale.o
-include kernel.d
"""


def run(*command, cwd, stdin="", **environment):
    return subprocess.run(command, cwd=cwd, input=stdin, capture_output=True, text=True,
                          env={**os.environ, **environment}, timeout=1200)


def make(folder, *words):
    done = run("make", f"NVCC={PROGRAM} nvcc", *words, cwd=folder)
    check(done.returncode == 0, f"make {words}", done.stdout, done.stderr)
    return done


def makefile(folder):
    for name, text in (("add.h", HEADER), ("kernel.cu", KERNEL), ("main.cpp", MAIN),
                       ("scale.cpp", SCALE), ("Makefile", MAKEFILE)):
        put(folder / name, text)
    make(folder)
    done = run("./program", "7", cwd=folder, stdin="5\n")
    check(done.returncode == 7 and done.stdout == "./program 7 5 3\n",
          "arguments, standard input and exit status", done.stdout, done.stderr)
    for text in ("kernel<<<3, 128>>> at kernel.cu:6", "no findings"):
        check(text in done.stderr, f"the summary lacks {text}", done.stderr)
    check("add.h:" in (folder / "kernel.d").read_text(), "the list of files for make",
          (folder / "kernel.d").read_text())
    check("up to date" in make(folder).stdout, "nothing changed")
    put(folder / "add.h", HEADER + "// changed\n")
    check("kernel.cu" in make(folder).stdout, "a changed header")
    toolkit = histolab("nvcc", "--toolkit", cwd=folder).stdout.strip()
    libraries = os.listdir(f"{toolkit}/lib64")
    for name in ("libcudadevrt.a", "libcudart_static.a"):
        check(name in libraries, "CMake links it with each program", name, libraries)
    make(folder, "linked_by_gcc", f"CUDA_PATH={toolkit}")
    done = run("./linked_by_gcc", cwd=folder)
    check(done.returncode == 0 and done.stdout == "./linked_by_gcc none -1 3\n",
          "a program that g++ has linked", done.stdout, done.stderr)
    done = run(f"{toolkit}/bin/nvcc", "-DFACTOR=2", "kernel.cu", "main.cpp", "scale.cpp", "-o",
               "program.x", cwd=folder)
    check(done.returncode == 0, "the toolkit's nvcc", done.stderr)
    done = histolab("exec", "program.x", "--", "1", cwd=folder)
    check(done.stdout.startswith("./program.x 1 "), "exec takes the program", done.stdout)


def finding(folder):
    put(folder / "race.cu", "__global__ void count(int* n) { ++*n; }\n"
        "int main() {\n  int* n;\n  if (cudaMalloc(&n, 4) || cudaMemset(n, 0, 4)) return 3;\n"
        "  count<<<1, 32>>>(n);\n  return cudaFree(n) ? 3 : 0;\n}\n")
    check(histolab("nvcc", "race.cu", cwd=folder).returncode == 0, "a program without -o")
    done = run("./a.out", cwd=folder)
    check(done.returncode == 1 and "data_race" in done.stderr and "race.cu:1" in done.stderr,
          "a race in a program that is started by hand", done.returncode, done.stderr)


def device_code(folder):
    """-rdc=true: a kernel calls a device function of another file."""
    put(folder / "twice.h", "#ifdef __CUDACC__\n__host__ __device__\n#endif\nint twice(int x);\n")
    put(folder / "twice.cu", '#include "twice.h"\n'
        "__host__ __device__ int twice(int x) { return 2 * x; }\n")
    put(folder / "calls.cu", '#include "twice.h"\n'
        "__global__ void k(int* n) { *n = twice(21); }\nint main() {\n  int* n, got = 0;\n"
        "  if (cudaMalloc(&n, 4)) return 1;\n  k<<<1, 1>>>(n);\n"
        "  if (cudaMemcpy(&got, n, 4, cudaMemcpyDeviceToHost) || cudaFree(n)) return 1;\n"
        "  return got == twice(21) ? 9 : 1;\n}\n")
    for source in ("twice.cu", "calls.cu"):
        check(histolab("nvcc", "-dc", source, cwd=folder).returncode == 0, "-dc")
    (folder / "calls.o").rename(folder / "calls.obj")
    done = histolab("nvcc", "-o", "linked", "twice.o", "calls.obj", cwd=folder)
    check(done.returncode == 0, "a link of device code", done.stderr)
    done = run("./linked", cwd=folder)
    check(done.returncode == 9, "a call of another file's function", done.returncode, done.stderr)
    done = histolab("exec", "twice.cu", "calls.cu", cwd=folder)
    check(done.returncode == 1 and "unresolved extern function `twice(int)`" in done.stderr
          and "-rdc=true" in done.stderr and "calls.cu:2" in done.stderr,
          "without -rdc=true", done.returncode, done.stderr)


def stripped(folder):
    """A program without symbols says what to do."""
    put(folder / "whole.cu", "__global__ void k() {}\n"
        "int main() { k<<<1, 1>>>(); return cudaDeviceSynchronize(); }\n")
    check(histolab("nvcc", "-o", "whole", "whole.cu", cwd=folder).returncode == 0, "whole")
    for options in ([], ["-R", ".histolab_device"]):
        subprocess.run(["strip", *options, "-o", "stripped", "whole"], cwd=folder, check=True)
        done = histolab("exec", "stripped", cwd=folder)
        check(done.returncode == 2 and "the program was stripped" in done.stderr,
              "a stripped program", options, done.returncode, done.stderr)


def same_names(folder):
    """Two objects have a static kernel of one name."""
    text = ("static __global__ void k(int* n) { *n = NUMBER; }\nint NAME() {\n  int *n, got = 0;\n"
            "  if (cudaMalloc(&n, 4)) return 0;\n  k<<<1, 1>>>(n);\n"
            "  if (cudaMemcpy(&got, n, 4, cudaMemcpyDeviceToHost) || cudaFree(n)) return 0;\n"
            "  return got;\n}\n")
    for name, number in (("first", "3"), ("second", "4")):
        put(folder / f"{name}.cu", text.replace("NAME", name).replace("NUMBER", number))
        check(histolab("nvcc", "-c", f"{name}.cu", cwd=folder).returncode == 0, name)
    put(folder / "main.cpp", "int first();\nint second();\n"
        "int main() { return 10 * first() + second(); }\n")
    histolab("nvcc", "-o", "both", "main.cpp", "first.o", "second.o", cwd=folder)
    done = run("./both", cwd=folder)
    check(done.returncode == 34, "each launch takes the kernel of its file", done.returncode,
          done.stderr)
    for name in ("first", "second"):
        check(histolab("nvcc", "-dc", f"{name}.cu", cwd=folder).returncode == 0, name)
    done = histolab("nvcc", "-rdc=true", "-o", "linked", "main.cpp", "first.o", "second.o",
                    cwd=folder)
    done = done if done.returncode else histolab("exec", "linked", cwd=folder)
    check(done.returncode in (1, 2) and "two files have a static kernel k" in done.stderr,
          "device code with two kernels of one name", done.returncode, done.stderr)
    for name, number in (("first", "3"), ("second", "4")):
        put(folder / f"{name}.cu", f"static __device__ int x = {number};\n"
            f"__global__ void of_{name}(int* n) {{ *n = x; }}\n"
            f"int {name}() {{\n  int got = 0;\n  of_{name}<<<1, 1>>>(nullptr);\n"
            "  return cudaMemcpyFromSymbol(&got, x, 4) ? 0 : got;\n}\n")
    histolab("nvcc", "-rdc=true", "-o", "linked", "main.cpp", "first.cu", "second.cu", cwd=folder)
    done = histolab("exec", "linked", cwd=folder)
    check(done.returncode == 2 and "two files have a static variable x" in done.stderr,
          "device code with two variables of one name", done.returncode, done.stderr)


def cmake(folder):
    toolkit = histolab("nvcc", "--toolkit", cwd=folder).stdout.strip()
    libraries = os.listdir(f"{toolkit}/lib64")
    for name in ("libcudadevrt.a", "libcudart_static.a"):
        check(name in libraries, "CMake links it with each program", name, libraries)
    for name, text in (("add.h", HEADER), ("kernel.cu", KERNEL), ("main.cpp", MAIN),
                       ("scale.cpp", SCALE)):
        put(folder / name, text)
    put(folder / "CMakeLists.txt", "cmake_minimum_required(VERSION 3.18)\n"
        "project(program LANGUAGES CXX CUDA)\n"
        "find_package(CUDAToolkit REQUIRED)\n"
        "add_executable(program main.cpp kernel.cu scale.cpp)\n"
        "target_link_libraries(program PRIVATE CUDA::cudart_static)\n"
        "target_compile_definitions(program PRIVATE FACTOR=3)\n")
    done = run("cmake", "-B", "build", f"-DCMAKE_CUDA_COMPILER={toolkit}/bin/nvcc",
               "-DCMAKE_CUDA_ARCHITECTURES=70", cwd=folder)
    check(done.returncode == 0, "cmake", done.stdout, done.stderr)
    done = run("cmake", "--build", "build", cwd=folder)
    check(done.returncode == 0, "cmake --build", done.stdout, done.stderr)
    done = run("build/program", cwd=folder)
    check(done.returncode == 0 and done.stdout == "build/program none -1 3\n",
          "a program that CMake has built", done.stdout, done.stderr)


def words(folder):
    put(folder / "one.cu", '#include "deep/one.h"\nint main() { return ONE; }\n')
    put(folder / "deep" / "one.h", "#ifdef WITHOUT\n#define ONE 0\n#else\n#define ONE 4\n#endif\n")
    put(folder / "flags", "-D WITHOUT -o one.x\n")

    def nvcc(*arguments):
        return histolab("nvcc", *arguments, cwd=folder)

    for arguments, code in ((("@flags", "one.cu"), 0), (("-optf", "flags", "one.cu"), 0),
                            (("-DWITHOUT", "-UWITHOUT", "one.cu", "-o", "one.x"), 4)):
        check(nvcc(*arguments).returncode == 0, arguments)
        done = run("./one.x", cwd=folder)
        check(done.returncode == code, arguments, done.returncode, done.stderr)
    done = nvcc("-MM", "one.cu")
    check(done.stdout.startswith("one.o:") and "deep/one.h" in done.stdout, "-MM", done.stdout)
    done = nvcc("-E", "one.cu")
    check("return 4;" in done.stdout, "-E", done.stdout[-300:])
    done = nvcc("-use_fast_math", "-maxrregcount=32", "-lcublas", "one.cu")
    check(done.returncode == 0 and done.stderr.count("has no effect") == 3, "notes", done.stderr)
    done = nvcc("--version")
    check("release 13.0, V13.0" in done.stdout, "--version", done.stdout)
    for arguments, message in (
            (("-ptx", "one.cu"), "makes no GPU code"), (("-Wall", "one.cu"), "-Xcompiler -Wall"),
            (("--lineinfo", "-foo=1", "one.cu"), "unknown option"), ((), "no input files"),
            (("one.txt",), "kind of file"), (("none.cu",), "none.cu"), (("-o",), "needs a value"),
            (("-c", "-o", "x.o", "one.cu", "two.cu"), "several sources"),
            (("@missing", "one.cu"), "missing")):
        done = nvcc(*arguments)
        check(done.returncode == 2 and message in done.stderr, arguments, done.returncode,
              done.stderr)
    put(folder / "broken.cu", "int main() { return x; }\n")
    done = nvcc("-c", "broken.cu")
    check(done.returncode == 1 and "broken.cu:1" in done.stderr
          and not (folder / "broken.o").exists(), "a compile error", done.stderr)


for part in (makefile, finding, device_code, stripped, same_names, cmake, words):
    with temporary_folder() as folder:
        part(folder)
check.finish()
