"""The commands added to gdb's own. Their names are cuda-gdb's if it has the command."""
import itertools
import re
import struct

import gdb

from . import focus, session, stops
from .view import (ENTRY, EXIT, INPUT, OUTPUT, RETURNED, RUNS, SHARED_DYNAMIC, SHARED_STATIC, View,
                   read)

HELP = """\
cuda thread 5            sets the focus to thread 5 of the block, also as 5,0,0;
                         without a number: shows the focus. Nothing runs.
cuda block 2             continues until block 2 begins
info cuda threads        the position of each thread of the block: thr for short
shared [NAME]            the block's shared arrays
histo                    the values of the bins
data [INDEX [COUNT]]     the input around an element (the thread's own)
findings                 repeats the last finding
print threadIdx          also blockIdx, blockDim, gridDim, in any expression:
                         break 13 if threadIdx.x == 5 && blockIdx.x == 0
set histolab-findings off    a race or a wild access does not stop the kernel
next, step, finish       steps the thread in focus; the others run by the
                         schedule (lockstep)
continue                 to the next breakpoint or finding, or to the verdict
run                      restarts the launch, with the breakpoints"""

UNSET = b"\xcd"  # the emulator's initial value of shared memory


def view_of_launch():
    view = View() if session.running else None
    if view is None or not view.runs:
        raise gdb.GdbError("no launch is running; `run` restarts it")
    return view


def number_in(text, count, shape, what):
    """ "5" or "1,0,0", also in parentheses. """
    parts = re.fullmatch(r"\(?\s*(\d+)\s*(?:,\s*(\d+)\s*,\s*(\d+)\s*)?\)?", text.strip())
    if not parts:
        raise gdb.GdbError(f"which {what}? Write a number, or x,y,z")
    if parts[2] is None:
        linear = int(parts[1])
    else:
        place = [int(part) for part in parts.groups()]
        if any(at >= size for at, size in zip(place, shape)):
            linear = count
        else:
            linear = (place[2] * shape[1] + place[1]) * shape[0] + place[0]
    if linear >= count:
        raise gdb.GdbError(f"there is no {what} {text.strip()}: they are 0 to {count - 1}")
    return linear


def line_of(view, standing):
    """(file, line) of a suspended thread."""
    pc = view.return_address(standing.site)
    if standing.state == EXIT:
        pc = view.kernel + view.kernel_bytes
    sal = gdb.find_pc_line(pc if standing.state == ENTRY else pc - 1)
    return (sal.symtab.filename if sal.symtab else "", sal.line)


def line_of_running(view):
    frame = focus.kernel_frame(view)
    sal = frame.find_sal() if frame is not None else None
    return (sal.symtab.filename, sal.line) if sal is not None and sal.symtab else ("", 0)


def source_text(path, line):
    """The source line, without gdb's line number."""
    try:
        shown = gdb.execute(f"list {path}:{line},{line}", to_string=True)
    except gdb.error:
        return ""
    return shown.split("\t", 1)[1].strip() if "\t" in shown else ""


def show_threads():
    view = view_of_launch()
    here, in_focus = focus.lane, focus.block == view.block
    standings = view.standing()
    lines = {}
    selected = gdb.selected_frame()
    running = view.running()
    if running is not None and running != here:
        focus.look_at(running)  # sets the registers, on which the line depends
    own = line_of_running(view) if running is not None else ("", 0)
    if running is not None and running != here and here is not None:
        focus.look_at(here)
    elif selected.is_valid():
        selected.select()

    def what(lane):
        standing = standings[lane]
        if standing.state == RUNS:
            place = own
            if not place[1]:
                return RETURNED, place, in_focus and lane == here
        elif standing.state == RETURNED:
            place = ("", 0)
        else:
            key = (standing.site, standing.state == ENTRY)
            if key not in lines:
                lines[key] = line_of(view, standing)
            place = lines[key]
        return standing.state, place, in_focus and lane == here

    stops.write(f"block {focus.place_text(view.block_place(view.block))}, {view.threads} threads")
    stops.write(f"  {'from':<11}{'to':<11}{'count':>5}  {'state':<14}line")
    for (state, place, is_focus), lanes in itertools.groupby(range(view.threads), what):
        lanes = list(lanes)
        first, last = (focus.place_text(view.thread_place(lane)) for lane in (lanes[0], lanes[-1]))
        text = f"{place[1]}  {source_text(*place)}" if place[1] else ""
        row = f"{'*' if is_focus else ' '} {first:<11}{last:<11}{len(lanes):>5}  {state:<14}{text}"
        row = row.rstrip()
        stops.write(row if len(row) <= 80 else row[:77] + "...")


