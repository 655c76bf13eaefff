// ControlFlow: the order of a kernel's sites, and the loops that they are in.
//
// Level 0 is the whole kernel, level k the k-th loop around a site, outermost first. A loop deeper
// than max_level counts as part of the loop around it. See docs/emulator.md, "What the machine code
// shows".
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
  static constexpr std::uint16_t start = 0;  // the number of the kernel's begin

  ControlFlow() : ControlFlow({}, {}) {}
  // `sites` are in ascending order. Each is an offset in the text: the end of the call that makes
  // the access, or one of the last bytes of that call. With more than max_sites the order of the
  // text is used, without loops.
  ControlFlow(const FlowGraph& graph, std::span<const SiteNumber> sites);

  // A lane's way from site `from` to site `to`. `level`: the level of the innermost loop that it
  // did not leave. `round`: it began another round of that loop.
  struct Step {
    std::uint8_t level : 7, round : 1;
  };

  // Sites are numbered from 1. Returns 0 if `site` is not one of them.
  [[nodiscard]] std::uint16_t number(SiteNumber site) const { return number_[site]; }
  [[nodiscard]] std::uint32_t level(std::uint16_t number) const { return level_[number]; }
  // Returns a site's rank among the members of its loop at this level: the lower of two ranks comes
  // first. A site in a deeper loop has the rank of that loop. Ranks are below 2^17, and unique at
  // their level.
  [[nodiscard]] std::uint32_t rank(std::uint16_t number, std::uint32_t level) const {
    return rank_[level * count_ + number];
  }

  // The same as tables, indexed by number, for callers that look up many lanes.
  [[nodiscard]] const std::uint16_t* numbers() const { return number_.data(); }
  [[nodiscard]] const std::uint32_t* ranks(std::uint32_t level) const {
    return rank_.data() + level * count_;
  }
  [[nodiscard]] const Step* steps(std::uint16_t from) const {
    return steps_.data() + first_row_ + from * to_next_row_;
  }

  [[nodiscard]] Step step(std::uint16_t from, std::uint16_t to) const { return steps(from)[to]; }

 private:
  std::size_t count_ = 0;            // numbers in use, including 0
  PerSite<std::uint16_t> number_;    // per SiteNumber
  std::vector<std::uint8_t> level_;  // per number
  std::vector<std::uint32_t> rank_;  // per number, level by level
  // One Step per pair of numbers, in rows by `from`. With too many sites for that, the order of the
  // text is used. Then each row is the previous one shifted by one, and all rows overlap in one of
  // twice the length.
  std::vector<Step> steps_;
  std::ptrdiff_t first_row_ = 0, to_next_row_ = 0;
};

}  // namespace histolab::kernels::emulator
