"""histolab exec: whole CUDA programs that are right, have a race, or make mistakes on the host."""
import json

from histolab_program import Checks, histolab, put, skip_without_sandbox, temporary_folder

skip_without_sandbox()
check = Checks()

RIGHT = r"""#include <cstdio>
#include <cstdlib>
#include <vector>
__global__ void add(const float* a, float* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) b[i] += a[i];
}
int main(int argc, char** argv) {
  int n = argc > 1 ? atoi(argv[1]) : 1000;
  std::vector<float> h(n, FIRST);
  float *a, *b;
  if (cudaMalloc(&a, n * 4) || cudaMalloc(&b, n * 4)) return 1;
  if (cudaMemcpy(a, h.data(), n * 4, cudaMemcpyHostToDevice)) return 1;
  if (cudaMemset(b, 0, n * 4)) return 1;
  for (int i = 0; i < 4; ++i) add<<<(n + 127) / 128, 128>>>(a, b, n);
  if (cudaMemcpy(h.data(), b, n * 4, cudaMemcpyDeviceToHost)) return 1;
  printf("%d %g\n", n, h[n - 1]);
  fprintf(stderr, "to stderr\n");
  if (cudaFree(a) || cudaFree(b)) return 1;
  return argc > 2 ? 7 : 0;
}
"""
RACE = r"""#include <cstdio>
__global__ void histogram(const unsigned char* data, unsigned* bins) {
  bins[data[threadIdx.x]]++;
}
int main() {
  unsigned char h[64] = {};
  unsigned char* data;
  unsigned *bins, total;
  if (cudaMalloc(&data, sizeof h)) return 1;
  if (cudaMalloc(&bins, 1024)) return 1;
  if (cudaMemcpy(data, h, sizeof h, cudaMemcpyHostToDevice)) return 1;
  if (cudaMemset(bins, 0, 1024)) return 1;
  histogram<<<1, 64>>>(data, bins);
  if (cudaMemcpy(&total, bins, 4, cudaMemcpyDeviceToHost)) return 1;
  if (cudaFree(data) || cudaFree(bins)) return 1;
  return 0;
}
"""
MISTAKES = r"""__global__ void twice(int* data) { data[threadIdx.x] *= 2; }
int main() {
  int h[32] = {};
  int* d;
  cudaMalloc(&d, sizeof h);
  cudaMemcpy(d, h, sizeof h, cudaMemcpyDeviceToHost);
  twice<<<1, 2048>>>(d);
  return 0;
}
"""


def right(folder):
    put(folder / "right.cu", RIGHT)
    done = histolab("exec", "right.cu", "-D", "FIRST=2", "--json", "run.json", "--", "300",
                    cwd=folder)
    check(done.returncode == 0, "a right program", done.returncode, done.stderr)
    check(done.stdout == "300 8\n", "its output", done.stdout)
    for text in ("to stderr\n", "4 launches", "add<<<3, 128>>> at right.cu:15, 4 times",
                 "no findings", "exit status 0", "modelled time on NVIDIA H200"):
        check(text in done.stderr, f"the summary lacks {text}", done.stderr)
    report = json.loads((folder / "run.json").read_text())
    check(report["schema"] == "histolab/exec/1" and report["arguments"] == ["300"], report)
    check([launch["watched"] for launch in report["launches"]] == [True] * 3 + [False],
          "the first three launches are watched", report["launches"])
    check(report["launches"][0]["counters"]["launch__thread_count"] == 384, report["launches"][0])
    check(all(launch["modelled_ms"] > 0 for launch in report["launches"]), report["launches"])
    again = histolab("exec", "right.cu", "-D", "FIRST=2", "--", "300", cwd=folder)
    check(again.stderr == done.stderr, "another run differs", again.stderr, done.stderr)
    own = histolab("exec", "right.cu", "-D", "FIRST=2", "--", "300", "fail", cwd=folder)
    check(own.returncode == 7, "the program's own exit status", own.returncode)


def race(folder):
    put(folder / "race.cu", RACE)
    done = histolab("exec", "race.cu", "--json", "race.json", cwd=folder)
    check(done.returncode == 1, "a race", done.returncode, done.stderr)
    check("data_race" in done.stderr and "race.cu:3" in done.stderr, done.stderr)
    report = json.loads((folder / "race.json").read_text())
    check([(finding["kind"], finding["file"], finding["line"]) for finding in report["findings"]]
          == [("data_race", "race.cu", 3)], report["findings"])
    off = histolab("exec", "race.cu", "--no-observer", "races", cwd=folder)
    check(off.returncode == 0, "without the observer", off.stderr)


def mistakes(folder):
    put(folder / "mistakes.cu", MISTAKES)
    done = histolab("exec", "mistakes.cu", "--json", "mistakes.json", cwd=folder)
    check(done.returncode == 1, "host mistakes", done.returncode, done.stderr)
    report = json.loads((folder / "mistakes.json").read_text())
    found = {(finding["kind"], finding["line"]) for finding in report["host_findings"]}
    for expected in (("invalid_copy", 6), ("invalid_launch", 7), ("leak", 5),
                     ("unchecked_error", 6), ("unchecked_error", 7)):
        check(expected in found, f"host findings lack {expected}", found)


def refusals(folder):
    put(folder / "broken.cu", "int main() { return x; }\n")
    done = histolab("exec", "broken.cu", cwd=folder)
    check(done.returncode == 1 and "broken.cu:1" in done.stderr, "a compile error", done.stderr)
    done = histolab("exec", "none.cu", cwd=folder)
    check(done.returncode == 2 and "none.cu" in done.stderr, "a missing file", done.stderr)
    put(folder / "text", "text\n")
    done = histolab("exec", "./text", cwd=folder)
    check(done.returncode == 2, "a file that is not a program", done.returncode, done.stderr)


def written_files(folder):
    folder.chmod(0o777)
    put(folder / "writes.cu", """#include <cstdio>
int main() { return fopen("written", "w") == nullptr ? 3 : 0; }
""")
    done = histolab("exec", "writes.cu", cwd=folder)
    check(done.returncode == 3 and "--write" in done.stderr and not (folder / "written").exists(),
          "a program writes nowhere, and its failure names the option", done.stderr)
    done = histolab("exec", "writes.cu", "--write", ".", cwd=folder)
    check(done.returncode == 0 and (folder / "written").exists(), "--write lets it write",
          done.stderr)
    done = histolab("exec", "writes.cu", "--write", "none", cwd=folder)
    check(done.returncode == 2 and "none: there is no such folder" in done.stderr,
          "a missing folder is named", done.stderr)


with temporary_folder() as folder:
    folder.chmod(0o755)  # as root, the confined compiler is another user
    for part in (right, race, mistakes, refusals, written_files):
        part(folder)
check.finish()
