// All interleavings of a small case of `Increments`: how many there are, and with which value each one ends.
//
// They are counted, not played one by one: states that go on alike (how far each thread is, what it has loaded, what
// the bin holds; the threads are interchangeable) are met once, with the number of ways that lead there.
//
// Closed forms, for N threads with K increments of s steps each:
//   all of them              (s N K)! / ((s K)!)^N       orders of s N K steps in which each thread's keep theirs
//   those that lose nothing  (N K)! / (K!)^N             each increment whole (increments.h says why), in any order
// The second does not depend on s. So of two threads with one increment each, 2 of 20 lose nothing when the add is
// counted as a step, 2 of 6 when it is not: it is private to its thread and changes no outcome, only how many
// interleavings have it.
#pragma once

#include <cstdint>
#include <map>
#include <optional>

#include "reference/increments.h"

namespace histolab::reference {

// More are not counted: every JSON reader keeps integers up to here exactly.
inline constexpr std::uint64_t max_interleavings = std::uint64_t{1} << 53;

// What an increment is made of.
enum class Steps { load_add_store, load_store, atomic_add };
[[nodiscard]] std::uint32_t number_of(Steps steps);  // s

struct Enumeration {
  std::uint64_t interleavings = 0;
  std::uint64_t losing = 0;                             // those that lose at least one update
  std::map<std::uint32_t, std::uint64_t> final_values;  // value of the bin: interleavings that end with it
};

// (parts * size)! / (size!)^parts: the orders of `parts` rows of `size` items that keep the order in each row. None: more
// than max_interleavings.
[[nodiscard]] std::optional<std::uint64_t> merged_orders(std::uint32_t parts, std::uint32_t size);

// None: more than max_interleavings. `shape.atomic` is not looked at: `steps` says it.
[[nodiscard]] std::optional<Enumeration> enumerate(const Increments& shape, Steps steps);

}  // namespace histolab::reference
