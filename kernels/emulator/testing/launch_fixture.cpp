#include "kernels/emulator/testing/launch_fixture.h"

#include <doctest/doctest.h>

#include <algorithm>

namespace histolab::kernels::emulator::testing {

const Region& add_region(Window& window, Region region, std::uint64_t offset) {
  region.begin = window.image() + offset;
  return window.add(std::move(region));
}

Window reserved_window() {
  auto window = Window::reserve();
  REQUIRE(window.ok());
  return std::move(*window);
}

LaunchFixture::LaunchFixture(Dim3 block, Dim3 grid) : window(reserved_window()) {
  context.config.grid = grid;
  context.config.block = block;
  context.window = &window;
  context.sites = sites.get();
  context.findings = &findings;
  context.counters = &counters;
  context.lines = &lines;
  context.pressure = &pressure;
  context.line_of_instruction = [](std::uint64_t) { return 0; };
}

const Region& LaunchFixture::add(Region region) {
  const std::uint64_t offset = next_;
  next_ += 1ull << 30;
  return add_region(window, std::move(region), offset);
}

void LaunchFixture::begin_block(std::uint32_t number) {
  context.block = number;
  context.block_epoch = ++context.epoch;
  for (Observer* observer : context.observers) observer->on_block_begin();
}

void LaunchFixture::barrier() {
  for (Observer* observer : context.observers) observer->on_barrier();
  ++context.epoch;
}

void LaunchFixture::suspend_block() {
  barrier();
  for (Observer* observer : context.observers) observer->on_block_suspend();
}

void LaunchFixture::resume_block(std::uint32_t number) {
  context.block = number;
  context.block_epoch = ++context.epoch;
  for (Observer* observer : context.observers) observer->on_block_resume();
}

void LaunchFixture::end_block() {
  for (Observer* observer : context.observers) observer->on_block_end();
}

WarpAccess access(const LaunchFixture& launch, SiteNumber site, const Region& region,
                  std::uint32_t warp, std::uint32_t active,
                  const std::array<std::uint32_t, 32>& offsets) {
  WarpAccess made(site, (*launch.sites)[site], warp, active);
  made.region = &region;
  made.lowest = ~0u;
  for (std::uint32_t l = 0; l < 32; ++l) {
    made.offset[l] =
        offsets[active >> l & 1 ? l : static_cast<std::uint32_t>(__builtin_ctz(active))];
    made.lowest = std::min(made.lowest, made.offset[l]);
    made.highest = std::max(made.highest, made.offset[l]);
    made.any_bits |= made.offset[l];
  }
  return made;
}

}  // namespace histolab::kernels::emulator::testing
