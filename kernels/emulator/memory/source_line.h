// Lines of several source files, as one number each.
//
// The emulator compares lines and sorts by them. So a launch whose kernel comes from several files
// numbers the files from 1, and a line's number contains its file's. If there is only one file, its
// number is 0, and the line's number is the line. messages/source_files.h names the files.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <string>

namespace histolab::kernels::emulator {

inline constexpr int line_bits = 22;
inline constexpr int most_source_files = (1 << (31 - line_bits)) - 1;

[[nodiscard]] constexpr int line_number(int file, int line) {
  return file << line_bits | std::min(line, (1 << line_bits) - 1);
}
[[nodiscard]] constexpr int file_of_line(int number) { return number >> line_bits; }
[[nodiscard]] constexpr int line_in_file(int number) { return number & ((1 << line_bits) - 1); }

// Returns the number for a text: "12". If it has a file, it is marked, and messages/source_files.h
// replaces it by "FILE:12". No text of a kernel contains the mark.
inline constexpr char line_mark = '\x1f';
[[nodiscard]] inline std::string line_text(int number) {
  return file_of_line(number) == 0 ? fmt::format("{}", number)
                                   : fmt::format("{}{}", line_mark, number);
}

}  // namespace histolab::kernels::emulator
