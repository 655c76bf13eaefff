// The window: positions of buffers, the mapped bytes around them, and the region of an address.
#include "kernels/emulator/memory/window.h"

#include <doctest/doctest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <random>
#include <set>
#include <string_view>
#include <utility>

#include "kernels/buffer.h"
#include "kernels/emulator/memory/program_memory.h"
#include "kernels/emulator/testing/launch_fixture.h"
#include "kernels/program/memory_layout.h"

namespace histolab::kernels::emulator {
namespace {

using Role = Region::Role;
constexpr std::uint64_t gib = 1ull << 30;

const Region& map(Window& window, std::string_view name, std::uint64_t bytes,
                  std::uint32_t element_bytes = 4) {
  const auto region =
      window.map_buffer(Role::output, std::string(name), element_bytes, bytes, -1, false);
  REQUIRE(region.ok());
  return **region;
}

const Region& add(Window& window, std::string_view name, std::uint64_t offset, std::uint64_t size,
                  std::uint32_t element_bytes = 4) {
  return testing::add_region(
      window, {.name = std::string(name), .size = size, .element_bytes = element_bytes}, offset);
}

TEST_CASE("a buffer is zeroed, aligned to 256 bytes, inside the window, and keeps its attributes") {
  Window window = testing::reserved_window();
  std::set<std::uint32_t> ids;
  for (const std::uint64_t bytes : {1, 4, 4096, 4097, 1 << 20}) {
    const Region& region = map(window, "histo", bytes, 8);
    CHECK(region.address() % 256 == 0);
    CHECK(region.address() - window.begin() + bytes <= window.size());
    CHECK(region.size == bytes);
    CHECK(region.element_bytes == 8);
    CHECK(region.role == Role::output);
    CHECK(region.space == Space::global);
    CHECK(region.name == "histo");
    CHECK(&window.regions()[region.id] == &region);
    CHECK(ids.insert(region.id).second);
    CHECK(std::all_of(region.begin, region.begin + bytes,
                      [](std::uint8_t byte) { return byte == 0; }));
  }
}

TEST_CASE("a file's bytes are shared with their owner, or copied for the kernel") {
  Window window = testing::reserved_window();
  std::vector<std::uint8_t> bytes(5000);
  std::iota(bytes.begin(), bytes.end(), std::uint8_t{0});
  for (const bool shared : {true, false}) {
    CAPTURE(shared);
    auto buffer = Buffer::copy_of(bytes);
    REQUIRE(buffer.ok());
    const auto region =
        window.map_buffer(Role::input, "data", 1, bytes.size(), buffer->fd(), shared);
    REQUIRE(region.ok());
    CHECK(std::equal(bytes.begin(), bytes.end(), (*region)->begin));
    (*region)->begin[7] = 99;
    CHECK(buffer->bytes()[7] == (shared ? 99 : 7));
  }
}

TEST_CASE("red zones on both sides of a buffer are writable and belong to the buffer") {
  Window window = testing::reserved_window();
  for (const std::uint64_t bytes : {0, 1, 28, 4095, 4096, 4097}) {
    CAPTURE(bytes);
    const Region& region = map(window, "b", bytes);
    CHECK(region.red_zone_before >= 4096);
    CHECK(region.red_zone_after >= 4096);
    std::uint8_t* const zone = region.begin - region.red_zone_before;
    const std::uint64_t whole = region.red_zone_before + bytes + region.red_zone_after;
    std::memset(zone, 1, whole);  // mapped
    CHECK(reinterpret_cast<std::uint64_t>(zone + whole) % 4096 ==
          0);  // each mapped byte belongs to a region
    const auto first = reinterpret_cast<std::uint64_t>(zone);
    CHECK(window.find(first) == &region);
    CHECK(window.find(first + whole - 1) == &region);
    CHECK(window.find(region.address()) == &region);
    CHECK(window.find(first - 1) == nullptr);
    CHECK(window.find(first + whole) == nullptr);
  }
}

TEST_CASE("writing the red zone leaves the other buffers as they are") {
  Window window = testing::reserved_window();
  const Region& a = map(window, "a", 100);
  const Region& b = map(window, "b", 100);
  std::memset(a.begin + 100, 1, a.red_zone_after);
  std::memset(b.begin - b.red_zone_before, 1, b.red_zone_before);
  CHECK(std::all_of(a.begin, a.begin + 100, [](std::uint8_t byte) { return byte == 0; }));
  CHECK(std::all_of(b.begin, b.begin + 100, [](std::uint8_t byte) { return byte == 0; }));
}

TEST_CASE("a buffer of no bytes is a region without elements, with red zones") {
  Window window = testing::reserved_window();
  auto buffer = Buffer::zeroed(0);
  REQUIRE(buffer.ok());
  for (const int fd : {-1, buffer->fd()}) {
    const auto region = window.map_buffer(Role::input, "data", 1, 0, fd, false);
    REQUIRE(region.ok());
    CHECK((*region)->size == 0);
    CHECK(window.find((*region)->address()) == *region);
    CHECK(window.nearest((*region)->address(), 1) == *region);
  }
}

TEST_CASE("a buffer that does not fit is an error that names it, and leaves the window unchanged") {
  Window window = testing::reserved_window();
  const std::size_t regions = window.regions().size();
  const std::uint64_t all = ~std::uint64_t{0};
  for (const std::uint64_t bytes :
       {4 * gib + 1, 64 * gib, gib << 32, (gib << 33) + 1, all - 4095, all - 3 * gib, all}) {
    CAPTURE(bytes);
    const auto region = window.map_buffer(Role::output, "huge", 1, bytes, -1, false);
    REQUIRE_FALSE(region.ok());
    CHECK(region.error().message.find("huge") != std::string::npos);
    CHECK(window.regions().size() == regions);
  }
  map(window, "small", 16);
}

TEST_CASE("the window has room for at least 12 buffers, then mapping is an error") {
  Window window = testing::reserved_window();
  int mapped = 0;
  while (mapped < 1000 && window.map_buffer(Role::input, "b", 1, 1, -1, false).ok()) ++mapped;
  CHECK(mapped >= 12);  // two launches with six pointers each
  CHECK(mapped < 1000);
}

TEST_CASE("the nearest region, in bytes from its first or its last one") {
  Window window = testing::reserved_window();
  const std::uint64_t base = 8 * gib;
  const Region& a = add(window, "a", base, 100);
  const Region& b = add(window, "b", base + 1000, 100);
  const std::uint64_t at = window.begin() + base;
  CHECK(window.nearest(at + 50, 4) == &a);
  CHECK(window.nearest(at + 100, 4) == &a);
  CHECK(window.nearest(at - 5000, 4) == &a);
  CHECK(window.nearest(at + 549, 4) == &a);
  CHECK(window.nearest(at + 550, 4) == &b);
  CHECK(window.nearest(at + 999, 4) == &b);
  CHECK(window.nearest(at + 9999, 4) == &b);
}

TEST_CASE(
    "an unsigned 32-bit index below zero is attributed to the buffer that it was computed from") {
  for (const std::uint32_t element_bytes : {1u, 4u, 8u}) {
    CAPTURE(element_bytes);
    Window window = testing::reserved_window();
    const Region& histo = add(window, "histo", 2 * gib, 28, element_bytes);
    const std::uint64_t below_zero =
        histo.address() + std::uint64_t{~0u - 2} * element_bytes;  // histo[-3]
    const Region& other = add(window, "other", below_zero + 4096 - window.begin(), 100, 2);
    CHECK(window.nearest(below_zero, 4) == &histo);
    CHECK(window.nearest(below_zero + 4090, 4) == &other);
    CHECK(window.nearest(other.address() - 1, 4) == &other);
  }
}

TEST_CASE("a region without an element size uses the width of the access") {
  Window window = testing::reserved_window();
  const Region& variable = add(window, "variable", 2 * gib, 64, 0);
  add(window, "other", 6 * gib + 4096, 64, 1);
  const std::uint64_t below_zero = variable.address() + 4 * gib - 8;
  CHECK(window.nearest(below_zero, 1) == &variable);
  CHECK(window.nearest(below_zero, 4) != &variable);
}

TEST_CASE("a stack is never the nearest region; an access there is attributed to a buffer") {
  Window window = testing::reserved_window();
  const std::uint64_t in_a_stack = reinterpret_cast<std::uint64_t>(window.stack_top(3)) - 64;
  CHECK(window.nearest(in_a_stack, 4) == nullptr);
  const Region& a = map(window, "a", 100);
  CHECK(window.nearest(in_a_stack, 4) == &a);
  const Region* stacks = window.find(in_a_stack);
  REQUIRE(stacks != nullptr);
  CHECK(stacks->role == Role::local);
  CHECK_FALSE(stacks->tracked_for_races());
}

TEST_CASE("each thread has its own stack, with an unmapped page below it") {
  Window window = testing::reserved_window();
  for (const std::uint64_t i : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{63},
                                std::uint64_t{64}, Window::max_stacks - 1}) {
    CAPTURE(i);
    REQUIRE(window.map_stack(i));
    std::uint8_t* const top = window.stack_top(i);
    CHECK(reinterpret_cast<std::uint64_t>(top) % 64 == 0);
    std::memset(top - Window::usable_stack_bytes, 1, Window::usable_stack_bytes);
    if (i > 0)
      CHECK(top - window.stack_top(i - 1) >=
            static_cast<std::ptrdiff_t>(Window::usable_stack_bytes + 4096));
  }
}

}  // namespace
TEST_CASE(
    "a program's memory is at its constant address, shared by two windows one after another") {
  const int fd = memfd_create("memory", MFD_CLOEXEC),
            written_fd = memfd_create("written", MFD_CLOEXEC);
  REQUIRE(ftruncate(fd, 1 << 20) == 0);
  REQUIRE(ftruncate(written_fd, 1 << 17) == 0);
  ProgramMemory memory{fd, written_fd, {}, {}};
  memory.allocations = {{65536, 1000, 4, "first", WrittenState::none, false, {}},
                        {65536 + 256 * 600, 5000, 1, "second", WrittenState::all, false, {}},
                        {65536 + 256 * 2000, 77, 1, "old", WrittenState::some, true, "main.cu:3"}};
  std::uint64_t first_address = 0;
  for (const bool again : {false, true}) {
    CAPTURE(again);
    auto window = Window::reserve_for_program();
    REQUIRE(window.ok());
    const auto written = map_program_memory(memory, *window);
    REQUIRE(written.ok());
    CHECK((*written)[1] == nullptr);
    CHECK((*written)[2] == nullptr);
    const std::uint64_t at = program::program_memory_begin + 65536;
    const Region* const first = window->find(at + 999);
    REQUIRE(first != nullptr);
    CHECK(first->name == "first");
    CHECK(first->address() == at);
    CHECK(window->find(at - 65536) == first);
    CHECK(window->find(at + 999 + 65536) == first);
    CHECK(window->find(at - 65537) == nullptr);
    CHECK(window->find(at + 1000 + 65536) == nullptr);
    CHECK(*reinterpret_cast<const std::uint8_t*>(at + 1000 + 65536) == 0);  // mapped, but unused
    const Region* const old = window->find(at + 256 * 2000 + 76);
    REQUIRE(old != nullptr);
    CHECK(old->is_freed);
    CHECK(old->size == 0);
    CHECK(first->begin[-65536] == 0);
    CHECK(first->begin[1000 + 65535] == 0);
    if (!again) {
      first_address = first->address();
      first->begin[8] = 42;
      first->written->set(8, 4);
      memory.allocations[0].written = written_states(memory, *written)[0];
      CHECK(memory.allocations[0].written == WrittenState::some);
    } else {
      CHECK(first->address() == first_address);
      CHECK(first->begin[8] == 42);
      CHECK(first->written->has(11));
      CHECK(first->written->left() == 996);
      first->written->set(0, 1000);
      CHECK(written_states(memory, *written) ==
            std::vector{WrittenState::all, WrittenState::all, WrittenState::some});
    }
  }
  auto window = Window::reserve_for_program();
  REQUIRE(window.ok());
  CHECK_FALSE(Window::reserve_for_program().ok());  // the addresses are in use
  for (const auto& [offset, bytes] : {std::pair<std::uint64_t, std::uint64_t>{65537, 8},
                                      {0, 8},
                                      {65536, 0},
                                      {65536, program::most_allocation_bytes + 1},
                                      {program::program_memory_bytes - 65536, 256}}) {
    memory.allocations = {{offset, bytes, 4, "bad", WrittenState::none, false, {}}};
    CHECK_FALSE(map_program_memory(memory, *window).ok());
  }
  close(fd);
  close(written_fd);
}

TEST_CASE("written bytes are counted, word by word") {
  std::mt19937 random(7);
  std::vector<std::uint64_t> bits(5);
  WrittenBytes own(300), view(bits.data(), 300, 300);
  std::set<std::uint64_t> known;
  while (!own.all()) {
    const std::uint64_t begin = random() % 300,
                        bytes = 1 + random() % std::min<std::uint64_t>(90, 300 - begin);
    const std::uint64_t from = random() % 300, length = random() % (300 - from);
    std::uint64_t unset = from;
    while (unset < from + length && known.contains(unset)) ++unset;
    CHECK(own.first_unset(from, length) == unset);
    CHECK(view.first_unset(from, length) == unset);
    own.set(begin, bytes);
    view.set(begin, bytes);
    for (std::uint64_t at = begin; at < begin + bytes; ++at) known.insert(at);
    CHECK(own.left() == 300 - known.size());
    CHECK(WrittenBytes(bits.data(), 300, std::nullopt).left() == own.left());
    CHECK(own.all() == view.all());
    CHECK(own.has(begin));
  }
}

}  // namespace histolab::kernels::emulator
