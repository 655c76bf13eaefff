// All that a port of the library to another processor writes again.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/emulator/arch/raw_arguments.h"

namespace histolab::kernels::program {

// The call of a kernel's host function that this thread made last.
struct CapturedCall {
  std::uint64_t kernel = 0;  // its address, or 0
  emulator::RawArguments arguments;
};
// Returns the call, and forgets it.
CapturedCall take_captured_call();

// Makes each function with a patchable entry keep its arguments for take_captured_call(), instead
// of running. These are the host functions of the program's kernels. Returns false if the memory
// with the code cannot be changed.
bool capture_calls_of_kernels();
// Whether a call of this function is kept. Reads the function's code.
bool captures_calls_of(const void* function);

// Facts of a segmentation fault from the handler's third argument.
struct FaultContext {
  std::uint64_t instruction = 0;
  bool writes = false;
};
FaultContext fault_context(const void* context);

}  // namespace histolab::kernels::program
