#include "kernels/emulator/proof/confined_code.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>

#include "kernels/emulator/arch/guards.h"
#include "kernels/emulator/memory/window.h"

namespace histolab::kernels::emulator {
namespace {

constexpr std::uint32_t call_bytes = 5, long_jump_bytes = 5, long_branch_bytes = 6;

// Writes machine code byte by byte.
class CodeWriter {
 public:
  explicit CodeWriter(std::vector<std::uint8_t>& bytes) : bytes_(bytes) {}
  [[nodiscard]] std::uint32_t at() const { return static_cast<std::uint32_t>(bytes_.size()); }
  void put(std::initializer_list<std::uint8_t> bytes) { bytes_.insert(bytes_.end(), bytes); }
  void put32(std::int64_t value) {
    for (int shift = 0; shift < 32; shift += 8)
      bytes_.push_back(static_cast<std::uint8_t>(static_cast<std::uint64_t>(value) >> shift));
  }
  void put64(std::uint64_t value) {
    for (int shift = 0; shift < 64; shift += 8)
      bytes_.push_back(static_cast<std::uint8_t>(value >> shift));
  }
  // Sets the four bytes at `field` to the distance from the end of the field to `target`.
  void set_distance(std::uint32_t field, std::uint32_t target) {
    set_displacement(field, target, field + 4);
  }
  void set_displacement(std::uint32_t field, std::uint32_t target, std::uint32_t end) {
    const auto displacement = static_cast<std::int32_t>(target) - static_cast<std::int32_t>(end);
    std::memcpy(bytes_.data() + field, &displacement, sizeof displacement);
  }
  void set_short_distance(std::uint32_t field, std::uint32_t target) {
    bytes_[field] = static_cast<std::uint8_t>(target - field - 1);
  }

 private:
  std::vector<std::uint8_t>& bytes_;
};

class Rewriter {
 public:
  Rewriter(const ObjectFile& object, std::uint32_t section, AccessProof proof, bool reports_local)
      : code_(object, section),
        section_(code_.section()),
        proof_(std::move(proof)),
        reports_local_(reports_local),
        writer_(confined_.bytes) {}

  ConfinedCode rewrite() {
    read_instructions();
    lay_out();
    for (const Instruction& instruction : instructions_) copy(instruction);
    // Execution never falls through to here: a function's last instruction is a jump.
    for (std::size_t i = 0; i < proof_.checks.size(); ++i)
      write_check(proof_.checks[i], call_sites_[i]);
    decider_ = writer_.at();
    writer_.put64(reinterpret_cast<std::uint64_t>(&histolab_unproved_access));
    for (const std::uint32_t field : to_decider_) writer_.set_distance(field, decider_);
    for (ReturnPlace place : proof_.returns)
      confined_.returns.push_back({place_of(place.offset), place.depth});
    for (const EarlyReport& early : proof_.early_reports)
      confined_.early_reports.push_back({place_of(early.of_write), place_of(early.next)});
    for (const Instruction& instruction : instructions_)
      confined_.moved.push_back({instruction.from, instruction.to});
    confined_.moved.push_back({static_cast<std::uint32_t>(section_.bytes), end_});
    return std::move(confined_);
  }

 private:
  struct Instruction {
    std::uint32_t from, bytes;        // offset and size in the original section
    std::uint32_t to = 0, new_bytes;  // offset and size in the new code; its checks begin at `to`
    std::uint32_t checks = 0;         // number of checks in front of it
    // Original offset that it jumps to or calls, and original offset of which it takes the address.
    std::optional<std::uint32_t> target = std::nullopt;
    std::optional<std::uint32_t> place = std::nullopt;
    std::uint32_t place_field = 0;
    bool conditional = false, is_call = false;
  };

  void read_instructions() {
    auto check = proof_.checks.begin();
    CodeInstruction decoded;
    for (const std::uint32_t at : proof_.begins) {
      if (!code_.decode(at, decoded, false)) return;  // it was decoded before
      Instruction instruction{at, decoded.code.length, 0, decoded.code.length};
      for (; check != proof_.checks.end() && check->before == at; ++check) ++instruction.checks;
      instruction.target = code_.target_of(decoded);
      instruction.place = code_.own_place_of(decoded),
      instruction.place_field = decoded.code.raw.disp.offset;
      if (instruction.target) {
        instruction.conditional = decoded.code.meta.category == ZYDIS_CATEGORY_COND_BR;
        instruction.is_call = decoded.code.meta.category == ZYDIS_CATEGORY_CALL;
        // The longest form takes a few bytes more, but makes a second pass unnecessary.
        instruction.new_bytes = instruction.conditional ? long_branch_bytes : long_jump_bytes;
      }
      instructions_.push_back(instruction);
    }
  }

