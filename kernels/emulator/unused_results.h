// UnusedResults: does anybody look at what a call returns?
//
// An atomic operation returns the old value, and most kernels never look at it: then the order in which additions are made
// cannot be told from anything. That is decided from the machine code. All paths are followed from behind the call until rax
// is overwritten, the runtime is called (which overwrites it), or the kernel ends; a path on which it is read first, and
// whatever is not clear, counts as a use. What a function of the kernel's own returns is followed to behind all calls of it.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "kernels/emulator/flow_graph.h"

namespace histolab::kernels::emulator {

class UnusedResults {
 public:
  // `graph`: decoded from `text`, with the kernel's entry as its first node. Both outlive this.
  UnusedResults(std::span<const std::uint8_t> text, const FlowGraph& graph);

  // Of the call that ends at this offset: true when no path looks at what it returned.
  [[nodiscard]] bool unused(std::uint32_t behind_call) const;

 private:
  enum class Effect : std::uint8_t { none, reads, overwrites };  // of an instruction on rax
  enum class Way : std::uint8_t { on, call_outside, jump_outside, call_own, call_unknown, end, nowhere };
  struct Step {
    Effect effect = Effect::reads;
    Way way = Way::nowhere;
  };
  [[nodiscard]] Step decode(const FlowNode& node) const;
  void find_owners();

  std::span<const std::uint8_t> text_;
  const FlowGraph& graph_;
  std::vector<Step> steps_;                                 // of each node
  std::unordered_map<std::uint32_t, std::uint32_t> node_;   // by the offset at which it begins
  std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> behind_;  // calls of the function that begins with a node: what lies behind them
  std::vector<std::vector<std::uint32_t>> owners_;          // of each node that ends a function: the functions' first nodes
};

}  // namespace histolab::kernels::emulator
