// What happens when threads do histo[b]++ on one bin: one interleaving of their steps, played.
//
// An increment is three steps: load the bin into a register, add one to the register, store it. Each thread makes its
// own steps in order, and any order between threads may happen. With atomicAdd an increment is one step.
//
// The bin counts up to the number of increments exactly if no thread stores between another one's load and store:
// what is stored is one more than what was loaded, and that is at most the number of stores before the load. So an
// update is lost if and only if the bin is too small in the end, and as many are lost as are missing.
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
  std::uint32_t increments = 1;  // of each thread, 1 to max_increments
  bool atomic = false;

  [[nodiscard]] std::uint32_t expected() const { return threads * increments; }  // in the bin, when none is lost
};

enum class IncrementStep { load, add, store, atomic_add };
[[nodiscard]] const char* name(IncrementStep step);  // "load", "atomicAdd"
[[nodiscard]] std::span<const IncrementStep> steps_of_increment(bool atomic);

// Who makes the next step, from the first to the last: thread numbers from 0, each one equally often.
using Interleaving = std::vector<std::uint32_t>;

// Each of all interleavings is equally likely; the same seed gives the same one.
[[nodiscard]] Interleaving random_interleaving(const Increments& shape, std::uint64_t seed);

// The four ways that a lecture shows for two threads with an increment each (D. Kirk and W. Hwu, Programming Massively
// Parallel Processors, on atomic operations): two that count both, two that lose one.
struct Scenario {
  const char* title;
  Interleaving order;
};
[[nodiscard]] const std::vector<Scenario>& lecture_scenarios();

struct TraceStep {
  std::uint32_t thread = 0;
  IncrementStep step = IncrementStep::load;
  std::optional<std::uint32_t> register_before;  // none: nothing was loaded yet
  std::uint32_t register_after = 0;              // of an atomicAdd: the value that it found
  std::uint32_t memory_before = 0, memory_after = 0;
};

struct Trace {
  Increments shape;
  std::vector<TraceStep> steps;
  std::vector<LostUpdate> lost;  // in the order of stored_at; their times are indices into the steps
  std::uint32_t final_value = 0;
};

// The bin is 0 at first. `order` is an interleaving of `shape`.
[[nodiscard]] Trace play(const Increments& shape, const Interleaving& order);

}  // namespace histolab::reference
