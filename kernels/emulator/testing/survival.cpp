#include "kernels/emulator/testing/survival.h"

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstring>

namespace histolab::kernels::emulator::testing {
namespace {

constexpr int max_reported = 5;
constexpr rlim_t seconds_of_a_batch = 10;
constexpr rlim_t data_bytes = 1ull << 30;

// The progress of a child, shared with its parent.
struct Progress {
  std::atomic<std::uint32_t> next = 0;
  std::atomic<bool> held = true;
};

[[noreturn]] void run_batch(Progress& progress, std::uint32_t end,
                            const std::function<bool(std::uint32_t)>& holds) {
  const rlimit time{seconds_of_a_batch, seconds_of_a_batch}, no_core{0, 0};
  setrlimit(RLIMIT_CPU, &time);
  setrlimit(RLIMIT_CORE, &no_core);
#ifndef HISTOLAB_SANITIZED
  const rlimit data{data_bytes, data_bytes};
  setrlimit(RLIMIT_DATA, &data);
#endif
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) std::signal(signal, SIG_DFL);
  for (; progress.next < end; ++progress.next)
    if (!holds(progress.next)) {
      progress.held = false;
      break;
    }
  _exit(0);
}

}  // namespace

std::string all_survive(std::uint32_t count, std::uint32_t batch,
                        const std::function<bool(std::uint32_t)>& holds) {
  void* shared =
      mmap(nullptr, sizeof(Progress), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  REQUIRE(shared != MAP_FAILED);
  auto& progress = *new (shared) Progress;
  std::string told;
  for (int failures = 0; progress.next < count && failures < max_reported;) {
    const std::uint32_t end = std::min(count, progress.next + batch);
    const pid_t child = fork();
    REQUIRE(child >= 0);
    if (child == 0) run_batch(progress, end, holds);
    int status = 0;
    waitpid(child, &status, 0);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0 && progress.held) continue;
    const char* how = WIFSIGNALED(status) ? strsignal(WTERMSIG(status))
                      : progress.held     ? "it ended the process"
                                          : "it does not hold";
    told += fmt::format("number {}: {}\n", progress.next.load(), how);
    ++failures;
    progress.held = true;
    ++progress.next;
  }
  munmap(shared, sizeof(Progress));
  return told;
}

void on_window_thread(const Window& window, const std::function<void()>& work) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  const std::span<std::uint8_t> stack = window.host_stack();
  pthread_attr_setstack(&attributes, stack.data(), stack.size());
  pthread_t thread;
  const auto body = [](void* argument) -> void* {
    (*static_cast<const std::function<void()>*>(argument))();
    return nullptr;
  };
  const int error =
      pthread_create(&thread, &attributes, body, const_cast<std::function<void()>*>(&work));
  pthread_attr_destroy(&attributes);
  REQUIRE(error == 0);
  pthread_join(thread, nullptr);
}

}  // namespace histolab::kernels::emulator::testing
