#include "kernels/emulator/observers/traffic.h"

#include <immintrin.h>

#include <algorithm>
#include <functional>
#include <utility>

namespace histolab::kernels::emulator {
namespace {

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

// Bit i: some lane's access, or its last byte, which is `to_last` bytes further, is `i` sectors behind the first. For sectors
// that are fewer than 64 apart.
std::uint64_t sector_bits_anywhere(const std::uint32_t* __restrict offset, std::uint32_t to_last, std::uint32_t first) {
  std::uint64_t seen = 0;
  for (std::uint32_t l = 0; l < 32; ++l) seen |= std::uint64_t{1} << (((offset[l] + to_last) >> sector_shift) - first);
  return seen;
}

[[gnu::target("avx2")]] std::uint64_t sector_bits_avx2(const std::uint32_t* __restrict offset, std::uint32_t to_last, std::uint32_t first) {
  const __m256i further = _mm256_set1_epi32(static_cast<int>(to_last)), base = _mm256_set1_epi32(static_cast<int>(first));
  const __m256i one = _mm256_set1_epi64x(1);
  __m256i seen = _mm256_setzero_si256();
  for (int i = 0; i < 4; ++i) {
    const __m256i bytes = _mm256_add_epi32(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(offset) + i), further);
    const __m256i sectors = _mm256_sub_epi32(_mm256_srli_epi32(bytes, sector_shift), base);
    // A shift looks at 64 bits: the upper four sectors come down, the lower four lose what stands above them.
    const __m256i upper = _mm256_srli_epi64(sectors, 32), lower = _mm256_blend_epi32(sectors, _mm256_setzero_si256(), 0b10101010);
    seen = _mm256_or_si256(seen, _mm256_or_si256(_mm256_sllv_epi64(one, upper), _mm256_sllv_epi64(one, lower)));
  }
  const __m128i half = _mm_or_si128(_mm256_castsi256_si128(seen), _mm256_extracti128_si256(seen, 1));
  return static_cast<std::uint64_t>(_mm_cvtsi128_si64(_mm_or_si128(half, _mm_unpackhi_epi64(half, half))));
}

const auto sector_bits = __builtin_cpu_supports("avx2") ? sector_bits_avx2 : sector_bits_anywhere;

struct Steps {
  bool ascending;
  std::uint32_t changes;
};

// From lane to lane, does the unit of 2^shift bytes never go back, and how often does it change?
[[gnu::target_clones("avx2", "default")]] Steps steps(const std::uint32_t* __restrict offset, std::uint32_t shift) {
  std::uint32_t back = 0, changes = 0;
  for (std::uint32_t l = 0; l < 31; ++l) {
    const std::uint32_t here = offset[l] >> shift, next = offset[l + 1] >> shift;
    back |= next < here;
    changes += next != here;
  }
  return {back == 0, changes};
}

bool all_in_one_sector(const WarpAccess& access) {
  return access.lowest >> sector_shift == (access.highest + access.bytes - 1) >> sector_shift;
}

// Distinct 32-byte sectors. A lane's access may reach into the next one when it is misaligned.
std::uint32_t sectors_of(const WarpAccess& access) {
  const std::uint32_t first = access.lowest >> sector_shift;
  const std::uint32_t last = (access.highest + access.bytes - 1) >> sector_shift;
  const bool aligned = (access.any_bits & (access.bytes - 1u)) == 0;
  if (last - first < 64) {
    std::uint64_t seen = sector_bits(access.offset.data(), 0, first);
    if (!aligned) seen |= sector_bits(access.offset.data(), access.bytes - 1u, first);
    return static_cast<std::uint32_t>(__builtin_popcountll(seen));
  }
  if (aligned)
    if (const Steps by_sector = steps(access.offset.data(), sector_shift); by_sector.ascending) return by_sector.changes + 1;
  std::array<std::uint32_t, 64> sectors;
  for (std::uint32_t l = 0; l < 32; ++l) {
    sectors[2 * l] = access.offset[l] >> sector_shift;
    sectors[2 * l + 1] = (access.offset[l] + access.bytes - 1) >> sector_shift;
  }
  std::sort(sectors.begin(), sectors.end());
  return static_cast<std::uint32_t>(std::unique(sectors.begin(), sectors.end()) - sectors.begin());
}

// Different addresses among the lanes.
std::uint32_t addresses_of(const WarpAccess& access) {
  if (access.lowest == access.highest) return 1;
  if (const Steps by_byte = steps(access.offset.data(), 0); by_byte.ascending) return by_byte.changes + 1;
  if (access.bytes >= 4 && (access.any_bits & 3) == 0) return access.words().count;
  std::array<std::uint32_t, 32> sorted = access.offset;
  std::sort(sorted.begin(), sorted.end());
  return static_cast<std::uint32_t>(std::unique(sorted.begin(), sorted.end()) - sorted.begin());
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

bool all_in_one_wavefront(const WarpAccess& access) {
  const auto base = static_cast<std::uint32_t>(access.region->bank_base);
  return access.bytes <= 4 && (access.highest + base) / 4 - (access.lowest + base) / 4 < banks;
}

// Up to four bytes a lane: as many wavefronts as the busiest bank has distinct words.
Wavefronts wavefronts_of_words(const WarpAccess& access) {
  const auto base = static_cast<std::uint32_t>(access.region->bank_base);
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

// Does each lane have the address of its neighbour across `distance`, where both are active?
bool same_as_neighbours(const WarpAccess& access, std::uint32_t distance) {
  bool same = true;
  for_each_lane(access.active, [&](std::uint32_t l) {
    if ((access.active >> (l ^ distance) & 1) != 0) same &= access.offset[l] == access.offset[l ^ distance];
  });
  return same;
}

// Eight or sixteen bytes a lane: a half or a quarter of the warp at a time, and never less time than all of them take without a
// conflict, whichever lanes are active. A load in which neighbours agree takes twice as many lanes at once. See docs/counters.md.
Wavefronts wavefronts_of_wide(const WarpAccess& access) {
  const auto base = static_cast<std::uint32_t>(access.region->bank_base);
  const std::uint32_t words_each = access.bytes / 4u;
  const bool load = !writes(access.kind);
  const std::uint32_t parts = load && (same_as_neighbours(access, 1) || same_as_neighbours(access, 2)) ? words_each / 2 : words_each;
  const std::uint32_t members_of_first = parts == 1 ? ~0u : (1u << 32 / parts) - 1;
  Wavefronts total{0, parts};
  for (std::uint32_t part = 0; part < parts; ++part) {
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

// A compare-and-swap reads its word in one and writes it in another.
std::uint32_t wavefronts_of_pass(const Site& site) { return site.kind == AccessKind::compare_and_swap && site.bytes == 4 ? 2 : 1; }

// What atomic operations of a warp take where lanes on one address come after each other.
class InTurn {
 public:
  explicit InTurn(const WarpAccess& access, bool shares)
      : shared_(access.region->space == Space::shared), shares_(shares), first_(shared_ ? 0 : access.lowest >> sector_shift) {}
  // Words in any order, each once; in global memory less than 64 sectors apart.
  void add(std::uint64_t word, std::uint32_t lanes) {
    if (shared_) {
      std::uint8_t& bank = taken_[word % banks];  // wherever bank 0 is
      bank = static_cast<std::uint8_t>(bank + (shares_ ? 1 : lanes));
      parts_ = std::max<std::uint32_t>(parts_, bank);
    } else if (std::uint8_t& sector = taken_[(word * 4 >> sector_shift) - first_]; lanes > sector) {
      parts_ += lanes - sector;
      sector = static_cast<std::uint8_t>(lanes);
    }
  }
  [[nodiscard]] std::uint32_t parts() const { return parts_; }

 private:
  const bool shared_, shares_;
  const std::uint32_t first_;
  std::array<std::uint8_t, 64> taken_{};  // of each bank: lanes, or words; of each sector: the most lanes on one of its words
  std::uint32_t parts_ = 0;
};

// The same in global memory, of sectors that may be further apart.
std::uint32_t sectors_in_turn(const WarpAccess& access) {
  const WordGroups& words = access.words();
  std::array<std::pair<std::uint32_t, std::uint32_t>, 32> lanes_in;  // a sector; lanes on one of its words
  for (std::uint32_t i = 0; i < words.count; ++i)
    lanes_in[i] = {access.offset[static_cast<std::uint32_t>(__builtin_ctz(words.lanes[i]))] >> sector_shift, static_cast<std::uint32_t>(__builtin_popcount(words.lanes[i]))};
  std::sort(lanes_in.begin(), lanes_in.begin() + words.count, std::greater{});
  std::uint32_t parts = 0;
  for (std::uint32_t i = 0; i < words.count; ++i)
    if (i == 0 || lanes_in[i].first != lanes_in[i - 1].first) parts += lanes_in[i].second;
  return parts;
}

}  // namespace

TrafficObserver::TrafficObserver(LaunchContext& context)
    : context_(context), warps_per_block_((context.config.block.count() + 31) / 32), chains_(warps_per_block_) {}

TrafficObserver::Accounts& TrafficObserver::open(SiteNumber site) {
  Accounts& accounts = accounts_.emplace_back();
  number_[site] = static_cast<std::uint16_t>(accounts_.size());
  accounts.site = site;
  accounts.asks = (*context_.sites)[site].kind == AccessKind::atomic && (*context_.sites)[site].result_used;
  accounts.shares = (*context_.sites)[site].adds_one && !(*context_.sites)[site].result_used;
  if (is_atomic((*context_.sites)[site].kind))
    for (Account* account : {&accounts.global, &accounts.shared}) account->atomic = std::make_unique<AtomicAccount>();
  return accounts;
}

std::optional<TrafficObserver::Cost> TrafficObserver::account_for(const WarpAccess& access) {
  if (access.kind == AccessKind::release || access.region->role == Region::Role::constant) [[unlikely]] return std::nullopt;  // a cache of its own
  Accounts& accounts = accounts_of(access.site);
  const bool shared = access.region->space == Space::shared;
  Account& account = shared ? accounts.shared : accounts.global;
  ++account.requests;
  account.lanes += static_cast<std::uint32_t>(__builtin_popcount(access.active));
  account.bytes += std::uint64_t{addresses_of(access)} * access.bytes;
  if (writes(access.kind)) chains_.write(access, accounts.asks);
  else account.repeated += !chains_.load(access);
  if (access.region->askew != 0) [[unlikely]] return count_askew(account, access);
  if (account.atomic != nullptr) return count_atomic(accounts, account, access);
  if (shared ? !all_in_one_wavefront(access) : !all_in_one_sector(access)) return count_several(account, access);
  ++account.cost;
  return Cost{};
}

// Of an input, so nothing but loads: as from a border.
[[gnu::noinline]] TrafficObserver::Cost TrafficObserver::count_askew(Account& account, const WarpAccess& access) {
  WarpAccess from_border = access;
  const std::uint32_t askew = access.region->askew;
  from_border.any_bits = 0;
  for (std::uint32_t& offset : from_border.offset) from_border.any_bits |= offset += askew;
  from_border.lowest += askew, from_border.highest += askew;
  const Cost cost{.parts = sectors_of(from_border)};
  account.cost += cost.parts;
  return cost;
}

// Apart from the plain case, which then needs no registers of its own.
[[gnu::noinline]] TrafficObserver::Cost TrafficObserver::count_several(Account& account, const WarpAccess& access) {
  Cost cost;
  if (access.region->space == Space::shared) {
    const Wavefronts wavefronts = access.bytes <= 4 ? wavefronts_of_words(access) : wavefronts_of_wide(access);
    cost.parts = wavefronts.made;
    account.conflicts += wavefronts.made - wavefronts.needed;
  } else {
    cost.parts = sectors_of(access);
  }
  account.cost += cost.parts;
  return cost;
}

void TrafficObserver::on_barrier() {
  accounts_of(context_.barrier).barriers += warps_per_block_;
  chains_.barrier();
}

// Lanes in one word are on one address, where the operation is on whole words.
[[gnu::noinline]] TrafficObserver::Cost TrafficObserver::count_atomic(const Accounts& accounts, Account& account, const WarpAccess& access) {
  AtomicAccount& atomic = *account.atomic;
  if (atomic.region != access.region) atomic.updates = updates_of(*access.region, access.bytes), atomic.region = access.region;
  std::uint64_t* const updates = atomic.updates->of_word.get();
  const std::uint64_t counted = atomic.updates->words;
  const WordGroups& words = access.words();
  const bool shared = access.region->space == Space::shared;
  const bool far = !shared && (access.highest >> sector_shift) - (access.lowest >> sector_shift) >= 64;
  std::uint32_t degree = 0;
  InTurn in_turn(access, accounts.shares);
  const std::uint32_t* lanes_of = words.lanes.data();
  const auto count = [&](std::uint64_t word, std::uint64_t counted_as) {
    const auto lanes = static_cast<std::uint32_t>(__builtin_popcount(*lanes_of++));
    degree = std::max(degree, lanes);
    updates[counted_as] += lanes;
    if (!far) in_turn.add(word, lanes);
  };
  if (words.words != 0) {
    for (std::uint64_t left = words.words; left != 0; left &= left - 1) {
      const auto word = static_cast<std::uint64_t>(__builtin_ctzll(left));
      count(word, word);
    }
  } else {
    for (const std::uint32_t* end = lanes_of + words.count; lanes_of != end;) {
      const std::uint32_t word = access.offset[static_cast<std::uint32_t>(__builtin_ctz(*lanes_of))] / 4;
      count(word, std::min<std::uint64_t>(word, counted));
    }
  }
  if ((access.any_bits & 3) != 0) degree = same_byte_degree(access);
  ++atomic.requests_of_degree[degree];

  Wavefronts parts{far ? sectors_in_turn(access) : in_turn.parts(), 1};
  if (shared && access.bytes > 4) parts = wavefronts_of_wide(access);
  if (shared) account.conflicts += parts.made - parts.needed;
  account.cost += parts.made;
  return {parts.made * (shared ? wavefronts_of_pass((*context_.sites)[access.site]) : 1), degree};
}

// `bytes`: of the operation that comes there for the first time.
TrafficObserver::Updates* TrafficObserver::updates_of(const Region& region, std::uint32_t bytes) {
  const std::uint32_t element_bytes = region.element_bytes != 0 ? region.element_bytes : std::max(bytes, 4u);
  for (Updates& known : updates_)
    if (known.region == &region) {
      known.element_bytes = std::min(known.element_bytes, element_bytes);
      return &known;
    }
  // One more than counted; and as many as a bit set of words speaks of, which then needs no check.
  const std::uint64_t words = std::min((region.size + 3) / 4, Updates::max_words), room = std::max<std::uint64_t>(words + 1, 64);
  return &updates_.emplace_back(Updates{&region, element_bytes, words, std::unique_ptr<std::uint64_t[]>(new std::uint64_t[room]())});
}

void TrafficObserver::close(const Accounts& accounts) {
  const Site& site = (*context_.sites)[accounts.site];
  auto& lines = *context_.lines;
  auto line = std::lower_bound(lines.begin(), lines.end(), site.line, [](const auto& a, int number) { return a.line < number; });
  if (line == lines.end() || line->line != site.line) line = lines.insert(line, {site.line, {}});
  reference::Traffic& total = line->counters;
  const bool atomic = is_atomic(site.kind), store = site.kind == AccessKind::store;
  reference::GlobalTraffic& global = atomic ? total.global_atomic : store ? total.global_store : total.global_load;
  global.requests += accounts.global.requests;
  global.sectors += accounts.global.cost;
  global.bytes += accounts.global.bytes;
  global.lanes += accounts.global.lanes;
  reference::SharedTraffic& shared = atomic ? total.shared_atomic : store ? total.shared_store : total.shared_load;
  shared.requests += accounts.shared.requests;
  const std::uint64_t shared_wavefronts = accounts.shared.cost * wavefronts_of_pass(site);
  shared.wavefronts += shared_wavefronts;
  shared.bank_conflicts += accounts.shared.conflicts;
  shared.bytes += accounts.shared.bytes;
  shared.lanes += accounts.shared.lanes;
  total.barriers += accounts.barriers;
  const auto contend = [](reference::AtomicContention& contention, const Account& account) {
    if (account.atomic == nullptr) return;
    contention.updates += account.lanes;
    for (std::size_t degree = 1; degree <= 32; ++degree)
      contention.requests_of_degree[degree - 1] += account.atomic->requests_of_degree[degree];
  };
  contend(total.global_contention, accounts.global);
  contend(total.shared_contention, accounts.shared);
  const auto part = [](reference::AtomicWork& work, const Account& account, std::uint64_t cost) {
    if (account.atomic == nullptr) return;
    work.requests += account.requests;
    work.wavefronts += cost;
    for (std::size_t degree = 1; degree <= 32; ++degree) work.degrees += degree * account.atomic->requests_of_degree[degree];
  };
  total.repeated_loads += accounts.global.repeated;
  if (site.kind == AccessKind::volatile_load) total.volatile_loads += accounts.global.requests;
  if (accounts.shares) part(total.shared_increments, accounts.shared, accounts.shared.cost);
  // An operation of 8 bytes on shared memory is a loop of compare-and-swap, a round for each lane on the word.
  if (site.kind == AccessKind::atomic && site.bytes == 8 && accounts.shared.atomic != nullptr) {
    total.shared_swaps.wavefronts += accounts.shared.cost;
    for (std::size_t degree = 1; degree <= 32; ++degree) {
      const std::uint64_t requests = accounts.shared.atomic->requests_of_degree[degree];
      total.shared_swaps.requests += degree * requests, total.shared_swaps.degrees += degree * (degree + 1) / 2 * requests;
    }
  }
  if (site.kind == AccessKind::compare_and_swap) part(total.shared_swaps, accounts.shared, shared_wavefronts), part(total.global_swaps, accounts.global, accounts.global.cost);
}

void TrafficObserver::add_pressure(const Updates& updates) {
  reference::AtomicPressure pressure;
  pressure.variable = updates.region->name;
  pressure.shared = updates.region->space == Space::shared;
  pressure.element_bytes = updates.element_bytes;
  pressure.updates = pressure.uncounted = updates.of_word[updates.words];
  auto& top = pressure.top;
  std::uint64_t last = ~0ull;  // the element before: a wide one has several words
  for (std::uint64_t word = 0; word < updates.words; ++word) {
    if (updates.of_word[word] == 0) continue;
    const std::uint64_t index = word * 4 / updates.element_bytes;
    pressure.updates += updates.of_word[word];
    if (index == last) top.back().updates += updates.of_word[word];
    else top.push_back({index, updates.of_word[word]});
    last = index;
  }
  pressure.elements = top.size();
  if (context_.whole_pressure != nullptr) context_.whole_pressure->push_back({updates.region->id, pressure});
  pressure.keep_most_updated();
  context_.pressure->push_back(std::move(pressure));
}

void TrafficObserver::on_launch_end() {
  context_.counters->busiest = chains_.busiest();
  for (const Accounts& accounts : accounts_) close(accounts);
  for (const reference::LineCounters& line : *context_.lines)
    static_cast<reference::Traffic&>(*context_.counters) += line.counters;
  for (const Updates& updates : updates_) add_pressure(updates);
}

}  // namespace histolab::kernels::emulator
