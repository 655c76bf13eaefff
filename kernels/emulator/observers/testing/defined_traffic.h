// The definitions of docs/counters.md, written down as sets of sectors, words and addresses: slow, and easy to believe.
#pragma once

#include <string>

#include "kernels/emulator/launch/observer.h"

namespace histolab::kernels::emulator::testing {

// `shares`: an addition of one whose result nobody wants.
void add(reference::Traffic& counters, const WarpAccess& access, bool shares = false);

// The most lanes on one address.
[[nodiscard]] std::uint64_t same_address_degree(const WarpAccess& access);

// The lines in which the two are not the same; empty when they are.
[[nodiscard]] std::string differences(const reference::Traffic& got, const reference::Traffic& expected);

[[nodiscard]] std::string text(const WarpAccess& access);

}  // namespace histolab::kernels::emulator::testing
