// Spread: how far the blocks of a launch may be spread over processor cores.
#pragma once

#include <cstdint>
#include <vector>

namespace histolab::kernels::emulator {

// Used only if it changes nothing but time (parallel_launch.h).
struct Spread {
  // Threads and bytes of input together, from which on it is worth it: ten milliseconds and more on one core, of which forking and
  // putting together take one to three.
  static constexpr std::uint64_t worth_it = 512 * 1024;
  [[nodiscard]] static bool is_worth_it(std::uint64_t threads, std::uint64_t input_bytes) { return threads + input_bytes >= worth_it; }
  unsigned processes = 0;  // 0: as many as this process may use cores
  std::uint64_t least_work = worth_it;
  void (*before_kernel)() = nullptr;  // called in each process that is about to run the kernel's code, and may come several times in one
  std::vector<unsigned>* used = nullptr;  // for who wants to know: gets how many processes ran each launch
};

}  // namespace histolab::kernels::emulator
