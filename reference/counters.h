// Counters: the effect of one launch on the memory system, as plain numbers.
//
// The structs hold raw totals. `values()` turns them into named figures, including ratios, for
// reports and checks. docs/counters.md defines each name with its unit, and the terms request,
// sector, wavefront and update.
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
  std::uint64_t bytes = 0;  // requested by lanes; lanes of a request on one address count once
  std::uint64_t lanes = 0;  // active lanes, summed over the requests
};

struct SharedTraffic {
  std::uint64_t requests = 0;
  std::uint64_t wavefronts = 0;
  std::uint64_t bank_conflicts = 0;  // wavefronts beyond the number that the access width needs
  std::uint64_t bytes = 0;
  std::uint64_t lanes = 0;
};

// Accesses to local arrays that a GPU keeps in memory.
struct LocalTraffic {
  std::uint64_t requests = 0;
  std::uint64_t sectors = 0;
};

// The degree of an atomic request is the largest number of its lanes on one address. A degree of 1
// means no contention, 32 full serialization.
struct AtomicContention {
  std::uint64_t updates = 0;  // lanes
  // requests_of_degree[d - 1]: number of requests of degree d.
  std::array<std::uint64_t, 32> requests_of_degree{};

  // Return the sum and the maximum of the requests' degrees, 0 if there are no requests.
  [[nodiscard]] std::uint64_t degree_sum() const;
  [[nodiscard]] std::uint64_t degree_max() const;
};

// Requests of one kind to which the hardware gives special treatment. Only the time model
// (time_model.h) uses them; reports do not show them.
struct AtomicWork {
  std::uint64_t requests = 0;
  std::uint64_t wavefronts = 0;  // sectors, if in global memory
  std::uint64_t degrees = 0;     // summed over the requests
};

// Memory traffic of one source line or of a whole kernel.
struct Traffic {
  std::uint64_t barriers = 0;  // arrivals of warps at __syncthreads or at a grid barrier
  GlobalTraffic global_load, global_store, global_atomic;
  SharedTraffic shared_load, shared_store, shared_atomic;
  LocalTraffic local_load, local_store;
  AtomicContention global_contention, shared_contention;
  // Parts of the totals above, for the time model.
  // Requests of global_load that bypass the L1.
  std::uint64_t volatile_loads = 0;
  // Requests of global_load that read the same bytes as the warp's previous load.
  std::uint64_t repeated_loads = 0;
  // Part of shared_atomic: additions of the constant 1. Lanes on one address share a wavefront.
  AtomicWork shared_increments;
  // Parts of shared_atomic and global_atomic: compare-and-swap. If several lanes meet on one
  // address, all but one must retry.
  AtomicWork shared_swaps, global_swaps;

  [[nodiscard]] std::uint64_t requests() const;
  [[nodiscard]] std::uint64_t lanes() const;
};

// Calls f with each total of one Traffic, or with the same total of several, in the order of the
// struct: f(of.barriers...) first. Code that sums, sends or extrapolates the totals uses this
// function. The static_assert below fails if a total is missing.
template <class F, class... Of>
constexpr void each_total(F&& f, Of&... of) {
  const auto global = [&](auto&... g) {
    f(g.requests...);
    f(g.sectors...);
    f(g.bytes...);
    f(g.lanes...);
  };
  const auto shared = [&](auto&... s) {
    f(s.requests...);
    f(s.wavefronts...);
    f(s.bank_conflicts...);
    f(s.bytes...);
    f(s.lanes...);
  };
  const auto local = [&](auto&... l) {
    f(l.requests...);
    f(l.sectors...);
  };
  const auto contention = [&](auto&... c) {
    f(c.updates...);
    for (std::size_t i = 0; i < std::tuple_size_v<decltype(AtomicContention::requests_of_degree)>;
         ++i)
      f(c.requests_of_degree[i]...);
  };
  const auto work = [&](auto&... w) {
    f(w.requests...);
    f(w.wavefronts...);
    f(w.degrees...);
  };
  f(of.barriers...);
  global(of.global_load...);
  global(of.global_store...);
  global(of.global_atomic...);
  shared(of.shared_load...);
  shared(of.shared_store...);
  shared(of.shared_atomic...);
  local(of.local_load...);
  local(of.local_store...);
  contention(of.global_contention...);
  contention(of.shared_contention...);
  f(of.volatile_loads...);
  f(of.repeated_loads...);
  work(of.shared_increments...);
  work(of.shared_swaps...);
  work(of.global_swaps...);
}
static_assert([] {
  Traffic traffic;
  std::size_t bytes = 0;
  each_total([&](auto& total) { bytes += sizeof total; }, traffic);
  return bytes;
}() == sizeof(Traffic));

