#include "kernels/emulator/proof/access_proof.h"

#include <elf.h>

#include <algorithm>

#include "kernels/emulator/code/runtime_functions.h"
#include "kernels/emulator/proof/access_prover.h"

namespace histolab::kernels::emulator {
namespace {

bool goes_to_kernel(const Symbol& symbol) {
  return symbol.section != 0 || symbol.name.starts_with("__x86_indirect_thunk_");
}

}  // namespace

AccessProof AccessProver::prove() {
  if (find_blocks()) {
    arrive(0, 0, 0);
    while (!todo_.empty() && proof_.problem.empty()) {
      const std::uint32_t block = todo_.back();
      todo_.pop_back();
      walk(block);
    }
    std::ranges::sort(proof_.checks, {}, &NeededCheck::before);
    proof_.is_shallow = deepest_ <= most_shallow_frame && proof_.returns.empty() &&
                        std::ranges::none_of(proof_.checks, [](const NeededCheck& check) {
                          return check.what == NeededCheck::What::stack_pointer;
                        });
  }
  return std::move(proof_);
}

// Decodes all instructions of the section in sequence, and finds the targets of jumps.
bool AccessProver::find_blocks() {
  block_.resize(code_.bytes() + 1);
  std::vector<bool> is_begin(code_.bytes() + 1);
  std::vector<std::uint32_t> targets, places;
  CodeInstruction each;
  for (std::uint32_t at = 0; at < code_.bytes(); at = each.end) {
    if (!code_.decode(at, each, false)) return refuse(at, "bytes that are no instruction");
    if (!code_.relocations_are_fields(each))
      return refuse(at, "a relocation that is no field of an instruction");
    is_begin[at] = true;
    proof_.begins.push_back(at);
    if (const auto target = code_.target_of(each)) {
      if (*target >= code_.bytes()) return refuse(at, "a jump out of its function");
      targets.push_back(*target);
    }
    if (const auto place = code_.own_place_of(each)) {
      if (*place >= code_.bytes()) return refuse(at, "an address behind its function");
      places.push_back(*place);
    }
  }
  for (const std::uint32_t place : places)
    if (!is_begin[place]) return refuse(place, "an address in the middle of an instruction");
  for (const std::uint32_t target : targets) {
    if (!is_begin[target]) return refuse(target, "a jump into the middle of an instruction");
    block_[target].begins = true;
  }
  return true;
}

void AccessProver::arrive(std::uint32_t from, std::uint32_t at, std::int64_t depth) {
  Block& block = block_[at];
  block.begins = true;
  if (block.depth == not_reached) {
    block.depth = depth, block.aligned_depth = aligned_depth_;
    todo_.push_back(at);
  } else if (block.depth != depth || block.aligned_depth != aligned_depth_) {
    refuse(from, "a stack whose depth depends on the way there");
  }
}

void AccessProver::walk(std::uint32_t begin) {
  values_.begin(block_[begin].depth);
  aligned_depth_ = block_[begin].aligned_depth;
  for (std::uint32_t at = begin; proof_.problem.empty(); at = now_.end) {
    if (at >= code_.bytes()) return void(refuse(begin, "code that runs on behind its end"));
    if (at != begin && block_[at].begins) return arrive(at, at, depth());
    if (!code_.decode(at, now_, true)) return void(refuse(at, "bytes that are no instruction"));
    if (!is_allowed(now_.code)) return void(refuse(at, "an instruction that no kernel needs"));
    operands_ = now_.operands();
    if (!step()) return;
  }
}

bool AccessProver::step() {
  switch (now_.code.meta.category) {
    case ZYDIS_CATEGORY_CALL: return call();
    case ZYDIS_CATEGORY_UNCOND_BR: return jump();
    case ZYDIS_CATEGORY_COND_BR:
      if (!is_branch_on_flags(now_.code))
        return refuse(now_.at, "an instruction that no kernel needs");
      if (const auto target = code_.target_of(now_))
        arrive(now_.at, *target, depth());
      else
        return refuse(now_.at, "a jump to a computed place");
      return true;
    case ZYDIS_CATEGORY_PUSH: return push();
    case ZYDIS_CATEGORY_POP: return pop();
    default: break;
  }
  if (now_.code.mnemonic == ZYDIS_MNEMONIC_UD2) return false;
  if (now_.code.mnemonic == ZYDIS_MNEMONIC_LEAVE) return leave();
  return ordinary();
}

const Symbol* AccessProver::callee() {
  const Relocation* relocation = code_.relocation_in(now_.at, now_.end);
  const bool direct =
      (now_.code.attributes & ZYDIS_ATTRIB_IS_RELATIVE) != 0 && now_.code.raw.imm[0].is_relative;
  if (!direct || relocation == nullptr || relocation->offset != now_.end - 4 ||
      (relocation->type != R_X86_64_PLT32 && relocation->type != R_X86_64_PC32)) {
    refuse(now_.at, "a call or a jump to a computed place");
    return nullptr;
  }
  const Symbol& symbol = object_.symbols()[relocation->symbol];
  const bool to_its_begin = static_cast<std::int64_t>(symbol.value) + relocation->addend + 4 == 0;
  const bool of_runtime = symbol.section == 0 && !symbol.is_absolute && !symbol.name.empty();
  const bool is_code =
      of_runtime || (symbol.section != 0 && object_.sections()[symbol.section].executable);
  if (!is_code || (of_runtime ? relocation->addend != -4 : !to_its_begin)) {
    refuse(now_.at,
           is_code ? "a call into the middle of a function" : "a call of what is no function");
    return nullptr;
  }
  return &symbol;
}

bool AccessProver::call() {
  const auto target = code_.target_of(now_);
  if (target && *target != 0) return refuse(now_.at, "a call into the middle of a function");
  const Symbol* symbol = target ? nullptr : callee();
  if (!target && symbol == nullptr) return false;
  if (target || goes_to_kernel(*symbol)) {
    values_.begin(depth());
    proof_.returns.push_back({now_.end, static_cast<std::uint32_t>(depth() + pointer_bytes)});
    return true;
  }
  if (symbol->name == "histolab_trap" || symbol->name == "abort" || symbol->name == "__assert_fail")
    return false;  // the launch ends there
  // Only the compiler's callbacks are certain not to write to the lane's own stack.
  constexpr int rdi = 7, rsi = 6;
  const auto function = runtime_function(symbol->name);
  const bool is_callback = function && symbol->name.starts_with("__tsan_");
  if (is_callback) {
    const CodeValue size = function->bytes != 0 ? CodeValue{0, function->bytes} : values_.get(rsi);
    const bool is_known = size.name == 0 && size.plus > 0;
    const auto bytes =
        is_known ? static_cast<std::uint32_t>(std::min<std::int64_t>(size.plus, 1 << 20)) : 0;
    values_.report(values_.get(rdi), bytes, writes(function->kind), function->bytes == 0, now_.end);
    if (const auto call = values_.store_due(); call && *call != now_.end)
      proof_.early_reports.push_back({*call, now_.end});
  } else {
    values_.forget_slots(),
        values_.forget_reports();  // an access behind a barrier is a different one
  }
  values_.forget_registers();
  return true;
}

bool AccessProver::jump() {
  if (const auto target = code_.target_of(now_)) {
    arrive(now_.at, *target, depth());
    return false;
  }
  const Symbol* symbol = callee();
  if (symbol == nullptr) return false;
  if (depth() != 0) return refuse(now_.at, "a jump to another function that keeps its frame");
  // A function of the runtime returns to the address on the stack. Only a call is certain to have
  // put a valid one there. A jump through a pointer is refused too: it may lead to the runtime.
  if (symbol->section == 0 && symbol->name != "__x86_return_thunk")
    return refuse(now_.at, "a jump to a function of the runtime");
  return false;
}

AccessProof prove_accesses(const ObjectFile& object, std::uint32_t section) {
  return AccessProver(object, section).prove();
}

}  // namespace histolab::kernels::emulator
