// Counters: what one launch did to the memory system, as plain numbers.
//
// The structs hold raw totals; `values()` turns them into named figures (ratios included) for reports and checks.
// Names are Nsight Compute's metric ids where it has one; figures of our own start with `histolab__`. Each name is
// defined, with its unit, in docs/counters.md. "Request" is one warp-level instruction that touched that space with at
// least one active lane; "sector" is 32 bytes of global memory; "wavefront" is one pass of the shared memory's 32
// four-byte banks; an "update" is one lane's atomic operation.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace histolab::reference {

struct GlobalTraffic {
  std::uint64_t requests = 0;
  std::uint64_t sectors = 0;
  std::uint64_t bytes = 0;  // bytes that lanes asked for; two lanes on one address count twice
  std::uint64_t lanes = 0;  // active ones, over the requests
};

struct SharedTraffic {
  std::uint64_t requests = 0;
  std::uint64_t wavefronts = 0;
  std::uint64_t bank_conflicts = 0;  // wavefronts beyond those that the access width needs
  std::uint64_t bytes = 0;
  std::uint64_t lanes = 0;
};

// Of local arrays that a GPU keeps in memory.
struct LocalTraffic {
  std::uint64_t requests = 0;
  std::uint64_t sectors = 0;
};

// How many lanes of one atomic warp instruction hit one address: 1 is no contention, 32 is full serialization.
struct AtomicContention {
  std::uint64_t updates = 0;  // lanes
  // [d - 1]: requests of which at most d lanes were on one address.
  std::array<std::uint64_t, 32> requests_of_degree{};

  [[nodiscard]] std::uint64_t degree_sum() const;  // over the requests
  [[nodiscard]] std::uint64_t degree_max() const;
};

// Requests of one sort that the hardware treats in its own way; for the model (time_model.h), no counter of a report.
struct AtomicWork {
  std::uint64_t requests = 0;
  std::uint64_t wavefronts = 0;  // in global memory: sectors
  std::uint64_t degrees = 0;     // summed over the requests: the most lanes on one address
};

// What a source line did, or all of a kernel.
struct Traffic {
  std::uint64_t barriers = 0;  // warps arriving at __syncthreads or at a grid barrier
  GlobalTraffic global_load, global_store, global_atomic;
  SharedTraffic shared_load, shared_store, shared_atomic;
  LocalTraffic local_load, local_store;
  AtomicContention global_contention, shared_contention;
  // Parts of the above, for the model.
  std::uint64_t volatile_loads = 0;         // of global_load, requests: they do not look into the L1
  std::uint64_t repeated_loads = 0;         // of global_load, requests: of what the warp's load before has read
  AtomicWork shared_increments;             // of shared_atomic: additions of the constant 1, which equal addresses share
  AtomicWork shared_swaps, global_swaps;    // of both: compare-and-swap, of which those that meet must try again

  [[nodiscard]] std::uint64_t requests() const;
  [[nodiscard]] std::uint64_t lanes() const;
};

// f(of.barriers...), and so on with every total of one Traffic or of several side by side, in the order of the struct: what sums them, sends
// them or extends them goes through here. One that was forgotten does not compile.
template <class F, class... Of>
constexpr void each_total(F&& f, Of&... of) {
  const auto global = [&](auto&... g) { f(g.requests...), f(g.sectors...), f(g.bytes...), f(g.lanes...); };
  const auto shared = [&](auto&... s) { f(s.requests...), f(s.wavefronts...), f(s.bank_conflicts...), f(s.bytes...), f(s.lanes...); };
  const auto local = [&](auto&... l) { f(l.requests...), f(l.sectors...); };
  const auto contention = [&](auto&... c) {
    f(c.updates...);
    for (std::size_t i = 0; i < std::tuple_size_v<decltype(AtomicContention::requests_of_degree)>; ++i) f(c.requests_of_degree[i]...);
  };
  const auto work = [&](auto&... w) { f(w.requests...), f(w.wavefronts...), f(w.degrees...); };
  f(of.barriers...);
  global(of.global_load...), global(of.global_store...), global(of.global_atomic...);
  shared(of.shared_load...), shared(of.shared_store...), shared(of.shared_atomic...);
  local(of.local_load...), local(of.local_store...);
  contention(of.global_contention...), contention(of.shared_contention...);
  f(of.volatile_loads...), f(of.repeated_loads...);
  work(of.shared_increments...), work(of.shared_swaps...), work(of.global_swaps...);
}
static_assert([] {
  Traffic traffic;
  std::size_t bytes = 0;
  each_total([&](auto& total) { bytes += sizeof total; }, traffic);
  return bytes;
}() == sizeof(Traffic));

