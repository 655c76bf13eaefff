// KernelSites: the sites in a loaded kernel's code: calls of the runtime, and checks.
//
// The last step of loading (module.h). See code/site.h.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "kernels/emulator/code/call_facts.h"
#include "kernels/emulator/code/debug_info.h"
#include "kernels/emulator/code/runtime_functions.h"
#include "kernels/emulator/code/site.h"
#include "kernels/emulator/proof/confined_code.h"

namespace histolab::kernels::emulator {

// Returns the effect of an atomic operation. `operation` is the function's name without its prefix:
// "Exch_block_u32". For floating point it is unknown whether the result is used, since it is
// returned in another register.
[[nodiscard]] AtomicEffect atomic_effect(std::string_view operation, SecondArgument argument,
                                         bool result_used);

struct KernelSites {
  // Adds a call of a function of the runtime, which ends at the site. `symbol` must outlive this
  // object.
  void add_call(std::string_view symbol, const RuntimeFunction& function, SiteNumber site);
  // Adds the checks and the early reports of a section's code. `begin`: its offset in the text.
  void add_checks(const ConfinedCode& code, std::uint32_t begin);
  // Sets the source positions of all sites, and what the compiler's dumps say of these lines.
  void set_lines(const SourcePlaces& places, std::span<const WideAccess> wide_accesses,
                 std::span<const int> local_lines);
  // Sorts `calls`, and sets what the machine code shows of atomic operations. Call it when all
  // sites are added.
  void describe_atomics(const CallFacts& facts);

  std::unique_ptr<SiteTable> table = std::make_unique<SiteTable>();
  std::vector<SiteNumber> calls;     // of the runtime, and of checks
  std::vector<SiteNumber> barriers;  // calls of __syncthreads() and its variants
  bool has_compare_and_swap = false;

 private:
  struct AtomicCall {
    SiteNumber site;
    std::string_view operation;
  };
  // A site that does not report one access of a known width.
  void add_range(SiteNumber site, AccessKind kind, bool has_words);
  void add_check(const CheckedPlace& check, SiteNumber site);

  std::vector<AtomicCall> atomics_;
};

}  // namespace histolab::kernels::emulator
