#include "grader/pipeline/counter_gap.h"

#include <doctest/doctest.h>

#include "grader/lab/case_counters.h"
#include "grader/pipeline/lane_stride.h"

using namespace histolab;
using namespace histolab::grader;
using kernels::Operation;
using kernels::RecordedAccess;

namespace {

RecordedAccess access(int line, Operation operation, std::uint32_t stride,
                      std::uint32_t active = ~0u) {
  RecordedAccess made;
  made.line = line;
  made.operation = operation;
  made.bytes = 1;
  made.active = active;
  for (std::uint32_t lane = 0; lane < 32; ++lane) made.offset[lane] = lane * stride;
  return made;
}

CaseResult launch(std::uint32_t grid, std::uint32_t block, std::uint64_t length) {
  CaseResult made;
  made.grid = grid;
  made.block = block;
  made.length = length;
  made.totals.blocks = grid;
  made.totals.block_size = block;
  return made;
}

reference::Traffic& line(CaseResult& of, int number) {
  of.lines.emplace_back().line = number;
  return of.lines.back().counters;
}

reference::Traffic loads(std::uint64_t requests, std::uint64_t sectors,
                         std::uint64_t bytes_of_a_thread) {
  reference::Traffic made;
  made.global_load = {requests, sectors, requests * 32 * bytes_of_a_thread, requests * 32};
  return made;
}

reference::Traffic global_atomics(std::uint64_t updates, std::size_t degree) {
  reference::Traffic made;
  const std::uint64_t requests = updates / 32;
  made.global_atomic = {requests, requests, updates * 4, updates};
  made.global_contention.updates = updates;
  made.global_contention.requests_of_degree[degree - 1] = requests;
  return made;
}

constexpr const char* use_of_sectors =
    "smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.pct";
constexpr const char* global_updates = "histolab__global_atomic_updates.sum";

}  // namespace

TEST_CASE("the stride of a line is the most common distance between neighbouring threads") {
  CHECK(lane_stride({}, 6, Operation::load) == std::nullopt);
  CHECK(lane_stride({access(6, Operation::load, 36)}, 6, Operation::load) == 36);
  CHECK(lane_stride({access(7, Operation::load, 36), access(6, Operation::store, 36)}, 6,
                    Operation::load) == std::nullopt);
  CHECK(lane_stride({access(6, Operation::load, 36), access(6, Operation::load, 36),
                     access(6, Operation::load, 36), access(6, Operation::load, 0, 0xFF)},
                    6, Operation::load) == 36);
  CHECK(lane_stride({access(6, Operation::load, 36), access(6, Operation::load, 1)}, 6,
                    Operation::load) == std::nullopt);
  RecordedAccess down = access(6, Operation::load, 0);
  for (std::uint32_t lane = 0; lane < 32; ++lane) down.offset[lane] = 1000 - 8 * lane;
  CHECK(lane_stride({down}, 6, Operation::load) == -8);
  CHECK(lane_stride({access(6, Operation::load, 36, 0x55555555)}, 6, Operation::load) ==
        // There are no neighbours.
        std::nullopt);
  RecordedAccess shared = access(6, Operation::load, 36);
  shared.space = kernels::Space::shared;
  CHECK(lane_stride({shared}, 6, Operation::load) == std::nullopt);
}

TEST_CASE("scattered loads are reported with their stride if they have one") {
  CaseResult own = launch(2, 256, 65536), solution = own;
  line(own, 4) = loads(10, 10, 1);
  line(own, 6) = loads(2048, 65536, 1);
  line(solution, 9) = loads(2048, 2048, 1);
  own.accesses = {access(6, Operation::load, 1024)};
  const auto gap = gap_of_counter(use_of_sectors, own, &solution);
  REQUIRE(gap);
  CHECK(gap->line == 6);
  CHECK(gap->id == "scattered-loads");
  CHECK(gap->sentence ==
        "neighbouring threads read 1024 bytes apart: 32 sectors per load, the solution needs 1");
  CHECK(gap_of_counter(use_of_sectors, own, nullptr)->sentence ==
        "neighbouring threads read 1024 bytes apart: 32 sectors per load");
  own.accesses.clear();
  CHECK(gap_of_counter(use_of_sectors, own, &solution)->sentence ==
        "the threads of a warp read far from one another: 32 sectors per load, the solution needs "
        "1");
  own.lines.back().counters.global_load = {100, 100, 100, 100};
  CHECK(gap_of_counter(use_of_sectors, own, &solution)->sentence ==
        "one thread of a warp reads at a time: a sector of 32 bytes for 1 byte");
}

