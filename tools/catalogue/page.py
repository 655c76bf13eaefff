"""The text and the pictures of the catalogue page, from the program's output about its datasets."""
import textwrap

from measurements.text import chart, table

from . import charts
from .entries import ENTRIES

FOLDER = "datasets"
SHOWN_NAMES = {9: "tab", 10: "line end", 32: "space"}
PICTURE_WIDTH, SENSOR_LEVELS, TRACE_LENGTH = 1024, 4096, 16384
WIDTH = 100  # of the page's lines
INTRODUCTION = """# The datasets

`tools/datasets_page` writes this page from the program's output; do not edit it. Every number below
is counted in the data. `histolab data` lists the datasets, `histolab data NAME --histogram` shows
one of them in a terminal, and `histolab data NAME --out FILE` writes its bytes ([command
line](command-line.md#data)). `--dataset NAME` of `run`, `explain`, `compare` and `model` accepts
them, and so does a case of a lab ([labs](labs.md)).

An element is a byte, or a sample of 16 bits (two bytes, the lower one first:
`const unsigned short*`). A dataset only depends on its name, length, seed and width, and is the
same on every machine. Except for `sorted`, a shorter dataset is the beginning of a longer one.

The table is for {length} and seed 1; for `book` and `text:WORDS`, one copy of the text. The
columns:

- **values**: the number of different values.
- **busiest**: the share of the most frequent value.
- **run**: the average number of equal elements in a row.
- **lanes on one value**: a warp reads 32 neighbouring elements. This is the number of its lanes
  with the most frequent value among these, averaged over all warps. If each value has its own bin,
  so many updates collide. Their cost depends on the memory of the bins
  ([measured](measurements/README.md)).
- **letters**: the share of a-z, which is all that the letter labs count.
- **lanes on one bin**: the same as lanes on one value, for the seven bins of the letter labs.
"""


def share(part, whole):
    """Returns a percentage: 100, 17.2, 0.84, 0.0025; 0 only for a count of 0."""
    percent = 100 * part / whole
    return f"{percent:.3g}" if percent < 1 else f"{percent:.1f}".removesuffix(".0")


def mean(value):
    return (f"{value:,.0f}".replace(",", " ") if value >= 1000 else f"{value:.2f}" if value < 10
            else f"{value:.1f}")


def grouped(number):
    return f"{number:,}".replace(",", " ")


def paragraph(text):
    return textwrap.fill(text, WIDTH, break_long_words=False, break_on_hyphens=False) + "\n"


def width_text(element_bytes):
    return "1 byte" if element_bytes == 1 else "16 bits"


def value_name(value, element_bytes):
    if element_bytes == 2 or value in SHOWN_NAMES:
        return f"{value} ({SHOWN_NAMES[value]})" if element_bytes == 1 else f"{value}"
    shown = {"`": "`` ` ``", "|": "`\\|`"}.get(chr(value), f"`{chr(value)}`")
    return f"{value} ({shown})" if 32 < value < 127 else f"{value}"


def facts(data):
    """Returns the counted cells of the overview."""
    letters = data["letters"]
    return [grouped(data["distinct"]), share(max(data["histogram"]), data["length"]) + " %",
            mean(data["mean_run_length"]), mean(data["lanes_on_one_value"]),
            share(letters["count"], data["length"]) + " %" if letters else "-",
            mean(letters["lanes_on_one_bin"]) if letters and letters["count"] else "-"]


def levels_of(data):
    """Returns the number of levels to draw: 26 for letters, else the number of values."""
    counts = data["histogram"]
    if data["element_bytes"] == 2:
        largest = max(value for value, count in enumerate(counts) if count)
        return SENSOR_LEVELS if largest < SENSOR_LEVELS else 65536
    mostly_letters = 3 * data["letters"]["count"] > 2 * data["length"]
    return 26 if mostly_letters and not any(counts[128:]) else 256


