#include "kernels/emulator/arch/check_code.h"

#include <vector>

#include "kernels/emulator/arch/guards.h"
#include "kernels/emulator/memory/window.h"

namespace histolab::kernels::emulator {
namespace {

constexpr std::uint8_t if_below = 0x72, if_above = 0x77;  // opcodes of short jumps

// Writes lea rax, [place]. Here the stack pointer is `below` bytes lower than at the instruction
// that is checked. Returns the relocation of the displacement.
std::optional<Relocation> write_address(const CheckCode& check, std::int32_t below,
                                        CodeWriter& writer) {
  const MemoryOperand& place = check.place;
  if (place.to_next) {
    writer.put({0x48, 0x8d, 0x05});
  } else {
    const int rex = 0x48 | (place.index >= 8 ? 2 : 0) | (place.base >= 8 ? 1 : 0);
    const int mod = place.base < 0 ? 0x04 : 0x84;
    const int log = __builtin_ctz(place.scale);
    const int index = place.index < 0 ? 4 : place.index & 7;
    const int base = place.base < 0 ? 5 : place.base & 7;
    writer.put({static_cast<std::uint8_t>(rex), 0x8d, static_cast<std::uint8_t>(mod),
                static_cast<std::uint8_t>(log << 6 | index << 3 | base)});
  }
  std::optional<Relocation> relocation = check.relocation;
  if (relocation) {
    relocation->offset = writer.at();
    if (place.to_next) relocation->addend -= 4;  // the displacement ends the instruction
  }
  writer.put32(place.displacement + (place.base == stack_register ? below : 0));
  if (place.in_thread_storage)
    writer.put({0x64, 0x48, 0x03, 0x04, 0x25, 0, 0, 0, 0});  // add rax, fs:0
  return relocation;
}

// Writes a call of the decider with the address behind the check's call. Returns its field.
std::uint32_t write_decider_call(bool is_local, std::uint32_t behind_call, CodeWriter& writer) {
  writer.put({0x48, 0x8d, 0x0d});  // lea rcx, [behind the call]
  writer.put32(0);
  writer.set_distance(writer.at() - 4, behind_call);
  static_assert(is_of_local_check == 1ull << 63);
  if (is_local) writer.put({0x48, 0x0f, 0xba, 0xe9, 63});  // bts rcx, 63
  writer.put({0xff, 0x15});                                // call [decider]
  writer.put32(0);
  return writer.at() - 4;
}

// Compares the address in rax with bounds. Returns the fields of jumps for addresses outside.
std::vector<std::uint32_t> write_bounds(const CheckCode& check, CodeWriter& writer) {
  std::vector<std::uint32_t> to_slow;
  const auto leave_if = [&](std::uint8_t condition) {
    writer.put({0x48, 0x39, 0xc8, condition, 0});  // cmp rax, rcx; jcc
    to_slow.push_back(writer.at() - 1);
  };
  if (check.is_frame) {
    writer.put({0x48, 0x81, 0xe1});  // and rcx, -stack_bytes
    writer.put32(-static_cast<std::int64_t>(Window::stack_bytes));
    writer.put({0x48, 0x81, 0xc1});  // add rcx, guard
    writer.put32(Window::stack_guard_bytes);
    leave_if(if_below);
    return to_slow;
  }
  leave_if(if_below);
  writer.put({0x48, 0x81, 0xc9});  // or rcx, stack_bytes - 1
  writer.put32(Window::stack_bytes - 1);
  writer.put({0x48, 0x81, 0xe9});  // sub rcx, ...: the last address at which the access still fits
  writer.put32(check.bytes - 1);
  leave_if(if_above);
  return to_slow;
}

}  // namespace

CheckFields write_check(const CheckCode& check, std::uint32_t behind_call, CodeWriter& writer) {
  CheckFields fields;
  std::int32_t below = 24;  // two registers and the return address
  if (check.keeps_flags) {
    writer.put({0x9c});  // pushfq
    below += 8;
  }
  writer.put({0x51, 0x50});  // push rcx; push rax
  fields.relocation = write_address(check, below, writer);
  writer.put({0x48, 0x8d, 0x8c, 0x24});  // lea rcx, [rsp + below]
  writer.put32(below);
  const std::vector<std::uint32_t> to_slow = write_bounds(check, writer);
  if (check.reports_local)
    fields.to_decider_of_local = write_decider_call(true, behind_call, writer);
  const std::uint32_t done = writer.at();
  writer.put({0x58, 0x59});                   // pop rax; pop rcx
  if (check.keeps_flags) writer.put({0x9d});  // popfq
  writer.put({0xc3});                         // ret
  for (const std::uint32_t slow : to_slow) writer.set_short_distance(slow, writer.at());
  fields.to_decider = write_decider_call(false, behind_call, writer);
  writer.put({0xeb, 0});  // jmp done
  writer.set_short_distance(writer.at() - 1, done);
  return fields;
}

}  // namespace histolab::kernels::emulator
