"""The other end of grader/cli/gdb_session.h: JSON, one object a line."""
import json
import os
import socket

import gdb

setup = {}
running = False  # the launch has begun, and has not ended
started = False  # gdb's first `run` has been given
_socket = None
_lines = None


def connect():
    """Takes the socket, keeps it from the worker, and returns what histolab says first."""
    global _socket, _lines
    descriptor = int(os.environ["HISTOLAB_GDB_CONTROL"])
    os.set_inheritable(descriptor, False)
    _socket = socket.socket(fileno=descriptor)
    _lines = _socket.makefile("r", encoding="utf-8")
    setup.update(json.loads(_lines.readline()))
    _send({"hello": gdb.VERSION})
    gdb.execute("unset environment")  # the worker's is empty
    return setup


def _send(message):
    _socket.sendall((json.dumps(message) + "\n").encode())


def ended(code):
    """The worker has ended; the verdict on the launch."""
    leave()
    try:
        _send({"ended": code})
        line = _lines.readline()
    except OSError:  # histolab has gone, and with it whoever would read a verdict
        return ""
    return json.loads(line)["verdict"] if line else ""


def leave():
    """What ends from now on, ends because gdb does."""
    global running
    running = False


def begin_again(breakpoints):
    """Has histolab start everything anew; gdb ends here."""
    _send({"again": breakpoints})
    gdb.execute("quit")
