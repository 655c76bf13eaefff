// For tests of what must not crash whatever it is given.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "kernels/emulator/memory/window.h"

namespace histolab::kernels::emulator::testing {

// Calls `holds` with 0 to count - 1, in child processes with limits on time and memory, `batch` calls each. Returns a line
// for each of the first few for which it was false, or that ended the process; "" when there was none.
[[nodiscard]] std::string all_survive(std::uint32_t count, std::uint32_t batch, const std::function<bool(std::uint32_t)>& holds);

// Runs `work` on a thread whose thread-local variables lie beside the window, as a kernel's shared memory must.
void on_window_thread(const Window& window, const std::function<void()>& work);

}  // namespace histolab::kernels::emulator::testing
