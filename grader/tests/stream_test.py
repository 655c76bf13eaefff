"""`histolab run --stream`: every line validates against docs/stream.schema.json; --control holds
and steps the launch; all ways to end."""
import json
import os
import queue
import select
import signal
import subprocess
import threading

from histolab_program import (PATIENCE, PROGRAM, SOURCE, Checks, alive, histolab, temporary_folder,
                              threads, wait_until)
from schemas import check_all_seen, problems, validator_of

check = Checks()
validator = validator_of("stream", written_now=True)


class Stream:
    """A stream that is read while it runs. Every line is validated."""

    def __init__(self, *arguments, cwd=None, control=True):
        words = ["run", *map(str, arguments), "--stream"] + (["--control"] if control else [])
        self.what = " ".join(words)
        self.process = subprocess.Popen([str(PROGRAM), *words], cwd=cwd, stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                        start_new_session=True)
        self.lines = queue.Queue()
        self.reader = threading.Thread(target=self.read, daemon=True)
        self.reader.start()

    def read(self):
        for line in self.process.stdout:
            self.lines.put(line)
        self.lines.put(None)

    def say(self, *commands):
        self.process.stdin.write("".join(command + "\n" for command in commands).encode())
        self.process.stdin.flush()

    def next(self):
        """The next event; None at the end."""
        line = self.lines.get(timeout=PATIENCE)
        return None if line is None else parsed(line, self.what)

    def until(self, holds):
        """Events up to the first one that satisfies this."""
        events = []
        while (event := self.next()) is not None:
            events.append(event)
            if holds(event):
                return events
        check(False, f"{self.what}: it ended before its time", events[-1:])
        return events

    def rest(self):
        events = []
        while (event := self.next()) is not None:
            events.append(event)
        return events

    def ended(self, code, said=""):
        """Checks its exit code, its messages, and that no process is left."""
        self.process.wait(timeout=PATIENCE)
        left = alive(self.process.pid)
        errors = "".join(line for line in self.process.stderr.read().decode().splitlines(True)
                         if "so this is the lab's solution" not in line)
        check(self.process.returncode == code,
              f"{self.what}: ended with {self.process.returncode}, not {code}", errors)
        check(errors == said, f"{self.what}: it said something else", errors)
        check(not left, f"{self.what}: processes are left", left)


def parsed(line, what):
    check(line.endswith(b"\n"), f"{what}: a line is cut off", line)
    event = json.loads(line)
    found = problems(validator, event)
    check(not found, f"{what}: a line is not what docs/stream.schema.json says", *found[:5],
          line[:200])
    return event


def at_rest(steps):
    return (lambda event: event["event"] == "progress" and event["state"] == "paused" and
            event["steps"] >= steps)


def kinds(events):
    return [event["event"] for event in events]


def of_run(*arguments, cwd=None):
    run = json.loads(histolab("run", *arguments, "--json", cwd=cwd).stdout)
    run["host"] = None
    return run


def without_host(report):
    return {**report, "host": None}


def whole(folder):
    """Without control: it begins, ends like `run --json`, and the elements read add up."""
    launch = ["02", "--dataset", "english", "--length", 60_000, "--seed", 5]
    stream = Stream(*launch, cwd=folder, control=False)
    events = stream.rest()
    stream.ended(0)
    begin, last, result = events[0], [event for event in events
                                      if event["event"] == "progress"][-1], events[-2]["report"]
    check(kinds(events)[-3:] == ["progress", "result", "end"] and kinds(events)[0] == "begin",
          "the order of events", kinds(events))
    check(without_host(result) == of_run(*launch, cwd=folder),
          "the result is not what run --json says")
    check(last["histogram"] == result["histogram"] == begin["expected"] == last["of_read"],
          "the last progress", last, begin["expected"])
    check(last["elements_read"] == 60_000 and last["blocks"] == begin["grid"] == result["grid"],
          "all was read, all blocks ended", last)
    check(begin["source"] == (SOURCE / "labs" / "02-atomic-add" / "solution.cu").read_text(),
          "the source of the kernel")
    check(begin["bin_labels"][0] == "a-d" and begin["seed"] == 5 and begin["title"], "what begins",
          begin)


