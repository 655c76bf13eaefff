#!/usr/bin/env python3
"""Compiles each C++ file separately, without warnings. Unity builds (presets release and ci) hide
missing includes and names that shadow others.
"""
import concurrent.futures
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys

SOURCE = pathlib.Path(os.environ["HISTOLAB_SOURCE_DIR"])
BUILD = pathlib.Path.cwd() / "build"


def files_of(entry):
    """Returns the files that the entry compiles: itself, or the files that its unit includes."""
    path = pathlib.Path(entry["file"])
    if not path.name.startswith("unity_"):
        return [path]
    return [pathlib.Path(name) for name in re.findall(r'#include "([^"]+)"', path.read_text())]


def command_for(entry, path):
    words = shlex.split(entry["command"])
    at = words.index("-o")
    words = words[:at] + words[at + 2:]
    words[words.index("-c"):] = []
    return [*words, "-fsyntax-only", "-Wshadow", "-Werror", str(path)]


def said_of(command):
    done = subprocess.run(command, cwd=BUILD, capture_output=True, text=True)
    return "" if done.returncode == 0 else done.stderr


def main():
    subprocess.run(["cmake", "-S", SOURCE, "-B", BUILD, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Debug",
                    "-DCMAKE_UNITY_BUILD=OFF"], check=True, stdout=subprocess.DEVNULL)
    entries = json.loads((BUILD / "compile_commands.json").read_text())
    commands = {path: command_for(entry, path) for entry in entries for path in files_of(entry)
                if path.suffix == ".cpp" and path.is_relative_to(SOURCE) and
                not path.is_relative_to(BUILD)}
    if len(commands) < 300:
        sys.exit(f"only {len(commands)} files are compiled, of several hundred")
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for path, said in zip(commands, pool.map(said_of, commands.values())):
            if said:
                failed += 1
                print(f"{path.relative_to(SOURCE)}:\n{said[:2000]}", flush=True)
    print(f"{len(commands)} files, {failed} of them not by themselves or not without a warning")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
