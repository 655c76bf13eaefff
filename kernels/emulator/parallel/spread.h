// Spread: the number of processes for a launch's blocks, and conditions for it.
#pragma once

#include <cstdint>
#include <vector>

namespace histolab::kernels::emulator {

// It never changes a launch's result (parallel_launch.h).
struct Spread {
  // The least sum of threads and bytes of input. Such a launch takes at least 10 ms on one core.
  // Forking and merging take 1 to 3 ms.
  static constexpr std::uint64_t worth_it = 512 * 1024;
  [[nodiscard]] static bool is_worth_it(std::uint64_t threads, std::uint64_t input_bytes) {
    return threads + input_bytes >= worth_it;
  }
  // 0 means one per core that this process may use.
  unsigned processes = 0;
  std::uint64_t least_work = worth_it;
  // Called in each process before it runs the kernel's code, maybe several times.
  void (*before_kernel)() = nullptr;
  // If not null, gets the number of processes per launch.
  std::vector<unsigned>* used = nullptr;
};

}  // namespace histolab::kernels::emulator
