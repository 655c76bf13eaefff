#include "reference/counters.h"

#include <algorithm>

#include "reference/addresses.h"

namespace histolab::reference {
namespace {

constexpr double wavefront_bytes = 128;

double number(std::uint64_t count) { return static_cast<double>(count); }

double ratio(std::uint64_t numerator, std::uint64_t denominator) {
  return denominator == 0 ? 0 : number(numerator) / number(denominator);
}

double sectors_per_request(const GlobalTraffic& traffic) {
  return ratio(traffic.sectors, traffic.requests);
}

double sector_use_percent(const GlobalTraffic& traffic) {
  return 100 * ratio(traffic.bytes, traffic.sectors) / sector_bytes;
}

double warps_of(const Counters& launch) {
  return number(launch.blocks * ((launch.block_size + 31) / 32));
}

// Returns the sum of `member` over all global and shared traffic.
template <class Member>
std::uint64_t over_all(const Traffic& t, Member member) {
  return member(t.global_load) + member(t.global_store) + member(t.global_atomic) +
         member(t.shared_load) + member(t.shared_store) + member(t.shared_atomic);
}

}  // namespace

std::uint64_t AtomicContention::degree_sum() const {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < requests_of_degree.size(); ++i)
    sum += (i + 1) * requests_of_degree[i];
  return sum;
}

std::uint64_t AtomicContention::degree_max() const {
  for (std::size_t degree = requests_of_degree.size(); degree > 0; --degree)
    if (requests_of_degree[degree - 1] != 0) return degree;
  return 0;
}

void AtomicPressure::keep_most_updated() {
  const std::size_t kept = std::min(top.size(), max_top);
  std::partial_sort(top.begin(), top.begin() + static_cast<std::ptrdiff_t>(kept), top.end(),
                    [](const Element& a, const Element& b) {
                      return a.updates != b.updates ? a.updates > b.updates : a.index < b.index;
                    });
  top.resize(kept);
}

const AtomicPressure* hottest_in_global(const std::vector<AtomicPressure>& variables) {
  const AtomicPressure* hottest = nullptr;
  for (const AtomicPressure& each : variables)
    if (!each.shared && !each.top.empty() &&
        (hottest == nullptr || each.top.front().updates > hottest->top.front().updates))
      hottest = &each;
  return hottest;
}

std::uint64_t Traffic::requests() const {
  return over_all(*this, [](const auto& traffic) { return traffic.requests; });
}
std::uint64_t Traffic::lanes() const {
  return over_all(*this, [](const auto& traffic) { return traffic.lanes; });
}

std::uint64_t waited_loads(const Traffic& traffic) {
  return traffic.global_load.requests -
         std::min(traffic.repeated_loads, traffic.global_load.requests);
}

double global_loads_of_busiest(const Counters& launch) {
  return ratio(launch.busiest.most.global, waited_loads(launch)) * warps_of(launch);
}
double shared_loads_of_busiest(const Counters& launch) {
  return ratio(launch.busiest.most.shared, launch.shared_load.requests) * warps_of(launch);
}

