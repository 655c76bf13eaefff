// CodeSection: one section of untrusted machine code, instruction by instruction, and the operands
// of its instructions.
//
// It decodes single instructions and assumes nothing about how they follow each other: that is the
// proof's work (access_proof.h).
#pragma once

#include <Zydis/Zydis.h>

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "kernels/emulator/code/object_file.h"

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

  // Returns false if the bytes there are not an instruction.
  [[nodiscard]] bool decode(std::uint32_t at, CodeInstruction& instruction, bool with_operands) const;

  // Returns the first one whose field begins in these bytes, or nullptr.
  [[nodiscard]] const Relocation* relocation_in(std::uint32_t begin, std::uint32_t end) const;
  [[nodiscard]] std::span<const Relocation> relocations_in(std::uint32_t begin, std::uint32_t end) const;

  // Returns whether each relocation of the instruction covers a whole field of it, a displacement
  // or an immediate, and is of a kind that such a field may have. Otherwise it would make another
  // instruction of it.
  [[nodiscard]] bool relocations_are_fields(const CodeInstruction& instruction) const;

  // Returns the target of a jump or a call within this section. Returns nothing if the instruction
  // is neither, or leads out of the section by a relocation.
  [[nodiscard]] std::optional<std::uint32_t> target_of(const CodeInstruction& instruction) const;
  // Returns the target in this section of a displacement that counts from the instruction's end and
  // has no relocation: the assembler knew it.
  [[nodiscard]] std::optional<std::uint32_t> own_place_of(const CodeInstruction& instruction) const;
  [[nodiscard]] MemoryPlace place_of(const CodeInstruction& instruction, const ZydisDecodedOperand& operand) const;

  // Returns whether anything from `at` on depends on the result of the last comparison before it.
  // True if that is unknown.
  [[nodiscard]] bool reads_flags_from(std::uint32_t at) const;

 private:
  const Section& section_;
  std::vector<Relocation> relocations_;  // in the order of their places
  ZydisDecoder decoder_{};
};

// Returns whether it leads to a word in which the loader keeps its symbol's address, or offset in
// thread-local storage.
[[nodiscard]] bool is_loaders_word(const Relocation& relocation);

// Returns whether it is allowed in a kernel at all. Instructions of the operating system, and those
// that change the runtime's state, are not.
[[nodiscard]] bool is_allowed(const ZydisDecodedInstruction& instruction);

// jcc, the only one with a known form for longer ways (confined_code.cpp).
[[nodiscard]] bool is_branch_on_flags(const ZydisDecodedInstruction& instruction);

// Returns the number of a general register or a part of one, as machine code has it: 0 to 15; -1
// for anything else.
[[nodiscard]] int number_of(ZydisRegister reg);

}  // namespace histolab::kernels::emulator
