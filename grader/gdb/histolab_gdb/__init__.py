"""Assembles the parts; see histolab.py."""
import gdb

from . import commands, focus, session, stops


def begin():
    setup = session.connect()
    focus.hook_commands()
    stops.watch()
    commands.add()
    for each in setup["breakpoints"]:
        stops.set_again(each)
    # `step` is about the kernel, also in a worker built for a debugger
    gdb.execute("skip -rfunction ^histolab::kernels::", to_string=True)
    stops.run()
    failed = (not all([stops.execute(command) for command in setup["commands"]])
              if setup["commands"] else False)
    if setup["batch"]:
        session.leave()
        gdb.execute(f"quit {2 if failed else 0}")
