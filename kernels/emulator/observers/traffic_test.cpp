// Compares the traffic observer with the definitions (testing/defined_traffic.h).
#include "kernels/emulator/observers/traffic.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "kernels/emulator/observers/access_recorder.h"
#include "kernels/emulator/observers/testing/defined_traffic.h"
#include "kernels/emulator/observers/testing/race_watch.h"
#include "kernels/emulator/testing/launch_fixture.h"
#include "kernels/emulator/testing/random.h"

namespace histolab::kernels::emulator {
namespace {

using Offsets = std::array<std::uint32_t, 32>;
using reference::Counters;
using reference::Traffic;
using testing::add;
using testing::differences;
using testing::same_address_degree;
using testing::text;

// Checks each access and its recorded cost separately. Checks the sums by line at the end.
class Machine {
 public:
  testing::LaunchFixture launch;

  Machine() {
    launch.context.accesses = &recorded_;
    launch.context.recorded_accesses = 1;
  }

  void check(const WarpAccess& access) {
    AccessRecorder fresh(launch.context);
    fresh.on_access(access);
    fresh.on_launch_end();
    Traffic expected;
    add(expected, access);
    const std::string differ = differences(launch.counters, expected);
    REQUIRE_MESSAGE(differ.empty(), differ, text(access));
    REQUIRE(recorded_.size() == 1);
    const RecordedAccess& recorded = recorded_[0];
    REQUIRE(recorded.base == access.region->bank_base);
    REQUIRE_MESSAGE(recorded.sectors == expected.global_load.sectors +
                                            expected.global_store.sectors +
                                            expected.global_atomic.sectors,
                    text(access));
    REQUIRE_MESSAGE(recorded.wavefronts == expected.shared_load.wavefronts +
                                               expected.shared_store.wavefronts +
                                               expected.shared_atomic.wavefronts,
                    text(access));
    REQUIRE_MESSAGE(
        recorded.same_address_degree == (is_atomic(access.kind) ? same_address_degree(access) : 0),
        text(access));
    forget();
    observer_.on_access(access);
    add(of_line_[launch.context.line(access.site)], access);
    if (is_atomic(access.kind)) add_updates(access);
  }

  void check_lines() {
    observer_.on_launch_end();
    Traffic total;
    REQUIRE(launch.lines.size() == of_line_.size());
    std::size_t i = 0;
    for (const auto& [line, expected] : of_line_) {
      CHECK(launch.lines[i].line == line);
      const std::string differ = differences(launch.lines[i++].counters, expected);
      CHECK_MESSAGE(differ.empty(), "line ", line, ": ", differ);
      total += expected;
    }
    CHECK(differences(launch.counters, total).empty());
    check_pressure();
  }

 private:
  void forget() {
    launch.counters = {};
    launch.lines.clear();
    launch.pressure.clear();
    recorded_.clear();
  }

  void add_updates(const WarpAccess& access) {
    std::uint32_t& narrowest = narrowest_.try_emplace(access.region, 8).first->second;
    narrowest = std::min(narrowest, std::max<std::uint32_t>(access.bytes, 4));
    auto& updates = updates_[access.region];
    for_each_lane(access.active, [&](std::uint32_t l) {
      const std::uint64_t word = access.offset[l] / 4;
      if (word < (1 << 18))
        ++updates[word];
      else
        ++beyond_[access.region];
    });
  }

