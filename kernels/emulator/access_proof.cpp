#include "kernels/emulator/access_proof.h"

#include <elf.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <span>

#include "kernels/emulator/block_values.h"
#include "kernels/emulator/runtime.h"

namespace histolab::kernels::emulator {
namespace {

constexpr std::int64_t most_alignment = 256;  // of a frame
constexpr std::int64_t pointer_bytes = 8;

class Prover {
 public:
  Prover(const ObjectFile& object, std::uint32_t number) : object_(object), code_(object, number) {}

  AccessProof prove() {
    if (find_blocks()) {
      arrive(0, 0, 0);
      while (!todo_.empty() && proof_.problem.empty()) {
        const std::uint32_t block = todo_.back();
        todo_.pop_back();
        walk(block);
      }
      std::ranges::sort(proof_.checks, {}, &NeededCheck::before);
      proof_.is_shallow = deepest_ <= most_shallow_frame && proof_.returns.empty() &&
                          std::ranges::none_of(proof_.checks, [](const NeededCheck& check) { return check.what == NeededCheck::What::stack_pointer; });
    }
    return std::move(proof_);
  }

 private:
  struct StackWord {
    std::int64_t offset;
    std::uint32_t bytes;
  };
  static constexpr std::int64_t not_reached = -1;
  struct Block {
    bool begins = false, done = false;
    std::int64_t depth = not_reached;
  };

  bool refuse(std::uint32_t at, const char* what) {
    if (proof_.problem.empty()) proof_.problem = what, proof_.problem_at = at;
    return false;
  }

  // Every instruction of the section, one behind the other, and where jumps go to.
  bool find_blocks() {
    block_.resize(code_.bytes() + 1);
    std::vector<bool> is_begin(code_.bytes() + 1);
    std::vector<std::uint32_t> targets;
    CodeInstruction each;
    for (std::uint32_t at = 0; at < code_.bytes(); at = each.end) {
      if (!code_.decode(at, each, false)) return refuse(at, "bytes that are no instruction");
      is_begin[at] = true;
      proof_.begins.push_back(at);
      if (const auto target = code_.target_of(each)) {
        if (*target >= code_.bytes()) return refuse(at, "a jump out of its function");
        targets.push_back(*target);
      }
    }
    for (const std::uint32_t target : targets) {
      if (!is_begin[target]) return refuse(target, "a jump into the middle of an instruction");
      block_[target].begins = true;
    }
    return true;
  }

  void arrive(std::uint32_t from, std::uint32_t at, std::int64_t depth) {
    Block& block = block_[at];
    block.begins = true;
    if (block.depth == not_reached) {
      block.depth = depth;
      todo_.push_back(at);
    } else if (block.depth != depth) {
      refuse(from, "a stack whose depth depends on the way there");
    }
  }

  [[nodiscard]] std::int64_t depth() const { return -values_.get(BlockValues::stack_pointer).plus; }

  // From a block's begin to a jump that is always taken, or to the next block.
  void walk(std::uint32_t begin) {
    values_.begin(block_[begin].depth);
    for (std::uint32_t at = begin; proof_.problem.empty(); at = now_.end) {
      if (at >= code_.bytes()) return void(refuse(begin, "code that runs on behind its end"));
      if (at != begin && block_[at].begins) return arrive(at, at, depth());
      if (!code_.decode(at, now_, true)) return void(refuse(at, "bytes that are no instruction"));
      if (!is_allowed(now_.code)) return void(refuse(at, "an instruction that no kernel needs"));
      operands_ = now_.operands();
      if (!step()) return;
    }
  }

  // False: what comes behind is not reached from here.
  bool step() {
    switch (now_.code.meta.category) {
      case ZYDIS_CATEGORY_CALL: return call();
      case ZYDIS_CATEGORY_UNCOND_BR: return jump();
      case ZYDIS_CATEGORY_COND_BR:
        if (!is_branch_on_flags(now_.code)) return refuse(now_.at, "an instruction that no kernel needs");
        if (const auto target = code_.target_of(now_)) arrive(now_.at, *target, depth());
        else return refuse(now_.at, "a jump to a computed place");
        return true;
      case ZYDIS_CATEGORY_PUSH: return push();
      case ZYDIS_CATEGORY_POP: return pop();
      default: break;
    }
    if (now_.code.mnemonic == ZYDIS_MNEMONIC_UD2) return false;
    if (now_.code.mnemonic == ZYDIS_MNEMONIC_LEAVE) return leave();
    return ordinary();
  }