// Load requests that a warp makes one after the other. Loads that repeat the warp's previous load
// are left out.
struct WarpLoads {
  std::uint64_t global = 0;
  std::uint64_t other_sectors = 0;  // part of `global` that begins at another sector than before
  std::uint64_t shared = 0;
  std::uint64_t local = 0;
};
inline constexpr std::array warp_load_figures = {&WarpLoads::global, &WarpLoads::other_sectors,
                                                 &WarpLoads::shared, &WarpLoads::local};

// Loads from read-only buffers. Loads that repeat the warp's previous load are left out,
// except in `lanes`.
struct InputReads {
  std::uint64_t sectors = 0;
  std::uint64_t bytes_of_thread = 0;  // of the thread with the most bytes
  std::uint64_t lanes = 0;            // active lanes, including repeated loads
  // Most bytes that one thread reads in other memory and that other threads computed from the
  // input: threads of its own block, threads of other blocks.
  std::uint64_t copied_in_block = 0, copied_in_grid = 0;
  // Bytes of the input and of such copies, read by the busy threads of all blocks. A busy thread
  // reads at least half as many as the busiest thread of its block.
  std::uint64_t bytes_of_busy_threads = 0;
};

// A warp waits for its loads, so a block takes at least as long as its busiest warp. Each figure
// takes the warp with the most of it, so different figures may come from different warps. For
// blocks that fetch their work, kernels/emulator/observers/load_chains.h defines when a chain ends.
struct BusiestWarps {
  WarpLoads of_blocks;  // busiest warp of each block, summed over the blocks
  WarpLoads most;       // longest chain of the launch
  InputReads input = {};
  // Lanes that wrote to those shared variables from which a value in global memory was computed.
  std::uint64_t used_shared_writes = 0;

  // Adds the figures of other blocks of the same launch.
  void add_blocks(const BusiestWarps& more);
};

// Traffic of all lines, the launch's shape, and figures that are not sums over lines.
struct Counters : Traffic {
  std::uint64_t blocks = 0;
  std::uint64_t threads = 0;
  std::uint64_t block_size = 0;
  std::uint64_t static_shared_bytes = 0;
  std::uint64_t dynamic_shared_bytes = 0;
  BusiestWarps busiest;
};

// Like each_total(), for the other figures of Counters except the launch's shape.
template <class F, class... Of>
constexpr void each_busiest(F&& f, Of&... of) {
  for (const auto figure : warp_load_figures) {
    f(of.busiest.of_blocks.*figure...);
    f(of.busiest.most.*figure...);
  }
  f(of.busiest.input.sectors...);
  f(of.busiest.input.bytes_of_thread...);
  f(of.busiest.input.lanes...);
  f(of.busiest.input.copied_in_block...);
  f(of.busiest.input.copied_in_grid...);
  f(of.busiest.input.bytes_of_busy_threads...);
  f(of.busiest.used_shared_writes...);
}

struct LineCounters {
  int line = 0;  // in the student's file, 1-based; 0 if the line of the accesses is unknown
  Traffic counters;
  int file = 0;  // number in Observation::files, from 1; 0 for the student's one file
};

// The atomic updates of one variable by element. For shared memory, all blocks are added up.
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
  std::uint64_t elements = 0;   // updated elements in the first MiB of the variable
  std::uint64_t uncounted = 0;  // updates beyond the first MiB; their elements are not recorded
  std::vector<Element> top;     // most updates first, then lowest index; at most max_top

  // Sorts `top` and shortens it to max_top. While counting, it has any order and size.
  void keep_most_updated();
};

// Returns the variable in global memory whose most updated element has the most updates, or nullptr
// if no atomic operation updated global memory. Each `top` must be sorted (keep_most_updated()).
[[nodiscard]] const AtomicPressure* hottest_in_global(const std::vector<AtomicPressure>& variables);

struct CounterValue {
  std::string_view name;   // JSON key
  std::string_view title;  // name for people: "sectors per request, global loads"
  std::string_view unit;   // "sectors", "requests", "sectors/request", "%", ...
  double value = 0;
};

// Returns the requests of global loads, without repeated_loads.
[[nodiscard]] std::uint64_t waited_loads(const Traffic& traffic);
// Return the busiest warp's loads / the average loads of a warp, for one launch: 1 if all warps
// load equally often, the number of warps if only one loads, 0 if there are no loads.
[[nodiscard]] double global_loads_of_busiest(const Counters& launch);
[[nodiscard]] double shared_loads_of_busiest(const Counters& launch);

// Returns every counter, in the order of docs/counters.md. A ratio whose denominator is 0 is 0.
[[nodiscard]] std::vector<CounterValue> values(const Counters& counters);
// Returns the counters of a source line: all but the launch's shape and the busiest warps.
[[nodiscard]] std::vector<CounterValue> traffic_values(const Traffic& traffic);

// Sums over lines.
Traffic& operator+=(Traffic& total, const Traffic& more);
// Sums over launches. The shape (block_size, shared bytes) is taken from the right-hand side.
Counters& operator+=(Counters& total, const Counters& launch);

}  // namespace histolab::reference
