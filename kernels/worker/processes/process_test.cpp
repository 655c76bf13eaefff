// Tests of child processes: their input, limits and endings, and that no process is left behind.
#include "kernels/worker/processes/process.h"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <sstream>
#include <thread>

#include "kernels/worker/processes/program_start.h"
#include "reference/seconds_since.h"
#include "reference/testing/wait_until.h"

using namespace histolab;
using namespace histolab::kernels::worker;
using End = ProcessResult::End;
using reference::testing::wait_until;

namespace {

ProcessSpec shell(const std::string& script) {
  ProcessSpec spec;
  spec.command = {"sh", "-c", script};
  return spec;
}

ProcessResult run(const ProcessSpec& spec) {
  Result<ProcessResult> result = run_process(spec);
  REQUIRE(result.ok());
  return std::move(*result);
}

double seconds_of(const ProcessSpec& spec, ProcessResult& result) {
  const auto begin = std::chrono::steady_clock::now();
  result = run(spec);
  return reference::seconds_since(begin);
}

bool is_gone(pid_t pid) {
  return wait_until([&] {
    std::ifstream status("/proc/" + std::to_string(pid) + "/stat");
    std::string number, name, state;
    return !(status >> number >> name >> state) || state == "Z";
  });
}

// Starts the wall clock of a child when its script writes to descriptor 4. On a busy machine the
// start itself may take long.
class Starting {
 public:
  explicit Starting(ProcessSpec& spec) {
    REQUIRE(pipe2(ends_, O_CLOEXEC) == 0);
    spec.descriptors.emplace_back(ends_[1], 4);
    spec.is_held_back = [this] {
      pollfd written{ends_[0], POLLIN, 0};
      return poll(&written, 1, 0) == 0;
    };
  }
  Starting(const Starting&) = delete;
  Starting& operator=(const Starting&) = delete;
  ~Starting() {
    for (const int end : ends_) close(end);
  }

 private:
  int ends_[2] = {-1, -1};
};

}  // namespace

TEST_CASE("a child's output, errors, exit code and signal are returned") {
  const ProcessResult both = run(shell("echo out; echo err >&2; exit 3"));
  CHECK(both.end == End::exited);
  CHECK(both.code == 3);
  CHECK(both.output == "out\n");
  CHECK(both.errors == "err\n");
  CHECK(!both.output_cut);
  const ProcessResult killed = run(shell("kill -SEGV $$"));
  CHECK(killed.end == End::signalled);
  CHECK(killed.code == SIGSEGV);
  const ProcessResult silent = run(shell(":"));
  CHECK(silent.end == End::exited);
  CHECK(silent.output.empty());
}

TEST_CASE("what is typed at a terminal reaches a child, and the terminal does not") {
  int ours = -1, terminal = -1;
  REQUIRE(openpty(&ours, &terminal, nullptr, nullptr, nullptr) == 0);
  const pid_t typing = fork();  // its own session: the terminal is that of its foreground group
  if (typing == 0) {
    setsid();
    if (ioctl(terminal, TIOCSCTTY, 0) != 0) _exit(2);
    ProcessSpec spec = shell("read -r a && read -r b && echo \"$a, $b\"; [ ! -t 0 ] && cat");
    spec.input = terminal;
    const Result<ProcessResult> ran = run_process(spec);
    _exit(ran.ok() && ran->output == "one, two\nthree\n" ? 0 : 1);
  }
  const std::string typed = "one\ntwo\nthree\n\4";  // Ctrl-D ends the input
  REQUIRE(write(ours, typed.data(), typed.size()) == static_cast<ssize_t>(typed.size()));
  CHECK(wait_for_child(typing) == 0);
  close(ours);
  close(terminal);
}

TEST_CASE("fixed addresses are the same each time") {
  ProcessSpec spec = shell("grep -m1 '' /proc/self/maps");
  spec.fixed_addresses = true;
  const std::string first = run(spec).output;
  CHECK(!first.empty());
  for (int i = 0; i < 5; ++i) CHECK(run(spec).output == first);
}

