// SplitMix64 (Steele, Lea and Flood, OOPSLA 2014): random numbers that are the same on every
// machine. A mixing function is applied to a 64-bit counter. All arithmetic is modulo 2^64. Also:
// the largest seed.
#pragma once

#include <cstdint>

namespace histolab::reference {

// Every JSON reader keeps integers up to this value exactly.
inline constexpr std::uint64_t max_seed = (std::uint64_t{1} << 53) - 1;

inline constexpr std::uint64_t splitmix64_step = 0x9e3779b97f4a7c15;

[[nodiscard]] constexpr std::uint64_t splitmix64_mixed(std::uint64_t z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

// Advances the state and returns a random number of 64 bits.
constexpr std::uint64_t next_random(std::uint64_t& state) {
  return splitmix64_mixed(state += splitmix64_step);
}

}  // namespace histolab::reference
