#!/usr/bin/env python3
"""Lists that must name every observer and every panel, although the compiler would not miss one.

CONTRIBUTING.md names these places in its recipes.
"""
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "grader" / "tests"))
from histolab_program import SOURCE, Checks  # noqa: E402

check = Checks()


def text(path):
    return (SOURCE / path).read_text(encoding="utf-8")


def found(pattern, files):
    names = [found for path in sorted(SOURCE.glob(files))
             for found in re.findall(pattern, path.read_text(encoding="utf-8"))]
    check(len(names) >= 8, f"{files}: was the form of {pattern} changed?", *names)
    return names


OBSERVERS = "kernels/emulator/observers"
for observer in found(r"class (\w+) (?:final )?: public Observer", f"{OBSERVERS}/*.h"):
    check(f"<{observer}>" in text(f"{OBSERVERS}/all.cpp"),
          f"observers/all.cpp does not make {observer}")
for factory in found(r"(make_\w+_panel)\(\)", "viewer/panels/panel.h"):
    check(f"{factory}()" in text("viewer/panels/all.cpp"),
          f"panels/all.cpp does not call {factory}")
panels = found(r'Info info\(\) const override {\s+return {"(\w+)", "([^"]+)"',
               "viewer/panels/*.cpp")
option = re.search(r"^\| `--panel NAME`.*", text("docs/command-line.md"), re.MULTILINE)[0]
arrangements = dict(re.findall(r"case Layout::(\w+): {\n(.*?)\n    }\n",
                               text("viewer/layout.cpp"), re.DOTALL))
for panel, title in panels:
    for name in ("lecture", "student", "all"):
        check(arrangements[name].count(f'"{panel}"') == 1,
              f"viewer/layout.cpp: {panel} does not have one place in the arrangement {name}")
    check(f"`{panel}`" in option, f"docs/command-line.md: --panel lacks {panel}")
    check(f"\n| {title} | " in text("docs/viewer.md"), f"docs/viewer.md: the table lacks {title}")
    check(f"(viewer/{panel}-1280x720.png)" in text("docs/viewer.md"),
          f"docs/viewer.md has no picture of {panel}")
check(f"| 1 ... {len(panels)}, 0 | " in text("docs/viewer.md"),
      f"docs/viewer.md: the keys of {len(panels)} panels")
check(f'{{"1 ... {len(panels)}", ' in text("viewer/app_draw.cpp"),
      f"viewer/app_draw.cpp: the keys of {len(panels)} panels")
check.finish()
