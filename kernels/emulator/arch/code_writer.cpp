#include "kernels/emulator/arch/code_writer.h"

#include <cstring>

namespace histolab::kernels::emulator {
namespace {

constexpr std::uint8_t call_opcode = 0xe8, jump_opcode = 0xe9, two_bytes = 0x0f;
constexpr std::uint8_t short_branch = 0x70, long_branch = 0x80;  // plus the condition

}  // namespace

void CodeWriter::put32(std::int64_t value) {
  for (int shift = 0; shift < 32; shift += 8)
    bytes_.push_back(static_cast<std::uint8_t>(static_cast<std::uint64_t>(value) >> shift));
}

void CodeWriter::put64(std::uint64_t value) {
  for (int shift = 0; shift < 64; shift += 8)
    bytes_.push_back(static_cast<std::uint8_t>(value >> shift));
}

std::uint32_t CodeWriter::put_field() {
  const std::uint32_t field = at();
  put32(0);
  return field;
}

std::uint32_t CodeWriter::put_call() {
  put({call_opcode});
  return put_field();
}

std::uint32_t CodeWriter::put_jump() {
  put({jump_opcode});
  return put_field();
}

std::uint32_t CodeWriter::put_branch_like(std::span<const std::uint8_t> branch) {
  const auto is_opcode = [](std::uint8_t byte) {
    return byte == two_bytes || (byte & 0xf0) == short_branch;
  };
  std::size_t opcode = 0;
  while (!is_opcode(branch[opcode])) ++opcode;  // prefixes for branch prediction
  if (branch[opcode] == two_bytes) ++opcode;
  put({two_bytes, static_cast<std::uint8_t>(long_branch | (branch[opcode] & 0xf))});
  return put_field();
}

void CodeWriter::set_displacement(std::uint32_t field, std::uint32_t target, std::uint32_t end) {
  const auto displacement = static_cast<std::int32_t>(target) - static_cast<std::int32_t>(end);
  std::memcpy(bytes_.data() + field, &displacement, sizeof displacement);
}

}  // namespace histolab::kernels::emulator
