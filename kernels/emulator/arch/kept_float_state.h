// KeptFloatState: keeps the floating-point registers that calls do not preserve while it exists.
#pragma once

#include <cstdint>

namespace histolab::kernels::emulator {

// Saves the x87 registers. A check may precede any instruction, so the lane may be using them, and
// another lane may run before it continues. The check has saved the vector registers (guards.cpp).
class KeptFloatState {
 public:
  KeptFloatState() { asm volatile("fnsave %0" : "=m"(state_)); }
  ~KeptFloatState() { asm volatile("frstor %0" : : "m"(state_)); }
  KeptFloatState(const KeptFloatState&) = delete;
  KeptFloatState& operator=(const KeptFloatState&) = delete;

 private:
  std::uint8_t state_[108];
};

}  // namespace histolab::kernels::emulator