class _Cuda(gdb.Command):
    """Shows or sets the thread in focus, as in cuda-gdb: cuda thread [N], cuda block [N]."""

    def __init__(self):
        super().__init__("cuda", gdb.COMMAND_RUNNING)

    def invoke(self, argument, from_tty):
        view = view_of_launch()
        words = argument.split(None, 1)
        what, which = words[0] if words else "thread", words[1] if len(words) > 1 else ""
        if what == "thread" and not which or not words:
            return stops.write_focus(always=True)
        if what == "thread":
            linear = number_in(which, view.threads, (view.block_x, view.block_y, view.block_z),
                               "thread")
            if not focus.look_at(linear):
                return stops.write(f"{focus.name_of(view, linear)} has returned")
            return stops.show_focus()
        if what != "block":
            raise gdb.GdbError("use `cuda thread N` or `cuda block N`")
        blocks = view.grid_x * view.grid_y * view.grid_z
        if not which:
            block = focus.place_text(view.block_place(view.block))
            return stops.write(f"block {block} of {blocks}")
        linear = number_in(which, blocks, (view.grid_x, view.grid_y, view.grid_z), "block")
        if linear == view.block:
            return stops.write("that block is running already")
        if linear < view.block:
            raise gdb.GdbError("blocks run one after another, and that one has ended: `run` "
                               "restarts the launch")
        stops.stop_in_block(linear)
        gdb.execute("continue")


class _InfoCuda(gdb.Command):
    """The position of each thread of the block: info cuda threads."""

    def __init__(self):
        super().__init__("info cuda", gdb.COMMAND_STATUS)

    def invoke(self, argument, from_tty):
        if argument.strip() not in ("", "threads"):
            raise gdb.GdbError("use `info cuda threads`")
        show_threads()


class _Threads(gdb.Command):
    """Short for info cuda threads: the position of each thread of the block."""

    def __init__(self):
        super().__init__("thr", gdb.COMMAND_STATUS)

    def invoke(self, argument, from_tty):
        show_threads()


