"""Tables, numbers and paragraphs of the page."""
import textwrap

WIDTH = 100  # of the page's lines


class RowsSection:
    """A section of the page, made of the rows of a file of measurements."""

    def __init__(self, data):
        self.data = data
        self.rows = data["rows"]
        self.charts = {}


def rate(value):
    """Returns 10^9 elements per second: 1.37, 48.5, 674, 4460."""
    value /= 1e9
    return f"{value:.2f}" if value < 10 else f"{value:.1f}" if value < 100 else f"{value:.0f}"


def percent(value):
    return f"{value:.1f}"


def ratio(value):
    return f"{value:.1g}" if value < 0.1 else f"{value:.2f}" if value < 10 else f"{value:.0f}"


def elements(count):
    """2^28, or 100 000."""
    return (f"2^{count.bit_length() - 1}" if count & (count - 1) == 0 and count >= 1024
            else f"{count:,}".replace(",", " "))


def table(header, rows, left=1):
    """Returns a Markdown table. The first `left` columns are left-aligned, the others
    right-aligned."""
    marks = ["---" if i < left else "---:" for i in range(len(header))]
    body = [header, marks, *rows]
    return "\n".join("| " + " | ".join(str(cell) for cell in row) + " |" for row in body) + "\n"


def wrapped(text):
    """Wraps the paragraphs. Tables, headings, pictures and items stay unchanged."""
    blocks = text.split("\n\n")
    return "\n\n".join(
        block if not block.strip() or block.lstrip("\n").startswith(("|", "#", "!", "-")) else
        textwrap.fill(block, WIDTH, break_long_words=False, break_on_hyphens=False) +
        ("\n" if block.endswith("\n") else "") for block in blocks)


def chart(name, description):
    return f"![{description}]({name})\n"


def select(rows, **wanted):
    return [row for row in rows if all(row.get(key) == value for key, value in wanted.items())]


def names(rows, key):
    """Returns the values of a key, in order of appearance."""
    return list(dict.fromkeys(row[key] for row in rows))
