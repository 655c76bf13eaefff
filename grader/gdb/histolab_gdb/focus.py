"""The thread in focus.

The threads of a block are fibers of one OS thread, which executes one of them at a time. To look at
another fiber, gdb's registers are set to its suspended state; they are restored before the launch
continues. To step a fiber (`next`), the launch runs until it is that fiber's turn.
"""
import struct

import gdb

from . import session
from .view import ENTRY, RETURNED, SHARED_DYNAMIC, View, numbers, read

lane = None    # the thread in focus, by its linear index
block = None   # the block of that thread
_kept = None   # registers and threadIdx of the executing thread, while gdb shows another one's
_runner = None  # the OS thread that runs the launch
_return = None  # the breakpoint after the kernel's end, while a thread steps
_conditions = []  # conditions of the user's breakpoints, while a thread steps
_travel = None  # the breakpoint at which a resumed thread arrives

REGISTERS = ("rip", "rsp", "rbp", "rbx")


def place_text(place):
    return "({},{},{})".format(*place)


def name_of(view, linear):
    return f"thread {place_text(view.thread_place(linear))}"


def title(view):
    return (f"block {place_text(view.block_place(block))}, {name_of(view, lane)}, "
            f"warp {lane // 32}, lane {lane % 32}")


def remember_runner(view):
    """Stores the facts known at the launch's first stop: its OS thread, and the addresses of the
    built-in variables."""
    global _runner
    _runner = gdb.selected_thread()
    _runner.name = "kernel"
    for name, address in (("threadIdx", view.thread_index), ("blockIdx", view.block_index),
                          ("blockDim", view.block_dim), ("gridDim", view.grid_dim)):
        gdb.execute(f"macro define {name} (*(const uint3 *) {address:#x})")


def define_dynamic_shared(view):
    """Defines `extern __shared__ T name[]`, whose declaration has neither address nor length. A
    thread must be in focus."""
    for region in view.list_regions():
        if region.role != SHARED_DYNAMIC:
            continue
        symbol = gdb.lookup_symbol(region.name, gdb.selected_frame().block())[0]
        if symbol is None or symbol.type.code != gdb.TYPE_CODE_ARRAY:
            continue
        element = symbol.type.target()
        gdb.execute(f"macro define {region.name} (*({element} "
                    f"(*)[{region.bytes // element.sizeof}]) {region.begin:#x})")


def to_runner():
    """Selects the runner: Ctrl-C may have stopped another thread of the worker."""
    if _runner is not None and _runner.is_valid() and gdb.selected_thread() != _runner:
        _runner.switch()


def _set(registers):
    for register, value in registers.items():
        gdb.newest_frame().select()
        gdb.execute(f"set var ${register} = {value:#x}", to_string=True)


def _registers_of(frame):
    return {name: int(frame.read_register(name)) % 2**64 for name in REGISTERS}


def kernel_frame(view):
    """The innermost frame of the student's code, or None."""
    frame = gdb.newest_frame()
    while frame is not None and not view.holds(frame.pc()):
        frame = frame.older()
    return frame


def put_back():
    """Restores the registers of the executing thread."""
    global _kept
    if _kept is None:
        return
    registers, index, address = _kept
    _kept = None
    if session.running:
        to_runner()
        _set(registers)
        gdb.selected_inferior().write_memory(address, index)


def look_at(linear):
    """Sets the focus to a thread of the running block and selects its frame. Returns False if it
    has returned."""
    global lane, block, _kept
    view = View()
    put_back()
    to_runner()
    lane, block = linear, view.block
    if view.running() == linear:
        frame = kernel_frame(view)
        if frame is not None:
            frame.select()
        return frame is not None
    standing = view.standing()[linear]
    if standing.state == RETURNED:
        return False
    kept = (_registers_of(gdb.newest_frame()), read(view.thread_index, 12), view.thread_index)
    resume, rbx, rbp = numbers(standing.stack, 3)
    _kept = kept
    # As in fiber.h: the return address follows a switch and precedes two pops.
    _set({"rip": resume + 2, "rbx": rbx, "rbp": rbp, "rsp": standing.stack + 24})
    gdb.selected_inferior().write_memory(view.thread_index,
                                         struct.pack("<III", *view.thread_place(linear)))
    frame = kernel_frame(view)
    if standing.state == ENTRY:
        _set(_registers_of(frame))
        frame = gdb.newest_frame()
    frame.select()
    return True


