#!/usr/bin/env python3
"""Fetches files that no distribution has from a Python package: Dear ImGui for the viewer, and
CodeMirror 6 for the pages of `serve`.

  fetch_package.py PINS FOLDER   PINS is cmake/imgui.txt or cmake/editor.txt: the package's name,
                                 version and sha256

FOLDER gets the few files that RECIPES names, with their licences, and a copy of PINS. It is
created atomically: the work is done in FOLDER.part. The archive is downloaded as pip would do it:
pip's files and environment (PIP_INDEX_URL, ...) set the index, folders or pages of links, a proxy
and certificates.

`pip download --no-binary :all: --require-hashes` gets the same archive. But first it installs and
runs the package's build tools to get its metadata, which takes 89 s instead of 4 s.

Lines like "12 of 54 MB" on the standard output report progress. An error has two lines on the
standard error: the problem and a remedy; the status is then 2.
"""
import base64
import configparser
import errno
import hashlib
import html.parser
import http.client
import json
import os
import pathlib
import re
import shutil
import socket
import ssl
import sys
import tarfile
import time
import typing
import urllib.error
import urllib.parse
import urllib.request
import zipfile
import zlib



class Recipe(typing.NamedTuple):
    """The files of a package. `kind` and `ending` describe its archive. `parts`: folder in FOLDER,
    folder in the archive (below its first folder), and a pattern of the files to extract."""
    kind: str
    ending: str
    parts: list
    needed: list


RECIPES = {
    "imgui-bundle": Recipe("source archive", ".tar.gz", [
        ("imgui", "external/imgui/imgui",
         r"(backends/imgui_impl_(glfw|opengl3\w*)\.(cpp|h)|misc/cpp/imgui_stdlib\.(cpp|h)|"
         r"[^/]+\.(cpp|h)|LICENSE\.txt"
         r"|misc/fonts/(Roboto-Medium|Cousine-Regular)\.ttf)"),
        ("implot", "external/implot/implot", r"([^/]+\.(cpp|h)|LICENSE)"),
        ("imgui_test_engine", "external/imgui_test_engine/imgui_test_engine/imgui_test_engine",
         r"((thirdparty/\w+/)?[^/]+\.(cpp|h)|LICENSE\.txt)"),
    ], ["imgui/imgui.h", "implot/implot.h", "imgui_test_engine/imgui_te_engine.h"]),
    # CodeMirror 6 as one ES module, its mode for C++, and what these two import.
    "nicegui": Recipe("wheel", "-py3-none-any.whl", [
        ("", "elements/codemirror/dist", r"index(-(ciMdZ5pn|fNO8kRX1|C83tnP_C))?\.js"),
        ("", "licenses", "LICENSE"),
    ], ["index.js", "index-ciMdZ5pn.js", "index-fNO8kRX1.js", "index-C83tnP_C.js"]),
}
TRIES = 3
NETWORK = (urllib.error.URLError, http.client.HTTPException, ssl.SSLError, socket.timeout,
           ConnectionError)


class Failure(Exception):
    """A problem and its remedy."""

    def __init__(self, problem: str, remedy: str):
        super().__init__(problem)
        self.problem, self.remedy = problem, remedy


class Pin:
    """The package in PINS."""

    def __init__(self, file: pathlib.Path):
        text = " ".join(line for line in file.read_text().splitlines()
                        if not line.startswith("#")).replace("\\", " ")
        found = re.fullmatch(r"\s*([\w.-]+)==([\w.]+)\s+--hash=sha256:([0-9a-f]{64})\s*", text)
        if not found:
            sys.exit(f"{file} is not a line NAME==VERSION --hash=sha256:...")
        self.file = file
        self.name, self.version, self.sha256 = found.groups()
        self.recipe = RECIPES[self.page()]

    def archive(self) -> str:
        return f"{self.name}-{self.version}{self.recipe.ending}"

    def page(self) -> str:
        return re.sub(r"[-_.]+", "-", self.name).lower()  # PEP 503

    def is_archive(self, name: str) -> bool:
        found = re.fullmatch(r"(.+)-" + re.escape(self.version + self.recipe.ending), name)
        return bool(found) and re.sub(r"[-_.]+", "-", found[1]).lower() == self.page()


