"""`histolab debug`: real sessions of gdb on kernels of the labs, in batches and at a terminal."""
import os
import re
import shutil
import signal

from histolab_program import (PROGRAM, SOURCE, Checks, alive, histolab, run_program, skip,
                              temporary_folder, threads, wait_until)
from pseudo_terminal import PseudoTerminal

if shutil.which("gdb") is None:
    skip("there is no gdb")

check = Checks()
RACE = SOURCE / "labs" / "01-race" / "solution.cu"
SHARED = SOURCE / "labs" / "04-privatization" / "solution.cu"


def numbered(path, words):
    """The number of the first line with these words, and the line."""
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if words in line:
            return number, line
    raise LookupError(words)


def debug(*arguments, commands=(), cwd=None):
    """Runs gdb in batch mode. Returns the exit code and each command's output."""
    words = [word for command in commands for word in ("--command", command)]
    done = histolab("debug", *arguments, "--batch", *words, cwd=cwd)
    parts = re.split(r"^\(gdb\) .*\n", done.stdout, flags=re.MULTILINE)
    return done, parts


def at(path, words):
    """In the format of gdb's list."""
    number, line = numbered(path, words)
    return f"{number}\t{line}\n"


with temporary_folder() as folder:
    os.environ["HOME"] = str(folder)
    (folder / "work").mkdir()
    race, shared = folder / "work" / "01-race.cu", folder / "work" / "04-privatization.cu"
    shutil.copy(RACE, race)
    shutil.copy(SHARED, shared)
    # Files in the folder are data: none of them is run.
    for trap in ("json.py", "socket.py", "histolab_gdb.py", ".gdbinit", "histolab-worker-gdb.gdb"):
        (folder / trap).write_text("raise SystemExit('the folder was run')\n" if trap.endswith("py")
                                   else "quit 99\n")

    # ---- stops, steps, locals, other threads ----
    done, said = debug("01", "--length", "96", "--block-size", "64", "--thread", "3", cwd=folder,
                       commands=[
        "set histolab-findings off", "next", "info locals", "print threadIdx",
        "print blockDim.x * gridDim.x", "bt", "info cuda threads", "cuda thread 20",
        "print threadIdx.x", "next", "print i", "cuda thread 3,0,0", "print i", "data 3 2",
        "histo"])
    check(done.returncode == 0, "a batch ends with 0", done.returncode, done.stdout, done.stderr)
    if done.returncode == 0:
        check("block (0,0,0), thread (3,0,0), warp 0, lane 3]\n" +
              at(race, "const unsigned int i") in said[0], "it stops before the first line",
              said[0])
        check(said[2] == at(race, "if (i < length)"), "next is the next line", said[2])
        check(said[3] == "i = 3\n", "a local variable of the thread", said[3])
        check("{x = 3, y = 0, z = 0}" in said[4] and said[5].endswith("= 128\n"),
              "the built-in variables in expressions", said[4], said[5])
        check("#0" in said[6] and "#1" not in said[6] and
              f"{race}:{numbered(race, 'if (i < length)')[0]}" in said[6],
              "the backtrace is the student's", said[6])
        check(re.search(r"^\* \(3,0,0\) +\(3,0,0\) +1  runs", said[7], re.MULTILINE) and
              re.search(r"\(4,0,0\) +\(63,0,0\) +60  not begun", said[7]),
              "the threads in ranges", said[7])
        check("thread (20,0,0), warp 0, lane 20]\n" +
              at(race, "const unsigned int i") == said[8].split("block (0,0,0), ")[-1] and
              "= 20\n" in said[9],
              "another thread, which did not run", said[8], said[9])
        check(at(race, "if (i < length)") in said[10] and said[11].endswith("= 20\n"),
              "next is for the thread in focus", said[10], said[11])
        check("thread (3,0,0)" in said[12] and said[13].endswith(" = 3\n"),
              "back to the first one, its locals as they were", said[12], said[13])
        check("data: 96 elements" in said[14] and "*[3]" in said[14] and "[2]" in said[14],
              "the data around an element", said[14])
        check("histo: 7 elements\n  a-d " in said[15] and "y-z " in said[15],
              "the bins by their labels", said[15])

    # ---- a finding, and the same verdict as `run` ----
    flags = ["--length", "200", "--block-size", "64"]
    done, said = debug("01", *flags, cwd=folder,
                       commands=["continue", "info locals", "findings", "set histolab-findings off",
                                 "continue"])
    check(done.returncode == 0 and len(said) == 6, "the race is stopped at", done.stdout,
          done.stderr)
    if len(said) == 6:
        check("data_race: threads" in said[1] and at(race, "histo[letter / 4]++") in said[1] and
              "[focus: block (0,0,0), thread (" in said[1],
              "the finding with its line", said[1])
        check(re.search(r"^i = \d+$", said[2], re.MULTILINE),
              "the locals of the thread that did it", said[2])
        check("data_race: threads" in said[3], "the finding again", said[3])
        plain = histolab("run", "01", "--length", "200", "--block", "64", cwd=folder).stdout
        for pattern in (r"^  wrong in .*$", r"^  a-d +\d+", r"data_race"):
            ours, theirs = re.search(pattern, said[5],
                                     re.MULTILINE), re.search(pattern, plain, re.MULTILINE)
            check(ours and theirs and ours[0] == theirs[0], f"run and debug agree: {pattern}",
                  said[5], plain)
        check("`run` restarts it" in said[5], "what can be done then is said", said[5])

    # ---- the requested block comes first, then the findings in it; a case without data ----
    racy, beyond = folder / "racy.cu", folder / "work" / "03-interleaved.cu"
    racy.write_text(RACE.read_text().replace("  if (i < length)",
                                             "  if (blockIdx.x == 3) histo[7 + threadIdx.x] = 1;\n"
                                             "  if (i < length)"))
    done, said = debug("02", "--kernel", racy, "--length", "256", "--block-size", "64", "--block",
                       "3", cwd=folder, commands=["findings", "continue"])
    check(len(said) == 3 and "focus: block (3,0,0)" in said[0] and
          "Found before this block: data_race: threads" in said[0], "on to the block", done.stdout)
    check(len(said) == 3 and said[1].startswith("data_race") and
          "out_of_bounds: thread 0 of block 3" in said[2], "a finding in that block stops",
          done.stdout)
    solution = (SOURCE / "labs" / "03-interleaved" / "solution.cu").read_text()
    beyond.write_text(solution.replace("i < length", "i < length - 1"))
    graded = histolab("grade", "03", "--device", "emulator", cwd=folder)
    check("histolab debug 03-interleaved --case empty" in " ".join(graded.stdout.split()),
          "the case that failed is opened, also if it is empty", graded.stdout)
    done, said = debug("03", cwd=folder, commands=["continue"])
    check("case empty, which failed" in done.stderr and len(said) == 2 and
          "out_of_bounds" in said[1], "debug opens the empty case", done.stdout, done.stderr)

    # ---- shared memory, barriers, another block, a breakpoint with a condition ----
    begin = numbered(shared, "const unsigned int i =")[0]
    done, said = debug("04", "--length", "300", "--block-size", "64", "--block", "1", cwd=folder,
                       commands=[
        "shared", f"break {begin} if threadIdx.x == 33", "continue", "shared private_histo",
        "print private_histo", "print threadIdx.x", "info cuda threads", "next", "delete",
        "cuda block 3", "shared", "cuda block 2", "cuda thread 99", "print blockIdx.x", "continue"])
    check(len(said) == 16, "shared memory", done.stdout, done.stderr)
    if len(said) == 16:
        check("focus: block (1,0,0), thread (0,0,0)" in said[0],
              "stopped in the block that was asked for", said[0])
        check("private_histo: 28 bytes" in said[1] and said[1].count("unset") == 7,
              "shared memory that nobody has set", said[1])
        check(at(shared, "const unsigned int i =") in said[3] and "thread (33,0,0)" in said[3],
              "a condition of CUDA's words", said[3])
        check("a-d " in said[4] and "unset" not in said[4], "shared memory by the labels", said[4])
        check(re.search(r"= \{\d+(, \d+){6}\}", said[5]),
              "a shared array is a variable like any other", said[5])
        check("= 33\n" in said[6], "the condition held", said[6])
        check("at a barrier" in said[7] and
              f"{numbered(shared, '__syncthreads')[0]}  __syncthreads();" in said[7],
              "who waits at a barrier", said[7])
        check("focus: block (3,0,0)" in said[10] and said[11].count("unset") == 7,
              "on to another block", said[10], said[11])
        check("has ended" in said[12] and "there is no thread 99" in said[13],
              "a block that has ended, a thread that is none", said[12], said[13])
        check("right: " in said[15] and "no findings" in said[15],
              "the verdict of a kernel that is right", said[15])
    check(done.returncode == 2, "a command that fails makes the batch's exit code 2",
          done.returncode)

    # ---- stops of the launch itself ----
    (folder / "wild.cu").write_text("""__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  const long far = 1l << 40;
  if (i == 5) histo[far]++;
}
""")
    done, said = debug("02", "--kernel", "wild.cu", "--length", "64", "--block-size", "32",
                       cwd=folder, commands=["continue", "print i", "print far", "continue"])
    check(len(said) == 5 and "out_of_bounds: thread 5" in said[1] and
          "4\t  if (i == 5) histo[far]++;" in said[1], "a wild access stops where it is made",
          done.stdout)
    check(len(said) == 5 and said[2].endswith("= 5\n") and said[3].endswith("= 1099511627776\n") and
          "stopped: " in said[4], "with its locals", done.stdout)

    (folder / "dynamic.cu").write_text("""__device__ int bin_of(int letter) {
  return letter / 4;
}
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  extern __shared__ unsigned int counts[];
  if (threadIdx.x < 7) counts[threadIdx.x] = 0;
  __syncthreads();
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length && data[i] >= 'a' && data[i] <= 'z') {
    const int bin = bin_of(data[i] - 'a');
    atomicAdd(&counts[bin], 1u);
  }
  __syncthreads();
  if (threadIdx.x < 7) atomicAdd(&histo[threadIdx.x], counts[threadIdx.x]);
}
""")
    done, said = debug("04", "--kernel", "dynamic.cu", "--dataset", "text:banana", "--block-size",
                       "32", cwd=folder,
                       commands=["break 10", "continue", "step", "finish", "next", "print bin",
                                 "next", "print counts", "continue"])
    check(len(said) == 10 and "bin_of (letter=1)" in said[3] and "Value returned" in said[4] and
          "bin = 0" not in said[4], "into a function, and out of it", done.stdout)
    check(len(said) == 10 and said[6].endswith("= 0\n") and
          re.search(r"= \{\d(, \d){6}\}", said[8]), "dynamic shared memory has its length",
          done.stdout)

    # ---- a case of the lab, wrong words, a kernel that does not compile ----
    done, said = debug("04", "--case", "mixed-31", "--thread", "2", cwd=folder,
                       commands=["print blockDim.x"])
    block = re.search(r"x block (\d+)", said[0])
    check(block and said[-1].endswith(f"= {block[1]}\n") and "31 bytes" in said[0],
          "a case's data and shape", done.stdout, done.stderr)
    for words, expected in ((["04", "--case", "none"], "choose"),
                            (["04", "--thread", "256"], "0 to 255"),
                            (["04", "--thread", "1,2"], "x,y,z"),
                            (["04", "--case", "mixed-31", "--length", "5"], "--length"),
                            (["99"], "99")):
        done = histolab("debug", *words, "--batch", cwd=folder)
        check(done.returncode == 2 and expected in done.stderr and done.stdout == "",
              f"debug {' '.join(words)} is refused", done.stdout, done.stderr)
    (folder / "broken.cu").write_text("__global__ void histogram(const char* data, unsigned int "
                                      "length, unsigned int* histo) { nonsense; }\n")
    done = histolab("debug", "02", "--kernel", "broken.cu", cwd=folder)
    check(done.returncode == 1 and "does not compile" in done.stdout and "nonsense" in done.stdout,
          "a kernel that does not compile", done.stdout, done.stderr)
    done = histolab("debug", "02", "--kernel", race, cwd=folder,
                    env={**os.environ, "PATH": str(folder)})
    check(done.returncode == 2 and "apt-get install gdb" in done.stderr,
          "without gdb it says what to install", done.stdout, done.stderr)

    # ---- at a terminal: a prompt, Ctrl-C, `run`, the end of the input ----
    (folder / "endless.cu").write_text("""__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  volatile int turns = 0;
  while (turns >= 0) turns = turns % 100 + 1;
}
""")

    class Terminal(PseudoTerminal):
        def __init__(self, *words):
            super().__init__([PROGRAM, "debug", *words], folder, columns=200, term="dumb")

        def expect(self, text, what):
            """Waits for the text, and forgets it and everything before it."""
            self.wait_until(lambda: text in self.output, what)
            self.output = self.output.split(text, 1)[1]

        def end(self):
            status = self.wait()
            check(alive(self.pid) == [], "nothing is left behind")
            return status

    terminal = Terminal("02", "--kernel", "endless.cu", "--length", "32", "--block-size", "32")
    terminal.expect("(gdb) ", "a prompt")
    terminal.press("continue\n")
    check(wait_until(lambda: ("histolab-worker", "R") in threads(terminal.pid)),
          "the kernel goes on")
    terminal.press("\x03")
    terminal.expect("SIGINT", "Ctrl-C is gdb's")
    terminal.expect("(gdb) ", "a prompt again")
    terminal.press("print turns >= 0\n")
    terminal.expect(" = true", "the locals of who was interrupted")
    terminal.press("histolab\n")
    terminal.expect("cuda thread 5", "the commands")
    terminal.press("break 2\nrun\n")
    terminal.expect("histolab debug 02-atomic-add", "run begins again")
    terminal.expect("(gdb) ", "with a prompt")
    terminal.press("continue\n")
    terminal.expect("Breakpoint", "and with the breakpoints")
    terminal.press("quit\n")
    check(terminal.end() == 0, "quit ends with 0")

    terminal = Terminal("01", "--length", "32")
    terminal.expect("(gdb) ", "a prompt")
    os.kill(terminal.pid, signal.SIGTERM)
    check(terminal.end() == 128 + signal.SIGTERM, "what ends histolab ends gdb, too")

    asked = run_program([PROGRAM, "debug", "01", "--length", "32"], cwd=folder, input="next\n")
    check(asked.returncode == 0 and at(race, "if (i < length)") in asked.stdout,
          "commands from a pipe; the end of the input ends it", asked.stdout, asked.stderr)
check.finish()
