// The description of instructions: their flow, fields, operands, and what is allowed.
#include "kernels/emulator/arch/decoder.h"

#include <doctest/doctest.h>

#include <initializer_list>
#include <string>
#include <vector>

namespace histolab::kernels::emulator {
namespace {

using Flow = Instruction::Flow;
using Operation = Instruction::Operation;
using Type = Operand::Type;
using Bytes = std::vector<std::uint8_t>;

Instruction decoded(const Bytes& bytes, Detail detail = Detail::operands) {
  Instruction instruction;
  REQUIRE(decode(bytes, 0, detail, instruction));
  CHECK(instruction.end == bytes.size());
  return instruction;
}

bool is_allowed(const Bytes& bytes) { return decoded(bytes).is_allowed; }

// Whether the first memory operand has a form that no kernel needs.
bool is_unusual(const Bytes& bytes) {
  for (const Operand& operand : decoded(bytes).operands())
    if (operand.type == Type::memory) return operand.memory.is_unusual;
  FAIL("the instruction has no memory operand");
  return false;
}

}  // namespace

TEST_CASE("decoding fails at bytes that are no instruction, and at the end of the code") {
  const Bytes code{0x90, 0x06, 0xe8, 0, 0};  // nop; (invalid); a call that is cut off
  Instruction instruction;
  CHECK(decode(code, 0, Detail::flow, instruction));
  CHECK(instruction.flow == Flow::next);
  for (const std::uint32_t at : {1u, 2u, 5u, 77u})
    for (const Detail detail : {Detail::flow, Detail::operands}) {
      CAPTURE(at);
      CHECK_FALSE(decode(code, at, detail, instruction));
      CHECK(instruction.flow == Flow::invalid);
      CHECK(instruction.end == at);
    }
}

TEST_CASE("the flow of an instruction") {
  CHECK(decoded({0x31, 0xc0}).flow == Flow::next);        // xor eax, eax
  CHECK(decoded({0xeb, 2}).flow == Flow::jump);           // jmp
  CHECK(decoded({0xff, 0xe0}).flow == Flow::jump);        // jmp rax
  CHECK(decoded({0x74, 2}).flow == Flow::branch);         // je
  CHECK(decoded({0xe8, 0, 0, 0, 0}).flow == Flow::call);  // call
  CHECK(decoded({0xff, 0xd0}).flow == Flow::call);        // call rax
  CHECK(decoded({0xc3}).flow == Flow::ret);               // ret
  CHECK(decoded({0xcc}).flow == Flow::stop);              // int3
  CHECK(decoded({0x0f, 0x0b}).flow == Flow::stop);        // ud2
  CHECK(decoded({0xeb, 2}, Detail::flow).flow == Flow::jump);
}

TEST_CASE("the target of a jump, and the place that a displacement means, count from the end") {
  const Instruction call = decoded({0xe8, 0xfb, 0xff, 0xff, 0xff});
  CHECK(call.to_target == -5);
  CHECK(call.target_in(1) == 0);
  CHECK(call.immediates[0].offset == 1);
  CHECK(call.immediates[0].bytes == 4);
  const Instruction jump = decoded({0xeb, 3}, Detail::flow);
  CHECK(jump.target_in(6) == 5);
  CHECK(jump.target_in(5) == std::nullopt);
  CHECK_FALSE(decoded({0xff, 0xe0}).to_target);  // jmp rax

  const Instruction lea = decoded({0x48, 0x8d, 0x05, 8, 0, 0, 0});  // lea rax, [rip + 8]
  CHECK(lea.to_place == 8);
  CHECK(lea.displacement.offset == 3);
  CHECK(lea.displacement.bytes == 4);
  CHECK(lea.operands()[1].type == Type::address);
  CHECK(lea.operands()[1].memory.to_next);
  CHECK_FALSE(decoded({0x48, 0x8d, 0x80, 8, 0, 0, 0}).to_place);  // lea rax, [rax + 8]
}

TEST_CASE("a memory operand has base, index, scale, displacement and segment") {
  // mov eax, [rbx + r9 * 4 - 8]
  const MemoryOperand at = decoded({0x42, 0x8b, 0x44, 0x8b, 0xf8}).operands()[1].memory;
  CHECK(at.base == 3);
  CHECK(at.index == 9);
  CHECK(at.scale == 4);
  CHECK(at.displacement == -8);
  CHECK_FALSE(at.in_thread_storage);
  CHECK_FALSE(at.is_unusual);
  // mov rax, fs:0
  const MemoryOperand thread =
      decoded({0x64, 0x48, 0x8b, 0x04, 0x25, 0, 0, 0, 0}).operands()[1].memory;
  CHECK(thread.in_thread_storage);
  CHECK(thread.base == no_register);
  CHECK(thread.index == no_register);
  CHECK_FALSE(thread.is_unusual);
}

TEST_CASE("operands: what is read and written, of which size") {
  const Instruction add = decoded({0x01, 0x03});  // add [rbx], eax
  CHECK(add.operation == Operation::add);
  const Operand &sum = add.operands()[0], &term = add.operands()[1];
  CHECK(sum.type == Type::memory);
  CHECK(sum.reads);
  CHECK(sum.writes);
  CHECK(sum.bytes == 4);
  CHECK(term.reg == 0);
  CHECK(term.reads);
  CHECK_FALSE(term.writes);
  CHECK(decoded({0x0f, 0x44, 0xc1}).operands()[0].may_keep);   // cmove eax, ecx
  CHECK_FALSE(decoded({0x89, 0xc1}).operands()[0].may_keep);   // mov ecx, eax
  CHECK(decoded({0x88, 0xe1}).operands()[1].first_byte == 1);  // mov cl, ah
  CHECK(decoded({0x88, 0xc1}).operands()[1].first_byte == 0);  // mov cl, al
  CHECK(decoded({0xb8, 0xff, 0xff, 0xff, 0xff}).operands()[1].type == Type::immediate);
  CHECK(decoded({0x48, 0x83, 0xc0, 0xff}).operands()[1].immediate == -1);    // add rax, -1
  CHECK(decoded({0x0f, 0x28, 0xca}).operands()[0].reg == first_vector + 1);  // movaps xmm1, xmm2
  CHECK(decoded({0x85, 0xc0}).operands()[2].reg == flags_register);          // test eax, eax
}

TEST_CASE("an instruction that only takes up space has no operands") {
  for (const Bytes& nop : {Bytes{0x90}, Bytes{0x0f, 0x1f, 0x44, 0x00, 0x00}}) {
    const Instruction instruction = decoded(nop);
    CHECK(instruction.operands().empty());
    CHECK(instruction.is_allowed);
  }
}

TEST_CASE("operations whose result the analyses compute") {
  CHECK(decoded({0x89, 0xc1}).operation == Operation::copy);
  CHECK(decoded({0x48, 0x63, 0xc1}).operation == Operation::extend_signed);
  CHECK(decoded({0x0f, 0xb6, 0xc0}).operation == Operation::extend_unsigned);
  CHECK(decoded({0x48, 0x8d, 0x03}).operation == Operation::address);
  CHECK(decoded({0x29, 0xc1}).operation == Operation::subtract);
  CHECK(decoded({0x21, 0xc1}).operation == Operation::bit_and);
  CHECK(decoded({0x0f, 0x94, 0xc0}).operation == Operation::set_by_flags);
  CHECK(decoded({0x55}).operation == Operation::push);
  CHECK(decoded({0x5d}).operation == Operation::pop);
  CHECK(decoded({0xc9}).operation == Operation::leave);
  CHECK(decoded({0x0f, 0xaf, 0xc1}).operation == Operation::other);  // imul eax, ecx
  CHECK(decoded({0x55}).width == 8);
  CHECK(decoded({0x66, 0x55}).width == 2);  // push bp
  CHECK(decoded({0x31, 0xc0}).zeroes);
  CHECK(decoded({0x29, 0xc0}).zeroes);
  CHECK(decoded({0x66, 0x0f, 0xef, 0xc0}).zeroes);  // pxor xmm0, xmm0
  CHECK_FALSE(decoded({0x31, 0xc1}).zeroes);        // xor ecx, eax
  CHECK_FALSE(decoded({0x21, 0xc0}).zeroes);        // and eax, eax
}

TEST_CASE("status flags that an instruction reads and writes") {
  constexpr std::uint16_t carry = 1, zero = 0x40;
  CHECK(decoded({0x74, 2}, Detail::flow).flags_read == zero);                // je
  CHECK(decoded({0x19, 0xc0}, Detail::flow).flags_read == carry);            // sbb eax, eax
  CHECK(decoded({0x01, 0xc0}, Detail::flow).flags_written == status_flags);  // add eax, eax
  CHECK((decoded({0xff, 0xc0}, Detail::flow).flags_written & carry) == 0);   // inc eax
  CHECK(decoded({0x89, 0xc1}, Detail::flow).flags_written == 0);             // mov ecx, eax
}

TEST_CASE("instructions that no kernel needs are not allowed") {
  for (const Bytes& bytes : {
           Bytes{0x0f, 0x05},              // syscall
           Bytes{0xf4},                    // hlt
           Bytes{0xcc},                    // int3
           Bytes{0xc3},                    // ret
           Bytes{0xfd},                    // std
           Bytes{0x9c},                    // pushfq
           Bytes{0x9d},                    // popfq
           Bytes{0x8e, 0xe0},              // mov fs, eax
           Bytes{0x0f, 0xae, 0x10},        // ldmxcsr [rax]
           Bytes{0xd9, 0x28},              // fldcw [rax]
           Bytes{0xe3, 0},                 // jrcxz
           Bytes{0xe2, 0},                 // loop
           Bytes{0x66, 0xe9, 0, 0, 0, 0},  // a jump with a 16-bit operand size
           Bytes{0xf3, 0xa4},              // rep movsb
           Bytes{0x0f, 0xa2},              // cpuid
       }) {
    CAPTURE(bytes[0]);
    CHECK_FALSE(is_allowed(bytes));
  }
  for (const Bytes& bytes : {
           Bytes{0x0f, 0x0b},              // ud2
           Bytes{0x75, 0},                 // jne
           Bytes{0x0f, 0x85, 0, 0, 0, 0},  // jne, long
           Bytes{0xf3, 0x0f, 0xbc, 0xc1},  // tzcnt eax, ecx
           Bytes{0xf0, 0x01, 0x03},        // lock add [rbx], eax
           Bytes{0xf5},                    // cmc
           Bytes{0xc9},                    // leave
           Bytes{0xd8, 0xc1},              // fadd st, st1
           Bytes{0xf2, 0x0f, 0x58, 0xc1},  // addsd xmm0, xmm1
       }) {
    CAPTURE(bytes[0]);
    CHECK(is_allowed(bytes));
  }
}

TEST_CASE("accesses of a form that no kernel needs are unusual") {
  CHECK(is_unusual({0x67, 0x8b, 0x03}));              // mov eax, [ebx]
  CHECK(is_unusual({0x65, 0x8b, 0x03}));              // mov eax, gs:[rbx]
  CHECK(is_unusual({0xa1, 0, 0, 0, 0, 0, 0, 0, 0}));  // mov eax, [64-bit address]
  CHECK(is_unusual({0x0f, 0xab, 0x03}));              // bts [rbx], eax
  CHECK_FALSE(is_unusual({0x0f, 0xba, 0x2b, 3}));     // bts dword [rbx], 3
  CHECK_FALSE(is_unusual({0x8b, 0x03}));              // mov eax, [rbx]
  CHECK_FALSE(is_unusual({0x8b, 0x05, 0, 0, 0, 0}));  // mov eax, [rip]
  CHECK(decoded({0x67, 0x48, 0x8d, 0x03}).operands()[1].memory.is_narrow);  // lea rax, [ebx]
  CHECK_FALSE(decoded({0x48, 0x8d, 0x03}).operands()[1].memory.is_narrow);  // lea rax, [rbx]
}

}  // namespace histolab::kernels::emulator
