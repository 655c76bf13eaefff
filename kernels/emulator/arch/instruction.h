// Instruction: one machine instruction as the analyses of code/ and proof/ know it.
//
// It says what the instruction reads and writes, how it computes its result, and where control goes
// from it, without names of a processor. decoder.h makes it. registers.h has the registers.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>

#include "kernels/emulator/arch/registers.h"

namespace histolab::kernels::emulator {

// An address: base + index * scale + displacement.
struct MemoryOperand {
  int base = no_register, index = no_register;
  std::uint8_t scale = 1;
  std::int32_t displacement = 0;
  bool to_next = false;            // the displacement counts from the end of the instruction
  bool in_thread_storage = false;  // the thread pointer is added
  // The sum is cut to fewer bits than an address has.
  bool is_narrow = false;
  // The access has a form that no kernel needs, so that the other members do not describe it: a
  // narrow address, another segment, a repeated access, a bit outside of the operand, ...
  bool is_unusual = false;
};

struct Operand {
  // `address`: an address that is computed and not accessed.
  enum class Type : std::uint8_t { other, reg, memory, address, immediate };
  Type type = Type::other;
  bool reads = false, writes = false;
  bool may_keep = false;        // it is written only under a condition
  std::uint8_t first_byte = 0;  // of the part of a register, counted from its lowest byte
  std::uint16_t bytes = 0;      // size of the accessed part of a register, or of the access
  int reg = no_register;        // for Type::reg
  std::int64_t immediate = 0;   // for Type::immediate, with sign
  MemoryOperand memory{};       // for Type::memory and Type::address
};

// A field of the instruction's bytes that a relocation may fill.
struct InstructionField {
  std::uint8_t offset = 0, bytes = 0;  // bytes: 0 if the instruction has no such field
};

struct Instruction {
  // `stop`: it always faults, and the launch ends there. `invalid`: it is not an instruction.
  enum class Flow : std::uint8_t { next, jump, branch, call, ret, stop, invalid };
  // The first operand gets the result. For add, subtract and bit_and it is an input, too.
  enum class Operation : std::uint8_t {
    other,
    copy,
    extend_signed,
    extend_unsigned,
    address,  // the first operand gets the second operand's address
    add,
    subtract,
    bit_and,
    set_by_flags,  // 1 if a condition holds, else 0
    push,
    pop,
    leave,  // restores the stack pointer and the frame pointer of the caller
  };

  // The members up to the operands are set for each Detail.
  std::uint32_t at = 0, end = 0;  // offsets in the code
  Flow flow = Flow::invalid;
  // From the end of the instruction, in bytes: the target of a relative jump or call; and the
  // address that a memory operand or a computed address has relative to the instruction.
  std::optional<std::int64_t> to_target = std::nullopt, to_place = std::nullopt;
  InstructionField displacement{};
  std::array<InstructionField, 2> immediates{};
  std::uint16_t flags_read = 0, flags_written = 0;  // a part of status_flags each

  // ---- only with Detail::operands ----
  Operation operation = Operation::other;
  // Returns false for privileged instructions, for system calls, and for instructions that change
  // the runtime's state or that no kernel needs.
  bool is_allowed = false;
  bool zeroes = false;     // the result is 0 whatever the operands are: x ^ x, x - x
  std::uint8_t width = 0;  // bytes that a push or pop moves
  std::uint8_t operand_count = 0;
  // The operands of the assembly language in their order, then those that it does not name. An
  // instruction that only takes up space has no operands.
  std::array<Operand, 10> all_operands{};

  // Returns the target of a relative jump or call, as an offset in the code of `code_bytes` bytes.
  // Returns nullopt for other instructions, and if the target is outside of the code.
  [[nodiscard]] std::optional<std::uint32_t> target_in(std::uint64_t code_bytes) const {
    if (!to_target) return std::nullopt;
    const std::uint64_t target = end + static_cast<std::uint64_t>(*to_target);
    return target < code_bytes ? std::optional(static_cast<std::uint32_t>(target)) : std::nullopt;
  }
  [[nodiscard]] std::span<const Operand> operands() const {
    return std::span(all_operands).first(operand_count);
  }
};

}  // namespace histolab::kernels::emulator
