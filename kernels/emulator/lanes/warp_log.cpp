#include "kernels/emulator/lanes/warp_log.h"

#include <algorithm>
#include <new>
#include <utility>

#include "kernels/emulator/arch/in_vectors.h"

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

void WarpLog::begin(std::uint32_t warp, SiteNumber last) {
  warp_ = warp;
  converged_ = true;
  last_ = last;
}

void WarpLog::converge(std::uint32_t lane) {
  last_ = last_site(lane);
  if (!converged_) last_piece_ = piece_[lane];
  converged_ = true;
}

void WarpLog::pass(const ControlFlow& flow, std::uint32_t together, SiteNumber site) {
  if (converged_ && together == ~0u) {
    last_ = site;
    return;
  }
  if (converged_) part(flow);
  for_each_lane(together, [&](std::uint32_t l) {
    order_.want(flow, l, flow.number(site));
    last_of_[l] = site;
  });
  while (const std::uint32_t first = order_.first(flow, 0)) order_.passed(first);
}

std::uint32_t WarpLog::first_of(const ControlFlow& flow, std::uint32_t standing,
                                const std::array<SiteNumber, lanes>& at) const {
  LaneOrder order = order_;
  if (converged_) order.restart(flow, flow.number(last_));
  for_each_lane(standing, [&](std::uint32_t l) { order.want(flow, l, flow.number(at[l])); });
  return order.first(flow, 0);
}

WarpLog::Judged WarpLog::judge(LaunchContext& context, std::array<std::uint64_t*, lanes>& cursors,
                               std::uint32_t running) {
  Judged judged;
  std::uint32_t judged_together = 0;
  if (converged_ && level(cursors)) {
    const auto end = static_cast<std::uint32_t>((cursors[0] - start(0)) / lanes);
    judged.most = judge_converged(context, end);
    if (judged.most == end) {
      if (end != 0) set_cursors(cursors);
      return judged;
    }
    judged_together = judged.most;
  }
  std::uint32_t shortest = rows;
  for (std::uint32_t l = 0; l < lanes; ++l) {
    end_[l] = static_cast<std::uint32_t>((cursors[l] - start(l)) / lanes);
    shortest = std::min(shortest, end_[l]);
  }
  if (converged_) {
    if (judged_together == 0) judged_together = judge_converged(context, shortest);
    part(*context.flow);
    position_.fill(judged_together);
    for (std::uint32_t l = 0; judged_together != 0 && l < lanes; ++l)
      record_[l] = at(judged_together - 1, l);
  } else {
    position_.fill(0);
  }
  judge_diverged(context, running);
  judged.level = false;
  judged.most = 0;
  // Move the remaining records to the front.
  for (std::uint32_t l = 0; l < lanes; ++l) {
    judged.rows[l] = position_[l];
    judged.most = std::max(judged.most, position_[l]);
    for (std::uint32_t row = position_[l]; row < end_[l]; ++row)
      log_[(row - position_[l]) * lanes + l] = at(row, l);
    cursors[l] = start(l) + (end_[l] - position_[l]) * lanes;
  }
  return judged;
}

// Returns true if all lanes have equally many rows.
bool WarpLog::level(const std::array<std::uint64_t*, lanes>& cursors) {
  std::uint64_t differs = 0;
  for (std::uint32_t l = 0; l < lanes; ++l)
    differs |= (reinterpret_cast<std::uint64_t>(cursors[l]) - l * sizeof(std::uint64_t)) ^
               reinterpret_cast<std::uint64_t>(cursors[0]);
  return differs == 0;
}

// Passes on rows in which all 32 lanes are at one site. Stops before the first other row, and
// returns the number of rows passed on.
std::uint32_t WarpLog::judge_converged(LaunchContext& context, std::uint32_t rows_of_all) {
  const SiteNumber before = last_;
  std::uint32_t row = 0;
  for (; row < rows_of_all; ++row) {
    const std::uint64_t* records = log_.get() + row * lanes;
    if (!pass_on_together(context, warp_, records)) break;
    last_ = site(records[0]);
  }
  if (row != 0) last_piece_ = piece_in_row(*context.sites, row - 1, before);
  return row;
}