TEST_CASE(
    "a missing command, a file that is not a program, and a missing directory exit with 127") {
  for (const char* command : {"no-such-program-anywhere", "/no/such/program", "/etc/passwd", "/"}) {
    ProcessSpec spec;
    spec.command = {command};
    const ProcessResult result = run(spec);
    CHECK(result.end == End::exited);
    CHECK(result.code == 127);
  }
  ProcessSpec spec = shell(":");
  spec.directory = "/no/such/folder";
  CHECK(run(spec).code == 127);
}

TEST_CASE("a child gets only the given environment and directory") {
  CHECK(setenv("HISTOLAB_SECRET", "1", 1) == 0);
  ProcessSpec spec;
  spec.command = {"env"};
  CHECK(run(spec).output.empty());
  spec.environment = {"ONE=1", "TWO=a b"};
  CHECK(run(spec).output == "ONE=1\nTWO=a b\n");
  unsetenv("HISTOLAB_SECRET");
  ProcessSpec where = shell("pwd");
  where.directory = "/usr";
  CHECK(run(where).output == "/usr\n");
}

TEST_CASE("only the named descriptors are inherited, under their numbers") {
  const int leaked = open("/dev/null", O_RDONLY);  // not close-on-exec
  const int first = open("/etc/hostname", O_RDONLY | O_CLOEXEC),
            second = open("/etc/passwd", O_RDONLY | O_CLOEXEC);
  REQUIRE((leaked >= 0 && first >= 0 && second >= 0));
  ProcessSpec spec =
      shell("ls /proc/self/fd | sort -n | tr '\\n' ' '; readlink /proc/self/fd/4 /proc/self/fd/3");
  spec.descriptors = {{first, 4}, {second, 3}};
  const std::string output = run(spec).output;
  CHECK(output.find("/etc/hostname\n/etc/passwd\n") != std::string::npos);
  CHECK_MESSAGE(output.starts_with("0 1 2 3 4 "), output);
  // The numbers may cross: ours, moved to 20 and 21, become the child's 21 and 20.
  // Keeps the descriptors that another test has at these numbers.
  const int held[] = {fcntl(20, F_DUPFD_CLOEXEC, 64), fcntl(21, F_DUPFD_CLOEXEC, 64)};
  dup3(first, 20, O_CLOEXEC);
  dup3(second, 21, O_CLOEXEC);
  ProcessSpec crossed = shell("readlink /proc/self/fd/20 /proc/self/fd/21");
  crossed.descriptors = {{20, 21}, {21, 20}};
  CHECK(run(crossed).output == "/etc/passwd\n/etc/hostname\n");
  for (const int i : {0, 1}) {
    if (held[i] >= 0) {
      dup3(held[i], 20 + i, O_CLOEXEC);
      close(held[i]);
    } else {
      close(20 + i);
    }
  }
  CHECK(run(shell("cat")).output.empty());  // stdin is empty
  for (const int fd : {leaked, first, second}) close(fd);
}

TEST_CASE("invalid descriptor numbers are an Error, not a child without them") {
  for (const int number : {0, 2, 64, -1}) {
    ProcessSpec spec = shell(":");
    spec.descriptors = {{0, number}};
    CHECK(!run_process(spec).ok());
  }
  ProcessSpec many = shell(":");
  for (int i = 0; i < 100; ++i) many.descriptors.emplace_back(0, 5);
  CHECK(!run_process(many).ok());
}

TEST_CASE("a parent with hundreds of open descriptors can still start children") {
  std::vector<int> many;
  for (int i = 0; i < 300; ++i) many.push_back(open("/dev/null", O_RDONLY | O_CLOEXEC));
  REQUIRE(many.back() > 128);
  ProcessSpec spec = shell("echo here; readlink /proc/self/fd/3");
  spec.descriptors = {{many.back(), 3}};
  CHECK(run(spec).output == "here\n/dev/null\n");
  for (const int fd : many) close(fd);
}

