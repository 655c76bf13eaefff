// Machine code that the emulator writes, as the decoder reads it.
#include "kernels/emulator/arch/code_writer.h"

#include <doctest/doctest.h>

#include <array>

#include "kernels/emulator/arch/call_stub.h"
#include "kernels/emulator/arch/decoder.h"

namespace histolab::kernels::emulator {
namespace {

using Flow = Instruction::Flow;

Instruction decoded(const std::vector<std::uint8_t>& code, std::uint32_t at) {
  Instruction instruction;
  REQUIRE(decode(code, at, Detail::operands, instruction));
  return instruction;
}

// Returns the flags that the branch reads, and its opcode.
std::pair<std::uint16_t, std::uint8_t> condition(const std::vector<std::uint8_t>& branch) {
  std::vector<std::uint8_t> code;
  CodeWriter writer(code);
  const std::uint32_t field = writer.put_branch_like(branch);
  CHECK(code.size() == CodeWriter::branch_bytes);
  writer.set_distance(field, 100);
  const Instruction written = decoded(code, 0);
  CHECK(written.flow == Flow::branch);
  CHECK(written.target_in(1000) == 100);
  CHECK(written.flags_read == decoded(branch, 0).flags_read);
  return {written.flags_read, code[1]};
}

}  // namespace

TEST_CASE("jumps and calls have their announced size and lead to their target") {
  std::vector<std::uint8_t> code;
  CodeWriter writer(code);
  const std::uint32_t call = writer.put_call();
  CHECK(writer.at() == CodeWriter::call_bytes);
  const std::uint32_t jump = writer.put_jump();
  CHECK(writer.at() == CodeWriter::call_bytes + CodeWriter::jump_bytes);
  writer.set_distance(call, 77);
  writer.set_distance(jump, 0);
  CHECK(decoded(code, 0).flow == Flow::call);
  CHECK(decoded(code, 0).target_in(100) == 77);
  CHECK(decoded(code, CodeWriter::call_bytes).flow == Flow::jump);
  CHECK(decoded(code, CodeWriter::call_bytes).target_in(100) == 0);
}

TEST_CASE("a branch keeps its condition, in its long form and without prefixes") {
  for (std::uint8_t code = 0; code < 16; ++code) {
    CAPTURE(int{code});
    const auto opcode = static_cast<std::uint8_t>(0x80 | code);
    const auto short_form = condition({static_cast<std::uint8_t>(0x70 | code), 5});
    CHECK(short_form.second == opcode);
    CHECK(condition({0x0f, opcode, 5, 0, 0, 0}) == short_form);
    CHECK(condition({0x2e, static_cast<std::uint8_t>(0x70 | code), 5}) == short_form);
  }
}

TEST_CASE("a stub jumps to the address that it holds") {
  std::array<std::uint8_t, stub_bytes> stub{};
  write_stub(stub.data(), 0x1122'3344'5566'7788);
  const std::vector<std::uint8_t> code(stub.begin(), stub.end());
  const Instruction jump = decoded(code, 0);
  CHECK(jump.flow == Flow::jump);
  REQUIRE(jump.to_place);
  const auto word = static_cast<std::size_t>(jump.end + *jump.to_place);
  REQUIRE(word + 8 == stub_bytes);
  CHECK(code[word] == 0x88);
  CHECK(code[word + 7] == 0x11);
}

TEST_CASE("fields of calls and jumps are recognized; so is the reach of a call") {
  const std::array<std::uint8_t, 3> codes{0xe8, 0xe9, 0x05};
  CHECK(is_field_of_call(&codes[1]));
  CHECK(is_field_of_call(&codes[2]));
  CHECK_FALSE(is_field_of_call(codes.data() + 3));
  CHECK(is_in_reach(1ull << 40, (1ull << 40) + (1 << 29)));
  CHECK(is_in_reach(1ull << 40, (1ull << 40) - (1 << 29)));
  CHECK_FALSE(is_in_reach(1ull << 40, 1ull << 41));
  CHECK_FALSE(is_in_reach(1ull << 40, 0));
}

}  // namespace histolab::kernels::emulator
