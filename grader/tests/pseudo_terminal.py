"""A program at a terminal of its own: what it has drawn, and keys for it."""
import fcntl
import os
import pty
import re
import select
import signal
import struct
import termios
import time

CLEAR = "\033[H\033[2J"


class PseudoTerminal:
    def __init__(self, command, cwd, columns=80, rows=50, term="xterm-256color", env=None):
        self.output = ""
        environment = {**os.environ, "TERM": term, **(env or {})}
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.chdir(cwd)
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
            os.execve(str(command[0]), [str(word) for word in command], environment)

    def resize(self, columns, rows):
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def read(self, seconds):
        """What arrives within that time; True: something did."""
        if not select.select([self.fd], [], [], seconds)[0]:
            return False
        try:
            self.output += os.read(self.fd, 1 << 16).decode(errors="replace").replace("\r\n", "\n")
        except OSError:  # it has ended
            return False
        return True

    def press(self, keys):
        os.write(self.fd, keys.encode())

    def forget(self, quiet=0.02):
        """Only what comes from now on counts; now is when nothing came for that time."""
        while self.read(quiet):
            pass
        self.output = ""

    def screen(self):
        """What stands there now, without colours."""
        return re.sub(r"\033\[[0-9;?]*[A-Za-z]", "", self.output.split(CLEAR)[-1])

    def wait_for(self, pattern, seconds=60):
        """Until the screen shows that; the screen. What never comes is a failure of the test."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if re.search(pattern, self.screen()):
                return self.screen()
            self.read(0.01)
        raise AssertionError(f"{pattern!r} never came; the screen is\n{self.screen()}")

    def end(self, number=signal.SIGKILL):
        """Its status as os.waitstatus_to_exitcode gives it."""
        try:
            os.kill(self.pid, number)
        except ProcessLookupError:
            pass
        return self.wait()

    def wait(self, seconds=30):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self.read(0.02)
            done, status = os.waitpid(self.pid, os.WNOHANG)
            if done:
                os.close(self.fd)
                return os.waitstatus_to_exitcode(status)
        raise AssertionError("it does not end")