def driven(folder):
    """The race, step by step: held before its first step, then one step, then more, slowly, and
    on to its end."""
    launch = ["01", "--dataset", "constant", "--length", 8192, "--block", 64]
    stream = Stream(*launch, cwd=folder)
    stream.say("pause")
    first = stream.until(at_rest(0))[-1]
    check(first["steps"] == 0 and sum(first["histogram"]) == first["elements_read"] == 0,
          "it is held before its first step", first)
    seen = [first]
    for commands, steps in ((["step 1"], 1), (["step 2", "step 2"], 5), (["pause", "step 20"], 25),
                            (["dance", "step 1"], 26)):
        stream.say(*commands)
        seen += stream.until(at_rest(steps))
        check(seen[-1]["steps"] == steps, f"{commands} goes to step {steps}", seen[-1])
    stream.say("speed 50")
    seen += stream.until(lambda event: event["state"] == "running" and event["steps"] > 30)
    stream.say("step 3")
    seen += stream.until(at_rest(30))
    here = seen[-1]["steps"]
    stream.say("step 1")
    seen += stream.until(at_rest(here + 1))
    check(seen[-1]["steps"] == here + 1, "one step more", seen[-1])
    stream.say("speed 0")
    rest = stream.rest()
    stream.ended(0,
                 said='histolab: "dance" is not a command; use pause, run, step N, speed N or '
                      'quit\n')
    check(kinds(rest)[-2:] == ["result", "end"], "how it ends", kinds(rest))
    seen += [event for event in rest if event["event"] == "progress"]
    report = rest[-2]["report"]
    for before, after in zip(seen, seen[1:]):
        check(before["steps"] <= after["steps"] and before["blocks"] <= after["blocks"] and
              before["elements_read"] <= after["elements_read"],
              "it goes backwards", before, after)
    for each in seen:
        check(sum(each["of_read"]) == each["elements_read"], "every element is a letter", each)
        check(all(counted <= read for counted, read in zip(each["histogram"], each["of_read"])),
              "counted more than was read", each)
    check(any(0 < sum(each["histogram"]) < each["elements_read"] for each in seen),
          "no update is lost or on its way", seen[-3:])
    lost = report["counters"]["histolab__updates_lost.sum"]
    check(lost > 0 and sum(seen[-1]["of_read"]) - sum(seen[-1]["histogram"]) == lost,
          "what is missing in the end is what was lost", seen[-1], lost)
    check(seen[-1]["histogram"] == report["histogram"], "the last progress is the result")
    check(without_host(report) == of_run(*launch, cwd=folder),
          "to be watched and held changes what a launch does")


def steps_of_another_launch(folder):
    """`step` before the launch, the end of the input, and a pace that outlives its launch."""
    stream = Stream("02", "--dataset", "constant", "--length", 4096, "--repeat", 3, "--seed", 7,
                    cwd=folder)
    stream.say("step 3")
    check(stream.until(at_rest(3))[-1]["steps"] == 3, "steps that were asked for before the launch")
    stream.say("step 1000000")
    events = stream.until(lambda event: event["event"] == "progress" and event["run"] == 2)
    check(events[-1]["state"] == "paused" and events[-1]["steps"] == 0,
          "the next launch is held, too", events[-1])
    stream.process.stdin.close()  # means run
    events += stream.rest()
    stream.ended(0)
    check([event["seed"] for event in events if event["event"] == "begin"] == [8, 9],
          "seeds of the next launches")
    check([event["run"] for event in events if event["event"] == "end"] == [1, 2, 3],
          "three launches")


