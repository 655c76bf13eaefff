"""`histolab doctor`: a missing part is reported with the consequence and the command that fixes
it."""
import os
import shutil
import subprocess

from histolab_program import (PROGRAM, SANITIZED, Checks, histolab, run_program, skip_part,
                              temporary_folder)

check = Checks()


def doctor(folder):
    """A missing part is reported with its consequence and the command that fixes it. The exit
    code says whether grading works."""
    plain = {"PATH": str(folder), "HOME": str(folder), "TERM": "xterm", "LANG": "C.UTF-8"}

    def told(code, *fragments, **changed):
        env = {key: value for key, value in {**plain, **changed}.items() if value is not None}
        done = histolab("doctor", cwd=folder, env=env)
        check(done.returncode == code and not done.stderr,
              f"doctor {changed} ends with {done.returncode}", done.stdout, done.stderr)
        for fragment in fragments:
            check(fragment in " ".join(done.stdout.split()),
                  f"doctor {changed} does not say {fragment!r}", done.stdout)
        wide = [line for line in done.stdout.splitlines()
                if len(line) > 80 and "to fix it:" not in line and " " in line[20:]]
        check(not wide, "doctor is wider than 80 columns", *wide)
        check("NO " in done.stdout if code == 2 else "NO " not in done.stdout,
              "the marks do not agree with the exit code", done.stdout)
        return done.stdout

    told(0, "this machine can grade every lab", "ok emulator runs a kernel",
         "no gdb `debug` cannot run kernels to fix it:", "apt-get install gdb", "no clangd",
         "apt-get install clangd", "ok terminal xterm, C.UTF-8")
    told(2, "/nowhere/at/all (TMPDIR) does not exist", "to fix it: unset TMPDIR",
         "not tried: see above", "cannot grade yet", TMPDIR="/nowhere/at/all")
    told(0, "TERM is not set", "export TERM=", TERM=None)
    told(0,
         "xterm, C characters that are not ASCII may look wrong to fix it: export LC_ALL=C.UTF-8",
         LANG="C")
    told(0, "xterm, de_DE.utf8", LANG="de_DE.utf8")
    other_compiler(folder, "#!/bin/sh\necho 9.4.0\n",
                   "g++ 9.4.0, 12 or later is needed it compiles the kernels to fix it:",
                   "install g++-12")
    other_compiler(folder, "#!/bin/sh\nexit 1\n",
                   "g++ does not start it compiles the kernels to fix it:",
                   "install --reinstall g++", "not tried: see above")
    done = run_program(["sh", "-c", f"ulimit -v 300000; exec {PROGRAM} doctor"], cwd=folder)
    check(SANITIZED or
          done.returncode == 2 and "293 MiB allowed (ulimit -v)" in done.stdout and
          "to fix it: ulimit -v unlimited" in done.stdout, "a limit of memory", done.stdout,
          done.stderr)
    (folder / "gdb").write_text("#!/bin/sh\n")
    (folder / "gdb").chmod(0o755)
    told(0, f"debugger {folder}/gdb", PATH=f"/nowhere:{folder}")
    done = histolab("--labs", "/no/labs", "doctor", cwd=folder)
    check(done.returncode == 2 and "/no/labs is missing" in done.stdout, "doctor without labs",
          done.stdout)


def other_compiler(folder, script, *fragments):
    """The same with another program named g++, in a mount namespace of its own."""
    (folder / "g++").write_text(script)
    (folder / "g++").chmod(0o755)
    within = ["unshare", "--map-root-user", "--mount"] if os.geteuid() else ["unshare", "--mount"]
    if (shutil.which("unshare") is None or
        subprocess.run([*within, "mount", "--bind", folder / "g++", "/usr/bin/g++"],
                       capture_output=True).returncode != 0):
        return skip_part("no mount namespaces here, so no other g++ for doctor")
    done = run_program([*within, "sh", "-c",
                        f"mount --bind '{folder}/g++' $(readlink -f /usr/bin/g++) && exec "
                        f"{PROGRAM} doctor"])
    check(done.returncode == 2, "doctor with another g++", done.stdout, done.stderr)
    for fragment in fragments:
        check(fragment in " ".join(done.stdout.split()),
              f"doctor with another g++ does not say {fragment!r}", done.stdout)


with temporary_folder(prefix="histolab test ") as folder:
    doctor(folder)
check.finish()
