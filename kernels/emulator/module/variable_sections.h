// The variables at file scope of a program's device object, for the process that owns its memory.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "reference/result.h"

namespace histolab::kernels::emulator {

struct VariableSection {
  struct Variable {
    std::string symbol, name;             // in the object file, and in the source
    std::uint64_t offset = 0, bytes = 0;  // offset in the section
  };
  std::vector<Variable> variables;  // by offset. They keep their distances
  std::uint64_t bytes = 0, alignment = 1;
  bool is_constant = false;  // __constant__
  bool is_used = false;      // a kernel of the object refers to it
  // At the program's start, without the addresses in pointers: a launch fills these in. Empty if
  // all bytes are 0.
  std::vector<std::uint8_t> contents;
  std::uint64_t contents_at = 0;  // offset of the contents in the object file
};

// Returns the sections with variables that kernels, or the program, can change: not those with
// `const` variables, shared memory or literals. Host variables that no kernel uses are among them.
// Returns an Error if the object file is malformed.
[[nodiscard]] Result<std::vector<VariableSection>> variable_sections(
    std::span<const std::uint8_t> object);

}  // namespace histolab::kernels::emulator
