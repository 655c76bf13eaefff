// Facts about a GPU in the lessons and in docs/counters.md that are not times of
// histograms, as values.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace histolab::kernels::cuda::facts {

// Advances `state` and returns it: 32 random bits, the same sequence each time (the generator of
// Numerical Recipes; the upper bits are better).
inline unsigned int next_random(unsigned int& state) {
  return state = state * 1664525u + 1013904223u;
}

// Launches of a kernel whose threads wait for each other. `ended` of up to `launches` launches
// ended within `patience_s` seconds each. The first launch that does not end is the last one.
struct Wait {
  std::string kernel;  // "lock", "lock-with-syncwarp", "grid-barrier"
  unsigned int blocks, threads, launches, ended;
  double patience_s;
};
// Tries the kernels in child processes, because a hanging kernel ends only with its process.
// So the caller must not have used CUDA before. Throws std::runtime_error if a kernel fails
// in any other way.
[[nodiscard]] std::vector<Wait> waits(int gpu);

// The same floats, one per thread, added by atomicAdd in each of `launches` launches. `different`
// is the number of different sums, `unlike_the_first` the number of launches whose sum is not the
// first one's.
struct Sums {
  unsigned int floats, launches, different, unlike_the_first;
};
[[nodiscard]] Sums float_sums();

// A warp's access to shared memory. Lane l accesses element[l]; nullopt if the lane is inactive.
struct Access {
  std::string pattern;  // formula of the element for lane t
  std::array<std::optional<unsigned int>, 32> element;
};
inline constexpr std::array<unsigned int, 3> widths{4, 8, 16};  // of an element, in bytes
// Clocks of an SM per instruction, by width, if its 32 warps do nothing else.
struct Clocks {
  std::array<double, widths.size()> load, store;
};
inline constexpr unsigned int most_elements = 3072;  // 48 KiB with 16 bytes each
[[nodiscard]] std::vector<Access> accesses();
[[nodiscard]] Clocks clocks_of(const Access& access);

}  // namespace histolab::kernels::cuda::facts
