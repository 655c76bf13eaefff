#include "kernels/emulator/observers/traffic.h"

#include <algorithm>

namespace histolab::kernels::emulator {
namespace {

constexpr std::uint32_t sector_shift = 5;
constexpr std::uint32_t banks = 32;

// The largest number of active lanes whose accesses begin at one byte.
std::uint32_t same_byte_degree(const WarpAccess& access) {
  std::uint32_t most = 0;
  for_each_lane(access.active, [&](std::uint32_t a) {
    std::uint32_t same = 0;
    for_each_lane(access.active, [&](std::uint32_t b) { same += access.offset[b] == access.offset[a]; });
    most = std::max(most, same);
  });
  return most;
}

// The largest number of active lanes on one address. Of atomics on whole words, their words tell.
std::uint32_t same_address_degree(const WarpAccess& access) {
  if ((access.any_bits & 3) != 0) return same_byte_degree(access);
  const WordGroups& words = access.words();
  int degree = 0;
  for (std::uint32_t i = 0; i < words.count; ++i) degree = std::max(degree, __builtin_popcount(words.lanes[i]));
  return static_cast<std::uint32_t>(degree);
}

// Bit i: some lane's access begins `i` sectors behind the first. For sectors that are fewer than 64 apart.
[[gnu::target_clones("avx2", "default")]] std::uint64_t sector_bits(const std::uint32_t* __restrict offset, std::uint32_t shift_bytes,
                                                                   std::uint32_t first) {
  std::uint64_t seen = 0;
  for (std::uint32_t l = 0; l < 32; ++l) seen |= std::uint64_t{1} << (((offset[l] + shift_bytes) >> sector_shift) - first);
  return seen;
}

struct Steps {
  bool ascending;
  std::uint32_t changes;
};

// From lane to lane, does the sector never go back, and how often does it change?
[[gnu::target_clones("avx2", "default")]] Steps sector_steps(const std::uint32_t* __restrict offset) {
  std::uint32_t back = 0, changes = 0;
  for (std::uint32_t l = 0; l < 31; ++l) {
    const std::uint32_t here = offset[l] >> sector_shift, next = offset[l + 1] >> sector_shift;
    back |= next < here;
    changes += next != here;
  }
  return {back == 0, changes};
}

// Distinct 32-byte sectors. A lane's access may reach into the next one when it is misaligned.
std::uint32_t sectors_of(const WarpAccess& access) {
  const std::uint32_t first = access.lowest >> sector_shift;
  const std::uint32_t last = (access.highest + access.bytes - 1) >> sector_shift;
  const bool aligned = (access.any_bits & (access.bytes - 1u)) == 0;
  if (first == last) return 1;
  if (last - first < 64) {
    std::uint64_t seen = sector_bits(access.offset.data(), 0, first);
    if (!aligned) seen |= sector_bits(access.offset.data(), access.bytes - 1u, first);
    return static_cast<std::uint32_t>(__builtin_popcountll(seen));
  }
  if (aligned)
    if (const Steps steps = sector_steps(access.offset.data()); steps.ascending) return steps.changes + 1;
  std::array<std::uint32_t, 64> sectors;
  for (std::uint32_t l = 0; l < 32; ++l) {
    sectors[2 * l] = access.offset[l] >> sector_shift;
    sectors[2 * l + 1] = (access.offset[l] + access.bytes - 1) >> sector_shift;
  }
  std::sort(sectors.begin(), sectors.end());
  return static_cast<std::uint32_t>(std::unique(sectors.begin(), sectors.end()) - sectors.begin());
}

struct Wavefronts {
  std::uint32_t made, needed;
};

// Groups by the words of the whole shared memory, where the region (bytes or halfwords) does not begin on one.
WordGroups words_from(const WarpAccess& access, std::uint32_t base) {
  alignas(64) std::array<std::uint32_t, 32> offset = access.offset;
  for (std::uint32_t& o : offset) o += base % 4;
  return group_by_word(offset, access.active, access.lowest + base % 4, access.highest + base % 4);
}

// Up to four bytes a lane: as many wavefronts as the busiest bank has distinct words.
Wavefronts wavefronts_of_words(const WarpAccess& access) {
  const auto base = static_cast<std::uint32_t>(access.region->bank_base);
  if ((access.highest + base) / 4 - (access.lowest + base) / 4 < banks) return {1, 1};
  WordGroups elsewhere;
  if (base % 4 != 0) elsewhere = words_from(access, base);
  const WordGroups& words = base % 4 == 0 ? access.words() : elsewhere;
  std::array<std::uint8_t, banks> words_in_bank{};
  std::uint32_t most = 0;
  for (std::uint32_t i = 0; i < words.count; ++i) {
    const std::uint32_t word = (base + access.offset[static_cast<std::uint32_t>(__builtin_ctz(words.lanes[i]))]) / 4;
    most = std::max<std::uint32_t>(most, ++words_in_bank[word % banks]);
  }
  return {most, 1};
}

// Eight or sixteen bytes a lane: a half or a quarter of the warp at a time.
Wavefronts wavefronts_of_wide(const WarpAccess& access) {
  const auto base = static_cast<std::uint32_t>(access.region->bank_base);
  const std::uint32_t words_each = access.bytes / 4u, lanes_at_once = 32 / words_each;
  Wavefronts total{0, 0};
  for (std::uint32_t part = 0; part < words_each; ++part) {
    std::array<std::uint32_t, 32> seen;
    std::array<std::uint8_t, banks> words_in_bank{};
    std::uint32_t count = 0, most = 0;
    const std::uint32_t members = access.active & (((1u << lanes_at_once) - 1) << (part * lanes_at_once));
    for_each_lane(members, [&](std::uint32_t l) {
      for (std::uint32_t w = 0; w < words_each; ++w) {
        const std::uint32_t word = (base + access.offset[l]) / 4 + w;
        if (std::find(seen.begin(), seen.begin() + count, word) != seen.begin() + count) continue;
        seen[count++] = word;
        most = std::max<std::uint32_t>(most, ++words_in_bank[word % banks]);
      }
    });
    total.made += most;
    total.needed += members != 0;
  }
  return total;
}

}  // namespace

TrafficObserver::TrafficObserver(LaunchContext& context)
    : counters_(*context.counters), warps_per_block_((context.config.block.count() + 31) / 32) {}

void TrafficObserver::on_access(const WarpAccess& access) {
  if (access.region->space == Space::shared) count_shared(access);
  else count_global(access);
}

void TrafficObserver::on_barrier() { counters_.barriers += warps_per_block_; }

void TrafficObserver::count_global(const WarpAccess& access) {
  if (access.kind == AccessKind::release) return;
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

void TrafficObserver::count_shared(const WarpAccess& access) {
  const bool atomic = is_atomic(access.kind);
  reference::SharedTraffic& traffic = atomic                          ? counters_.shared_atomic
                                      : access.kind == AccessKind::store ? counters_.shared_store
                                                                         : counters_.shared_load;
  const Wavefronts wavefronts = access.bytes <= 4 ? wavefronts_of_words(access) : wavefronts_of_wide(access);
  ++traffic.requests;
  traffic.wavefronts += wavefronts.made;
  traffic.bank_conflicts += wavefronts.made - wavefronts.needed;
  if (!atomic) return;
  const std::uint32_t degree = same_address_degree(access);
  counters_.shared_contention.updates += static_cast<std::uint32_t>(__builtin_popcount(access.active));
  counters_.shared_contention.degree_sum += degree;
  counters_.shared_contention.degree_max = std::max<std::uint64_t>(counters_.shared_contention.degree_max, degree);
}

}  // namespace histolab::kernels::emulator