  // ---- calls and jumps --------------------------------------------------------------------------------------------------

  // The symbol that a call or jump to another section names; nullptr: it names none that it may.
  const Symbol* callee() {
    const Relocation* relocation = code_.relocation_in(now_.at, now_.end);
    const bool direct = (now_.code.attributes & ZYDIS_ATTRIB_IS_RELATIVE) != 0 && now_.code.raw.imm[0].is_relative;
    if (!direct || relocation == nullptr || relocation->offset != now_.end - 4 || (relocation->type != R_X86_64_PLT32 && relocation->type != R_X86_64_PC32)) {
      refuse(now_.at, "a call or a jump to a computed place");
      return nullptr;
    }
    const Symbol& symbol = object_.symbols()[relocation->symbol];
    const bool to_its_begin = static_cast<std::int64_t>(symbol.value) + relocation->addend + 4 == 0;
    const bool of_runtime = symbol.section == 0 && !symbol.is_absolute && !symbol.name.empty();
    const bool is_code = of_runtime || (symbol.section != 0 && object_.sections()[symbol.section].executable);
    if (!is_code || (of_runtime ? relocation->addend != -4 : !to_its_begin)) {
      refuse(now_.at, is_code ? "a call into the middle of a function" : "a call of what is no function");
      return nullptr;
    }
    return &symbol;
  }

  static bool goes_to_kernel(const Symbol& symbol) { return symbol.section != 0 || symbol.name.starts_with("__x86_indirect_thunk_"); }

  bool call() {
    const auto target = code_.target_of(now_);
    if (target && *target != 0) return refuse(now_.at, "a call into the middle of a function");
    const Symbol* symbol = target ? nullptr : callee();
    if (!target && symbol == nullptr) return false;
    if (target || goes_to_kernel(*symbol)) {
      values_.begin(depth());
      proof_.returns.push_back({now_.end, static_cast<std::uint32_t>(depth() + pointer_bytes)});
      return true;
    }
    if (symbol->name == "histolab_trap" || symbol->name == "abort" || symbol->name == "__assert_fail") return false;  // the launch ends there
    // Only the compiler's callbacks are certain to write nothing of the lane's own stack.
    constexpr int rdi = 7, rsi = 6;
    const auto function = runtime_function(symbol->name, false);
    const bool is_callback = function && symbol->name.starts_with("__tsan_");
    if (is_callback && function->bytes != 0) values_.note_checked(values_.get(rdi), function->bytes, writes(function->kind));
    else if (is_callback && values_.get(rsi).name == 0 && values_.get(rsi).plus > 0)
      values_.note_checked(values_.get(rdi), static_cast<std::uint32_t>(std::min<std::int64_t>(values_.get(rsi).plus, 1 << 20)), writes(function->kind));
    if (!is_callback) values_.forget_slots(), values_.forget_checked();  // behind a barrier it is another access
    values_.forget_registers();
    return true;
  }

  bool jump() {
    if (const auto target = code_.target_of(now_)) {
      if (*target == 0 && depth() == 0) arrive(now_.at, 0, 0);
      else arrive(now_.at, *target, depth());
      return false;
    }
    const Symbol* symbol = callee();
    if (symbol == nullptr) return false;
    if (depth() != 0) return refuse(now_.at, "a jump to another function that keeps its frame");
    // The runtime's functions return to wherever the stack says: only a call's place is certain to be there. A pointer may lead to one of them.
    if (symbol->section == 0 && symbol->name != "__x86_return_thunk") return refuse(now_.at, "a jump to a function of the runtime");
    return false;
  }

  // ---- the stack pointer ------------------------------------------------------------------------------------------------

  bool move_stack(std::int64_t new_depth) {
    if (new_depth < 0 || new_depth % pointer_bytes != 0) return refuse(now_.at, "a stack pointer that leaves its frame");
    if (new_depth > most_unasked_frame && new_depth > depth() + pointer_bytes) {  // a push says by itself when there is no room
      MemoryPlace place;
      place.base = BlockValues::stack_pointer;
      place.displacement = static_cast<std::int32_t>(std::max<std::int64_t>(depth() - new_depth, INT32_MIN / 2));
      ask(NeededCheck::What::frame, place, 0);
    }
    // In an aligned frame the stack pointer may be higher than it is thought to be: it comes out of there by a register, or not at all.
    if (depth() >= aligned_depth_ && new_depth < aligned_depth_) return refuse(now_.at, "a stack pointer that leaves its frame");
    values_.set(BlockValues::stack_pointer, {BlockValues::entry_stack, -new_depth});
    deepest_ = std::max(deepest_, new_depth);
    return true;
  }

