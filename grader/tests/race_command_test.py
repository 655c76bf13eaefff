"""`histolab race`: one interleaving step by step, all of them counted, and the steps of real
kernels' threads."""
import json

from histolab_program import SOURCE, Checks, temporary_folder

check = Checks()
expect = check.expect


def interleavings(folder):
    expect(["race"], 0, "interleaving of seed 1", "update is lost", "scenario")
    expect(["race", "--seed", 5, "--threads", 3, "--increments", 2], 0,
           "3 threads, 2 increments each")
    expect(["race", "--scenario", 1], 0, "No update is lost")
    expect(["race", "--atomic", "--threads", 8], 0, "No update is lost")
    expect(["race", "--enumerate"], 0, "20", "6! / (3!)^2")
    expect(["race", "--enumerate", "--threads", 9], 2,
           "9 threads with 1 increment each have more than 2^53", "at most 7 threads")
    expect(["race", "--threads", 0], 2, "--threads")
    expect(["race", "--threads", 33], 2, "--threads")
    expect(["race", "--scenario", 5], 2, "--scenario")
    expect(["race", "--scenario", 3, "--threads", 2], 2, "--threads excludes --scenario")
    expect(["race", "--enumerate", "--seed", 3], 2, "--seed excludes --enumerate")
    traced = expect(["race", "--json", "trace.json"], 0, "interleaving of seed 1", cwd=folder)
    alone = expect(["race", "--json"], 0, cwd=folder)
    check((folder / "trace.json").read_text() == alone.stdout,
          "race --json FILE and race --json differ")
    check(alone.stdout == expect(["race", "--json", "-"], 0).stdout and
          "interleaving" in traced.stdout, "race --json - differs")
    expect(["race", "--json", "none/trace.json"], 2, "does not exist", cwd=folder)


def race_of_a_kernel(folder):
    """The steps of real kernels' threads."""
    labs = {number: SOURCE / "labs" / name
            for number, name in (("01", "01-race"), ("02", "02-atomic-add"),
                                 ("04", "04-privatization"))}
    said = expect(["race", "--kernel", "01"], 0, "so this is the lab's solution",
                  "2 threads, a letter m each; random, seed 1", "histo[3]", cwd=folder).stdout
    check(max(map(len, said.splitlines()[1:])) <= 80, "race --kernel is wider than 80 columns",
          said)
    orders = {}
    for seed in range(1, 13):
        race = json.loads(expect(["race", "--kernel", labs["01"] / "solution.cu", "--seed", seed,
                                  "--json"], 0).stdout)
        steps = race["trace"]["steps"]
        check(sorted((step["thread"], step["operation"]) for step in steps) ==
              [(1, "load"), (1, "store"), (2, "load"), (2, "store")], "two threads load and store",
              steps)
        check(all((step["variable"], step["index"]) == ("histo", 3) and
                  "histo[" in
                  (labs["01"] / "solution.cu").read_text().splitlines()[step["line"] - 1]
                  for step in steps),
              "a step is not on the bin, or not in the line that updates it", steps)
        check(race["trace"]["final_value"] + len(race["trace"]["lost"]) == 2,
              "what is missing is not told", race)
        orders[tuple(step["thread"] for step in steps)] = race["trace"]["final_value"]
    check(len(orders) >= 3 and set(orders.values()) == {1, 2},
          "twelve seeds bring up too few orders", orders)
    expect(["race", "--kernel", labs["02"] / "solution.cu", "--threads", 4], 0, "4 threads",
           "atomic", "No update is lost: no two threads")
    expect(["race", "--kernel", labs["04"] / "solution.cu", "--schedule", "lockstep"], 0,
           "; lockstep\n", "private_histo[3]", "unset", "No update is lost")
    expect(["race", "--kernel", labs["01"] / "stub.cu"], 0, "No thread changed anything")
    expect(["race", "--kernel", labs["01"] / "solution.cu", "--enumerate"], 0, "as ",
           "solution.cu makes them", "load, store", "67 %")
    expect(["race", "--kernel", labs["02"] / "solution.cu", "--threads", 3, "--enumerate"], 0,
           "3 threads, 1 atomicAdd each", "100 %")
    expect(["race", "--kernel", labs["04"] / "solution.cu", "--enumerate"], 2,
           "cannot be counted: its threads use private_histo[3] and histo[3]")
    expect(["race", "--kernel", "01", "--threads", 5], 2, "2 to 4 threads")
    expect(["race", "--kernel", "none.cu"], 2, "no such file, and no such lab")
    expect(["race", "--kernel", "01", "--schedule", "alphabetical"], 2,
           'there is no schedule "alphabetical"')
    expect(["race", "--schedule", "lockstep"], 2, "--schedule requires --kernel")
    expect(["race", "--kernel", "01", "--increments", 2], 2, "excludes")
    (folder / "broken.cu").write_text("__global__ void histogram(const char* data, unsigned int "
                                      "length, unsigned int* histo) { oops }\n")
    expect(["race", "--kernel", "broken.cu"], 1, "broken.cu:1:", cwd=folder)


with temporary_folder(prefix="histolab test ") as folder:
    interleavings(folder)
with temporary_folder(prefix="histolab test ") as folder:
    race_of_a_kernel(folder)
check.finish()
