// The instructions of a section and the targets of its jumps, in machine code written by hand.
#include "kernels/emulator/proof/code_blocks.h"

#include <doctest/doctest.h>
#include <elf.h>

#include "kernels/emulator/proof/proof_state.h"
#include "kernels/emulator/testing/object_builder.h"

namespace histolab::kernels::emulator {
namespace {

using Offsets = std::vector<std::uint32_t>;

CodeBlocks blocks_of(const std::vector<std::uint8_t>& bytes) {
  testing::ObjectBuilder builder;
  const std::uint32_t section = builder.code(".text.k", bytes);
  const ObjectFile object = builder.build();
  return find_blocks(CodeSection(object, section));
}

Offsets begins(const CodeBlocks& blocks) {
  Offsets found;
  for (std::uint32_t at = 0; at < blocks.begins.size(); ++at)
    if (blocks.begins[at]) found.push_back(at);
  return found;
}

}  // namespace

TEST_CASE("blocks begin at the targets of jumps; all instructions are found in sequence") {
  const CodeBlocks blocks = blocks_of({
      0x74, 0x01,              // 0: je 3
      0x90,                    // 2: nop
      0x31, 0xc0,              // 3: xor eax, eax
      0xe8, 0xf6, 0xff, 0xff,  // 5: call 0
      0xff,                    //
      0xeb, 0xf6,              // 10: jmp 2
  });
  CHECK(blocks.problem.empty());
  CHECK(blocks.instructions == Offsets{0, 2, 3, 5, 10});
  CHECK(begins(blocks) == Offsets{0, 2, 3});
}

TEST_CASE("code that leads into the middle of an instruction or out of its section is refused") {
  const auto refused = [](const std::vector<std::uint8_t>& bytes) {
    const CodeBlocks blocks = blocks_of(bytes);
    return std::pair(blocks.problem, blocks.problem_at);
  };
  using Refused = std::pair<std::string, std::uint32_t>;
  CHECK(refused({0x90, 0x06}) == Refused("bytes that are no instruction", 1));
  CHECK(refused({0xeb, 0x01, 0x31, 0xc0}) ==
        Refused("a jump into the middle of an instruction", 3));
  CHECK(refused({0x90, 0xeb, 0x7f}) == Refused("a jump out of its function", 1));
  CHECK(refused({0xeb, 0x80}) == Refused("a jump out of its function", 0));
  // lea rax, [rip - 1]; lea rax, [rip + 99]
  CHECK(refused({0x48, 0x8d, 0x05, 0xff, 0xff, 0xff, 0xff}) ==
        Refused("an address in the middle of an instruction", 6));
  CHECK(refused({0x48, 0x8d, 0x05, 99, 0, 0, 0}) == Refused("an address behind its function", 0));
}

TEST_CASE("a relocation must be a field; a relocated jump has no target here") {
  testing::ObjectBuilder builder;
  const std::uint32_t section = builder.code(".text.k", {0xe8, 0, 0, 0, 0, 0x90});
  const std::uint32_t other = builder.undefined("other");
  builder.relocate(section, 1, R_X86_64_PLT32, other, -4);
  const ObjectFile good = builder.build();
  const CodeBlocks blocks = find_blocks(CodeSection(good, section));
  CHECK(blocks.problem.empty());
  CHECK(begins(blocks).empty());
  builder.relocate(section, 2, R_X86_64_PLT32, other, -4);
  const ObjectFile bad = builder.build();
  CHECK(find_blocks(CodeSection(bad, section)).problem ==
        "a relocation that is no field of an instruction");
}

TEST_CASE("a new block forgets reports: its registers may have other values") {
  testing::ObjectBuilder builder;
  const std::uint32_t section = builder.code(".text.k", {0x90});
  const ObjectFile object = builder.build();
  constexpr int rbx = 3;
  for (const bool writes : {false, true}) {
    ProofState state(object, section);
    state.begin_block(8);
    state.reports.add(state.values.get(rbx), 8, writes, false, 1);
    state.begin_block(8);
    CHECK_FALSE(state.reports.use(state.values.get(rbx), 8, writes));
  }
}

}  // namespace histolab::kernels::emulator