def top_ten(found):
    """Returns a table of the ten most frequent values, for all widths next to each other."""
    columns = []
    for data in found:
        counts = data["histogram"]
        most = sorted((value for value, count in enumerate(counts) if count),
                      key=lambda value: (-counts[value], value))[:10]
        columns.append([[value_name(value, data["element_bytes"]), grouped(counts[value]),
                         share(counts[value], data["length"]) + " %"] for value in most])
    header = [""]
    for data in found:
        header += [f"value of {width_text(data['element_bytes'])}", "count", "share"]
    rows = []
    for rank in range(max(len(column) for column in columns)):
        cells = (column[rank] if rank < len(column) else ["", "", ""] for column in columns)
        rows.append([rank + 1, *(cell for three in cells for cell in three)])
    return "The most frequent values:\n\n" + table(header, rows, 0)


class Page:
    """`program` has json(name, element_bytes) and raw(name, element_bytes, length)."""

    def __init__(self, program):
        self.program = program
        self.files = {}  # content of the picture files, by name

    def text(self):
        datasets = self.program.catalogue()
        names = [dataset["name"] for dataset in datasets]
        if set(names) != set(ENTRIES):
            raise SystemExit("tools/catalogue/entries.py and the program do not have the same "
                             "datasets: " + ", ".join(sorted(set(names) ^ set(ENTRIES))))
        found = {dataset["name"]: [self.program.json(dataset["example"], width)
                                   for width in dataset["element_bytes"]] for dataset in datasets}
        rows = [[f"[`{name}`](#{self.anchor(name)})", width_text(data["element_bytes"]),
                 *facts(data)] for name in names for data in found[name]]
        length = max(data["length"] for each in found.values() for data in each)
        overview = table(["dataset", "element", "values", "busiest", "run", "lanes on one value",
                          "letters", "lanes on one bin"], rows, 2)
        sections = (self.section(dataset, found[dataset["name"]]) for dataset in datasets)
        introduction = INTRODUCTION.format(length=grouped(length) + " elements")
        return "\n".join([introduction, overview, *sections])

    @staticmethod
    def anchor(name):
        return "".join(c for c in name.lower() if c.isalnum() or c == "-")

    def add(self, name, content, description):
        self.files[name] = content
        return chart(f"{FOLDER}/{name}", description)

    def section(self, dataset, found):
        name, entry = dataset["name"], ENTRIES[dataset["name"]]
        file_name = self.anchor(name)
        widths = " or ".join(width_text(width) for width in dataset["element_bytes"])
        when = entry.when.format(example=dataset["example"])
        parts = [f"## {name}\n", paragraph(entry.what), paragraph(f"**When to use it.** {when}"),
                 f"Elements of {widths}.\n"]
        plots = [(f"{grouped(data['length'])} elements of {width_text(data['element_bytes'])}",
                  data["histogram"], entry.log, levels_of(data)) for data in found]
        shown = dataset["example"]
        drawing = charts.histogram(f"The histogram of {shown}", plots)
        parts.append(self.add(f"{file_name}.svg", drawing, f"the histogram of {shown}"))
        if name == "image":
            pixels = self.program.raw(name, 1, PICTURE_WIDTH * PICTURE_WIDTH)
            parts.append("The picture itself, at a quarter of its size:\n")
            small = charts.smaller(pixels, PICTURE_WIDTH, 4)
            parts.append(self.add("image.png", charts.gray_png(small, PICTURE_WIDTH // 4),
                                  "the generated photograph"))
        if name == "sensor":
            raw = self.program.raw(name, 2, TRACE_LENGTH)
            samples = [raw[i] + 256 * raw[i + 1] for i in range(0, len(raw), 2)]
            parts.append(f"Its first {grouped(TRACE_LENGTH)} samples in their order:\n")
            title = f"The first {grouped(TRACE_LENGTH)} samples of sensor"
            parts.append(self.add("sensor-trace.svg", charts.trace(title, samples, SENSOR_LEVELS),
                                  "the signal of the detector"))
        if entry.top:
            shown = [data for data in found if data["element_bytes"] in entry.top]
            parts.append(top_ten(shown))
        return "\n".join(parts)
