// Limits shared by the catalogue and the loaders: the longest input, the widths of an element, and
// the error messages for violations.
#pragma once

#include <cstdint>
#include <string>

#include "reference/result.h"

namespace histolab::datasets {

// A kernel takes its length as an unsigned int.
inline constexpr std::uint64_t max_length = 0xffff'ffff;

// Returns an Error unless element_bytes is 1 or 2.
[[nodiscard]] Status check_width(std::uint32_t element_bytes);
// Return texts for messages; bytes_of(1) is "1 byte".
[[nodiscard]] std::string bytes_of(std::uint32_t element_bytes);
[[nodiscard]] std::string too_long(std::uint64_t length);
[[nodiscard]] std::string out_of_memory(std::uint64_t bytes);
[[nodiscard]] std::string names_of_catalogue();  // "uniform-letters, english, ..."

}  // namespace histolab::datasets
