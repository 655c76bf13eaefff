"""The project's own files, without anything that a user left in the source tree."""
import subprocess

from histolab_program import SOURCE, run_program


def unpack_sources(folder):
    """Unpacks the source archive of this tree in `folder`, as its subfolder `histolab`, and returns
    that."""
    script = SOURCE / "cmake" / "source_archive.cmake"
    made = run_program(["cmake", f"-DSOURCE={SOURCE}", "-DNAME=histolab", f"-DINTO={folder}", "-P",
                        script])
    if made.returncode != 0:
        raise RuntimeError(f"no source archive:\n{made.stdout}{made.stderr}")
    subprocess.run(["tar", "-xzf", f"{folder}/histolab.tar.gz", "-C", str(folder)], check=True)
    return folder / "histolab"
