// The decoder of machine code: bytes in, an Instruction out.
#pragma once

#include <cstdint>
#include <span>

#include "kernels/emulator/arch/instruction.h"

namespace histolab::kernels::emulator {

// `flow`: only the members of an Instruction about its length, its flow, its fields and its flags.
// That is faster.
enum class Detail : std::uint8_t { flow, operands };

// Decodes the instruction at offset `at` of `code`, which may be any bytes. Returns false if there
// is no instruction, or if it does not end in `code`. Its flow is then `invalid`.
bool decode(std::span<const std::uint8_t> code, std::uint32_t at, Detail detail,
            Instruction& instruction);

}  // namespace histolab::kernels::emulator
