// For tests of code that must not crash on any input.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "kernels/emulator/memory/window.h"

namespace histolab::kernels::emulator::testing {

// Calls `holds` with 0 to count - 1, in child processes with limits on time and memory, `batch`
// calls each. Returns a line for each of the first 5 numbers for which it returned false or ended
// the process. Returns "" if all succeed.
[[nodiscard]] std::string all_survive(std::uint32_t count, std::uint32_t batch,
                                      const std::function<bool(std::uint32_t)>& holds);

// Runs `work` on a thread whose thread-local variables are next to the window, as a kernel's shared
// memory must be.
void on_window_thread(const Window& window, const std::function<void()>& work);

}  // namespace histolab::kernels::emulator::testing
