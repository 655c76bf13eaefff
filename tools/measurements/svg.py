"""Charts as small SVG files: dots by category, lines, a map of numbers, a scatter. Output is
reproducible.
"""
import math

COLOURS = ["#1f6fb4", "#d9622b", "#2f8f4e", "#8c4fb0", "#b8860b", "#c23b6b", "#4d4d4d", "#1a9a9a"]
INK, GREY, GRID = "#222222", "#666666", "#e2e2e2"


def escape(text):
    return str(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def short(value):
    """An axis label: 0.1, 1, 10, 1000, 64 Ki, 2^28."""
    if isinstance(value, int) and value >= 1024 and value & (value - 1) == 0:
        return f"{value // 1024} Ki" if value < 1 << 20 else f"2^{value.bit_length() - 1}"
    return f"{value:g}"


class Drawing:
    """`style` is CSS, which overrides the attributes of the shapes."""

    def __init__(self, title, width, height, style=""):
        self.parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
                      f'width="{width}" height="{height}" '
                      'font-family="Helvetica, Arial, sans-serif" font-size="12">',
                      f'<rect width="{width}" height="{height}" fill="#ffffff"/>']
        if style:
            self.parts.insert(1, f"<style>{style}</style>")
        self.text(16, 22, title, size=14, weight="bold")

    def text(self, x, y, content, anchor="start", size=12, colour=INK, weight="normal",
             turned=False):
        turn = f' transform="rotate(-90 {x:.1f} {y:.1f})"' if turned else ""
        self.parts.append(f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" '
                          f'font-size="{size}" fill="{colour}" '
                          f'font-weight="{weight}"{turn}>{escape(content)}</text>')

    def line(self, x1, y1, x2, y2, colour=GRID, width=1.0, dash=""):
        dashes = f' stroke-dasharray="{dash}"' if dash else ""
        self.parts.append(f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" '
                          f'stroke="{colour}" stroke-width="{width}"{dashes}/>')

    def dot(self, x, y, colour, radius=4.0, opacity=1.0):
        self.parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius}" fill="{colour}" '
                          f'fill-opacity="{opacity}"/>')

    def polyline(self, points, colour, width=2):
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        self.parts.append(f'<polyline points="{path}" fill="none" stroke="{colour}" '
                          f'stroke-width="{width}"/>')

    def area(self, outline, colour):
        path = "M" + "L".join(f"{x:.1f},{y:.1f}" for x, y in outline)
        self.parts.append(f'<path d="{path}Z" fill="{colour}"/>')

    def box(self, x, y, width, height, colour):
        self.parts.append(f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" '
                          f'height="{height:.1f}" fill="{colour}"/>')

    def legend(self, x, y, names):
        for name, colour in names:
            self.dot(x, y - 4, colour)
            self.text(x + 9, y, name)
            x += 9 + 7.0 * len(name) + 18

    def done(self):
        return "\n".join(self.parts + ["</svg>"]) + "\n"


