#include "kernels/emulator/proof/access_prover.h"

#include <algorithm>

#include "kernels/emulator/arch/symbols.h"
#include "kernels/emulator/code/runtime_functions.h"
#include "kernels/emulator/proof/instruction_values.h"

namespace histolab::kernels::emulator {
namespace {

// Returns whether a call of the symbol may run code of the kernel.
bool goes_to_kernel(const Symbol& symbol) {
  return symbol.section != 0 || symbol.name.starts_with(call_through_prefix);
}

bool ends_launch(const Symbol& symbol) {
  return symbol.name == "histolab_trap" || symbol.name == "abort" ||
         symbol.name == "__assert_fail" || symbol.name == "_Unwind_Resume";
}

}  // namespace

AccessProof prove_accesses(const ObjectFile& object, std::uint32_t section) {
  return AccessProver(object, section).prove();
}

AccessProof AccessProver::prove() {
  AccessProof& proof = state_.proof;
  blocks_ = find_blocks(state_.code);
  proof.begins = std::move(blocks_.instructions);
  if (!blocks_.problem.empty()) {
    proof.problem = std::move(blocks_.problem);
    proof.problem_at = blocks_.problem_at;
    return std::move(proof);
  }
  frames_.resize(state_.code.bytes() + 1);
  stack_.begin_block({});
  arrive(0, 0);
  while (!todo_.empty() && proof.problem.empty()) {
    const std::uint32_t block = todo_.back();
    todo_.pop_back();
    walk(block);
  }
  std::ranges::sort(proof.checks, {}, &NeededCheck::before);
  proof.is_shallow = stack_.deepest() <= most_shallow_frame && proof.returns.empty() &&
                     std::ranges::none_of(proof.checks, [](const NeededCheck& check) {
                       return check.what == NeededCheck::What::stack_pointer;
                     });
  return std::move(proof);
}

void AccessProver::arrive(std::uint32_t from, std::uint32_t at) {
  blocks_.begins[at] = true;
  std::optional<StackPointer::Frame>& frame = frames_[at];
  if (!frame) {
    frame = stack_.frame();
    todo_.push_back(at);
  } else if (*frame != stack_.frame()) {
    state_.refuse(from, "a stack whose depth depends on the way there");
  }
}

void AccessProver::walk(std::uint32_t begin) {
  stack_.begin_block(*frames_[begin]);
  for (std::uint32_t at = begin; state_.proof.problem.empty(); at = state_.now.end) {
    if (at >= state_.code.bytes()) {
      state_.refuse(begin, "code that runs on behind its end");
      return;
    }
    if (at != begin && blocks_.begins[at]) return arrive(at, at);
    if (!state_.code.decode(at, Detail::operands, state_.now)) {
      state_.refuse(at, "bytes that are no instruction");
      return;
    }
    if (!step()) return;
  }
}

bool AccessProver::step() {
  if (!state_.now.is_allowed) return state_.refuse(not_needed);
  switch (state_.now.flow) {
    case Instruction::Flow::call: return call();
    case Instruction::Flow::jump: return jump();
    case Instruction::Flow::branch: return branch();
    case Instruction::Flow::stop: return false;
    case Instruction::Flow::ret:
    case Instruction::Flow::invalid: return state_.refuse(not_needed);
    case Instruction::Flow::next: break;
  }
  switch (state_.now.operation) {
    case Instruction::Operation::push: return push();
    case Instruction::Operation::pop: return stack_.pop();
    case Instruction::Operation::leave: return stack_.leave();
    default: return ordinary();
  }
}

bool AccessProver::branch() {
  const auto target = state_.now.target();
  if (!target) return state_.refuse("a jump to a computed place");
  arrive(state_.now.at, *target);
  return true;
}

const Symbol* AccessProver::callee() {
  using enum RelocationKind::Value;
  const CodeInstruction& now = state_.now;
  const auto refuse = [&](const char* why) {
    state_.refuse(why);
    return nullptr;
  };
  if (!now.to_target || now.relocations.empty())
    return refuse("a call or a jump to a computed place");
  const Relocation& relocation = now.relocations.front();
  const RelocationKind kind = kind_of(relocation);
  const bool fills_target = relocation.offset == now.at + std::uint64_t{now.immediates[0].offset};
  if (!fills_target || (kind.value != call_distance && kind.value != distance))
    return refuse("a call or a jump to a computed place");
  const Symbol& symbol = state_.object.symbols()[relocation.symbol];
  const bool of_runtime = symbol.section == 0 && !symbol.is_absolute && !symbol.name.empty();
  const bool is_code =
      of_runtime || (symbol.section != 0 && state_.object.sections()[symbol.section].executable);
  if (!is_code) return refuse("a call of what is no function");
  // The distance counts from the instruction's end, and the relocation's value from the field.
  const std::int64_t addend =
      relocation.addend + static_cast<std::int64_t>(now.end - relocation.offset);
  const std::int64_t offset =
      of_runtime ? addend : static_cast<std::int64_t>(symbol.value) + addend;
  if (offset != 0) return refuse("a call into the middle of a function");
  return &symbol;
}

bool AccessProver::call() {
  const auto target = state_.now.target();
  if (target && *target != 0) return state_.refuse("a call into the middle of a function");
  const Symbol* symbol = target ? nullptr : callee();
  if (!target && symbol == nullptr) return false;
  if (!target && !goes_to_kernel(*symbol)) return call_runtime(*symbol);
  // The return address is on the stack while the function runs.
  const std::int64_t depth = stack_.depth();
  state_.begin_block(depth);
  state_.proof.returns.push_back(
      {state_.now.end, static_cast<std::uint32_t>(depth + StackPointer::pointer_bytes)});
  return true;
}

bool AccessProver::call_runtime(const Symbol& symbol) {
  if (ends_launch(symbol)) return false;
  const std::uint32_t behind_call = state_.now.end;
  const auto function = runtime_function(symbol.name);
  const bool is_callback = function && symbol.name.starts_with("__tsan_");
  if (is_callback) {
    constexpr std::int64_t most_bytes = 1 << 20;
    const bool is_range = function->bytes == 0;
    const CodeValue size =
        is_range ? state_.values.get(second_argument_register) : CodeValue{0, function->bytes};
    const bool is_known = size.name == 0 && size.plus > 0;
    const std::int64_t bytes = is_known ? std::min(size.plus, most_bytes) : 0;
    state_.reports.add(state_.values.get(first_argument_register),
                       static_cast<std::uint32_t>(bytes), writes(function->kind), is_range,
                       behind_call);
    if (const auto call = state_.reports.store_due(); call && *call != behind_call)
      state_.proof.early_reports.push_back({*call, behind_call});
  } else {
    // Only the compiler's callbacks are certain not to write to the lane's own stack. An access
    // behind a barrier is a different one.
    state_.values.forget_slots();
    state_.reports.forget();
  }
  state_.values.forget_registers();
  return true;
}

bool AccessProver::jump() {
  if (const auto target = state_.now.target()) {
    arrive(state_.now.at, *target);
    return false;
  }
  const Symbol* symbol = callee();
  if (symbol == nullptr) return false;
  if (stack_.depth() != 0) return state_.refuse("a jump to another function that keeps its frame");
  // A function of the runtime returns to the address on the stack. Only a call is certain to have
  // put a valid one there. A jump through a pointer is refused too: it may lead to the runtime.
  if (symbol->section == 0 && symbol->name != return_symbol)
    return state_.refuse("a jump to a function of the runtime");
  return false;
}

bool AccessProver::push() {
  const Operand& operand = state_.now.operands()[0];
  if (state_.now.width != StackPointer::pointer_bytes)
    return state_.refuse("a push of less than a word");
  CodeValue value = state_.values.unknown();
  if (operand.type == Operand::Type::reg) {
    if (!is_general_register(operand.reg)) return state_.refuse(not_needed);
    value = state_.values.get(operand.reg);
  } else if (operand.type == Operand::Type::memory) {
    AccessEffects effects;
    if (!prove_access(operand, stack_, state_, effects)) return false;
  }
  return stack_.push(value);
}

bool AccessProver::prove_operands(AccessEffects& effects) {
  for (const Operand& operand : state_.now.operands()) {
    if (operand.type == Operand::Type::memory && !prove_access(operand, stack_, state_, effects))
      return false;
    if (operand.type == Operand::Type::reg && operand.writes && is_reserved_register(operand.reg))
      return state_.refuse(writes_reserved);
  }
  return true;
}

bool AccessProver::ordinary() {
  const auto writes_register = [](const Operand& operand) {
    return operand.type == Operand::Type::reg && operand.writes && is_general_register(operand.reg);
  };
  const auto operands = state_.now.operands();
  AccessEffects effects;
  if (!prove_operands(effects)) return false;
  if (std::ranges::any_of(operands, [&](const Operand& operand) {
        return writes_register(operand) && operand.reg == stack_register;
      }))
    return stack_.write();
  std::optional<CodeValue> loaded;
  const bool moves_a_word = state_.now.operation == Instruction::Operation::copy ||
                            state_.now.operation == Instruction::Operation::extend_signed;
  if (effects.loaded && moves_a_word) loaded = stack_.load(*effects.loaded);
  const std::optional<CodeValue> result = result_of(state_.now, state_.values, loaded);
  for (const Operand& operand : operands)
    if (writes_register(operand)) state_.values.set(operand.reg, state_.values.unknown());
  set_result(result, effects);
  return true;
}

void AccessProver::set_result(const std::optional<CodeValue>& result,
                              const AccessEffects& effects) {
  if (effects.stores_elsewhere) state_.values.forget_slots();
  if (effects.stored) {
    const StackWord& word = *effects.stored;
    if (result && word.bytes >= 4 && word.bytes <= StackPointer::pointer_bytes)
      state_.values.store(word.offset, word.bytes, *result);
    else
      state_.values.store_unknown(word.offset, word.bytes);
    return;
  }
  if (!result) return;
  const Operand& to = state_.now.operands()[0];
  if (to.type != Operand::Type::reg || !is_general_register(to.reg)) return;
  state_.values.set(to.reg, *result);
  if (to.reg == frame_register) stack_.note_frame_pointer(*result);
}

}  // namespace histolab::kernels::emulator
