"""Charts of the catalogue: histograms, the trace of a signal, a grey image. Output is
reproducible."""
import math
import struct
import zlib

from measurements.svg import GREY, INK, GRID, Drawing

BLUE, ORANGE, PALE = "#1f6fb4", "#d9622b", "#8ab6dc"
# The picture follows the reader's dark mode. Viewers without this CSS rule show the light version.
DARK = "@media (prefers-color-scheme: dark){" + "".join(
    f'[fill="{light}"]{{fill:{dark}}}[stroke="{light}"]{{stroke:{dark}}}' for light, dark in
    [("#ffffff", "#161b22"), (INK, "#e6edf3"), (GREY, "#9da7b3"), (GRID, "#30363d"),
     (BLUE, "#4ea1ec"), (ORANGE, "#f0883e"), (PALE, "#2f6ea5")]) + "}"
WIDTH, LEFT, RIGHT, PLOT = 860, 70, 36, 190
LETTERS = range(ord("a"), ord("z") + 1)


class Percent:
    """The vertical axis, from `bottom` up: shares of 1, linear from 0 or logarithmic from a power
    of ten."""

    def __init__(self, shares, bottom, logarithmic):
        self.bottom, self.logarithmic = bottom, logarithmic
        high = max(shares)
        if logarithmic:
            self.low = 10.0 ** math.floor(math.log10(min(share for share in shares if share > 0)) +
                                          1e-9)
            self.high = 10.0 ** math.ceil(math.log10(high) - 1e-9)
            self.high = max(self.high, 10 * self.low)
        else:
            step = 10.0 ** math.floor(math.log10(high / 4))
            self.step = next(step * factor for factor in (1, 2, 2.5, 5, 10)
                             if high <= 5 * step * factor * (1 + 1e-9))
            self.low, self.high = 0.0, self.step * math.ceil(high / self.step - 1e-9)

    def at(self, share):
        if not self.logarithmic:
            part = share / self.high
        else:
            part = math.log(max(share, self.low) / self.low) / math.log(self.high / self.low)
        return self.bottom - PLOT * part

    def ticks(self):
        if self.logarithmic:
            return [self.low * 10.0**i for i in range(round(math.log10(self.high / self.low)) + 1)]
        return [self.step * i for i in range(round(self.high / self.step) + 1)]

    def draw(self, d):
        for tick in self.ticks():
            d.line(LEFT, self.at(tick), WIDTH - RIGHT, self.at(tick))
            d.text(LEFT - 8, self.at(tick) + 4, f"{100 * tick:.6g}", "end", colour=GREY)
        d.text(18, self.bottom - PLOT / 2, "share of the elements, %", "middle", colour=GREY,
               turned=True)


