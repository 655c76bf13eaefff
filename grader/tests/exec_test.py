"""histolab exec: whole CUDA programs that are right, have a race, or make mistakes on the host."""
import json
import os
import select
import signal
import subprocess
import time

from histolab_program import (PATIENCE, PROGRAM, Checks, histolab, put, skip_without_sandbox,
                              temporary_folder, wait_until)
from schemas import check_all_seen, problems, validator_of

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


def read_report(path):
    report = json.loads(path.read_text())
    found = problems(validator_of("exec", written_now=True), report)
    check(not found, f"{path.name} is not what docs/exec.schema.json says", *found[:5])
    return report


def right(folder):
    put(folder / "right.cu", RIGHT)
    done = histolab("exec", "right.cu", "-D", "FIRST=2", "--json", "run.json", "--", "300",
                    cwd=folder)
    check(done.returncode == 0, "a right program", done.returncode, done.stderr)
    check(done.stdout == "300 8\n", "its output", done.stdout)
    for text in ("to stderr\n", "4 launches", "add<<<3, 128>>> at right.cu:15, 4 times",
                 "no findings", "exit status 0", "modelled time on NVIDIA H200"):
        check(text in done.stderr, f"the summary lacks {text}", done.stderr)
    report = read_report(folder / "run.json")
    check(report["schema"] == "histolab/exec/1" and report["arguments"] == ["300"], report)
    check([launch["watched"] for launch in report["launches"]] == [True] * 3 + [False],
          "the first three launches are watched", report["launches"])
    check(report["launches"][0]["counters"]["launch__thread_count"] == 384, report["launches"][0])
    check(all(launch["modelled_ms"] > 0 for launch in report["launches"]), report["launches"])
    again = histolab("exec", "right.cu", "-D", "FIRST=2", "--", "300", cwd=folder)
    check(again.stderr == done.stderr, "another run differs", again.stderr, done.stderr)
    standard = histolab("exec", "right.cu", "-D", "FIRST=2", "-std=c++14", cwd=folder)
    check(standard.returncode == 0, "-std, as nvcc spells it", standard.stderr)
    own = histolab("exec", "right.cu", "-D", "FIRST=2", "--", "300", "fail", cwd=folder)
    check(own.returncode == 7, "the program's own exit status", own.returncode)


def race(folder):
    put(folder / "race.cu", RACE)
    done = histolab("exec", "race.cu", "--json", "race.json", cwd=folder)
    check(done.returncode == 1, "a race", done.returncode, done.stderr)
    check("data_race" in done.stderr and "race.cu:3" in done.stderr, done.stderr)
    report = read_report(folder / "race.json")
    check([(finding["kind"], finding["file"], finding["line"]) for finding in report["findings"]]
          == [("data_race", "race.cu", 3)], report["findings"])
    off = histolab("exec", "race.cu", "--no-observer", "races", cwd=folder)
    check(off.returncode == 0, "without the observer", off.stderr)


def mistakes(folder):
    put(folder / "mistakes.cu", MISTAKES)
    done = histolab("exec", "mistakes.cu", "--json", "mistakes.json", cwd=folder)
    check(done.returncode == 1, "host mistakes", done.returncode, done.stderr)
    report = read_report(folder / "mistakes.json")
    found = {(finding["kind"], finding["line"]) for finding in report["host_findings"]}
    for expected in (("invalid_copy", 6), ("invalid_launch", 7), ("leak", 5),
                     ("unchecked_error", 6), ("unchecked_error", 7)):
        check(expected in found, f"host findings lack {expected}", found)


def signals(folder):
    put(folder / "ends.cu", "#include <cstdlib>\n#include <cstdio>\n"
        "int main(int, char** argv) {\n  if (cudaFree(nullptr)) return 1;\n"
        "  puts(argv[0]), fflush(stdout);\n  abort();\n}\n")
    done = histolab("exec", "ends.cu", "--json", "ends.json", cwd=folder)
    check(done.returncode == 134 and done.stdout == "./ends\n", "abort(), and argv[0]",
          done.returncode, done.stdout)
    report = read_report(folder / "ends.json")
    check((report["signal"], report["exit_status"]) == (6, None), report)


def page(folder):
    put(folder / "page.cu", RACE.replace("return 0;", 'puts("<b>bold</b>"); return 0;'))
    histolab("exec", "page.cu", "--html", "page.html", "--", "<i>", cwd=folder)
    text = (folder / "page.html").read_text()
    for part in ("<title>page.cu - histolab exec</title>", "data race", "page.cu:3",
                 "<mark>  bins[data[threadIdx.x]]++;</mark>", "&lt;b>bold&lt;/b>", "&lt;i&gt;",
                 "histogram", "prefers-color-scheme: dark"):
        check(part in text or part.replace("&lt;b>bold&lt;/b>", "&lt;b&gt;bold&lt;/b&gt;") in text,
              f"the page lacks {part}", text[-3000:])
    check("<b>bold" not in text and "http-equiv" in text, "the page has the output as text")