std::vector<CounterValue> traffic_values(const Traffic& traffic) {
  const GlobalTraffic &load = traffic.global_load, &store = traffic.global_store,
                      &atomic = traffic.global_atomic;
  const SharedTraffic &s_load = traffic.shared_load, &s_store = traffic.shared_store,
                      &s_atomic = traffic.shared_atomic;
  const AtomicContention &global = traffic.global_contention, &shared = traffic.shared_contention;
  const std::uint64_t shared_bytes = s_load.bytes + s_store.bytes + s_atomic.bytes,
                      shared_wavefronts =
                          s_load.wavefronts + s_store.wavefronts + s_atomic.wavefronts;
  return {
      {"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", "global load requests", "requests",
       number(load.requests)},
      {"l1tex__t_requests_pipe_lsu_mem_global_op_st.sum", "global store requests", "requests",
       number(store.requests)},
      {"l1tex__t_requests_pipe_lsu_mem_global_op_atom.sum", "global atomic requests", "requests",
       number(atomic.requests)},
      {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", "global load sectors", "sectors",
       number(load.sectors)},
      {"l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", "global store sectors", "sectors",
       number(store.sectors)},
      {"l1tex__t_sectors_pipe_lsu_mem_global_op_atom.sum", "global atomic sectors", "sectors",
       number(atomic.sectors)},
      {"l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_ld.ratio",
       "sectors per request, global loads", "sectors/request", sectors_per_request(load)},
      {"l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_st.ratio",
       "sectors per request, global stores", "sectors/request", sectors_per_request(store)},
      {"l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_atom.ratio",
       "sectors per request, global atomics", "sectors/request", sectors_per_request(atomic)},
      {"smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.pct",
       "use of each sector, global loads", "%", sector_use_percent(load)},
      {"smsp__sass_average_data_bytes_per_sector_mem_global_op_st.pct",
       "use of each sector, global stores", "%", sector_use_percent(store)},
      {"l1tex__t_bytes_pipe_lsu_mem_global_op_ld.sum", "bytes moved by global loads", "bytes",
       sector_bytes * number(load.sectors)},
      {"l1tex__t_bytes_pipe_lsu_mem_global_op_st.sum", "bytes moved by global stores", "bytes",
       sector_bytes * number(store.sectors)},
      {"l1tex__t_bytes_pipe_lsu_mem_global_op_atom.sum", "bytes moved by global atomics", "bytes",
       sector_bytes * number(atomic.sectors)},
      {"smsp__sass_data_bytes_mem_global_op_ld.sum", "bytes asked for by global loads", "bytes",
       number(load.bytes)},
      {"smsp__sass_data_bytes_mem_global_op_st.sum", "bytes asked for by global stores", "bytes",
       number(store.bytes)},
      {"smsp__inst_executed_op_shared_ld.sum", "shared load requests", "requests",
       number(s_load.requests)},
      {"smsp__inst_executed_op_shared_st.sum", "shared store requests", "requests",
       number(s_store.requests)},
      {"smsp__inst_executed_op_shared_atom.sum", "shared atomic requests", "requests",
       number(s_atomic.requests)},
      {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum", "shared load wavefronts",
       "wavefronts", number(s_load.wavefronts)},
      {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum", "shared store wavefronts",
       "wavefronts", number(s_store.wavefronts)},
      {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_atom.sum", "shared atomic wavefronts",
       "wavefronts", number(s_atomic.wavefronts)},
      {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum", "bank conflicts, shared loads",
       "conflicts", number(s_load.bank_conflicts)},
      {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum", "bank conflicts, shared stores",
       "conflicts", number(s_store.bank_conflicts)},
      {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_atom.sum",
       "bank conflicts, shared atomics", "conflicts", number(s_atomic.bank_conflicts)},
      {"smsp__sass_average_data_bytes_per_wavefront_mem_shared.pct",
       "use of each wavefront, shared memory", "%",
       100 * ratio(shared_bytes, shared_wavefronts) / wavefront_bytes},
      {"l1tex__t_requests_pipe_lsu_mem_local_op_ld.sum", "local load requests", "requests",
       number(traffic.local_load.requests)},
      {"l1tex__t_requests_pipe_lsu_mem_local_op_st.sum", "local store requests", "requests",
       number(traffic.local_store.requests)},
      {"l1tex__t_sectors_pipe_lsu_mem_local_op_ld.sum", "local load sectors", "sectors",
       number(traffic.local_load.sectors)},
      {"l1tex__t_sectors_pipe_lsu_mem_local_op_st.sum", "local store sectors", "sectors",
       number(traffic.local_store.sectors)},
      {"histolab__global_atomic_updates.sum", "global atomic updates", "updates",
       number(global.updates)},
      {"histolab__shared_atomic_updates.sum", "shared atomic updates", "updates",
       number(shared.updates)},
      {"histolab__global_atomic_same_address_degree.avg",
       "lanes on one address, global atomics, average", "lanes",
       ratio(global.degree_sum(), atomic.requests)},
      {"histolab__global_atomic_same_address_degree.max",
       "lanes on one address, global atomics, most", "lanes", number(global.degree_max())},
      {"histolab__shared_atomic_same_address_degree.avg",
       "lanes on one address, shared atomics, average", "lanes",
       ratio(shared.degree_sum(), s_atomic.requests)},
      {"histolab__shared_atomic_same_address_degree.max",
       "lanes on one address, shared atomics, most", "lanes", number(shared.degree_max())},
      {"histolab__global_atomic_arithmetic_requests.sum",
       "global atomic requests but compare-and-swap", "requests",
       number(atomic.requests - std::min(atomic.requests, traffic.global_swaps.requests))},
      {"histolab__active_lanes_per_request.ratio", "active lanes per request", "lanes/request",
       ratio(traffic.lanes(), traffic.requests())},
      {"histolab__barriers.sum", "barrier arrivals", "warps", number(traffic.barriers)},
      {"histolab__global_writes.sum", "writes to global memory", "writes",
       number(store.lanes + atomic.lanes)},
      {"histolab__shared_writes.sum", "writes to shared memory", "writes",
       number(s_store.lanes + s_atomic.lanes)},
  };
}

