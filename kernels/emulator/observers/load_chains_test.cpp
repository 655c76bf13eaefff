// Tests which warps wait for which loads, access by access.
#include "kernels/emulator/observers/load_chains.h"

#include <doctest/doctest.h>

#include "kernels/emulator/testing/launch_fixture.h"

namespace histolab::kernels::emulator {
namespace {

class Bed {
 public:
  // The lanes load from `offset` on, `stride` bytes apart.
  bool load(const Region& region, std::uint32_t warp, std::uint32_t offset,
            std::uint32_t stride = 4, std::uint32_t active = ~0u, SiteNumber site = plain) {
    return chains.load(access(region, warp, offset, stride, active, site));
  }
  void write(const Region& region, std::uint32_t warp, bool asks = false) {
    chains.write(access(region, warp, 0, 4, ~0u, update), asks);
  }
  // Makes this many loads, each at another address.
  void load_times(const Region& region, std::uint32_t warp, std::uint32_t times) {
    for (std::uint32_t i = 0; i < times; ++i) load(region, warp, 128 * i);
  }
  LoadChains chains{32};

 private:
  WarpAccess access(const Region& region, std::uint32_t warp, std::uint32_t offset,
                    std::uint32_t stride, std::uint32_t active, SiteNumber site) const {
    std::array<std::uint32_t, 32> offsets;
    for (std::uint32_t l = 0; l < 32; ++l) offsets[l] = offset + stride * l;
    return testing::access(launch_, site, region, warp, active, offsets);
  }
  testing::LaunchFixture launch_{{1024, 1, 1}};

