// The abilities of confined processes, tier by tier: real programs in real sandboxes.
#include "grader/sandbox/sandbox.h"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "grader/sandbox/testing/places.h"
#include "kernels/worker/processes/temporary_folder.h"
#include "reference/testing/wait_until.h"

namespace histolab::sandbox {
namespace {

namespace fs = std::filesystem;
using kernels::worker::ProcessResult;
using kernels::worker::ProcessSpec;
using kernels::worker::Purpose;
using kernels::worker::TemporaryFolder;
using testing::places;
using testing::tiers_here;

// Like the compiler's folder.
TemporaryFolder temporary_folder() {
  Result<TemporaryFolder> folder = TemporaryFolder::make();
  REQUIRE(folder);
  return std::move(*folder);
}

// Runs a shell line in a sandbox, like the compiler.
ProcessResult shell(const Sandbox& sandbox, const std::string& line, const std::string& folder,
                    Purpose purpose = Purpose::compile) {
  ProcessSpec spec;
  spec.command = {"sh", "-c", line};
  spec.environment = {"PATH=/usr/bin:/bin"};
  spec.directory = folder;
  spec.purpose = purpose;
  spec.confinement = &sandbox;
  spec.limits.wall = reference::testing::patience;
  const Result<ProcessResult> ran = kernels::worker::run_process(spec);
  REQUIRE(ran);
  return *ran;
}

std::string said(const Sandbox& sandbox, const std::string& line,
                 Purpose purpose = Purpose::compile) {
  const TemporaryFolder folder = temporary_folder();
  const ProcessResult ran = shell(sandbox, line, folder.path(), purpose);
  CAPTURE(ran.errors);
  return ran.output;
}

// A shell line that runs a script and then prints "end".
std::string python(const std::string& script) {
  return "python3 -I -c \"" + script + "\"; echo end";
}

#define FOR_EACH_TIER                                                         \
  const std::vector<Tier> tiers = tiers_here();                               \
  if (tiers.empty()) MESSAGE("skipped: this machine has no tier but `none`"); \
  for (const Tier tier : tiers)

TEST_CASE("a confined process computes and writes into its folder") {
  FOR_EACH_TIER {
    const Sandbox sandbox = Sandbox::best(places(), tier);
    const TemporaryFolder folder = temporary_folder();
    CAPTURE(sandbox.name());
    const ProcessResult ran = shell(sandbox, "echo $((6 * 7)); echo made > made", folder.path());
    CHECK_EQ(ran.output, "42\n");
    CHECK_EQ(ran.code, 0);
    std::string made;
    std::ifstream(folder.path() + "/made") >> made;
    CHECK_EQ(made, "made");
  }
}

TEST_CASE("a confined process also owns the files that were in its folder before") {
  FOR_EACH_TIER {
    const Sandbox sandbox = Sandbox::best(places(), tier);
    const TemporaryFolder folder = temporary_folder();
    std::ofstream(folder.path() + "/before") << "one\n";
    CAPTURE(sandbox.name());
    CHECK_EQ(shell(sandbox, "echo two >> before && cat before", folder.path()).output,
             "one\ntwo\n");
  }
}

TEST_CASE("a missing folder is the machine's error") {
  if (geteuid() != 0) {  // an ordinary user's sandbox does not look into the folder
    MESSAGE("skipped: only root's sandbox looks into the folder");
    return;
  }
  FOR_EACH_TIER {
    const Sandbox sandbox = Sandbox::best(places(), tier);
    ProcessSpec spec;
    spec.command = {"true"};
    spec.directory = "/nonexistent";
    const Result<ProcessSpec> confined = sandbox.confine(spec);
    REQUIRE_FALSE(confined);
    CHECK_EQ(confined.error().message, "cannot read /nonexistent: No such file or directory");
  }
}

TEST_CASE("the machine's files are missing or cannot be read") {
  const TemporaryFolder elsewhere = temporary_folder();
  std::ofstream(elsewhere.path() + "/secret") << "the solution";
  chmod(elsewhere.path().c_str(), 0777);
  FOR_EACH_TIER {
    const Sandbox sandbox = Sandbox::best(places(), tier);
    CAPTURE(sandbox.name());
    for (const std::string& file :
         {elsewhere.path() + "/secret", std::string("/etc/passwd"), std::string("/etc/hostname"),
          std::string(HISTOLAB_SOURCE_DIR "/labs/01-race/solution.cu"), std::string("/dev/zero"),
          std::string("/proc/1/environ"), std::string("/proc/self/mem")}) {
      CAPTURE(file);
      CHECK_EQ(said(sandbox, "head -c 5 " + file + " 2>/dev/null; echo end"), "end\n");
    }
  }
}

TEST_CASE("nothing outside of its folder can be written") {
  const TemporaryFolder elsewhere = temporary_folder();
  chmod(elsewhere.path().c_str(), 0777);
  FOR_EACH_TIER {
    const Sandbox sandbox = Sandbox::best(places(), tier);
    CAPTURE(sandbox.name());
    CHECK_EQ(said(sandbox, "echo x 2>/dev/null > " + elsewhere.path() + "/x || echo refused"),
             "refused\n");
    CHECK_FALSE(fs::exists(elsewhere.path() + "/x"));
    CHECK_EQ(said(sandbox, "echo x 2>/dev/null > /usr/x || echo refused"), "refused\n");
    CHECK_EQ(said(sandbox, "ln -s /etc/passwd link 2>/dev/null || echo refused"), "refused\n");
  }
}

TEST_CASE("readable files cannot be changed, neither their content nor their permissions") {
  FOR_EACH_TIER {
    const Sandbox sandbox = Sandbox::best(places(), tier);
    CAPTURE(sandbox.name());
    const TemporaryFolder own = temporary_folder(), reads = temporary_folder();
    const std::string file = reads.path() + "/file";
    std::ofstream(file) << "kept";
    fs::permissions(reads.path(), fs::perms::all);
    fs::permissions(file, fs::perms::all);
    ProcessSpec spec;
    spec.command = {"sh", "-c", python(R"(
import os
path = ')" + file + R"('
for name, change in (('truncate', lambda: os.truncate(path, 0)), ('open', lambda: os.close(os.open(path, os.O_RDONLY | os.O_TRUNC))), ('chmod', lambda: os.chmod(path, 0o600)),
                     ('utime', lambda: os.utime(path)), ('write', lambda: open(path, 'a')), ('unlink', lambda: os.unlink(path))):
    try:
        change()
        print(name)
    except OSError:
        pass
print(open(path).read()))")};
    spec.environment = {"PATH=/usr/bin:/bin"};
    spec.directory = own.path();
    spec.reads = {reads.path()};
    spec.confinement = &sandbox;
    const Result<ProcessResult> ran = kernels::worker::run_process(spec);
    REQUIRE(ran);
    CHECK_EQ(ran->output, "kept\nend\n");
    CHECK_EQ(fs::file_size(file), 4);
  }
}

TEST_CASE(
    "a student's program starts in a folder that it may only read, writes where it is told, and "
    "has "
    "an input") {
  FOR_EACH_TIER {
    CAPTURE(name(tier));
    const Sandbox sandbox = Sandbox::best(places(), tier);
    const TemporaryFolder own = temporary_folder(), reads = temporary_folder(),
                          writes = temporary_folder();
    for (const TemporaryFolder* each : {&reads, &writes})
      fs::permissions(each->path(), fs::perms::all);
    std::ofstream(reads.path() + "/data.txt") << "data\n";
    std::ofstream(own.path() + "/input.txt") << "input\n";
    const kernels::worker::Descriptor input(
        open((own.path() + "/input.txt").c_str(), O_RDONLY | O_CLOEXEC));
    std::string output, errors;
    ProcessSpec spec;
    spec.command = {"sh", "-c",
                    "cat data.txt -; echo x > data.txt || echo refused; echo y > " + writes.path() +
                        "/y && echo written; echo z > " + own.path() +
                        "/z && echo own; echo complaint >&2; head -c 4 /dev/urandom | wc -c"};
    spec.environment = {"PATH=/usr/bin:/bin"};
    spec.purpose = Purpose::program;
    spec.directory = own.path();
    spec.starts_in = reads.path();
    spec.reads = {reads.path()};
    spec.writes = {writes.path()};
    spec.input = input.get();
    spec.on_output = [&](std::string_view text) { output += text; };
    spec.on_errors = [&](std::string_view text) { errors += text; };
    spec.confinement = &sandbox;
    const Result<ProcessResult> ran = kernels::worker::run_process(spec);
    REQUIRE(ran);
    CHECK_EQ(output, "data\ninput\nrefused\nwritten\nown\n4\n");
    CHECK_EQ(output, ran->output);
    CHECK_NE(errors.find("complaint\n"), std::string::npos);
    CHECK_EQ(errors, ran->errors);
  }
}

TEST_CASE("a sandbox's own temporary folder is limited") {
  const Sandbox sandbox = Sandbox::best(places());
  if (sandbox.tier() != Tier::full) {
    MESSAGE("skipped: this machine has no tier `full`");
    return;
  }
  const TemporaryFolder folder = temporary_folder();
  const std::string three_files =
      "for i in 1 2 3; do yes | head -c 60000000 > /tmp/$i 2>/dev/null || echo full; done";
  CHECK(said(sandbox, three_files).find("full") != std::string::npos);
}

TEST_CASE("the environment is the given one, and no descriptor of the grader is inherited") {
  setenv("HISTOLAB_TEST_SECRET", "token", 1);
  const int open_file = open("/etc/passwd", O_RDONLY);  // not close-on-exec
  REQUIRE(open_file >= 0);
  FOR_EACH_TIER {
    const Sandbox sandbox = Sandbox::best(places(), tier);
    CAPTURE(sandbox.name());
    CHECK_EQ(said(sandbox, "env").find("token"), std::string::npos);
    CHECK_EQ(said(sandbox, "head -c 4 <&" + std::to_string(open_file) + " 2>/dev/null; echo end"),
             "end\n");
    const std::string each_descriptor = python(R"(
import os
for number in range(3, 256):
    try:
        os.fstat(number)
        print(number)
    except OSError:
        pass)");
    CHECK_EQ(said(sandbox, each_descriptor), "end\n");
    CHECK_EQ(said(sandbox, each_descriptor, Purpose::gpu), "end\n");
    CHECK_EQ(said(sandbox, each_descriptor, Purpose::serve),
             "4\nend\n");  // the filter for its children
  }
  close(open_file);
}

TEST_CASE("there is no network and no way to look at other processes") {
  FOR_EACH_TIER {
    const Sandbox sandbox = Sandbox::best(places(), tier);
    CAPTURE(sandbox.name());
    CHECK_EQ(said(sandbox, python(R"(
import socket
for family in (1, 2, 10, 16, 40):
    try:
        socket.socket(family, socket.SOCK_DGRAM)
        print('open', family)
    except PermissionError:
        pass)")),
             "end\n");
    // ptrace(PTRACE_TRACEME), unshare(CLONE_NEWUSER), keyctl, mount, process_vm_readv,
    // io_uring_setup, bpf, userfaultfd
    CHECK_EQ(said(sandbox, python(R"(
import ctypes
system = ctypes.CDLL(None)
for number in (101, 272, 250, 165, 310, 425, 321, 323):
    if system.syscall(number, 0x10000000 if number == 272 else 0, 0, 0, 0, 0) >= 0: print('done', number))")),
             "end\n");
  }
}

TEST_CASE("a GPU's driver finds the files it insists on, and cannot connect to anything") {
  const TemporaryFolder elsewhere = temporary_folder();
  std::ofstream(elsewhere.path() + "/secret") << "the solution";
  FOR_EACH_TIER {
    const Sandbox sandbox = Sandbox::best(places(), tier);
    CAPTURE(sandbox.name());
    const std::string output = said(
        sandbox,
        "printf driver > /proc/self/task/$$/comm && cat /proc/$$/comm; cat " + elsewhere.path() +
            "/secret 2>/dev/null; (echo x > /proc/$$/oom_score_adj) 2>/dev/null && echo score\n" +
            python(R"(
import os, socket
def tried(what, name):
    try:
        what()
        print(name)
    except PermissionError:
        pass
at = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
at.bind(chr(0) + 'histolab-test-' + str(os.getpid()))
at.listen(8)
print('listens')
tried(lambda: socket.socket(socket.AF_UNIX).connect(chr(0) + 'nobody'), 'connects')
tried(lambda: socket.socket(socket.AF_INET), 'network')
tried(lambda: socket.socket(socket.AF_NETLINK, socket.SOCK_RAW), 'netlink')
tried(lambda: at.accept(), 'accepts'))"),
        Purpose::gpu);
    CHECK_EQ(output, "driver\nlistens\nend\n");
  }
}

TEST_CASE("the system's list of libraries can be read, and /dev/null be written to") {
  FOR_EACH_TIER {
    const Sandbox sandbox = Sandbox::best(places(), tier);
    CAPTURE(sandbox.name());
    CHECK_EQ(said(sandbox, "head -c 5 /etc/ld.so.cache > /dev/null && echo end"), "end\n");
  }
}

TEST_CASE("two sandboxes started by root have different users") {
  if (geteuid() != 0) {
    MESSAGE("skipped: only root has two users");
    return;
  }
  FOR_EACH_TIER {
    const Sandbox one = Sandbox::best(places(), tier), other = Sandbox::best(places(), tier);
    CAPTURE(one.name());
    CHECK_NE(said(one, "id -u"), said(other, "id -u"));
  }
}

TEST_CASE("a signal reaches no process outside") {
  FOR_EACH_TIER {
    const Sandbox sandbox = Sandbox::best(places(), tier);
    CAPTURE(sandbox.name());
    CHECK_EQ(said(sandbox, "kill -USR1 " + std::to_string(getpid()) +
                               " 2>/dev/null && echo sent; kill -0 1 2>/dev/null; echo end"),
             "end\n");
    // For one user without namespaces: no signals at all, not even to its own processes.
    CHECK_EQ(said(sandbox, "sleep 5 & kill $! 2>/dev/null && echo sent; echo end"),
             tier == Tier::full ? "sent\nend\n" : "end\n");
    for (const char* call : {"syscall(200, os.getpid(), 0)",
                             "syscall(234, os.getpid(), os.getpid(), 0)"}) {  // tkill, tgkill
      CAPTURE(call);
      CHECK_EQ(said(sandbox, python("import ctypes, os\nif ctypes.CDLL(None)." + std::string(call) +
                                    " == 0: print('sent')")),
               tier == Tier::full ? "sent\nend\n" : "end\n");
    }
  }
}

TEST_CASE("a fork bomb runs into a limit and leaves nothing behind") {
  FOR_EACH_TIER {
    const Sandbox sandbox = Sandbox::best(places(), tier);
    if (tier == Tier::reduced && geteuid() != 0)
      continue;  // the number is not limited there: docs/decisions/sandbox.md
    CAPTURE(sandbox.name());
    const std::string output = said(sandbox, python(R"(
import os, time
children = 0
try:
    while children < 300:
        if os.fork() == 0:
            time.sleep(60)
            os._exit(0)
        children += 1
except BlockingIOError:
    print('limited' if children < 100 else children))"));
    CHECK_EQ(output, "limited\nend\n");
  }
}

}  // namespace
}  // namespace histolab::sandbox
