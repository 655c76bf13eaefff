// Plays one interleaving of the steps of threads that do histo[b]++ on one bin.
//
// An increment has three steps: load the bin into a register, add one, store the register. Each
// thread makes its steps in order; threads interleave in any way. With atomicAdd an increment is
// one step. Updates are lost exactly if the bin is finally too small: interleavings.h explains why.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "reference/update_ledger.h"

namespace histolab::reference {

inline constexpr std::uint32_t max_threads = 32, max_increments = 64;

struct Increments {
  std::uint32_t threads = 2;     // 1 to max_threads
  std::uint32_t increments = 1;  // per thread, 1 to max_increments
  bool atomic = false;

  // Returns the value of the bin if no update is lost.
  [[nodiscard]] std::uint32_t expected() const { return threads * increments; }
};

enum class IncrementStep { load, add, store, atomic_add };
[[nodiscard]] const char* name(IncrementStep step);  // "load", "atomicAdd"
[[nodiscard]] std::span<const IncrementStep> steps_of_increment(bool atomic);

// The thread that makes each step, from the first step to the last. Thread numbers start at 0, and
// each occurs equally often.
using Interleaving = std::vector<std::uint32_t>;

// Draws an interleaving; all are equally likely. The same seed gives the same interleaving.
[[nodiscard]] Interleaving random_interleaving(const Increments& shape, std::uint64_t seed);

// The four cases of a lecture for two threads with one increment each (D. Kirk and W. Hwu,
// Programming Massively Parallel Processors, on atomic operations): two count both updates, two
// lose one.
struct Scenario {
  const char* title;
  Interleaving order;
};
[[nodiscard]] const std::vector<Scenario>& lecture_scenarios();

struct TraceStep {
  std::uint32_t thread = 0;
  IncrementStep step = IncrementStep::load;
  std::optional<std::uint32_t> register_before;  // nullopt if the thread has not loaded yet
  std::uint32_t register_after = 0;              // for atomicAdd, the old value of the bin
  std::uint32_t memory_before = 0, memory_after = 0;
};

struct Trace {
  Increments shape;
  std::vector<TraceStep> steps;
  std::vector<LostUpdate> lost;  // in the order of stored_at; times are indices into `steps`
  std::uint32_t final_value = 0;
};

// Plays the steps on a bin that starts at 0. `order` must be an interleaving of `shape`.
[[nodiscard]] Trace play(const Increments& shape, const Interleaving& order);

}  // namespace histolab::reference
