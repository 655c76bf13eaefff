// One limit of the calling process, for good.
#pragma once

#include <sys/resource.h>

#include <cstdint>

namespace histolab::kernels::worker {

// `grace`: so much more, for RLIMIT_CPU between the signal that says what happened and the one that ends it. Async-signal-safe.
inline void limit(int resource, std::uint64_t value, std::uint64_t grace = 0) {
  const rlimit both{value, value + grace};
  setrlimit(static_cast<__rlimit_resource>(resource), &both);
}

}  // namespace histolab::kernels::worker
