// SavedBlock: the state of a block while other blocks run at the same addresses.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "kernels/emulator/lanes/lanes.h"
#include "kernels/emulator/run/patience.h"
#include "kernels/emulator/run/step_budget.h"

namespace histolab::kernels::emulator {

struct SavedBlock {
  std::uint32_t number = 0;
  Lanes::Suspended lanes;
  StepBudget::Steps steps;
  Patience::Rows rows;
  std::vector<std::uint8_t> shared;  // bytes of its shared memory

  // Returns the memory of its stacks and its shared memory in bytes.
  [[nodiscard]] std::uint64_t bytes() const { return lanes.bytes() + shared.size(); }
};

// Returns the bytes of all regions in shared memory.
[[nodiscard]] std::vector<std::uint8_t> copy_shared_memory(const Window& window);
// Writes such bytes back.
void restore_shared_memory(const Window& window, std::span<const std::uint8_t> saved);

}  // namespace histolab::kernels::emulator
