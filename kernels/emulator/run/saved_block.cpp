#include "kernels/emulator/run/saved_block.h"

#include <algorithm>

namespace histolab::kernels::emulator {

std::vector<std::uint8_t> copy_shared_memory(const Window& window) {
  std::vector<std::uint8_t> bytes;
  for (const Region& region : window.regions())
    if (region.space == Space::shared)
      bytes.insert(bytes.end(), region.begin, region.begin + region.size);
  return bytes;
}

void restore_shared_memory(const Window& window, std::span<const std::uint8_t> saved) {
  for (const Region& region : window.regions()) {
    if (region.space != Space::shared) continue;
    std::ranges::copy(saved.first(region.size), region.begin);
    saved = saved.subspan(region.size);
  }
}

}  // namespace histolab::kernels::emulator