# ---- pip's settings ------------------------------------------------------------------------
def pip_settings() -> dict:
    home = pathlib.Path.home()
    own = os.environ.get("PIP_CONFIG_FILE", "")
    files = [pathlib.Path(folder, "pip", "pip.conf")
             for folder in reversed(os.environ.get("XDG_CONFIG_DIRS", "/etc/xdg").split(":"))]
    files += [pathlib.Path("/etc/pip.conf")]
    if own != os.devnull:
        files += [home / ".pip/pip.conf",
                  pathlib.Path(os.environ.get("XDG_CONFIG_HOME") or home / ".config",
                               "pip/pip.conf"), pathlib.Path(sys.prefix, "pip.conf"),
                  *([pathlib.Path(own)] if own else [])]
    else:
        files = []
    settings = {}
    for file in files:
        parser = configparser.RawConfigParser()
        try:
            parser.read(file, encoding="utf-8")
        except (configparser.Error, OSError, UnicodeDecodeError) as failure:
            raise Failure(f"pip's settings in {file} cannot be read: {failure}",
                          "fix that file and run this again") from None
        for section in ("global", "download"):
            if parser.has_section(section):
                settings.update(parser.items(section))
    for name, value in os.environ.items():
        if name.startswith("PIP_") and value:
            settings[name[4:].lower().replace("_", "-")] = value
    return {name.replace("_", "-"): value for name, value in settings.items()}


def is_true(word: str) -> bool:
    return word.strip().lower() in ("1", "y", "yes", "t", "true", "on")


def seconds(word: str) -> float:
    try:
        return float(word)
    except ValueError:
        return 30.0


def shown(url: str) -> str:
    """Returns the address without a password."""
    return re.sub(r"//[^/@]*@", "//", url.partition("#")[0])


class Web:
    """Opens addresses with pip's certificates and proxy. A login in an address applies to its
    host."""

    def __init__(self, settings: dict):
        self.seconds = seconds(settings.get("timeout") or settings.get("default-timeout") or "")
        self.logins = {}
        self.trusted = settings.get("trusted-host", "").split()
        certificates = (settings.get("cert") or os.environ.get("REQUESTS_CA_BUNDLE") or
                        os.environ.get("CURL_CA_BUNDLE"))
        if certificates and not os.path.exists(certificates):
            raise Failure(f"there are no certificates in {certificates}, which pip's settings name",
                          "look at PIP_CERT and `pip3 config list`, and run this again")
        folder = bool(certificates) and os.path.isdir(certificates)
        self.checking = ssl.create_default_context(cafile=None if folder else certificates,
                                                   capath=certificates if folder else None)
        if settings.get("client-cert"):
            self.checking.load_cert_chain(settings["client-cert"])
        self.trusting = ssl.create_default_context()
        self.trusting.check_hostname, self.trusting.verify_mode = False, ssl.CERT_NONE
        proxy = settings.get("proxy")
        self.proxies = urllib.request.ProxyHandler({"http": proxy, "https": proxy} if proxy
                                                   else None)

    def open(self, url: str, accept: str = "*/*"):
        parts = urllib.parse.urlsplit(url)
        login, _, place = parts.netloc.rpartition("@")
        if login:
            name, _, password = login.partition(":")
            self.logins[place] = f"{urllib.parse.unquote(name)}:{urllib.parse.unquote(password)}"
        request = urllib.request.Request(urllib.parse.urlunsplit(parts._replace(netloc=place)),
                                         headers={"Accept": accept, "User-Agent": "histolab"})
        if place in self.logins:
            request.add_unredirected_header("Authorization",
                                            "Basic " +
                                            base64.b64encode(self.logins[place].encode()).decode())
        trusted = parts.hostname in self.trusted or place in self.trusted
        opener = urllib.request.build_opener(
            self.proxies,
            urllib.request.HTTPSHandler(context=self.trusting if trusted else self.checking))
        return opener.open(request, timeout=self.seconds)


class Links(html.parser.HTMLParser):
    """Collects the addresses on a page (PEP 503)."""

    def __init__(self, base: str):
        super().__init__()
        self.base, self.urls = base, []

    def handle_starttag(self, tag, attrs):
        target = dict(attrs).get("href")
        if target and tag == "base":
            self.base = urllib.parse.urljoin(self.base, target)
        elif target and tag == "a":
            self.urls.append(urllib.parse.urljoin(self.base, target))


