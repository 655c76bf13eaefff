#include "kernels/emulator/proof/code_blocks.h"

namespace histolab::kernels::emulator {
namespace {

CodeBlocks refused(std::uint32_t at, const char* why) {
  CodeBlocks blocks;
  blocks.problem = why;
  blocks.problem_at = at;
  return blocks;
}

}  // namespace

CodeBlocks find_blocks(const CodeSection& code) {
  CodeBlocks blocks;
  std::vector<bool> is_instruction(code.bytes() + 1);
  std::vector<std::uint32_t> targets, places;
  CodeInstruction each;
  for (std::uint32_t at = 0; at < code.bytes(); at = each.end) {
    if (!code.decode(at, Detail::flow, each)) return refused(at, "bytes that are no instruction");
    if (!each.relocations_are_fields())
      return refused(at, "a relocation that is no field of an instruction");
    is_instruction[at] = true;
    blocks.instructions.push_back(at);
    if (const auto target = each.target()) {
      if (*target >= code.bytes()) return refused(at, "a jump out of its function");
      targets.push_back(*target);
    }
    if (const auto place = each.own_place()) {
      if (*place >= code.bytes()) return refused(at, "an address behind its function");
      places.push_back(*place);
    }
  }
  for (const std::uint32_t place : places)
    if (!is_instruction[place]) return refused(place, "an address in the middle of an instruction");
  blocks.begins.resize(code.bytes() + 1);
  for (const std::uint32_t target : targets) {
    if (!is_instruction[target]) return refused(target, "a jump into the middle of an instruction");
    blocks.begins[target] = true;
  }
  return blocks;
}

}  // namespace histolab::kernels::emulator
