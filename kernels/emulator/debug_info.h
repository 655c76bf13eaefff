// DebugInfo: what the compiler wrote down about a kernel's source (DWARF), read by libdw.
//
// `elf`: an object file whose debug sections have been relocated to where its text was loaded. "The student's file" is
// the one that was compiled; what comes from the shim is not told.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace histolab::kernels::emulator {

// For each offset from `text` the line of the instruction there; code that was inlined from a header
// counts as the line that calls it. 0 where the table says nothing; empty when there is no table.
[[nodiscard]] std::vector<int> source_lines(std::span<const std::uint8_t> elf, std::uint64_t text, std::uint64_t text_bytes);

}  // namespace histolab::kernels::emulator
