"""A private Slurm on this machine: munge, slurmctld and a few slurmd, all on 127.0.0.1 and in one
folder.

    with SlurmCluster(folder, nodes=3) as cluster:
        subprocess.run([...], env=cluster.environment)      # for sbatch, squeue and scancel
        cluster.kill_node("node2")                          # the node and all its processes
        cluster.kill_daemon("node2")                        # only its slurmd; its jobs keep running
        cluster.start_node("node2")
        cluster.stop_controller(), cluster.start_controller()

Each node is a process namespace, so that it can be killed as a whole. Daemons and their children
are ended by process id, and `leftovers` lists the remaining ones. Needs root and Debian's packages
slurmctld, slurmd, slurm-client and munge.
"""
import os
import pathlib
import shutil
import signal
import socket
import subprocess

from histolab_program import PATIENCE, run_program, wait_until

PROGRAMS = ["munged", "slurmctld", "slurmd", "sbatch", "squeue", "scancel", "sinfo", "scontrol",
            "unshare"]

CONFIGURATION = """\
ClusterName=histolab
SlurmctldHost=localhost(127.0.0.1)
SlurmctldPort={controller_port}
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
CredType=cred/munge
AuthInfo=socket={folder}/munge/socket,cred_expire=5
CommunicationParameters=NoCtldInAddrAny,NoInAddrAny
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool/%n
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd-%n.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd-%n.log
MailProg=/bin/true
MpiDefault=none
SwitchType=switch/none
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
JobCompType=jobcomp/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerParameters=batch_sched_delay=1,sched_interval=1,bf_interval=1,max_array_tasks={array}
SlurmdParameters=config_overrides
ReturnToService=2
JobRequeue=1
MinJobAge=300
MaxArraySize={array}
MaxJobCount={jobs}
KillWait=2
SlurmdTimeout=2
SlurmctldTimeout=10
MessageTimeout=3
TCPTimeout=2
{prolog}
{gres}
{nodes}
PartitionName=cpu Nodes={all_nodes} Default=YES MaxTime=INFINITE State=UP
PartitionName=last Nodes={last_node} MaxTime=INFINITE State=UP
PartitionName=hidden Nodes={all_nodes} MaxTime=INFINITE State=UP Hidden=YES
"""


def why_not():
    """The reason why no cluster can be started here; empty if one can."""
    missing = [name for name in PROGRAMS
               if shutil.which(name, path=os.environ.get("PATH", "") + ":/usr/sbin:/sbin") is None]
    if missing:
        return (f"not installed: {', '.join(missing)} (Debian: apt-get install "
                "--no-install-recommends slurmctld slurmd slurm-client munge)")
    if os.geteuid() != 0:
        return "a Slurm of its own needs root"
    probe = run_program(["unshare", "--uts", "--pid", "--fork", "--mount-proc", "true"])
    return ("" if probe.returncode == 0
            else f"this machine gives no namespaces: {probe.stderr.strip()}")


def free_ports(count):
    held = [socket.socket() for _ in range(count)]
    for each in held:
        each.bind(("127.0.0.1", 0))
    ports = [each.getsockname()[1] for each in held]
    for each in held:
        each.close()
    return ports


