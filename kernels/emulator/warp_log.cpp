#include "kernels/emulator/warp_log.h"

#include <immintrin.h>

#include <algorithm>
#include <new>
#include <utility>

namespace histolab::kernels::emulator {

void WarpLog::take(std::vector<Memory>& idle) {
  if (idle.empty()) {
    log_.reset(static_cast<std::uint64_t*>(std::aligned_alloc(bytes, bytes)));
    if (log_ == nullptr) throw std::bad_alloc();
    return;
  }
  log_ = std::move(idle.back());
  idle.pop_back();
}

void WarpLog::give(std::vector<Memory>& idle) { idle.push_back(std::move(log_)); }

void WarpLog::begin(std::uint32_t warp) {
  warp_ = warp;
  converged_ = true;
  loops_ = {};
  last_ = 0;
}

void WarpLog::converge(std::uint32_t lane) {
  if (converged_) return;
  converged_ = true;
  loops_ = lane_[lane].loops;
  last_ = lane_[lane].last;
}

void WarpLog::pass(SiteTable& sites, std::uint32_t together, SiteNumber site) {
  // A loop that this site has not been seen in stays: the step back to its head may yet come.
  const auto step = [&](Loops& loops, SiteNumber& last) {
    if (site <= last) loops.advance(sites, last, site);
    last = site;
  };
  if (converged_ && together == ~0u) return step(loops_, last_);
  if (converged_) part(0);
  for_each_lane(together, [&](std::uint32_t l) { step(lane_[l].loops, lane_[l].last); });
}

std::uint32_t WarpLog::first_of(SiteTable& sites, std::uint32_t standing, const std::array<SiteNumber, lanes>& at) const {
  std::array<Lane, lanes> next;
  std::uint32_t first = lanes, together = 0;
  for_each_lane(standing, [&](std::uint32_t l) {
    if (converged_) next[l].loops = loops_, next[l].last = last_;
    else next[l] = lane_[l];
    next[l].loops.advance(sites, next[l].last, at[l]);
    next[l].last = at[l];
    const int comes_first = first == lanes ? -1 : order(sites, next[l], next[first]);
    if (comes_first < 0) first = l, together = 0;
    if (comes_first <= 0) together |= 1u << l;
  });
  return together;
}

void WarpLog::Loops::advance(SiteTable& sites, SiteNumber from, SiteNumber to) {
  if (to > from) {
    while (depth > 0 && to > sites[loop[depth - 1].head].loop_tail) --depth;  // past their end
    return;
  }
  std::uint16_t& tail = sites[to].loop_tail;
  tail = from > tail ? from : tail;
  while (depth > 0 && loop[depth - 1].head > to) --depth;  // an outer loop went round
  if (depth > 0 && loop[depth - 1].head == to) {
    ++loop[depth - 1].round;
    return;
  }
  if (depth == max_depth) --depth;
  loop[depth++] = {to, 1};
}

int WarpLog::order(const SiteTable& sites, const Lane& a, const Lane& b) {
  const Loops &x = a.loops, &y = b.loops;
  for (std::uint32_t i = 0; i < x.depth || i < y.depth; ++i) {
    const bool only_x = i >= y.depth || (i < x.depth && x.loop[i].head < y.loop[i].head);
    const bool only_y = i >= x.depth || (i < y.depth && y.loop[i].head < x.loop[i].head);
    // One of them went round a loop that the other did not: the other is either still in its first round, or past it.
    if (only_x) return b.last > sites[x.loop[i].head].loop_tail ? -1 : 1;
    if (only_y) return a.last > sites[y.loop[i].head].loop_tail ? 1 : -1;
    if (x.loop[i].round != y.loop[i].round) return x.loop[i].round < y.loop[i].round ? -1 : 1;
  }
  return static_cast<int>(a.last) - static_cast<int>(b.last);
}

WarpLog::Judged WarpLog::judge(LaunchContext& context, std::array<std::uint64_t*, lanes>& cursors, std::uint32_t running) {
  Judged judged;
  std::uint32_t judged_together = 0;
  if (converged_ && level(cursors)) {
    const auto end = static_cast<std::uint32_t>((cursors[0] - start(0)) / lanes);
    judged.most = judge_converged(context, end);
    if (judged.most == end) {
      set_cursors(cursors);
      return judged;
    }
    judged_together = judged.most;
  }
  std::uint32_t shortest = rows;
  for (std::uint32_t l = 0; l < lanes; ++l) {
    lane_[l].end = static_cast<std::uint32_t>((cursors[l] - start(l)) / lanes);
    shortest = std::min(shortest, lane_[l].end);
  }
  if (converged_) {
    if (judged_together == 0) judged_together = judge_converged(context, shortest);
    part(judged_together);
  } else {
    for (Lane& lane : lane_) lane.position = 0;
  }
  judge_diverged(context, running);
  judged.level = false;
  judged.most = 0;
  // What is left moves to the front.
  for (std::uint32_t l = 0; l < lanes; ++l) {
    const Lane& lane = lane_[l];
    judged.rows[l] = lane.position;
    judged.most = std::max(judged.most, lane.position);
    for (std::uint32_t row = lane.position; row < lane.end; ++row) log_[(row - lane.position) * lanes + l] = at(row, l);
    cursors[l] = start(l) + (lane.end - lane.position) * lanes;
  }
  return judged;
}

// Does each lane have as many rows?
bool WarpLog::level(const std::array<std::uint64_t*, lanes>& cursors) {
  std::uint64_t differs = 0;
  for (std::uint32_t l = 0; l < lanes; ++l)
    differs |= (reinterpret_cast<std::uint64_t>(cursors[l]) - l * sizeof(std::uint64_t)) ^ reinterpret_cast<std::uint64_t>(cursors[0]);
  return differs == 0;
}

void WarpLog::set_cursors(std::array<std::uint64_t*, lanes>& cursors) const {
  for (std::uint32_t l = 0; l < lanes; ++l) cursors[l] = start(l);
}

// Rows in which all 32 lanes are at one site. Returns how many there are before the first that is not.
std::uint32_t WarpLog::judge_converged(LaunchContext& context, std::uint32_t rows_of_all) {
  for (std::uint32_t row = 0; row < rows_of_all; ++row) {
    const std::uint64_t* records = log_.get() + row * lanes;
    if (!pass_on_together(context, warp_, records)) return row;
    const SiteNumber now = site(records[0]);
    loops_.advance(*context.sites, last_, now);
    last_ = now;
  }
  return rows_of_all;
}

void WarpLog::part(std::uint32_t row) {
  converged_ = false;
  for (Lane& lane : lane_) {
    lane.loops = loops_;
    lane.last = last_;
    lane.position = row;
    lane.fetched = false;
  }
}

bool WarpLog::fetch(SiteTable& sites, Lane& lane, std::uint32_t index) {
  if (lane.position >= lane.end) return false;
  if (!lane.fetched) {
    const SiteNumber now = site(at(lane.position, index));
    lane.loops.advance(sites, lane.last, now);
    lane.last = now;
    lane.fetched = true;
  }
  return true;
}

// Where the loops end is learnt from all that is logged, before anything is decided by it.
void WarpLog::learn_loops(SiteTable& sites) const {
  for (std::uint32_t l = 0; l < lanes; ++l) {
    SiteNumber from = lane_[l].last;
    for (std::uint32_t row = lane_[l].position; row < lane_[l].end; ++row) {
      const SiteNumber to = site(at(row, l));
      if (to <= from) sites[to].loop_tail = std::max(sites[to].loop_tail, from);
      from = to;
    }
  }
}

void WarpLog::judge_diverged(LaunchContext& context, std::uint32_t running) {
  learn_loops(*context.sites);
  alignas(64) std::uint64_t records[lanes] = {};
  for (;;) {
    std::uint32_t together = 0, ready = 0, first = 0;
    for (std::uint32_t l = 0; l < lanes; ++l) {
      if (!fetch(*context.sites, lane_[l], l)) {
        if (running >> l & 1) return;  // it may yet come before the others
        continue;
      }
      ready |= 1u << l;
      if (together == 0) {
        together = 1u << l, first = l;
        continue;
      }
      const int comes_first = order(*context.sites, lane_[l], lane_[first]);
      if (comes_first < 0) together = 1u << l, first = l;
      if (comes_first == 0) together |= 1u << l;
    }
    if (ready == 0) return;
    for_each_lane(together, [&](std::uint32_t l) {
      records[l] = at(lane_[l].position, l);
      ++lane_[l].position;
      lane_[l].fetched = false;
    });
    pass_on(context, warp_, together, records);
    if (together != ~0u) continue;
    // All 32 are together again; if their rows are too, the short way is open.
    bool level = true;
    for (const Lane& lane : lane_) level &= lane.position == lane_[0].position && lane.end == lane_[0].end;
    if (level && lane_[0].position == lane_[0].end) {
      converged_ = true;
      loops_ = lane_[0].loops;
      last_ = lane_[0].last;
      return;
    }
  }
}

namespace {

struct Normalized {
  std::uint64_t outside;  // not 0: some lane lies beyond 4 GiB of the region's begin
  std::uint32_t lowest, highest, any_bits;
};

Normalized normalize_anywhere(const std::uint64_t* __restrict records, std::uint64_t base, std::uint32_t* __restrict offset) {
  std::uint64_t outside = 0;
  std::uint32_t lowest = ~0u, highest = 0, any = 0;
  for (std::uint32_t l = 0; l < 32; ++l) {
    const std::uint64_t distance = records[l] - base;
    outside |= distance >> 32;
    const auto o = static_cast<std::uint32_t>(distance);
    offset[l] = o;
    lowest = o < lowest ? o : lowest;
    highest = o > highest ? o : highest;
    any |= o;
  }
  return {outside, lowest, highest, any};
}

[[gnu::target("avx2")]] Normalized normalize_avx2(const std::uint64_t* __restrict records, std::uint64_t base,
                                                  std::uint32_t* __restrict offset) {
  const __m256i start = _mm256_set1_epi64x(static_cast<long long>(base));
  const auto* fours = reinterpret_cast<const __m256i*>(records);
  __m256i outside = _mm256_setzero_si256(), highest = outside, any = outside, lowest = _mm256_set1_epi32(-1);
  for (int i = 0; i < 8; i += 2) {
    const __m256i a = _mm256_sub_epi64(_mm256_loadu_si256(fours + i), start);
    const __m256i b = _mm256_sub_epi64(_mm256_loadu_si256(fours + i + 1), start);
    outside = _mm256_or_si256(outside, _mm256_or_si256(a, b));
    // The low halves of both, in order.
    const __m256 halves = _mm256_shuffle_ps(_mm256_castsi256_ps(a), _mm256_castsi256_ps(b), 0b10'00'10'00);
    const __m256i offsets = _mm256_permute4x64_epi64(_mm256_castps_si256(halves), 0b11'01'10'00);
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(offset) + i / 2, offsets);
    lowest = _mm256_min_epu32(lowest, offsets);
    highest = _mm256_max_epu32(highest, offsets);
    any = _mm256_or_si256(any, offsets);
  }
  const auto fold = [](__m256i v, auto join) __attribute__((target("avx2"), always_inline)) {
    __m128i w = join(_mm256_castsi256_si128(v), _mm256_extracti128_si256(v, 1));
    w = join(w, _mm_shuffle_epi32(w, 0b01'00'11'10));
    w = join(w, _mm_shuffle_epi32(w, 0b10'11'00'01));
    return static_cast<std::uint32_t>(_mm_cvtsi128_si32(w));
  };
  const bool inside = _mm256_testz_si256(outside, _mm256_set1_epi64x(static_cast<long long>(0xffffffff00000000ull))) != 0;
  return {!inside, fold(lowest, [](__m128i x, __m128i y) { return _mm_min_epu32(x, y); }),
          fold(highest, [](__m128i x, __m128i y) { return _mm_max_epu32(x, y); }),
          fold(any, [](__m128i x, __m128i y) { return _mm_or_si128(x, y); })};
}

const auto normalize = __builtin_cpu_supports("avx2") ? normalize_avx2 : normalize_anywhere;

bool pass_on_within(LaunchContext& context, WarpAccess& access, const Region& region, const std::uint64_t* records) {
  const std::uint64_t base = static_cast<std::uint64_t>(access.site) << 48 | region.address();
  const Normalized n = normalize(records, base, access.offset.data());
  if (n.outside != 0 || std::uint64_t{n.highest} + access.bytes > region.size) return false;
  access.forget_words();
  access.region = &region;
  access.lowest = n.lowest;
  access.highest = n.highest;
  access.any_bits = n.any_bits;
  if (region.role == Region::Role::local) return true;  // private to its thread: nobody else's business
  for (Observer* observer : context.observers) observer->on_access(access);
  return true;
}

// Lanes go to several regions, or outside of all.
void pass_on_split(LaunchContext& context, WarpAccess& access, const std::uint64_t* records) {
  constexpr std::uint64_t address_mask = (1ull << 48) - 1;
  std::uint32_t left = access.active;
  alignas(64) std::uint64_t part[32];
  while (left != 0) {
    const auto first = static_cast<std::uint32_t>(__builtin_ctz(left));
    const Region* region = context.window->find(records[first] & address_mask);
    const auto inside = [&](std::uint64_t address) {
      const std::uint64_t offset = address - region->address();
      return offset < region->size && offset + access.bytes <= region->size;
    };
    std::uint32_t together = 0;
    if (region != nullptr)
      for_each_lane(left, [&](std::uint32_t l) { together |= std::uint32_t{inside(records[l] & address_mask)} << l; });
    if ((together >> first & 1) == 0) {
      const StrayAccess stray{access.site, access.kind, access.bytes, access.warp * 32 + first, records[first] & address_mask};
      for (Observer* observer : context.observers) observer->on_stray_access(stray);
      left &= left - 1;
      continue;
    }
    for (std::uint32_t l = 0; l < 32; ++l) part[l] = records[together >> l & 1 ? l : first];
    access.active = together;
    pass_on_within(context, access, *region, part);
    (*context.sites)[access.site].usual = region;
    left &= ~together;
  }
}

}  // namespace

bool pass_on_together(LaunchContext& context, std::uint32_t warp, const std::uint64_t* records) {
  const Site& site = (*context.sites)[static_cast<SiteNumber>(records[0] >> 48)];
  WarpAccess access(static_cast<SiteNumber>(records[0] >> 48), site, warp, ~0u);
  if (site.usual != nullptr && pass_on_within(context, access, *site.usual, records)) return true;
  std::uint64_t differs = 0;
  for (std::uint32_t l = 1; l < 32; ++l) differs |= records[l] ^ records[0];
  if (differs >> 48 != 0) return false;
  pass_on_split(context, access, records);
  return true;
}

void pass_on(LaunchContext& context, std::uint32_t warp, std::uint32_t active, const std::uint64_t* records) {
  const auto first = static_cast<std::uint32_t>(__builtin_ctz(active));
  const Site& site = (*context.sites)[static_cast<SiteNumber>(records[first] >> 48)];
  WarpAccess access(static_cast<SiteNumber>(records[first] >> 48), site, warp, active);
  alignas(64) std::uint64_t filled[32];
  if (active != ~0u) {
    for (std::uint32_t l = 0; l < 32; ++l) filled[l] = records[active >> l & 1 ? l : first];
    records = filled;
  }
  if (site.usual != nullptr && pass_on_within(context, access, *site.usual, records)) return;
  pass_on_split(context, access, records);
}

}  // namespace histolab::kernels::emulator