  void lay_out() {
    std::uint32_t at = 0;
    for (Instruction& instruction : instructions_) {
      instruction.to = at;
      at += instruction.checks * call_bytes + instruction.new_bytes;
    }
    end_ = at;
  }

  [[nodiscard]] std::uint32_t place_of(std::uint32_t from) const {
    const auto found = std::ranges::lower_bound(instructions_, from, {}, &Instruction::from);
    return found != instructions_.end() ? found->to : end_;
  }

  void copy(const Instruction& instruction) {
    for (std::uint32_t i = 0; i < instruction.checks; ++i) {
      writer_.put({0xe8});
      call_sites_.push_back(writer_.at());
      writer_.put32(0);
    }
    const std::uint32_t begin = writer_.at();
    if (instruction.target) {
      if (instruction.conditional)
        writer_.put({0x0f, static_cast<std::uint8_t>(0x80 | (condition_of(instruction) & 0xf))});
      else
        writer_.put({static_cast<std::uint8_t>(instruction.is_call ? 0xe8 : 0xe9)});
      writer_.put32(0);
      writer_.set_distance(writer_.at() - 4, place_of(*instruction.target));
      return;
    }
    confined_.bytes.insert(confined_.bytes.end(), section_.data + instruction.from,
                           section_.data + instruction.from + instruction.bytes);
    if (instruction.place)
      writer_.set_displacement(begin + instruction.place_field, place_of(*instruction.place),
                               writer_.at());
    for (Relocation moved :
         code_.relocations_in(instruction.from, instruction.from + instruction.bytes)) {
      moved.offset = begin + (moved.offset - instruction.from);
      confined_.relocations.push_back(moved);
    }
  }

  // Returns the opcode byte of a jcc that has the condition, in its short or its long form.
  [[nodiscard]] std::uint8_t condition_of(const Instruction& instruction) const {
    std::uint32_t at = instruction.from;
    while (section_.data[at] != 0x0f && (section_.data[at] & 0xf0) != 0x70)
      ++at;  // prefixes for branch prediction
    return section_.data[at] == 0x0f ? section_.data[at + 1] : section_.data[at];
  }

  // Writes lea rax, [place]. Here the stack pointer is `below` bytes lower than at the instruction
  // that is checked.
  void write_address(const MemoryPlace& place, std::int32_t below) {
    constexpr int rsp = 4;
    const std::int32_t displacement = place.displacement + (place.base == rsp ? below : 0);
    std::uint8_t rex = 0x48;
    if (place.to_next) {
      writer_.put({rex, 0x8d, 0x05});
    } else {
      if (place.index >= 8) rex |= 2;
      if (place.base >= 8) rex |= 1;
      const int log = place.scale == 8 ? 3 : place.scale == 4 ? 2 : place.scale == 2 ? 1 : 0;
      const int index = place.index < 0 ? 4 : place.index & 7,
                base = place.base < 0 ? 5 : place.base & 7;
      writer_.put({rex, 0x8d, static_cast<std::uint8_t>(place.base < 0 ? 0x04 : 0x84),
                   static_cast<std::uint8_t>(log << 6 | index << 3 | base)});
    }
    if (place.relocation) {
      Relocation moved = *place.relocation;
      if (place.to_next) {  // a different number of bytes follows the displacement
        const auto owner =
            std::ranges::upper_bound(instructions_, moved.offset, {}, &Instruction::from) - 1;
        moved.addend += static_cast<std::int64_t>(owner->from + owner->bytes - moved.offset) - 4;
      }
      moved.offset = writer_.at();
      confined_.relocations.push_back(moved);
    }
    writer_.put32(displacement);
    if (place.in_thread_storage)
      writer_.put({0x64, 0x48, 0x03, 0x04, 0x25, 0, 0, 0, 0});  // add rax, fs:0
  }