def watch(folder):
    """Runs again when the source, or a file that it includes, is saved; also if it runs."""
    put(folder / "watched.h", "#define TEXT first\n")
    put(folder / "watched.cu", '#include <cstdio>\n#include "watched.h"\n#define S(x) #x\n'
        '#define T(x) S(x)\nint main() { puts(T(TEXT)); LOOP }\n')
    with open(folder / "log", "wb") as log:
        process = subprocess.Popen(
            [str(PROGRAM), "exec", "--watch", "--poll", "watched.cu", "-D", "LOOP="], cwd=folder,
            stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT)

    def waits(words, times):
        wait_until(lambda: (folder / "log").read_text().count(words) >= times
                   or process.poll() is not None)
        check((folder / "log").read_text().count(words) >= times, f"{words}, {times} times",
              (folder / "log").read_text())

    waits("watching", 1)
    put(folder / "watched.h", "#define TEXT second text\n")
    waits("second text", 1)
    waits("watching", 2)
    put(folder / "watched.cu", '#include <cstdio>\nint main() { puts("third"), fflush(stdout); '
        'for (volatile int i = 0;; i = 1) {} }\n')
    waits("third", 1)
    put(folder / "watched.cu", "int main() { return x; }\n")
    waits("watched.cu:1", 1)
    waits("watching", 3)
    process.terminate()
    check(process.wait() == 128 + 15, "a signal ends it", process.returncode)


def interrupted(folder):
    """Ctrl-C stops a launch at once, and the summary of the run so far follows."""
    put(folder / "long.cu", """#include <cstdio>
__global__ void first() {}
__global__ void endless(int* n) { for (int i = 0; i < 100; ++i) atomicAdd(n, 1); }
int main() {
  int* n;
  if (cudaMallocManaged(&n, sizeof *n)) return 1;
  *n = 0;
  first<<<1, 1>>>();
  puts("launched"), fflush(stdout);
  endless<<<1 << 20, 1024>>>(n);  // a kernel for hours
  return cudaDeviceSynchronize() || cudaFree(n);
}
""")
    with open(folder / "log", "wb") as log:
        process = subprocess.Popen(
            [str(PROGRAM), "exec", "long.cu"], cwd=folder,
            stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT)
    wait_until(lambda: "launched" in (folder / "log").read_text() or process.poll() is not None)
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    code, text = process.wait(), (folder / "log").read_text()
    for part in ("2 launches", "first<<<1, 1>>> at long.cu:8",
                 "endless<<<1048576, 1024>>> at long.cu:10",
                 "stopped: interrupted", "program: interrupted", "histolab: interrupted"):
        check(part in text, f"after Ctrl-C: {part}", text)
    check(code == 130, "Ctrl-C ends it", code)


def output_that_nothing_reads(folder):
    put(folder / "prints.cu", "#include <cstdio>\nint main() { for (;;) puts(\"text\"); }\n")
    for number, code in ((signal.SIGTERM, 143), (signal.SIGINT, 130)):
        process = subprocess.Popen([str(PROGRAM), "exec", "prints.cu"], cwd=folder,
                                   stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE)
        with open(f"/proc/self/fd/{process.stdout.fileno()}", "wb") as pipe:
            check(wait_until(lambda: not select.select([], [pipe], [], 0)[1]), "a full pipe")
        process.send_signal(number)
        process.communicate(timeout=PATIENCE)
        check(process.returncode == code, "a signal while nothing reads the output",
              process.returncode)


def devices(folder):
    done = histolab("exec", "race.cu", "--device", "gpu", "--json", "no.json", cwd=folder)
    check(done.returncode == 2 and "--json" in done.stderr, "--json of a GPU", done.stderr)
    done = histolab("exec", "race.cu", "--device", "gpu", "--seed", "2", cwd=folder)
    check(done.returncode == 2 and "--seed: works only with the emulator" in done.stderr,
          "--seed of a GPU", done.stderr)
    done = histolab("exec", "race.cu", "--device", "cpu", cwd=folder)
    check(done.returncode == 2 and "there is no device" in done.stderr, done.stderr)
    done = histolab("exec", "race.cu", "--device", "gpu", cwd=folder)
    if os.path.exists("/dev/nvidiactl"):
        check(done.returncode == 0, "a program on a GPU", done.stdout, done.stderr)
    else:
        check(done.returncode == 2 and "run the program on the emulator" in done.stderr,
              "neither a GPU nor nvcc", done.stderr)


def closed_folders(folder):
    """As root, the sandbox is another user."""
    if os.geteuid() != 0:
        return
    put(folder / "closed" / "a.cu", "int main() {}\n")
    (folder / "closed").chmod(0o700)
    for where, name in ((folder, "closed/a.cu"), (folder / "closed", "a.cu")):
        done = histolab("exec", name, cwd=where)
        check(done.returncode == 2 and "chmod o+rx" in done.stderr, "a folder of root only",
              done.returncode, done.stderr)


