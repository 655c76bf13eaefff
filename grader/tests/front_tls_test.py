#!/usr/bin/env python3
"""HTTPS by histolab-front: with a small service (web_echo_service), and Python's own TLS."""
import contextlib
import shutil
import socket
import ssl
import subprocess
import sys

from histolab_program import (PATIENCE, PROGRAM, Checks, run_program, skip,
                              temporary_folder)

FRONT = PROGRAM.with_name("histolab-front")
SERVICE = sys.argv[1]
if not shutil.which("openssl"):
    skip("openssl is not installed, which makes a certificate")
check = Checks()


def make_certificate(folder, name):
    """Makes NAME.pem and NAME.key."""
    paths = folder / f"{name}.pem", folder / f"{name}.key"
    done = run_program(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt",
                        "ec_paramgen_curve:prime256v1", "-nodes", "-days", 2, "-subj",
                        "/CN=localhost", "-addext", "subjectAltName=DNS:localhost",
                        "-out", paths[0], "-keyout", paths[1]])
    check(done.returncode == 0, "openssl makes a certificate", done.stderr)
    return paths


@contextlib.contextmanager
def served(*files):
    """The port of a service, and its process."""
    service = subprocess.Popen(list(map(str, [SERVICE, FRONT, *files])), stdin=subprocess.PIPE,
                               stdout=subprocess.PIPE, text=True)
    try:
        yield int(service.stdout.readline().split()[0]), service
    finally:
        service.stdin.close()
        service.wait(PATIENCE)


def connected(port, certificate):
    context = ssl.create_default_context(cafile=certificate)
    plain = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)
    return context.wrap_socket(plain, server_hostname="localhost")


def heard(client, text):
    """Reads until the text has arrived, or until the end."""
    got = b""
    while text not in got:
        more = client.recv(65536)
        if not more:
            break
        got += more
    return got


with temporary_folder() as folder:
    certificate, key = make_certificate(folder, "one")
    other_certificate, other_key = make_certificate(folder, "other")
    with served(certificate, key) as (port, service):
        client = connected(port, certificate)
        check(client.version() in ("TLSv1.2", "TLSv1.3"), "a current TLS", client.version())
        for path in (b"/first", b"/second"):
            client.sendall(b"GET " + path + b" HTTP/1.1\r\nHost: a\r\n\r\n")
            check(heard(client, path).startswith(b"HTTP/1.1 200 OK\r\n"), f"{path} is answered")
        client.sendall(b"GET /page HTTP/1.1\r\nHost: a\r\n\r\n")
        check(b"a" * 3000 in heard(client, b"a" * 3000), "a page of several parts is answered")
        client.sendall(b"GET /stream HTTP/1.1\r\nHost: a\r\n\r\n")
        check(b"{}\n" in heard(client, b"{}\n"), "a part arrives before the reply ends")
        client.close()
        line = service.stdout.readline()
        check(line == "left 4\n", "the service learns that the client has left", line)
        plain = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)
        plain.sendall(b"GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        check(b"HTTP/1.1 200" not in heard(plain, b"\r\n\r\n"), "HTTP is not answered")
        try:
            connected(port, other_certificate)
            check(False, "a client that trusts another certificate connects")
        except ssl.SSLError:
            pass

    (folder / "empty.pem").write_text("no certificate\n")
    for files, wanted in [
            ((certificate, other_key), "the certificate and the key cannot be used: "),
            ((folder / "empty.pem", key), "the certificate and the key cannot be used: "),
            ((folder / "missing.pem", key), f"{folder / 'missing.pem'}: ")]:
        done = run_program([SERVICE, FRONT, *files])
        check(done.returncode == 1 and done.stderr.startswith(wanted),
              f"a start with {files[0].name} and {files[1].name}", done.stderr)

by_hand = run_program([FRONT])
check(by_hand.returncode == 2 and by_hand.stderr == "histolab-front is started by histolab, not by "
      "hand: try `histolab serve`\n", "a start by hand says what the program is", by_hand.stderr)
check.finish()
