#include "kernels/emulator/code/value_flow.h"

#include <algorithm>
#include <bitset>
#include <utility>

#include "kernels/emulator/arch/decoder.h"

namespace histolab::kernels::emulator {
namespace {

using Flow = Instruction::Flow;
using Operation = Instruction::Operation;

constexpr std::int64_t word_bytes = 8;     // of a push, a pop and a return address
constexpr std::size_t stack_bytes = 1024;  // bytes above the stack pointer that are followed

bool is_on_stack(const Operand& operand) {
  return operand.type == Operand::Type::memory && operand.memory.base == stack_register;
}
// Returns whether the operand's address is computed at run time: an element of a local array.
bool is_indexed(const Operand& operand) { return operand.memory.index != no_register; }
// The word that holds the thread pointer. Offsets of shared variables are added to it.
bool is_thread_pointer(const MemoryOperand& memory) {
  return memory.in_thread_storage && memory.base == no_register && memory.index == no_register &&
         !memory.to_next && memory.displacement == 0;
}
// Returns whether the operand is memory that a callback may have reported.
bool is_reported_memory(const Operand& operand) {
  return operand.type == Operand::Type::memory && !is_on_stack(operand) &&
         !is_thread_pointer(operand.memory);
}

}  // namespace

// The registers and stack bytes that hold values computed from the value that was read.
struct ValueFlow::Taint {
  std::uint64_t registers = 0;
  std::bitset<stack_bytes> stack;  // the bytes from the stack pointer on

