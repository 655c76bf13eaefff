// Tests the observers for bounds, alignment and writes to the input: the reported accesses, with
// their elements, variables and threads.
#include "kernels/emulator/observers/access_rules.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "kernels/emulator/testing/launch_fixture.h"

namespace histolab::kernels::emulator {
namespace {

using namespace testing;
using enum AccessKind;

// Returns "kind variable[index] line thread xcount" per finding.
std::string told(const FindingLog& log) {
  std::string all;
  for (const Finding& f : log.findings())
    all += fmt::format("{}{} {}[{}] line {} thread {} of {} x{}", all.empty() ? "" : "\n",
                       name(f.kind), f.variable, f.index ? std::to_string(*f.index) : "?", f.line,
                       f.thread->thread.x, f.thread->block.x, f.count);
  return all;
}

struct Bed {
  LaunchFixture launch{{64, 1, 1}, {4, 1, 1}};
  const Region& data =
      launch.add({.role = Region::Role::input, .name = "data", .size = 100, .element_bytes = 1});
  const Region& histo =
      launch.add({.role = Region::Role::output, .name = "histo", .size = 28, .element_bytes = 4});
  const Region& tile = launch.add(
      {.role = Region::Role::shared_static, .space = Space::shared, .name = "tile", .size = 64});

