// DebugInfo: what the compiler wrote down about a kernel's source (DWARF), read by libdw.
//
// `elf`: an object file whose debug sections have been relocated to where its text was loaded. "The student's file" is
// the one that was compiled; what comes from the shim is not told.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace histolab::kernels::emulator {

// A function or variable of the student's file that loaded code uses.
struct UsedName {
  std::string name;  // without namespaces, classes and template arguments
  int declared = 0;  // lines; 0 unknown
  int used = 0;
};

// For each offset from `text` the line of the instruction there; code that was inlined from the shim counts as the line
// before it. 0 where the table says nothing; empty when there is no table.
[[nodiscard]] std::vector<int> source_lines(std::span<const std::uint8_t> elf, std::uint64_t text, std::uint64_t text_bytes);

// Functions of the student's file that loaded code calls or that were inlined into it, each once. Loaded: at or above
// `text`.
[[nodiscard]] std::vector<UsedName> used_functions(std::span<const std::uint8_t> elf, std::uint64_t text, std::uint64_t text_bytes);

}  // namespace histolab::kernels::emulator
