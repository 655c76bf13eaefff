"""From uniform data to one hot bin: h200-contention.json, from histolab-bench with the datasets
hot:P.
"""
from . import svg
from .text import chart, elements, names, rate, table

SHOWN = (0, 50, 90, 100)


def percent_of(row):
    return float(row["dataset"].removeprefix("hot:"))


class Section:
    def __init__(self, data):
        self.rows = [row for row in data["rows"] if row["dataset"].startswith("hot:")]
        self.charts = {}

    def markdown(self):
        parts = [self.one(layout, bins)
                 for layout, bins in dict.fromkeys((row["layout"], row["bins"])
                                                   for row in self.rows)]
        return ("10^9 one-byte samples per second. Of `hot:P`, P percent are one letter (of even "
                "bins: one byte value), and each of the others\n"
                "is any letter (any byte) with the same chance.\n\n" +
                "\n".join(filter(None, parts)))

    def one(self, layout, bins):
        rows = [row for row in self.rows if row["layout"] == layout and row["bins"] == bins]
        kernels = names(rows, "kernel")
        if len(kernels) < 3:  # nothing but the limit kernel and CUB
            return ""
        percents = sorted({percent_of(row) for row in rows})
        of = {(row["kernel"], percent_of(row)): row for row in rows}
        lines = [[kernel,
                  *(rate(of[kernel, p]["elements_per_s"]) if (kernel, p) in of else "-"
                    for p in percents)] for kernel in kernels]
        what = (f"{bins} {'letter bins' if layout == 'letters' else 'even bins'}, "
                f"{elements(rows[0]['length'])} samples")
        text = f"### {what}\n\n" + table(["kernel", *(f"hot:{p:g}" for p in percents)], lines)
        if layout == "letters":
            dots = [(kernel,
                     {f"hot:{p}": of[kernel, p]["elements_per_s"] / 1e9 for p in SHOWN
                      if (kernel, p) in of}) for kernel in kernels]
            self.charts["contention-letters.svg"] = svg.dots("From uniform letters to one hot bin: "
                                                             "throughput of each strategy",
                                                             "10^9 samples per second", dots,
                                                             [f"hot:{p}" for p in SHOWN])
            text += "\n" + chart("contention-letters.svg",
                                 "throughput of each strategy, from uniform letters to one hot bin")
        return text