def links_of(web: Web, url: str) -> list:
    accept = ("application/vnd.pypi.simple.v1+json, application/vnd.pypi.simple.v1+html;q=0.2, "
              "text/html;q=0.1")
    with web.open(url, accept) as page:
        text, base = page.read().decode("utf-8", "replace"), page.url or url
        if "json" in (page.headers.get("Content-Type") or ""):
            return [urllib.parse.urljoin(base, file["url"]) for file in json.loads(text)["files"]]
    links = Links(base)
    links.feed(text)
    return links.urls


def file_name(url: str) -> str:
    return urllib.parse.unquote(urllib.parse.urlsplit(url).path.rsplit("/", 1)[-1])


def local_files(place: str) -> list:
    """Returns the files that pip would find in a configured folder or file, or [] if it is
    missing."""
    path = pathlib.Path(urllib.request.url2pathname(urllib.parse.urlsplit(place).path)
                        if place.startswith("file:") else place).expanduser()
    try:
        return [file.resolve().as_uri()
                for file in (sorted(path.iterdir()) if path.is_dir() else [path]) if file.is_file()]
    except OSError:
        return []


def find_archive(pin: Pin, settings: dict, web: Web) -> str:
    """Returns the archive's address. Unreadable pages only matter if no other place has it."""
    indexes = []
    if not is_true(settings.get("no-index", "")):
        indexes = [settings.get("index-url") or "https://pypi.org/simple",
                   *settings.get("extra-index-url", "").split()]
    looked, trouble = [], None
    for place in settings.get("find-links", "").split() + indexes:
        page = f"{place.rstrip('/')}/{pin.page()}/" if place in indexes else place
        if place in indexes and place.startswith("file:"):
            page += "index.html"
        looked.append(shown(page))
        try:
            is_page = place in indexes or re.match("https?:", place)
            urls = links_of(web, page) if is_page else local_files(place)
        except urllib.error.HTTPError as failure:
            trouble = trouble or (failure if failure.code != 404 else None)
            continue
        except NETWORK as failure:
            trouble = trouble or failure
            continue
        except (ValueError, KeyError, TypeError, AttributeError) as failure:
            trouble = trouble or Failure(f"{shown(page)} is no page of a package index ({failure})",
                                         "check whether pip uses another index (pip3 config list)")
            continue
        for url in urls:
            if pin.is_archive(file_name(url)):
                return url
    if trouble:
        raise trouble
    raise Failure(f"there is no {pin.name} {pin.version} as a {pin.recipe.kind} in "
                  f"{', '.join(looked) or 'any place that pip looks in'}",
                  "check whether pip uses another index (pip3 config list)")


# ---- the download ------------------------------------------------------------------------------
def download(web: Web, url: str, file: pathlib.Path) -> str:
    """Downloads the complete file and returns its sha256."""
    digest, got, shown_at = hashlib.sha256(), 0, 0.0
    with web.open(url) as source, open(file, "wb") as copy:
        size = int(source.headers.get("Content-Length") or 0)
        while True:
            block = source.read(1 << 18)
            if not block:
                break
            copy.write(block)
            digest.update(block)
            got += len(block)
            if size and (time.monotonic() - shown_at > 0.2 or got == size):
                shown_at = time.monotonic()
                print(f"{got / 1e6:.0f} of {size / 1e6:.0f} MB", flush=True)
    if got < size:
        raise http.client.IncompleteRead(b"", size - got)
    return digest.hexdigest()


def place_of(member: str, recipe: Recipe):
    """Returns the place of a file of the archive, or None to skip it."""
    inside = member.split("/", 1)[-1]
    for part, folder, wanted in recipe.parts:
        if inside.startswith(folder + "/") and re.fullmatch(wanted, inside[len(folder) + 1:]):
            return pathlib.PurePosixPath(part, inside[len(folder) + 1:])
    return None


def members_of(archive: pathlib.Path, recipe: Recipe):
    """Yields the name of each file of the archive, and a function that opens it."""
    if recipe.ending.endswith(".whl"):
        with zipfile.ZipFile(archive) as files:
            for name in files.namelist():
                yield name, lambda name=name: files.open(name)
    else:
        with tarfile.open(archive, "r|gz") as files:
            for member in files:
                if member.isfile():
                    yield member.name, lambda member=member: files.extractfile(member)


