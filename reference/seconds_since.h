// Elapsed time in seconds, by the monotonic clock.
#pragma once

#include <chrono>

namespace histolab::reference {

[[nodiscard]] inline double seconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

}  // namespace histolab::reference
