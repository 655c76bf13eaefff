#include "kernels/emulator/arch/call_stub.h"

#include <cstring>

namespace histolab::kernels::emulator {

void write_stub(std::uint8_t* code, std::uint64_t target) {
  static constexpr std::uint8_t jump[8] = {0xff, 0x25, 0x02, 0,      // jmp *[rip + 2]
                                           0,    0,    0x90, 0x90};  // nop; nop
  std::memcpy(code, jump, sizeof jump);
  std::memcpy(code + sizeof jump, &target, sizeof target);
  static_assert(sizeof jump + sizeof target == stub_bytes);
}

bool is_field_of_call(const std::uint8_t* field) {
  constexpr std::uint8_t call_opcode = 0xe8, jump_opcode = 0xe9;
  return field[-1] == call_opcode || field[-1] == jump_opcode;
}

}  // namespace histolab::kernels::emulator