// Returns the number, from 0, of the row's record within its access. The rows up to this one were
// passed on. `site_before`: the site of the record before row 0, whose number is last_piece_.
std::uint32_t WarpLog::piece_in_row(const SiteTable& sites, std::uint32_t row,
                                    SiteNumber site_before) const {
  const SiteNumber here = site(at(row, 0));
  const std::uint32_t pieces = sites[here].pieces;
  if (pieces == 0) return 0;
  std::uint32_t first = row;
  while (first != 0 && site(at(first - 1, 0)) == here) --first;
  const std::uint32_t before = first == 0 && site_before == here ? last_piece_ + 1 : 0;
  return (before + row - first) % pieces;
}

// From here on each lane has its own position. So far they have been in the same loops.
void WarpLog::part(const ControlFlow& flow) {
  converged_ = false;
  order_.restart(flow, flow.number(last_));
  last_of_.fill(last_);
  record_.fill(0);
  piece_.fill(last_piece_);
}

// Returns true if the lane's record in this row belongs to its last access, at site `from`.
// Neighbouring addresses alone do not show this: the next round of a loop may read the next
// element.
bool WarpLog::goes_on_with_pieces(const SiteTable& sites, std::uint32_t lane, SiteNumber from,
                                  std::uint32_t row) const {
  const Site& piece = sites[from];
  if (row == end_[lane] || piece_[lane] + 1 >= piece.pieces) return false;
  const std::uint64_t last = record_[lane], next = at(row, lane);
  // If `last` is 0, the last record is not in the log any more.
  return last == 0 ? site(next) == from : next - last == piece.bytes;
}

// Gets the new records of lanes that had none left, or that have waited elsewhere than at a
// barrier.
void WarpLog::fetch_new(const LaunchContext& context) {
  const ControlFlow& flow = *context.flow;
  order_.rebase(flow);
  for_each_lane(~order_.wanting(), [&](std::uint32_t l) {
    if (position_[l] == end_[l]) return;
    const bool in_same_round = goes_on_with_pieces(*context.sites, l, last_of_[l], position_[l]);
    record_[l] = at(position_[l], l);
    piece_[l] = in_same_round ? piece_[l] + 1 : 0;
    if (in_same_round)
      order_.want_again(flow, l);
    else
      order_.want(flow, l, flow.number(site(record_[l])));
  });
}

// These lanes have made their access. Sets their next records.
void WarpLog::go_on(const LaunchContext& context, std::uint32_t together) {
  const ControlFlow& flow = *context.flow;
  const SiteNumber passed = site(record_[static_cast<std::uint32_t>(__builtin_ctz(together))]);
  if ((*context.sites)[passed].pieces != 0) [[unlikely]]
    for_each_lane(together, [&](std::uint32_t l) {
      const std::uint32_t next = position_[l] + 1;
      if (!goes_on_with_pieces(*context.sites, l, passed, next)) {
        if (next != end_[l]) piece_[l] = 0;  // else fetch_new decides
        return;
      }
      last_of_[l] = passed;
      record_[l] = at(++position_[l], l);
      ++piece_[l];
      together &= ~(1u << l);
    });
  if (together == 0) return;
  const std::uint64_t* const log = log_.get();
  const std::uint16_t* const numbers = flow.numbers();
  order_.go_on(
      flow, together, [&](std::uint32_t l) __attribute__((always_inline)) {
        last_of_[l] = passed;
        const std::uint32_t position = ++position_[l];
        if (position == end_[l]) return ControlFlow::start;
        const std::uint64_t record = log[position * lanes + l];
        record_[l] = record;
        return numbers[site(record)];
      });
}

void WarpLog::judge_diverged(LaunchContext& context, std::uint32_t running) {
  const ControlFlow& flow = *context.flow;
  fetch_new(context);
  while (const std::uint32_t together = order_.first(flow, running)) {
    pass_on(context, warp_, together, record_.data());
    go_on(context, together);
    // If all lanes are together and have no more records, the warp is converged again.
    if (together != ~0u || order_.wanting() != 0) continue;
    if (!std::ranges::all_of(position_, [&](std::uint32_t p) { return p == position_[0]; }))
      continue;
    converged_ = true;
    last_ = last_of_[0];
    last_piece_ = piece_[0];
    return;
  }
}

