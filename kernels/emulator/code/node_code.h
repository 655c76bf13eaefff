// NodeCode: the instruction of a node of a flow graph, with its operands.
#pragma once

#include <Zydis/Zydis.h>

#include <array>
#include <cstdint>
#include <optional>
#include <span>

#include "kernels/emulator/code/flow_graph.h"

namespace histolab::kernels::emulator {

struct NodeCode {
  ZydisDecodedInstruction code{};
  std::array<ZydisDecodedOperand, ZYDIS_MAX_OPERAND_COUNT> all_operands{};
  [[nodiscard]] std::span<const ZydisDecodedOperand> operands() const {
    return std::span(all_operands).first(code.operand_count);
  }
};

// Decodes the instruction of a node. `text` is the text that the graph was decoded from. Returns
// nullopt if the node's bytes are not an instruction.
[[nodiscard]] inline std::optional<NodeCode> decode(std::span<const std::uint8_t> text,
                                                    const FlowNode& node) {
  ZydisDecoder decoder;
  ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
  NodeCode decoded;
  if (node.end == node.begin || node.end > text.size() ||
      !ZYAN_SUCCESS(ZydisDecoderDecodeFull(&decoder, text.data() + node.begin,
                                           node.end - node.begin, &decoded.code,
                                           decoded.all_operands.data())))
    return std::nullopt;
  return decoded;
}

}  // namespace histolab::kernels::emulator
