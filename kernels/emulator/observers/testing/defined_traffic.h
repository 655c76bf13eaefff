// The definitions of docs/counters.md as sets of sectors, words and addresses: slow, but simple.
#pragma once

#include <string>

#include "kernels/emulator/launch/observer.h"

namespace histolab::kernels::emulator::testing {

// Adds the cost of an access. `shares`: it is an addition of 1 whose result is not used.
void add(reference::Traffic& counters, const WarpAccess& access, bool shares = false);

// Returns the largest number of lanes on one address.
[[nodiscard]] std::uint64_t same_address_degree(const WarpAccess& access);

// Returns the lines that differ. Empty if the two are equal.
[[nodiscard]] std::string differences(const reference::Traffic& got,
                                      const reference::Traffic& expected);

[[nodiscard]] std::string text(const WarpAccess& access);

}  // namespace histolab::kernels::emulator::testing