  bool push() {
    const ZydisDecodedOperand& operand = operands_[0];
    if (now_.code.operand_width != 64) return refuse(now_.at, "a push of less than a word");
    CodeValue value = values_.unknown();
    if (operand.type == ZYDIS_OPERAND_TYPE_REGISTER) {
      if (number_of(operand.reg.value) < 0) return refuse(now_.at, "an instruction that no kernel needs");
      value = values_.get(number_of(operand.reg.value));
    } else if (operand.type == ZYDIS_OPERAND_TYPE_MEMORY && !access(operand)) {
      return false;
    }
    if (!move_stack(depth() + pointer_bytes)) return false;
    values_.store(-depth(), pointer_bytes, value);
    return true;
  }

  bool pop() {
    const ZydisDecodedOperand& operand = operands_[0];
    const int number = operand.type == ZYDIS_OPERAND_TYPE_REGISTER && operand.size == 64 ? number_of(operand.reg.value) : -1;
    if (number < 0 || number == BlockValues::stack_pointer) return refuse(now_.at, "an instruction that no kernel needs");
    const CodeValue value = load({-depth(), pointer_bytes});
    if (!move_stack(depth() - pointer_bytes) || !may_write(number)) return false;
    values_.set(number, value);
    return true;
  }

  // The stack pointer from a register: whatever that holds, it stays above where it was, and in the lane's own stack.
  bool restore_stack(MemoryPlace place, std::int64_t new_depth) {
    if (new_depth < 0 || new_depth > most_stack_arguments / 2) return refuse(now_.at, "a stack pointer that is computed");
    ask(NeededCheck::What::stack_pointer, place, pointer_bytes);
    values_.forget_slots();
    values_.set(BlockValues::stack_pointer, {BlockValues::entry_stack, -new_depth});
    return true;
  }

  bool leave() {
    constexpr int rbp = 5;
    const CodeValue frame = values_.get(rbp);
    if (frame.name == BlockValues::entry_stack && frame.plus <= 0 && -frame.plus <= depth()) {
      values_.set(BlockValues::stack_pointer, frame);
    } else {
      MemoryPlace place;
      place.base = rbp;
      if (!restore_stack(place, frame_pointer_depth_)) return false;
    }
    values_.set(rbp, load({-depth(), pointer_bytes}));
    return move_stack(depth() - pointer_bytes);
  }

  bool write_stack_pointer() {
    const ZydisDecodedOperand &to = operands_[0], &from = operands_[1];
    const bool immediate = from.type == ZYDIS_OPERAND_TYPE_IMMEDIATE && code_.relocation_in(now_.at, now_.end) == nullptr;
    if (to.type != ZYDIS_OPERAND_TYPE_REGISTER || to.reg.value != ZYDIS_REGISTER_RSP) return refuse(now_.at, "a stack pointer that is computed");
    switch (now_.code.mnemonic) {
      case ZYDIS_MNEMONIC_SUB:
        if (immediate && from.imm.value.s >= 0) return move_stack(depth() + from.imm.value.s);
        break;
      case ZYDIS_MNEMONIC_ADD:
        if (immediate) return move_stack(depth() - from.imm.value.s);
        break;
      case ZYDIS_MNEMONIC_AND:  // a frame that is aligned to more than the stack is: lower by less than that
        if (!immediate || from.imm.value.s >= 0 || from.imm.value.s < -most_alignment) break;
        if (has_aligned_frame_) return refuse(now_.at, "a stack that is aligned twice");
        has_aligned_frame_ = true;
        aligned_depth_ = (depth() - from.imm.value.s + pointer_bytes - 1) / pointer_bytes * pointer_bytes;
        return move_stack(aligned_depth_);
      case ZYDIS_MNEMONIC_LEA:
      case ZYDIS_MNEMONIC_MOV: {
        MemoryPlace place;
        if (now_.code.mnemonic == ZYDIS_MNEMONIC_MOV) {
          place.base = from.type == ZYDIS_OPERAND_TYPE_REGISTER ? number_of(from.reg.value) : -1;
          if (place.base < 0) break;
        } else {
          place = code_.place_of(now_, from);
          if (now_.code.address_width != 64 || place.relocation || place.to_next || place.in_thread_storage) break;
        }
        const CodeValue value = value_of(place);
        if (value.name == BlockValues::entry_stack) return move_stack(-value.plus);
        constexpr int r10 = 10, rbp = 5;  // how g++ gets out of an aligned frame
        if (place.index >= 0 || (place.base != r10 && place.base != rbp)) break;
        return restore_stack(place, place.base == r10 ? 0 : frame_pointer_depth_ - place.displacement);
      }
      default: break;
    }
    return refuse(now_.at, "a stack pointer that is computed");
  }

