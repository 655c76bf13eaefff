// BlockValues: registers and stack slots in a block of machine code, as comparable symbolic values.
//
// A value is a name plus a constant. A name represents an unknown number (a register at the block's
// begin, a loaded word) or a sum of names. Equal values are always equal numbers. Different values
// may be equal numbers, too.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "kernels/emulator/arch/registers.h"
#include "kernels/emulator/arch/relocation.h"

namespace histolab::kernels::emulator {

struct CodeValue {
  std::uint32_t name = 0;  // name 0 is the number 0
  std::int64_t plus = 0;
  friend bool operator==(const CodeValue&, const CodeValue&) = default;
};

class BlockValues {
 public:
  static constexpr std::uint32_t entry_stack = 1;  // the stack pointer at the function's entry
  static constexpr std::uint32_t thread_pointer = 2;

  // Begins a block, `depth` bytes below the stack pointer at entry. All other values are unknown.
  void begin(std::int64_t depth);
  void forget_registers();      // those that a call may change
  void forget_all_registers();  // except the stack pointer
  void forget_slots() { slots_.clear(); }

  // `number`: of a general register.
  [[nodiscard]] CodeValue get(int number) const {
    return registers_[static_cast<std::size_t>(number) % general_registers];
  }
  void set(int number, CodeValue value) {
    registers_[static_cast<std::size_t>(number) % general_registers] = value;
  }
  // Returns a value with a new name.
  [[nodiscard]] CodeValue unknown() { return {next_++, 0}; }
  // These return equal values for equal arguments.
  // Returns a + b * scale, or an unknown value if the sum has too many terms.
  [[nodiscard]] CodeValue sum(CodeValue a, CodeValue b, std::uint32_t scale);
  // Returns `a` plus the value that a relocation of this kind gives for the symbol.
  [[nodiscard]] CodeValue with_symbol(CodeValue a, std::uint32_t symbol, RelocationKind kind);
  // Returns the low 32 bits of `a`, extended to 64 bits.
  [[nodiscard]] CodeValue extended(CodeValue a, bool is_signed);

  // Words on the stack. Offsets count from the stack pointer at the function's entry, in bytes.
  [[nodiscard]] CodeValue load(std::int64_t offset, std::uint32_t bytes);
  void store(std::int64_t offset, std::uint32_t bytes, CodeValue value);
  void store_unknown(std::int64_t offset, std::uint32_t bytes);

 private:
  // The meaning of a name: a sum, or something that only its key identifies.
  struct Term {
    std::uint32_t name;
    std::int64_t times;
    friend bool operator==(const Term&, const Term&) = default;
  };
  struct Named {
    std::array<std::int64_t, 4> key{};  // all 0 for a sum
    std::vector<Term> terms;            // for a sum: each name once, in ascending order
    std::uint32_t name = 0;
  };
  struct Slot {
    std::int64_t offset;
    std::uint32_t bytes;
    CodeValue value;
  };
  std::uint32_t name_of(std::array<std::int64_t, 4> key, std::vector<Term> terms);
  void add(std::vector<Term>& terms, std::uint32_t name, std::int64_t times) const;

  std::array<CodeValue, general_registers> registers_{};
  std::vector<Named> named_;
  std::vector<Slot> slots_;
  std::uint32_t next_ = 3;
};

}  // namespace histolab::kernels::emulator
