"""Limit kernels and CUB: h200-bench.json, as written by histolab-bench."""
from . import svg
from .text import RowsSection, chart, elements, names, percent, rate, ratio, select, table


class Section(RowsSection):
    def markdown(self):
        parts = [self.limits(), self.others(), self.map(), self.short()]
        return "\n".join(part for part in parts if part)

    def pairs(self, rows):
        """Returns pairs (our row, CUB's row of the same case)."""
        key = lambda r: tuple(r.get(k)
                              for k in ("dataset", "layout", "bins", "sample_bytes", "length"))
        cub = {key(r): r for r in rows if r["kernel"] == "cub"}
        return [(r, cub[key(r)]) for r in rows if r["kernel"] == "limit" and key(r) in cub]

    def limits(self):
        text, drawn = [], []
        for layout, bins in (("letters", 7), ("even", 256)):
            for length in (1 << 30, 1 << 28):
                pairs = self.pairs(select(self.rows, sample_bytes=1, bins=bins, layout=layout,
                                          length=length))
                if not pairs:
                    continue
                lines = [[ours["dataset"], ours["strategy"], rate(ours["elements_per_s"]),
                          percent(ours["percent_of_read_limit"]), rate(cub["elements_per_s"]),
                          percent(cub["percent_of_read_limit"]), ratio(ours["ratio_to_cub"])]
                         for ours, cub in pairs]
                name = (f"{bins} {'letter bins' if layout == 'letters' else 'bins'}, "
                        f"{elements(length)}")
                header = ["dataset", "strategy", "10^9/s", "% of read", "CUB", "% of read",
                          "times CUB"]
                text.append(f"{name}:\n\n{table(header, lines, 2)}")
                if length == 1 << 30:
                    drawn += [(f"{bins} bins, {ours['dataset']}",
                               {"limit kernel": ours["percent_of_read_limit"],
                                "CUB": cub["percent_of_read_limit"]})
                              for ours, cub in pairs]
        if not text:
            return ""
        self.charts["bench-limits.svg"] = svg.dots(
            "One-byte samples, 2^30 of them: percent of the read limit",
            "percent of the read limit", drawn, ["limit kernel", "CUB"], high=100)
        return f"""### One-byte samples

10^9 samples per second, and the percentage of the rate at which the same run only *reads* them.

{chr(10).join(text)}
{chart("bench-limits.svg", "percent of the read limit on each distribution, limit kernels and CUB")}"""

    def others(self):
        text = []
        for layout, bins in (("letters", 7), ("even", 256)):
            rows = [r
                    for r in select(self.rows, sample_bytes=1, bins=bins, layout=layout,
                                    length=1 << 28) if r["strategy"] in ("lab", "textbook")]
            datasets = names(rows, "dataset")
            lines = []
            for kernel in names(rows, "kernel"):
                of = {r["dataset"]: r for r in rows if r["kernel"] == kernel}
                lines.append([kernel,
                              *(rate(of[d]["elements_per_s"]) if d in of else "-"
                                for d in datasets),
                              ratio(min(r["ratio_to_cub"] for r in of.values())),
                              ratio(max(r["ratio_to_cub"] for r in of.values()))])
            if lines:
                text.append(f"{bins} {'letter bins' if layout == 'letters' else 'bins'}:\n\n"
                            f"{table(['kernel', *datasets, 'least times CUB', 'most'], lines, 1)}")
        if not text:
            return ""
        return ("### The labs' solutions and the textbook's kernels\n\n10^9 one-byte samples per "
                "second, 2^28 of them. The race loses most of what it counts.\n\n" +
                "\n".join(text))

    def map(self):
        text = []
        for layout in ("even", "uneven"):
            rows = select(self.rows, layout=layout, length=1 << 30)
            pairs = self.pairs(rows)
            if not pairs:
                continue
            widths, bins = sorted({r["sample_bytes"]
                                   for r, _ in pairs}), sorted({r["bins"] for r, _ in pairs})
            cells, lines = {}, []
            for width in widths:
                for b in bins:
                    of = [(ours, cub) for ours, cub in pairs
                          if ours["sample_bytes"] == width and ours["bins"] == b]
                    if not of:
                        continue
                    ratios = [ours["ratio_to_cub"] for ours, _ in of]
                    cells[(f"{8 * width} bits", str(b))] = min(ratios)
                    uniform = next((o for o, _ in of if o["dataset"] in ("uniform", "bytes")),
                                   of[0][0])
                    slowest = min((o for o, _ in of), key=lambda o: o["percent_of_read_limit"])
                    lines.append([8 * width, b, uniform["strategy"],
                                  percent(uniform["percent_of_read_limit"]),
                                  uniform.get("bound", "-"),
                                  percent(uniform["percent_of_bound"])
                                  if "percent_of_bound" in uniform else "-",
                                  f"{percent(slowest['percent_of_read_limit'])} "
                                  f"({slowest['dataset']})", ratio(min(ratios)),
                                  ratio(max(ratios))])
            name = f"bench-map-{layout}.svg"
            self.charts[name] = svg.numbers(f"Against CUB: {layout} bins, 2^30 samples", "bins",
                                            "sample", [str(b) for b in bins],
                                            [f"{8 * w} bits" for w in widths], cells,
                                            "times as fast as CUB on the dataset where the lead is "
                                            "smallest")
            text.append(f"""#### {layout.capitalize()} bins

{table(["bits", "bins", "strategy (uniform)", "% of read", "bound", "% of bound", "lowest % of read", "least times CUB", "most"], lines, 0)}
{chart(name, f"map of the least ratio to CUB, {layout} bins")}""")
        if not text:
            return ""
        return ("### Every width and number of bins\n\n2^30 samples. *Bound*: the slower of "
                "reading the samples from memory and counting as many samples from the L2.\n\n" +
                "\n".join(text))

    def short(self):
        lines = []
        for ours, cub in self.pairs([r for r in self.rows if r["length"] < 1 << 28]):
            lines.append((ours["length"], ours["sample_bytes"], ours["bins"], ours["ratio_to_cub"]))
        if not lines:
            return ""
        lengths = sorted({line[0] for line in lines})
        cells = [[bits * 8, bins,
                  *(f"{ratio(min(of))} - {ratio(max(of))}"
                    if (of := [r for n, w, b, r in lines if (n, w, b) == (length, bits, bins)])
                    else "-"
                    for length in lengths)]
                 for bits, bins in sorted({(line[1], line[2]) for line in lines})]
        return ("### Short inputs\n\nSpeedup over CUB: the smallest and largest over datasets and "
                "layouts.\n\n" +
                table(["bits", "bins", *(elements(n) for n in lengths)], cells, 0))
