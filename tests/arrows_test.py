#!/usr/bin/env python3
"""Checks the dependencies between folders. ARROWS is the only list of allowed dependencies.

A folder uses another one if one of its files includes a header from there, or its CMakeLists.txt
links a library from there. A folder without a row belongs to its nearest parent with a row. A row
only names rows above it, so there are no cycles, and it must need each name. Within one top folder,
dependencies are transitive.

Tests (*_test.cpp, testing/, tests/) may use what their folder may use, plus TESTS and the testing/
folders, which only tests may use. LIBRARIES lists the users of external headers.

Only ARCH may contain code for a specific processor, so that a port only has to replace that folder.
PROCESSOR_ELSEWHERE lists the exceptions.
"""
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "grader" / "tests"))
from histolab_program import SOURCE, Checks, put, temporary_folder  # noqa: E402

# folder: the folders it may use. `kernels` is only that folder; `kernels/` includes its subfolders.
ARROWS = {
    "reference": "",
    "datasets": "reference",
    "kernels": "reference",
    "kernels/program": "",
    "kernels/emulator/memory": "kernels/program kernels reference",
    "kernels/emulator/arch": "kernels/emulator/memory",
    "kernels/emulator/code": "kernels/emulator/arch reference",
    "kernels/emulator/proof": "kernels/emulator/code",
    "kernels/emulator/debugger": "kernels/emulator/code",
    "kernels/emulator/module": "kernels/emulator/proof kernels/emulator/debugger reference",
    "kernels/emulator/messages": "kernels/emulator/code",
    "kernels/emulator/launch": "kernels/emulator/code reference",
    "kernels/emulator/observers": "kernels/emulator/launch kernels/emulator/messages",
    "kernels/emulator/lanes":
        "kernels/emulator/launch kernels/emulator/messages kernels/emulator/debugger reference",
    "kernels/emulator/run": "kernels/emulator/lanes kernels/emulator/module reference",
    "kernels/emulator/runtime": "kernels/emulator/run",
    "kernels/emulator": "kernels/emulator/runtime reference",
    "kernels/program/calls": "kernels/emulator/arch",
    "kernels/program/state": "kernels/program/calls kernels/emulator reference",
    "kernels/program/description": "kernels/program/state reference",
    "kernels/worker/processes": "kernels reference",
    "kernels/worker/protocol": "kernels/program/description reference",
    "kernels/worker/source": "kernels",
    "kernels/worker/compiling":
        "kernels/emulator/module kernels/worker/processes kernels/worker/source reference",
    "kernels/worker/source_rules": "kernels/emulator kernels/worker/compiling",
    "kernels/worker/explaining": "kernels/worker/source_rules reference",
    "kernels/worker": "kernels/worker/explaining kernels/worker/protocol reference",
    "kernels/program/syntax": "kernels",
    "kernels/program/runtime": "kernels/program/calls kernels/emulator",
    "kernels/program/build":
        "kernels/program/syntax kernels/worker/explaining reference",
    "kernels/program/run": "kernels/program/build kernels/worker reference",
    "kernels/gpu": "kernels/worker reference",
    "kernels/cuda": "kernels/gpu",
    "kernels/cuda/calibration": "kernels/cuda reference",
    "kernels/cuda/facts": "kernels/gpu reference",
    "kernels/cuda/lessons": "kernels/cuda datasets reference",
    "kernels/cuda/bench": "kernels/cuda/lessons datasets reference",
    "grader/words": "reference",
    "grader/files": "grader/words reference",
    "grader/html": "grader/files",
    "grader/lab": "grader/files kernels datasets reference",
    "grader/testing": "grader/lab kernels reference",
    "grader/quiz": "grader/files reference",
    "grader/report": "grader/quiz grader/lab datasets kernels reference",
    "grader/checks": "grader/report kernels reference",
    "grader/pipeline": "grader/checks kernels datasets reference",
    "grader/feedback": "grader/checks reference",
    "grader/comparison": "grader/feedback datasets kernels reference",
    "grader/listing": "grader/feedback grader/pipeline grader/html kernels",
    "grader/race": "grader/lab kernels reference",
    "grader/stream": "grader/report kernels reference",
    "grader/lessons": "grader/pipeline kernels reference",
    "grader/course": "grader/lessons grader/feedback reference",
    "grader/watch": "grader/feedback grader/pipeline kernels",
    "grader/sandbox": "kernels/worker/processes reference",
    "grader/web/http": "grader/sandbox grader/files kernels/worker/processes reference",
    "grader/web/front": "grader/web/http reference",
    "grader/batch": "grader/sandbox grader/lessons datasets kernels/worker kernels reference",
    "grader/formats": "grader/batch grader/feedback grader/html reference",
    "grader/bundle": "grader/files reference",
    "grader/edition": "grader/bundle grader/lessons kernels reference",
    "grader/class_report": "grader/batch grader/listing kernels",
    "grader/web/pages": "grader/lessons grader/html reference",
    "grader/cluster": "grader/batch kernels/worker/ reference",
    "grader/web/site": "grader/files",
    "grader/web/service":
        "grader/web/http grader/web/pages grader/web/site grader/watch grader/race "
        "kernels/worker/processes reference",
    "grader/cli": "grader/ kernels/gpu kernels/program/ kernels/worker/ kernels datasets reference",
    "viewer/model":
        "grader/race grader/listing grader/files grader/words kernels datasets reference",
    "viewer/feed": "viewer/model grader/lab grader/words reference",
    "viewer/workspace": "viewer/feed grader/files",
    "viewer/ui": "viewer/workspace grader/files grader/words reference",
    "viewer/panels": "viewer/ui grader/race grader/lab grader/files grader/words reference",
    "viewer/backend": "grader/files reference",
    "viewer": "viewer/ grader/files grader/words reference",
    "tools/fuzzer": "kernels/worker kernels/worker/processes kernels reference",
    # All code that reads a file or a pipe.
    "tools/loader_fuzzers":
        "viewer/feed viewer/model grader/web/http grader/cluster grader/batch grader/feedback "
        "grader/lessons grader/pipeline grader/checks grader/stream grader/race grader/report "
        "grader/quiz grader/lab kernels/gpu kernels/worker/ kernels/emulator/ kernels datasets "
        "reference",
    "tools/model": "kernels/cuda kernels/gpu datasets reference",
    "tools/profiler": "tools/model kernels/gpu datasets",
}
TESTS = {
    "kernels/emulator/": "kernels/emulator/ kernels/worker/",
    "kernels/worker/": "kernels/worker/",
    "kernels/program/": "kernels/program/",
    "kernels/cuda": "datasets",
    "grader/": "grader/ kernels/gpu kernels/worker/",
    "grader/class_report": "kernels/emulator/messages",
}
LIBRARIES = {
    "Zydis/": "kernels/emulator/arch",
    "nlohmann/": "kernels/worker/ kernels/cuda/ grader/ viewer/ tools/model tools/profiler",
    "md4c": "grader/web/pages",
    "CLI/": "kernels/cuda/ grader/cli viewer tools/fuzzer tools/loader_fuzzers",
    "cuda_runtime": "kernels/gpu kernels/cuda/",
    "microhttpd": "grader/web/front",
    "imgui": "viewer/ui viewer/panels viewer/backend viewer",
    "implot": "viewer/ui viewer/panels viewer",
}
# Sources that the emulator or the grader reads; the build does not compile them.
DATA = ("kernels/emulator/include/", "grader/attacks/", "grader/messages/", "grader/template/",
        "tools/benchmark_kernels/", "tools/model/kernels/")
