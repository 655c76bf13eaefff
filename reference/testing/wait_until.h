// Waiting in tests: for an event, so that a busy machine cannot fail a test.
#pragma once

#include <chrono>
#include <thread>

namespace histolab::reference::testing {

// The time after which a test gives up on an event. Only a test that hangs waits this long, so no
// verdict depends on the value.
constexpr std::chrono::minutes patience{20};

// Calls `holds` every millisecond until it returns true. Returns false after `patience`.
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
