#!/usr/bin/env python3
"""Creates a CUDA toolkit from NVIDIA's wheels, in the usual layout, without installing anything.

  cuda_wheels.py unpack WHEELS TOOLKIT   unpacks every wheel in the folder WHEELS into the new folder TOOLKIT
  cuda_wheels.py check TOOLKIT           compiles a kernel with its NVRTC, and with its nvcc if it has one

A wheel has its part in nvidia/cu13/ (CUDA 13, one tree) or in nvidia/cuda_nvcc/,
nvidia/cuda_nvrtc/, ... (CUDA 12). All parts become one tree of bin, include, lib and nvvm. This
script adds the parts of a toolkit that wheels lack: executable bits, lib64, libX.so next to
libX.so.13 for the linker, and version.txt, which lets CMake find a toolkit without nvcc.
"""
import ctypes
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile

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


def main() -> None:
    if len(sys.argv) == 4 and sys.argv[1] == "unpack":
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
