// Relocation: a field of a section that gets a value once its symbol has an address.
//
// RelocationKind describes the types of the processor's ELF supplement without their names.
#pragma once

#include <cstdint>

#include "kernels/emulator/arch/instruction.h"

namespace histolab::kernels::emulator {

struct Relocation {
  std::uint64_t offset = 0;
  std::uint32_t type = 0, symbol = 0;  // type: the number from the ELF file
  std::int64_t addend = 0;
};

struct RelocationKind {
  // The value that the field gets. Each is the sum of the addend and ...
  enum class Value : std::uint8_t {
    unknown,        // the loader does not know this type
    none,           // nothing: the field stays as it is
    address,        // the symbol's address
    distance,       // the distance from the field to the symbol
    call_distance,  // the same, for a call of the symbol or a jump to it
    thread_offset,  // the symbol's distance from the thread pointer
    // The distance from the field to a word that the loader fills, like a GOT entry. The word has
    // the symbol's address or its distance from the thread pointer.
    word_of_address,
    word_of_thread_offset,
    debug_offset,  // an offset in thread-local storage, for a debugger
  };
  Value value = Value::unknown;
  std::uint8_t bytes = 0;  // size of the field; 0 if unknown
  bool is_signed = false;

  // Returns whether the value is a word that the loader fills.
  [[nodiscard]] bool is_loaders_word() const {
    return value == Value::word_of_address || value == Value::word_of_thread_offset;
  }
  // Returns whether the value depends on the address of the field.
  [[nodiscard]] bool counts_from_place() const {
    return is_loaders_word() || value == Value::distance || value == Value::call_distance;
  }
  friend bool operator==(const RelocationKind&, const RelocationKind&) = default;
};

[[nodiscard]] RelocationKind kind_of(const Relocation& relocation);

// Returns whether the relocation, whose offset counts as the instruction's, fills exactly one field
// of the instruction and has a kind that suits it. Any other one could turn the instruction into a
// different one.
[[nodiscard]] bool fills_a_field(const Relocation& relocation, const Instruction& instruction);

// Writes the value into a field. Returns false, without a change, if it does not fit.
[[nodiscard]] bool write_field(std::uint8_t* field, RelocationKind kind, std::uint64_t value);

// Returns whether an ELF file with this `e_machine` is for the processor.
[[nodiscard]] bool is_for_this_processor(std::uint16_t e_machine);

}  // namespace histolab::kernels::emulator
