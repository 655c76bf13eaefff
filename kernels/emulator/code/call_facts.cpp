#include "kernels/emulator/code/call_facts.h"

#include <algorithm>
#include <cstring>

#include "kernels/emulator/arch/decoder.h"
#include "kernels/emulator/arch/symbols.h"
#include "kernels/emulator/code/runtime_functions.h"

namespace histolab::kernels::emulator {
namespace {

using Flow = Instruction::Flow;
using Operation = Instruction::Operation;

bool is_reg(const Operand& operand, int number) {
  return operand.type == Operand::Type::reg && operand.reg == number;
}

// A write of four bytes or more to a register changes all of it.
constexpr std::uint32_t whole_bytes = 4;

bool is_zeroing(const Instruction& instruction) {
  return instruction.zeroes && instruction.operands()[0].bytes >= whole_bytes;
}

// A jump through an address that is stored in the text is a stub of the loader, for functions of
// the runtime that are too far away for a call. Returns that address, or nothing for other jumps.
std::optional<std::uint64_t> target_of_stub(std::span<const std::uint8_t> text,
                                            const Instruction& jump) {
  const Operand& operand = jump.operands()[0];
  if (operand.type != Operand::Type::memory || !operand.memory.to_next ||
      operand.memory.index != no_register)
    return {};
  const std::uint64_t at = jump.end + static_cast<std::uint64_t>(operand.memory.displacement);
  std::uint64_t target;
  if (at >= text.size() || text.size() - at < sizeof target) return {};
  std::memcpy(&target, text.data() + at, sizeof target);
  return target;
}

bool is_return(std::uint64_t target) {
  static const auto checked = runtime_function(return_symbol);
  return checked && target == reinterpret_cast<std::uint64_t>(checked->address);
}

OnResult effect_of(const Instruction& instruction) {
  const auto operands = instruction.operands();
  if (is_zeroing(instruction))
    return is_reg(operands[0], result_register) ? OnResult::overwrites : OnResult::none;
  OnResult effect = OnResult::none;
  for (const Operand& operand : operands) {
    const bool has_address =
        operand.type == Operand::Type::memory || operand.type == Operand::Type::address;
    if (has_address &&
        (operand.memory.base == result_register || operand.memory.index == result_register))
      return OnResult::reads;
    if (!is_reg(operand, result_register)) continue;
    if (operand.reads) return OnResult::reads;
    if (operand.writes && !operand.may_keep && operand.bytes >= whole_bytes)
      effect = OnResult::overwrites;
  }
  return effect;
}

// A comparison writes one byte of the result, and an extension behind it zeroes the rest. Together
// they overwrite the result.
bool is_low_byte_of_result(const Operand& operand) {
  return is_reg(operand, result_register) && operand.bytes == 1 && operand.first_byte == 0;
}
bool writes_low_byte(const Instruction& instruction) {
  return instruction.operation == Operation::set_by_flags &&
         is_low_byte_of_result(instruction.operands()[0]);
}
bool extends_low_byte(const Instruction& instruction) {
  if (instruction.operation != Operation::extend_unsigned) return false;
  const Operand &to = instruction.operands()[0], &from = instruction.operands()[1];
  return is_reg(to, result_register) && to.bytes == whole_bytes && is_low_byte_of_result(from);
}

// Returns the value of the second argument's register behind the instruction. Behind a call it is
// unknown.
SecondArgument argument_behind(const Instruction& instruction) {
  if (instruction.flow == Flow::call) return SecondArgument::another;
  const auto operands = instruction.operands();
  for (const Operand& operand : operands) {
    if (!is_reg(operand, second_argument_register) || !operand.writes) continue;
    if (is_zeroing(instruction)) return SecondArgument::zero;
    const bool is_constant = instruction.operation == Operation::copy &&
                             operand.bytes >= whole_bytes &&
                             operands[1].type == Operand::Type::immediate;
    if (is_constant && operands[1].immediate == 0) return SecondArgument::zero;
    if (is_constant && operands[1].immediate == 1) return SecondArgument::one;
    return SecondArgument::another;
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
  Instruction instruction;
  if (!emulator::decode(text_, node, instruction)) return {};
  const bool is_relative = instruction.to_target.has_value();
  const bool is_inside = instruction.target_in(text_.size()).has_value();
  Step step{OnResult::none, Way::on, argument_behind(instruction)};
  switch (instruction.flow) {
    case Flow::stop: return {OnResult::none, Way::nowhere};  // the launch ends there
    case Flow::ret: step.way = Way::end; break;
    case Flow::jump:  // out of the text: the runtime's checked return, or a tail call
      if (!is_relative) {
        const auto target = target_of_stub(text_, instruction);
        if (!target) return {};
        step.way = is_return(*target) ? Way::end : Way::jump_outside;
        return step;
      }
      if (!is_inside) step.way = Way::end;
      break;
    case Flow::branch:
      if (!is_inside) return {};
      break;
    case Flow::call:
      if (is_inside)
        step.way = Way::call_own;
      else
        step.way = is_relative ? Way::call_outside : Way::call_unknown;
      break;
    case Flow::next:
    case Flow::invalid: break;
  }
  step.effect = effect_of(instruction);
  if (writes_low_byte(instruction) && node.next.size() == 1) {
    Instruction next;
    if (emulator::decode(text_, graph_[node.next.front()], next) && extends_low_byte(next))
      step.effect = OnResult::overwrites;
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
