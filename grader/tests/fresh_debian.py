"""A fresh minimal Debian in a folder, to test what a user gets.

debootstrap makes it. A command enters it as it would enter a container: own mounts and processes,
pivot_root. It has this machine's configuration of apt and pip. That needs root, a few GB in the
folder and the distribution's mirror. `Unavailable` says which of them is missing.
"""
import contextlib
import os
import pathlib
import re
import shutil
import subprocess

ENTER = r"""set -e
mount --bind "$1" "$1" && cd "$1"
mount -t proc proc proc && mount -t sysfs sysfs sys && mount -t tmpfs -o mode=755 dev dev
for node in "null 3" "zero 5" "full 7" "random 8" "urandom 9" "tty 0"; do
  mknod -m 666 "dev/${node% *}" c "$([ "$node" = "tty 0" ] && echo 5 || echo 1)" "${node#* }"
done
mkdir -p dev/shm dev/pts .host && chmod 1777 dev/shm
mount -t devpts -o newinstance,ptmxmode=0666 devpts dev/pts && ln -s pts/ptmx dev/ptmx && ln -s /proc/self/fd dev/fd
pivot_root . .host && cd / && umount -l .host && rmdir .host
exec "${@:2}"
"""
# Files and variables that apt, pip and their mirrors may need.
CERTIFICATES = "/etc/ssl/certs/ca-certificates.crt"
CONFIGURATION = [CERTIFICATES, "/usr/local/share/ca-certificates", "/etc/resolv.conf", "/etc/hosts",
                 "/etc/pip.conf"]
APT = "/etc/apt"
APT_OF_ANY_RELEASE = ["/etc/apt/apt.conf.d", "/etc/apt/auth.conf", "/etc/apt/auth.conf.d"]
VARIABLES = r"(https?|no)_proxy|APT_CONFIG|SSL_CERT_FILE|PIP_\w+"
PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"


class Unavailable(Exception):
    """The reason why this machine cannot make a fresh Debian, for the user."""


def release_of_this_machine():
    """(distribution, code name), as in ("debian", "bookworm")."""
    words = dict(line.split("=", 1)
                 for line in pathlib.Path("/etc/os-release").read_text().splitlines()
                 if "=" in line)
    return words.get("ID", "").strip('"'), words.get("VERSION_CODENAME", "").strip('"')


def mirror_of_this_machine():
    """The mirror of its own release in the settings of apt. None if there is none."""
    asked = ["apt-get", "indextargets", "--format", "$(REPO_URI) $(RELEASE)",
             "Created-By: Packages", "Component: main"]
    targets = [line.split()
               for line in subprocess.run(asked, capture_output=True,
                                          text=True).stdout.splitlines()]
    return next((mirror for mirror, release in targets if release == release_of_this_machine()[1]),
                None)


def copy_configuration(root, paths):
    for path in paths:
        target = root / path.lstrip("/")
        target.parent.mkdir(parents=True, exist_ok=True)
        if os.path.isdir(path):
            shutil.copytree(path, target, dirs_exist_ok=True)
        elif os.path.exists(path):
            shutil.copyfile(path, target)


def variables():
    return {name: value for name, value in os.environ.items() if re.fullmatch(VARIABLES, name)}


def make(root, release=None):
    """Makes it in the folder `root`, which must not exist yet.

    `release` is a code name of Debian; the default is this machine's own release.
    """
    if os.geteuid() != 0:
        raise Unavailable("only root can make a fresh Debian")
    for tool in ("debootstrap", "unshare", "pivot_root", "dpkg"):
        if not shutil.which(tool):
            raise Unavailable(f"there is no {tool} here (apt-get install {tool})")
    distribution, own = release_of_this_machine()
    release = release or own
    # One Debian mirror has every release. Without one, as on Ubuntu, debootstrap uses its default.
    mirror = mirror_of_this_machine() if release == own or distribution == "debian" else ""
    if mirror is None:
        raise Unavailable(f"this machine's apt has no source for {release or 'its own release'}, "
                          "main")
    words = ["unshare", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc", "debootstrap",
             "--force-check-gpg", "--variant=minbase", release, str(root),
             *([mirror] if mirror else [])]
    made = subprocess.run(words, env={**os.environ, "PATH": f"{PATH}:{os.environ['PATH']}"},
                          capture_output=True, text=True, errors="replace")
    if made.returncode != 0:
        print(made.stdout[-2000:], made.stderr[-2000:])
        raise Unavailable("debootstrap could not make a Debian here")
    if release == own:
        (root / "etc/apt/sources.list").unlink()  # this machine's sources take its place
    named = [path for path in variables().values() if path.startswith("/") and os.path.exists(path)]
    copy_configuration(root,
                       [*CONFIGURATION, *([APT] if release == own else APT_OF_ANY_RELEASE), *named])
    # the package ca-certificates makes the file again, from its own and these
    if os.path.exists(CERTIFICATES):
        shutil.copyfile(CERTIFICATES, root / "usr/local/share/ca-certificates/of-the-host.crt")
    # no package starts a service, as in an image
    (root / "usr/sbin/policy-rc.d").write_text("#!/bin/sh\nexit 101\n")
    (root / "usr/sbin/policy-rc.d").chmod(0o755)


@contextlib.contextmanager
def or_skip():
    """Skips the test if there can be no fresh Debian."""
    from histolab_program import skip
    try:
        yield
    except Unavailable as reason:
        skip(reason)


def entering(root, *words, network=True):
    """The words of a command that runs `words` inside, and its environment."""
    environment = {"PATH": PATH, "HOME": "/root", "LANG": "C.UTF-8",
                   "DEBIAN_FRONTEND": "noninteractive", **variables()}
    return ["unshare", "--mount", "--pid", "--ipc", "--uts", "--fork", "--kill-child",
            "--propagation", "private", *([] if network else ["--net"]), "/bin/bash", "-c", ENTER,
            "enter", str(root), *words], environment


def inside(root, command, network=True, timeout=3600):
    """Runs a bash command inside; the CompletedProcess, with its output as text."""
    words, environment = entering(root, "/bin/bash", "-c", command, network=network)
    return subprocess.run(words, env=environment, capture_output=True, text=True, errors="replace",
                          stdin=subprocess.DEVNULL, timeout=timeout)
