#include "kernels/emulator/code/call_facts.h"

#include <Zydis/Zydis.h>

#include <algorithm>
#include <cstring>

#include "kernels/emulator/code/node_code.h"
#include "kernels/emulator/code/runtime_functions.h"

namespace histolab::kernels::emulator {
namespace {

bool is_part_of(ZydisRegister part, ZydisRegister whole) {
  return ZydisRegisterGetLargestEnclosing(ZYDIS_MACHINE_MODE_LONG_64, part) == whole;
}
bool is_rax(ZydisRegister part) { return is_part_of(part, ZYDIS_REGISTER_RAX); }

// `xor eax, eax` writes 0 and does not depend on the old value.
bool is_zeroing(const ZydisDecodedInstruction& instruction,
                std::span<const ZydisDecodedOperand> operands) {
  if (instruction.mnemonic != ZYDIS_MNEMONIC_XOR && instruction.mnemonic != ZYDIS_MNEMONIC_SUB)
    return false;
  return operands[0].type == ZYDIS_OPERAND_TYPE_REGISTER &&
         operands[1].type == ZYDIS_OPERAND_TYPE_REGISTER &&
         operands[0].reg.value == operands[1].reg.value && operands[0].size >= 32;
}

// A jump through an address that is stored in the text is a stub of the loader, for functions of
// the runtime that are too far away for a call. Returns that address, or nothing for other jumps.
std::optional<std::uint64_t> target_of_stub(std::span<const std::uint8_t> text,
                                            const FlowNode& node,
                                            const ZydisDecodedOperand& operand) {
  if (operand.type != ZYDIS_OPERAND_TYPE_MEMORY || operand.mem.base != ZYDIS_REGISTER_RIP ||
      operand.mem.index != ZYDIS_REGISTER_NONE)
    return {};
  const std::uint64_t at = node.end + static_cast<std::uint64_t>(operand.mem.disp.value);
  std::uint64_t target;
  if (at >= text.size() || text.size() - at < sizeof target) return {};
  std::memcpy(&target, text.data() + at, sizeof target);
  return target;
}

bool is_return(std::uint64_t target) {
  static const auto thunk = runtime_function("__x86_return_thunk");
  return thunk && target == reinterpret_cast<std::uint64_t>(thunk->address);
}

OnResult effect_of(const ZydisDecodedInstruction& instruction,
                   std::span<const ZydisDecodedOperand> operands) {
  if (is_zeroing(instruction, operands))
    return is_rax(operands[0].reg.value) ? OnResult::overwrites : OnResult::none;
  OnResult effect = OnResult::none;
  for (const ZydisDecodedOperand& operand : operands) {
    if (operand.type == ZYDIS_OPERAND_TYPE_MEMORY &&
        (is_rax(operand.mem.base) || is_rax(operand.mem.index)))
      return OnResult::reads;
    if (operand.type != ZYDIS_OPERAND_TYPE_REGISTER || !is_rax(operand.reg.value)) continue;
    if ((operand.actions & ZYDIS_OPERAND_ACTION_MASK_READ) != 0) return OnResult::reads;
    if ((operand.actions & ZYDIS_OPERAND_ACTION_WRITE) != 0 && operand.size >= 32)
      effect = OnResult::overwrites;  // writing eax zeroes the upper half
  }
  return effect;
}

// `sete al` writes one byte, and `movzx eax, al` behind it zeroes the rest. Together they overwrite
// the result.
bool writes_low_byte(const NodeCode& decoded) {
  const ZydisDecodedOperand& to = decoded.all_operands[0];
  return decoded.code.meta.category == ZYDIS_CATEGORY_SETCC &&
         to.type == ZYDIS_OPERAND_TYPE_REGISTER && to.reg.value == ZYDIS_REGISTER_AL;
}
bool extends_low_byte(const NodeCode& decoded) {
  const ZydisDecodedOperand &to = decoded.all_operands[0], &from = decoded.all_operands[1];
  return decoded.code.mnemonic == ZYDIS_MNEMONIC_MOVZX && to.reg.value == ZYDIS_REGISTER_EAX &&
         from.type == ZYDIS_OPERAND_TYPE_REGISTER && from.reg.value == ZYDIS_REGISTER_AL;
}

// Returns the value of esi behind the instruction. Behind a call it is unknown.
SecondArgument argument_behind(const ZydisDecodedInstruction& instruction,
                               std::span<const ZydisDecodedOperand> operands) {
  if (instruction.meta.category == ZYDIS_CATEGORY_CALL) return SecondArgument::another;
  for (const ZydisDecodedOperand& operand : operands) {
    if (operand.type != ZYDIS_OPERAND_TYPE_REGISTER ||
        (operand.actions & ZYDIS_OPERAND_ACTION_MASK_WRITE) == 0)
      continue;
    if (!is_part_of(operand.reg.value, ZYDIS_REGISTER_RSI)) continue;
    if (is_zeroing(instruction, operands)) return SecondArgument::zero;
    const bool constant = instruction.mnemonic == ZYDIS_MNEMONIC_MOV && operand.size >= 32 &&
                          operands[1].type == ZYDIS_OPERAND_TYPE_IMMEDIATE;
    if (!constant || operands[1].imm.value.u > 1) return SecondArgument::another;
    return operands[1].imm.value.u == 1 ? SecondArgument::one : SecondArgument::zero;
  }
  return SecondArgument::kept;
}

}  // namespace

CallFacts::CallFacts(std::span<const std::uint8_t> text, const FlowGraph& graph)
    : text_(text),
      graph_(graph),
      steps_(graph.size()),
      before_(graph.size()),
      owners_(graph.size()) {
  for (std::uint32_t n = 0; n < graph.size(); ++n) {
    node_[graph[n].begin] = n;
    ending_.try_emplace(graph[n].end, n);
    for (const std::uint32_t next : graph[n].next) before_[next].push_back(n);
    steps_[n] = decode(graph[n]);
  }
  find_owners();
}

CallFacts::Step CallFacts::decode(const FlowNode& node) const {
  const std::optional<NodeCode> decoded = emulator::decode(text_, node);
  if (!decoded) return {};
  const ZydisDecodedInstruction& instruction = decoded->code;
  const auto operands = decoded->operands();
  Step step{OnResult::none, Way::on, argument_behind(instruction, operands)};
  const bool relative = (instruction.attributes & ZYDIS_ATTRIB_IS_RELATIVE) != 0 &&
                        instruction.raw.imm[0].is_relative;
  const bool inside =
      relative &&
      node.end + static_cast<std::uint64_t>(instruction.raw.imm[0].value.s) < text_.size();
  switch (instruction.meta.category) {
    case ZYDIS_CATEGORY_INTERRUPT: return {OnResult::none, Way::nowhere};  // the launch ends there
    case ZYDIS_CATEGORY_NOP:
    case ZYDIS_CATEGORY_WIDENOP: return step;  // its operands are not evaluated
    case ZYDIS_CATEGORY_RET: step.way = Way::end; break;
    case ZYDIS_CATEGORY_UNCOND_BR:  // out of the text: the runtime's checked return, or a tail call
      if (!relative) {
        const auto target = target_of_stub(text_, node, operands[0]);
        if (!target) return {};
        step.way = is_return(*target) ? Way::end : Way::jump_outside;
        return step;
      }
      if (!inside) step.way = Way::end;
      break;
    case ZYDIS_CATEGORY_COND_BR:
      if (!inside) return {};
      break;
    case ZYDIS_CATEGORY_CALL:
      step.way = inside ? Way::call_own : relative ? Way::call_outside : Way::call_unknown;
      break;
    default: break;
  }
  step.effect = effect_of(instruction, operands);
  if (writes_low_byte(*decoded) && node.next.size() == 1) {
    const auto next = emulator::decode(text_, graph_[node.next.front()]);
    if (next && extends_low_byte(*next)) step.effect = OnResult::overwrites;
  }
  return step;
}

// Finds the functions that each return may belong to. There may be several, because functions can
// share code by jumps.
void CallFacts::find_owners() {
  for (std::uint32_t n = 0; n < graph_.size(); ++n) {
    if (steps_[n].way != Way::call_own) continue;
    const auto behind = node_.find(graph_[n].end);
    const bool by_stub =
        !graph_[n].next.empty() && steps_[graph_[n].next.front()].way == Way::jump_outside;
    if (by_stub)
      steps_[n].way = Way::call_outside;
    else if (graph_[n].next.empty() || behind == node_.end())
      steps_[n] = {};
    else
      behind_[graph_[n].next.front()].push_back(behind->second);
  }
  if (graph_.empty()) return;
  behind_[0];  // the kernel itself
  for (const auto& function : behind_) {
    std::vector<bool> seen(graph_.size());
    std::vector<std::uint32_t> todo{function.first};
    while (!todo.empty()) {
      const std::uint32_t n = todo.back();
      todo.pop_back();
      if (seen[n]) continue;
      seen[n] = true;
      if (steps_[n].way == Way::end) {
        owners_[n].push_back(function.first);
      } else if (const auto behind = node_.find(graph_[n].end);
                 steps_[n].way == Way::call_own || steps_[n].way == Way::call_outside) {
        if (behind != node_.end()) todo.push_back(behind->second);
      } else {
        todo.insert(todo.end(), graph_[n].next.begin(), graph_[n].next.end());
      }
    }
  }
}

// Returns the node of the call of the runtime that ends at this offset, or nullopt.
std::optional<std::uint32_t> CallFacts::call_before(std::uint32_t behind_call) const {
  const auto call = ending_.find(behind_call);
  return call != ending_.end() && steps_[call->second].way == Way::call_outside
             ? std::optional{call->second}
             : std::nullopt;
}

SecondArgument CallFacts::second_argument(std::uint32_t behind_call) const {
  const auto call = call_before(behind_call);
  if (!call) return SecondArgument::another;
  SecondArgument found = SecondArgument::kept;
  std::vector<bool> seen(graph_.size());
  std::vector<std::uint32_t> todo{*call};
  while (!todo.empty()) {
    const std::uint32_t n = todo.back();
    todo.pop_back();
    if (before_[n].empty() || n == 0) return SecondArgument::another;  // an argument of the kernel
    for (const std::uint32_t before : before_[n]) {
      const SecondArgument argument = steps_[before].argument;
      if (argument != SecondArgument::kept) {
        if (argument == SecondArgument::another ||
            (found != SecondArgument::kept && found != argument))
          return SecondArgument::another;
        found = argument;
      } else if (!seen[before]) {
        seen[before] = true;
        todo.push_back(before);
      }
    }
  }
  return found == SecondArgument::kept ? SecondArgument::another : found;
}

bool CallFacts::drops_result(std::uint32_t behind_call) const {
  const auto first = node_.find(behind_call);
  if (!call_before(behind_call) || first == node_.end()) return false;
  std::vector<bool> seen(graph_.size());
  std::vector<std::uint32_t> todo{first->second};
  while (!todo.empty()) {
    const std::uint32_t n = todo.back();
    todo.pop_back();
    if (seen[n]) continue;
    seen[n] = true;
    const Step& step = steps_[n];
    if (step.effect == OnResult::reads || step.way == Way::call_unknown) return false;
    if (step.effect == OnResult::overwrites || step.way == Way::call_outside ||
        step.way == Way::jump_outside || step.way == Way::nowhere)
      continue;
    if (step.way == Way::call_own) {
      todo.push_back(graph_[n].next.front());
    } else if (step.way == Way::end) {
      for (const std::uint32_t function : owners_[n])
        todo.insert(todo.end(), behind_.at(function).begin(), behind_.at(function).end());
    } else {
      if (graph_[n].next.empty()) return false;
      todo.insert(todo.end(), graph_[n].next.begin(), graph_[n].next.end());
    }
  }
  return true;
}

}  // namespace histolab::kernels::emulator
