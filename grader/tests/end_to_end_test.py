"""From text to histogram: more than a megabyte of text through every core lab's solution, against
Python's own count."""
import collections
import json
import pathlib
import random
import re

from histolab_program import SOURCE, Checks, histolab, temporary_folder

TIME_CHECKS = {"speedup_over", "within_of_solution"}  # which --quick leaves out

check = Checks()
# Words of all lengths with capitals, digits, punctuation and some UTF-8: 1.2 MB, not divisible by
# 16.
source = random.Random(20261121)
words = ["".join(source.choices("etaoinshrdlcumwfgypbvkjxqz", weights=range(26, 0, -1),
                                k=source.randint(1, 12))) for _ in range(4000)]
parts, size = [], 0
while size < 1_200_000:
    word = source.choice(words)
    word = source.choice([word, word, word, word, word.capitalize(), word + ",", word + ".\n",
                          "{" + word + "}", "`" + word, "naïve", "1984"])
    parts.append(word)
    size += len(word.encode()) + 1
text = " ".join(parts).encode()
text += b"z" if len(text) % 16 == 0 else b""
assert len(text) >= 1_000_000 and len(text) % 16

counts = collections.Counter(text)
expected = [sum(counts[ord("a") + letter] for letter in range(4 * bin, min(4 * bin + 4, 26)))
            for bin in range(7)]

