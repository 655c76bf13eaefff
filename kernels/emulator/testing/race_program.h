// Race programs: steps of a launch's threads on two small regions, and an oracle. The oracle
// compares every two accesses. It builds the happens-before graph, with an edge per reason, and
// searches paths.
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

// At least two blocks of three warps, the last one with 6 lanes. One region is global memory, the
// other one shared memory.
inline constexpr std::uint32_t threads = 70, warps = 3;
inline constexpr std::uint64_t region_bytes = 16;
inline constexpr const char* region_names[] = {"out", "s"};

// At a grid barrier all blocks that have begun wait, then block 0 continues. After it, `next_block`
// continues with the next one of these blocks, and does nothing after the last one.
struct Step {
  enum class What { access, warp_sync, barrier, next_block, fence, grid_barrier };
  What what = What::access;
  std::uint32_t warp = 0, lanes = 0;
  SiteNumber site = 0;
  std::array<std::uint32_t, 32> offset{};
  std::uint8_t value = 0;       // value of each byte that a store writes
  std::uint32_t failing = 0;    // lanes whose compare-and-swap changes nothing, as bits
  Scope scope = Scope::device;  // for fences
};

// Steps in the order in which the emulator made them. Each site has its own line.
struct Program {
  std::map<SiteNumber, std::pair<Site, std::uint32_t>> sites;  // with their region
  std::vector<Step> steps;
};
[[nodiscard]] bool has_swap(const Program& program);
[[nodiscard]] bool has_fence(const Program& program);
// The numbers of grid barriers, and of blocks that wait at them.
struct GridBarriers {
  std::size_t count = 0;
  std::uint32_t blocks = 0;
};
[[nodiscard]] GridBarriers grid_barriers(const Program& program);
[[nodiscard]] std::string text(const Program& program);

// Each race is (variable, line of the earlier access, line of the later one).
using Races = std::set<std::tuple<std::string, int, int>>;
[[nodiscard]] Races races_of(const Program& program);
[[nodiscard]] std::string text(const Races& races);

// Returns the races in which both threads always write the same value, or the earlier value has
// been overwritten before. Each is (variable, lower line, higher line).
[[nodiscard]] Races same_value_races(const Program& program);

// Returns the line of the first read of shared memory that its block has not written yet. Returns 0
// if the program has no such read.
[[nodiscard]] int uninitialized_read(const Program& program);

// Removes steps and lanes as long as `fails` returns true.
[[nodiscard]] Program smallest(Program program, const std::function<bool(const Program&)>& fails);

}  // namespace histolab::kernels::emulator::testing
