"""The labs' own kernels: h200-kernels.json, as tools/measure_labs writes it."""
from .text import RowsSection, elements, names, percent, rate, ratio, select, table


class Section(RowsSection):
    def markdown(self):
        parts = ["Graded as submissions are: in turns with the solution, every launch verified, "
                 "the L2 flushed before it. *Times the solution*: how many "
                 "times as long as the lab's solution.\n"]
        for lab in names(self.rows, "lab"):
            for case in names(select(self.rows, lab=lab), "case"):
                parts.append(self.one(lab, case))
        return "\n".join(parts)

    def one(self, lab, case):
        rows = select(self.rows, lab=lab, case=case)
        solution = select(rows, kernel="solution")
        reads = "percent_of_read_limit" in rows[0]
        lines = []
        for row in sorted(rows, key=lambda row: row["median_ms"]):
            line = [row["kernel"], f"{row['grid']} x {row['block']}",
                    f"{row['median_ms'] * 1000:.1f}", rate(row["elements_per_s"]),
                    ratio(row["median_ms"] / solution[0]["median_ms"]) if solution else "-"]
            lines.append(line + ([percent(row["percent_of_read_limit"])] if reads else []))
        header = ["kernel", "grid x block", "us", "10^9/s",
                  "times the solution"] + (["% of read"] if reads else [])
        first = rows[0]
        return (f"### {lab}, {case}: {elements(first['length'])} samples of {first['dataset']}, "
                f"{first['bins']} bins\n\n" + table(header, lines))