TEST_CASE("a silent child hits the wall-clock limit, a busy one the CPU limit") {
  ProcessSpec sleeper = shell("echo before; echo >&4; sleep 1000000");
  const Starting starting{sleeper};
  sleeper.limits.wall = std::chrono::milliseconds(300);
  ProcessResult result = run(sleeper);
  CHECK(result.end == End::timed_out);
  CHECK(result.output == "before\n");
  ProcessSpec busy = shell("while :; do :; done");
  busy.limits.cpu_seconds = 1;
  result = run(busy);
  CHECK(result.end == End::timed_out);
  CHECK(result.code == SIGXCPU);  // a wall clock does not send it
  ProcessSpec stubborn = shell("trap '' XCPU; while :; do :; done");
  stubborn.limits.cpu_seconds = 1;
  result = run(stubborn);
  CHECK(result.end == End::signalled);
  CHECK(result.code == SIGKILL);
  ProcessSpec deaf = shell("trap '' TERM INT HUP; while :; do sleep 1; done");
  deaf.limits.wall = std::chrono::milliseconds(200);
  result = run(deaf);
  CHECK(result.end == End::timed_out);
}

TEST_CASE("the wall clock is paused while a child is held back, and then continues") {
  int fds[2];
  REQUIRE(pipe2(fds, O_CLOEXEC) == 0);
  ProcessSpec waiting = shell("read line <&3; echo \"$line\"; echo >&4; sleep 1000000");
  const Starting starting{waiting};
  waiting.descriptors.emplace_back(fds[0], 3);
  waiting.limits.wall = std::chrono::milliseconds(200);
  const auto begin = std::chrono::steady_clock::now();
  bool let_go = false;
  waiting.is_held_back = [&, has_not_gone_on = waiting.is_held_back] {
    if (!let_go && std::chrono::steady_clock::now() - begin > 3 * waiting.limits.wall)
      let_go = write(fds[1], "go\n", 3) == 3;
    return has_not_gone_on();
  };
  const ProcessResult result = run(waiting);
  CHECK(result.output == "go\n");  // the child was still alive
  CHECK(result.end == End::timed_out);
  for (const int fd : fds) close(fd);
}

TEST_CASE("a busy child hits the CPU limit, even while it is held back") {
  ProcessSpec busy = shell("while :; do :; done");
  busy.limits.cpu_seconds = 1;
  busy.is_held_back = [] { return true; };
  const ProcessResult result = run(busy);
  CHECK(result.end == End::timed_out);
  CHECK(result.code == SIGXCPU);
}

TEST_CASE("a child that closes its pipes and keeps running is waited for, up to its limit") {
  ProcessSpec spec = shell("exec >&- 2>&-; sleep 1000000");
  spec.limits.wall = std::chrono::milliseconds(300);
  ProcessResult result;
  const double wall = seconds_of(spec, result);
  CHECK(wall > 0.2);
  CHECK(result.end == End::timed_out);
}

TEST_CASE("output beyond the cap is read and discarded") {
  ProcessSpec spec = shell("head -c 3000000 /dev/zero; head -c 3000000 /dev/zero >&2; echo end");
  spec.limits.output_bytes = 1000;
  const ProcessResult result = run(spec);
  CHECK(result.end == End::exited);
  CHECK(result.code == 0);
  CHECK(result.output.size() == 1000);
  CHECK(result.errors.size() == 1000);
  CHECK(result.output_cut);
  ProcessSpec flood = shell("cat /dev/zero");
  flood.limits = spec.limits;
  flood.limits.wall = std::chrono::milliseconds(300);
  CHECK(run(flood).end == End::timed_out);
}

