#include "grader/sandbox/system_calls.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sched.h>
#include <seccomp.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <memory>

namespace histolab::sandbox {
namespace {

using kernels::worker::Descriptor;

constexpr std::uint64_t new_namespaces = CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS |
                                         CLONE_NEWIPC | CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET;

class Rules {
 public:
  explicit Rules(std::uint32_t otherwise) : context_(seccomp_init(otherwise), seccomp_release) {
    ok_ = context_ != nullptr;
  }

  // This version of libseccomp cannot allow a call that it does not know. A call that it cannot
  // forbid is an error that names the call.
  template <class... Comparison>
  void add(std::uint32_t action, const char* name, Comparison... comparison) {
    const int number = seccomp_syscall_resolve_name(name);
    if (number == __NR_SCMP_ERROR) return;
    const scmp_arg_cmp list[] = {comparison..., scmp_arg_cmp{}};
    if (ok_ &&
        seccomp_rule_add_array(context_.get(), action, number, sizeof...(comparison), list) != 0)
      ok_ = false;
  }
  void add_all(std::uint32_t action, std::initializer_list<const char*> names) {
    for (const char* name : names) add(action, name);
  }

  Result<Descriptor> program() {
    // As a binary tree: when a filter is installed, Linux runs it for each call that exists.
    ok_ = ok_ && seccomp_attr_set(context_.get(), SCMP_FLTATR_CTL_OPTIMIZE, 2) == 0;
    Descriptor file(memfd_create("system calls", MFD_CLOEXEC));
    const int failed = !ok_             ? EINVAL
                       : file.get() < 0 ? errno
                                        : -seccomp_export_bpf(context_.get(), file.get());
    if (failed != 0)
      return Error{fmt::format("cannot make a filter of system calls: {}", std::strerror(failed))};
    return file;
  }