def files_of_others(folder):
    """A #line can name any file: only the program's own files are quoted."""
    put(folder / "other" / "secret.txt", "a secret\n" * 9)
    put(folder / "own" / "quotes.cu", "int main() {\n  void* d;\n"
        f'#line 3 "{folder}/other/secret.txt"\n  cudaMalloc(&d, 8);\n  return 0;\n}}\n')
    put(folder / "own" / "broken.cu",
        f'#line 3 "{folder}/other/secret.txt"\nint main() {{ x; }}\n')
    (folder / "own" / "deep").mkdir()
    for name in ("quotes.cu", "broken.cu"):
        done = histolab("exec", f"../{name}", "--html", "page.html", cwd=folder / "own" / "deep")
        check("secret.txt:3" in done.stderr and "a secret" not in done.stderr, name, done.stderr)
    page = (folder / "own" / "deep" / "page.html").read_text()
    check("secret.txt:3" in page and "a secret" not in page, "a page", page[-2000:])


def files_of_neighbours(folder):
    """Students' folders may be next to each other: a build reads others only if -I names them."""
    put(folder / "class" / "bob" / "solution.h", "static int solution = 7;\n")
    ann = folder / "class" / "ann"
    put(ann / "header.cu", '#include "../bob/solution.h"\nint main() { return solution; }\n')
    put(ann / "text.cu",
        f'asm(".incbin \\"{folder}/class/bob/solution.h\\"");\nint main() {{}}\n')
    put(ann / "src" / "own.cu", '#include "../own.h"\nint main() { return own; }\n')
    put(ann / "own.h", "static int own = 5;\n")
    for name, words in (("header.cu", "Name its folder with -I"), ("text.cu", "error:")):
        done = histolab("exec", name, cwd=ann)
        check(done.returncode == 1 and words in done.stderr, name, done.returncode, done.stderr)
    done = histolab("exec", "header.cu", "-I", "../bob", cwd=ann)
    check(done.returncode == 7, "a folder of -I", done.returncode, done.stderr)
    done = histolab("exec", "src/own.cu", cwd=ann)
    check(done.returncode == 5, "the current folder", done.returncode, done.stderr)


def root_folder(folder):
    """All of the machine is below /."""
    put(folder / "a.cu", "int main() {}\n")
    done = histolab("exec", folder / "a.cu", cwd="/")
    check(done.returncode == 2 and "may not see /: change to the folder" in done.stderr, "in /",
          done.returncode, done.stderr)


def refusals(folder):
    put(folder / "broken.cu", "int main() { return x; }\n")
    done = histolab("exec", "broken.cu", cwd=folder)
    check(done.returncode == 1 and "broken.cu:1" in done.stderr, "a compile error", done.stderr)
    put(folder / "slip.cu", "int main() { int* p; return cudaMaloc(&p, 4); }\n")
    done = histolab("exec", "slip.cu", cwd=folder)
    check("did you mean 'cudaMalloc'?" in done.stderr and "not supported" not in done.stderr,
          "a slip of the keyboard is not a missing feature", done.stderr)
    done = histolab("exec", "none.cu", cwd=folder)
    check(done.returncode == 2 and "none.cu" in done.stderr, "a missing file", done.stderr)
    put(folder / "text", "text\n")
    done = histolab("exec", "./text", cwd=folder)
    check(done.returncode == 2, "a file that is not a program", done.returncode, done.stderr)


def written_files(folder):
    folder.chmod(0o777)
    put(folder / "writes.cu", """#include <cstdio>
#include <fstream>
int main(int argc, char**) {
  if (argc > 2) return fopen("missing", "r") == nullptr ? 3 : 0;
  if (argc > 1) return std::ofstream("written") ? 0 : 3;
  return fopen("written", "w") == nullptr ? 3 : 0;
}
""")
    done = histolab("exec", "writes.cu", cwd=folder)
    check(done.returncode == 3 and "--write" in done.stderr and not (folder / "written").exists(),
          "a program writes nowhere, and its failure names the option", done.stderr)
    done = histolab("exec", "writes.cu", "--", "stream", cwd=folder)
    check(done.returncode == 3 and "--write" in done.stderr, "a C++ stream neither", done.stderr)
    done = histolab("exec", "writes.cu", "--", "no", "write", cwd=folder)
    check(done.returncode == 3 and "--write" not in done.stderr,
          "another failure does not name the option", done.stderr)
    done = histolab("exec", "writes.cu", "--write", ".", cwd=folder)
    check(done.returncode == 0 and (folder / "written").exists(), "--write lets it write",
          done.stderr)
    done = histolab("exec", "writes.cu", "--write", "none", cwd=folder)
    check(done.returncode == 2 and "none: there is no such folder" in done.stderr,
          "a missing folder is named", done.stderr)


with temporary_folder() as folder:
    for part in (right, race, mistakes, signals, page, watch, interrupted,
                 output_that_nothing_reads, devices, closed_folders,
                 files_of_others, files_of_neighbours, root_folder, refusals, written_files):
        part(folder)
check_all_seen(check, "exec")
check.finish()