def accesses(folder):
    launch = ["04", "--dataset", "english", "--length", 4000, "--block", 64]
    stream = Stream(*launch, "--accesses", 300, cwd=folder, control=False)
    events = stream.rest()
    stream.ended(0)
    source = events[0]["source"].splitlines()
    lines = [event["rows"] for event in events if event["event"] == "accesses"]
    rows = sum(lines, [])
    check(len(rows) == 300 and [len(line) for line in lines] == [256, 44],
          "300 accesses on two lines", [len(line) for line in lines])
    check({row["space"] for row in rows} == {"global", "shared"},
          "a private copy is in shared memory")
    for row in rows:
        check(row["variable"] in source[row["line"] - 1], "the line of an access", row,
              source[row["line"] - 1])
        check((row["sectors"] > 0) == (row["space"] == "global") and
              (row["wavefronts"] > 0) == (row["space"] == "shared"), "what an access costs", row)
    check(kinds(events)[-5:] == ["progress", "accesses", "accesses", "result", "end"],
          "the order of events", kinds(events)[-5:])


PROGRAM_SOURCE = """#include <cstdio>
#include "add.h"
template <int threads>
__global__ void add(int* sum) {
  more(sum);
}
__global__ void clear(int* sum) { *sum = threadIdx.x; }
int main() {
  int *sum, result = 0;
  cudaMalloc(&sum, 4);
  clear<<<1, 1>>>(sum);
  add<32><<<dim3(2, 2), 32>>>(sum);
  cudaMemcpy(&result, sum, 4, cudaMemcpyDeviceToHost);
  printf("%d\\n", result);
  return getchar() == 'x' ? 7 : 0;
}
"""


def program(folder):
    """A launch of a whole program, with its findings and the accesses of all files."""
    (folder / "add.h").write_text("__device__ void more(int* sum) {\n  *sum += 1;\n}\n")
    (folder / "program.cu").write_text(PROGRAM_SOURCE)

    def events_of(*arguments, stdin="", code=1):
        done = histolab("exec", *arguments, "--stream", cwd=folder, stdin=stdin)
        check(done.returncode == code, arguments, done.returncode, done.stderr)
        return [parsed(line.encode() + b"\n", f"exec {arguments}")
                for line in done.stdout.splitlines()], done.stderr

    events, said = events_of("program.cu", "--launch", 2, "--accesses", 5)
    check(kinds(events) == ["begin", "accesses", "result", "end"], "the order of events",
          kinds(events))
    begin, rows, report = events[0], events[1]["rows"], events[2]["report"]
    check(begin["title"] == "launch 2 of add<32>" and begin["run"] == begin["launch_count"] == 2,
          "the launch", begin)
    check(begin["launches"] == ["clear<<<1, 1>>> at program.cu:11",
                                "add<32><<<2x2, 32>>> at program.cu:12"], "its launches", begin)
    check((begin["grid"], begin["block"]) == (4, 32), "its shape", begin)
    check([source["file"] for source in begin["sources"]] == ["add.h", "program.cu"] and
          begin["sources"][1]["text"] == PROGRAM_SOURCE, "its sources", begin["sources"])
    check(len(rows) == 5 and {(row["file"], row["line"]) for row in rows} == {("add.h", 2)},
          "its accesses", rows)
    check([(line["file"], line["line"]) for line in report["lines"]] == [("add.h", 2)],
          "its counters by line", report["lines"])
    found = {(finding["kind"], finding.get("file"), finding["line"])
             for finding in report["findings"]}
    check(found == {("data_race", "add.h", 2), ("leak", "program.cu", 10)}, "its findings", found)
    check(said.startswith("4\n"), "what the program prints", said)
    check(begin["files"] == ["add.h", "program.cu"] and report["exit_status"] == 0 and
          report["signal"] is None, "its files and its end", begin["files"], report)
    histolab("nvcc", "-o", "built", "program.cu", cwd=folder)
    events, _ = events_of("built", "--launch", 2)
    check([source["file"] for source in events[0]["sources"]] == ["add.h", "program.cu"] and
          events[0]["program"] == "built", "the sources of an executable", events[0]["sources"])
    (folder / "fails.cu").write_text("int main() { return 3; }\n")
    events, said = events_of("fails.cu", code=2)
    check("fails.cu makes no launch" in said, "a program without launches", events, said)

    events, _ = events_of("program.cu", code=1)  # the race of launch 2 is the program's
    check(events[0]["title"] == "launch 1 of clear" and kinds(events) == ["begin", "result", "end"],
          "without a number", events[0])
    (folder / "input").write_text("x")
    with open(folder / "input") as given:
        done = histolab("exec", "program.cu", "--stream", "--json", "no", cwd=folder)
        check(done.returncode == 2 and done.stdout == "", "--json has another form", done.stdout)
        done = subprocess.run([str(PROGRAM), "exec", "program.cu", "--stream"], stdin=given,
                              cwd=folder, capture_output=True)
    result = json.loads(done.stdout.splitlines()[-2])["report"]
    check(result["exit_status"] == 7, "an input, and the program's status", result, done.stderr)
    events, said = events_of("program.cu", "--launch", 3, code=2)
    check(kinds(events) == ["error"] and "the program makes 2 launches" in said,
          "no such launch", events, said)
    (folder / "broken.cu").write_text(PROGRAM_SOURCE.replace("*sum = t", "*none = t"))
    events, said = events_of("broken.cu")
    report = events[1]["report"]
    check(events[0]["grid"] is None and report["ending"] == "compile_error" and
          (report["diagnostics"][0]["file"], report["diagnostics"][0]["line"]) == ("broken.cu", 7)
          and events[0]["sources"][0]["file"] == "broken.cu", "it does not compile", events)
    (folder / "add.h").write_text("__device__ void more(int* sum) {\n  *sum += one;\n}\n")
    events, said = events_of("program.cu")
    check([source["file"] for source in events[0]["sources"]] == ["add.h", "program.cu"],
          "an error in a header", events[0]["sources"])
    for arguments in (["--launch", 1], ["--accesses", 5], ["--stream", "--watch"],
                      ["--stream", "--device", "gpu"], ["--stream", "--device", "odd"]):
        done = histolab("exec", "program.cu", *arguments, cwd=folder)
        check(done.returncode == 2 and done.stdout == "" and done.stderr.count("\n") == 1,
              f"exec {arguments}", done.stdout, done.stderr)
    (folder / "add.h").write_text("__device__ void more(int*) {}\n")
    events, said = events_of("program.cu", "--accesses", 5, "--no-observer", "traffic", code=2)
    check(kinds(events) == ["error"] and "--accesses needs" in said, "accesses without traffic",
          events)


