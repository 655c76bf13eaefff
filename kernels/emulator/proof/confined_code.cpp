#include "kernels/emulator/proof/confined_code.h"

#include <algorithm>
#include <optional>
#include <span>

#include "kernels/emulator/arch/check_code.h"
#include "kernels/emulator/arch/code_writer.h"
#include "kernels/emulator/arch/guards.h"

namespace histolab::kernels::emulator {
namespace {

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
    for (const Moving& instruction : instructions_) copy(instruction);
    // Execution never falls through to here: a function's last instruction is a jump.
    for (std::size_t i = 0; i < proof_.checks.size(); ++i)
      add_check(proof_.checks[i], call_fields_[i]);
    decider_ = writer_.at();
    writer_.put64(reinterpret_cast<std::uint64_t>(&histolab_unproved_access));
    for (const std::uint32_t field : to_decider_) writer_.set_distance(field, decider_);
    for (ReturnPlace place : proof_.returns)
      confined_.returns.push_back({place_of(place.offset), place.depth});
    for (const EarlyReport& early : proof_.early_reports)
      confined_.early_reports.push_back({place_of(early.of_write), place_of(early.next)});
    for (const Moving& instruction : instructions_)
      confined_.moved.push_back({instruction.from, instruction.to});
    confined_.moved.push_back({static_cast<std::uint32_t>(section_.bytes), end_});
    return std::move(confined_);
  }

 private:
  struct Moving {
    std::uint32_t from, bytes;        // offset and size in the original section
    std::uint32_t to = 0, new_bytes;  // offset and size in the new code; its checks begin at `to`
    std::uint32_t checks = 0;         // number of checks in front of it
    // Original offset that it jumps to or calls, and original offset of which it takes the address.
    std::optional<std::uint32_t> target = std::nullopt;
    std::optional<std::uint32_t> place = std::nullopt;
    std::uint32_t place_field = 0;
    Instruction::Flow flow = Instruction::Flow::next;
    std::span<const Relocation> relocations{};
  };

  // The longest form takes a few bytes more, but makes a second pass unnecessary.
  static std::uint32_t bytes_of_jump(Instruction::Flow flow) {
    if (flow == Instruction::Flow::branch) return CodeWriter::branch_bytes;
    return flow == Instruction::Flow::call ? CodeWriter::call_bytes : CodeWriter::jump_bytes;
  }

  void read_instructions() {
    auto check = proof_.checks.begin();
    CodeInstruction decoded;
    for (const std::uint32_t at : proof_.begins) {
      if (!code_.decode(at, Detail::flow, decoded)) return;  // it was decoded before
      Moving instruction{at, decoded.end - at, 0, decoded.end - at};
      for (; check != proof_.checks.end() && check->before == at; ++check) ++instruction.checks;
      instruction.flow = decoded.flow;
      instruction.relocations = decoded.relocations;
      instruction.target = decoded.target();
      instruction.place = decoded.own_place();
      instruction.place_field = decoded.displacement.offset;
      if (instruction.target) instruction.new_bytes = bytes_of_jump(decoded.flow);
      instructions_.push_back(instruction);
    }
  }

  void lay_out() {
    std::uint32_t at = 0;
    for (Moving& instruction : instructions_) {
      instruction.to = at;
      at += instruction.checks * CodeWriter::call_bytes + instruction.new_bytes;
    }
    end_ = at;
  }

  [[nodiscard]] std::uint32_t place_of(std::uint32_t from) const {
    const auto found = std::ranges::lower_bound(instructions_, from, {}, &Moving::from);
    return found != instructions_.end() ? found->to : end_;
  }

  // Returns the field of a jump, a branch or a call.
  std::uint32_t put_jump(const Moving& instruction) {
    switch (instruction.flow) {
      case Instruction::Flow::branch:
        return writer_.put_branch_like({section_.data + instruction.from, instruction.bytes});
      case Instruction::Flow::call: return writer_.put_call();
      default: return writer_.put_jump();
    }
  }

  void copy(const Moving& instruction) {
    for (std::uint32_t i = 0; i < instruction.checks; ++i)
      call_fields_.push_back(writer_.put_call());
    if (instruction.target) {
      const std::uint32_t field = put_jump(instruction);
      writer_.set_distance(field, place_of(*instruction.target));
      return;
    }
    const std::uint32_t begin = writer_.at();
    writer_.copy({section_.data + instruction.from, instruction.bytes});
    if (instruction.place)
      writer_.set_displacement(begin + instruction.place_field, place_of(*instruction.place),
                               writer_.at());
    for (Relocation moved : instruction.relocations) {
      moved.offset = begin + (moved.offset - instruction.from);
      confined_.relocations.push_back(moved);
    }
  }

  // `call`: the field of the call of the check.
  void add_check(const NeededCheck& check, std::uint32_t call) {
    using enum NeededCheck::What;
    const std::uint32_t behind_call = call + 4;
    writer_.set_distance(call, writer_.at());
    const bool is_access = check.what != frame && check.what != stack_pointer;
    CheckCode code{.place = check.place,
                   .relocation = check.place.relocation,
                   .bytes = check.bytes,
                   .is_frame = check.what == frame,
                   .keeps_flags = check.keeps_flags,
                   .reports_local = reports_local_ && is_access};
    if (code.relocation && code.place.to_next) {
      const auto checked = std::ranges::lower_bound(instructions_, check.before, {}, &Moving::from);
      code.relocation->addend +=
          static_cast<std::int64_t>(checked->from + checked->bytes - code.relocation->offset);
    }
    const CheckFields fields = write_check(code, behind_call, writer_);
    if (fields.relocation) confined_.relocations.push_back(*fields.relocation);
    if (fields.to_decider_of_local) to_decider_.push_back(*fields.to_decider_of_local);
    to_decider_.push_back(fields.to_decider);
    confined_.checks.push_back(
        {behind_call, check.what, check.bytes, check.store_is_due, check.report});
  }

  const CodeSection code_;
  const Section& section_;
  AccessProof proof_;
  const bool reports_local_;
  ConfinedCode confined_;
  CodeWriter writer_;
  std::vector<Moving> instructions_;
  std::vector<std::uint32_t> call_fields_;  // of the calls of checks
  std::vector<std::uint32_t> to_decider_;
  std::uint32_t end_ = 0, decider_ = 0;
};

}  // namespace

ConfinedCode confine(const ObjectFile& object, std::uint32_t section, bool reports_local) {
  AccessProof proof = prove_accesses(object, section);
  const bool is_shallow = proof.is_shallow;
  ConfinedCode confined;
  const Section& code = object.sections()[section];
  confined.problem = std::move(proof.problem);
  confined.problem_at = proof.problem_at;
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