  // ---- everything else --------------------------------------------------------------------------------------------------

  bool may_write(int number) { return number < 12 || refuse(now_.at, "a register that is the emulator's own"); }

  // Without the bytes behind the displacement, where that counts from the instruction's end.
  CodeValue value_of(const MemoryPlace& place) {
    CodeValue value{0, place.displacement};
    if (place.relocation) {
      const std::int64_t to_end = place.to_next ? static_cast<std::int64_t>(now_.end - place.relocation->offset) : 0;
      value = values_.with_symbol({0, place.relocation->addend + to_end}, place.relocation->symbol, place.to_next ? R_X86_64_PC32 : place.relocation->type);
    } else if (place.to_next) {
      return values_.unknown();
    }
    if (place.base >= 0) value = values_.sum(value, values_.get(place.base), 1);
    if (place.index >= 0) value = values_.sum(value, values_.get(place.index), place.scale);
    if (place.in_thread_storage) value = values_.sum(value, {BlockValues::thread_pointer, 0}, 1);
    return value;
  }

  // Memory that is the file's own constants, the loader's words or a built-in variable, at a constant place.
  [[nodiscard]] bool reads_known_memory(const MemoryPlace& place, std::uint32_t bytes) const {
    if (place.base >= 0 || place.index >= 0) return false;
    if (place.in_thread_storage && !place.relocation) return place.displacement == 0 && bytes == pointer_bytes;
    if (!place.relocation) return false;
    const Relocation& relocation = *place.relocation;
    const Symbol& symbol = object_.symbols()[relocation.symbol];
    if (place.in_thread_storage)
      return relocation.type == R_X86_64_TPOFF32 && symbol.section == 0 && !symbol.is_absolute && runtime_variable(symbol.name) && relocation.addend >= 0 && relocation.addend + bytes <= 12;
    if (!place.to_next) return false;
    const std::int64_t at = relocation.addend + static_cast<std::int64_t>(now_.end - relocation.offset);
    switch (relocation.type) {
      case R_X86_64_GOTPCREL: case R_X86_64_GOTPCRELX: case R_X86_64_REX_GOTPCRELX: case R_X86_64_GOTTPOFF: return at == 0 && bytes == pointer_bytes;
      case R_X86_64_PC32: break;
      default: return false;
    }
    const Section& section = object_.sections()[symbol.section];
    const std::int64_t offset = static_cast<std::int64_t>(symbol.value) + at;
    return symbol.section != 0 && !section.is_thread_local && offset >= 0 && static_cast<std::uint64_t>(offset) + bytes <= section.bytes;
  }

  void ask(NeededCheck::What what, const MemoryPlace& place, std::uint32_t bytes) { proof_.checks.push_back({what, now_.at, place, bytes, code_.reads_flags_from(now_.at)}); }

  // Proves one access of the instruction, or asks for a check in front of it.
  bool access(const ZydisDecodedOperand& operand) {
    const bool writes = (operand.actions & ZYDIS_OPERAND_ACTION_MASK_WRITE) != 0;
    const std::uint32_t bytes = operand.size / 8;
    const auto segment = operand.mem.segment;
    if (bytes == 0 || bytes > 16 || segment == ZYDIS_REGISTER_GS || (operand.mem.base != ZYDIS_REGISTER_NONE && operand.mem.base != ZYDIS_REGISTER_RIP && number_of(operand.mem.base) < 0) ||
        now_.code.address_width != 64 || (now_.code.attributes & (ZYDIS_ATTRIB_HAS_REP | ZYDIS_ATTRIB_HAS_REPE | ZYDIS_ATTRIB_HAS_REPNE)) != 0)
      return refuse(now_.at, "an instruction that no kernel needs");
    if (now_.code.meta.category == ZYDIS_CATEGORY_BITBYTE && operands_.size() > 1 && operands_[1].type == ZYDIS_OPERAND_TYPE_REGISTER && operands_[0].type == ZYDIS_OPERAND_TYPE_MEMORY &&
        now_.code.mnemonic >= ZYDIS_MNEMONIC_BT && now_.code.mnemonic <= ZYDIS_MNEMONIC_BTS)
      return refuse(now_.at, "an instruction that no kernel needs");  // the bit's number leads to other bytes
    const MemoryPlace place = code_.place_of(now_, operand);
    const CodeValue address = value_of(place);
    if (address.name == BlockValues::entry_stack && address.plus >= -depth() && address.plus + bytes <= pointer_bytes + most_stack_arguments &&
        (!writes || address.plus + bytes <= 0 || address.plus >= pointer_bytes)) {
      if (writes) stored_ = StackWord{address.plus, bytes};
      else loaded_ = StackWord{address.plus, bytes};
      return true;
    }
    const bool known = values_.is_checked(address, bytes, writes) || (!writes && reads_known_memory(place, bytes));
    if (!known) {
      ask(writes ? NeededCheck::What::write : NeededCheck::What::read, place, bytes);
      if (writes) values_.note_checked(address, bytes, true);
    }
    if (writes) stores_elsewhere_ = true;
    return true;
  }

