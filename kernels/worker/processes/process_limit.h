// Sets one resource limit of the calling process, permanently.
#pragma once

#include <sys/resource.h>

#include <cstdint>

namespace histolab::kernels::worker {

// Sets the soft limit to `value` and the hard limit to `value + grace`. For RLIMIT_CPU, `grace` is
// the time in seconds between the signal that reports the reason and SIGKILL. Async-signal-safe.
inline void limit(int resource, std::uint64_t value, std::uint64_t grace = 0) {
  const rlimit both{value, value + grace};
  setrlimit(static_cast<__rlimit_resource>(resource), &both);
}

}  // namespace histolab::kernels::worker
