// CallFacts: facts about calls of the runtime, found in the machine code around the call.
//
// Is the result used? Is the second argument the constant 0 or 1? See docs/emulator.md, "What the
// machine code shows".
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "kernels/emulator/code/flow_graph.h"

namespace histolab::kernels::emulator {

// The effect of one instruction on the register of results, and the value of the second argument's
// register behind it. `kept`: it is unchanged. `another`: it is unknown, or neither 0 nor 1.
enum class OnResult : std::uint8_t { none, reads, overwrites };
enum class SecondArgument : std::uint8_t { kept, zero, one, another };

class CallFacts {
 public:
  // `graph` is decoded from `text`, and its first node is the kernel's entry. Both must outlive
  // this object.
  CallFacts(std::span<const std::uint8_t> text, const FlowGraph& graph);

  // Returns whether no path uses the result of the call that ends at this offset. Returns false if
  // that is unclear, or if no call of the runtime ends there.
  [[nodiscard]] bool drops_result(std::uint32_t behind_call) const;
  // Returns the second argument of the call that ends at this offset: `zero` or `one` if it is that
  // constant on every path to the call, otherwise `another`.
  [[nodiscard]] SecondArgument second_argument(std::uint32_t behind_call) const;

 private:
  enum class Way : std::uint8_t {
    on,
    call_outside,
    jump_outside,
    call_own,
    call_unknown,
    end,
    nowhere
  };
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
  std::vector<Step> steps_;                                  // per node
  std::vector<std::vector<std::uint32_t>> before_;           // per node: its predecessors
  std::unordered_map<std::uint32_t, std::uint32_t> node_;    // by the offset at which it begins
  std::unordered_map<std::uint32_t, std::uint32_t> ending_;  // nodes by the offset behind them
  // By a function's first node: the nodes behind all calls of the function.
  std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> behind_;
  // Per node that ends a function: the first nodes of the functions that it may end.
  std::vector<std::vector<std::uint32_t>> owners_;
};

}  // namespace histolab::kernels::emulator