def unpack(archive: pathlib.Path, folder: pathlib.Path, recipe: Recipe) -> None:
    for name, open_member in members_of(archive, recipe):
        place = place_of(name, recipe)
        if place is None:
            continue
        target = folder / place
        target.parent.mkdir(parents=True, exist_ok=True)
        with open_member() as source, open(target, "wb") as copy:
            shutil.copyfileobj(source, copy)
    for file in recipe.needed:
        if not (folder / file).exists():
            raise Failure(f"the archive has no {file}", "please report this as a bug of histolab")


def fetch(pin: Pin, folder: pathlib.Path, part: pathlib.Path) -> None:
    settings = pip_settings()
    web = Web(settings)
    part.mkdir(parents=True)
    archive = part / "archive"
    for attempt in range(1, TRIES + 1):
        try:
            url = find_archive(pin, settings, web)
            print(shown(url), flush=True)
            sha256 = download(web, url, archive)
            break
        except NETWORK as failure:
            if (attempt == TRIES or
                (isinstance(failure, urllib.error.HTTPError) and failure.code < 500)):
                raise
            print(f"{failure!r}; once more", flush=True)
            time.sleep(attempt / 2)
    if sha256 != pin.sha256:
        raise Failure(f"{file_name(url)} is not the file that this version of histolab was made "
                      "with, so it was thrown away",
                      f"something between here and the package index changed it: its sha256 is "
                      f"{sha256}, {pin.file} says {pin.sha256}")
    unpack(archive, part / "files", pin.recipe)
    shutil.copyfile(pin.file, part / "files" / pin.file.name)
    if folder.exists():
        shutil.rmtree(folder)
    os.rename(part / "files", folder)


def explained(failure: Exception, pin: Pin, folder: pathlib.Path) -> Failure:
    reason = getattr(failure, "reason", None)
    inner = reason if isinstance(reason, Exception) else failure
    elsewhere = (f"or bring {pin.archive()} in a folder and run it with "
                 "PIP_NO_INDEX=1 PIP_FIND_LINKS=FOLDER")
    if isinstance(failure, Failure):
        return failure
    if isinstance(failure, urllib.error.HTTPError):
        return Failure(f"the package index answers {failure.code} {failure.reason} for "
                       f"{shown(failure.url)}",
                       f"check whether pip uses another index (pip3 config list); {elsewhere}")
    if isinstance(failure, http.client.IncompleteRead):
        return Failure("the connection broke off before all of the archive was there",
                       f"run this again; {elsewhere}")
    if isinstance(inner, ssl.SSLCertVerificationError):
        return Failure(f"the package index shows a certificate that this machine does not trust "
                       f"({inner.verify_message})",
                       "name the certificates to trust with PIP_CERT=FILE, as pip needs it too")
    if isinstance(failure, NETWORK):
        return Failure(f"the package index cannot be reached ({inner}): is there a network?",
                       f"run this again where there is one; {elsewhere}")
    if isinstance(failure, OSError) and failure.errno in (errno.ENOSPC, errno.EDQUOT):
        return Failure(f"the disk of {folder.parent} is full",
                       "make room (70 MB), or set HISTOLAB_BUILD_DIR to a folder on another disk, "
                       "and run this again")
    if isinstance(failure, OSError):
        return Failure(f"cannot write {folder}: {failure}", "fix that and run this again")
    return Failure(f"the archive cannot be unpacked: {failure}",
                   "please report this as a bug of histolab")


def main() -> None:
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    pin, folder = Pin(pathlib.Path(sys.argv[1])), pathlib.Path(sys.argv[2]).absolute()
    part = folder.with_name(folder.name + ".part")
    shutil.rmtree(part, ignore_errors=True)
    try:
        fetch(pin, folder, part)
    except (Failure, OSError, http.client.HTTPException, tarfile.TarError,
            zipfile.BadZipFile, EOFError, zlib.error) as failure:
        told = explained(failure, pin, folder)
        print(told.problem, told.remedy, sep="\n", file=sys.stderr)
        sys.exit(2)
    finally:
        shutil.rmtree(part, ignore_errors=True)


if __name__ == "__main__":
    main()
