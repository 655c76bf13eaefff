// Links: the placed sections, with their relocations applied.
//
// The third step of loading (module.h). Code, data and debug information are linked to each other
// and to the runtime.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "kernels/emulator/module/bound_symbols.h"
#include "kernels/emulator/module/kernel_parts.h"
#include "kernels/emulator/module/placement.h"
#include "reference/result.h"

namespace histolab::kernels::emulator {

// A reference to a function of the runtime in the kernel's code.
struct RuntimeReference {
  std::uint32_t symbol = 0;
  std::uint64_t behind = 0;  // address behind the instruction, if it is a call
};

struct Links {
  std::vector<RuntimeReference> references;
  std::vector<std::uint32_t> callable_stubs;  // offsets in the text of stubs that pointers may hold
  // Mistakes, as symbol -> address of its first use. The address of an unsupported symbol is 0 if
  // the code does not use it.
  std::map<std::uint32_t, std::uint64_t> unsupported;
  // Variables with a constant index that does not fit into an address.
  std::map<std::uint32_t, std::uint64_t> out_of_reach;
  // Functions that access memory, or are the runtime's own, and whose address is taken.
  std::map<std::uint32_t, std::uint64_t> by_address;
};

// Applies all relocations of the placed sections and of the debug information. Takes room for stubs
// and words from `placement.text`. `for_debugger`: debug information of shared variables gets their
// addresses. Returns an Error if the object file is malformed.
[[nodiscard]] Result<Links> link(const KernelParts& parts, const BoundSymbols& symbols,
                                 Placement& placement, bool for_debugger);

}  // namespace histolab::kernels::emulator
