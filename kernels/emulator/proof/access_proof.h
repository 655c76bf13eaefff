// AccessProof: the memory accesses of a function that its machine code alone proves harmless.
//
// All other accesses need a check (confined_code.h), and some code is refused.
// See docs/emulator.md, "The proof and its checks".
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "kernels/emulator/code/code_section.h"
#include "kernels/emulator/proof/access_reports.h"

namespace histolab::kernels::emulator {

struct NeededCheck {
  // The access: a read, a write, or both (update). Or a new value of the stack pointer: restored
  // from a register (stack_pointer), or lowered by a large frame (frame).
  enum class What : std::uint8_t { read, write, update, stack_pointer, frame };
  What what = What::read;
  std::uint32_t before = 0;  // offset of the instruction
  MemoryPlace place;         // the address that it accesses, or the new stack pointer
  std::uint32_t bytes = 0;
  bool keeps_flags = false;   // the flags are read later
  bool store_is_due = false;  // a callback has reported a write whose store comes later
  // If the address equals the one of this report, the access is recorded already.
  ReportToCompare report;
};

struct ReturnPlace {
  std::uint32_t offset = 0;  // behind a call of one of the kernel's own functions
  // Bytes of the caller's frame above the stack pointer, including its return address.
  std::uint32_t depth = 0;
};

// A write whose store comes only after the next callback, as in *p = *q. Both offsets are behind
// the calls of the callbacks.
struct EarlyReport {
  std::uint32_t of_write = 0, next = 0;
};

struct AccessProof {
  std::vector<std::uint32_t> begins;  // offsets of all instructions, in order
  std::vector<NeededCheck> checks;    // in the order of the code
  std::vector<ReturnPlace> returns;
  std::vector<EarlyReport> early_reports;
  std::string problem;           // the reason if the code is refused, else empty
  std::uint32_t problem_at = 0;  // offset
  // The stack never gets deeper than most_shallow_frame: the code calls no function of the kernel
  // and moves the stack pointer by constants only.
  bool is_shallow = false;
};

// A function may access this many bytes above its return address, for arguments on the stack.
inline constexpr std::int64_t most_stack_arguments = 512;  // Window::above_stack_top
// If a frame gets deeper than this other than by a push, it needs a check first. In bytes.
inline constexpr std::int64_t most_unasked_frame = 64 << 10;
inline constexpr std::int64_t most_shallow_frame = 16 << 10;  // in bytes

// Analyses a section of code, which begins with a function.
[[nodiscard]] AccessProof prove_accesses(const ObjectFile& object, std::uint32_t section);

}  // namespace histolab::kernels::emulator