TEST_CASE("the blamed line is the one that exceeds the total of the solution") {
  CaseResult own = launch(10, 256, 16000), solution = own;
  line(own, 5) = global_atomics(3200, 1);
  line(own, 9) = global_atomics(1600, 1);
  line(solution, 3) = global_atomics(3200, 1);
  // The solution has such a line 5, too.
  CHECK(gap_of_counter(global_updates, own, &solution)->line == 9);
  solution.lines.front().counters = global_atomics(320, 1);
  CHECK(gap_of_counter(global_updates, own, &solution)->line == 5);
  CHECK(gap_of_counter(global_updates, own, nullptr)->line == 5);
  // Not attributed to any line of the file.
  line(own, 0) = global_atomics(99200, 1);
  CHECK(gap_of_counter(global_updates, own, &solution)->line == 5);
  // A kernel without atomic updates.
  CHECK_FALSE(gap_of_counter(global_updates, launch(1, 1, 1), &solution));
  CHECK_FALSE(gap_of_counter("histolab__updates_invented.sum", own, &solution));
}

TEST_CASE("updates are given per element, thread or block") {
  const auto describe = [](std::uint64_t updates, std::uint64_t of_the_solution) {
    CaseResult own = launch(10, 256, 16000), solution = own;
    line(own, 5) = global_atomics(updates, 1);
    if (of_the_solution > 0) line(solution, 5) = global_atomics(of_the_solution, 1);
    return gap_of_counter(global_updates, own, &solution)->sentence;
  };
  CHECK(describe(16000, 160) ==
        "1 atomic update in global memory for each element, the solution makes 0.01");
  CHECK(describe(2560, 320) ==
        "1 atomic update in global memory for each thread, the solution makes 0.12");
  CHECK(describe(640, 0) ==
        "64 atomic updates in global memory for each block, the solution makes none");
  CaseResult own = launch(32, 256, 65536), solution = launch(2, 256, 65536);
  line(own, 5) = global_atomics(1024, 1);
  line(solution, 5) = global_atomics(64, 1);
  // 32 per block in both.
  CHECK(gap_of_counter(global_updates, own, &solution)->sentence ==
        "1024 atomic updates in global memory, the solution makes 64");
}

TEST_CASE("each counter of a check has its own sentence") {
  CaseResult own = launch(2, 64, 4096), solution = own;
  reference::Traffic& here = line(own, 7);
  here.shared_atomic = {100, 1600, 1500, 12800, 3100};
  here.shared_contention.updates = 3100;
  here.shared_contention.requests_of_degree[30] = 100;
  here.barriers = 24;
  here += loads(512, 2048, 4);
  here += global_atomics(3200, 32);
  reference::Traffic& there = line(solution, 3);
  there = loads(128, 2048, 16);
  there.barriers = 4;
  there.shared_atomic = {100, 110, 10, 400, 100};
  there.shared_contention.updates = 100;
  there.shared_contention.requests_of_degree[0] = 100;
  own.pressure = {{"histo", false, 4, 3200, 2, 0, {{3, 3000}, {1, 200}}}};
  solution.pressure = {{"histo", false, 4, 100, 2, 0, {{3, 60}, {1, 40}}}};
  const auto describe = [&](const char* counter) {
    return gap_of_counter(counter, own, &solution)->sentence;
  };
  CHECK(describe("l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum") ==
        "512 load requests of 4 bytes per thread, of the solution's 128 most are of 16");
  CHECK(describe("l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_atom.sum") ==
        "15 bank conflicts per request to shared memory, the solution has 0.1");
  CHECK(describe("histolab__shared_atomic_same_address_degree.avg") ==
        "of the 31 threads of a warp that update here, 31 meet on one address on average, in the "
        "solution 1");
  CHECK(describe("histolab__global_atomic_same_address_degree.max") ==
        "of the 32 threads of a warp that update here, 32 meet on one address on average, in the "
        "solution 0");
  CHECK(describe("histolab__barriers.sum") ==
        "24 of 24 arrivals of warps at barriers, the solution has 4 in all");
  CHECK(describe("histolab__global_atomic_updates_of_one_address.max") ==
        "3000 of 3200 updates go to histo[3], at most 60 to one element in the solution");
  CHECK(describe("histolab__global_atomic_arithmetic_requests.sum") ==
        "100 requests of an atomic operation that is not compare-and-swap");
  CHECK(describe("histolab__active_lanes_per_request.ratio") ==
        "31.9 of a warp's 32 threads take part in a request, in the solution 18.4");
}

