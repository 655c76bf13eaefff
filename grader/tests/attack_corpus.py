"""The attacks in grader/attacks/, read strictly. README.md there describes the format."""
import dataclasses
import importlib.util
import json
import sys

from histolab_program import SOURCE

FOLDER = SOURCE / "grader" / "attacks"
SCHEMA = "histolab/attack/1"

AIMS = {  # in the order of docs/attacks.md
    "marks": "Points without the kernel",
    "secrets": "The solution, another student's work, files of the machine",
    "machine": "Out of the sandbox",
    "class": "The class, the grader, the disk",
    "reader": "The reader of the verdict",
}
WAYS = ("kernel", "class", "gpu", "program")
LAYERS = ("words", "compiler", "loader", "code", "process", "judge", "intake", "text", "gpu")
STATUSES = ("passed", "failed", "compile_error", "timeout", "crashed", "refused", "not_attempted",
            "needs_review")


class Malformed(Exception):
    pass


def wrong(place, what):
    raise Malformed(f"{place}: {what}")


def take(object_, place, key, kind, default=dataclasses.MISSING):
    if key not in object_:
        return wrong(place, f"has no \"{key}\"") if default is dataclasses.MISSING else default
    value = object_.pop(key)
    if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
        wrong(place, f"\"{key}\" is {value!r}")
    return value


def one_of(value, known, place):
    return value if value in known else wrong(place, f"{value!r} is none of {', '.join(known)}")


def text_in(object_, place, key, default=dataclasses.MISSING):
    value = take(object_, place, key, str, default)
    return value if value or value == default else wrong(place, f"\"{key}\" is empty")


@dataclasses.dataclass
class Expected:
    """The expected outcome. It allows several verdicts if the verdict depends on the machine or
    on g++'s version."""
    statuses: tuple
    score: float    # at most
    message: str    # part of the verdict's message; empty allows any
    finding: str    # the kind of one of its findings; empty allows none
    problem: str    # class: part of the message about the attacker's submission


@dataclasses.dataclass
class Attack:
    name: str
    tries: str
    aim: str
    way: str
    lab: str               # empty for a program
    layer: str
    expected: Expected
    cases: str             # "quick", or "all" if it needs them
    slow: bool             # it runs into limits for seconds, the same on each tier
    not_on_reduced: str    # why it does not hold there; empty if it does
    folder: object

    @property
    def source(self):
        return self.folder / ("program.cu" if self.way == "program" else "kernel.cu")

    def recipe(self):
        """The module make.py next to attack.json, or None."""
        path = self.folder / "make.py"
        if not path.exists():
            return None
        spec = importlib.util.spec_from_file_location("attack_" + self.name.replace("-", "_"), path)
        module = importlib.util.module_from_spec(spec)
        keep, sys.dont_write_bytecode = sys.dont_write_bytecode, True
        try:
            spec.loader.exec_module(module)
        finally:
            sys.dont_write_bytecode = keep
        return module


def expected_from(object_, place):
    statuses = take(object_, place, "status", list)
    if not statuses:
        wrong(place, "\"status\" is empty")
    expected = Expected(tuple(one_of(each, STATUSES, place) for each in statuses),
                        take(object_, place, "score", (int, float), 0),
                        text_in(object_, place, "message", ""),
                        text_in(object_, place, "finding", ""),
                        text_in(object_, place, "problem", ""))
    if object_:
        wrong(place, f"what is {sorted(object_)}?")
    return expected


def read_attack(folder):
    place = f"{folder.name}/attack.json"
    try:
        object_ = json.loads((folder / "attack.json").read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        wrong(place, error)
    if not isinstance(object_, dict) or object_.pop("schema", None) != SCHEMA:
        wrong(place, f"is no {SCHEMA}")
    way = one_of(text_in(object_, place, "way"), WAYS, place)
    attack = Attack(name=folder.name, tries=text_in(object_, place, "tries"),
                    aim=one_of(text_in(object_, place, "aim"), AIMS, place), way=way,
                    lab="" if way == "program" else text_in(object_, place, "lab"),
                    layer=one_of(text_in(object_, place, "layer"), LAYERS, place),
                    expected=expected_from(take(object_, place, "expect", dict), place),
                    cases=one_of(text_in(object_, place, "cases", "quick"), ("quick", "all"),
                                 place), slow=take(object_, place, "slow", bool, False),
                    not_on_reduced=text_in(object_, place, "not_on_reduced", ""), folder=folder)
    if object_:
        wrong(place, f"what is {sorted(object_)}?")
    if attack.lab and not (SOURCE / "labs" / attack.lab / "solution.cu").exists():
        wrong(place, f"there is no lab {attack.lab}")
    prefix = folder.name.split("-")[0]
    if (prefix if prefix in WAYS else "kernel") != way:
        wrong(folder.name,
              "the name of one for a GPU begins with gpu-, of one by a class with class-, of a "
              "program with program-, of others with neither")
    if not attack.tries.endswith("."):
        wrong(place, "\"tries\" is a sentence")
    files = sorted(path.name for path in folder.iterdir())
    of_kernel = [["attack.json", "kernel.cu"], ["attack.json", "make.py"]]
    wanted = {"class": of_kernel[1:], "program": [["attack.json", "program.cu"]]}
    if files not in wanted.get(way, of_kernel):
        wrong(folder.name, f"holds {files}; attack.json and the attack's source are wanted")
    return attack


def read_corpus():
    return [read_attack(folder) for folder in sorted(FOLDER.iterdir()) if folder.is_dir()]
