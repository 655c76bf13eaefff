// The values that single instructions compute, in machine code written by hand.
#include "kernels/emulator/proof/instruction_values.h"

#include <doctest/doctest.h>
#include <elf.h>

#include "kernels/emulator/testing/object_builder.h"

namespace histolab::kernels::emulator {
namespace {

constexpr int rcx = 1, rbx = 3;

// One instruction, and the values in front of it.
class One {
 public:
  explicit One(std::vector<std::uint8_t> bytes) {
    section_ = builder_.code(".text.k", std::move(bytes));
    symbol_ = builder_.undefined("symbol");
    values.begin(8);
  }
  One& relocated(std::uint64_t offset, std::uint32_t type, std::int64_t addend = 0) {
    builder_.relocate(section_, offset, type, symbol_, addend);
    return *this;
  }
  std::optional<CodeValue> result(const std::optional<CodeValue>& loaded = std::nullopt) {
    const ObjectFile object = builder_.build();
    const CodeSection code(object, section_);
    CodeInstruction instruction;
    REQUIRE(code.decode(0, Detail::operands, instruction));
    REQUIRE(instruction.relocations_are_fields());
    return result_of(instruction, values, loaded);
  }
  // Returns the value of the symbol, by a relocation of this type.
  CodeValue symbol(std::uint32_t type, std::int64_t plus) {
    return values.with_symbol({0, plus}, symbol_, kind_of({.type = type}));
  }

  BlockValues values;

