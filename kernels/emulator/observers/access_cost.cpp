#include "kernels/emulator/observers/access_cost.h"

#include <algorithm>

#include "kernels/emulator/arch/in_vectors.h"

namespace histolab::kernels::emulator {
namespace {

// Returns a bit set. Bit i is set if a lane's offset plus `to_last` is in sector `first` + i. All
// sectors must be less than 64 behind `first`.
IN_VECTORS std::uint64_t sector_bits(const std::uint32_t* __restrict offset, std::uint32_t to_last,
                                     std::uint32_t first) {
  std::uint64_t seen = 0;
  for (std::uint32_t l = 0; l < 32; ++l)
    // mutant gone, >> -> <<: only runs without AVX2, which a test cannot provoke on a processor
    // with AVX2
    seen |= std::uint64_t{1} << (((offset[l] + to_last) >> sector_shift) - first);
  // mutant return {}: only runs without AVX2, which a test cannot provoke on a processor with AVX2
  return seen;
}

struct Steps {
  bool ascending;
  std::uint32_t changes;
};

// Compares neighbouring lanes, in units of 2^shift bytes: whether the units ascend, and how often
// they change.
WITH_VECTOR_CLONE Steps steps(const std::uint32_t* __restrict offset, std::uint32_t shift) {
  // mutant 0 -> 1: treats the offsets as not ascending: sorts them and counts the same
  std::uint32_t back = 0, changes = 0;
  // mutant < -> <=, 31 -> 32: the number of words follows the offsets and acts as an offset in
  // sector 0 or 1, so the offsets no longer ascend; they are sorted then, and the count is the same
  for (std::uint32_t l = 0; l < 31; ++l) {
    const std::uint32_t here = offset[l] >> shift, next = offset[l + 1] >> shift;
    // mutant < -> <=: treats repeated offsets as not ascending: sorts them and counts the same
    back |= next < here;
    changes += next != here;
  }
  return {back == 0, changes};
}

// Groups lanes by the words of the whole shared memory, for a region that does not begin at a word.
WordGroups words_from(const WarpAccess& access, std::uint32_t base) {
  alignas(64) std::array<std::uint32_t, 32> offset = access.offset;
  for (std::uint32_t& o : offset) o += base % 4;
  return group_by_word(offset, access.active, access.lowest + base % 4, access.highest + base % 4);
}

// For up to 4 bytes per lane: as many wavefronts as the busiest bank has distinct words.
Wavefronts wavefronts_of_words(const WarpAccess& access) {
  const auto base = static_cast<std::uint32_t>(access.region->bank_base);
  WordGroups elsewhere;
  if (base % 4 != 0) elsewhere = words_from(access, base);
  const WordGroups& words = base % 4 == 0 ? access.words() : elsewhere;
  std::array<std::uint8_t, banks> words_in_bank{};
  std::uint32_t most = 0;
  for (std::uint32_t i = 0; i < words.count; ++i) {
    const std::uint32_t word =
        (base + access.offset[static_cast<std::uint32_t>(__builtin_ctz(words.lanes[i]))]) / 4;
    most = std::max<std::uint32_t>(most, ++words_in_bank[word % banks]);
  }
  return {most, 1};
}

// Returns true if each active lane has the same address as lane `l ^ distance`, if that one is
// active.
bool same_as_neighbours(const WarpAccess& access, std::uint32_t distance) {
  bool same = true;
  for_each_lane(access.active, [&](std::uint32_t l) {
    if ((access.active >> (l ^ distance) & 1) != 0)
      same &= access.offset[l] == access.offset[l ^ distance];
  });
  return same;
}

// For 8 or 16 bytes per lane: a half or a quarter of the warp at a time. The cost is at least one
// wavefront per part, whichever lanes are active. A load in which neighbours agree takes twice as
// many lanes at once. See docs/counters.md.
Wavefronts wavefronts_of_wide(const WarpAccess& access) {
  const auto base = static_cast<std::uint32_t>(access.region->bank_base);
  const std::uint32_t words_each = access.bytes / 4u;
  const bool load = !writes(access.kind);
  const std::uint32_t parts =
      load && (same_as_neighbours(access, 1) || same_as_neighbours(access, 2)) ? words_each / 2
                                                                               : words_each;
  const std::uint32_t members_of_first = parts == 1 ? ~0u : (1u << 32 / parts) - 1;
  Wavefronts total{0, parts};
  for (std::uint32_t part = 0; part < parts; ++part) {
    // mutant 64 -> 65: no part of a warp has more than 32 different words, so the 65th is never
    // written
    std::array<std::uint32_t, 64> seen;
    std::array<std::uint8_t, banks> words_in_bank{};
    std::uint32_t count = 0, most = 0;
    for_each_lane(access.active & members_of_first << (part * (32 / parts)), [&](std::uint32_t l) {
      for (std::uint32_t w = 0; w < words_each; ++w) {
        const std::uint32_t word = (base + access.offset[l]) / 4 + w;
        if (std::find(seen.begin(), seen.begin() + count, word) != seen.begin() + count) continue;
        seen[count++] = word;
        most = std::max<std::uint32_t>(most, ++words_in_bank[word % banks]);
      }
    });
    total.made += most;
  }
  total.made = std::max(total.made, total.needed);
  return total;
}

}  // namespace

std::uint32_t sectors_of(const WarpAccess& access) {
  const std::uint32_t first = access.lowest >> sector_shift;
  // mutant >> -> <<: treats the sectors as far apart: the slow path counts the same
  const std::uint32_t last = (access.highest + access.bytes - 1) >> sector_shift;
  const bool aligned = (access.any_bits & (access.bytes - 1u)) == 0;
  // mutant never: the slow path counts the same
  // mutant - -> +: the code that follows counts the rest: the same count, only slower
  if (last - first < 64) {
    std::uint64_t seen = sector_bits(access.offset.data(), 0, first);
    // mutant always: the last byte of an aligned access is in the sector of its first byte
    if (!aligned) seen |= sector_bits(access.offset.data(), access.bytes - 1u, first);
    return static_cast<std::uint32_t>(__builtin_popcountll(seen));
  }
  // mutant never: the sort that follows counts the same sectors, only slower
  if (aligned)
    if (const Steps by_sector = steps(access.offset.data(), sector_shift); by_sector.ascending)
      return by_sector.changes + 1;
  std::array<std::uint32_t, 64> sectors;
  for (std::uint32_t l = 0; l < 32; ++l) {
    sectors[2 * l] = access.offset[l] >> sector_shift;
    sectors[2 * l + 1] = (access.offset[l] + access.bytes - 1) >> sector_shift;
  }
  std::sort(sectors.begin(), sectors.end());
  return static_cast<std::uint32_t>(std::unique(sectors.begin(), sectors.end()) - sectors.begin());
}

std::uint32_t local_sectors_of(const WarpAccess& access) {
  constexpr std::uint32_t word_bytes = 4, lanes = 32, lanes_of_sector = 8;
  std::array<std::uint32_t, lanes> sectors{};
  std::uint32_t count = 0;
  for_each_lane(access.active, [&](std::uint32_t lane) {
    const std::uint32_t word = Window::place_in_stack(access.offset[lane]) / word_bytes;
    sectors[count++] = word * (lanes / lanes_of_sector) + lane / lanes_of_sector;
  });
  std::sort(sectors.begin(), sectors.begin() + count);
  const auto different = std::unique(sectors.begin(), sectors.begin() + count) - sectors.begin();
  const std::uint32_t words = (access.bytes + word_bytes - 1) / word_bytes;  // one line per word
  return static_cast<std::uint32_t>(different) * words;
}

std::uint32_t addresses_of(const WarpAccess& access) {
  if (access.lowest == access.highest) return 1;
  // mutant never: also sorts ascending offsets: the same count, only slower
  if (const Steps by_byte = steps(access.offset.data(), 0); by_byte.ascending)
    return by_byte.changes + 1;
  if (access.bytes >= 4 && (access.any_bits & 3) == 0) return access.words().count;
  std::array<std::uint32_t, 32> sorted = access.offset;
  std::sort(sorted.begin(), sorted.end());
  return static_cast<std::uint32_t>(std::unique(sorted.begin(), sorted.end()) - sorted.begin());
}

std::uint32_t same_byte_degree(const WarpAccess& access) {
  std::uint32_t most = 0;
  for_each_lane(access.active, [&](std::uint32_t a) {
    std::uint32_t same = 0;
    for_each_lane(access.active,
                  [&](std::uint32_t b) { same += access.offset[b] == access.offset[a]; });
    most = std::max(most, same);
  });
  return most;
}

Wavefronts wavefronts_of(const WarpAccess& access) {
  return access.bytes <= 4 ? wavefronts_of_words(access) : wavefronts_of_wide(access);
}

}  // namespace histolab::kernels::emulator
