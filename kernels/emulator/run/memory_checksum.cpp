#include "kernels/emulator/run/memory_checksum.h"

#include <cstring>

namespace histolab::kernels::emulator {
namespace {

// `counts`: whether memory of this space is part of the checksum.
template <class Counts>
std::uint64_t checksum_if(const Window& window, Counts&& counts) {
  std::uint64_t sum = 0;
  for (const auto* regions : {&window.regions(), &window.heap_regions()})
    for (const Region& region : *regions) {
      if (region.is_read_only() || !counts(region.space)) continue;
      std::uint64_t at = 0;
      for (; at + 8 <= region.size; at += 8) {
        std::uint64_t word;
        std::memcpy(&word, region.begin + at, sizeof word);
        sum = mixed(sum, word);
      }
      for (; at < region.size; ++at) sum = mixed(sum, region.begin[at]);
    }
  return sum;
}

}  // namespace

std::uint64_t checksum(const Window& window) {
  return checksum_if(window, [](Space space) { return space != Space::local; });
}

std::uint64_t global_checksum(const Window& window) {
  return checksum_if(window, [](Space space) { return space == Space::global; });
}

}  // namespace histolab::kernels::emulator