  bool ordinary() {
    loaded_.reset(), stored_.reset();
    stores_elsewhere_ = false;
    bool writes_stack_pointer = false;
    if (operands_.empty()) return true;
    for (const ZydisDecodedOperand& operand : operands_) {
      const bool writes = (operand.actions & ZYDIS_OPERAND_ACTION_MASK_WRITE) != 0;
      if (operand.type == ZYDIS_OPERAND_TYPE_MEMORY && operand.mem.type != ZYDIS_MEMOP_TYPE_AGEN && now_.code.meta.category != ZYDIS_CATEGORY_WIDENOP &&
          now_.code.meta.category != ZYDIS_CATEGORY_NOP && !access(operand))
        return false;
      if (operand.type != ZYDIS_OPERAND_TYPE_REGISTER || !writes) continue;
      const int number = number_of(operand.reg.value);
      if (number == BlockValues::stack_pointer) writes_stack_pointer = true;
      else if (number >= 0 && !may_write(number)) return false;
      else if (number < 0 && is_segment(operand.reg.value)) return refuse(now_.at, "an instruction that no kernel needs");
    }
    if (writes_stack_pointer) return write_stack_pointer();
    const std::optional<CodeValue> result = result_of();
    for (const ZydisDecodedOperand& operand : operands_)
      if (operand.type == ZYDIS_OPERAND_TYPE_REGISTER && (operand.actions & ZYDIS_OPERAND_ACTION_MASK_WRITE) != 0)
        if (const int number = number_of(operand.reg.value); number >= 0) values_.set(number, values_.unknown());
    if (stores_elsewhere_) values_.forget_slots();
    if (stored_) {
      if (result && stored_->bytes >= 4 && stored_->bytes <= 8) values_.store(stored_->offset, stored_->bytes, *result);
      else values_.store_unknown(stored_->offset, stored_->bytes);
    } else if (const int number = operands_[0].type == ZYDIS_OPERAND_TYPE_REGISTER ? number_of(operands_[0].reg.value) : -1; result && number >= 0) {
      values_.set(number, *result);
      if (number == 5 && result->name == BlockValues::entry_stack && result->plus <= 0) frame_pointer_depth_ = -result->plus;
    }
    return true;
  }

  bool is_thread_pointer(const ZydisDecodedOperand& operand) const {
    const MemoryPlace place = code_.place_of(now_, operand);
    return place.in_thread_storage && place.base < 0 && place.index < 0 && place.displacement == 0 && !place.relocation;
  }

  // In an aligned frame nobody knows which of two words on the stack are one.
  CodeValue load(const StackWord& word) { return has_aligned_frame_ ? values_.unknown() : values_.load(word.offset, word.bytes); }

  static bool is_segment(ZydisRegister reg) { return ZydisRegisterGetClass(reg) == ZYDIS_REGCLASS_SEGMENT; }

