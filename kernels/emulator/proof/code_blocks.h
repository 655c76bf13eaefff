// CodeBlocks: the instructions of a section, and the ones that begin a block.
//
// See access_proof.h.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "kernels/emulator/code/code_section.h"

namespace histolab::kernels::emulator {

struct CodeBlocks {
  std::vector<std::uint32_t> instructions;  // their offsets, in order
  std::vector<bool> begins;                 // per offset: a jump or a call leads there
  // The reason if the code is refused, and its offset. Otherwise empty.
  std::string problem;
  std::uint32_t problem_at = 0;
};

// Decodes all instructions of the section in sequence. Refuses code whose jumps, calls and
// addresses lead out of the section or into the middle of an instruction.
[[nodiscard]] CodeBlocks find_blocks(const CodeSection& code);

}  // namespace histolab::kernels::emulator
