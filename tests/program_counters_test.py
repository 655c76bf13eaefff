#!/usr/bin/env python3
"""A kernel has the same counters in a whole program as by `histolab run`.

Each lab's solution, and kernels of tests/corpus/right, get a main() that launches them on the same
data with the same shape. All counters of the launch must be equal.

`program_counters_test.py --all` takes each kernel, not a sample of the corpus; `PART...` takes only
files whose path has a PART.
"""
import concurrent.futures
import json
import re
import sys

from programs_test import SOURCE, histolab, temporary_folder  # sets the path of the next ones
from histolab_program import Checks

LENGTH = 5000
# Kernels that a whole program cannot have, with the reason.
NOT_IN_PROGRAMS = {"assumes-by-a-macro.cu": "refuses to be compiled for the host"}
SAMPLE = 12  # one of so many kernels of the corpus
MOST_SHARED = 48 * 1024  # more need cudaFuncSetAttribute
# Counters that the grader adds to those of the launch: grader/lab/case_counters.h.
OF_THE_GRADER = {"histolab__elements_per_thread.ratio", "histolab__updates_lost.sum",
                 "histolab__updates_invented.sum",
                 "histolab__global_atomic_updates_of_one_address.max",
                 "histolab__global_atomic_updated_elements.sum"}
MAIN = """#include <stdio.h>
#include <stdlib.h>
#include <type_traits>
#define main main_of_the_kernel
#include "kernel.cu"
#undef main

struct Pointer {
  void* address;
  template <class T> operator T*() const { return static_cast<T*>(address); }
};

static Pointer input_of(const char* path, size_t bytes) {
  void *host = malloc(bytes), *device = nullptr;
  FILE* file = fopen(path, "rb");
  if (file == nullptr || fread(host, 1, bytes, file) != bytes) exit(3);
  fclose(file);
  cudaMalloc(&device, bytes);
  cudaMemcpy(device, host, bytes, cudaMemcpyHostToDevice);
  free(host);
  return {device};
}

static Pointer output(size_t bytes, float initial) {
  float* host = (float*)malloc(bytes);
  for (size_t i = 0; i < bytes / sizeof(float); ++i) host[i] = initial;
  void* device;
  cudaMalloc(&device, bytes);
  cudaMemcpy(device, host, bytes, cudaMemcpyHostToDevice);
  free(host);
  return {device};
}

int main() {
  const unsigned length = LENGTH;
  Pointer in, out;
  void *data, *histo;
LAUNCHES
  return cudaDeviceSynchronize();
}
"""
LAUNCH = """  in = input_of("DATA", BYTES), out = output(OUTPUT_BYTES, INITIAL);
  if (SHARED > MOST_SHARED)
    cudaFuncSetAttribute(KERNEL, cudaFuncAttributeMaxDynamicSharedMemorySize, SHARED);
  KERNEL<<<GRID, BLOCK, SHARED>>>(ARGUMENTS);
  cudaFree(in.address), cudaFree(out.address);
"""
COOPERATIVE = """  in = input_of("DATA", BYTES), out = output(OUTPUT_BYTES, INITIAL);
  data = in.address, histo = out.address;
  void* arguments[] = {&data, (void*)&length, &histo};
  cudaLaunchCooperativeKernel((void*)KERNEL, dim3(GRID), dim3(BLOCK), arguments, SHARED, 0);
  cudaFree(in.address), cudaFree(out.address);
"""
check = Checks()


def kernels_of(lab):
    description = json.loads((lab / "lab.json").read_text(encoding="utf-8"))
    if "kernels" in description:
        return description["kernels"]
    keys = ("launch", "binning")
    return [{**{key: description[key] for key in keys}, **description["kernel"]}]


def shared_bytes(launch, bins, text):
    if exported := launch.get("dynamic_shared_bytes_from"):
        return int(re.search(exported + r"\s*=\s*(\d+)", text)[1])
    return launch.get("dynamic_shared_bytes", 0) + bins * launch.get("dynamic_shared_bytes_per_bin",
                                                                     0)


