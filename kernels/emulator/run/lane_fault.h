// LaneFault: the signal that the processor raised for a lane's instruction, as data.
#pragma once

#include <csignal>
#include <cstdint>
#include <string_view>

#include "kernels/emulator/messages/progress_messages.h"

namespace histolab::kernels::emulator {

struct LaneFault {
  int signal = 0;
  std::uint32_t lane = 0;
  std::uint64_t instruction = 0;  // address; that of the call if the lane has called no code
  bool in_stack = false;          // the address is below a lane's stack
  bool in_call = false;           // the lane has called an address without code
  bool may_overflow = false;      // the dividend is the smallest integer

  [[nodiscard]] bool is_by_access() const { return signal == SIGSEGV || signal == SIGBUS; }
  // Returns the predicate of the finding's sentence, as in "thread 3 of block 0 ...".
  [[nodiscard]] std::string_view what() const {
    if (signal == SIGFPE && may_overflow)
      return "divides the smallest integer by -1 or by zero. Test the divisor first";
    if (signal == SIGFPE) return "divides an integer by zero. Test the divisor first";
    if (in_call) return calls_nothing;
    if (in_stack) return stack_used_up;
    if (is_by_access())
      return "accesses memory that does not exist. Check its pointers and indices";
    return "executes an illegal instruction. Check that every function returns a value on every "
           "path";
  }
};

}  // namespace histolab::kernels::emulator
