#include "grader/pipeline/counter_gap.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>

#include "grader/lab/case_counters.h"
#include "grader/lab/lab.h"
#include "grader/pipeline/lane_stride.h"
#include "grader/words/words.h"

namespace histolab::grader {
namespace {

using reference::AtomicContention;
using reference::GlobalTraffic;
using reference::LineCounters;
using reference::Traffic;

// A launch for the sentences: the traffic of one line and of all lines together.
struct Launched {
  const CaseResult& launch;
  int line = 0;
  Traffic here, all;
};

double real(std::uint64_t count) { return static_cast<double>(count); }
double per(double sum, double count) { return count == 0 ? 0 : sum / count; }
// Formats with few digits: 0.0034, 0.77, 31.8, 1024.
std::string figure(double value) {
  return value < 1     ? fmt::format("{:.2g}", value)
         : value < 100 ? fmt::format("{:.3g}", value)
                       : plain(std::round(value));
}
std::string figure(std::uint64_t value) { return plain(real(value)); }
std::string bytes(std::uint64_t count) { return figure(count) + (count == 1 ? " byte" : " bytes"); }

// ---- the cost of a line -------------------------------------------------------------------------

double global_updates(const Traffic& t) { return real(t.global_contention.updates); }
double shared_updates(const Traffic& t) { return real(t.shared_contention.updates); }
// Lanes that wait for another lane of their warp.
double waiting(const AtomicContention& contention, std::uint64_t requests) {
  return real(contention.degree_sum()) - real(requests);
}
double global_waiting(const Traffic& t) {
  return waiting(t.global_contention, t.global_atomic.requests);
}
double shared_waiting(const Traffic& t) {
  return waiting(t.shared_contention, t.shared_atomic.requests);
}
double arithmetic(const Traffic& t) {
  return real(t.global_atomic.requests - t.global_swaps.requests);
}
double swaps(const Traffic& t) { return real(t.global_swaps.requests + t.shared_swaps.requests); }
// Sectors beyond the minimum for the bytes.
double excess(const GlobalTraffic& t) {
  return std::max(0.0, real(t.sectors) - real(t.bytes) / 32);
}
double excess_loads(const Traffic& t) { return excess(t.global_load); }
double excess_stores(const Traffic& t) { return excess(t.global_store); }
double load_requests(const Traffic& t) { return real(t.global_load.requests); }
double store_requests(const Traffic& t) { return real(t.global_store.requests); }
double shared_stores(const Traffic& t) { return real(t.shared_store.requests); }
// A load with few active lanes is more likely to be the one that a warp makes alone.
double lone_global_loads(const Traffic& t) {
  return 33 * real(t.global_load.requests) - real(t.global_load.lanes);
}
double lone_shared_loads(const Traffic& t) {
  return 33 * real(t.shared_load.requests) - real(t.shared_load.lanes);
}
double load_bytes(const Traffic& t) { return real(t.global_load.bytes); }
double conflicts(const Traffic& t) {
  return real(t.shared_load.bank_conflicts + t.shared_store.bank_conflicts +
              t.shared_atomic.bank_conflicts);
}
double idle_lanes(const Traffic& t) { return 32 * real(t.requests()) - real(t.lanes()); }
double requests(const Traffic& t) { return real(t.requests()); }
double barriers(const Traffic& t) { return real(t.barriers); }

// A sentence and the two figures that it compares. `solution` is empty if there is no comparison.
struct Comparison {
  std::string sentence, own, solution;
  // Compares the figures as printed: equal figures explain nothing.
  [[nodiscard]] bool is_tie() const { return !solution.empty() && own == solution; }
};

// ---- sentences ----------------------------------------------------------------------------------

// Returns, for example, "56 atomic updates for each block, the solution makes 7". The unit is the
// smallest one with about one update or more. Uses totals if the kernel makes no more than the
// solution per unit.
Comparison for_each(const Launched& own, const Launched* solution, double (*cost)(const Traffic&),
                    std::string_view one, std::string_view where) {
  struct Unit {
    std::string_view name;
    double (*count)(const CaseResult&);
  };
  static constexpr std::array units = {
      Unit{" for each element",
           [](const CaseResult& of) { return real(std::max<std::uint64_t>(1, of.length)); }},
      Unit{" for each thread", [](const CaseResult& of) { return real(of.grid) * real(of.block); }},
      Unit{" for each block", [](const CaseResult& of) { return real(of.grid); }}};
  Unit unit = units.back();
  for (const Unit& each : {units[1], units[0]})
    if (cost(own.here) >= 0.5 * each.count(own.launch)) unit = each;
  const auto per_unit = [&](const Launched& launch, const Traffic& traffic) {
    return per(cost(traffic), unit.count(launch.launch));
  };
  const auto is_more = [&](const Traffic& mine) {
    return solution == nullptr || per_unit(own, mine) >= 1.25 * per_unit(*solution, solution->all);
  };
  if (!is_more(own.all)) unit = {"", [](const CaseResult&) { return 1.0; }};
  // Otherwise only the sum with other lines is higher.
  const bool by_itself = is_more(own.here);
  const std::string many = figure(per_unit(own, by_itself ? own.here : own.all));
  std::string text = fmt::format("{} {}{} {}{}{}", many, one, many == "1" ? "" : "s", where,
                                 unit.name, by_itself ? "" : ", with those of other lines");
  if (solution == nullptr) return {text, many, {}};
  const double theirs = per_unit(*solution, solution->all);
  return {text + (theirs == 0 ? ", the solution makes none"
                              : fmt::format(", the solution makes {}", figure(theirs))),
          many, figure(theirs)};
}

Comparison describe_global_updates(const Launched& own, const Launched* solution) {
  return for_each(own, solution, global_updates, "atomic update", "in global memory");
}
Comparison describe_shared_updates(const Launched& own, const Launched* solution) {
  return for_each(own, solution, shared_updates, "atomic update", "in shared memory");
}
Comparison describe_swaps(const Launched& own, const Launched* solution) {
  return for_each(own, solution, swaps, "compare-and-swap request", "to memory");
}
Comparison describe_requests(const Launched& own, const Launched* solution) {
  return for_each(own, solution, requests, "request", "to memory");
}
Comparison describe_stores(const Launched& own, const Launched* solution) {
  return for_each(own, solution, store_requests, "store request", "to global memory");
}
Comparison describe_shared_stores(const Launched& own, const Launched* solution) {
  return for_each(own, solution, shared_stores, "store request", "to shared memory");
}
Comparison describe_load_bytes(const Launched& own, const Launched* solution) {
  return for_each(own, solution, load_bytes, "byte", "read from global memory");
}

Comparison describe_waiting(const AtomicContention& contention, std::uint64_t of_requests,
                            std::uint64_t lanes, double theirs, bool compared) {
  std::string text =
      fmt::format("of the {} threads of a warp that update here, {} meet on one address on average",
                  figure(per(real(lanes), real(of_requests))),
                  figure(per(real(contention.degree_sum()), real(of_requests))));
  const std::string own = figure(per(real(contention.degree_sum()), real(of_requests)));
  if (!compared) return {text, own, {}};
  return {text + fmt::format(", in the solution {}", figure(theirs)), own, figure(theirs)};
}
Comparison describe_global_waiting(const Launched& own, const Launched* solution) {
  const Traffic& t = own.here;
  return describe_waiting(t.global_contention, t.global_atomic.requests, t.global_atomic.lanes,
                          solution == nullptr
                              ? 0
                              : per(real(solution->all.global_contention.degree_sum()),
                                    real(solution->all.global_atomic.requests)),
                          solution != nullptr);
}
Comparison describe_shared_waiting(const Launched& own, const Launched* solution) {
  const Traffic& t = own.here;
  return describe_waiting(t.shared_contention, t.shared_atomic.requests, t.shared_atomic.lanes,
                          solution == nullptr
                              ? 0
                              : per(real(solution->all.shared_contention.degree_sum()),
                                    real(solution->all.shared_atomic.requests)),
                          solution != nullptr);
}

struct Hottest {
  std::uint64_t updates = 0, index = 0;
  std::string variable;
};
Hottest hottest(const CaseResult& launch) {
  const reference::AtomicPressure* found = reference::hottest_in_global(launch.pressure);
  return found == nullptr
             ? Hottest{}
             : Hottest{found->top.front().updates, found->top.front().index, found->variable};
}
double hottest_updates(const CaseResult& launch) { return real(hottest(launch).updates); }
Comparison describe_hottest(const Launched& own, const Launched* solution) {
  const Hottest mine = hottest(own.launch);
  std::string text =
      fmt::format("{} of {} updates go to {}[{}]", figure(mine.updates),
                  figure(own.all.global_contention.updates), mine.variable, mine.index);
  if (solution == nullptr) return {text, figure(mine.updates), {}};
  const std::string theirs = figure(hottest(solution->launch).updates);
  return {text + fmt::format(", at most {} to one element in the solution", theirs),
          figure(mine.updates), theirs};
}

double busiest_global_loads(const CaseResult& of) {
  return std::max(1.0, global_loads_of_busiest(of.totals));
}
double busiest_shared_loads(const CaseResult& of) {
  return std::max(1.0, shared_loads_of_busiest(of.totals));
}

Comparison describe_busiest(std::string_view memory, std::uint64_t most, std::uint64_t all,
                            std::optional<std::uint64_t> theirs) {
  const std::string part = most == all ? fmt::format("all {}", figure(all))
                                       : fmt::format("{} of {}", figure(most), figure(all));
  std::string text = fmt::format("one warp makes {} loads from {} memory", part, memory);
  if (!theirs) return {text, figure(most), {}};
  return {text + fmt::format(", at most {} in the solution", figure(*theirs)), figure(most),
          figure(*theirs)};
}
Comparison describe_busiest_global(const Launched& own, const Launched* solution) {
  const reference::Counters& mine = own.launch.totals;
  return describe_busiest("global", mine.busiest.most.global, waited_loads(mine),
                          solution == nullptr
                              ? std::nullopt
                              : std::optional{solution->launch.totals.busiest.most.global});
}
Comparison describe_busiest_shared(const Launched& own, const Launched* solution) {
  const reference::Counters& mine = own.launch.totals;
  return describe_busiest("shared", mine.busiest.most.shared, mine.shared_load.requests,
                          solution == nullptr
                              ? std::nullopt
                              : std::optional{solution->launch.totals.busiest.most.shared});
}

Comparison describe_scattered(const Launched& own, const Launched* solution,
                              kernels::Operation operation, GlobalTraffic Traffic::*kind) {
  const bool loads = operation == kernels::Operation::load;
  const auto sectors = [&](const Traffic& t) {
    return per(real((t.*kind).sectors), real((t.*kind).requests));
  };
  const auto stride = lane_stride(own.launch.accesses, own.line, operation);
  const std::string many = figure(sectors(own.here));
  const bool lone = (own.here.*kind).lanes == (own.here.*kind).requests;
  if (lone) {
    const std::uint64_t lanes = std::max<std::uint64_t>(1, (own.here.*kind).lanes);
    return {fmt::format("one thread of a warp {} at a time: a sector of 32 bytes for {}",
                        loads ? "reads" : "writes", bytes((own.here.*kind).bytes / lanes)),
            many,
            {}};
  }
  const std::string sectors_per_request = many + (many == "1" ? " sector" : " sectors");
  const char* access = loads ? "load" : "store";
  std::string text = fmt::format("the threads of a warp {} far from one another: {} per {}",
                                 loads ? "read" : "write", sectors_per_request, access);
  if (stride)
    text = fmt::format("neighbouring threads {} {} apart: {} per {}", loads ? "read" : "write",
                       bytes(static_cast<std::uint64_t>(std::llabs(*stride))), sectors_per_request,
                       access);
  if (solution == nullptr || (solution->all.*kind).requests == 0) return {text, many, {}};
  const std::string theirs = figure(sectors(solution->all));
  return {text + fmt::format(", the solution needs {}", theirs), many, theirs};
}
Comparison describe_scattered_loads(const Launched& own, const Launched* solution) {
  return describe_scattered(own, solution, kernels::Operation::load, &Traffic::global_load);
}
Comparison describe_scattered_stores(const Launched& own, const Launched* solution) {
  return describe_scattered(own, solution, kernels::Operation::store, &Traffic::global_store);
}

// Returns the average number of bytes per thread and load. Returns 0 if the threads of a warp read
// the same bytes, which count once.
std::int64_t load_width(const Traffic& t) {
  return std::llround(per(real(t.global_load.bytes), real(t.global_load.lanes)));
}
// The same for the line that reads most.
std::int64_t load_width(const std::vector<LineCounters>& lines) {
  const auto most = std::max_element(lines.begin(), lines.end(), [](const auto& a, const auto& b) {
    return a.counters.global_load.bytes < b.counters.global_load.bytes;
  });
  return most == lines.end() ? 0 : load_width(most->counters);
}
// Returns the variables that this line loads from global memory, as far as recorded. Line 0 means
// all lines.
std::vector<std::string> loaded_variables(const CaseResult& launch, int line) {
  std::vector<std::string> variables;
  for (const kernels::RecordedAccess& each : launch.accesses) {
    if (each.operation != kernels::Operation::load || each.space != kernels::Space::global)
      continue;
    if (line != 0 && each.line != line) continue;
    if (std::ranges::find(variables, each.variable) == variables.end())
      variables.push_back(each.variable);
  }
  return variables;
}
// Reports narrower loads than the solution's, or more of them.
Comparison describe_loads(const Launched& own, const Launched* solution) {
  const std::int64_t width = load_width(own.here),
                     theirs = solution == nullptr ? 0 : load_width(solution->launch.lines);
  const std::string requests = figure(own.here.global_load.requests);
  if (solution != nullptr && (width == 0 || width >= theirs)) {
    const std::vector<std::string> variables = loaded_variables(own.launch, own.line);
    const std::string what =
        variables.empty() ? "" : fmt::format(" read {} from memory", fmt::join(variables, " and "));
    const std::string all = figure(own.all.global_load.requests),
                      of_solution = figure(solution->all.global_load.requests);
    return {fmt::format("{} of {} load requests{}, the solution makes {}", requests, all, what,
                        of_solution),
            all, of_solution};
  }
  const std::string text = fmt::format(
      "{} load requests{}", requests,
      width == 0 ? "" : fmt::format(" of {} per thread", bytes(static_cast<std::uint64_t>(width))));
  if (solution == nullptr) return {text, fmt::format("{}", width), {}};
  return {text + fmt::format(", of the solution's {} most are of {}",
                             figure(solution->all.global_load.requests), theirs),
          fmt::format("{}", width), fmt::format("{}", theirs)};
}

Comparison describe_arithmetic(const Launched& own, const Launched*) {
  return {counted(static_cast<std::uint64_t>(arithmetic(own.here)), "request") +
              " of an atomic operation that is not compare-and-swap",
          {},
          {}};
}

Comparison describe_barriers(const Launched& own, const Launched* solution) {
  std::string text = fmt::format("{} of {} arrivals of warps at barriers",
                                 figure(own.here.barriers), figure(own.all.barriers));
  if (solution == nullptr) return {text, figure(own.all.barriers), {}};
  return {text + fmt::format(", the solution has {} in all", figure(solution->all.barriers)),
          figure(own.all.barriers), figure(solution->all.barriers)};
}

Comparison describe_conflicts(const Launched& own, const Launched* solution) {
  const auto share = [](const Traffic& t) {
    return figure(per(conflicts(t), real(t.shared_load.requests + t.shared_store.requests +
                                         t.shared_atomic.requests)));
  };
  std::string text = fmt::format("{} bank conflicts per request to shared memory", share(own.here));
  if (solution == nullptr) return {text, share(own.here), {}};
  return {text + fmt::format(", the solution has {}", share(solution->all)), share(own.here),
          share(solution->all)};
}

Comparison describe_idle_lanes(const Launched& own, const Launched* solution) {
  const auto active = [](const Traffic& t) {
    return figure(per(real(t.lanes()), real(t.requests())));
  };
  std::string text =
      fmt::format("{} of a warp's 32 threads take part in a request", active(own.here));
  if (solution == nullptr) return {text, active(own.here), {}};
  return {text + fmt::format(", in the solution {}", active(solution->all)), active(own.here),
          active(solution->all)};
}

// ---- the aspects that are compared --------------------------------------------------------------

struct Aspect {
  std::string_view id;
  double (*cost)(const Traffic&);
  Comparison (*words)(const Launched& own, const Launched* solution);
  std::array<std::string_view, 5> counters;  // counters that it explains
  // Terms of the model. A time that one of them limits may be explained by this.
  std::array<std::string_view, 3> terms;
  // Reported by gaps() from this multiple of the solution's cost; never if 0.
  double least;
  double (*whole)(const CaseResult&) = nullptr;  // for values that are not a sum of the lines
};

// In the order in which they are tried: the most expensive on a GPU come first.
constexpr Aspect aspects[] = {
    {"global-updates",
     global_updates,
     describe_global_updates,
     {"histolab__global_atomic_updates.sum", "histolab__global_writes.sum"},
     {"atomics"},
     1.5},
    {"meeting-updates",
     global_waiting,
     describe_global_waiting,
     {"histolab__global_atomic_same_address_degree.avg",
      "histolab__global_atomic_same_address_degree.max"},
     {"atomics"},
     1.5},
    {"hottest-element",
     global_updates,
     describe_hottest,
     {hottest_address_counter},
     {"atomics"},
     0,
     hottest_updates},
    {"swaps", swaps, describe_swaps, {}, {"swaps"}, 1.5},
    {"no-swaps",
     arithmetic,
     describe_arithmetic,
     {"histolab__global_atomic_arithmetic_requests.sum"},
     {},
     0},
    {"plain-stores",
     store_requests,
     describe_stores,
     {"l1tex__t_requests_pipe_lsu_mem_global_op_st.sum"},
     {"plain_updates"},
     1.5},
    {"scattered-loads",
     excess_loads,
     describe_scattered_loads,
     {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
      "l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_ld.ratio",
      "smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.pct",
      "l1tex__t_bytes_pipe_lsu_mem_global_op_ld.sum", "histolab__input_load_sectors.sum"},
     {"l2", "dram", "load_store"},
     2},
    {"scattered-stores",
     excess_stores,
     describe_scattered_stores,
     {"l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum",
      "l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_st.ratio",
      "smsp__sass_average_data_bytes_per_sector_mem_global_op_st.pct",
      "l1tex__t_bytes_pipe_lsu_mem_global_op_st.sum"},
     {"l2", "dram", "load_store"},
     2},
    {"bytes-read",
     load_bytes,
     describe_load_bytes,
     {"smsp__sass_data_bytes_mem_global_op_ld.sum"},
     {"l2", "dram"},
     1.5},
    {"shared-updates",
     shared_updates,
     describe_shared_updates,
     {"histolab__shared_atomic_updates.sum"},
     {"load_store", "issue"},
     1.5},
    {"meeting-shared-updates",
     shared_waiting,
     describe_shared_waiting,
     {"histolab__shared_atomic_same_address_degree.avg",
      "histolab__shared_atomic_same_address_degree.max"},
     {"load_store"},
     1.5},
    {"bank-conflicts",
     conflicts,
     describe_conflicts,
     {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum",
      "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum",
      "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_atom.sum",
      "smsp__sass_average_data_bytes_per_wavefront_mem_shared.pct"},
     {"load_store"},
     1.5},
    {"busiest-warp",
     lone_global_loads,
     describe_busiest_global,
     {"histolab__busiest_warp_global_loads.max"},
     {"latency"},
     0,
     busiest_global_loads},
    {"busiest-warp-shared",
     lone_shared_loads,
     describe_busiest_shared,
     {"histolab__busiest_warp_shared_loads.max"},
     {"latency"},
     0,
     busiest_shared_loads},
    {"load-requests",
     load_requests,
     describe_loads,
     {"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum"},
     {"latency", "load_store", "issue"},
     1.5},
    {"shared-stores",
     shared_stores,
     describe_shared_stores,
     {"smsp__inst_executed_op_shared_st.sum"},
     {"latency", "load_store", "issue"},
     1.5},
    {"requests", requests, describe_requests, {}, {"latency", "load_store", "issue"}, 0},
    {"barriers", barriers, describe_barriers, {"histolab__barriers.sum"}, {"latency"}, 1.5},
    {"idle-threads",
     idle_lanes,
     describe_idle_lanes,
     {"histolab__active_lanes_per_request.ratio"},
     {},
     0},
};

template <typename Names>
bool contains(const Names& list, std::string_view name) {
  return std::find(list.begin(), list.end(), name) != list.end();
}

Launched whole_launch(const CaseResult& launch) {
  Launched all{launch, 0, {}, {}};
  for (const LineCounters& each : launch.lines) all.all += each.counters;
  return all;
}

// Returns the lines of `own` that load only variables which the solution loads, too.
std::vector<int> lines_with_common_loads(const CaseResult& own, const CaseResult& solution) {
  const std::vector<std::string> theirs = loaded_variables(solution, 0);
  std::vector<int> lines;
  for (const LineCounters& each : own.lines) {
    const std::vector<std::string> mine = loaded_variables(own, each.line);
    const bool all = std::ranges::all_of(mine, [&](const std::string& name) {
      return std::ranges::find(theirs, name) != theirs.end();
    });
    if (!mine.empty() && all) lines.push_back(each.line);
  }
  return lines;
}

// Returns the line with which the kernel exceeds the total cost of the solution. The lines
// `of_both` are added first, then the others by descending cost. Returns 0 if no line has a cost.
int blamed_line(const std::vector<LineCounters>& lines, double (*cost)(const Traffic&),
                double solution, const std::vector<int>& of_both) {
  constexpr double much = 1.25;
  std::vector<std::tuple<bool, double, int>> costs;
  for (const LineCounters& each : lines) {
    const bool is_of_both = std::ranges::find(of_both, each.line) != of_both.end();
    if (each.line > 0 && cost(each.counters) > 0)
      costs.emplace_back(!is_of_both, -cost(each.counters), each.line);
  }
  std::ranges::stable_sort(costs, {}, [](const auto& each) {
    return std::pair{std::get<0>(each), std::get<1>(each)};
  });
  double sum = 0;
  for (const auto& [alone, dear, line] : costs)
    if (sum -= dear; sum > much * solution) return line;
  return costs.empty() ? 0 : std::get<int>(costs.front());
}

std::optional<CounterGap> find_gap(const Aspect& aspect, const CaseResult& own,
                                   const CaseResult* solution) {
  Launched mine = whole_launch(own);
  std::optional<Launched> theirs;
  if (solution != nullptr) theirs.emplace(whole_launch(*solution));
  CounterGap gap{.id = aspect.id,
                 .line = 0,
                 .own = aspect.cost(mine.all),
                 .solution = theirs ? aspect.cost(theirs->all) : 0,
                 .sentence = {}};
  const bool compares_loads = solution != nullptr && aspect.cost == load_requests;
  gap.line = mine.line =
      blamed_line(own.lines, aspect.cost, gap.solution,
                  compares_loads ? lines_with_common_loads(own, *solution) : std::vector<int>{});
  if (gap.line == 0) return std::nullopt;
  if (aspect.whole != nullptr) {
    gap.own = aspect.whole(own);
    gap.solution = theirs ? aspect.whole(*solution) : 0;
  }
  for (const LineCounters& each : own.lines)
    if (each.line == gap.line) mine.here += each.counters;
  Comparison words = aspect.words(mine, theirs ? &*theirs : nullptr);
  if (words.is_tie()) return std::nullopt;
  gap.sentence = std::move(words.sentence);
  return gap;
}

// Returns the largest gap among the aspects of a term of the model, or among all if it is "".
std::optional<CounterGap> largest_gap(std::string_view bound_by, const CaseResult& own,
                                      const CaseResult& solution) {
  std::optional<CounterGap> largest;
  double most = 0;
  for (const Aspect& aspect : aspects) {
    if (!bound_by.empty() && !contains(aspect.terms, bound_by)) continue;
    std::optional<CounterGap> gap = find_gap(aspect, own, &solution);
    if (!gap || gap->own <= 0 || gap->own < std::max(aspect.least, 1.2) * gap->solution) continue;
    double here = 0;
    for (const LineCounters& each : own.lines)
      if (each.line == gap->line) here += requests(each.counters) + barriers(each.counters);
    if (here > most) {
      largest = std::move(gap);
      most = here;
    }
  }
  return largest;
}

}  // namespace

std::optional<CounterGap> gap_of_counter(std::string_view counter, const CaseResult& own,
                                         const CaseResult* solution) {
  for (const Aspect& aspect : aspects)
    if (contains(aspect.counters, counter))
      if (std::optional<CounterGap> gap = find_gap(aspect, own, solution)) return gap;
  return std::nullopt;
}

std::optional<CounterGap> gap_of_time(std::string_view bound_by, const CaseResult& own,
                                      const CaseResult& solution) {
  std::optional<CounterGap> gap = largest_gap(bound_by, own, solution);
  const bool is_term = std::ranges::any_of(
      aspects, [&](const Aspect& each) { return contains(each.terms, bound_by); });
  return gap || !is_term ? gap : largest_gap({}, own, solution);
}

std::vector<CounterGap> gaps(const CaseResult& own, const CaseResult& solution) {
  std::vector<CounterGap> found;
  for (const Aspect& aspect : aspects) {
    if (aspect.least == 0) continue;
    std::optional<CounterGap> gap = find_gap(aspect, own, &solution);
    // A small share of all requests costs little.
    if (!gap || gap->own < aspect.least * gap->solution ||
        gap->own < 0.01 * requests(whole_launch(own).all))
      continue;
    if (std::none_of(found.begin(), found.end(),
                     [&](const CounterGap& each) { return each.line == gap->line; }))
      found.push_back(std::move(*gap));
  }
  return found;
}

}  // namespace histolab::grader