 private:
  std::unique_ptr<void, decltype(&seccomp_release)> context_;
  bool ok_ = false;
};

void forbid_new_namespaces(Rules& rules) {
  // A filter cannot see its flags. glibc then falls back to clone.
  rules.add(SCMP_ACT_ERRNO(ENOSYS), "clone3");
  // mutant 1 -> 2: the lowest of these flags is CLONE_NEWNS, 0x20000, so a lower bit does not
  // matter
  for (std::uint64_t flag = 1; flag != 0; flag <<= 1)
    if ((new_namespaces & flag) != 0)
      rules.add(SCMP_ACT_ERRNO(EPERM), "clone", SCMP_A0(SCMP_CMP_MASKED_EQ, flag, flag));
}

// Calls that no compiler needs, and with which programs break out of sandboxes.
void forbid_ways_out(Rules& rules, Filter filter) {
  constexpr std::uint32_t no = SCMP_ACT_ERRNO(EPERM);
  if (filter == Filter::driver)
    rules.add(no, "socket", SCMP_A0(SCMP_CMP_NE, AF_UNIX));
  else
    rules.add_all(no, {"socket", "bind", "listen"});
  rules.add_all(no, {"socketpair", "connect", "accept", "accept4", "sendto", "sendmmsg", "recvfrom",
                     "recvmmsg"});
  rules.add_all(no, {"ptrace", "process_vm_readv", "process_vm_writev", "process_madvise", "kcmp",
                     "pidfd_getfd", "perf_event_open"});
  rules.add_all(no, {"mount", "umount", "umount2", "pivot_root", "chroot", "move_mount",
                     "open_tree", "fsopen", "fsconfig", "fsmount", "fspick", "mount_setattr"});
  rules.add_all(no, {"unshare", "setns", "add_key", "request_key", "keyctl", "bpf", "userfaultfd",
                     "io_uring_setup", "io_uring_enter", "io_uring_register"});
  rules.add_all(no,
                {"init_module", "finit_module", "delete_module", "kexec_load", "kexec_file_load",
                 "reboot", "swapon", "swapoff", "acct", "quotactl", "quotactl_fd"});
  rules.add_all(no, {"settimeofday", "clock_settime", "clock_adjtime", "adjtimex", "sethostname",
                     "setdomainname", "syslog", "vhangup", "ioperm", "iopl", "modify_ldt"});
  rules.add_all(no, {"open_by_handle_at", "name_to_handle_at", "fanotify_init", "fanotify_mark",
                     "inotify_init", "inotify_init1", "lookup_dcookie", "nfsservctl", "uselib",
                     "vm86", "vm86old"});
  rules.add_all(no, {"mbind", "migrate_pages", "move_pages", "set_mempolicy", "shmget", "shmat",
                     "shmctl", "msgget", "msgsnd", "msgctl", "semget", "semop", "semctl", "mq_open",
                     "mknod", "mknodat"});
  // These type into a terminal. The kernel ignores the upper half of the number.
  for (const std::uint64_t request : {TIOCSTI, TIOCLINUX})
    rules.add(no, "ioctl", SCMP_A1(SCMP_CMP_MASKED_EQ, 0xffffffff, request));
  rules.add_all(no, {"symlink", "symlinkat", "link", "linkat"});  // names that point elsewhere
  if (filter == Filter::driver) return forbid_new_namespaces(rules);
  // Landlock does not cover these, or only recently: a process that may read a file could change
  // it.
  rules.add_all(no, {"truncate", "chmod", "fchmod", "fchmodat", "fchmodat2", "chown", "lchown",
                     "fchown", "fchownat", "utime", "utimes", "futimesat", "utimensat"});
  // mutant without "setxattrat": libseccomp 2.5 does not know this name, so Rules::add() skips it
  rules.add_all(no, {"setxattr", "lsetxattr", "fsetxattr", "setxattrat", "removexattr",
                     "lremovexattr", "fremovexattr", "removexattrat"});
  constexpr std::uint64_t how = O_ACCMODE | O_TRUNC;
  rules.add(no, "open", SCMP_A1(SCMP_CMP_MASKED_EQ, how, O_TRUNC));
  rules.add(no, "openat", SCMP_A2(SCMP_CMP_MASKED_EQ, how, O_TRUNC));
  rules.add(no, "openat2");  // a filter cannot see its flags
  forbid_new_namespaces(rules);
}

// Memory without execution rights.
void allow_memory(Rules& rules) {
  for (const char* name : {"mmap", "mprotect"})
    // mutant 0 -> 1: libseccomp applies the mask to the value, and PROT_EXEC is 4
    rules.add(SCMP_ACT_ALLOW, name, SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0));
  rules.add_all(SCMP_ACT_ALLOW, {"munmap", "mremap", "madvise", "brk"});
}

void allow_readers_needs(Rules& rules) {
  allow_memory(rules);
  rules.add_all(SCMP_ACT_ALLOW,
                {"write", "writev", "futex", "exit", "exit_group", "getpid", "gettid",
                 "sched_yield", "rt_sigaction", "rt_sigprocmask", "rt_sigreturn", "sigaltstack",
                 "clock_gettime", "gettimeofday", "getrandom"});
}

void allow_kernels_needs(Rules& rules) {
  constexpr std::uint32_t yes = SCMP_ACT_ALLOW;
  allow_memory(rules);
  // Code that has been written and is never written again.
  // mutant without PROT_EXEC: it then allows all mappings that are not writable; combined with the
  // rule before it, the result is the same
  rules.add(yes, "mprotect", SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC | PROT_WRITE, PROT_EXEC));
  // Its descriptors: the pipes for its answer, and memory without names. It cannot open others.
  rules.add_all(yes, {"read", "write", "writev", "close", "lseek", "fstat", "ftruncate",
                      "memfd_create", "poll", "ppoll"});
  rules.add(yes, "newfstatat", SCMP_A3(SCMP_CMP_EQ, 0x1000));  // AT_EMPTY_PATH: a descriptor
  // Threads, signals to itself, time.
  rules.add_all(yes, {"futex",        "set_robust_list",
                      "rseq",         "exit",
                      "exit_group",   "gettid",
                      "getpid",       "getppid",
                      "sched_yield",  "getrandom",
                      "rt_sigaction", "rt_sigprocmask",
                      "rt_sigreturn", "sigaltstack",
                      "setitimer",    "clock_gettime",
                      "clock_getres", "clock_nanosleep",
                      "nanosleep",    "restart_syscall",
                      "getrlimit",    "sysinfo",
                      "getcpu",       "membarrier",
                      "gettimeofday", "time"});
  for (const char* of_itself : {"prlimit64", "sched_getaffinity"})
    rules.add(yes, of_itself, SCMP_A0(SCMP_CMP_EQ, 0));
  rules.add(SCMP_ACT_ERRNO(ENOSYS), "clone3");
  constexpr std::uint64_t thread = CLONE_VM | CLONE_THREAD | CLONE_SIGHAND;
  rules.add(yes, "clone", SCMP_A0(SCMP_CMP_MASKED_EQ, new_namespaces | thread, thread));
  // Neither processes nor signals: in the tier `reduced`, all launches of students share one user.
  rules.add(SCMP_ACT_ERRNO(EAGAIN), "clone", SCMP_A0(SCMP_CMP_MASKED_EQ, CLONE_THREAD, 0));
  rules.add_all(SCMP_ACT_ERRNO(EPERM), {"kill", "tgkill", "tkill", "seccomp"});
  // A C library makes these calls before it prints an error. They fail, so that the process can
  // still print it.
  rules.add_all(SCMP_ACT_ERRNO(EPERM),
                {"openat", "open", "readlink", "readlinkat", "access", "faccessat", "faccessat2",
                 "stat", "lstat", "statx", "ioctl", "uname"});
}

