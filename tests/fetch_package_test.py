"""Tests cmake/fetch_package.py with local package indexes and a small archive: the extracted files,
the search, and the errors. It needs no network.
"""
import base64
import contextlib
import errno
import hashlib
import http.server
import importlib.util
import io
import json
import os
import pathlib
import socket
import sys
import tarfile
import threading
import zipfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "grader" / "tests"))
from histolab_program import SOURCE, Checks, run_program, temporary_folder  # noqa: E402

SCRIPT = SOURCE / "cmake" / "fetch_package.py"
check = Checks()
NAME = "imgui_bundle-1.93.0.tar.gz"
TOP = "imgui_bundle-1.93.0/external/"
ENGINE = TOP + "imgui_test_engine/imgui_test_engine/imgui_test_engine/"
WANTED = {
    TOP + "imgui/imgui/imgui.h": "imgui/imgui.h",
    TOP + "imgui/imgui/LICENSE.txt": "imgui/LICENSE.txt",
    TOP +
    "imgui/imgui/backends/imgui_impl_opengl3_loader.h":
        "imgui/backends/imgui_impl_opengl3_loader.h",
    TOP + "imgui/imgui/misc/cpp/imgui_stdlib.cpp": "imgui/misc/cpp/imgui_stdlib.cpp",
    TOP + "imgui/imgui/misc/fonts/Roboto-Medium.ttf": "imgui/misc/fonts/Roboto-Medium.ttf",
    TOP + "implot/implot/implot.h": "implot/implot.h",
    ENGINE + "imgui_te_engine.h": "imgui_test_engine/imgui_te_engine.h",
    ENGINE + "thirdparty/Str/Str.h": "imgui_test_engine/thirdparty/Str/Str.h",
}
EDITOR = "nicegui/elements/codemirror/dist/"
UNWANTED = [TOP + "imgui/imgui/backends/imgui_impl_dx12.cpp",
            TOP + "imgui/imgui/misc/fonts/DroidSans.ttf", "imgui_bundle-1.93.0/pyproject.toml",
            TOP + "implot/implot/example/main.cpp", TOP + "imgui/imgui/../../../../escaped.cpp"]


def archive(members):
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode="w:gz") as files:
        for member in members:
            info = tarfile.TarInfo(member)
            info.size = len(member)
            files.addfile(info, io.BytesIO(member.encode()))
        link = tarfile.TarInfo(TOP + "imgui/imgui/link.h")
        link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
        files.addfile(link)
    return data.getvalue()


ARCHIVE = archive([*WANTED, *UNWANTED])


class Index(http.server.BaseHTTPRequestHandler):
    """Serves several indexes: /json, /html, /locked, ..."""

    asked = []

    def answer(self, body, kind="text/html", code=200, length=None):
        self.send_response(code)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body) if length is None else length))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        Index.asked.append(self.path)
        index = self.path.split("/")[1]
        first = sum(path.endswith(NAME) for path in Index.asked) == 1
        if (index == "locked" and
            self.headers.get("Authorization") != "Basic " +
            base64.b64encode(b"me:s3cret@").decode()):
            self.answer(b"", code=401)
        elif self.path.endswith(NAME):
            torn = index == "torn" or (index == "torn-once" and first)
            self.answer(ARCHIVE[:100] if torn else ARCHIVE, "application/gzip", length=len(ARCHIVE))
        elif index == "json":
            files = [{"filename": "imgui_bundle-1.93.0-cp311-cp311-any.whl", "url": "a.whl"},
                     {"filename": NAME, "url": f"../../files/{NAME}"}]
            self.answer(json.dumps({"files": files}).encode(),
                        "application/vnd.pypi.simple.v1+json")
        elif index == "broken":
            self.answer(b"", code=503)
        elif index == "missing":
            self.answer(b"", code=404)
        elif index == "other":
            self.answer(b'<a href="imgui_bundle-1.92.9.tar.gz">old</a>')
        elif index == "nonsense":
            self.answer(b'{"files": 1}', "application/json")
        else:
            self.answer(f'<a href="/{index}/{NAME}#sha256=0">it</a>'.encode())

    def log_message(self, *ignored):
        pass


