// Tests the effects of chunks on memory, whether they fit together, and their merged result. Also
// tests reports with any contents.
#include "kernels/emulator/parallel/chunk_effects.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <memory>
#include <numeric>

#include "kernels/emulator/parallel/chunk_report.h"
#include "kernels/emulator/testing/launch_fixture.h"
#include "reference/splitmix64.h"

namespace histolab::kernels::emulator {
namespace {

using testing::LaunchFixture;

constexpr SiteNumber load_4 = 1, store_4 = 2, add_4 = 3, used_4 = 4, max_4 = 5, store_1 = 6,
                     load_8 = 7, volatile_4 = 8, add_8 = 9, unknown = 10;

struct Fixture : LaunchFixture {
  Fixture() {
    site(load_4, AccessKind::load, 4), site(store_4, AccessKind::store, 4),
        site(add_4, AccessKind::atomic, 4), site(used_4, AccessKind::atomic, 4);
    site(max_4, AccessKind::atomic, 4), site(store_1, AccessKind::store, 1),
        site(load_8, AccessKind::load, 8), site(volatile_4, AccessKind::volatile_load, 4);
    site(add_8, AccessKind::atomic, 8);
    updates[add_4] = MergeableUpdate::add_32, updates[max_4] = MergeableUpdate::max_u32,
    updates[add_8] = MergeableUpdate::add_64;
    out = &add({.role = Region::Role::output, .name = "out", .size = 62});
    data = &add({.role = Region::Role::input, .name = "data", .size = 64});
    old = &add({.role = Region::Role::output, .name = "old", .size = 64});
    part = &add(
        {.role = Region::Role::shared_static, .space = Space::shared, .name = "part", .size = 64});
  }
  // Returns the states after accesses of one lane each, given as (site, offset).
  std::vector<std::uint8_t> states_after(
      const std::vector<std::pair<SiteNumber, std::uint32_t>>& accesses,
      const Region* region = nullptr) {
    std::vector<std::uint8_t> states(out->size), bytes(out->size);
    unclear = false;
    ChunkEffects effects(context, {{out, states, bytes}}, {data}, updates, unclear);
    for (const auto& [number, offset] : accesses) {
      std::array<std::uint32_t, 32> offsets{};
      offsets.fill(offset);
      effects.on_access(
          testing::access(*this, number, region == nullptr ? *out : *region, 0, 1, offsets));
    }
    context.decided = false;
    effects.on_block_end();
    return states;
  }
  bool fit(std::vector<std::uint8_t> a, std::vector<std::uint8_t> b) {
    std::vector<std::uint8_t> bytes(out->size), untouched(out->size);
    return fit_together(
        std::vector<TouchedRegion>{{out, a, bytes}, {out, untouched, bytes}, {out, b, bytes}});
  }
  bool fit(SiteNumber a, std::uint32_t at_a, SiteNumber b, std::uint32_t at_b) {
    return fit(states_after({{a, at_a}}), states_after({{b, at_b}}));
  }

