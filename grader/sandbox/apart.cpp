#include "grader/sandbox/apart.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>

#include "grader/sandbox/system_calls.h"
#include "kernels/worker/processes/call_filter.h"
#include "kernels/worker/processes/descriptor.h"
#include "kernels/worker/processes/process_limit.h"
#include "kernels/worker/processes/program_start.h"

namespace histolab::sandbox {
namespace {

using kernels::worker::CallFilter;
using kernels::worker::Descriptor;
using kernels::worker::limit;

constexpr int answer_descriptor = 3;

// The writable memory of this process in bytes, as RLIMIT_DATA counts it. Returns 0 if unknown.
std::uint64_t data_bytes() {
  const Descriptor file(open("/proc/self/statm", O_RDONLY | O_CLOEXEC));
  std::array<char, 256> text{};
  unsigned long long pages = 0;
  if (file.get() < 0 || read(file.get(), text.data(), text.size() - 1) <= 0 ||
      std::sscanf(text.data(), "%*u %*u %*u %*u %*u %llu", &pages) != 1)
    return 0;
  return pages * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

// Works for any set of descriptors that the caller has open.
void keep_descriptors(int answer) {
  const int kept = fcntl(answer, F_DUPFD, answer_descriptor + 1),
            nowhere = open("/dev/null", O_RDWR);
  const int elsewhere = fcntl(nowhere, F_DUPFD, answer_descriptor + 1);
  if (kept < 0 || elsewhere < 0 || dup2(kept, answer_descriptor) < 0) _exit(1);
  for (int standard = 0; standard < answer_descriptor; ++standard)
    if (dup2(elsewhere, standard) < 0) _exit(1);
  close_range(answer_descriptor + 1, ~0u, 0);
}

void put_out_of_reach(int answer, CallFilter& filter, pid_t caller, const ApartLimits& limits) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != caller) _exit(1);  // the caller ended before prctl()
  for (int s = 1; s < NSIG; ++s) signal(s, SIG_DFL);
  keep_descriptors(answer);
  // When memory runs out, this process is killed first, not the caller.
  if (const int score = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC); score >= 0) {
    static_cast<void>(!write(score, "1000", 4));
    close(score);
  }
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_CPU, limits.cpu_seconds);
  if (const std::uint64_t data = data_bytes(); data > 0)
    limit(RLIMIT_DATA, data + limits.memory_bytes);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  setenv("TZ", ":/etc/localtime", 0);  // a named time zone file is read once: now
  tzset();
  // One more wall, if the system has it.
  static_cast<void>(filter.is_there() && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
                    filter.take());
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

Result<std::string> done_apart(const std::function<std::string()>& work,
                               const ApartLimits& limits) {
  kernels::worker::Pipe pipe;
  if (!pipe.open()) return Error{fmt::format("no descriptor is left: {}", std::strerror(errno))};
  CallFilter filter;
  if (const Result<Descriptor> program = filter_program(Filter::reading, {}))
    static_cast<void>(filter.read(program->get()));
  const pid_t caller = getpid(), child = fork();
  if (child < 0) return Error{fmt::format("no process is left: {}", std::strerror(errno))};
  if (child == 0) {
    put_out_of_reach(pipe.write.get(), filter, caller, limits);
    answer_with(work());
  }
  pipe.write.reset();
  std::string answer;
  std::array<char, 65536> part;
  ssize_t got = 0;
  while (
      answer.size() <= limits.answer_bytes &&
      ((got = read(pipe.read.get(), part.data(), part.size())) > 0 || (got < 0 && errno == EINTR)))
    if (got > 0) answer.append(part.data(), static_cast<std::size_t>(got));
  if (answer.size() > limits.answer_bytes) kill(child, SIGKILL);
  const int status = kernels::worker::wait_for_child(child);
  if (answer.size() > limits.answer_bytes || !WIFEXITED(status) || WEXITSTATUS(status) != 0)
    return Error{"it takes too much memory or time"};
  return answer;
}

}  // namespace histolab::sandbox
