#!/usr/bin/env python3
"""A server for tests of the lab page's scripts: the API of `histolab serve`, with answers that the
test chooses. It serves grader/web/site and one page, with the real content security policy.

    fake_server.py [EDITOR]      serves until it is ended, for a person to try the page
"""
import contextlib
import datetime
import functools
import hashlib
import http.server
import json
import os
import pathlib
import queue
import socket
import sys
import threading
import urllib.parse

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tests"))
from histolab_program import PROGRAM, SOURCE, histolab, run_program, temporary_folder  # noqa: E402

SITE = SOURCE / "grader" / "web" / "site"
LAB = "02-atomic-add"
POLICY = ("default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
          "img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'")
# The folder with each editor's files; the build takes the same ones.
EDITORS = {
    "codemirror6":
        pathlib.Path(os.environ.get("HISTOLAB_EDITOR_DIR", PROGRAM.parent.parent / "editor")),
    "codemirror5": pathlib.Path("/usr/share/javascript/codemirror"),
}
CODEMIRROR_5 = {"codemirror.js": "lib/codemirror.js", "codemirror.css": "lib/codemirror.css",
                "clike.js": "mode/clike/clike.js"}
TYPES = {".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8"}
ROOT = "/site/0123abcd"
KERNEL = """// Lab 02: atomicAdd.
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length) {
    const int letter = data[i] - 'a';
    if (letter >= 0 && letter < 26) {
      histo[letter / 4] += 1;
    }
  }
}
"""
RACE = {"where": "case mixed-31 (mixed, 31 letters)",
        "what": "Two threads update histo[3] without an atomic operation",
        "why": "One of them overwrites what the other one stored, so an update is lost.",
        "next": "Add to the bin by atomicAdd(&histo[bin], 1).",
        "places": [{"line": 7, "column": 7}, {"line": 5, "column": 15}]}
CHECKS = [("compiles", "The kernel compiles", 1), ("correct", "Its histogram is right", 2),
          ("no_findings", "There are no findings", 2)]


@functools.cache
def lab_page():
    """The page as the server makes it; see write_pages.cpp."""
    with temporary_folder() as out:
        done = run_program([PROGRAM.parent.parent / "test-bin" / "web_pages_sample", SOURCE, out])
        assert done.returncode == 0, done.stderr
        return (out / "scripted" / "lab.html").read_text(encoding="utf-8")


def has_editor(name):
    folder = EDITORS.get(name)
    return folder is None or (folder / ("index.js" if name == "codemirror6" else
                                        "lib/codemirror.js")).exists()


def sha256(text):
    return hashlib.sha256(text.encode()).hexdigest()


def verdict(text, **changes):
    """A failed quick verdict about a text."""
    checks = [{"id": name, "title": title, "status": "passed" if at == 0 else "failed",
               "score": points if at == 0 else 0, "max_score": points}
              for at, (name, title, points) in enumerate(CHECKS)]
    return {"event": "verdict", "sha256": sha256(text), "quick": True, "more": True,
            "status": "failed", "score": 1, "max_score": 5, "passed": False, "elapsed_ms": 57.0,
            "headline": "no_findings failed (0 of 2 points)", "message": "", "remarks": [RACE],
            "more_remarks": 0, "checks": checks, "of_quiz": False, "labs_passed": 1,
            "whose": "yours", **changes}


def passed(text, **changes):
    checks = [{"id": name, "title": title, "status": "passed", "score": points,
               "max_score": points} for name, title, points in CHECKS]
    return verdict(text, **{"quick": False, "more": False, "status": "passed", "score": 5,
                            "passed": True, "headline": "passed (5 of 5 points)", "remarks": [],
                            "checks": checks, "labs_passed": 2, **changes})


