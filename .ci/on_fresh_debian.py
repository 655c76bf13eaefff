#!/usr/bin/env python3
"""Runs the README's two commands on a fresh minimal Debian 12.

Root runs both in order. An ordinary user runs the first one before the packages are installed, and
again at the end, in a new clone at the same path, so that the compiler cache has all objects.

on_fresh_debian.py BUNDLE TREE RESULTS   as root

BUNDLE is a git bundle of the commit to test; TREE is the path of the clone inside; RESULTS gets
  skips    output of the test command, starting with the list of skips
  ccache/  compiler cache of the build, for builds of the same sources on this machine
The compiler cache is the only package that the commands do not install.
Exit status: 0 if the commands did what the README says, 1 if one did not, 2 without a fresh Debian.
"""
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "grader" / "tests"))
import fresh_debian  # noqa: E402

RELEASE = "bookworm"
USER = "student"
CACHE = "/var/cache/ccache"
SETTINGS = {"HISTOLAB_PRESET": "ci", "CMAKE_CXX_COMPILER_LAUNCHER": "ccache", "CCACHE_DIR": CACHE,
            "CCACHE_UMASK": "000"}


class Failed(Exception):
    """The message names the step that failed."""


class Step:
    """Prints its time, even if it fails."""

    def __init__(self, what):
        self.what = what

    def __enter__(self):
        print(f"ci: {self.what}", flush=True)
        self.began = time.monotonic()
        return self

    def __exit__(self, *failure):
        print(f"ci: {self.what}: {time.monotonic() - self.began:.0f} s", flush=True)


def commands_of_readme():
    """Returns the commands of the section "Two commands"."""
    readme = (HERE.parent / "README.md").read_text()
    section = readme.split("\n## Two commands\n")[1].split("\n## ")[0]
    commands = re.findall(r"^    (\./histolab .*?) *#", section, re.M)
    if len(commands) != 2:
        raise Failed(f"the README has {len(commands)} commands in its section \"Two commands\"")
    return commands


def inside(root, command, *, user="root", tree="/", settings=None):
    """Runs a bash command inside and yields the lines of its output; raises Failed unless it ends
    with 0."""
    line = f'cd "$1" && {command}'
    words, environment = fresh_debian.entering(root, "runuser", "-u", user, "--", "/bin/bash", "-c",
                                               line, "bash", tree)
    home = "/root" if user == "root" else f"/home/{user}"
    process = subprocess.Popen(words, env={**environment, **(settings or {}), "HOME": home},
                               stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=subprocess.STDOUT, text=True, errors="replace")
    try:
        yield from process.stdout
    except BaseException:
        process.kill()  # only this signal ends the processes inside
        process.wait()
        raise
    if process.wait() != 0:
        raise Failed(f"{command!r} as {user} ended with {process.returncode}")


def show(lines):
    for line in lines:
        print(line, end="", flush=True)
        yield line


def clone(bundle, root, tree, owner):
    """Makes a fresh clone at `tree` that belongs to `owner`. All users can enter its parent
    folders."""
    place = root / tree.lstrip("/")
    shutil.rmtree(place, ignore_errors=True)
    place.parent.mkdir(parents=True, exist_ok=True)
    for folder in place.parents:
        if folder == root:
            break
        folder.chmod(folder.stat().st_mode | 0o555)
    subprocess.run(["git", "-c", "advice.detachedHead=false", "clone", "--quiet", str(bundle),
                    str(place)], check=True)
    list(inside(root, f"chown -R {owner}: .", tree=tree))


def try_commands(root, bundle, tree, results):
    first, second = commands_of_readme()
    with Step(f"preparing it (user {USER}, a compiler cache, a clone)"):
        list(inside(root,
                    f"useradd --create-home {USER} && mkdir -m 777 {CACHE} && apt-get update && "
                    "apt-get install --yes --no-install-recommends ccache && "
                    "apt-get clean && rm -rf /var/lib/apt/lists/*"))
        clone(bundle, root, tree, USER)
    with Step(f"fresh Debian, {USER}: {first}, before the packages are installed"):
        said = "".join(show(inside(root, f"{{ {first}; [ $? = 2 ]; }}", user=USER, tree=tree)))
        if "An administrator can install what is missing with this one command:" not in said:
            raise Failed("a user without the packages is not shown the command that installs them")
    clone(bundle, root, tree, "root")
    with Step(f"fresh Debian, root: {first}"):
        list(show(inside(root, first, tree=tree, settings=SETTINGS)))
    with Step(f"fresh Debian, root: {second}"):
        lines = list(show(inside(root, second, tree=tree, settings=SETTINGS)))
    skips = next((number for number, line in enumerate(lines) if re.match(r"\d+ skipped", line)),
                 len(lines))
    (results / "skips").write_text("".join(lines[skips:]))
    clone(bundle, root, tree, USER)
    with Step(f"fresh Debian, {USER}: {first}"):
        list(show(inside(root, first, user=USER, tree=tree, settings=SETTINGS)))


def main():
    bundle, tree, results = pathlib.Path(sys.argv[1]), sys.argv[2], pathlib.Path(sys.argv[3])
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    # Not in /tmp: it may be in memory, and may not hold devices.
    with tempfile.TemporaryDirectory(prefix="histolab-ci-",
                                     dir=os.environ.get("TMPDIR", "/var/tmp")) as folder:
        root = pathlib.Path(folder, "root")
        try:
            with Step("making a fresh Debian 12"):
                fresh_debian.make(root, RELEASE)
            try_commands(root, bundle, tree, results)
        except fresh_debian.Unavailable as reason:
            sys.exit(print(f"ci: {reason}", file=sys.stderr) or 2)
        except Failed as reason:
            sys.exit(print(f"ci: {reason}", file=sys.stderr) or 1)
        shutil.move(root / CACHE.lstrip("/"), results / "ccache")
        owner = int(os.environ.get("SUDO_UID", 0)), int(os.environ.get("SUDO_GID", 0))
        for place, folders, files in os.walk(results):
            for name in [".", *folders, *files]:
                os.chown(os.path.join(place, name), *owner)


if __name__ == "__main__":
    main()