def by_letter(d, top, counts, logarithmic):
    """Draws a bar per letter, with the labs' bins in alternating shades, and one for other
    values."""
    total, bottom = sum(counts), top + PLOT
    shares = [counts[letter] / total for letter in LETTERS]
    other = 1 - sum(counts[letter] for letter in LETTERS) / total
    bars = [*shares, other] if other > 0 else shares
    axis = Percent(bars, bottom, logarithmic)
    axis.draw(d)
    pitch = (WIDTH - LEFT - RIGHT) / 27.5
    for i, letter in enumerate(LETTERS):
        x = LEFT + pitch * (i + 0.25)
        if shares[i] > 0:
            d.box(x, axis.at(shares[i]), pitch * 0.86, bottom - axis.at(shares[i]),
                  BLUE if i // 4 % 2 == 0 else PALE)
        d.text(x + pitch * 0.43, bottom + 16, chr(letter), "middle")
    for first in range(0, 26, 4):
        last = min(first + 3, 25)
        d.text(LEFT + pitch * (0.25 + (first + last + 1) / 2) - pitch * 0.07, bottom + 33,
               f"{chr(97 + first)}-{chr(97 + last)}", "middle", colour=GREY)
    if other > 0:
        x = LEFT + pitch * 26.4
        d.box(x, axis.at(other), pitch * 0.86, bottom - axis.at(other), ORANGE)
        d.text(x + pitch * 0.43, bottom + 16, "other", "middle")
    d.text((LEFT + WIDTH - RIGHT) / 2, bottom + 52,
           "letter, and the bin that the letter labs count it in", "middle", colour=GREY)


def by_value(d, top, counts, logarithmic, levels):
    """Draws a column per value below `levels`, grouped into at most 512 columns; letters have a
    colour."""
    total, bottom = sum(counts), top + PLOT
    per_column = max(1, levels // 512)
    columns = [sum(counts[first:first + per_column]) / total
               for first in range(0, levels, per_column)]
    axis = Percent(columns, bottom, logarithmic)
    axis.draw(d)
    pitch = (WIDTH - LEFT - RIGHT) / len(columns)
    def colour_of(column):
        return BLUE if levels > 256 or column in LETTERS else ORANGE
    first = 0
    while first < len(columns):  # neighbouring nonempty columns form one shape
        end = first
        while end < len(columns) and columns[end] > 0 and colour_of(end) == colour_of(first):
            end += 1
        if end > first:
            narrow = max(0.0, (2.2 - pitch) / 2) if end == first + 1 else 0.0
            outline = [(LEFT + pitch * first - narrow, bottom)]
            for i in range(first, end):
                y = axis.at(columns[i])
                outline += [(LEFT + pitch * i - (narrow if i == first else 0), y),
                            (LEFT + pitch * (i + 1) + (narrow if i + 1 == end else 0), y)]
            d.area([*outline, (LEFT + pitch * end + narrow, bottom)], colour_of(first))
        first = max(end, first + 1)
    for tick in range(0, levels + 1, levels // 8):
        value = min(tick, levels - 1)
        d.text(LEFT + pitch * len(columns) * (value + 0.5) / levels, bottom + 16,
               f"{value:,}".replace(",", " "), "middle", colour=GREY)
    name = ("value of the byte" if levels == 256
            else f"value of the sample; a column is {per_column} values")
    d.text((LEFT + WIDTH - RIGHT) / 2, bottom + 36, name, "middle", colour=GREY)
    if (levels == 256 and any(counts[letter] for letter in LETTERS) and
        any(c for i, c in enumerate(counts) if i not in LETTERS)):
        d.legend(WIDTH - 190, top - 12, [("a-z", BLUE), ("no letter", ORANGE)])


def histogram(title, plots):
    """Draws plots (heading, counts, logarithmic, levels) below each other; 26 levels mean
    letters."""
    tops, top = [], 60
    for *_, levels in plots:
        tops.append(top)
        top += PLOT + (96 if levels == 26 else 80)  # letters have their bins below them
    d = Drawing(title, WIDTH, top - 30, DARK)
    for top, (heading, counts, logarithmic, levels) in zip(tops, plots):
        d.text(LEFT, top - 12, heading + (", logarithmic scale" if logarithmic else ""),
               colour=GREY)
        if levels == 26:
            by_letter(d, top, counts, logarithmic)
        else:
            by_value(d, top, counts, logarithmic, levels)
    return d.done()


def trace(title, samples, levels):
    """Draws a signal over its position. A column of pixels spans its lowest to highest sample."""
    bottom = 46 + PLOT
    d = Drawing(title, WIDTH, bottom + 50, DARK)
    def at(value):
        return bottom - PLOT * value / levels
    for tick in range(0, levels + 1, levels // 4):
        d.line(LEFT, at(tick), WIDTH - RIGHT, at(tick))
        d.text(LEFT - 8, at(tick) + 4, f"{tick}", "end", colour=GREY)
    columns = (WIDTH - LEFT - RIGHT) * 2
    points = []
    for column in range(columns):
        part = samples[len(samples) * column // columns:len(samples) * (column + 1) // columns]
        points += [(LEFT + column / 2, at(min(part))), (LEFT + column / 2, at(max(part)))]
    d.polyline(points, BLUE, 1)
    for i in range(9):
        position = len(samples) * i // 8
        d.text(LEFT + (WIDTH - LEFT - RIGHT) * i / 8, bottom + 16,
               f"{position:,}".replace(",", " "), "middle", colour=GREY)
    d.text((LEFT + WIDTH - RIGHT) / 2, bottom + 36, "position of the sample", "middle", colour=GREY)
    d.text(18, bottom - PLOT / 2, "value", "middle", colour=GREY, turned=True)
    return d.done()


def gray_png(pixels, width):
    """Returns a grey PNG, stored without compression, because compressors differ between
    machines."""
    rows = b"".join(b"\0" + pixels[at:at + width] for at in range(0, len(pixels), width))
    stream = b"\x78\x01"
    for at in range(0, len(rows), 65535):
        block = rows[at:at + 65535]
        stream += struct.pack("<BHH", at + 65535 >= len(rows), len(block),
                              len(block) ^ 0xFFFF) + block
    stream += struct.pack(">I", zlib.adler32(rows))

    def chunk(kind, content):
        return (struct.pack(">I", len(content)) + kind + content +
                struct.pack(">I", zlib.crc32(kind + content)))
    header = struct.pack(">IIBBBBB", width, len(pixels) // width, 8, 0, 0, 0, 0)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", stream) +
            chunk(b"IEND", b""))


def smaller(pixels, width, by):
    """Replaces each square of `by` times `by` pixels by its mean."""
    height = len(pixels) // width
    out = bytearray()
    for y in range(0, height, by):
        rows = [pixels[(y + k) * width:(y + k + 1) * width] for k in range(by)]
        sums = [sum(column) for column in zip(*rows)]
        out += bytes(sum(sums[x:x + by]) // (by * by) for x in range(0, width, by))
    return bytes(out)