  [[nodiscard]] bool has(int reg) const { return reg >= 0 && (registers >> reg & 1) != 0; }
  void set(int reg, bool tainted) {
    if (reg >= 0) registers = (registers & ~(1ull << reg)) | std::uint64_t{tainted} << reg;
  }
  [[nodiscard]] bool has_stack(std::int64_t at, std::size_t bytes) const {
    for (std::int64_t i = std::max<std::int64_t>(at, 0);
         i < at + static_cast<std::int64_t>(bytes) && i < static_cast<std::int64_t>(stack_bytes);
         ++i)
      if (stack[static_cast<std::size_t>(i)]) return true;
    return false;
  }
  void set_stack(std::int64_t at, std::size_t bytes, bool tainted) {
    for (std::int64_t i = std::max<std::int64_t>(at, 0);
         i < at + static_cast<std::int64_t>(bytes) && i < static_cast<std::int64_t>(stack_bytes);
         ++i)
      stack[static_cast<std::size_t>(i)] = tainted;
  }
  // The stack pointer increases by `by` bytes.
  void move_stack(std::int64_t by) {
    if (by >= 0)
      stack >>= static_cast<std::size_t>(by);
    else
      stack <<= static_cast<std::size_t>(-by);
  }
  // Adds the taint of `other`. Returns false if nothing changed.
  bool join(const Taint& other) {
    const Taint before = *this;
    registers |= other.registers;
    stack |= other.stack;
    return registers != before.registers || stack != before.stack;
  }
};

ValueFlow::ValueFlow(std::span<const std::uint8_t> text, FlowGraph graph,
                     std::span<const SiteNumber> calls, const SiteTable& sites,
                     std::span<const SiteNumber> barriers)
    : text_(text),
      graph_(std::move(graph)),
      sites_(sites),
      barriers_(barriers.begin(), barriers.end()) {
  for (std::uint32_t n = 0; n < graph_.size(); ++n) node_[graph_[n].begin] = n;
  for (const SiteNumber call : calls)
    if (sites[call].kind == AccessKind::store && sites[call].bytes != 0)
      if (const auto node = access_behind(call, true)) store_at_[*node] = call;
}

const ValueFlow::Reach& ValueFlow::reach_of(SiteNumber from) {
  const auto [known, is_new] = known_.try_emplace(from);
  if (is_new) known->second = follow(from);
  return known->second;
}

std::optional<std::uint32_t> ValueFlow::access_behind(SiteNumber call, bool writes) const {
  constexpr int most_instructions = 64;
  auto node = node_.find(call);
  Instruction instruction;
  for (int i = 0; i < most_instructions && node != node_.end(); ++i) {
    const FlowNode& at = graph_[node->second];
    if (!decode(text_, at, instruction)) return std::nullopt;
    for (const Operand& operand : instruction.operands())
      if (is_reported_memory(operand) && (writes ? operand.writes : operand.reads))
        return node->second;
    const bool is_call = instruction.flow == Flow::call;
    const bool continues =
        is_call ? instruction.target_in(text_.size()).has_value() : at.next.size() == 1;
    if (!continues) return std::nullopt;
    node = node_.find(is_call ? at.end : graph_[at.next.front()].begin);
  }
  return std::nullopt;
}

// Applies a call to the taint. Adds the write that a call of the runtime makes to `reach`.
void ValueFlow::step_call(const Instruction& call, Taint& taint, Reach& reach) const {
  if (call.target_in(text_.size())) return taint.move_stack(-word_bytes);
  const Site& site = sites_[call.end];
  const bool accesses = site.bytes != 0;
  // An overwrite takes one value, an integer. The other argument registers may hold old values.
  const Registers values = site.effect == AtomicEffect::overwrites
                               ? Registers{1} << second_argument_register
                               : argument_registers & ~(Registers{1} << first_argument_register);
  const bool is_given = (taint.registers & (accesses ? values : argument_registers)) != 0;
  if (accesses && is_atomic(site.kind) && is_given)
    reach.writes.insert(static_cast<SiteNumber>(call.end));
  taint.registers &= kept_by_calls;
  if (is_given && !accesses) taint.registers |= result_registers;
}

// Returns whether the instruction computes its results from a tainted value.
bool ValueFlow::reads_taint(const Instruction& instruction, bool memory_is_tainted,
                            const Taint& taint) {
  if (instruction.zeroes) return false;
  const auto operands = instruction.operands();
  if (instruction.operation == Operation::address)
    return taint.has(operands[1].memory.base) || taint.has(operands[1].memory.index);
  return std::ranges::any_of(operands, [&](const Operand& operand) {
    if (!operand.reads) return false;
    if (operand.type == Operand::Type::reg) return taint.has(operand.reg);
    if (operand.type != Operand::Type::memory) return false;
    if (!is_on_stack(operand)) return memory_is_tainted;
    return is_indexed(operand) ? taint.stack.any()
                               : taint.has_stack(operand.memory.displacement, operand.bytes);
  });
}

// Sets the taint of a register or of a stack word that the instruction writes.
void ValueFlow::write(const Instruction& instruction, const Operand& to, bool tainted,
                      Taint& taint) {
  const bool moves_stack =
      instruction.operation == Operation::push || instruction.operation == Operation::pop;
  if (is_on_stack(to) && !moves_stack) {
    if (tainted || !is_indexed(to)) taint.set_stack(to.memory.displacement, to.bytes, tainted);
    return;
  }
  if (to.type != Operand::Type::reg) return;
  if (to.reg == stack_register) {
    const auto operands = instruction.operands();
    const bool is_constant = operands.size() > 1 && operands[1].type == Operand::Type::immediate;
    if (is_constant && instruction.operation == Operation::add)
      taint.move_stack(operands[1].immediate);
    if (is_constant && instruction.operation == Operation::subtract)
      taint.move_stack(-operands[1].immediate);
    return;
  }
  const bool in_part = to.bytes < 4 || to.may_keep;
  taint.set(to.reg, tainted || (in_part && to.reg != flags_register && taint.has(to.reg)));
}

// Applies one instruction to the taint. Adds the writes and branches that it affects to `reach`.
void ValueFlow::step(std::uint32_t node, bool memory_is_tainted, Taint& taint, Reach& reach) const {
  Instruction instruction;
  if (!decode(text_, graph_[node], instruction)) return;
  if (instruction.flow == Flow::call) return step_call(instruction, taint, reach);
  const bool leaves = instruction.flow == Flow::jump && !instruction.target_in(text_.size());
  if (instruction.flow == Flow::ret || leaves) return taint.move_stack(word_bytes);
  bool tainted = reads_taint(instruction, memory_is_tainted, taint);
  if (const auto store = store_at_.find(node); store != store_at_.end() && tainted)
    reach.writes.insert(store->second);
  if (instruction.flow == Flow::branch) {
    if (tainted) reach.branches.insert(node);
    return;
  }
  if (instruction.operation == Operation::pop) {
    tainted = taint.has_stack(0, word_bytes);
    taint.move_stack(word_bytes);
  }
  if (instruction.operation == Operation::push) {
    taint.move_stack(-word_bytes);
    taint.set_stack(0, word_bytes, tainted);
  }
  for (const Operand& operand : instruction.operands())
    if (operand.writes) write(instruction, operand, tainted, taint);
}

ValueFlow::Reach ValueFlow::follow(SiteNumber from) const {
  Reach reach;
  if (graph_.empty()) return reach;
  std::vector<Taint> before(graph_.size());
  std::vector<std::uint32_t> todo;
  std::optional<std::uint32_t> load;
  if (is_atomic(sites_[from].kind)) {
    const auto behind = node_.find(from);
    if (behind == node_.end()) return reach;
    before[behind->second].registers = number_results;
    todo.push_back(behind->second);
  } else {
    load = access_behind(from, false);
    if (!load) return reach;
    todo.push_back(*load);
  }
  while (!todo.empty()) {
    const std::uint32_t node = todo.back();
    todo.pop_back();
    Taint taint = before[node];
    step(node, load == node, taint, reach);
    for (const std::uint32_t next : graph_[node].next)
      if (before[next].join(taint)) todo.push_back(next);
  }
  reach.decides_barrier =
      std::ranges::any_of(reach.branches, [&](std::uint32_t branch) { return ways_part(branch); });
  return reach;
}

bool ValueFlow::guards(SiteNumber from, SiteNumber to) {
  return std::ranges::any_of(reach_of(from).branches, [&](std::uint32_t branch) {
    const std::vector<std::uint32_t>& next = graph_[branch].next;
    const bool comes_later =
        graph_[branch].begin < to;  // else only a later round of a loop reaches it
    return comes_later && next.size() == 2 &&
           may_avoid(next[0], to, branch) != may_avoid(next[1], to, branch);
  });
}

bool ValueFlow::always_reaches(SiteNumber from, SiteNumber to) const {
  const auto behind = node_.find(from);
  return behind != node_.end() && !may_avoid(behind->second, to, std::nullopt);
}

// Returns whether a path leads to the kernel's end, or back to the branch, without that write.
bool ValueFlow::may_avoid(std::uint32_t node, SiteNumber write,
                          std::optional<std::uint32_t> branch) const {
  std::vector<bool> seen(graph_.size());
  std::vector<std::uint32_t> todo{node};
  while (!todo.empty()) {
    const std::uint32_t n = todo.back();
    todo.pop_back();
    if (seen[n] || graph_[n].end == write) continue;
    if (n == branch || graph_[n].next.empty()) return true;
    seen[n] = true;
    todo.insert(todo.end(), graph_[n].next.begin(), graph_[n].next.end());
  }
  return false;
}

bool ValueFlow::ways_part(std::uint32_t branch) const {
  const std::vector<std::uint32_t>& next = graph_[branch].next;
  return next.size() == 2 && next_barriers(next[0]) != next_barriers(next[1]);
}

// Returns the barriers that a thread may reach next, as offsets behind their calls. The set
// contains 0 if the thread may end first.
std::set<std::uint32_t> ValueFlow::next_barriers(std::uint32_t node) const {
  std::set<std::uint32_t> found;
  std::vector<bool> seen(graph_.size());
  std::vector<std::uint32_t> todo{node};
  while (!todo.empty()) {
    const std::uint32_t n = todo.back();
    todo.pop_back();
    if (seen[n]) continue;
    seen[n] = true;
    if (barriers_.contains(graph_[n].end))
      found.insert(graph_[n].end);
    else if (graph_[n].next.empty())
      found.insert(0);
    else
      todo.insert(todo.end(), graph_[n].next.begin(), graph_[n].next.end());
  }
  return found;
}

}  // namespace histolab::kernels::emulator
