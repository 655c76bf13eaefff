#include "reference/counters.h"

#include <algorithm>

namespace histolab::reference {
namespace {

constexpr double sector_bytes = 32;

double number(std::uint64_t count) { return static_cast<double>(count); }

double ratio(std::uint64_t numerator, std::uint64_t denominator) {
  return denominator == 0 ? 0 : number(numerator) / number(denominator);
}

double sectors_per_request(const GlobalTraffic& traffic) { return ratio(traffic.sectors, traffic.requests); }

double sector_use_percent(const GlobalTraffic& traffic) {
  return 100 * ratio(traffic.bytes, traffic.sectors) / sector_bytes;
}

void add(GlobalTraffic& total, const GlobalTraffic& launch) {
  total.requests += launch.requests;
  total.sectors += launch.sectors;
  total.bytes += launch.bytes;
}

void add(SharedTraffic& total, const SharedTraffic& launch) {
  total.requests += launch.requests;
  total.wavefronts += launch.wavefronts;
  total.bank_conflicts += launch.bank_conflicts;
}

void add(AtomicContention& total, const AtomicContention& launch) {
  total.updates += launch.updates;
  total.degree_sum += launch.degree_sum;
  total.degree_max = std::max(total.degree_max, launch.degree_max);
}

}  // namespace

std::vector<CounterValue> values(const Counters& counters) {
  const GlobalTraffic &load = counters.global_load, &store = counters.global_store, &atomic = counters.global_atomic;
  const SharedTraffic &s_load = counters.shared_load, &s_store = counters.shared_store,
                      &s_atomic = counters.shared_atomic;
  const AtomicContention &global = counters.global_contention, &shared = counters.shared_contention;
  return {
      {"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", "global load requests", "requests", number(load.requests)},
      {"l1tex__t_requests_pipe_lsu_mem_global_op_st.sum", "global store requests", "requests", number(store.requests)},
      {"l1tex__t_requests_pipe_lsu_mem_global_op_atom.sum", "global atomic requests", "requests",
       number(atomic.requests)},
      {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", "global load sectors", "sectors", number(load.sectors)},
      {"l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", "global store sectors", "sectors", number(store.sectors)},
      {"l1tex__t_sectors_pipe_lsu_mem_global_op_atom.sum", "global atomic sectors", "sectors", number(atomic.sectors)},
      {"l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_ld.ratio", "sectors per request, global loads",
       "sectors/request", sectors_per_request(load)},
      {"l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_st.ratio", "sectors per request, global stores",
       "sectors/request", sectors_per_request(store)},
      {"l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_atom.ratio", "sectors per request, global atomics",
       "sectors/request", sectors_per_request(atomic)},
      {"smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.pct", "use of each sector, global loads", "%",
       sector_use_percent(load)},
      {"smsp__sass_average_data_bytes_per_sector_mem_global_op_st.pct", "use of each sector, global stores", "%",
       sector_use_percent(store)},
      {"smsp__inst_executed_op_shared_ld.sum", "shared load requests", "requests", number(s_load.requests)},
      {"smsp__inst_executed_op_shared_st.sum", "shared store requests", "requests", number(s_store.requests)},
      {"smsp__inst_executed_op_shared_atom.sum", "shared atomic requests", "requests", number(s_atomic.requests)},
      {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum", "shared load wavefronts", "wavefronts",
       number(s_load.wavefronts)},
      {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum", "shared store wavefronts", "wavefronts",
       number(s_store.wavefronts)},
      {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_atom.sum", "shared atomic wavefronts", "wavefronts",
       number(s_atomic.wavefronts)},
      {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum", "bank conflicts, shared loads", "conflicts",
       number(s_load.bank_conflicts)},
      {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum", "bank conflicts, shared stores", "conflicts",
       number(s_store.bank_conflicts)},
      {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_atom.sum", "bank conflicts, shared atomics", "conflicts",
       number(s_atomic.bank_conflicts)},
      {"histolab__global_atomic_updates.sum", "global atomic updates", "updates", number(global.updates)},
      {"histolab__shared_atomic_updates.sum", "shared atomic updates", "updates", number(shared.updates)},
      {"histolab__global_atomic_same_address_degree.avg", "lanes on one address, global atomics, average", "lanes",
       ratio(global.degree_sum, atomic.requests)},
      {"histolab__global_atomic_same_address_degree.max", "lanes on one address, global atomics, most", "lanes",
       number(global.degree_max)},
      {"histolab__shared_atomic_same_address_degree.avg", "lanes on one address, shared atomics, average", "lanes",
       ratio(shared.degree_sum, s_atomic.requests)},
      {"histolab__shared_atomic_same_address_degree.max", "lanes on one address, shared atomics, most", "lanes",
       number(shared.degree_max)},
      {"histolab__barriers.sum", "barrier arrivals", "warps", number(counters.barriers)},
      {"launch__grid_size", "blocks launched", "blocks", number(counters.blocks)},
      {"launch__block_size", "threads in a block", "threads", number(counters.block_size)},
      {"launch__thread_count", "threads launched", "threads", number(counters.threads)},
      {"launch__shared_mem_per_block_static", "static shared memory of a block", "bytes",
       number(counters.static_shared_bytes)},
      {"launch__shared_mem_per_block_dynamic", "dynamic shared memory of a block", "bytes",
       number(counters.dynamic_shared_bytes)},
  };
}

Counters& operator+=(Counters& total, const Counters& launch) {
  total.blocks += launch.blocks;
  total.threads += launch.threads;
  total.block_size = launch.block_size;
  total.static_shared_bytes = launch.static_shared_bytes;
  total.dynamic_shared_bytes = launch.dynamic_shared_bytes;
  total.barriers += launch.barriers;
  add(total.global_load, launch.global_load);
  add(total.global_store, launch.global_store);
  add(total.global_atomic, launch.global_atomic);
  add(total.shared_load, launch.shared_load);
  add(total.shared_store, launch.shared_store);
  add(total.shared_atomic, launch.shared_atomic);
  add(total.global_contention, launch.global_contention);
  add(total.shared_contention, launch.shared_contention);
  return total;
}

}  // namespace histolab::reference
