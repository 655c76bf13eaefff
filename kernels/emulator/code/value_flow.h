// ValueFlow: the uses of a value that a kernel read from memory.
//
// The race observers use it to find the cause of a race. It is a taint analysis of the machine
// code. See docs/emulator.md, "What the machine code shows".
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <unordered_map>
#include <vector>

#include "kernels/emulator/arch/instruction.h"
#include "kernels/emulator/code/flow_graph.h"
#include "kernels/emulator/code/site.h"

namespace histolab::kernels::emulator {

class ValueFlow {
 public:
  // `graph` is decoded from `text`. `calls`: the sites of all calls of the runtime. `barriers`: the
  // calls of __syncthreads() and its variants. `text` and `sites` must outlive this object.
  ValueFlow(std::span<const std::uint8_t> text, FlowGraph graph, std::span<const SiteNumber> calls,
            const SiteTable& sites, std::span<const SiteNumber> barriers);

  // Returns whether the store or atomic operation at `to` writes a value that was computed from the
  // value read at `from`.
  [[nodiscard]] bool carries(SiteNumber from, SiteNumber to) {
    return reach_of(from).writes.contains(to);
  }
  // Returns whether the value read by the load or atomic operation at `from` can be followed. If
  // not, carries() returns false.
  [[nodiscard]] bool can_follow(SiteNumber from) const {
    return is_atomic(sites_[from].kind) || access_behind(from, false).has_value();
  }
  // Returns whether the instruction that makes the store at `to` is known. If not, carries()
  // returns false.
  [[nodiscard]] bool can_reach(SiteNumber to) const {
    const auto is_it = [&](const auto& store) { return store.second == to; };
    return is_atomic(sites_[to].kind) || std::ranges::any_of(store_at_, is_it);
  }
  // Returns whether the value read at `from` decides whether the store or atomic operation at `to`
  // is made: one side of a branch on that value always reaches it, and the other may not. Returns
  // false for writes above the branch: code is in the order of the source.
  [[nodiscard]] bool guards(SiteNumber from, SiteNumber to);
  // Returns whether every thread that makes the read at `from` also makes the write at `to`.
  [[nodiscard]] bool always_reaches(SiteNumber from, SiteNumber to) const;
  // Returns whether the two sides of a branch on the value read at `from` may reach different
  // barriers next, or one of them the kernel's end.
  [[nodiscard]] bool decides_barrier(SiteNumber from) { return reach_of(from).decides_barrier; }

 private:
  struct Reach {
    std::set<SiteNumber> writes;
    std::set<std::uint32_t> branches;  // by node
    bool decides_barrier = false;
  };
  struct Taint;
  [[nodiscard]] const Reach& reach_of(SiteNumber from);
  [[nodiscard]] Reach follow(SiteNumber from) const;
  // Returns the node of the instruction that makes the access which the callback `call` reports.
  // Returns nullopt if it is not found in the straight code behind the call.
  [[nodiscard]] std::optional<std::uint32_t> access_behind(SiteNumber call, bool writes) const;
  [[nodiscard]] bool ways_part(std::uint32_t branch) const;
  [[nodiscard]] bool may_avoid(std::uint32_t node, SiteNumber write,
                               std::optional<std::uint32_t> branch) const;
  [[nodiscard]] std::set<std::uint32_t> next_barriers(std::uint32_t node) const;
  void step_call(const Instruction& call, Taint& taint, Reach& reach) const;
  [[nodiscard]] static bool reads_taint(const Instruction& instruction, bool memory_is_tainted,
                                        const Taint& taint);
  static void write(const Instruction& instruction, const Operand& to, bool tainted, Taint& taint);
  void step(std::uint32_t node, bool memory_is_tainted, Taint& taint, Reach& reach) const;

  std::span<const std::uint8_t> text_;
  const FlowGraph graph_;
  const SiteTable& sites_;
  std::unordered_map<std::uint32_t, std::uint32_t> node_;  // by the offset at which it begins
  std::set<std::uint32_t> barriers_;                       // offsets behind the calls
  std::map<std::uint32_t, SiteNumber> store_at_;           // by node
  std::map<SiteNumber, Reach> known_;
};

}  // namespace histolab::kernels::emulator