with temporary_folder() as folder:
    (folder / "text.txt").write_bytes(text)
    for lab in ("02", "03", "04", "05", "06"):
        kernel = next((SOURCE / "labs").glob(f"{lab}-*")) / "solution.cu"
        done = histolab("run", lab, "--kernel", kernel, "--dataset", "text.txt", "--json",
                        cwd=folder)
        check(done.returncode == 0, f"run {lab} ended with {done.returncode}", done.stderr)
        try:
            run = json.loads(done.stdout)
        except ValueError:
            check(False, f"run {lab} printed no JSON", done.stdout[:200])
            continue
        check(run["length"] == len(text), f"lab {lab} saw {run['length']} of {len(text)} bytes")
        check(run["histogram"] == expected, f"lab {lab} counted {run['histogram']}",
              f"Python counts {expected}")
        check(run["correct"] and not run["mismatches"],
              f"lab {lab} is right, but the grader says otherwise")
        check(not run["findings"], f"lab {lab} has findings", run["findings"])
        # The sums over all lines equal the launch's counters. These counters exist only per launch
        # (docs/counters.md).
        of_launch = (
            "histolab__input_load_sectors.sum",
            "histolab__accesses_besides_input.sum",
            "histolab__busy_threads_input_bytes.sum",
            "histolab__used_shared_writes.sum",
            "histolab__global_atomic_updated_elements.sum",
        )
        for name, total in run["counters"].items():
            if (name.endswith(".sum") and "updates_lost" not in name and
                "updates_invented" not in name and name not in of_launch):
                of_lines = sum(line["counters"].get(name, 0) for line in run["lines"])
                check(of_lines == total,
                      f"lab {lab}: {name} is {total}, but {of_lines} over the lines")
        if lab == "02":  # one atomic operation per letter
            updates = {each["index"]: each["updates"] for each in run["atomic_pressure"][0]["top"]}
            check([updates.get(bin) for bin in range(7)] == expected, "lab 02: updates of each bin",
                  run["atomic_pressure"], expected)
        # The same launch as a listing: every line of the source, in 80 columns.
        done = histolab("run", lab, "--kernel", kernel, "--dataset", "text.txt", "--annotate",
                        cwd=folder)
        check(done.returncode == 0 and "every bin is right" in done.stdout, f"run {lab} --annotate",
              done.stdout, done.stderr)
        check(all(len(line) <= 80 for line in done.stdout.splitlines()[1:]),
              f"the listing of {lab} is wider than 80 columns", done.stdout)
        for line in run["lines"]:
            code = kernel.read_text().splitlines()[line["line"] - 1].split()[0]
            check(re.search(rf"^.*\d.* {line['line']} \| +{re.escape(code)}", done.stdout,
                            re.MULTILINE), f"the listing of {lab} has no line {line['line']}")

    # Counters in local memory: four counters, equal to the sum over all lines, and a longer
    # modelled time.
    registers = SOURCE / "labs/08-register-privatization/solution.cu"
    memory = registers.parent / "attempts/a-counter-for-each-letter/kernel.cu"
    traffic, modelled = {}, {}
    for kernel in (registers, memory):
        done = histolab("run", "08", "--kernel", kernel, "--length", 1 << 20, "--json", cwd=folder)
        run = json.loads(done.stdout)
        traffic[kernel] = {name: total for name, total in run["counters"].items()
                           if "_mem_local_op_" in name}
        for name, total in traffic[kernel].items():
            of_lines = sum(line["counters"].get(name, 0) for line in run["lines"])
            check(of_lines == total, f"{kernel}: {name} is {total}, but {of_lines} over the lines")
        done = histolab("model", "08", "--kernel", kernel, "--length", 1 << 26, "--json",
                        cwd=folder)
        modelled[kernel] = json.loads(done.stdout)["modelled_ms"]
    check(list(traffic[registers].values()) == [0, 0, 0, 0],
          "the solution of lab 08 uses local memory", traffic[registers])
    check(len(traffic[memory]) == 4 and min(traffic[memory].values()) > 0,
          "26 counters use no local memory", traffic[memory])
    check(5 < modelled[memory] / modelled[registers] < 8, "the cost of local memory", modelled)

    # The racy solution of lab 01 loses counts, reports that, and invents none.
    kernel = next((SOURCE / "labs").glob("01-*")) / "solution.cu"
    done = histolab("run", "01", "--kernel", kernel, "--dataset", "text.txt", "--length", 100_003,
                    "--json", cwd=folder)
    run = json.loads(done.stdout)
    lost = run["counters"]["histolab__updates_lost.sum"]
    truth = sum(1 for byte in text[:100_003] if ord("a") <= byte <= ord("z"))
    check(not run["correct"] and lost > 0, "the racy kernel lost nothing", run["histogram"])
    check(sum(run["histogram"]) == truth - lost, "updates kept and lost do not add up",
          run["histogram"], lost, truth)
    check(any(finding["kind"] == "data_race" and finding["variable"] == "histo"
              for finding in run["findings"]), "no race was found")

    # A finding is shown below its line, and `explain` equals `run --annotate`.
    shown = [histolab(*command, "--kernel", kernel, "--dataset", "text.txt", "--length", 100_003,
                      cwd=folder).stdout
             for command in (["run", "01", "--annotate"], ["explain", "01"])]
    check(re.search(r"^.* ! +histo\[.*\n  ! data_race", shown[0], re.MULTILINE),
          "the listing has no data_race", shown[0])
    check(shown[0] == shown[1], "explain shows something else than run --annotate", *shown)

    # Next to the solution: its totals, the larger counters, and the same on a self-contained page.
    slow = next((SOURCE / "labs").glob("03-*")) / "attempts" / "block-partitioning" / "kernel.cu"
    launch = ["explain", "03", "--length", 65536, "--kernel", slow]
    shown = histolab(*launch, cwd=folder).stdout
    check("  * neighbouring threads read 16 bytes apart: 16 sectors per load, the solution\n"
          "  * needs 1\n" in shown and shown.endswith(" the solution\n"), "explain beside the "
                                                                          "solution", shown)
    check("the solution" not in histolab("explain", "03", "--kernel",
                                         slow.parents[2] / "solution.cu", "--length", 65536,
                                         cwd=folder).stdout, "the solution beside itself")
    page = histolab(*launch, "--html", "-", cwd=folder).stdout
    check(page.startswith("<!doctype html>") and
          "neighbouring threads read 16 bytes apart" in page and
          "http" not in page.replace("http-equiv", ""), "explain --html", page[:2000])
    done = histolab(*launch, "--html", "a page.html", cwd=folder)
    check(done.returncode == 0 and done.stdout == "" and
          (pathlib.Path(folder) / "a page.html").read_text() == page, "explain --html FILE",
          done.stdout, done.stderr)
    done = histolab(*launch, "--html", "nowhere/page.html", cwd=folder)
    check(done.returncode == 2 and done.stdout == "",
          "explain --html into a folder that is not there", done.stderr)

    # The advice for each attempt that a counter or a time reveals: the line to blame, in six lines
    # plus the excerpt.
    blamed = [path for path in sorted((SOURCE / "labs").glob("*/attempts/*/expect.json"))
              if {"check", "line"} <= json.loads(path.read_text()).keys()]
    check(len(blamed) >= 15, "too few attempts say which line is to blame")
    for path in blamed:
        expected, lab = json.loads(path.read_text()), path.parents[2].name
        kind = next(each
                    for each in json.loads((path.parents[2] / "lab.json").read_text())["checks"]
                    if each["id"] == expected["check"])["kind"]
        if kind == "matches_reference":  # the line declares a variable
            continue
        of_time = kind in TIME_CHECKS
        done = histolab("grade", lab, "--submission", path.with_name("kernel.cu"),
                        *([] if of_time else ["--quick"]), "--device", "emulator", cwd=folder)
        told = done.stdout.split(f": {expected['check']} failed (")[-1]
        told = told.split("\n\n")[0].splitlines()[1:]
        words = [line for line in told if re.match(r"  \S", line) and not line.startswith("  /")]
        check(re.search(rf"the solution {'of' if of_time else 'has'} .*(\. L| why: l)ine "
                        rf"{expected['line']}: ", " ".join(map(str.strip, words))),
              f"{path.parent.name} of {lab} is not told why", *told)
        check(len(words) <= 6, f"{path.parent.name} of {lab} is told in more than six lines", *told)

    # The book's example, and the same run twice.
    first, second = (histolab("run", "02", "--dataset", "book", "--json", cwd=folder).stdout
                     for _ in range(2))
    check(json.loads(first)["histogram"] == [5, 5, 6, 10, 10, 1, 1],
          "the book's example is not 5 5 6 10 10 1 1", first)
    same = [{**json.loads(text), "host": None} for text in (first, second)]
    check(same[0] == same[1], "two runs with one seed differ")
check.finish()
