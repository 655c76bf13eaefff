// Relocations: the fields that they may fill, and the values that fit.
#include "kernels/emulator/arch/relocation.h"

#include <doctest/doctest.h>
#include <elf.h>

#include <array>
#include <vector>

#include "kernels/emulator/arch/decoder.h"

namespace histolab::kernels::emulator {
namespace {

using Bytes = std::vector<std::uint8_t>;

bool fills(const Bytes& bytes, std::uint64_t offset, std::uint32_t type) {
  Instruction instruction;
  REQUIRE(decode(bytes, 0, Detail::flow, instruction));
  return fills_a_field({.offset = offset, .type = type}, instruction);
}

// Writes the value, and returns the field's eight bytes, or nullopt if it does not fit.
std::optional<std::uint64_t> written(std::uint32_t type, std::uint64_t value) {
  std::array<std::uint8_t, 8> field{0xee, 0xee, 0xee, 0xee, 0xee, 0xee, 0xee, 0xee};
  const std::array<std::uint8_t, 8> before = field;
  if (!write_field(field.data(), kind_of({.type = type}), value)) {
    CHECK(field == before);
    return std::nullopt;
  }
  std::uint64_t whole = 0;
  for (std::size_t i = 0; i < field.size(); ++i) whole |= std::uint64_t{field[i]} << 8 * i;
  return whole;
}

}  // namespace

TEST_CASE("kinds: GOT entries are words of the loader's; a PLT entry is a call") {
  using Value = RelocationKind::Value;
  for (const std::uint32_t type :
       {R_X86_64_GOTPCREL, R_X86_64_GOTPCRELX, R_X86_64_REX_GOTPCRELX, R_X86_64_GOTTPOFF})
    CHECK(kind_of({.type = type}).is_loaders_word());
  CHECK_FALSE(kind_of({.type = R_X86_64_PC32}).is_loaders_word());
  CHECK(kind_of({.type = R_X86_64_PLT32}).value == Value::call_distance);
  CHECK(kind_of({.type = R_X86_64_PC32}).value == Value::distance);
  CHECK(kind_of({.type = R_X86_64_COPY}).value == Value::unknown);
  CHECK(kind_of({.type = R_X86_64_8}).value == Value::unknown);
}

TEST_CASE("a relocation fills a whole displacement or a whole immediate") {
  const Bytes move{0xc7, 0x83, 0, 0, 0, 0, 1, 0, 0, 0};  // mov dword [rbx + 0], 1
  CHECK(fills(move, 2, R_X86_64_32S));
  CHECK(fills(move, 6, R_X86_64_32S));
  for (const std::uint64_t offset : {0, 1, 3, 4, 5, 7})
    CHECK_FALSE(fills(move, offset, R_X86_64_32S));
  CHECK_FALSE(fills(move, 2, R_X86_64_64));
  CHECK_FALSE(fills(move, 2, R_X86_64_COPY));
  CHECK(fills({0x48, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0}, 2, R_X86_64_64));  // mov rax, imm64
  CHECK_FALSE(fills({0x8b, 0x43, 0}, 2, R_X86_64_32S));                // mov eax, [rbx + disp8]
}

TEST_CASE("a displacement has a relocation that counts from the field exactly if it does itself") {
  const Bytes relative{0x8b, 0x05, 0, 0, 0, 0};  // mov eax, [rip + 0]
  const Bytes absolute{0x8b, 0x83, 0, 0, 0, 0};  // mov eax, [rbx + 0]
  for (const std::uint32_t type :
       {R_X86_64_PC32, R_X86_64_PLT32, R_X86_64_GOTPCREL, R_X86_64_GOTTPOFF}) {
    CHECK(fills(relative, 2, type));
    CHECK_FALSE(fills(absolute, 2, type));
  }
  for (const std::uint32_t type : {R_X86_64_32, R_X86_64_32S, R_X86_64_TPOFF32}) {
    CHECK_FALSE(fills(relative, 2, type));
    CHECK(fills(absolute, 2, type));
  }
  CHECK_FALSE(fills(relative, 2, R_X86_64_NONE));
  CHECK_FALSE(fills(absolute, 2, R_X86_64_NONE));
}

TEST_CASE("a value is written only if the field can hold it, with or without sign") {
  constexpr std::uint64_t rest = 0xeeee'eeee'0000'0000;
  CHECK(written(R_X86_64_32, 0xffff'ffff) == (rest | 0xffff'ffff));
  CHECK(written(R_X86_64_32, 0x1'0000'0000) == std::nullopt);
  CHECK(written(R_X86_64_32, ~std::uint64_t{0}) == std::nullopt);
  CHECK(written(R_X86_64_32S, ~std::uint64_t{0}) == (rest | 0xffff'ffff));
  CHECK(written(R_X86_64_32S, 0x7fff'ffff) == (rest | 0x7fff'ffff));
  CHECK(written(R_X86_64_32S, 0x8000'0000) == std::nullopt);
  CHECK(written(R_X86_64_PC32, static_cast<std::uint64_t>(-2)) == (rest | 0xffff'fffe));
  CHECK(written(R_X86_64_64, 0x1234'5678'9abc'def0) == 0x1234'5678'9abc'def0);
}

}  // namespace histolab::kernels::emulator
