#include "reference/occupancy.h"

#include <algorithm>

namespace histolab::reference {

Occupancy occupancy(const DeviceProfile& device, std::uint64_t block_size,
                    std::uint64_t shared_bytes) {
  const auto warps_per_block = static_cast<std::uint32_t>((block_size + 31) / 32);
  const std::uint64_t unit = device.shared_allocation_unit;
  const std::uint64_t taken =
      (shared_bytes + device.shared_bytes_reserved_per_block + unit - 1) / unit * unit;
  Occupancy found;
  found.limit_warps =
      warps_per_block == 0 ? 0 : device.max_warps_per_multiprocessor() / warps_per_block;
  found.limit_blocks = device.max_blocks_per_multiprocessor;
  found.limit_shared_mem =
      shared_bytes > device.shared_bytes_per_block_opt_in ? 0
      : taken == 0                                        ? device.max_blocks_per_multiprocessor
                   : static_cast<std::uint32_t>(device.shared_bytes_per_multiprocessor / taken);
  found.blocks = std::min({found.limit_warps, found.limit_blocks, found.limit_shared_mem});
  found.warps = found.blocks * warps_per_block;
  found.percent = 100.0 * found.warps / device.max_warps_per_multiprocessor();
  found.limited_by = found.blocks == found.limit_warps    ? "warps"
                     : found.blocks == found.limit_blocks ? "blocks"
                                                          : "shared_mem";
  return found;
}

}  // namespace histolab::reference
