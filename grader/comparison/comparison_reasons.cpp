#include "grader/comparison/comparison_reasons.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "grader/words/words.h"
#include "reference/occupancy.h"

namespace histolab::grader {
namespace {

using reference::Counters;

double number(std::uint64_t count) { return static_cast<double>(count); }
double per(double sum, std::uint64_t count) { return count == 0 ? 0 : sum / number(count); }
const Counters& totals(const ComparedLaunch& launch) { return launch.run.result.totals; }

// ---- costs of a launch --------------------------------------------------------------------------

double global_updates(const CaseResult& launch) {
  return number(launch.totals.global_contention.updates);
}
double global_degree(const CaseResult& launch) {
  return per(number(launch.totals.global_contention.degree_sum()),
             launch.totals.global_atomic.requests);
}
double swaps(const CaseResult& launch) {
  return number(launch.totals.global_swaps.requests + launch.totals.shared_swaps.requests);
}
double swap_degree(const CaseResult& launch) {
  const Counters& c = launch.totals;
  return per(number(c.global_swaps.degrees + c.shared_swaps.degrees),
             c.global_swaps.requests + c.shared_swaps.requests);
}
double plain_stores(const CaseResult& launch) {
  return number(launch.totals.global_store.requests);
}
double sectors_per_load(const CaseResult& launch) {
  return per(number(launch.totals.global_load.sectors), launch.totals.global_load.requests);
}
double load_sectors(const CaseResult& launch) { return number(launch.totals.global_load.sectors); }
double bank_conflicts(const CaseResult& launch) {
  const Counters& c = launch.totals;
  return number(c.shared_load.bank_conflicts + c.shared_store.bank_conflicts +
                c.shared_atomic.bank_conflicts);
}
// Serialized additions on words of shared memory: all except additions of the constant 1.
double turns(const CaseResult& launch) {
  const Counters& c = launch.totals;
  return std::max(0.0, number(c.shared_contention.degree_sum()) -
                           number(c.shared_increments.degrees) - number(c.shared_swaps.degrees));
}
double all_requests(const CaseResult& launch) { return number(launch.totals.requests()); }
double loads(const CaseResult& launch) { return number(launch.totals.global_load.requests); }
double lone_loads(const CaseResult& launch) {
  return reference::global_loads_of_busiest(launch.totals);
}
double barriers(const CaseResult& launch) { return number(launch.totals.barriers); }
double blocks(const CaseResult& launch) { return number(launch.totals.blocks); }

const reference::DeviceProfile& gpu_of(const CaseResult& launch) {
  const auto* device =
      launch.modelled ? reference::find_device_profile(launch.modelled->profile) : nullptr;
  return device != nullptr ? *device : reference::device_profiles.front();
}
// Resident threads of the GPU / threads of the launch. The fewer threads, the less latency is
// hidden.
double scarcity(const CaseResult& launch) {
  const reference::DeviceProfile& gpu = gpu_of(launch);
  const std::uint64_t held =
      std::uint64_t{gpu.multiprocessors} * gpu.max_threads_per_multiprocessor;
  return number(held) / number(std::clamp<std::uint64_t>(launch.totals.threads, 1, held));
}
std::uint32_t warps_held(const CaseResult& launch) {
  const Counters& c = launch.totals;
  return reference::occupancy(gpu_of(launch), std::max<std::uint64_t>(1, c.block_size),
                              c.static_shared_bytes + c.dynamic_shared_bytes)
      .warps;
}
double emptiness(const CaseResult& launch) {
  return number(gpu_of(launch).max_warps_per_multiprocessor()) / std::max(1u, warps_held(launch));
}

// ---- as text ------------------------------------------------------------------------------------

// Compares two counts: "02 makes 4 096 X, 04 makes 64".
std::string both(const ComparedLaunch& slow, const ComparedLaunch& fast, std::string_view verb,
                 std::string_view what, double of_slow, double of_fast, std::string_view why = {}) {
  const auto shown = [](double count) {
    return count == 0 ? std::string{"none"} : grouped(static_cast<std::uint64_t>(count));
  };
  return fmt::format("{0} {2} {3} {4}{6}, {1} {2} {5}", slow.label, fast.label, verb,
                     shown(of_slow), what, shown(of_fast), why);
}

std::string on_the_hottest_word(const CaseResult& launch) {
  const reference::AtomicPressure* hottest = reference::hottest_in_global(launch.pressure);
  const std::uint64_t most = hottest == nullptr ? 0 : hottest->top.front().updates;
  if (most < 2) return {};
  return number(most) >= global_updates(launch)
             ? ", all of them on one word"
             : fmt::format(", up to {} of them on one word", grouped(most));
}

std::string fewer_atomics(const ComparedLaunch& slow, const ComparedLaunch& fast) {
  const auto mostly_in_shared = [](const Counters& c) {
    return c.shared_contention.updates > c.global_contention.updates;
  };
  const bool only_fast_privatizes =
      mostly_in_shared(totals(fast)) && !mostly_in_shared(totals(slow));
  return both(slow, fast, "makes", "atomic updates in global memory",
              global_updates(slow.run.result), global_updates(fast.run.result),
              on_the_hottest_word(slow.run.result)) +
         (only_fast_privatizes ? " after counting in shared memory" : "");
}
std::string less_contention(const ComparedLaunch& slow, const ComparedLaunch& fast) {
  return fmt::format(
      "lanes of a warp that update the same word of global memory are serialized, {} of them on "
      "average in {}, {} in {}",
      plain(global_degree(slow.run.result)), slow.label, plain(global_degree(fast.run.result)),
      fast.label);
}
std::string fewer_swaps(const ComparedLaunch& slow, const ComparedLaunch& fast) {
  return both(slow, fast, "makes", "compare-and-swap requests", swaps(slow.run.result),
              swaps(fast.run.result), ", and those on the same word are repeated");
}
std::string less_contended_swaps(const ComparedLaunch& slow, const ComparedLaunch& fast) {
  return fmt::format(
      "of the lanes of a warp that swap the same word, all but one repeat the swap: {} on average "
      "in {}, {} in {}",
      plain(swap_degree(slow.run.result)), slow.label, plain(swap_degree(fast.run.result)),
      fast.label);
}
std::string fewer_plain_stores(const ComparedLaunch& slow, const ComparedLaunch& fast) {
  return both(slow, fast, "makes", "store requests to global memory", plain_stores(slow.run.result),
              plain_stores(fast.run.result), ", whose lines move between the multiprocessors");
}
std::string coalesced(const ComparedLaunch& slow, const ComparedLaunch& fast) {
  return fmt::format(
      "a warp's load reads {} sectors of 32 bytes in {}, {} in {}: the closer together its lanes "
      "read, the fewer sectors",
      plain(sectors_per_load(slow.run.result)), slow.label,
      plain(sectors_per_load(fast.run.result)), fast.label);
}
std::string fewer_sectors(const ComparedLaunch& slow, const ComparedLaunch& fast) {
  return both(slow, fast, "loads", "sectors of 32 bytes", load_sectors(slow.run.result),
              load_sectors(fast.run.result));
}
std::string fewer_conflicts(const ComparedLaunch& slow, const ComparedLaunch& fast) {
  return both(slow, fast, "has", "bank conflicts in shared memory", bank_conflicts(slow.run.result),
              bank_conflicts(fast.run.result));
}
std::string fewer_turns(const ComparedLaunch& slow, const ComparedLaunch& fast) {
  return fmt::format(
      "additions to the same word of shared memory are serialized {} times in {}, {} in {} "
      "(additions of the constant 1 are combined and never serialized)",
      grouped(static_cast<std::uint64_t>(turns(slow.run.result))), slow.label,
      grouped(static_cast<std::uint64_t>(turns(fast.run.result))), fast.label);
}
std::string fewer_requests(const ComparedLaunch& slow, const ComparedLaunch& fast) {
  return both(slow, fast, "makes", "requests to memory", all_requests(slow.run.result),
              all_requests(fast.run.result), ", each with further instructions");
}
std::string fewer_loads(const ComparedLaunch& slow, const ComparedLaunch& fast) {
  return both(slow, fast, "makes", "load requests to global memory", loads(slow.run.result),
              loads(fast.run.result), ", and a warp waits for each");
}
std::string loads_shared_out(const ComparedLaunch& slow, const ComparedLaunch& fast) {
  const auto shown = [](const ComparedLaunch& of) {
    return fmt::format("{} of {}", grouped(totals(of).busiest.most.global),
                       grouped(waited_loads(totals(of))));
  };
  return fmt::format(
      "the busiest warp of {} makes {} load requests, one after the other, that of {} makes {}",
      slow.label, shown(slow), fast.label, shown(fast));
}
std::string more_threads(const ComparedLaunch& slow, const ComparedLaunch& fast) {
  return both(slow, fast, "launches", "threads", number(totals(slow).threads),
              number(totals(fast).threads), ", too few to hide the latency of loads");
}
std::string more_warps(const ComparedLaunch& slow, const ComparedLaunch& fast) {
  return fmt::format(
      "a multiprocessor holds {} warps of {} and {} of {}, and fewer warps hide less latency",
      warps_held(slow.run.result), slow.label, warps_held(fast.run.result), fast.label);
}
std::string fewer_barriers(const ComparedLaunch& slow, const ComparedLaunch& fast) {
  return both(slow, fast, "makes", "arrivals of warps at barriers", barriers(slow.run.result),
              barriers(fast.run.result));
}
std::string fewer_blocks(const ComparedLaunch& slow, const ComparedLaunch& fast) {
  return both(slow, fast, "starts", "blocks", blocks(slow.run.result), blocks(fast.run.result),
              ", and starting a block takes time");
}

constexpr Reason all[] = {
    {"fewer-atomics", {"atomics"}, global_updates, 1.5, fewer_atomics},
    {"less-contention", {"atomics"}, global_degree, 1.2, less_contention},
    {"fewer-swaps", {"swaps"}, swaps, 1.5, fewer_swaps},
    {"less-contended-swaps", {"swaps"}, swap_degree, 1.2, less_contended_swaps},
    {"fewer-plain-stores", {"plain_updates"}, plain_stores, 1.2, fewer_plain_stores},
    {"coalesced", {"l2", "dram", "load_store"}, sectors_per_load, 1.5, coalesced},
    {"fewer-sectors", {"l2", "dram"}, load_sectors, 1.2, fewer_sectors},
    {"fewer-turns", {"load_store"}, turns, 1.5, fewer_turns},
    {"fewer-bank-conflicts", {"load_store"}, bank_conflicts, 1.5, fewer_conflicts},
    {"fewer-requests", {"load_store", "issue"}, all_requests, 1.2, fewer_requests},
    {"loads-shared-out", {"latency"}, lone_loads, 1.5, loads_shared_out},
    {"fewer-loads", {"latency"}, loads, 1.2, fewer_loads},
    {"more-threads", {"latency"}, scarcity, 1.2, more_threads},
    {"more-warps", {"latency"}, emptiness, 1.2, more_warps},
    {"fewer-barriers", {"latency"}, barriers, 1.5, fewer_barriers},
    {"fewer-blocks", {"blocks"}, blocks, 1.2, fewer_blocks},
};

struct Term {
  std::string_view name, words;
};
constexpr Term terms[] = {{"launch", "the launch itself"},
                          {"blocks", "the start of its blocks"},
                          {"dram", "traffic from DRAM"},
                          {"l2", "traffic from the L2 cache"},
                          {"load_store", "the load/store units and shared memory"},
                          {"atomics", "atomic updates in global memory"},
                          {"swaps", "compare-and-swap loops"},
                          {"plain_updates", "plain updates in global memory"},
                          {"latency", "waiting for loads and barriers"},
                          {"issue", "the instructions around its requests"}};

}  // namespace

std::span<const Reason> reasons() { return all; }

const Reason* reason_of(const ComparedLaunch& slow, const ComparedLaunch& fast) {
  const std::string_view bound = slow.run.result.modelled->estimate.bound_by;
  const auto holds = [&](const Reason& reason) {
    if (std::find(reason.terms.begin(), reason.terms.end(), bound) == reason.terms.end())
      return false;
    const double more = reason.cost(slow.run.result), less = reason.cost(fast.run.result);
    return more > 0 && more >= reason.least * less;
  };
  const auto found = std::find_if(std::begin(all), std::end(all), holds);
  return found == std::end(all) ? nullptr : found;
}

std::string_view words_of_term(std::string_view term) {
  for (const Term& each : terms)
    if (each.name == term) return each.words;
  return term;
}

}  // namespace histolab::grader
