// Lines: from an address of a loaded kernel to a line of the student's file.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace histolab::kernels::emulator {

// `elf`: an object file whose debug sections have been relocated to where its text was loaded. Returns for each offset
// from `text` the line of the instruction there, in the file that was compiled; code that was inlined from the shim counts
// as the line before it. 0 where the table says nothing; empty when there is no table.
[[nodiscard]] std::vector<int> source_lines(std::span<const std::uint8_t> elf, std::uint64_t text, std::uint64_t text_bytes);

}  // namespace histolab::kernels::emulator
