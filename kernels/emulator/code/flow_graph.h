// FlowGraph: the instructions of a kernel, and the possible successors of each.
//
// See docs/emulator.md, "What the machine code shows".
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace histolab::kernels::emulator {

struct Instruction;

struct FlowNode {
  std::uint32_t begin = 0, end = 0;  // offsets of the instruction in the text
  std::vector<std::uint32_t> next;   // numbers of nodes
};

// Node 0 is the instruction at `entry`. The graph of no code is empty.
using FlowGraph = std::vector<FlowNode>;

// Decodes all code that can be reached from `entry`, an offset in `text`, the loaded code.
[[nodiscard]] FlowGraph decode_flow(std::span<const std::uint8_t> text, std::uint32_t entry);

// Decodes the instruction of a node, with its operands. `text` is the text that the graph was
// decoded from. Returns false if the node's bytes are not an instruction.
[[nodiscard]] bool decode(std::span<const std::uint8_t> text, const FlowNode& node,
                          Instruction& instruction);

}  // namespace histolab::kernels::emulator
