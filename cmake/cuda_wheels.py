#!/usr/bin/env python3
"""Makes a CUDA toolkit from NVIDIA's wheels, in the layout of an installed one.

  cuda_wheels.py plan PINS TOOLKIT       prints what `fetch` would fetch, as lines for the user;
                                         nothing if TOOLKIT is the toolkit that this driver needs
  cuda_wheels.py fetch PINS TOOLKIT      fetches, unpacks and tries it, by way of TOOLKIT.part;
                                         prints its progress as "12 of 195 MB"
  cuda_wheels.py unpack WHEELS TOOLKIT   unpacks all wheels of the folder WHEELS into a new folder
  cuda_wheels.py check TOOLKIT           compiles a kernel with its NVRTC, and its nvcc if any

PINS is the folder of cuda-13.txt and cuda-12.txt: versions and hashes of the wheels. If `fetch`
fails for a known reason, the status is 2, and the last two lines are the problem and the remedy.

A wheel keeps its part in nvidia/cu13/ (CUDA 13, one tree) or in nvidia/cuda_nvcc/,
nvidia/cuda_nvrtc/, ... (CUDA 12). All become one tree of bin, include, lib and nvvm. The wheels
lack some things that a toolkit has, so this program makes them: executable bits, lib64, libX.so
next to libX.so.13 (for the linker), and version.txt (for CMake, if there is no nvcc).
"""
import ctypes
import filecmp
import os
import pathlib
import platform
import re
import shutil
import subprocess
import sys
import tempfile
import time
import zipfile

# Per major version: megabytes to download, megabytes needed while unpacking.
SIZES = {13: (195, 800), 12: (137, 550)}
OTHER_DISK = "make room, or set HISTOLAB_BUILD_DIR to a folder on another disk, and run this again"
PIP = ["pip3", "download", "--no-input", "--disable-pip-version-check", "--progress-bar", "off",
       "--retries", "2", "--no-deps", "--require-hashes", "--only-binary=:all:"]
KERNEL = "__global__ void add(unsigned int* sum) { atomicAdd(sum, threadIdx.x); }\n"
ARCHITECTURE = "sm_90"


def place_of(member: str):
    """Returns the place of a wheel's file in the toolkit, or None to skip it."""
    parts = pathlib.PurePosixPath(member).parts
    if len(parts) < 3 or parts[0] != "nvidia" or ".." in parts:
        return None
    # libnvrtc.alt.so is a second NVRTC of 105 MB, with another allocator.
    if parts[2].startswith(".") or parts[-1] == "__init__.py" or ".alt.so" in parts[-1]:
        return None
    return pathlib.PurePosixPath(*parts[2:])


def unpack(wheels: pathlib.Path, toolkit: pathlib.Path) -> None:
    version = None
    for wheel in sorted(wheels.glob("*.whl")):
        name, wheel_version = wheel.name.split("-")[:2]
        if name.startswith("nvidia_cuda_nvcc"):
            version = wheel_version
        with zipfile.ZipFile(wheel) as archive:
            for member in archive.infolist():
                if member.filename.lower().endswith("license.txt"):
                    place = pathlib.PurePosixPath("licenses", name + ".txt")
                else:
                    place = place_of(member.filename)
                if place is None or member.is_dir():
                    continue
                target = toolkit / place
                target.parent.mkdir(parents=True, exist_ok=True)
                with archive.open(member) as source, open(target, "wb") as copy:
                    shutil.copyfileobj(source, copy, 1 << 20)
                if target.parent.name == "bin":
                    target.chmod(0o755)
    if version is None:
        sys.exit(f"no nvidia_cuda_nvcc wheel in {wheels}")
    (toolkit / "lib64").symlink_to("lib")
    for library in (toolkit / "lib").glob("lib*.so.*"):
        link = library.with_name(re.sub(r"\.so\..*", ".so", library.name))
        if not link.exists():
            link.symlink_to(library.name)
    (toolkit / "version.txt").write_text(f"CUDA Version {version}\n")


def check_nvrtc(toolkit: pathlib.Path) -> str:
    # NVRTC searches its other half by name in the system's folders. Load it first, so that it is found.
    ctypes.CDLL(str(toolkit / "lib" / "libnvrtc-builtins.so"))
    nvrtc = ctypes.CDLL(str(toolkit / "lib" / "libnvrtc.so"))
    nvrtc.nvrtcGetErrorString.restype = ctypes.c_char_p

    def call(function: str, *arguments) -> None:
        code = getattr(nvrtc, function)(*arguments)
        if code != 0:
            sys.exit(f"{function}: {nvrtc.nvrtcGetErrorString(code).decode()}")

    major, minor = ctypes.c_int(), ctypes.c_int()
    call("nvrtcVersion", ctypes.byref(major), ctypes.byref(minor))
    program, size = ctypes.c_void_p(), ctypes.c_size_t()
    call("nvrtcCreateProgram", ctypes.byref(program), KERNEL.encode(), b"check.cu", 0, None, None)
    call("nvrtcCompileProgram", program, 1, (ctypes.c_char_p * 1)(f"--gpu-architecture={ARCHITECTURE}".encode()))
    call("nvrtcGetCUBINSize", program, ctypes.byref(size))
    if size.value == 0:
        sys.exit("NVRTC made an empty cubin")
    return f"NVRTC {major.value}.{minor.value}"


def check_nvcc(toolkit: pathlib.Path) -> str:
    nvcc = toolkit / "bin" / "nvcc"
    if not nvcc.exists():
        return "no nvcc"
    with tempfile.TemporaryDirectory() as folder:
        source, cubin = pathlib.Path(folder, "check.cu"), pathlib.Path(folder, "check.cubin")
        source.write_text(KERNEL)
        command = [nvcc, "-cubin", f"-arch={ARCHITECTURE}", "-o", cubin, source]
        ran = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if ran.returncode != 0 or not cubin.exists():
            sys.exit(f"nvcc does not compile a kernel:\n{ran.stdout}")
    return "nvcc"