class Recorded:
    """What the program prints, so that the page meets the real formats."""

    def __init__(self):
        with temporary_folder() as folder:
            kernel = folder / "racy.cu"
            kernel.write_text(KERNEL)
            race = [histolab("race", "--scenario", n, "--json", "-").stdout for n in range(1, 5)]
            self.races = list(map(json.loads, race))
            of_kernel = histolab("race", "--kernel", kernel, "--threads", 3, "--schedule",
                                 "lockstep", "--json", "-")
            self.race_of_kernel = json.loads(of_kernel.stdout)
            self.runs = {}
            for case, options in (("mixed-31", [LAB, "--length", 65536, "--kernel", kernel]),
                                  ("bytes-256", ["10", "--length", 65536, "--bins", 256,
                                                 "--kernel", SOURCE / "labs" / "10-many-bins" /
                                                 "solution.cu"])):
                said = histolab("run", *options, "--stream", "--device", "emulator")
                events = [json.loads(line) for line in said.stdout.splitlines()]
                self.runs[case] = {event["event"]: event for event in events}


@functools.cache
def recorded():
    return Recorded()


class Fake:
    """The server. Attributes are its state; a test may change them at any time.

    `script`: list of functions for the next saves, each called with (text, send); without one, a
    save gets the quick and then the complete verdict. A function that returns False breaks the
    connection off."""

    def __init__(self, editor="textarea"):
        self.editor, self.text, self.last = editor, KERNEL, None
        self.saves, self.script, self.said, self.listeners = [], [], queue.Queue(), []
        self.lock, self.recorded, self.run_lines = threading.Lock(), recorded(), queue.Queue()
        self.start(0)

    def start(self, port):
        self.connections = set()
        self.server = Server(("127.0.0.1", port), Handler)
        self.server.fake = self
        self.port = self.server.server_port
        self.down = False
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def stop(self):
        """Ends the server and its connections."""
        self.down = True
        self.server.shutdown()
        self.server.server_close()
        for each in list(self.connections):
            with contextlib.suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
        for each in list(self.listeners):
            each.put(None)

    def again(self):
        self.start(self.port)

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}"

    def announce(self, event):
        for each in list(self.listeners):
            each.put(event)

    def write(self, text):
        """The file gets this text, as by an editor."""
        self.text = text
        self.announce({"event": "changed", "sha256": sha256(text), "text": text})

    def page(self):
        page = lab_page()
        text = self.text.replace("&", "&amp;").replace("<", "&lt;")
        for name, value in (("root", ROOT), ("sha256", sha256(self.text)), ("text", text)):
            page = page.replace(f"@{name}@", value)
        return page

    def asset(self, name):
        """The bytes of a file of the site, or None."""
        if name == "editor_choice.js":
            return f"export const choice = '{self.editor}';\n".encode()
        folder, _, file = name.partition("/")
        path = SITE / name
        if folder == "codemirror6":
            path = EDITORS[folder] / file
        elif folder == "codemirror5":
            path = EDITORS[folder] / CODEMIRROR_5.get(file, "none")
        elif name == "style.css":
            return (SOURCE / "grader/html/palette.css").read_bytes() + path.read_bytes()
        return path.read_bytes() if path.is_file() else None

    def save(self, request, send):
        """Returns False to break the connection off."""
        text, base, reply = request["text"], request["base"], send

        def send(event):
            if event["event"] in ("queued", "verdict", "error"):
                self.announce({"sha256": sha256(text), **event})
            return reply(event)

        with self.lock:
            self.saves.append(request)
            step = self.script.pop(0) if self.script else None
        if step is not None:
            return step(text, send)
        if base != sha256(self.text) and text != self.text and not request["force"]:
            return send({"event": "conflict", "sha256": sha256(self.text), "text": self.text})
        self.store(text, send)
        send(verdict(text))
        send(self.complete(text))
        return True

    def store(self, text, send):
        now = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
        send({"event": "saved", "sha256": sha256(text), "at": now})
        self.write(text)

    @staticmethod
    def complete(text):
        if "atomicAdd(" in text:
            return passed(text)
        return verdict(text, quick=False, more=False)


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, *ignored):
        """A browser closes connections whenever it likes."""


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def setup(self):
        super().setup()
        self.fake.connections.add(self.connection)

    def finish(self):
        self.fake.connections.discard(self.connection)
        with contextlib.suppress(OSError):
            super().finish()

    @property
    def fake(self):
        return self.server.fake

    def answer(self, body, kind="application/json", code=200, headers=()):
        body = body.encode() if isinstance(body, str) else body
        self.send_response(code)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("X-Content-Type-Options", "nosniff")
        self.send_header("Content-Security-Policy", POLICY)
        for name, value in headers:
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def begin(self):
        self.send_response(200)
        self.send_header("Content-Type", "application/x-ndjson")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()

    def chunk(self, data):
        self.wfile.write(b"%x\r\n%s\r\n" % (len(data), data))

    def line(self, event):
        self.chunk(json.dumps(event).encode() + b"\n")

    def do_GET(self):
        url = urllib.parse.urlsplit(self.path)
        query, path, fake = dict(urllib.parse.parse_qsl(url.query)), url.path, self.fake
        if path == f"/lab/{LAB}":
            self.answer(fake.page(), "text/html; charset=utf-8")
        elif path == "/favicon.ico":
            self.answer("", "image/png")
        elif path.startswith(ROOT + "/"):
            name = path[len(ROOT) + 1:]
            data = fake.asset(name)
            self.answer(data or b"", TYPES[pathlib.PurePath(name).suffix],
                        404 if data is None else 200)
        elif path == f"/api/labs/{LAB}/text":
            self.answer(json.dumps({"text": fake.text, "sha256": sha256(fake.text)}))
        elif path == f"/api/labs/{LAB}/events":
            self.events()
        elif path.startswith(f"/api/labs/{LAB}/hints/"):
            number = path.rsplit("/", 1)[1]
            self.answer(f"<h3>Hint {number}</h3><p>Use <code>atomicAdd</code>.</p>",
                        "text/html; charset=utf-8")
        elif path == f"/api/labs/{LAB}/solution":
            self.answer("// solution <b>\n", "text/plain; charset=utf-8")
        elif path == f"/api/labs/{LAB}/race":
            self.answer(json.dumps(fake.recorded.race_of_kernel))
        elif path == "/api/race":
            self.answer(json.dumps(fake.recorded.races[int(query["scenario"]) - 1]))
        else:
            self.answer(json.dumps({"message": "there is no such page", "whose": "machine"}),
                        code=404)

    def events(self):
        mine = queue.Queue()
        self.begin()
        if self.fake.last:
            self.line(self.fake.last)
        self.line({"event": "alive"})
        self.fake.listeners.append(mine)
        try:
            while not self.fake.down and (event := mine.get()) is not None:
                self.line(event)
        except OSError:
            pass
        finally:
            self.fake.listeners.remove(mine)
        self.close_connection = True

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        fake = self.fake
        try:
            if self.path == f"/api/labs/{LAB}/save":
                self.begin()
                if fake.save(body, self.line) is False:
                    self.close_connection = True
                else:
                    self.chunk(b"")
            elif self.path == "/api/run":
                self.begin()
                self.run(body)
                self.chunk(b"")
            elif self.path.startswith("/api/run/"):
                fake.said.put(body["say"])
                self.answer("{}")
        except OSError:
            pass

    def run(self, body):
        """Sends begin, then what the test puts into run_lines until it puts None, then the end."""
        case = self.fake.recorded.runs[body["case"] or "mixed-31"]
        self.line({"event": "run", "id": "r1"})
        self.line(case["begin"])
        while (part := self.fake.run_lines.get()) is not None:
            expected = [int(each * part["read"]) for each in case["begin"]["expected"]]
            self.line({"event": "progress", "run": 1, "state": part.get("state", "running"),
                       "steps": 1, "blocks": 0, "elapsed_s": 0.1,
                       "elements_read": int(part["read"] * case["begin"]["length"]),
                       "of_read": expected,
                       "histogram": [int(each * part["held"]) for each in expected]})
        self.line(case["result"])
        self.line(case["end"])

    def log_message(self, *ignored):
        pass


if __name__ == "__main__":
    fake = Fake(*sys.argv[1:])
    for _ in range(20):
        fake.run_lines.put({"read": 0.7, "held": 0.4})
    print(f"{fake.url}/lab/{LAB}", flush=True)
    threading.Event().wait()
