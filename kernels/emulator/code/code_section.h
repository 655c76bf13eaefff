// CodeSection: decodes one section of untrusted machine code, instruction by instruction.
//
// It assumes nothing about the order in which instructions run: that is left to the proof
// (access_proof.h).
#pragma once

#include <Zydis/Zydis.h>

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "kernels/emulator/code/object_file.h"

namespace histolab::kernels::emulator {

// The address of a memory operand: base + index * scale + displacement. Registers have their number
// from machine code, or -1 if the operand does not use one.
struct MemoryPlace {
  int base = -1, index = -1;
  std::uint8_t scale = 1;
  std::int32_t displacement = 0;
  bool to_next = false;            // the displacement counts from the end of the instruction
  bool in_thread_storage = false;  // the thread pointer is added
  std::optional<Relocation> relocation = std::nullopt;  // of the displacement
};

struct CodeInstruction {
  std::uint32_t at = 0, end = 0;  // offsets in the section
  ZydisDecodedInstruction code{};
  std::array<ZydisDecodedOperand, ZYDIS_MAX_OPERAND_COUNT> all_operands{};  // if requested

  [[nodiscard]] std::span<const ZydisDecodedOperand> operands() const {
    return std::span(all_operands).first(code.operand_count);
  }
};

class CodeSection {
 public:
  // `object` must outlive this object.
  CodeSection(const ObjectFile& object, std::uint32_t number);

  [[nodiscard]] const Section& section() const { return section_; }
  [[nodiscard]] std::uint32_t bytes() const { return static_cast<std::uint32_t>(section_.bytes); }

  // Decodes the instruction at offset `at`. Returns false if the bytes are not an instruction.
  [[nodiscard]] bool decode(std::uint32_t at, CodeInstruction& instruction,
                            bool with_operands) const;

  // Returns the first relocation whose field begins in the bytes [begin, end), or nullptr.
  [[nodiscard]] const Relocation* relocation_in(std::uint32_t begin, std::uint32_t end) const;
  [[nodiscard]] std::span<const Relocation> relocations_in(std::uint32_t begin,
                                                           std::uint32_t end) const;

  // Returns whether each relocation of the instruction covers a whole displacement or immediate,
  // and has a type that suits such a field. Any other relocation could turn the instruction into a
  // different one.
  [[nodiscard]] bool relocations_are_fields(const CodeInstruction& instruction) const;

  // Returns the target of a relative jump or call, as an offset in this section. It may be outside
  // of the section. Returns nullopt for other instructions, and if the target has a relocation.
  [[nodiscard]] std::optional<std::uint32_t> target_of(const CodeInstruction& instruction) const;
  // Returns the address of a memory operand that counts from the instruction's end and has no
  // relocation, as an offset in this section. Returns nullopt for other instructions.
  [[nodiscard]] std::optional<std::uint32_t> own_place_of(const CodeInstruction& instruction) const;
  [[nodiscard]] MemoryPlace place_of(const CodeInstruction& instruction,
                                     const ZydisDecodedOperand& operand) const;

  // Returns whether an instruction from `at` on may read status flags that were set before it.
  // Returns true if that is unknown.
  [[nodiscard]] bool reads_flags_from(std::uint32_t at) const;

 private:
  const Section& section_;
  std::vector<Relocation> relocations_;  // by offset
  ZydisDecoder decoder_{};
};

// Returns whether the relocation refers to a word that the loader fills, like a GOT entry. The word
// holds the symbol's address or its offset in thread-local storage.
[[nodiscard]] bool is_loaders_word(const Relocation& relocation);

// Returns whether a kernel may contain the instruction. Privileged instructions, system calls, and
// instructions that change the runtime's state are not allowed.
[[nodiscard]] bool is_allowed(const ZydisDecodedInstruction& instruction);

// Returns whether it is a jcc. No other conditional branch has a long form (confined_code.cpp).
[[nodiscard]] bool is_branch_on_flags(const ZydisDecodedInstruction& instruction);

// Returns the number of a general register, or of the register that `reg` is a part of, as in
// machine code: 0 to 15. Returns -1 for any other register.
[[nodiscard]] int number_of(ZydisRegister reg);

}  // namespace histolab::kernels::emulator
