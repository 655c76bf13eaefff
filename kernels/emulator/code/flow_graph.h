// FlowGraph: which instruction may run after which, as far as machine code shows.
//
// Decoded from the kernel's entry on, so bytes between functions are never decoded. A call to a
// function of the kernel's own leads into that function, and its returns lead behind the call. A
// call of the runtime leads behind itself, and so does a call whose target only the running kernel
// knows. Kernels are compiled without jump tables.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace histolab::kernels::emulator {

struct FlowNode {
  std::uint32_t begin = 0, end = 0;  // offsets of the instruction in the text
  std::vector<std::uint32_t> next;   // numbers of nodes
};

// Node 0 is the one at `entry`. If there are no nodes, there is no code at all.
using FlowGraph = std::vector<FlowNode>;

// `text`: the loaded code; `entry`: an offset in it.
[[nodiscard]] FlowGraph decode_flow(std::span<const std::uint8_t> text, std::uint32_t entry);

}  // namespace histolab::kernels::emulator
