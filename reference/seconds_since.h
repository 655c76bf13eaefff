// How long something took, by the clock that is never set.
#pragma once

#include <chrono>

namespace histolab::reference {

[[nodiscard]] inline double seconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

}  // namespace histolab::reference