  void check_pressure() {
    REQUIRE(launch.pressure.size() == updates_.size());
    for (const reference::AtomicPressure& got : launch.pressure) {
      const auto expected = std::ranges::find(updates_, got.variable,
                                              [](const auto& entry) { return entry.first->name; });
      REQUIRE(expected != updates_.end());
      std::vector<std::pair<std::int64_t, std::uint64_t>> order;  // most updates first
      std::uint64_t sum = beyond_[expected->first];
      const std::uint32_t known = expected->first->element_bytes,
                          element = known != 0 ? known : narrowest_[expected->first];
      std::map<std::uint64_t, std::uint64_t> of_element;
      for (const auto& [word, count] : expected->second) of_element[word * 4 / element] += count;
      for (const auto& [index, count] : of_element) {
        order.emplace_back(-static_cast<std::int64_t>(count), index);
        sum += count;
      }
      std::ranges::sort(order);
      CHECK(got.shared == (expected->first->space == Space::shared));
      CHECK(got.element_bytes == element);
      CHECK(got.updates == sum);
      CHECK(got.uncounted == beyond_[expected->first]);
      CHECK(got.elements == order.size());
      REQUIRE(got.top.size() == std::min<std::size_t>(order.size(), 64));
      for (std::size_t i = 0; i < got.top.size(); ++i) {
        CHECK(got.top[i].index == order[i].second);
        CHECK(got.top[i].updates == static_cast<std::uint64_t>(-order[i].first));
      }
    }
  }

