"""The other end of grader/cli/gdb_session.h: JSON, one object per line."""
import json
import os
import socket

import gdb

setup = {}
running = False  # the launch has begun and has not ended
started = False  # gdb's first `run` was given
_socket = None
_lines = None


def connect():
    """Takes the socket, keeps it from the worker, and returns histolab's first message."""
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
    """Reports that the worker has ended. Returns the verdict on the launch."""
    leave()
    try:
        _send({"ended": code})
        line = _lines.readline()
    except OSError:  # histolab is gone and needs no verdict
        return ""
    return json.loads(line)["verdict"] if line else ""


def leave():
    """From now on, the worker's end is due to gdb's and is not reported."""
    global running
    running = False


def begin_again(breakpoints):
    """Makes histolab restart everything; this gdb ends."""
    _send({"again": breakpoints})
    gdb.execute("quit")
