#include "reference/occupancy.h"

#include <doctest/doctest.h>

#include <string>

namespace histolab::reference {
namespace {

const DeviceProfile& device(const std::string& name) {
  const DeviceProfile* found = find_device_profile(name);
  REQUIRE(found != nullptr);
  return *found;
}

struct Case {
  const char* profile;
  std::uint64_t block_size, shared_bytes;
  std::uint32_t limit_warps, limit_blocks, limit_shared_mem, blocks, warps;
  double percent;
  const char* limited_by;
};

TEST_CASE("occupancy, worked out by hand from the programming guide's table") {
  for (const Case& c : {
           // 64 warps / 8 = 8 blocks; 1 KiB reserved per block, 228 / 1
           Case{"h200", 256, 0, 8, 32, 228, 8, 64, 100, "warps"},
           // 28 bytes and 1024 reserved, in units of 128: 1152; 233472 / 1152 = 202
           Case{"h200", 256, 28, 8, 32, 202, 8, 64, 100, "warps"},
           // blocks of one warp: at most 32 blocks, half of the warps
           Case{"h200", 32, 0, 64, 32, 228, 32, 32, 50, "blocks"},
           // an incomplete warp counts as a whole one: 2 warps per block, 64 / 2 = 32
           Case{"h200", 33, 0, 32, 32, 228, 32, 64, 100, "warps"},
           // 32 KiB + 1 KiB reserved: 228 / 33 = 6 blocks of 8 warps, 48 of 64
           Case{"h200", 256, 32768, 8, 32, 6, 6, 48, 75, "shared_mem"},
           // two blocks of 1024 threads and 32 KiB: the warps are the limit, not the memory
           Case{"h200", 1024, 32768, 2, 32, 6, 2, 64, 100, "warps"},
           // a block with the most shared memory fills the SM; one byte more cannot be launched
           Case{"h200", 128, 227 * 1024, 16, 32, 1, 1, 4, 6.25, "shared_mem"},
           Case{"h200", 128, 227 * 1024 + 1, 16, 32, 0, 0, 0, 0, "shared_mem"},
           // 164 / (48 + 1) = 3 blocks of 8 warps
           Case{"a100", 256, 49152, 8, 32, 3, 3, 24, 37.5, "shared_mem"},
           // 48 warps: only one block of 1024 threads fits
           Case{"rtx4090", 1024, 0, 1, 24, 100, 1, 32, 100.0 * 32 / 48, "warps"},
           Case{"rtx4090", 256, 0, 6, 24, 100, 6, 48, 100, "warps"},
           Case{"rtx4090", 32, 0, 48, 24, 100, 24, 24, 50, "blocks"},
           // no memory reserved (compute capability 7.5) or used: only the block limit remains
           Case{"t4", 256, 0, 4, 16, 16, 4, 32, 100, "warps"},
           // 28 bytes in units of 256: 65536 / 256 = 256
           Case{"t4", 256, 28, 4, 16, 256, 4, 32, 100, "warps"},
           Case{"t4", 64, 32768, 16, 16, 2, 2, 4, 12.5, "shared_mem"},
       }) {
    const Occupancy o = occupancy(device(c.profile), c.block_size, c.shared_bytes);
    CAPTURE(c.profile);
    CAPTURE(c.block_size);
    CAPTURE(c.shared_bytes);
    CHECK(o.limit_warps == c.limit_warps);
    CHECK(o.limit_blocks == c.limit_blocks);
    CHECK(o.limit_shared_mem == c.limit_shared_mem);
    CHECK(o.blocks == c.blocks);
    CHECK(o.warps == c.warps);
    CHECK(o.percent == doctest::Approx(c.percent));
    CHECK(o.limited_by == c.limited_by);
  }
}

TEST_CASE("each profile is what the table says of its compute capability") {
  CHECK(device("h200").max_threads_per_multiprocessor == 2048);
  CHECK(device("a100").max_threads_per_multiprocessor == 2048);
  CHECK(device("rtx4090").max_threads_per_multiprocessor == 1536);
  CHECK(device("t4").max_threads_per_multiprocessor == 1024);
  for (const DeviceProfile& d : device_profiles) {
    CAPTURE(d.name);
    CHECK(d.shared_bytes_per_block_opt_in + d.shared_bytes_reserved_per_block ==
          d.shared_bytes_per_multiprocessor);
  }
}

}  // namespace
}  // namespace histolab::reference
