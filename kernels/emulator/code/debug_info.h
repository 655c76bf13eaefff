// DebugInfo: the compiler's description of a kernel's source (DWARF), read by libdw.
//
// "The student's file" is the file that was compiled. Lines of the shim are not reported. If lines
// of several files are reported, they are numbers as in memory/source_line.h.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace histolab::kernels::emulator {

// A source position that code was generated from, and the calls that inlined it. If the compiler
// duplicates an instruction, the copies have one origin. Code that is inlined by two calls, or that
// appears twice on one line, has two.
struct Origin {
  int line = 0;              // in the student's files; 0 in a header
  std::uint32_t caller = 0;  // number of the call that inlined it; 0 if it was not inlined
};

struct SourcePlace {
  // In the student's files, 0 if unknown. Code inlined from a header has the line of the call.
  int line = 0;
  std::uint32_t origin = 0;  // its number; 0 if unknown
};

struct SourcePlaces {
  // The source position of the instruction at each offset from `text`. Empty if the file has no
  // line table.
  std::vector<SourcePlace> of;
  std::vector<Origin> origins;     // by number
  std::vector<std::string> files;  // the file with number 1 first; empty if there is only one file

  // Returns the line at this offset in the text, or 0.
  [[nodiscard]] int line_at(std::uint64_t offset) const {
    return offset < of.size() ? of[offset].line : 0;
  }
};
// `elf` is an object file. Its debug sections are relocated to the address of the loaded text,
// `text`. `library_folders`: all files outside of these folders are the student's, and numbered. If
// it is empty, only the compiled file is.
[[nodiscard]] SourcePlaces source_places(std::span<const std::uint8_t> elf, std::uint64_t text,
                                         std::uint64_t text_bytes,
                                         std::span<const std::string> library_folders = {});

// For two origins on one line: returns the lines at which the chains of inlined calls that lead to
// them begin to differ, seen from the outermost call. A line is 0 if it is unknown.
[[nodiscard]] std::pair<int, int> lines_of_parting(const std::vector<Origin>& origins,
                                                   std::uint32_t one, std::uint32_t other);

}  // namespace histolab::kernels::emulator
