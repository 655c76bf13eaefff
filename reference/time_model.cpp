#include "reference/time_model.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include "reference/addresses.h"
#include "reference/device_profile.h"
#include "reference/occupancy.h"

namespace histolab::reference {
namespace {

constexpr std::uint64_t line_bytes = 128;
constexpr double lanes = 32;

double real(std::uint64_t count) { return static_cast<double>(count); }

// ---- extrapolation -----------------------------------------------------------------------------

// Returns y at `x` on the line through (x1, y1) and (x2, y2), at least 0.
class Line {
 public:
  Line(double x1, double x2, double x)
      : weight_(x1 == x2 ? 0 : (x - x2) / (x2 - x1)), scale_(x2 == 0 ? 0 : x / x2) {}
  [[nodiscard]] std::uint64_t at(std::uint64_t y1, std::uint64_t y2) const {
    return static_cast<std::uint64_t>(
        std::llround(std::max(0.0, real(y2) + (real(y2) - real(y1)) * weight_)));
  }
  [[nodiscard]] double scale() const { return scale_; }

 private:
  double weight_, scale_;
};

// The longest chain belongs to one block. It stays the same up to small differences, or it grows
// with the launch.
std::uint64_t extended_most(std::uint64_t fewer, std::uint64_t more, const Line& line) {
  return real(more) <= 1.1 * real(fewer) + 2 ? more : line.at(fewer, more);
}

BusiestWarps extended(const BusiestWarps& fewer, const BusiestWarps& more, const Line& line) {
  BusiestWarps at;
  for (const auto figure : warp_load_figures) {
    at.of_blocks.*figure = line.at(fewer.of_blocks.*figure, more.of_blocks.*figure);
    at.most.*figure =
        std::min(extended_most(fewer.most.*figure, more.most.*figure, line), at.of_blocks.*figure);
  }
  // A longer stride may put more of a loop's loads into another sector, but not more
  // than there are.
  for (WarpLoads* loads : {&at.of_blocks, &at.most})
    loads->other_sectors = std::min(loads->other_sectors, loads->global);
  return at;
}

AtomicPressure extended(const AtomicPressure& fewer, const AtomicPressure& more, const Line& line) {
  AtomicPressure at = more;
  at.updates = line.at(fewer.updates, more.updates);
  at.uncounted = line.at(fewer.uncounted, more.uncounted);
  const double grown = at.updates == 0 ? 0 : real(at.updates) / std::max(1.0, real(more.updates));
  const bool one_for_each_block =
      real(more.elements) > 1.5 * real(fewer.elements) && more.elements > 0;
  if (one_for_each_block) {
    at.elements = static_cast<std::uint64_t>(real(more.elements) * line.scale());
    at.top.clear();  // all elements are then assumed to be equally busy
  } else {
    for (AtomicPressure::Element& element : at.top)
      element.updates = static_cast<std::uint64_t>(real(element.updates) * grown);
  }
  return at;
}

}  // namespace

Workload extended(const Workload& fewer, const Workload& more, std::uint64_t blocks) {
  const Line line(real(fewer.counters.blocks), real(more.counters.blocks), real(blocks));
  Workload at = more;
  Traffic totals = more.counters;
  each_total([&](std::uint64_t& large, std::uint64_t small) { large = line.at(small, large); },
             totals, fewer.counters);
  static_cast<Traffic&>(at.counters) = totals;
  at.counters.busiest = extended(fewer.counters.busiest, more.counters.busiest, line);
  at.counters.blocks = blocks;
  at.counters.threads = blocks * more.counters.block_size;
  at.input_bytes = line.at(fewer.input_bytes, more.input_bytes);
  for (AtomicPressure& of : at.pressure)
    for (const AtomicPressure& before : fewer.pressure)
      if (before.variable == of.variable && before.shared == of.shared) {
        of = extended(before, of, line);
        break;
      }
  return at;
}

AtomicSpread atomic_spread(const Workload& launch) {
  AtomicSpread found;
  // Share of the updates, by variable and line.
  std::map<std::pair<std::size_t, std::uint64_t>, double> share_of;
  double spread_share = 0, total = 0;
  for (const AtomicPressure& of : launch.pressure) total += of.shared ? 0 : real(of.updates);
  for (std::size_t v = 0; v < launch.pressure.size(); ++v) {
    const AtomicPressure& of = launch.pressure[v];
    if (of.shared || of.updates == 0) continue;
    double kept = 0;
    for (const AtomicPressure::Element& element : of.top) {
      const double share = real(element.updates) / total;
      share_of[{v, element.index * of.element_bytes / line_bytes}] += share;
      found.hottest_share = std::max(found.hottest_share, share);
      kept += share;
    }
    const double rest = real(of.updates) / total - kept;
    const double elements = real(of.elements) - real(of.top.size());
    if (elements > 0 && rest > 0) {
      const double lines = std::max(1.0, elements * real(of.element_bytes) / real(line_bytes));
      spread_share += rest * rest / lines;
      found.hottest_share = std::max(found.hottest_share, rest / elements);
    }
  }
  double squares = spread_share;
  for (const auto& [line, share] : share_of) squares += share * share;
  found.lines = squares > 0 ? std::max(1.0, 1 / squares) : 1;
  return found;
}

TimeEstimate estimate(const TimingProfile& profile, const Workload& launch, const ModelFit& fit) {
  const Counters& c = launch.counters;
  // clock: clocks of all SMs per nanosecond.
  const double sms = profile.multiprocessors, clock = sms * profile.sm_ghz;
  const DeviceProfile* const known = find_device_profile(profile.name);
  const DeviceProfile* const limits = known != nullptr ? known : &device_profiles.front();
  const std::uint64_t shared_bytes = c.static_shared_bytes + c.dynamic_shared_bytes;
  const Occupancy resident =
      occupancy(*limits, std::max<std::uint64_t>(1, c.block_size), shared_bytes);
  const double blocks = real(c.blocks), warps_of_block = std::ceil(real(c.block_size) / lanes);
  const double blocks_at_once = std::clamp(blocks / sms, 1.0, std::max(1.0, real(resident.blocks)));
  const double warps = blocks_at_once * warps_of_block;  // per SM
  const double threads_in_flight =
      std::min(real(c.threads), sms * blocks_at_once * real(c.block_size));

  // The source of the sectors: DRAM, L2 or L1. A load that repeats the one before reads a register.
  const auto rest = [](std::uint64_t all, std::uint64_t some, std::uint64_t more) {
    return std::max(0.0, real(all) - real(some) - real(more));
  };
  const double loads = real(waited_loads(c)),
               made = c.global_load.requests > 0 ? loads / real(c.global_load.requests) : 1;
  const double sectors = real(c.global_load.sectors) * made,
               bytes = real(c.global_load.bytes) * made;
  const double asked = std::min(bytes, real(launch.input_bytes));
  const double from_dram = std::min(sectors, asked / sector_bytes);
  const double sectors_per_load = loads > 0 ? sectors / loads : 0;
  // bytes_held: L1 bytes per warp. Lanes that are a line or more apart hold a line each; others
  // share lines. A lane never needs more than its thread's share of the input.
  const double share = asked / std::max(1.0, real(c.threads));
  const double bytes_held = sectors_per_load > 31
                                ? lanes * std::clamp<double>(share, sector_bytes, real(line_bytes))
                                : sectors_per_load * sector_bytes;
  // L1 and shared memory are one memory. It is 28 KiB larger than the largest shared memory of an
  // SM (NVIDIA's tuning guides).
  const double l1_bytes =
      real(limits->shared_bytes_per_multiprocessor) + 28 * 1024 -
      blocks_at_once * real(shared_bytes + limits->shared_bytes_reserved_per_block);
  const bool kept_in_l1 = warps * bytes_held < 0.9 * l1_bytes;
  const double from_l2 = kept_in_l1 ? from_dram : sectors;

  TimeEstimate found;
  const auto term = [&](std::string_view name, double ns) { found.terms.push_back({name, ns}); };
  term("blocks", c.blocks == 0 ? 0 : blocks * profile.block_ns.at(real(c.block_size)) / sms);
  term("dram", from_dram / profile.dram_sectors_per_ns);
  term("l2", from_l2 / profile.l2_sectors_per_ns);

  // The load/store units take four sectors of a load per clock, and one wavefront of shared memory
  // at a time.
  const double wavefronts = real(c.shared_load.wavefronts + c.shared_store.wavefronts) +
                            rest(c.shared_atomic.wavefronts, c.shared_swaps.wavefronts, 0);
  // A compare-and-swap has one wavefront to read and one to write.
  const double swaps = std::max(real(c.shared_swaps.wavefronts) / 2, real(c.shared_swaps.degrees));
  const double local_clocks =
      real(c.local_load.sectors) / 4 + real(c.local_store.sectors) * fit.local_store_clocks;
  term("load_store",
       (std::max(loads, sectors / 4) + local_clocks +
        real(c.global_store.requests + c.global_atomic.requests) +
        wavefronts * profile.shared_wavefront_clocks + swaps * profile.shared_swap_clocks) /
           clock);

  const AtomicSpread atomics = atomic_spread(launch);
  term("atomics", real(c.global_atomic.sectors) * profile.hot_pass_ns /
                      profile.line_parallelism.at(atomics.lines));

  // In a loop of compare-and-swap, each request succeeds once on the busiest word. The
  // other lanes retry.
  double shared_hottest = 0;
  for (const AtomicPressure& of : launch.pressure)
    if (of.shared && of.updates > 0 && !of.top.empty()) {
      const double busiest = real(of.top.front().updates) / real(of.updates);
      shared_hottest = std::max(shared_hottest, busiest);
    }
  const double tries = real(c.global_swaps.requests),
               want_it = std::min(threads_in_flight * atomics.hottest_share, tries);
  const double global_loop = tries * profile.swap_ns.at(std::max(1.0, want_it));
  // A request succeeds once on each of its words. `met` is the number of words per request,
  // estimated as lanes / degree. The busiest word has its share of them.
  const double met = c.shared_swaps.degrees > 0 ? real(c.shared_contention.updates) /
                                                      real(c.shared_contention.degree_sum())
                                                : 1;
  const double rounds = real(c.shared_swaps.requests) * std::min(1.0, met * shared_hottest) /
                        std::max(1.0, sms * blocks_at_once);
  const double shared_loop =
      rounds * profile.shared_swap_loop.at(std::max(1.0, real(c.block_size) * shared_hottest)) /
      profile.sm_ghz;
  term("swaps", (c.global_swaps.requests > 0 ? global_loop : 0) +
                    (c.shared_swaps.requests > 0 ? shared_loop : 0));

  // Plain updates of a line that every warp updates: a race. The line moves between the L1s.
  const double volatile_updates = real(std::min(c.volatile_loads, c.global_store.requests));
  term("plain_updates",
       volatile_updates * profile.volatile_update_ns +
           (real(c.global_store.requests) - volatile_updates) * profile.plain_update_ns);

  // The waits of a warp, one after the other. Loads from the current sector hit the L1. Loads from
  // another sector come from DRAM if they are the first to read it. A block waits for its busiest
  // warp, the launch for its longest chain. The model assumes that the same warp has the most loads
  // from global and from shared memory.
  const double fresh = bytes > 0 ? asked / bytes : 0;
  const double near_wait =
      (kept_in_l1 ? profile.l1_latency_clocks : profile.l2_latency_clocks) / profile.sm_ghz;
  const double far_wait = fresh * profile.loaded_latency_ns + (1 - fresh) * near_wait;
  const double l1_wait = profile.l1_latency_clocks / profile.sm_ghz;
  const auto waits = [&](const WarpLoads& of) {
    return real(of.local) * l1_wait + real(of.other_sectors) * far_wait +
           rest(of.global, of.other_sectors, 0) * near_wait +
           real(of.shared) * profile.shared_latency_clocks / profile.sm_ghz;
  };
  const double barriers =
      real(c.barriers) * profile.barrier_clocks / profile.sm_ghz / (sms * std::max(1.0, warps));
  const double blocks_in_turn =
      waits(c.busiest.of_blocks) / std::clamp(blocks, 1.0, sms * blocks_at_once);
  term("latency", barriers + std::max(blocks_in_turn, waits(c.busiest.most)));

  const std::uint64_t local_requests = c.local_load.requests + c.local_store.requests;
  term("issue",
       (rest(c.requests(), c.repeated_loads, 0) + real(local_requests)) * fit.issue_clocks / clock);

  double sum = 0;
  const TimeEstimate::Term* largest = &found.terms.front();
  for (const TimeEstimate::Term& each : found.terms) {
    sum += std::pow(each.ns, fit.overlap);
    if (each.ns > largest->ns) largest = &each;
  }
  found.total_ns = profile.launch_ns + std::pow(sum, 1 / fit.overlap);
  found.bound_by = largest->ns > profile.launch_ns ? largest->name : std::string_view{"launch"};
  return found;
}

}  // namespace histolab::reference
