"""A fresh minimal Debian of the machine's own release, in a folder, for tests of what a user gets.

Made by debootstrap and entered as a container is (its own mounts and processes, pivot_root), with this machine's apt configuration. It needs root,
a few GB below $TMPDIR and the distribution's mirror; where one of them is missing, the test is skipped.
"""
import os
import pathlib
import shutil
import subprocess

from histolab_program import skip

ENTER = r"""set -e
mount --bind "$1" "$1" && cd "$1"
mount -t proc proc proc && mount -t sysfs sysfs sys && mount -t tmpfs -o mode=755 dev dev
for node in "null 3" "zero 5" "full 7" "random 8" "urandom 9"; do set -- "$1" "$2" $node; mknod -m 666 "dev/$3" c 1 "$4"; done
mkdir -p dev/shm dev/pts .host && chmod 1777 dev/shm
mount -t devpts -o newinstance,ptmxmode=0666 devpts dev/pts && ln -s pts/ptmx dev/ptmx && ln -s /proc/self/fd dev/fd
pivot_root . .host && cd / && umount -l .host && rmdir .host
exec /bin/bash -c "$2"
"""
# What apt and its mirror may need.
CONFIGURATION = ["/etc/apt", "/usr/local/share/ca-certificates", "/etc/ssl/certs/ca-certificates.crt", "/etc/resolv.conf", "/etc/hosts"]
VARIABLES = ("http_proxy", "https_proxy", "no_proxy", "APT_CONFIG", "SSL_CERT_FILE")


def mirror_of_this_machine():
    """(release, mirror); the test is skipped where there is none."""
    if os.geteuid() != 0:
        skip("only root can make a fresh Debian")
    for tool in ("debootstrap", "unshare", "pivot_root", "dpkg"):
        if not shutil.which(tool):
            skip(f"there is no {tool} here (apt-get install {tool})")
    targets = subprocess.run(["apt-get", "indextargets", "--format", "$(REPO_URI) $(RELEASE)", "Created-By: Packages", "Component: main"], capture_output=True, text=True).stdout.split("\n")
    release = dict(line.split("=", 1) for line in pathlib.Path("/etc/os-release").read_text().splitlines() if "=" in line).get("VERSION_CODENAME", "")
    mirror = next((line.split()[0] for line in targets if line.split()[1:] == [release]), None)
    if not mirror:
        skip(f"this machine's apt has no source for {release or 'its own release'}, main")
    return release, mirror


def make(root):
    """A minimal Debian in the folder `root`, which is not there yet. Before anything that takes long or may fail: without a Debian the test is skipped."""
    release, mirror = mirror_of_this_machine()
    made = subprocess.run(["unshare", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc", "debootstrap", "--variant=minbase", release, str(root), mirror], capture_output=True, text=True, errors="replace")
    if made.returncode != 0:
        print(made.stdout[-2000:], made.stderr[-2000:])
        skip("debootstrap could not make a Debian here")
    for path in CONFIGURATION:
        if os.path.isdir(path):
            shutil.copytree(path, f"{root}{path}", dirs_exist_ok=True)
        elif os.path.exists(path):
            (root / path.lstrip("/")).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, f"{root}{path}")


def inside(root, command, network=True, timeout=3600):
    """The finished process of a command for bash in there."""
    environment = {"PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root", "LANG": "C.UTF-8", "DEBIAN_FRONTEND": "noninteractive", **{name: os.environ[name] for name in VARIABLES if name in os.environ}}
    words = ["unshare", "--mount", "--pid", "--ipc", "--uts", "--fork", "--kill-child", "--propagation", "private", *([] if network else ["--net"]), "/bin/sh", "-c", ENTER, "enter", str(root), command]
    return subprocess.run(words, env=environment, capture_output=True, text=True, errors="replace", stdin=subprocess.DEVNULL, timeout=timeout)
