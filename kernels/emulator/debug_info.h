// DebugInfo: what the compiler wrote down about a kernel's source (DWARF), read by libdw.
//
// `elf`: an object file whose debug sections have been relocated to where its text was loaded. "The student's file" is
// the one that was compiled; what comes from the shim is not told.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace histolab::kernels::emulator {

// A place in the source from which code was made, and what it was inlined into. Copies of an instruction that the compiler makes have one
// origin; what two calls inline, or what stands twice on one line, has two.
struct Origin {
  int line = 0;              // of the student's file; 0: of a header
  std::uint32_t caller = 0;  // number of the call that it was inlined by; 0: by none
};

struct SourcePlace {
  int line = 0;  // of the student's file: code that was inlined from a header counts as the line that calls it; 0 unknown
  std::uint32_t origin = 0;  // its number; 0 unknown
};

struct SourcePlaces {
  std::vector<SourcePlace> of;   // of the instruction at each offset from `text`; empty when there is no table
  std::vector<Origin> origins;   // by number
};
[[nodiscard]] SourcePlaces source_places(std::span<const std::uint8_t> elf, std::uint64_t text, std::uint64_t text_bytes);

// Of two places on one line: the lines of the outermost calls, or statements, by which the ways to them differ.
[[nodiscard]] std::pair<int, int> lines_of_parting(const std::vector<Origin>& origins, std::uint32_t one, std::uint32_t other);

}  // namespace histolab::kernels::emulator
