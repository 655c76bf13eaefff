// How tests wait: for an event, however busy the machine is.
#pragma once

#include <chrono>
#include <thread>

namespace histolab::reference::testing {

// The time until a test is sure that an event never comes. No verdict depends on it: only a test that hangs waits so long.
constexpr std::chrono::minutes patience{20};

// Waits for an event. Returns false if it does not come. `holds` is called every millisecond.
template <typename Holds>
[[nodiscard]] bool wait_until(const Holds& holds) {
  const auto end = std::chrono::steady_clock::now() + patience;
  while (!holds()) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds{1});
  }
  return true;
}

}  // namespace histolab::reference::testing
