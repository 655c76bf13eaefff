// ValueFlow: the uses of a value that a kernel read from memory.
//
// The race observers need it to find the cause of a race. Is a store the second half of an update, because it writes what an
// earlier load read? Does a read decide which barrier a thread reaches, so that a race on it causes a divergence?
//
// A forward taint analysis of the machine code answers both: registers, the stack and the flags,
// along all paths. It may report a flow that never happens at run time, but misses none that passes
// through registers or the stack. A flow through other memory is not followed.
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

#include "kernels/emulator/code/flow_graph.h"
#include "kernels/emulator/code/site.h"

namespace histolab::kernels::emulator {

class ValueFlow {
 public:
  // `graph`: decoded from `text`. `sites`: those of the accesses. `barriers`: calls of __syncthreads() and its variants.
  // All outlive this.
  ValueFlow(std::span<const std::uint8_t> text, FlowGraph graph, std::span<const SiteNumber> calls, const SiteTable& sites,
            std::span<const SiteNumber> barriers);

  // Does the store or atomic operation at `to` write a value that was computed from what `from` read?
  [[nodiscard]] bool carries(SiteNumber from, SiteNumber to) { return reach_of(from).writes.contains(to); }
  // Can the value of the load or atomic operation at `from` be followed? Else carries() is false.
  [[nodiscard]] bool can_follow(SiteNumber from) const {
    return is_atomic(sites_[from].kind) || access_behind(from, false).has_value();
  }
  // Does the analysis know which instruction makes the store at `to`? Else carries() is false.
  [[nodiscard]] bool can_reach(SiteNumber to) const {
    const auto is_it = [&](const auto& store) { return store.second == to; };
    return is_atomic(sites_[to].kind) || std::ranges::any_of(store_at_, is_it);
  }
  // Is there a branch on what `from` read of which one way always comes to the store or atomic operation at `to`, and the other may not?
  // Only writes further down in the code count: code is in the order of the source.
  [[nodiscard]] bool guards(SiteNumber from, SiteNumber to);
  // Does every thread that makes the read at `from` come to the write at `to`?
  [[nodiscard]] bool always_reaches(SiteNumber from, SiteNumber to) const;
  // Is there a branch on what `from` read whose two ways lead to different barriers, or one of them to the kernel's end?
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
  // The instruction behind the call of a callback that makes the access.
  [[nodiscard]] std::optional<std::uint32_t> access_behind(SiteNumber call, bool writes) const;
  [[nodiscard]] bool ways_part(std::uint32_t branch) const;
  [[nodiscard]] bool may_avoid(std::uint32_t node, SiteNumber write, std::optional<std::uint32_t> branch) const;
  [[nodiscard]] std::set<std::uint32_t> next_barriers(std::uint32_t node) const;
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
