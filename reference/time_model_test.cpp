#include "reference/time_model.h"

#include <doctest/doctest.h>

#include <cmath>

using namespace histolab::reference;

namespace {

// Round numbers, so that terms can be computed by hand: one SM at 1 GHz, one sector per nanosecond.
TimingProfile profile() {
  TimingProfile p;
  p.name = "h200";
  p.device = "a GPU of round numbers";
  p.multiprocessors = 1;
  p.sm_ghz = 1;
  p.launch_ns = 1000;
  p.block_ns = MeasuredCurve({{32, 10}, {1024, 10}});
  p.barrier_clocks = 10;
  p.dram_sectors_per_ns = 1;
  p.l2_sectors_per_ns = 2;
  p.loaded_latency_ns = 100;
  p.l1_latency_clocks = 10;
  p.shared_latency_clocks = 10;
  p.l2_latency_clocks = 50;
  p.plain_update_ns = 1;
  p.volatile_update_ns = 10;
  p.hot_pass_ns = 1;
  p.line_parallelism = MeasuredCurve({{1, 1}, {64, 8}});
  p.swap_ns = MeasuredCurve({{1, 100}, {1000, 1000}});
  p.shared_swap_loop = MeasuredCurve({{1, 100}, {256, 1000}});
  return p;
}

double term(const TimeEstimate& of, std::string_view name) {
  for (const TimeEstimate::Term& each : of.terms)
    if (each.name == name) return each.ns;
  FAIL("there is no term ", name);
  return 0;
}

// `requests` requests of 32 lanes with `degree` lanes on one word. The updates are spread evenly
// over `elements` consecutive words.
Workload atomics(std::uint64_t requests, std::size_t degree, std::uint64_t elements) {
  Workload work;
  Counters& c = work.counters;
  c.blocks = 1;
  c.block_size = c.threads = 32;
  c.global_atomic = {.requests = requests,
                     .sectors = requests * ((32 / degree + 7) / 8) * degree,
                     .bytes = requests * 128 / degree,
                     .lanes = requests * 32};
  c.global_contention.updates = requests * 32;
  c.global_contention.requests_of_degree[degree - 1] = requests;
  AtomicPressure pressure{
      .variable = "histo", .updates = requests * 32, .elements = elements, .top = {}};
  for (std::uint64_t i = 0; i < std::min<std::uint64_t>(64, elements); ++i)
    pressure.top.push_back({i, requests * 32 / elements});
  work.pressure.push_back(pressure);
  return work;
}

}  // namespace

TEST_CASE("a curve goes through its points, straight on logarithmic axes, and stays at its ends") {
  const MeasuredCurve curve({{1, 10}, {100, 1000}});
  CHECK(curve.at(1) == doctest::Approx(10));
  CHECK(curve.at(10) == doctest::Approx(100));
  CHECK(curve.at(100) == doctest::Approx(1000));
  CHECK(curve.at(0.1) == 10);
  CHECK(curve.at(1e6) == 1000);
}

TEST_CASE("nothing but a launch takes a launch") {
  const TimeEstimate found = estimate(profile(), {});
  CHECK(found.total_ns == doctest::Approx(1000));
  CHECK(found.bound_by == "launch");
}

TEST_CASE("reading is bound by DRAM, and what is read twice comes from the L1") {
  Workload work;
  work.counters.blocks = 8;
  work.counters.block_size = 256;
  work.counters.threads = 2048;
  work.counters.global_load = {
      .requests = 1'000'000, .sectors = 16'000'000, .bytes = 512'000'000, .lanes = 32'000'000};
  work.input_bytes = 512'000'000;
  const TimeEstimate once = estimate(profile(), work);
  CHECK(term(once, "dram") == doctest::Approx(16e6));
  CHECK(once.bound_by == "dram");
  CHECK(once.total_ns >= 16e6);
  work.input_bytes /= 2;  // each byte is read twice
  CHECK(term(estimate(profile(), work), "dram") == doctest::Approx(8e6));
}

