"""A headless Chromium for tests: one page, driven by the DevTools protocol through a pair of
pipes. It needs no port, no driver and no Python package."""
import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
import time

from histolab_program import PATIENCE, wait_until


def find_chromium():
    return next((path
                 for path in map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))
                 if path), None)


class Browser:
    """Used in a `with`. `events` has the page's events since it was opened: (method,
    parameters)."""

    def __init__(self, program, width=1280, height=900):
        self.profile = tempfile.TemporaryDirectory(prefix="histolab-chromium-",
                                                   ignore_cleanup_errors=True)
        to_browser, self.to = os.pipe()
        self.come, from_browser = os.pipe()

        def on_3_and_4():
            held = [os.dup(to_browser), os.dup(from_browser)]  # so 3 and 4 are free
            os.dup2(held[0], 3)
            os.dup2(held[1], 4)

        self.log = open(os.path.join(self.profile.name, "log"), "w+b")
        self.process = subprocess.Popen(
            [program, "--headless=new", "--remote-debugging-pipe", "--no-sandbox", "--no-first-run",
             "--disable-gpu", "--disable-dev-shm-usage", "--disable-background-networking",
             "--disable-extensions", "--hide-scrollbars", "--force-color-profile=srgb",
             f"--window-size={width},{height}", f"--user-data-dir={self.profile.name}/data",
             "about:blank"],
            stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log, close_fds=False,
            preexec_fn=on_3_and_4)
        os.close(to_browser)
        os.close(from_browser)
        self.buffer, self.number, self.session, self.events = b"", 0, None, []
        self.new_tab(width, height)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        try:
            self.process.wait(timeout=60)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        os.close(self.to)
        os.close(self.come)
        self.log.close()
        self.profile.cleanup()

    def receive(self, seconds):
        """One message, or None if none arrives in time."""
        end = time.monotonic() + seconds
        while b"\0" not in self.buffer:
            ready, _, _ = select.select([self.come], [], [], max(0, end - time.monotonic()))
            if not ready:
                return None
            read = os.read(self.come, 1 << 20)
            if not read:
                self.log.seek(0)
                raise RuntimeError("the browser has ended: " +
                                   self.log.read().decode(errors="replace")[-2000:])
            self.buffer += read
        message, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(message)

    def call(self, method, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        self.send(json.dumps(message).encode() + b"\0")
        while True:
            got = self.receive(PATIENCE)
            if got is None:
                raise TimeoutError(f"no answer to {method}")
            if got.get("id") == self.number:
                if "error" in got:
                    raise RuntimeError(f"{method}: {got['error']['message']}")
                return got["result"]
            if "method" in got:
                self.events.append((got["method"], got["params"]))

    def send(self, data):
        while data:
            data = data[os.write(self.to, data):]

    def wait_for(self, method):
        end = time.monotonic() + PATIENCE
        while not any(name == method for name, _ in self.events):
            got = self.receive(max(0, end - time.monotonic()))
            if got is None:
                raise TimeoutError(f"{method} did not come")
            if "method" in got:
                self.events.append((got["method"], got["params"]))

    def size(self, width, height, phone=False):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height,
                  deviceScaleFactor=1, mobile=phone)

    def media(self, dark=False, printed=False):
        self.call("Emulation.setEmulatedMedia", media="print" if printed else "screen",
                  features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])

    def new_tab(self, width=1280, height=900):
        """Opens a tab and continues there. Returns it for use_tab() and close_tab()."""
        self.session = None
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self.session = session
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(domain + ".enable")
        self.size(width, height)
        return target, session

    def use_tab(self, tab):
        """Continues in this tab. `events` has the events of every tab."""
        self.session = tab[1]

    def close_tab(self, tab):
        """Closes a tab, without asking the page; then use_tab() must choose another one."""
        self.session = None
        self.call("Target.closeTarget", targetId=tab[0])

    def on_each_page(self, script):
        """Runs a script in each page that the current tab opens from now on, before its own."""
        self.call("Page.addScriptToEvaluateOnNewDocument", source=script)

    def scripts(self, allowed):
        self.call("Emulation.setScriptExecutionDisabled", value=not allowed)

    def open(self, path):
        """Loads a file and waits until it is loaded."""
        self.open_url("file://" + os.path.abspath(path))

    def open_url(self, url):
        """Loads an address and waits until it is loaded."""
        self.events = []
        self.call("Page.navigate", url=url)
        self.wait_for("Page.loadEventFired")

    def becomes_true(self, expression):
        """Waits until the JavaScript expression is true. Returns False if that does not happen."""
        return wait_until(lambda: self.value(expression))

    def value(self, expression):
        """The value of a JavaScript expression, as JSON."""
        got = self.call("Runtime.evaluate", expression=expression, returnByValue=True,
                        awaitPromise=True)
        if "exceptionDetails" in got:
            raise RuntimeError(got["exceptionDetails"].get("exception",
                                                           {}).get("description",
                                                                   got["exceptionDetails"]["text"]))
        return got["result"].get("value")

    def click(self, selector):
        """Clicks like a mouse, in the middle of the element."""
        x, y = self.value(f"(() => {{ const e = document.querySelector({json.dumps(selector)}); "
                          f"e.scrollIntoView({{block: 'center'}}); const r = "
                          f"e.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / "
                          f"2]; }})()")
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def press(self, key, code=None, text="", control=False, shift=False):
        codes = {"Enter": 13, "Tab": 9, " ": 32, "Escape": 27, "ArrowLeft": 37, "ArrowUp": 38,
                 "ArrowRight": 39, "ArrowDown": 40, "End": 35, "Home": 36}
        number = codes.get(key) or (ord(key.upper()) if len(key) == 1 else 0)
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key, code=code or key,
                      windowsVirtualKeyCode=number, modifiers=2 * control + 8 * shift,
                      text=text if kind == "keyDown" else "")

    def type(self, text):
        self.call("Input.insertText", text=text)

    def screenshot(self, path):
        with open(path, "wb") as out:
            out.write(base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"]))

    def pdf(self):
        return base64.b64decode(self.call("Page.printToPDF", printBackground=True, paperWidth=8.27,
                                          paperHeight=11.69)["data"])

    def complaints(self):
        """Everything written to the console, thrown or logged, and every network request."""
        errors = []
        for name, data in self.events:
            if name == "Runtime.consoleAPICalled":
                errors.append("console." + data["type"])
            elif name == "Runtime.exceptionThrown":
                errors.append(data["exceptionDetails"]["text"])
            elif name == "Log.entryAdded":
                errors.append(data["entry"]["text"])
        requests = [data["request"]["url"] for name, data in self.events
                    if name == "Network.requestWillBeSent"]
        return errors, [url for url in requests if not url.startswith("file://")] + requests[1:]
