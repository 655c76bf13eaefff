"""The traps around one run of the program: secrets, files, ports and processes that an attack
must not reach."""
import contextlib
import ctypes
import os
import pathlib
import re
import secrets
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
import time

from histolab_program import PATIENCE, PROGRAM, wait_until

MOST_GRADER_KB = 500_000           # memory of the grader itself
MOST_OUTPUT_OF_PROGRAM = 70 << 20  # and the summary
# Control characters that terminals obey, except newline and tab. Includes C1 and those that change
# the direction of writing.
OBEYED = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")


def addresses_of(program):
    """{symbol: address} of a position-independent program that is loaded without randomization."""
    listing = subprocess.run(["nm", str(program)], capture_output=True, text=True,
                             check=True).stdout
    return {words[2]: 0x555555554000 + int(words[0], 16)
            for words in map(str.split, listing.splitlines()) if len(words) == 3}


def adopt_orphans():
    """From here on, orphaned descendants of this process become its children (prctl(2))."""
    PR_SET_CHILD_SUBREAPER = 36
    if ctypes.CDLL(None, use_errno=True).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "cannot adopt orphans")


def below(pid):
    """{process: name} of all descendants of this process. Omits zombies."""
    children = {}
    for path in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            name, rest = path.read_text().split("(", 1)[1].rsplit(")", 1)
        except OSError:
            continue
        state, parent = rest.split()[:2]
        children.setdefault(int(parent), []).append((int(path.parent.name), name, state))
    found, parents = {}, [pid]
    while parents:
        for child, name, state in children.get(parents.pop(), []):
            parents.append(child)
            if state != "Z":
                found[child] = name
    return found


def is_dying(pid):
    """Whether it was killed but is not gone yet, as on a busy machine (proc(5))."""
    try:
        flags = int(pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[6])
        pending = re.findall(r"^(?:Sig|Shd)Pnd:\s+(\w+)",
                             pathlib.Path(f"/proc/{pid}/status").read_text(), re.MULTILINE)
    except OSError:
        return True
    is_exiting = 4  # PF_EXITING
    return (bool(flags & is_exiting) or
            any(int(each, 16) & 1 << signal.SIGKILL - 1 for each in pending))


def end_orphans():
    while left := below(os.getpid()):
        for pid in left:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        time.sleep(0.01)
    with contextlib.suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG) != (0, 0):
            pass


