// Runs one loader under libFuzzer (clang's -fsanitize=fuzzer): HISTOLAB_LOADER, for
// HISTOLAB_SECONDS.
//
// HISTOLAB_SECONDS is processor time of this process. With wall-clock time, a busy machine would
// try fewer inputs.
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>

#include "tools/loader_fuzzers/loaders.h"

namespace {

// On SIGUSR1, libFuzzer ends normally.
void end_after(time_t seconds) {
  sigevent to_end{};
  to_end.sigev_notify = SIGEV_SIGNAL;
  to_end.sigev_signo = SIGUSR1;
  timer_t timer;
  const itimerspec once{.it_interval = {}, .it_value = {.tv_sec = seconds, .tv_nsec = 0}};
  if (timer_create(CLOCK_PROCESS_CPUTIME_ID, &to_end, &timer) == 0 &&
      timer_settime(timer, 0, &once, nullptr) == 0)
    return;
  std::perror("no timer");
  std::exit(2);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const histolab::fuzzing::Loader* const loader = [] {
    const char* name = std::getenv("HISTOLAB_LOADER");
    const auto* found = name == nullptr ? nullptr : histolab::fuzzing::find_loader(name);
    if (found == nullptr) {
      std::fprintf(stderr, "HISTOLAB_LOADER does not name a loader\n");
      std::exit(2);
    }
    if (const char* seconds = std::getenv("HISTOLAB_SECONDS")) end_after(std::atoi(seconds));
    return found;
  }();
  loader->take({reinterpret_cast<const char*>(data), size});
  return 0;
}
