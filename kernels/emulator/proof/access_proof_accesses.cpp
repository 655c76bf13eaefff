// AccessProver: decides for each access whether it is proved or needs a check in front of it.
#include <elf.h>

#include "kernels/emulator/code/runtime_functions.h"
#include "kernels/emulator/memory/built_in_variables.h"
#include "kernels/emulator/proof/access_prover.h"

namespace histolab::kernels::emulator {
namespace {

bool is_segment(ZydisRegister reg) { return ZydisRegisterGetClass(reg) == ZYDIS_REGCLASS_SEGMENT; }

}  // namespace

bool AccessProver::may_write(int number) {
  return number < 12 || refuse(now_.at, "a register that is the emulator's own");
}

void AccessProver::ask(NeededCheck::What what, const MemoryPlace& place, std::uint32_t bytes,
                       BlockValues::ReportToCompare report) {
  proof_.checks.push_back({what, now_.at, place, bytes, code_.reads_flags_from(now_.at),
                           values_.store_due().has_value(), report});
}

bool AccessProver::reads_loaders_word(const MemoryPlace& place) const {
  if (!place.to_next || place.in_thread_storage || !place.relocation ||
      !is_loaders_word(*place.relocation))
    return false;
  return place.relocation->addend +
             static_cast<std::int64_t>(now_.end - place.relocation->offset) ==
         0;  // exactly that word, and not one next to it
}

bool AccessProver::reads_known_memory(const MemoryPlace& place, std::uint32_t bytes) const {
  if (place.base >= 0 || place.index >= 0) return false;
  if (place.in_thread_storage && !place.relocation)
    return place.displacement == 0 && bytes == pointer_bytes;
  if (!place.relocation) return false;
  const Relocation& relocation = *place.relocation;
  const Symbol& symbol = object_.symbols()[relocation.symbol];
  if (place.in_thread_storage)
    return relocation.type == R_X86_64_TPOFF32 && symbol.section == 0 && !symbol.is_absolute &&
           built_in_variable(symbol.name) && relocation.addend >= 0 &&
           relocation.addend + bytes <= 12;
  if (!place.to_next) return false;
  if (is_loaders_word(relocation)) return reads_loaders_word(place) && bytes == pointer_bytes;
  if (relocation.type != R_X86_64_PC32) return false;
  const std::int64_t at =
      relocation.addend + static_cast<std::int64_t>(now_.end - relocation.offset);
  const Section& section = object_.sections()[symbol.section];
  const std::int64_t offset = static_cast<std::int64_t>(symbol.value) + at;
  return symbol.section != 0 && is_read_only(section) && !section.is_thread_local && offset >= 0 &&
         static_cast<std::uint64_t>(offset) + bytes <= section.bytes;
}

bool AccessProver::access(const ZydisDecodedOperand& operand) {
  const bool writes = (operand.actions & ZYDIS_OPERAND_ACTION_MASK_WRITE) != 0;
  const std::uint32_t bytes = operand.size / 8;
  const auto segment = operand.mem.segment;
  constexpr std::uint8_t whole_address = 64;  // the instruction contains the address itself
  if (bytes == 0 || bytes > 16 || segment == ZYDIS_REGISTER_GS ||
      now_.code.raw.disp.size == whole_address ||
      (operand.mem.index != ZYDIS_REGISTER_NONE && number_of(operand.mem.index) < 0) ||
      (operand.mem.base != ZYDIS_REGISTER_NONE && operand.mem.base != ZYDIS_REGISTER_RIP &&
       number_of(operand.mem.base) < 0) ||
      now_.code.address_width != 64 ||
      (now_.code.attributes &
       (ZYDIS_ATTRIB_HAS_REP | ZYDIS_ATTRIB_HAS_REPE | ZYDIS_ATTRIB_HAS_REPNE)) != 0)
    return refuse(now_.at, "an instruction that no kernel needs");
  if (now_.code.meta.category == ZYDIS_CATEGORY_BITBYTE && operands_.size() > 1 &&
      operands_[1].type == ZYDIS_OPERAND_TYPE_REGISTER &&
      operands_[0].type == ZYDIS_OPERAND_TYPE_MEMORY && now_.code.mnemonic >= ZYDIS_MNEMONIC_BT &&
      now_.code.mnemonic <= ZYDIS_MNEMONIC_BTS)
    return refuse(
        now_.at, "an instruction that no kernel needs");  // the bit's number may select other bytes
  const MemoryPlace place = code_.place_of(now_, operand);
  if (place.to_next && !place.relocation) return refuse(now_.at, "an access to its own code");
  const CodeValue address = value_of(place);
  if (address.name == BlockValues::entry_stack && address.plus >= -depth() &&
      address.plus + bytes <= pointer_bytes + most_stack_arguments &&
      (!writes || address.plus + bytes <= 0 || address.plus >= pointer_bytes)) {
    if (writes)
      stored_ = StackWord{address.plus, bytes};
    else
      loaded_ = StackWord{address.plus, bytes};
    return true;
  }
  if (!values_.use_report(address, bytes, writes) &&
      (writes || !reads_known_memory(place, bytes))) {
    using enum NeededCheck::What;
    const bool reads = (operand.actions & ZYDIS_OPERAND_ACTION_MASK_READ) != 0;
    ask(!writes ? read : reads ? update : write, place, bytes, values_.take_report(bytes, writes));
  }
  if (writes) stores_elsewhere_ = true;
  return true;
}

bool AccessProver::ordinary() {
  loaded_.reset(), stored_.reset();
  stores_elsewhere_ = false;
  bool writes_stack_pointer = false;
  if (operands_.empty()) return true;
  for (const ZydisDecodedOperand& operand : operands_) {
    const bool writes = (operand.actions & ZYDIS_OPERAND_ACTION_MASK_WRITE) != 0;
    if (operand.type == ZYDIS_OPERAND_TYPE_MEMORY && operand.mem.type != ZYDIS_MEMOP_TYPE_AGEN &&
        now_.code.meta.category != ZYDIS_CATEGORY_WIDENOP &&
        now_.code.meta.category != ZYDIS_CATEGORY_NOP && !access(operand))
      return false;
    if (operand.type != ZYDIS_OPERAND_TYPE_REGISTER || !writes) continue;
    const int number = number_of(operand.reg.value);
    if (number == BlockValues::stack_pointer)
      writes_stack_pointer = true;
    else if (number >= 0 && !may_write(number))
      return false;
    else if (number < 0 && is_segment(operand.reg.value))
      return refuse(now_.at, "an instruction that no kernel needs");
  }
  if (writes_stack_pointer) return write_stack_pointer();
  const std::optional<CodeValue> result = result_of();
  for (const ZydisDecodedOperand& operand : operands_)
    if (operand.type == ZYDIS_OPERAND_TYPE_REGISTER &&
        (operand.actions & ZYDIS_OPERAND_ACTION_MASK_WRITE) != 0)
      if (const int number = number_of(operand.reg.value); number >= 0)
        values_.set(number, values_.unknown());
  if (stores_elsewhere_) values_.forget_slots();
  if (stored_) {
    if (result && stored_->bytes >= 4 && stored_->bytes <= 8)
      values_.store(stored_->offset, stored_->bytes, *result);
    else
      values_.store_unknown(stored_->offset, stored_->bytes);
  } else if (const int number = operands_[0].type == ZYDIS_OPERAND_TYPE_REGISTER
                                    ? number_of(operands_[0].reg.value)
                                    : -1;
             result && number >= 0) {
    values_.set(number, *result);
    if (number == 5 && result->name == BlockValues::entry_stack && result->plus <= 0)
      frame_pointer_depth_ = -result->plus;
  }
  return true;
}

}  // namespace histolab::kernels::emulator
