"""gdb's script of `histolab debug`: stops a kernel in one thread and adds CUDA's terms to gdb.

  session.py   talks to histolab: the start of a session, the verdict at its end
  view.py      the addresses of the worker's threads, variables and findings
  focus.py     the thread in focus, and how it is resumed
  stops.py     the text at each stop
  commands.py  the commands
"""
import sys

# nothing of the current folder is run
sys.path[:] = [folder for folder in sys.path if folder not in ("", ".")]
import os  # noqa: E402

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from histolab_gdb import begin  # noqa: E402

begin()
