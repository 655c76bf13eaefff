"""The areas of mutation testing: their files, and their tests, the fastest first.

A stage's target is built before its command runs in the copy's root.
"""
import dataclasses


@dataclasses.dataclass(frozen=True)
class Stage:
    name: str
    target: str
    command: tuple


@dataclasses.dataclass(frozen=True)
class Area:
    files: tuple
    stages: tuple


def unit(binary, *sources):
    """The tests of a module in these files, up to the first failure."""
    chosen = ("-sf=" + ",".join(sources),) if sources else ()
    return Stage(" ".join((binary, *sources)), binary,
                 ("{build}/test-bin/" + binary, "-aa=1", *chosen))


def script(path):
    return Stage(path, "histolab_program", ("python3", "{source}/" + path))


AREAS = {
    "observers": Area(
        ("kernels/emulator/observers/*.cpp", "kernels/emulator/observers/*.h"),
        (unit("emulator_test", "*/observers/*"),
         unit("worker_test", "*/traffic_test*", "*/explain_test*", "*/recorded_test*",
              "*/wide_accesses_test*"),
         unit("worker_test", "*/findings_*"),
         script("tests/corpus_test.py"),
         unit("worker_test", "*/conformance_*", "*/schedules_test*", "*/determinism_test*",
              "*/live_test*"))),
    "checks": Area(
        ("grader/checks/*.cpp", "grader/checks/*.h", "grader/report/report.cpp",
         "grader/quiz/judge.cpp"),
        (unit("grader_test", "*/checks/*", "*/pipeline/*", "*/quiz/*", "*/report/*", "*/feedback/*",
              "*/course/*"),
         Stage("histolab check", "histolab_program", ("{build}/bin/histolab", "check")))),
    "class": Area(
        ("grader/batch/*.cpp", "grader/batch/*.h"),
        (unit("batch_test"),
         script("grader/tests/batch_test.py"))),
    "sandbox": Area(
        ("grader/sandbox/*.cpp", "grader/sandbox/*.h",
         "kernels/worker/processes/dropping_privileges.cpp",
         "kernels/worker/processes/call_filter.h"),
        (unit("sandbox_test"),
         unit("worker_test", "*/confinement_test*", "*/dropping_privileges_test*"))),
}
