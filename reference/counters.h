// Counters: what one launch did to the memory system, as plain numbers.
//
// The struct holds raw totals; `values()` turns them into named figures (ratios included) for reports and checks.
// Names are Nsight Compute's metric ids where it has one; figures of our own start with `histolab__`. Each name is
// defined, with its unit, in docs/counters.md. "Request" is one warp-level instruction that touched that space with at
// least one active lane; "sector" is 32 bytes of global memory; "wavefront" is one pass of the shared memory's 32
// four-byte banks; an "update" is one lane's atomic operation.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace histolab::reference {

struct GlobalTraffic {
  std::uint64_t requests = 0;
  std::uint64_t sectors = 0;
  std::uint64_t bytes = 0;  // bytes that lanes asked for; two lanes on one address count twice
};

struct SharedTraffic {
  std::uint64_t requests = 0;
  std::uint64_t wavefronts = 0;
  std::uint64_t bank_conflicts = 0;  // wavefronts beyond those that the access width needs
};

// How many lanes of one atomic warp instruction hit one address: 1 is no contention, 32 is full serialization.
struct AtomicContention {
  std::uint64_t updates = 0;     // lanes
  std::uint64_t degree_sum = 0;  // sum over requests of the largest number of lanes on one address
  std::uint64_t degree_max = 0;
};

struct Counters {
  std::uint64_t blocks = 0;
  std::uint64_t threads = 0;
  std::uint64_t block_size = 0;
  std::uint64_t static_shared_bytes = 0;
  std::uint64_t dynamic_shared_bytes = 0;
  std::uint64_t barriers = 0;  // warps arriving at __syncthreads
  GlobalTraffic global_load, global_store, global_atomic;
  SharedTraffic shared_load, shared_store, shared_atomic;
  AtomicContention global_contention, shared_contention;
};

struct CounterValue {
  std::string_view name;   // JSON key
  std::string_view title;  // what a person calls it: "sectors per request, global loads"
  std::string_view unit;   // "sectors", "requests", "ratio", "%", ...
  double value = 0;
};

// Every counter, in the order of docs/counters.md. A ratio whose denominator is 0 is 0.
[[nodiscard]] std::vector<CounterValue> values(const Counters& counters);

// Sums over launches; degree_max is the larger one, shapes (block_size, shared bytes) are the right-hand side's.
Counters& operator+=(Counters& total, const Counters& launch);

}  // namespace histolab::reference
