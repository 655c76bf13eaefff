#include "kernels/emulator/lanes/warp_collectives.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <utility>

#include "kernels/emulator/launch/observer.h"
#include "kernels/emulator/messages/names.h"
#include "kernels/emulator/messages/warp_messages.h"

namespace histolab::kernels::emulator {
namespace {

std::uint32_t first_of(std::uint32_t lanes) {
  return static_cast<std::uint32_t>(std::countr_zero(lanes));
}

bool is_shuffle(WarpFunction function) {
  return function >= WarpFunction::shuffle && function <= WarpFunction::shuffle_xor;
}

std::uint32_t reduced(WarpFunction function, std::uint32_t a, std::uint32_t b) {
  const auto as_signed = [](std::uint32_t x) { return static_cast<std::int32_t>(x); };
  switch (function) {
    case WarpFunction::add: return a + b;
    case WarpFunction::min_unsigned: return std::min(a, b);
    case WarpFunction::max_unsigned: return std::max(a, b);
    case WarpFunction::min_signed: return as_signed(a) < as_signed(b) ? a : b;
    case WarpFunction::max_signed: return as_signed(a) > as_signed(b) ? a : b;
    case WarpFunction::bit_and: return a & b;
    case WarpFunction::bit_or: return a | b;
    default: return a ^ b;
  }
}

// Returns the result of a call that is the same for all its lanes.
std::uint64_t common_answer(WarpCalls calls, std::uint32_t lanes) {
  const WarpCall& first = calls[first_of(lanes)];
  std::uint32_t votes = 0;
  bool all_equal = true;
  auto value = static_cast<std::uint32_t>(first.value);
  for_each_lane(lanes, [&](std::uint32_t l) {
    votes |= std::uint32_t{calls[l].value != 0} << l;
    all_equal &= calls[l].value == first.value;
  });
  switch (first.function) {
    case WarpFunction::active_mask: return lanes;
    case WarpFunction::ballot: return votes;
    case WarpFunction::any: return votes != 0;
    case WarpFunction::all: return votes == lanes;
    case WarpFunction::match_all: return all_equal ? lanes : 0;
    default: break;
  }
  for_each_lane(lanes & (lanes - 1), [&](std::uint32_t l) {
    value = reduced(first.function, value, static_cast<std::uint32_t>(calls[l].value));
  });
  return value;
}

}  // namespace

std::string_view name(WarpFunction function) {
  switch (function) {
    case WarpFunction::sync: return "__syncwarp";
    case WarpFunction::active_mask: return "__activemask";
    case WarpFunction::shuffle: return "__shfl_sync";
    case WarpFunction::shuffle_up: return "__shfl_up_sync";
    case WarpFunction::shuffle_down: return "__shfl_down_sync";
    case WarpFunction::shuffle_xor: return "__shfl_xor_sync";
    case WarpFunction::ballot: return "__ballot_sync";
    case WarpFunction::any: return "__any_sync";
    case WarpFunction::all: return "__all_sync";
    case WarpFunction::match_any: return "__match_any_sync";
    case WarpFunction::match_all: return "__match_all_sync";
    case WarpFunction::add: return "__reduce_add_sync";
    case WarpFunction::min_signed:
    case WarpFunction::min_unsigned: return "__reduce_min_sync";
    case WarpFunction::max_signed:
    case WarpFunction::max_unsigned: return "__reduce_max_sync";
    case WarpFunction::bit_and: return "__reduce_and_sync";
    case WarpFunction::bit_or: return "__reduce_or_sync";
    case WarpFunction::bit_xor: break;
  }
  return "__reduce_xor_sync";
}

// The rules of `shfl.sync` in the PTX ISA, with the clamp and segment mask that CUDA's functions
// pass. Only the low five bits of an operand count.
std::uint32_t shuffle_source(const WarpCall& call, std::uint32_t lane) {
  const std::uint32_t operand = call.operand & 31, in_segment = (call.width - 1) & 31,
                      segment = lane & ~in_segment;
  switch (call.function) {
    case WarpFunction::shuffle: return segment | (operand & in_segment);
    case WarpFunction::shuffle_up: return lane < segment + operand ? lane : lane - operand;
    case WarpFunction::shuffle_down:
      return lane + operand > (segment | in_segment) ? lane : lane + operand;
    default: return (lane ^ operand) > (segment | in_segment) ? lane : lane ^ operand;
  }
}

void answer(WarpCalls calls, std::uint32_t lanes, WarpAnswers answers) {
  const WarpFunction function = calls[first_of(lanes)].function;
  if (function == WarpFunction::sync) return;
  if (is_shuffle(function)) {
    for_each_lane(lanes, [&](std::uint32_t l) {
      const std::uint32_t source = shuffle_source(calls[l], l);
      answers[l] = calls[lanes >> source & 1 ? source : l].value;
    });
  } else if (function == WarpFunction::match_any) {
    for (std::uint32_t left = lanes; left != 0;) {
      std::uint32_t equal = 0;
      for_each_lane(left, [&](std::uint32_t l) {
        equal |= std::uint32_t{calls[l].value == calls[first_of(left)].value} << l;
      });
      for_each_lane(equal, [&](std::uint32_t l) { answers[l] = equal; });
      left &= ~equal;
    }
  } else {
    const std::uint64_t common = common_answer(calls, lanes);
    for_each_lane(lanes, [&](std::uint32_t l) { answers[l] = common; });
  }
}

WarpCollectives::WarpCollectives(LaunchContext& context, const std::vector<Warp>& warps,
                                 const Lanes& lanes)
    : context_(context),
      warps_(warps),
      lanes_(lanes),
      calls_(warps.size() * 32),
      answers_(warps.size() * 32) {}

bool WarpCollectives::same_call(const WarpCall& a, const WarpCall& b) const {
  if (a.function != b.function || a.mask != b.mask) return false;
  if (a.function == WarpFunction::sync || a.site == b.site) return true;
  const int line = context_.line(a.site);
  return line != 0 && line == context_.line(b.site);
}

// Returns the lanes that wait in the same call as `lane`, including itself.
std::uint32_t WarpCollectives::mates(std::uint32_t warp, std::uint32_t lane) const {
  const WarpCall& call = calls_[warp * 32 + lane];
  std::uint32_t same = 1u << lane;
  for_each_lane(warps_[warp].at_warp_sync & call.mask, [&](std::uint32_t l) {
    same |= std::uint32_t{same_call(call, calls_[warp * 32 + l])} << l;
  });
  return same;
}

std::uint32_t WarpCollectives::at_active_mask(std::uint32_t warp) const {
  std::uint32_t lanes = 0;
  for_each_lane(warps_[warp].at_warp_sync, [&](std::uint32_t l) {
    lanes |= std::uint32_t{calls_[warp * 32 + l].function == WarpFunction::active_mask} << l;
  });
  return lanes;
}

std::uint32_t WarpCollectives::complete(std::uint32_t warp) const {
  const std::uint32_t live = warps_[warp].live();
  for (std::uint32_t left = warps_[warp].at_warp_sync; left != 0;) {
    const std::uint32_t lane = first_of(left), same = mates(warp, lane);
    const WarpCall& call = calls_[warp * 32 + lane];
    if (call.function != WarpFunction::active_mask && (call.mask & live & ~same) == 0) return same;
    left &= ~same;
  }
  return 0;
}

WarpCollectives::InVain WarpCollectives::in_vain(std::uint32_t warp) const {
  const std::uint32_t lane = first_of(warps_[warp].at_warp_sync), same = mates(warp, lane);
  return {same, warp * 32 + first_of(calls_[warp * 32 + lane].mask & warps_[warp].live() & ~same)};
}

void WarpCollectives::hold(std::uint32_t warp, std::uint32_t lanes) {
  const WarpFunction function = calls_[warp * 32 + first_of(lanes)].function;
  if (function != WarpFunction::active_mask) check_masks(warp, lanes);
  if (is_shuffle(function)) check_sources(warp, lanes);
  answer(calls(warp), lanes, WarpAnswers(answers_.data() + warp * 32, 32));
}

// ---- mistakes in a call ------------------------------------------------------------------------

bool WarpCollectives::is_known(Fault fault, std::uint32_t lane) {
  const auto known = reported_.find(static_cast<std::uint32_t>(fault) << 16 | calls_[lane].site);
  if (known == reported_.end()) return false;
  context_.findings->again(known->second);
  return true;
}

void WarpCollectives::report(Fault fault, std::uint32_t lane, std::string message,
                             std::optional<std::uint32_t> other, int other_line,
                             Severity severity) {
  Finding finding;
  finding.kind = FindingKind::invalid_mask;
  finding.severity = severity;
  finding.line = context_.line(calls_[lane].site);
  finding.other_line = other_line;
  finding.thread = context_.thread_id(lane);
  if (other) finding.other_thread = context_.thread_id(*other);
  finding.message = std::move(message);
  reported_[static_cast<std::uint32_t>(fault) << 16 | calls_[lane].site] =
      context_.findings->add(std::move(finding));
}

void WarpCollectives::check_masks(std::uint32_t warp, std::uint32_t lanes) {
  const std::uint32_t first = first_of(lanes), lane = warp * 32 + first;
  const WarpCall& call = calls_[lane];
  const Caller caller{context_.thread_id(lane), name(call.function), first, call.mask};
  if ((call.mask >> first & 1) == 0) {
    if (!is_known(Fault::own_lane, lane)) report(Fault::own_lane, lane, own_lane_message(caller));
    return;
  }
  if (call.function == WarpFunction::sync) return;  // its mask may name lanes that have ended
  // Lanes that have exited are ignored. CUDA allows that only if they returned before the call.
  // This function cannot know that: code that has the source decides it (worker/source_rules.h).
  const std::uint32_t existing = lanes_.existing(warp),
                      ended = call.mask & existing & ~warps_[warp].live();
  if (ended != 0 && !is_known(Fault::ended, lane))
    report(Fault::ended, lane, ended_message(caller, ended), warp * 32 + first_of(ended), 0,
           Severity::note);
  if ((call.mask & ~existing) != 0 && !is_known(Fault::no_such_lane, lane))
    report(Fault::no_such_lane, lane, no_such_lane_message(caller, call.mask & ~existing), {}, 0,
           Severity::note);
}

void WarpCollectives::check_sources(std::uint32_t warp, std::uint32_t lanes) {
  for_each_lane(lanes, [&](std::uint32_t l) {
    const WarpCall& call = calls_[warp * 32 + l];
    const bool is_width = call.width <= 32 && std::has_single_bit(call.width);
    const std::uint32_t source = shuffle_source(call, l);
    const bool is_source = (lanes >> source & 1) != 0;
    if (!is_width || !is_source) [[unlikely]]
      report_source(warp, l, source, is_width, is_source);
  });
}

void WarpCollectives::report_source(std::uint32_t warp, std::uint32_t in_warp, std::uint32_t source,
                                    bool is_width, bool is_source) {
  const std::uint32_t lane = warp * 32 + in_warp;
  const WarpCall& call = calls_[lane];
  const Caller caller{context_.thread_id(lane), name(call.function), in_warp, call.mask};
  if (!is_width && !is_known(Fault::width, lane))
    report(Fault::width, lane, width_message(caller, call.width));
  if (is_source || is_known(Fault::source, lane)) return;
  const bool exists = (lanes_.existing(warp) >> source & 1) != 0;
  report(Fault::source, lane, source_message(caller, source, exists),
         exists ? std::optional(warp * 32 + source) : std::nullopt);
}

void WarpCollectives::report_in_vain(std::uint32_t warp, const InVain& in_vain) {
  const std::uint32_t first = first_of(in_vain.lanes), lane = warp * 32 + first,
                      other = in_vain.missing;
  if (is_known(Fault::in_vain, lane)) return;
  const WarpCall& call = calls_[lane];
  const Caller caller{context_.thread_id(lane), name(call.function), first, call.mask};
  const std::uint32_t missing = call.mask & warps_[warp].live() & ~in_vain.lanes;
  const int other_line = context_.line(lanes_.site(other));
  const bool at_barrier = (warps_[warp].at_barrier >> other % 32 & 1) != 0;
  const std::string where =
      at_barrier
          ? fmt::format("waits at the barrier ({})", line_name(other_line))
          : fmt::format("waits in {} with the mask {:#010x} ({})", name(calls_[other].function),
                        calls_[other].mask, line_name(other_line));
  report(Fault::in_vain, lane, in_vain_message(caller, missing, context_.thread_id(other), where),
         other, other_line);
}

}  // namespace histolab::kernels::emulator