 private:
  testing::ObjectBuilder builder_;
  std::uint32_t section_ = 0, symbol_ = 0;
};

}  // namespace

TEST_CASE("copies of a register, whole and in its lower half") {
  One whole({0x48, 0x89, 0xd8});  // mov rax, rbx
  CHECK(whole.result() == whole.values.get(rbx));
  One half({0x89, 0xd8});  // mov eax, ebx
  CHECK(half.result() == half.values.extended(half.values.get(rbx), false));
  One sign({0x48, 0x63, 0xc3});  // movsxd rax, ebx
  CHECK(sign.result() == sign.values.extended(sign.values.get(rbx), true));
  CHECK(One({0x66, 0x89, 0xd8}).result() == std::nullopt);  // mov ax, bx
  CHECK(One({0x88, 0xd8}).result() == std::nullopt);        // mov al, bl
}

TEST_CASE("constants: four bytes are extended as the instruction extends them") {
  CHECK(One({0xb8, 0xff, 0xff, 0xff, 0xff}).result() == CodeValue{0, 0xffff'ffff});
  CHECK(One({0x48, 0xc7, 0xc0, 0xff, 0xff, 0xff, 0xff}).result() == CodeValue{0, -1});
}

TEST_CASE("a relocated constant is known if the instruction extends it as the relocation does") {
  One narrow({0xb8, 0, 0, 0, 0});  // mov eax, imm32
  CHECK(narrow.relocated(1, R_X86_64_32, 3).result() == narrow.symbol(R_X86_64_32, 3));
  One wide({0x48, 0xc7, 0xc0, 0, 0, 0, 0});  // mov rax, imm32
  CHECK(wide.relocated(3, R_X86_64_32S, 3).result() == wide.symbol(R_X86_64_32S, 3));
  One whole({0x48, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0});  // mov rax, imm64
  CHECK(whole.relocated(2, R_X86_64_64, 3).result() == whole.symbol(R_X86_64_64, 3));
  const auto is_unknown = [](One one, CodeValue would_be) {
    const auto result = one.result();
    return result && result->name != 0 && *result != would_be;
  };
  One other({0xb8, 0, 0, 0, 0});
  CHECK(is_unknown(other.relocated(1, R_X86_64_32S), other.symbol(R_X86_64_32S, 0)));
  One relative({0xb8, 0, 0, 0, 0});
  CHECK(is_unknown(relative.relocated(1, R_X86_64_PC32), relative.symbol(R_X86_64_PC32, 0)));
}

TEST_CASE("sums of registers and constants") {
  One add({0x48, 0x83, 0xc3, 0x08});  // add rbx, 8
  const CodeValue rbx_before = add.values.get(rbx);
  CHECK(add.result() == CodeValue{rbx_before.name, rbx_before.plus + 8});
  One subtract({0x48, 0x83, 0xeb, 0x08});  // sub rbx, 8
  CHECK(subtract.result() == CodeValue{rbx_before.name, rbx_before.plus - 8});
  One both({0x48, 0x01, 0xcb});  // add rbx, rcx
  CHECK(both.result() == both.values.sum(both.values.get(rbx), both.values.get(rcx), 1));
  CHECK(One({0x48, 0x29, 0xcb}).result() == std::nullopt);        // sub rbx, rcx
  CHECK(One({0x83, 0xc3, 0x08}).result() == std::nullopt);        // add ebx, 8
  CHECK(One({0x48, 0x83, 0x03, 0x08}).result() == std::nullopt);  // add qword [rbx], 8
  One wraps({0x48, 0x83, 0xc3, 0x08});
  wraps.values.set(rbx, {rbx_before.name, INT64_MAX});
  CHECK(wraps.result() == CodeValue{rbx_before.name, INT64_MIN + 7});
}

TEST_CASE("addresses: of elements, relative to the instruction, and in thread storage") {
  One element({0x48, 0x8d, 0x44, 0x8b, 0x10});  // lea rax, [rbx + rcx * 4 + 16]
  BlockValues& v = element.values;
  CHECK(element.result() == v.sum(v.sum({0, 16}, v.get(rbx), 1), v.get(rcx), 4));
  One relative({0x48, 0x8d, 0x05, 0, 0, 0, 0});  // lea rax, [rip + symbol]
  CHECK(relative.relocated(3, R_X86_64_PC32, 4).result() == relative.symbol(R_X86_64_PC32, 8));
  One called({0x48, 0x8d, 0x05, 0, 0, 0, 0});
  CHECK(called.relocated(3, R_X86_64_PLT32, 4).result() == called.symbol(R_X86_64_PC32, 8));
  CHECK(One({0x8d, 0x43, 0x10}).result() == std::nullopt);              // lea eax, [rbx + 16]
  CHECK(One({0x67, 0x48, 0x8d, 0x43, 0x10}).result() == std::nullopt);  // lea rax, [ebx + 16]
}

TEST_CASE("the thread pointer, and words of the loader") {
  One pointer({0x64, 0x48, 0x8b, 0x04, 0x25, 0, 0, 0, 0});  // mov rax, fs:0
  CHECK(pointer.result() == CodeValue{BlockValues::thread_pointer, 0});
  One sum({0x64, 0x48, 0x03, 0x1c, 0x25, 0, 0, 0, 0});  // add rbx, fs:0
  CHECK(sum.result() == sum.values.sum(sum.values.get(rbx), {BlockValues::thread_pointer, 0}, 1));
  CHECK(One({0x64, 0x48, 0x8b, 0x04, 0x25, 8, 0, 0, 0}).result() == std::nullopt);  // fs:8
  One word({0x48, 0x8b, 0x05, 0, 0, 0, 0});  // mov rax, [rip + word]
  CHECK(word.relocated(3, R_X86_64_REX_GOTPCRELX, -4).result() ==
        word.symbol(R_X86_64_REX_GOTPCRELX, 0));
  One next_to_it({0x48, 0x8b, 0x05, 0, 0, 0, 0});
  CHECK(next_to_it.relocated(3, R_X86_64_REX_GOTPCRELX, 4).result() == std::nullopt);
}

TEST_CASE("a load of a known word of the stack has its value; any other load is unknown") {
  One load({0x48, 0x8b, 0x44, 0x24, 0x08});  // mov rax, [rsp + 8]
  const CodeValue word = load.values.unknown();
  CHECK(load.result(word) == word);
  CHECK(load.result() == std::nullopt);
  One extended({0x48, 0x63, 0x44, 0x24, 0x08});  // movsxd rax, [rsp + 8]
  CHECK(extended.result(word) == extended.values.extended(word, true));
  CHECK(One({0x48, 0x8b, 0x03}).result() == std::nullopt);        // mov rax, [rbx]
  CHECK(One({0x48, 0x0f, 0xaf, 0xc3}).result() == std::nullopt);  // imul rax, rbx
}

}  // namespace histolab::kernels::emulator