  Bed() { launch.context.block = 2; }
  std::string told() const { return emulator::told(launch.findings); }
  WarpAccess access(AccessKind kind, std::uint8_t bytes, const Region& region, std::uint32_t lanes,
                    std::uint32_t offset, std::uint32_t step) {
    launch.site(1, kind, bytes, 9);
    std::array<std::uint32_t, 32> offsets{};
    for (std::uint32_t l = 0; l < 32; ++l) offsets[l] = offset + step * l;
    return testing::access(launch, 1, region, 1, lanes, offsets);
  }
  std::string stray(AccessKind kind, std::uint8_t bytes, std::uint64_t address,
                    const Region* usual = nullptr) {
    BoundsObserver bounds(launch.context);
    launch.findings = {};
    launch.site(1, kind, bytes, 9);
    (*launch.sites)[1].usual = usual;
    bounds.on_stray_access({1, kind, bytes, 5, address});
    return told();
  }
};

}  // namespace

TEST_CASE_FIXTURE(Bed,
                  "out of bounds: the index is that of the nearest variable, also below zero") {
  CHECK(stray(store, 4, histo.address() + 28) == "out_of_bounds histo[7] line 9 thread 5 of 2 x1");
  CHECK(stray(load, 4, histo.address() - 4) == "out_of_bounds histo[-1] line 9 thread 5 of 2 x1");
  CHECK(stray(load, 4, histo.address() - 3) == "out_of_bounds histo[-1] line 9 thread 5 of 2 x1");
  CHECK(stray(load, 4, histo.address() - 5) == "out_of_bounds histo[-2] line 9 thread 5 of 2 x1");
  CHECK(stray(load, 1, data.address() + 100) == "out_of_bounds data[100] line 9 thread 5 of 2 x1");
  CHECK(launch.findings.findings()[0].space == Space::global);
}

TEST_CASE_FIXTURE(
    Bed, "out of bounds: an access across the end is reported at the first element outside") {
  CHECK(stray(load, 8, histo.address() + 24) == "out_of_bounds histo[7] line 9 thread 5 of 2 x1");
  CHECK(stray(load, 16, data.address() + 96) == "out_of_bounds data[100] line 9 thread 5 of 2 x1");
}

TEST_CASE_FIXTURE(Bed,
                  "out of bounds: a variable without an element size uses the access's width") {
  CHECK(stray(load, 4, tile.address() + 64) == "out_of_bounds tile[16] line 9 thread 5 of 2 x1");
  CHECK(stray(load, 8, tile.address() + 64) == "out_of_bounds tile[8] line 9 thread 5 of 2 x1");
  CHECK(launch.findings.findings()[0].space == Space::shared);
}

TEST_CASE_FIXTURE(
    Bed, "out of bounds: the region that the site last used is preferred to the nearest variable") {
  CHECK(stray(store, 4, data.address() + 104, &histo).starts_with("out_of_bounds histo[-"));
  CHECK(stray(store, 4, data.address() + 104) == "out_of_bounds data[104] line 9 thread 5 of 2 x1");
}

TEST_CASE_FIXTURE(
    Bed, "out of bounds: a use of freed memory is merged into the race with the free at its line") {
  const Region& heap = launch.add({.role = Region::Role::heap,
                                   .name = "heap",
                                   .is_freed = true,
                                   .freed_line = 3,
                                   .freed_bytes = 64});
  CHECK(stray(load, 4, heap.address() + 16, &heap) ==
        "out_of_bounds heap[4] line 9 thread 5 of 2 x1");
  Finding race;
  race.kind = FindingKind::data_race;
  race.space = Space::global;
  race.variable = "heap";
  race.line = 3;
  race.other_line = 9;
  race.thread = launch.context.thread_id(1);
  launch.findings.is_about_freed(launch.findings.add(race));
  launch.findings.settle();
  CHECK(told() == "data_race heap[?] line 3 thread 1 of 2 x1");
}

TEST_CASE_FIXTURE(Bed, "out of bounds: an access beyond the reach of any index names no variable") {
  CHECK(stray(load, 4, 0) == "out_of_bounds [?] line 9 thread 5 of 2 x1");
  CHECK(launch.findings.findings()[0].space == Space::global);
  CHECK(stray(load, 4, ~0ull << 20) == "out_of_bounds [?] line 9 thread 5 of 2 x1");
  // A 32-bit index into elements of 16 bytes reaches this far.
  constexpr std::uint64_t reach = 64ull << 30;
  const std::uint64_t first = launch.window.begin() - reach,
                      end = launch.window.begin() + launch.window.size() + reach;
  CHECK(stray(load, 4, first).starts_with("out_of_bounds data[-"));
  CHECK(stray(load, 4, end - 4).starts_with("out_of_bounds tile["));
  for (const std::uint64_t address : {first - 4, end})
    CHECK(stray(load, 4, address) == "out_of_bounds [?] line 9 thread 5 of 2 x1");
}

TEST_CASE_FIXTURE(
    Bed, "out of bounds: accesses outside the thread's own stack, or on another thread's") {
  const Region& stacks = launch.add({.role = Region::Role::local,
                                     .space = Space::local,
                                     .name = "stacks",
                                     .size = 64 * Window::stack_bytes});
  launch.context.stack_of = [](std::uint32_t lane) { return lane + 1; };
  for (const auto& [stack, message] : std::initializer_list<std::pair<std::uint32_t, const char*>>{
           {6, "thread 5 of block 2 writes 4 bytes outside its local variables"},
           {5, "thread 5 of block 2 writes a local variable of another thread"}}) {
    CHECK(stray(store, 4, stacks.address() + stack * Window::stack_bytes + 16) ==
          "out_of_bounds [?] line 9 thread 5 of 2 x1");
    CHECK(launch.findings.findings()[0].space == Space::local);
    CHECK(launch.findings.findings()[0].message.starts_with(message));
  }
}

TEST_CASE_FIXTURE(Bed, "local memory: a thread accesses only its own stack, and not atomically") {
  const Region& stacks = launch.add({.role = Region::Role::local,
                                     .space = Space::local,
                                     .name = "stacks",
                                     .size = 64 * Window::stack_bytes});
  launch.context.stack_of = [](std::uint32_t lane) { return lane + 1; };
  LocalObserver local(launch.context);
  constexpr auto stack = static_cast<std::uint32_t>(Window::stack_bytes);
  for (const AccessKind kind : {load, volatile_load, store})
    local.on_local_access(access(kind, 4, stacks, 0b110, 33 * stack + 16, stack));
  CHECK(told().empty());
  local.on_local_access(access(atomic, 4, stacks, 0b100, 33 * stack + 16, stack));
  CHECK(told() == "illegal_instruction stacks[?] line 9 thread 34 of 2 x1");
  launch.findings = {};
  local.on_local_access(access(store, 4, stacks, 0b110, 34 * stack + 16, stack));
  CHECK(told() == "out_of_bounds stacks[?] line 9 thread 33 of 2 x2");
  CHECK(launch.findings.findings()[0].message.starts_with(
      "thread 33 of block 2 writes a local variable of another thread"));
}

TEST_CASE_FIXTURE(
    Bed, "writes to the input: stores and atomics of each lane are reported, loads are not") {
  InputObserver input(launch.context);
  input.on_access(access(load, 1, data, ~0u, 0, 1));
  input.on_access(access(volatile_load, 1, data, ~0u, 0, 1));
  input.on_access(access(store, 4, histo, 0b1111111, 0, 4));
  CHECK(told().empty());
  input.on_access(access(store, 1, data, 0b1100, 10, 1));
  CHECK(told() == "write_to_input data[12] line 9 thread 34 of 2 x2");
  launch.findings = {};
  input.on_access(access(atomic, 4, data, 0b1, 8, 0));
  input.on_access(access(compare_and_swap, 4, data, 0b1, 8, 0));
  input.on_access(access(exchange, 4, data, 0b1, 8, 0));
  CHECK(told() == "write_to_input data[8] line 9 thread 32 of 2 x3");
}

TEST_CASE_FIXTURE(Bed, "writes to the input: the message says what may not be written, and why") {
  const Region& table =
      launch.add({.role = Region::Role::constant, .name = "table", .size = 64, .element_bytes = 4});
  InputObserver input(launch.context);
  for (const Region* region : {&data, &table})
    input.on_access(access(store, 4, *region, 0b1, 8, 0));
  REQUIRE(launch.findings.findings().size() == 2);
  CHECK(launch.findings.findings()[0].message.starts_with(
      "thread 32 of block 2 writes data[8], but data is the kernel's input"));
  CHECK(launch.findings.findings()[1].message.starts_with(
      "thread 32 of block 2 writes table[2], but table is constant"));
}

TEST_CASE_FIXTURE(Bed,
                  "misaligned: each lane whose address is not a multiple of its width is counted") {
  AlignmentObserver alignment(launch.context);
  for (const std::uint8_t bytes : std::array<std::uint8_t, 5>{1, 2, 4, 8, 16})
    alignment.on_access(access(load, bytes, tile, 0b11, 0, bytes));
  CHECK(told().empty());
  alignment.on_access(access(load, 4, tile, 0b111, 4, 2));  // 4, 6, 8
  CHECK(told() == "misaligned_access tile[1] line 9 thread 33 of 2 x1");
  CHECK(launch.findings.findings()[0].space == Space::shared);
  launch.findings = {};
  for (const std::uint8_t bytes : std::array<std::uint8_t, 4>{2, 4, 8, 16})
    alignment.on_access(access(store, bytes, tile, 0b1, bytes / 2u, 0));
  CHECK(launch.findings.findings()[0].count == 4);
}

TEST_CASE_FIXTURE(Bed, "misaligned: the address decides, not the offset in a misaligned input") {
  const Region& askew = launch.add(
      {.role = Region::Role::input, .name = "askew", .size = 100, .askew = 3, .element_bytes = 1});
  AlignmentObserver alignment(launch.context);
  alignment.on_access(access(load, 16, askew, 0b11, 13, 16));
  alignment.on_access(access(load, 1, askew, ~0u, 0, 1));
  CHECK(told().empty());
  alignment.on_access(access(load, 16, askew, 0b11, 0, 16));
  CHECK(told() == "misaligned_access askew[0] line 9 thread 32 of 2 x2");
}

TEST_CASE_FIXTURE(Bed,
                  "misaligned: an access that a GPU splits into aligned pieces is not reported") {
  const Region& askew = launch.add(
      {.role = Region::Role::input, .name = "askew", .size = 100, .askew = 3, .element_bytes = 1});
  AlignmentObserver alignment(launch.context);
  const WarpAccess all = access(load, 4, askew, ~0u, 0, 4);
  (*launch.sites)[all.site].in_pieces = true;
  alignment.on_access(all);
  CHECK(told().empty());
}

TEST_CASE_FIXTURE(
    Bed, "misaligned: the message names the element, or the byte if elements are unknown") {
  AlignmentObserver alignment(launch.context);
  alignment.on_access(access(load, 8, histo, 0b1, 12, 0));
  alignment.on_access(access(load, 8, tile, 0b1, 12, 0));
  REQUIRE(launch.findings.findings().size() == 2);
  CHECK(launch.findings.findings()[0].message.starts_with(
      "thread 32 of block 2 reads 8 bytes at once at histo[3], "));
  CHECK(launch.findings.findings()[1].message.starts_with(
      "thread 32 of block 2 reads 8 bytes at once at byte 12 of tile, "));
}

TEST_CASE_FIXTURE(Bed, "misaligned: inactive lanes are ignored, and odd widths have no alignment") {
  AlignmentObserver alignment(launch.context);
  // Lane 1, which is inactive, would be at 2.
  alignment.on_access(access(load, 4, tile, 0b101, 0, 2));
  alignment.on_access(access(load, 3, tile, 0b111, 1, 3));
  CHECK(told().empty());
}

}  // namespace histolab::kernels::emulator
