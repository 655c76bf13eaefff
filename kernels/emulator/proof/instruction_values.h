// The values that an instruction computes, as BlockValues represents them.
#pragma once

#include <optional>

#include "kernels/emulator/code/code_section.h"
#include "kernels/emulator/proof/block_values.h"

namespace histolab::kernels::emulator {

// Returns the address of an operand of `instruction`.
[[nodiscard]] CodeValue address_of(const MemoryPlace& place, const CodeInstruction& instruction,
                                   BlockValues& values);

// Returns the result that the instruction leaves in its first operand. `loaded`: the value of the
// stack word that it reads, if it reads one. Returns nullopt if the result is unknown or not a
// whole word.
[[nodiscard]] std::optional<CodeValue> result_of(const CodeInstruction& instruction,
                                                 BlockValues& values,
                                                 const std::optional<CodeValue>& loaded);

// Returns whether `place` is exactly the word that the loader fills for its relocation.
[[nodiscard]] bool reads_loaders_word(const MemoryPlace& place, const CodeInstruction& instruction);

}  // namespace histolab::kernels::emulator
