#include "kernels/emulator/code/flow_graph.h"

#include <Zydis/Zydis.h>

#include <optional>
#include <unordered_map>

namespace histolab::kernels::emulator {
namespace {

class Decoder {
 public:
  explicit Decoder(std::span<const std::uint8_t> text) : text_(text) {
    ZydisDecoderInit(&decoder_, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
  }

  FlowGraph decode(std::uint32_t entry) {
    function_at(entry);
    // Returns are connected last, because calls of a function may be found after its returns.
    for (std::size_t f = 0; f < functions_.size(); ++f) explore(f);
    for (const Function& function : functions_)
      for (const std::uint32_t end : function.ends)
        for (const std::uint32_t behind : function.callers) nodes_[end].next.push_back(behind);
    return std::move(nodes_);
  }

 private:
  struct Function {
    std::uint32_t entry;                         // node
    std::vector<std::uint32_t> ends, callers{};  // nodes: its returns; those behind its calls
  };
  struct Instruction {
    ZydisInstructionCategory category;
    std::optional<std::uint32_t> target;  // in the text
  };

  std::uint32_t node_at(std::uint32_t offset) {
    const auto [known, is_new] =
        number_.try_emplace(offset, static_cast<std::uint32_t>(nodes_.size()));
    if (is_new) nodes_.push_back({offset, offset, {}});
    return known->second;
  }
  std::size_t function_at(std::uint32_t offset) {
    const auto [known, is_new] = function_.try_emplace(offset, functions_.size());
    if (is_new) functions_.push_back({node_at(offset), {}, {}});
    return known->second;
  }

  Instruction decode_at(std::uint32_t node) {
    FlowNode& at = nodes_[node];
    ZydisDecodedInstruction instruction;
    const auto* bytes = text_.data() + at.begin;
    if (at.begin >= text_.size() ||
        !ZYAN_SUCCESS(ZydisDecoderDecodeInstruction(&decoder_, nullptr, bytes,
                                                    text_.size() - at.begin, &instruction)))
      return {ZYDIS_CATEGORY_INVALID, {}};
    at.end = at.begin + instruction.length;
    const bool relative = (instruction.attributes & ZYDIS_ATTRIB_IS_RELATIVE) != 0 &&
                          instruction.raw.imm[0].is_relative;
    if (!relative) return {instruction.meta.category, {}};
    const auto target = static_cast<std::uint64_t>(at.end) +
                        static_cast<std::uint64_t>(instruction.raw.imm[0].value.s);
    if (target >= text_.size()) return {instruction.meta.category, {}};
    return {instruction.meta.category, static_cast<std::uint32_t>(target)};
  }

  // Adds all instructions that a function can reach without a call.
  void explore(std::size_t function) {
    std::vector<std::uint32_t> todo{functions_[function].entry};
    while (!todo.empty()) {
      const std::uint32_t node = todo.back();
      todo.pop_back();
      if (nodes_[node].end != nodes_[node].begin) continue;
      const Instruction instruction = decode_at(node);
      const auto go_on = [&](std::uint32_t offset) {
        const std::uint32_t next = node_at(offset);
        nodes_[node].next.push_back(next);
        todo.push_back(next);
      };
      switch (instruction.category) {
        case ZYDIS_CATEGORY_INVALID:
        case ZYDIS_CATEGORY_INTERRUPT: break;
        case ZYDIS_CATEGORY_RET: functions_[function].ends.push_back(node); break;
        case ZYDIS_CATEGORY_UNCOND_BR:  // out of the text: the runtime returns for this function
          if (instruction.target)
            go_on(*instruction.target);
          else
            functions_[function].ends.push_back(node);
          break;
        case ZYDIS_CATEGORY_COND_BR:
          go_on(nodes_[node].end);
          if (instruction.target) go_on(*instruction.target);
          break;
        case ZYDIS_CATEGORY_CALL:
          if (instruction.target) {
            const std::size_t callee = function_at(*instruction.target);
            const std::uint32_t behind = node_at(nodes_[node].end);
            nodes_[node].next.push_back(functions_[callee].entry);
            functions_[callee].callers.push_back(behind);
            todo.push_back(behind);
            break;
          }
          [[fallthrough]];
        default: go_on(nodes_[node].end);
      }
    }
  }

  std::span<const std::uint8_t> text_;
  ZydisDecoder decoder_{};
  FlowGraph nodes_;
  std::unordered_map<std::uint32_t, std::uint32_t> number_;  // node by offset
  std::unordered_map<std::uint32_t, std::size_t> function_;  // by its entry's offset
  std::vector<Function> functions_;
};

}  // namespace

FlowGraph decode_flow(std::span<const std::uint8_t> text, std::uint32_t entry) {
  return Decoder(text).decode(entry);
}

}  // namespace histolab::kernels::emulator
