// The complete policy as one text, grader/golden/system_calls.txt: each filter's verdict on each
// call. It makes every change of the policy visible.
#include "grader/sandbox/system_calls.h"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <linux/audit.h>
#include <linux/seccomp.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sched.h>
#include <seccomp.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>

#include <csignal>
#include <cstdlib>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "grader/sandbox/testing/filter_machine.h"
#include "grader/testing/files.h"

namespace histolab::sandbox {
namespace {

using testing::Call;
using testing::FilterMachine;

FilterMachine machine(Filter filter, bool shares_user) {
  const auto program = filter_program(filter, {.shares_user = shares_user});
  REQUIRE(program);
  return FilterMachine(*program);
}

struct Named {
  const char* name;
  bool shares_user;
  FilterMachine filter;
};

std::vector<Named> all_filters() {
  std::vector<Named> all;
  for (const bool shares : {false, true})
    for (const auto& [name, filter] :
         {std::pair{"tools", Filter::tools}, std::pair{"driver", Filter::driver},
          std::pair{"kernel", Filter::kernel}, std::pair{"reading", Filter::reading},
          std::pair{"front", Filter::front}})
      all.push_back({name, shares, machine(filter, shares)});
  return all;
}

std::optional<std::string> name_of(std::uint32_t number) {
  char* const found = seccomp_syscall_resolve_num_arch(SCMP_ARCH_X86_64, static_cast<int>(number));
  if (found == nullptr) return std::nullopt;
  std::string name = found;
  std::free(found);
  return name;
}

// All calls that the oldest supported libseccomp (2.5.4) has names for: those of Linux 5.17.
constexpr std::uint32_t numbers = 451;

std::uint32_t number_of(const std::string& name) {
  const int number = seccomp_syscall_resolve_name_arch(SCMP_ARCH_X86_64, name.c_str());
  REQUIRE(number >= 0);
  return static_cast<std::uint32_t>(number);
}

struct Question {
  const char* words;
  const char* name;
  std::array<std::uint64_t, 6> arguments;
};

// Verdicts that depend on arguments.
const Question questions[] = {
    {"memory to read and write", "mmap", {0, 4096, PROT_READ | PROT_WRITE}},
    {"memory to run", "mmap", {0, 4096, PROT_READ | PROT_EXEC}},
    {"memory to write and run", "mmap", {0, 4096, PROT_READ | PROT_WRITE | PROT_EXEC}},
    {"memory made writable", "mprotect", {0, 4096, PROT_READ | PROT_WRITE}},
    {"memory made runnable", "mprotect", {0, 4096, PROT_READ | PROT_EXEC}},
    {"memory made writable and runnable", "mprotect", {0, 4096, PROT_WRITE | PROT_EXEC}},
    {"the status of a descriptor", "newfstatat", {3, 0, 0, 0x1000}},
    {"the status of a path", "newfstatat", {3, 0, 0, 0}},
    {"its own limits", "prlimit64", {0}},
    {"another process's limits", "prlimit64", {1}},
    {"its own cores", "sched_setaffinity", {0}},
    {"another process's cores", "sched_setaffinity", {1}},
    {"query its own cores", "sched_getaffinity", {0}},
    {"query another process's cores", "sched_getaffinity", {1}},
    {"is killed when its parent ends", "prctl", {PR_SET_PDEATHSIG, SIGKILL}},
    {"gets SIGTERM when its parent ends", "prctl", {PR_SET_PDEATHSIG, SIGTERM}},
    {"whether it dumps core", "prctl", {PR_SET_DUMPABLE, SIGKILL}},
    {"one more filter", "seccomp", {SECCOMP_SET_MODE_FILTER}},
    {"strict mode", "seccomp", {SECCOMP_SET_MODE_STRICT}},
    {"a thread", "clone", {CLONE_VM | CLONE_THREAD | CLONE_SIGHAND | CLONE_FS | CLONE_FILES}},
    {"a thread with its own memory", "clone", {CLONE_THREAD | CLONE_SIGHAND}},
    {"a thread with its own signals", "clone", {CLONE_VM | CLONE_THREAD}},
    {"a process", "clone", {SIGCHLD}},
    {"a process in the same memory", "clone", {CLONE_VM | CLONE_VFORK | SIGCHLD}},
    {"a process in the same memory, with its signals",
     "clone",
     {CLONE_VM | CLONE_SIGHAND | SIGCHLD}},
    {"a process with its own mounts", "clone", {CLONE_NEWNS | SIGCHLD}},
    {"a process with its own control groups", "clone", {CLONE_NEWCGROUP | SIGCHLD}},
    {"a process with its own host name", "clone", {CLONE_NEWUTS | SIGCHLD}},
    {"a process with its own IPC", "clone", {CLONE_NEWIPC | SIGCHLD}},
    {"a process with its own users", "clone", {CLONE_NEWUSER | SIGCHLD}},
    {"a process with its own process ids", "clone", {CLONE_NEWPID | SIGCHLD}},
    {"a process with its own network", "clone", {CLONE_NEWNET | SIGCHLD}},
    {"a thread with its own users",
     "clone",
     {CLONE_VM | CLONE_THREAD | CLONE_SIGHAND | CLONE_NEWUSER}},
    {"types into a terminal", "ioctl", {0, TIOCSTI}},
    {"types into a terminal, with bits that the kernel ignores",
     "ioctl",
     {0, 1ull << 32 | TIOCSTI}},
    {"types into a console", "ioctl", {0, TIOCLINUX}},
    {"the size of a terminal", "ioctl", {0, TIOCGWINSZ}},
    {"a local socket", "socket", {AF_UNIX, SOCK_STREAM}},
    {"an internet socket", "socket", {AF_INET, SOCK_STREAM}},
    {"bytes to a connected socket", "sendto", {3, 0, 1, MSG_NOSIGNAL | MSG_DONTWAIT | MSG_MORE}},
    {"bytes to an address", "sendto", {3, 0, 1, MSG_NOSIGNAL, 1}},
    {"bytes that connect a socket", "sendto", {3, 0, 1, MSG_FASTOPEN}},
    {"a message to a connected socket", "sendmsg", {3, 0, MSG_NOSIGNAL}},
    {"a message that connects a socket", "sendmsg", {3, 0, MSG_FASTOPEN}},
    {"whether a socket has failed", "getsockopt", {3, SOL_SOCKET, SO_ERROR}},
    {"the state of a TCP connection", "getsockopt", {3, IPPROTO_TCP, TCP_INFO}},
    {"no delay", "setsockopt", {3, IPPROTO_TCP, TCP_NODELAY}},
    {"a connection by the first bytes", "setsockopt", {3, IPPROTO_TCP, TCP_FASTOPEN_CONNECT}},
    {"a filter on a socket", "setsockopt", {3, SOL_SOCKET, SO_ATTACH_FILTER}},
    {"the flags of a descriptor", "fcntl", {3, F_GETFL}},
    {"a descriptor's owner, which gets signals", "fcntl", {3, F_SETOWN}},
    {"its name", "prctl", {PR_SET_NAME}},
    {"a netlink socket", "socket", {AF_NETLINK, SOCK_RAW}},
    {"a file to read", "open", {0, O_RDONLY}},
    {"a file to write", "open", {0, O_WRONLY}},
    {"a file to read, emptied", "open", {0, O_RDONLY | O_TRUNC}},
    {"a file to write, emptied", "open", {0, O_WRONLY | O_TRUNC}},
    {"a file to read", "openat", {0, 0, O_RDONLY}},
    {"a file to write", "openat", {0, 0, O_WRONLY}},
    {"a file to read, emptied", "openat", {0, 0, O_RDONLY | O_TRUNC}},
    {"a file to write, emptied", "openat", {0, 0, O_WRONLY | O_TRUNC}},
};

std::string folded(const std::vector<std::string>& words) {
  std::string text, line = "   ";
  for (const std::string& word : words) {
    if (line.size() + 1 + word.size() > 100) {
      text += line + "\n";
      line = "   ";
    }
    line += " " + word;
  }
  return text + line + "\n";
}

// Calls without arguments: one verdict per number.
std::string of_calls(const Named& each) {
  std::map<std::string, std::vector<std::string>> calls;
  for (std::uint32_t number = 0; number < numbers; ++number)
    if (const auto name = name_of(number))
      calls[each.filter.verdict({number, {}})].push_back(*name);
  std::string text;
  for (const auto& [verdict, names] : calls) {
    const std::string_view name = each.name;
    const std::string others = calls.contains("ends the process")     ? "ends the process"
                               : name == "reading" || name == "front" ? "EPERM"
                                                                      : "allowed";
    const bool rest = verdict == others;
    text += rest ? fmt::format("  {}: all others\n", verdict)
                 : fmt::format("  {}:\n{}", verdict, folded(names));
  }
  return text;
}

TEST_CASE("each filter's verdict on each system call is the one in the golden file") {
  std::string text =
      "The verdicts of the system call filters (grader/sandbox/system_calls.cpp) on calls whose "
      "arguments are all 0.\n";
  const std::vector<Named> filters = all_filters();
  std::map<std::string, std::string> alone;
  for (const Named& each : filters) {
    const std::string said = of_calls(each);
    if (said != alone[each.name])
      text += fmt::format("\n{}{}\n{}", each.name,
                          each.shares_user ? ", for a user account that others share" : "", said);
    alone[each.name] = said;
  }
  text += "\nVerdicts that depend on the arguments\n";
  for (const Question& question : questions) {
    text += fmt::format("  {}, {}:\n", question.name, question.words);
    std::map<std::string, std::string> verdicts;
    for (const Named& each : filters) {
      if (each.shares_user) continue;
      std::string& who =
          verdicts[each.filter.verdict({number_of(question.name), question.arguments})];
      who += (who.empty() ? "" : ", ") + std::string(each.name);
    }
    for (const auto& [verdict, who] : verdicts)
      text += fmt::format("    {}: {}\n", verdict, verdicts.size() == 1 ? "all" : who);
  }
  CHECK(grader::testing::matches_golden("system_calls.txt", text));
}

TEST_CASE(
    "calls of another architecture end the process, and so do calls of x86-64 with short "
    "pointers") {
  for (const Named& each : all_filters())
    for (std::uint32_t number = 0; number < numbers; ++number) {
      CAPTURE(each.name);
      CAPTURE(number);
      CHECK_NE(each.filter.verdict({number, {}}, AUDIT_ARCH_I386), "allowed");
      constexpr std::uint32_t short_pointers = 0x40000000;
      CHECK_NE(each.filter.verdict({number | short_pointers, {}}), "allowed");
    }
}

TEST_CASE("a filter stays within the kernel's limit") {
  for (const Filter filter :
       {Filter::tools, Filter::driver, Filter::kernel, Filter::reading, Filter::front}) {
    const auto program = filter_program(filter, {.shares_user = true});
    REQUIRE(program);
    CHECK_LT(lseek(program->get(), 0, SEEK_END), 4096 * 8);
  }
}

}  // namespace
}  // namespace histolab::sandbox
