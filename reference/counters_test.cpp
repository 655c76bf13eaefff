#include "reference/counters.h"

#include <doctest/doctest.h>

#include <cmath>
#include <map>
#include <set>
#include <string>

namespace histolab::reference {
namespace {

std::map<std::string, double> by_name(const Counters& counters) {
  std::map<std::string, double> figures;
  for (const auto& value : values(counters)) figures[std::string(value.name)] = value.value;
  return figures;
}

AtomicContention degrees(std::uint64_t updates,
                         const std::map<std::size_t, std::uint64_t>& requests) {
  AtomicContention contention{updates, {}};
  for (const auto& [degree, count] : requests) contention.requests_of_degree[degree - 1] = count;
  return contention;
}

// Every member has a different number, so a mix-up of two members fails the test.
Counters distinct() {
  Counters c;
  c.blocks = 64;
  c.threads = 16384;
  c.block_size = 256;
  c.static_shared_bytes = 28;
  c.dynamic_shared_bytes = 36;
  c.busiest = {{88, 77, 33}, {44, 42, 22}, {55, 66, 399, 77, 88, 99}, 111};
  c.repeated_loads = 9;
  c.barriers = 512;
  c.global_load = {100, 250, 3200, 2900};
  c.global_store = {10, 40, 320, 160};
  c.global_atomic = {7, 14, 896, 210};
  c.shared_load = {3, 5, 2, 160, 40};
  c.shared_store = {11, 19, 8, 352, 88};
  c.shared_atomic = {200, 1300, 1100, 24004, 6001};
  c.local_load = {21, 336};
  c.local_store = {23, 230};
  c.global_swaps = {2, 4, 6};
  c.global_contention = degrees(210, {{1, 3}, {8, 3}, {31, 1}});       // 3 + 24 + 31 = 58
  c.shared_contention = degrees(6001, {{2, 50}, {5, 100}, {13, 50}});  // 100 + 500 + 650 = 1250
  return c;
}

TEST_CASE("names and titles are unique") {
  std::set<std::string_view> names, titles;
  for (const auto& value : values({})) {
    CHECK(names.insert(value.name).second);
    CHECK(titles.insert(value.title).second);
  }
}

TEST_CASE("a launch that did nothing is all zeros, ratios too") {
  for (const auto& value : values({})) {
    CAPTURE(value.name);
    CHECK(value.value == 0);
  }
}

TEST_CASE("each counter is its own figure") {
  auto figures = by_name(distinct());
  const std::string requests = "l1tex__t_requests_pipe_lsu_mem_global_op_",
                    sectors = "l1tex__t_sectors_pipe_lsu_mem_global_op_",
                    average = "l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_",
                    used = "smsp__sass_average_data_bytes_per_sector_mem_global_op_",
                    instructions = "smsp__inst_executed_op_shared_",
                    wavefronts = "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_",
                    conflicts = "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_";
  const std::map<std::string, double> expected{
      {requests + "ld.sum", 100},
      {requests + "st.sum", 10},
      {requests + "atom.sum", 7},
      {sectors + "ld.sum", 250},
      {sectors + "st.sum", 40},
      {sectors + "atom.sum", 14},
      {average + "ld.ratio", 2.5},
      {average + "st.ratio", 4},
      {average + "atom.ratio", 2},
      {used + "ld.pct", 40},
      {used + "st.pct", 25},
      {"l1tex__t_bytes_pipe_lsu_mem_global_op_ld.sum", 8000},
      {"l1tex__t_bytes_pipe_lsu_mem_global_op_st.sum", 1280},
      {"l1tex__t_bytes_pipe_lsu_mem_global_op_atom.sum", 448},
      {"smsp__sass_data_bytes_mem_global_op_ld.sum", 3200},
      {"smsp__sass_data_bytes_mem_global_op_st.sum", 320},
      {"smsp__sass_average_data_bytes_per_wavefront_mem_shared.pct", 100.0 * 24516 / (128 * 1324)},
      {"l1tex__t_requests_pipe_lsu_mem_local_op_ld.sum", 21},
      {"l1tex__t_requests_pipe_lsu_mem_local_op_st.sum", 23},
      {"l1tex__t_sectors_pipe_lsu_mem_local_op_ld.sum", 336},
      {"l1tex__t_sectors_pipe_lsu_mem_local_op_st.sum", 230},
      {instructions + "ld.sum", 3},
      {instructions + "st.sum", 11},
      {instructions + "atom.sum", 200},
      {wavefronts + "ld.sum", 5},
      {wavefronts + "st.sum", 19},
      {wavefronts + "atom.sum", 1300},
      {conflicts + "ld.sum", 2},
      {conflicts + "st.sum", 8},
      {conflicts + "atom.sum", 1100},
      {"histolab__global_atomic_updates.sum", 210},
      {"histolab__shared_atomic_updates.sum", 6001},
      {"histolab__global_atomic_same_address_degree.avg", 58.0 / 7},
      {"histolab__global_atomic_same_address_degree.max", 31},
      {"histolab__shared_atomic_same_address_degree.avg", 6.25},
      {"histolab__shared_atomic_same_address_degree.max", 13},
      {"histolab__global_atomic_arithmetic_requests.sum", 5},
      {"histolab__active_lanes_per_request.ratio", 9399.0 / 331},
      {"histolab__barriers.sum", 512},
      {"launch__grid_size", 64},
      {"launch__block_size", 256},
      {"launch__thread_count", 16384},
      {"launch__shared_mem_per_block_static", 28},
      {"launch__shared_mem_per_block_dynamic", 36},
      {"histolab__busiest_warp_global_loads.max", 44},
      {"histolab__busiest_warp_shared_loads.max", 22},
      {"histolab__global_writes.sum", 160 + 210},
      {"histolab__shared_writes.sum", 88 + 6001},
      {"histolab__input_load_sectors.sum", 55},
      {"histolab__busiest_thread_input_bytes.max", 66},
      {"histolab__busiest_thread_copied_bytes_of_block.max", 77},
      {"histolab__busiest_thread_copied_bytes_of_grid.max", 88},
      {"histolab__busy_threads_input_bytes.sum", 99},
      {"histolab__used_shared_writes.sum", 111},
      {"histolab__accesses_besides_input.sum", 9000},
  };
  CHECK(figures.size() == expected.size());
  for (const auto& [key, value] : expected) {
    const std::string& name = key;
    CAPTURE(name);
    REQUIRE(figures.count(name) == 1);
    CHECK(figures[name] == doctest::Approx(value));
  }
}

TEST_CASE(
    "launches add up: totals are summed, the degree keeps its maximum, shapes are the last "
    "launch's") {
  Counters total = distinct();
  Counters second = distinct();
  second.block_size = 32;
  second.static_shared_bytes = 0;
  second.dynamic_shared_bytes = 4;
  second.global_contention = degrees(210, {{2, 7}});
  second.shared_contention = degrees(6001, {{32, 200}});
  second.global_load = {100, 750, 3200, 2900};
  CHECK(&(total += second) == &total);

  const auto one = by_name(distinct());
  auto sum = by_name(total);
  for (const auto& [key, value] : one) {
    const std::string& name = key;
    CAPTURE(name);
    const bool shape = name.rfind("launch__", 0) == 0 && name != "launch__grid_size" &&
                       name != "launch__thread_count";
    const bool total_of_both = !shape && (name.ends_with(".sum") || name.rfind("launch__", 0) == 0);
    if (total_of_both && name != "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum" &&
        name != "l1tex__t_bytes_pipe_lsu_mem_global_op_ld.sum")
      CHECK(sum[name] == 2 * value);
  }
  CHECK(sum["launch__block_size"] == 32);
  CHECK(sum["launch__shared_mem_per_block_static"] == 0);
  CHECK(sum["launch__shared_mem_per_block_dynamic"] == 4);
  CHECK(sum["histolab__busiest_warp_global_loads.max"] == 88);  // the sum over launches
  CHECK(sum["histolab__busiest_warp_shared_loads.max"] == 44);
  CHECK(sum["histolab__busiest_thread_input_bytes.max"] == 132);
  CHECK(sum["histolab__busiest_thread_copied_bytes_of_block.max"] == 154);
  CHECK(total.busiest.of_blocks.global == 176);
  CHECK(total.busiest.most.other_sectors == 84);
  CHECK(total.repeated_loads == 18);
  CHECK(sum["histolab__global_atomic_same_address_degree.max"] == 31);
  CHECK(sum["histolab__shared_atomic_same_address_degree.max"] == 32);
  CHECK(sum["histolab__global_atomic_same_address_degree.avg"] ==
        doctest::Approx((58.0 + 14) / 14));
  CHECK(sum["l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_ld.ratio"] == 5);
  CHECK(sum["smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.pct"] == 20);
}

TEST_CASE("the degrees of requests: their sum and the largest") {
  CHECK(AtomicContention{}.degree_sum() == 0);
  CHECK(AtomicContention{}.degree_max() == 0);
  CHECK(degrees(0, {{1, 4}, {32, 2}}).degree_sum() == 4 + 64);
  CHECK(degrees(0, {{1, 4}, {32, 2}}).degree_max() == 32);
  CHECK(degrees(0, {{1, 4}}).degree_max() == 1);
}

TEST_CASE(
    "the hottest element of global memory: the first of the most updated, never one of shared "
    "memory") {
  AtomicPressure shared, cold, hot, as_hot, untouched;
  shared.shared = true;
  shared.top = {{0, 99}};
  cold.top = {{3, 4}, {1, 2}};
  hot.top = {{7, 5}};
  as_hot.top = {{8, 5}};
  const std::vector<AtomicPressure> variables = {untouched, shared, cold, hot, as_hot};
  CHECK(hottest_in_global(variables) == &variables[3]);
  CHECK(hottest_in_global({shared, untouched}) == nullptr);
  CHECK(hottest_in_global({}) == nullptr);
}

TEST_CASE("requests and lanes of all kinds of access") {
  CHECK(distinct().requests() == 100 + 10 + 7 + 3 + 11 + 200);
  CHECK(distinct().lanes() == 2900 + 160 + 210 + 40 + 88 + 6001);
}

TEST_CASE("the load imbalance is the busiest warp's loads over its fair share") {
  Counters launch;
  launch.blocks = 3;
  launch.block_size = 100;  // twelve warps
  CHECK(global_loads_of_busiest(launch) == 0);
  launch.global_load.requests = 150;
  launch.repeated_loads = 30;
  launch.shared_load.requests = 240;
  launch.busiest.most = {10, 1, 80};
  CHECK(global_loads_of_busiest(launch) == doctest::Approx(1));
  CHECK(shared_loads_of_busiest(launch) == doctest::Approx(4));
  launch.busiest.most = {120, 1, 240};
  CHECK(global_loads_of_busiest(launch) == doctest::Approx(12));
  CHECK(shared_loads_of_busiest(launch) == doctest::Approx(12));
}

TEST_CASE("add_blocks sums the totals of concurrent blocks and keeps the busiest one's maximum") {
  BusiestWarps all{{10, 5, 3}, {4, 2, 1}, {100, 20, 7, 8, 3, 60}, 14};
  all.add_blocks({{7, 6, 9}, {3, 3, 9}, {50, 30, 5, 6, 9, 40}, 8});
  CHECK(all.input.sectors == 150);
  CHECK(all.input.bytes_of_thread == 30);
  CHECK(all.input.lanes == 12);
  CHECK(all.input.copied_in_block == 8);
  CHECK(all.input.copied_in_grid == 9);
  CHECK(all.input.bytes_of_busy_threads == 100);
  CHECK(all.used_shared_writes == 22);
  CHECK(all.of_blocks.global == 17);
  CHECK(all.of_blocks.other_sectors == 11);
  CHECK(all.of_blocks.shared == 12);
  CHECK(all.most.global == 4);
  CHECK(all.most.other_sectors == 3);
  CHECK(all.most.shared == 9);
}

TEST_CASE("lines add up to the traffic of a launch, and leave its shape alone") {
  Counters total;
  total.block_size = 256;
  static_cast<Traffic&>(total) += distinct();
  static_cast<Traffic&>(total) += distinct();
  CHECK(total.block_size == 256);
  CHECK(total.blocks == 0);
  CHECK(total.shared_load.bytes == 320);
  CHECK(total.barriers == 1024);
  CHECK(total.shared_contention.degree_sum() == 2500);
}

TEST_CASE("adding to nothing gives the launch itself") {
  Counters total;
  total += distinct();
  CHECK(by_name(total) == by_name(distinct()));
}

}  // namespace
}  // namespace histolab::reference
