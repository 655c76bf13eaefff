#include "grader/sandbox/testing/filter_machine.h"

#include <fmt/format.h>
#include <linux/audit.h>
#include <linux/seccomp.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace histolab::sandbox::testing {
namespace {

[[noreturn]] void fail(const char* what) {
  std::fprintf(stderr, "a filter of system calls: %s\n", what);
  std::abort();
}

std::string name_of(std::uint32_t answer) {
  switch (answer & SECCOMP_RET_ACTION_FULL) {
    case SECCOMP_RET_ALLOW: return "allowed";
    case SECCOMP_RET_KILL_PROCESS: return "ends the process";
    case SECCOMP_RET_KILL_THREAD: return "ends the thread";
    case SECCOMP_RET_ERRNO: return strerrorname_np(static_cast<int>(answer & SECCOMP_RET_DATA));
    default: return fmt::format("{:#x}", answer);
  }
}

}  // namespace

FilterMachine::FilterMachine(const kernels::worker::Descriptor& program) {
  struct stat about {};
  if (fstat(program.get(), &about) != 0 || about.st_size % sizeof(sock_filter) != 0)
    fail("no program");
  code_.resize(static_cast<std::size_t>(about.st_size) / sizeof(sock_filter));
  if (pread(program.get(), code_.data(), static_cast<std::size_t>(about.st_size), 0) !=
      about.st_size)
    fail("cannot be read");
}

// The part of the kernel's filter machine (Documentation/networking/filter.rst) that libseccomp
// uses.
std::string FilterMachine::verdict(const Call& call, std::uint32_t architecture) const {
  seccomp_data data{};
  data.nr = static_cast<int>(call.number);
  data.arch = architecture;
  std::memcpy(data.args, call.arguments.data(), sizeof data.args);
  std::uint32_t value = 0;
  for (std::size_t at = 0; at < code_.size(); ++at) {
    const sock_filter& now = code_[at];
    const auto jump = [&](bool holds) { at += holds ? now.jt : now.jf; };
    switch (now.code) {
      case BPF_LD | BPF_W | BPF_ABS:
        if (now.k + sizeof value > sizeof data) fail("reads behind a call");
        std::memcpy(&value, reinterpret_cast<const char*>(&data) + now.k, sizeof value);
        break;
      case BPF_ALU | BPF_AND | BPF_K: value &= now.k; break;
      case BPF_JMP | BPF_JA: at += now.k; break;
      case BPF_JMP | BPF_JEQ | BPF_K: jump(value == now.k); break;
      case BPF_JMP | BPF_JGT | BPF_K: jump(value > now.k); break;
      case BPF_JMP | BPF_JGE | BPF_K: jump(value >= now.k); break;
      case BPF_JMP | BPF_JSET | BPF_K: jump((value & now.k) != 0); break;
      case BPF_RET | BPF_K: return name_of(now.k);
      default: fail("an instruction that it does not know");
    }
  }
  fail("has no end");
}

std::string FilterMachine::verdict(const Call& call) const {
  return verdict(call, AUDIT_ARCH_X86_64);
}

}  // namespace histolab::sandbox::testing
