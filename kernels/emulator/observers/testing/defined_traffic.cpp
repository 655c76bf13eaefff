#include "kernels/emulator/observers/testing/defined_traffic.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <set>
#include <utility>
#include <vector>

namespace histolab::kernels::emulator::testing {

using reference::Traffic;

namespace {

std::uint64_t sectors_of(const WarpAccess& access) {
  std::set<std::uint64_t> sectors;
  for_each_lane(access.active, [&](std::uint32_t l) {
    for (std::uint64_t byte = 0; byte < access.bytes; ++byte)
      sectors.insert((access.region->askew + access.offset[l] + byte) / 32);
  });
  return sectors.size();
}

// Returns true if each active lane has the address of lane `l ^ distance`, if that one is active.
bool agree(const WarpAccess& access, std::uint32_t distance) {
  for (std::uint32_t l = 0; l < 32; ++l)
    if ((access.active >> l & 1) != 0 && (access.active >> (l ^ distance) & 1) != 0 &&
        access.offset[l] != access.offset[l ^ distance])
      return false;
  return true;
}

// Returns (wavefronts, conflicts). Shared memory serves 128 bytes at once. For up to 4 bytes per
// lane that is the whole warp, else a half or a quarter of it. For a load whose neighbours agree it
// is twice as many lanes. Each part takes as many wavefronts as the busiest bank has distinct
// words. The total is at least one per part, even if no lane is active in some.
std::pair<std::uint64_t, std::uint64_t> wavefronts_and_conflicts_of(const WarpAccess& access) {
  const bool load = access.kind == AccessKind::load || access.kind == AccessKind::volatile_load;
  std::uint32_t lanes_at_once = access.bytes <= 4 ? 32 : 128 / access.bytes;
  if (access.bytes > 4 && load && (agree(access, 1) || agree(access, 2))) lanes_at_once *= 2;
  std::uint64_t wavefronts = 0;
  for (std::uint32_t first = 0; first < 32; first += lanes_at_once) {
    std::map<std::uint64_t, std::set<std::uint64_t>> words_of_bank;
    for (std::uint32_t l = first; l < first + lanes_at_once; ++l) {
      if ((access.active >> l & 1) == 0) continue;
      for (std::uint32_t byte = 0; byte < access.bytes; ++byte) {
        const std::uint64_t word = (access.region->bank_base + access.offset[l] + byte) / 4;
        words_of_bank[word % 32].insert(word);
      }
    }
    std::uint64_t busiest = 0;
    for (const auto& [bank, words] : words_of_bank)
      busiest = std::max<std::uint64_t>(busiest, words.size());
    wavefronts += busiest;
  }
  wavefronts = std::max<std::uint64_t>(wavefronts, 32 / lanes_at_once);
  return {wavefronts, wavefronts - 32 / lanes_at_once};
}

// Atomic operations of lanes on one address are serialized. A sector of global memory takes as many
// passes as lanes are on its busiest address: different addresses in it go together. A bank of
// shared memory serves one lane at a time. If all lanes add 1 and the result is not used, it serves
// one word at a time.
std::uint64_t sectors_in_turn(const WarpAccess& access) {
  std::map<std::uint64_t, std::map<std::uint64_t, std::uint64_t>>
      lanes_of;  // per sector: lanes per word
  for_each_lane(access.active,
                [&](std::uint32_t l) { ++lanes_of[access.offset[l] / 32][access.offset[l] / 4]; });
  std::uint64_t sectors = 0;
  for (const auto& [sector, of_word] : lanes_of)
    sectors +=
        std::ranges::max_element(of_word, {}, [](const auto& each) { return each.second; })->second;
  return sectors;
}

std::uint64_t passes_over_banks(const WarpAccess& access, bool shares) {
  std::map<std::uint64_t, std::multiset<std::uint64_t>> of_bank;  // words per bank
  for_each_lane(access.active, [&](std::uint32_t l) {
    std::multiset<std::uint64_t>& words = of_bank[access.offset[l] / 4 % 32];
    if (!shares || !words.contains(access.offset[l] / 4)) words.insert(access.offset[l] / 4);
  });
  return std::ranges::max_element(of_bank, {}, [](const auto& each) { return each.second.size(); })
      ->second.size();
}

std::uint64_t addresses_of(const WarpAccess& access) {
  std::set<std::uint32_t> addresses;
  for_each_lane(access.active, [&](std::uint32_t l) { addresses.insert(access.offset[l]); });
  return addresses.size();
}

std::vector<std::string> lines(const Traffic& c) {
  const auto global = [](const char* what, const reference::GlobalTraffic& t) {
    return fmt::format("{}: {} requests, {} sectors, {} bytes, {} lanes", what, t.requests,
                       t.sectors, t.bytes, t.lanes);
  };
  const auto shared = [](const char* what, const reference::SharedTraffic& t) {
    return fmt::format("{}: {} requests, {} wavefronts, {} conflicts, {} bytes, {} lanes", what,
                       t.requests, t.wavefronts, t.bank_conflicts, t.bytes, t.lanes);
  };
  const auto contention = [](const char* what, const reference::AtomicContention& t) {
    return fmt::format("{}: {} updates, requests by degree {}", what, t.updates,
                       fmt::join(t.requests_of_degree, " "));
  };
  return {global("global loads", c.global_load),
          global("global stores", c.global_store),
          global("global atomics", c.global_atomic),
          shared("shared loads", c.shared_load),
          shared("shared stores", c.shared_store),
          shared("shared atomics", c.shared_atomic),
          contention("global contention", c.global_contention),
          contention("shared contention", c.shared_contention)};
}

}  // namespace

std::uint64_t same_address_degree(const WarpAccess& access) {
  std::map<std::uint32_t, std::uint64_t> lanes_at;
  for_each_lane(access.active, [&](std::uint32_t l) { ++lanes_at[access.offset[l]]; });
  return std::ranges::max_element(lanes_at, {}, [](const auto& entry) { return entry.second; })
      ->second;
}

void add(Traffic& counters, const WarpAccess& access, bool shares) {
  const bool shared = access.region->space == Space::shared, atomic = is_atomic(access.kind),
             store = access.kind == AccessKind::store;
  const auto lanes = static_cast<std::uint64_t>(__builtin_popcount(access.active));
  if (shared) {
    auto& traffic = atomic  ? counters.shared_atomic
                    : store ? counters.shared_store
                            : counters.shared_load;
    auto [wavefronts, conflicts] = wavefronts_and_conflicts_of(access);
    if (atomic && access.bytes <= 4) {
      wavefronts = passes_over_banks(access, shares);
      conflicts = wavefronts - 1;
    }
    if (access.kind == AccessKind::compare_and_swap && access.bytes == 4)
      wavefronts *= 2;  // one reads, one writes
    ++traffic.requests;
    traffic.wavefronts += wavefronts;
    traffic.bank_conflicts += conflicts;
    traffic.bytes += addresses_of(access) * access.bytes;
    traffic.lanes += lanes;
  } else {
    auto& traffic = atomic  ? counters.global_atomic
                    : store ? counters.global_store
                            : counters.global_load;
    ++traffic.requests;
    traffic.sectors += atomic ? sectors_in_turn(access) : sectors_of(access);
    traffic.bytes += addresses_of(access) * access.bytes;
    traffic.lanes += lanes;
  }
  if (!atomic) return;
  auto& contention = shared ? counters.shared_contention : counters.global_contention;
  contention.updates += lanes;
  ++contention.requests_of_degree[same_address_degree(access) - 1];
}

std::string differences(const Traffic& got, const Traffic& expected) {
  if (std::memcmp(&got, &expected, sizeof got) == 0) return {};  // it has 64-bit integers only
  std::string text;
  for (std::size_t i = 0; i < lines(got).size(); ++i)
    if (lines(got)[i] != lines(expected)[i])
      text += "expected " + lines(expected)[i] + "\n     got " + lines(got)[i] + "\n";
  return text;
}

std::string text(const WarpAccess& access) {
  std::string lanes;
  for_each_lane(access.active,
                [&](std::uint32_t l) { lanes += fmt::format(" {}:{}", l, access.offset[l]); });
  return fmt::format("kind {}, {} bytes, bank base {}, offsets by lane{}",
                     static_cast<int>(access.kind), access.bytes, access.region->bank_base, lanes);
}

}  // namespace histolab::kernels::emulator::testing
