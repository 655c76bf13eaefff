"""The Gradescope bundle in a fresh Debian: setup.sh builds the image, then run_autograder grades without any network.

It makes the Debian with debootstrap, enters it as a container does (its own mounts and processes, pivot_root), and takes this machine's apt
configuration with it. It needs root, a few GB below $TMPDIR, the distribution's mirror, and half an hour: it is labelled slow.
"""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import zipfile

from histolab_program import SOURCE, Checks, histolab, skip

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

check = Checks()


def inside(root, command, network=True, timeout=3600):
    environment = {"PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root", "LANG": "C.UTF-8", "DEBIAN_FRONTEND": "noninteractive", **{name: os.environ[name] for name in VARIABLES if name in os.environ}}
    words = ["unshare", "--mount", "--pid", "--ipc", "--uts", "--fork", "--kill-child", "--propagation", "private", *([] if network else ["--net"]), "/bin/sh", "-c", ENTER, "enter", str(root), command]
    return subprocess.run(words, env=environment, capture_output=True, text=True, errors="replace", stdin=subprocess.DEVNULL, timeout=timeout)


with tempfile.TemporaryDirectory(prefix="histolab-fresh-") as folder:
    root = pathlib.Path(folder) / "root"
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

    archive = pathlib.Path(folder) / "autograder.zip"
    done = histolab("export", "--bundle", "gradescope", "--labs", "01,02,04", "--seed", 815, "--output", archive, cwd=folder)
    check(done.returncode == 0, "the bundle is not made", done.stderr)
    source = root / "autograder" / "source"
    with zipfile.ZipFile(archive) as bundle:
        for entry in bundle.infolist():
            bundle.extract(entry, source)
            os.chmod(source / entry.filename, entry.external_attr >> 16 & 0o777)
    shutil.copy(source / "run_autograder", root / "autograder" / "run_autograder")
    submission = root / "autograder" / "submission"
    submission.mkdir()
    shutil.copy(SOURCE / "labs/01-race/solution.cu", submission / "Race (1).cu")
    shutil.copy(SOURCE / "labs/02-atomic-add/stub.cu", submission / "02-atomic-add.cu")

    built = inside(root, "apt-get update && bash /autograder/source/setup.sh")
    check(built.returncode == 0, f"setup.sh ended with {built.returncode}", built.stdout[-3000:], built.stderr[-3000:])
    graded = inside(root, "cd /autograder && ./run_autograder", network=False)
    results = root / "autograder" / "results" / "results.json"
    check(graded.returncode == 0 and results.exists(), f"run_autograder ended with {graded.returncode}", graded.stdout[-3000:], graded.stderr[-3000:])
    if results.exists():
        document = json.loads(results.read_text())
        of_lab = {lab: sum(test.get("score", 0) for test in document["tests"] if test["tags"] == [lab]) for lab in ("01-race", "02-atomic-add", "04-privatization")}
        print("score:", document.get("score"), of_lab)
        check(of_lab["01-race"] == 10 and of_lab["02-atomic-add"] < 10 and of_lab["04-privatization"] == 0 and document.get("score") == sum(of_lab.values()), "the marks", document)
check.finish()