def in_columns(cells):
    """Rows of 80 columns."""
    width = max(map(len, cells)) + 2
    each = max(1, 78 // width)
    for at in range(0, len(cells), each):
        stops.write("  " + "".join(f"{cell:<{width}}" for cell in cells[at:at + each]).rstrip())


def words(begin, count, size, form):
    """The values of an array; None for an element that was never set."""
    raw = read(begin, count * size)
    values = struct.unpack(f"<{count}{form}", raw)
    return [None if raw[at * size:(at + 1) * size] == UNSET * size else value
            for at, value in enumerate(values)]


def shown(values):
    """Shows the values with the bins' labels if their numbers agree, else with indices."""
    labels = session.setup["labels"]
    has_words = len(values) == len(labels) and not all(label.isdigit() for label in labels)
    names = labels if has_words else [f"[{i}]" for i in range(len(values))]
    texts = ["unset" if value is None else f"{value:g}" if isinstance(value, float) else value
             for value in values]
    in_columns([f"{name} {text}" for name, text in zip(names, texts)])


class _Histo(gdb.Command):
    """The values of the bins."""

    def __init__(self):
        super().__init__("histo", gdb.COMMAND_DATA)

    def invoke(self, argument, from_tty):
        for region in view_of_launch().list_regions():
            if region.role != OUTPUT:
                continue
            size, bins = region.element_bytes, len(session.setup["labels"])
            count = region.bytes // size
            stops.write(f"{region.name}: {count} elements")
            shown(words(region.begin, min(count, bins or 64), size,
                        "f" if session.setup["floats"] else "Q" if size == 8 else "I"))


class _Shared(gdb.Command):
    """The block's shared arrays: shared [NAME]."""

    def __init__(self):
        super().__init__("shared", gdb.COMMAND_DATA)

    def invoke(self, argument, from_tty):
        view = view_of_launch()
        regions = [each for each in view.list_regions()
                   if each.role in (SHARED_STATIC, SHARED_DYNAMIC) and each.bytes]
        wanted = [each for each in regions if argument.strip() in ("", each.name)]
        if not regions:
            return stops.write("this kernel has no shared memory")
        if not wanted:
            raise gdb.GdbError("there is no shared {}: choose {}".format(
                argument.strip(), ", ".join(each.name for each in regions)))
        for region in wanted:
            stops.write(f"{region.name}: {region.bytes} bytes of shared memory of block "
                        f"{focus.place_text(view.block_place(view.block))}")
            form, size = self.form_of(region)
            if form is None:
                stops.write("  " + gdb.parse_and_eval(region.name).format_string(max_elements=64))
            else:
                shown(words(region.begin, region.bytes // size, size, form))

    @classmethod
    def form_of(cls, region):
        """The element's format for struct; None if it is not a number."""
        type_ = cls.element_type(region)
        if type_ is None:
            return "I", 4
        if type_.code == gdb.TYPE_CODE_FLT:
            return {4: "f", 8: "d"}[type_.sizeof], type_.sizeof
        if type_.code == gdb.TYPE_CODE_INT:
            form = {1: "b", 2: "h", 4: "i", 8: "q"}[type_.sizeof]
            return form if type_.is_signed else form.upper(), type_.sizeof
        return None, type_.sizeof

    @staticmethod
    def element_type(region):
        try:
            type_ = gdb.parse_and_eval(region.name).type.strip_typedefs()
        except gdb.error:
            return None
        while type_.code == gdb.TYPE_CODE_ARRAY:
            type_ = type_.target().strip_typedefs()
        return type_


class _Data(gdb.Command):
    """The input around an element: data [INDEX [COUNT]]. The default is the thread's global index.
    """

    def __init__(self):
        super().__init__("data", gdb.COMMAND_DATA)

    def invoke(self, argument, from_tty):
        view = view_of_launch()
        region = next((each for each in view.list_regions() if each.role == INPUT), None)
        size = session.setup["sample_bytes"]
        count = region.bytes // size if region else 0
        if count == 0:
            return stops.write("the launch has no data")
        numbers = [int(gdb.parse_and_eval(word)) for word in gdb.string_to_argv(argument)]
        own = (focus.block or 0) * view.threads + (focus.lane or 0)
        index = numbers[0] if numbers else own
        if not 0 <= index < count:
            raise gdb.GdbError(f"{region.name} has {count} elements, 0 to {count - 1}; there is no "
                               f"element {index}")
        most = numbers[1] if len(numbers) > 1 else 16
        first = max(0, min(index - most // 2, count - most))
        last = min(count, first + most)
        raw = struct.unpack(f"<{last - first}{'B' if size == 1 else 'H'}",
                            read(region.begin + first * size, (last - first) * size))
        stops.write(f"{region.name}: {count} elements")
        cells = []
        for at, value in enumerate(raw, first):
            letter = f" '{chr(value)}'" if size == 1 and 32 <= value < 127 else ""
            cells.append(f"{'*' if at == index else ''}[{at}] {value}{letter}")
        in_columns(cells)


class _FindingsAgain(gdb.Command):
    """Repeats the last finding."""

    def __init__(self):
        super().__init__("findings", gdb.COMMAND_STATUS)

    def invoke(self, argument, from_tty):
        if stops.last_finding is None:
            return stops.write("there are no findings yet")
        stops.show_finding()


class _Help(gdb.Command):
    """Lists the commands added to gdb's own."""

    def __init__(self, name):
        super().__init__(name, gdb.COMMAND_SUPPORT)

    def invoke(self, argument, from_tty):
        stops.write(HELP)


class _Again(gdb.Command):
    """Restarts the launch and keeps the breakpoints."""

    def __init__(self):
        super().__init__("histolab-again", gdb.COMMAND_RUNNING)

    def invoke(self, argument, from_tty):
        if not session.started:
            session.started = True
            return
        points = [each for each in gdb.breakpoints()
                  if each.type == gdb.BP_BREAKPOINT and each.location]
        session.begin_again([{"location": each.location, "condition": each.condition,
                              "enabled": each.enabled} for each in points])


class _Leave(gdb.Command):
    """Runs before gdb ends the launch."""

    def __init__(self):
        super().__init__("histolab-leave", gdb.COMMAND_RUNNING)

    def invoke(self, argument, from_tty):
        session.leave()


def add():
    for command in (_Cuda, _InfoCuda, _Threads, _Histo, _Shared, _Data, _FindingsAgain, _Again,
                    _Leave):
        command()
    for command in ("quit", "kill", "detach"):
        gdb.execute(f"define hook-{command}\nhistolab-leave\nend")
    _Help("histolab")
    _Help("info histolab")
    for command in ("run", "start", "starti"):
        gdb.execute(f"define hook-{command}\nhistolab-again\nend")
