// Race programs: what threads of a launch do to two small regions, step by step, and an oracle that compares every two
// accesses of them: it draws the graph of what happened before what, with an edge for each reason, and looks for paths.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "kernels/emulator/code/site.h"

namespace histolab::kernels::emulator::testing {

// Two blocks or more of three warps, the last of them with 6 lanes; a region of global and one of shared memory.
inline constexpr std::uint32_t threads = 70, warps = 3;
inline constexpr std::uint64_t region_bytes = 16;
inline constexpr const char* region_names[] = {"out", "s"};

// At a grid barrier all blocks that have begun wait; then block 0 continues. `next_block` then leads to the next of
// them, and does nothing after the last.
struct Step {
  enum class What { access, warp_sync, barrier, next_block, fence, grid_barrier };
  What what = What::access;
  std::uint32_t warp = 0, lanes = 0;
  SiteNumber site = 0;
  std::array<std::uint32_t, 32> offset{};
  std::uint8_t value = 0;        // each byte that a store writes
  std::uint32_t failing = 0;     // lanes whose compare-and-swap changes nothing
  Scope scope = Scope::device;   // of a fence
};

// Steps in the order in which the emulator made them. Each site is on a line of its own.
struct Program {
  std::map<SiteNumber, std::pair<Site, std::uint32_t>> sites;  // and their region
  std::vector<Step> steps;
};
[[nodiscard]] bool has_swap(const Program& program);
[[nodiscard]] bool has_fence(const Program& program);
// How many grid barriers, and blocks that wait at them.
struct GridBarriers {
  std::size_t count = 0;
  std::uint32_t blocks = 0;
};
[[nodiscard]] GridBarriers grid_barriers(const Program& program);
[[nodiscard]] std::string text(const Program& program);

// (variable, line of the earlier access, line of the later one)
using Races = std::set<std::tuple<std::string, int, int>>;
[[nodiscard]] Races races_of(const Program& program);
[[nodiscard]] std::string text(const Races& races);

// Those of them whose threads all write one value, in variables that have no other races.
[[nodiscard]] Races same_value_races(const Program& program);

// The first line that reads shared memory which its block has not written yet; 0: there is none.
[[nodiscard]] int uninitialized_read(const Program& program);

// Leaves out steps and lanes while `fails` holds.
[[nodiscard]] Program smallest(Program program, const std::function<bool(const Program&)>& fails);

}  // namespace histolab::kernels::emulator::testing
