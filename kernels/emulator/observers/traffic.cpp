#include "kernels/emulator/observers/traffic.h"

#include <algorithm>

namespace histolab::kernels::emulator {
namespace {

constexpr std::uint32_t sector_shift = 5;
constexpr std::uint32_t banks = 32;

// Distinct 32-byte sectors. A lane's access may reach into the next one when it is misaligned.
std::uint32_t sectors_of(const WarpAccess& access) {
  const std::uint32_t first = access.lowest >> sector_shift;
  const std::uint32_t last = (access.highest + access.bytes - 1) >> sector_shift;
  if (last - first < 64) {
    std::uint64_t seen = 0;
    for (std::uint32_t l = 0; l < 32; ++l) seen |= 1ull << ((access.offset[l] >> sector_shift) - first);
    if ((access.any_bits & (access.bytes - 1u)) != 0)
      for (std::uint32_t l = 0; l < 32; ++l) seen |= 1ull << (((access.offset[l] + access.bytes - 1) >> sector_shift) - first);
    return static_cast<std::uint32_t>(__builtin_popcountll(seen));
  }
  std::array<std::uint32_t, 64> sectors;
  for (std::uint32_t l = 0; l < 32; ++l) {
    sectors[2 * l] = access.offset[l] >> sector_shift;
    sectors[2 * l + 1] = (access.offset[l] + access.bytes - 1) >> sector_shift;
  }
  std::sort(sectors.begin(), sectors.end());
  return static_cast<std::uint32_t>(std::unique(sectors.begin(), sectors.end()) - sectors.begin());
}

}  // namespace

TrafficObserver::TrafficObserver(LaunchContext& context)
    : counters_(*context.counters), warps_per_block_((context.config.block.count() + 31) / 32) {
  // The words that the regions' bank addresses reach, one over for a misaligned access at the end.
  std::uint64_t bytes = 0;
  for (const Region& region : context.window->regions())
    if (region.space == Space::shared) bytes = std::max(bytes, region.bank_base + region.size);
  lanes_on_word_.resize(bytes / 4 + 8);
}

void TrafficObserver::on_access(const WarpAccess& access) {
  if (access.region->space == Space::shared) count_shared(access);
  else count_global(access);
}

void TrafficObserver::on_barrier() { counters_.barriers += warps_per_block_; }

void TrafficObserver::count_global(const WarpAccess& access) {
  const bool atomic = is_atomic(access.kind);
  reference::GlobalTraffic& traffic = atomic                          ? counters_.global_atomic
                                      : access.kind == AccessKind::store ? counters_.global_store
                                                                         : counters_.global_load;
  const auto lanes = static_cast<std::uint32_t>(__builtin_popcount(access.active));
  ++traffic.requests;
  traffic.sectors += sectors_of(access);
  traffic.bytes += std::uint64_t{lanes} * access.bytes;
  if (!atomic) return;
  const std::uint32_t degree = same_address_degree(access);
  counters_.global_contention.updates += lanes;
  counters_.global_contention.degree_sum += degree;
  counters_.global_contention.degree_max = std::max<std::uint64_t>(counters_.global_contention.degree_max, degree);
}

// The largest number of active lanes on one address. Histograms have few bins: a short list of what was seen is enough.
std::uint32_t TrafficObserver::same_address_degree(const WarpAccess& access) {
  std::array<std::uint32_t, 32> seen;
  std::array<std::uint8_t, 32> lanes;
  std::uint32_t count = 0, degree = 0;
  for_each_lane(access.active, [&](std::uint32_t l) {
    std::uint32_t i = 0;
    while (i < count && seen[i] != access.offset[l]) ++i;
    if (i == count) seen[count] = access.offset[l], lanes[count++] = 0;
    degree = std::max<std::uint32_t>(degree, ++lanes[i]);
  });
  return degree;
}

void TrafficObserver::count_shared(const WarpAccess& access) {
  const bool atomic = is_atomic(access.kind);
  reference::SharedTraffic& traffic = atomic                          ? counters_.shared_atomic
                                      : access.kind == AccessKind::store ? counters_.shared_store
                                                                         : counters_.shared_load;
  const auto base = static_cast<std::uint32_t>(access.region->bank_base);
  const std::uint32_t words_each = access.bytes <= 4 ? 1 : access.bytes / 4u;
  const std::uint32_t lanes_at_once = 32 / words_each;
  std::uint32_t wavefronts = 0, needed = 0, degree = 0;
  for (std::uint32_t group = 0; group < words_each; ++group) {
    const std::uint32_t members = access.active & ((lanes_at_once == 32 ? ~0u : (1u << lanes_at_once) - 1) << (group * lanes_at_once));
    if (members == 0) continue;
    std::array<std::uint8_t, banks> words_in_bank{};
    std::uint32_t most = 0;
    const auto each_word = [&](auto&& f) {
      for_each_lane(members, [&](std::uint32_t l) {
        for (std::uint32_t w = 0; w < words_each; ++w) f((base + access.offset[l]) / 4 + w);
      });
    };
    each_word([&](std::uint32_t word) {
      const std::uint32_t lanes = ++lanes_on_word_[word];
      degree = std::max(degree, lanes);
      if (lanes == 1) most = std::max<std::uint32_t>(most, ++words_in_bank[word % banks]);
    });
    each_word([&](std::uint32_t word) { lanes_on_word_[word] = 0; });
    wavefronts += most;
    ++needed;
  }
  ++traffic.requests;
  traffic.wavefronts += wavefronts;
  traffic.bank_conflicts += wavefronts - needed;
  if (!atomic) return;
  counters_.shared_contention.updates += static_cast<std::uint32_t>(__builtin_popcount(access.active));
  counters_.shared_contention.degree_sum += degree;
  counters_.shared_contention.degree_max = std::max<std::uint64_t>(counters_.shared_contention.degree_max, degree);
}

}  // namespace histolab::kernels::emulator
