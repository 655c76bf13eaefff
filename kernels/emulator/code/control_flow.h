// ControlFlow: the order of a kernel's sites, and the loops that they are in.
//
// A warp's lanes that part at a branch meet again behind it, and lanes that go round a loop more
// often keep the others waiting behind it. To reconstruct that from the lanes' accesses, one has to
// know for any two sites: does a lane that was at one reach the other going forward, or by going
// round a loop, and which? That is computed once from the kernel's flow graph. Loops are the
// natural loops of its backward edges (Aho, Lam, Sethi, Ullman: Compilers, 9.6), the order is a
// reverse postorder. For a kernel with thousands of sites it is not computed: the sites are then
// assumed to come in the order of the text.
//
// Levels: 0 is the whole kernel, level k the k-th loop around a site, outermost first. Loops below max_level count as part
// of the one around them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "kernels/emulator/code/flow_graph.h"
#include "kernels/emulator/code/site.h"

namespace histolab::kernels::emulator {

class ControlFlow {
 public:
  static constexpr std::uint32_t max_level = 7;
  static constexpr std::size_t max_sites = 2048;
  static constexpr std::uint16_t start = 0;  // the number of the kernel's begin, before its first site

  ControlFlow() : ControlFlow({}, {}) {}
  // `sites`: in rising order. As an offset in the text each is behind the call that makes it, or on
  // one of that call's last bytes.
  ControlFlow(const FlowGraph& graph, std::span<const SiteNumber> sites);

  // A lane was at `from`, and is at `to` now. `level`: that of the innermost loop that it did not leave on the way.
  // `round`: it went round that one.
  struct Step {
    std::uint8_t level : 7, round : 1;
  };

  // Sites are numbered from 1; a SiteNumber that is none of them has number 0.
  [[nodiscard]] std::uint16_t number(SiteNumber site) const { return number_[site]; }
  [[nodiscard]] std::uint32_t level(std::uint16_t number) const { return level_[number]; }
  // A site's rank among the direct members of the loop around it at this level: of two, the lower
  // one comes first. A deeper site counts as the loop that it is in, and has its rank. Below 2^17,
  // and unique at that level.
  [[nodiscard]] std::uint32_t rank(std::uint16_t number, std::uint32_t level) const { return rank_[level * count_ + number]; }

  // The same as tables, by number, for callers that look up many lanes.
  [[nodiscard]] const std::uint16_t* numbers() const { return number_.data(); }
  [[nodiscard]] const std::uint32_t* ranks(std::uint32_t level) const { return rank_.data() + level * count_; }
  [[nodiscard]] const Step* steps(std::uint16_t from) const { return steps_.data() + first_row_ + from * to_next_row_; }

  [[nodiscard]] Step step(std::uint16_t from, std::uint16_t to) const {
    return steps(from)[to];
  }

 private:
  std::size_t count_ = 0;              // of numbers
  PerSite<std::uint16_t> number_;  // of each SiteNumber
  std::vector<std::uint8_t> level_;    // of each number
  std::vector<std::uint32_t> rank_;    // of each number, level by level
  // Of each two numbers. In the order of the text, where there are too many for that, each row is the one before it, moved on by one: all
  // of them lie in one that is twice as long.
  std::vector<Step> steps_;
  std::ptrdiff_t first_row_ = 0, to_next_row_ = 0;
};

}  // namespace histolab::kernels::emulator