TEST_CASE("lanes that are lines apart evict each other from the L1 when many warps are resident") {
  Workload work;
  Counters& c = work.counters;
  c.blocks = 1;
  c.block_size = c.threads = 32;
  c.global_load = {.requests = 1000, .sectors = 32'000, .bytes = 32'000, .lanes = 32'000};
  work.input_bytes = 32'000;
  CHECK(term(estimate(profile(), work), "l2") == doctest::Approx(500));  // a warp holds 4 KiB
  c.blocks = 8;
  c.block_size = 256;
  CHECK(term(estimate(profile(), work), "l2") == doctest::Approx(16'000));  // 64 warps
}

TEST_CASE("atomics on one word take a pass for each lane") {
  CHECK(atomic_spread(atomics(1000, 32, 1)).lines == doctest::Approx(1));
  CHECK(term(estimate(profile(), atomics(1000, 32, 1)), "atomics") == doctest::Approx(32'000));
  CHECK(term(estimate(profile(), atomics(1000, 4, 8)), "atomics") == doctest::Approx(4000));
}

TEST_CASE("atomics spread over many lines take less time than on few lines") {
  CHECK(atomic_spread(atomics(1000, 1, 64 * 32)).lines == doctest::Approx(64).epsilon(0.001));
  const double alone = term(estimate(profile(), atomics(1000, 8, 4)), "atomics");
  CHECK(term(estimate(profile(), atomics(1000, 8, 64 * 32)), "atomics") < alone);
}

TEST_CASE("the lines of wide counters depend on their element size") {
  // 32 elements are all listed in `top`; of 64 * 32, most are not.
  for (const std::uint64_t elements : {32u, 64u * 32u}) {
    Workload narrow = atomics(1000, 1, 2 * elements), wide = atomics(1000, 1, elements);
    wide.pressure[0].element_bytes = 8;
    CHECK(atomic_spread(wide).lines == doctest::Approx(atomic_spread(narrow).lines).epsilon(0.05));
  }
}

TEST_CASE(
    "shared atomics take their wavefronts, a compare-and-swap a time of its own for each that "
    "reads and the one that writes") {
  Workload work;
  Counters& c = work.counters;
  c.blocks = 1;
  c.block_size = c.threads = 256;
  c.shared_atomic = {.requests = 1000,
                     .wavefronts = 64'000,
                     .bank_conflicts = 31'000,
                     .bytes = 4000,
                     .lanes = 32'000};
  CHECK(term(estimate(profile(), work), "load_store") == doctest::Approx(64'000));
  c.shared_swaps = {.requests = 1000, .wavefronts = 64'000, .degrees = 32'000};
  CHECK(term(estimate(profile(), work), "load_store") ==
        doctest::Approx(32'000 * profile().shared_swap_clocks));
}

TEST_CASE("local memory takes the load/store units, the wait for the L1 and instructions") {
  Workload work;
  Counters& c = work.counters;
  c.blocks = 1;
  c.block_size = c.threads = 32;
  c.local_load = c.local_store = {.requests = 1000, .sectors = 4000};  // same index in all lanes
  c.busiest.of_blocks.local = c.busiest.most.local = 1000;
  const TimeEstimate same = estimate(profile(), work);
  CHECK(term(same, "load_store") == doctest::Approx(1000 + 4000 * ModelFit{}.local_store_clocks));
  CHECK(term(same, "latency") == doctest::Approx(1000 * 10));
  CHECK(term(same, "issue") == doctest::Approx(2000 * ModelFit{}.issue_clocks));
  c.local_load.sectors = c.local_store.sectors = 32'000;
  CHECK(term(estimate(profile(), work), "load_store") ==
        doctest::Approx(8 * term(same, "load_store")));
}

TEST_CASE("more of anything takes no less time") {
  Workload work = atomics(1000, 8, 4);
  const double before = estimate(profile(), work).total_ns;
  work.counters.global_load.requests += 100'000;
  work.counters.barriers += 1000;
  CHECK(estimate(profile(), work).total_ns > before);
}

TEST_CASE("a block waits for its busiest warp, and the launch for its busiest block") {
  Workload work;
  Counters& c = work.counters;
  c.blocks = 64;
  c.block_size = 256;
  c.threads = 64 * 256;  // eight blocks fit at once
  c.global_load = {
      .requests = 512'000, .sectors = 512'000, .bytes = 512'000 * 32, .lanes = 512'000 * 32};
  work.input_bytes = c.global_load.bytes;
  // All eight warps load equally often.
  c.busiest = {.of_blocks = {.global = 64'000, .other_sectors = 64'000},
               .most = {.global = 1000, .other_sectors = 1000}};
  CHECK(term(estimate(profile(), work), "latency") == doctest::Approx(800'000));
  // One warp of each block loads.
  c.busiest = {.of_blocks = {.global = 512'000, .other_sectors = 512'000},
               .most = {.global = 8000, .other_sectors = 8000}};
  CHECK(term(estimate(profile(), work), "latency") == doctest::Approx(6'400'000));
  c.busiest.most = c.busiest.of_blocks;  // one warp of the launch loads
  CHECK(term(estimate(profile(), work), "latency") == doctest::Approx(51'200'000));
  c.busiest.of_blocks.shared = c.busiest.most.shared = 1000;
  CHECK(term(estimate(profile(), work), "latency") == doctest::Approx(51'210'000).epsilon(1e-9));
  c.barriers = 6400;
  CHECK(term(estimate(profile(), work), "latency") == doctest::Approx(51'211'000).epsilon(1e-9));
}

TEST_CASE(
    "a load waits for DRAM at a new sector, for the L1 within one, and not if just repeated") {
  Workload work;
  Counters& c = work.counters;
  c.blocks = 1;
  c.block_size = c.threads = 32;
  // One thread, byte by byte.
  c.global_load = {.requests = 3200, .sectors = 3200, .bytes = 3200, .lanes = 3200};
  work.input_bytes = 3200;
  c.busiest.of_blocks = c.busiest.most = {.global = 3200, .other_sectors = 100};
  CHECK(term(estimate(profile(), work), "latency") == doctest::Approx(100 * 100 + 3100 * 10));
  // Bytes that are far from each other.
  c.busiest.of_blocks = c.busiest.most = {.global = 3200, .other_sectors = 3200};
  CHECK(term(estimate(profile(), work), "latency") == doctest::Approx(320'000));
  c.busiest.of_blocks = c.busiest.most = {.global = 3200, .other_sectors = 100};
  const TimeEstimate once = estimate(profile(), work);
  // Each byte is read three times.
  c.global_load = {.requests = 9600, .sectors = 9600, .bytes = 9600, .lanes = 9600};
  c.repeated_loads = 6400;
  const TimeEstimate again = estimate(profile(), work);
  CHECK(again.total_ns == doctest::Approx(once.total_ns));
}

TEST_CASE("a single thread that does all the work still does so in a larger launch") {
  Workload fewer, more;
  fewer.counters.blocks = 2;
  more.counters.blocks = 4;
  fewer.counters.busiest = {.of_blocks = {200, 7, 20}, .most = {200, 7, 10}};
  // Each block makes its share of the loads from shared memory.
  more.counters.busiest = {.of_blocks = {400, 14, 40}, .most = {400, 14, 10}};
  const Workload large = extended(fewer, more, 400);
  CHECK(large.counters.busiest.most.global == 40'000);
  CHECK(large.counters.busiest.most.other_sectors == 1400);
  CHECK(large.counters.busiest.of_blocks.shared == 4000);
  CHECK(large.counters.busiest.most.shared == 10);
}

TEST_CASE(
    "the busiest warp's loads grow with the launch, except by rounding, and stay below the sum") {
  const auto most = [](std::uint64_t fewer_most, std::uint64_t more_most, std::uint64_t of_blocks) {
    Workload fewer, more;
    fewer.counters.blocks = 8;
    more.counters.blocks = 16;
    fewer.counters.busiest = {.of_blocks = {of_blocks / 2, 0, 0}, .most = {fewer_most, 0, 0}};
    more.counters.busiest = {.of_blocks = {of_blocks, 0, 0}, .most = {more_most, 0, 0}};
    return extended(fewer, more, 1056).counters.busiest.most.global;
  };
  CHECK(most(62, 63, 1008) == 63);
  CHECK(most(1, 3, 48) == 3);
  CHECK(most(72, 88, 1000) == 88 + 16 * 130);  // a part of the chain grows
  CHECK(most(8, 16, 20) == 16 * 66);
  CHECK(most(1, 3, 2) == 3);
  CHECK(most(10, 100, 110) == 110 * 66);  // not 11 800
}

TEST_CASE("few blocks do not run on more multiprocessors than there are blocks") {
  TimingProfile large = profile();
  large.multiprocessors = 100;
  Workload work;
  Counters& c = work.counters;
  c.block_size = 256;
  c.blocks = 2;
  c.threads = 512;
  c.global_load = {.requests = 1000, .sectors = 1000, .bytes = 32'000, .lanes = 32'000};
  work.input_bytes = 32'000;
  c.busiest = {.of_blocks = {1000, 1000, 0}, .most = {1, 1, 0}};  // a work queue has short chains
  CHECK(term(estimate(large, work), "latency") == doctest::Approx(1000 * 100 / 2));
}

TEST_CASE(
    "a loop whose steps are as wide as the grid goes to another sector with each load at most") {
  Workload fewer, more;
  fewer.counters.blocks = 8;
  more.counters.blocks = 16;
  fewer.counters.busiest = {.of_blocks = {8 * 800, 8 * 200, 0}, .most = {800, 200, 0}};
  more.counters.busiest = {.of_blocks = {16 * 800, 16 * 400, 0}, .most = {800, 400, 0}};
  const Workload large = extended(fewer, more, 1056);
  CHECK(large.counters.busiest.most.other_sectors == 800);
}

TEST_CASE("two small launches are extended to a large one") {
  Workload fewer = atomics(100, 8, 4), more = atomics(200, 8, 4);
  fewer.counters.blocks = 2;
  more.counters.blocks = 4;
  fewer.counters.barriers = 20;
  more.counters.barriers = 40;
  fewer.input_bytes = 1000;
  more.input_bytes = 2000;
  const Workload large = extended(fewer, more, 400);
  CHECK(large.counters.blocks == 400);
  CHECK(large.counters.global_atomic.requests == 20'000);
  CHECK(large.counters.barriers == 4000);
  CHECK(large.input_bytes == 200'000);
  CHECK(large.pressure[0].elements == 4);
  CHECK(large.pressure[0].top[0].updates == doctest::Approx(160'000));
  CHECK(large.counters.global_atomic.sectors == 160'000);
}

TEST_CASE("elements that belong to one block each grow with the number of blocks") {
  Workload fewer = atomics(100, 8, 14), more = atomics(200, 8, 28);
  fewer.counters.blocks = 2;
  more.counters.blocks = 4;
  const Workload large = extended(fewer, more, 1024);
  CHECK(large.pressure[0].elements == 7168);
  CHECK(atomic_spread(large).lines == doctest::Approx(224));
}

TEST_CASE("something that does not grow stays as it is") {
  Workload fewer = atomics(100, 8, 4), more = atomics(100, 8, 4);
  fewer.counters.blocks = 2;
  more.counters.blocks = 4;
  CHECK(extended(fewer, more, 1'000'000).counters.global_atomic.requests == 100);
}
