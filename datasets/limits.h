// What the catalogue and the loaders share: the longest input and the widths of an element, and the sentences for what
// exceeds them.
#pragma once

#include <cstdint>
#include <string>

#include "reference/result.h"

namespace histolab::datasets {

// A kernel takes its length as an unsigned int.
inline constexpr std::uint64_t max_length = 0xffff'ffff;

// Error: an element has neither 1 byte nor 2.
[[nodiscard]] Status check_width(std::uint32_t element_bytes);
[[nodiscard]] std::string bytes_of(std::uint32_t element_bytes);  // "1 byte"
[[nodiscard]] std::string too_long(std::uint64_t length);
[[nodiscard]] std::string out_of_memory(std::uint64_t bytes);
[[nodiscard]] std::string names_of_catalogue();  // "uniform-letters, english, ..."

}  // namespace histolab::datasets
