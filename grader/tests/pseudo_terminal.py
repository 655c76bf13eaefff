"""A program on a pseudo terminal: the text on its screen, and keys for it."""
import codecs
import fcntl
import os
import pty
import re
import select
import signal
import struct
import termios
import time

from histolab_program import PATIENCE

CLEAR = "\033[H\033[2J"


class PseudoTerminal:
    def __init__(self, command, cwd, columns=80, rows=50, term="xterm-256color", env=None):
        self.output = ""
        # a read may end in the middle of a character
        self.decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self.has_closed = False
        environment = {**os.environ, "TERM": term, **(env or {})}
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.chdir(cwd)
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
            os.execve(str(command[0]), [str(word) for word in command], environment)

    def resize(self, columns, rows):
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def read(self, seconds):
        """Reads what arrives within that time. Returns whether something arrived."""
        if not select.select([self.fd], [], [], seconds)[0]:
            return False
        try:
            read = self.decoder.decode(os.read(self.fd, 1 << 16))
        except OSError:
            self.has_closed = True
            return False
        self.output = (self.output + read).replace("\r\n", "\n")
        return True

    def press(self, keys):
        os.write(self.fd, keys.encode())

    def forget(self):
        """From now on only new output counts."""
        while self.read(0):
            pass
        self.output = ""

    def screen(self):
        """The text on the screen, without colours."""
        return re.sub(r"\033\[[0-9;?]*[A-Za-z]", "", self.output.split(CLEAR)[-1])

    def wait_until(self, holds, what):
        """Reads until `holds()` is true; raises AssertionError if that does not happen before the
        program ends."""
        end = time.monotonic() + PATIENCE
        while not holds():
            if self.has_closed or time.monotonic() > end:
                raise AssertionError(f"{what} never came; the screen is\n{self.screen()}")
            self.read(0.01)

    def wait_for(self, pattern):
        """Waits until the pattern is on the screen and returns that screen."""
        self.wait_until(lambda: re.search(pattern, self.screen()), repr(pattern))
        return self.screen()

    def end(self, number=signal.SIGKILL):
        """Sends a signal and returns the status as os.waitstatus_to_exitcode gives it."""
        try:
            os.kill(self.pid, number)
        except ProcessLookupError:
            pass
        return self.wait()

    def wait(self):
        """Waits until it has ended and returns its status."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            ended, status = os.waitpid(self.pid, os.WNOHANG)
            while self.read(0 if ended else 0.02):
                pass
            if ended:
                os.close(self.fd)
                return os.waitstatus_to_exitcode(status)
        raise AssertionError(f"the program does not end; the screen is\n{self.screen()}")


class WatchTerminal(PseudoTerminal):
    """`histolab watch` on a terminal. Its screen is steady when nothing is being graded: it then
    changes only after a key or a save."""

    def settled(self, pattern=""):
        """Waits for a steady screen with the pattern on it and returns that screen."""
        def holds():
            screen = self.screen()
            # The line of keys ends a screen: without it, only half of the screen was read.
            return (re.search(r"\[q\]uit\s*\Z", screen) and
                    not re.search(r"so far|^grading ", screen, re.MULTILINE) and
                    re.search(pattern, screen))

        self.wait_until(holds, repr(pattern))
        return self.screen()

    def forget(self):
        """Waits until the screen is steady. From then on only new output counts."""
        self.settled()
        super().forget()