TEST_CASE("more loads of the same width are reported with their number and variables") {
  CaseResult own = launch(2, 64, 4096), solution = own;
  const auto describe = [&] {
    return gap_of_counter("l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", own, &solution)
        ->sentence;
  };
  line(own, 7) = loads(512, 2048, 1);
  line(solution, 3) = loads(128, 512, 1);
  CHECK(describe() == "512 of 512 load requests, the solution makes 128");
  // Threads of a warp share the bytes that they read, so the average is below 1 byte per thread.
  own.lines.back().counters.global_load.bytes -= own.lines.back().counters.global_load.bytes / 4;
  for (const char* variable : {"data", "table", "data"}) {
    kernels::RecordedAccess& access = own.accesses.emplace_back();
    access.line = 7;
    access.variable = variable;
    access.operation = kernels::Operation::load;
    access.space = kernels::Space::global;
  }
  CHECK(describe() ==
        "512 of 512 load requests read data and table from memory, the solution makes 128");
  // All threads of a warp read the same byte.
  own.lines.back().counters.global_load.bytes /= 32;
  CHECK(describe() ==
        "512 of 512 load requests read data and table from memory, the solution makes 128");
}

TEST_CASE("of lines with similar loads, the one with a variable that only it loads is blamed") {
  CaseResult own = launch(2, 64, 4096), solution = own;
  const auto load = [](CaseResult& of, int number, const char* variable) {
    line(of, number) = loads(128, 512, 1);
    kernels::RecordedAccess& access = of.accesses.emplace_back();
    access.line = number;
    access.variable = variable;
    access.operation = kernels::Operation::load;
    access.space = kernels::Space::global;
  };
  load(solution, 3, "data");
  load(own, 5, "data");
  load(own, 6, "data");
  load(own, 7, "factor");
  const auto describe = [&] {
    return gap_of_counter("l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", own, &solution);
  };
  CHECK(describe()->line == 6);  // data is read twice
  own.lines.clear();
  own.accesses.clear();
  load(own, 5, "factor");
  load(own, 6, "data");
  load(own, 7, "factor");
  CHECK(describe()->line == 5);
  CHECK(describe()->sentence ==
        "128 of 384 load requests read factor from memory, the solution makes 128");
}

TEST_CASE("a time is explained by the busiest line that the limiting term depends on") {
  CaseResult own = launch(10, 256, 32000), solution = own;
  line(own, 5) = global_atomics(32000, 4);
  line(own, 9) = loads(1000, 32000, 1);
  line(solution, 3) = global_atomics(320, 1);
  line(solution, 4) = loads(1000, 1000, 1);
  CHECK(gap_of_time("atomics", own, solution)->line == 5);
  CHECK(gap_of_time("dram", own, solution)->line == 9);
  CHECK(gap_of_time("", own, solution)->line == 5);
  CHECK_FALSE(gap_of_time("atomics", own, own));
  CHECK_FALSE(gap_of_time("launch", own, solution));
}

TEST_CASE(
    "all gaps come in order of cost, one per line, and none if the kernel matches the solution") {
  CaseResult own = launch(10, 256, 32000), solution = own;
  line(own, 5) = global_atomics(32000, 4);
  line(own, 9) = loads(1000, 32000, 1);
  line(solution, 3) = global_atomics(320, 1);
  line(solution, 4) = loads(1000, 1000, 1);
  const std::vector<CounterGap> found = gaps(own, solution);
  REQUIRE(found.size() == 2);
  CHECK(found[0].id == "global-updates");
  CHECK(found[0].own == 32000);
  CHECK(found[0].solution == 320);
  CHECK(found[1].line == 9);
  CHECK(gaps(solution, solution).empty());
}

