// CodeSection: one section of a stranger's machine code, instruction by instruction, and what its instructions name.
//
// It answers for single instructions and believes nothing of how they follow each other: that is the proof's work (access_proof.h).
#pragma once

#include <Zydis/Zydis.h>

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "kernels/emulator/object_file.h"

namespace histolab::kernels::emulator {

// base + index * scale + displacement (+ the thread pointer): registers by their number in machine code, none: -1.
struct MemoryPlace {
  int base = -1, index = -1;
  std::uint8_t scale = 1;
  std::int32_t displacement = 0;
  bool to_next = false;          // counted from the end of the instruction
  bool in_thread_storage = false;
  std::optional<Relocation> relocation = std::nullopt;  // of the displacement
};

struct CodeInstruction {
  std::uint32_t at = 0, end = 0;  // offsets in the section
  ZydisDecodedInstruction code{};
  std::array<ZydisDecodedOperand, ZYDIS_MAX_OPERAND_COUNT> all_operands{};  // where they were asked for

  [[nodiscard]] std::span<const ZydisDecodedOperand> operands() const { return std::span(all_operands).first(code.operand_count); }
};

class CodeSection {
 public:
  // `object` outlives it.
  CodeSection(const ObjectFile& object, std::uint32_t number);

  [[nodiscard]] const Section& section() const { return section_; }
  [[nodiscard]] std::uint32_t bytes() const { return static_cast<std::uint32_t>(section_.bytes); }

  // False: the bytes there are no instruction.
  [[nodiscard]] bool decode(std::uint32_t at, CodeInstruction& instruction, bool with_operands) const;

  // The first one whose field begins in these bytes; nullptr: none does.
  [[nodiscard]] const Relocation* relocation_in(std::uint32_t begin, std::uint32_t end) const;
  [[nodiscard]] std::span<const Relocation> relocations_in(std::uint32_t begin, std::uint32_t end) const;

  // Is each relocation of the instruction one of a whole field of it, a displacement or an immediate, and of a kind that such a field may
  // have? Else it would make another instruction of it.
  [[nodiscard]] bool relocations_are_fields(const CodeInstruction& instruction) const;

  // Where a jump or a call leads to within this section; nothing where it is no such, or leads out of it by a relocation.
  [[nodiscard]] std::optional<std::uint32_t> target_of(const CodeInstruction& instruction) const;
  // Which place in this section a displacement leads to that counts from the instruction's end and has no relocation: the assembler knew it.
  [[nodiscard]] std::optional<std::uint32_t> own_place_of(const CodeInstruction& instruction) const;
  [[nodiscard]] MemoryPlace place_of(const CodeInstruction& instruction, const ZydisDecodedOperand& operand) const;

  // Does anything from `at` on depend on what the last comparison before it said? True where that cannot be told.
  [[nodiscard]] bool reads_flags_from(std::uint32_t at) const;

 private:
  const Section& section_;
  std::vector<Relocation> relocations_;  // in the order of their places
  ZydisDecoder decoder_{};
};

// Does it lead to a word in which the loader keeps its symbol's address, or offset in thread-local storage?
[[nodiscard]] bool is_loaders_word(const Relocation& relocation);

// Has it a place in a kernel at all? Not what is the operating system's, or changes what the runtime relies on.
[[nodiscard]] bool is_allowed(const ZydisDecodedInstruction& instruction);

// jcc, of which alone a form for longer ways is known (confined_code.cpp).
[[nodiscard]] bool is_branch_on_flags(const ZydisDecodedInstruction& instruction);

// Of a general register or a part of one, as machine code has it: 0 to 15; -1: it is none.
[[nodiscard]] int number_of(ZydisRegister reg);

}  // namespace histolab::kernels::emulator
