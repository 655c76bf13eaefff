"""A running `histolab serve` for tests, and a client of it."""
import http.client
import json
import pathlib
import re
import signal
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tests"))
from histolab_program import PATIENCE, begin_program, command  # noqa: E402

LINK = re.compile(r"http://(127\.0\.0\.1:(\d+))(/j/[0-9a-f]{32}\S*)")


class Server:
    """Used in a `with`: a server whose work/ is in `folder`."""

    def __init__(self, folder, *options, program=None):
        words = command("serve", "--no-browser", *options)
        self.process = begin_program([program or words[0]] + words[1:], cwd=folder)
        printed = ""
        while not (found := LINK.search(printed)):
            line = self.process.stdout.readline()
            if not line:
                raise RuntimeError("serve ended: " + printed + self.process.stderr.read())
            printed += line
        self.host, self.port, self.link = found[1], int(found[2]), found[3]
        self.printed = printed
        self.cookie = None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop(signal.SIGTERM)

    def stop(self, with_signal):
        if self.process.poll() is None:
            self.process.send_signal(with_signal)
        self.process.communicate(timeout=PATIENCE)

    def enter(self):
        """Follows the secret link."""
        reply = self.ask("GET", self.link)
        self.cookie = reply.getheader("Set-Cookie").split(";")[0]
        return self

    def begin(self, method, path, body=None, headers=()):
        """Sends a request. Returns the reply, whose body may still be arriving."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        all_headers = {"Host": self.host, "Origin": f"http://{self.host}"}
        if self.cookie:
            all_headers["Cookie"] = self.cookie
        if isinstance(body, (dict, list)):
            body = json.dumps(body)
            all_headers["Content-Type"] = "application/json"
        all_headers.update(headers)
        connection.request(method, path, body,
                           {name: value for name, value in all_headers.items() if value})
        reply = connection.getresponse()
        reply.connection = connection  # it must live as long as the reply
        return reply

    def ask(self, method, path, body=None, headers=()):
        """The same; reads the whole body into `text`."""
        reply = self.begin(method, path, body, headers)
        reply.text = reply.read().decode()
        reply.connection.close()
        return reply

    def get(self, path):
        return self.ask("GET", path)

    def post(self, path, body, **headers):
        return self.ask("POST", path, body, headers)

    def text_of(self, lab):
        return json.loads(self.get(f"/api/labs/{lab}/text").text)

    def save(self, lab, text, base=None, force=False):
        """All events of a save."""
        base = base if base is not None else self.text_of(lab)["sha256"]
        reply = self.post(f"/api/labs/{lab}/save", {"text": text, "base": base, "force": force})
        return [json.loads(line) for line in reply.text.splitlines()]


class Events:
    """A stream of JSON lines, used in a `with`."""

    def __init__(self, reply):
        self.reply = reply

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.reply.connection.close()

    def next(self, *names):
        """The next event, of one of these names if any is given."""
        while True:
            line = self.reply.readline()
            if not line:
                raise EOFError("the stream has ended")
            event = json.loads(line)
            if not names or event["event"] in names:
                return event


def processes_of(*words):
    """The ids that `pgrep -f` finds with these words."""
    listed = subprocess.run(["pgrep", "-f", *words], capture_output=True, text=True, check=False)
    return listed.stdout.split()
