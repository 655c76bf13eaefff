#include "grader/batch/apart.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <vector>

#include "kernels/worker/descriptor.h"
#include "kernels/worker/process_limit.h"

namespace histolab::batch {
namespace {

using kernels::worker::limit;

constexpr int answer_descriptor = 3;

#if defined(__x86_64__)
constexpr std::uint32_t this_machine = AUDIT_ARCH_X86_64;
#else
constexpr std::uint32_t this_machine = AUDIT_ARCH_AARCH64;
#endif

// Everything but these fails, as it does for a program without rights.
bool give_up_system_calls() {
  constexpr std::uint32_t allowed[] = {
      __NR_write,          __NR_writev,         __NR_brk,          __NR_mmap,          __NR_munmap,       __NR_mremap,    __NR_madvise,
      __NR_futex,          __NR_exit_group,     __NR_exit,         __NR_getpid,        __NR_gettid,       __NR_sched_yield, __NR_rt_sigaction,
      __NR_rt_sigprocmask, __NR_rt_sigreturn,   __NR_sigaltstack,  __NR_clock_gettime, __NR_gettimeofday, __NR_getrandom};
  std::vector<sock_filter> program = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, arch)), BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, this_machine, 1, 0),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS), BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr))};
  for (const std::uint32_t number : allowed) {
    program.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 1));
    program.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
  }
  program.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM));
  const sock_fprog filter{static_cast<unsigned short>(program.size()), program.data()};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) == 0;
}

// What this process may write to, in bytes, as RLIMIT_DATA counts it; 0: unknown.
std::uint64_t data_bytes() {
  const kernels::worker::Descriptor file(open("/proc/self/statm", O_RDONLY | O_CLOEXEC));
  std::array<char, 256> text{};
  unsigned long long pages = 0;
  if (file.get() < 0 || read(file.get(), text.data(), text.size() - 1) <= 0 || std::sscanf(text.data(), "%*u %*u %*u %*u %*u %llu", &pages) != 1) return 0;
  return pages * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

void put_out_of_reach(int answer, pid_t caller, const ApartLimits& limits) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != caller) _exit(1);  // who ends with it may have been ended before
  for (int s = 1; s < NSIG; ++s) signal(s, SIG_DFL);
  const int nowhere = open("/dev/null", O_RDWR);
  if (nowhere < 0 || dup2(answer, answer_descriptor) < 0) _exit(1);
  for (int standard = 0; standard < answer_descriptor; ++standard) dup2(nowhere, standard);
  close_range(answer_descriptor + 1, ~0u, 0);
  if (const int score = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC); score >= 0) {  // where memory runs out, not the caller
    static_cast<void>(!write(score, "1000", 4));
    close(score);
  }
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_CPU, limits.cpu_seconds);
  if (const std::uint64_t data = data_bytes(); data > 0) limit(RLIMIT_DATA, data + limits.memory_bytes);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  setenv("TZ", ":/etc/localtime", 0);  // named, it is read once: now
  tzset();
  static_cast<void>(give_up_system_calls());  // one wall more, where the system has it
}

[[noreturn]] void answer_with(const std::string& text) {
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t wrote = write(answer_descriptor, text.data() + done, text.size() - done);
    if (wrote <= 0) _exit(1);
    done += static_cast<std::size_t>(wrote);
  }
  _exit(0);
}

}  // namespace

Result<std::string> done_apart(const std::function<std::string()>& work, const ApartLimits& limits) {
  kernels::worker::Pipe pipe;
  if (!pipe.open()) return Error{fmt::format("no descriptor is left: {}", std::strerror(errno))};
  const pid_t caller = getpid(), child = fork();
  if (child < 0) return Error{fmt::format("no process is left: {}", std::strerror(errno))};
  if (child == 0) {
    put_out_of_reach(pipe.write.get(), caller, limits);
    answer_with(work());
  }
  pipe.write.reset();
  std::string answer;
  std::array<char, 65536> part;
  ssize_t got = 0;
  while (answer.size() <= limits.answer_bytes && ((got = read(pipe.read.get(), part.data(), part.size())) > 0 || (got < 0 && errno == EINTR)))
    if (got > 0) answer.append(part.data(), static_cast<std::size_t>(got));
  if (answer.size() > limits.answer_bytes) kill(child, SIGKILL);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (answer.size() > limits.answer_bytes || !WIFEXITED(status) || WEXITSTATUS(status) != 0) return Error{"it takes too much memory or time"};
  return answer;
}

}  // namespace histolab::batch