namespace {

struct Normalized {
  std::uint64_t outside;  // nonzero if a lane is below the region, or 4 GiB or more above its begin
  std::uint32_t lowest, highest, any_bits;
};

// Computes the offsets of the active lanes' records from `base`. The other lanes repeat the offset
// of the first active one.
template <bool all>
[[gnu::always_inline]] inline Normalized normalize(const std::uint64_t* __restrict records,
                                                   std::uint64_t base, std::uint32_t active,
                                                   std::uint32_t* __restrict offset) {
  const auto first = static_cast<std::uint32_t>(__builtin_ctz(active));
  std::uint64_t outside = 0;
  std::uint32_t lowest = ~0u, highest = 0, any = 0;
  for (std::uint32_t l = 0; l < 32; ++l) {
    const std::uint64_t distance = records[all || (active >> l & 1) != 0 ? l : first] - base;
    outside |= distance >> 32;
    const auto o = static_cast<std::uint32_t>(distance);
    offset[l] = o;
    lowest = o < lowest ? o : lowest;
    highest = o > highest ? o : highest;
    any |= o;
  }
  return {outside, lowest, highest, any};
}

IN_VECTORS Normalized normalize_all(const std::uint64_t* __restrict records, std::uint64_t base,
                                    std::uint32_t* __restrict offset) {
  return normalize<true>(records, base, ~0u, offset);
}
IN_VECTORS Normalized normalize_some(const std::uint64_t* __restrict records, std::uint64_t base,
                                     std::uint32_t active, std::uint32_t* __restrict offset) {
  return normalize<false>(records, base, active, offset);
}

bool pass_on_within(LaunchContext& context, WarpAccess& access, const Region& region,
                    const std::uint64_t* records) {
  const std::uint64_t base = static_cast<std::uint64_t>(access.site) << 48 | region.address();
  const Normalized n = access.active == ~0u
                           ? normalize_all(records, base, access.offset.data())
                           : normalize_some(records, base, access.active, access.offset.data());
  if (n.outside != 0 || std::uint64_t{n.highest} + access.bytes > region.size) return false;
  access.forget_words();
  access.region = &region;
  access.lowest = n.lowest;
  access.highest = n.highest;
  access.any_bits = n.any_bits;
  if (region.role == Region::Role::local) [[unlikely]] {
    for (Observer* observer : context.observers) observer->on_local_access(access);
    return true;
  }
  for (Observer* observer : context.observers) observer->on_access(access);
  return true;
}

// For lanes that access several regions, or addresses outside of all regions.
void pass_on_split(LaunchContext& context, WarpAccess& access, const std::uint64_t* records) {
  constexpr std::uint64_t address_mask = (1ull << 48) - 1;
  std::uint32_t left = access.active;
  while (left != 0) {
    const auto first = static_cast<std::uint32_t>(__builtin_ctz(left));
    const Region* region = context.window->find(records[first] & address_mask);
    std::uint32_t together = 0;
    if (region != nullptr)
      for_each_lane(left, [&](std::uint32_t l) {
        together |= std::uint32_t{region->holds(records[l] & address_mask, access.bytes)} << l;
      });
    if ((together >> first & 1) == 0) {
      left &= left - 1;
      if (region != nullptr && region->role == Region::Role::heap) continue;  // reported when made
      const StrayAccess stray{access.site, access.kind, access.bytes, access.warp * 32 + first,
                              records[first] & address_mask};
      for (Observer* observer : context.observers) observer->on_stray_access(stray);
      continue;
    }
    access.active = together;
    pass_on_within(context, access, *region, records);
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

void pass_on(LaunchContext& context, std::uint32_t warp, std::uint32_t active,
             const std::uint64_t* records) {
  const auto first = static_cast<std::uint32_t>(__builtin_ctz(active));
  const Site& site = (*context.sites)[static_cast<SiteNumber>(records[first] >> 48)];
  WarpAccess access(static_cast<SiteNumber>(records[first] >> 48), site, warp, active);
  if (site.usual != nullptr && pass_on_within(context, access, *site.usual, records)) return;
  pass_on_split(context, access, records);
}

}  // namespace histolab::kernels::emulator
