// AccessProof: which of a function's accesses to memory are proved to be harmless by its machine code alone.
//
// A kernel's code is untrusted, and runs in the worker's own address space. So before it runs,
// every instruction that a function can reach is decoded, and for each access one of these has to
// be shown:
//   - it is in the function's own frame, at a constant distance from the stack pointer;
//   - it reads a constant of the file, or a built-in variable such as threadIdx;
//   - it is the access that a callback has just reported: the same straight piece of code called
//     the callback with this very address, and no other instruction has made the reported access.
//     Addresses are compared as values: of registers and of their copies on the stack, plus a
//     constant.
// An access without such a proof gets a check in front of it (confined_code.h), which records it as
// a callback does, unless it is at the address of a report that the proof could not compare. So a
// missed proof costs time, and neither hides an access nor fails a correct kernel. Code is refused
// if it has no place in a kernel: instructions of the operating system's, jumps to a computed
// place, a stack pointer that is computed, the registers that belong to the runtime.
//
// A block of code gets from its predecessors only the depth of the stack. So the proof does not
// depend on where a block is entered from: a return address that a kernel has overwritten leads
// behind some call (guards.h), where the proof assumes nothing.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "kernels/emulator/proof/block_values.h"
#include "kernels/emulator/code/code_section.h"

namespace histolab::kernels::emulator {

struct NeededCheck {
  // update: a read and a write
  enum class What : std::uint8_t { read, write, update, stack_pointer, frame };
  What what = What::read;
  std::uint32_t before = 0;  // the instruction's offset
  MemoryPlace place;         // what it accesses; or where the stack pointer will be
  std::uint32_t bytes = 0;
  bool keeps_flags = false;  // they are read behind it
  bool store_is_due = false;  // a callback has reported a write, and the store comes behind this
  // The access is recorded already if its address is this report's.
  BlockValues::ReportToCompare report;
};

struct ReturnPlace {
  std::uint32_t offset = 0;  // behind a call of one of the kernel's own functions
  std::uint32_t depth = 0;   // bytes of its function's frame above the stack pointer, the return address among them
};

// A write whose store comes only after the next callback, as in *p = *q. Offsets behind both calls.
struct EarlyReport {
  std::uint32_t of_write = 0, next = 0;
};

struct AccessProof {
  std::vector<std::uint32_t> begins;  // of all instructions, in order
  std::vector<NeededCheck> checks;    // in order
  std::vector<ReturnPlace> returns;
  std::vector<EarlyReport> early_reports;
  std::string problem;  // why the code cannot be run at all; empty: it can
  std::uint32_t problem_at = 0;
  bool is_shallow = false;  // the stack never gets deeper than most_shallow_frame: it calls none of the kernel's functions, and moves the stack pointer by constants
};

// The most bytes between the stack pointer at entry and a function's arguments on the stack.
inline constexpr std::int64_t most_stack_arguments = 512;  // Window::above_stack_top
// A frame that grows by more at once needs a check first.
inline constexpr std::int64_t most_unasked_frame = 64 << 10;
inline constexpr std::int64_t most_shallow_frame = 16 << 10;

// `section`: a section of code. Functions begin at the begin of their section.
[[nodiscard]] AccessProof prove_accesses(const ObjectFile& object, std::uint32_t section);

}  // namespace histolab::kernels::emulator