  // What the instruction leaves in its first operand, where that is a whole word that can be told.
  std::optional<CodeValue> result_of() {
    if (operands_.size() < 2) return std::nullopt;
    const ZydisDecodedOperand &to = operands_[0], &from = operands_[1];
    const bool to_register = to.type == ZYDIS_OPERAND_TYPE_REGISTER && number_of(to.reg.value) >= 0;
    const auto width = to.size;
    const bool has_relocation = code_.relocation_in(now_.at, now_.end) != nullptr;
    switch (now_.code.mnemonic) {
      case ZYDIS_MNEMONIC_MOV:
        if (width != 64 && width != 32) return std::nullopt;
        if (from.type == ZYDIS_OPERAND_TYPE_REGISTER && number_of(from.reg.value) >= 0) {
          const CodeValue value = values_.get(number_of(from.reg.value));
          return width == 64 ? value : values_.extended(value, false);
        }
        if (!to_register) return std::nullopt;
        if (from.type == ZYDIS_OPERAND_TYPE_IMMEDIATE) return immediate(from);
        if (from.type != ZYDIS_OPERAND_TYPE_MEMORY) return std::nullopt;
        if (loaded_) {
          return load(*loaded_);  // of four bytes: as they are, without what is above them
        }
        if (width == 64 && is_thread_pointer(from)) return CodeValue{BlockValues::thread_pointer, 0};
        if (width == 64 && has_relocation && from.mem.base == ZYDIS_REGISTER_RIP) {  // a word of the loader's
          const MemoryPlace place = code_.place_of(now_, from);
          if (place.relocation && place.relocation->type != R_X86_64_PC32) return values_.with_symbol({0, 0}, place.relocation->symbol, place.relocation->type);
        }
        return std::nullopt;
      case ZYDIS_MNEMONIC_MOVSXD:
        if (width != 64) return std::nullopt;
        if (loaded_) return values_.extended(load(*loaded_), true);
        if (from.type != ZYDIS_OPERAND_TYPE_REGISTER) return std::nullopt;
        if (number_of(from.reg.value) < 0) return std::nullopt;
        return values_.extended(values_.get(number_of(from.reg.value)), true);
      case ZYDIS_MNEMONIC_LEA:
        if (width != 64 || now_.code.address_width != 64) return std::nullopt;
        return value_of(code_.place_of(now_, from));
      case ZYDIS_MNEMONIC_ADD:
      case ZYDIS_MNEMONIC_SUB: {
        if (width != 64 || !to_register) return std::nullopt;
        const CodeValue value = values_.get(number_of(to.reg.value));
        const bool adds = now_.code.mnemonic == ZYDIS_MNEMONIC_ADD;
        if (from.type == ZYDIS_OPERAND_TYPE_IMMEDIATE) {
          if (has_relocation) return adds ? std::optional(values_.sum(value, immediate(from), 1)) : std::nullopt;
          return CodeValue{value.name, adds ? value.plus + from.imm.value.s : value.plus - from.imm.value.s};
        }
        if (!adds) return std::nullopt;
        if (from.type == ZYDIS_OPERAND_TYPE_REGISTER && number_of(from.reg.value) >= 0) return values_.sum(value, values_.get(number_of(from.reg.value)), 1);
        if (from.type == ZYDIS_OPERAND_TYPE_MEMORY && is_thread_pointer(from)) return values_.sum(value, {BlockValues::thread_pointer, 0}, 1);
        return std::nullopt;
      }
      default: return std::nullopt;
    }
  }

  CodeValue immediate(const ZydisDecodedOperand& operand) {
    const std::uint32_t begin = now_.at + now_.code.raw.imm[0].offset;
    if (const Relocation* relocation = code_.relocation_in(begin, now_.end)) return values_.with_symbol({0, relocation->addend}, relocation->symbol, relocation->type);
    const bool narrow = operand.size == 32 && operands_[0].size == 32;
    return {0, narrow ? static_cast<std::int64_t>(static_cast<std::uint32_t>(operand.imm.value.u)) : operand.imm.value.s};
  }

  const ObjectFile& object_;
  const CodeSection code_;
  AccessProof proof_;
  std::vector<Block> block_;          // by offset
  std::vector<std::uint32_t> todo_;
  BlockValues values_;
  std::int64_t deepest_ = 0;
  std::int64_t aligned_depth_ = std::numeric_limits<std::int64_t>::max();  // at most, behind the instruction that aligns the frame
  std::int64_t frame_pointer_depth_ = -1;  // where it pointed to when it was set from the stack pointer
  CodeInstruction now_;                // the one that is looked at
  std::span<const ZydisDecodedOperand> operands_;  // its own
  std::optional<StackWord> loaded_, stored_;  // by it
  bool stores_elsewhere_ = false, has_aligned_frame_ = false;
};

}  // namespace

AccessProof prove_accesses(const ObjectFile& object, std::uint32_t section) { return Prover(object, section).prove(); }

}  // namespace histolab::kernels::emulator
