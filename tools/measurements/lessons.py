"""The kernels of labs 01 to 06: h200-lessons.json, as histolab-lesson-times writes it."""
from . import svg
from .text import RowsSection, chart, elements, names, percent, rate, ratio, select, table

CHARTED = ["uniform-letters", "english", "constant", "runs"]


def label(row):
    return row["kernel"] + (f" {row['factor']}" if row["factor"] else "")


class Section(RowsSection):
    def one(self, **wanted):
        found = select(self.rows, **wanted)
        return found[0] if found else None

    def cell(self, **wanted):
        row = self.one(**wanted)
        return rate(row["elements_per_s"]) if row else "-"

    def markdown(self):
        return "\n".join([self.labs(), self.race(), self.partitioning(), self.privatization(),
                          self.coarsening(), self.aggregation(), self.skew()])

    def labs(self):
        rows = select(self.rows, experiment="labs")
        datasets, kernels = names(rows,
                                  "dataset"), list(dict.fromkeys((r["kernel"], r["factor"])
                                                                 for r in rows))
        kernels.sort(key=lambda k: next(r["elements_per_s"] for r in rows
                                        if (r["kernel"], r["factor"],
                                            r["dataset"]) == (*k, datasets[0])))
        lines, drawn = [], []
        for kernel, factor in kernels:
            of = {r["dataset"]: r for r in rows if (r["kernel"], r["factor"]) == (kernel, factor)}
            first = next(iter(of.values()))
            lines.append([f"`{label(first)}`", elements(first["length"]),
                          *(rate(of[d]["elements_per_s"]) for d in datasets),
                          percent(of[datasets[0]]["percent_of_read_limit"])])
            drawn.append((label(first) + (" (loses updates)" if kernel == "race" else ""),
                          {d: of[d]["elements_per_s"] / 1e9 for d in CHARTED}))
        self.charts["lessons-kernels.svg"] = svg.dots("Throughput by kernel and distribution, 7 "
                                                      "letter bins, one-byte elements",
                                                      "10^9 elements per second (logarithmic)",
                                                      drawn, CHARTED)
        return f"""### Every kernel on every distribution

7 letter bins, one-byte elements; 10^9 elements per second. The last column is the percentage of the
read limit on `{datasets[0]}`.

{table(["kernel", "length", *datasets, "% of read"], lines, 2)}
{chart("lessons-kernels.svg", "throughput of each kernel on four distributions")}"""

    def race(self):
        rows = [r for r in self.rows if r["kernel"] == "race"]
        lines = [[r["dataset"], r["element_bytes"], r["bins"], elements(r["length"]),
                  f"{r['lost_percent']:.4f}", rate(r["elements_per_s"]),
                  self.cell(kernel="global", dataset=r["dataset"], element_bytes=r["element_bytes"],
                            bins=r["bins"], binning=r["binning"])] for r in rows]
        return f"""### What the race loses

A plain `++` by one thread per element: the lost updates in percent, and its rate next to that of
the same kernel with `atomicAdd` (10^9 elements per second).

{table(["dataset", "bytes", "bins", "length", "lost %", "race", "atomicAdd"], lines)}"""

    def partitioning(self):
        lines = []
        for where, length in (("global", None), ("shared", None)):
            for width in (1, 4, 16):
                rows = [r
                        for r in select(self.rows, experiment="partitioning", dataset="uniform",
                                        element_bytes=width, binning="leading-bits")
                        if r["kernel"] == f"{where}-block"]
                for block in sorted(rows, key=lambda r: r["bins"]):
                    other = self.one(experiment="partitioning", dataset="uniform",
                                     element_bytes=width, bins=block["bins"],
                                     kernel=f"{where}-interleaved")
                    lines.append([where, width, block["bins"], elements(block["length"]),
                                  rate(block["elements_per_s"]), rate(other["elements_per_s"]),
                                  ratio(other["elements_per_s"] / block["elements_per_s"])])
        long = [[r["kernel"], r["dataset"], r["element_bytes"], r["bins"], elements(r["length"]),
                 rate(r["elements_per_s"])]
                for r in self.rows
                if r["kernel"] in ("global-block", "global-interleaved") and
                r["dataset"] == "runs" and r["bins"] == 7]
        long.sort()
        shared = []
        for block in select(self.rows, experiment="length", kernel="shared-block"):
            other = self.one(experiment="length", kernel="shared-interleaved",
                             element_bytes=block["element_bytes"], bins=block["bins"],
                             length=block["length"])
            shared.append([block["element_bytes"], block["bins"], elements(block["length"]),
                           rate(block["elements_per_s"]), rate(other["elements_per_s"]),
                           ratio(other["elements_per_s"] / block["elements_per_s"])])
        return f"""### Block or interleaved partitioning

A persistent grid of 8 blocks of 256 threads per multiprocessor, uniform data; 10^9 elements per
second, and the speedup of interleaved.

{table(["counts in", "bytes", "bins", "length", "block", "interleaved", "times"], lines)}
The same with counts in shared memory, on shorter and longer data:

{table(["bytes", "bins", "length", "block", "interleaved", "times"], shared, 0)}
Runs of about 2048 equal letters, counts in global memory: a thread's chunk is
249 bytes for 2^26, 993 for 2^28 and 3972 for 2^30.

{table(["kernel", "dataset", "bytes", "bins", "length", "10^9/s"], long, 2)}"""

    def privatization(self):
        kernels = ["global", "global-interleaved", "global-copies", "shared", "shared-interleaved",
                   "shared-contiguous", "shared-tile"]
        text, series = [], []
        for dataset in ("uniform", "zipf"):
            of = select(self.rows, experiment="partitioning", dataset=dataset, element_bytes=4)
            bins = sorted(set(names(of, "bins")))
            lines = []
            for kernel in kernels:
                rows = {r["bins"]: r for r in select(of, kernel=kernel)}
                first = next(iter(rows.values()))
                lines.append([f"`{label(first)}`",
                              *(rate(rows[b]["elements_per_s"]) if b in rows else "-"
                                for b in bins)])
                if dataset == "uniform" and kernel not in ("global", "shared-tile"):
                    series.append((label(first),
                                   [(b, rows[b]["elements_per_s"] / 1e9) for b in bins
                                    if b in rows]))
            gain = []
            for b in bins:
                private, public = (self.one(experiment="partitioning", dataset=dataset,
                                            element_bytes=4, bins=b, kernel=f"{where}-interleaved")
                                   for where in ("shared", "global"))
                gain.append(ratio(private["elements_per_s"] / public["elements_per_s"]) if private
                            else "-")
            lines.append(["shared-interleaved / global-interleaved", *gain])
            text.append(f"`{dataset}`:\n\n{table(['kernel', *(f'{b} bins' for b in bins)], lines)}")
        self.charts["lessons-bins.svg"] = svg.lines("What privatization gains, from few bins to "
                                                    "many: uniform 4-byte elements", "bins",
                                                    "10^9 elements per second", series)
        return f"""### Privatization, by the number of bins

4-byte elements; 10^9 elements per second. 65 536 bins do not fit in shared memory.

{chr(10).join(text)}
{chart("lessons-bins.svg", "throughput by number of bins for five kernels")}"""

    def coarsening(self):
        of = select(self.rows, experiment="coarsening", dataset="uniform-letters")
        widths = sorted(set(names(of, "element_bytes")))
        factors = sorted({r["factor"] for r in of
                          if r["factor"] and r["kernel"] == "shared-strided"})
        cells, lines = {}, []
        for factor in factors:
            line = [factor]
            for width in widths:
                contiguous, strided = (self.one(experiment="coarsening", element_bytes=width,
                                                factor=factor, kernel=k, dataset="uniform-letters")
                                       for k in ("shared-contiguous", "shared-strided"))
                times = contiguous["elements_per_s"] / strided["elements_per_s"]
                cells[(f"{factor}", f"{width} byte{'s' if width > 1 else ''}")] = times
                line += [rate(contiguous["elements_per_s"]), rate(strided["elements_per_s"]),
                         ratio(times)]
            lines.append(line)
        columns = [f"{w} byte{'s' if w > 1 else ''}" for w in widths]
        self.charts["lessons-coarsening.svg"] = svg.numbers(
            "Coarsening: contiguous against interleaved", "width of an element",
            "coarsening factor", columns, [str(f) for f in factors], cells,
            "times as fast as interleaved; blue: contiguous is faster, orange: interleaved is")
        header = ["factor",
                  *(f"{w} B: {name}" for w in widths
                    for name in ("contiguous", "interleaved", "times"))]
        odd = [[r["element_bytes"], r["factor"], r["element_bytes"] * r["factor"],
                rate(r["elements_per_s"]),
                self.cell(experiment="coarsening", kernel="shared-contiguous",
                          element_bytes=r["element_bytes"], factor=r["factor"] - 1)]
               for r in of if r["factor"] in (33, 65, 129) and r["kernel"] == "shared-contiguous"]
        manner = []
        for width in widths:
            for factor in (4, 16):
                cell = lambda kernel: self.cell(experiment="coarsening", kernel=kernel,
                                                element_bytes=width, factor=factor)
                manner.append([width, factor, cell("shared-strided"), cell("shared-unrolled"),
                               cell("shared-unrolled-ahead"), cell("shared-tile"),
                               cell("shared-tile-ahead"), cell("shared-contiguous"),
                               cell("shared-contiguous-ahead")])
        return f"""### Coarsening: factor and width

7 letter bins, uniform letters in elements of 1 to 16 bytes, 2^28 of them; 10^9 elements per
second. *Contiguous* is
`shared-contiguous`, *interleaved* `shared-strided`: the same grid, the grid-stride loop.

{table(header, lines, 0)}
{chart("lessons-coarsening.svg", "map of contiguous over interleaved by factor and width")}
The same with a factor one above a power of two, contiguous, next to the power of two; *share* is
the distance in bytes from one thread's elements to the next thread's.

{table(["bytes", "factor", "share", "10^9/s", "factor - 1"], odd, 0)}
Do loads in flight at the same time matter? *Ahead*: all loads of a thread come before its first
count. *Unrolled*: the grid-stride loop with a constant number of rounds. *Tile*: a block's elements
are neighbours, and its threads take them in turns.

{table(["bytes", "factor", "strided", "unrolled", "ahead", "tile", "ahead", "contiguous", "ahead"], manner, 0)}"""

    def aggregation(self):
        kernels = [("shared-interleaved", None), ("shared-interleaved-aggregated", None),
                   ("shared-block", None), ("shared-block-aggregated", None),
                   ("shared-contiguous", 16), ("shared-contiguous-aggregated", 16),
                   ("global-interleaved", None), ("global-interleaved-aggregated", None),
                   ("global-block", None), ("global-block-aggregated", None)]
        datasets = names(select(self.rows, experiment="labs"), "dataset")
        lines = [[f"`{kernel}{f' {factor}' if factor else ''}`",
                  *(self.cell(experiment="labs", kernel=kernel, factor=factor, dataset=d)
                    for d in datasets)]
                 for kernel, factor in kernels]
        long = [[f"`{r['kernel']}`", r["dataset"], elements(r["length"]), rate(r["elements_per_s"])]
                for r in self.rows
                if r["experiment"] == "length" and r["bins"] == 7 and
                (r["dataset"] == "constant" or "aggregated" in r["kernel"])]
        return f"""### Aggregation

7 letter bins, one-byte elements; 10^9 elements per second (lengths as in the first table).

{table(["kernel", *datasets], lines)}
With global atomics on 2^30 elements, for which the last flush of each of 270 336 threads is
negligible:

{table(["kernel", "dataset", "length", "10^9/s"], long, 2)}"""

    def skew(self):
        datasets = ["uniform", "zipf", "runs", "sorted", "constant", "two-bins"]
        lines = []
        for width, bins in ((1, 256), (4, 65536)):
            for kernel in ("global", "global-block", "global-interleaved", "shared",
                           "shared-interleaved"):
                cells = [self.cell(experiment="partitioning", kernel=kernel, element_bytes=width,
                                   bins=bins, dataset=d) for d in datasets]
                if set(cells) != {"-"}:
                    lines.append([f"`{kernel}`", width, bins, *cells])
        return f"""### Skew with more bins

10^9 elements per second. The `sorted`, `runs` and `constant` data have at most 26 different values.

{table(["kernel", "bytes", "bins", *datasets], lines)}"""
