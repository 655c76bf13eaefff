"""What `histolab debug` has gdb run: stops a kernel in one thread, and adds CUDA's words to gdb's own.

  session.py   talks to histolab: what to start with, the verdict at the end
  view.py      where the worker keeps its threads, variables and findings
  focus.py     the thread that is looked at, and how it is brought to go on
  stops.py     what is said when the kernel stops, and where it does
  commands.py  the commands
"""
import sys

sys.path[:] = [folder for folder in sys.path if folder not in ("", ".")]  # nothing of the current folder is run
import os  # noqa: E402

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from histolab_gdb import begin  # noqa: E402

begin()
