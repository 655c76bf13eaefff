#include "kernels/emulator/run/memory_checksum.h"

#include <doctest/doctest.h>

#include <vector>

#include "kernels/emulator/testing/launch_fixture.h"

namespace histolab::kernels::emulator {
namespace {

TEST_CASE("a checksum depends on each byte that a kernel can write and others can read") {
  Window window = testing::reserved_window();
  const Region& out = **window.map_buffer(Region::Role::output, "out", 1, 13, -1, false);
  const Region& in = **window.map_buffer(Region::Role::input, "in", 1, 13, -1, false);
  std::vector<std::uint8_t> bytes(16);
  window.add({.role = Region::Role::shared_static,
              .space = Space::shared,
              .name = "s",
              .begin = bytes.data(),
              .size = 16});
  const std::uint64_t before = checksum(window), global_before = global_checksum(window);
  for (std::uint64_t at = 0; at < out.size; ++at) {
    out.begin[at] = 1;
    CHECK(checksum(window) != before);
    CHECK(global_checksum(window) != global_before);
    out.begin[at] = 0;
  }
  CHECK(checksum(window) == before);
  bytes[15] = 1;
  CHECK(checksum(window) != before);
  CHECK(global_checksum(window) == global_before);
  bytes[15] = 0;
  in.begin[3] = 1;
  CHECK(checksum(window) == before);
}

}  // namespace
}  // namespace histolab::kernels::emulator
