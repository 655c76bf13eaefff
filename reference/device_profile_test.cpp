#include "reference/device_profile.h"

#include <doctest/doctest.h>

using namespace histolab::reference;

TEST_CASE("profiles are found by name, and the first is an H200") {
  CHECK(device_profiles[0].name == "h200");
  CHECK(find_device_profile("h200") == &device_profiles[0]);
  CHECK(find_device_profile("H200") == nullptr);
  CHECK(find_device_profile("") == nullptr);
}

TEST_CASE("limits of an H200, as cudaGetDeviceProperties gives them") {
  const DeviceProfile& h200 = device_profiles[0];
  CHECK(h200.shared_bytes_per_block == 49152);
  CHECK(h200.shared_bytes_per_block_opt_in == 232448);
  CHECK(h200.shared_bytes_per_multiprocessor == 233472);
  CHECK(h200.max_threads_per_block == 1024);
  CHECK(h200.max_block_z == 64);
  CHECK(h200.max_grid_x == 2147483647u);
  CHECK(h200.max_grid_y == 65535);
}

TEST_CASE("no profile lets a block have more than its multiprocessor has") {
  for (const DeviceProfile& p : device_profiles) {
    CHECK(p.shared_bytes_per_block <= p.shared_bytes_per_block_opt_in);
    CHECK(p.shared_bytes_per_block_opt_in + p.shared_bytes_reserved_per_block <=
          p.shared_bytes_per_multiprocessor);
    CHECK(p.max_threads_per_block <= p.max_threads_per_multiprocessor);
  }
}
