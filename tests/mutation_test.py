#!/usr/bin/env python3
"""Tests tools/mutation_check: its mutants, the markers of accepted mutants in the sources, and
that it ends its processes.
"""
import os
import pathlib
import signal
import subprocess
import sys

sys.path[:0] = [str(pathlib.Path(__file__).resolve().parents[1] / each)
                for each in ("grader/tests", "tools")]
from histolab_program import (PATIENCE, SOURCE, Checks, alive, temporary_folder,  # noqa: E402
                              wait_until)
from mutation.areas import AREAS  # noqa: E402
from mutation.mutants import markers_of, mutants_of  # noqa: E402

# A line and all its mutants.
MUTANTS = {
    "if (a < b && !c) d = 1;": {
        "if (false && (a < b && !c)) d = 1;", "if (true || (a < b && !c)) d = 1;",
        "if (a <= b && !c) d = 1;", "if (a < b || !c) d = 1;", "if (a < b && c) d = 1;",
        "if (a < b && !c) d = 2;"},
    "if (const auto it = find(x); it != end) return true;": {
        "if (const auto it = find(x); false && (it != end)) return true;",
        "if (const auto it = find(x); true || (it != end)) return true;",
        "if (const auto it = find(x); it == end) return true;",
        "if (const auto it = find(x); it != end) return false;"},
    "while (left > 0) --left;": {"while (false && (left > 0)) --left;", "while (left >= 0) --left;",
                                 "while (left > 1) --left;", "while (left > 0) ++left;",
                                 "while (left > 0) ;"},
    "total.made += most; ++count;": {"; ++count;", "total.made += most; ;",
                                     "total.made -= most; ++count;",
                                     "total.made += most; --count;"},
    "return banks_of(access);": {"return {};"},
    "const std::uint32_t last = first;": set(),
    "std::vector<int> all;": set(),
    'say("a < b && c");  // if (a < b)': {';  // if (a < b)'},
    'rules.add_all(no, {"mount", "bpf"});': {';', 'rules.add_all(no, {"bpf"});',
                                             'rules.add_all(no, {"mount"});'},
    "constexpr auto reading = LANDLOCK_EXECUTE | LANDLOCK_READ;": {
        "constexpr auto reading = LANDLOCK_READ;", "constexpr auto reading = LANDLOCK_EXECUTE;",
        "constexpr auto reading = LANDLOCK_EXECUTE & LANDLOCK_READ;"},
    "umask(077);": {";", "umask(64);"},
    "assert(a < b);": set(),
    "#include <a>": set(),
}
# The complete tool, with copies that build nothing and whose tests never end. Each test runs in its
# own session, whose number is printed.
ENDLESS = """
import importlib.machinery, importlib.util, pathlib, signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)  # the parent process may ignore SIGINT
loader = importlib.machinery.SourceFileLoader("mutation_check", sys.argv[1])
tool = importlib.util.module_from_spec(importlib.util.spec_from_loader("mutation_check", loader))
loader.exec_module(tool)
class Endless:
    def __init__(self, number): pass
    def make(self): pass
    def learn_times(self, stages): pass
    def try_mutant(self, one, stages):
        tool.run(["sh", "-c", "sleep 1000000 & echo $$ >>sessions; wait"], tool.WORK, 1000000)
        return "killed", "a test"
tool.Copy, tool.WORK = Endless, pathlib.Path(sys.argv[2])
sys.argv[1:] = ["observers", "--sample", "4", "--jobs", "2"]
try:
    tool.main()
except KeyboardInterrupt:
    tool.stop()
"""


def sessions_in(folder):
    path = folder / "sessions"
    return [int(word) for word in path.read_text().split()] if path.exists() else []


def check_that_nothing_outlives(number):
    with temporary_folder() as folder:
        tool = subprocess.Popen([sys.executable, "-c", ENDLESS, SOURCE / "tools" / "mutation_check",
                                 folder], env={**os.environ, "PYTHONPATH": str(SOURCE / "tools")},
                                stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        wait_until(lambda: len(sessions_in(folder)) >= 2 or tool.poll() is not None)
        tool.send_signal(number)
        said = tool.communicate(timeout=PATIENCE)[1]
        check(tool.returncode == 130 and "the same command continues" in said,
              f"{number.name} ends it", tool.returncode, said)
        def left():
            return [process for session in sessions_in(folder) for process in alive(session)]
        check(wait_until(lambda: not left()), f"{number.name} leaves nothing running", left())
        check(not (folder / "journal.jsonl").exists(),
              f"{number.name}: a test that was ended does not kill a mutant")
        for session in sessions_in(folder) if left() else []:
            os.killpg(session, signal.SIGKILL)


check = Checks()
for number in (signal.SIGINT, signal.SIGTERM):
    check_that_nothing_outlives(number)
for line, expected in MUTANTS.items():
    got = {each.becomes for each in mutants_of("sample.cpp", "\n    " + line + "\n")}
    check(got == expected, f"`{line}` has the mutants {sorted(got)}, not {sorted(expected)}")

# Markers: their reasons, and how they name a change.
MARKED = """
  // An ordinary comment.
  // mutant never, < -> <= #2: a reason that is
  // long
  if (a < b || b < c) d(1);
  // mutant gone,
  // ++ -> --: another reason
  ++d;
  // mutant 1 -> 2: no reason to stay
  // mutant without !: the reason
  return !e(1);
"""
got = {(each.line, each.change): each.accepted
       for each in mutants_of("sample.cpp", MARKED) if each.accepted}
check(got == {(5, "never"): "a reason that is long", (5, "< -> <= #2"): "a reason that is long",
              (8, "gone"): "another reason", (8, "++ -> --"): "another reason",
              (11, "1 -> 2"): "no reason to stay", (11, "without !"): "the reason"}, "markers", got)

files_of_areas = set()
for name, area in AREAS.items():
    files = [path for pattern in area.files for path in SOURCE.glob(pattern)
             if not path.stem.endswith("_test")]
    check(all(any(SOURCE.glob(pattern)) for pattern in area.files),
          f"{name}: each of its patterns matches files")
    files_of_areas.update(files)
for path in {*SOURCE.glob("*/**/*.cpp"), *SOURCE.glob("*/**/*.h")}:
    file = str(path.relative_to(SOURCE))
    if file.startswith("build/") or "// mutant " not in (text := path.read_text()):
        continue
    check(path in files_of_areas, f"{file} has a marker, but is not in tools/mutation/areas.py")
    mutants = {(each.line, each.change) for each in mutants_of(file, text)}
    markers = markers_of(text)
    check(len({(each.line, each.change) for each in markers}) == len(markers),
          f"{file}: two markers for one mutant")
    for each in markers:
        check((each.line, each.change) in mutants,
              f"{file}:{each.line} no longer has the mutant `{each.change}`: fix its marker")
        check(len(each.why) > 20,
              f"{file}:{each.line}: the marker of `{each.change}` needs a reason")
check.finish()