ARCH = "kernels/emulator/arch/"
OF_A_PROCESSOR = {
    "a processor's name": r"(?i:x86|aarch64|arm64)",
    "a register":
        r"\b(?:r(?:[abcd]x|[sd]i|[bs]p|8|9|1[0-5])|e(?:[abcd]x|[sd]i|[bs]p)|[xyz]mm\d+|"
        r"REG_[RE]\w+)\b",
    "the decoder": r"\bZ(?:ydis|YDIS|YAN)\w*",
    "a vector instruction": r"\b_mm\d*_\w+|\b__m\d+i?\b|\btarget_clones\b",
    # An empty template only keeps the compiler from optimizing.
    "assembly": r"(?m:^|[;{}])\s*asm\b(?!\s+volatile\s*\(\s*\"\")",
}
PROCESSOR_ELSEWHERE = {  # file: why
    "kernels/worker/source_rules/forbidden.cpp":
        "names that a submission may not use on any processor",
}
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*["<]([^">]+)[">]', re.MULTILINE)
CALL = re.compile(r"(\w+)\((\w+)([^()]*)\)")  # of CMake: command, first word, the others
MODULES = ("histolab_module", "histolab_cuda_library")


def stands_for(word, folder):
    """Whether a row's word matches this folder."""
    return f"{folder}/".startswith(word) if word.endswith("/") else word == folder


def top(folder):
    return folder.split("/")[0]


def is_test(file):
    return "_test." in file.name or "testing" in file.parts or "tests" in file.parts


class House:
    """A source tree and the tables to check it against."""

    def __init__(self, root, arrows, tests, libraries):
        self.root, self.arrows, self.tests, self.libraries = root, arrows, tests, libraries
        self.uses = set()  # (table, row, folder): successful lookups

    def complaints(self):
        return (list(self.circles()) or
                [*self.wrong_includes(), *self.wrong_links(), *self.useless_words()])

    def circles(self):
        rows = list(self.arrows)
        for folder, word in ((folder, word) for folder in rows
                             for word in self.arrows[folder].split()):
            meant = [row for row in rows if stands_for(word, row) and row != folder]
            if not meant or rows.index(folder) < max(map(rows.index, meant)):
                yield f"ARROWS: {folder} may use {word}, which is not a row above it"

    def files(self, *patterns):
        """Yields paths relative to the root, with their text."""
        tops = sorted({top(row) for row in self.arrows})
        for path in sorted(path for each in tops for pattern in patterns
                           for path in (self.root / each).rglob(pattern)):
            if not str(path.relative_to(self.root)).startswith(DATA):
                yield path.relative_to(self.root), path.read_text(encoding="utf-8")

    def row(self, file):
        """Returns the row that a file belongs to, or None."""
        return next((str(folder) for folder in file.parents if str(folder) in self.arrows), None)

    def reached(self, row, without=None):
        """Returns the folders that a row may use if one of its words is removed."""
        named = {each for word in self.arrows[row].split() if word != without
                 for each in self.arrows if stands_for(word, each)} - {row}
        return named | {each for near in named if top(near) == top(row)
                        for each in self.reached(near) if top(each) == top(row)}

    def allows(self, name, table, row, folder, without=None):
        if name == "ARROWS":
            return folder in self.reached(row, without)
        return any(stands_for(word, folder) for each in table if stands_for(each, row)
                   for word in table[each].split() if word != without)

    def looked_up(self, name, table, row, folder):
        found = self.allows(name, table, row, folder)
        if found:
            self.uses.add((name, row, folder))
        return found

    def may_use(self, row, used, test):
        return (row == used or self.looked_up("ARROWS", self.arrows, row, used) or
                test and self.looked_up("TESTS", self.tests, row, used))

    def wrong_includes(self):
        for file, text in self.files("*.h", "*.cpp", "*.cu", "*.cuh"):
            for include in INCLUDE.finditer(text):
                header = pathlib.PurePosixPath(include[1])
                complaint = (self.wrong_include(file, header) if (self.root / header).exists()
                             else self.wrong_library(file, str(header)))
                if complaint:
                    yield f"{file}:{text.count(chr(10), 0, include.start()) + 1}: {complaint}"

    def wrong_include(self, file, header):
        row, used, for_tests = self.row(file), self.row(header), "testing" in header.parts
        if for_tests and not is_test(file):
            return f"includes {header}, which is for tests: move the common part out of testing/"
        if (for_tests or
            row is not None and used is not None and self.may_use(row, used, is_test(file))):
            return None
        return (f"includes {header}, but {row} may use only {self.arrows.get(row) or 'itself'}: "
                "move the common part down, or pass it in from above")

    def wrong_library(self, file, header):
        library = next((each for each in self.libraries if header.startswith(each)), None)
        if (library is None or is_test(file) or
            self.looked_up("LIBRARIES", self.libraries, library, self.row(file))):
            return None
        return f"includes <{header}>, which is left to {self.libraries[library]}: use it there"

    def wrong_links(self):
        """A target may link what its folder or a subfolder with its sources may use."""
        texts = [(file, re.sub(r"#.*", "", text)) for file, text in self.files("CMakeLists.txt")]
        calls = [(file, text, call) for file, text in texts for call in CALL.finditer(text)]
        home = {call[2]: file.parent for file, _, call in calls if call[1] in MODULES}
        for file, text, call in calls:
            rows = [row for row in self.arrows if stands_for(f"{file.parent}/", row)]
            for link in (link for link in re.finditer(r"histolab::(\w+)", call[3])
                         if link[1] in home):
                test = ("gpu_test" in call[1] or call[2].endswith("_test") or
                        "TEST_LIBS" in call[3][:link.start()])
                linked = [row for row in self.arrows if stands_for(f"{home[link[1]]}/", row)]
                if not any(self.may_use(row, each, test) for row in rows for each in linked):
                    line = text.count("\n", 0, call.start(3) + link.start()) + 1
                    yield (f"{file}:{line}: links histolab::{link[1]}, but nothing in "
                           f"{file.parent} may use {home[link[1]]}: remove it, or add it to ARROWS")

    def useless_words(self):
        for name, table in (("ARROWS", self.arrows), ("TESTS", self.tests),
                            ("LIBRARIES", self.libraries)):
            for row, word in ((row, word) for row, words in table.items()
                              for word in words.split()):
                if all(self.allows(name, table, of, folder, word)
                       for table_of, of, folder in self.uses
                       if table_of == name and stands_for(row, of)):
                    yield f"{name}: {row} does not need {word}: remove it"


def of_a_processor(root, exceptions):
    """Yields processor-specific code in the emulator's and the worker's sources outside of ARCH."""
    needed = set()
    for top_folder in ("kernels/emulator", "kernels/worker"):
        for path in sorted(path for pattern in ("*.h", "*.cpp")
                           for path in (root / top_folder).rglob(pattern)):
            file, text = str(path.relative_to(root)), path.read_text(encoding="utf-8")
            if file.startswith((ARCH, *DATA)) or is_test(path.relative_to(root)):
                continue
            for what, pattern in OF_A_PROCESSOR.items():
                found = re.search(pattern, text)
                if found and file in exceptions:
                    needed.add(file)
                elif found:
                    line = text.count("\n", 0, found.end()) + 1
                    yield (f"{file}:{line}: has {what} ({found[0].strip()}), which is left to "
                           f"{ARCH}: describe it there without its name")
    for file in exceptions:
        if file not in needed:
            yield f"PROCESSOR_ELSEWHERE: {file} has no processor-specific code: remove it"


check = Checks()

# A small tree with one fault of each kind.
RIGHT = {
    "low/a.h": "#pragma once\n",
    "low/a_test.cpp": '#include "low/testing/sample.h"\n#include "high/b.h"\n',
    "low/testing/sample.h": '#include "low/a.h"\n',
    "low/CMakeLists.txt": "histolab_module(low\n  SOURCES a.cpp\n  TEST_LIBS histolab::high)\n",
    "high/b.h": '#include "low/a.h"\n#include <json/json.h>\n',
    "high/CMakeLists.txt": "histolab_module(high SOURCES b.cpp LIBS histolab::low)\n",
    "high/roof/d.h": '#include "high/b.h"\n',
}
TABLES = ({"low": "", "high": "low", "high/roof": "high"}, {"low": "high"}, {"json/": "high"})
FAULTS = [
    ({"low/a.h": '#pragma once\n#include "high/b.h"\n'}, TABLES,
     "low/a.h:2: includes high/b.h, but low may use only itself"),
    ({"low/below/c.cpp": '# include "high/b.h"\n'}, TABLES,
     "low/below/c.cpp:1: includes high/b.h, but low"),
    ({"high/b.h": '#include "low/a.h"\n#include <json/json.h>\n#include "low/testing/sample.h"\n'},
     TABLES, "high/b.h:3: includes low/testing/sample.h, which is for tests"),
    ({"low/a.h": "\n#include <json/fwd.h>\n"}, TABLES,
     "low/a.h:2: includes <json/fwd.h>, which is left to high"),
    ({"low/CMakeLists.txt": "# the lower one\nhistolab_module(low\n  LIBS histolab::high)\n"},
     TABLES, "low/CMakeLists.txt:3: links histolab::high, but nothing in low may use high"),
    ({"high/roof/d.h": '#include "high/b.h"\n#include "low/a.h"\n'}, TABLES,
     "high/roof/d.h:2: includes low/a.h, but high/roof may use only high"),
    ({}, ({"high": "low", "low": ""}, *TABLES[1:]),
     "ARROWS: high may use low, which is not a row above it"),
    ({}, ({"low": "", "high": "low lower"}, *TABLES[1:]),
     "ARROWS: high may use lower, which is not a row above it"),
    ({}, ({**TABLES[0], "high/roof": "high low"}, *TABLES[1:]),
     "ARROWS: high/roof does not need low"),
    ({"high/b.h": "#include <json/json.h>\n", "high/CMakeLists.txt": ""}, TABLES,
     "ARROWS: high does not need low"),
]
for change, tables, wanted in [({}, TABLES, None), *FAULTS]:
    with temporary_folder() as folder:
        for name, text in {**RIGHT, **change}.items():
            put(folder / name, text)
        told = list(House(folder, *tables).complaints())
        check(any(each.startswith(wanted) for each in told) if wanted else not told,
              f"report for the small tree: {wanted or 'nothing'}", *told)

# A small emulator.
SMALL = {"kernels/emulator/arch/a.h": 'asm("nop");\n',
         "kernels/emulator/run/b_test.cpp": "int rax;\n",
         "kernels/emulator/run/b.cpp": 'asm volatile("");\nvoid f() asm("name");\n'}
PROCESSOR_FAULTS = [
    ({}, {}, None),
    ({"kernels/emulator/run/b.cpp": "\nint f() { return REG_RIP; }\n"}, {},
     "kernels/emulator/run/b.cpp:2: has a register (REG_RIP)"),
    ({"kernels/worker/c.h": "// keeps r12\n"}, {}, "kernels/worker/c.h:1: has a register (r12)"),
    ({"kernels/emulator/code/d.h": "#include <Zydis/Zydis.h>\n"}, {},
     "kernels/emulator/code/d.h:1: has the decoder (Zydis)"),
    ({"kernels/emulator/code/d.h": "case R_X86_64_64: break;\n"}, {},
     "kernels/emulator/code/d.h:1: has a processor's name (X86)"),
    ({"kernels/emulator/run/b.cpp": 'void f() {\n  asm volatile("nop");\n}\n'}, {},
     "kernels/emulator/run/b.cpp:2: has assembly"),
    ({"kernels/emulator/run/b.cpp": "\n__m128i four;\n"}, {},
     "kernels/emulator/run/b.cpp:2: has a vector instruction (__m128i)"),
    ({"kernels/worker/c.h": "// keeps r12\n"}, {"kernels/worker/c.h": "why"}, None),
    ({}, {"kernels/worker/c.h": "why"},
     "PROCESSOR_ELSEWHERE: kernels/worker/c.h has no processor-specific code"),
]
for change, exceptions, wanted in PROCESSOR_FAULTS:
    with temporary_folder() as folder:
        for name, text in {**SMALL, **change}.items():
            put(folder / name, text)
        told = list(of_a_processor(folder, exceptions))
        check(len(told) == 1 and told[0].startswith(wanted) if wanted else not told,
              f"report for the small emulator: {wanted or 'nothing'}", *told)

for complaint in of_a_processor(SOURCE, PROCESSOR_ELSEWHERE):
    check(False, complaint)
for complaint in House(SOURCE, ARROWS, TESTS, LIBRARIES).complaints():
    check(False, complaint)
check.finish()