  std::vector<MergeableUpdate> updates = std::vector<MergeableUpdate>(65536, MergeableUpdate::none);
  const Region *out, *data, *old, *part;
  bool unclear = false;
};

}  // namespace

TEST_CASE_FIXTURE(
    Fixture,
    "the state of a byte is its kind of access, or changed after accesses of several kinds") {
  CHECK(states_after({{load_4, 4}}) == [] {
    std::vector<std::uint8_t> s(62);
    std::fill_n(s.begin() + 4, 4, ByteState::read);
    return s;
  }());
  const auto at = [&](const std::vector<std::pair<SiteNumber, std::uint32_t>>& accesses) {
    return states_after(accesses)[8];
  };
  CHECK(at({}) == ByteState::untouched);
  CHECK(at({{load_4, 8}, {volatile_4, 8}}) == ByteState::read);
  CHECK(at({{store_4, 8}}) == ByteState::changed);
  CHECK(at({{add_4, 8}, {add_4, 8}}) == ByteState::by(MergeableUpdate::add_32));
  CHECK(at({{add_4, 8}, {max_4, 8}}) == ByteState::changed);
  CHECK(at({{add_4, 8}, {load_4, 8}}) == ByteState::changed);
  CHECK(at({{load_4, 8}, {add_4, 8}}) == ByteState::changed);
  CHECK(at({{used_4, 8}}) == ByteState::changed);
  CHECK(at({{add_4, 6}}) == ByteState::changed);  // misaligned
  CHECK(at({{add_8, 8}}) == ByteState::by(MergeableUpdate::add_64));
}

TEST_CASE_FIXTURE(
    Fixture,
    "inputs and shared memory have no effects; a buffer of another launch makes them unclear") {
  states_after({{load_4, 0}}, data);
  CHECK_FALSE(unclear);
  states_after({{store_4, 0}, {used_4, 4}}, part);
  CHECK_FALSE(unclear);
  CHECK_FALSE(context.decided);
  states_after({{load_4, 0}}, old);
  CHECK(unclear);
  CHECK(context.decided);
  states_after({{unknown, 0}});
  CHECK(unclear);
}

TEST_CASE_FIXTURE(Fixture, "a finding ends the chunk") {
  findings.add({});
  states_after({});
  CHECK(context.decided);
}

TEST_CASE_FIXTURE(
    Fixture, "two chunks fit if both only read, both update alike, or only one touches a byte") {
  CHECK(fit(load_4, 0, load_8, 0));
  CHECK(fit(load_4, 0, volatile_4, 0));
  CHECK(fit(add_4, 0, add_4, 0));
  CHECK(fit(max_4, 56, max_4, 56));
  CHECK(fit(store_4, 0, store_4, 4));
  CHECK(fit(store_1, 60, store_1, 61));
  CHECK(fit(add_4, 0, max_4, 4));
  CHECK_FALSE(fit(load_4, 0, store_4, 0));
  CHECK_FALSE(fit(load_8, 0, store_1, 7));
  CHECK_FALSE(fit(store_4, 0, store_4, 0));
  CHECK_FALSE(fit(store_1, 61, store_1, 61));
  CHECK_FALSE(fit(add_4, 0, load_4, 0));
  CHECK_FALSE(fit(add_4, 0, volatile_4, 0));
  CHECK_FALSE(fit(add_4, 0, used_4, 0));
  CHECK_FALSE(fit(used_4, 0, used_4, 0));
  CHECK_FALSE(fit(add_4, 0, max_4, 0));
  CHECK_FALSE(fit(add_4, 4, add_8, 0));
  CHECK_FALSE(fit(add_4, 2, add_4, 2));
  CHECK_FALSE(fit(states_after({{add_8, 0}}), states_after({{add_8, 0}, {store_1, 7}})));
}

TEST_CASE("merged updates of several chunks equal the updates made one after another") {
  Region region{.name = "r", .size = 64};
  std::uint64_t random = 7;
  for (int update = 1; update < mergeable_updates; ++update) {
    const auto which = static_cast<MergeableUpdate>(update);
    const std::uint32_t width = bytes_of(which);
    // Model: a chunk applies the operation with one operand `x` to a word. merged() could compute
    // that from a word that begins as the operation's neutral element. It is written out here, so
    // that the model is independent.
    const auto apply = [&](std::uint64_t word, std::uint64_t x) -> std::uint64_t {
      const auto i32 = [](std::uint64_t v) { return static_cast<std::int32_t>(v); };
      const auto i64 = [](std::uint64_t v) { return static_cast<std::int64_t>(v); };
      switch (which) {
        using enum MergeableUpdate;
        case add_32:
        case add_64: return word + x;
        case and_32:
        case and_64: return word & x;
        case or_32:
        case or_64: return word | x;
        case xor_32:
        case xor_64: return word ^ x;
        case min_i32: return i32(word) < i32(x) ? word : x;
        case min_u32:
        case min_u64: return word < x ? word : x;
        case min_i64: return i64(word) < i64(x) ? word : x;
        case max_i32: return i32(word) > i32(x) ? word : x;
        case max_u32:
        case max_u64: return word > x ? word : x;
        case max_i64: return i64(word) > i64(x) ? word : x;
        case none: break;
      }
      return 0;
    };
    for (int round = 0; round < 50; ++round) {
      const std::uint64_t mask = width == 4 ? 0xffffffffull : ~0ull;
      std::vector<std::uint8_t> memory(64), expected;
      for (std::uint8_t& byte : memory)
        byte = static_cast<std::uint8_t>(reference::next_random(random));
      region.begin = memory.data();
      expected = memory;
      std::vector<std::vector<std::uint8_t>> states(3, std::vector<std::uint8_t>(64)),
          bytes(3, memory);
      for (std::uint32_t at = 0; at < 64; at += width)
        for (std::size_t chunk = 0; chunk < 3; ++chunk) {
          if (reference::next_random(random) % 3 == 0) continue;
          const std::uint64_t x = reference::next_random(random) & mask;
          const auto change = [&](std::vector<std::uint8_t>& of) {
            std::uint64_t word = 0;
            std::copy_n(of.begin() + at, width, reinterpret_cast<std::uint8_t*>(&word));
            word = apply(word, x);
            std::copy_n(reinterpret_cast<const std::uint8_t*>(&word), width, of.begin() + at);
          };
          change(expected), change(bytes[chunk]);
          std::fill_n(states[chunk].begin() + at, width, ByteState::by(which));
        }
      std::vector<TouchedRegion> chunks;
      for (std::size_t chunk = 0; chunk < 3; ++chunk)
        chunks.push_back({&region, states[chunk], bytes[chunk]});
      REQUIRE(fit_together(chunks));
      merge_into_memory(chunks);
      REQUIRE(memory == expected);
    }
  }
}

TEST_CASE("bytes that one chunk changed are as it left them, those that were only read stay") {
  std::vector<std::uint8_t> memory(13, 9), a(13), b(13), of_a(13, 1), of_b(13, 2);
  Region region{.name = "r", .begin = memory.data(), .size = 13};
  std::fill_n(a.begin(), 3, ByteState::changed), std::fill_n(b.begin() + 3, 2, ByteState::changed);
  a[8] = b[8] = ByteState::read, b[12] = ByteState::changed;
  merge_into_memory(std::vector<TouchedRegion>{{&region, a, of_a}, {&region, b, of_b}});
  CHECK(memory == std::vector<std::uint8_t>{1, 1, 1, 2, 2, 9, 9, 9, 9, 9, 9, 9, 2});
}

TEST_CASE("states and bytes that are garbage do no harm") {
  std::uint64_t random = 1;
  for (int round = 0; round < 2000; ++round) {
    const std::size_t size = reference::next_random(random) % 40;
    std::vector<std::vector<std::uint8_t>> states(3, std::vector<std::uint8_t>(size)),
        bytes = states;
    std::vector<std::uint8_t> memory(size + 1, 77);
    Region region{.name = "r", .begin = memory.data(), .size = size};
    std::vector<TouchedRegion> chunks;
    for (std::size_t chunk = 0; chunk < 3; ++chunk) {
      for (std::uint8_t& state : states[chunk])
        state =
            static_cast<std::uint8_t>(reference::next_random(random) % (round % 2 == 0 ? 256 : 6));
      chunks.push_back({&region, states[chunk], bytes[chunk]});
    }
    CHECK((fit_together(chunks) || size > 0));
    merge_into_memory(chunks);
    CHECK(memory.back() == 77);
  }
}

namespace {

ChunkReport sample() {
  ChunkReport report;
  report.rows = 77;
  report.lines.resize(2);
  report.lines[0].line = 3, report.lines[0].counters.global_load.sectors = 5;
  report.lines[1].line = 9, report.lines[1].counters.shared_contention.requests_of_degree[31] = 6;
  report.pressure.resize(2);
  report.pressure[0].region = 4, report.pressure[0].pressure.updates = 8,
  report.pressure[0].pressure.top = {{1, 2}, {3, 6}};
  report.pressure[1].pressure.uncounted = 1;
  report.sites = {{7, 4, 2}, {9, 1, 3}};
  return report;
}

}  // namespace

TEST_CASE("a written report is read back; a truncated or overlong one is rejected") {
  std::vector<std::uint8_t> bytes(8192);
  const auto used = write_report(sample(), bytes);
  REQUIRE(used);
  const auto read = read_report({bytes.data(), *used});
  REQUIRE(read);
  CHECK(read->rows == 77);
  CHECK(read->lines[1].line == 9);
  CHECK(read->lines[1].counters.shared_contention.requests_of_degree[31] == 6);
  CHECK(read->pressure[0].region == 4);
  CHECK(read->pressure[0].pressure.top[1].updates == 6);
  CHECK(read->pressure[1].pressure.uncounted == 1);
  CHECK(read->sites[1].region == 3);
  for (std::uint64_t size = 0; size < *used; ++size) {
    CHECK_FALSE(read_report({bytes.data(), size}));
    std::vector<std::uint8_t> small(size);
    CHECK_FALSE(write_report(sample(), small));
  }
  CHECK_FALSE(read_report({bytes.data(), *used + 1}));
  CHECK_FALSE(read_report({}));
}

TEST_CASE("a corrupted report is read safely") {
  std::vector<std::uint8_t> bytes(8192);
  const auto used = write_report(sample(), bytes);
  std::uint64_t random = 3;
  for (int round = 0; round < 20000; ++round) {
    std::vector<std::uint8_t> broken(bytes.begin(),
                                     bytes.begin() + static_cast<std::ptrdiff_t>(*used));
    for (int i = 0; i < 3; ++i)
      broken[reference::next_random(random) % broken.size()] = static_cast<std::uint8_t>(
          reference::next_random(random) % 2 == 0 ? 255 : reference::next_random(random));
    const auto report = read_report(broken);
    if (report) CHECK(report->lines.size() <= broken.size());
  }
}

}  // namespace histolab::kernels::emulator