def no_launch(folder):
    broken = SOURCE / "labs" / "02-atomic-add" / "attempts" / "misspelt-name" / "kernel.cu"
    stream = Stream("02", "--kernel", broken, "--repeat", 2, cwd=folder, control=False)
    events = stream.rest()
    stream.ended(1)
    check(kinds(events) == ["begin", "result", "end"], "a kernel that does not compile",
          kinds(events))
    check(events[0]["grid"] is None and events[1]["report"]["ending"] == "compile_error" and
          events[1]["report"]["diagnostics"], "what is said of it", events[1])
    (folder / "endless.cu").write_text("__global__ void histogram(const char* data, unsigned int "
                                       "length, unsigned int* histo) {\n"
                                       "  for (volatile unsigned i = 0; data[i % 2] != 'X'; ++i) "
                                       "{}\n}\n")
    stream = Stream("02", "--kernel", "endless.cu", "--length", 64, cwd=folder, control=False)
    events = stream.rest()
    stream.ended(0)  # stopped by a finding, like `run`
    check(kinds(events)[-2:] == ["result", "end"] and events[-2]["report"]["ending"] == "stopped",
          "an endless kernel", events[-2:])
    for arguments, message in ((["77"], 'there is no lab "77"'),
                               (["02", "--kernel", "none.cu"], "none.cu: there is no such file"),
                               (["02", "--dataset", "hot:x"], "write a percentage"),
                               (["02", "--schedule", "odd"], 'there is no schedule "odd"'),
                               (["02", "--accesses", 5, "--no-observer", "traffic"],
                                "--accesses needs the emulator")):
        done = histolab("run", *arguments, "--stream", cwd=folder)
        events = [parsed(line.encode() + b"\n", f"run {arguments}")
                  for line in done.stdout.splitlines()]
        check(done.returncode == 2 and kinds(events) == ["error"] and
              message in events[0]["message"], f"run {arguments} --stream", done.stdout,
              done.returncode)
        check(done.stderr.endswith(f"histolab: {events[0]['message']}\n"),
              f"run {arguments} --stream: the usual message", done.stderr)
    for arguments in (["--control"], ["--repeat", 2], ["--accesses", 5], ["--stream", "--json"],
                      ["--stream", "--annotate"], ["--stream", "--accesses", 5000]):
        done = histolab("run", "02", *arguments, cwd=folder)
        check(done.returncode == 2 and done.stdout == "" and done.stderr.count("\n") == 1,
              f"run 02 {arguments}", done.stdout, done.stderr)