class Log:
    """A logarithmic axis from `low` to `high`, drawn from `start` to `end`."""

    def __init__(self, values, start, end, base=10):
        self.base, self.start, self.end = base, start, end
        self.low = math.floor(math.log(min(values), base) + 1e-9)
        self.high = max(math.ceil(math.log(max(values), base) - 1e-9), self.low + 1)

    def at(self, value):
        return (self.start +
                (math.log(value,
                          self.base) - self.low) / (self.high - self.low) * (self.end - self.start))

    def ticks(self):
        step = max(1, (self.high - self.low) // 8)
        return [self.base**e if e >= 0 else float(self.base)**e
                for e in range(self.low, self.high + 1, step)]


class Linear:
    """An axis from 0 to `high`."""

    def __init__(self, high, start, end):
        self.high, self.start, self.end = high, start, end

    def at(self, value):
        return self.start + value / self.high * (self.end - self.start)

    def ticks(self):
        return [self.high * i / 5 for i in range(6)]


def dots(title, unit, rows, names, high=None):
    """Draws a row per (label, {name: value}), a colour per name. The axis is logarithmic, or 0 to
    `high`."""
    left, right, top, pitch = 250, 30, 62, 22
    width, height = 860, top + pitch * len(rows) + 52
    d = Drawing(title, width, height)
    colours = list(zip(names, COLOURS))
    d.legend(22, 46, colours)
    axis = (Linear(high, left, width - right) if high
            else Log([v for _, values in rows for v in values.values()], left, width - right))
    bottom = top + pitch * len(rows)
    for tick in axis.ticks():
        d.line(axis.at(tick), top, axis.at(tick), bottom)
        d.text(axis.at(tick), bottom + 18, short(tick), "middle", colour=GREY)
    d.text((left + width - right) / 2, bottom + 40, unit, "middle", colour=GREY)
    for i, (label, values) in enumerate(rows):
        y = top + pitch * (i + 0.5)
        d.text(left - 12, y + 4, label, "end")
        d.line(left, y, width - right, y, "#f0f0f0")
        present = [axis.at(v) for v in values.values()]
        d.line(min(present), y, max(present), y, "#c8c8c8", 2)
        for name, colour in colours:
            if name in values:
                d.dot(axis.at(values[name]), y, colour, opacity=0.85)
    return d.done()


def lines(title, x_unit, y_unit, series, x_base=2, y_base=10):
    """Draws a line per (name, [(x, y)]), on logarithmic axes."""
    left, right, top, width, height = 78, 24, 62 + 18 * ((len(series) - 1) // 4), 860, 440
    d = Drawing(title, width, height)
    x_axis = Log([x for _, points in series for x, _ in points], left, width - right, x_base)
    y_axis = Log([y for _, points in series for _, y in points], height - 58, top, y_base)
    for tick in x_axis.ticks():
        d.line(x_axis.at(tick), top, x_axis.at(tick), height - 58)
        d.text(x_axis.at(tick), height - 38, short(tick), "middle", colour=GREY)
    for tick in y_axis.ticks():
        d.line(left, y_axis.at(tick), width - right, y_axis.at(tick))
        d.text(left - 8, y_axis.at(tick) + 4, short(tick), "end", colour=GREY)
    d.text((left + width - right) / 2, height - 14, x_unit, "middle", colour=GREY)
    d.text(20, (top + height - 58) / 2, y_unit, "middle", colour=GREY, turned=True)
    for i, (name, points) in enumerate(series):
        colour = COLOURS[i % len(COLOURS)]
        at = [(x_axis.at(x), y_axis.at(y)) for x, y in points]
        d.polyline(at, colour)
        for x, y in at:
            d.dot(x, y, colour, 3.2)
    for first in range(0, len(series), 4):
        d.legend(22, 46 + 18 * (first // 4),
                 [(series[i][0], COLOURS[i % len(COLOURS)])
                  for i in range(first, min(first + 4, len(series)))])
    return d.done()


def shade(ratio, full=4.0):
    """Returns white at 1, blue above, orange below; saturated at `full` and 1 / full."""
    depth = min(abs(math.log(ratio)) / math.log(full), 1.0)
    target = (0x5B, 0x9B, 0xD5) if ratio >= 1 else (0xE8, 0x8A, 0x4E)
    return "#" + "".join(f"{round(255 + (t - 255) * depth):02x}" for t in target)


def numbers(title, x_title, y_title, columns, rows, cells, note, full=4.0, form="{:.2f}"):
    """A map: cells[(row, column)] is a ratio, written and shaded; a missing cell stays empty."""
    left, top, pitch_x, pitch_y = 150, 92, max(52, min(92, 720 // len(columns))), 27
    width, height = max(left + pitch_x * len(columns) + 24, 620), top + pitch_y * len(rows) + 44
    d = Drawing(title, width, height)
    d.text(16, 42, note, colour=GREY)
    d.text(left + pitch_x * len(columns) / 2, 64, x_title, "middle", colour=GREY)
    d.text(24, top + pitch_y * len(rows) / 2, y_title, "middle", colour=GREY, turned=True)
    for c, column in enumerate(columns):
        d.text(left + pitch_x * (c + 0.5), 84, column, "middle")
    for r, row in enumerate(rows):
        y = top + pitch_y * r
        d.text(left - 10, y + 18, row, "end")
        for c, column in enumerate(columns):
            value = cells.get((row, column))
            d.box(left + pitch_x * c + 1, y + 1, pitch_x - 2, pitch_y - 2,
                  "#f6f6f6" if value is None else shade(value, full))
            if value is not None:
                d.text(left + pitch_x * (c + 0.5), y + 18, form.format(value), "middle")
    return d.done()


def scatter(title, x_unit, y_unit, groups):
    """Draws points of each (name, [(x, y)]) on equal logarithmic axes, with the diagonal and +-1.5
    times."""
    size, left, top, right, bottom = 620, 78, 62, 24, 58
    d = Drawing(title, size, size)
    values = [v for _, points in groups for point in points for v in point]
    x_axis, y_axis = Log(values, left, size - right), Log(values, size - bottom, top)
    for tick in x_axis.ticks():
        d.line(x_axis.at(tick), top, x_axis.at(tick), size - bottom)
        d.line(left, y_axis.at(tick), size - right, y_axis.at(tick))
        d.text(x_axis.at(tick), size - bottom + 18, short(tick), "middle", colour=GREY)
        d.text(left - 8, y_axis.at(tick) + 4, short(tick), "end", colour=GREY)
    low, high = 10.0**x_axis.low, 10.0**x_axis.high
    d.line(x_axis.at(low), y_axis.at(low), x_axis.at(high), y_axis.at(high), "#888888", 1.2)
    for factor in (1.5, 1 / 1.5):
        a, b = max(low, low / factor), min(high, high / factor)
        d.line(x_axis.at(a), y_axis.at(a * factor), x_axis.at(b), y_axis.at(b * factor), "#aaaaaa",
               1, "4 4")
    for i, (_, points) in enumerate(groups):
        for x, y in points:
            d.dot(x_axis.at(x), y_axis.at(y), COLOURS[i], 2.6, 0.55)
    d.legend(22, 46, [(name, COLOURS[i]) for i, (name, _) in enumerate(groups)])
    d.text((left + size - right) / 2, size - 14, x_unit, "middle", colour=GREY)
    d.text(20, (top + size - bottom) / 2, y_unit, "middle", colour=GREY, turned=True)
    return d.done()