TEST_CASE("memory, files and core dumps are limited") {
  ProcessSpec spec = shell("ulimit -c; ulimit -d; ulimit -n");
  spec.limits.data_bytes = 64 << 20;
  CHECK(run(spec).output == "0\n65536\n128\n");
  ProcessSpec file = shell("head -c 100000 /dev/zero > \"$OUT\"; echo $?");
  file.limits.file_bytes = 4096;
  file.environment = {"OUT=/tmp/histolab-process-test-" + std::to_string(getpid())};
  run(file);
  std::ifstream written(file.environment[0].substr(4), std::ios::binary | std::ios::ate);
  CHECK(written.tellg() <= 4096);
  unlink(file.environment[0].c_str() + 4);
}

TEST_CASE("grandchildren end with the child") {
  for (const char* script : {"sleep 1000000 & echo $!; exit 0", "(sleep 1000000 & echo $!); exit 0",
                             "sleep 1000000 & echo $!; echo >&4; wait"}) {
    ProcessSpec spec = shell(script);
    const Starting starting{spec};
    spec.limits.wall = std::chrono::milliseconds(300);
    const ProcessResult result = run(spec);
    const pid_t grandchild = std::atoi(result.output.c_str());
    REQUIRE(grandchild > 0);
    CHECK(is_gone(grandchild));
  }
}

// After its caller is killed, the child is an orphan. It has not asked for a parent-death signal.
TEST_CASE("grandchildren end when the caller is killed") {
  int ends[2];
  REQUIRE(pipe(ends) == 0);
  const pid_t caller = fork();
  if (caller == 0) {
    ProcessSpec spec = shell("sleep 1000000 & echo $! >&9; wait");
    spec.descriptors = {{ends[1], 9}};
    static_cast<void>(run_process(spec));
    _exit(0);
  }
  close(ends[1]);
  char text[16] = {};
  REQUIRE(read(ends[0], text, sizeof text - 1) > 0);
  close(ends[0]);
  kill(caller, SIGKILL);
  waitpid(caller, nullptr, 0);
  const pid_t grandchild = std::atoi(text);
  CHECK(is_gone(grandchild));
}

TEST_CASE("a child has the highest OOM score, and the caller's score is unchanged") {
  const auto own = [] {
    std::ifstream file("/proc/self/oom_score_adj");
    int score = 0;
    file >> score;
    return score;
  };
  const int before = own();
  REQUIRE(before < 1000);
  CHECK(run(shell("cat /proc/self/oom_score_adj")).output == "1000\n");
  CHECK(own() == before);
}

TEST_CASE("the signal mask and handlers of the caller are not passed on") {
  signal(SIGPIPE, SIG_IGN);
  const ProcessResult result = run(shell("grep -E 'SigBlk|SigIgn' /proc/self/status"));
  signal(SIGPIPE, SIG_DFL);
  CHECK_MESSAGE(result.output == "SigBlk:\t0000000000000000\nSigIgn:\t0000000000000000\n",
                result.output);
}

TEST_CASE("a child that nothing waits for does not stay a zombie") {
  const pid_t child = start_program({.command = {"true"}});
  REQUIRE(child > 0);
  reap_when_ended(child);
  CHECK(wait_until([&] { return kill(child, 0) != 0 && errno == ESRCH; }));
}

TEST_CASE("many at once, from several threads") {
  std::vector<std::thread> threads;
  std::atomic<int> right{0};
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      for (int i = 0; i < 10; ++i) {
        const auto result = run_process(shell("echo " + std::to_string(100 * t + i)));
        right += result.ok() && result->output == std::to_string(100 * t + i) + "\n";
      }
    });
  for (std::thread& thread : threads) thread.join();
  CHECK(right == 40);
}

TEST_CASE("a cancellation ends the children that name it, and no others") {
  kernels::Cancellation cancellation;
  ProcessSpec named = shell("sleep 1000000"), other = shell("sleep 0.3; echo done");
  named.cancellation = &cancellation;
  ProcessResult of_named, of_other;
  std::thread first([&] { of_named = run(named); }), second([&] { of_other = run(other); });
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  cancellation.cancel();
  first.join();
  second.join();
  CHECK(of_named.end == End::cancelled);
  CHECK(of_other.output == "done\n");
  CHECK(run(named).end == End::cancelled);  // permanently
}