// Loads that a warp makes one after the other, as requests, without those that read what its load before has read.
struct WarpLoads {
  std::uint64_t global = 0;
  std::uint64_t other_sectors = 0;  // of those: that begin at another sector than the one before
  std::uint64_t shared = 0;
  std::uint64_t local = 0;
};
inline constexpr std::array warp_load_figures = {&WarpLoads::global, &WarpLoads::other_sectors,
                                                 &WarpLoads::shared, &WarpLoads::local};

// Loads from read-only buffers, without those that repeat the warp's previous load.
struct InputReads {
  std::uint64_t sectors = 0;
  std::uint64_t bytes_of_thread = 0;  // of the thread with the most
  std::uint64_t lanes = 0;            // active lanes of all such loads, also of repeated ones
  // Bytes in other memory that the busiest thread reads, and that other threads computed from the
  // input: threads of its own block, and of other blocks.
  std::uint64_t copied_in_block = 0, copied_in_grid = 0;
  // Of both sorts together, by the threads of each block that read at least half as many as its
  // busiest one.
  std::uint64_t bytes_of_busy_threads = 0;
};

// A warp waits for its loads, so a block takes no less time than its busiest warp. Each figure is of the warp with the most of it, which
// need not be the same. Where blocks ask for work, chains are told as kernels/emulator/observers/load_chains.h does.
struct BusiestWarps {
  WarpLoads of_blocks;  // over the blocks: each block's busiest
  WarpLoads most;       // of all blocks' the longest chain
  InputReads input = {};
  // Lanes that wrote to shared variables from which what is written to global memory was computed.
  std::uint64_t used_shared_writes = 0;

  void add_blocks(const BusiestWarps& more);  // of the same launch
};

// Traffic of all lines, the launch's shape, and what is no sum of lines.
struct Counters : Traffic {
  std::uint64_t blocks = 0;
  std::uint64_t threads = 0;
  std::uint64_t block_size = 0;
  std::uint64_t static_shared_bytes = 0;
  std::uint64_t dynamic_shared_bytes = 0;
  BusiestWarps busiest;
};

// As each_total(), with what Counters have besides and is no shape.
template <class F, class... Of>
constexpr void each_busiest(F&& f, Of&... of) {
  for (const auto figure : warp_load_figures) f(of.busiest.of_blocks.*figure...), f(of.busiest.most.*figure...);
  f(of.busiest.input.sectors...), f(of.busiest.input.bytes_of_thread...),
      f(of.busiest.input.lanes...), f(of.busiest.input.copied_in_block...),
      f(of.busiest.input.copied_in_grid...), f(of.busiest.input.bytes_of_busy_threads...),
      f(of.busiest.used_shared_writes...);
}

struct LineCounters {
  int line = 0;  // of the student's file, 1-based; 0: accesses whose line is not known
  Traffic counters;
};

// The atomic updates of one variable, element by element. Of shared memory: of all blocks together.
struct AtomicPressure {
  struct Element {
    std::uint64_t index = 0;
    std::uint64_t updates = 0;
  };
  static constexpr std::size_t max_top = 64;

  std::string variable;
  bool shared = false;
  std::uint32_t element_bytes = 4;
  std::uint64_t updates = 0;    // of all elements
  std::uint64_t elements = 0;   // that were updated, as far as counted
  std::uint64_t uncounted = 0;  // updates beyond the first MiB of the variable: of which element was not kept
  std::vector<Element> top;     // most updates first, then lowest index; at most max_top

  void keep_most_updated();  // of those in `top`, as they may come in any order and number while they are counted
};

// Of those in global memory the one whose first element was updated most; null where nothing was.
[[nodiscard]] const AtomicPressure* hottest_in_global(const std::vector<AtomicPressure>& variables);

struct CounterValue {
  std::string_view name;   // JSON key
  std::string_view title;  // what a person calls it: "sectors per request, global loads"
  std::string_view unit;   // "sectors", "requests", "sectors/request", "%", ...
  double value = 0;
};

// Requests of global loads without those that read what the warp's load before has read.
[[nodiscard]] std::uint64_t waited_loads(const Traffic& traffic);
// How many times its share of the loads the busiest warp of one launch makes: 1 where all load alike, their number where one loads alone; 0:
// nobody does.
[[nodiscard]] double global_loads_of_busiest(const Counters& launch);
[[nodiscard]] double shared_loads_of_busiest(const Counters& launch);

// Every counter, in the order of docs/counters.md. A ratio whose denominator is 0 is 0.
[[nodiscard]] std::vector<CounterValue> values(const Counters& counters);
// Those of a source line: all but the launch's shape and busiest warps.
[[nodiscard]] std::vector<CounterValue> traffic_values(const Traffic& traffic);

// Sums over lines.
Traffic& operator+=(Traffic& total, const Traffic& more);
// Sums over launches; shapes (block_size, shared bytes) are the right-hand side's.
Counters& operator+=(Counters& total, const Counters& launch);

}  // namespace histolab::reference
