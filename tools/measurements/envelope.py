"""The plan against all other kernels at all sizes: h200-envelope.json, written by
tools/envelope."""
from math import comb

from .text import RowsSection, elements, names, table

TICK = 0.032  # us: resolution of an event's clock on an H100 and an H200
TYPES = {("letters", 1): "letters", ("even", 1): "8 bits", ("even", 2): "16 bits",
         ("even", 4): "32 bits", ("uneven", 2): "16 bits, uneven", ("uneven", 4): "32 bits, uneven"}
CASE = ("layout", "sample_bytes", "bins", "dataset", "length")


def interval(samples_ms):
    """Returns low end, median and high end of the 95 % interval of the median, in us.

    See Conover, Practical Nonparametric Statistics.
    """
    sorted_us, count = sorted(1000 * sample for sample in samples_ms), len(samples_ms)
    below, outside = 0, 1 / 2**count
    while below + 1 < (count + 1) // 2 and outside + comb(count, below + 1) / 2**count <= 0.025:
        below += 1
        outside += comb(count, below) / 2**count
    first = below if outside <= 0.025 else 0
    middle = (sorted_us[(count - 1) // 2] + sorted_us[count // 2]) / 2
    return [round(number, 3) for number in (sorted_us[first], middle, sorted_us[count - 1 - first])]


def rows_of(bench_rows):
    """Returns a row per case of a file of histolab bench: the plan, the fastest other kernel,
    CUB."""
    cases = {}
    for row in bench_rows:
        cases.setdefault(tuple(row[key] for key in CASE), []).append(row)
    found = []
    for case, rows in cases.items():
        times = {row["kernel"]: interval(row["samples_ms"]) for row in rows if row["verified"]}
        if "limit" not in times or len(times) == 1:
            continue
        other = min((kernel for kernel in times if kernel != "limit"),
                    key=lambda kernel: times[kernel][1])
        row = dict(zip(CASE, case))
        row.update(strategy=next(row["strategy"] for row in rows if row["kernel"] == "limit"),
                   plan_us=times["limit"], other=other, other_us=times[other])
        if "cub" in times:
            row["cub_us"] = times["cub"]
        found.append(row)
    return found


def ratio(row):
    """Returns the plan's time divided by that of the fastest other kernel."""
    return row["plan_us"][1] / row["other_us"][1]


def is_slower(row):
    """Whether the plan is slower beyond noise: the medians' intervals are more than a tick
    apart."""
    return row["plan_us"][0] > row["other_us"][2] + TICK


def brief(number):
    return f"{number:.2f}" if number < 10 else f"{number:.1f}" if number < 100 else f"{number:.0f}"


def kind_of(row):
    return f"{TYPES[row['layout'], row['sample_bytes']]}, {row['bins']}"


class Section(RowsSection):
    def markdown(self):
        kinds = list(dict.fromkeys(kind_of(row) for row in self.rows))
        lengths = sorted({row["length"] for row in self.rows})
        cells = {}
        for row in self.rows:
            cells.setdefault((kind_of(row), row["length"]), []).append(row)
        times = [[elements(length), *(self.time(cells.get((kind, length))) for kind in kinds)]
                 for length in lengths]
        ratios = [[elements(length), *(self.cell(cells.get((kind, length))) for kind in kinds)]
                  for length in lengths]
        slower = [row for row in self.rows if is_slower(row)]
        text = f"""The plan of `histogram.h` against the project's other kernels, the labs' solutions, the textbook's kernels (both up to 2^28
samples) and CUB, in turns. {len(self.rows)} cases. In {len(slower)} the plan is slower than the fastest
other kernel by more than the noise: the 95 % intervals of the two medians are more than a tick of
the clock ({TICK} us) apart. A column is a type of sample and a number of bins. The datasets are
{", ".join(f"`{name}`" for name in names(self.rows, "dataset"))}.

The plan's time divided by that of the fastest other kernel, on the dataset where that is largest:

{table(["samples", *kinds], ratios, 1)}
The plan's time in us, on the same dataset:

{table(["samples", *kinds], times, 1)}"""
        if slower:
            lines = [[elements(row["length"]), kind_of(row), row["dataset"],
                      f"{row['plan_us'][1]:.2f}", row["other"], f"{row['other_us'][1]:.2f}",
                      f"{ratio(row):.3f}"] for row in slower]
            text += "\nSlower by more than the noise:\n\n" + table(
                ["samples", "case", "dataset", "plan, us", "other kernel", "its us", "ratio"],
                lines, 3)
        return text

    def cell(self, rows):
        return f"{ratio(max(rows, key=ratio)):.2f}" if rows else "-"

    def time(self, rows):
        return brief(max(rows, key=ratio)["plan_us"][1]) if rows else "-"
