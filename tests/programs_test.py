#!/usr/bin/env python3
"""Whole programs, as students write them: `histolab exec` must find their mistakes, and no others.

tests/programs/wrong has programs with a planted mistake of the host, right/ has correct ones. A
program is a file, or a folder of files. Comments name the findings, each at its line:

    cudaFree(d);  // finding: invalid_free, unchecked_error
    // finding below: invalid_copy      the same, for a long line

Kinds, files and lines must agree exactly. A right program also ends with status 0: it checks its
results itself. A first line `// arguments: ...` has the program's arguments.

Each kernel of the host's object must be in a device object by the same mangled name. For that, each
program gets a source more, which prints the executable.

`programs_test.py [PART...]` takes only programs whose path has a PART.

`programs_test.py --gpu [PART...]` runs the right programs on a GPU, too (`exec --device gpu`, which
needs nvcc): they must end with status 0 there, and print the same. A program whose output depends
on the machine says so in a comment, `// differs on a GPU: REASON`.
"""
import concurrent.futures
import json
import pathlib
import re
import struct
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "grader" / "tests"))
from histolab_program import SOURCE, histolab, temporary_folder  # noqa: E402

PROGRAMS = SOURCE / "tests" / "programs"
FINDING = re.compile(r"// finding( below)?: ([\w, ]+)$")
# Prints the program's executable as its first line.
PRINTS_ITSELF = """#include <stdio.h>
#include <sys/auxv.h>
__attribute__((constructor)) static void print_executable() {
  FILE* file = fopen((const char*)getauxval(AT_EXECFN), "rb");
  for (int c; file && (c = fgetc(file)) != EOF;) printf("%02x", c);
  printf("\\n");
  fflush(stdout);  // the program may crash
}
"""
ARGUMENTS = re.compile(r"// arguments: (.*)")


def files_of(program):
    return sorted(program.iterdir()) if program.is_dir() else [program]


def expected_findings(program):
    """Returns texts "FILE:LINE: KIND", one per finding that a comment announces."""
    return sorted(
        f"{file.name}:{number + bool(found[1])}: {kind}"
        for file in files_of(program)
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1)
        if (found := FINDING.search(line)) for kind in found[2].split(", "))


def output_of(*command):
    return subprocess.run(list(map(str, command)), capture_output=True, text=True,
                          check=True).stdout


def symbols_of(path):
    """Returns {address: names} of the functions of an executable or object."""
    names = {}
    for address, name in re.findall(r"^(\w+) [tTwWuV] (\S+)$", output_of("nm", path), re.MULTILINE):
        names.setdefault(int(address, 16), set()).add(name)
    return names


def device_objects(executable, folder):
    """Writes the objects of kernels/program/device_section.h to files, and returns their paths."""
    section = folder / "section"
    output_of("objcopy", "--dump-section", f".histolab_device={section}", executable, "/dev/null")
    records, at = section.read_bytes(), 0
    while at < len(records):
        size, = struct.unpack_from("<Q", records, at + 8)
        path = folder / f"{at}.o"
        path.write_bytes(records[at + 16:at + 16 + size])
        at += 16 + (size + 7) // 8 * 8
        yield path


def kernels_of(executable, folder):
    """Returns the names of kernels in the host's object, and those that no device object has."""
    section = re.search(r" __patchable_function_entries +\w+ +(\w+) \w+ (\w+)",
                        output_of("readelf", "-SW", executable))
    if section is None:
        return set(), set()
    begin, size = (int(number, 16) for number in section.groups())
    relocations = re.findall(r"^(\w+) .*_RELATIVE +(\w+)$", output_of("readelf", "-rW", executable),
                             re.MULTILINE)
    symbols = symbols_of(executable)
    names = set().union(*(symbols[int(to, 16)] for at, to in relocations
                          if begin <= int(at, 16) < begin + size))
    of_device = set().union(*(each for path in device_objects(executable, folder)
                              for each in symbols_of(path).values()))
    return names, names - of_device


def sources_of(program):
    """Returns the paths of its sources, and its arguments."""
    sources = [file for file in files_of(program) if file.suffix in (".cu", ".cpp")]
    first_line = sources[0].read_text(encoding="utf-8").split("\n", 1)[0]
    arguments = ARGUMENTS.match(first_line)
    return sources, arguments[1].split() if arguments else []


def run(program):
    """Returns what `histolab exec` does: its report, its messages; and kernels_of()."""
    sources, arguments = sources_of(program)
    with temporary_folder() as folder:
        out, executable = folder / "run.json", folder / "executable"
        sources.append(folder / "prints_itself.cpp")
        sources[-1].write_text(PRINTS_ITSELF, encoding="utf-8")
        done = histolab("exec", *sources, "--json", out, "--", *arguments)
        if not out.exists():
            return None, done.stdout + done.stderr, (set(), set())
        printed, _, rest = done.stdout.partition("\n")
        executable.write_bytes(bytes.fromhex(printed))
        return (json.loads(out.read_text(encoding="utf-8")), rest + done.stderr,
                kernels_of(executable, folder))


def judge(program):
    """Returns what is wrong with the report; empty if it is right."""
    report, said, (kernels, missing) = run(program)
    if report is None:
        return f"no report: {said}"
    if missing or (report["launches"] and not kernels):
        return f"kernels of the host that no device object has: {missing} of {kernels}"
    found = report["findings"] + report["host_findings"]
    got = sorted(f"{pathlib.Path(each.get('file', '')).name}:{each['line']}: {each['kind']}"
                 for each in found)
    expected = expected_findings(program)
    if got != expected:
        return "\n    ".join(
            ["other findings", *(f"missing {each}" for each in expected if each not in got),
             *(f"too many: {each}" for each in got if each not in expected), *got, said])
    is_wrong = program.parent.name == "wrong"
    if not is_wrong and report["exit_status"] != 0:
        return f"does not end with status 0: {said}"
    if is_wrong and not expected:
        return "a wrong program has a comment `// finding: KIND`"
    return ""


def judge_on_gpu(program):
    """Returns how a right program's run on a GPU differs from that on the emulator."""
    sources, arguments = sources_of(program)
    emulated, real = (histolab("exec", *sources, "--device", device, "--", *arguments)
                      for device in ("emulator", "gpu"))
    if real.returncode != 0:
        return f"status {real.returncode} on the GPU: {real.stdout + real.stderr}"
    texts = "".join(file.read_text(encoding="utf-8") for file in sources)
    in_order = sorted if "// lines in any order on a GPU: " in texts else list
    are_equal = in_order(real.stdout.splitlines()) == in_order(emulated.stdout.splitlines())
    if not are_equal and "// differs on a GPU: " not in texts:
        return f"prints on the emulator:\n{emulated.stdout}and on the GPU:\n{real.stdout}"
    return ""


def main():
    on_gpu = sys.argv[1:2] == ["--gpu"]
    parts = sys.argv[2:] if on_gpu else sys.argv[1:]
    programs = [path for path in sorted(PROGRAMS.glob("right/*" if on_gpu else "*/*"))
                if not parts or any(part in str(path) for part in parts)]
    began = time.monotonic()
    with concurrent.futures.ThreadPoolExecutor(max_workers=2) as pool:
        results = [*pool.map(judge_on_gpu if on_gpu else judge, programs)]
    for program, result in zip(programs, results):
        if result:
            print(f"DISAGREES {program.relative_to(SOURCE)}: {result}\n")
    failed = sum(map(bool, results))
    print(f"{len(programs)} programs, {failed} disagree, {time.monotonic() - began:.0f} s")
    return 1 if failed or not programs else 0


if __name__ == "__main__":
    sys.exit(main())
