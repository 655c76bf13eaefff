"""histolab explain, debug, race and compare of whole programs: one launch or all, several files."""
import json
import shutil

from histolab_program import (SOURCE, Checks, histolab, put, skip_without_sandbox,
                              temporary_folder)
from schemas import problems, validator_of

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


# Each thread that counts comes after 4096 accesses of others.
LATE = r"""__global__ void late(unsigned* bins, float* sum) {
  if (threadIdx.x < 1000) for (int i = 0; i < 8; ++i) bins[threadIdx.x + 8]++;
  else bins[0]++;
}
int main() {
  unsigned* bins;
  if (cudaMalloc(&bins, 8192) || cudaMemset(bins, 0, 8192)) return 1;
  late<<<1, 1024>>>(bins, nullptr);
  return cudaDeviceSynchronize() || cudaFree(bins);
}
"""
ATOMIC = r"""#include <cstdio>
__global__ void count(unsigned* bins) {
  atomicAdd(&bins[threadIdx.x % 4], 1u);
}
int main(int argc, char**) {
  unsigned* bins;
  if (argc > 1) return 3;
  if (cudaMalloc(&bins, 1024) || cudaMemset(bins, 0, 1024)) return 1;
  count<<<1, 64>>>(bins);
  count<<<64, 64>>>(bins);
  if (cudaDeviceSynchronize() || cudaFree(bins)) return 1;
  puts("counted");
}
"""
validators = {name: validator_of(name, written_now=True) for name in ("race", "compare")}