  // `field`: the field of the check's call that holds the distance.
  void write_check(const NeededCheck& check, std::uint32_t field) {
    const std::uint32_t begin = writer_.at();
    writer_.set_distance(field, begin);
    std::int32_t below = 24;  // two registers and the return address
    if (check.keeps_flags) writer_.put({0x9c}), below += 8;
    writer_.put({0x51, 0x50});  // push rcx; push rax
    write_address(check.place, below);
    writer_.put({0x48, 0x8d, 0x8c, 0x24});  // lea rcx, [rsp + below]
    writer_.put32(below);
    std::vector<std::uint32_t> to_slow;
    const auto leave_if = [&](std::uint8_t condition) {
      writer_.put({0x48, 0x39, 0xc8, condition, 0});  // cmp rax, rcx; jcc
      to_slow.push_back(writer_.at() - 1);
    };
    constexpr std::uint8_t if_below = 0x72, if_above = 0x77;
    if (check.what == NeededCheck::What::frame) {
      writer_.put({0x48, 0x81, 0xe1});  // and rcx, -stack_bytes
      writer_.put32(-static_cast<std::int64_t>(Window::stack_bytes));
      writer_.put({0x48, 0x81, 0xc1});  // add rcx, guard
      writer_.put32(Window::stack_guard_bytes);
      leave_if(if_below);
    } else {
      leave_if(if_below);
      writer_.put({0x48, 0x81, 0xc9});  // or rcx, stack_bytes - 1
      writer_.put32(Window::stack_bytes - 1);
      writer_.put(
          {0x48, 0x81, 0xe9});  // sub rcx, ...: the last address at which the access still fits
      writer_.put32(check.bytes - 1);
      leave_if(if_above);
    }
    const std::uint32_t behind_call = field + 4;
    const auto call_decider = [&](bool is_local) {
      writer_.put({0x48, 0x8d, 0x0d});  // lea rcx, [behind the call]
      writer_.put32(0);
      writer_.set_distance(writer_.at() - 4, behind_call);
      static_assert(is_of_local_check == 1ull << 63);
      if (is_local) writer_.put({0x48, 0x0f, 0xba, 0xe9, 63});  // bts rcx, 63
      writer_.put({0xff, 0x15});                                // call [decider]
      to_decider_.push_back(writer_.at());
      writer_.put32(0);
    };
    const bool is_access =
        check.what != NeededCheck::What::frame && check.what != NeededCheck::What::stack_pointer;
    if (reports_local_ && is_access) call_decider(true);
    const std::uint32_t done = writer_.at();
    writer_.put({0x58, 0x59});  // pop rax; pop rcx
    if (check.keeps_flags) writer_.put({0x9d});
    writer_.put({0xc3});
    for (const std::uint32_t slow : to_slow) writer_.set_short_distance(slow, writer_.at());
    call_decider(false);
    writer_.put({0xeb, 0});
    writer_.set_short_distance(writer_.at() - 1, done);
    confined_.checks.push_back(
        {behind_call, check.what, check.bytes, check.store_is_due, check.report});
  }

  const CodeSection code_;
  const Section& section_;
  AccessProof proof_;
  const bool reports_local_;
  ConfinedCode confined_;
  CodeWriter writer_;
  std::vector<Instruction> instructions_;
  std::vector<std::uint32_t> call_sites_;  // distance fields in the calls of checks
  std::vector<std::uint32_t> to_decider_;
  std::uint32_t end_ = 0, decider_ = 0;
};

}  // namespace

ConfinedCode confine(const ObjectFile& object, std::uint32_t section, bool reports_local) {
  AccessProof proof = prove_accesses(object, section);
  const bool is_shallow = proof.is_shallow;
  ConfinedCode confined;
  const Section& code = object.sections()[section];
  confined.problem = std::move(proof.problem), confined.problem_at = proof.problem_at;
  if (!confined.problem.empty() || proof.checks.empty()) {
    confined.bytes.assign(code.data, code.data + code.bytes);
    confined.relocations = object.relocations(section);
    confined.returns = std::move(proof.returns);
    confined.early_reports = std::move(proof.early_reports);
  } else {
    confined = Rewriter(object, section, std::move(proof), reports_local).rewrite();
  }
  confined.is_shallow = is_shallow;
  return confined;
}

}  // namespace histolab::kernels::emulator
