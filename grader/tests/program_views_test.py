"""histolab explain and debug of whole programs: one launch or all, several files."""
import shutil

from histolab_program import Checks, histolab, put, skip_without_sandbox, temporary_folder

skip_without_sandbox()
check = Checks()

COUNT = """#pragma once
__global__ void count(const unsigned char* text, unsigned* bins) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  bins[text[i]]++;
}
"""
MAIN = r"""#include <cstdio>
#include "count.h"
__global__ void clear(unsigned* bins) {
  bins[threadIdx.x] = 0;
}
int main(int argc, char** argv) {
  unsigned char text[128] = {};
  unsigned char* d_text;
  unsigned* d_bins;
  if (cudaMalloc(&d_text, sizeof text) || cudaMalloc(&d_bins, 1024)) return 1;
  if (cudaMemcpy(d_text, text, sizeof text, cudaMemcpyHostToDevice)) return 1;
  for (int i = 0; i < 5; ++i) {
    clear<<<1, 256>>>(d_bins);
    count<<<2, 64>>>(d_text, d_bins);
  }
  if (cudaDeviceSynchronize()) return 1;
  if (cudaFree(d_text) || cudaFree(d_bins)) return 1;
  printf("done %s\n", argc > 1 ? argv[1] : "");
}
"""


def row(text, code):
    """The margin of a line of code; None if the line is not shown."""
    return next((line[:24].split() for line in text.splitlines() if line.endswith(code)), None)


with temporary_folder() as folder:
    put(folder / "main.cu", MAIN)
    put(folder / "count.h", COUNT)

    # ---- explain ----
    all_of_them = histolab("explain", "main.cu", "--", "first", cwd=folder)
    text = all_of_them.stdout
    check(all_of_them.returncode == 1, "an error among the findings decides the exit code",
          all_of_them.returncode, all_of_them.stderr)
    check(text.startswith("main.cu: 10 launches; the counters are those of 6, the first ones of"),
          "the first line says which launches are counted", text)
    check(all_of_them.stderr == "done first\n", "the program's output goes to standard error",
          all_of_them.stderr)
    check(row(text, "bins[threadIdx.x] = 0;") == ["24", "4", "32"],
          "a line has the sum of its launches", text)
    check("\ncount.h\nreqs sect" in text and (row(text, "bins[text[i]]++;") or [""])[0] == "36",
          "a header with a kernel is shown, too", text)
    check(text.count("! data_race") == 1, "a finding is shown once, below its line", text)
    one = histolab("explain", "main.cu", "--launch", "8", cwd=folder)
    check(one.stdout.startswith("main.cu: launch 8, count<<<2, 64>>> at main.cu:14\n"),
          "a launch says which it is", one.stdout)
    check(row(one.stdout, "bins[threadIdx.x] = 0;") == [] and
          (row(one.stdout, "bins[text[i]]++;") or [""])[0] == "12",
          "only the chosen launch is counted, also if it is a late one", one.stdout)
    page = histolab("explain", "main.cu", "--html", "page.html", cwd=folder)
    html = (folder / "page.html").read_text()
    check("<h1>main.cu</h1>" in html and "<h1>count.h</h1>" in html, "a page has each file",
          page.stderr)

    # ---- wrong use ----
    for words, message in (
            (["main.cu", "--launch", "11"], "--launch 11: the program makes 10 launches"),
            (["main.cu", "--dataset", "book"], "--dataset: is for a lab's kernel; main.cu is a"),
            (["04", "--launch", "1"], "--launch: is for a whole program, FILE.cu"),
            (["04", "--", "word"], "--: is for a whole program, FILE.cu")):
        for command in ("explain", "debug"):
            if command == "debug" and shutil.which("gdb") is None:
                continue
            wrong = histolab(command, *words, cwd=folder)
            check(wrong.returncode == 2 and message in wrong.stderr,
                  f"{command} {' '.join(words)} says what is wrong", wrong.stderr)
    put(folder / "wrong.cu", "int main() { return nowhere; }\n")
    wrong = histolab("explain", "wrong.cu", cwd=folder)
    check(wrong.returncode == 1 and "nowhere" in wrong.stderr, "a program must compile",
          wrong.stderr)

    # ---- debug ----
    if shutil.which("gdb"):
        commands = ("next", "info locals", "print bins[0]@2", "delete", "continue")
        words = [word for each in commands for word in ("--command", each)]
        done = histolab("debug", "main.cu", "--launch", "4", "--block", "1", "--thread", "5",
                        "--batch", *words, "--", "last", cwd=folder)
        text = done.stdout
        check(done.returncode == 0, "a batch ends with 0", done.returncode, text, done.stderr)
        check("launch 4, count<<<2, 64>>> at main.cu:14" in text, "the launch is named", text)
        check("block (1,0,0), thread (5,0,0)" in text, "it stops in the chosen thread", text)
        check("i = 69\n" in text, "locals of the thread are shown", text)
        check("= {2, 0}" in text, "device memory has the values of that moment", text)
        check("data_race (" in text and "count.h:4" in text, "a verdict follows", text)
        check("done last" in text, "the program goes on after the launch", text)
        outside = histolab("debug", "main.cu", "--block", "9", "--batch", cwd=folder)
        check(outside.returncode == 2 and "--block 9: out of range" in outside.stderr,
              "a block outside of the launch's grid is refused", outside.stdout, outside.stderr)

check.finish()
