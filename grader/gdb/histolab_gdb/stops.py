"""The text at each stop of the kernel, and its source position."""
import textwrap

import gdb
from gdb.FrameDecorator import FrameDecorator

from . import focus, session
from .view import EXIT, NONE, View, text_at

BLOCK_BEGINS, FINDING = 1, 2

last_finding = None
_event = None  # the event at the event breakpoint
_wanted_block = None
_is_first = True
_passed = []  # findings in blocks before the first wanted one
_held = None  # output held back while gdb is silenced
_shown_focus = None


def write(text=""):
    if _held is not None:
        _held.append(text + "\n")
    else:
        gdb.write(text + "\n")


def paragraph(text, indent=0):
    return textwrap.fill(text, 80, initial_indent=" " * indent, subsequent_indent=" " * indent,
                         break_on_hyphens=False)


class _Findings(gdb.Parameter):
    """Whether the kernel stops when something is found: a race, an access out of bounds, ..."""
    set_doc = show_doc = "Whether the kernel stops at each new finding."

    def __init__(self):
        super().__init__("histolab-findings", gdb.COMMAND_BREAKPOINTS, gdb.PARAM_BOOLEAN)
        self.value = True

    def get_set_string(self):
        return ""

    def get_show_string(self, value):
        return f"The kernel {'stops' if self.value else 'does not stop'} at each new finding."


class _Events(gdb.Breakpoint):
    def __init__(self):
        super().__init__("histolab_debug_event", internal=True)
        self.silent = True

    def stop(self):
        global _event, _wanted_block
        view = View()
        if view.message and _is_first:
            _event = None
            if view.is_error:
                _passed.append(_finding_of(view))
        elif view.message:
            _event = FINDING if view.is_error and _findings.value else None
        else:
            _event = BLOCK_BEGINS if view.block == _wanted_block else None
            if _event:
                _wanted_block = None
        return _event is not None


def stop_in_block(block):
    """Makes the kernel stop where this block begins, unless another stop comes first."""
    global _wanted_block
    _wanted_block = block


def show_line(path, line):
    """Shows a source line in the format of gdb's list. Shows nothing if it is missing."""
    try:
        gdb.execute(f"list {path}:{line},{line}" if path else f"list {line},{line}")
    except gdb.error:
        pass


def write_focus(always=False):
    global _shown_focus
    view = View()
    now = (focus.block, focus.lane)
    if always or now != _shown_focus:
        write(f"[focus: {focus.title(view)}]")
    _shown_focus = now


def show_focus():
    """Shows the position of the thread in focus."""
    write_focus(always=True)
    line = line_in_focus(View())
    if line:
        show_line(source_in_focus(), line)


def line_in_focus(view):
    """The line of the thread in focus, which must not have returned."""
    if view.running() != focus.lane and view.standing()[focus.lane].state == EXIT:
        return gdb.find_pc_line(view.kernel + view.kernel_bytes - 1).line
    return gdb.selected_frame().find_sal().line


def source_in_focus():
    """The kernel's file. It becomes gdb's default file, even if the worker has debug information.
    """
    gdb.execute("frame", to_string=True)
    symtab = gdb.selected_frame().find_sal().symtab
    return symtab.fullname() if symtab else ""


def _finding_of(view):
    lines = (view.file, view.line), (view.other_file, view.other_line)
    places = [(text_at(file) or session.setup["path"], line) for file, line in lines if line]
    return text_at(view.kind), text_at(view.message), list(dict.fromkeys(places))


def _write_passed():
    """Reports findings in blocks before the requested one."""
    global last_finding
    if not _passed:
        return
    last_finding = _passed[0]
    write(paragraph(f"Found before this block: {last_finding[0]}: {last_finding[1]}"))
    if len(_passed) > 1:
        write(f"and {len(_passed) - 1} more")


def _greet(view):
    global _is_first
    if _is_first:
        write(f"histolab debug {session.setup['title']}")
        write(session.setup["what"])
        write("The threads of the block are before their first line. `histolab` lists the")
        write("commands added to gdb's own; try `next`, `info locals`, `info cuda threads`.")
        _write_passed()
    focus.look_at(session.setup["thread"] if focus.lane is None else focus.lane)
    if _is_first:
        focus.define_dynamic_shared(view)
    _is_first = False
    show_focus()


