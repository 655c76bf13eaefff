#!/usr/bin/env python3
"""What tools/mutation_check breaks, and that its list of accepted breaks is about lines that are still there."""
import json
import os
import pathlib
import sys

SOURCE = pathlib.Path(os.environ.get("HISTOLAB_SOURCE_DIR", pathlib.Path(__file__).resolve().parents[1]))
sys.path[:0] = [str(SOURCE / "grader" / "tests"), str(SOURCE / "tools")]
from histolab_program import Checks  # noqa: E402
from mutation.areas import AREAS  # noqa: E402
from mutation.breaks import breaks_of  # noqa: E402

# A line, and everything that it is broken into.
BROKEN = {
    "if (a < b && !c) d = 1;": {
        "if (false && (a < b && !c)) d = 1;", "if (true || (a < b && !c)) d = 1;", "if (a <= b && !c) d = 1;", "if (a < b || !c) d = 1;", "if (a < b && c) d = 1;",
        "if (a < b && !c) d = 2;"},
    "if (const auto it = find(x); it != end) return true;": {
        "if (const auto it = find(x); false && (it != end)) return true;", "if (const auto it = find(x); true || (it != end)) return true;",
        "if (const auto it = find(x); it == end) return true;", "if (const auto it = find(x); it != end) return false;"},
    "while (left > 0) --left;": {"while (false && (left > 0)) --left;", "while (left >= 0) --left;", "while (left > 1) --left;", "while (left > 0) ++left;", "while (left > 0) ;"},
    "total.made += most; ++count;": {"; ++count;", "total.made += most; ;", "total.made -= most; ++count;", "total.made += most; --count;"},
    "return banks_of(access);": {"return {};"},
    "const std::uint32_t last = first;": set(),
    "std::vector<int> all;": set(),
    'say("a < b && c");  // if (a < b)': {';  // if (a < b)'},
    'rules.add_all(no, {"mount", "bpf"});': {';', 'rules.add_all(no, {"bpf"});', 'rules.add_all(no, {"mount"});'},
    "constexpr auto reading = LANDLOCK_EXECUTE | LANDLOCK_READ;": {
        "constexpr auto reading = LANDLOCK_READ;", "constexpr auto reading = LANDLOCK_EXECUTE;", "constexpr auto reading = LANDLOCK_EXECUTE & LANDLOCK_READ;"},
    "assert(a < b);": set(),
    "#include <a>": set(),
}

check = Checks()
for line, expected in BROKEN.items():
    got = {each.becomes for each in breaks_of("sample.cpp", "\n    " + line + "\n")}
    check(got == expected, f"`{line}` is broken into {sorted(got)}, not {sorted(expected)}")

there = {}
for name, area in AREAS.items():
    files = [path for pattern in area.files for path in SOURCE.glob(pattern) if not path.stem.endswith("_test")]
    check(all(any(SOURCE.glob(pattern)) for pattern in area.files), f"{name}: each of its patterns names files")
    for path in files:
        there |= {each.key: each for each in breaks_of(str(path.relative_to(SOURCE)), path.read_text())}
for each in json.loads((SOURCE / "tools" / "mutation" / "accepted.json").read_text()):
    check((each["file"], each["was"], each["becomes"]) in there, f"accepted.json: {each['file']} has no such line any more, take it out: {each['was']}")
    check(len(each["why"]) > 20, f"accepted.json: says why of: {each['becomes']}")
check.finish()