def endings(folder):
    """quit and Ctrl-C: at once, whether the launch is held, running or compiling, and no process
    is left."""
    for way, code, said in (("quit", 0, ""), ("interrupt", 130, "histolab: interrupted\n")):
        for state in ("held", "running", "compiled"):
            stream = Stream("01", "--dataset", "constant", "--length", 4096, "--repeat", 0,
                            cwd=folder)
            if state == "held":
                stream.say("pause")
                stream.until(at_rest(0))
            elif state == "running":
                stream.until(lambda event: event["event"] == "end" and event["run"] == 2)
            elif way == "interrupt":
                while ("cc1plus" not in alive(stream.process.pid) and
                       stream.process.poll() is None and stream.lines.empty()):
                    pass
            if way == "quit":
                stream.say("quit")
            else:
                stream.process.send_signal(signal.SIGINT)
            stream.ended(code, said)


def full_of_lines(folder):
    """A slow reader stops the stream but not its commands."""
    process = subprocess.Popen([str(PROGRAM), "run", "01", "--length", "1000", "--repeat", "0",
                                "--stream", "--control"], cwd=folder,
                               stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, start_new_session=True)
    with open(f"/proc/self/fd/{process.stdout.fileno()}", "wb") as pipe:
        full = lambda: not select.select([], [pipe], [], 0)[1]
        check(wait_until(lambda: full() and all(state == "S" for _, state in threads(process.pid))),
              "it writes on and on, while nobody reads")
    process.stdin.write(b"quit\n")
    process.stdin.flush()
    process.wait(timeout=PATIENCE)
    check(process.returncode == 0 and not alive(process.pid), "quit, while nobody reads",
          process.returncode)


def closed_pipe(folder):
    for pause in (True, False):
        ours, theirs = os.pipe()
        process = subprocess.Popen([str(PROGRAM), "run", "01", "--dataset", "constant", "--length",
                                    "4096", "--repeat", "0", "--stream", "--control"],
                                   cwd=folder, stdin=subprocess.PIPE, stdout=theirs,
                                   stderr=subprocess.PIPE, start_new_session=True)
        os.close(theirs)
        if pause:
            process.stdin.write(b"pause\n")
            process.stdin.flush()
        with os.fdopen(ours, "rb") as lines:
            for line in lines:
                event = json.loads(line)
                if (event["event"] == "progress" and
                    event["state"] == ("paused" if pause else "running")):
                    break
        errors = process.stderr.read().decode().splitlines()
        process.wait(timeout=PATIENCE)
        left = alive(process.pid)
        check(process.returncode == 0 and len(errors) == 1 and not left,
              f"a reader that goes away (paused: {pause})", process.returncode, errors, left)


for line in (SOURCE / "grader" / "golden" / "stream.jsonl").read_bytes().splitlines(True):
    event = parsed(line, "grader/golden/stream.jsonl")
    check(not validator.is_valid({**event, "extra": 1}), "the schema accepts an unknown key",
          event["event"])
    check(not validator.is_valid({**event, "event": "dance"}),
          "the schema accepts an unknown event")
with temporary_folder() as folder:
    for test in (whole, driven, steps_of_another_launch, accesses, program, no_launch, endings,
                 closed_pipe, full_of_lines):
        test(folder)
check_all_seen(check, "stream")
check.finish()
