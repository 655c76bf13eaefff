// ProgramMemory: the device memory of a whole CUDA program, in the window of one launch.
//
// The memory is two files that the launches of a program share (kernels/program/memory_layout.h).
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "kernels/emulator/memory/window.h"

namespace histolab::kernels::emulator {

// The bytes of an allocation that were written: by launches, copies or fills.
enum class WrittenState : std::uint8_t { none, some, all };
constexpr WrittenState last_of(WrittenState) { return WrittenState::all; }

// The pointers into an allocation that a kernel gets as arguments or in them. `none` includes
// pointers to const if not all arguments are known.
enum class PointersInto : std::uint8_t { none, to_const, others };
constexpr PointersInto last_of(PointersInto) { return PointersInto::others; }

struct ProgramAllocation {
  std::uint64_t offset = 0, bytes = 0;  // in the memory file
  std::uint32_t element_bytes =
      0;             // for indices in findings; if 0, elements are as wide as the access
  std::string name;  // in findings
  WrittenState written = WrittenState::none;
  bool is_freed = false;
  std::string freed_at = {};  // if it is freed: where, for a message ("main.cu:42"); may be empty
  PointersInto pointers = PointersInto::none;
  bool is_too_large = false;  // races are not looked for there
};

// A variable at file scope. `symbol` is its name in the object file.
struct ProgramVariable {
  std::string symbol;
  std::uint64_t offset = 0, bytes = 0;  // in the memory file
};

struct ProgramMemory {
  int fd = -1, written_fd = -1;
  std::vector<ProgramAllocation> allocations;
  std::vector<ProgramVariable> variables;  // of the launched kernel's object
};

// The written bytes of each allocation. Null if all were written before the launch.
using WrittenOfAllocations = std::vector<std::shared_ptr<WrittenBytes>>;

// Maps all allocations and variables, and adds a region for each allocation. The window must be one
// for a program. One system call maps everything from the first red zone to the last. So an access
// between two red zones is reported, but does not end the launch. Freed allocations have no bytes
// that may be accessed. Returns an Error if an offset or a size is invalid, or the machine is out
// of memory.
[[nodiscard]] Result<WrittenOfAllocations> map_program_memory(const ProgramMemory& memory,
                                                              Window& window);

// Returns the state of each allocation after the launch.
[[nodiscard]] std::vector<WrittenState> written_states(const ProgramMemory& memory,
                                                       const WrittenOfAllocations& written);

}  // namespace histolab::kernels::emulator
