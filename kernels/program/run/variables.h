// Placement of a program's device variables in its memory.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/emulator/memory/program_memory.h"
#include "kernels/program/calls/messages.h"
#include "kernels/program/description/description.h"

namespace histolab::kernels::program {

struct PlacedVariables {
  std::vector<std::vector<emulator::ProgramVariable>> of_object;  // for launches
  std::vector<DeviceVariable> variables;                          // for ProgramState
  std::vector<SharedVariables> shared;                            // `__managed__` ones
  struct Contents {
    std::uint64_t offset = 0;  // in the memory file
    ByteRange from;            // in the executable
  };
  std::vector<Contents> contents;
  std::vector<ByteRange> initialized;  // of the memory file: all of the variables
  std::uint64_t end = 0;               // allocations may begin there
};

// Returns an Error if the variables are too large.
[[nodiscard]] Result<PlacedVariables> place_variables(const ProgramDescription& description);

}  // namespace histolab::kernels::program