def _write_finding(view):
    global last_finding
    last_finding = _finding_of(view)
    write()
    show_finding()
    here = view.finding_block == view.block and view.finding_thread != NONE
    linear = view.finding_thread if here else focus.lane
    stands = linear is not None and focus.look_at(linear)
    if stands and here:
        write_focus(always=True)
        now = line_in_focus(view)
        if now not in (line for _, line in last_finding[2]):
            write("It is here now:")
            show_line(source_in_focus(), now)
    elif here:
        write(f"({focus.name_of(view, linear)} has ended since)")


def show_finding():
    kind, message, places = last_finding
    write(paragraph(f"{kind}: {message}"))
    for path, line in places:
        show_line(path, line)


def _on_stop(event):
    global _event
    happened, _event = _event, None
    if focus.travelling() and happened is None and not isinstance(event, gdb.SignalEvent):
        breakpoints = getattr(event, "breakpoints", [])
        if not [each for each in breakpoints if each.visible]:
            return
    if not focus.travelling():
        focus.end_step()
    view = View()
    if happened == BLOCK_BEGINS:
        focus.remember_runner(view)
        return None if _held is not None else _greet(view)
    if happened == FINDING:
        return _write_finding(view)
    if not view.runs:
        return
    focus.to_runner()
    running = view.running()
    if running is not None and focus.kernel_frame(view) is None:
        focus.look_at(running)
        write(f"{focus.name_of(view, running)} has returned; `continue` resumes, `cuda thread N` "
              "selects another one")
    elif running is not None:
        focus.look_at(running)
        if view.holds(gdb.newest_frame().pc()):
            write_focus()
        else:
            show_focus()  # gdb has shown a frame of the worker
    elif focus.lane is not None:
        if focus.look_at(focus.lane):
            show_focus()
        else:
            write(f"{focus.name_of(view, focus.lane)} has returned; `continue` resumes, `cuda "
                  "thread N` selects another one")


def _on_exit(event):
    code = getattr(event, "exit_code", None)
    if not session.running:
        return
    focus.end_step()
    verdict = session.ended(code if code is not None else -1)
    focus.forget()
    write()
    write(verdict.rstrip("\n"))
    if code is None:
        write("the worker was ended by a signal")
    write("\nThe launch has ended: `run` restarts it, with the breakpoints; `quit` ends.")


def run():
    """Begins the launch. gdb's output meanwhile is dropped: it is about OS threads, which mean
    nothing here."""
    global _held
    session.running = True
    _held = []
    try:
        gdb.execute("run", to_string=True)
    finally:
        held, _held = _held, None
    gdb.write("".join(held))
    if session.running:
        _greet(View())


def set_again(saved):
    """Restores a breakpoint of the previous launch."""
    try:
        point = gdb.Breakpoint(saved["location"])
        point.enabled = saved["enabled"]
        if saved["condition"]:
            point.condition = saved["condition"]
    except gdb.error as problem:
        write(str(problem))


def execute(command):
    """Executes a command of the command line as if it were typed. Returns False if it failed."""
    write(f"(gdb) {command}")
    try:
        gdb.execute(command, from_tty=False)
    except gdb.error as problem:
        if str(problem):
            write(str(problem))
        return False
    return True


class _Frame(FrameDecorator):
    def function(self):
        name = super().function()
        return name.split("(")[0] if isinstance(name, str) else name


class _StudentsFrames:
    """Ends a backtrace with the student's code."""
    name, priority, enabled = "histolab", 100, True

    def filter(self, frames):
        try:
            view = View()
        except gdb.error:
            return frames
        return (_Frame(frame) for frame in frames
                if not view.runs or view.holds(frame.inferior_frame().pc()))


def watch():
    global _findings, _wanted_block
    _findings = _Findings()
    _wanted_block = session.setup["block"]
    _Events()
    gdb.events.stop.connect(_on_stop)
    gdb.events.exited.connect(_on_exit)
    gdb.frame_filters["histolab"] = _StudentsFrames()
    gdb.execute("skip -gfi */histolab/*.h", to_string=True)
    gdb.execute("skip -rfu ^TLS.wrapper", to_string=True)