def launch_text(kernel, ran, text, data):
    """Returns the C++ text that launches a kernel as `histolab run` did."""
    values = {"input": "in", "length": "length", "output": "out", "bins": str(ran["bins"]),
              "width": str(kernel["binning"]["width"])}
    arguments = [values[each["kind"]] for each in kernel["arguments"]]
    result = next(each for each in kernel["arguments"] if each["kind"] == "output")
    quantity = kernel.get("task", {}).get("quantity")
    words = {"OUTPUT_BYTES": 1 << 20 if "copies" in result
             else ran["bins"] * result["element_bytes"],
             "INITIAL": -128 if quantity == "largest" else 0,  # reference/task.h
             "DATA": data, "BYTES": data.stat().st_size, "KERNEL": kernel["name"],
             "GRID": ran["grid"], "BLOCK": ran["block"], "ARGUMENTS": ", ".join(arguments),
             "MOST_SHARED": MOST_SHARED,
             "SHARED": shared_bytes(kernel["launch"], ran["bins"], text)}
    form = COOPERATIVE if re.search("this_grid|grid_group", text) else LAUNCH
    return re.sub(r"\b(" + "|".join(words) + r")\b", lambda word: str(words[word[0]]), form)


def compare(path, lab):
    """Returns one line per difference of a kernel file's counters."""
    text = path.read_text(encoding="utf-8")
    with temporary_folder() as folder:
        (folder / "kernel.cu").write_text(text, encoding="utf-8")
        ran, launches = [], ""
        for kernel in kernels_of(lab):
            width = kernel["arguments"][0]["element_bytes"]
            dataset = "mixed" if width == 1 else "values"
            data = folder / f"{dataset}.raw"
            histolab("data", dataset, "--length", LENGTH, "--element-bytes", width, "--out", data)
            done = histolab("run", lab.name, "--kernel", path, "--function", kernel["name"],
                            "--dataset", dataset, "--length", LENGTH, "--device", "emulator",
                            "--json")
            if done.returncode != 0:
                return [f"{kernel['name']}: {done.stderr}"]
            ran.append(json.loads(done.stdout))
            launches += launch_text(kernel, ran[-1], text, data)
        main = MAIN.replace("LAUNCHES\n", launches).replace("LENGTH", str(LENGTH))
        (folder / "main.cu").write_text(main, encoding="utf-8")
        done = histolab("exec", folder / "main.cu", "--std", "c++20", "--json",
                        folder / "run.json")
        if not (folder / "run.json").exists():
            return [done.stderr]
        report = json.loads((folder / "run.json").read_text(encoding="utf-8"))
    if len(report["launches"]) != len(ran):
        return [f"{len(report['launches'])} launches, expected {len(ran)}: {done.stderr}"]
    differences = []
    for of_run, launch in zip(ran, report["launches"]):
        expected = {name: value for name, value in of_run["counters"].items()
                    if value and name not in OF_THE_GRADER}
        differences += [f"{launch['kernel']}: {name} is {launch['counters'].get(name)}, not "
                        f"{expected.get(name)}"
                        for name in sorted(expected.keys() | launch["counters"].keys())
                        if expected.get(name) != launch["counters"].get(name)]
    return differences


def main():
    takes_all = "--all" in sys.argv
    parts = [each for each in sys.argv[1:] if each != "--all"]
    labs = sorted(path.parent for path in (SOURCE / "labs").glob("*/lab.json"))
    work = [(lab / "solution.cu", lab) for lab in labs if (lab / "solution.cu").exists()]
    corpus = sorted((SOURCE / "tests" / "corpus" / "right").glob("*/*.cu"))
    work += [(path, SOURCE / "labs" / path.parent.name)
             for path in corpus[::1 if takes_all or parts else SAMPLE]
             if path.name not in NOT_IN_PROGRAMS]
    work = [each for each in work if not parts or any(part in str(each[0]) for part in parts)]
    with concurrent.futures.ThreadPoolExecutor(max_workers=2) as pool:
        for (path, _), differences in zip(work, pool.map(lambda each: compare(*each), work)):
            check(not differences, f"counters of {path.relative_to(SOURCE)}", *differences)
    check(len(work) > 0, f"{len(work)} files")
    check.finish()


if __name__ == "__main__":
    main()
