// CallFacts: facts about a call of the runtime, from the machine code around it: is its result used, and is its argument 0 or 1?
//
// An atomic operation returns the old value, and most kernels ignore it: then the order of
// additions has no effect. The machine code decides. All paths are followed from the end of the
// call until rax is overwritten, the runtime is called (which overwrites it), or the kernel ends. A
// path that reads it first, and anything unclear, counts as a use. The result of a function of the
// kernel's own is followed to behind all calls of it.
//
// The second argument of a call (esi) is followed backwards, on all paths as well: is it the
// constant 0 or 1?
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "kernels/emulator/code/flow_graph.h"

namespace histolab::kernels::emulator {

// Per instruction: its effect on rax, and the value of esi behind it. `another`: an unknown value,
// or neither 0 nor 1.
enum class OnResult : std::uint8_t { none, reads, overwrites };
enum class SecondArgument : std::uint8_t { kept, zero, one, another };

class CallFacts {
 public:
  // `graph`: decoded from `text`, with the kernel's entry as its first node. Both outlive this.
  CallFacts(std::span<const std::uint8_t> text, const FlowGraph& graph);

  // Returns whether no path uses the result of the call that ends at this offset.
  [[nodiscard]] bool drops_result(std::uint32_t behind_call) const;
  // Returns the second argument of the same call, if it is one constant on every way there; never
  // `kept`.
  [[nodiscard]] SecondArgument second_argument(std::uint32_t behind_call) const;

 private:
  enum class Way : std::uint8_t { on, call_outside, jump_outside, call_own, call_unknown, end, nowhere };
  struct Step {
    OnResult effect = OnResult::reads;
    Way way = Way::nowhere;
    SecondArgument argument = SecondArgument::another;
  };
  [[nodiscard]] Step decode(const FlowNode& node) const;
  void find_owners();
  [[nodiscard]] std::optional<std::uint32_t> call_before(std::uint32_t behind_call) const;

  std::span<const std::uint8_t> text_;
  const FlowGraph& graph_;
  std::vector<Step> steps_;                                 // of each node
  std::vector<std::vector<std::uint32_t>> before_;          // of each node: those that it may come behind
  std::unordered_map<std::uint32_t, std::uint32_t> node_;   // by the offset at which it begins
  std::unordered_map<std::uint32_t, std::uint32_t> ending_; // by the offset behind it
  std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> behind_;  // calls of the function that begins with a node: what lies behind them
  std::vector<std::vector<std::uint32_t>> owners_;          // of each node that ends a function: the functions' first nodes
};

}  // namespace histolab::kernels::emulator
