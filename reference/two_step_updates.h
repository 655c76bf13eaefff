// Races of a read and a later write, with everyday examples: bank tellers and seat bookings.
//
// Each of n people makes two steps, first a read and then a write; the people interleave in any
// way. All (2 n)! / 2^n interleavings are counted. n is at most max_people.
#pragma once

#include <cstdint>
#include <map>
#include <span>

namespace histolab::reference {

inline constexpr std::uint32_t max_people = 6;

// Each teller reads the balance and later writes the read balance plus an amount (negative for a
// withdrawal). Returns the number of interleavings by final balance.
[[nodiscard]] std::map<std::int64_t, std::uint64_t> final_balances(
    std::int64_t balance, std::span<const std::int64_t> amounts);

// Each agency checks whether a seat is free, and if so, sells one later. Returns the number
// of interleavings by the number of seats sold. A number above `seats` means that a seat
// was sold twice.
[[nodiscard]] std::map<std::uint32_t, std::uint64_t> seats_sold(std::uint32_t agencies,
                                                                std::uint32_t seats);

}  // namespace histolab::reference
