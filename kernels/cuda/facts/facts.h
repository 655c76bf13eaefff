// What the lessons and docs/counters.md say of a GPU that is no histogram's time, each as a plain value.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace histolab::kernels::cuda::facts {

// The same numbers each time: the next one after `state`, all 32 bits (Numerical Recipes' generator; the upper bits are the better ones).
inline unsigned int next_random(unsigned int& state) { return state = state * 1664525u + 1013904223u; }

// Launches of a kernel whose threads wait for each other: of `launches`, so many came to their end within the patience that
// each had. The first that does not is the last that is tried.
struct Wait {
  std::string kernel;  // "lock", "lock-with-syncwarp", "grid-barrier"
  unsigned int blocks, threads, launches, ended;
  double patience_s;
};
// In processes of their own, since nothing else ends a kernel that hangs; so the caller must not have used CUDA before.
// Throws std::runtime_error when one fails otherwise.
[[nodiscard]] std::vector<Wait> waits(int gpu);

// The same floats, one a thread, added up by atomicAdd in each of `launches`: how many sums there were, and in how many launches
// it was not that of the first one.
struct Sums {
  unsigned int floats, launches, different, unlike_the_first;
};
[[nodiscard]] Sums float_sums();

// A warp's access to shared memory, whose lane l accesses element `element[l]` (none: the lane is not active), and what it takes
// of an SM whose 32 warps do nothing else, in clocks an instruction, by the width of an element.
struct Access {
  std::string pattern;  // the element of lane t, in words
  std::array<std::optional<unsigned int>, 32> element;
};
inline constexpr std::array<unsigned int, 3> widths{4, 8, 16};  // bytes
struct Clocks {
  std::array<double, widths.size()> load, store;
};
inline constexpr unsigned int most_elements = 3072;  // 48 KiB of 16 bytes each
[[nodiscard]] std::vector<Access> accesses();
[[nodiscard]] Clocks clocks_of(const Access& access);

}  // namespace histolab::kernels::cuda::facts
