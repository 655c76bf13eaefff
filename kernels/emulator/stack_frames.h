// StackFrames: how much of its stack a kernel may take for itself.
//
// A local variable that was never set holds what happens to be in its place: what the last thread on that stack left there,
// which may have been in another block. So that each block computes the same wherever it runs, the place is filled anew for each
// thread (lanes.cpp). How large it is tells the machine code: what all functions of the kernel take together.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "kernels/emulator/flow_graph.h"

namespace histolab::kernels::emulator {

// 0: no function keeps anything there but registers. nullopt: not known, as with recursion or arrays whose length only the
// running kernel knows, or more than is worth filling.
[[nodiscard]] std::optional<std::uint32_t> stack_of_all_functions(std::span<const std::uint8_t> text, const FlowGraph& graph);

}  // namespace histolab::kernels::emulator
