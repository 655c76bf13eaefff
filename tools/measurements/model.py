"""Predicted against measured: h100-model.json and h200-model.json, as tools/model/evaluate writes
it.
"""
from . import svg
from .text import chart, elements, table


class Section:
    def __init__(self, data):
        self.data, self.rows = data, data["rows"]
        self.charts = {}

    def markdown(self):
        groups = [("course", [r for r in self.rows if not r.get("held_out")]),
                  ("never fitted to", [r for r in self.rows if r.get("held_out")])]
        self.charts["model-scatter.svg"] = svg.scatter("The model: predicted against measured time",
                                                       "measured, ms", "predicted, ms",
                                                       [(name,
                                                         [(r["measured_ms"], r["predicted_ms"])
                                                          for r in of]) for name, of in groups
                                                        if of])
        summary = [[name, s["rows"], f"{s['spearman']:.3f}", f"{s['median_error']:.2f}",
                    f"{s['error_of_90_percent']:.2f}", f"{s['largest_error']:.1f}"]
                   for name, s in self.data.get("summary", {}).items()]
        error = lambda r: max(r["predicted_ms"] / r["measured_ms"],
                              r["measured_ms"] / r["predicted_ms"])
        worst = {}
        for row in sorted(self.rows, key=error, reverse=True):
            worst.setdefault(row["kernel"], row)
        lines = [[f"`{r['kernel']}`", r["dataset"], elements(r["length"]),
                  f"{r['measured_ms']:.4g}", f"{r['predicted_ms']:.4g}", f"{error(r):.2f}"]
                 for r in list(worst.values())[:10]]
        return f"""An error is the larger of predicted / measured and measured / predicted; [the model's
page](../model.md) describes it and its limits.

{table(["kernels", "rows", "Spearman", "median error", "90 % within", "largest"], summary)}
{chart("model-scatter.svg", "predicted against measured time on logarithmic axes")}
The dashed lines are a factor of 1.5 above and below. The ten kernels with the largest errors, each on its worst dataset (ms):

{table(["kernel", "dataset", "length", "measured", "predicted", "error"], lines, 2)}"""
