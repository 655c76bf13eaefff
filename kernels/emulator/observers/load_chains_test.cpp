// Who waits for which load, told access by access.
#include "kernels/emulator/observers/load_chains.h"

#include <doctest/doctest.h>

#include "kernels/emulator/testing/launch_fixture.h"

namespace histolab::kernels::emulator {
namespace {

class Bed {
 public:
  // All lanes from `offset` on, `stride` bytes apart.
  bool load(const Region& region, std::uint32_t warp, std::uint32_t offset, std::uint32_t stride = 4, std::uint32_t active = ~0u, SiteNumber site = plain) {
    std::array<std::uint32_t, 32> offsets;
    for (std::uint32_t l = 0; l < 32; ++l) offsets[l] = offset + stride * l;
    return chains.add(testing::access(launch_, site, region, warp, active, offsets));
  }
  LoadChains chains;

 private:
  testing::LaunchFixture launch_{{1024, 1, 1}};

 public:
  static constexpr SiteNumber plain = 4, as_volatile = 8;
  const Region& data = launch_.add({.role = Region::Role::input, .name = "data", .size = 1 << 16, .element_bytes = 4});
  const Region& askew = launch_.add({.role = Region::Role::input, .name = "askew", .size = 1 << 16, .askew = 30, .element_bytes = 1});
  const Region& bins = launch_.add({.role = Region::Role::shared_static, .space = Space::shared, .name = "bins", .size = 4096});
  Bed() { launch_.site(plain, AccessKind::load, 4), launch_.site(as_volatile, AccessKind::volatile_load, 4); }
};

TEST_CASE("the warp with the most loads counts, in each memory space by itself, and of each block anew") {
  Bed bed;
  for (std::uint32_t i = 0; i < 3; ++i) bed.load(bed.data, 0, 128 * i);
  for (std::uint32_t i = 0; i < 5; ++i) bed.load(bed.data, 31, 128 * i);
  for (std::uint32_t i = 0; i < 4; ++i) bed.load(bed.bins, 7, 0);
  bed.chains.end_block();
  for (std::uint32_t i = 0; i < 4; ++i) bed.load(bed.data, 0, 128 * i);
  for (std::uint32_t i = 0; i < 6; ++i) bed.load(bed.bins, 0, 0);
  bed.chains.end_block();
  bed.chains.end_block();  // of a block that loads nothing
  CHECK(bed.chains.busiest().of_blocks.global == 5 + 4);
  CHECK(bed.chains.busiest().of_blocks.shared == 4 + 6);
  CHECK(bed.chains.busiest().most.global == 5);
  CHECK(bed.chains.busiest().most.shared == 6);
}

TEST_CASE("what a warp's load before has read is not waited for, unless it is volatile") {
  Bed bed;
  CHECK(bed.load(bed.data, 0, 0));
  CHECK_FALSE(bed.load(bed.data, 0, 0));
  CHECK(bed.load(bed.data, 1, 0));               // another warp
  CHECK(bed.load(bed.data, 0, 0, 8));            // other lanes' places
  CHECK(bed.load(bed.data, 0, 0, 8, 0xffff));    // other lanes
  CHECK(bed.load(bed.askew, 0, 0, 8, 0xffff));   // of another array
  CHECK(bed.load(bed.data, 0, 0, 8, 0xffff));    // and back
  CHECK(bed.load(bed.data, 0, 0, 8, 0xffff, Bed::as_volatile));
  CHECK_FALSE(bed.load(bed.data, 0, 0, 8, 0xffff));
  CHECK(bed.load(bed.bins, 0, 0));
  CHECK(bed.load(bed.bins, 0, 0));               // in shared memory each is
  CHECK_FALSE(bed.load(bed.data, 0, 0, 8, 0xffff));
  bed.chains.end_block();
  CHECK(bed.load(bed.data, 0, 0, 8, 0xffff));    // nothing is known in the next block
  bed.chains.end_block();
  CHECK(bed.chains.busiest().most.global == 6);
}

TEST_CASE("loads that go on to another sector are told apart, by the first lane's, counted from a border") {
  Bed bed;
  for (std::uint32_t i = 0; i < 64; ++i) bed.load(bed.data, 0, i, 1024);  // two sectors for each lane
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
