#include "kernels/emulator/stack_frames.h"

#include <Zydis/Zydis.h>

#include <algorithm>
#include <map>
#include <set>
#include <vector>

namespace histolab::kernels::emulator {
namespace {

constexpr std::uint64_t most_bytes = 8192;
constexpr std::uint64_t alignment_only = 8;  // a function that takes so little keeps its callees' stacks aligned
constexpr std::uint64_t red_zone = 128;      // below the stack pointer, for who calls nobody

bool is_rsp(ZydisRegister part) { return ZydisRegisterGetLargestEnclosing(ZYDIS_MACHINE_MODE_LONG_64, part) == ZYDIS_REGISTER_RSP; }

struct Taken {
  bool known = true;
  std::uint64_t locals = 0, registers = 0;
};

Taken taken_by(const ZydisDecodedInstruction& instruction, const ZydisDecodedOperand* operands) {
  switch (instruction.mnemonic) {
    case ZYDIS_MNEMONIC_PUSH: return {true, 0, 8};
    case ZYDIS_MNEMONIC_CALL: return {true, 0, 8};
    case ZYDIS_MNEMONIC_POP:
    case ZYDIS_MNEMONIC_RET:
    case ZYDIS_MNEMONIC_LEAVE: return {};
    default: break;
  }
  // Of others that change the stack pointer, what gives back is no matter.
  const bool to_register = operands[0].type == ZYDIS_OPERAND_TYPE_REGISTER && (operands[0].actions & ZYDIS_OPERAND_ACTION_MASK_WRITE) != 0;
  if (!to_register || !is_rsp(operands[0].reg.value)) return {};
  const bool by_number = operands[1].type == ZYDIS_OPERAND_TYPE_IMMEDIATE;
  const std::int64_t number = by_number ? operands[1].imm.value.s : 0;
  switch (instruction.mnemonic) {
    case ZYDIS_MNEMONIC_SUB: return {by_number && number >= 0, static_cast<std::uint64_t>(std::max<std::int64_t>(number, 0)), 0};
    case ZYDIS_MNEMONIC_ADD: return {by_number, number < 0 ? 0 - static_cast<std::uint64_t>(number) : 0, 0};
    case ZYDIS_MNEMONIC_AND: return {by_number && number < 0 && number >= -64, 64, 0};
    case ZYDIS_MNEMONIC_MOV: return {};
    case ZYDIS_MNEMONIC_LEA: return {!is_rsp(operands[1].mem.base), 0, 0};  // from where it was kept
    default: return {.known = false};
  }
}

// Is there a way from a function back into itself, by calls?
bool is_recursive(const std::map<std::uint32_t, std::set<std::uint32_t>>& calls) {
  std::map<std::uint32_t, int> state;  // 1: being looked at, 2: done
  const auto visit = [&](const auto& self, std::uint32_t function) -> bool {
    if (state[function] != 0) return state[function] == 1;
    state[function] = 1;
    const auto callees = calls.find(function);
    if (callees != calls.end() && std::ranges::any_of(callees->second, [&](std::uint32_t callee) { return self(self, callee); })) return true;
    state[function] = 2;
    return false;
  };
  return std::ranges::any_of(calls, [&](const auto& function) { return visit(visit, function.first); });
}

}  // namespace

std::optional<std::uint32_t> stack_of_all_functions(std::span<const std::uint8_t> text, const FlowGraph& graph) {
  ZydisDecoder decoder;
  ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
  std::uint64_t locals = 0, registers = 0;
  std::map<std::uint32_t, std::uint32_t> node_at;  // by where it begins
  for (std::uint32_t n = 0; n < graph.size(); ++n) node_at[graph[n].begin] = n;
  std::set<std::uint32_t> calls_of_own, ends;  // nodes
  for (std::uint32_t n = 0; n < graph.size(); ++n) {
    ZydisDecodedInstruction instruction;
    ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT]{};
    const FlowNode& node = graph[n];
    if (node.end == node.begin || !ZYAN_SUCCESS(ZydisDecoderDecodeFull(&decoder, text.data() + node.begin, node.end - node.begin, &instruction, operands)))
      return std::nullopt;
    const Taken taken = taken_by(instruction, operands);
    if (!taken.known) return std::nullopt;
    locals += taken.locals > alignment_only ? taken.locals : 0;
    registers += taken.registers + std::min(taken.locals, alignment_only);
    const auto category = instruction.meta.category;
    const bool leaves = category == ZYDIS_CATEGORY_UNCOND_BR &&
                        (!instruction.raw.imm[0].is_relative || node.end + static_cast<std::uint64_t>(instruction.raw.imm[0].value.s) >= text.size());
    if (category == ZYDIS_CATEGORY_RET || leaves) ends.insert(n);
    const bool behind = node.next.size() == 1 && graph[node.next.front()].begin == node.end;
    if (category != ZYDIS_CATEGORY_CALL || behind) continue;
    if (node.next.size() != 1) return std::nullopt;
    calls_of_own.insert(n);
  }
  // What each function gets to without calling, and so whom it calls.
  std::map<std::uint32_t, std::set<std::uint32_t>> calls;
  std::vector<std::uint32_t> functions{0};
  for (std::size_t f = 0; f < functions.size() && !graph.empty(); ++f) {
    if (calls.contains(functions[f])) continue;
    std::set<std::uint32_t>& callees = calls[functions[f]];
    std::vector<bool> seen(graph.size());
    std::vector<std::uint32_t> todo{functions[f]};
    while (!todo.empty()) {
      const std::uint32_t n = todo.back();
      todo.pop_back();
      if (seen[n]) continue;
      seen[n] = true;
      if (ends.contains(n)) continue;
      if (!calls_of_own.contains(n)) {
        todo.insert(todo.end(), graph[n].next.begin(), graph[n].next.end());
        continue;
      }
      const auto behind = node_at.find(graph[n].end);
      if (behind == node_at.end()) return std::nullopt;
      todo.push_back(behind->second);
      callees.insert(graph[n].next.front());
      functions.push_back(graph[n].next.front());
    }
  }
  if (is_recursive(calls)) return std::nullopt;
  if (locals == 0) return 0;
  const std::uint64_t bytes = locals + registers + red_zone;
  return bytes <= most_bytes ? std::optional(static_cast<std::uint32_t>((bytes + 15) / 16 * 16)) : std::nullopt;
}

}  // namespace histolab::kernels::emulator