std::vector<CounterValue> values(const Counters& counters) {
  std::vector<CounterValue> all = traffic_values(counters);
  all.insert(
      all.end(),
      {{"launch__grid_size", "blocks launched", "blocks", number(counters.blocks)},
       {"launch__block_size", "threads in a block", "threads", number(counters.block_size)},
       {"launch__thread_count", "threads launched", "threads", number(counters.threads)},
       {"launch__shared_mem_per_block_static", "static shared memory of a block", "bytes",
        number(counters.static_shared_bytes)},
       {"launch__shared_mem_per_block_dynamic", "dynamic shared memory of a block", "bytes",
        number(counters.dynamic_shared_bytes)},
       {"histolab__busiest_warp_global_loads.max", "global load requests of the busiest warp",
        "requests", number(counters.busiest.most.global)},
       {"histolab__busiest_warp_shared_loads.max", "shared load requests of the busiest warp",
        "requests", number(counters.busiest.most.shared)},
       {"histolab__input_load_sectors.sum", "sectors loaded from the input", "sectors",
        number(counters.busiest.input.sectors)},
       {"histolab__busiest_thread_input_bytes.max",
        "bytes of the input that the busiest thread reads", "bytes",
        number(counters.busiest.input.bytes_of_thread)},
       {"histolab__busiest_thread_copied_bytes_of_block.max",
        "copied bytes of its own block that the busiest thread reads", "bytes",
        number(counters.busiest.input.copied_in_block)},
       {"histolab__busiest_thread_copied_bytes_of_grid.max",
        "copied bytes of other blocks that the busiest thread reads", "bytes",
        number(counters.busiest.input.copied_in_grid)},
       {"histolab__busy_threads_input_bytes.sum",
        "bytes of the input and of copies that the busy threads read", "bytes",
        number(counters.busiest.input.bytes_of_busy_threads)},
       {"histolab__used_shared_writes.sum", "writes to shared variables that reach global memory",
        "writes", number(counters.busiest.used_shared_writes)},
       {"histolab__accesses_besides_input.sum", "accesses to memory that is no input", "accesses",
        number(counters.lanes() - std::min(counters.lanes(), counters.busiest.input.lanes))}});
  return all;
}

void BusiestWarps::add_blocks(const BusiestWarps& more) {
  for (const auto figure : warp_load_figures) {
    of_blocks.*figure += more.of_blocks.*figure;
    most.*figure = std::max(most.*figure, more.most.*figure);
  }
  used_shared_writes += more.used_shared_writes;
  input.sectors += more.input.sectors;
  input.lanes += more.input.lanes;
  input.bytes_of_thread = std::max(input.bytes_of_thread, more.input.bytes_of_thread);
  input.copied_in_block = std::max(input.copied_in_block, more.input.copied_in_block);
  input.copied_in_grid = std::max(input.copied_in_grid, more.input.copied_in_grid);
  input.bytes_of_busy_threads += more.input.bytes_of_busy_threads;
}

Traffic& operator+=(Traffic& total, const Traffic& more) {
  each_total([](std::uint64_t& sum, std::uint64_t value) { sum += value; }, total, more);
  return total;
}

Counters& operator+=(Counters& total, const Counters& launch) {
  static_cast<Traffic&>(total) += launch;
  total.blocks += launch.blocks;
  total.threads += launch.threads;
  total.block_size = launch.block_size;
  total.static_shared_bytes = launch.static_shared_bytes;
  total.dynamic_shared_bytes = launch.dynamic_shared_bytes;
  each_busiest([](std::uint64_t& sum, std::uint64_t value) { sum += value; }, total, launch);
  return total;
}

}  // namespace histolab::reference
