// DebugInfo: the compiler's description of a kernel's source (DWARF), read by libdw.
//
// `elf`: an object file whose debug sections have been relocated to where its text was loaded. "The
// student's file" is the one that was compiled; code of the shim is not reported.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace histolab::kernels::emulator {

// A position in the source from which code was made, and the calls that inlined it. Copies of an
// instruction that the compiler makes have one origin. Code that two calls inline, or that is twice
// on one line, has two.
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

// For two positions on one line: the lines of the outermost calls, or statements, by which the ways
// to them differ.
[[nodiscard]] std::pair<int, int> lines_of_parting(const std::vector<Origin>& origins, std::uint32_t one, std::uint32_t other);

}  // namespace histolab::kernels::emulator
