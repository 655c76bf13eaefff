// What the catalogue and the loaders share: the longest input, and the sentences for what exceeds it.
#pragma once

#include <cstdint>
#include <string>

namespace histolab::datasets {

// A kernel takes its length as an unsigned int.
inline constexpr std::uint64_t max_length = 0xffff'ffff;

[[nodiscard]] std::string too_long(std::uint64_t length);
[[nodiscard]] std::string out_of_memory(std::uint64_t bytes);
[[nodiscard]] std::string names_of_catalogue();  // "uniform-letters, english, ..."

}  // namespace histolab::datasets
