// UsedVariable: a variable at file scope whose memory a kernel uses.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace histolab::kernels::emulator {

class KernelParts;
struct Placement;
struct SourcePlaces;

struct UsedVariable {
  std::string name;  // without namespaces
  int line = 0;      // of its first use
};

// Returns the kernel's variables at file scope, without those of functions and the compiler's own
// tables. A constant is included only if the code uses its memory, and not just its value. `text`:
// the address of the loaded text.
[[nodiscard]] std::vector<UsedVariable> used_variables(const KernelParts& parts,
                                                       const Placement& placement,
                                                       const SourcePlaces& places,
                                                       std::uint64_t text);

}  // namespace histolab::kernels::emulator
