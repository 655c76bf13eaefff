"""Drives clangd like an editor: the Language Server Protocol on its standard input and output, one
request at a time.
"""
import json
import pathlib
import re
import subprocess
import time

from histolab_program import PATIENCE


class LanguageServer:
    def __init__(self, program, folder):
        self.process = subprocess.Popen([program, "--log=error", "--background-index=0"],
                                        cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.DEVNULL)
        self.number = 0
        self.published = {}  # uri: its last diagnostics
        self.request("initialize", {"processId": None, "rootUri": None,
                                    "capabilities":
                                        {"textDocument":
                                             {"hover": {"contentFormat": ["plaintext"]}}}})
        self.send({"method": "initialized", "params": {}})

    def __enter__(self):
        return self

    def __exit__(self, *failure):
        self.process.kill()
        self.process.communicate()

    def send(self, message):
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.process.stdin.flush()

    def receive(self):
        length = 0
        while header := self.process.stdout.readline().strip():
            name, value = header.split(b":", 1)
            if name.lower() == b"content-length":
                length = int(value)
        if length == 0:
            raise EOFError(f"clangd ended with {self.process.wait()}")
        message = json.loads(self.process.stdout.read(length))
        if message.get("method") == "textDocument/publishDiagnostics":
            self.published[message["params"]["uri"]] = message["params"]["diagnostics"]
        return message

    def request(self, method, parameters):
        self.number += 1
        self.send({"id": self.number, "method": method, "params": parameters})
        while (answer := self.receive()).get("id") != self.number or "method" in answer:
            pass
        return answer["result"]

    def open(self, path, text=None):
        """Opens the file, with another text if one is given, and returns its diagnostics."""
        document = Document(self, pathlib.Path(path).as_uri(),
                            pathlib.Path(path).read_text() if text is None else text)
        self.send({"method": "textDocument/didOpen", "params": {
            "textDocument": {"uri": document.uri, "languageId": "cuda-cpp", "version": 1,
                             "text": document.text}}})
        while document.uri not in self.published:
            self.receive()
        return document


class Document:
    def __init__(self, server, uri, text):
        self.server, self.uri, self.text = server, uri, text

    def diagnostics(self):
        """(line, severity, message) of each; severity 1 is an error, 2 a warning."""
        return [(each["range"]["start"]["line"] + 1, each["severity"], each["message"])
                for each in self.server.published[self.uri]]

    def close(self):
        self.server.send({"method": "textDocument/didClose",
                          "params": {"textDocument": {"uri": self.uri}}})

    def place(self, words, behind=1):
        """Returns the position after the first characters of the first occurrence of the words."""
        before = self.text[: self.text.index(words) + behind]
        return {"textDocument": {"uri": self.uri},
                "position": {"line": before.count("\n"),
                             "character": len(before) - before.rfind("\n") - 1}}

    def hover(self, words, fragment):
        """Returns the hover text in one line. Waits for the fragment, because clangd still indexes
        headers."""
        end = time.monotonic() + PATIENCE
        while True:
            answer = self.server.request("textDocument/hover", self.place(words))
            # definitions may have several lines
            shown = re.sub(r"\s*\\?\n\s*", " ", answer["contents"]["value"]) if answer else ""
            if fragment in shown or time.monotonic() > end:
                return shown
            time.sleep(0.05)

    def completions(self, beginning):
        """{name: documentation}"""
        answer = self.server.request("textDocument/completion",
                                     self.place(beginning, len(beginning)))
        names = {}
        for item in answer["items"]:
            text = item.get("documentation", "")
            names.setdefault(item["filterText"], text if isinstance(text, str) else text["value"])
        return names