  std::vector<RecordedAccess> recorded_;
  TrafficObserver observer_{launch.context};
  std::map<int, Traffic> of_line_;
  std::map<const Region*, std::map<std::uint64_t, std::uint64_t>> updates_;  // by word
  std::map<const Region*, std::uint32_t> narrowest_;
  std::map<const Region*, std::uint64_t> beyond_;
};

// Returns the site for this kind of access and width. Four sites are on one line.
SiteNumber site_of(testing::LaunchFixture& launch, AccessKind kind, std::uint8_t bytes) {
  const auto number = static_cast<SiteNumber>(1 + static_cast<unsigned>(kind) * 20 + bytes);
  launch.site(number, kind, bytes, number / 4);
  return number;
}

// Returns offsets of a warp's lanes, in one of the patterns of kernels. Each is a multiple of
// `unit` and below `size`.
Offsets some_offsets(testing::Random& random, std::uint32_t unit, std::uint64_t size) {
  Offsets offset;
  const std::uint32_t shape = random.below(6);
  const auto units = static_cast<std::uint32_t>(std::min<std::uint64_t>(size / unit - 1, ~0u));
  const std::uint32_t span =
      1 + random.below(std::min(units, random.one_in(3) ? units : 1 + random.below(400)));
  const std::uint32_t first = random.below(units - span + 1),
                      stride = 1 + random.below(span / 32 + 1);
  for (std::uint32_t l = 0; l < 32; ++l) {
    std::uint32_t at = 0;
    switch (shape) {
      case 0: at = first; break;                                      // one for all
      case 1: at = first + std::min(l * stride, span); break;         // ascending
      case 2: at = first + std::min((31 - l) * stride, span); break;  // descending
      case 3: at = first + std::min((l ^ 5) * stride, span); break;   // permuted
      case 4: at = first + std::min(l / 3 * stride, span); break;     // in threes
      default: at = first + random.below(span); break;
    }
    offset[l] = at * unit;
  }
  return offset;
}

constexpr AccessKind kinds[] = {
    AccessKind::load,   AccessKind::volatile_load,    AccessKind::store,
    AccessKind::atomic, AccessKind::compare_and_swap, AccessKind::exchange};

TEST_CASE("global memory: all counters are as defined, for accesses of every width and shape") {
  Machine machine;
  const Region* regions[] = {
      &machine.launch.add({.name = "small", .size = 600, .element_bytes = 4}),
      &machine.launch.add({.name = "large", .size = 1 << 20, .element_bytes = 12}),
      &machine.launch.add({.name = "largest", .size = 1ull << 32})};
  testing::Random random(2);
  for (int round = 0; round < 20'000; ++round) {
    const auto bytes = static_cast<std::uint8_t>(1u << random.below(5));
    const AccessKind kind = kinds[random.below(bytes == 1 || bytes == 16 ? 3 : 6)];
    const SiteNumber site = site_of(machine.launch, kind, bytes);
    const std::uint32_t unit = random.one_in(8)
                                   ? std::min<std::uint32_t>(bytes, 1u << random.below(4))
                                   : bytes;  // seldom misaligned
    machine.check(testing::access(machine.launch, site, *regions[0], 0, random.lanes(),
                                  some_offsets(random, unit, regions[0]->size - bytes)));
    const Region& region = *regions[random.below(3)];
    machine.check(testing::access(machine.launch, site, region, 0, random.lanes(),
                                  some_offsets(random, unit, region.size - bytes)));
  }
  machine.check_lines();
}

TEST_CASE("global memory: sectors are as defined, for every stride and first word") {
  Machine machine;
  const Region& data = machine.launch.add({.name = "data", .size = 1 << 16, .element_bytes = 4});
  const SiteNumber site = site_of(machine.launch, AccessKind::load, 4);
  for (std::uint32_t distance = 0; distance <= 64; ++distance)
    for (std::uint32_t first = 0; first < 8; ++first) {
      Offsets offsets;
      for (std::uint32_t l = 0; l < 32; ++l) offsets[l] = 4 * (first + distance * l);
      machine.check(testing::access(machine.launch, site, data, 0, ~0u, offsets));
    }
  machine.check_lines();
}

TEST_CASE("global memory: two bytes are in one or two sectors, at any distance") {
  Machine machine;
  const Region& data = machine.launch.add({.name = "data", .size = 4096, .element_bytes = 1});
  const SiteNumber site = site_of(machine.launch, AccessKind::load, 1);
  for (std::uint32_t sectors = 0; sectors <= 70; ++sectors)
    for (const std::uint32_t first : {0u, 31u, 32u})
      for (const std::uint32_t last : {0u, 31u}) {
        Offsets offsets;
        offsets.fill(first / 32 * 32 + 32 * sectors + last);
        offsets[0] = first;
        machine.check(testing::access(machine.launch, site, data, 0, ~0u, offsets));
      }
  machine.check_lines();
}

TEST_CASE("global memory: sectors of an atomic are counted separately, at any distance") {
  Machine machine;
  const Region& histo = machine.launch.add({.name = "histo", .size = 1 << 16, .element_bytes = 4});
  const SiteNumber site = site_of(machine.launch, AccessKind::atomic, 4);
  for (std::uint32_t sectors = 0; sectors <= 130; ++sectors)
    for (const std::uint32_t first : {0u, 62u}) {
      Offsets offsets;
      for (std::uint32_t l = 0; l < 32; ++l)
        offsets[l] = 32 * (first + sectors * (l % 5)) + 4 * (l % 3);
      machine.check(testing::access(machine.launch, site, histo, 0, ~0u, offsets));
    }
  machine.check_lines();
}

TEST_CASE("a misaligned input is counted by the sectors that it actually covers") {
  Machine machine;
  for (const std::uint32_t askew : {1u, 3u, 16u, 31u})
    machine.launch.add(
        {.name = fmt::format("by {}", askew), .size = 4096, .askew = askew, .element_bytes = 1});
  testing::Random random(4);
  for (int round = 0; round < 4'000; ++round) {
    const auto bytes = static_cast<std::uint8_t>(1u << random.below(5));
    const SiteNumber site = site_of(machine.launch, AccessKind::load, bytes);
    const Region& region = machine.launch.window.regions()[1 + random.below(4)];
    machine.check(
        testing::access(machine.launch, site, region, 0, random.lanes(),
                        some_offsets(random, random.one_in(2) ? 1 : bytes, region.size - bytes)));
  }
  machine.check_lines();
}

TEST_CASE("shared memory: all counters are as defined, for accesses of every width and shape") {
  Machine machine;
  testing::Random random(3);
  for (int i = 0; i < 24; ++i)
    machine.launch.add({.space = Space::shared,
                        .name = fmt::format("s{}", i),
                        .size = 48 * 1024,
                        .bank_base = random.below(200)});
  for (int round = 0; round < 20'000; ++round) {
    const auto bytes = static_cast<std::uint8_t>(1u << random.below(5));
    const AccessKind kind = kinds[random.below(bytes == 1 || bytes == 16 ? 3 : 6)];
    const SiteNumber site = site_of(machine.launch, kind, bytes);
    const Region& region = machine.launch.window.regions()[1 + random.below(24)];
    if (region.bank_base % bytes != 0) continue;  // a GPU stops at a misaligned access
    machine.check(testing::access(machine.launch, site, region, 0, random.lanes(),
                                  some_offsets(random, bytes, region.size)));
  }
  machine.check_lines();
}

TEST_CASE("shared memory: words of a misaligned array are counted separately, at any distance") {
  Machine machine;
  for (const std::uint64_t base : {0, 1, 2, 3})
    machine.launch.add({.space = Space::shared,
                        .name = fmt::format("from {}", base),
                        .size = 4096,
                        .bank_base = base});
  const SiteNumber site = site_of(machine.launch, AccessKind::load, 1);
  for (std::uint32_t distance = 1; distance <= 1100; ++distance)
    for (std::size_t region = 1; region <= 4; ++region) {
      Offsets offsets;
      for (std::uint32_t l = 0; l < 32; ++l) offsets[l] = l == 0 ? 0 : distance - l % 2;
      machine.check(testing::access(machine.launch, site, machine.launch.window.regions()[region],
                                    0, ~0u, offsets));
    }
  machine.check_lines();
}

TEST_CASE("shared memory: wavefronts of misaligned 8-byte accesses are as defined") {
  Machine machine;
  const Region& data = machine.launch.add({.space = Space::shared, .name = "s", .size = 4096});
  for (const AccessKind kind : {AccessKind::load, AccessKind::store}) {
    const SiteNumber site = site_of(machine.launch, kind, 8);
    Offsets offsets{};
    for (std::uint32_t lanes = 1; lanes <= 16; ++lanes) {
      offsets[lanes - 1] = lanes == 1 ? 0 : 4 * (32 * (lanes - 1) + 1);
      machine.check(testing::access(machine.launch, site, data, 0, (1u << lanes) - 1, offsets));
    }
  }
  machine.check_lines();
}

TEST_CASE("the busiest warp's loads are counted per launch, repeated loads per line") {
  testing::LaunchFixture launch;
  const Region& data =
      launch.add({.role = Region::Role::input, .name = "data", .size = 4096, .element_bytes = 4});
  launch.site(4, AccessKind::load, 4, 12);
  launch.site(8, AccessKind::store, 4, 13);
  TrafficObserver observer(launch.context);
  const auto touch = [&](SiteNumber site, std::uint32_t offset) {
    Offsets offsets;
    offsets.fill(offset);
    observer.on_access(testing::access(launch, site, data, 0, ~0u, offsets));
  };
  touch(4, 0);
  touch(4, 0);
  touch(8, 4);
  touch(4, 0);
  launch.context.barrier = 8;
  observer.on_barrier();
  touch(4, 0);
  observer.on_block_end();
  touch(4, 4);
  observer.on_block_end();
  observer.on_launch_end();
  CHECK(launch.counters.busiest.of_blocks.global == 4);
  CHECK(launch.counters.busiest.most.global == 3);
  REQUIRE(launch.lines.size() == 2);
  CHECK(launch.lines[0].counters.repeated_loads == 1);
  CHECK(launch.lines[1].counters.repeated_loads == 0);
}

TEST_CASE(
    "a line counts volatile loads, additions of one, swaps, and 8-byte shared atomics as a loop") {
  testing::LaunchFixture launch;
  const Region& data =
      launch.add({.role = Region::Role::output, .name = "data", .size = 4096, .element_bytes = 8});
  const Region& bins = launch.add(
      {.role = Region::Role::shared_static, .space = Space::shared, .name = "bins", .size = 4096});
  using enum AccessKind;
  // `lanes`: number of lanes per address. The addresses are in different sectors and in one bank.
  const auto told = [&](AccessKind kind, std::uint8_t bytes, bool adds_one = false,
                        std::uint32_t lanes = 4) {
    launch.site(4, kind, bytes, 12);
    (*launch.sites)[4].adds_one = adds_one;
    Offsets offsets;
    for (std::uint32_t l = 0; l < 32; ++l) offsets[l] = l / lanes * 128;
    TrafficObserver observer(launch.context);
    for (const Region* region : {&data, &bins})
      observer.on_access(testing::access(launch, 4, *region, 0, ~0u, offsets));
    observer.on_launch_end();
    const Traffic line = std::exchange(launch.lines, {}).at(0).counters;
    const auto work = [](const reference::AtomicWork& w) {
      return fmt::format("{}, {}, {}", w.requests, w.wavefronts, w.degrees);
    };
    return fmt::format("{}; {}; {}; {}", line.volatile_loads, work(line.shared_increments),
                       work(line.shared_swaps), work(line.global_swaps));
  };
  const char* const nothing = "0; 0, 0, 0; 0, 0, 0; 0, 0, 0";
  CHECK(told(load, 4) == nothing);
  CHECK(told(store, 4) == nothing);
  CHECK(told(volatile_load, 4) == "1; 0, 0, 0; 0, 0, 0; 0, 0, 0");
  CHECK(told(atomic, 4) == nothing);
  CHECK(told(exchange, 4) == nothing);
  CHECK(told(exchange, 8) == nothing);
  CHECK(told(atomic, 4, true) == "0; 1, 8, 4; 0, 0, 0; 0, 0, 0");
  CHECK(told(compare_and_swap, 4) == "0; 0, 0, 0; 1, 64, 4; 1, 32, 4");
  CHECK(told(compare_and_swap, 8) == "0; 0, 0, 0; 1, 8, 4; 1, 32, 4");
  CHECK(told(atomic, 8) == "0; 0, 0, 0; 4, 8, 10; 0, 0, 0");  // a round for each of the four lanes
  CHECK(told(atomic, 4, true, 1) == "0; 1, 32, 1; 0, 0, 0; 0, 0, 0");
  CHECK(told(atomic, 4, true, 32) == "0; 1, 1, 32; 0, 0, 0; 0, 0, 0");
  CHECK(told(compare_and_swap, 4, false, 1) == "0; 0, 0, 0; 1, 64, 1; 1, 32, 1");
  CHECK(told(compare_and_swap, 4, false, 32) == "0; 0, 0, 0; 1, 64, 32; 1, 32, 32");
  CHECK(told(atomic, 8, false, 1) == "0; 0, 0, 0; 1, 32, 1; 0, 0, 0");
  CHECK(told(atomic, 8, false, 32) == "0; 0, 0, 0; 32, 2, 528; 0, 0, 0");
}

TEST_CASE("memory use does not grow with the number of accesses") {
  testing::LaunchFixture launch;
  const Region& data =
      launch.add({.role = Region::Role::input, .name = "data", .size = 4096, .element_bytes = 4});
  launch.site(4, AccessKind::load, 4, 12);
  TrafficObserver observer(launch.context);
  std::size_t before = 0;
  for (int i = 0; i < 1 << 14; ++i) {
    observer.on_access(testing::access(launch, 4, data, 0, ~0u, {}));
    if (i == 0) before = testing::memory_in_use();
  }
  CHECK(testing::memory_in_use() < before + (1 << 14));
}

TEST_CASE("each warp of a block counts at a barrier, also a partial last warp") {
  for (const std::uint32_t threads : {1u, 32u, 33u, 100u, 1024u}) {
    testing::LaunchFixture launch({threads, 1, 1});
    launch.site(7, AccessKind::load, 4, 12);
    launch.site(9, AccessKind::load, 4, 15);
    TrafficObserver observer(launch.context);
    for (const SiteNumber barrier : {SiteNumber{7}, SiteNumber{9}, SiteNumber{9}}) {
      launch.context.barrier = barrier;
      observer.on_barrier();
    }
    observer.on_launch_end();
    const std::uint64_t warps = (threads + 31) / 32;
    CHECK(launch.counters.barriers == 3 * warps);
    REQUIRE(launch.lines.size() == 2);
    CHECK(launch.lines[0].line == 12);
    CHECK(launch.lines[0].counters.barriers == warps);
    CHECK(launch.lines[1].line == 15);
    CHECK(launch.lines[1].counters.barriers == 2 * warps);
  }
}

}  // namespace
}  // namespace histolab::kernels::emulator
