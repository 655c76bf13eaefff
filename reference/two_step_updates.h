// Reading something and then writing what follows from it, in two steps: the bank teller and the seat booking.
//
// Each of a few people makes two steps, a look and a write, in that order; any order between people may happen. All
// interleavings are counted; there are (2 n)! / 2^n of them, n at most max_people.
#pragma once

#include <cstdint>
#include <map>
#include <span>

namespace histolab::reference {

inline constexpr std::uint32_t max_people = 6;

// Tellers who each read the balance and later write what they read plus their amount (negative: a withdrawal): the final
// balances, and how many interleavings end with each.
[[nodiscard]] std::map<std::int64_t, std::uint64_t> final_balances(std::int64_t balance, std::span<const std::int64_t> amounts);

// Agencies that each look whether a seat is free and, if it was when they looked, later sell one: the number of seats sold,
// and how many interleavings end with it. Above `seats` means that one was sold twice.
[[nodiscard]] std::map<std::uint32_t, std::uint64_t> seats_sold(std::uint32_t agencies, std::uint32_t seats);

}  // namespace histolab::reference