def valid(name, text):
    """The JSON of a command, checked against its schema."""
    document = json.loads(text)
    found = problems(validators[name], document)
    check(not found, f"docs/{name}.schema.json accepts this", *found[:5])
    return document


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
    one = histolab("explain", "-I", ".", "main.cu", "--launch", "8", cwd=folder)
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
        for command in ("explain", "debug", "race --kernel", "compare"):
            if command == "compare" and words[0] == "main.cu" and "--dataset" not in words:
                words = ["04", *words]  # a lab has a dataset
            if command == "debug" and shutil.which("gdb") is None:
                continue
            wrong = histolab(*command.split(), *words, cwd=folder)
            if command == "race --kernel" and "--dataset" in words:
                continue  # it has no such option
            check(wrong.returncode == 2 and message in wrong.stderr,
                  f"{command} {' '.join(words)} says what is wrong", wrong.stderr)
    put(folder / "wrong.cu", "int main() { return nowhere; }\n")
    wrong = histolab("explain", "wrong.cu", cwd=folder)
    check(wrong.returncode == 1 and "nowhere" in wrong.stderr, "a program must compile",
          wrong.stderr)

    # ---- race ----
    first = histolab("race", "--kernel", "main.cu", "--seed", 3, "--", "one", cwd=folder)
    check(first.stdout.startswith("main.cu: launch 2, count<<<2, 64>>> at main.cu:14\nT1 is th"),
          "the first launch with a race is shown", first.stdout, first.stderr)
    check("launch 2 is the first one with a data race; --launch N" in first.stderr and
          "done one" in first.stderr, "it says so; the program's output goes to standard error",
          first.stderr)
    check("count.h\n   4 |   bins[text[i]]++;" in first.stdout and max(
        map(len, first.stdout.splitlines())) <= 80, "the lines of a header are shown",
        first.stdout)
    race = valid("race", histolab("race", "--kernel", "main.cu", "--seed", 3, "--threads", 4,
                                  "--json", cwd=folder).stdout)
    steps = race["trace"]["steps"]
    check(race["launch"]["number"] == 2 and race["launch"]["kernel"] == "count" and
          race["expected"] is None and race["kernel"] == "main.cu", "the launch is described",
          race["launch"])
    check(sorted((step["thread"], step["operation"]) for step in steps) ==
          [(thread, operation) for thread in (1, 2, 3, 4) for operation in ("load", "store")] and
          {(step["variable"], step["index"], step["file"], step["line"]) for step in steps} ==
          {("bins", 0, "count.h", 4)}, "four threads load and store the element of the race", steps)
    orders, messages = set(), ""
    for seed in range(1, 9):
        race = valid("race", histolab("race", "--kernel", "main.cu", "--launch", 4, "--seed", seed,
                                      "--json", cwd=folder).stdout)
        check(race["launch"]["number"] == 4, "--launch chooses", race["launch"])
        orders.add(tuple(step["thread"] for step in race["trace"]["steps"]))
        messages += race["trace"]["message"]
    check(len(orders) > 1 and "'s update is lost: T" in messages, "seeds bring up several orders",
          orders, messages)
    whole = histolab("race", "--kernel", "main.cu", "--launch", 1, cwd=folder)
    check("launch 1, clear<<<1, 256>>>" in whole.stdout and "No update is lost" in whole.stdout,
          "a launch without a race can be shown", whole.stdout, whole.stderr)
    put(folder / "late.cu", LATE)
    race = valid("race", histolab("race", "--kernel", "late.cu", "--json", cwd=folder).stdout)
    check([id["thread"][0] >= 1000 for id in race["launch"]["threads"]] == [True, True] and
          len(race["trace"]["steps"]) == 4 and not race["trace"]["cut"],
          "threads after many steps of others are recorded, too", race)
    put(folder / "atomic.cu", ATOMIC)
    race = histolab("race", "--kernel", "atomic.cu", "--launch", 2, cwd=folder)
    check("atomic" in race.stdout and "No update is lost" in race.stdout,
          "atomic operations are shown", race.stdout, race.stderr)
    counted = histolab("race", "--kernel", "main.cu", "--enumerate", cwd=folder)
    check(counted.returncode == 0 and "67 %" in counted.stdout, "orders of a launch are counted",
          counted.stdout, counted.stderr)

    # ---- compare ----
    both = valid("compare", histolab("compare", "atomic.cu", "--launch", "1,2", "--json",
                                     cwd=folder).stdout)
    check([both[side]["label"] for side in "ab"] == ["launch 1", "launch 2"] and
          [both[side]["launch"]["grid"] for side in "ab"] == [[1, 1, 1], [64, 1, 1]] and
          both["time"]["kind"] == "modelled", "two launches of one program", both)
    updates = {each["name"]: (each["a"], each["b"]) for each in both["counters"]}
    check(updates["histolab__global_atomic_updates.sum"] == (64, 4096), "counters", updates)
    text = histolab("compare", "main.cu", "--launch", "2", "atomic.cu", "--launch", "2",
                    cwd=folder)
    check("main has 1 finding (the first: data race), so its time is meaningless; atomic has no "
          "finding." in " ".join(text.stdout.split()) and "done" in text.stderr and
          "counted" in text.stderr, "launches of two programs", text.stdout, text.stderr)
    check("launch 2, count<<<64, 64>>> at atomic.cu:10" in text.stdout and
          max(map(len, text.stdout.splitlines())) <= 80, "the launches are named", text.stdout)
    mixed = valid("compare", histolab("compare", "02", "atomic.cu", "--launch", 2, "--length", 4096,
                                      "--json", cwd=folder).stdout)
    check(mixed["a"]["run"]["length"] == 4096 and mixed["b"]["launch"]["number"] == 2,
          "a lab's kernel with a program's launch", mixed["a"]["label"], mixed["b"]["label"])
    for words, message, code in (
            (["atomic.cu"], "there is only one launch: name a second program or LAB", 2),
            (["atomic.cu", "--launch", "1,9"], "9: the program makes 2 launches. Choose one of "
             "them\n    1  count<<<1, 64>>> at atomic.cu:9\n    2  count<<<64", 2),
            (["atomic.cu", "main.cu", "--launch", "1,2,3"], "more numbers than programs", 2),
            (["atomic.cu", "02", "--", "word"],
             "atomic.cu makes no launch (exit status 3); `histolab exec atomic.cu` shows", 2),
            (["atomic.cu", "wrong.cu"], "nowhere", 1)):
        wrong = histolab("compare", *words, cwd=folder)
        check(wrong.returncode == code and message in wrong.stderr,
              f"compare {' '.join(words)} says what is wrong", wrong.stderr)

    # ---- a lab's program ----
    race = valid("race", histolab("race", "--kernel", "14", "--json", cwd=folder).stdout)
    check(race["launch"]["grid"] == [1, 1, 1] and race["launch"]["block"] == [2, 1, 1] and
          [step["index"] for step in race["trace"]["steps"]] == [3, 3] and race["atomic"],
          "the program of lab 14 gets a letter m for each thread", race)
    (folder / "work").mkdir()
    put(folder / "work" / "14-whole-program.cu",
        (SOURCE / "labs" / "14-whole-program" / "solution.cu").read_text())
    own = histolab("race", "--kernel", "work/14-whole-program.cu", cwd=folder)
    check("launch 1, histogram<<<1, 2>>>" in own.stdout, "so does the student's file", own.stdout,
          own.stderr)
    text = histolab("explain", "14", "--launch", 1, "--length", 1000, cwd=folder).stdout
    check("launch 1, histogram<<<4, 256>>>" in text and (row(
        text, "const int letter = data[i] - 'a';") or [""])[0] == "32",
        "explain shows one launch of it", text)
    if shutil.which("gdb"):
        done = histolab("debug", "14", "--length", 100, "--block-size", 32, "--block", 3,
                        "--thread", 2, "--batch", "--command", "next", "--command", "info locals",
                        cwd=folder)
        check(done.returncode == 0 and "launch 1, histogram<<<4, 32>>>" in done.stdout and
              "i = 98" in done.stdout, "the program of lab 14 gets the lab's data", done.stdout,
              done.stderr)

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