void allow_fronts_needs(Rules& rules) {
  constexpr std::uint32_t yes = SCMP_ACT_ALLOW;
  allow_readers_needs(rules);
  rules.add_all(yes, {"read", "readv", "recvfrom", "recvmsg", "accept", "accept4", "shutdown",
                      "close", "getsockname", "getpeername", "epoll_create", "epoll_create1",
                      "epoll_ctl", "epoll_wait", "epoll_pwait", "poll", "ppoll", "eventfd2"});
  // MSG_FASTOPEN connects a socket, also one that was listening before.
  rules.add(yes, "sendto", SCMP_A3(SCMP_CMP_MASKED_EQ, MSG_FASTOPEN, 0), SCMP_A4(SCMP_CMP_EQ, 0));
  rules.add(yes, "sendmsg", SCMP_A2(SCMP_CMP_MASKED_EQ, MSG_FASTOPEN, 0));
  rules.add(yes, "getsockopt", SCMP_A1(SCMP_CMP_EQ, SOL_SOCKET));
  for (const std::uint64_t option : {TCP_NODELAY, TCP_CORK})
    rules.add(yes, "setsockopt", SCMP_A1(SCMP_CMP_EQ, IPPROTO_TCP), SCMP_A2(SCMP_CMP_EQ, option));
  // Other requests could make the kernel send signals to other processes.
  for (const std::uint64_t request : {F_GETFD, F_SETFD, F_GETFL, F_SETFL})
    rules.add(yes, "fcntl", SCMP_A1(SCMP_CMP_EQ, request));
  rules.add(yes, "prctl", SCMP_A0(SCMP_CMP_EQ, PR_SET_NAME));
  rules.add_all(yes, {"set_robust_list", "rseq", "clock_nanosleep", "nanosleep", "clock_getres",
                      "restart_syscall", "time"});
  rules.add(yes, "sched_getaffinity", SCMP_A0(SCMP_CMP_EQ, 0));
  rules.add(SCMP_ACT_ERRNO(ENOSYS), "clone3");
  constexpr std::uint64_t thread = CLONE_VM | CLONE_THREAD | CLONE_SIGHAND;
  rules.add(yes, "clone", SCMP_A0(SCMP_CMP_MASKED_EQ, new_namespaces | thread, thread));
}

}  // namespace

Result<Descriptor> filter_program(Filter filter, const FilterOptions& options) {
  if (filter == Filter::tools || filter == Filter::driver) {
    Rules rules(SCMP_ACT_ALLOW);
    forbid_ways_out(rules, filter);
    if (options.shares_user) {
      // A compiler sends signals to its own passes only when it is interrupted.
      for (const char* name : {"kill", "tkill", "tgkill", "pidfd_open", "pidfd_send_signal",
                               "rt_sigqueueinfo", "rt_tgsigqueueinfo"})
        rules.add(SCMP_ACT_ERRNO(EPERM), name);
      // Children stay in the process group, which is killed at the end.
      for (const char* name : {"setsid", "setpgid"}) rules.add(SCMP_ACT_ERRNO(EPERM), name);
    }
    return rules.program();
  }
  Rules rules(filter == Filter::kernel ? SCMP_ACT_KILL_PROCESS : SCMP_ACT_ERRNO(EPERM));
  if (filter == Filter::reading)
    allow_readers_needs(rules);
  else if (filter == Filter::front)
    allow_fronts_needs(rules);
  else
    allow_kernels_needs(rules);
  return rules.program();
}

}  // namespace histolab::sandbox