def fetch(folder, pins, **settings):
    """Runs the script with only these pip settings."""
    Index.asked.clear()
    environment = {name: value for name, value in os.environ.items()
                   if not name.startswith("PIP_") and not name.lower().endswith("_proxy")}
    environment |= {"PIP_CONFIG_FILE": os.devnull,
                    "no_proxy": "*"} | {"PIP_" + name: value for name, value in settings.items()}
    return run_program([sys.executable, SCRIPT, pins, folder], env=environment)


def files_in(folder):
    return {str(file.relative_to(folder)) for file in folder.rglob("*") if not file.is_dir()}


def main(work):
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Index)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    host = f"127.0.0.1:{server.server_port}"
    pins, wrong_pins, folder = work / "imgui.txt", work / "wrong.txt", work / "a place" / "imgui"
    line = "# a comment\nimgui-bundle==1.93.0 \\\n    --hash=sha256:{}\n"
    pins.write_text(line.format(hashlib.sha256(ARCHIVE).hexdigest()))
    wrong_pins.write_text(line.format("0" * 64))
    links = work / "links"
    links.mkdir()
    (links / NAME).write_bytes(ARCHIVE)
    simple = work / "simple" / "imgui-bundle"
    simple.mkdir(parents=True)
    (simple / "index.html").write_text(f'<a href="{(links / NAME).as_uri()}">it</a>')
    config = work / "pip.conf"
    config.write_text(f"[global]\nindex-url = http://{host}/missing\nextra-index-url =\n"
                      f"    http://{host}/other\n    http://{host}/html\n")

    def succeeds(what, pins=pins, **settings):
        done = fetch(folder, pins, **settings)
        check(done.returncode == 0, f"{what}: status {done.returncode}", done.stdout, done.stderr)
        check(files_in(folder) == {*WANTED.values(), "imgui.txt"}, f"{what}: what is there",
              files_in(folder))
        check(not folder.with_name("imgui.part").exists(), f"{what}: an incomplete folder is left")
        return done

    def fails(what, *says, pins=pins, folder=folder, **settings):
        before = files_in(folder)
        done = fetch(folder, pins, **settings)
        check(done.returncode == 2, f"{what}: status {done.returncode}, not 2", done.stdout,
              done.stderr)
        check(len(done.stderr.splitlines()) == 2,
              f"{what}: not two lines, the problem and the remedy", done.stderr)
        for words in says:
            check(words in done.stderr, f"{what}: does not say {words!r}", done.stderr)
        check(files_in(folder) == before, f"{what}: existing files are changed")
        check(not folder.with_name("imgui.part").exists(), f"{what}: an incomplete folder is left")
        return done

    # First without files, then with the files of an earlier fetch.
    for _ in range(2):
        fails("another archive", f"{NAME} is not the file", hashlib.sha256(ARCHIVE).hexdigest(),
              "0" * 64, pins=wrong_pins, INDEX_URL=f"http://{host}/html")
        fails("a torn download", "broke off", "PIP_FIND_LINKS=FOLDER",
              INDEX_URL=f"http://{host}/torn")
        check(sum(path.endswith(NAME) for path in Index.asked) == 3,
              "a torn download is not tried three times", Index.asked)
        succeeds("an index in JSON", INDEX_URL=f"http://{host}/json")
        for member, place in WANTED.items():
            check((folder / place).read_text() == member, f"{place} is another file")
        check((folder / "imgui.txt").read_text() == pins.read_text(), "imgui.txt is not the pins")
        check(not list(work.rglob("escaped.cpp")), "a file of the archive went elsewhere")
        (folder / "stale.h").write_text("of an older version")
    succeeds("an index in HTML", INDEX_URL=f"http://{host}/html/")
    succeeds("a download that is torn once", INDEX_URL=f"http://{host}/torn-once")
    succeeds("pip's settings in a file", CONFIG_FILE=str(config))
    succeeds("a folder with the archive", NO_INDEX="1", FIND_LINKS=f"/nowhere {links}")
    succeeds("a folder as an address", NO_INDEX="yes", FIND_LINKS=links.as_uri())
    succeeds("a page of links", NO_INDEX="1", FIND_LINKS=f"http://{host}/html")
    succeeds("an index in a folder", INDEX_URL=simple.parent.as_uri())
    succeeds("what is found in a folder needs no index", INDEX_URL="http://127.0.0.1:1/simple",
             FIND_LINKS=str(links))
    done = succeeds("an index with a password", INDEX_URL=f"http://me:s3cret%40@{host}/locked")
    check("s3cret" not in done.stdout + done.stderr, "the password is shown", done.stdout,
          done.stderr)
    done = fails("a wrong password", "answers 401", INDEX_URL=f"http://me:s3cret@{host}/locked")
    check("s3cret" not in done.stderr, "the password is shown", done.stderr)

    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))
        fails("no network", "cannot be reached", "is there a network?", "PIP_FIND_LINKS=FOLDER",
              INDEX_URL=f"http://127.0.0.1:{nobody.getsockname()[1]}/simple")
    fails("a broken index", "answers 503", INDEX_URL=f"http://{host}/broken")
    fails("an index without it",
          f"there is no imgui-bundle 1.93.0 as a source archive in "
          f"http://{host}/missing/imgui-bundle/", "pip3 config list",
          INDEX_URL=f"http://{host}/missing")
    fails("an index with another version only", "there is no imgui-bundle 1.93.0",
          INDEX_URL=f"http://{host}/other")
    fails("no index at all", "any place that pip looks in", NO_INDEX="1")
    fails("nonsense for an index", "is no page of a package index",
          INDEX_URL=f"http://{host}/nonsense")
    fails("certificates that are not there", "/nowhere/ca.pem", "PIP_CERT",
          INDEX_URL=f"http://{host}/html", CERT="/nowhere/ca.pem")
    fails("a folder that cannot be made", "cannot write", folder=links / NAME / "imgui",
          NO_INDEX="1", FIND_LINKS=str(links))
    (links / NAME).write_bytes(other := archive([*UNWANTED]))
    pins.write_text(line.format(hashlib.sha256(other).hexdigest()))
    fails("an archive without it", "the archive has no imgui/imgui.h", NO_INDEX="1",
          FIND_LINKS=str(links))

    # A wheel is a zip archive, and its files are in other folders.
    wheel, editor = links / "nicegui-3.18.0-py3-none-any.whl", work / "editor"
    taken = {"nicegui-3.18.0.dist-info/licenses/LICENSE": "LICENSE",
             **{EDITOR + name: name for name in ("index.js", "index-ciMdZ5pn.js",
                                                 "index-fNO8kRX1.js", "index-C83tnP_C.js")}}
    with zipfile.ZipFile(wheel, "w") as files:
        for member in (*taken, EDITOR + "index-other.js", "nicegui/elements/index.js",
                       EDITOR + "../index.js"):
            files.writestr(member, member)
    of_editor = work / "editor.txt"
    of_editor.write_text("nicegui==3.18.0 --hash=sha256:" +
                         hashlib.sha256(wheel.read_bytes()).hexdigest())
    done = fetch(editor, of_editor, NO_INDEX="1", FIND_LINKS=str(links))
    check(done.returncode == 0 and files_in(editor) == {*taken.values(), "editor.txt"},
          "a wheel: what is there", files_in(editor), done.stdout, done.stderr)
    for member, place in taken.items():
        check((editor / place).read_text() == member, f"{place} is another file")
    wheel.write_bytes(b"no zip")
    of_editor.write_text("nicegui==3.18.0 --hash=sha256:" + hashlib.sha256(b"no zip").hexdigest())
    fails("a wheel that is no zip archive", "cannot be unpacked", pins=of_editor, folder=editor,
          NO_INDEX="1", FIND_LINKS=str(links))

    # A disk that is full at the first write.
    specification = importlib.util.spec_from_file_location("fetch_package", SCRIPT)
    script = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(script)

    def full(*ignored):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    script.open, script.pip_settings = full, lambda: {"no-index": "1", "find-links": str(links)}
    said, status = io.StringIO(), None
    sys.argv = [str(SCRIPT), str(pins), str(folder)]
    with contextlib.redirect_stderr(said), contextlib.redirect_stdout(io.StringIO()):
        try:
            script.main()
        except SystemExit as end:
            status = end.code
    check(status == 2 and f"the disk of {folder.parent} is full" in said.getvalue() and
          "HISTOLAB_BUILD_DIR" in said.getvalue(),
          "a full disk", status, said.getvalue())
    check(not folder.with_name("imgui.part").exists(), "a full disk: an incomplete folder is left")
    server.shutdown()


with temporary_folder() as scratch:
    main(scratch.resolve())
check.finish()