TEST_CASE("a single busy warp is reported with its share of the loads") {
  CaseResult own = launch(8, 256, 65536), solution = own;
  line(own, 6) = loads(65536, 65536, 1);
  line(solution, 9) = loads(2048, 2048, 1);
  own.totals.global_load = own.lines.back().counters.global_load;
  solution.totals.global_load = solution.lines.back().counters.global_load;
  own.totals.busiest.most.global = 65536;
  solution.totals.busiest.most.global = 32;
  const auto describe = [&] {
    const auto gap = gap_of_time("latency", own, solution);
    REQUIRE(gap);
    CHECK(gap->line == 6);
    return gap->sentence;
  };
  CHECK(describe() ==
        "one warp makes all 65 536 loads from global memory, at most 32 in the solution");
  own.totals.busiest.most.global = 8192;  // one for each block
  CHECK(describe() ==
        "one warp makes 8192 of 65 536 loads from global memory, at most 32 in the solution");
  own.totals.busiest.most.global = 1024;
  CHECK(describe() == "65 536 of 65 536 load requests, the solution makes 2048");
}

TEST_CASE("a thread that sums shared memory alone is reported, too") {
  CaseResult own = launch(8, 256, 65536), solution = own;
  line(own, 6).shared_load = {4096, 4096, 0, 4096 * 4, 4096};
  own.totals.shared_load = own.lines.back().counters.shared_load;
  own.totals.busiest.most.shared = 512;
  const auto gap = gap_of_time("latency", own, solution);
  REQUIRE(gap);
  CHECK(gap->id == "busiest-warp-shared");
  CHECK(gap->sentence ==
        "one warp makes 512 of 4096 loads from shared memory, at most 0 in the solution");
  CHECK(gap_of_counter("histolab__busiest_warp_shared_loads.max", own, nullptr)->sentence ==
        "one warp makes 512 of 4096 loads from shared memory");
}

TEST_CASE("two equal figures are never compared: another aspect explains the counter, or none") {
  // One more byte in one request. Both kernels print one sector per request.
  CaseResult own = launch(2, 256, 65536), solution = own;
  line(own, 6) = loads(2048, 2050, 1);
  line(solution, 9) = loads(2048, 2048, 1);
  CHECK_FALSE(gap_of_counter(use_of_sectors, own, &solution));
  CHECK(gaps(own, solution).empty());
  // Atomic updates keep the L2 cache busy, not loads.
  reference::Traffic& here = line(own, 8);
  here = global_atomics(64000, 1);
  line(solution, 10) = global_atomics(640, 1);
  const auto gap = gap_of_time("dram", own, solution);
  REQUIRE(gap);
  CHECK(gap->line == 8);
  for (const CounterGap& each : gaps(own, solution)) CHECK_MESSAGE(each.line == 8, each.sentence);
}

TEST_CASE("no aspect claims more than the solution if the figures are equal") {
  const auto of_all = [](std::uint64_t n) {
    CaseResult made = launch(4, 64, 4096);
    reference::Traffic& here = line(made, 3);
    here = loads(n, n, 1);
    here.global_store = {n, n, 4 * n, n};
    here.shared_load = {n, n, n, 4 * n, n};
    here.shared_store = here.shared_load;
    here.shared_atomic = here.shared_load;
    here.global_atomic = {n, n, 4 * n, n};
    here.barriers = n;
    here.global_contention.updates = here.shared_contention.updates = n;
    here.global_contention.requests_of_degree[0] = here.shared_contention.requests_of_degree[0] = n;
    static_cast<reference::Traffic&>(made.totals) = here;
    made.totals.busiest.most.global = made.totals.busiest.most.shared = n;
    return made;
  };
  const CaseResult own = of_all(1000), solution = of_all(1000);
  for (const std::string_view counter : counter_names()) {
    const auto gap = gap_of_counter(counter, own, &solution);
    CHECK_MESSAGE((!gap || gap->sentence.find("solution") == std::string::npos), counter,
                  gap ? gap->sentence : "");
  }
}
