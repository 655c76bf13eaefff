#include "kernels/emulator/code/value_flow.h"

#include <Zydis/Zydis.h>

#include <algorithm>
#include <bitset>
#include <utility>

#include "kernels/emulator/code/code_section.h"
#include "kernels/emulator/code/node_code.h"

namespace histolab::kernels::emulator {
namespace {

constexpr int stack_pointer = 4;
constexpr int first_vector = 16, flags = 48;  // register numbers in a Taint; general ones are first
constexpr std::size_t stack_bytes = 1024;     // bytes above the stack pointer that are followed

int register_of(ZydisRegister reg) {
  if (const int general = number_of(reg); general >= 0) return general;
  switch (ZydisRegisterGetClass(reg)) {
    case ZYDIS_REGCLASS_XMM:
    case ZYDIS_REGCLASS_YMM: return first_vector + ZydisRegisterGetId(reg) % 32;
    case ZYDIS_REGCLASS_FLAGS: return flags;
    default: return -1;
  }
}

bool is_memory(const ZydisDecodedOperand& operand) {
  return operand.type == ZYDIS_OPERAND_TYPE_MEMORY && operand.mem.type != ZYDIS_MEMOP_TYPE_AGEN;
}
bool is_on_stack(const ZydisDecodedOperand& operand) {
  return is_memory(operand) && operand.mem.base != ZYDIS_REGISTER_NONE &&
         number_of(operand.mem.base) == stack_pointer;
}
// Returns whether the operand's address is computed at run time: an element of a local array.
bool is_indexed(const ZydisDecodedOperand& operand) {
  return operand.mem.index != ZYDIS_REGISTER_NONE;
}
// The word at fs:0. Offsets of shared variables are added to it.
bool is_thread_pointer(const ZydisDecodedOperand& operand) {
  return operand.mem.segment == ZYDIS_REGISTER_FS && operand.mem.base == ZYDIS_REGISTER_NONE &&
         operand.mem.index == ZYDIS_REGISTER_NONE && operand.mem.disp.value == 0;
}
bool is_read(const ZydisDecodedOperand& operand) {
  return (operand.actions & ZYDIS_OPERAND_ACTION_MASK_READ) != 0;
}
bool is_written(const ZydisDecodedOperand& operand) {
  return (operand.actions & ZYDIS_OPERAND_ACTION_MASK_WRITE) != 0;
}

// Returns the target of a call or jump as an offset in the text. Returns nullopt for other
// instructions, and if the target is outside of the text.
std::optional<std::uint32_t> target_of(const NodeCode& decoded, const FlowNode& node,
                                       std::size_t text_bytes) {
  if ((decoded.code.attributes & ZYDIS_ATTRIB_IS_RELATIVE) == 0 ||
      !decoded.code.raw.imm[0].is_relative)
    return std::nullopt;
  const auto target = node.end + static_cast<std::uint64_t>(decoded.code.raw.imm[0].value.s);
  return target < text_bytes ? std::optional(static_cast<std::uint32_t>(target)) : std::nullopt;
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
  for (int i = 0; i < most_instructions && node != node_.end(); ++i) {
    const FlowNode& at = graph_[node->second];
    const auto decoded = decode(text_, at);
    if (!decoded) return std::nullopt;
    for (const ZydisDecodedOperand& operand : decoded->operands())
      if (is_memory(operand) && !is_on_stack(operand) && !is_thread_pointer(operand) &&
          (writes ? is_written(operand) : is_read(operand)))
        return node->second;
    const auto category = decoded->code.meta.category;
    if (category == ZYDIS_CATEGORY_CALL ? !target_of(*decoded, at, text_.size())
                                        : at.next.size() != 1)
      return std::nullopt;
    node = node_.find(category == ZYDIS_CATEGORY_CALL ? at.end : graph_[at.next.front()].begin);
  }
  return std::nullopt;
}

// Applies one instruction to the taint. Adds the writes and branches that it affects to `reach`.
void ValueFlow::step(std::uint32_t node, bool memory_is_tainted, Taint& taint, Reach& reach) const {
  const FlowNode& at = graph_[node];
  const auto decoded = decode(text_, at);
  if (!decoded) return;
  const ZydisDecodedInstruction& code = decoded->code;
  if (code.meta.category == ZYDIS_CATEGORY_RET) return taint.move_stack(8);
  if (code.meta.category == ZYDIS_CATEGORY_UNCOND_BR && !target_of(*decoded, at, text_.size()))
    return taint.move_stack(8);  // a return
  if (code.meta.category == ZYDIS_CATEGORY_CALL) {
    if (target_of(*decoded, at, text_.size())) return taint.move_stack(-8);
    constexpr std::uint64_t arguments =
        1u << 1 | 1u << 2 | 1u << 6 | 1u << 7 | 1u << 8 | 1u << 9 | 0xffull << first_vector;
    constexpr std::uint64_t kept = 1u << 3 | 1u << 4 | 1u << 5 | 0xfu << 12,
                            results = 1u << 0 | 3ull << first_vector;
    constexpr std::uint64_t address = 1u << 7, second = 1u << 6;
    const Site& site = sites_[at.end];
    const bool is_operation = site.bytes != 0 && is_atomic(site.kind);
    // An overwrite takes one value, an integer. The other argument registers may hold old values.
    const std::uint64_t of_operation =
        site.effect == AtomicEffect::overwrites ? second : arguments & ~address;
    const bool given = (taint.registers & (site.bytes != 0 ? of_operation : arguments)) != 0;
    if (is_operation && given) reach.writes.insert(static_cast<SiteNumber>(at.end));
    taint.registers = (taint.registers & kept) | (given && site.bytes == 0 ? results : 0);
    return;
  }
  bool tainted = false, zeroes = false;
  for (const ZydisDecodedOperand& operand : decoded->operands()) {
    if (!is_read(operand)) continue;
    if (operand.type == ZYDIS_OPERAND_TYPE_REGISTER)
      tainted |= taint.has(register_of(operand.reg.value));
    else if (is_on_stack(operand))
      tainted |= is_indexed(operand) ? taint.stack.any()
                                     : taint.has_stack(operand.mem.disp.value, operand.size / 8);
    else if (is_memory(operand))
      tainted |= memory_is_tainted;
  }
  const auto operands = decoded->operands();
  if (code.mnemonic == ZYDIS_MNEMONIC_LEA)
    tainted = taint.has(register_of(operands[1].mem.base)) ||
              taint.has(register_of(operands[1].mem.index));
  if (code.mnemonic == ZYDIS_MNEMONIC_XOR || code.mnemonic == ZYDIS_MNEMONIC_SUB ||
      code.mnemonic == ZYDIS_MNEMONIC_PXOR || code.mnemonic == ZYDIS_MNEMONIC_XORPS)
    zeroes = operands[0].type == ZYDIS_OPERAND_TYPE_REGISTER &&
             operands[1].type == ZYDIS_OPERAND_TYPE_REGISTER &&
             operands[0].reg.value == operands[1].reg.value;
  tainted &= !zeroes;
  if (const auto store = store_at_.find(node); store != store_at_.end() && tainted)
    reach.writes.insert(store->second);
  if (code.meta.category == ZYDIS_CATEGORY_COND_BR) {
    if (tainted) reach.branches.insert(node);
    return;
  }
  const bool pushes = code.mnemonic == ZYDIS_MNEMONIC_PUSH,
             pops = code.mnemonic == ZYDIS_MNEMONIC_POP;
  if (pops) tainted = taint.has_stack(0, 8), taint.move_stack(8);
  if (pushes) taint.move_stack(-8), taint.set_stack(0, 8, tainted);
  for (const ZydisDecodedOperand& operand : operands) {
    if (!is_written(operand)) continue;
    if (is_memory(operand) && is_on_stack(operand) && !pushes && !pops) {
      if (tainted || !is_indexed(operand))
        taint.set_stack(operand.mem.disp.value, operand.size / 8, tainted);
      continue;
    }
    if (operand.type != ZYDIS_OPERAND_TYPE_REGISTER) continue;
    const int reg = register_of(operand.reg.value);
    if (reg == stack_pointer) {
      const bool constant = operands.size() > 1 && operands[1].type == ZYDIS_OPERAND_TYPE_IMMEDIATE;
      if (constant && code.mnemonic == ZYDIS_MNEMONIC_ADD)
        taint.move_stack(operands[1].imm.value.s);
      if (constant && code.mnemonic == ZYDIS_MNEMONIC_SUB)
        taint.move_stack(-operands[1].imm.value.s);
      continue;
    }
    const bool in_part =
        operand.size < 32 || (operand.actions & ZYDIS_OPERAND_ACTION_CONDWRITE) != 0;
    taint.set(reg, tainted || (in_part && reg != flags && taint.has(reg)));
  }
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
    before[behind->second].registers = 1u << 0 | 1ull << first_vector;
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
