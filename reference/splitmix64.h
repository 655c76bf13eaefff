// SplitMix64 (Steele, Lea and Flood, OOPSLA 2014): random numbers that are the same on every machine, from a counter of 64 bits and a mixing
// function. All arithmetic is modulo 2^64. And how large a seed may be.
#pragma once

#include <cstdint>

namespace histolab::reference {

inline constexpr std::uint64_t max_seed = (std::uint64_t{1} << 53) - 1;  // what every JSON reader keeps exactly

inline constexpr std::uint64_t splitmix64_step = 0x9e3779b97f4a7c15;

[[nodiscard]] constexpr std::uint64_t splitmix64_mixed(std::uint64_t z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

constexpr std::uint64_t next_random(std::uint64_t& state) { return splitmix64_mixed(state += splitmix64_step); }

}  // namespace histolab::reference