class _Travel(gdb.Breakpoint):
    def __init__(self, address, linear):
        super().__init__(f"*{address:#x}", internal=True)
        self.silent = True
        self.linear = linear
        self.block = View().block
        self.arrived = False

    def stop(self):
        view = View()
        self.arrived = view.running() == self.linear and view.block == self.block
        return self.arrived


def travelling():
    return _travel is not None


class _Return(gdb.Breakpoint):
    """Stops where the thread in focus returns, so that gdb does not step on through the worker."""

    def __init__(self, address):
        super().__init__(f"*{address:#x}", internal=True)
        self.silent = True

    def stop(self):
        return View().running() == lane


def _outermost(view, frame):
    older = frame.older()
    while older is not None and view.holds(older.pc()):
        frame, older = older, older.older()
    return older


def _begin_step(view):
    """Restricts breakpoints to the thread in focus until the kernel stops again."""
    global _return
    caller = _outermost(view, kernel_frame(view))
    if caller is not None:
        _return = _Return(caller.pc())
    x, y, z = view.thread_place(lane)
    own = f"threadIdx.x == {x} && threadIdx.y == {y} && threadIdx.z == {z}"
    for point in gdb.breakpoints():
        if point.visible and point.is_valid() and point.type == gdb.BP_BREAKPOINT:
            condition = point.condition
            _conditions.append((point, condition))
            point.condition = f"{own} && ({condition})" if condition else own


def end_step():
    global _return
    for point, condition in _conditions:
        if point.is_valid():
            point.condition = condition
    _conditions.clear()
    if _return is not None and _return.is_valid():
        _return.delete()
    _return = None


def arrive(command):
    """Runs until the thread in focus executes in the student's code, so that gdb's step, next and
    finish apply to it."""
    global _travel
    if not session.running or lane is None:
        return
    view = View()
    to_runner()
    runs = view.running() == lane and view.block == block
    frame = kernel_frame(view)
    if frame is None or not runs and view.standing()[lane].state == RETURNED:
        raise gdb.GdbError(f"{name_of(view, lane)} has returned: `cuda thread N` selects another "
                           "one, `continue` resumes")
    if command == "finish" and not view.holds(frame.older().pc()):
        raise gdb.GdbError("the kernel itself has no caller: use `continue`, or `advance LINE`")
    if runs and view.holds(gdb.newest_frame().pc()):
        _begin_step(view)
        return
    address = frame.pc()
    put_back()
    _travel = _Travel(address, lane)
    try:
        gdb.execute("continue")
        arrived = _travel.arrived
    finally:
        if _travel.is_valid():
            _travel.delete()
        _travel = None
    if not arrived:
        # the stop that came instead was reported
        raise gdb.GdbError("(the step was not begun)")
    kernel_frame(view).select()
    _begin_step(view)


class _Arrive(gdb.Command):
    """Runs before the thread in focus steps."""

    def __init__(self):
        super().__init__("histolab-arrive", gdb.COMMAND_RUNNING)

    def invoke(self, argument, from_tty):
        arrive(argument)


class _PutBack(gdb.Command):
    """Runs before the launch continues."""

    def __init__(self):
        super().__init__("histolab-put-back", gdb.COMMAND_RUNNING)

    def invoke(self, argument, from_tty):
        put_back()


def hook_commands():
    """Hooks gdb's own commands, so that they see the right registers."""
    _Arrive()
    _PutBack()
    for command in ("step", "next", "stepi", "nexti", "finish", "until", "advance"):
        gdb.execute(f"define hook-{command}\nhistolab-arrive {command}\nend")
    for command in ("continue", "jump", "signal"):
        gdb.execute(f"define hook-{command}\nhistolab-put-back\nend")


def forget():
    """Clears the focus after the launch has ended."""
    global lane, block, _kept
    lane = block = _kept = None