def major_version() -> int:
    """CUDA 12 for a driver that does not know CUDA 13. CUDA 13 without a driver: it can compile."""
    try:
        text = subprocess.run(["nvidia-smi"], capture_output=True, text=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError):
        text = ""
    if found := re.search(r"CUDA Version: (\d+)", text):
        return 12 if int(found[1]) < 13 else 13
    try:
        text = pathlib.Path("/proc/driver/nvidia/version").read_text()
    except OSError:
        return 13
    found = re.search(r"[^0-9](\d{3})\.\d", text)
    return 12 if found and int(found[1]) < 580 else 13


def plan(pins: pathlib.Path, toolkit: pathlib.Path) -> None:
    major = major_version()
    wheels = toolkit / "wheels.txt"
    if wheels.exists() and filecmp.cmp(pins / f"cuda-{major}.txt", wheels, shallow=False):
        return
    print(f"fetching the CUDA {major} toolkit ({SIZES[major][0]} MB) into {toolkit}")
    if major == 12:
        print("the driver does not know CUDA 13, and there are no packages of CUDA 12's nvcc:\n"
              "bench and calibrate need a newer driver or an installed toolkit")


def explained(output: str, pins: pathlib.Path, toolkit: pathlib.Path, room: int) -> tuple:
    """Returns (problem, remedy) for the output of a failed step, or None if it is unknown."""
    log = f"{toolkit}.log"
    if "No space left on device" in output:
        return f"the disk of {toolkit.parent} is full", OTHER_DISK.replace("room", f"room ({room} MB)")
    if "DO NOT MATCH THE HASHES" in output:
        return ("a package differs from the one that this version of histolab was made with; "
                "all packages were deleted",
                f"something between here and the package index changed it; {log} has its name "
                "and the two hashes")
    if re.search("name resolution|Name or service not known|NewConnectionError|ConnectTimeout|"
                 "ReadTimeout|Connection (refused|timed out|aborted|reset)|"
                 "Network is unreachable|ProxyError", output):
        return ("the package index cannot be reached: is there a network?",
                f"run this again with a network; or put the wheels of {pins} into a folder and "
                "run it with PIP_NO_INDEX=1 PIP_FIND_LINKS=FOLDER")
    if "No matching distribution found" in output:
        return (f"pip finds no package for this machine ({platform.machine()}); "
                f"{pins} has those of x86_64 and aarch64",
                "check whether pip uses another index (pip3 config list), or is older than 20.3 "
                "(pip3 --version)")
    return None


def megabytes(folder: pathlib.Path) -> int:
    return sum(file.lstat().st_size for file in folder.rglob("*")) // 1_000_000


def run(command: list, part: pathlib.Path, size: int) -> None:
    """Prints the progress, then the output; raises CalledProcessError if the command fails."""
    with open(part / "output", "w+") as output:
        child = subprocess.Popen(command, stdout=output, stderr=subprocess.STDOUT,
                                 env={**os.environ, "TMPDIR": str(part / "tmp")})
        while child.poll() is None:
            print(f"{min(megabytes(part), size)} of {size} MB", flush=True)
            time.sleep(0.5)
        output.seek(0)
        text = output.read()
    print(text, end="", flush=True)
    if child.returncode != 0:
        raise subprocess.CalledProcessError(child.returncode, command, text)


def fetch(pins: pathlib.Path, toolkit: pathlib.Path) -> None:
    major = major_version()
    size, room = SIZES[major]
    pins /= f"cuda-{major}.txt"
    free = shutil.disk_usage(toolkit.parent).free >> 20
    if free < room:
        fail(f"the CUDA toolkit needs {room} MB while it is unpacked, and there are {free} in "
             f"{toolkit.parent}", OTHER_DISK)
    part = toolkit.with_name(toolkit.name + ".part")
    shutil.rmtree(part, ignore_errors=True)
    (part / "tmp").mkdir(parents=True)
    try:
        run([*PIP, "--dest", part / "wheels", "-r", pins], part, size)
        unpack(part / "wheels", part / "cuda")
        run([sys.executable, __file__, "check", part / "cuda"], part, size)
        shutil.copyfile(pins, part / "cuda" / "wheels.txt")
        os.sync()
        if toolkit.exists():
            shutil.rmtree(toolkit)
        (part / "cuda").rename(toolkit)
    except (OSError, subprocess.CalledProcessError, SystemExit, zipfile.BadZipFile) as failure:
        if isinstance(failure, subprocess.CalledProcessError):
            text = failure.output
        else:
            text = str(failure)
            print(text, flush=True)
        if known := explained(text, pins, toolkit, room):
            fail(*known)
        sys.exit(1)
    finally:
        shutil.rmtree(part, ignore_errors=True)


def fail(problem: str, remedy: str) -> None:
    print(f"{problem}\n{remedy}", flush=True)
    sys.exit(2)


def main() -> None:
    if len(sys.argv) == 4 and sys.argv[1] in ("plan", "fetch"):
        {"plan": plan, "fetch": fetch}[sys.argv[1]](*map(pathlib.Path, sys.argv[2:]))
    elif len(sys.argv) == 4 and sys.argv[1] == "unpack":
        unpack(pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3]))
    elif len(sys.argv) == 3 and sys.argv[1] == "check":
        toolkit = pathlib.Path(sys.argv[2]).resolve()
        try:
            print(", ".join([check_nvrtc(toolkit), check_nvcc(toolkit)]))
        except OSError as failure:
            sys.exit(str(failure))
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main()