class Watched:
    """A run of the program, with its memory use recorded."""

    def __init__(self, command, cwd, env):
        self.peak_kb, started = 0, time.monotonic()
        with open(cwd / "stdout", "wb") as out, open(cwd / "stderr", "wb") as err:
            process = subprocess.Popen(command, cwd=cwd, env=env, stdin=subprocess.DEVNULL,
                                       stdout=out, stderr=err, start_new_session=True)
        self.pid = process.pid
        over = threading.Event()
        looking = threading.Thread(target=self._look, args=(over,))
        looking.start()
        try:
            self.status = process.wait(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            self.status = None
        over.set()
        looking.join()
        self.seconds = time.monotonic() - started
        self.out, self.err = (cwd / "stdout").read_bytes(), (cwd / "stderr").read_bytes()

    def _look(self, over):
        while not over.wait(0.02):
            try:
                found = re.search(r"VmHWM:\s+(\d+) kB",
                                  pathlib.Path(f"/proc/{self.pid}/status").read_text())
            except OSError:
                return
            self.peak_kb = max(self.peak_kb, int(found[1]) if found else 0)


class Traps:
    """A folder with home, tmp (the program's), handed-in, and files outside of them. Only one
    per process at a time: all descendants of this process belong to the run."""

    def __init__(self):
        adopt_orphans()
        self.root = pathlib.Path(tempfile.mkdtemp(prefix="attack-"))
        self.root.chmod(0o755)
        self.word = "secret" + secrets.token_hex(8)
        folders = [self.root / name for name in ("home", "tmp", "cwd", "handed-in", "outside")]
        for folder in folders:
            folder.mkdir()
            folder.chmod(0o777)
        self.home, self.tmp, self.cwd, self.handed_in, self.outside = folders
        self.secret = self.outside / "secret.h"
        self._write(self.secret, f"#error {self.word}\n")
        self._write(self.home / ".netrc", f"password {self.word}\n")
        self._write(self.outside / "ada.cu",
                    f"// {self.word}\n__global__ void histogram(const char*, unsigned int, "
                    f"unsigned int*) {{}}\n")
        self._write(self.outside / "grades.csv", "ada,10\n")
        self.tcp = socket.create_server(("127.0.0.1", 0))
        self.tcp.setblocking(False)
        self.port = self.tcp.getsockname()[1]
        self.unix_path = self.outside / "socket"
        self.unix = socket.socket(socket.AF_UNIX)
        self.unix.bind(str(self.unix_path))
        self.unix_path.chmod(0o777)
        self.unix.listen()
        self.unix.setblocking(False)
        self.before = self._state()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.tcp.close()
        self.unix.close()
        shutil.rmtree(self.root, ignore_errors=True)

    @staticmethod
    def _write(path, text):
        path.write_text(text)
        path.chmod(0o666)

    def _state(self):
        return {str(path): path.read_bytes() if path.is_file() else None
                for path in [*self.outside.rglob("*"), *self.home.rglob("*")]}

    def filled_in(self, text):
        """A kernel's text with the addresses of the traps and of the worker's symbols filled in."""
        known = {"SECRET": str(self.secret), "ADA": str(self.outside / "ada.cu"),
                 "GRADES": str(self.outside / "grades.csv"), "NEW": str(self.outside / "new"),
                 "PORT": str(self.port), "SOCKET": str(self.unix_path)}
        addresses = {}

        def place(found):
            if found[1] in known:
                return known[found[1]]
            if not addresses:
                addresses.update(addresses_of(PROGRAM.parent / "histolab-worker"))
            names = [name for name in addresses if found[2] in name] if found[2] else []
            if not names:
                raise KeyError(f"{found[0]}: the worker has no such symbol")
            return hex(addresses[min(names, key=len)])
        return re.sub(r"@(?:([A-Z]+)|worker:(\w+))@", place, text)

    def run(self, *arguments, tier):
        env = {"PATH": os.environ["PATH"], "HOME": str(self.home), "TMPDIR": str(self.tmp),
               "HISTOLAB_SANDBOX": tier, "LC_ALL": "C.UTF-8", "HISTOLAB_SECRET": self.word}
        return Watched([str(PROGRAM), *map(str, arguments)], self.cwd, env)

    def sprung(self, run, owns_output=False):
        """The forbidden effects of the run. A program's output is its own: it may be anything, and
        long."""
        found = []
        if run.status is None:
            end_orphans()
            return [f"the grader was still running after {PATIENCE} s"]
        if run.status < 0:
            found.append(f"the grader was ended by signal {-run.status}")
        for path in [*self.cwd.rglob("*")]:
            if path.is_file() and self.word.encode() in path.read_bytes():
                found.append(f"the secret is in {path.name}")
        for listening, name in ((self.tcp, "the TCP port"), (self.unix, "the UNIX socket")):
            try:
                listening.accept()[0].close()
                found.append(f"{name} was connected to")
            except BlockingIOError:
                pass
        after = self._state()
        for path in sorted(after.keys() ^ self.before.keys()):
            found.append(f"{path} was made or removed")
        found += [f"{path} was changed" for path in sorted(after.keys() & self.before.keys())
                  if after[path] != self.before[path]]
        found += [f"{path.name} was left in the temporary folder" for path in self.tmp.iterdir()]
        wait_until(lambda: not any(is_dying(pid) for pid in below(os.getpid())))
        if left := below(os.getpid()):
            found.append(f"processes run on: {', '.join(left.values())}")
        end_orphans()
        if run.peak_kb > MOST_GRADER_KB:
            found.append(f"the grader took {run.peak_kb // 1024} MiB")
        for name, bytes_ in (("stdout", run.out), ("stderr", run.err)):
            if owns_output:
                if len(bytes_) > MOST_OUTPUT_OF_PROGRAM:
                    found.append(f"{name} is {len(bytes_)} bytes long")
                continue
            if obeyed := OBEYED.search(bytes_.decode("utf-8", "surrogateescape")):
                found.append(f"{name} has the character U+{ord(obeyed[0]):04X}")
            if len(bytes_) > 200_000:
                found.append(f"{name} is {len(bytes_)} bytes long")
        return found
