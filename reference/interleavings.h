// Counts all interleavings of a small case of `Increments`, by the value that each one ends with.
#pragma once

#include <cstdint>
#include <map>
#include <optional>

#include "reference/increments.h"

namespace histolab::reference {

// The largest number of interleavings that is counted. Every JSON reader keeps integers up to this
// value exactly.
inline constexpr std::uint64_t max_interleavings = std::uint64_t{1} << 53;

// The steps of an increment, and their number s.
enum class Steps { load_add_store, load_store, atomic_add };
[[nodiscard]] std::uint32_t number_of(Steps steps);

struct Enumeration {
  std::uint64_t interleavings = 0;
  std::uint64_t losing = 0;                             // interleavings that lose an update
  std::map<std::uint32_t, std::uint64_t> final_values;  // interleavings, by the bin's final value
};

// Returns (parts * size)! / (size!)^parts, the number of ways to merge `parts` rows of `size` items
// that keep the order in each row. Returns nullopt if that is more than max_interleavings.
[[nodiscard]] std::optional<std::uint64_t> merged_orders(std::uint32_t parts, std::uint32_t size);

// Counts the interleavings. States that continue alike are merged, with the number of ways to reach
// them: same progress and registers of the interchangeable threads, same bin. `shape.atomic` is
// ignored. Returns nullopt if there are more than max_interleavings.
//
// Closed forms for N threads with K increments of s steps each:
//   all interleavings     (s N K)! / ((s K)!)^N  orders of s N K steps, each thread's in order
//   those without a loss  (N K)! / (K!)^N        whole increments, in any order
// No update is lost exactly if no thread stores between another one's load and store. The reason: a
// thread stores the loaded value plus one, and the loaded value is at most the number of stores
// before the load. So the number of lost updates is also the number missing in the bin. The second
// form does not depend on s. For two threads with one increment each, 2 of 20 interleavings lose
// nothing if the add counts as a step, 2 of 6 if not. The add is private to its thread, so it
// changes no outcome, only the number of interleavings with this outcome.
[[nodiscard]] std::optional<Enumeration> enumerate(const Increments& shape, Steps steps);

}  // namespace histolab::reference
