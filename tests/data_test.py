#!/usr/bin/env python3
"""Tests `histolab data`: the list, the bytes, the histogram, and errors."""
import hashlib
import json
import os
import pathlib
import pty
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "grader" / "tests"))
from histolab_program import PATIENCE, PROGRAM, Checks, histolab, temporary_folder  # noqa: E402

check = Checks()


def data(*arguments):
    """Returns the standard output as bytes."""
    done = subprocess.run([str(PROGRAM), "data", *map(str, arguments)], capture_output=True,
                          stdin=subprocess.DEVNULL, timeout=PATIENCE)
    check(done.returncode == 0, f"data {arguments} fails", done.stderr.decode())
    return done.stdout


def refused(*arguments, parts):
    done = histolab("data", *arguments)
    check(done.returncode == 2 and not done.stdout, f"data {arguments} is not refused",
          done.returncode, done.stdout[:200])
    for part in parts:
        check(part in done.stderr, f"data {arguments} does not say: {part}", done.stderr)


def the_list():
    listed = json.loads(data("--json"))
    check(listed["schema"] == "histolab/datasets/1" and listed["version"], "the list's head",
          listed)
    widths = {each["name"]: each["element_bytes"] for each in listed["datasets"]}
    check(widths["sensor"] == [2] and widths["image"] == [1, 2] and widths["english"] == [1],
          "the widths", widths)
    text = data().decode()
    for each in listed["datasets"]:
        check(f"\n{each['name']}" in text and each["description"] in text,
              f"the list lacks {each['name']}", text)
    check(max(map(len, text.splitlines())) <= 80, "the list is wider than 80 columns", text)


def the_bytes(folder):
    check(data("book") == b"programming massively parallel processors", "book")
    check(data("text:ab", "--length", 5) == b"ababa", "text")
    check(data("bytes", "--length", 0) == b"", "nothing")
    check(len(data("sensor")) == 2 << 20, "a dataset of 16 bits only needs no --element-bytes")
    check(data("constant", "--element-bytes", 2, "--length",
               3) == data("constant", "--length", 1) * 6, "16 bits")
    check(data("image", "--length", 5000) == data("image", "--length", 5000, "--element-bytes",
                                                  2)[1::2],
          "the bytes of image are the upper ones of its samples")
    check(data("zipf", "--seed", 2) != data("zipf"), "--seed changes nothing")
    out = folder / "out.raw"
    check(data("zipf", "--element-bytes", 2, "--out", out) == b"", "--out prints")
    check(hashlib.sha256(out.read_bytes()).digest() ==
          hashlib.sha256(data("zipf", "--element-bytes", 2)).digest(), "--out writes other bytes")
    check(data(out, "--element-bytes", 2, "--length", 10) == out.read_bytes()[:20], "a file")
    check(list(folder.iterdir()) == [out], "something is left beside the file",
          list(folder.iterdir()))


def the_histogram(folder):
    found = json.loads(data("book", "--json"))
    wanted = {"schema": "histolab/data/1", "dataset": "book", "length": 41, "seed": 1,
              "element_bytes": 1, "distinct": 15}
    for key, value in wanted.items():
        check(found[key] == value, f"{key} of book", found[key])
    check(found["letters"]["count"] == 38 and found["letters"]["bins"] == [5, 5, 6, 10, 10, 1, 1],
          "the letters of book", found["letters"])
    check(len(found["histogram"]) == 256 and sum(found["histogram"]) == 41 and
          found["histogram"][ord("p")] == 3, "the counts of book")
    wide = json.loads(data("values", "--element-bytes", 2, "--length", 1000, "--json"))
    raw = data("values", "--element-bytes", 2, "--length", 1000)
    counts = [0] * 65536
    for i in range(0, 2000, 2):
        counts[raw[i] + 256 * raw[i + 1]] += 1
    check(wide["histogram"] == counts and wide["letters"] is None,
          "16 bits, counted here and there")
    nothing = json.loads(data("values", "--length", 0, "--json"))
    check(nothing["length"] == 0 and nothing["mean_run_length"] == 0 and
          nothing["lanes_on_one_value"] == 0, "the histogram of nothing", nothing)
    check(data("values", "--length", 0,
               "--histogram").decode() == "values: 0 elements of 1 byte, seed 1\n",
          "nothing as text")
    (folder / "steer\x1b[31m").write_bytes(b"abc")
    for name in ("english", "sensor", "constant", folder / "steer\x1b[31m"):
        text = data(name, "--histogram").decode()
        check("most frequent" in text and max(map(len, text.splitlines())) <= 80 + len(str(folder)),
              f"the text of {name}", text)
        check("\x1b" not in text, "a file's name steers the terminal", text)
    check("101  e" in data("english", "--histogram").decode(), "e is frequent in English")


def what_is_refused(folder):
    refused("english", "--element-bytes", 2,
            parts=['"english" has no elements of 2 bytes', "sensor"])
    refused("sensor", "--element-bytes", 1, parts=['"sensor" has no elements of 1 byte', "english"])
    refused("english", "--element-bytes", 4, parts=["--element-bytes", "data --help"])
    refused("english", "--histogram", "--json", parts=["excludes"])
    refused("englisch", parts=["no dataset of that name", "uniform-letters"])
    refused("hot:all", parts=["write a percentage"])
    refused("bytes", "--length", 1 << 32, parts=["--length"])
    refused("bytes", "--out", folder / "none" / "x", parts=["does not exist"])
    (folder / "odd").write_bytes(b"abc")
    refused(folder / "odd", "--element-bytes", 2, parts=["has 3 bytes, an odd number"])
    helped = histolab("data", "--help")
    check(helped.returncode == 0 and "Example:\n  histolab data\n" in helped.stdout, "data --help",
          helped.stdout)


def a_terminal():
    terminal, other_end = pty.openpty()
    done = subprocess.run([str(PROGRAM), "data", "book"], stdout=other_end, stderr=subprocess.PIPE,
                          stdin=subprocess.DEVNULL, timeout=PATIENCE)
    os.close(other_end)
    os.close(terminal)
    check(done.returncode == 2 and b"--histogram" in done.stderr, "raw bytes go to a terminal",
          done)


with temporary_folder() as place:
    the_list()
    the_bytes(place)
    the_histogram(place)
    what_is_refused(place)
    a_terminal()
check.finish()
