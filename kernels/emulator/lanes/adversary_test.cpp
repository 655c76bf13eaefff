#include "kernels/emulator/lanes/adversary.h"

#include <doctest/doctest.h>

#include <set>

namespace histolab::kernels::emulator {
namespace {

constexpr NextAccess read(std::uint64_t address) { return {address, true, false}; }
constexpr NextAccess write(std::uint64_t address) { return {address, false, true}; }
constexpr NextAccess update(std::uint64_t address) { return {address, true, true}; }

std::vector<Warp> ready(std::size_t warps) {
  std::vector<Warp> all(warps);
  for (Warp& warp : all) warp.runnable = ~0u;
  return all;
}

// Returns the lanes in the order of their turns, if each one runs to its end.
std::vector<std::uint32_t> order(std::uint64_t seed) {
  Adversary adversary(2, seed);
  adversary.begin_interval();
  std::vector<Warp> warps = ready(2);
  std::vector<std::uint32_t> lanes;
  for (std::uint32_t lane; (lane = adversary.next_lane(warps)) != Lanes::none;) {
    lanes.push_back(lane);
    warps[lane / 32].runnable &= ~(1u << lane % 32);
  }
  return lanes;
}

// Returns a lane of a warp that gets delayed (`hesitant`), or of one that does not.
std::uint32_t lane_of_a_warp(Adversary& adversary, std::size_t warps, bool hesitant) {
  for (std::uint32_t warp = 0; warp < warps; ++warp)
    for (std::uint64_t word = 0, found = 0; word < 8; ++word) {
      const std::uint64_t address = 0x10000 + (warp * 8 + word) * 64;
      const bool went_on = adversary.continues(warp * 32, read(address)) &&
                           adversary.continues(warp * 32, write(address));
      found += went_on != hesitant;
      if (found > 4) return warp * 32 + 1;
    }
  return Lanes::none;
}

TEST_CASE("every lane gets its turn, warp by warp, in an order that the seed decides") {
  const std::vector<std::uint32_t> lanes = order(1);
  CHECK(lanes.size() == 64);
  CHECK(std::set<std::uint32_t>(lanes.begin(), lanes.end()).size() == 64);
  for (std::size_t i = 1; i < 32; ++i) CHECK(lanes[i] / 32 == lanes[0] / 32);
  CHECK(order(1) == lanes);
  CHECK(order(2) != lanes);
}

TEST_CASE("a warp is either never delayed, or nearly always before it writes what it has read") {
  Adversary adversary(16, 3);
  adversary.begin_interval();
  const std::uint32_t bold = lane_of_a_warp(adversary, 16, false),
                      hesitant = lane_of_a_warp(adversary, 16, true);
  REQUIRE(bold != Lanes::none);
  REQUIRE(hesitant != Lanes::none);
  int delays[2] = {};
  for (std::uint64_t address = 0x100000; address < 0x100000 + 100 * 64; address += 64)
    for (const bool which : {false, true}) {
      const std::uint32_t lane = which ? hesitant : bold;
      if (adversary.continues(lane, read(address + which * 8)))
        delays[which] += !adversary.continues(lane, write(address + which * 8));
    }
  CHECK(delays[0] <= 2);  // only because a long turn ends
  CHECK(delays[1] > 80);
}

TEST_CASE("delayed lanes run only if no other lane can, the last delayed one first") {
  Adversary adversary(16, 3);
  adversary.begin_interval();
  const std::uint32_t first = lane_of_a_warp(adversary, 16, true);
  REQUIRE(first != Lanes::none);
  const std::uint32_t second = first + 1;
  const auto delay = [&](std::uint32_t lane) {
    for (std::uint64_t address = 0x100000 + lane * 4096;; address += 64)
      if (!adversary.continues(lane, read(address)) || !adversary.continues(lane, write(address)))
        return;
  };
  delay(first);
  delay(second);
  std::vector<Warp> warps(16);
  warps[first / 32].runnable = 1u << first % 32 | 1u << second % 32;
  const std::uint32_t other = first / 32 == 0 ? 1 : 0;
  warps[other].runnable = 1;
  CHECK(adversary.next_lane(warps) == other * 32);
  warps[other].runnable = 0;
  CHECK(adversary.next_lane(warps) == second);
  warps[second / 32].runnable &= ~(1u << second % 32);
  CHECK(adversary.next_lane(warps) == first);
}

TEST_CASE("a lane that polls yields to all other lanes, delayed or not") {
  for (const NextAccess& access : {read(0x5000), update(0x5000)}) {
    Adversary adversary(1, 1);
    adversary.begin_interval();
    std::vector<Warp> warps = ready(1);
    const std::uint32_t waits = adversary.next_lane(warps);
    int accesses = 1;
    while (adversary.continues(waits, access)) REQUIRE(++accesses < 8);
    std::uint32_t next = Lanes::none;
    for (int others = 0; others < 31; ++others) {
      next = adversary.next_lane(warps);
      CHECK(next != waits);
      warps[0].runnable &= ~(1u << next);
    }
    CHECK(adversary.next_lane(warps) == waits);
  }
}

TEST_CASE("some intervals let a warp sprint through its polls, until a limit is reached") {
  Adversary adversary(3, 1);
  const std::vector<Warp> warps = ready(3);
  int sprints = 0;
  for (int interval = 0; interval < 64; ++interval) {
    adversary.begin_interval();
    const std::uint32_t lane = adversary.next_lane(warps);
    bool continues = true;
    for (int reads = 0; continues && reads < 1000; ++reads)
      continues = adversary.continues(lane, read(0x10000));
    sprints += continues;
  }
  CHECK(sprints > 16);
  CHECK(sprints < 48);
  adversary.begin_interval();
  int in_vain = 0;
  for (std::uint64_t reads = 0; reads < 5'000'000 && in_vain < 10; ++reads) {
    const std::uint32_t lane = adversary.next_lane(warps);
    if (!adversary.continues(lane, read(0x10000))) {
      ++in_vain;
      adversary.begin_interval();
    }
  }
  for (int interval = 0; interval < 64; ++interval) {
    adversary.begin_interval();
    const std::uint32_t lane = adversary.next_lane(warps);
    bool continues = true;
    for (int reads = 0; continues && reads < 1000; ++reads)
      continues = adversary.continues(lane, read(0x10000));
    CHECK_FALSE(continues);
  }
}

TEST_CASE("a turn ends") {
  Adversary adversary(1, 1);
  adversary.begin_interval();
  const std::uint32_t lane = adversary.next_lane(ready(1));
  int accesses = 0;
  while (adversary.continues(lane, read(0x5000 + static_cast<std::uint64_t>(accesses) * 64)))
    REQUIRE(++accesses < 1000);
  CHECK(adversary.next_lane(ready(1)) != lane);
}

TEST_CASE("lanes with a full log are not scheduled") {
  Adversary adversary(1, 1);
  adversary.begin_interval();
  std::vector<Warp> warps = ready(1);
  warps[0].full = ~1u;
  CHECK(adversary.next_lane(warps) == 0);
  warps[0].full = ~0u;
  CHECK(adversary.next_lane(warps) == Lanes::none);
}

}  // namespace
}  // namespace histolab::kernels::emulator
