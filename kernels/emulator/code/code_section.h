// CodeSection: decodes one section of untrusted machine code, instruction by instruction.
//
// It assumes nothing about the order in which instructions run: that is left to the proof
// (access_proof.h).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "kernels/emulator/arch/decoder.h"
#include "kernels/emulator/arch/relocation.h"
#include "kernels/emulator/code/object_file.h"

namespace histolab::kernels::emulator {

// The address of a memory operand.
struct MemoryPlace : MemoryOperand {
  std::optional<Relocation> relocation = std::nullopt;  // of the displacement
};

struct CodeInstruction : Instruction {
  std::span<const Relocation> relocations;  // whose fields begin in its bytes

  // Returns the first of these relocations whose field begins in the bytes [from, to) of the
  // section, or nullptr.
  [[nodiscard]] const Relocation* relocation_in(std::uint32_t from, std::uint32_t to) const;

  // Returns whether each relocation fills exactly one field, and no field has two.
  [[nodiscard]] bool relocations_are_fields() const;
  // Returns the target of a relative jump or call, as an offset in this section. It may be outside
  // of the section. Returns nullopt for other instructions, and if the target has a relocation.
  [[nodiscard]] std::optional<std::uint32_t> target() const;
  // Returns the address of a memory operand that counts from the instruction's end and has no
  // relocation, as an offset in this section. Returns nullopt for other instructions.
  [[nodiscard]] std::optional<std::uint32_t> own_place() const;
  // `operand`: one of the operands, of Type::memory or Type::address.
  [[nodiscard]] MemoryPlace place_of(const Operand& operand) const;
  // Returns the relocation of the immediate operand, or nullptr.
  [[nodiscard]] const Relocation* relocation_of_immediate() const;
};

class CodeSection {
 public:
  // `object` must outlive this object, and this object the instructions that it decodes.
  CodeSection(const ObjectFile& object, std::uint32_t number);

  [[nodiscard]] const Section& section() const { return section_; }
  [[nodiscard]] std::uint32_t bytes() const { return static_cast<std::uint32_t>(section_.bytes); }

  // Decodes the instruction at offset `at`. Returns false if the bytes are not an instruction.
  [[nodiscard]] bool decode(std::uint32_t at, Detail detail, CodeInstruction& instruction) const;

  // Returns whether an instruction from `at` on may read status flags that were set before it.
  // Returns true if that is unknown.
  [[nodiscard]] bool reads_flags_from(std::uint32_t at) const;

 private:
  const Section& section_;
  std::vector<Relocation> relocations_;  // by offset
};

}  // namespace histolab::kernels::emulator
