#include "kernels/emulator/code/flow_graph.h"

#include <optional>
#include <unordered_map>

#include "kernels/emulator/arch/decoder.h"

namespace histolab::kernels::emulator {
namespace {

class FlowDecoder {
 public:
  explicit FlowDecoder(std::span<const std::uint8_t> text) : text_(text) {}

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

  // Adds all instructions that a function can reach without a call.
  void explore(std::size_t function) {
    std::vector<std::uint32_t> todo{functions_[function].entry};
    Instruction instruction;
    while (!todo.empty()) {
      const std::uint32_t node = todo.back();
      todo.pop_back();
      if (nodes_[node].end != nodes_[node].begin) continue;
      if (!emulator::decode(text_, nodes_[node].begin, Detail::flow, instruction)) continue;
      nodes_[node].end = instruction.end;
      const std::optional<std::uint32_t> target = instruction.target_in(text_.size());
      const auto go_on = [&](std::uint32_t offset) {
        const std::uint32_t next = node_at(offset);
        nodes_[node].next.push_back(next);
        todo.push_back(next);
      };
      switch (instruction.flow) {
        using enum Instruction::Flow;
        case invalid:
        case stop: break;
        case ret: functions_[function].ends.push_back(node); break;
        case jump:  // out of the text: the runtime returns for this function
          if (target)
            go_on(*target);
          else
            functions_[function].ends.push_back(node);
          break;
        case branch:
          go_on(nodes_[node].end);
          if (target) go_on(*target);
          break;
        case call:
          if (target) {
            const std::size_t callee = function_at(*target);
            const std::uint32_t behind = node_at(nodes_[node].end);
            nodes_[node].next.push_back(functions_[callee].entry);
            functions_[callee].callers.push_back(behind);
            todo.push_back(behind);
            break;
          }
          [[fallthrough]];
        case next: go_on(nodes_[node].end);
      }
    }
  }

  std::span<const std::uint8_t> text_;
  FlowGraph nodes_;
  std::unordered_map<std::uint32_t, std::uint32_t> number_;  // node by offset
  std::unordered_map<std::uint32_t, std::size_t> function_;  // by its entry's offset
  std::vector<Function> functions_;
};

}  // namespace

FlowGraph decode_flow(std::span<const std::uint8_t> text, std::uint32_t entry) {
  return FlowDecoder(text).decode(entry);
}

bool decode(std::span<const std::uint8_t> text, const FlowNode& node, Instruction& instruction) {
  return node.end != node.begin && node.end <= text.size() &&
         decode(text.first(node.end), node.begin, Detail::operands, instruction);
}

}  // namespace histolab::kernels::emulator