class SlurmCluster:
    def __init__(self, folder, nodes=3, cpus=2, array=1001, jobs=10000, before="", later=(),
                 gpu=False, prolog=""):
        """`before`: shell commands in each node's own mount namespace; `later`: nodes that
        start_node is to start; `gpu`: the last node has this machine's GPU; `prolog`: shell
        commands that a node runs before each task."""
        self.folder = pathlib.Path(folder).resolve()
        self.names = [f"node{number + 1}" for number in range(nodes)]
        for name in ("munge", "state", "spool"):
            (self.folder / name).mkdir(parents=True, exist_ok=True)
        os.chmod(self.folder / "munge", 0o755)
        ports = free_ports(nodes + 1)
        lines = [f"NodeName={name} NodeHostname=localhost NodeAddr=127.0.0.1 Port={port} "
                 f"CPUs={cpus} RealMemory=4000" for name, port in zip(self.names, ports[1:])]
        if gpu:
            lines[-1] += " Gres=gpu:1"
            (self.folder / "gres.conf").write_text(f"NodeName={self.names[-1]} Name=gpu "
                                                   "File=/dev/nvidia0\n")
        if prolog:
            (self.folder / "prolog").write_text(f"#!/bin/sh\n{prolog}\n")
            (self.folder / "prolog").chmod(0o755)
        # cgroups are not used here, and autodetection would try to make one without permission.
        (self.folder / "cgroup.conf").write_text("CgroupPlugin=cgroup/v1\nCgroupAutomount=no\n")
        self.configuration = self.folder / "slurm.conf"
        self.configuration.write_text(CONFIGURATION.format(folder=self.folder,
                                                           controller_port=ports[0],
                                                           nodes="\n".join(lines),
                                                           all_nodes=",".join(self.names),
                                                           last_node=self.names[-1],
                                                           gres="GresTypes=gpu" if gpu else "",
                                                           prolog=f"Prolog={self.folder}/prolog"
                                                           if prolog else "", array=array,
                                                           jobs=jobs))
        path = os.environ.get("PATH", "") + ":/usr/sbin:/sbin"
        self.environment = {**os.environ, "SLURM_CONF": str(self.configuration), "PATH": path}
        self.before, self.later = before, later
        self.daemons = {}  # name -> Popen of the process that holds its namespaces
        self.logs = []

    def __enter__(self):
        try:
            self.start()
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(self, *_):
        self.stop()

    def ask(self, *words):
        return run_program(words, env=self.environment)

    def begin(self, name, *words):
        log = open(self.folder / f"{name}.out", "ab")
        self.logs.append(log)
        self.daemons[name] = subprocess.Popen([str(word) for word in words], env=self.environment,
                                              stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                                              start_new_session=True)

    def start(self):
        munge = self.folder / "munge"
        key = munge / "key"
        key.write_bytes(os.urandom(128))
        os.chmod(key, 0o400)
        self.begin("munged", "munged", "--foreground", "--force", f"--socket={munge}/socket",
                   f"--key-file={key}", f"--pid-file={munge}/pid", f"--log-file={munge}/log",
                   f"--seed-file={munge}/seed")
        self.wait(lambda: (munge / "socket").exists(), "munged")
        self.start_controller()
        first = [name for name in self.names if name not in self.later]
        for name in first:
            self.start_node(name, before=self.before)
        self.wait_for_nodes(first)

    def start_controller(self):
        self.begin("slurmctld", "unshare", "--uts", "sh", "-c",
                   'hostname localhost; exec slurmctld -D -f "$0"', self.configuration)
        self.wait(lambda: "UP" in self.ask("scontrol", "ping").stdout, "slurmctld")

    def stop_controller(self):
        self.end("slurmctld", signal.SIGTERM)

    def start_node(self, name, *, before=""):
        """`before`: shell commands in the node's own mount namespace."""
        self.end(name, signal.SIGKILL)
        (self.folder / "spool" / name).mkdir(exist_ok=True)
        self.begin(name, "unshare", "--uts", "--mount", "--pid", "--fork", "--kill-child",
                   "--mount-proc", "sh", "-c",
                   f'hostname localhost; {before} slurmd -D -f "$0" -N "$1" & wait; exec sleep '
                   'infinity', self.configuration, name)

    def wait_for_nodes(self, names):
        def idle():
            found = self.ask("sinfo", "-h", "-N", "-p", "cpu", "-t", "idle,alloc,mix", "-o",
                             "%N %t").stdout.split("\n")
            return set(names) <= {line.split()[0] for line in found
                                  if line and not line.endswith("*")}
        self.wait(idle, "the nodes")

    def kill_node(self, name):
        self.end(name, signal.SIGKILL)

    def kill_daemon(self, name):
        """Kills only slurmd. The jobs and their supervisors (slurmstepd) keep running."""
        for pid in self.below(self.daemons[name].pid):
            try:
                words = pathlib.Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
            except OSError:
                continue
            if words and words[0].endswith(b"slurmd"):
                os.kill(pid, signal.SIGKILL)

    @staticmethod
    def below(pid):
        children = []
        for task in pathlib.Path(f"/proc/{pid}/task").glob("*/children"):
            for child in task.read_text().split():
                children += [int(child), *SlurmCluster.below(int(child))]
        return children

    def end(self, name, number):
        daemon = self.daemons.pop(name, None)
        if daemon is None:
            return
        if daemon.poll() is None:
            daemon.send_signal(number)
        try:
            daemon.wait(timeout=20)
        except subprocess.TimeoutExpired:
            daemon.kill()
            daemon.wait()

    def stop(self):
        for name in self.names:
            self.end(name, signal.SIGKILL)
        self.end("slurmctld", signal.SIGTERM)
        self.end("munged", signal.SIGTERM)
        for log in self.logs:
            log.close()

    def leftovers(self):
        """Processes that still name this cluster's folder."""
        found = []
        for process in pathlib.Path("/proc").glob("[0-9]*"):
            try:
                words = process.joinpath("cmdline").read_bytes()
            except OSError:
                continue
            if str(self.folder).encode() in words and int(process.name) != os.getpid():
                found.append(words.replace(b"\0", b" ").decode(errors="replace"))
        return found

    def wait(self, condition, what):
        if not wait_until(condition, pause=0.05):
            raise RuntimeError(f"{what}: not there after {PATIENCE} s; see {self.folder}\n"
                               f"{self.tail()}")

    def tail(self):
        text = ""
        for log in sorted(self.folder.glob("*.log")) + sorted(self.folder.glob("*.out")):
            text += (f"--- {log.name}\n" +
                     "\n".join(log.read_text(errors="replace").splitlines()[-5:]) + "\n")
        return text