 public:
  static constexpr SiteNumber plain = 4, as_volatile = 8, wide = 12, update = 16, narrow = 20;
  const Region& data = launch_.add(
      {.role = Region::Role::input, .name = "data", .size = 1 << 16, .element_bytes = 4});
  const Region& askew = launch_.add({.role = Region::Role::input,
                                     .name = "askew",
                                     .size = 1 << 16,
                                     .askew = 30,
                                     .element_bytes = 1});
  const Region& bins = launch_.add(
      {.role = Region::Role::shared_static, .space = Space::shared, .name = "bins", .size = 4096});
  Bed() {
    launch_.site(plain, AccessKind::load, 4);
    launch_.site(as_volatile, AccessKind::volatile_load, 4);
    launch_.site(wide, AccessKind::load, 8);
    launch_.site(update, AccessKind::atomic, 4);
    launch_.site(narrow, AccessKind::load, 1);
  }
};

TEST_CASE("the busiest warp's loads count per memory space and per block") {
  Bed bed;
  bed.load_times(bed.data, 0, 3);
  bed.load_times(bed.data, 31, 5);
  bed.load_times(bed.bins, 7, 4);
  bed.chains.end_block();
  bed.load_times(bed.data, 0, 4);
  bed.load_times(bed.bins, 0, 6);
  bed.chains.end_block();
  bed.chains.end_block();  // a block without loads
  CHECK(bed.chains.busiest().of_blocks.global == 5 + 4);
  CHECK(bed.chains.busiest().of_blocks.shared == 4 + 6);
  CHECK(bed.chains.busiest().most.global == 5);
  CHECK(bed.chains.busiest().most.shared == 6);
}

TEST_CASE("a warp does not wait for a global load that repeats its previous one, unless volatile") {
  Bed bed;
  CHECK(bed.load(bed.data, 0, 0));
  CHECK_FALSE(bed.load(bed.data, 0, 0));
  CHECK(bed.load(bed.data, 1, 0));              // another warp
  CHECK(bed.load(bed.data, 0, 0, 8));           // other addresses
  CHECK(bed.load(bed.data, 0, 0, 8, 0xffff));   // other lanes
  CHECK(bed.load(bed.askew, 0, 0, 8, 0xffff));  // another array
  CHECK(bed.load(bed.data, 0, 0, 8, 0xffff));   // the first array again.
  CHECK(bed.load(bed.data, 0, 0, 8, 0xffff, Bed::as_volatile));
  CHECK_FALSE(bed.load(bed.data, 0, 0, 8, 0xffff));
  CHECK(bed.load(bed.bins, 0, 0));
  CHECK(bed.load(bed.bins, 0, 0));  // shared memory: always waits
  CHECK_FALSE(bed.load(bed.data, 0, 0, 8, 0xffff));
  bed.chains.end_block();
  CHECK(bed.load(bed.data, 0, 0, 8, 0xffff));  // the next block starts again.
  bed.chains.end_block();
  CHECK(bed.chains.busiest().most.global == 6);
}

TEST_CASE("a repeated load waits again after the warp's own write, after a barrier, or if wider") {
  Bed bed;
  CHECK(bed.load(bed.data, 0, 0));
  bed.write(bed.bins, 0);  // shared memory
  bed.write(bed.data, 1);  // another warp
  CHECK_FALSE(bed.load(bed.data, 0, 0));
  bed.write(bed.data, 0);
  CHECK(bed.load(bed.data, 0, 0));
  bed.chains.barrier();
  CHECK(bed.load(bed.data, 0, 0));
  CHECK(bed.load(bed.data, 0, 0, 4, ~0u, Bed::wide));
  CHECK_FALSE(bed.load(bed.data, 0, 0));
  bed.chains.end_block();
  CHECK(bed.chains.busiest().most.global == 4);
  CHECK(bed.chains.busiest().most.other_sectors == 1);
}

TEST_CASE("a repeated load of single bytes waits again after a write or a barrier") {
  Bed bed;
  const auto loads = [&] { return bed.load(bed.data, 0, 0, 1, ~0u, Bed::narrow); };
  CHECK((loads() && !loads()));
  bed.write(bed.data, 0);
  CHECK((loads() && !loads()));
  bed.chains.barrier();
  CHECK((loads() && !loads()));
}

TEST_CASE(
    "a global atomic whose result is used ends a chain, and the warps of a block share a queue") {
  Bed bed;
  bed.load_times(bed.data, 0, 10);
  bed.write(bed.data, 3, true);
  bed.load_times(bed.data, 0, 64);
  bed.load_times(bed.data, 1, 20);
  bed.write(bed.data, 0);  // the result is not used
  bed.load_times(bed.data, 0, 6);
  bed.load_times(bed.bins, 0, 7);
  bed.write(bed.bins, 0, true);  // shared memory, which other blocks do not see.
  bed.load_times(bed.bins, 0, 3);
  bed.chains.end_block();
  CHECK(bed.chains.busiest().most.global == 70);
  CHECK(bed.chains.busiest().most.shared == 10);
  CHECK(bed.chains.busiest().of_blocks.global == 70);
  for (std::uint32_t i = 0; i < 100; ++i) {
    bed.write(bed.data, 0, true);
    bed.load_times(bed.data, 0, 32);
    bed.load_times(bed.data, 1, 32);  // a queue
  }
  bed.chains.end_block();
  CHECK(bed.chains.busiest().most.global == 70);
  CHECK(bed.chains.busiest().of_blocks.global == 70 + 200);  // 6400 by 32 warps
  bed.load_times(bed.data, 0, 90);                           // this block does not ask.
  bed.chains.end_block();
  CHECK(bed.chains.busiest().most.global == 90);
  CHECK(bed.chains.busiest().of_blocks.global == 270 + 90);
  // The longest chain of this block only.
  bed.write(bed.data, 0, true);
  bed.load_times(bed.data, 0, 3);
  bed.chains.end_block();
  CHECK(bed.chains.busiest().of_blocks.global == 360 + 3);
}

TEST_CASE("a block that continues after another one keeps the loads of each of its warps") {
  for (const std::uint32_t warp : {0u, 31u}) {
    CAPTURE(warp);
    Bed bed;
    bed.load_times(bed.data, warp, 3);
    const LoadChains::Block suspended = bed.chains.suspend_block();
    bed.load_times(bed.data, 5, 2);
    bed.chains.end_block();
    bed.chains.resume_block(suspended);
    bed.load_times(bed.data, warp, 1);
    bed.chains.end_block();
    CHECK(bed.chains.busiest().of_blocks.global == 2 + 4);
    CHECK(bed.chains.busiest().most.global == 4);
  }
  Bed bed;
  bed.load_times(bed.data, 0, 10);
  bed.write(bed.data, 3, true);  // ends the chain
  const LoadChains::Block suspended = bed.chains.suspend_block();
  bed.chains.end_block();
  bed.chains.resume_block(suspended);
  bed.load_times(bed.data, 0, 6);
  bed.chains.end_block();
  CHECK(bed.chains.busiest().most.global == 10);
  CHECK(bed.chains.busiest().of_blocks.global == 10);
}

TEST_CASE("loads that reach a new sector are counted by the first lane's aligned address") {
  Bed bed;
  for (std::uint32_t i = 0; i < 64; ++i) bed.load(bed.data, 0, i, 1024);  // two sectors per lane
  bed.chains.end_block();
  CHECK(bed.chains.busiest().most.global == 64);
  CHECK(bed.chains.busiest().most.other_sectors == 2);
  for (std::uint32_t i = 0; i < 3; ++i) bed.load(bed.askew, 0, i);  // 30, 31, 32
  bed.load(bed.data, 0, 2);                                         // another array
  bed.chains.end_block();
  CHECK(bed.chains.busiest().of_blocks.other_sectors == 2 + 3);
}

}  // namespace
}  // namespace histolab::kernels::emulator
